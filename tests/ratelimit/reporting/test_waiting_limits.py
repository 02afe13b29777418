"""A preset whose limiter makes requests wait: the verdict and the status say so."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

import pytest

from hook_widgets.ratelimit import Arrivals, plan, scenario
from hook_widgets.ratelimit.planning.input_parsing import limits_of
from hook_widgets.ratelimit.planning.inputs import PlanInputs
from hook_widgets.ratelimit.reporting.report import ReportStatus, report

WAITS = "This limiter makes requests wait instead of rejecting them: "


def waiting(times_s: Sequence[float], rate_per_s: int, capacity: int) -> list[bool]:
    """Return which calls of client-go wait: golang.org/x/time/rate, `Limiter.reserveN`, in exact numbers.

    A call takes its token at once, and waits until the tokens are not below zero.
    """
    tokens, last, result = Fraction(capacity), Fraction(0), []
    for at in map(Fraction, times_s):
        tokens = min(Fraction(capacity), tokens + (at - last) * rate_per_s) - 1
        last = at
        result.append(tokens < 0)
    return result


def test_the_verdict_says_that_requests_wait():
    model = scenario("kubernetes-client", burst=30)
    shown = report(model)

    assert shown.advice.verdict.startswith(WAITS)
    assert str(plan("kubernetes-client", burst=30)).startswith(WAITS)
    assert ReportStatus("bad", "At least 66.7% of the requests would wait") == shown.status
    assert "No request waits" == report(scenario("kubernetes-client", burst=9)).status.text
    in_flight = scenario("kubernetes-client", burst=30, in_flight=2, latency_s=1)
    assert report(in_flight).advice.verdict.startswith(WAITS)
    assert "get 429" in report(in_flight).status.text, "the API rejects those"
    unknown = report(scenario("kubernetes-client", burst=30, algorithm="unknown")).status.text
    assert "It depends on the algorithm: at least 66.7% to 83.3% of the requests would wait" == unknown


@pytest.mark.parametrize("limit", ["stripe-sandbox", "5/s", "pro"])
def test_the_verdict_on_a_limiter_that_rejects_does_not(limit):
    model = scenario(limit, burst=40, burst_allowance=10)

    assert WAITS not in " ".join(report(model).advice.sentences)
    assert "wait" not in report(model).status.text


def test_limits_of_ones_own_do_not_wait():
    assert not PlanInputs.of(limits_of("kubernetes-client"), {}).waits
    assert PlanInputs.read("kubernetes-client", {"burst_allowance": 99}).waits


@pytest.mark.parametrize("seed", range(20))
def test_every_request_that_is_counted_as_rejected_would_wait(seed):
    rng = random.Random(seed)
    times_s = sorted(round(rng.uniform(0, 20), 2) for _ in range(rng.randrange(20, 250)))
    model = scenario("kubernetes-client", arrivals=Arrivals.from_times(times_s))

    waits = waiting([at / 1e9 for at in model.arrivals.times_ns], 5, 10)

    assert all(wait or ok for wait, ok in zip(waits, model.run.admitted, strict=True))
