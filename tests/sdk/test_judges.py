"""Every request we sign is accepted by the provider's own library, and its forged twins are refused."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from hook_widgets.webhooks import KeyPair, Secret, provider, providers
from tests.sdk.judges import JUDGES, UNJUDGED, Judge

if TYPE_CHECKING:
    from tests.sdk.conftest import Bench

URL = "https://hooks.example.com/in/twice?tenant=test&x=1"

CASES = [
    pytest.param(judge, event.name, id=f"{judge}-{event.name}")
    for judge in JUDGES
    for event in provider(judge.provider).events
]
every_case = pytest.mark.parametrize(("judge", "event"), CASES)


def shown(key: Secret | KeyPair) -> str:
    """What the receiver is given: the secret, or the public half of the pair."""
    return key.public if isinstance(key, KeyPair) else key.reveal()


@every_case
def test_a_signed_request_is_accepted(judge: Judge, event: str, bench: Bench) -> None:
    known = provider(judge.provider)
    key = known.example_secret()

    request = known.draft(event=event, url=URL).sign(key)

    assert bench.accepts(request, shown(key))


@every_case
def test_a_request_changed_after_signing_is_refused(judge: Judge, event: str, bench: Bench) -> None:
    known = provider(judge.provider)
    key = known.example_secret()

    request = judge.tamper(known.draft(event=event, url=URL).sign(key))

    assert not bench.accepts(request, shown(key))


@every_case
def test_a_request_signed_with_another_secret_is_refused(judge: Judge, event: str, bench: Bench) -> None:
    known = provider(judge.provider)

    request = known.draft(event=event, url=URL).sign(known.example_secret())

    assert not bench.accepts(request, shown(known.example_secret()))


@pytest.mark.parametrize(
    ("judge", "event"),
    [case for case in CASES if case.values[0].max_age_s is not None],  # type: ignore[union-attr]
)
def test_a_request_that_is_too_old_is_refused(judge: Judge, event: str, bench: Bench) -> None:
    known = provider(judge.provider)
    key = known.example_secret()
    old = datetime.now(UTC) - timedelta(seconds=(judge.max_age_s or 0) + 5)

    request = known.draft(event=event, url=URL, at=old).sign(key)

    assert not bench.accepts(request, shown(key))


@pytest.mark.parametrize("judge", [judge for judge in JUDGES if judge.provider == "mailgun"], ids=str)
def test_mailgun_accepts_a_changed_body_because_it_signs_none_of_it(judge: Judge, bench: Bench) -> None:
    known = provider("mailgun")
    key = known.example_secret()

    request = known.draft(event="delivered", url=URL).sign(key)
    changed = replace(request, body=request.body.replace(b"recipient@", b"somebody.else@"))

    assert changed.body != request.body
    assert bench.accepts(changed, shown(key))


def test_every_real_provider_is_judged_or_says_why_not() -> None:
    real = {p.id for p in providers() if p.confidence != "seed"}
    judged = {judge.provider for judge in JUDGES}

    assert real == judged | set(UNJUDGED)
    assert judged & set(UNJUDGED) == set()
