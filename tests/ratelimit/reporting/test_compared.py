"""In a comparison of algorithms, each sentence that is about one of them names it."""

from __future__ import annotations

from typing import Any

import pytest

from hook_widgets.ratelimit import scenario
from hook_widgets.ratelimit.limiters.algorithm import LimitAlgorithm
from hook_widgets.ratelimit.reporting.report import report

LIMITS = ["10/s", {"second": "10/s", "minute": "60/min"}]


def sentences(model, *, compare):
    return report(model, compare=compare).advice.sentences


@pytest.mark.parametrize("limit", LIMITS, ids=["one limit", "two limits"])
@pytest.mark.parametrize("algorithm", list(LimitAlgorithm))
def test_a_sentence_that_another_algorithm_would_change_names_its_own(algorithm, limit):
    """Sentences that differ between two algorithms depend on the algorithm."""
    traffic: Any = {"burst": 90, "burst_allowance": 30, "steady": "0.5/s"}
    mine = sentences(scenario(limit, **traffic, algorithm=algorithm), compare=True)
    others = [
        set(sentences(scenario(limit, **traffic, algorithm=other), compare=True))
        for other in LimitAlgorithm
        if other is not algorithm
    ]

    dependent = [each for each in mine if not all(each in other for other in others)]
    assert dependent
    assert [] == [each for each in dependent if algorithm.label.lower() not in each.lower()]


def test_worst_case_and_alert_name_the_algorithm_only_where_several_are_compared():
    model = scenario("10/s", burst=40, burst_allowance=30)
    compared = " ".join(sentences(model, compare=True))

    assert "Worst case of the token bucket: " in compared
    assert "Alert that goes off (25% simulated with the token bucket): " in compared
    assert compared.count("The windows that are compared have no burst allowance.") == 1
    alone = " ".join(sentences(model, compare=False))
    assert "Worst case: " in alone
    assert "(25% simulated): " in alone
    assert "compared" not in alone
    unknown = scenario("10/s", burst=40, burst_allowance=30, algorithm="unknown")
    assert "(75% simulated with the fixed window, the strictest)" in " ".join(
        sentences(unknown, compare=False)
    )
