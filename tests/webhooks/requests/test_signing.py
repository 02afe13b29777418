"""Sign, verify, tamper: over every provider of the catalogue and arbitrary bytes."""

from __future__ import annotations

import contextlib
import json
import re
from datetime import UTC, datetime, timedelta, timezone
from functools import cache
from typing import Any
from uuid import UUID

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidArgument, InvalidSecret, UnknownName, UnreadableMessage, WebhookError
from hook_widgets.webhooks import (
    Headers,
    KeyPair,
    PublicKey,
    Reason,
    ReceivedRequest,
    Secret,
    WebhookRequest,
    provider,
    providers,
    verify,
)
from hook_widgets.webhooks.body import forms
from hook_widgets.webhooks.scheme import AsymmetricKeySpec
from tests.support.shapes import ALL, for_every_provider

NOW = datetime(2026, 9, 30, 12, 0, tzinfo=UTC)
WRONG: Any = "text"
BYTES: Any = [(b"Stripe-Signature", b"x")]
NAIVE = NOW.replace(tzinfo=None)
URL = "https://hooks.example.test/in?tenant=7"
# Schemes whose signature does not depend on the body say so in their base string.
BODY_IS_SIGNED = [
    p.id for p in providers() if p.schemes[0].signatures[0].template.names & {"body", "sorted_form"}
]


@cache
def key_of(name: str) -> Any:
    return provider(name).example_secret()


def signed(name: str, **wishes) -> WebhookRequest:
    return provider(name).draft(**{"url": URL, "at": NOW, **wishes}).sign(key_of(name))


def received(request: WebhookRequest, **other) -> ReceivedRequest:
    parts = {"headers": request.headers, "body": request.body, "url": request.url, "method": request.method}
    return ReceivedRequest(**{**parts, **other})


@pytest.mark.parametrize("name", ALL)
def test_every_event_of_every_provider_verifies(name):
    known = provider(name)
    # A handshake may come without a signature, because both sides do not share a secret yet.
    events = [event.name for event in known.events if known.draft(event=event.name).scheme.signatures]
    verdicts = {event: verify(name, signed(name, event=event), key_of(name), now=NOW) for event in events}

    assert verdicts
    assert {} == {
        event: v.detail for event, v in verdicts.items() if (v.ok, v.reason) != (True, Reason.VALID)
    }


@pytest.mark.parametrize("name", ALL)
def test_signing_is_deterministic_given_time_and_parts(name):
    draft = provider(name).draft(url=URL, at=NOW)
    again = provider(name).draft(url=URL, at=NOW, parts=draft.parts)

    assert draft.jobs() == again.jobs()
    unsigned = dict.fromkeys(draft.scheme.signature_names, "")
    assert draft.render_headers(unsigned) == again.render_headers(unsigned)


def test_a_delivery_of_github_has_a_uuid_of_the_time_that_names_no_machine():
    first, second = (UUID(provider("github").draft(url=URL, at=NOW).parts["delivery"]) for _ in range(2))

    assert (1, 1) == (first.version, second.version)
    assert (1, 1) == (first.node >> 40 & 1, second.node >> 40 & 1)  # no network card (RFC 9562, 6.10)
    assert first.node != second.node


@pytest.mark.parametrize("name", ALL)
def test_another_key_is_rejected(name):
    verdict = verify(name, signed(name), provider(name).example_secret(), now=NOW)

    assert Reason.SIGNATURE_DIFFERS == verdict.reason


@pytest.mark.parametrize("name", [n for n in ALL if isinstance(provider(n).key, AsymmetricKeySpec)])
def test_the_public_key_as_text_is_enough_to_verify(name):
    pair = key_of(name)

    assert verify(name, signed(name), PublicKey(pair.public, pair.algorithm), now=NOW).ok


@for_every_provider(BODY_IS_SIGNED, data=st.data())
def test_one_changed_bit_of_the_body_is_rejected(name, data):
    request = signed(name)
    bit = data.draw(st.integers(0, len(request.body) * 8 - 1))
    body = bytearray(request.body)
    body[bit // 8] ^= 1 << bit % 8
    verdict = verify(name, received(request, body=bytes(body)), key_of(name), now=NOW)

    if "sorted_form" in provider(name).schemes[0].signatures[0].template.names:
        # a form has several spellings: '%2b' is '%2B', so a flipped bit may leave the parameters as they were
        with contextlib.suppress(UnreadableMessage):
            assume(forms.sorted_form(bytes(body)) != forms.sorted_form(request.body))
    assert not verdict.ok


@pytest.mark.parametrize("name", ["stripe", "github", "slack", "discord", "sendgrid", "shopify", "generic"])
@given(body=st.binary(max_size=300))
def test_any_bytes_can_be_signed_and_verified(name, body):
    request = signed(name, body=body)

    assert body == request.body
    assert verify(name, request, key_of(name), now=NOW).ok


ODD = st.text(st.characters(), max_size=40)  # halves of surrogate pairs included


ODD_NAME = ODD | st.sampled_from(["HTTP_", "HTTP_X", "REQUEST_METHOD", "headers", "httpMethod"])


@for_every_provider(
    pairs=st.lists(st.tuples(ODD_NAME, ODD), max_size=4),
    body=st.binary(max_size=60),
    url=ODD | ODD.map("http://[{}]/".format),
)
def test_no_request_however_odd_raises_anything(name, pairs, body, url):
    verdict = verify(name, secret=key_of(name), headers=pairs, body=body, url=url, now=NOW)

    assert not verdict.ok
    assert verdict.detail


@for_every_provider(junk=ODD, data=st.data())
def test_no_odd_value_in_the_providers_own_headers_raises_anything(name, junk, data):
    request = signed(name)
    chosen = data.draw(st.sampled_from(request.headers.multi_items()))[0]
    headers = [(n, junk if n == chosen else v) for n, v in request.headers.multi_items()]
    verdict = verify(name, received(request, headers=Headers(headers)), key_of(name), now=NOW)

    assert isinstance(verdict.reason, Reason)
    assert verdict.steps


ODD_VALUES = ["null", "1e400", '"\\ud800"', "[]", '"\\r\\nX: y"', "9" * 5000, '""', '"\\u0000"', "[" * 600]
FROM_BODY = [p.id for p in providers() if any(s.fields or s.body or s.form for s in p.schemes)]


@for_every_provider(FROM_BODY, odd=st.sampled_from(ODD_VALUES), data=st.data())
def test_no_odd_value_inside_the_body_raises_anything_but_our_errors(name, odd, data):
    request = signed(name)
    values = re.findall(rb"(?<=:)\s*(?:\"[^\"]*\"|[0-9]+|true|false|null)", request.body) or [request.body]
    body = request.body.replace(data.draw(st.sampled_from(values)), odd.encode(), 1)

    assert isinstance(verify(name, received(request, body=body), key_of(name), now=NOW).reason, Reason)
    with contextlib.suppress(WebhookError):
        signed(name, body=body)


TIMED = [p.id for p in providers() if p.schemes[0].tolerance_s]


@pytest.mark.parametrize("name", TIMED)
@pytest.mark.parametrize(("side", "word"), [(1, "old"), (-1, "in the future")])
def test_the_tolerance_is_exact_on_both_sides(name, side, word):
    request = signed(name)
    limit = provider(name).schemes[0].tolerance_s or 0

    def at(seconds):
        return verify(name, request, key_of(name), now=NOW + side * timedelta(seconds=seconds))

    assert at(limit - 1).ok
    assert at(limit).ok
    assert Reason.TIMESTAMP_OUTSIDE_TOLERANCE == at(limit + 1).reason
    assert word in at(limit + 1).detail
    assert "1 s more than the" in at(limit + 1).detail


@pytest.mark.parametrize("tolerance_s", [10, 10.0, timedelta(seconds=10)])
def test_the_tolerance_may_be_seconds_or_a_timedelta(tolerance_s):
    def at(seconds):
        clock = NOW + timedelta(seconds=seconds)
        return verify("stripe", signed("stripe"), key_of("stripe"), now=clock, tolerance_s=tolerance_s)

    assert at(10).ok
    assert "1 s more than the 10 s" in at(11).detail


def test_a_stale_request_with_a_wrong_key_says_both():
    verdict = verify("stripe", signed("stripe"), Secret("whsec_other"), now=NOW + timedelta(days=3))

    assert Reason.SIGNATURE_DIFFERS == verdict.reason
    assert "3 d old" in verdict.steps[-1].text


@pytest.mark.parametrize(
    ("headers", "reason", "words"),
    [
        ({}, Reason.MISSING_HEADER, "no Stripe-Signature"),
        ({"Stripe-Signature": ""}, Reason.MALFORMED_HEADER, "t=<timestamp>,v1=<signature>"),
        ({"Stripe-Signature": "t=1"}, Reason.MALFORMED_HEADER, "holds no signature"),
        ({"Stripe-Signature": "v1=" + "0" * 64}, Reason.MALFORMED_HEADER, "holds no timestamp"),
        ({"Stripe-Signature": "t=1,v1=" + "0" * 63}, Reason.MALFORMED_HEADER, "63 characters"),
        ({"Stripe-Signature": "t=1,v1=" + "0" * 40}, Reason.MALFORMED_HEADER, "looks like SHA-1"),
        ({"Stripe-Signature": f"t=1,v1={'AAAA' * 10}AAA="}, Reason.MALFORMED_HEADER, "looks like base64"),
        ({"Stripe-Signature": "t=soon,v1=" + "0" * 64}, Reason.MALFORMED_HEADER, "whole Unix seconds"),
        ({"Stripe-Signature": "t=1,v0=" + "0" * 64}, Reason.MALFORMED_HEADER, "holds no signature"),
    ],
)
def test_a_header_that_cannot_be_read_says_what_is_wrong(headers, reason, words):
    verdict = verify("stripe", secret=Secret("whsec_x"), headers=headers, body=b"{}", now=NOW)

    assert reason == verdict.reason
    assert words in verdict.detail


def test_any_of_several_signatures_may_be_the_right_one():
    request = signed("stripe")
    t, v1 = request.headers["Stripe-Signature"].split(",")
    rolled = Headers({"Stripe-Signature": f"{t},v1={'0' * 64},{v1},v0=ignored"})

    assert verify("stripe", received(request, headers=rolled), key_of("stripe"), now=NOW).ok


def test_a_json_request_to_twilio_with_another_body_names_the_hash():
    event = next(e.name for e in provider("twilio").events if e.scheme == "json")
    request = signed("twilio", event=event)
    verdict = verify("twilio", received(request, body=request.body + b" "), key_of("twilio"), now=NOW)

    assert Reason.BODY_HASH_DIFFERS == verdict.reason


def test_the_signed_url_may_carry_its_default_port_or_not():
    request = signed("twilio", url="https://hooks.example.test/in")
    behind = received(request, url="https://hooks.example.test:443/in")
    other = received(request, url="http://hooks.example.test/in")

    assert verify("twilio", behind, key_of("twilio"), now=NOW).ok
    assert not verify("twilio", other, key_of("twilio"), now=NOW).ok


def test_only_the_host_of_the_signed_url_gets_its_default_port():
    request = signed("twilio", url="https://a.example:443/in?next=https://a.example/x")
    behind = received(request, url="https://a.example/in?next=https://a.example/x")

    assert verify("twilio", behind, key_of("twilio"), now=NOW).ok


@pytest.mark.parametrize(
    ("key", "kind"),
    [("canary4f8a2c71d9e3b650", "str"), (b"canary", "bytes"), (KeyPair.generate("ed25519"), "KeyPair")],
)
def test_a_key_of_another_kind_is_named_by_its_kind_alone(key, kind):
    with pytest.raises(InvalidSecret) as caught:
        provider("stripe").draft().sign(key)

    cause, form = str(caught.value).rsplit("; ", 1)
    assert f"this provider signs with hmac-sha256; give a Secret(...), not {kind}" == cause
    assert "a signing secret of this provider is whsec_, then letters and digits" == form


def test_mailgun_signs_the_token_inside_the_body_and_leaves_every_other_byte_alone():
    template = provider("mailgun").template()
    request = signed("mailgun")
    signature = json.loads(request.body)["signature"]

    assert str(int(NOW.timestamp())) == signature["timestamp"]
    assert 50 == len(signature["token"])
    assert json.loads(template)["event-data"] == json.loads(request.body)["event-data"]
    assert request.body[request.body.index(b"event-data") :] in template


@pytest.mark.parametrize(
    ("wishes", "error", "words"),
    [
        ({"parts": {"idd": "x"}}, UnknownName, "no part 'idd'"),
        ({"event": "payment_intent.suceeded"}, UnknownName, "'payment_intent.succeeded'"),
        ({"scheme": "nope"}, UnknownName, "has no scheme 'nope'"),
        ({"url": ""}, InvalidArgument, "empty"),
        ({"url": "example.test/x"}, InvalidArgument, "http://"),
        ({"url": "ftp://example.test"}, InvalidArgument, "http://"),
        ({"url": "http://"}, InvalidArgument, "no host"),
        ({"url": "http://user:pw@example.test/"}, InvalidArgument, "name or password"),
        ({"url": "http://h:99999/"}, InvalidArgument, "65535"),
        ({"url": "http://h/a b"}, InvalidArgument, "%20"),
        ({"url": "http://h/é"}, InvalidArgument, "%C3%A9"),
        ({"body": {"a": 1}}, InvalidArgument, "re-serialized"),
        ({"body": "\ud800"}, InvalidArgument, "surrogate"),
        ({"at": NAIVE}, InvalidArgument, "time zone"),
        ({"at": "yesterday"}, InvalidArgument, "Unix seconds"),
        ({"at": 1e30}, InvalidArgument, "out of range"),
        ({"at": -1}, InvalidArgument, "out of range"),
        ({"at": datetime.max.replace(tzinfo=UTC)}, InvalidArgument, "out of range"),
        ({"at": datetime.min.replace(tzinfo=timezone(timedelta(hours=5)))}, InvalidArgument, "out of range"),
        ({"url": "http://h/\ud800"}, InvalidArgument, "not ASCII"),
        ({"headers": {"Stripe-Signature": "x"}}, InvalidArgument, "set when signing"),
        ({"headers": {"Host ": "x"}}, InvalidArgument, "not a header name"),
    ],
)
def test_every_wish_that_cannot_be_met_says_why(wishes, error, words):
    with pytest.raises(error, match=re.escape(words)):
        provider("stripe").draft(**wishes)


def test_an_unknown_provider_names_the_nearest():
    with pytest.raises(UnknownName, match="'stripe'"):
        provider("strpe")


def test_a_key_of_the_wrong_kind_says_which_is_needed():
    with pytest.raises(InvalidSecret, match="Secret"):
        provider("stripe").draft().sign(KeyPair.generate("ed25519"))
    with pytest.raises(InvalidSecret, match="make a key pair with"):
        provider("discord").draft().sign(Secret("x"))
    with pytest.raises(InvalidSecret, match="ecdsa-p256"):
        provider("sendgrid").draft().sign(KeyPair.generate("ed25519"))


@pytest.mark.parametrize(
    "call",
    [
        lambda: verify("stripe"),
        lambda: verify("stripe", headers={}, secret=Secret("x")),
        lambda: verify("stripe", headers={}, body=WRONG, secret=Secret("x")),
        lambda: verify("stripe", signed("stripe"), WRONG),
        lambda: verify("stripe", signed("stripe"), Secret("x"), body=b""),
        lambda: verify("stripe", signed("stripe"), Secret("x"), now=NAIVE),
        lambda: verify("stripe", signed("stripe"), Secret("x"), tolerance_s=-1),
        lambda: verify("stripe", signed("stripe"), Secret("x"), tolerance_s=timedelta(seconds=-1)),
        lambda: verify("stripe", signed("stripe"), Secret("x"), tolerance_s=timedelta.max),
        lambda: verify("stripe", signed("stripe"), Secret("x"), tolerance_s=float("nan")),
        lambda: verify("stripe", signed("stripe"), Secret("x"), tolerance_s=float("inf")),
        lambda: verify("stripe", headers=WRONG, body=b"", secret=Secret("x")),
        lambda: verify("stripe", headers={}, body=b"", url=BYTES, secret=Secret("x")),
        lambda: verify("stripe", received(signed("stripe"), body="text"), Secret("x")),
    ],
)
def test_verify_called_wrongly_raises_one_of_our_errors(call):
    with pytest.raises(WebhookError):
        call()


def test_a_header_of_ones_own_replaces_the_providers_and_is_taken_literally():
    request = signed("stripe", headers={"user-agent": "mine/{body}", "X-Trace": "runbook-42"})

    assert "mine/{body}" == request.headers["User-Agent"]
    assert 1 == sum(name.lower() == "user-agent" for name, _ in request.headers.multi_items())
    assert ("X-Trace", "runbook-42") == request.headers.multi_items()[-1]


def test_an_event_keeps_its_own_headers_to_its_own_scheme():
    draft = provider("shopify").draft(event="orders/create", at=NOW)
    other = provider("shopify").draft(event="orders/create", at=NOW, scheme="events")

    assert "X-Shopify-Order-Id" in dict(draft.header_templates)
    assert "X-Shopify-Order-Id" not in dict(other.header_templates)


def test_the_query_of_a_status_report_is_written_as_messagebird_writes_it():  # a report of October 2023
    request = (
        provider("messagebird").draft(event="sms.status", parts={"message_id": "7" * 32}).sign(Secret("s"))
    )

    query = request.url.partition("?")[2]

    assert (
        f"datacoding=plain&id={'7' * 32}&mccmnc=310260&messageLength=24&messagePartCount=1&ported=0"
        "&price%5Bamount%5D=0.008&price%5Bcurrency%5D=USD&recipient=12125550146&reference=order-1815"
        "&status=delivered&statusDatetime=2026-09-14T09%3A00%3A03%2B00%3A00&statusReason=successfully+delivered"
        == query
    )


def test_a_fragment_is_never_sent():
    assert (
        "https://h.example.test/a?b=1" == provider("stripe").draft(url="https://h.example.test/a?b=1#top").url
    )


@pytest.mark.parametrize("size", [0, 100, 1 << 17])
@pytest.mark.parametrize("name", ["stripe", "slack", "github", "shopify", "generic"])
def test_the_function_for_load_generators_signs_as_a_draft_does(name, size):
    body = b"x" * size
    request = signed(name, body=body)
    fields = {"body": body, "timestamp": str(int(NOW.timestamp())).encode()}
    needed = provider(name).schemes[0].signatures[0].template.names
    text = provider(name).signature_function(key_of(name))(**{n: fields[n] for n in needed})

    assert any(text in value for _, value in request.headers.multi_items())


def test_a_provider_with_key_pairs_has_no_such_function():
    with pytest.raises(InvalidSecret, match="is no HMAC"):
        provider("discord").signature_function(Secret("x"))
