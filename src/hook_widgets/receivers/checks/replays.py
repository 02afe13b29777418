"""Area C: copies of a request, at once or later, and ids that come again. An oracle counts the work."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from hook_widgets.receivers.bodies import changed_byte, with_members
from hook_widgets.receivers.context import Context, NotApplicable, NotDecided, Outcome, Variant, summary
from hook_widgets.receivers.forging import Signed, carrier_of, headers_of_fields, signs_time, without
from hook_widgets.receivers.oracle import work_done
from hook_widgets.receivers.report import Status
from hook_widgets.webhooks.scheme import Encoding

_LATER_S: Final = 3 * 24 * 3600  # GitHub redelivers for three days, and the others stop before
# A response is a stranger's text: each repetition is bounded, so that the search takes linear time.
_CREDENTIAL: Final = re.compile(
    r"(?:token|secret|api_?key|password|session|credential|jwt)\w{0,20}[\"']?\s{0,3}[:=]\s{0,3}[\"']?"
    r"([\w.~+/-]{12,2000})",
    re.IGNORECASE,
)


def exact_copy(context: Context) -> Outcome:
    """C5: the work of an exact copy is not done again."""
    return _once(context, lambda signed: [("an exact copy", signed.request())], accepted=True)


def other_unsigned_id(context: Context) -> Outcome:
    """C7: the work is not done again under another id that no signature covers."""

    def copies(signed: Signed) -> Iterator[Variant]:
        for name in _ids(context, signed=False):
            copy = signed.with_fields(**{name: context.draft().parts[name]}).request()
            if context.genuine(copy, signed.draft):
                yield f"another {carrier_of(signed.draft, name)}", copy

    return _once(context, copies)


def without_id(context: Context) -> Outcome:
    """C8: the work is not done again without an id."""

    def copies(signed: Signed) -> Iterator[Variant]:
        ids = [*_ids(context, signed=False), *_ids(context, signed=True)]
        for header in headers_of_fields(signed.draft, ids):
            yield f"no {header}", signed.request(headers=without(header))

    return _once(context, copies)


def other_spelling(context: Context) -> Outcome:
    """C9: the work is not done again for another spelling of the signature."""
    first = context.scheme.signatures[0]

    def copies(signed: Signed) -> Iterator[Variant]:
        raw, text = signed.raw[first.name], signed.texts[first.name]
        for label, spelling in _spellings(first.encoding, raw, text):
            if spelling != text:
                context.redactor.add_signature(spelling)
                yield label, signed.request(signed.texts | {first.name: spelling})

    return _once(context, copies)


def retry(context: Context) -> Outcome:
    """C10: the work of a retry, which is signed again with a new time, is not done again."""
    if not signs_time(context.scheme):
        raise NotApplicable(f"{context.provider.title} signs no timestamp: a retry is an exact copy (C5)")

    def copies(signed: Signed) -> Iterator[Variant]:
        draft = signed.draft
        own = {n: v for n, v in signed.request().headers.multi_items() if n.lower() in draft.own_headers}
        again = context.signed(body=draft.payload, parts=draft.parts, headers=own, offset_s=1.0)
        yield "a retry", again.request()

    return _once(context, copies, accepted=True)


def _ids(context: Context, *, signed: bool) -> list[str]:
    """Return the parts that identify a delivery or an event: those that are generated."""
    parts = context.provider.parts.items()
    return [name for name, part in parts if part.make and (name in context.scheme.signed) is signed]


def _spellings(encoding: Encoding, raw: bytes, text: str) -> Iterator[tuple[str, str]]:
    if encoding is Encoding.HEX:
        yield "upper-case hex", text.upper()
    elif encoding in (Encoding.BASE64, Encoding.BASE64URL):
        yield "base64url", base64.urlsafe_b64encode(raw).decode()
        yield "no padding", text.rstrip("=")
        yield "base64", base64.b64encode(raw).decode()


def _once(
    context: Context, copies: Callable[[Signed], Iterable[Variant]], *, accepted: bool = False
) -> Outcome:
    """Send a request and its copies, and count the work.

    Args:
        context: the means of the check.
        copies: returns the copies of the request.
        accepted: True if the copies must be accepted, too.
    """
    signed = context.signed()
    variants = list(copies(signed))
    if not variants:
        raise NotApplicable(f"a request of {context.provider.title} has no such copy")
    counter, once = context.count_one("the first request", signed.request())
    exchanges = []
    for variant in variants:
        exchange = context.send(*variant)
        exchanges.append(exchange)
        if (after := counter.settled()) > once:
            label = exchange.label
            return Outcome(Status.FAILED, f"{work_done(after - once + 1)} after {label}", exchange)
    late = [exchange for exchange in exchanges if not exchange.accepted]
    if accepted and late:
        return Outcome(Status.WARNED, f"once, but the provider sends it again: {summary(late)}", late[0])
    return Outcome(Status.PASSED, f"once; {summary(exchanges)}", exchanges[-1])


def late_copy(context: Context) -> Outcome:
    """C6: the work of an exact copy is not done again days later."""
    if signs_time(context.scheme):
        raise NotApplicable(
            f"{context.provider.title} signs a timestamp, so that an old copy is rejected (C1)"
        )
    counter = context.count()
    if context.setup.advance_s is None:
        raise NotDecided("give setup=Setup(advance_s=…), which moves the receiver's clock ahead by seconds")
    signed = context.signed()
    _, once = context.count_one("the first request", signed.request())
    context.ask("advance_s", _LATER_S)
    copy = context.send("an exact copy three days later", signed.request())
    times = counter.settled() - once + 1
    if times > 1:
        return Outcome(Status.FAILED, f"{work_done(times)} after {copy.label}", copy)
    if not copy.accepted:
        return Outcome(Status.WARNED, f"once, but the provider sends it again: {copy.outcome}", copy)
    return Outcome(Status.PASSED, f"once; {copy.outcome} for {copy.label}", copy)


def reused_id(context: Context) -> Outcome:
    """C11: an id that comes again with another body is no crash; the work is counted."""
    ids = [name for name, part in context.provider.parts.items() if part.make]
    if not ids:
        raise NotApplicable(f"a request of {context.provider.title} has no id of its own")
    counter = context.count()
    first = context.signed()
    other = context.draft().payload
    if other == first.draft.payload:
        other = (
            with_members(other, b'"hook_widgets_new":1') if other.startswith(b"{") else changed_byte(other)
        )
    _, once = context.count_one("the first request", first.request())
    second = context.send(
        "another body under the same id", context.signed(body=other, parts=first.draft.parts).request()
    )
    times = counter.settled() - once + 1
    if second.crashed:
        return Outcome(Status.FAILED, f"{second.outcome} for {second.label}", second)
    decides = "the id decides what is a copy" if times == 1 else "the id alone does not decide what is a copy"
    return Outcome(Status.PASSED, f"{work_done(times)}; {decides}; {second.outcome}", second)


def fresh_credential(context: Context) -> Outcome:
    """C12: a replayed request does not get a new credential."""
    signed = context.signed()
    first = context.send_good("the first request", signed.request())
    copy = context.send("an exact copy", signed.request())
    if set(_CREDENTIAL.findall(copy.text)) - set(_CREDENTIAL.findall(first.text)):
        return Outcome(Status.FAILED, "the response to a copy has a new token or key", copy)
    return Outcome(Status.PASSED, "no response to a copy has a new token or key", copy)
