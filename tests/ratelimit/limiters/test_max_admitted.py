"""Test `max_admitted` against an adversary that tries everything: it gets exactly as much through."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit import (
    Arrivals,
    Concurrency,
    FixedWindow,
    Gcra,
    HoldOff,
    Layers,
    LeakyBucket,
    SlidingCounter,
    SlidingLog,
    TokenBucket,
    simulate,
)
from tests.support.extent import some

NS = Fraction(1, 10**9)
HORIZON = 8
"""Moments, one nanosecond apart, at which the adversary sends nothing, one request, or more than can pass."""

EVERY = {n: Fraction(10**9, n) for n in (1, 2, 3, 4)}
"""One request every n nanoseconds."""

SMALL = [
    TokenBucket(1, EVERY[2]),
    TokenBucket(2, EVERY[3]),
    TokenBucket(Fraction(5, 2), EVERY[2]),
    TokenBucket(Fraction(1, 2), EVERY[2]),
    TokenBucket(3, Fraction(3 * 10**9, 4)),
    Gcra(3 * NS, 4 * NS),
    LeakyBucket(2, EVERY[3]),
    LeakyBucket(2, EVERY[3], tie="arrival_first"),
    LeakyBucket(1, EVERY[3], "immediate"),
    LeakyBucket(1, EVERY[3], "immediate", "arrival_first"),
    LeakyBucket(2, EVERY[3], "clock"),
    LeakyBucket(2, EVERY[3], "clock", "arrival_first"),
    LeakyBucket(0, EVERY[3]),
    FixedWindow(2, 3 * NS),
    FixedWindow(2, 3 * NS, "first"),
    FixedWindow(3, 2 * NS, "first"),
    FixedWindow(0, 2 * NS, "first"),
    FixedWindow(2, 3 * NS, "renewed"),
    FixedWindow(3, 2 * NS, "renewed"),
    SlidingLog(2, 3 * NS),
    SlidingLog(2, 3 * NS, "closed"),
    SlidingLog(2, 3 * NS, count_rejected=True),
    SlidingCounter(2, 3 * NS),
    SlidingCounter(3, 4 * NS),
    SlidingCounter(3, 3 * NS, "le_plus_one"),
    SlidingCounter(2, 2 * NS, "le_plus_one"),
    SlidingCounter(1, 2 * NS, "le_plus_one"),
    SlidingCounter(0, 2 * NS),
    FixedWindow(2, 3 * NS, phase_s=2 * NS),
    SlidingCounter(2, 3 * NS, phase_s=1 * NS),
    SlidingCounter(2, 2 * NS, "le_plus_one", align="first"),
    SlidingCounter(1, 2 * NS, "le_plus_one", align="first"),
    TokenBucket(2, EVERY[3], refill_every_s=3 * NS),
    TokenBucket(2, 3 * EVERY[2], refill_every_s=2 * NS),
    TokenBucket(3, 2 * EVERY[3], refill_every_s=3 * NS),
    HoldOff(FixedWindow(1, 3 * NS), 5 * NS),
]


def attacks() -> Iterator[Arrivals]:
    """Return everything that the adversary can send, up to more than any limiter admits at once."""
    for plan in product((0, 1, 4), repeat=HORIZON):
        yield Arrivals(tuple(ns for ns, count in enumerate(plan) for _ in range(count)))


@pytest.fixture(scope="module")
def all_attacks() -> list[Arrivals]:
    return list(attacks())


def worst(limiter, attacks: list[Arrivals], longest: int) -> list[int]:
    """Return the most that passed within 0, 1, ... `longest` nanoseconds from the first to the last."""
    most = [0] * (longest + 1)
    for attack in attacks:
        passed = [t for t, ok in zip(attack.times_ns, simulate(limiter, attack).admitted, strict=True) if ok]
        for span in range(longest + 1):
            begin = 0
            for end, t in enumerate(passed):
                while passed[begin] < t - span:
                    begin += 1
                most[span] = max(most[span], end - begin + 1)
    return most


@pytest.mark.parametrize("limiter", some(SMALL, 9), ids=repr)
def test_the_adversary_gets_exactly_the_most_in_any_window_through(limiter, all_attacks):
    most = worst(limiter, all_attacks, 5)

    assert most[1:] == [limiter.max_admitted(span * NS, closed=True) for span in range(1, 6)]
    assert most == [limiter.max_admitted((span + 1) * NS) for span in range(6)]


@pytest.mark.parametrize(
    ("limit", "window", "rule"),
    [(1, 2, "le_plus_one"), (2, 3, "lt"), (2, 3, "le_plus_one"), (3, 3, "le_plus_one")],
)
def test_the_adversary_may_begin_the_windows_of_a_sliding_counter_long_before(
    limit, window, rule, all_attacks
):
    counter = SlidingCounter(limit, window * NS, rule, align="first")
    after_one = [Arrivals((0, *(t + window for t in attack.times_ns))) for attack in all_attacks]

    most = map(max, worst(counter, all_attacks, 5), worst(counter, after_one, 5))

    assert list(most) == [counter.max_admitted((span + 1) * NS) for span in range(6)]


@pytest.mark.parametrize(
    ("limiter", "in_a_window", "in_a_part"),
    [
        (TokenBucket(10, Fraction(10, 8)), 19, 10),
        (LeakyBucket(10, Fraction(10, 8)), 19, 10),
        (FixedWindow(10, 8), 20, 20),
        (FixedWindow(10, 8, "first"), 19, 19),
        (SlidingLog(10, 8), 10, 10),
        (SlidingCounter(10, 8), 20, 11),
    ],
    ids=repr,
)
def test_ten_in_eight_seconds_means_something_else_to_each(limiter, in_a_window, in_a_part):
    assert (in_a_window, in_a_part) == (limiter.max_admitted(8), limiter.max_admitted(Fraction(8, 32)))


def test_a_sliding_counter_lets_ten_late_and_ten_spread_requests_through_within_a_window():
    late, spread = [Fraction("7.999999999")] * 10, [8 + k * Fraction(8, 10) + NS for k in range(10)]

    run = simulate(SlidingCounter(10, 8), [*late, *spread])

    assert [True] * 20 == run.admitted
    assert spread[-1] - late[0] < 8


def test_layers_admit_at_most_what_their_tightest_allows():
    both = Layers(TokenBucket(10, 5), FixedWindow(12, 60), Concurrency(3))

    assert (14, 24) == (both.max_admitted(1), both.max_admitted("1 min"))


def test_a_concurrency_limit_bounds_a_window_only_with_a_service_time():
    with pytest.raises(InvalidLimit, match="give service_s"):
        Concurrency(5).max_admitted(1)
    with pytest.raises(InvalidLimit, match="add a limit that counts time"):
        Layers(Concurrency(5)).max_admitted(1)

    assert (20, 25) == (
        Concurrency(5).max_admitted(1, service_s="250 ms"),
        Concurrency(5).max_admitted(1, closed=True, service_s="250 ms"),
    )


def test_nominal_is_the_rate_in_the_long_run():
    assert [Fraction(2), Fraction(2), Fraction(2), Fraction(1, 6), Fraction(2), None, Fraction(2)] == [
        TokenBucket(5, 2).sustained_rate,
        LeakyBucket(5, 2).sustained_rate,
        Gcra(0.5, 0).sustained_rate,
        FixedWindow(10, "1 min").sustained_rate,
        SlidingLog(10, 5).sustained_rate,
        Concurrency(5).sustained_rate,
        Layers(TokenBucket(5, 2), SlidingLog(300, 60), Concurrency(1)).sustained_rate,
    ]
    assert 0 == TokenBucket(0.5, 2).sustained_rate == LeakyBucket(0, 2).sustained_rate


@pytest.mark.parametrize("window", [0, -1, "soon", float("nan")])
@pytest.mark.parametrize("limiter", [SMALL[0], SMALL[13], Layers(SMALL[0])], ids=repr)
def test_a_window_that_is_no_time_is_rejected(limiter, window):
    with pytest.raises(InvalidLimit, match="window_s"):
        limiter.max_admitted(window)
