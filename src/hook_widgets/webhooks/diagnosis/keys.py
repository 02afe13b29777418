"""How something may have been signed: other readings of the same secret, other algorithms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from hook_widgets.webhooks.diagnosis.causes import Mention
from hook_widgets.webhooks.scheme import PairKey, SecretKey
from hook_widgets.webhooks.secret import KeyEdit, KeyForm, KeySpec
from hook_widgets.webhooks.signing import Algorithm


class Signing(NamedTuple):
    """A way to sign, and the causes that would explain it."""

    mentions: tuple[Mention, ...]
    algorithm: Algorithm
    key: KeySpec


_HMACS = {
    "algorithm-sha1": Algorithm.HMAC_SHA1,
    "algorithm-sha256": Algorithm.HMAC_SHA256,
    "algorithm-sha512": Algorithm.HMAC_SHA512,
    "algorithm-sha384": Algorithm.HMAC_SHA384,
}
_HASHES = (Algorithm.SHA256_PREFIX, Algorithm.SHA256_SUFFIX, Algorithm.SHA1_SUFFIX)
# Slips that leave the form of the key as it is.
_EDITS = {
    "secret-quotes": KeyEdit.UNQUOTE,
    "secret-assignment": KeyEdit.UNASSIGN,
    "secret-newline": KeyEdit.ADD_NEWLINE,
    "secret-crlf": KeyEdit.ADD_CRLF,
    "secret-escapes": KeyEdit.UNESCAPE,
    "secret-percent": KeyEdit.PERCENT_DECODE,
    "secret-lower": KeyEdit.LOWER,
    "secret-upper": KeyEdit.UPPER,
}


def signings(key: SecretKey | PairKey, algorithm: Algorithm) -> Iterator[Signing]:
    """Ways to sign that differ in one thing, the likeliest first. A key pair has one way only."""
    if isinstance(key, PairKey):
        return
    spec = key.spec
    for cause, changed in _keys(key, spec):
        yield Signing((Mention(*cause),), algorithm, changed)
    for mention, other in _algorithms(algorithm):
        yield Signing((mention,), other, spec)
    yield Signing((Mention("algorithm-token"),), Algorithm.TOKEN, KeySpec())


def signing_pairs(key: SecretKey | PairKey, algorithm: Algorithm) -> Iterator[Signing]:
    """Another reading of the secret together with another algorithm, or two slips with the secret."""
    if isinstance(key, PairKey):
        return
    spec = key.spec
    keys = list(_keys(key, spec))
    for mention, other in _algorithms(algorithm):
        for cause, changed in keys:
            yield Signing((Mention(*cause), mention), other, changed)


def _keys(key: SecretKey, spec: KeySpec) -> Iterator[tuple[tuple[str, str], KeySpec]]:
    prefix = spec.strip_prefix or key.example.prefix
    yield ("secret-space", ""), replace(spec, edit=KeyEdit.TRIM)
    if spec.form is KeyForm.UTF8:
        yield ("secret-base64", ""), KeySpec(KeyForm.BASE64)
        yield ("secret-hex", ""), KeySpec(KeyForm.HEX)
        yield ("secret-prefix-base64", ""), KeySpec(KeyForm.BASE64, edit=KeyEdit.UNPREFIX)
        yield ("secret-prefix", ""), replace(spec, edit=KeyEdit.UNPREFIX)
        if prefix:
            yield ("secret-prefix-lost", prefix), replace(spec, strip_prefix=prefix, edit=KeyEdit.PREFIX)
    else:
        yield (
            ("secret-prefix-base64" if spec.form is KeyForm.BASE64 else "secret-prefix", ""),
            replace(spec, strip_prefix="", edit=KeyEdit.UNPREFIX),
        )
        yield ("secret-text", ""), KeySpec()
        yield ("secret-prefix-text", ""), KeySpec(edit=KeyEdit.UNPREFIX)
        other = KeyForm.HEX if spec.form is KeyForm.BASE64 else KeyForm.BASE64
        yield (f"secret-{other}", ""), replace(spec, form=other)
        yield ("secret-base64-url", ""), replace(spec, form=KeyForm.BASE64, edit=KeyEdit.URL_SAFE)
    for cause, edit in _EDITS.items():
        yield (cause, ""), replace(spec, edit=edit)
    yield from _encodings(spec)


def _encodings(spec: KeySpec) -> Iterator[tuple[tuple[str, str], KeySpec]]:
    # An edit that finds nothing to change leaves a key that may be another cause's, so those come last.
    if spec.digest:
        yield ("secret-no-digest", ""), replace(spec, digest="")
    else:
        yield ("secret-digest", "SHA-256"), replace(spec, digest="sha256")
        yield ("secret-digest", "SHA-1"), replace(spec, digest="sha1")
    yield ("secret-encoded", ""), KeySpec(edit=KeyEdit.TO_BASE64)
    yield ("secret-hex-encoded", ""), KeySpec(edit=KeyEdit.TO_HEX)
    yield ("secret-hashed", ""), KeySpec(edit=KeyEdit.SHA256_HEX)
    yield ("secret-unicode", "NFKC"), replace(spec, normalize="NFKC")
    yield ("secret-unicode", "NFKD"), replace(spec, normalize="NFKD")
    yield ("secret-base64-url", ""), KeySpec(KeyForm.BASE64, edit=KeyEdit.URL_SAFE)
    yield ("secret-padding", ""), KeySpec(edit=KeyEdit.UNPAD)


def _algorithms(usual: Algorithm) -> Iterator[tuple[Mention, Algorithm]]:
    if usual is Algorithm.TOKEN:
        return
    name = _name(usual)
    for cause, algorithm in _HMACS.items():
        if algorithm is usual:
            continue
        if usual in _HASHES:
            yield Mention("algorithm-hmac", _name(algorithm)), algorithm
        else:
            yield Mention(cause, name), algorithm
    for algorithm in _HASHES:
        if algorithm is not usual:
            yield Mention("algorithm-plain-hash", _name(algorithm)), algorithm


def _name(algorithm: Algorithm) -> str:
    """An algorithm as people call it."""
    return _NAMES.get(algorithm, algorithm.value)


_NAMES = {
    Algorithm.HMAC_SHA1: "HMAC-SHA1",
    Algorithm.HMAC_SHA256: "HMAC-SHA256",
    Algorithm.HMAC_SHA384: "HMAC-SHA384",
    Algorithm.HMAC_SHA512: "HMAC-SHA512",
    Algorithm.SHA256_PREFIX: "SHA-256 of secret and message",
    Algorithm.SHA256_SUFFIX: "SHA-256 of message and secret",
    Algorithm.SHA1_SUFFIX: "SHA-1 of message and secret",
}
