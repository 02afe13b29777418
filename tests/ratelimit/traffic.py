"""Limiters and traffic for tests: small numbers on a coarse grid, so that boundaries are hit often."""

from __future__ import annotations

import random
from fractions import Fraction

from hypothesis import strategies as st

from hook_widgets.ratelimit import (
    Concurrency,
    FixedWindow,
    Gcra,
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
            return TokenBucket(capacity, pick(RATES), pick([None, Fraction(0), capacity, capacity / 3]))
        case "gcra":
            return Gcra(1 / pick(RATES), Fraction(pick(["0", "1/10", "1/3", "1", "2"])))
        case "leaky bucket":
            return LeakyBucket(
                pick(LIMITS),
                pick(RATES),
                pick(["service", "immediate", "clock"]),
                pick(["departure_first", "arrival_first"]),
            )
        case "fixed window":
            return FixedWindow(pick(LIMITS), pick(WINDOWS), pick(["clock", "first"]))
        case "sliding log":
            return SlidingLog(pick(LIMITS), pick(WINDOWS), pick(["open", "closed"]), pick([False, True]))
        case "sliding counter":
            return SlidingCounter(
                pick(LIMITS), pick(WINDOWS), pick(["lt", "le_plus_one"]), pick([False, True])
            )
        case "concurrency":
            return Concurrency(pick(LIMITS))
        case "layers":
            kinds = ["token bucket", "leaky bucket", "fixed window", "sliding log", "sliding counter", "gcra"]
            return Layers(*(any_of(rng, pick(kinds)) for _ in range(rng.randint(2, 3))))
    raise LookupError(kind)


SINGLE = ["token bucket", "gcra", "leaky bucket", "fixed window", "sliding log", "sliding counter"]
KINDS = [*SINGLE, "concurrency", "layers"]


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
