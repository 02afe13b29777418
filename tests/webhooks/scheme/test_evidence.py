"""The confidence in signature, headers and bodies, as it follows from the evidence for each."""

from __future__ import annotations

import pytest

from hook_widgets.webhooks.models import BodyModel, Confidence, Evidence, PartEvidence

RECORDED = PartEvidence(recorded=("a delivery of 2026",))
CODE = PartEvidence(code=("acme/acme send.go",))
UNCONFIRMED = PartEvidence(unconfirmed=True)
MODEL = BodyModel(name="acme.Event")


def words(evidence: Evidence, *, documented: bool = True, headers_known: bool = True) -> tuple[str, str]:
    known = evidence.confidence("sdk", documented=documented, headers_known=headers_known, events=4)
    assert known.scheme == "sdk"
    return known.headers, known.bodies


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        (Evidence(), ("docs", "docs")),
        (Evidence(headers=RECORDED), ("captured", "docs")),
        (Evidence(headers=CODE), ("source", "docs")),
        (Evidence(headers=PartEvidence(recorded=("a",), code=("b",))), ("captured", "docs")),
        (Evidence(headers=UNCONFIRMED), ("unconfirmed", "docs")),
        (Evidence(bodies=RECORDED), ("docs", "captured")),
        (Evidence(bodies=CODE), ("docs", "source")),
        (Evidence(bodies=PartEvidence(recorded=("a",), code=("b",))), ("docs", "source")),
        (Evidence(bodies=UNCONFIRMED), ("docs", "unconfirmed")),
        (Evidence(bodies=RECORDED, model=MODEL), ("docs", "model")),
    ],
)
def test_each_part_has_the_word_of_its_best_evidence(evidence, expected):
    assert expected == words(evidence)


def test_an_accepted_signature_confirms_neither_headers_nor_bodies():
    assert ("unconfirmed", "unconfirmed") == words(Evidence(), documented=False)


def test_headers_without_any_source_are_unconfirmed_while_bodies_are_documented():
    assert ("unconfirmed", "docs") == words(Evidence(), headers_known=False)
    assert ("captured", "docs") == words(Evidence(headers=RECORDED), headers_known=False)


@pytest.mark.parametrize(("misses", "expected"), [("a", "model"), ("ab", "docs"), ("abc", "docs")])
def test_types_that_miss_half_of_the_events_say_nothing_about_the_bodies(misses, expected):
    evidence = Evidence(model=BodyModel(name="acme.Event", misses=tuple(misses)))

    assert ("docs", expected) == words(evidence)


def test_a_neutral_kind_stands_for_no_sender():
    seed = Confidence(scheme="seed", headers="seed", bodies="seed")

    assert seed == Evidence(bodies=CODE).confidence("seed", documented=True, headers_known=True, events=1)
