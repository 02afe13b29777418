"""Area C: timestamps outside the tolerance, copies of a request, and ids that come again."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Final

from hook_widgets.errors import HookWidgetsError
from hook_widgets.receivers.bodies import changed_byte, with_members
from hook_widgets.receivers.context import Context, Variant
from hook_widgets.receivers.forging import (
    Signed,
    carrier_of,
    headers_of_fields,
    signs_time,
    with_fields,
    without,
)
from hook_widgets.receivers.oracle import work_done
from hook_widgets.receivers.outcome import NotApplicable, NotDecided, Outcome
from hook_widgets.receivers.reporting.report import Status
from hook_widgets.receivers.sending import summary
from hook_widgets.webhooks.scheme import Encoding, HeaderValue
from hook_widgets.webhooks.scheme.timestamps import TimestampUnit, write_moment

_NO_TIMES: Final = ("", "1e9", "-1", "123abc")
# Read leniently, these are times far in the future, which C2 checks: they must not crash the receiver.
_FAR: Final = ("9" * 20, "Infinity")
_OTHER_UNITS: Final = {
    TimestampUnit.SECONDS: TimestampUnit.MILLISECONDS,
    TimestampUnit.MILLISECONDS: TimestampUnit.SECONDS,
}
_MARGIN_S: Final = 2  # for the fraction that a timestamp lacks, and for the time to deliver
_DAY_S: Final = 24 * 3600
_LATER_S: Final = 3 * 24 * 3600  # GitHub redelivers for three days, and the others stop before
# A response is a stranger's text: each repetition is bounded, so that the search takes linear time.
_CREDENTIAL: Final = re.compile(
    r"(?:token|secret|api_?key|password|session|credential|jwt)\w{0,20}[\"']?\s{0,3}[:=]\s{0,3}[\"']?"
    r"([\w.~+/-]{12,2000})",
    re.IGNORECASE,
)


def too_old(context: Context) -> Outcome:
    """C1: a request just older than the tolerance is rejected."""
    outcome = _rejects_age(context, context.tolerance_s + _MARGIN_S)
    if outcome.status is not Status.FAILED or context.stale_s == context.tolerance_s:
        return outcome
    stale = _rejects_age(context, context.stale_s + _MARGIN_S)
    status = Status.FAILED if stale.status is Status.FAILED else Status.WARNED
    return Outcome(status, f"{outcome.observed}; {stale.observed}", outcome.exchange)


def _rejects_age(context: Context, age_s: int) -> Outcome:
    return context.rejects([(f"{age_s} s old", context.signed(offset_s=-age_s).request())])


def too_early(context: Context) -> Outcome:
    """C2: a request from later than the tolerance is rejected."""
    lead_s = context.tolerance_s + _MARGIN_S + 1
    outcome = context.rejects([(f"{lead_s} s ahead", context.signed(offset_s=lead_s).request())])
    if outcome.status is Status.FAILED:  # the libraries of some providers accept it
        return Outcome(Status.WARNED, outcome.observed, outcome.exchange)
    return outcome


def no_time(context: Context) -> Outcome:
    """C3: a signed text that is no time in the provider's form is rejected, without a crash.

    ``+`` before a number is read by most libraries: it must not crash the receiver. A time in the other unit
    that is read as the provider's is one in the future, which is C2's matter, or one that is too old.
    """
    unit = _require_other_texts(context)
    now = context.now()
    no_times = {text or "(empty)": text for text in _NO_TIMES}
    odd_times = {text: text for text in _FAR}
    if other := _OTHER_UNITS.get(unit):
        no_times["that is a date"] = write_moment(now, TimestampUnit.ISO8601)
        odd_times["with a plus"] = f"+{write_moment(now, unit)}"
        odd_times["in the other unit"] = write_moment(now, other)
    outcome = context.rejects(_signed_texts(context, no_times), crash=Status.FAILED)
    if outcome.status is not Status.PASSED:
        return outcome
    far = context.survives(_signed_texts(context, odd_times))
    if far.status is not Status.PASSED:
        return far
    if other and far.exchange is not None and far.exchange.accepted and not _accepts_the_future(context):
        return Outcome(Status.FAILED, f"accepted: {summary([far.exchange])}", far.exchange)
    number = context.rejects(_signed_texts(context, {"NaN": "NaN"}), crash=Status.FAILED)
    if number.exchange is not None and number.exchange.accepted:  # the library of Stripe for Node accepts it
        return replace(number, status=Status.WARNED)
    return outcome if number.status is Status.PASSED else number


def two_timestamps(context: Context) -> Outcome:
    """C4: an old request is not taken for a fresh one because a second timestamp was added."""
    age_s = context.stale_s + _MARGIN_S
    unit = context.scheme.timestamp
    carriers = headers_of_fields(context.draft(), ("timestamp",))
    if unit is None or not carriers:
        raise NotApplicable(f"{context.provider.title} sends no timestamp in a header")

    context.ensure_good()
    old = context.send("an old request", context.signed(offset_s=-age_s).request())
    if old.accepted:
        raise NotDecided(
            f"an old request is accepted without a second timestamp, too ({old.outcome}); see C1", old
        )

    def variants() -> Iterator[Variant]:
        for name in carriers:
            for is_first in (True, False):
                signed = context.signed(offset_s=-age_s)
                fresh = write_moment(signed.draft.at + timedelta(seconds=age_s), unit)
                headers = partial(_with_second, context, name, fresh, is_first=is_first)
                label = f"a fresh timestamp {'before' if is_first else 'after'} the old one"
                yield from context.forgeries(signed, [(label, signed.request(headers=headers))])

    return context.rejects(variants())


def _with_second(
    context: Context,
    name: str,
    fresh: str,
    pairs: list[tuple[str, str]],
    *,
    is_first: bool,
) -> Iterator[tuple[str, str]]:
    """Yield the headers with a second timestamp: in the list, or in a header of the same name."""
    spec = context.scheme.headers.get(name)
    for header, value in pairs:
        if header != name:
            yield header, value
        elif isinstance(spec, HeaderValue):
            element = next(e.text for e in spec.elements if "timestamp" in e.names)
            second = element.replace("{timestamp}", fresh)
            yield header, spec.list.join([second, value] if is_first else [value, second])
        else:
            texts = [fresh, value] if is_first else [value, fresh]
            yield from ((header, text) for text in texts)


def _accepts_the_future(context: Context) -> bool:
    """Return True if a request of tomorrow is accepted; C2 warns of it."""
    return context.send("a request of tomorrow", context.signed(offset_s=_DAY_S).request()).accepted


def _require_other_texts(context: Context) -> TimestampUnit:
    """Check that a draft can be signed with another text as its timestamp, and return the unit of that.

    Raises:
        NotApplicable: it cannot, or requests have no timestamp with a tolerance.
    """
    unit = context.scheme.timestamp
    if context.tolerance_s and unit is not None:
        draft = context.draft()
        other = with_fields(draft, timestamp=write_moment(draft.at - timedelta(seconds=2), unit))
        if context.genuine(context.sign(other).request(), other):
            return unit
    raise NotApplicable(f"a request of {context.provider.title} with another timestamp cannot be signed here")


def _signed_texts(context: Context, texts: Mapping[str, str]) -> Iterator[Variant]:
    for label, text in texts.items():
        try:
            signed = context.sign(with_fields(context.draft(), timestamp=text))
            yield f"the timestamp {label}", signed.request()
        except (HookWidgetsError, ValueError):  # a token, say, whose claim must be a number
            raise NotApplicable(f"{context.provider.title} cannot send a timestamp that is none") from None


def exact_copy(context: Context) -> Outcome:
    """C5: the work of an exact copy is not done again, at once and after another event."""
    signed = context.signed()
    counter, count = context.count_one("the first request", signed.request())
    copy = context.send("an exact copy", signed.request())
    if (times := counter.settled() - count) > 0:
        return Outcome(Status.FAILED, f"{work_done(times + 1)} after {copy.label}", copy)
    with suppress(NotDecided):  # C13 says that two events are taken for one
        _, count = context.count_one("another event", context.signed().request())
        again = context.send("a copy that follows another event", signed.request())
        if (times := counter.settled() - count) > 0:
            return Outcome(Status.FAILED, f"{work_done(times + 1)} after {again.label}", again)
    if not copy.accepted:
        return Outcome(Status.WARNED, f"once, but the provider sends it again: {summary([copy])}", copy)
    return Outcome(Status.PASSED, f"once; {summary([copy])}", copy)


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
        plain = signed.request()
        for name, value in context.scheme.headers.items():
            if isinstance(value, HeaderValue) and first.name in context.scheme.header_template(name).names:
                other = signed.request(headers=partial(_reversed, name, value.list))
                if other.headers != plain.headers:
                    yield "another order", other
                elif context.scheme.rotation == "list":
                    more = signed.request(signed.texts, context.forge(signed.draft).texts)
                    yield "one more signature", more

    return _once(context, copies)


def _reversed(name: str, separator: str, pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the headers with the elements of one of them in the reverse order."""
    return [(n, separator.join(reversed(v.split(separator))) if n == name else v) for n, v in pairs]


def retry(context: Context) -> Outcome:
    """C10: the work of a retry, which is signed again with a new time, is not done again."""
    if not signs_time(context.scheme):
        raise NotApplicable(f"{context.provider.title} signs no timestamp: a retry is an exact copy (C5)")

    def copies(signed: Signed) -> Iterator[Variant]:
        draft = signed.draft
        own = {n: v for n, v in signed.request().headers.multi_items() if n.lower() in draft.own_headers}
        own |= context.provider.deliveries.retry_headers
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

    If it is done again, the copies of another request are sent one by one, to tell which one was worked on.

    Args:
        context: the means of the check.
        copies: returns the copies of the request.
        accepted: True if the copies must be accepted, too.
    """
    outcome = _counted(context, copies, accepted=accepted, one_by_one=False)
    if outcome.status is Status.FAILED:
        again = _counted(context, copies, accepted=accepted, one_by_one=True)
        return again if again.status is Status.FAILED else outcome
    return outcome


def _counted(
    context: Context, copies: Callable[[Signed], Iterable[Variant]], *, accepted: bool, one_by_one: bool
) -> Outcome:
    signed = context.signed()
    variants = list(copies(signed))
    if not variants:
        raise NotApplicable(f"a request of {context.provider.title} has no such copy")
    counter, once = context.count_one("the first request", signed.request())
    exchanges = []
    for n, variant in enumerate(variants, 1):
        exchange = context.send(*variant)
        exchanges.append(exchange)
        if (one_by_one or n == len(variants)) and (after := counter.settled()) > once:
            labels = exchange.label if one_by_one else ", ".join(e.label for e in exchanges)
            return Outcome(Status.FAILED, f"{work_done(after - once + 1)} after {labels}", exchange)
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
        raise NotDecided(
            "give setup=Setup(advance_s=…), in a shell --advance, which moves the receiver's clock ahead by "
            "seconds"
        )
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
