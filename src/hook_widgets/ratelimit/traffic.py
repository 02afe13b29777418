"""Traffic of one kind in the long run with bursts on top, as a person describes it."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Final

from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit.arrivals import Arrivals
from hook_widgets.ratelimit.quantity import NS_PER_S, nanoseconds
from hook_widgets.ratelimit.wording import short

MOST_REQUESTS: Final = 200_000
"""A picture of more shows nothing new, and takes seconds to compute."""

_WAVES: Final = 6  # of on-off traffic in a run


class Pattern(StrEnum):
    """How steady traffic comes. Each has the same mean rate."""

    POISSON = "poisson"
    """At random, independent of each other."""
    STEADY = "steady"
    """At equal distances."""
    ON_OFF = "on_off"
    """Twice the rate at random, then none, six times over."""
    RAMP = "ramp"
    """At random, from none to twice the rate."""
    DIURNAL = "diurnal"
    """At random, in one wave from a fifth of the rate to nine fifths and back."""


def traffic(
    pattern: Pattern,
    *,
    rate_per_s: Fraction | None,
    burst: int,
    burst_window_s: Fraction,
    burst_every_s: Fraction | None,
    duration_s: Fraction,
    seed: int,
) -> Arrivals:
    """Steady traffic and bursts, both of them optional.

    Args:
        pattern: how the steady traffic comes.
        rate_per_s: its mean rate; None for none.
        burst: requests in each burst; 0 for none.
        burst_window_s: within this time they come, at equal distances; 0 for all at once.
        burst_every_s: a burst comes in the middle of each such time; None for one, a quarter into the run.
        duration_s: how long it all lasts.
        seed: of the random times.

    Raises:
        InvalidArrivals: there would be too many requests.
    """
    expected = (rate_per_s or 0) * duration_s + burst * (duration_s / burst_every_s if burst_every_s else 1)
    if expected > MOST_REQUESTS:
        raise InvalidArrivals(
            f"That would be about {short(round(expected))} requests; {short(MOST_REQUESTS)} is the most. "
            "Shorten the duration or lower the traffic.",
            field="duration_s",
        )
    return _traffic(pattern, rate_per_s, burst, burst_window_s, burst_every_s, duration_s, seed)


@lru_cache(maxsize=8)  # most moves of a slider leave the traffic as it is
def _traffic(
    pattern: Pattern,
    rate_per_s: Fraction | None,
    burst: int,
    burst_window_s: Fraction,
    burst_every_s: Fraction | None,
    duration_s: Fraction,
    seed: int,
) -> Arrivals:
    steady = None if rate_per_s is None else _steady(pattern, rate_per_s, duration_s, seed)
    if not burst:
        return steady or Arrivals(())
    end = nanoseconds(duration_s)
    every = nanoseconds(burst_every_s) if burst_every_s else end
    first = every // (2 if burst_every_s else 4)
    gap = burst_window_s * NS_PER_S / burst
    bursts = [start + int(k * gap) for start in range(first, end, max(every, 1)) for k in range(burst)]
    times = sorted([*(steady.times_ns if steady else ()), *(t for t in bursts if t < end)])
    parts = [*([steady.pattern] if steady else []), f"bursts of {short(burst)}"]
    return Arrivals(tuple(times), ", ".join(parts))


def _steady(pattern: Pattern, per_s: Fraction, span: Fraction, seed: int) -> Arrivals:
    match pattern:
        case Pattern.STEADY:
            return Arrivals.steady(per_s, span)
        case Pattern.POISSON:
            return Arrivals.poisson(per_s, span, seed=seed)
        case Pattern.RAMP:
            return Arrivals.ramp(0, 2 * per_s, span, seed=seed)
        case Pattern.ON_OFF:
            half = span / _WAVES / 2
            return Arrivals.on_off(2 * per_s, half, half, span, seed=seed)
        case Pattern.DIURNAL:
            return Arrivals.diurnal(per_s, span, period_s=span, seed=seed)
