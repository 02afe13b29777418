"""Responses to the clients of a run: a client that obeys them is admitted."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidHeader, InvalidLimit
from hook_widgets.ratelimit import (
    Concurrency,
    FixedWindow,
    Gcra,
    Layers,
    LeakyBucket,
    Limiter,
    PerClient,
    SlidingCounter,
    SlidingLog,
    TokenBucket,
    simulate,
)
from hook_widgets.ratelimit.http.observed import observe
from hook_widgets.ratelimit.http.problem_details import ProblemDetails
from hook_widgets.ratelimit.http.ratelimit_headers import QuotaPolicy, parse_ratelimit, parse_ratelimit_policy
from hook_widgets.ratelimit.http.responses import build_response, policy_of
from hook_widgets.ratelimit.limiters.base import max_cost

sizes = st.integers(1, 6)
rates = st.fractions(Fraction(1, 20), 10, max_denominator=20)
windows = st.fractions(Fraction(1, 4), 20, max_denominator=8)
limiters = st.one_of(
    st.builds(TokenBucket, sizes, rates),
    st.builds(Gcra, windows, windows),
    st.builds(LeakyBucket, sizes, rates, st.sampled_from(["service", "immediate"])),
    st.builds(FixedWindow, sizes, windows),
    st.builds(SlidingLog, sizes, windows),
    st.builds(SlidingCounter, sizes, windows),
    st.builds(
        lambda size, rate, limit, window: Layers(
            TokenBucket(size, rate, name="burst"), FixedWindow(limit, window, name="quota")
        ),
        sizes,
        rates,
        sizes,
        windows,
    ),
)
gaps = st.lists(st.fractions(0, 3, max_denominator=8), min_size=1, max_size=25)


@given(limiters, gaps, st.integers(0, 4 * 10**9))
def test_a_client_that_waits_as_long_as_the_response_says_is_admitted(
    limiter: Limiter, between: list[Fraction], start: int
) -> None:
    times = [sum(between[: n + 1], Fraction(0)) for n in range(len(between))]
    run = simulate(limiter, times)

    for index, time in enumerate(times):
        response = build_response(run, index, start=start)
        assert (200 if run.admitted[index] else 429) == response.status
        wait = observe(response.headers, now=start + time).wait_s
        earlier = [other for other in times if other <= time]
        assert simulate(limiter, [*earlier, time + wait]).admitted[-1]


@pytest.mark.parametrize(
    ("limiter", "expected"),
    [
        (TokenBucket(10, "1/s", name="p"), "2"),  # 4 of the 6 tokens are left
        (FixedWindow(10, 60, name="p"), "60"),
        (SlidingLog(10, 60, name="p"), "60"),
        (Gcra(1, 9, name="p"), "2"),
        (PerClient("user", TokenBucket(10, "1/s"), name="p"), "2"),
        (Layers(Concurrency(9, name="open"), TokenBucket(10, "1/s", name="p")), "2"),
        (Layers(TokenBucket(100, 1, name="large"), TokenBucket(10, "1/s", name="p")), "2"),
    ],
)
def test_the_wait_after_a_rejection_is_for_the_cost_of_that_request(limiter: Limiter, expected: str) -> None:
    service_s = 1 if isinstance(limiter.layers[0], Concurrency) else None
    clients = {"user": ["ann", "ann"]} if isinstance(limiter, PerClient) else None
    run = simulate(limiter, [0, 0], costs=[6, 6], service_s=service_s, clients=clients)
    response = build_response(run, 1)
    headers = dict(response.headers)

    assert expected == headers["Retry-After"]
    assert f'"p";r=4;t={expected}' == headers["RateLimit"]
    assert [int(expected)] == [limit["retry-after"] for limit in json.loads(response.body)["limits"]]


def test_a_limit_that_has_less_left_than_the_request_costs_is_exceeded_too() -> None:
    both = Layers(FixedWindow(10, 60, name="minute"), FixedWindow(20, 3600, name="hour"))
    run = simulate(both, [0, 60, 60], costs=[9, 9, 9])

    assert ("minute", "hour") == ProblemDetails.parse(build_response(run, 2).body).violated


@given(limiters.filter(lambda limiter: max_cost(limiter) is not None), gaps, st.data())
def test_a_client_that_waits_for_a_costly_request_is_let_in(
    limiter: Limiter, between: list[Fraction], data: st.DataObject
) -> None:
    times = [sum(between[: n + 1], Fraction(0)) for n in range(len(between))]
    most = max_cost(limiter) or 1
    costs = data.draw(st.lists(st.integers(1, most), min_size=len(times), max_size=len(times)))
    run = simulate(limiter, times, costs=costs)
    index = len(times) - 1
    wait = observe(build_response(run, index).headers, now=times[-1]).wait_s

    if not run.admitted[index]:
        assert simulate(limiter, [*times, times[-1] + wait], costs=[*costs, costs[-1]]).admitted[-1]


@given(limiters, gaps)
def test_the_remaining_quota_of_a_response_can_be_spent_at_once(
    limiter: Limiter, between: list[Fraction]
) -> None:
    times = [sum(between[: n + 1], Fraction(0)) for n in range(len(between))]
    run = simulate(limiter, times)
    index = len(times) - 1
    limits = parse_ratelimit(dict(build_response(run, index).headers)["RateLimit"])
    left = min(limit.remaining for limit in limits)

    if run.admitted[index]:
        assert all(simulate(limiter, times + [times[-1]] * left).admitted[len(times) :])


@pytest.mark.parametrize(
    ("limiter", "expected"),
    [
        (TokenBucket(10, "5/s", name="burst"), QuotaPolicy(name="burst", quota=10, window_s=2)),
        (TokenBucket(2.5, "10/s"), QuotaPolicy(name="TokenBucket", quota=2, window_s=1)),
        (LeakyBucket(9, "10/s"), QuotaPolicy(name="LeakyBucket", quota=9, window_s=1)),
        (LeakyBucket(9, "5/s", "immediate"), QuotaPolicy(name="LeakyBucket", quota=10, window_s=2)),
        (FixedWindow(100, "1 hour", name="hourly"), QuotaPolicy(name="hourly", quota=100, window_s=3600)),
        (SlidingLog(5, 0.5), QuotaPolicy(name="SlidingLog", quota=5, window_s=1)),
        (SlidingCounter(5, 60), QuotaPolicy(name="SlidingCounter", quota=5, window_s=60)),
        (Gcra("100 ms", "900 ms"), QuotaPolicy(name="Gcra", quota=10, window_s=1)),
        (Concurrency(4), QuotaPolicy(name="Concurrency", quota=4, unit="concurrent-requests")),
    ],
)
def test_every_limit_is_reported_as_a_quota_and_a_window(limiter: Limiter, expected: QuotaPolicy) -> None:
    assert expected == policy_of(limiter)


def test_a_rejection_by_several_limits_names_those_that_have_nothing_left() -> None:
    both = Layers(TokenBucket(2, "1/s", name="burst"), FixedWindow(2, 60, name="quota"))
    response = build_response(simulate(both, [0, 0, 0]), 2, start=1_790_000_000)
    headers = dict(response.headers)

    assert ("burst", "quota") == ProblemDetails.parse(response.body).violated
    assert "60" == headers["Retry-After"]
    assert [
        QuotaPolicy(name="burst", quota=2, window_s=2),
        QuotaPolicy(name="quota", quota=2, window_s=60),
    ] == list(parse_ratelimit_policy(headers["RateLimit-Policy"]))
    assert "2026-09-21T14:14:20Z" in response.body.decode()


@pytest.mark.parametrize("index", [-1, 2])
def test_a_request_that_is_not_in_the_run_is_rejected(index: int) -> None:
    with pytest.raises(InvalidLimit, match="the run has 2 requests"):
        build_response(simulate(TokenBucket(1, 1), [0, 1]), index)


def test_a_limit_that_never_admits_has_no_time_to_tell() -> None:
    with pytest.raises(InvalidLimit, match="never admits a request"):
        build_response(simulate(FixedWindow(0, 60), [0]), 0)


def test_several_limits_are_not_one_policy() -> None:
    with pytest.raises(InvalidLimit, match="cannot be expressed as a quota in a window"):
        policy_of(Layers(TokenBucket(1, 1), FixedWindow(1, 1)))


def test_a_name_that_no_header_can_carry_is_rejected() -> None:
    with pytest.raises(InvalidHeader, match="must be printable ASCII text, not 'büro'"):
        build_response(simulate(TokenBucket(1, 1, name="büro"), [0]), 0)


@given(limiters.filter(lambda limiter: not isinstance(limiter, Layers)), gaps)
def test_at_the_reset_the_whole_quota_can_be_spent(limiter: Limiter, between: list[Fraction]) -> None:
    times = [sum(between[: n + 1], Fraction(0)) for n in range(len(between))]
    sent_headers = dict(build_response(simulate(limiter, times), len(times) - 1, x_reset="delta").headers)
    reset, quota = times[-1] + int(sent_headers["X-RateLimit-Reset"]), int(sent_headers["X-RateLimit-Limit"])

    later = simulate(limiter, [*times, *[reset] * quota])
    assert all(later.admitted[len(times) :])


@pytest.mark.parametrize(
    ("limiter", "reset"),
    [
        (TokenBucket(10, "2/s"), 3),  # five of ten are gone, two come back each second
        (LeakyBucket(10, "2/s"), 3),
        (Gcra("500 ms", "4.5 s"), 3),
        (FixedWindow(10, 60), 60),
        (SlidingLog(10, 60), 60),
        (SlidingCounter(10, 60), 109),  # then less than one of the five is still in view
    ],
)
def test_the_reset_is_when_the_whole_quota_is_back(limiter: Limiter, reset: int) -> None:
    headers = dict(build_response(simulate(limiter, [0] * 5), 4, x_reset="delta").headers)

    assert ("10", "5", str(reset)) == tuple(
        headers[f"X-RateLimit-{name}"] for name in ("Limit", "Remaining", "Reset")
    )


def test_the_fields_are_of_the_limit_that_has_the_least_left_and_never_of_one_in_flight() -> None:
    both = Layers(
        FixedWindow(10, 60, name="minute"), FixedWindow(3, 1, name="second"), Concurrency(1, name="open")
    )
    run = simulate(both, [0], service_s=5)

    assert ("3", "2", "1") == tuple(
        value for name, value in build_response(run, 0, x_reset="delta").headers[2:]
    )
    alone = simulate(Concurrency(1, name="open"), [0], service_s=5)
    assert 2 == len(build_response(alone, 0, x_reset="delta").headers)


def test_a_rejection_tells_when_to_retry_and_when_the_whole_quota_is_back() -> None:
    run = simulate(TokenBucket(3, "1/s", name="calls"), [10, 10, 10, 10])
    response = build_response(run, 3, start=1000, x_reset="epoch")
    headers = dict(response.headers)
    body = json.loads(response.body)

    assert ("1", "1013") == (headers["Retry-After"], headers["X-RateLimit-Reset"])
    assert (1, 3) == (body["limits"][0]["retry-after"], body["limits"][0]["reset"])


def test_a_rejection_does_not_blame_a_limit_of_the_same_name_that_has_enough_left() -> None:
    both = Layers(FixedWindow(1, 1, name="calls"), FixedWindow(10, 60, name="calls"))
    body = json.loads(build_response(simulate(both, [0, 0]), 1).body)

    assert [1] == [limit["quota"] for limit in body["limits"]]
