"""Test the event loop: identities, and small cases worked out by hand."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hook_widgets.ratelimit import (
    Arrivals,
    Concurrency,
    FixedWindow,
    LeakyBucket,
    PerClient,
    Replicas,
    TokenBucket,
    simulate,
)
from hook_widgets.ratelimit.clients import (
    AdaptiveThrottle,
    AttemptOutcome,
    Backoff,
    CircuitBreaker,
    ClientPolicy,
    ClientThrottle,
    ClientWorkload,
    Hedge,
    RetryAfterRule,
    RetryRatio,
    RetrySchedule,
    RetryTokens,
    ServerModel,
    TimeSpan,
    client_policies,
    simulate_clients,
)
from tests.ratelimit.random_traffic import SINGLE, any_of
from tests.support.extent import extent

NEVER = "none"
S = 10**9


def run_of(limiter, at, policy, span_s=1000, **options):
    workload_options: dict[str, Any] = {
        key: options.pop(key) for key in ("clients", "poisoned") if key in options
    }
    workload = ClientWorkload(Arrivals.from_times(at), span_s, **({"clients": 1} | workload_options))
    (run,) = simulate_clients(limiter, workload, policy, seeds=[0], **options).runs
    return run


def sent_s(run):
    return [t / S for t, _ in run.attempts]


def ends_s(run):
    return [None if request.end_ns is None else request.end_ns / S for request in run.requests]


@pytest.mark.parametrize("kind", SINGLE)
def test_without_retries_the_loop_is_an_open_one(kind):
    """Every decision is that of `simulate` for the same requests."""
    rng = random.Random(f"open loop {kind}")
    rejected = 0
    for _ in range(extent(10, 100)):
        limiter = any_of(rng, kind)
        at = sorted(rng.choice([rng.random() * 20, rng.randrange(20)]) for _ in range(100))
        in_flight = isinstance(limiter, Concurrency)
        latency_s = Fraction(1, 2)

        run = run_of(limiter, at, NEVER, server=ServerModel(latency_s))

        open_loop = simulate(limiter, at, service_s=latency_s if in_flight else None)
        assert open_loop.admitted == [outcome is AttemptOutcome.SERVED for _, outcome in run.attempts]
        assert run.admitted == open_loop.admitted.count(True)
        rejected += open_loop.admitted.count(False)
    assert rejected > 50


def test_each_client_has_its_limit_and_replicas_route_themselves():
    workload = ClientWorkload(Arrivals.from_times([k / 10 for k in range(200)]), 20, clients=4)
    (run,) = simulate_clients(PerClient("user", TokenBucket(2, "1/s")), workload, NEVER, seeds=[3]).runs

    clients = {"user": [request.client for request in run.requests]}
    once = simulate(PerClient("user", TokenBucket(2, "1/s")), workload.arrivals(3), clients=clients)
    assert once.admitted == [request.served for request in run.requests]
    (spread,) = simulate_clients(Replicas(2, TokenBucket(2, "1/s")), workload, NEVER, seeds=[3]).runs
    assert spread.served == simulate(Replicas(2, TokenBucket(2, "1/s")), workload.arrivals(3)).admitted.count(
        True
    )


POLICIES = [
    *client_policies().values(),
    ClientPolicy(Backoff(0, jitter="none"), max_retries=8, retry_after=RetryAfterRule("ignored")),
    ClientPolicy(timeout_s="80 ms", guards=[CircuitBreaker(calls=5, open_s=1), AdaptiveThrottle()]),
    ClientPolicy(hedge=Hedge("30 ms", 3), guards=[RetryRatio(0.1, min_per_s=1)]),
    ClientPolicy(throttle=ClientThrottle("5/s", 2), max_in_flight=1, stop_before_s=3),
    ClientPolicy(max_in_flight=2, stop_after_s=2, guards=[RetryTokens(20)]),
]


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name or "own")
@settings(max_examples=extent(4, 40), deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["none", "seconds", "exact"]), st.booleans())
def test_nothing_is_lost(policy, seed, retry_after, down):
    rng = random.Random(seed)
    limiter = any_of(rng, rng.choice(SINGLE))
    server = ServerModel(
        "50 ms",
        latency="exponential",
        rejection_s=rng.choice([0, 0.01]),
        retry_after=retry_after,
        outage=TimeSpan(0.25, 0.2) if down else None,
    )
    workload = ClientWorkload(
        rng.choice([2, 20]), 0.5 if policy.max_retries > 100 else 4, clients=3, poisoned=[0, 5]
    )

    (run,) = simulate_clients(limiter, workload, policy, server=server, seeds=[seed]).runs

    outcomes = run.outcomes
    assert len(run.requests) == run.served + run.given_up + run.unfinished
    assert len(run.attempts) == outcomes.total() == sum(request.attempts for request in run.requests)
    assert AttemptOutcome.BLOCKED not in outcomes
    assert run.served <= outcomes[AttemptOutcome.SERVED] <= run.admitted <= len(run.attempts)
    assert run.wasted <= run.admitted - run.served
    most = max(policy.max_retries + 1, policy.hedge.max_attempts if policy.hedge else 0)
    assert all(request.attempts <= most for request in run.requests)
    assert [t for t, _ in run.attempts] == sorted(t for t, _ in run.attempts)
    assert run.backlog == () or run.backlog[-1][1] == run.unfinished
    assert down or run.recovery_s is None
    assert 0 <= run.fairness <= 1
    for counts, total in (
        (run.attempts_in(0.5), len(run.attempts)),
        (run.requests_in(0.5), len(run.requests)),
        (run.served_in(0.5), run.served),
        (run.attempts_in(0.3, AttemptOutcome.REJECTED), outcomes[AttemptOutcome.REJECTED]),
    ):
        assert total == sum(counts)


def test_the_backlog_obeys_littles_law():
    """Mean number of unfinished requests = rate x mean time, if all are finished: exact in every run."""
    run = run_of(TokenBucket(1, "1/s"), [k / 3 for k in range(60)], "full-jitter", clients=5)

    assert not run.unfinished
    area = sum(count * (b - a) for (a, count), (b, _) in zip(run.backlog, run.backlog[1:], strict=False))
    assert area == sum(request.end_ns - request.start_ns for request in run.requests)


def test_a_seed_gives_the_same_run_and_another_one_another():
    workload = ClientWorkload("20/s", 10, clients=3)
    runs = simulate_clients(TokenBucket(5, "10/s"), workload, "full-jitter", seeds=[1, 2]).runs
    again = simulate_clients(TokenBucket(5, "10/s"), workload, "full-jitter", seeds=[2, 1]).runs

    assert runs[0].attempts == again[1].attempts != runs[1].attempts
    assert runs[1].attempts == again[0].attempts


def test_policies_of_a_seed_get_the_same_requests():
    workload = ClientWorkload("20/s", 10, clients=3)
    a, b = (
        simulate_clients(TokenBucket(5, "10/s"), workload, name, seeds=[7]).runs[0]
        for name in ("immediate", "stamina")
    )

    assert [r[:2] for r in a.requests] == [r[:2] for r in b.requests]


# One token per second; requests at 0 and 0.5.
SLOW = TokenBucket(1, "1/s")


@pytest.mark.parametrize(
    ("retry_after", "rule", "expected"),
    [
        ("seconds", "honoured", [0, 0.5, 1.5]),  # 0.5 s, rounded up to 1 s
        ("exact", "honoured", [0, 0.5, 1]),
        ("none", "honoured", [0, 0.5, 0.75, 1.25]),  # backoff of 0.25 and 0.5 s
        ("exact", "ignored", [0, 0.5, 0.75, 1.25]),
        ("exact", "longer", [0, 0.5, 1]),
    ],
)
def test_retry_after_is_what_the_limiter_needs(retry_after, rule, expected):
    policy = ClientPolicy(Backoff("250 ms", jitter="none"), retry_after=RetryAfterRule(rule))
    run = run_of(SLOW, [0, 0.5], policy, server=ServerModel(retry_after=retry_after))

    assert expected == sent_s(run)
    assert 2 == run.served


def test_a_poisoned_event_holds_up_the_others_head_of_line_and_not_in_parallel():
    """Waits of 1, 2 and 4 s: the first request ends at 7 s, and the others begin then."""
    free = TokenBucket(100, "100/s")
    schedule = RetrySchedule([1, 2, 4])
    in_line = run_of(free, [0, 1, 2], ClientPolicy(schedule, max_in_flight=1), poisoned=[0])
    parallel = run_of(free, [0, 1, 2], ClientPolicy(schedule), poisoned=[0])

    assert [7, 7, 7] == ends_s(in_line)
    assert [7, 1, 2] == ends_s(parallel)
    assert (
        [False, True, True] == [r.served for r in in_line.requests] == [r.served for r in parallel.requests]
    )
    assert [0, 1, 3, 7, 7, 7] == sent_s(in_line)


def test_the_time_of_a_policy_begins_with_the_first_attempt():
    policy = ClientPolicy(Backoff(3, factor=1, jitter="none"), max_in_flight=1, stop_before_s=5)
    run = run_of(TokenBucket(9, "9/s"), [0, 0], policy, poisoned=[0, 1])

    assert [0, 3, 3, 6] == sent_s(run)  # each one retry, as the second would be at 6 s


def test_a_client_waits_for_its_own_tokens():
    run = run_of(TokenBucket(9, "9/s"), [0, 0, 0, 0, 9], ClientPolicy(throttle=ClientThrottle("2/s", 2)))

    assert [0, 0, 0.5, 1, 9] == sent_s(run)


def test_work_that_nobody_awaits_any_more_is_wasted():
    """A queue of one per second: the responses come after 0, 1 and 2 s, and the clients wait for 1.5 s."""
    policy = ClientPolicy(Backoff(10, jitter="none"), timeout_s=1.5, max_retries=1)
    run = run_of(LeakyBucket(9, "1/s", start="immediate"), [0, 0, 0], policy, server=ServerModel("10 ms"))

    assert [0.01, 1.01, 11.51] == ends_s(run)
    assert (3, 4, 1) == (run.served, run.admitted, run.wasted)
    assert 1 == run.outcomes[AttemptOutcome.TIMED_OUT]


@pytest.mark.parametrize(
    ("latency_s", "attempts", "end_s", "wasted"),
    [(0.25, [0], 0.25, 0), (1.25, [0, 0.5, 1], 1.25, 2), (9, [0, 0.5, 1], 9, 2)],
)
def test_hedges_follow_until_the_first_success(latency_s, attempts, end_s, wasted):
    """Proposal A6: the next attempt after each hedgingDelay, up to maxAttempts; the first success wins."""
    run = run_of(
        TokenBucket(9, 1), [0], ClientPolicy(hedge=Hedge("500 ms", 3)), server=ServerModel(latency_s)
    )

    assert attempts == sent_s(run)
    assert [end_s] == ends_s(run)
    assert wasted == run.wasted


def test_a_failed_hedge_is_followed_at_once_and_the_delay_begins_again():
    """Rejected at 0.1 s, so the second attempt is sent then, and the third 0.5 s later."""
    limiter = FixedWindow(0, 1)
    policy = ClientPolicy(hedge=Hedge("500 ms", 3))
    run = run_of(limiter, [0], policy, server=ServerModel(rejection_s=0.1))
    assert [0, 0.1, 0.2] == sent_s(run)
    assert [0.3] == ends_s(run)

    slow = run_of(limiter, [0], policy, server=ServerModel(rejection_s=0.6))
    assert [0, 0.5, 0.6] == sent_s(slow)
    assert [1.2] == ends_s(slow)


def test_a_blocked_attempt_ends_a_request_unless_it_is_retried():
    breaker = CircuitBreaker(1, calls=2, open_s=10, trial_calls=1)
    down = ServerModel(outage=TimeSpan(0, 5))
    once = ClientPolicy(max_retries=0, guards=[breaker])
    run = run_of(TokenBucket(9, "9/s"), [0, 1, 2, 10.9, 11, 11.1], once, server=down)
    assert [0, 1, 11, 11.1] == sent_s(run)
    assert [1, 1, 0, 0, 1, 1] == [request.attempts for request in run.requests]

    patient = ClientPolicy(
        Backoff(4, factor=1, jitter="none"), guards=[breaker], retry_on=["blocked", "failed"], max_retries=9
    )
    run = run_of(TokenBucket(9, "9/s"), [0, 1], patient, server=down)
    assert [0, 1, 12] == sent_s(run)[:3]
    assert 2 == run.served


def test_recovery_is_the_return_of_the_backlog():
    """Down from 10 to 20 s, one request per second, one retry 15 s later: the last at 34.5 s."""
    at = [k + 0.5 for k in range(60)]
    policy = ClientPolicy(Backoff(15, jitter="none"), max_retries=1)
    down = ServerModel(outage=TimeSpan(10, 10))

    run = run_of(TokenBucket(99, "99/s"), at, policy, span_s=60, server=down)

    assert 14.5 == run.recovery_s
    assert 10 == max(count for _, count in run.backlog)
    lost = run_of(TokenBucket(99, "99/s"), at, NEVER, span_s=60, server=down)
    assert 0 == lost.recovery_s
    assert 50 == lost.served
    endless = run_of(
        TokenBucket(99, "99/s"), at, ClientPolicy(Backoff(99, jitter="none")), span_s=60, server=down
    )
    assert float("inf") == endless.recovery_s
    until_the_end = ServerModel(outage=TimeSpan(10, 50))
    lasting = run_of(TokenBucket(99, "99/s"), at, NEVER, span_s=60, server=until_the_end)
    assert float("inf") == lasting.recovery_s
