"""Test that whatever is given, the errors are those of the package, and nothing hangs."""

from __future__ import annotations

import contextlib
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hook_widgets.errors import InvalidArrivals, InvalidLimit, LimitModelError
from hook_widgets.ratelimit import Arrivals, TokenBucket
from hook_widgets.ratelimit.clients import (
    Backoff,
    CircuitBreaker,
    ClientPolicy,
    ClientThrottle,
    ClientWorkload,
    Hedge,
    RetryAfterRule,
    ServerModel,
    TimeSpan,
    event_loop,
    simulate_clients,
    sweep_demand,
)
from tests.support.extent import extent
from tests.support.work import at_most_lines, grows_linearly

# Untyped, because type checkers reject most of what is tried here.
policy_of: Any = ClientPolicy
simulate_any: Any = simulate_clients
server_of: Any = ServerModel
workload_of: Any = ClientWorkload
LIMIT = TokenBucket(5, "5/s")
LOAD = ClientWorkload("1/s", 2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: simulate_any("5/s", LOAD, "none"), "is no limiter; write Limiter.of"),
        (lambda: simulate_any(LIMIT, "1/s", "none"), "workload must be a ClientWorkload"),
        (lambda: simulate_any(LIMIT, LOAD, 3), "policy must be a ClientPolicy"),
        (lambda: simulate_any(LIMIT, LOAD, "curl"), "there is no policy 'curl'"),
        (lambda: simulate_any(LIMIT, LOAD, "none", server=1), "server must be a ServerModel"),
        (lambda: simulate_any(LIMIT, LOAD, "none", seeds=3), "seeds must be a list"),
        (lambda: simulate_any(LIMIT, LOAD, "none", seeds=[]), "seeds are empty"),
        (lambda: simulate_any(LIMIT, LOAD, "none", seeds=["a"]), "seeds must be integers"),
        (lambda: simulate_any(LIMIT, LOAD, "none", seeds=iter(int, 1)), "seeds are more than 1000"),
        (lambda: simulate_any(LIMIT, LOAD, "none", confidence=1), "confidence must be above 0"),
        (lambda: simulate_any(LIMIT, LOAD, "none", confidence=math.nan), "confidence must be above 0"),
        (lambda: sweep_demand(LIMIT, LOAD, "none", ["-1/s"]), "requests is negative"),
        (lambda: simulate_any(LIMIT, ClientWorkload("1e6/s", 10), "none"), "more than 200,000"),
    ],
)
def test_impossible_simulations_are_errors(call, message):
    with pytest.raises(LimitModelError, match=message):
        call()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"requests": "soon"}, "requests cannot be read"),
        ({"duration_s": 0}, "duration_s is zero"),
        ({"duration_s": "12 days"}, "duration_s is '12 days'; give at most 1,000,000 s"),
        ({"clients": 0}, "clients is 0; give 1 to 10,000"),
        ({"clients": 10**9}, "clients is 1000000000"),
        ({"weights": [1]}, "weights must be one number per client"),
        ({"weights": [0] * 10}, "weights must be one number per client, not all zero"),
        ({"weights": [-1] * 10}, "weights is negative"),
        ({"pattern": "wild"}, "pattern is 'wild'"),
        ({"surge": TimeSpan(1, 1)}, "surge needs surge_per_s"),
        ({"surge_per_s": 1}, "surge needs surge_per_s"),
        ({"surge": (1, 2), "surge_per_s": 1}, "surge must be a TimeSpan"),
        ({"poisoned": ["first"]}, "poisoned must be indexes"),
        ({"poisoned": 3}, "poisoned must be indexes"),
        ({"weights": 3}, "weights must be one number per client"),
    ],
)
def test_impossible_workloads_are_errors(arguments, message):
    with pytest.raises(LimitModelError, match=message):
        workload_of(**({"requests": "1/s", "duration_s": 10} | arguments))


@pytest.mark.parametrize(
    "create",
    [
        lambda: policy_of(3),
        lambda: policy_of(max_retries=-1),
        lambda: policy_of(max_retries=1001),
        lambda: policy_of(retry_on=["served"]),
        lambda: policy_of(retry_on=["429"]),
        lambda: policy_of(retry_on=3),
        lambda: policy_of(retry_after="honoured"),
        lambda: policy_of(timeout_s=0),
        lambda: policy_of(stop_after_s="never"),
        lambda: policy_of(guards=["breaker"]),
        lambda: policy_of(guards=3),
        lambda: policy_of(throttle="1/s"),
        lambda: policy_of(hedge=1),
        lambda: policy_of(max_in_flight=0),
        lambda: ClientThrottle(0),
        lambda: ClientThrottle("1e30/s"),
        lambda: ClientThrottle(1, 0),
        lambda: Hedge(1, 1),
        lambda: Hedge(1, 10**6),
        lambda: Hedge(-1),
        lambda: RetryAfterRule(too_long="wait"),
        lambda: server_of(-1),
        lambda: server_of(latency="slow"),
        lambda: server_of(retry_after="date"),
        lambda: server_of(outage=(1, 2)),
        lambda: TimeSpan(1, 0),
    ],
)
def test_impossible_policies_and_servers_are_errors(create):
    with pytest.raises(InvalidLimit):
        create()


def test_retries_without_waits_end(monkeypatch):
    monkeypatch.setattr(event_loop, "MAX_ATTEMPTS", 1000)
    policy = ClientPolicy(Backoff(0), max_retries=1000, retry_after=RetryAfterRule("ignored"))
    with (
        at_most_lines(500 * 1_000),
        pytest.raises(
            InvalidArrivals, match=r"the clients made more than 1,000 attempts in .* s; give longer"
        ),
    ):
        simulate_clients(LIMIT, ClientWorkload("5/s", 100), policy, seeds=[0])


def test_the_work_for_a_crowd_that_waits_in_line_grows_as_the_crowd():
    """Requests of one client, each beginning when the one before it ends, all at one time."""
    policy = ClientPolicy(max_in_flight=1, max_retries=0)

    def run_crowd(size: int) -> None:
        load = ClientWorkload(Arrivals.bursts(size, 10, 10), 10, clients=1)
        (run,) = simulate_clients(TokenBucket(20_000, 1), load, policy, seeds=[0]).runs
        assert size == run.served

    grows_linearly(run_crowd, 500)


def test_the_work_for_a_crowd_that_an_open_breaker_blocks_one_by_one_grows_as_the_crowd():
    policy = ClientPolicy(max_in_flight=1, guards=[CircuitBreaker(1, calls=1, open_s=99)])

    def run_crowd(size: int) -> None:
        load = ClientWorkload(Arrivals.bursts(size, 10, 10), 10, clients=1)
        server = ServerModel(outage=TimeSpan(0, 5))
        (run,) = simulate_clients(LIMIT, load, policy, server=server, seeds=[0]).runs
        assert 1 == len(run.attempts)
        assert size == run.given_up
        assert size == run.blocked  # the second attempt of the first request, and all others

    grows_linearly(run_crowd, 500)


def test_more_requests_than_fit_are_an_error(monkeypatch):
    monkeypatch.setattr(event_loop, "MAX_ATTEMPTS", 1000)
    load = ClientWorkload(Arrivals.bursts(1001, 10, 10), 10)
    with pytest.raises(InvalidArrivals, match="there are more than 1,000 requests"):
        simulate_clients(LIMIT, load, "none", seeds=[0])


def test_blocked_attempts_that_are_retried_without_waits_end(monkeypatch):
    monkeypatch.setattr(event_loop, "MAX_ATTEMPTS", 1000)
    breaker = CircuitBreaker(1, calls=1, open_s=99)
    policy = ClientPolicy(Backoff(0), max_retries=1000, retry_on=["blocked"], guards=[breaker])
    with (
        at_most_lines(500 * 1_000),
        pytest.raises(InvalidArrivals, match="the clients made more than 1,000 attempts"),
    ):
        simulate_clients(
            LIMIT, ClientWorkload("5/s", 10), policy, server=ServerModel(outage=TimeSpan(0, 5)), seeds=[0]
        )


def test_intervals_are_bounded():
    (run,) = simulate_clients(LIMIT, LOAD, "none", seeds=[0]).runs
    for width_s in (0, -1, 1e-9, math.nan, math.inf):
        with pytest.raises(InvalidArrivals, match="width_s must divide"):
            run.attempts_in(width_s)


ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.lists(st.integers(), max_size=2),
)


@settings(max_examples=extent(40, 1000), deadline=None)
@given(st.data())
def test_no_other_error_comes_of_anything(data):
    kinds: dict[Any, list[str]] = {
        Backoff: ["base_s", "factor", "max_s", "jitter", "jitter_s", "scale", "min_s", "first_s"],
        ClientPolicy: ["max_retries", "retry_on", "timeout_s", "stop_after_s", "guards", "max_in_flight"],
        ClientWorkload: [
            "requests",
            "duration_s",
            "clients",
            "weights",
            "pattern",
            "surge_per_s",
            "poisoned",
        ],
        ServerModel: ["latency_s", "latency", "rejection_s", "retry_after", "outage"],
    }
    kind = data.draw(st.sampled_from(list(kinds)))
    required: dict[str, Any] = {Backoff: {"base_s": 1}, ClientWorkload: {"requests": 1, "duration_s": 1}}.get(
        kind, {}
    )
    names = data.draw(st.sets(st.sampled_from(kinds[kind]), max_size=3))
    arguments = required | {name: data.draw(ANYTHING) for name in names}
    with contextlib.suppress(LimitModelError):
        kind(**arguments)
