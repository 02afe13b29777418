"""Traffic as a person describes it: steady, with bursts on top."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit.traffic.arrivals import Arrivals
from hook_widgets.ratelimit.traffic.workload import MAX_REQUESTS, CallsInFlight, TrafficPattern, build_traffic

NS = 10**9


def arrivals_with(pattern: TrafficPattern = TrafficPattern.POISSON, **changes: Any) -> Arrivals:
    inputs: dict[str, Any] = {
        "rate_per_s": None,
        "burst": 0,
        "burst_window_s": Fraction(0),
        "burst_every_s": None,
        "duration_s": Fraction(100),
        "seed": 1,
    }
    return build_traffic(pattern, **(inputs | changes))


@pytest.mark.parametrize(
    ("calls", "latency", "shares"),
    [
        (30, Fraction(2), (Fraction(1),)),
        (3, Fraction(1, 3), (Fraction(1),)),
        (4, Fraction(2), (Fraction(3, 5), Fraction(1, 5), Fraction(1, 5))),
    ],
)
def test_a_client_never_has_more_calls_in_flight_and_sends_as_soon_as_one_ends(
    calls: int, latency: Fraction, shares: tuple[Fraction, ...]
) -> None:
    """Against the queue of that many servers, one heap of ends for each client."""
    limited = CallsInFlight(calls, latency, shares)
    demand = arrivals_with(rate_per_s=Fraction(20))
    sent = arrivals_with(rate_per_s=Fraction(20), in_flight=limited)

    latency_ns = int(latency * NS)
    ends, counts, expected = [[0] * calls for _ in shares], [0] * len(shares), []
    for time in demand.times_ns:
        client = min(range(len(shares)), key=lambda each: (counts[each] + Fraction(1, 2)) / shares[each])
        counts[client] += 1
        begin = max(time, ends[client][0])
        heapq.heapreplace(ends[client], begin + latency_ns)
        expected.append(begin)
    assert [time for time in sorted(expected) if time < 100 * NS] == list(sent.times_ns)
    assert len(sent) <= len(shares) * calls * (math.ceil(100 / latency))


def test_no_traffic_is_no_requests():
    assert () == arrivals_with().times_ns


def test_one_burst_comes_a_quarter_into_the_run_all_at_once():
    assert {25 * NS: 40} == Counter(arrivals_with(burst=40).times_ns)


def test_repeated_bursts_come_in_the_middle_of_their_periods():
    generated = arrivals_with(burst=3, burst_every_s=Fraction(40))

    assert {20 * NS: 3, 60 * NS: 3} == Counter(generated.times_ns)


def test_a_burst_with_a_window_comes_at_equal_distances_within_it():
    generated = arrivals_with(burst=4, burst_window_s=Fraction(2))

    assert (25 * NS, 25 * NS + NS // 2, 26 * NS, 26 * NS + NS // 2) == generated.times_ns


def test_bursts_do_not_change_the_steady_traffic_under_them():
    steady = arrivals_with(rate_per_s=Fraction(5))
    both = arrivals_with(rate_per_s=Fraction(5), burst=7)

    assert Counter({25 * NS: 7}) == Counter(both.times_ns) - Counter(steady.times_ns)


@pytest.mark.parametrize("pattern", list(TrafficPattern))
def test_every_pattern_has_the_mean_rate_that_was_asked_for(pattern):
    generated = arrivals_with(pattern, rate_per_s=Fraction(100))

    # 10,000 expected; six standard deviations of a Poisson count
    assert abs(len(generated) - 10_000) < 600


@given(pattern=st.sampled_from(TrafficPattern), seed=st.integers(0, 10_000), burst=st.integers(0, 50))
def test_the_same_seed_gives_the_same_traffic_within_the_run(pattern, seed, burst):
    inputs = {"rate_per_s": Fraction(1), "seed": seed, "burst": burst, "burst_every_s": Fraction(30)}
    generated = arrivals_with(pattern, **inputs)

    assert generated.times_ns == arrivals_with(pattern, **inputs).times_ns
    assert all(0 <= t < 100 * NS for t in generated.times_ns)


@pytest.mark.parametrize("pattern", TrafficPattern)
def test_a_run_may_be_as_short_as_a_nanosecond(pattern):
    assert len(arrivals_with(pattern, rate_per_s=Fraction(5), duration_s=Fraction(1, 10**9))) <= 1


def test_more_than_can_be_seen_is_rejected_and_the_duration_named():
    with pytest.raises(InvalidArrivals, match=r"about 1,000,000 requests.*shorten the duration") as caught:
        arrivals_with(rate_per_s=Fraction(10_000))

    assert "duration_s" == caught.value.field
    assert len(arrivals_with(TrafficPattern.STEADY, rate_per_s=Fraction(MAX_REQUESTS, 100))) == MAX_REQUESTS
