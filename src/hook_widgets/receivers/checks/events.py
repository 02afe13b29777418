"""Areas C and D: events that differ, come again or in another order, or that a receiver does not know."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from hook_widgets.receivers.bodies import NEW_FIELD, extended, with_members, with_value
from hook_widgets.receivers.context import USUAL_TOLERANCE_S, Context, Variant
from hook_widgets.receivers.event_ids import EventSamples
from hook_widgets.receivers.forging import headers_of_fields, with_fields
from hook_widgets.receivers.oracle import Counter, work_done
from hook_widgets.receivers.outcome import NotApplicable, NotDecided, Outcome
from hook_widgets.receivers.reporting.report import Status
from hook_widgets.receivers.sending import Exchange, summary
from hook_widgets.webhooks.body import json_edit
from hook_widgets.webhooks.requests.request import WebhookRequest
from hook_widgets.webhooks.samples.variation import Sample

_UNKNOWN = "hook_widgets.unknown"
_ACCOUNT = b"T0HOOKWIDGETS"
_HOUR_S = 3600
_STATES = frozenset({"status", "state"})
_OPTIONAL = frozenset({"description", "note", "comment", "phone"})
_OBJECT = b'"hook_widgets_new":{"list":[1,null,{"deep":true}],"text":"x"}'


def unknown_event(context: Context) -> Outcome:
    """D6: an event of an unknown type is accepted."""
    draft = context.draft()
    in_header = headers_of_fields(draft, ("event", "event_type"))
    body = draft.payload
    for name in _types(context):
        value = re.compile(rb'(:\s*)"' + re.escape(name.encode()) + rb'"')
        body = value.sub(rb'\1"' + _UNKNOWN.encode() + b'"', body)
    if body == draft.payload and not in_header:
        raise NotApplicable("neither a header nor the body names the type of this event")
    changed = with_fields(context.draft(body=body), event=_UNKNOWN, event_type=_UNKNOWN)
    request = context.sign(changed).request()
    if not context.genuine(request, changed):
        raise NotApplicable(f"a request of {context.provider.title} with another type cannot be signed here")
    return context.accepts([("an unknown type", request)])


def _types(context: Context) -> set[str]:
    """Return the texts by which a request may name the type of its event."""
    return {context.event.name, context.event.type or context.event.name}


def repeated_key(context: Context) -> str:
    """Return which one of a repeated key counts, in words; "" if the oracle does not tell.

    The type of the event comes twice. If the receiver does no work for an unknown type, it is the one that
    decides.
    """
    if context.counter is None:
        return ""
    body = context.json_object()
    content = _content(body)
    key = next((k for k, v in content.items() if isinstance(v, str) and v in _types(context)), "")
    if not key:
        return ""
    counter = context.count()
    work: list[bool] = []
    before = counter.settled()
    for first, last in ((_UNKNOWN, content[key]), (content[key], _UNKNOWN)):
        sent = with_value(context.json_object(), key, json.dumps(last).encode())
        sent = with_members(sent, f"{json.dumps(key)}:{json.dumps(first)}".encode())
        context.send(f"a repeated {key}", context.signed(body=sent).request())
        after = counter.settled()
        work.append(after > before)
        before = after
    if work[0] == work[1]:
        return ""
    return f"of a repeated {key} the {'last' if work[0] else 'first'} one counts"


def new_fields(context: Context) -> Outcome:
    """D8: new fields, new values of a state, and null for an optional text are accepted."""
    members = {
        "a new field": NEW_FIELD,
        "a new object": _OBJECT,
        "a new field that is null": b'"hook_widgets_new":null',
    }
    context.require_json_object()

    def variants() -> Iterator[Variant]:
        yield from extended(context, members)
        for names, label, value in (
            (_STATES, "a new value of", f'"{_UNKNOWN}"'),
            (_OPTIONAL, "null for", "null"),
        ):
            body = context.json_object()
            if path := _path_of(_content(body), names):
                yield f"{label} {path}", context.signed(body=with_value(body, path, value.encode())).request()

    return context.accepts(variants())


def _content(body: bytes) -> Any:
    """Return the content of a JSON object; an empty one for a user's body that cannot be read."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return {}


def _path_of(content: Any, names: frozenset[str]) -> str:
    """Return the path of the outermost text that has one of these names; "" if there is none."""
    objects = {"": content}
    while objects:
        members = {f"{path}{name}": (name, v) for path, each in objects.items() for name, v in each.items()}
        for path, (name, value) in members.items():
            if name in names and isinstance(value, str):
                return path
        objects = {f"{path}.": value for path, (_, value) in members.items() if isinstance(value, dict)}
    return ""


def unknown_account(context: Context) -> Outcome:
    """D7: an event of an account that the receiver does not know is accepted."""
    path = context.provider.deliveries.account
    if not path:
        raise NotApplicable(f"no field is known that names the account of {context.provider.title}")
    text = b'"' + _ACCOUNT + b'"'
    body = context.json_object()
    if json_edit.span(body, path) is None and "." not in path:
        body = with_members(body, b'"' + path.encode() + b'":' + text)
    else:
        body = with_value(body, path, text)
    return context.accepts([("an unknown account", context.signed(body=body).request())])


def other_mode(context: Context) -> Outcome:
    """D9: an event of the other mode, test or live, is accepted, and no work is done for it.

    Work is a warning: most endpoints get the events of one mode only, signed with a secret of their own.
    """
    path = context.provider.deliveries.live
    if not path:
        raise NotApplicable(f"no field is known that marks the test mode of {context.provider.title}")
    body = context.json_object()
    span = json_edit.span(body, path)
    live = body[slice(*span)] if span else b""
    if live not in (b"true", b"false"):
        raise NotApplicable(f"the body of this event has no {path}")
    counter, before = context.count_one("an event of the receiver's mode", context.signed().request())
    other = "true" if live == b"false" else "false"
    changed = with_value(body, path, other.encode())
    exchange = context.send(f"{path} {other}", context.signed(body=changed).request())
    if (times := counter.settled() - before) > 0:
        return Outcome(Status.WARNED, f"{work_done(times)} for {exchange.label}", exchange)
    status = Status.PASSED if exchange.accepted else Status.WARNED
    return Outcome(status, f"no work; {summary([exchange])}", exchange)


def after_a_failure(context: Context) -> Outcome:
    """D2: after a failure of the receiver's own, the retry does the work, once."""
    counter = context.count()
    if context.setup.fail_next is None:
        raise NotDecided(
            "give setup=Setup(fail_next=…), in a shell --fail-next, which makes the receiver fail at the "
            "next request"
        )
    context.ensure_good()
    before = counter.settled()
    signed = context.signed()
    context.ask("fail_next")
    failed = context.send("the request at which it fails", signed.request())
    if not failed.crashed:
        raise NotDecided(f"fail_next did not make it fail ({failed.outcome})", failed)
    retry = context.send("the retry", signed.request())
    return _worked(counter, before, retry)


def retry_first(context: Context) -> Outcome:
    """D3: a retry whose first attempt got lost or was rejected is worked on, also long after the event."""
    counter = context.count()
    if not counter.has_risen:  # it may not count this event
        context.count_one("a first attempt", context.signed().request())
    outcome = _retried(context, counter, one_by_one=False)
    return outcome if outcome.status is Status.PASSED else _retried(context, counter, one_by_one=True)


def _retried(context: Context, counter: Counter, *, one_by_one: bool) -> Outcome:
    """Send retries, and count the work once, or after each of them, to tell which one is not worked on."""
    before = counter.settled()
    exchanges: list[Exchange] = []
    retries = list(_retries(context))
    for n, retry in enumerate(retries, 1):
        exchanges.append(context.send(*retry))
        if one_by_one or n == len(retries):
            work = max(counter.wait_for(before + n), counter.settled()) - before
            lost = [e for e in exchanges if not e.accepted] or exchanges[-1:] * (work < n)
            if lost and (down := context.down_after(lost)):
                return down
            if lost:
                undone = "the work was not done; " * (work < n)
                return Outcome(Status.FAILED, f"{undone}{summary(lost)}", lost[0])
    return Outcome(Status.PASSED, f"the work was done; {summary(exchanges)}", exchanges[-1])


def _retries(context: Context) -> Iterator[Variant]:
    """Send an attempt that must be rejected, and yield its retry and others."""
    headers = context.provider.deliveries.retry_headers
    draft = context.draft(headers=headers)
    context.send("an attempt with another secret", context.forge(draft).request())
    yield "a retry after a rejected attempt", context.sign(draft).request()
    if headers:
        yield "a retry alone", context.signed(headers=headers).request()
    rules, at = context.provider.retries, context.now()
    age_s = min(rules.period_s or sum(rules.delays_s), _HOUR_S)
    samples = context.samples(context.event.name)
    if context.body is not None or age_s < 2 * USUAL_TOLERANCE_S or not samples.has_time(at):
        return
    sample = samples.draw(context.random, at - timedelta(seconds=age_s))
    late = context.signed(body=sample.body, headers={**sample.headers, **headers})
    if context.genuine(late.request(), late.draft):  # else the body tells the time of the attempt
        yield f"a retry {age_s // 60} minutes after its event", late.request()


def _worked(counter: Counter, before: int, retry: Exchange) -> Outcome:
    """Return whether a retry was accepted, and the work done once since a count."""
    counter.wait_for(before + 1)
    times = counter.settled() - before
    if times != 1 or not retry.accepted:
        return Outcome(Status.FAILED, f"{work_done(times)}; {retry.outcome} for {retry.label}", retry)
    return Outcome(Status.PASSED, f"once; {retry.outcome} for {retry.label}", retry)


def update_before_create(context: Context) -> Outcome:
    """D4: an update that comes before its creation is not undone."""
    return _newest_kept(context, newest=1, late=0)


def older_after_newer(context: Context) -> Outcome:
    """D5: an older change that comes after a newer one is not applied."""
    return _newest_kept(context, newest=2, late=1)


def _newest_kept(context: Context, *, newest: int, late: int) -> Outcome:
    """Send versions of a new object up to a late one, and compare the state before and after that."""
    if context.setup.history is None or context.setup.state is None:
        raise NotDecided(
            "a count does not tell which version is kept; give setup=Setup(history=…, state=…), in a shell "
            "--history and --state, three bodies of one object and what the receiver keeps"
        )
    bodies = context.ask("history")
    if not isinstance(bodies, Sequence) or [bytes] * 3 != [type(body) for body in bodies]:
        raise NotDecided("history= must return three bodies as bytes: created, changed, changed again")
    empty = context.ask("state")
    sent = [*range(late), newest]
    exchanges = [_version(context, n, bodies[n]) for n in sent]
    newest_state = context.ask("state")
    if newest_state == empty:
        raise NotDecided("state= does not change with an accepted event", exchanges[-1])
    exchange = _version(context, late, bodies[late])
    if context.ask("state") != newest_state:
        return Outcome(Status.FAILED, "the late event replaced the newer state", exchange)
    return Outcome(
        Status.PASSED, f"the newest state is kept; {exchange.outcome} for the late event", exchange
    )


def _version(context: Context, number: int, body: bytes) -> Exchange:
    exchange = context.send(f"version {number + 1} of the object", context.signed(body=body).request())
    if not exchange.accepted and number == 0:
        raise NotDecided(f"the receiver does not accept it ({exchange.outcome})", exchange)
    return exchange


def both_done(context: Context) -> Outcome:
    """C13: the work of two different events is done, which agree in type, time and values but not in ids.

    Then another type of event follows for the object of the first, if the receiver works on that type. A
    receiver may drop it on purpose, such as a failure after a success: it is a warning.
    """
    if context.body is not None or context.scheme.absent.body:
        raise NotDecided("all good requests of this run have one body; leave out body=")
    samples = context.samples(context.event.name)
    is_known = _has_id(context, samples)
    at = context.now()
    first = samples.draw(context.random, at)
    other = samples.next_event(context.random, first, at)
    counter = context.count()
    context.ensure_good()
    count = counter.settled()
    for label, sample in (("an event", first), ("another event", other)):
        exchange, after = _send(context, counter, count, label, _request(context, sample, at=at))
        if after == count:
            break
        count = after
    else:
        return _same_object(context, counter, count, first, exchange) if is_known else _passed(exchange)
    if not counter.has_risen:
        raise NotDecided(
            f"the oracle counted nothing for the event {context.event.name}; choose an event= that the "
            "receiver works on, and count that work",
            exchange,
        )
    if first.body == other.body:
        raise NotDecided(
            "no work was done for another event, but its body is the same; choose another event=", exchange
        )
    if not is_known:
        raise NotDecided(
            "the work was not done for another event, and no id is known by which events "
            f"{context.event.name} of {context.provider.title} differ; a provider file with id_header or "
            "id_path in [deliveries] would decide it",
            exchange,
        )
    return Outcome(
        Status.FAILED, f"no work for {label} of the same type and time; {exchange.outcome}", exchange
    )


def _same_object(context: Context, counter: Counter, count: int, first: Sample, done: Exchange) -> Outcome:
    """Send another type of event for the object of the first, after one for another object."""
    event = context.event
    for other in context.provider.events:
        if other.name == event.name or (other.category, other.scheme) != (event.category, event.scheme):
            continue
        samples = context.samples(other.name)
        same = samples.of_same_object(context.random, first, context.now())
        if same is None or not _has_id(context, samples):
            continue
        request = _request(context, samples.draw(context.random, context.now()), other.name)
        unrelated, after = _send(context, counter, count, f"{other.name} of another object", request)
        if after == count:
            return _passed(done)
        request = _request(context, same, other.name)
        exchange, last = _send(context, counter, after, f"{other.name} of the same object", request)
        if last == after:
            observed = f"no work for {exchange.label}, but for {unrelated.label}; {exchange.outcome}"
            return Outcome(Status.WARNED, observed, exchange)
        return _passed(exchange)
    return _passed(done)


def _has_id(context: Context, samples: EventSamples) -> bool:
    return bool(samples.event_id or context.provider.deliveries.id_header)


def _passed(exchange: Exchange) -> Outcome:
    return Outcome(Status.PASSED, f"the work of each was done; {exchange.outcome}", exchange)


def _send(
    context: Context, counter: Counter, count: int, label: str, request: WebhookRequest
) -> tuple[Exchange, int]:
    """Send a request after a count, and return the exchange and the count with its work, if that is done."""
    exchange = context.send(label, request)
    return exchange, counter.wait_for(count + 1)


def _request(
    context: Context, sample: Sample, event: str | None = None, at: datetime | None = None
) -> WebhookRequest:
    draft = context.draft(body=sample.body, headers=sample.headers, event=event, at=at)
    return context.sign(draft).request()
