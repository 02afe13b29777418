"""Named variants of deriving a key from a secret, other than the one the provider documents.

A request to match against another key names its variant, and the signer derives the key from the provider's
data, so the requester cannot choose arbitrary derivations. The front end derives the same keys; both
implementations are tested with ``tests/vectors/primitives.json``.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from functools import cache

from hook_widgets.webhooks.diagnosis.key_edits import KeyEdit, edited
from hook_widgets.webhooks.keys.secret import KeyForm, KeySpec
from hook_widgets.webhooks.keys.signing import SWAPPED
from hook_widgets.webhooks.scheme import SharedSecretSpec


class KeyVariant(StrEnum):
    """A key derivation that differs in one point from the one the provider documents."""

    PLAIN = ""
    TRIMMED = "trimmed"
    QUOTED = "quoted"
    UNQUOTED = "unquoted"
    UNASSIGNED = "unassigned"
    NEWLINE_ADDED = "newline-added"
    CRLF_ADDED = "crlf-added"
    UNESCAPED = "unescaped"
    PERCENT_DECODED = "percent-decoded"
    LOWER_CASE = "lower-case"
    UPPER_CASE = "upper-case"
    AS_TEXT = "as-text"
    AS_BASE64 = "as-base64"
    AS_HEX = "as-hex"
    PREFIXED = "prefixed"
    UNPREFIXED = "unprefixed"
    UNPREFIXED_TEXT = "unprefixed-text"
    UNPREFIXED_BASE64 = "unprefixed-base64"
    UNPREFIXED_HEX = "unprefixed-hex"
    URL_SAFE_BASE64 = "url-safe-base64"
    NO_DIGEST = "no-digest"
    DIGEST_SHA256 = "digest-sha256"
    DIGEST_SHA1 = "digest-sha1"
    BASE64_ENCODED = "base64-encoded"
    HEX_ENCODED = "hex-encoded"
    SHA256_HEX = "sha256-hex"
    NFKC = "nfkc"
    NFKD = "nfkd"
    UNPADDED = "unpadded"
    PADDED = "padded"
    UNWRAPPED = "unwrapped"
    HTML_ESCAPED = "html-escaped"
    PLUS_RESTORED = "plus-restored"
    SPACE_ADDED = "space-added"
    SPACE_BEFORE = "space-before"
    EMPTY = "empty"
    BASE64_TEXT = "base64-text"
    SWAPPED = SWAPPED


_V = KeyVariant
# The text is edited, then decoded as the provider does it.
_EDITS = {
    _V.TRIMMED: KeyEdit.TRIM,
    _V.QUOTED: KeyEdit.QUOTE,
    _V.UNQUOTED: KeyEdit.UNQUOTE,
    _V.UNASSIGNED: KeyEdit.UNASSIGN,
    _V.NEWLINE_ADDED: KeyEdit.ADD_NEWLINE,
    _V.CRLF_ADDED: KeyEdit.ADD_CRLF,
    _V.UNESCAPED: KeyEdit.UNESCAPE,
    _V.PERCENT_DECODED: KeyEdit.PERCENT_DECODE,
    _V.LOWER_CASE: KeyEdit.LOWER,
    _V.UPPER_CASE: KeyEdit.UPPER,
    _V.PADDED: KeyEdit.PAD,
    _V.UNWRAPPED: KeyEdit.UNWRAP,
    _V.HTML_ESCAPED: KeyEdit.HTML_ESCAPE,
    _V.PLUS_RESTORED: KeyEdit.RESTORE_PLUS,
    _V.SPACE_ADDED: KeyEdit.ADD_SPACE,
    _V.SPACE_BEFORE: KeyEdit.SPACE_BEFORE,
}
# The edited text itself is the key.
_TEXT_EDITS = {
    _V.BASE64_ENCODED: KeyEdit.TO_BASE64,
    _V.HEX_ENCODED: KeyEdit.TO_HEX,
    _V.SHA256_HEX: KeyEdit.SHA256_HEX,
    _V.UNPADDED: KeyEdit.UNPAD,
    _V.EMPTY: KeyEdit.EMPTY,
    _V.BASE64_TEXT: KeyEdit.UNBASE64,
}
_FORMS = {_V.AS_TEXT: KeyForm.UTF8, _V.AS_BASE64: KeyForm.BASE64, _V.AS_HEX: KeyForm.HEX}
_UNPREFIXED = {
    _V.UNPREFIXED_TEXT: KeyForm.UTF8,
    _V.UNPREFIXED_BASE64: KeyForm.BASE64,
    _V.UNPREFIXED_HEX: KeyForm.HEX,
}
_DIGESTS = {_V.NO_DIGEST: "", _V.DIGEST_SHA256: "sha256", _V.DIGEST_SHA1: "sha1"}


def variant_spec(spec: KeySpec, prefix: str, variant: KeyVariant) -> KeySpec | None:
    """Return the key spec of a variant, None if the variant does not change the key of such a secret.

    Args:
        spec: the provider's own key spec.
        prefix: the prefix of the provider's secrets; "" for none.
        variant: the variant to derive.
    """
    return _specs(spec, prefix)[variant]


def spec_of(key: SharedSecretSpec, variant: KeyVariant) -> KeySpec | None:
    """Return the key spec of a variant of a provider's secret; None if it gives the same key."""
    return variant_spec(key.spec, key.prefix, variant)


@cache
def _specs(spec: KeySpec, prefix: str) -> dict[KeyVariant, KeySpec | None]:
    """Return the key specs of all variants."""
    specs = {variant: _derived(spec, prefix, variant) for variant in KeyVariant}
    return {variant: None if variant and other == spec else other for variant, other in specs.items()}


def _derived(spec: KeySpec, prefix: str, variant: KeyVariant) -> KeySpec | None:
    text = spec.form is KeyForm.UTF8
    if variant in _EDITS:
        return edited(spec, _EDITS[variant])
    if variant in _TEXT_EDITS:
        return edited(KeySpec(), _TEXT_EDITS[variant])
    if variant in _FORMS:
        form = _FORMS[variant]
        return KeySpec(form) if text or form in (spec.form, KeyForm.UTF8) else replace(spec, form=form)
    if variant in _UNPREFIXED:
        form = _UNPREFIXED[variant]
        return None if form is spec.form else edited(KeySpec(form), KeyEdit.UNPREFIX)
    if variant in _DIGESTS:
        digest = _DIGESTS[variant]
        return None if digest and spec.digest else replace(spec, digest=digest)
    match variant:
        case _V.PREFIXED:
            return edited(replace(spec, strip_prefix=prefix), KeyEdit.PREFIX) if text and prefix else None
        case _V.UNPREFIXED:
            return edited(replace(spec, strip_prefix=""), KeyEdit.UNPREFIX)
        case _V.URL_SAFE_BASE64:
            base = KeySpec() if text else spec
            return edited(replace(base, form=KeyForm.BASE64), KeyEdit.URL_SAFE)
        case _V.NFKC:
            return replace(spec, normalize="NFKC")
        case _V.NFKD:
            return replace(spec, normalize="NFKD")
    return spec


def variants_of(spec: KeySpec, prefix: str, other: KeySpec) -> tuple[KeyVariant, ...]:
    """Return the variants of `spec` that together derive the same keys as `other`; empty if none do.

    Args:
        spec: the provider's own key spec.
        prefix: the prefix of the provider's secrets.
        other: the key spec of another provider.
    """
    for variant, derived in _specs(spec, prefix).items():
        if derived == other:
            return (variant,)
    if other.form is KeyForm.UTF8 or other != KeySpec(other.form, other.strip_prefix):
        return ()
    # A secret may come with or without the other provider's prefix: one variant for each.
    bare = _V(f"as-{other.form}")
    unprefixed = _V.UNPREFIXED if other.form is spec.form else _V(f"unprefixed-{other.form}")
    specs = ((v, variant_spec(spec, prefix, v)) for v in (bare, unprefixed))
    return tuple(v if s else _V.PLAIN for v, s in specs if not (s and (s.digest or s.normalize)))
