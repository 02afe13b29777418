"""The burst that a receiver's limit must let through, so that no delivery fails."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from hook_widgets.endpoints.delivery_simulation import simulate_deliveries
from hook_widgets.endpoints.sender import Sender
from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit import (
    Arrivals,
    Concurrency,
    Duration,
    FixedWindow,
    Gcra,
    LeakyBucket,
    Limiter,
    SlidingCounter,
    SlidingLog,
    TokenBucket,
)
from hook_widgets.ratelimit.simulation.engine import checked_limiter


def smallest_burst(
    limiter: Limiter,
    events_s: Arrivals | Iterable[Duration],
    sender: Sender,
    *,
    service_s: Duration = 0,
) -> Limiter | None:
    """Return the limit with the smallest burst at which every first attempt is accepted.

    A bucket keeps its rate: only its capacity, tolerance or queue changes. A window or a limit on concurrent
    requests gets another limit. Each candidate is simulated. If no attempt fails with a burst, none fails
    with a larger one, because all requests find at least as many places; so the smallest is found by
    bisection.

    Args:
        limiter: the receiver's limit, a single one.
        events_s: the times at which events happen, in seconds, non-decreasing.
        sender: the sender's rules.
        service_s: how long the receiver handles a request before it responds.

    Returns:
        The limit, or None if no burst is enough because requests would wait for longer than the sender
            does, or a bucket that starts empty has too few tokens.

    Raises:
        InvalidLimit: the limiter has no burst that can be sized, such as `Layers`: size each limit alone.
        InvalidArrivals: as for `simulate_deliveries`.

    >>> from hook_widgets.ratelimit import TokenBucket
    >>> smallest_burst(TokenBucket(10, "1/s"), [0] * 12 + [60], Sender(["1 min"]))
    TokenBucket(capacity=12, refill_rate=1)
    """
    arrivals = events_s if isinstance(events_s, Arrivals) else Arrivals.from_times(events_s)

    def fails(burst: int) -> bool:
        candidate = with_burst(checked_limiter(limiter), burst)
        return bool(simulate_deliveries(candidate, arrivals, sender, service_s=service_s).retried)

    low, high = 0, max(len(arrivals), 1)
    if fails(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fails(middle) else (low, middle)
    return with_burst(limiter, high)


def with_burst(limiter: Limiter, burst: int) -> Limiter:
    """Return the same limit with another burst, in requests."""
    match limiter:
        case TokenBucket():
            return replace(limiter, capacity=Fraction(burst), initial=_begin(limiter, burst))
        case Gcra():
            tolerance_s = limiter.emission_interval_s * (burst - 1)
            return replace(limiter, tolerance_s=tolerance_s, initial=_begin(limiter, burst))
        case LeakyBucket():
            return replace(limiter, queue_size=burst)
        case FixedWindow() | SlidingLog() | SlidingCounter() | Concurrency():
            return replace(limiter, limit=burst)
    raise InvalidLimit(
        f"the burst of {limiter.label} cannot be sized; give a single limit, such as TokenBucket"
    )


def _begin(limiter: TokenBucket | Gcra, burst: int) -> Fraction | None:
    """Return the tokens at the start, which do not grow with the capacity."""
    return None if limiter.initial is None else min(limiter.initial, Fraction(burst))
