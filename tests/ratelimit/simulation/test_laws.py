"""Test properties that hold for every run."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.ratelimit import (
    Arrivals,
    Concurrency,
    FixedWindow,
    Gcra,
    HoldOff,
    Layers,
    LeakyBucket,
    Run,
    SlidingCounter,
    SlidingLog,
    TokenBucket,
    simulate,
)
from tests.ratelimit.random_traffic import GRID, KINDS, NS, RATES, WINDOWS, any_of, any_times, limiters, times


def run_of(limiter, at, service_s=Fraction(1, 4)) -> Run:
    in_flight = any(isinstance(layer, Concurrency) for layer in limiter.layers)
    return simulate(limiter, at, service_s=service_s if in_flight else None)


def slowed(limiter, factor: Fraction):
    """Return the same limiter with all times `factor` times as long."""
    match limiter:
        case TokenBucket():
            every = limiter.refill_every_s and limiter.refill_every_s * factor
            return replace(limiter, refill_rate=limiter.refill_rate / factor, refill_every_s=every)
        case Gcra():
            return replace(
                limiter,
                emission_interval_s=limiter.emission_interval_s * factor,
                tolerance_s=limiter.tolerance_s * factor,
            )
        case LeakyBucket():
            return replace(limiter, drain_rate=limiter.drain_rate / factor)
        case FixedWindow() | SlidingCounter():
            return replace(limiter, window_s=limiter.window_s * factor, phase_s=limiter.phase_s * factor)
        case HoldOff():
            return HoldOff(slowed(limiter.limit, factor), limiter.hold_s * factor)
        case SlidingLog():
            return SlidingLog(limiter.limit, limiter.window_s * factor, limiter.edge, limiter.count_rejected)
        case Concurrency():
            return limiter
        case Layers():
            return Layers(*(slowed(layer, factor) for layer in limiter.limits))
    raise TypeError(limiter)


@given(limiters(*KINDS), times(40))
def test_every_request_is_admitted_or_rejected_by_a_named_limit_and_never_both(limiter, at):
    run = run_of(limiter, at)
    summary = run.summary()

    assert len(at) == len(run.admitted) == len(run.limited_by) == len(run.wait_s)
    assert (
        run.admitted == [name is None for name in run.limited_by] == [wait is not None for wait in run.wait_s]
    )
    assert len(at) == summary.offered == summary.admitted + summary.rejected
    assert summary.rejected == sum(count for _, count in summary.limited_by)


@given(limiters(*KINDS), times(40), st.integers(0, 40))
def test_what_comes_later_changes_nothing_before(limiter, at, cut):
    complete, part = run_of(limiter, at), run_of(limiter, at[:cut])

    assert complete.admitted[:cut] == part.admitted
    assert complete.wait_s[:cut] == part.wait_s
    assert complete.limited_by[:cut] == part.limited_by


@given(limiters(*KINDS), times(40), st.sampled_from([3, 7, 3600]))
def test_a_slower_clock_changes_nothing_but_the_waits(limiter, at, factor):
    run = run_of(limiter, at)

    slow = run_of(slowed(limiter, Fraction(factor)), [t * factor for t in at], Fraction(factor, 4))

    assert run.admitted == slow.admitted
    assert [w if w is None else pytest.approx(w * factor) for w in run.wait_s] == slow.wait_s


@given(times(40), st.sampled_from(RATES), st.sampled_from(WINDOWS), st.integers(1, 5), st.integers(2, 9))
def test_a_limit_in_another_unit_of_cost_decides_the_same(at, rate, window, limit, unit):
    for one, many in (
        (TokenBucket(limit, rate), TokenBucket(limit * unit, rate * unit)),
        (FixedWindow(limit, window), FixedWindow(limit * unit, window)),
        (SlidingLog(limit, window), SlidingLog(limit * unit, window)),
        (SlidingCounter(limit, window, "le_plus_one"), SlidingCounter(limit * unit, window, "le_plus_one")),
    ):
        assert simulate(one, at).admitted == simulate(many, at, [unit] * len(at)).admitted


@given(
    limiters("token bucket", "gcra", "fixed window", "sliding log", "sliding counter"), times(30), st.data()
)
def test_a_request_passes_if_as_many_of_cost_one_would_pass_at_once(limiter, at, data):
    most = limiter._max_cost
    if not most or not at:
        return
    cost = data.draw(st.integers(1, most))

    alone = simulate(limiter, at, [1] * (len(at) - 1) + [cost]).admitted[-1]
    one_by_one = simulate(limiter, at[:-1] + at[-1:] * cost).admitted[-cost:]

    assert alone == all(one_by_one)


@given(times(60), st.sampled_from(RATES), st.sampled_from(RATES), st.integers(0, 6), st.integers(0, 3))
def test_a_larger_or_faster_bucket_never_admits_fewer(at, one, other, capacity, more):
    slow, fast = sorted([one, other])
    for kind in (TokenBucket, LeakyBucket):
        assert sum(simulate(kind(capacity, slow), at).admitted) <= sum(
            simulate(kind(capacity + more, fast), at).admitted
        )


@given(times(60), st.sampled_from(WINDOWS), st.integers(0, 6), st.integers(0, 3))
def test_a_larger_window_limit_never_admits_fewer(at, window, limit, more):
    for kind in (FixedWindow, SlidingLog):
        assert sum(simulate(kind(limit, window), at).admitted) <= sum(
            simulate(kind(limit + more, window), at).admitted
        )


@given(
    limiters("token bucket", "gcra", "leaky bucket", "fixed window", "sliding log", "sliding counter"),
    times(40),
)
def test_no_window_of_a_run_holds_more_than_the_most(limiter, at):
    run = run_of(limiter, at)
    passed = [t for t, ok in zip(at, run.admitted, strict=True) if ok]
    for window in (GRID, Fraction(1), Fraction(3, 2)):
        for begin in passed:
            assert sum(begin <= t < begin + window for t in passed) <= limiter.max_admitted(window)
            assert sum(begin <= t <= begin + window for t in passed) <= limiter.max_admitted(
                window, closed=True
            )


@given(limiters("leaky bucket"), times(40))
def test_littles_law_the_mean_queue_is_the_rate_times_the_mean_wait(bucket, at):
    run = run_of(bucket, at)
    waits = [wait for wait in run.wait_s if wait is not None]
    left = [
        t + Fraction(wait).limit_denominator(10**6)
        for t, wait in zip(at, run.wait_s, strict=True)
        if wait is not None
    ]
    changes = sorted({*at, *left})

    area = sum(run.queue_depth(begin) * (end - begin) for begin, end in pairwise(changes))

    assert float(area) == pytest.approx(sum(waits))
    summary = run.summary()
    if summary.admitted_per_s and summary.wait_mean_s is not None:
        assert summary.mean_depth == pytest.approx(summary.admitted_per_s * summary.wait_mean_s)


@given(limiters("leaky bucket"), times(40))
def test_nobody_waits_longer_than_a_full_queue_takes(bucket, at):
    longest = run_of(bucket, at).summary().wait_max_s or 0

    assert longest <= float(bucket.queue_size / bucket.drain_rate)


@given(limiters("leaky bucket"), times(40))
def test_requests_leave_a_leaky_bucket_in_order_and_an_interval_apart(bucket, at):
    run = run_of(bucket, at)
    left = [float(t) + wait for t, wait in zip(at, run.wait_s, strict=True) if wait is not None]
    apart = 0 if bucket.undelayed else 1 / float(bucket.drain_rate)

    assert all(b - a > apart - 1e-6 for a, b in pairwise(left))


@given(limiters(*KINDS), times(30), st.integers(0, 35))
def test_tokens_say_whether_one_more_request_would_be_admitted(limiter, at, probe):
    """Just before a probe, one whole token (place, request) is left if and only if the probe passes."""
    t = probe * GRID + GRID / 2  # between the instants of the trace
    past = [s for s in at if s < t]
    run = run_of(limiter, past)

    probed = run_of(limiter, [*past, t])

    needed = [
        Fraction(1, 10**30)
        if getattr(getattr(layer, "limit", layer), "rule", getattr(layer, "rule", "")) == "lt"
        else 1
        for layer in limiter.layers
    ]  # a sliding counter goes by an estimate below the limit
    left = run.tokens_by_layer(t)
    assert probed.admitted[-1] == all(have >= need for have, need in zip(left, needed, strict=True))
    assert min(left) == run.tokens(t)


@pytest.mark.parametrize("kind", KINDS)
def test_a_client_that_waits_until_it_is_free_passes_and_a_nanosecond_earlier_it_does_not(kind):
    rng = random.Random(f"waiting at {kind}")
    waited = 0
    for _ in range(300):
        limiter, at = any_of(rng, kind), any_times(rng)
        bounds = [most for layer in limiter.layers if (most := layer._max_cost) is not None]
        cost = rng.randint(1, max(1, min(bounds))) if bounds else 1
        costs = [1] * len(at) if bounds and min(bounds) else None
        last = at[-1] if at else Fraction(0)

        def passes(t, limiter=limiter, at=at, costs=costs, cost=cost):
            in_flight = Fraction(1, 4) if isinstance(limiter, Concurrency) else None
            all_costs = None if costs is None else [*costs, cost]
            return simulate(limiter, [*at, t], all_costs, service_s=in_flight).admitted[-1]

        free_at = run_of(limiter, at).free_at(last, cost)

        if free_at is None:
            assert not passes(Fraction(10**6)), limiter
            continue
        on_time = Fraction(ceil(free_at * 10**9), 10**9)
        assert passes(on_time), (limiter, at, cost)
        if on_time > last:
            assert not passes(on_time - NS), (limiter, at, cost)
            waited += 1
    assert waited > 70


@given(limiters(*KINDS), times(30), st.integers(0, 30))
def test_when_a_request_would_be_free_does_not_depend_on_what_came_later(limiter, at, cut):
    t = cut * GRID

    assert run_of(limiter, [s for s in at if s <= t]).free_at(t) == run_of(limiter, at).free_at(t)


@given(limiters(*KINDS), times(30))
def test_the_same_run_twice_is_the_same(limiter, at):
    first, second = run_of(limiter, at), run_of(limiter, Arrivals.from_times(at))

    assert first.admitted == second.admitted
    assert first.summary() == second.summary()
