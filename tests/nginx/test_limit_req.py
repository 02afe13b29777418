"""The model predicts what a real nginx decides, request by request, from the moments at which it decided."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from hook_widgets.ratelimit import FixedWindow, Limiter, TokenBucket, simulate
from tests.nginx.limits import DRY_RUN, EXACT, LIMITS, MINUTE_BURST, NODELAY, QUEUES, Limit
from tests.nginx.traffic import patterns

if TYPE_CHECKING:
    from tests.nginx.conftest import Log

PATTERNS = list(patterns(1, 1))
every_pattern = pytest.mark.parametrize("pattern", PATTERNS)


@every_pattern
@pytest.mark.parametrize("limit", EXACT, ids=lambda limit: limit.path)
def test_the_model_predicts_every_status(limit: Limit, pattern: str, log: Log):
    at_s, decisions = log.of(limit, pattern)

    admitted = simulate(limit.model, at_s).admitted

    assert [200 if passes else limit.rejected for passes in admitted] == [d.status for d in decisions]


@every_pattern
def test_the_model_predicts_what_a_dry_run_only_notes(pattern: str, log: Log):
    at_s, decisions = log.of(DRY_RUN, pattern)

    admitted = simulate(DRY_RUN.model, at_s).admitted

    assert {200} == {decision.status for decision in decisions}
    expected = ["PASSED" if passes else "REJECTED_DRY_RUN" for passes in admitted]
    assert expected == [decision.limit_req for decision in decisions]


@every_pattern
@pytest.mark.parametrize("limit", QUEUES, ids=lambda limit: limit.path)
def test_the_model_predicts_who_waits_in_the_queue_and_how_long_at_least(
    limit: Limit, pattern: str, log: Log
):
    at_s, decisions = log.of(limit, pattern)

    waits_ms = [None if wait is None else round(wait * 1000) for wait in simulate(limit.model, at_s).wait_s]

    named = {None: "REJECTED", 0: "PASSED"}
    assert [named.get(wait, "DELAYED") for wait in waits_ms] == [d.limit_req for d in decisions]
    late_ms = [d.took_ms - wait for d, wait in zip(decisions, waits_ms, strict=True) if wait is not None]
    assert min(late_ms) >= -1  # $request_time is a difference on the wall clock
    assert sorted(late_ms)[len(late_ms) // 2] < 25  # and nginx wakes up when it gets to it


@every_pattern
def test_a_rate_per_minute_with_a_burst_loses_less_than_a_thousandth_of_a_request_with_each(
    pattern: str, log: Log
):
    """nginx rounds every refill down to whole thousandths: its bucket is never fuller than the exact one."""
    at_s, decisions = log.of(MINUTE_BURST, pattern)
    passed = [decision.status == 200 for decision in decisions]
    through = [t for t, passes in zip(at_s, passed, strict=True) if passes]

    exact = simulate(MINUTE_BURST.model, through)

    assert [True] * len(through) == exact.admitted
    for i, (t, passes) in enumerate(zip(at_s, passed, strict=True)):
        assert passes or exact.tokens(t) < 1 + sum(passed[:i]) / 1000


def test_the_traffic_was_worth_it(log: Log):
    """Thousands of decisions, every limit admits and rejects, and many are made in the same millisecond."""
    counts: Counter[str] = Counter()
    for limit in LIMITS:
        results: Counter[str] = Counter()
        for pattern in PATTERNS:
            at_s, decisions = log.of(limit, pattern)
            results.update(decision.limit_req for decision in decisions)
            counts["in the same millisecond"] += len(at_s) - len(set(at_s))
        assert results["PASSED"] + results["DELAYED"] > 50
        assert results["REJECTED"] + results["REJECTED_DRY_RUN"] > 50
        counts.update(results)

    assert counts["in the same millisecond"] > 500
    assert counts.total() > 4000
    assert counts["DELAYED"] > 100


@pytest.mark.parametrize(
    "almost",
    [
        TokenBucket(5, 100),
        TokenBucket(7, 100),
        TokenBucket(6, 99),
        TokenBucket(6, 101),
        FixedWindow(10, "0.1 s"),
    ],
    ids=repr,
)
def test_a_model_that_is_almost_right_is_found_out(almost: Limiter, log: Log):
    wrong = 0
    for pattern in PATTERNS:
        at_s, decisions = log.of(NODELAY, pattern)
        admitted = simulate(almost, at_s).admitted
        wrong += sum(passes != (d.status == 200) for passes, d in zip(admitted, decisions, strict=True))

    assert wrong > 3
