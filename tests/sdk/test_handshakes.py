"""The providers' own libraries answer the handshakes that we make, and our check takes their answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

import pytest

from hook_widgets.webhooks import Headers, Reason, WebhookRequest, check_response, provider
from tests.sdk.cases import credential, shown
from tests.sdk.reference_verifiers.node import ask


@dataclass(frozen=True)
class Answered:
    """A library's response."""

    body: bytes
    status: int = 200
    headers: Headers = field(default_factory=Headers)


Responder = Callable[[WebhookRequest, str], Answered]


def braintree(request: WebhookRequest, key: str) -> Answered:
    """Of braintree, ``webhook_notification.verify``."""
    from braintree import BraintreeGateway, Configuration, Environment

    public_key = provider("braintree").parts["public_key"].value
    gateway = BraintreeGateway(Configuration(Environment.Sandbox, "none", public_key, key))
    challenge = dict(parse_qsl(urlsplit(request.url).query))["bt_challenge"]
    return Answered(gateway.webhook_notification.verify(challenge).encode())


def slack(request: WebhookRequest, key: str) -> Answered:
    """Of slack_bolt, the middleware ``UrlVerification``."""
    from slack_bolt import BoltRequest, BoltResponse
    from slack_bolt.middleware import UrlVerification

    received = BoltRequest(body=request.body.decode(), headers=dict(request.headers.multi_items()))
    answer = UrlVerification().process(
        req=received, resp=BoltResponse(status=404), next=lambda: BoltResponse(status=404)
    )
    assert answer is not None
    return Answered(answer.body.encode(), answer.status, Headers({"Content-Type": "application/json"}))


def of_node(name: str) -> Responder:
    """An adapter of tests/sdk/node that answers with a JSON body."""

    def respond(request: WebhookRequest, key: str) -> Answered:
        return Answered(json.dumps(ask(name, request, key)["body"]).encode())

    return respond


SIGNED = {
    "braintree": braintree,
    "x": of_node("twitter-autohook validateWebhook"),
    "zoom": of_node("@zoom/rivet url_validation"),
}
"""By those that ask for a signature in the answer."""


def answer(name: str, respond: Responder, which: str) -> Reason:
    """Assess the library's response, given one of two secrets."""
    known = provider(name)
    draft = known.draft(event=known.handshakes[0].name, url="https://hooks.example.com/in")
    request = draft.sign(credential(name, "one"))
    said = respond(request, shown(name, credential(name, which)))
    return check_response(draft, said, credential(name, "one")).reason


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(("name", "respond"), [*SIGNED.items(), ("slack", slack)], ids=[*SIGNED, "slack"])
def test_the_answer_of_the_providers_library_is_taken(name: str, respond: Responder) -> None:
    assert answer(name, respond, "one") is Reason.VALID


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", ["braintree", "x"])
def test_an_answer_signed_with_another_secret_is_rejected(name: str) -> None:
    assert answer(name, SIGNED[name], "another") is Reason.RESPONSE_DIFFERS
