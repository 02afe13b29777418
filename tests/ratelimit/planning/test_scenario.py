"""A scenario: what is entered becomes a limiter, traffic, a plan and simulations."""

from __future__ import annotations

from collections import Counter
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
from hook_widgets.ratelimit.limiters.algorithm import LimitAlgorithm
from hook_widgets.ratelimit.planning.inputs import ScenarioInputs, inputs_of
from hook_widgets.ratelimit.planning.plan import plan
from hook_widgets.ratelimit.planning.scenario import scenario
from hook_widgets.ratelimit.plotting.svg import draw_run_svg
from hook_widgets.ratelimit.plotting.view_model.words import describe_run


def test_each_algorithm_is_made_from_the_same_limit():
    planned = scenario("600/min", burst_allowance=50)

    assert {
        LimitAlgorithm.TOKEN_BUCKET: TokenBucket(50, "10/s", name="default"),
        LimitAlgorithm.LEAKY_BUCKET: LeakyBucket(50, "10/s", name="default"),
        LimitAlgorithm.FIXED_WINDOW: FixedWindow(600, 60, name="default"),
        LimitAlgorithm.SLIDING_LOG: SlidingLog(600, 60, name="default"),
        LimitAlgorithm.SLIDING_COUNTER: SlidingCounter(600, 60, name="default"),
    } == {algorithm: planned.limiter(algorithm) for algorithm in LimitAlgorithm}


def test_several_limits_hold_at_once_and_the_one_that_binds_has_the_bucket_that_was_entered():
    planned = scenario({"burst": "10/s", "daily": "86400/day"}, burst_allowance=3)

    assert (
        Layers(TokenBucket(10, "10/s", name="burst"), TokenBucket(3, "1/s", name="daily"))
        == planned.limiter()
    )


def test_a_bucket_whose_allowance_was_not_entered_holds_its_whole_quota():
    planned = scenario({"account": "100/s", "endpoint": "25/s"})

    buckets = TokenBucket(100, "100/s", name="account"), TokenBucket(25, "25/s", name="endpoint")
    assert Layers(*buckets) == planned.limiter()


def test_steady_traffic_reaches_the_api_as_fast_as_the_clients_can_send() -> None:
    """30 calls of 2 s: 15/s of the 60/s that come; the queue takes them as they come."""
    limited = scenario("1000/min", clients=3, latency_s=2, concurrency=10, steady="60/s", pattern="steady")

    assert (1_800, 0) == (limited.summary.offered, limited.summary.rejected)
    assert Fraction(9, 10) == limited.utilisation
    assert max(Counter(time // (2 * 10**9) for time in limited.arrivals.times_ns).values()) == 30
    assert limited.queue is not None
    assert 7_200 == len(limited.queue.arrivals) == len(limited.demand)


def test_traffic_of_ones_own_was_sent_as_it_is() -> None:
    log = Arrivals.from_times([0, 0, 0, 0.1])
    logged = scenario("1000/min", latency_s=2, concurrency=1, arrivals=log)

    assert log == logged.arrivals == logged.demand


def test_a_limit_on_requests_in_flight_is_one_more_layer():
    planned = scenario("100/s", in_flight=2, latency_s=1, burst=5, duration_s=10)

    assert Concurrency(2, name="in flight") == planned.limiter().layers[-1]
    assert (("in flight", 3),) == planned.summary.limited_by


def test_all_algorithms_meet_the_very_same_requests():
    planned = scenario("10/s", steady="12/s", seed=3)
    runs = planned.all_runs

    assert list(LimitAlgorithm) == list(runs)
    for algorithm, run in runs.items():
        assert planned.arrivals is run.arrivals
        assert simulate(planned.limiter(algorithm), planned.arrivals).admitted == run.admitted


def test_the_queue_sends_at_the_safe_rate_and_is_as_long_as_the_timeout_allows():
    planned = scenario("10/s", cushion="20%", burst=100, timeout_s=5)

    assert planned.queue
    assert planned.queue_summary
    queue = LeakyBucket(40, "8/s", "immediate", name="queue (preview, if throttled)")
    assert queue == planned.queue.limiter
    assert (59, 5.0) == (planned.queue_summary.rejected, planned.queue_summary.wait_max_s)


def test_a_queue_without_a_timeout_rejects_nothing():
    summary = scenario("10/s", burst=1000).queue_summary

    assert summary
    assert (0, 999) == (summary.rejected, summary.peak_depth)


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


@pytest.mark.parametrize("steady", ["104/min", "120/min", "171/min", "1000/min"])
def test_the_run_of_traffic_above_the_limit_shows_what_is_rejected(steady):
    planned = scenario("100/min", steady=steady)
    assert all(run.summary().rejected for run in planned.all_runs.values())


def test_a_run_is_long_enough_for_one_burst():
    planned = scenario("100/s", steady="18/s", burst=50_000, burst_every_s="1 min")

    assert 60 == planned.duration_s
    assert planned.summary.rejected


def test_one_burst_is_watched_until_it_is_worked_off():
    planned = scenario("10/s", cushion=0, steady="5/s", burst=100, duration_s=None)

    assert planned.duration_s > planned.plan["burst_recover_s"].value == 20


def test_traffic_of_ones_own_may_be_empty():
    planned = scenario("10/s", steady="5/s", arrivals=Arrivals(()))

    assert 0 == planned.summary.offered


def test_traffic_of_ones_own_takes_the_place_of_what_is_entered():
    own = Arrivals.from_times([0, 1, 2.5])
    planned = scenario("1/s", steady="100/s", arrivals=own)

    assert (own, Fraction(5, 2)) == (planned.arrivals, planned.duration_s)


@pytest.mark.parametrize(
    ("inputs", "field"),
    [
        ({"limit": "none"}, "limit"),
        ({"limit": "10/fortnight"}, "limit"),
        ({"cushion": "100%"}, "cushion"),
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
        ({"clients": 3, "weights": "1, 2"}, "weights"),
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
    planned = scenario("100/s", cushion=0, weights="web 3, batch 1")

    shares = {share.name: share.rate_per_s for share in planned.plan.budgets}
    assert {"web": Fraction(75), "batch": Fraction(25)} == shares
    assert ["client 1", "client 2"] == [s.name for s in scenario("1/s", weights="3, 1").plan.budgets]


def test_steady_traffic_of_zero_is_none():
    planned = scenario("10/s", steady="0", burst=3)

    assert None is planned.plan.inputs.steady
    assert 3 == len(planned.arrivals)


def test_slow_traffic_is_watched_until_a_few_hundred_requests_have_come():
    # 500 come in 1,000 s on the average; the next shorter length that people use is ten minutes.
    assert 600 == scenario("1/s", steady="0.5/s").duration_s


def test_the_lane_of_the_queue_is_a_preview_because_the_run_is_sent_without_a_throttle():
    computed = scenario("10/s", burst=100)
    words = describe_run({"": computed.run}, until_s=20, queued=computed.queue)

    assert "a queue (preview, if throttled) would hold at most 99" in words
    assert "Queue (preview, if throttled)" in draw_run_svg(
        {"": computed.run}, until_s=20, queued=computed.queue
    )


@pytest.mark.parametrize(
    ("preset", "expected"),
    [
        ("aws-api-gateway", TokenBucket(5000, "10000/s", name="account")),
        ("shopify-rest", TokenBucket(40, "2/s", name="per app and store")),
        ("github-anonymous", FixedWindow(60, 3600, name="per IP address")),
        ("hubspot-professional", None),
    ],
)
def test_a_preset_is_counted_as_its_vendor_publishes(preset, expected):
    planned = scenario(preset)

    assert expected == (planned.algorithm and planned.limiter())


def test_requests_in_flight_of_a_preset_that_lack_a_latency_are_named_as_not_counted():
    """GitHub allows 100 at a time, so a burst of 200 at once does not pass, whatever the latency."""
    without = plan("github-user", burst=200).advice[0].text

    assert without.endswith(
        "The limit of 100 requests in flight is not counted: enter the latency of a call."
    )
    assert "not counted" not in plan("github-user", burst=200, latency_s=0.25).advice[0].text
    assert "rejects 100" in plan("github-user", burst=200, latency_s=0.25).advice[0].text
    assert "not counted" not in plan("stripe-live", burst=200).advice[0].text


def test_a_throttle_keeps_within_the_requests_in_flight_of_a_preset_also_without_a_latency():
    """At 4250/h a token comes each 847 ms: of a throttle of 100, none is in flight with the 101st before."""
    actions = [each.text for each in plan("github-user", burst=200).advice]

    assert (
        "Throttle calls at 4,250/h, one call every 848 ms, capacity 100: the API then rejects nothing, "
        "whatever its algorithm, as long as no call takes longer than 840 ms. In case some take longer, "
        "also cap the calls in flight at 100."
    ) in actions
    # The throttle of the advice, before GitHub's 100 requests at a time, with calls as long as it says.
    asked = Arrivals((0,) * 200)
    passed = simulate(TokenBucket(100, "4250/hour"), asked)
    sent = Arrivals.from_times([*([0] * sum(passed.admitted)), *(3600 / 4250 * k for k in range(1, 50))])
    for latency_s, rejected in ((0.84, 0), (0.85, 1)):
        assert rejected == simulate(Concurrency(100), sent, service_s=latency_s).summary().rejected
    over = str(plan("github-user", burst=200, capacity=150))
    assert "can exceed what the API admits (150 calls in flight at a time): use at most 100" in over


def test_a_burst_within_the_published_quotas_of_a_preset_is_not_rejected():
    planned = scenario("github-user", steady="700/hour", burst=200)

    assert 0 == planned.summary.rejected
    assert (0, 0) == scenario("hubspot-professional", steady="10/s", burst=20).rejected_range


def test_what_is_omitted_is_what_the_help_text_says():
    planned = scenario(
        {"hourly": "1000/hour", "users": "900/hour per user", "ips": "800/hour per ip"},
        clients=4, steady="100/hour", burst=2_000, duration_s="1 day",
    )  # fmt: skip
    said = {
        name: entry.help.partition("If omitted: ")[2] for name, entry in inputs_of(ScenarioInputs).items()
    }
    inputs, computed = planned.inputs, planned.planned

    assert "the whole quota, such as 1,000 of 1000/hour." == said["burst_allowance"]
    assert "what the traffic needs, but never more than the API always admits." == said["capacity"]
    assert [1000, 150] == [int(computed[name]) for name in ("burst_allowance", "capacity")]
    assert ("as many as clients.", "as many as clients.", "1.") == (
        said["users"], said["ips"], said["endpoints"],
    )  # fmt: skip
    assert (4, 4, 1) == (inputs.keys("user"), inputs.keys("ip"), inputs.keys("endpoint"))
    assert ("all have the same.", Fraction(1, 4)) == (said["busiest_share"], computed["busiest_share"])
    at_once = [number for number in Counter(planned.arrivals.times_ns).values() if number > 1]
    assert ("a single burst.", [2_000]) == (said["burst_every_s"], at_once)
    assert "long enough for two windows, two bursts, or one burst until it is drained." == said["duration_s"]
    assert 2 * 3600 == scenario("1000/hour").duration_s
    assert 2 * 60 == scenario("1000/hour", burst=5, burst_every_s="1 min").duration_s
    single = scenario("1000/hour", steady="500/hour", burst=50, duration_s=None)
    assert single.duration_s >= single.plan["burst_recover_s"].value
    explained = {name for name, text in said.items() if text}
    assert explained == {"burst_allowance", "capacity", "users", "ips", "endpoints", "busiest_share",
                         "burst_every_s", "duration_s"}  # fmt: skip


def test_a_leaky_bucket_as_a_meter_lets_nothing_wait():
    """Shopify answers 429 or serves at once."""
    summary = scenario("shopify-rest", steady="1/s", burst=40, pattern="steady").run.summary()

    assert 0 == summary.wait_max_s
