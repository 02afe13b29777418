"""Traffic of a steady pattern with bursts on top, as the calculator's form describes it."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from operator import sub
from typing import Final, NamedTuple

from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit.formatting import short
from hook_widgets.ratelimit.traffic.arrivals import Arrivals
from hook_widgets.ratelimit.units import NS_PER_S, nanoseconds

MAX_REQUESTS: Final = 200_000
"""Upper bound; a plot of more requests shows nothing new and takes seconds to compute."""

_WAVES: Final = 6  # of on-off traffic in a run


class TrafficPattern(StrEnum):
    """Pattern of the steady traffic. All have the same mean rate."""

    POISSON = "poisson"
    """Independent random requests (a Poisson process)."""
    STEADY = "steady"
    """Equal intervals."""
    ON_OFF = "on_off"
    """Random requests at twice the rate, then none; six times."""
    RAMP = "ramp"
    """Random requests, at a rate that rises from zero to twice the mean."""
    DIURNAL = "diurnal"
    """Random requests, at a rate that goes in one wave from 0.2 to 1.8 times the mean and back."""


class CallsInFlight(NamedTuple):
    """The most calls that clients have in flight.

    Attributes:
        calls: calls of one client.
        latency_s: seconds that a call takes.
        shares: share of each client of the traffic.
    """

    calls: int
    latency_s: Fraction
    shares: tuple[Fraction, ...]


@lru_cache(maxsize=8)  # most slider moves do not change the traffic
def build_traffic(
    pattern: TrafficPattern,
    *,
    rate_per_s: Fraction | None,
    duration_s: Fraction,
    seed: int,
    burst: int = 0,
    burst_window_s: Fraction = Fraction(0),
    burst_every_s: Fraction | None = None,
    in_flight: CallsInFlight | None = None,
) -> Arrivals:
    """Return steady traffic with bursts, both optional.

    Args:
        pattern: pattern of the steady traffic.
        rate_per_s: mean rate of the steady traffic; None for none.
        duration_s: duration of the run.
        seed: seed of the random times.
        burst: requests in each burst; 0 for no bursts.
        burst_window_s: duration of a burst, with equal intervals between its requests; 0 for all at once.
        burst_every_s: interval between bursts, the first after half of it; None for one burst, after a
            quarter of the run.
        in_flight: what delays steady traffic until a call of its client ends; None for nothing.

    Raises:
        InvalidArrivals: there would be too many requests.
    """
    expected = (rate_per_s or 0) * duration_s + burst * (duration_s / burst_every_s if burst_every_s else 1)
    if expected > MAX_REQUESTS:
        raise InvalidArrivals(
            f"that would be about {short(round(expected))} requests, more than {short(MAX_REQUESTS)}; "
            "shorten the duration or lower the traffic",
            field="duration_s",
        )
    steady = None if rate_per_s is None else _steady(pattern, rate_per_s, duration_s, seed)
    end = nanoseconds(duration_s)
    if steady and in_flight:
        steady = replace(steady, times_ns=_sent(steady.times_ns, in_flight, end))
    if not burst:
        return steady or Arrivals(())
    every = nanoseconds(burst_every_s) if burst_every_s else end
    first = every // (2 if burst_every_s else 4)
    gap = burst_window_s * NS_PER_S / burst
    bursts = [start + int(k * gap) for start in range(first, end, max(every, 1)) for k in range(burst)]
    times = sorted([*(steady.times_ns if steady else ()), *(t for t in bursts if t < end)])
    parts = [*([steady.pattern] if steady else []), f"bursts of {short(burst)}"]
    return Arrivals(tuple(times), ", ".join(parts))


def _sent(times_ns: tuple[int, ...], in_flight: CallsInFlight, end_ns: int) -> tuple[int, ...]:
    """Return when requests are sent before the end, each when a call of its client is free."""
    latency_ns = nanoseconds(in_flight.latency_s)
    later = times_ns[in_flight.calls :]
    if len(in_flight.shares) == 1 and all(map(latency_ns.__le__, map(sub, later, times_ns))):
        return times_ns  # none waits
    latest = [deque[int](maxlen=in_flight.calls) for _ in in_flight.shares]
    sent = []
    for time, client in zip(times_ns, _in_turn(in_flight.shares), strict=False):
        calls = latest[client]
        begin = max(time, calls[0] + latency_ns) if len(calls) == in_flight.calls else time
        calls.append(begin)
        if begin < end_ns:
            sent.append(begin)
    return tuple(sorted(sent))


def _in_turn(shares: tuple[Fraction, ...]) -> Iterator[int]:
    """Yield the client of each request, so that every client has its share of any long stretch."""
    due = [(1 / share / 2, client) for client, share in enumerate(shares)]
    heapq.heapify(due)
    while True:
        at, client = due[0]
        yield client
        heapq.heapreplace(due, (at + 1 / shares[client], client))


def _steady(pattern: TrafficPattern, per_s: Fraction, span: Fraction, seed: int) -> Arrivals:
    match pattern:
        case TrafficPattern.STEADY:
            return Arrivals.steady(per_s, span)
        case TrafficPattern.POISSON:
            return Arrivals.poisson(per_s, span, seed=seed)
        case TrafficPattern.RAMP:
            return Arrivals.ramp(0, 2 * per_s, span, seed=seed)
        case TrafficPattern.ON_OFF:
            half = span / _WAVES / 2
            return Arrivals.on_off(2 * per_s, half, half, span, seed=seed)
        case TrafficPattern.DIURNAL:
            return Arrivals.diurnal(per_s, span, period_s=span, seed=seed)
