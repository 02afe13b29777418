"""Simulate the deliveries of a sender through the rate limit of its receiver."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping

from hook_widgets.endpoints.deliveries import Attempt, Deliveries, DeliverySchedule
from hook_widgets.endpoints.sender import Sender
from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit import Arrivals, Concurrency, Duration, Limiter
from hook_widgets.ratelimit.limiters.keyed import one_client
from hook_widgets.ratelimit.simulation.engine import checked_limiter
from hook_widgets.ratelimit.units import duration


def simulate_deliveries(
    limiter: Limiter,
    events_s: Arrivals | Iterable[Duration],
    sender: Sender,
    *,
    service_s: Duration = 0,
    status: int = 429,
    client: Mapping[str, Hashable] | None = None,
) -> Deliveries:
    """Predict which events pass a receiver's rate limit, at which attempt, and which are lost.

    A request that waits in the limiter's queue, or is handled, for longer than the sender's time limit has
    failed for the sender, although the receiver handles it: its retry is a duplicate.

    Args:
        limiter: the receiver's limit.
        events_s: the times at which events happen, in seconds, non-decreasing.
        sender: the sender's rules, such as ``Sender.of("svix")``.
        service_s: how long the receiver handles a request before it responds.
        status: the status of a rejection.
        client: the client by key, for `PerClient` limits: the sender is one client.

    Returns:
        The attempts and their outcome.

    Raises:
        InvalidLimit: the first argument is no limiter.
        InvalidArrivals: a time, the status or the client is invalid, there is no event, or there are more
            than a million attempts.

    >>> from hook_widgets.ratelimit import TokenBucket
    >>> simulate_deliveries(TokenBucket(10, "1/s"), [0] * 12, Sender(["1 min"])).summary
    '12 events: 10 delivered at once, 2 after retries, 0 lost.'
    """
    if type(status) is not int or not 100 <= status <= 599 or sender.accepts(status):
        raise InvalidArrivals(f"is {status!r}; give one that means rejected, such as 429", subject="status")
    service = duration(service_s, "service_s", positive=False, error=InvalidArrivals)
    schedule = DeliverySchedule(events_s, sender)
    running = checked_limiter(limiter).begin()
    in_flight = any(isinstance(one_client(layer), Concurrency) for layer in limiter.layers)
    accepted = next(iter(sender.accepted_statuses), 200)
    while schedule.next_s is not None:
        at_s, event, number = schedule.take()
        decision = running.decide(at_s, None, service if in_flight else None, **(client or {}))
        if decision.wait_s is None:
            schedule.conclude(Attempt(event, number, at_s, status, at_s, handled=False))
            continue
        took_s = decision.wait_s + service
        limit_s = took_s if sender.timeout_s is None else sender.timeout_s
        response = accepted if took_s <= limit_s else None
        schedule.conclude(Attempt(event, number, at_s, response, at_s + min(took_s, limit_s), handled=True))
    return schedule.deliveries()
