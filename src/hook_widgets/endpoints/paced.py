"""Send events to a real receiver at given times, with the retries of a sender."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hook_widgets.endpoints.clocks import Clock, SystemClock, VirtualClock
from hook_widgets.endpoints.deliveries import Attempt, Deliveries, DeliverySchedule
from hook_widgets.endpoints.sender import Sender
from hook_widgets.ratelimit import Arrivals, Duration

if TYPE_CHECKING:
    from hook_widgets.webhooks import Delivery, WebhookRequest

Sign = Callable[[int, int], "WebhookRequest"]
"""A function from the index of an event and the number of an attempt to the signed request."""

MOST_CONNECTIONS: Final = 64
_NO_LIMIT_S: Final = 30.0  # of a sender that states none


def paced_send(
    sign: Sign,
    events_s: Arrivals | Iterable[Duration],
    sender: Sender,
    *,
    clock: Clock | None = None,
    ca: str | None = None,
    allow_hosts: Iterable[str] = (),
) -> Deliveries:
    """Send events at their times, and failed ones again as the sender would.

    At most 64 requests are under way at a time; further ones wait. With a `VirtualClock`, which a
    `LimitedServer` can share, nobody waits: the clock is set to the time of each attempt, and no response is
    late.

    Args:
        sign: returns the signed request of an attempt, so that a retry can be signed again.
        events_s: the times at which events happen, in seconds from now, non-decreasing.
        sender: the sender's rules.
        clock: the clock; by default the system's.
        ca: path of a PEM file with the certificates to trust.
        allow_hosts: the hosts that may get requests beside this machine. They get all of this traffic.

    Returns:
        The attempts as they happened. `Attempt.handled` is true if the response was accepted: what happened
        after the time limit is not known.

    Raises:
        DestinationBlocked: a host is neither this machine nor in `allow_hosts`; nothing was sent to it.
        InvalidArrivals: a time is invalid, there is no event, or there are more than a million attempts.
    """
    clock = clock or SystemClock()
    schedule = DeliverySchedule(events_s, sender)
    start_s, hosts = clock.now(), tuple(allow_hosts)

    def now_s() -> Fraction:
        return clock.now() - start_s

    def attempt(event: int, number: int) -> Attempt:
        at_s = now_s()
        delivery = _send(sign(event, number), sender, ca, hosts)
        status = None if delivery.error else delivery.status
        return Attempt(event, number, at_s, status, now_s(), handled=sender.accepts(status))

    if isinstance(clock, VirtualClock):
        while schedule.next_s is not None:
            clock.advance(max(schedule.next_s - now_s(), Fraction(0)))
            _, event, number = schedule.take()
            schedule.conclude(attempt(event, number))
    else:
        _at_their_times(schedule, attempt, now_s, clock)
    return schedule.deliveries()


def _at_their_times(
    schedule: DeliverySchedule,
    attempt: Callable[[int, int], Attempt],
    now_s: Callable[[], Fraction],
    clock: Clock,
) -> None:
    """Make each attempt at its time, while others wait for their response."""
    under_way: set[Future[Attempt]] = set()
    pool = ThreadPoolExecutor(MOST_CONNECTIONS)
    try:
        while under_way or schedule.next_s is not None:
            while schedule.next_s is not None and schedule.next_s <= now_s():
                _, event, number = schedule.take()
                under_way.add(pool.submit(attempt, event, number))
            pause_s = None if schedule.next_s is None else max(schedule.next_s - now_s(), Fraction(0))
            if not under_way and pause_s is not None:
                clock.wait(pause_s)
                continue
            done, under_way = wait(under_way, None if pause_s is None else float(pause_s), FIRST_COMPLETED)
            for future in done:
                schedule.conclude(future.result())
    finally:
        # After an error or an interruption, nothing more is sent.
        pool.shutdown(cancel_futures=True)


def _send(request: WebhookRequest, sender: Sender, ca: str | None, hosts: tuple[str, ...]) -> Delivery:
    from hook_widgets.webhooks import send
    from hook_widgets.webhooks.delivery.destination import is_loopback

    limit_s = _NO_LIMIT_S if sender.timeout_s is None else float(sender.timeout_s)
    allowed = None if is_loopback(request.url) else hosts
    return send(request, timeout_s=limit_s, ca=ca, allow_hosts=allowed)
