"""A scenario: what is entered becomes a limiter, traffic, a plan and simulations."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hook_widgets.errors import InvalidArrivals, InvalidLimit, LimitModelError
from hook_widgets.ratelimit import (
    Arrivals,
    Concurrency,
    FixedWindow,
    Layers,
    LeakyBucket,
    SlidingCounter,
    SlidingLog,
    TokenBucket,
    simulate,
)
from hook_widgets.ratelimit.planning.scenario import Algorithm, scenario


def test_each_algorithm_is_made_from_the_same_limit():
    found = scenario("600/min", burst_allowance=50)

    assert {
        Algorithm.TOKEN_BUCKET: TokenBucket(50, "10/s", name="default"),
        Algorithm.LEAKY_BUCKET: LeakyBucket(50, "10/s", name="default"),
        Algorithm.FIXED_WINDOW: FixedWindow(600, 60, name="default"),
        Algorithm.SLIDING_LOG: SlidingLog(600, 60, name="default"),
        Algorithm.SLIDING_COUNTER: SlidingCounter(600, 60, name="default"),
    } == {algorithm: found.limiter(algorithm) for algorithm in Algorithm}


def test_several_limits_hold_at_once_and_the_one_that_binds_has_the_bucket_that_was_entered():
    found = scenario({"burst": "10/s", "daily": "86400/day"}, burst_allowance=3)

    assert (
        Layers(TokenBucket(10, "10/s", name="burst"), TokenBucket(3, "1/s", name="daily")) == found.limiter()
    )


def test_a_bucket_whose_allowance_was_not_entered_holds_its_whole_quota():
    found = scenario({"account": "100/s", "endpoint": "25/s"})

    buckets = TokenBucket(100, "100/s", name="account"), TokenBucket(25, "25/s", name="endpoint")
    assert Layers(*buckets) == found.limiter()


def test_a_limit_on_requests_in_flight_is_one_more_layer():
    found = scenario("100/s", in_flight=2, latency_s=1, burst=5, duration_s=10)

    assert Concurrency(2, name="in flight") == found.limiter().layers[-1]
    assert (("in flight", 3),) == found.summary.limited_by


def test_all_algorithms_meet_the_very_same_requests():
    found = scenario("10/s", steady="12/s", seed=3)
    runs = found.all_runs

    assert list(Algorithm) == list(runs)
    for algorithm, run in runs.items():
        assert found.arrivals is run.arrivals
        assert simulate(found.limiter(algorithm), found.arrivals).admitted == run.admitted


def test_the_queue_sends_at_the_safe_rate_and_is_as_long_as_the_timeout_allows():
    found = scenario("10/s", cushion="20 %", burst=100, timeout_s=5)

    assert found.queue
    assert found.queue_summary
    assert LeakyBucket(40, "8/s", name="queue at the safe rate") == found.queue.limiter
    assert (60, 5.0) == (found.queue_summary.rejected, found.queue_summary.wait_max_s)


def test_a_queue_without_a_timeout_refuses_nothing():
    summary = scenario("10/s", burst=1000).queue_summary

    assert summary
    assert (0, 1000) == (summary.rejected, summary.peak_depth)


def test_a_timeout_that_leaves_no_time_to_wait_leaves_no_queue():
    assert None is scenario("1/min", burst=10, timeout_s=1).queue


@pytest.mark.parametrize(
    ("inputs", "expected_s"),
    [
        ({}, 120),  # two windows
        ({"steady": "1/s", "burst": 5, "burst_every_s": 30}, 60),  # two bursts
        ({"steady": "10000/s"}, 2),  # 20,000 requests at most
    ],
)
def test_the_run_is_as_long_as_it_takes_to_see_what_matters(inputs, expected_s):
    assert expected_s == scenario("100/min", **inputs).duration_s


def test_a_run_is_long_enough_for_one_burst():
    found = scenario("100/s", steady="18/s", burst=50_000, burst_every_s="1 min")

    assert 60 == found.duration_s
    assert found.summary.rejected


def test_one_burst_is_watched_until_it_is_worked_off():
    found = scenario("10/s", cushion=0, steady="5/s", burst=100, duration_s=None)

    assert found.duration_s > found.plan["burst_recover_s"].value == 20


def test_traffic_of_ones_own_may_be_empty():
    found = scenario("10/s", steady="5/s", arrivals=Arrivals(()))

    assert 0 == found.summary.offered


def test_traffic_of_ones_own_takes_the_place_of_what_is_entered():
    own = Arrivals.from_times([0, 1, 2.5])
    found = scenario("1/s", steady="100/s", arrivals=own)

    assert (own, Fraction(5, 2)) == (found.arrivals, found.duration_s)


@pytest.mark.parametrize(
    ("inputs", "field"),
    [
        ({"limit": "none"}, "limit"),
        ({"limit": "10/fortnight"}, "limit"),
        ({"cushion": "100 %"}, "cushion"),
        ({"cushion": "x"}, "cushion"),
        ({"limit": "1e400/s"}, "limit"),
        ({"in_flight": 0, "latency_s": 1}, "in_flight"),
        ({"weights": "web 1, web 2"}, "weights"),
        ({"limit": "1 per 1e30 s"}, "limit"),
        ({"capacity": 0}, "capacity"),
        ({"capacity": 10**16}, "capacity"),
        ({"steady": "1e-300/s"}, "steady"),
        ({"burst_window_s": "1e300 s"}, "burst_window_s"),
        ({"steady": "-1/s"}, "steady"),
        ({"burst": 2.5}, "burst"),
        ({"burst_window_s": "long"}, "burst_window_s"),
        ({"burst_every_s": 0}, "burst_every_s"),
        ({"clients": 0}, "clients"),
        ({"clients": 3, "weights": "1, 2"}, "clients"),
        ({"weights": "web, batch"}, "weights"),
        ({"concurrency": 2}, "latency_s"),
        ({"in_flight": 2}, "latency_s"),
        ({"latency_s": float("nan")}, "latency_s"),
        ({"timeout_s": ""}, "timeout_s"),
        ({"retries": "many"}, "retries"),
        ({"duration_s": "0 s"}, "duration_s"),
        ({"seed": -1}, "seed"),
        ({"algorithm": "token"}, "algorithm"),
        ({"pattern": "wild"}, "pattern"),
        ({"steady": "1000/s", "duration_s": "1 day"}, "duration_s"),
    ],
)
def test_what_cannot_be_names_its_input(inputs, field):
    with pytest.raises(LimitModelError) as caught:
        scenario(**({"limit": "100/s"} | inputs))

    assert isinstance(caught.value, InvalidLimit | InvalidArrivals)
    assert field == caught.value.field


def test_weights_may_be_written_as_one_text():
    found = scenario("100/s", cushion=0, weights="web 3, batch 1")

    shares = {share.name: share.rate_per_s for share in found.plan.budgets}
    assert {"web": Fraction(75), "batch": Fraction(25)} == shares
    assert ["client 1", "client 2"] == [s.name for s in scenario("1/s", weights="3, 1").plan.budgets]


def test_steady_traffic_of_zero_is_none():
    found = scenario("10/s", steady="0", burst=3)

    assert None is found.plan.inputs.steady
    assert 3 == len(found.arrivals)


def test_slow_traffic_is_watched_until_a_few_hundred_requests_have_come():
    # 500 come in 1,000 s on the average; the next shorter length that people use is ten minutes.
    assert 600 == scenario("1/s", steady="0.5/s").duration_s
