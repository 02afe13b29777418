"""The code that keeps a plan's throttle; `tests/peers/test_client_code.py` runs it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hook_widgets.ratelimit import scenario
from hook_widgets.ratelimit.reporting.client_code import throttle_code


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


def test_several_clients_are_told_to_share_one_limiter():
    notes = [throttle_code(scenario("1000/hour", clients=n, steady="500/hour")).note for n in (1, 12)]

    assert "clients" not in notes[0]
    assert "Use one limiter for all 12 clients" in notes[1]
