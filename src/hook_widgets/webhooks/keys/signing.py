"""Signing and matching jobs, sent to the holder of the key, who returns only signatures or matches.

A `Signer` holds a key: `LocalSigner` in this process, or the browser tab of a widget.
"""

from __future__ import annotations

import hashlib
import hmac
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from hook_widgets.errors import InvalidSecret
from hook_widgets.webhooks.body.template import Template
from hook_widgets.webhooks.keys.key_pair import KeyPair, KeyType, PublicKey
from hook_widgets.webhooks.keys.secret import KeySpec, Secret

# From this many bytes on, joining the pieces costs more than hashing them one by one.
_LONG = 1 << 16

SWAPPED: Final = "swapped"
"""Variant of a job whose HMAC has the plain key as its message, and the message as its key."""


class Algorithm(StrEnum):
    """Signature algorithms.

    HMAC is RFC 2104; Ed25519 is RFC 8032; ``ecdsa-p256`` is ECDSA on P-256 over SHA-256 in DER form, ``-raw``
    in the 64 bytes of JWS (RFC 7518); RSA is PKCS #1 v1.5 (RFC 8017). ``-prefix`` and ``-suffix`` are plain
    hashes of the key before or after the message. ``token`` is not a signature: the key itself is sent.

    Attributes:
        size: the length of a signature in bytes; None if it varies.
        key_type: the type of key pair that signs; None for a shared secret.
        digest: the `hashlib` name of an HMAC's hash; None for other algorithms.
    """

    HMAC_SHA1 = "hmac-sha1", 20, None, "sha1"
    HMAC_SHA256 = "hmac-sha256", 32, None, "sha256"
    HMAC_SHA384 = "hmac-sha384", 48, None, "sha384"
    HMAC_SHA512 = "hmac-sha512", 64, None, "sha512"
    SHA256_PREFIX = "sha256-prefix", 32
    SHA256_SUFFIX = "sha256-suffix", 32
    SHA1_SUFFIX = "sha1-suffix", 20
    TOKEN = "token"
    ED25519 = "ed25519", 64, KeyType.ED25519
    ECDSA_P256 = "ecdsa-p256", None, KeyType.ECDSA_P256
    ECDSA_P256_RAW = "ecdsa-p256-raw", 64, KeyType.ECDSA_P256
    RSA_SHA256 = "rsa-sha256", None, KeyType.RSA
    RSA_SHA1 = "rsa-sha1", None, KeyType.RSA

    size: int | None
    key_type: KeyType | None
    digest: str | None

    def __new__(
        cls,
        name: str,
        size: int | None = None,
        key_type: KeyType | None = None,
        digest: str | None = None,
    ) -> Algorithm:
        """Create the member of that name, with what is known of its signatures."""
        member = str.__new__(cls, name)
        member._value_, member.size, member.key_type, member.digest = name, size, key_type, digest
        return member

    __hash__ = str.__hash__  # that of Enum is much slower

    @property
    def reveals_secret(self) -> bool:
        """True if the request carries the secret itself, so that its sender has to know it."""
        return self is Algorithm.TOKEN

    def may_be(self, other: Algorithm) -> bool:
        """Return True if a diagnosis may ask a browser tab for signatures of `other` with the same key.

        A token may not be used with another algorithm: each signature would let others test guesses of it.
        A key for plain hashes of key and message may not be used with HMAC: such a hash can reveal the hash
        of the key, which HMAC uses in place of a long key.
        """
        if self is Algorithm.TOKEN or other is self:
            return other is self
        if self in _HASHES:
            return other in (*_HASHES, Algorithm.TOKEN)
        return self.key_type is other.key_type


_HASHES = (Algorithm.SHA256_PREFIX, Algorithm.SHA256_SUFFIX, Algorithm.SHA1_SUFFIX)


@dataclass(frozen=True, slots=True)
class SigningJob:
    """One message to sign.

    Attributes:
        field: the template field that the signature fills.
        algorithm: the signature algorithm.
        key: the derivation of the key from the text of the secret.
        pieces: the base string, byte for byte, in pieces so that a long body need not be copied.
    """

    field: str
    algorithm: Algorithm
    key: KeySpec
    pieces: tuple[bytes, ...]

    @property
    def message(self) -> bytes:
        """The base string, joined."""
        return self.pieces[0] if len(self.pieces) == 1 else b"".join(self.pieces)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchJob:
    """A request to find which of the received signatures is valid for a message.

    Attributes:
        job: the message, its algorithm and its key.
        candidates: the received signatures.
        scheme: the provider's scheme to which the signature ``job.field`` belongs.
        variant: the name of the variant of the provider's key spec that ``job.key`` is; "" for the spec
            itself, None if it has no name, so that only a signer in this process can do the job.
        lenient: if true, an undecodable secret is a non-match rather than an error. Set for the guesses of a
            diagnosis in this process; a browser tab is always lenient.
    """

    job: SigningJob
    candidates: tuple[bytes, ...]
    scheme: str
    variant: str | None = ""
    lenient: bool = False


class Signer(Protocol):
    """The holder of a key."""

    def sign(self, jobs: Sequence[SigningJob]) -> list[bytes]:
        """Return the raw signature of each job, in order.

        Args:
            jobs: the messages to sign.
        """

    def match(self, jobs: Sequence[MatchJob]) -> list[int]:
        """Return for each job the index of the matching candidate, or -1.

        Args:
            jobs: the messages, each with the signatures that were received for it.
        """


def signature_function(
    algorithm: Algorithm, message: Template, write: Callable[[bytes], str], key: bytes
) -> Callable[..., str]:
    """Return a fast HMAC function for load generators, called as ``f(body=b"…", timestamp=b"…")``.

    Args:
        algorithm: an HMAC.
        message: the base string; its fields become keyword arguments of type bytes.
        write: the function that encodes the signature as text.
        key: the bytes of the key.

    Raises:
        InvalidSecret: the algorithm is not an HMAC.
    """
    digest = algorithm.digest
    if digest is None:
        raise InvalidSecret(f"{algorithm} is no HMAC; use Draft.sign")
    prepared = hmac.new(key, digestmod=digest)  # prepares the key once; copied for each message

    template, order = message.format, message.order
    pick = operator.itemgetter(*order) if len(order) > 1 else lambda fields: (fields[order[0]],)

    def sign(**fields: bytes) -> str:
        mac, values = prepared.copy(), pick(fields)
        if len(values[-1]) < _LONG:
            mac.update(template % values)
        else:
            for piece in message.pieces(fields):
                mac.update(piece)
        return write(mac.digest())

    return sign


def sign_with_bytes(algorithm: Algorithm, key: bytes, pieces: tuple[bytes, ...]) -> bytes:
    """Return the signature by the bytes of a shared secret, which may be none."""
    if algorithm.digest is not None:
        return _hmac(key, pieces, algorithm.digest)
    if algorithm is Algorithm.TOKEN:
        return key
    name, _, position = algorithm.value.partition("-")
    parts = (key, *pieces) if position == "prefix" else (*pieces, key)
    return hashlib.new(name, b"".join(parts), usedforsecurity=False).digest()


def _hmac(key: bytes, pieces: tuple[bytes, ...], digest: str) -> bytes:
    """Return the HMAC (RFC 2104) of the joined pieces."""
    if len(pieces) == 1:
        return hmac.digest(key, pieces[0], digest)
    if len(pieces[-1]) < _LONG:
        return hmac.digest(key, b"".join(pieces), digest)
    mac = hmac.new(key, digestmod=digest)
    for piece in pieces:
        mac.update(piece)
    return mac.digest()


class LocalSigner:
    """A signer in this process.

    Args:
        key: a `Secret` for shared-secret algorithms such as HMAC, a `KeyPair` for Ed25519, ECDSA and RSA.
            A `PublicKey` can only match.
    """

    def __init__(self, key: Secret | KeyPair | PublicKey) -> None:
        self._key = key
        self._keys: dict[KeySpec, bytes | None] = {}  # of the guesses of a diagnosis, which share few

    def sign(self, jobs: Sequence[SigningJob]) -> list[bytes]:
        """Return the raw signature of each job, in order.

        Raises:
            InvalidSecret: the key is of the wrong kind or malformed.
        """
        return [self._sign(job) for job in jobs]

    def match(self, jobs: Sequence[MatchJob]) -> list[int]:
        """Return for each job the index of the matching candidate, or -1.

        Signatures by shared secrets are compared in constant time, here and nowhere else.

        Raises:
            InvalidSecret: the key is of the wrong kind or malformed.
        """
        return [self._match(job) for job in jobs]

    def _sign(self, job: SigningJob) -> bytes:
        kind = job.algorithm.key_type
        if kind is None:
            return sign_with_bytes(job.algorithm, self._secret(job).key_bytes(job.key), job.pieces)
        if not isinstance(self._key, KeyPair) or self._key.algorithm is not kind:
            raise InvalidSecret(
                f"this provider signs with {job.algorithm}; "
                f"make a key pair with KeyPair.generate({kind.value!r})"
            )
        return self._key.sign(job.message, job.algorithm)

    def _match(self, match_job: MatchJob) -> int:
        job, candidates = match_job.job, match_job.candidates
        try:
            if job.algorithm.key_type is None:
                key = self._guessed_key(job) if match_job.lenient else self._secret(job).key_bytes(job.key)
                if key is None:
                    return -1
                swapped = match_job.variant == SWAPPED
                key, pieces = (job.message, (key,)) if swapped else (key, job.pieces)
                expected = sign_with_bytes(job.algorithm, key, pieces)
                matches = [hmac.compare_digest(expected, signature) for signature in candidates]
            else:
                public = self._public(job)
                matches = [public.verifies(job.message, signature, job.algorithm) for signature in candidates]
        except InvalidSecret:
            if match_job.lenient:
                return -1
            raise
        return matches.index(True) if True in matches else -1

    def _guessed_key(self, job: SigningJob) -> bytes | None:
        try:
            return self._keys[job.key]
        except KeyError:
            pass
        try:
            key = self._secret(job).key_bytes(job.key)
        except InvalidSecret:
            key = None
        self._keys[job.key] = key
        return key

    def _secret(self, job: SigningJob) -> Secret:
        if not isinstance(self._key, Secret):
            raise InvalidSecret(
                f"this provider signs with {job.algorithm}; "
                f"give a Secret(...), not {type(self._key).__name__}"
            )
        return self._key

    def _public(self, job: SigningJob) -> PublicKey:
        key = self._key.public_key if isinstance(self._key, KeyPair) else self._key
        kind = job.algorithm.key_type
        if not isinstance(key, PublicKey) or kind is None or key.algorithm != kind:
            raise InvalidSecret(
                f"this provider signs with {job.algorithm}; "
                f"give its public key: PublicKey(text, {str(kind or '')!r})"
            )
        return key
