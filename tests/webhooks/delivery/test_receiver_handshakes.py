"""The local receiver responds to handshakes as each provider expects, and to nobody else's."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hook_widgets.webhooks import Headers, Receiver, WebhookRequest, check_response, provider, providers, send
from hook_widgets.webhooks.requests.handshake import Handshake

HANDSHAKES = [(known.id, handshake) for known in providers() for handshake in known.handshakes]
WITH_A_RESPONSE = [
    (name, h) for name, h in HANDSHAKES if h.signed and h.recognized_by and h.expected_responses[0].status
]


def ids(case: object) -> str:
    return case.name if isinstance(case, Handshake) else str(case)


@pytest.mark.parametrize(("name", "handshake"), HANDSHAKES, ids=ids)
def test_the_response_to_each_handshake_is_the_one_that_the_provider_expects(name: str, handshake: Handshake):
    known = provider(name)
    key = known.example_secret()
    with Receiver(known, key) as receiver:
        draft = known.draft(event=handshake.name, url=receiver.url)

        assert check_response(draft, send(draft.sign(key)), key).ok


@pytest.mark.parametrize(("name", "handshake"), WITH_A_RESPONSE, ids=ids)
def test_a_forged_handshake_is_rejected(name: str, handshake: Handshake):
    known = provider(name)
    with Receiver(known, known.example_secret()) as receiver:
        forged = known.draft(event=handshake.name, url=receiver.url).sign(known.example_secret())

        assert 401 == send(forged).status


@pytest.mark.parametrize(("name", "handshake"), WITH_A_RESPONSE, ids=ids)
def test_a_handshake_with_a_response_of_its_own_is_no_delivery(name: str, handshake: Handshake):
    known = provider(name)
    key = known.example_secret()
    with Receiver(known, key) as receiver:
        send(known.draft(event=handshake.name, url=receiver.url).sign(key))

        assert [] == receiver.deliveries


def test_an_event_is_no_handshake():
    for name in ("discord", "slack", "twitch", "zoom"):
        known = provider(name)
        key = known.example_secret()
        with Receiver(known, key) as receiver:
            assert b'{"received": true}' == send(known.draft(url=receiver.url).sign(key)).body
            assert 1 == len(receiver.deliveries)


def got(url: str) -> WebhookRequest:
    return WebhookRequest(method="GET", url=url, headers=Headers(), body=b"")


def test_markup_in_a_challenge_comes_back_as_text():
    with Receiver("nylas", provider("nylas").example_secret()) as receiver:
        delivery = send(got(f"{receiver.url}?challenge=%3Cscript%3E"))

    assert b"<script>" == delivery.body
    assert "text/plain; charset=utf-8" == delivery.headers["Content-Type"]


@pytest.mark.parametrize("challenge", ["%0d%0aSet-Cookie:%20a=b", "%00", "", "%ff", "é".encode().hex()])
def test_a_challenge_that_cannot_be_sent_back_is_no_crash(challenge: str):
    with Receiver("asana", provider("asana").example_secret()) as receiver:
        assert 401 == send(got(f"{receiver.url}?challenge={challenge}")).status
    with Receiver("dropbox", provider("dropbox").example_secret()) as receiver:
        delivery = send(got(f"{receiver.url}?challenge={challenge}"))

        assert delivery.status in (200, 400)
        assert "Set-Cookie" not in delivery.headers


def test_a_provider_that_wants_no_body_gets_none():
    known = provider("xero")
    key = known.example_secret()
    with Receiver(known, key) as receiver:
        good = known.draft(url=receiver.url).sign(key)
        responses = [send(good), send(replace(good, body=good.body + b" "))]

    assert [(200, b""), (401, b"")] == [(response.status, response.body) for response in responses]
