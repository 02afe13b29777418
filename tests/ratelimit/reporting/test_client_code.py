"""The code that keeps a plan's throttle; `tests/peers/test_client_code.py` runs that in Python."""

from __future__ import annotations

import random
import re
from fractions import Fraction

import pytest

from hook_widgets.ratelimit import Arrivals, Scenario, TokenBucket, scenario, simulate
from hook_widgets.ratelimit.configs import import_config
from hook_widgets.ratelimit.limiters.algorithm import LimitAlgorithm
from hook_widgets.ratelimit.reporting.client_code import throttle_code, throttle_codes
from hook_widgets.ratelimit.units import NS_PER_S
from tests.ratelimit.configs.source_models import GoLimiter

PLANS = [
    ("1000/hour", {"clients": 12, "steady": "700/hour", "burst": 200}),
    ("600/min", {"burst": 90}),
    ("100/s", {"burst": 15}),
    ("1000/min", {"burst": 500, "in_flight": 20, "latency_s": "800 ms"}),
]


def code_in(planned: Scenario, name: str) -> str:
    """The code of the sample whose title has this name."""
    return next(each.code for each in throttle_codes(planned) if name in each.title)


def requests_for(planned: Scenario) -> list[int]:
    """All at once, then more than the throttle lets pass, at random; in nanoseconds."""
    capacity, per_s = int(planned.planned["capacity"]), planned.plan.inputs.usable_rate
    span_ns = int(4 * (capacity + 40) / per_s * NS_PER_S)
    rng = random.Random(capacity)
    return [0] * 2 * capacity + sorted(rng.randrange(span_ns) for _ in range(8 * (capacity + 40)))


def assert_nothing_rejected(planned: Scenario, passed: list[int]) -> None:
    assert len(passed) > 2 * int(planned.planned["capacity"])
    for algorithm in LimitAlgorithm:
        run = simulate(
            planned.limiter(algorithm), Arrivals(tuple(passed)), service_s=planned.inputs.latency_s
        )
        assert 0 == run.summary().rejected, algorithm


def arguments(code: str) -> tuple[int, Fraction]:
    """The capacity and the period that the code names."""
    line = next(line for line in code.splitlines() if line.startswith("limiter = "))
    capacity, period_s = line.partition("(")[2].partition(")")[0].split(", ")
    return int(capacity.removeprefix("max_rate=")), Fraction(period_s.removeprefix("time_period="))


@pytest.mark.parametrize(
    ("limit", "more"),
    [
        ("1000/hour", {"clients": 12, "steady": "700/hour", "burst": 200}),
        ("100000/s", {"steady": "90000/s"}),
        ("3/day", {"steady": "1/day"}),
        ("7/s", {"capacity": 13}),
        ("github-user", {}),
    ],
)
def test_the_code_is_as_fast_as_the_plan_and_never_faster(limit, more):
    planned = scenario(limit, **more)
    capacity, period_s = arguments(throttle_code(planned).code)

    assert int(planned.plan["capacity"].value) == capacity
    assert capacity / period_s <= planned.plan.inputs.usable_rate
    assert capacity / period_s > planned.plan.inputs.usable_rate * Fraction(99_998, 100_000)


def test_several_clients_are_advised_to_share_one_limiter():
    notes = [throttle_code(scenario("1000/hour", clients=n, steady="500/hour")).note for n in (1, 12)]

    assert "clients" not in notes[0]
    assert "Use one limiter for all 12 clients" in notes[1]


@pytest.mark.parametrize(("limit", "more"), PLANS)
def test_what_the_code_in_go_lets_through_the_api_admits(limit, more):
    planned = scenario(limit, **more)
    rate_per_s, capacity = re.findall(r"NewLimiter\(([\d.]+), (\d+)\)", code_in(planned, "x/time/rate"))[0]
    limiter = GoLimiter(float(rate_per_s), int(capacity))

    assert_nothing_rejected(planned, [at for at in requests_for(planned) if limiter.admits(at)])


@pytest.mark.parametrize(("limit", "more"), PLANS)
def test_what_nginx_lets_through_the_api_admits(limit, more):
    planned = scenario(limit, **more)
    enforced, requests = import_config(code_in(planned, "nginx"), "nginx"), requests_for(planned)
    assert isinstance(enforced, TokenBucket)
    admitted = simulate(enforced, Arrivals(tuple(requests))).admitted

    assert planned.planned["capacity"] == enforced.capacity
    assert enforced.refill_rate > Fraction(96, 100) * planned.plan.inputs.usable_rate
    assert_nothing_rejected(planned, [at for at, ok in zip(requests, admitted, strict=True) if ok])


def test_a_rate_below_one_a_minute_has_no_code_for_nginx():
    titles = [each.title for each in throttle_codes(scenario("3/day"))]

    assert 3 == len(titles)
