"""Guess how else a request was signed: other decodings of the same secret, other algorithms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from hook_widgets.webhooks.diagnosis.causes import CauseRef
from hook_widgets.webhooks.diagnosis.key_variants import KeyVariant, spec_of
from hook_widgets.webhooks.keys.secret import KeyForm, KeySpec
from hook_widgets.webhooks.keys.signing import Algorithm
from hook_widgets.webhooks.scheme import AsymmetricKeySpec, SharedSecretSpec


class Signing(NamedTuple):
    """An algorithm with a key, and the causes that would explain it.

    Attributes:
        causes: the causes.
        algorithm: the algorithm that signs.
        key: how the secret becomes the key.
        variant: the change to the secret that leads to this key.
    """

    causes: tuple[CauseRef, ...]
    algorithm: Algorithm
    key: KeySpec
    variant: KeyVariant = KeyVariant.PLAIN


_HMACS = {
    "algorithm-sha1": Algorithm.HMAC_SHA1,
    "algorithm-sha256": Algorithm.HMAC_SHA256,
    "algorithm-sha512": Algorithm.HMAC_SHA512,
    "algorithm-sha384": Algorithm.HMAC_SHA384,
}
_HASHES = (Algorithm.SHA256_PREFIX, Algorithm.SHA256_SUFFIX, Algorithm.SHA1_SUFFIX)
# Decodings of a secret: id of the cause, its detail, and the variant; the likeliest first.
_TRIMMED = (("secret-space", "", KeyVariant.TRIMMED),)
_OF_TEXT = (
    ("secret-base64", "", KeyVariant.AS_BASE64),
    ("secret-hex", "", KeyVariant.AS_HEX),
    ("secret-prefix-base64", "", KeyVariant.UNPREFIXED_BASE64),
    ("secret-prefix", "", KeyVariant.UNPREFIXED),
)
_OF_BASE64 = (
    ("secret-prefix-base64", "", KeyVariant.UNPREFIXED),
    ("secret-text", "", KeyVariant.AS_TEXT),
    ("secret-prefix-text", "", KeyVariant.UNPREFIXED_TEXT),
    ("secret-hex", "", KeyVariant.AS_HEX),
)
_OF_HEX = (
    ("secret-prefix", "", KeyVariant.UNPREFIXED),
    ("secret-text", "", KeyVariant.AS_TEXT),
    ("secret-prefix-text", "", KeyVariant.UNPREFIXED_TEXT),
    ("secret-base64", "", KeyVariant.AS_BASE64),
)
_OF_FORM = {KeyForm.UTF8: _OF_TEXT, KeyForm.BASE64: _OF_BASE64, KeyForm.HEX: _OF_HEX}
_EDITED = (
    ("secret-quotes", "", KeyVariant.UNQUOTED),
    ("secret-assignment", "", KeyVariant.UNASSIGNED),
    ("secret-newline", "", KeyVariant.NEWLINE_ADDED),
    ("secret-crlf", "", KeyVariant.CRLF_ADDED),
    ("secret-escapes", "", KeyVariant.UNESCAPED),
    ("secret-percent", "", KeyVariant.PERCENT_DECODED),
    ("secret-lower", "", KeyVariant.LOWER_CASE),
    ("secret-upper", "", KeyVariant.UPPER_CASE),
    ("secret-padding-lost", "", KeyVariant.PADDED),
    ("secret-wrapped", "", KeyVariant.UNWRAPPED),
)
# These may lead to the same key as another cause, so they come last.
_ENCODED = (
    ("secret-no-digest", "", KeyVariant.NO_DIGEST),
    ("secret-digest", "SHA-256", KeyVariant.DIGEST_SHA256),
    ("secret-digest", "SHA-1", KeyVariant.DIGEST_SHA1),
    ("secret-encoded", "", KeyVariant.BASE64_ENCODED),
    ("secret-hex-encoded", "", KeyVariant.HEX_ENCODED),
    ("secret-hashed", "", KeyVariant.SHA256_HEX),
    ("secret-unicode", "NFKC", KeyVariant.NFKC),
    ("secret-unicode", "NFKD", KeyVariant.NFKD),
    ("secret-base64-url", "", KeyVariant.URL_SAFE_BASE64),
    ("secret-padding", "", KeyVariant.UNPADDED),
)

# These are not combined with other causes.
_RARE = (
    ("secret-base64-text", "", KeyVariant.BASE64_TEXT),
    ("secret-html-escaped", "", KeyVariant.HTML_ESCAPED),
    ("secret-plus", "", KeyVariant.PLUS_RESTORED),
    ("secret-space-sent", "end", KeyVariant.SPACE_ADDED),
    ("secret-space-sent", "begin", KeyVariant.SPACE_BEFORE),
    ("secret-empty", "", KeyVariant.EMPTY),
)


def signings(key: SharedSecretSpec | AsymmetricKeySpec, algorithm: Algorithm) -> Iterator[Signing]:
    """Yield signings that differ in one way, the likeliest first; none for a key pair."""
    if isinstance(key, AsymmetricKeySpec):
        return
    for cause, variant, spec in _keys(key):
        yield Signing((cause,), algorithm, spec, variant)
    for cause, other in _algorithms(algorithm):
        yield Signing((cause,), other, key.spec)
    as_text = spec_of(key, KeyVariant.AS_TEXT)
    variant = KeyVariant.AS_TEXT if as_text else KeyVariant.PLAIN
    yield Signing((CauseRef("algorithm-token"),), Algorithm.TOKEN, as_text or key.spec, variant)


def rare_signings(key: SharedSecretSpec | AsymmetricKeySpec, algorithm: Algorithm) -> Iterator[Signing]:
    """Yield the keys of secrets that the sender or a store of secrets changed; none but for HMAC.

    An HMAC with key and message swapped is one of them.
    """
    if isinstance(key, SharedSecretSpec) and algorithm.digest is not None:
        yield Signing((CauseRef("algorithm-swapped"),), algorithm, key.spec, KeyVariant.SWAPPED)
        for cause, variant, spec in _derived(key, _RARE):
            yield Signing((cause,), algorithm, spec, variant)


def signing_pairs(key: SharedSecretSpec | AsymmetricKeySpec, algorithm: Algorithm) -> Iterator[Signing]:
    """Yield signings with another decoding of the secret and another algorithm."""
    if isinstance(key, AsymmetricKeySpec):
        return
    keys = list(_keys(key))
    for algorithm_cause, other in _algorithms(algorithm):
        for key_cause, variant, spec in keys:
            yield Signing((key_cause, algorithm_cause), other, spec, variant)


def _keys(key: SharedSecretSpec) -> Iterator[tuple[CauseRef, KeyVariant, KeySpec]]:
    """Yield the decodings that lead to another key, and the cause of each."""
    lost = (("secret-prefix-lost", key.prefix, KeyVariant.PREFIXED),)
    return _derived(key, (*_TRIMMED, *_OF_FORM[key.form], *lost, *_EDITED, *_ENCODED))


def _derived(
    key: SharedSecretSpec, variants: Iterable[tuple[str, str, KeyVariant]]
) -> Iterator[tuple[CauseRef, KeyVariant, KeySpec]]:
    for cause, detail, variant in variants:
        spec = spec_of(key, variant)
        if spec is not None:
            yield CauseRef(cause, detail), variant, spec


def _algorithms(expected: Algorithm) -> Iterator[tuple[CauseRef, Algorithm]]:
    if expected is Algorithm.TOKEN:
        return
    for cause, algorithm in _HMACS.items():
        if algorithm is expected:
            continue
        if expected in _HASHES:
            yield CauseRef("algorithm-hmac", _NAMES[algorithm]), algorithm
        else:
            yield CauseRef(cause, _NAMES.get(expected, expected.value)), algorithm
    for algorithm in _HASHES:
        if algorithm is not expected:
            yield CauseRef("algorithm-plain-hash", _NAMES[algorithm]), algorithm


_NAMES = {
    Algorithm.HMAC_SHA1: "HMAC-SHA1",
    Algorithm.HMAC_SHA256: "HMAC-SHA256",
    Algorithm.HMAC_SHA384: "HMAC-SHA384",
    Algorithm.HMAC_SHA512: "HMAC-SHA512",
    Algorithm.SHA256_PREFIX: "SHA-256 of secret and message",
    Algorithm.SHA256_SUFFIX: "SHA-256 of message and secret",
    Algorithm.SHA1_SUFFIX: "SHA-1 of message and secret",
}
