"""Compare the curves of plots with the exact levels of the run."""

from __future__ import annotations

import random
from itertools import accumulate, pairwise

import pytest
from hypothesis import given
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
    simulate,
)
from hook_widgets.ratelimit.plotting.view_model.view import build_view
from hook_widgets.ratelimit.simulation.series import Curve, histogram, level, limit, queue, windows

LIMITERS = {
    "token bucket": TokenBucket(5, 3),
    "token bucket, begun empty": TokenBucket(5, "1/s", 0),
    "token bucket of thirds": TokenBucket("2.5", "100/min"),
    "gcra": Gcra("250 ms", "700 ms"),
    "leaky bucket": LeakyBucket(4, 3),
    "leaky bucket, at once": LeakyBucket(4, 3, "immediate"),
    "leaky bucket on a clock": LeakyBucket(4, 3, "clock", "arrival_first"),
    "fixed window": FixedWindow(6, 2),
    "fixed window from the first": FixedWindow(6, 2, "first"),
    "sliding log": SlidingLog(6, 2),
    "sliding log, closed": SlidingLog(6, 2, "closed"),
    "sliding log of all": SlidingLog(6, 2, count_rejected=True),
    "sliding counter": SlidingCounter(6, 2),
    "token bucket in steps": TokenBucket(5, 3, 1, refill_every_s="2 s"),
    "leaky bucket, three at once": LeakyBucket(4, 3, "immediate", undelayed=3),
    "fixed window with a phase": FixedWindow(6, 2, phase_s="0.5 s"),
    "sliding counter with a phase": SlidingCounter(6, 2, phase_s="1.5 s"),
    "sliding counter from the first": SlidingCounter(6, 2, align="first"),
    "held off": HoldOff(TokenBucket(5, 3), "2 s"),
    "held off in windows": HoldOff(SlidingLog(5, 3), "1.5 s"),
    "sliding counter of all": SlidingCounter(6, 2, "le_plus_one", count_rejected=True),
}
times = st.lists(st.integers(0, 40), max_size=40).map(lambda ticks: [tick / 8 for tick in sorted(ticks)])
nanoseconds = st.integers(0, 12 * 10**9).map(lambda ns: ns / 1e9)  # a run knows no finer moments


@pytest.mark.parametrize(
    ("arrivals", "levels"),
    [
        # Two are admitted at 0 and three at 0.125, and then a rejection holds all off for 1.5 s.
        ([0, 0, 0.125, 0.125, 0.125, 0.125], {0.1: 3, 0.2: 0, 1.6: 0, 1.7: 0, 3.1: 2}),
        # The second hold-off begins at the instant at which the first ends, at 4.125.
        ([0, 0, 0, 0.125, 1.25, 2.625, 4.125, 4.125, 4.125, 4.125, 4.125], {2.7: 0, 4.2: 0, 6: 1}),
    ],
)
def test_a_level_does_not_fall_before_a_hold_off_begins(arrivals, levels):
    curve = level(simulate(LIMITERS["held off in windows"], arrivals), 0, 12.0)

    assert levels == {t: curve.at(t) for t in levels}


@pytest.mark.parametrize("limiter", LIMITERS.values(), ids=LIMITERS)
@given(arrivals=times, moments=st.lists(nanoseconds, min_size=1, max_size=20))
def test_the_line_goes_through_the_level_at_every_moment(limiter, arrivals, moments):
    run = simulate(limiter, arrivals)
    curve = level(run, 0, 12.0)

    drawn = [curve.at(t) for t in moments if t not in arrivals]

    assert drawn == pytest.approx([float(run.tokens(t)) for t in moments if t not in arrivals], abs=1e-6)


@pytest.mark.parametrize("limiter", LIMITERS.values(), ids=LIMITERS)
@given(arrivals=times)
def test_the_line_begins_at_the_start_ends_at_the_end_and_never_goes_back(limiter, arrivals):
    run = simulate(limiter, arrivals)

    for curve in (level(run, 0, 3.0), queue(run, 3.0)):
        assert (0.0, 3.0) == (curve.times[0], curve.times[-1])
        assert len(curve.times) == len(curve.values)
        assert all(a <= b for a, b in pairwise(curve.times))


@given(arrivals=times, moment=nanoseconds)
def test_each_of_several_limits_has_its_line_and_the_queue_is_that_of_the_run(arrivals, moment):
    both = Layers(LeakyBucket(3, 2), TokenBucket(4, 2), Concurrency(3))
    run = simulate(both, arrivals, service_s=0.7)
    if moment in arrivals:
        moment += 1e-3

    drawn = [level(run, k, 13.0).at(moment) for k in range(3)]

    assert drawn == pytest.approx([float(left) for left in run.tokens_by_layer(moment)], abs=1e-6)
    assert run.queue_depth(moment) == queue(run, 13.0).at(moment)


def test_the_estimate_of_a_sliding_counter_falls_until_the_end():
    curve = level(simulate(SlidingCounter(6, 2), [0, 0, 0]), 0, 3.0)

    assert [3, 3.75, 4.5] == [curve.at(t) for t in (2, 2.5, 3)]  # half of the window at 0 still counts at 3


def test_a_picture_shows_nothing_left_where_a_sliding_counter_admits_above_its_limit():
    run = simulate(SlidingCounter(1, 60), [59, 61])
    assert (True, True) == tuple(run.admitted)
    assert run.tokens(61) < 0  # 59/60 of the first still counts

    (drawn,) = build_view("", run, end_s=200.0, axis_s=200.0).levels

    # from 120 s on the second counts for less and less, until 180 s
    assert [0, 0, 0, 0.5, 1] == [drawn.curve.at(t) for t in (61, 90, 120, 150, 180)]


def test_a_curve_is_cut_where_it_crosses_zero():
    curve = Curve([0, 1, 3, 3, 4, 8], [1, -1, -1, 2, -2, 2])

    assert [1, 0, 0, 0, 2, 0, 0, 1] == [curve.from_zero().at(t) for t in (0, 0.5, 1, 2.9, 3, 3.5, 6, 7)]


def test_each_column_of_a_curve_that_begins_later_keeps_its_spike_and_its_dip():
    values = [{30: 9.0, 60: -9.0}.get(n % 100, 0.0) for n in range(1000)]
    thinned = Curve([100 + n / 1000 for n in range(1000)], values).thinned(10)

    assert (10, 10) == (thinned.values.count(9.0), thinned.values.count(-9.0))
    assert len(thinned.times) <= 40


def test_costs_are_taken_off():
    run = simulate(TokenBucket(10, 1), [0, 1], [4, 3])

    curve = level(run, 0, 2.0)

    assert ([0.0, 0.0, 0.0, 1.0, 1.0, 2.0], [10.0, 10.0, 6.0, 7.0, 4.0, 5.0]) == (curve.times, curve.values)


def test_a_jump_has_the_later_value():
    assert 3.0 == Curve([0.0, 1.0, 1.0, 2.0], [1.0, 1.0, 3.0, 3.0]).at(1.0)


@given(seed=st.integers(0), count=st.integers(500, 600), columns=st.integers(1, 50))
def test_thinning_keeps_each_columns_extremes_and_both_ends(seed, count, columns):
    numbers = random.Random(seed)
    values = [numbers.uniform(-100, 100) for _ in range(count)]
    curve = Curve([0.0, *accumulate(numbers.choice((0, 0.1, 1, 5)) for _ in values[1:])], values)
    thin = curve.thinned(columns)
    end = curve.times[-1]

    def extremes(line):
        inside: dict[int, tuple[float, float]] = {}
        for t, value in zip(line.times, line.values, strict=True):
            column = min(sum(t >= end * k / columns for k in range(1, columns)), columns - 1)
            low, high = inside.get(column, (value, value))
            inside[column] = (min(low, value), max(high, value))
        return inside

    assert extremes(curve) == extremes(thin)
    assert (values[0], values[-1]) == (thin.values[0], thin.values[-1])
    assert len(thin.times) <= 8 * columns


def test_a_spike_among_a_million_points_is_not_lost():
    values = [float(random.Random(1).randrange(5))] * 1_000_000
    values[123_456], values[654_321] = 99.0, -99.0

    thin = Curve([float(k) for k in range(1_000_000)], values).thinned(800)

    assert (99.0, -99.0) == (max(thin.values), min(thin.values))
    assert len(thin.times) <= 4 * 800


def test_windows_lie_on_the_clock_or_begin_with_a_request():
    clock, first = FixedWindow(5, 2), FixedWindow(5, 2, "first")
    arrivals = [0.5, 1, 7]

    assert [(0.0, 2.0), (2.0, 4.0), (4.0, 6.0)] == windows(simulate(clock, arrivals), 0, 5.0)
    assert [(0.5, 2.5), (7.0, 9.0)] == windows(simulate(first, arrivals), 0, 9.0)


def test_limits_without_a_beginning_have_no_windows():
    run = simulate(SlidingLog(5, 2), [0])

    assert [] == windows(run, 0, 9.0)


def test_a_bin_takes_in_its_beginning_and_not_its_end():
    assert [2, 1, 0, 1] == histogram([0, 9, 10, 30, 40], 10, 4)


def test_the_most_that_can_be_left():
    assert [5.0, 3.8, 5.0, 6.0, 6.0, 6.0, 3.0] == [
        limit(layer)
        for layer in (
            TokenBucket(5, 3),
            Gcra("250 ms", "700 ms"),
            LeakyBucket(4, 3, "immediate"),
            FixedWindow(6, 2),
            SlidingLog(6, 2),
            SlidingCounter(6, 2),
            Concurrency(3),
        )
    ]
