"""Test closed loops against results that are known without a simulation."""

from __future__ import annotations

import pytest

from hook_widgets.ratelimit import (
    Arrivals,
    FixedWindow,
    PerClient,
    SlidingCounter,
    TokenBucket,
)
from hook_widgets.ratelimit.clients import (
    AdaptiveThrottle,
    Backoff,
    ClientPolicy,
    ClientWorkload,
    RetryAfterRule,
    RetryRatio,
    ServerModel,
    TimeSpan,
    client_policies,
    simulate_clients,
)
from hook_widgets.ratelimit.planning import retry_amplification
from tests.support.extent import extent

EVERY_LOAD = [(load, retries) for load in (1.5, 2, 4) for retries in (0, 1, 3, 10)]
IGNORED = RetryAfterRule("ignored")


def retrying(retries, **options):
    """Return a policy with waits of up to a second, so that all attempts are equally likely to fail."""
    return ClientPolicy(Backoff(1, factor=1), max_retries=retries, retry_after=IGNORED, **options)


@pytest.mark.parametrize(("load", "retries"), extent([(2, 0), (2, 1), (1.5, 3), (4, 3)], EVERY_LOAD))
def test_the_attempts_at_a_hard_limit_are_at_the_fixed_point(load, retries):
    """Each attempt fails with p = (1 - 1/load)^(1/(n+1)), so there are limit / (1 - p) attempts."""
    limit, span_s = 10, extent(100, 400)
    workload = ClientWorkload(load * limit, span_s)

    study = simulate_clients(
        TokenBucket(5, limit), workload, retrying(retries), seeds=range(extent(4, 10)), confidence=0.99
    )

    expected = retry_amplification(load, retries)
    attempts = study.estimate(lambda run: run.attempts_per_s / limit)
    edges = 0.04 * expected  # the first and the last second of the run
    assert attempts.low - edges <= expected <= attempts.high + edges
    assert attempts.high - attempts.low < 0.5 * expected  # so that the test can fail
    assert study.goodput_per_s.mean == pytest.approx(limit, rel=0.02)


def test_the_fixed_points_are_those_of_the_published_table():
    """Load 2 with 0, 1, 3, 5 and 10 retries."""
    assert [2, 3.41, 6.29, 9.17, 16.37] == [
        pytest.approx(retry_amplification(2, n), abs=0.005) for n in (0, 1, 3, 5, 10)
    ]


@pytest.mark.parametrize(
    "name", ["none", "immediate", "exponential", "full-jitter", "stamina", "grpc", "aws-sdk"]
)
def test_no_policy_gets_more_than_the_limit(name):
    """A bucket admits at most its capacity and its refill; under overload retries cannot raise that."""
    span_s = 60
    (run,) = simulate_clients(TokenBucket(5, "5/s"), ClientWorkload("15/s", span_s), name, seeds=[1]).runs

    assert 5 * span_s - 1 <= run.served <= 5 + 5 * span_s


HAPROXY = SlidingCounter(10, 1, rule="lt", count_rejected=True)


@pytest.mark.parametrize("retries", [0, 3])
def test_a_limiter_that_counts_rejections_locks_out_an_overload(retries):
    """HAProxy, live: of 137 requests at twice the limit 10 pass."""
    workload = ClientWorkload(Arrivals.from_times([k / 20 for k in range(137)]), 8)

    (run,) = simulate_clients(HAPROXY, workload, retrying(retries), seeds=[1]).runs

    assert 10 == sum(request.served for request in run.requests if request.start_ns < 6 * 10**9)
    tolerant = SlidingCounter(10, 1, rule="lt")
    assert simulate_clients(tolerant, workload, retrying(retries), seeds=[1]).runs[0].served > 60


def test_retries_turn_a_surge_at_such_a_limiter_into_a_lasting_outage():
    """At half the limit, six attempts for each request are three times the limit."""
    surge = TimeSpan(20, 2)
    workload = ClientWorkload("5/s", 120, pattern="steady", surge=surge, surge_per_s="60/s")

    def run_of(retries):
        (run,) = simulate_clients(HAPROXY, workload, retrying(retries), seeds=[1]).runs
        return run

    once, again = run_of(0), run_of(5)
    assert 300 == sum(once.served_in(1)[60:])  # all of them
    assert 0 == sum(again.served_in(1)[60:])
    assert 0 == once.recovery_s
    assert again.attempts_per_s > 25


def test_one_retry_after_for_all_brings_them_back_at_once_and_jitter_spreads_them():
    window_s, limit = 10, FixedWindow(20, 10)
    workload = ClientWorkload("4/s", extent(1000, 4000))

    def phases(jitter_s):
        rule = RetryAfterRule(jitter_s=jitter_s)
        server = ServerModel(retry_after="exact")
        (run,) = simulate_clients(
            limit, workload, ClientPolicy(retry_after=rule), server=server, seeds=[1]
        ).runs
        fresh = {request.start_ns for request in run.requests}
        return [t % (window_s * 10**9) / 10**9 for t, _ in run.attempts if t not in fresh]

    assert {0.0} == set(phases(0))
    spread = phases(window_s)
    expected = len(spread) / 20
    counts = [sum(int(2 * phase) == k for phase in spread) for k in range(20)]
    # Pearson's chi-squared for a uniform distribution; 43.8 is its 99.9 % quantile for 19 degrees of freedom.
    assert sum((count - expected) ** 2 / expected for count in counts) < 43.8
    assert expected > 100


@pytest.mark.parametrize("ratio", [0.1, 0.5])
def test_a_retry_ratio_is_the_share_of_retries_while_all_fails(ratio):
    policy = ClientPolicy(
        Backoff(0), max_retries=9, retry_after=IGNORED, guards=[RetryRatio(ratio, min_per_s=0)]
    )
    workload = ClientWorkload("20/s", 100, clients=2)
    server = ServerModel(outage=TimeSpan(0, 100))

    (run,) = simulate_clients(TokenBucket(1, 1), workload, policy, server=server, seeds=[1]).runs

    # A client sends 100 requests in ten seconds, and less than one retry of each window is not used.
    assert 1 + ratio - 1 / 100 < run.amplification <= 1 + ratio


def test_an_adaptive_throttle_sends_k_times_the_limit():
    """Fresh load is eight times the limit; the server gets twice the limit after the window is full."""
    policy = retrying(0, guards=[AdaptiveThrottle(2, window_s=20)])
    workload = ClientWorkload("40/s", 100, clients=2)

    (run,) = simulate_clients(TokenBucket(5, "5/s"), workload, policy, seeds=[1]).runs

    later = sum(run.attempts_in(1)[40:]) / 60
    assert later / 5 == pytest.approx(2, rel=0.1)


def test_equal_clients_are_treated_fairly_and_a_limit_per_client_protects_small_ones():
    """One client sends as much as nine others; with a limit for each, those lose nothing."""
    workload = ClientWorkload("20/s", 100, weights=[9] + [1] * 9)
    shared = simulate_clients(TokenBucket(5, "10/s"), workload, "none", seeds=range(3))
    each = simulate_clients(PerClient("user", TokenBucket(8, "2/s")), workload, "none", seeds=range(3))

    assert shared.fairness.mean > 0.97  # a common limit rejects each attempt alike
    for run in each.runs:
        shares = [
            [request.served for request in run.requests if request.client == client] for client in range(10)
        ]
        assert sum(shares[0]) / len(shares[0]) < 0.3
        assert all(sum(share) / len(share) > 0.95 for share in shares[1:])


def test_every_named_policy_ends():
    workload = ClientWorkload("5/s", 5, clients=2)
    for name in client_policies():
        (run,) = simulate_clients(TokenBucket(1, "1/s"), workload, name, seeds=[0]).runs
        assert run.served
