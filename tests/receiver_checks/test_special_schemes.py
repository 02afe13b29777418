"""Checks for what few providers have: the right receiver passes, a broken one is reported."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any
from urllib.parse import quote, urlsplit

import pytest

from hook_widgets.errors import DestinationBlocked
from hook_widgets.receivers import Setup, catalogue, check_receiver
from hook_widgets.receivers.reporting.report import Report
from hook_widgets.webhooks import (
    Delivery,
    Headers,
    KeyPair,
    Provider,
    Secret,
    WebhookRequest,
    provider,
    verify,
)
from hook_widgets.webhooks.delivery import connect
from hook_widgets.webhooks.models import AsymmetricKeySpec, DeliveryRules, Part
from hook_widgets.webhooks.requests.handshake import ExpectedResponse, Handshake
from tests.receiver_checks import special_schemes as special
from tests.receiver_checks.http_layer import Response, Serving
from tests.receiver_checks.in_memory import in_memory
from tests.support.extent import some

LOAD = tuple(check.id for check in catalogue().values() if check.load)
TOKEN = Setup(parts={"verify_token": special.VerifyToken.known})


def single_use() -> Provider:
    """A provider with what MCP Events has: single-use challenges and named subscriptions."""
    known = provider("standard-webhooks")
    challenge = Handshake(
        name="challenge",
        headers={"X-Challenge": "{challenge}"},
        single_use=True,
        response=ExpectedResponse(status=200, text="{challenge}"),
    )
    first = known.schemes[0]
    return replace(
        known,
        parts={**known.parts, "challenge": Part(make="hex")},
        schemes=(replace(first, headers={**first.headers, "X-Subscription": "sub_1"}),),
        handshakes=(challenge,),
        deliveries=DeliveryRules(
            subscription="X-Subscription", receivers_path="/.well-known/mcp-webhook-receiver.json"
        ),
    )


@cache
def key_of(name: str) -> Secret | KeyPair:
    return provider(name).example_secret()


def report_of(receiver: Any, known: Provider, *, setup: Setup | None = None) -> Report:
    key = key_of(known.id)
    if isinstance(key, Secret):
        text = key.reveal()
    else:
        assert isinstance(known.key, AsymmetricKeySpec)
        text = key.public_as(known.key.public_form)
    served = receiver(text)
    with Serving(served) as url:
        return check_receiver(
            known,
            url,
            key,
            suite="full",
            skip=LOAD,
            setup=setup,
            settle_s=0.02,
            transport=in_memory({urlsplit(url).netloc: served}),
            connect=connect,
        )


RIGHT: dict[type[Any], tuple[str, str, Setup | None]] = {
    special.SignedUrl: ("twilio", "B17", None),
    special.Token: ("gitlab-token", "B18", None),
    special.JsonApi: ("unit", "F5", None),
    special.Certificate: ("aws-sns", "B19 H1 H2 H5", None),
    special.SignedToken: ("plaid", "B3 B7 B14 B19 C1", None),
    special.VerifyToken: ("meta", "H1 H2 H3", TOKEN),
    special.SingleUse: ("", "H1 H2 H3 H6", None),
}


def found(receiver: type[Any], base: type[Any]) -> Report:
    name, _, setup = RIGHT[base]
    return report_of(receiver, provider(name) if name else single_use(), setup=setup)


@cache
def of_the_right(name: str) -> Report:
    receiver = getattr(special, name)
    return found(receiver, receiver)


@pytest.mark.parametrize("receiver", RIGHT, ids=lambda receiver: receiver.__name__)
def test_the_right_receiver_passes(receiver: type[Any]):
    report = of_the_right(receiver.__name__)

    passed = {result.id for result in report.checks if result.status == "passed"}
    assert set(RIGHT[receiver][1].split()) <= passed
    assert () == report.findings


FAULTS: dict[type[Any], str] = {
    special.EitherScheme: "B17",
    special.TokenInQuery: "B18",
    special.AnyCase: "B18",
    special.ExactType: "F4 F5",
    special.FetchesFirst: "B19",
    special.ConfirmsAnything: "H5",
    special.NoAlgorithm: "B14",
    special.PublicKeyAsSecret: "B14",
    special.FetchesKeys: "B19",
    special.UnknownKey: "B19",
    special.AnyToken: "H2",
    special.EchoesHtml: "H3",
    special.AnswersTwice: "H6",
    special.AnySubscription: "H6",
    special.RemembersMessages: "H6",
    special.ListsOthers: "H6",
}


@pytest.mark.parametrize("receiver", some(list(FAULTS), 8), ids=lambda receiver: receiver.__name__)
def test_a_broken_one_is_reported_by_exactly_its_checks(receiver: type[Any]):
    base = receiver.__mro__[1]
    right = {result.id: result.status for result in of_the_right(base.__name__).checks}
    report = {result.id: result.status for result in found(receiver, base).checks}

    assert dict.fromkeys(FAULTS[receiver].split(), "failed") == {
        name: str(status) for name, status in report.items() if status != right[name]
    }


def test_without_the_token_of_the_receiver_its_handshake_is_not_decided():
    report = report_of(special.VerifyToken, provider("meta"))

    assert {"H1": "not_decided", "H2": "not_decided", "H3": "not_decided"} == {
        name: str(report[name].status) for name in ("H1", "H2", "H3")
    }
    assert "give the receiver's own token" in report["H1"].observed


@pytest.mark.parametrize(("name", "check"), [("asana", "H1"), ("notion", "H1")])
def test_a_handshake_that_brings_a_new_secret_is_never_sent(name: str, check: str):
    known = provider(name)
    methods: list[str] = []

    class Watching(special.Token):
        def respond(self, request: Any) -> Any:
            methods.append(request.headers.get("x-hook-secret", ""))
            methods.append(request.body[:20].decode(errors="replace"))
            return super().respond(request)

    with Serving(Watching("x")) as url:
        report = check_receiver(known, url, known.example_secret(), only=["H"])

    assert "not_decided" == report[check].status
    assert [] == [text for text in methods if "verification_token" in text or len(text) == 64]


def test_a_token_is_masked_wherever_a_check_puts_it():
    """Swapped case, a parameter and a few replaced characters still show most of it."""
    secret = Secret("Tok3nOfTheReceiver-0123456789")
    with Serving(special.Token(secret.reveal())) as url:
        report = check_receiver("gitlab-token", url, secret, suite="full", skip=LOAD)

    text = report._repr_html_()
    shown = {secret.reveal()[3:], secret.reveal()[2:], secret.reveal().swapcase()[:12], f"{secret.reveal()}x"}
    assert set() == {part for part in shown if part in text}
    assert "••••" in text


HOSTILE = {
    "deep": b"[" * 100_000,
    "deep object": b'{"challenge":' * 50_000,
    "half of a pair": b'{"challenge": "\\ud800"}',
    "no UTF-8": b"\xff\xfe{",
    "long": b"x" * 3_000_000,
    "credentials": b'token="' * 200_000,
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_response_to_a_handshake_is_a_finding_and_no_crash(body: bytes):
    class Hostile(special.Token):
        def respond(self, request: Any) -> Any:
            return Response(200, body, {"Content-Type": "application/json"})

    with Serving(Hostile("x")) as url:
        report = check_receiver(
            "slack", url, provider("slack").example_secret(), only=["H1", "H3", "C12", "A3"], budget_s=30
        )

    assert "failed" == report["H1"].status
    assert "" == report.stopped


def test_the_secret_of_another_endpoint_is_masked_like_the_first():
    first, other = Secret("whsec_the_first_secret_0123456789"), Secret("whsec_the_other_secret_987654321")
    sent: list[str] = []

    class Echo(special.Token):
        def respond(self, request: Any) -> Any:
            sent.append(request.headers["stripe-signature"])
            return Response(200, f"{other.reveal()} {request.headers}".encode())

    with Serving(Echo("x")) as url:
        report = check_receiver("stripe", url, first, only=["B15"], setup=Setup(other_secret=other))

    text = report._repr_html_() + report.to_json()
    assert "failed" == report["B15"].status
    assert "987654321" not in text
    assert [] == [signature for signature in sent if signature.partition("v1=")[2] in text]
    assert other.reveal() not in repr(Setup(other_secret=other))


def test_the_url_of_an_unconfigured_receiver_must_be_allowed_too():
    with pytest.raises(DestinationBlocked):
        check_receiver(
            "stripe",
            "http://127.0.0.1:9/",
            Secret("x" * 20),
            setup=Setup(unconfigured_url="https://hooks.example.com/"),
        )


def test_the_verify_token_of_the_owner_is_in_no_report():
    """A receiver repeats it in a header and a body; `meta` sends it in the URL."""

    class Echo(special.VerifyToken):
        def respond(self, request: Any) -> Any:
            response = super().respond(request)
            query = urlsplit(request.path).query
            return replace(response, body=f"{query} {self.known}".encode(), headers={"X-Token": self.known})

    report = report_of(Echo, provider("meta"), setup=TOKEN)

    shown = repr(report) + report._repr_html_() + report.to_json() + report.to_markdown() + repr(TOKEN)
    assert "failed" == report["H1"].status
    assert special.VerifyToken.known not in shown
    assert quote(special.VerifyToken.known) not in shown


# Discord has an endpoint for interactions and one for events; the handshake of each has another type.
@pytest.mark.parametrize(
    ("handshakes", "expected"), [((0, 1), "passed"), ((1,), "warned"), ((), "failed"), ((0,), "warned")]
)
def test_a_handshake_of_another_endpoint_is_work_without_harm(handshakes: tuple[int, ...], expected: str):
    count = 0

    def transport(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        nonlocal count
        if not verify("discord", request, key).ok:
            return Delivery(status=401, elapsed_s=0.001)
        kind = json.loads(request.body)["type"]
        if kind not in handshakes:
            count += 1
        is_event = kind == 0 and kind in handshakes
        return Delivery(
            status=204 if is_event else 200,
            elapsed_s=0.001,
            headers=Headers((("Content-Type", "application/json"),)),
            body=b"" if is_event else json.dumps({"type": 1 if kind in handshakes else 4}).encode(),
        )

    key = key_of("discord")
    report = check_receiver(
        "discord",
        "http://127.0.0.1:9/",
        key,
        only=["H7"],
        transport=transport,
        oracle=lambda: count,
        settle_s=0.01,
    )

    assert expected == report["H7"].status, report["H7"].observed
