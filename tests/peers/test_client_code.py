"""The throttle that is shown as code, run with its library: of what it admits the API rejects nothing."""

from __future__ import annotations

import random

import pytest

from hook_widgets.ratelimit import Arrivals, scenario, simulate
from hook_widgets.ratelimit.limiters.algorithm import LimitAlgorithm
from hook_widgets.ratelimit.reporting.client_code import throttle_code
from tests.peers.peer_adapters import of_aiolimiter


@pytest.mark.parametrize(("limit", "burst"), [("1000/hour", 200), ("50/s", 300), ("600/min", 40)])
def test_what_the_code_lets_through_no_algorithm_of_the_api_rejects(limit, burst):
    planned = scenario(limit, burst=burst)
    names: dict = {}
    exec(compile(throttle_code(planned).code, "throttle.py", "exec"), names)
    limiter = names["limiter"]
    rng, period_s = random.Random(burst), float(limiter.time_period)
    times = sorted(rng.uniform(0, 4 * period_s) for _ in range(6 * int(limiter.max_rate)))

    through = of_aiolimiter(limiter.max_rate, limiter.time_period)(times, [1] * len(times))
    passed = [time for time, admitted in zip(times, through, strict=True) if admitted]

    assert len(passed) > 3 * limiter.max_rate
    for algorithm in LimitAlgorithm:
        run = simulate(planned.limiter(algorithm), Arrivals.from_times(passed))
        assert 0 == run.summary().rejected, algorithm
