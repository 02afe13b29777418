"""Limiters and traffic for tests: small numbers on a coarse grid, so that boundaries are hit often."""

from __future__ import annotations

import random
from fractions import Fraction

from hypothesis import strategies as st

from hook_widgets.ratelimit import (
    Concurrency,
    FixedWindow,
    Gcra,
    HoldOff,
    Layers,
    LeakyBucket,
    SlidingCounter,
    SlidingLog,
    TokenBucket,
)

GRID = Fraction(1, 10)
NS = Fraction(1, 10**9)
RATES = [Fraction(text) for text in ("1", "2", "5/2", "5", "10", "10/3", "7")]
WINDOWS = [Fraction(text) for text in ("1/10", "1/2", "1", "3/2", "2/3")]
LIMITS = [0, 1, 2, 3, 5]


def any_of(rng: random.Random, kind: str):
    """Return a limiter of a kind with random numbers."""
    pick = rng.choice
    match kind:
        case "token bucket":
            capacity = Fraction(pick(["0", "1/2", "1", "2", "5/2", "3", "5"]))
            if capacity.denominator == 1 and rng.random() < 0.3:
                step = pick(WINDOWS)
                return TokenBucket(
                    capacity, pick([1, 2, 5]) / step, pick([None, "empty"]), refill_every_s=step
                )
            return TokenBucket(capacity, pick(RATES), pick([None, Fraction(0), capacity, capacity / 3]))
        case "gcra":
            tolerance = Fraction(pick(["0", "1/10", "1/3", "1", "2"]))
            return Gcra(1 / pick(RATES), tolerance, pick([None, None, "empty", 1]))
        case "leaky bucket":
            start = pick(["service", "immediate", "clock"])
            return LeakyBucket(
                pick(LIMITS),
                pick(RATES),
                start,
                pick(["departure_first", "arrival_first"]),
                undelayed=pick([0, 0, 1, 3]) if start == "immediate" else 0,
            )
        case "fixed window":
            window = pick(WINDOWS)
            if rng.random() < 0.2:
                return FixedWindow(pick(LIMITS), window, "renewed")
            return FixedWindow(pick(LIMITS), window, **alignment(rng, window))
        case "sliding log":
            return SlidingLog(pick(LIMITS), pick(WINDOWS), pick(["open", "closed"]), pick([False, True]))
        case "sliding counter":
            window, rule, counting = pick(WINDOWS), pick(["lt", "le_plus_one"]), pick([False, True])
            return SlidingCounter(pick(LIMITS), window, rule, counting, **alignment(rng, window))
        case "hold-off":
            while True:
                limit = any_of(rng, pick(SINGLE))
                if not getattr(limit, "count_rejected", False):
                    return HoldOff(limit, pick(WINDOWS))
        case "concurrency":
            return Concurrency(pick(LIMITS))
        case "layers":
            kinds = ["token bucket", "leaky bucket", "fixed window", "sliding log", "sliding counter", "gcra"]
            return Layers(*(any_of(rng, pick(kinds)) for _ in range(rng.randint(2, 3))))
    raise LookupError(kind)


def alignment(rng: random.Random, window: Fraction) -> dict:
    """Return the arguments that say where windows begin."""
    align = rng.choice(["clock", "clock", "first"])
    return {"align": align, "phase_s": rng.choice([0, window / 3, window / 2]) if align == "clock" else 0}


SINGLE = ["token bucket", "gcra", "leaky bucket", "fixed window", "sliding log", "sliding counter"]
KINDS = [*SINGLE, "hold-off", "concurrency", "layers"]


def any_times(rng: random.Random, most: int = 24) -> list[Fraction]:
    """Return sorted times on the grid, many of them equal, some a nanosecond off."""
    beside = [Fraction(0)] * 3 + [NS, -NS]
    return sorted(abs(rng.randint(0, 30) * GRID + rng.choice(beside)) for _ in range(rng.randint(0, most)))


def limiters(*kinds: str):
    """Return a strategy for limiters of these kinds."""
    return st.builds(any_of, st.randoms(use_true_random=False), st.sampled_from(kinds))


def times(most: int = 24):
    """Return a strategy for sorted times on the grid."""
    return st.lists(st.integers(0, 30).map(lambda k: k * GRID), max_size=most).map(sorted)
