"""The fixtures: requests for test clients, secrets of the session, and a receiver for senders."""

from __future__ import annotations

import warnings
from typing import Any

import httpx
import pytest
import requests
from flask import Flask
from flask import request as flask_request
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hook_widgets.errors import InvalidArgument, InvalidSecret, UnknownName
from hook_widgets.ratelimit import FixedWindow
from hook_widgets.testing import LimitedServerFactory, ReceiverFactory, SessionSecrets, WebhookFactory
from hook_widgets.webhooks import KeyPair, Received, ReceivedRequest, Secret, provider, verify
from tests.support.shapes import SHAPES

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it prefers httpx2 to httpx
    from starlette.testclient import TestClient


class Apps:
    """Apps of two frameworks that keep the last request, and their test clients."""

    def __init__(self) -> None:
        self.last: ReceivedRequest | None = None
        starlette = Starlette(routes=[Route("/hooks", self._starlette, methods=["GET", "POST", "PUT"])])
        flask = Flask("app")
        flask.add_url_rule("/hooks", view_func=self._flask, methods=["GET", "POST", "PUT"])
        self.starlette, self.flask = TestClient(starlette), flask.test_client()

    async def _starlette(self, request: Request) -> Response:
        self._keep(list(request.headers.items()), await request.body(), str(request.url), request.method)
        return Response()

    def _flask(self) -> str:
        body, url = flask_request.get_data(), flask_request.url
        self._keep(list(flask_request.headers.items()), body, url, flask_request.method)
        return ""

    def _keep(self, headers: list[tuple[str, str]], body: bytes, url: str, method: str) -> None:
        from hook_widgets.webhooks import Headers

        self.last = ReceivedRequest(Headers(headers), body, url, method)


@pytest.fixture(scope="module")
def apps() -> Apps:
    return Apps()


@pytest.mark.parametrize("name", SHAPES)
def test_the_body_arrives_byte_for_byte_and_verifies(
    apps: Apps, name, webhook: WebhookFactory, webhook_secret
):
    signed = webhook(name, url="/hooks")
    key = webhook_secret(name)
    for client, arguments in ((apps.starlette, signed.for_httpx()), (apps.flask, signed.for_flask())):
        send: Any = getattr(client, signed.method.lower())
        if signed.method == "GET" and client is apps.starlette:
            arguments.pop("content")
        response = send(**arguments)
        request = apps.last

        assert request is not None
        assert (200, signed.body) == (response.status_code, request.body)
        assert verify(name, request, key).ok, name


def test_the_path_may_go_to_the_client(apps: Apps, webhook: WebhookFactory, webhook_secret):
    apps.starlette.post("/hooks", **webhook("stripe", "invoice.paid").for_starlette())
    first = apps.last
    apps.flask.post("/hooks", **webhook("stripe", "invoice.paid").for_flask())

    for request in (first, apps.last):
        assert request is not None
        assert verify("stripe", request, webhook_secret("stripe")).ok
        assert provider("stripe").template("invoice.paid") == request.body


def test_a_signed_url_has_to_be_given(webhook: WebhookFactory):
    with pytest.raises(InvalidArgument, match=r"Twilio signs the URL; give url="):
        webhook("twilio")


def test_a_full_url_is_signed_and_sent_as_it_is(webhook: WebhookFactory, webhook_receiver: ReceiverFactory):
    receiver = webhook_receiver("twilio")
    requests.post(**webhook("twilio", url=receiver.url).for_requests(), timeout=10)
    httpx.post(**webhook("twilio", url=receiver.url).for_httpx())

    assert [True, True] == [each.verdict.ok for each in receiver.deliveries]


@pytest.mark.parametrize("fault", ["wrong_signature", "no_signature", "changed_body", "expired_timestamp"])
def test_a_request_with_a_fault_does_not_verify(
    fault, webhook: WebhookFactory, webhook_receiver: ReceiverFactory
):
    receiver = webhook_receiver("stripe")
    response = requests.post(**webhook("stripe", url=receiver.url, fault=fault).for_requests(), timeout=10)

    assert response.status_code in (400, 401)


def test_a_receiver_verifies_and_records_what_a_sender_sends(
    webhook_receiver: ReceiverFactory, webhook_secret
):
    receiver = webhook_receiver("standard-webhooks")
    signed = provider("standard-webhooks").draft(url=receiver.url).sign(webhook_secret("standard-webhooks"))
    requests.post(receiver.url, signed.body, headers=dict(signed.headers), timeout=10)

    delivery: Received
    (delivery,) = receiver.deliveries
    assert delivery.verdict.ok


def test_a_server_enforces_the_limit_that_a_client_is_tested_against(limited_server: LimitedServerFactory):
    server = limited_server("2/min", fields=["retry-after"])
    other = limited_server(FixedWindow(1, 60), status=503)

    statuses = [requests.get(server.url, timeout=10).status_code for _ in range(3)]
    server.clock.advance("30 s")

    assert [200, 200, 429, 200] == [*statuses, requests.get(server.url, timeout=10).status_code]
    assert [200, 503] == [requests.get(other.url, timeout=10).status_code for _ in range(2)]


def test_secrets_are_the_same_in_the_session_and_have_the_providers_form(webhook_secret: SessionSecrets):
    stripe, discord = webhook_secret("stripe"), webhook_secret("discord")

    assert isinstance(stripe, Secret)
    assert stripe.reveal().startswith("whsec_")
    assert isinstance(discord, KeyPair)
    assert stripe is webhook_secret(provider("stripe"))
    assert stripe.reveal() != webhook_secret("polar").reveal()  # type: ignore[union-attr]


def test_a_secret_of_the_environment(webhook_secret: SessionSecrets, monkeypatch):
    pair = KeyPair.generate("ed25519")
    monkeypatch.setenv("STRIPE_SECRET", "whsec_demo_not_a_secret")
    monkeypatch.setenv("DISCORD_PEM", pair.private_pem())

    assert "whsec_demo_not_a_secret" == webhook_secret("stripe", secret_env="STRIPE_SECRET").reveal()  # type: ignore[union-attr]
    assert pair.public == webhook_secret("discord", secret_env="DISCORD_PEM").public  # type: ignore[union-attr]
    with pytest.raises(InvalidSecret, match="'NOT_SET' is not set or empty"):
        webhook_secret("stripe", secret_env="NOT_SET")


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"provider": "strpe"}, UnknownName, "did you mean 'stripe'"),
        ({"provider": "stripe", "event": "invoice.payed"}, UnknownName, "invoice.paid"),
        (
            {"provider": "stripe", "secret": "whsec_text"},
            InvalidArgument,
            r"write Secret\(...\) around the text",
        ),
        ({"provider": "stripe", "fault": "no_signature", "at": 1}, InvalidArgument, "exclude each other"),
        ({"provider": "stripe", "fault": "no_signatur"}, UnknownName, "no_signature"),
        ({"provider": "stripe", "url": "hooks"}, InvalidArgument, "must begin with"),
    ],
)
def test_a_wrong_argument_says_what_to_do(webhook: WebhookFactory, arguments, error, message):
    with pytest.raises(error, match=message):
        webhook(**arguments)


def test_arguments_for_django_are_an_environment(webhook: WebhookFactory):
    arguments = webhook("github", "push", url="https://shop.example/hooks?a=1").for_django()

    assert ("/hooks?a=1", "shop.example", True) == (
        arguments["path"],
        arguments["HTTP_HOST"],
        arguments["secure"],
    )
    assert ("push", "application/json") == (arguments["HTTP_X_GITHUB_EVENT"], arguments["content_type"])
    assert "HTTP_CONTENT_TYPE" not in arguments
