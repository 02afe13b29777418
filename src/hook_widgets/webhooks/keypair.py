"""Key pairs for the providers that sign with a private key: Ed25519 and ECDSA on P-256.

A receiver holds only the public half, so the private half made here is a throw-away one: it stands in
for the provider's. `cryptography` is loaded on first use.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NoReturn

from hook_widgets.errors import InvalidSecret, nearest

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey, EllipticCurvePublicKey
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey


class Curve(StrEnum):
    """The asymmetric algorithms, by the name the provider data uses."""

    ED25519 = "ed25519"
    ECDSA_P256 = "ecdsa-p256"


def _curve(name: str) -> Curve:
    try:
        return Curve(name)
    except ValueError:
        raise InvalidSecret(f"no key pair algorithm {name!r}. {nearest(name, Curve)}") from None


@dataclass(frozen=True, slots=True)
class PublicKey:
    """The public half, for verifying only.

    Args:
        text: as the provider prints it: 64 hex digits or base64 (Ed25519), base64 of a DER
            SubjectPublicKeyInfo (ECDSA), or PEM for either.
        algorithm: ``"ed25519"`` or ``"ecdsa-p256"``.
    """

    text: str
    algorithm: str

    def verifies(self, message: bytes, signature: bytes) -> bool:
        """Whether `signature` belongs to `message`; a malformed signature simply does not.

        Raises:
            InvalidSecret: the key's text is not a public key of this algorithm.
        """
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
        from cryptography.hazmat.primitives.hashes import SHA256

        key = self._load()
        try:
            if isinstance(key, Ed25519PublicKey):
                key.verify(signature, message)
            else:
                from cryptography.hazmat.primitives.asymmetric.ec import ECDSA

                key.verify(signature, message, ECDSA(SHA256()))
        except InvalidSignature:
            return False
        return True

    def _load(self) -> Ed25519PublicKey | EllipticCurvePublicKey:
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
        from cryptography.hazmat.primitives.serialization import load_der_public_key, load_pem_public_key

        curve, text = _curve(self.algorithm), self.text.strip()
        try:
            if text.startswith("-----BEGIN"):
                key = load_pem_public_key(text.encode())
            else:
                raw = bytes.fromhex(text) if _is_hex(text) else base64.b64decode(text, validate=True)
                if curve is Curve.ED25519 and len(raw) == 32:
                    return Ed25519PublicKey.from_public_bytes(raw)
                key = load_der_public_key(raw)
        except (ValueError, binascii.Error, UnsupportedAlgorithm):
            raise InvalidSecret(
                f"this is not {curve.value} public key text; paste it as the provider prints it: "
                + ("64 hex digits" if curve is Curve.ED25519 else "one line of base64 that begins with MFkw")
            ) from None
        if curve is Curve.ED25519 and isinstance(key, Ed25519PublicKey):
            return key
        if (
            curve is Curve.ECDSA_P256
            and isinstance(key, EllipticCurvePublicKey)
            and isinstance(key.curve, SECP256R1)
        ):
            return key
        raise InvalidSecret(f"this public key is of another algorithm; {curve.value} is needed")


class KeyPair:
    """A private key with its public half; redacted in every display, never pickled.

    Make one with `KeyPair.generate` or read a PKCS #8 PEM with `KeyPair.from_pem`.
    """

    __slots__ = ("_private", "algorithm")

    def __init__(self, private: Ed25519PrivateKey | EllipticCurvePrivateKey, algorithm: str) -> None:
        self._private = private
        self.algorithm = _curve(algorithm)

    @classmethod
    def generate(cls, algorithm: str) -> KeyPair:
        """A fresh throw-away pair for ``"ed25519"`` or ``"ecdsa-p256"``.

        Raises:
            InvalidSecret: no such algorithm.
        """
        if _curve(algorithm) is Curve.ED25519:
            from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

            return cls(Ed25519PrivateKey.generate(), algorithm)
        from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key

        return cls(generate_private_key(SECP256R1()), algorithm)

    @classmethod
    def from_pem(cls, pem: str) -> KeyPair:
        """The pair whose private half stands in an unencrypted PKCS #8 PEM (RFC 5958).

        Raises:
            InvalidSecret: it is not one, or of another algorithm.
        """
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        try:
            key = load_pem_private_key(pem.encode(), password=None)
        except (ValueError, TypeError, UnsupportedAlgorithm):
            raise InvalidSecret("this is not an unencrypted PKCS #8 private key in PEM form") from None
        if isinstance(key, Ed25519PrivateKey):
            return cls(key, Curve.ED25519)
        if isinstance(key, EllipticCurvePrivateKey) and isinstance(key.curve, SECP256R1):
            return cls(key, Curve.ECDSA_P256)
        raise InvalidSecret(f"this private key is of another algorithm. {nearest('', Curve)}")

    @property
    def public(self) -> str:
        """The public half as providers print it.

        Hex for Ed25519 (Discord), base64 of a DER SubjectPublicKeyInfo for ECDSA (SendGrid).
        """
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        public = self._private.public_key()
        if self.algorithm is Curve.ED25519:
            return public.public_bytes(Encoding.Raw, PublicFormat.Raw).hex()
        return base64.b64encode(public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).decode()

    @property
    def public_key(self) -> PublicKey:
        """The public half as a key to verify with."""
        return PublicKey(self.public, self.algorithm)

    def private_pem(self) -> str:
        """The private half as PKCS #8 PEM: the counterpart of `Secret.reveal`."""
        from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

        return self._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()

    def sign(self, message: bytes) -> bytes:
        """The raw signature: 64 bytes (Ed25519, RFC 8032) or DER (ECDSA over SHA-256, FIPS 186-5)."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        if isinstance(self._private, Ed25519PrivateKey):
            return self._private.sign(message)
        from cryptography.hazmat.primitives.asymmetric.ec import ECDSA
        from cryptography.hazmat.primitives.hashes import SHA256

        return self._private.sign(message, ECDSA(SHA256()))

    def __repr__(self) -> str:
        return f"KeyPair({self.algorithm.value}, public={self.public[:12]}…)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a KeyPair is never pickled or copied; pass its public half, or make a fresh one")


def _is_hex(text: str) -> bool:
    try:
        bytes.fromhex(text)
    except ValueError:
        return False
    return True
