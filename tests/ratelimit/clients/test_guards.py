"""Test retry budgets, circuit breakers and throttles against the numbers of their sources."""

from __future__ import annotations

import random

import pytest

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.clients import (
    AdaptiveThrottle,
    AttemptOutcome,
    CircuitBreaker,
    RetryRatio,
    RetryThrottling,
    RetryTokens,
)

SERVED, REJECTED, FAILED = AttemptOutcome.SERVED, AttemptOutcome.REJECTED, AttemptOutcome.FAILED
S = 10**9


def test_grpc_throttling_ends_retries_at_half_and_resumes_above_it():
    """Proposal A6: maxTokens 10, tokenRatio 0.1; retries only while token_count > 5."""
    throttling = RetryThrottling(10, 0.1).begin()
    allowed = []
    for _ in range(6):
        throttling.record(0, FAILED, None)
        allowed.append(throttling.allows_retry(0, FAILED))
    assert [True, True, True, True, False, False] == allowed

    for _ in range(10):  # from 4 to 5 tokens
        throttling.record(0, SERVED, None)
    assert not throttling.allows_retry(0, FAILED)
    throttling.record(0, SERVED, None)
    assert throttling.allows_retry(0, FAILED)


def test_grpc_tokens_stay_between_none_and_the_most():
    throttling = RetryThrottling(10, 0.1).begin()
    for _ in range(100):
        throttling.record(0, FAILED, None)
    for _ in range(50):
        throttling.record(0, SERVED, None)
    assert not throttling.allows_retry(0, FAILED)
    throttling.record(0, SERVED, None)
    assert throttling.allows_retry(0, FAILED)


def test_a_quota_is_paid_back_by_what_the_last_retry_took():
    quota = RetryTokens(20, rejected_cost=5, failed_cost=14, refund=1).begin()

    assert quota.allows_retry(0, FAILED)
    assert quota.allows_retry(0, REJECTED)
    assert not quota.allows_retry(0, REJECTED)  # 1 is left
    quota.record(0, SERVED, REJECTED)
    assert quota.allows_retry(0, REJECTED)
    for _ in range(3):
        quota.record(0, SERVED, None)
    assert not quota.allows_retry(0, REJECTED)  # 4 are left
    quota.record(0, SERVED, None)
    assert quota.allows_retry(0, REJECTED)


@pytest.mark.parametrize(("ratio", "min_per_s", "bound"), [(0.2, 0, 20), ("20%", 10, 120), (0, 10, 100)])
def test_a_ratio_bounds_the_retries_of_a_window(ratio, min_per_s, bound):
    """Finagle: 20 % of the requests of the last ten seconds, plus ten per second."""
    budget = RetryRatio(ratio, min_per_s=min_per_s).begin()
    for t in range(100):
        budget.begin_request(t)

    assert bound == sum(budget.allows_retry(200, FAILED) for _ in range(500))
    assert not budget.allows_retry(10 * S, FAILED)
    later = sum(budget.allows_retry(10 * S + 200, FAILED) for _ in range(500))
    assert later == 10 * min_per_s


@pytest.mark.parametrize(
    ("ratio", "min_per_s", "window_s"),
    [(r, 0, 60) for r in (0.1, 0.5, 0.25, 0.75, 0.99, 0.999, 0.9999, 0.01, 0.001, 0.0001)]
    + [(0, 10, 1), (0, 5, 2), (0.1, 10, 1), (0.5, 5, 2)],
)
def test_a_ratio_allows_what_finagles_own_tests_expect(ratio, min_per_s, window_s):
    """RetryBudgetTest.scala, testBudget: 10,000 requests at one time, each followed by a retry if allowed."""
    budget = RetryRatio(ratio, min_per_s=min_per_s, window_s=window_s).begin()
    assert bool(min_per_s) or not budget.allows_retry(0, FAILED)
    retried = 0
    for _ in range(10_000):
        budget.begin_request(0)
        retried += budget.allows_retry(0, FAILED)

    assert abs(int(10_000 * ratio) + window_s * min_per_s - retried) <= 1


def test_a_breaker_opens_tries_and_closes():
    breaker = CircuitBreaker("50%", calls=4, open_s=10, trial_calls=2).begin()
    for outcome in (SERVED, FAILED, SERVED):
        breaker.record(0, outcome, None)
    assert breaker.allows_attempt(0, 0)
    breaker.record(0, FAILED, None)  # 2 of 4

    assert not breaker.allows_attempt(10 * S - 1, 0)
    assert [True, True, False] == [breaker.allows_attempt(10 * S, 0) for _ in range(3)]
    breaker.record(10 * S, SERVED, None)
    breaker.record(11 * S, FAILED, None)  # 1 of 2 trials: open again
    assert not breaker.allows_attempt(21 * S - 1, 0)
    assert [True, True] == [breaker.allows_attempt(21 * S, 0) for _ in range(2)]
    for _ in range(2):
        breaker.record(21 * S, SERVED, None)
    assert all(breaker.allows_attempt(21 * S, 0) for _ in range(50))


def test_a_cancelled_trial_is_left_for_another_attempt():
    breaker = CircuitBreaker(1, calls=1, open_s=1, trial_calls=1).begin()
    breaker.record(0, FAILED, None)
    for _ in range(3):
        assert breaker.allows_attempt(S, 0)
        breaker.cancel_attempt()
    assert breaker.allows_attempt(S, 0)
    assert not breaker.allows_attempt(S, 0)


def test_the_defaults_of_a_breaker_are_those_of_resilience4j():
    """CircuitBreakerConfig: 50 %, 100 calls, at least 100 of them, 60 s, 10 calls when half open."""
    default = CircuitBreaker()

    assert (0.5, 100, 100, 60, 10) == (
        default.failure_share,
        default.calls,
        default.min_calls,
        default.open_s,
        default.trial_calls,
    )


def test_the_throttle_blocks_with_the_probability_of_the_sre_book():
    """Equation 21-1: max(0, (requests - K * accepts) / (requests + 1)): 6/11 for 10, 2 and K = 2."""
    for u, allowed in ((6 / 11 - 1e-9, False), (6 / 11 + 1e-9, True)):
        throttle = AdaptiveThrottle(2, window_s=120).begin()
        for _ in range(10):
            throttle.allows_attempt(0, 0.999)
        for _ in range(2):
            throttle.record(0, SERVED, None)
        assert allowed == throttle.allows_attempt(120 * S - 1, u)
        assert throttle.allows_attempt(240 * S, 0.0)  # all is forgotten


def test_a_throttle_sends_about_k_times_what_is_served():
    """A hundred attempts per second at a server that serves ten: it gets twenty."""
    rng = random.Random(5)
    throttle = AdaptiveThrottle(2).begin()
    sent = served = 0
    for k in range(100_000):
        t = k * S // 100  # a hundred per second, of which ten per second can be served
        if throttle.allows_attempt(t, rng.random()):
            sent += 1
            if served < 10 * (k / 100):
                served += 1
                throttle.record(t, SERVED, None)
    assert served == pytest.approx(10_000, rel=0.01)
    assert sent / served == pytest.approx(2, rel=0.1)


@pytest.mark.parametrize(
    "create",
    [
        lambda: RetryRatio(0, min_per_s=0),
        lambda: RetryRatio("x"),
        lambda: RetryRatio(window_s=0),
        lambda: RetryTokens(-1),
        lambda: RetryTokens(1.5),
        lambda: RetryThrottling(0),
        lambda: RetryThrottling(10, 0),
        lambda: CircuitBreaker(0),
        lambda: CircuitBreaker("200%"),
        lambda: CircuitBreaker(calls=0),
        lambda: CircuitBreaker(trial_calls=0),
        lambda: CircuitBreaker(min_calls=0),
        lambda: AdaptiveThrottle(0.5),
        lambda: AdaptiveThrottle(window_s=0),
    ],
)
def test_impossible_guards_are_errors(create):
    with pytest.raises(InvalidLimit):
        create()
