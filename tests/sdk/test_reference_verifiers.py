"""Every request we sign is accepted by the provider's own library, and its forged twins are rejected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from hook_widgets.webhooks import providers
from tests.sdk import body_models, typescript_models
from tests.sdk.cases import ACCEPTED, REJECTED, ROLLED, VARIED, Case, Forgery
from tests.sdk.reference_verifiers import UNVERIFIED, VERIFIERS
from tests.sdk.table import PAGE, README, page, readme

Ask = Callable[[Case], bool]

MODELS = (*body_models.MODELS, *typescript_models.MODELS)
REAL = {known.id: known for known in providers() if known.confidence.scheme != "seed"}
VERIFIED = {verifier.provider for verifier in VERIFIERS}
VERIFIED_BY_THEIR_OWN = {verifier.provider for verifier in VERIFIERS if verifier.own}


def forged(forgery: Forgery) -> pytest.MarkDecorator:
    """For every request that is wrong in this way."""
    return pytest.mark.parametrize("case", [case for case in REJECTED if case.forgery is forgery], ids=str)


@pytest.mark.parametrize("case", ACCEPTED, ids=str)
def test_a_signed_request_is_accepted(case: Case, accepts: Ask) -> None:
    assert accepts(case)


@pytest.mark.parametrize("case", VARIED, ids=str)
def test_a_request_with_a_varied_body_is_accepted(case: Case, accepts: Ask) -> None:
    assert accepts(case)


@pytest.mark.parametrize("case", ROLLED, ids=str)
def test_while_a_secret_is_rolled_a_receiver_with_the_older_one_accepts(case: Case, accepts: Ask) -> None:
    assert accepts(case)


@forged(Forgery.CHANGED)
def test_a_request_changed_after_signing_is_rejected(case: Case, accepts: Ask) -> None:
    assert not accepts(case)


@forged(Forgery.OTHER_SECRET)
def test_a_request_signed_with_another_secret_is_rejected(case: Case, accepts: Ask) -> None:
    assert not accepts(case)


@forged(Forgery.TOO_OLD)
def test_a_request_that_is_too_old_is_rejected(case: Case, accepts: Ask) -> None:
    assert not accepts(case)


def test_mailgun_accepts_a_changed_body_because_it_signs_none_of_it() -> None:
    case = next(case for case in ACCEPTED if (case.verifier.provider, case.event) == ("mailgun", "delivered"))
    request, key = case.request()

    changed = replace(request, body=request.body.replace(b"recipient@", b"somebody.else@"))

    assert changed.body != request.body
    assert case.verifier.accepts(changed, key)


def test_every_real_provider_is_verified_or_says_why_not() -> None:
    assert set(REAL) == VERIFIED | set(UNVERIFIED)
    assert VERIFIED & set(UNVERIFIED) == set()


def test_at_least_forty_five_providers_are_verified_by_a_library_of_their_own() -> None:
    assert len(VERIFIED_BY_THEIR_OWN) >= 45


def test_a_provider_claims_no_more_confidence_than_its_verifiers_give() -> None:
    claimed = {
        name: {p.id for p in REAL.values() if p.confidence.scheme == name} for name in ("sdk", "peer", "docs")
    }

    assert claimed["sdk"] == VERIFIED_BY_THEIR_OWN
    assert claimed["peer"] <= VERIFIED - VERIFIED_BY_THEIR_OWN
    assert set(UNVERIFIED) <= claimed["docs"]


def test_the_data_name_the_types_that_parse_the_bodies_here() -> None:
    models = {model.provider: (model.name, {*dict(model.misses)}) for model in MODELS}
    named = {
        p.id: (p.evidence.model.name, {*p.evidence.model.misses}) for p in REAL.values() if p.evidence.model
    }

    assert models == named


def test_the_page_of_providers_shows_what_is_verified_here() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "`make providers` regenerates it"


def test_readme_has_the_counts_of_the_evidence() -> None:
    text = README.read_text(encoding="utf-8")

    assert "are confirmed by the provider's own library" in text
    assert text == readme(text), "`make providers` regenerates it"
