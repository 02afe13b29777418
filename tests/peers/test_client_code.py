"""The code that is shown, run with its libraries, against the numbers of its plan."""

from __future__ import annotations

import random
import time
from itertools import pairwise

import pytest

from hook_widgets.ratelimit import Arrivals, scenario, simulate
from hook_widgets.ratelimit.limiters.algorithm import LimitAlgorithm
from hook_widgets.ratelimit.reporting.client_code import retry_code, throttle_code
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


class Clock:
    """A clock that only sleeping moves on."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


@pytest.mark.parametrize(
    ("more", "attempts", "longest_s"),
    [
        ({"retries": 2}, 3, 1e9),
        ({"retries": 0, "timeout_s": 30}, 1, 0),
        ({"retries": 1000, "timeout_s": 30}, 1001, 30),
        ({}, 4, 1e9),
    ],
)
def test_a_rejected_call_is_sent_again_within_the_retries_the_timeout_and_the_budget(
    monkeypatch, more, attempts, longest_s
):
    planned = scenario("600/min", clients=5, **more)
    clock, sent = Clock(), []
    pace_s = float(planned.plan.budgets[0].delay_s)
    names: dict = {}
    exec(compile(retry_code(planned).code, "retries.py", "exec"), names)

    def send() -> None:
        sent.append(clock.now_s)
        raise names["Rejected"](2)

    call = names["call"].retry_with(sleep=clock.sleep)
    with monkeypatch.context() as patched:
        patched.setattr(time, "monotonic", lambda: clock.now_s)
        with pytest.raises(names["Rejected"]):
            call(send)
    waits = [later - earlier for earlier, later in pairwise(sent)]

    assert all(2 + pace_s <= wait <= 2 + 2.001 * pace_s for wait in waits)
    assert len(sent) <= attempts
    assert sent[-1] <= longest_s
    assert len(sent) == attempts or sent[-1] + 2 + 2.001 * pace_s > longest_s


@pytest.mark.parametrize("algorithm", [LimitAlgorithm.TOKEN_BUCKET, LimitAlgorithm.FIXED_WINDOW])
def test_clients_that_wait_as_the_api_says_are_admitted_in_the_end(monkeypatch, algorithm):
    planned = scenario("600/min", clients=5, retries=1, burst=600, algorithm=algorithm)
    clock, api = Clock(), planned.limiter(algorithm).begin()
    names: dict = {}
    exec(compile(retry_code(planned).code, "retries.py", "exec"), names)
    while api.decide(clock.now_s):
        pass

    def send() -> str:
        free_s = float(api.free_at(clock.now_s) or clock.now_s)
        if not api.decide(clock.now_s):
            raise names["Rejected"](free_s - clock.now_s)
        return "admitted"

    with monkeypatch.context() as patched:
        patched.setattr(time, "monotonic", lambda: clock.now_s)
        results = [names["call"].retry_with(sleep=clock.sleep)(send) for _ in range(20)]

    assert ["admitted"] * 20 == results
