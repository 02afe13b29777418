"""Area C: different events, of which none is a copy. An oracle counts the work."""

from __future__ import annotations

from datetime import datetime

from hook_widgets.receivers.context import Context, NotDecided, Outcome
from hook_widgets.receivers.event_ids import EventSamples
from hook_widgets.receivers.oracle import Counter
from hook_widgets.receivers.report import Status
from hook_widgets.receivers.sending import Exchange
from hook_widgets.webhooks.requests.request import WebhookRequest
from hook_widgets.webhooks.samples.variation import Sample


def both_done(context: Context) -> Outcome:
    """C13: the work of two different events is done, which agree in type, time and values but not in ids.

    Then another type of event follows for the object of the first, if the receiver works on that type. A
    receiver may drop it on purpose, such as a failure after a success: it is a warning.
    """
    if context.body is not None or context.scheme.absent.body:
        raise NotDecided("all good requests of this run have one body; leave out body=")
    samples = context.samples(context.event.name)
    is_known = _has_id(context, samples)
    first = samples.draw(context.random)
    other = samples.next_event(context.random, first)
    at = context.now()
    counter = context.count()
    context.ensure_good()
    for label, sample in (("an event", first), ("another event", other)):
        exchange, is_done = _send(context, counter, label, sample, context.event.name, at)
        if not is_done:
            break
    else:
        return _same_object(context, counter, first, exchange) if is_known else _passed(exchange)
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


def _same_object(context: Context, counter: Counter, first: Sample, done: Exchange) -> Outcome:
    """Send another type of event for the object of the first, after one for another object."""
    event = context.event
    for other in context.provider.events:
        if other.name == event.name or (other.category, other.scheme) != (event.category, event.scheme):
            continue
        samples = context.samples(other.name)
        same = samples.of_same_object(context.random, first, context.now())
        if same is None or not _has_id(context, samples):
            continue
        unrelated, is_worked = _send(
            context, counter, f"{other.name} of another object", samples.draw(context.random), other.name
        )
        if not is_worked:
            return _passed(done)
        exchange, is_done = _send(context, counter, f"{other.name} of the same object", same, other.name)
        if not is_done:
            observed = f"no work for {exchange.label}, but for {unrelated.label}; {exchange.outcome}"
            return Outcome(Status.WARNED, observed, exchange)
        return _passed(exchange)
    return _passed(done)


def _has_id(context: Context, samples: EventSamples) -> bool:
    return bool(samples.event_id or context.provider.deliveries.id_header)


def _passed(exchange: Exchange) -> Outcome:
    return Outcome(Status.PASSED, f"the work of each was done; {exchange.outcome}", exchange)


def _send(
    context: Context, counter: Counter, label: str, sample: Sample, event: str, at: datetime | None = None
) -> tuple[Exchange, bool]:
    """Send a sample, and return the exchange and whether its work was done."""
    before = counter.settled()
    exchange = context.send(label, _request(context, sample, event, at))
    return exchange, counter.wait_for(before + 1) > before


def _request(context: Context, sample: Sample, event: str, at: datetime | None) -> WebhookRequest:
    draft = context.draft(body=sample.body, headers=sample.headers, event=event, at=at)
    return context.sign(draft).request()
