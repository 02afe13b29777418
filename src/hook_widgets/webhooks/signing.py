"""Signing as jobs: what to sign travels to where the key is, and only signatures travel back.

A `Signer` is whoever holds a key: `LocalSigner` in this process, or the browser tab of a widget.
"""

from __future__ import annotations

import hashlib
import hmac
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from hook_widgets.errors import InvalidSecret
from hook_widgets.webhooks.keypair import KeyPair, KeyType, PublicKey
from hook_widgets.webhooks.secret import KeySpec, Secret
from hook_widgets.webhooks.text.template import Template

# From this many bytes on, joining the pieces costs more than feeding them one by one.
_LONG = 1 << 16


class Algorithm(StrEnum):
    """How a message becomes a signature.

    HMAC is RFC 2104; Ed25519 is RFC 8032; ``ecdsa-p256`` is ECDSA on P-256 over SHA-256 in DER form, ``-raw``
    in the 64 bytes of JWS (RFC 7518); RSA is PKCS #1 v1.5 (RFC 8017). ``-prefix`` and ``-suffix`` are plain
    hashes of the key before or after the message; ``token`` is no signature: the key itself is sent.
    """

    HMAC_SHA1 = "hmac-sha1"
    HMAC_SHA256 = "hmac-sha256"
    HMAC_SHA384 = "hmac-sha384"
    HMAC_SHA512 = "hmac-sha512"
    SHA256_PREFIX = "sha256-prefix"
    SHA256_SUFFIX = "sha256-suffix"
    SHA1_SUFFIX = "sha1-suffix"
    TOKEN = "token"
    ED25519 = "ed25519"
    ECDSA_P256 = "ecdsa-p256"
    ECDSA_P256_RAW = "ecdsa-p256-raw"
    RSA_SHA256 = "rsa-sha256"
    RSA_SHA1 = "rsa-sha1"

    @property
    def digest(self) -> str | None:
        """The hash of an HMAC by its `hashlib` name; None for any other algorithm."""
        return self.value.removeprefix("hmac-") if self.value.startswith("hmac-") else None

    @property
    def key_type(self) -> KeyType | None:
        """The key pair that it signs with; None for a shared secret."""
        return _KEY_TYPES.get(self)

    @property
    def reveals_secret(self) -> bool:
        """Whether the request carries the secret itself, so that whoever makes the request has to know it."""
        return self is Algorithm.TOKEN

    @property
    def size(self) -> int | None:
        """The length of a signature in bytes; None where it varies."""
        return _SIZES.get(self)


_KEY_TYPES = {
    Algorithm.ED25519: KeyType.ED25519,
    Algorithm.ECDSA_P256: KeyType.ECDSA_P256,
    Algorithm.ECDSA_P256_RAW: KeyType.ECDSA_P256,
    Algorithm.RSA_SHA256: KeyType.RSA,
    Algorithm.RSA_SHA1: KeyType.RSA,
}
_SIZES = {
    Algorithm.HMAC_SHA1: 20,
    Algorithm.HMAC_SHA256: 32,
    Algorithm.HMAC_SHA384: 48,
    Algorithm.HMAC_SHA512: 64,
    Algorithm.SHA256_PREFIX: 32,
    Algorithm.SHA256_SUFFIX: 32,
    Algorithm.SHA1_SUFFIX: 20,
    Algorithm.ED25519: 64,
    Algorithm.ECDSA_P256_RAW: 64,
}


@dataclass(frozen=True, slots=True)
class SigningJob:
    """One message to sign.

    Attributes:
        field: the template field that the signature fills.
        algorithm: how to sign.
        key: how the secret's text becomes the key.
        pieces: the base string, byte for byte, in pieces so that a long body need not be copied.
    """

    field: str
    algorithm: Algorithm
    key: KeySpec
    pieces: tuple[bytes, ...]

    @property
    def message(self) -> bytes:
        """The base string as one."""
        return self.pieces[0] if len(self.pieces) == 1 else b"".join(self.pieces)


@dataclass(frozen=True, slots=True)
class MatchJob:
    """One question: which of the signatures that came with a request belongs to this message?

    Attributes:
        job: the message and how it would be signed.
        presented: the signatures.
        lenient: a secret that does not decode as the job asks matches nothing, instead of being an error;
            for the guesses of a diagnosis.
    """

    job: SigningJob
    presented: tuple[bytes, ...]
    lenient: bool = False


class Signer(Protocol):
    """Whoever holds the key."""

    def sign(self, jobs: Sequence[SigningJob]) -> list[bytes]:
        """The raw signature of each job, in order."""

    def match(self, jobs: Sequence[MatchJob]) -> list[int]:
        """For each job the index of the presented signature that is right, or -1."""


def signature_function(
    algorithm: Algorithm, message: Template, write: Callable[[bytes], str], key: bytes
) -> Callable[..., str]:
    """An HMAC reduced to one call, for load generators: ``f(body=b"…", timestamp=b"…")``.

    Args:
        algorithm: an HMAC.
        message: the base string; its fields become keywords, given as bytes.
        write: how the signature's bytes become text.
        key: the key's bytes.

    Raises:
        InvalidSecret: the algorithm is no HMAC.
    """
    digest = algorithm.digest
    if digest is None:
        raise InvalidSecret(f"{algorithm} is no HMAC; use Draft.sign")
    keyed = hmac.new(key, digestmod=digest)  # the key is prepared once, then copied for each message

    form, order = message.format, message.order
    pick = operator.itemgetter(*order) if len(order) > 1 else lambda fields: (fields[order[0]],)

    def sign(**fields: bytes) -> str:
        running, values = keyed.copy(), pick(fields)
        if len(values[-1]) < _LONG:
            running.update(form % values)
        else:
            for piece in message.pieces(fields):
                running.update(piece)
        return write(running.digest())

    return sign


def _keyed(algorithm: Algorithm, key: bytes, pieces: tuple[bytes, ...]) -> bytes:
    """The signature of a shared secret."""
    if algorithm.digest is not None:
        return _hmac(key, pieces, algorithm.digest)
    if algorithm is Algorithm.TOKEN:
        return key
    name, _, place = algorithm.value.partition("-")
    parts = (key, *pieces) if place == "prefix" else (*pieces, key)
    return hashlib.new(name, b"".join(parts), usedforsecurity=False).digest()


def _hmac(key: bytes, pieces: tuple[bytes, ...], digest: str) -> bytes:
    """HMAC (RFC 2104) over the pieces as one message."""
    if len(pieces) == 1:
        return hmac.digest(key, pieces[0], digest)
    if len(pieces[-1]) < _LONG:
        return hmac.digest(key, b"".join(pieces), digest)
    running = hmac.new(key, digestmod=digest)
    for piece in pieces:
        running.update(piece)
    return running.digest()


class LocalSigner:
    """Signs in this process.

    Args:
        key: a `Secret` for HMAC, a `KeyPair` for Ed25519 and ECDSA; a `PublicKey` can only match.
    """

    def __init__(self, key: Secret | KeyPair | PublicKey) -> None:
        self._key = key

    def sign(self, jobs: Sequence[SigningJob]) -> list[bytes]:
        """The raw signature of each job, in order.

        Raises:
            InvalidSecret: the key is of the wrong kind or malformed.
        """
        return [self._sign(job) for job in jobs]

    def match(self, jobs: Sequence[MatchJob]) -> list[int]:
        """For each job the index of the presented signature that is right, or -1.

        HMACs are compared in constant time, here and nowhere else.

        Raises:
            InvalidSecret: the key is of the wrong kind or malformed.
        """
        return [self._match(job) for job in jobs]

    def _sign(self, job: SigningJob) -> bytes:
        kind = job.algorithm.key_type
        if kind is None:
            return _keyed(job.algorithm, self._secret(job).key_bytes(job.key), job.pieces)
        if not isinstance(self._key, KeyPair) or self._key.algorithm is not kind:
            raise InvalidSecret(
                f"this provider signs with {job.algorithm}; "
                f"make a key pair with KeyPair.generate({kind.value!r})"
            )
        return self._key.sign(job.message, job.algorithm)

    def _match(self, question: MatchJob) -> int:
        job, presented = question.job, question.presented
        try:
            if job.algorithm.key_type is None:
                expected = self._sign(job)
                hits = [hmac.compare_digest(expected, signature) for signature in presented]
            else:
                public = self._public(job)
                hits = [public.verifies(job.message, signature, job.algorithm) for signature in presented]
        except InvalidSecret:
            if question.lenient:
                return -1
            raise
        return hits.index(True) if True in hits else -1

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
