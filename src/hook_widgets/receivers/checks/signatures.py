"""Area B: signatures of another form."""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Final, cast

from hook_widgets.receivers.checks.wire_forms import read
from hook_widgets.receivers.context import Context, Variant
from hook_widgets.receivers.forging import (
    Signed,
    headers_of_fields,
    signature_headers,
    token_field,
    with_token_header,
    without,
)
from hook_widgets.receivers.outcome import NotApplicable, Outcome
from hook_widgets.receivers.reporting.report import Status
from hook_widgets.receivers.sending import Exchange, summary
from hook_widgets.webhooks.delivery.wire import encode_request
from hook_widgets.webhooks.keys.signing import Algorithm, LocalSigner

# HMAC with a hash that no provider uses, and `Algorithm` therefore does not name.
_MD5: Final = cast("Algorithm", SimpleNamespace(digest="md5", key_type=None))
_VERSION_1: Final = re.compile(r"\bv1(?=[=,])")
_LONG = 7_000  # characters: two such headers stay under the 16 KiB of Node, one under the 8 KiB of nginx
_TOO_LONG = 10_000  # characters
_SHORT = 6  # characters


def _with_space(text: str) -> str:
    middle = len(text) // 2
    at = next((at for at in range(middle, len(text)) if text[at] != "0"), middle)
    return f"{text[:at]} {text[at + 1 :]}"


# Decoders that take what is no digit for 0 must not read the genuine bytes: JavaScript's parseInt of each
# pair does, and Ruby's pack("H*").
UNREADABLE: Final[Mapping[str, Callable[[str], str]]] = {
    "letters that are no hex": lambda text: "z" * len(text),
    "punctuation": lambda text: "!" * len(text),
    "0x before it": lambda text: f"0x{text[:-2]}",
    "a space in it": _with_space,
    "%00 in it": lambda text: f"%00{text[:-3]}",
}
"""Changes of a signature after which it cannot be decoded, by their labels."""


def truncated(context: Context) -> Outcome:
    """B11: an empty or truncated signature is rejected."""

    def variants() -> Iterator[Variant]:
        for size, label in ((0, "an empty signature"), (1, "byte"), (2, "2 bytes"), (8, "8 bytes")):
            signed = context.signed()
            short = replace(signed, raw={name: raw[:size] for name, raw in signed.raw.items()})
            name = label if not size else f"its first {label}"
            yield from context.forgeries(signed, [(name, signed.request(short.texts))])
        signed = context.signed()
        names = signature_headers(signed.draft)
        empty = signed.request(headers=lambda pairs: [(n, "" if n in names else v) for n, v in pairs])
        yield from context.forgeries(signed, [("an empty header", empty)] if names else [])

    return context.rejects(variants(), crash=Status.FAILED)


def other_length(context: Context) -> Outcome:
    """B12: a signature of another length does not crash the receiver."""
    outcome = _texts(
        context,
        {
            "a signature of 1 character": lambda text: "1" if text.startswith("0") else "0",
            f"a signature of {_LONG:,} characters": lambda _: "0" * _LONG,
        },
    )
    if outcome.status is not Status.PASSED:
        return outcome
    signed = context.signed()
    request = signed.request(signed.each(lambda _: "0" * _TOO_LONG))
    exchange = context.send(f"a signature of {_TOO_LONG:,} characters", request)
    if exchange.accepted or (exchange.crashed and not exchange.hung_up):  # many servers allow 8 KiB only
        return Outcome(Status.FAILED, summary([exchange]), exchange)
    return context.down_after([exchange]) or replace(
        outcome, observed=f"{outcome.observed}; {summary([exchange])}"
    )


def other_encoding(context: Context) -> Outcome:
    """B13: a signature that cannot be decoded does not crash the receiver."""
    outcome = _texts(context, UNREADABLE)
    exchange = _send_letter(context) if outcome.status is Status.PASSED else None
    if exchange is None:
        return outcome
    if exchange.accepted or (exchange.crashed and not exchange.hung_up):
        return Outcome(Status.FAILED, summary([exchange]), exchange)
    return replace(outcome, observed=f"{outcome.observed}; {summary([exchange])}")


def _send_letter(context: Context) -> Exchange | None:
    """Send a signature with a byte beyond ASCII, which only a connection can carry; None without one."""
    if context.session.connector is None or not signature_headers(context.draft()):
        return None
    signed = context.signed()
    texts = signed.each(lambda text: "z" * len(text))
    request = signed.request(texts)
    head, body = encode_request(request)
    for text in texts.values():
        head = head.replace(text.encode(), b"\xe9" + text[1:].encode())
    with context.connection() as connection:
        connection.write(head + body)
        return read(connection, "a letter outside ASCII", request)


def weaker_algorithm(context: Context) -> Outcome:
    """B14: a signature by a weaker algorithm is rejected."""
    if token := token_field(context.scheme):
        return context.rejects(_token_algorithms(context, token))
    first, *others = context.scheme.signatures
    digest = first.algorithm.digest
    if digest is None or first.algorithm is Algorithm.HMAC_SHA1:
        raise NotApplicable(f"the algorithm {first.algorithm} has no weaker variant that a check knows")

    carriers = headers_of_fields(context.draft(), {first.name})
    older_headers = set(headers_of_fields(context.draft(), {s.name for s in others})) - set(carriers)
    alone = without(*older_headers)  # a receiver that reads only those would not see the forgery

    def variants() -> Iterator[Variant]:
        for label, algorithm, change in (
            ("SHA-1 in the same place", Algorithm.HMAC_SHA1, str),
            ("SHA-1 with its own label", Algorithm.HMAC_SHA1, lambda value: value.replace(digest, "sha1")),
            ("SHA-1 as the version v0", Algorithm.HMAC_SHA1, lambda value: _VERSION_1.sub("v0", value)),
            ("MD5 with its own label", _MD5, lambda value: value.replace(digest, "md5")),
        ):
            if algorithm is _MD5 and not isinstance(context.signer, LocalSigner):
                continue  # another holder of the key signs as providers do
            signed = context.signed()
            job = replace(signed.draft.jobs()[0], algorithm=algorithm)
            text = first.encoding.write(context.signer.sign([job])[0])
            context.redactor.add_signature(text)
            texts = signed.texts | {first.name: text}
            pairs = signed.request(texts, headers=alone).headers.multi_items()
            changed = [(n, change(v) if n in carriers else v) for n, v in pairs]
            if changed != pairs or change is str:
                yield label, signed.request(texts, headers=lambda _, headers=changed: headers)  # type: ignore[misc]

    outcome = context.rejects(variants())
    if outcome.status is not Status.PASSED or all(s.algorithm is not Algorithm.HMAC_SHA1 for s in others):
        return outcome
    request = context.signed().request(headers=without(*carriers))
    older = context.rejects([("only the older header with SHA-1", request)])
    if older.status is Status.FAILED:  # the provider still sends it, and some libraries accept it
        return Outcome(Status.WARNED, older.observed, older.exchange)
    return older


def _token_algorithms(context: Context, field: str) -> Iterator[Variant]:
    """Yield tokens whose header names an algorithm that needs no secret (RFC 8725)."""
    for name in ("none", "None", "NONE"):
        signed = context.forge(with_token_header(context.draft(), field, alg=name))
        yield f"the algorithm {name}", signed.request(signed.each(lambda _: ""))
    for label, key in context.public_keys.items():
        draft = with_token_header(context.draft(), field, alg="HS256")
        raw = [hmac.digest(key, b"".join(job.pieces), "sha256") for job in draft.jobs()]
        yield f"HS256 with {label}", Signed.of(draft, raw).request()


def _texts(context: Context, changes: Mapping[str, Callable[[str], str]]) -> Outcome:
    def variants() -> Iterator[Variant]:
        for label, change in changes.items():
            signed: Signed = context.signed()
            texts = signed.each(change)
            if signed.draft.reveals_secret:  # most of the token is left
                context.redactor.add_signature(*(text for text in texts.values() if len(text) > _SHORT))
            yield from context.forgeries(signed, [(label, signed.request(texts))])

    return context.rejects(variants(), crash=Status.FAILED)
