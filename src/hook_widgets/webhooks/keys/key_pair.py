"""Key pairs for providers that sign with a private key: Ed25519, ECDSA on P-256 and RSA.

A receiver holds only the public key. The private key generated here is a throw-away substitute for the
provider's. `cryptography` is loaded on first use.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NoReturn

from hook_widgets._optional import require
from hook_widgets.errors import InvalidSecret, WebhookError, nearest

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey, EllipticCurvePublicKey
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, RSAPublicKey
    from cryptography.hazmat.primitives.hashes import SHA1, SHA256

    Private = Ed25519PrivateKey | EllipticCurvePrivateKey | RSAPrivateKey
    Public = Ed25519PublicKey | EllipticCurvePublicKey | RSAPublicKey


class KeyType(StrEnum):
    """Types of key pair, by their name in the provider data."""

    ED25519 = "ed25519"
    ECDSA_P256 = "ecdsa-p256"
    RSA = "rsa"


class PublicForm(StrEnum):
    """Text formats of a public key.

    ``hex`` and ``base64`` are the 32 bytes of an Ed25519 key; ``base64-spki`` is a DER SubjectPublicKeyInfo
    (RFC 5280); ``certificate`` is an X.509 certificate in PEM.
    """

    HEX = "hex"
    BASE64 = "base64"
    BASE64_SPKI = "base64-spki"
    CERTIFICATE = "certificate"


_DEFAULT_FORMS = {
    KeyType.ED25519: PublicForm.HEX,
    KeyType.ECDSA_P256: PublicForm.BASE64_SPKI,
    KeyType.RSA: PublicForm.BASE64_SPKI,
}
_DESCRIPTIONS = {
    KeyType.ED25519: "64 hex digits",
    KeyType.ECDSA_P256: "one line of base64 that begins with MFkw",
    KeyType.RSA: "a certificate or public key in PEM, or one line of base64 that begins with MIIB",
}


def _key_type(name: str) -> KeyType:
    try:
        return KeyType(name)
    except ValueError:
        raise InvalidSecret(f"there is no key pair algorithm {name!r}; {nearest(name, KeyType)}") from None


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A public key, for verifying only.

    Args:
        text: the key as the provider prints it: 64 hex digits or base64 (Ed25519), base64 of a DER
            SubjectPublicKeyInfo (ECDSA, RSA), PEM for each, or an X.509 certificate in PEM.
        algorithm: ``"ed25519"``, ``"ecdsa-p256"`` or ``"rsa"``.
    """

    text: str
    algorithm: str

    def verifies(self, message: bytes, signature: bytes, scheme: str = "") -> bool:
        """Return True if `signature` is valid for `message`, False also for a malformed signature.

        Args:
            message: the base string.
            signature: the raw bytes of the signature.
            scheme: a `webhooks.keys.signing.Algorithm`, if the key can be used in more than one way:
                ``ecdsa-p256-raw`` (64 bytes instead of DER), ``rsa-sha1`` (instead of SHA-256).

        Raises:
            InvalidSecret: the text is not a public key of this algorithm.
            WebhookError: cryptography is not installed.
        """
        key = self._load()

        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa

        try:
            if isinstance(key, ed25519.Ed25519PublicKey):
                key.verify(signature, message)
            elif isinstance(key, rsa.RSAPublicKey):
                key.verify(signature, message, padding.PKCS1v15(), _rsa_hash(scheme))
            else:
                if scheme == "ecdsa-p256-raw" and len(signature) != 64:
                    return False
                der = _der(signature) if scheme == "ecdsa-p256-raw" else signature
                key.verify(der, message, ec.ECDSA(hashes.SHA256()))
        except InvalidSignature:
            return False
        return True

    def _load(self) -> Public:
        _need_cryptography()
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
        from cryptography.hazmat.primitives.serialization import load_der_public_key, load_pem_public_key
        from cryptography.x509 import load_pem_x509_certificate

        kind, text = _key_type(self.algorithm), self.text.strip()
        try:
            if text.startswith("-----BEGIN CERTIFICATE"):
                key: object = load_pem_x509_certificate(text.encode()).public_key()
            elif text.startswith("-----BEGIN"):
                key = load_pem_public_key(text.encode())
            else:
                raw = bytes.fromhex(text) if _is_hex(text) else base64.b64decode(text, validate=True)
                if kind is KeyType.ED25519 and len(raw) == 32:
                    return Ed25519PublicKey.from_public_bytes(raw)
                key = load_der_public_key(raw)
        except (ValueError, binascii.Error, UnsupportedAlgorithm):
            raise InvalidSecret(
                f"this is not {kind.value} public key text; paste it as the provider prints it: "
                + _DESCRIPTIONS[kind]
            ) from None
        if _type_of(key) is not kind:
            raise InvalidSecret(f"this public key is of another algorithm; {kind.value} is needed")
        return key  # type: ignore[return-value]  # _type_of has checked its class


class KeyPair:
    """A private key with its public key; redacted in every representation, refuses pickling.

    Generate one with `KeyPair.generate` or read a PKCS #8 PEM with `KeyPair.from_pem`.

    Args:
        private: a private key of the library `cryptography`.
        algorithm: ``"ed25519"``, ``"ecdsa-p256"`` or ``"rsa"``.
    """

    __slots__ = ("_certificate", "_private", "algorithm")

    def __init__(self, private: Private, algorithm: str) -> None:
        self._private = private
        self._certificate = ""
        self.algorithm: KeyType = _key_type(algorithm)

    @classmethod
    def generate(cls, algorithm: str) -> KeyPair:
        """Generate a throw-away pair for ``"ed25519"``, ``"ecdsa-p256"`` or ``"rsa"`` (2048 bits).

        Raises:
            InvalidSecret: the algorithm is unknown.
            WebhookError: cryptography is not installed.
        """
        kind = _key_type(algorithm)
        _need_cryptography()
        from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

        match kind:
            case KeyType.ED25519:
                return cls(ed25519.Ed25519PrivateKey.generate(), algorithm)
            case KeyType.ECDSA_P256:
                return cls(ec.generate_private_key(ec.SECP256R1()), algorithm)
            case KeyType.RSA:
                return cls(rsa.generate_private_key(public_exponent=65537, key_size=2048), algorithm)

    @classmethod
    def from_pem(cls, pem: str) -> KeyPair:
        """Read the private key from an unencrypted PKCS #8 PEM (RFC 5958).

        Args:
            pem: the text of the file.

        Raises:
            InvalidSecret: the text is no such PEM, or the key is of another algorithm.
            WebhookError: cryptography is not installed.
        """
        _need_cryptography()
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        try:
            key = load_pem_private_key(pem.encode(), password=None)
        except (ValueError, TypeError, UnsupportedAlgorithm):
            raise InvalidSecret("this is not an unencrypted PKCS #8 private key in PEM form") from None
        kind = _type_of(key)
        if kind is None:
            raise InvalidSecret(f"this private key is of another algorithm; {nearest('', KeyType)}")
        return cls(key, kind)  # type: ignore[arg-type]  # _type_of has checked its class

    @property
    def public(self) -> str:
        """The public key in its usual format.

        Hex for Ed25519, base64 of a DER SubjectPublicKeyInfo for ECDSA and RSA.
        """
        return self.public_as(_DEFAULT_FORMS[self.algorithm])

    def public_as(self, form: PublicForm) -> str:
        """Return the public key in a format.

        Args:
            form: the format, such as ``PublicForm.CERTIFICATE``.

        Raises:
            InvalidSecret: a key of this algorithm has no such format.
        """
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        public = self._private.public_key()
        if form is PublicForm.CERTIFICATE:
            return self.certificate()
        if form is PublicForm.BASE64_SPKI:
            return base64.b64encode(
                public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
            ).decode()
        if not isinstance(public, Ed25519PublicKey):
            raise InvalidSecret(f"an {self.algorithm.value} key has no raw form; take base64-spki")
        raw = public.public_bytes(Encoding.Raw, PublicFormat.Raw)
        return raw.hex() if form is PublicForm.HEX else base64.b64encode(raw).decode()

    def certificate(self) -> str:
        """Return a self-signed X.509 certificate of the public key, in PEM, valid for ten years.

        It replaces the certificate that a provider publishes. No authority has issued it, so a receiver must
        be configured to trust it.
        """
        if not self._certificate:
            from hook_widgets.webhooks.keys.certificate import create_key_certificate

            self._certificate = create_key_certificate(self._private)
        return self._certificate

    @property
    def public_key(self) -> PublicKey:
        """The public key, to verify with."""
        return PublicKey(self.public, self.algorithm)

    def private_pem(self) -> str:
        """Return the private key as PKCS #8 PEM: the counterpart of `Secret.reveal`."""
        from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

        return self._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()

    def sign(self, message: bytes, scheme: str = "") -> bytes:
        """Return the raw signature of a message.

        - Ed25519: 64 bytes (RFC 8032).
        - ECDSA over SHA-256: DER (FIPS 186-5), or 64 bytes (RFC 7518) with ``scheme="ecdsa-p256-raw"``.
        - RSA: PKCS #1 v1.5 (RFC 8017) over SHA-256, or over SHA-1 with ``scheme="rsa-sha1"``.

        Args:
            message: the bytes to sign.
            scheme: ``"ecdsa-p256-raw"``, ``"rsa-sha1"`` or empty, as above.
        """
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa

        if isinstance(self._private, ed25519.Ed25519PrivateKey):
            return self._private.sign(message)
        if isinstance(self._private, rsa.RSAPrivateKey):
            return self._private.sign(message, padding.PKCS1v15(), _rsa_hash(scheme))
        signature = self._private.sign(message, ec.ECDSA(hashes.SHA256()))
        return _raw(signature) if scheme == "ecdsa-p256-raw" else signature

    def __repr__(self) -> str:
        return f"KeyPair({self.algorithm.value}, public={self.public[:12]}…)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a KeyPair is never pickled or copied; pass its public half, or make a fresh one")


def _need_cryptography() -> None:
    feature = "a public or private key (Ed25519, ECDSA, RSA) in Python"
    require("cryptography.hazmat.primitives.serialization", "cryptography", feature, WebhookError)


def _rsa_hash(scheme: str) -> SHA1 | SHA256:
    from cryptography.hazmat.primitives.hashes import SHA1, SHA256

    return SHA1() if scheme == "rsa-sha1" else SHA256()


def _raw(der: bytes) -> bytes:
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

    r, s = decode_dss_signature(der)
    return r.to_bytes(32) + s.to_bytes(32)


def _der(raw: bytes) -> bytes:
    from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

    return encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))


def _type_of(key: object) -> KeyType | None:
    """Return the type of a private or public key, None if no provider uses that type."""
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

    if isinstance(key, ed25519.Ed25519PrivateKey | ed25519.Ed25519PublicKey):
        return KeyType.ED25519
    if isinstance(key, rsa.RSAPrivateKey | rsa.RSAPublicKey):
        return KeyType.RSA
    if isinstance(key, ec.EllipticCurvePrivateKey | ec.EllipticCurvePublicKey):
        return KeyType.ECDSA_P256 if isinstance(key.curve, ec.SECP256R1) else None
    return None


def _is_hex(text: str) -> bool:
    try:
        bytes.fromhex(text)
    except ValueError:
        return False
    return True
