"""limits, pyrate-limiter and aiolimiter admit the same requests as we do, where they define a limit alike.

The times are binary fractions of a second, which floats hold exactly, on a grid so coarse that many requests
are simultaneous and many fall on the very end of a window. Where floats are not exact: test_differences.py.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import pyrate_limiter as pyrate
import pytest
from limits.strategies import (
    FixedWindowRateLimiter,
    MovingWindowRateLimiter,
    SlidingWindowCounterRateLimiter,
)

from hook_widgets.ratelimit import (
    FixedWindow,
    Gcra,
    Layers,
    LeakyBucket,
    Limiter,
    SlidingCounter,
    SlidingLog,
    TokenBucket,
    simulate,
)
from tests.peers.peer_adapters import Decide, of_aiolimiter, of_limits, of_pyrate

GRID = Fraction(1, 8)
"""A whole number of milliseconds, for pyrate-limiter."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One limiter of ours and one of theirs, with the same numbers.

    Attributes:
        ours: the limiter.
        theirs: asks the library.
        largest: the largest cost to try; 1 where costs mean something else to them or to us.
    """

    ours: Limiter
    theirs: Decide
    largest: int


def limits_fixed_window(rng: random.Random) -> Pair:
    limit, window = rng.randint(1, 8), rng.choice([1, 2, 3, 4, 8])
    # A rejected request of cost 2 uses up its budget: see the differences.
    return Pair(
        FixedWindow(limit, window, align="first"), of_limits(FixedWindowRateLimiter, limit, window), largest=1
    )


def limits_moving_window(rng: random.Random) -> Pair:
    limit, window = rng.randint(1, 8), rng.choice([1, 2, 3, 4, 8])
    return Pair(
        SlidingLog(limit, window, edge="closed"), of_limits(MovingWindowRateLimiter, limit, window), limit
    )


def limits_sliding_counter(rng: random.Random) -> Pair:
    limit, window = rng.randint(1, 8), rng.choice([1, 2, 4, 8])
    return Pair(
        SlidingCounter(limit, window), of_limits(SlidingWindowCounterRateLimiter, limit, window), limit
    )


def pyrate_sliding_log(rng: random.Random) -> Pair:
    limit, window = rng.randint(1, 8), rng.choice([1, 2, 3, 4, 8])
    rate = pyrate.Rate(limit, window * 1000)
    return Pair(SlidingLog(limit, window, edge="closed"), of_pyrate(pyrate.SlidingWindowLog(), rate), limit)


def pyrate_two_sliding_logs(rng: random.Random) -> Pair:
    few, many = rng.randint(1, 4), rng.randint(5, 8)
    rates = pyrate.Rate(few, 1000), pyrate.Rate(many, 8000)
    both = Layers(SlidingLog(few, 1, edge="closed"), SlidingLog(many, 8, edge="closed"))
    return Pair(both, of_pyrate(pyrate.SlidingWindowLog(), *rates), few)


def pyrate_fixed_window(rng: random.Random) -> Pair:
    limit, window = rng.randint(1, 8), rng.choice([1, 2, 3, 4, 8])
    rate = pyrate.Rate(limit, window * 1000)
    return Pair(FixedWindow(limit, window, align="clock"), of_pyrate(pyrate.FixedWindow(), rate), limit)


def pyrate_token_bucket(rng: random.Random) -> Pair:
    limit, burst = rng.choice([1, 2, 4, 5, 8, 10]), rng.randint(1, 8)
    rate = pyrate.Rate(limit, 1000, burst=burst)
    return Pair(TokenBucket(burst, limit), of_pyrate(pyrate.TokenBucket(), rate), burst)


def pyrate_gcra_of_odd_rates(rng: random.Random) -> Pair:
    """Its emission interval is whole microseconds, rounded up; with that number, the same decisions."""
    limit, window, burst = rng.randint(1, 30), rng.choice([1, 2, 7]), rng.randint(1, 8)
    rate = pyrate.Rate(limit, window * 1000, burst=burst)
    interval = Fraction(-(-window * 10**6 // limit), 10**6)
    return Pair(Gcra(interval, (burst - 1) * interval), of_pyrate(pyrate.GCRA(), rate), burst)


def aiolimiter_token_bucket(rng: random.Random) -> Pair:
    capacity, period = rng.choice([1, 2, 4, 8]), rng.choice([0.5, 1, 2, 4])
    return Pair(
        TokenBucket(capacity, Fraction(capacity) / Fraction(period)),
        of_aiolimiter(capacity, period),
        capacity,
    )


def aiolimiter_leaky_bucket(rng: random.Random) -> Pair:
    places, period = rng.choice([1, 2, 4, 8]), rng.choice([0.5, 1, 2, 4])
    return Pair(
        LeakyBucket(places, Fraction(places) / Fraction(period)), of_aiolimiter(places, period), largest=1
    )


PAIRS: list[Callable[[random.Random], Pair]] = [
    limits_fixed_window,
    limits_moving_window,
    limits_sliding_counter,
    pyrate_sliding_log,
    pyrate_two_sliding_logs,
    pyrate_fixed_window,
    pyrate_token_bucket,
    pyrate_gcra_of_odd_rates,
    aiolimiter_token_bucket,
    aiolimiter_leaky_bucket,
]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.__name__)
def test_on_thousands_of_requests_the_same_ones_pass(pair: Callable[[random.Random], Pair]) -> None:
    rng = random.Random(pair.__name__)
    counts = {True: 0, False: 0}
    for _ in range(300):
        limiters = pair(rng)
        times = sorted(rng.randint(0, 160) * GRID for _ in range(rng.randint(1, 80)))
        largest = rng.choice([1, limiters.largest])
        costs = [rng.randint(1, largest) for _ in times]

        theirs = limiters.theirs([float(t) for t in times], costs)
        ours = simulate(limiters.ours, times, costs if largest > 1 else None).admitted

        assert theirs == ours, (limiters.ours, times, costs)
        for admitted in ours:
            counts[admitted] += 1
    assert sum(counts.values()) > 10_000
    assert min(counts.values()) > 1_000
