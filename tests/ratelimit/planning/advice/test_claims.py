"""No sentence of a plan is refuted by the simulation of that plan: each claim is run."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest

from hook_widgets.ratelimit.planning.advice.claims import AdviceRole, Claim, ClaimKind
from hook_widgets.ratelimit.planning.plan import Plan, plan
from hook_widgets.ratelimit.planning.scenario import scenario
from tests.ratelimit.planning.advice.claim_checks import CHECKS, bucket_admits, burst_of
from tests.ratelimit.planning.advice.random_plans import random_arguments
from tests.support.extent import extent

NUMBERS = range(69, extent(135, 2_069))  # the fewest in a row that have each kind of claim


def refuted(planned: Plan) -> list[tuple[str, Claim]]:
    """Return the sentences that the simulation refutes."""
    return [
        (each.text, claim)
        for each in planned.advice
        for claim in each.claims
        if not CHECKS[claim.kind](planned, **claim.values)
    ]


def test_no_claim_of_random_plans_is_refuted_and_each_kind_occurs():
    wrong, kinds = [], set()
    for number in NUMBERS:
        arguments = random_arguments(number)
        planned = plan(**arguments)
        kinds |= {claim.kind for each in planned.advice for claim in each.claims}
        wrong += [(arguments, *each) for each in refuted(planned)]

    assert [] == wrong
    assert set(ClaimKind) == kinds


def test_no_claim_is_refuted_of_a_limiter_whose_requests_wait():
    """Also without a burst allowance, which few enter: then its bucket is the whole quota."""
    wrong, without_allowance = [], 0
    for number in range(69, extent(109, 469)):
        arguments = random_arguments(number)
        model = scenario(**arguments, algorithm="token_bucket_wait", duration_s=1)
        without_allowance += model.inputs.burst_allowance is None and model.inputs.queued
        wrong += [(arguments, *each) for each in refuted(model.plan)]

    assert [] == wrong
    assert without_allowance > 10


GUIDANCE = (
    "is below the usual 10 to 20%",
    "is above the usual 10 to 20%",
    "at which to raise an alert",
    "is not planned",
    "Guideline for an API's own bucket",
    "No burst allowance is given",
    "are in the table",
    "no client gets a response, even without a queue",
)


def test_each_sentence_carries_its_claim_unless_it_is_a_guideline():
    """Guidelines are customs, notes on what is not computed, and a comparison of two inputs."""
    sentences = [
        each for number in range(extent(300, 600)) for each in plan(**random_arguments(number)).advice
    ]
    bare = [each.text for each in sentences if not each.claims]

    assert [] == [text for text in bare if not any(part in text for part in GUIDANCE)]
    assert len(bare) < len(sentences) / 6


def test_a_plan_has_one_verdict_then_at_most_three_actions_then_reasons():
    for number in NUMBERS:
        roles = [each.role for each in plan(**random_arguments(number)).advice]
        actions = roles.count(AdviceRole.ACTION)

        assert [
            AdviceRole.VERDICT,
            *[AdviceRole.ACTION] * actions,
            *[AdviceRole.REASON] * (len(roles) - actions - 1),
        ] == roles
        assert 1 <= actions <= 3


OPPOSITES = (
    ("; it fits", "Slow down"),
    ("a queue would only grow", "Queue or spread"),
    ("never drains", "Queue or spread"),
    ("Reject at once instead of queueing", "Queue or spread"),
    ("Use a smaller cushion", "enlarge the cushion"),
    ("Use a smaller cushion", "only a larger cushion"),
    ("can exceed the limit", ", within the limit"),
)


def contradicting(planned: Plan) -> list[tuple[str, str]]:
    return [pair for pair in OPPOSITES if all(part in str(planned) for part in pair)]


def test_no_plan_says_a_thing_and_its_opposite():
    for number in range(extent(300, 2_000)):  # of a plan alone, which is quick
        assert [] == contradicting(plan(**random_arguments(number))), random_arguments(number)


_REJECTED = re.compile(r"rejects (?:about |at least )?([\d,]+)(?![\d,.]*%)(?: of (?:the )?([\d,]+))?")
_REQUESTS_BEFORE = re.compile(r"(?:burst of|Of the) ([\d,]+)")


def miscounted(planned: Plan) -> list[str]:
    """Return the sentences whose rejected requests are not a part of the requests that they name."""
    wrong = []
    for sentence in planned.advice:
        rejected = _REJECTED.search(sentence.text)
        if rejected is None:
            continue
        named = rejected[2] or _REQUESTS_BEFORE.findall(sentence.text[: rejected.start()])[-1]
        part, whole = (int(number.replace(",", "")) for number in (rejected[1], named))
        if part > whole or whole != len(burst_of(planned)):
            wrong.append(sentence.text)
    return wrong


def test_rejected_requests_are_a_part_of_those_that_the_sentence_names():
    sentences = 0
    for number in NUMBERS:
        planned = plan(**random_arguments(number))
        sentences += any(_REJECTED.search(each.text) for each in planned.advice)

        assert [] == miscounted(planned)
    assert sentences > len(NUMBERS) / 10


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (ClaimKind.NEVER_REJECTED, {"capacity": 300, "rate_per_s": Fraction(850, 3600)}),
        (ClaimKind.BURST_REJECTED, {"capacity": 9, "rate_per_s": Fraction(850, 3600), "requests": 190}),
        (ClaimKind.BURST_WAITS, {"capacity": 9, "rate_per_s": Fraction(850, 3600), "requests": 190}),
        (ClaimKind.BUCKET_LOSS, {"capacity": 1, "load": 0.8, "share": 0.01}),
        (ClaimKind.CONCURRENCY_ENOUGH, {"calls": 1, "latency_s": 2, "rate_per_s": 1}),
        (ClaimKind.LONG_RUN_REJECTED, {"steady_per_s": Fraction(1, 2), "share": 0.9}),
        (ClaimKind.BURST_IN_FLIGHT, {"calls": 20, "latency_s": 1, "requests": 181}),
        (ClaimKind.MOST_IN_FLIGHT, {"capacity": 10, "rate_per_s": 1, "calls": 12, "latency_s": 1.5}),
        (ClaimKind.STEADY_FITS, {"rate_per_s": Fraction(3, 10)}),
        (ClaimKind.FITS_IN_LONG_RUN, {"rate_per_s": Fraction(3, 10)}),
        (ClaimKind.LIMIT_SUFFICES, {"limit_per_s": Fraction(1), "steady_per_s": Fraction(1)}),
        (ClaimKind.QUEUE_GROWS, {"rate_per_s": 1, "steady_per_s": 1}),
        (ClaimKind.RETRIES_ADD, {"steady_per_s": Fraction(2000, 3600), "retries": 3, "factor": 4}),
        (ClaimKind.BUDGET_FITS, {"rate_per_s": Fraction(900, 3600), "count": 1}),
        (ClaimKind.BURST_WAITING, {"rate_per_s": 1, "requests": 150}),
        (ClaimKind.QUEUE_TOO_SLOW, {"rate_per_s": 1, "timeout_s": 2}),
        (ClaimKind.TOO_MANY_AT_ONCE, {"capacity": 2, "rate_per_s": Fraction(850, 3600)}),
    ],
)  # fmt: skip
def test_a_wrong_claim_is_refuted(kind: ClaimKind, values: dict[str, Any]):
    """The control."""
    assert not CHECKS[kind](plan("1000/hour", burst=200), **values)


@pytest.mark.parametrize(
    ("preset", "burst", "capacity"),
    [("shopify-rest", 40, 40), ("aws-api-gateway", 4_000, 4_000), ("kubernetes-client", 10, 10)],
)
def test_a_published_bucket_is_in_the_plan(preset: str, burst: int, capacity: int):
    planned = plan(preset, burst=burst)
    claims = [each for sentence in planned.advice for each in sentence.claims]

    assert (capacity, 0) == (planned["capacity"].value, planned["burst_rejected"].value)
    assert ClaimKind.BUCKET_ADMITS in {each.kind for each in claims}
    assert bucket_admits(planned, capacity, planned.inputs.usable_rate)
    assert not bucket_admits(planned, 2 * capacity + 2_000, planned.inputs.usable_rate), "the control"


def test_another_burst_allowance_is_not_the_published_bucket():
    assert plan("kubernetes-client", burst=10, burst_allowance=3).inputs.bucket is False
    assert plan("5/s", burst=10, burst_allowance=10).inputs.bucket is False
