"""Handshakes: each goes to a receiver written by the provider's documentation, and its answer is checked."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks import Headers, Reason, Secret, WebhookRequest, check_response, provider, providers

URL = "https://hooks.example.test/in"


@dataclass
class Answer:
    """The response of a receiver."""

    status: int | None = 200
    body: bytes = b""
    headers: Headers = field(default_factory=Headers)


def query(request: WebhookRequest) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(request.url).query).items()}


def mac(key: str, message: str) -> bytes:
    return hmac.new(key.encode(), message.encode(), hashlib.sha256).digest()


def as_json(value: object) -> Answer:
    return Answer(body=json.dumps(value, indent=1).encode())


# Each by the page that the provider's data name; written with the standard library only.
RECEIVERS: dict[tuple[str, str], Callable[[WebhookRequest, str], Answer]] = {
    ("slack", "url_verification"): lambda r, _: Answer(body=json.loads(r.body)["challenge"].encode()),
    ("zoom", "url_validation"): lambda r, key: as_json(
        {
            "plainToken": (token := json.loads(r.body)["payload"]["plainToken"]),
            "encryptedToken": mac(key, token).hex(),
        }
    ),
    ("x", "crc"): lambda r, key: as_json(
        {"response_token": "sha256=" + base64.b64encode(mac(key, query(r)["crc_token"])).decode()}
    ),
    ("meta", "subscribe"): lambda r, _: Answer(body=query(r)["hub.challenge"].encode()),
    ("twitch", "challenge"): lambda r, _: Answer(body=json.loads(r.body)["challenge"].encode()),
    ("dropbox", "challenge"): lambda r, _: Answer(
        body=query(r)["challenge"].encode(),
        headers=Headers({"Content-Type": "text/plain; charset=utf-8", "X-Content-Type-Options": "nosniff"}),
    ),
    ("asana", "hook_secret"): lambda r, _: Answer(
        headers=Headers({"x-hook-secret": r.headers["X-Hook-Secret"]})
    ),
    ("discord", "ping"): lambda _, __: as_json({"type": 1}),
    ("okta", "verification"): lambda r, _: as_json(
        {"verification": r.headers["X-Okta-Verification-Challenge"]}
    ),
}


def shaken(name: str, handshake: str) -> tuple[WebhookRequest, Any]:
    known = provider(name)
    key = known.example_secret()
    return known.draft(event=handshake, url=URL).sign(key), key


def said_by(name: str, handshake: str, request: WebhookRequest, key: Any) -> Answer:
    return RECEIVERS[name, handshake](request, key.reveal() if isinstance(key, Secret) else key.public)


def judged(request: WebhookRequest, answer: Answer, key: Any) -> Any:
    assert request.draft
    return check_response(request.draft, answer, key)


@pytest.mark.parametrize(("name", "handshake"), RECEIVERS)
def test_the_answer_of_a_receiver_that_follows_the_documentation_is_right(name, handshake):
    request, key = shaken(name, handshake)
    verdict = judged(request, said_by(name, handshake, request, key), key)

    assert verdict.ok, verdict.detail


@pytest.mark.parametrize(("name", "handshake"), RECEIVERS)
def test_an_answer_without_the_challenge_is_wrong_and_says_where(name, handshake):
    request, key = shaken(name, handshake)
    verdict = judged(request, Answer(body=b"ok"), key)

    assert (False, Reason.RESPONSE_DIFFERS) == (verdict.ok, verdict.reason)
    assert "must be" in verdict.detail


@pytest.mark.parametrize(("name", "handshake"), RECEIVERS)
def test_another_status_is_wrong(name, handshake):
    request, key = shaken(name, handshake)
    answer = said_by(name, handshake, request, key)
    answer.status = 404

    assert "it is 404; respond with 200" in judged(request, answer, key).detail


@pytest.mark.parametrize(("name", "handshake"), [("zoom", "url_validation"), ("x", "crc")])
def test_an_answer_made_with_another_secret_is_wrong(name, handshake):
    request, key = shaken(name, handshake)
    verdict = judged(request, RECEIVERS[name, handshake](request, "another secret"), key)

    assert not verdict.ok
    assert "with this secret" in verdict.detail
    assert key.reveal() not in str(verdict)


@pytest.mark.parametrize(("status", "ok"), [(200, True), (204, True), (302, False), (500, False)])
def test_a_ping_wants_any_answer_of_success(status, ok):
    request, key = shaken("github", "ping")

    assert ok == judged(request, Answer(status=status), key).ok


@pytest.mark.parametrize("body", [b"{", b"{}", rb'{"payload": {"plainToken": "\ud800"}}'])
def test_no_answer_is_right_for_a_request_that_asks_for_none(body):
    key = provider("zoom").example_secret()
    request = provider("zoom").draft(event="url_validation", body=body).sign(key)
    verdict = judged(request, as_json({"plainToken": "x", "encryptedToken": "00"}), key)

    assert "no response to this request can be correct" in verdict.detail


def test_an_answer_that_is_half_a_surrogate_pair_is_wrong():
    request, key = shaken("zoom", "url_validation")

    assert not judged(request, Answer(body=rb'{"plainToken": "\ud800"}'), key).ok


def test_no_answer_at_all_is_said():
    request, key = shaken("meta", "subscribe")

    assert "there was no response" in judged(request, Answer(status=None), key).detail


def test_an_answer_to_an_ordinary_event_is_not_checked():
    request = provider("slack").draft(url=URL).sign(key := Secret("example"))
    assert request.draft

    with pytest.raises(InvalidArgument, match="no handshake"):
        check_response(request.draft, Answer(), key)


@pytest.mark.parametrize(
    ("name", "handshake"),
    [(p.id, h) for p in providers() for h in p.handshakes],
    ids=lambda v: getattr(v, "name", v),
)
def test_every_handshake_is_drafted_as_its_data_say_and_names_its_source(name, handshake):
    known = provider(name)
    request = known.draft(event=handshake.name, url=URL).sign(known.example_secret())
    draft = request.draft
    assert draft

    assert (handshake.method, handshake) == (request.method, draft.handshake)
    assert handshake.sources
    assert bool(request.body) == bool(handshake.event)
    assert set(query(request)) == set(handshake.query) | set(known.scheme(draft.scheme.name).query)
    carriers = [
        n for n, t in draft.header_templates if t.names & known.scheme(draft.scheme.name).signature_names
    ]
    if not handshake.signed:
        assert [] == carriers
