"""The queue of a plan: theory, Little's law and simulation agree."""

from __future__ import annotations

from typing import Any

import pytest

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.planning.plan import plan
from hook_widgets.ratelimit.planning.queue_validation import QueueCheck, check_queue
from tests.support.extent import some


@pytest.mark.parametrize(
    ("steady", "timeout"),
    some(
        [
            *((steady, wait) for steady in ("40/s", "68/s", "80/s") for wait in ("50 ms", "150 ms", "2 s")),
            *((steady, wait) for steady in ("100/s", "170/s") for wait in ("50 ms", "150 ms")),
        ],
        6,
    ),
)
def test_the_simulation_agrees_with_theory_within_chance(steady: str, timeout: str) -> None:
    planned = plan("100/s", steady=steady, timeout_s=timeout)
    checks = [check_queue(planned, requests=20_000, seed=seed) for seed in range(8)]

    # Eight runs: the mean lies within four standard errors of what theory says (and a little rounding).
    for quantity in ("wait_s", "rejected"):
        values = [getattr(check, f"simulated_{quantity}") for check in checks]
        mean = sum(values) / 8
        error = (sum((value - mean) ** 2 for value in values) / 7 / 8) ** 0.5
        assert abs(mean - getattr(checks[0], f"theory_{quantity}")) <= 4 * error + 1e-4


def test_littles_law_holds_in_every_run() -> None:
    for seed in range(5):
        check = check_queue(plan("100/s", steady="80/s", timeout_s="150 ms"), requests=2_000, seed=seed)

        assert check.simulated_wait_s == pytest.approx(check.little_wait_s)


def test_a_long_queue_waits_as_long_as_an_endless_one() -> None:
    check = check_queue(plan("100/s", steady="50/s", timeout_s=10), requests=1_000)

    assert check.endless_wait_s == pytest.approx(check.theory_wait_s)


def test_a_queue_drains_at_the_rate_that_concurrency_allows() -> None:
    planned = plan("100/s", steady="30/s", timeout_s="2 s", concurrency=4, latency_s="100 ms")
    checks = [check_queue(planned, requests=20_000, seed=seed) for seed in range(4)]

    assert 40 == planned["usable_rate"].value
    # M/D/1 at a load of 0.75: 0.75 / (2 * 40 * 0.25) s
    assert sum(check.simulated_wait_s for check in checks) / 4 == pytest.approx(0.0375, rel=0.1)


def test_the_same_seed_gives_the_same_numbers() -> None:
    planned = plan("100/s", steady="80/s", timeout_s=1)

    assert check_queue(planned, requests=500, seed=3) == check_queue(planned, requests=500, seed=3)
    assert isinstance(check_queue(planned, requests=500), QueueCheck)
    assert check_queue(planned, requests=500, seed=3) != check_queue(planned, requests=500, seed=4)


@pytest.mark.parametrize(
    ("arguments", "requests", "problem"),
    [
        ({"timeout_s": 1}, 10, "give it steady and timeout_s"),
        ({"steady": 1}, 10, "give it steady and timeout_s"),
        ({"steady": 1, "timeout_s": "1 ms"}, 10, "give a longer timeout_s"),
        ({"steady": 1, "timeout_s": 1}, 0, "requests is zero"),
        ({"steady": 1, "timeout_s": 1}, 2.5, "requests must be a whole number"),
    ],
)
def test_a_plan_without_a_queue_is_rejected(arguments: dict[str, Any], requests: Any, problem: str) -> None:
    with pytest.raises(InvalidLimit, match=problem):
        check_queue(plan("100/s", **arguments), requests=requests)
