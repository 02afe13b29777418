"""Cases for each verifier: each is a test, and docs/reference/providers.md counts them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import cache

from hook_widgets.webhooks import KeyPair, Secret, WebhookRequest, provider
from tests.sdk.reference_verifiers import VERIFIERS, Verifier

URL = "https://hooks.example.com/in/twice?tenant=test&x=1"
REJECTED_REQUESTS = 2
"""A verifier that accepts every event is shown forgeries of this many, and of one by each scheme."""

VARIED_REQUESTS = 3
"""A verifier is shown so many whose body is varied."""
SEED = 20260921
"""Of the values that the bodies are varied with."""


class Forgery(StrEnum):
    """The fault of a request that a verifier must reject."""

    CHANGED = "changed after signing"
    OTHER_SECRET = "signed with another secret"
    TOO_OLD = "too old"


@dataclass(frozen=True)
class Case:
    """One request that a verifier is shown.

    Attributes:
        verifier: whom it is shown to.
        event: what it tells.
        scheme: how it is signed.
        forgery: what is wrong with it; None when nothing is.
        rolled: whether it is signed with two secrets, of which the receiver has the older one.
        varied: whether every parameter of its sample body has another value.
    """

    verifier: Verifier
    event: str
    scheme: str
    forgery: Forgery | None = None
    rolled: bool = False
    varied: bool = False

    def __str__(self) -> str:
        return f"{self.verifier}-{self.event}-{self.scheme}"

    def request(self) -> tuple[WebhookRequest, str]:
        """The request, and what its receiver was given: the secret, or the public half of the pair."""
        known = provider(self.verifier.provider)
        key, other = credential(known.id, "one"), credential(known.id, "another")
        at = datetime.now(UTC)
        if self.forgery is Forgery.TOO_OLD:
            assert self.verifier.max_age_s is not None
            at -= timedelta(seconds=self.verifier.max_age_s + 5)
        sample = known.sample(self.event, seed=SEED, at=at) if self.varied else None
        draft = known.draft(
            event=self.event,
            url=URL,
            at=at,
            scheme=self.scheme,
            body=sample.body if sample else None,
            headers=sample.headers if sample else {},
        )
        if self.rolled:
            request = draft.sign(other, key)
        else:
            request = draft.sign(other if self.forgery is Forgery.OTHER_SECRET else key)
        if self.forgery is Forgery.CHANGED:
            assert self.verifier.tamper is not None
            request = self.verifier.tamper(request)
        return request, shown(known.id, key)


@cache
def credential(name: str, which: str) -> Secret | KeyPair:
    """A throw-away secret or key pair of a provider: RSA keys take long to make, so one is made once."""
    return provider(name).example_secret()


def shown(name: str, key: Secret | KeyPair) -> str:
    """Return the receiver's key in the provider's format."""
    if isinstance(key, Secret):
        return key.reveal()
    said = provider(name).key
    assert said.type == "key-pair"
    return key.public_as(said.public_form)


def accepted(verifier: Verifier) -> list[Case]:
    """Every event by its own scheme, and one event by each scheme that is no event's own."""
    known = provider(verifier.provider)
    pairs = [(event.name, known.scheme(event.scheme or None).name) for event in known.events]
    used = {scheme for _, scheme in pairs}
    pairs += [(known.events[0].name, scheme.name) for scheme in known.schemes if scheme.name not in used]
    return [
        Case(verifier, event, scheme)
        for event, scheme in pairs
        if event not in verifier.misses
        and (not verifier.schemes or scheme in verifier.schemes)
        and known.draft(event=event).scheme.signatures
    ]


def rejected(verifier: Verifier) -> list[Case]:
    """The first requests and one of each scheme, forged in every way that the verifier can tell."""
    right = accepted(verifier)
    first = {case.scheme: case for case in reversed(right)}
    chosen = dict.fromkeys([*right[:REJECTED_REQUESTS], *first.values()])
    forgeries = [Forgery.OTHER_SECRET]
    if verifier.tamper is not None:
        forgeries.append(Forgery.CHANGED)
    if verifier.max_age_s is not None:
        forgeries.append(Forgery.TOO_OLD)
    return [replace(case, forgery=forgery) for forgery in forgeries for case in chosen]


def rolled(verifier: Verifier) -> list[Case]:
    """One request of each scheme that carries two signatures while a secret is rolled."""
    known = provider(verifier.provider)
    first = {case.scheme: case for case in reversed(accepted(verifier))}
    return [
        replace(case, rolled=True)
        for case in first.values()
        if verifier.rolls and known.scheme(case.scheme).rotation
    ]


def varied(verifier: Verifier) -> list[Case]:
    """The first requests, with bodies that are not the samples."""
    return [replace(case, varied=True) for case in accepted(verifier)[:VARIED_REQUESTS]]


VARIED = [case for verifier in VERIFIERS if provider(verifier.provider).params for case in varied(verifier)]
ROLLED = [case for verifier in VERIFIERS for case in rolled(verifier)]
ACCEPTED = [case for verifier in VERIFIERS for case in accepted(verifier)]
REJECTED = [case for verifier in VERIFIERS for case in rejected(verifier)]
