"""Which requests each judge is shown. Each case is a test, and what docs/reference/providers.md counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import cache

from hook_widgets.webhooks import KeyPair, Secret, WebhookRequest, provider
from tests.sdk.judges import JUDGES, Judge

URL = "https://hooks.example.com/in/twice?tenant=test&x=1"
REFUSED_REQUESTS = 2
"""A judge that accepts every event is shown forgeries of this many, and of one by each scheme."""

VARIED_REQUESTS = 3
"""A judge is shown so many whose body is varied."""
SEED = 20260921
"""Of the values that the bodies are varied with."""


class Forgery(StrEnum):
    """What is wrong with a request that a judge must refuse."""

    CHANGED = "changed after signing"
    OTHER_SECRET = "signed with another secret"
    TOO_OLD = "too old"


@dataclass(frozen=True)
class Case:
    """One request that a judge is shown.

    Attributes:
        judge: whom it is shown to.
        event: what it tells.
        scheme: how it is signed.
        forgery: what is wrong with it; None when nothing is.
        rolled: whether it is signed with two secrets, of which the receiver has the older one.
        varied: whether every parameter of its sample body has another value.
    """

    judge: Judge
    event: str
    scheme: str
    forgery: Forgery | None = None
    rolled: bool = False
    varied: bool = False

    def __str__(self) -> str:
        return f"{self.judge}-{self.event}-{self.scheme}"

    def request(self) -> tuple[WebhookRequest, str]:
        """The request, and what its receiver was given: the secret, or the public half of the pair."""
        known = provider(self.judge.provider)
        key, other = credential(known.id, "one"), credential(known.id, "another")
        at = datetime.now(UTC)
        if self.forgery is Forgery.TOO_OLD:
            assert self.judge.max_age_s is not None
            at -= timedelta(seconds=self.judge.max_age_s + 5)
        made = known.sample(self.event, seed=SEED, at=at) if self.varied else None
        draft = known.draft(
            event=self.event,
            url=URL,
            at=at,
            scheme=self.scheme,
            body=made.body if made else None,
            headers=made.headers if made else {},
        )
        if self.rolled:
            request = draft.sign(other, key)
        else:
            request = draft.sign(other if self.forgery is Forgery.OTHER_SECRET else key)
        if self.forgery is Forgery.CHANGED:
            assert self.judge.tamper is not None
            request = self.judge.tamper(request)
        return request, shown(known.id, key)


@cache
def credential(name: str, which: str) -> Secret | KeyPair:
    """A throw-away secret or key pair of a provider: RSA keys take long to make, so one is made once."""
    return provider(name).example_secret()


def shown(name: str, key: Secret | KeyPair) -> str:
    """What the receiver is given, in the form that the provider prints."""
    if isinstance(key, Secret):
        return key.reveal()
    said = provider(name).key
    assert said.type == "key-pair"
    return key.public_as(said.public_form)


def accepted(judge: Judge) -> list[Case]:
    """Every event by its own scheme, and one event by each scheme that is no event's own."""
    known = provider(judge.provider)
    pairs = [(event.name, known.scheme(event.scheme or None).name) for event in known.events]
    used = {scheme for _, scheme in pairs}
    pairs += [(known.events[0].name, scheme.name) for scheme in known.schemes if scheme.name not in used]
    return [
        Case(judge, event, scheme)
        for event, scheme in pairs
        if event not in judge.misses
        and (not judge.schemes or scheme in judge.schemes)
        and known.draft(event=event).scheme.signatures
    ]


def refused(judge: Judge) -> list[Case]:
    """The first requests and one of each scheme, forged in every way that the judge can tell."""
    right = accepted(judge)
    first = {case.scheme: case for case in reversed(right)}
    chosen = dict.fromkeys([*right[:REFUSED_REQUESTS], *first.values()])
    forgeries = [Forgery.OTHER_SECRET]
    if judge.tamper is not None:
        forgeries.append(Forgery.CHANGED)
    if judge.max_age_s is not None:
        forgeries.append(Forgery.TOO_OLD)
    return [replace(case, forgery=forgery) for forgery in forgeries for case in chosen]


def rolled(judge: Judge) -> list[Case]:
    """One request of each scheme that carries two signatures while a secret is rolled."""
    known = provider(judge.provider)
    first = {case.scheme: case for case in reversed(accepted(judge))}
    return [
        replace(case, rolled=True)
        for case in first.values()
        if judge.rolls and known.scheme(case.scheme).rotation
    ]


def varied(judge: Judge) -> list[Case]:
    """The first requests, with bodies that are not the samples."""
    return [replace(case, varied=True) for case in accepted(judge)[:VARIED_REQUESTS]]


VARIED = [case for judge in JUDGES if provider(judge.provider).params for case in varied(judge)]
ROLLED = [case for judge in JUDGES for case in rolled(judge)]
ACCEPTED = [case for judge in JUDGES for case in accepted(judge)]
REFUSED = [case for judge in JUDGES for case in refused(judge)]
