"""The code that a plan hands out for nginx, as it is, in an nginx, against the numbers of the plan."""

from __future__ import annotations

import asyncio
import random
from fractions import Fraction
from pathlib import Path

import pytest

from hook_widgets.ratelimit import Arrivals, Scenario, TokenBucket, scenario, simulate
from hook_widgets.ratelimit.limiters.algorithm import LimitAlgorithm
from hook_widgets.ratelimit.reporting.client_code import throttle_codes
from tests.nginx.server import Nginx
from tests.nginx.traffic import FIRST, SECONDS, TOGETHER, Stream, drive

PATH = "limited"


def decisions_of(planned: Scenario, folder: Path) -> tuple[list[Fraction], list[bool]]:
    """Return when nginx decided each request, in seconds, and what it admitted.

    First come twice as many requests at once as the plan allows, then twice its rate at random times.
    """
    (code,) = (each.code for each in throttle_codes(planned) if "nginx" in each.title)
    http, _, location = code.partition("# in a location\n")
    capacity, rate_per_s = int(planned.planned["capacity"]), float(planned.plan.inputs.usable_rate)
    rng = random.Random(capacity)
    later = sorted(rng.uniform(0.1, SECONDS) for _ in range(int(2 * rate_per_s * SECONDS)))
    with Nginx(folder, [http], {FIRST: "", TOGETHER: "", PATH: location}) as nginx:
        asyncio.run(drive(nginx, [Stream(PATH, "", [0.0] * 2 * capacity + later)]))
    decisions = [each for each in nginx.decisions() if each.path == PATH]
    assert {200, 429} == {each.status for each in decisions}
    start_ms = decisions[0].at_ms
    return [Fraction(each.at_ms - start_ms, 1000) for each in decisions], [
        each.status == 200 for each in decisions
    ]


@pytest.mark.parametrize(
    ("limit", "more"),
    [("100/s", {"burst": 15}), ("600/min", {"burst": 40}), ("60/s", {"clients": 3, "burst": 50})],
)
def test_nginx_admits_the_numbers_of_the_plan_and_the_api_rejects_none_of_them(limit, more, tmp_path):
    planned = scenario(limit, **more)
    at_s, admitted = decisions_of(planned, tmp_path)
    capacity, rate_per_s = int(planned.planned["capacity"]), planned.plan.inputs.usable_rate
    passed = [at for at, ok in zip(at_s, admitted, strict=True) if ok]

    assert [True] * capacity == admitted[:capacity]
    assert simulate(TokenBucket(capacity, rate_per_s), at_s).admitted == admitted
    assert len(passed) <= capacity + rate_per_s * at_s[-1]
    assert len(passed) > capacity + Fraction(3, 4) * rate_per_s * at_s[-1]
    for algorithm in LimitAlgorithm:
        run = simulate(planned.limiter(algorithm), Arrivals.from_times(passed))
        assert 0 == run.summary().rejected, algorithm
