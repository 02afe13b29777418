from __future__ import annotations

import dataclasses
import pickle
import sys
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, cast

import pytest

from hook_widgets.errors import InvalidArrivals, InvalidLimit, LimitModelError
from hook_widgets.ratelimit import (
    Arrivals,
    Concurrency,
    FixedWindow,
    Gcra,
    HoldOff,
    Layers,
    LeakyBucket,
    Limiter,
    PerClient,
    Replicas,
    SlidingCounter,
    SlidingLog,
    Summary,
    TokenBucket,
    simulate,
)

EVERY = [
    TokenBucket(2.5, "10/min", 1),
    LeakyBucket(3, 2, "clock", "arrival_first"),
    FixedWindow(100, "1 min", "first", name="per user"),
    SlidingLog(100, 0.25, "closed", True),
    SlidingCounter(100, 60, "le_plus_one", True),
    Gcra("100 ms", Fraction(1, 3)),
    Concurrency(10),
    TokenBucket(4, 2, "empty", refill_every_s="0.5 s"),
    LeakyBucket(8, 2, "immediate", undelayed=3),
    FixedWindow(100, 60, phase_s="7 s"),
    SlidingCounter(100, 60, align="first"),
    Gcra(1, 2, 1),
    HoldOff(SlidingLog(5, 1), "10 min"),
    Replicas(3, FixedWindow(100, 60), "random", seed=4),
    Layers(TokenBucket(1, 1), Concurrency(3), name="both"),
]


# --- limiters -----------------------------------------------------------------------------------------------


def test_a_limiter_shows_the_call_that_makes_it():
    assert [
        "TokenBucket(capacity=2.5, refill_rate=Fraction(1, 6), initial=1)",
        "LeakyBucket(queue_size=3, drain_rate=2, start='clock', tie='arrival_first')",
        "FixedWindow(limit=100, window_s=60, align='first', name='per user')",
        "SlidingLog(limit=100, window_s=0.25, edge='closed', count_rejected=True)",
        "SlidingCounter(limit=100, window_s=60, rule='le_plus_one', count_rejected=True)",
        "Gcra(emission_interval_s=0.1, tolerance_s=Fraction(1, 3))",
        "Concurrency(limit=10)",
        "TokenBucket(capacity=4, refill_rate=2, initial=0, refill_every_s=0.5)",
        "LeakyBucket(queue_size=8, drain_rate=2, start='immediate', undelayed=3)",
        "FixedWindow(limit=100, window_s=60, phase_s=7)",
        "SlidingCounter(limit=100, window_s=60, align='first')",
        "Gcra(emission_interval_s=1, tolerance_s=2, initial=1)",
        "HoldOff(limit=SlidingLog(limit=5, window_s=1), hold_s=600)",
        (
            "Replicas(key='replica', limit=FixedWindow(limit=100, window_s=60), count=3, routing='random', "
            "seed=4, name='per replica')"
        ),
        "Layers(TokenBucket(capacity=1, refill_rate=1), Concurrency(limit=3), name='both')",
    ] == list(map(repr, EVERY))


@pytest.mark.parametrize("limiter", EVERY, ids=repr)
def test_a_limiter_is_a_value(limiter):
    assert limiter == eval(repr(limiter)) == pickle.loads(pickle.dumps(limiter))
    assert 1 == len({limiter, eval(repr(limiter))})
    with pytest.raises(dataclasses.FrozenInstanceError):
        limiter.name = "other"


def test_numbers_of_every_kind_make_the_same_limiter():
    assert TokenBucket(10, 0.1) == TokenBucket("10", Fraction(1, 10)) == TokenBucket(10.0, "6/min")
    assert dataclasses.replace(TokenBucket(1, 2), capacity=Fraction(5)) == TokenBucket(5, 2)


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: TokenBucket(-1, 1), "capacity is negative"),
        (lambda: TokenBucket(1, 0), "refill_rate is zero"),
        (lambda: TokenBucket(float("nan"), 1), "capacity is nan"),
        (lambda: TokenBucket(1, 1, initial=2), "initial is 2, more than the capacity of 1"),
        (lambda: LeakyBucket(1.5, 1), "queue_size must be a whole number"),
        (lambda: LeakyBucket(1, 1, "imediate"), "start is 'imediate'; did you mean 'immediate'"),
        (lambda: LeakyBucket(1, 1, tie="coin"), "tie is 'coin'; choose from: arrival_first, departure_first"),
        (lambda: FixedWindow(1, 0), "window_s is zero"),
        (lambda: FixedWindow(0.5, 1), "limit must be a whole number"),
        (lambda: FixedWindow(1, 1, "wall"), "align is 'wall'"),
        (lambda: SlidingLog(1, "1 parsec"), "'parsec' is no unit of time"),
        (lambda: SlidingLog(1, 1, "shut"), "edge is 'shut'"),
        (lambda: SlidingCounter(1, 1, "gt"), "rule is 'gt'"),
        (lambda: Gcra(0, 1), "emission_interval_s is zero"),
        (lambda: Gcra(1, -1), "tolerance_s is negative"),
        (lambda: Gcra(1, 1, 3), "initial is 3, more than the capacity of 2"),
        (lambda: TokenBucket(1, "half"), "refill_rate cannot be read"),
        (lambda: TokenBucket(1, 1, "low"), "initial cannot be read"),
        (
            lambda: TokenBucket(2.5, 2, refill_every_s=1),
            "adds whole tokens to a whole capacity, not 2 to 5/2",
        ),
        (lambda: TokenBucket(2, 2, refill_every_s=0.3), "not 3/5 to 2; choose another refill_every_s"),
        (lambda: LeakyBucket(3, 1, undelayed=1), "give start='immediate'"),
        (lambda: FixedWindow(3, 1, "first", "0.5 s"), "phase_s is given, but windows begin with requests"),
        (lambda: SlidingCounter(3, 1, phase_s=1), "phase_s is 1, a whole window or more"),
        (lambda: HoldOff(cast(Any, 5), 1), "limit is 5; give a single limit"),
        (lambda: HoldOff(cast(Any, Layers(TokenBucket(1, 1))), 1), "give a single limit"),
        (lambda: HoldOff(Concurrency(1), 1), "give a single limit"),
        (lambda: HoldOff(SlidingLog(1, 1, count_rejected=True), 1), "leave one out"),
        (lambda: HoldOff(TokenBucket(1, 1), 0), "hold_s is zero"),
        (lambda: Replicas(0, TokenBucket(1, 1)), "count is zero; give at least one replica"),
        (lambda: Replicas(2, TokenBucket(1, 1), "sticky"), "routing is 'sticky'"),
        (lambda: Replicas(2, PerClient("ip", TokenBucket(1, 1))), "give a limiter that is not PerClient"),
        (lambda: Concurrency("many"), "limit cannot be read"),
        (Layers, "there is no limiter"),
        (lambda: Layers(TokenBucket(1, 1), cast(Any, 5)), "a layer is a limiter, not int"),
    ],
)
def test_numbers_that_cannot_be_are_rejected(make, complaint):
    with pytest.raises(InvalidLimit, match=complaint):
        make()


def test_layers_within_layers_are_taken_apart():
    inner = Layers(TokenBucket(1, 1), Concurrency(2))

    assert (TokenBucket(1, 1), Concurrency(2), FixedWindow(1, 1)) == Layers(inner, FixedWindow(1, 1)).layers


def test_a_limiter_is_made_from_a_rate_in_words():
    assert [
        TokenBucket(100, "100/min"),
        LeakyBucket(20, "100/min"),
        FixedWindow(100, 60),
        SlidingLog(5, 0.25, name="calls"),
        SlidingCounter(72_000, 3600),
        TokenBucket(1, 0.5),
    ] == [
        Limiter.of("100/min"),
        Limiter.of("100/min", "leaky_bucket", burst=20),
        Limiter.of("100/min", "fixed_window"),
        Limiter.of("5 per 250 ms", "sliding_log", name="calls"),
        Limiter.of("72k/hour", "sliding_counter"),
        Limiter.of(0.5),
    ]


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: Limiter.of("often"), "limit cannot be read"),
        (
            lambda: Limiter.of("100/min", "fixed_windw"),
            "algorithm is 'fixed_windw'; did you mean 'fixed_window'",
        ),
        (lambda: Limiter.of("2.5/min", "sliding_log"), "limit must be a whole number"),
        (lambda: Limiter.of("5/min", "sliding_log", burst=3), "burst is for buckets, not for a sliding log"),
        (lambda: Limiter.of("5/min", burst=2.5), "burst must be a whole number"),
    ],
)
def test_a_rate_that_makes_no_limiter_is_rejected(make, complaint):
    with pytest.raises(InvalidLimit, match=complaint):
        make()


# --- the call -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: simulate(TokenBucket(1, 1), [1, 0]), "sort the times"),
        (lambda: simulate(TokenBucket(1, 1), [0, 1], [1]), "there are 2 arrivals and 1 costs"),
        (lambda: simulate(TokenBucket(2, 1), [0], [0]), r"costs\[0\] is zero"),
        (lambda: simulate(TokenBucket(2, 1), [0], [1.5]), r"costs\[0\] must be a whole number"),
        (
            lambda: simulate(TokenBucket(2, 1), [0, 1], [1, 3]),
            r"costs\[1\] is 3, .* never admits more than 2",
        ),
        (lambda: simulate(Layers(FixedWindow(9, 1), SlidingLog(4, 1)), [0], [5]), "never admits more than 4"),
        (lambda: simulate(Gcra(1, 1.5), [0], [3]), "never admits more than 2"),
        (lambda: simulate(LeakyBucket(9, 1), [0], [2]), "counts requests, not their cost; leave costs out"),
        (lambda: simulate(Concurrency(1), [0]), "give service_s"),
        (lambda: simulate(Layers(TokenBucket(1, 1), Concurrency(1)), [0]), "give service_s"),
        (lambda: simulate(Concurrency(1), [0], service_s=0), "service_s is zero"),
        (lambda: simulate(Concurrency(1), [0, 1], service_s=[1]), "there are 2 arrivals and 1 service times"),
        (lambda: simulate(Concurrency(1), [0], service_s=[-1]), "service time 0 is negative"),
        (lambda: simulate(TokenBucket(1, 1), [0], service_s=1), "leave service_s out"),
        (lambda: simulate(TokenBucket(1, 1), [0]).tokens(-1), "t is negative"),
        (lambda: simulate(TokenBucket(1, 1), [0]).queue_depth("soon"), "t cannot be read"),
    ],
)
def test_traffic_that_cannot_be_is_rejected(call, complaint):
    with pytest.raises(InvalidArrivals, match=complaint):
        call()


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        ("100/min", r"'100/min' is no limiter; write Limiter.of\('100/min'\)"),
        ([TokenBucket(1, 1), FixedWindow(1, 1)], r"several limits are not a list; write Layers\("),
        (Arrivals.steady(1, 1), "the arrivals are the second argument"),
        (TokenBucket, r"TokenBucket is a kind of limiter; give one, such as TokenBucket\("),
        (None, "the first argument is a limiter, not NoneType"),
    ],
)
def test_a_first_argument_that_is_no_limiter_is_explained(value, complaint):
    with pytest.raises(InvalidLimit, match=complaint):
        simulate(value, [0])


def test_no_traffic_is_a_run_of_nothing():
    summary = simulate(TokenBucket(1, 1), []).summary()

    assert (0, 0, 0.0, (), None, None) == (
        summary.offered,
        summary.admitted,
        summary.rejected_fraction,
        summary.limited_by,
        summary.utilisation,
        summary.wait_max_s,
    )


def test_service_times_may_differ():
    run = simulate(Concurrency(2), [0, 0, 0.5, 1], service_s=["2 s", 0.25, "1 s", 1])

    assert [True, True, True, False] == run.admitted
    assert [0.0, 0.0, 0.0, None] == run.wait_s


# --- what a run tells ---------------------------------------------------------------------------------------


def test_the_level_of_a_token_bucket_at_any_moment():
    run = simulate(TokenBucket(2, 1), [1, 1, 1, 2.5])

    assert [2, 0, Fraction(1, 2), Fraction(1, 2), 1, 2] == [run.tokens(t) for t in (0.5, 1, 1.5, 2.5, 3, 99)]
    assert [0, 0] == [run.queue_depth(t) for t in (1, 2)]


def test_a_bucket_that_starts_low_fills_up():
    assert [Fraction(1, 2), 1, 3] == [simulate(TokenBucket(3, 1, 0.5), []).tokens(t) for t in (0, 0.5, 9)]


def test_what_is_left_in_windows():
    at = [0.5, 0.5, 1.25]

    assert [3, 1, 2, 3] == [simulate(FixedWindow(3, 1), at).tokens(t) for t in (0, 0.75, 1.5, 2)]
    assert [3, 1, 1, 3, 3] == [
        simulate(FixedWindow(3, 1, "first"), at[:2]).tokens(t) for t in (0, 1, 1.4, 1.5, 9)
    ]
    assert [3, 1, 0, 2, 3] == [simulate(SlidingLog(3, 1), at).tokens(t) for t in (0, 1, 1.25, 1.5, 2.25)]
    assert [0, 2] == [simulate(SlidingLog(3, 1, "closed"), at).tokens(t) for t in (1.5, 1.75)]
    assert [1, Fraction(1, 2), Fraction(5, 4)] == [
        simulate(SlidingCounter(3, 1), at).tokens(t) for t in (0.5, 1.25, 1.625)
    ]


def test_what_is_left_when_rejected_requests_count_can_be_less_than_nothing():
    run = simulate(SlidingLog(1, 10, count_rejected=True), [0, 1, 2])

    assert -2 == run.tokens(3)


def test_the_queue_of_a_leaky_bucket_at_any_moment():
    at = [0, 0, 0.5, 0.5]

    assert [2, 3, 2, 1, 0] == [simulate(LeakyBucket(3, 1), at).queue_depth(t) for t in (0, 0.5, 1, 2, 3)]
    assert [1, 3, 2, 1, 0] == [
        simulate(LeakyBucket(3, 1, "immediate"), at).queue_depth(t) for t in (0, 0.5, 1, 2, 3)
    ]
    assert [1, 0, 1] == [simulate(LeakyBucket(3, 1), at).tokens(t) for t in (0, 0.5, 1)]


def test_layers_tell_the_least_that_is_left_and_the_longest_wait():
    run = simulate(Layers(LeakyBucket(5, 1), LeakyBucket(5, 2), TokenBucket(3, 1)), [0, 0])

    assert [1.0, 2.0] == run.wait_s
    assert [3, 3, 1] == list(run.tokens_by_layer(0))
    assert 1 == run.tokens(0)
    assert [2, 1, 0] == [run.queue_depth(t) for t in (0.9, 1, 2)]


def test_requests_in_flight_are_inside():
    run = simulate(Concurrency(2), [0, 0.5, 0.75], service_s=1)

    assert [1, 2, 1, 0] == [run.queue_depth(t) for t in (0, 0.5, 1, 1.5)]
    assert [1, 0, 1, 2] == [run.tokens(t) for t in (0, 0.5, 1, 1.5)]


def test_the_summary_of_a_small_queue():
    summary = simulate(LeakyBucket(3, 1, name="queue"), [0, 0, 0, 0, 1]).summary()

    assert summary == Summary(
        offered=5,
        admitted=4,
        rejected=1,
        rejected_fraction=0.2,
        limited_by=(("queue", 1),),
        span_s=4.0,
        offered_per_s=1.25,
        admitted_per_s=1.0,
        utilisation=1.0,
        wait_mean_s=2.25,
        wait_p50_s=2.0,
        wait_p95_s=3.0,
        wait_p99_s=3.0,
        wait_max_s=3.0,
        mean_depth=2.25,
        peak_depth=3,
    )


def test_a_percentile_is_a_wait_that_somebody_had():
    summary = simulate(LeakyBucket(10, 1), [0] * 10).summary()  # waits of 1 to 10 s

    assert (5.0, 10.0, 10.0, 10.0) == (
        summary.wait_p50_s,
        summary.wait_p95_s,
        summary.wait_p99_s,
        summary.wait_max_s,
    )


def test_the_99th_of_a_hundred_waits_is_not_the_longest():
    summary = simulate(LeakyBucket(200, 1), [0] * 200).summary()  # waits of 1 to 200 s

    assert (198.0, 200.0) == (summary.wait_p99_s, summary.wait_max_s)


def test_the_utilisation_counts_cost():
    assert 1.0 == simulate(TokenBucket(10, 5), [0, 2], [4, 6]).summary().utilisation


def test_limits_that_rejected_are_listed_by_how_often():
    both = Layers(TokenBucket(9, 1, name="user"), FixedWindow(1, 10, name="endpoint"))

    assert (("endpoint", 3),) == simulate(both, [0, 0, 1, 2]).summary().limited_by


def test_a_run_says_what_it_is():
    assert "<Run of TokenBucket(capacity=1, refill_rate=1): 1 of 2 admitted>" == repr(
        simulate(TokenBucket(1, 1), [0, 0])
    )


def test_a_frame_has_a_row_for_each_request(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=dict))

    frame = simulate(TokenBucket(2, 1), Arrivals.from_times([0, 0.5]), [2, 1]).to_frame()

    assert {
        "time_s": (0.0, 0.5),
        "cost": [2, 1],
        "admitted": [True, False],
        "wait_s": [0.0, None],
        "limited_by": [None, "TokenBucket(capacity=2, refill_rate=1)"],
    } == frame


def test_without_pandas_a_frame_says_what_to_do(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)

    with pytest.raises(LimitModelError, match="pip install pandas"):
        simulate(TokenBucket(2, 1), [0]).to_frame()
