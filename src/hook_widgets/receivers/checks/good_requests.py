"""Area A: good requests are accepted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from hook_widgets.receivers.bodies import added, with_members
from hook_widgets.receivers.context import USUAL_TOLERANCE_S, Context, Variant
from hook_widgets.receivers.outcome import NotApplicable, NotDecided, Outcome
from hook_widgets.receivers.reporting.report import Status
from hook_widgets.receivers.sending import summary
from hook_widgets.webhooks.delivery.client import SLOW_S
from hook_widgets.webhooks.delivery.destination import is_loopback
from hook_widgets.webhooks.requests.request import WebhookRequest

_MB = 1_000_000  # bytes
_SPARE = 1_000  # bytes by which two samples may differ
_CHUNK = 1 << 16
_GIFT = "\N{WRAPPED PRESENT}".encode()


def valid(context: Context) -> Outcome:
    """A1: a valid, fresh request is accepted."""
    exchange = context.good()
    status = Status.PASSED if exchange.accepted else Status.FAILED
    return Outcome(status, exchange.outcome, exchange)


def in_time(context: Context) -> Outcome:
    """A2: the response comes within the time that providers allow."""
    exchanges = [context.good() for _ in range(3)]
    slowest = max(exchanges, key=lambda exchange: exchange.delivery.elapsed_s)
    if not all(exchange.accepted for exchange in exchanges):
        raise NotDecided(f"the receiver does not accept a good request ({summary(exchanges)}); see A1")
    elapsed_s, limit_s = slowest.delivery.elapsed_s, context.provider.responses.within_s
    status = Status.PASSED
    if elapsed_s > (limit_s or SLOW_S) / 2:
        status = Status.FAILED if elapsed_s > (limit_s or SLOW_S) else Status.WARNED
    allowed = (
        f"{limit_s} s that {context.provider.title} waits"
        if limit_s
        else f"{SLOW_S:g} s that providers advise"
    )
    return Outcome(status, f"{elapsed_s:.3f} s of the {allowed}", slowest)


def large_body(context: Context) -> Outcome:
    """A4: the smallest event and a body of 1 MB are accepted; on this machine the provider's largest, too."""
    context.require_json_object()
    largest = context.provider.deliveries.max_body_bytes or _MB
    small = _smallest(context)
    if small is not None and small.status is not Status.PASSED:
        return small
    outcome = _within_limit(_accepts_size(context, min(largest, _MB)))
    if small is not None:
        outcome = replace(outcome, observed=f"{small.observed}; {outcome.observed}")
    if outcome.status is not Status.PASSED or largest <= _MB or not is_loopback(context.url):
        return outcome
    limit = _accepts_size(context, largest)  # few events are so large
    status = Status.PASSED if limit.status is Status.PASSED else Status.WARNED
    return replace(limit, status=status, observed=f"{outcome.observed}; {limit.observed}")


def _smallest(context: Context) -> Outcome | None:
    """Send the provider's smallest event.

    Returns:
        The outcome; None for the event of all good requests, or if its size is not what is rejected.
    """
    if context.body is not None:
        return None
    event, provider = context.event, context.provider
    name = min(
        (e.name for e in provider.events if (e.category, e.scheme) == (event.category, event.scheme)),
        key=lambda name: len(provider.template(name)),
    )
    if name == event.name:
        return None
    body = context.samples(name).draw(context.random, context.now())
    size = len(context.json_object())
    outcome = context.accepts([(f"the small event {name}", _of(context, name, body.body, body.headers))])
    if outcome.status is not Status.FAILED or not body.body.startswith(b"{"):
        return outcome if outcome.status is not Status.FAILED else None
    filled = with_members(body.body, b'"hook_widgets_new":"' + b"x" * size + b'"')
    control = context.send(f"{name} with a long field", _of(context, name, filled, body.headers))
    return outcome if control.accepted else None


def _of(context: Context, event: str, body: bytes, headers: Mapping[str, str]) -> WebhookRequest:
    return context.signed(event=event, body=body, headers=headers).request()


def _accepts_size(context: Context, size: int) -> Outcome:
    start, end = b'"hook_widgets_new":"', b'"'
    filler = b"x" * (size - len(with_members(context.json_object(), start + end)) - _SPARE)
    return context.accepts(added(context, {f"a body of {size / _MB:g} MB": start + filler + end}))


def outside_ascii(context: Context) -> Outcome:
    """A5: characters outside ASCII are accepted, wherever they are."""
    # The four bytes of the character lie on both sides of the boundary.
    start = len(with_members(b"{}", b'"hook_widgets_new":""')) - 2
    split = b'"hook_widgets_new":"' + b"x" * (_CHUNK - start - 2) + _GIFT + b'"'
    members = {
        "letters and emoji in a value": b'"hook_widgets_new":"' + "Zoë 日本 ".encode() + _GIFT + b'"',
        "letters in a key": '"имя":"x"'.encode(),
        "an emoji across 64 KiB": split,
    }
    return _within_limit(context.accepts(added(context, members)))


def _within_limit(outcome: Outcome) -> Outcome:
    """Return the outcome, with a warning instead of a failure for 413: the receiver's limit is small."""
    if outcome.status is Status.FAILED and outcome.exchange and outcome.exchange.status == 413:
        return replace(outcome, status=Status.WARNED)
    return outcome


def escapes(context: Context) -> Outcome:
    """A6: escapes of JSON are verified as they were sent."""
    texts = {
        "\\u003c": rb"\u003c",
        "\\/": rb"a\/b",
        "\\u2028": rb"\u2028",
        "\\u00E9": rb"\u00E9",
        "\\u00e9": rb"\u00e9",
    }
    return context.accepts(
        added(context, {label: b'"hook_widgets_new":"' + text + b'"' for label, text in texts.items()})
    )


def numbers_and_spaces(context: Context) -> Outcome:
    """A7: numbers, the order of keys, spaces and line ends are verified as they were sent."""
    numbers = {text: text.encode() for text in ("1.0", "1e0", "-0", str(2**53 + 1), "1" * 30)}
    members = {label: b'"hook_widgets_new":' + text for label, text in numbers.items()}
    members["keys in no order"] = b'"hook_widgets_z":1,"hook_widgets_a":2'
    members["numbers as keys"] = b'"hook_widgets_new":{"2":1,"1":2}'
    members["odd spaces"] = b' "hook_widgets_new" :\t1  '
    members["CRLF"] = b'\r\n"hook_widgets_new":1'

    def variants() -> Iterator[Variant]:
        yield from added(context, members)
        yield "a final newline", context.signed(body=context.json_object() + b"\n").request()

    return context.accepts(variants())


def several_events(context: Context) -> Outcome:
    """A8: several events in one request are accepted, if the provider sends arrays."""
    event = context.event.name
    body = context.draft().payload.strip()
    if not body.startswith(b"["):
        raise NotApplicable(f"the event {event} of {context.provider.title} is no array")
    both = body[:-1] + b"," + body[1:]
    return context.accepts([("two events", context.signed(body=both).request())])


def other_clocks(context: Context) -> Outcome:
    """A10: a clock that differs by 80 % of the tolerance is accepted; more than minutes ahead is no clock."""
    old_s = context.tolerance_s * 0.8
    ahead_s = min(old_s, USUAL_TOLERANCE_S * 0.8)
    return context.accepts(
        (f"{abs(offset_s):.0f} s {label}", context.signed(offset_s=offset_s).request())
        for label, offset_s in (("old", -old_s), ("ahead", ahead_s))
    )
