"""A signature inside a JSON Web Token, whose claims are held against the request."""

from __future__ import annotations

import base64
import hashlib
import json
from datetime import timedelta

import pytest

from hook_widgets.webhooks import Headers, Reason, ReceivedRequest, verify
from tests.support.acme import KEY, NOW, TOKEN, URL, mac


def token(**changes: object) -> Headers:
    """A token of our own making, with other claims."""
    body = hashlib.sha256(b'{"n": 1}').hexdigest()
    at = int(NOW.timestamp())
    claims = {"iss": "acme", "iat": at, "exp": at + 60, "body": body, "url": URL} | changes
    claims = {name: value for name, value in claims.items() if value is not None}

    def segment(raw: bytes) -> str:
        return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()

    head = b'{"alg":"HS256"}'
    signing_input = f"{segment(head)}.{segment(json.dumps(claims).encode())}"
    signature = segment(mac(KEY, signing_input.encode()))
    return Headers({"Authorization": f"Bearer {signing_input}.{signature}"})


def test_a_token_made_elsewhere_with_other_spelling_verifies(acme):
    known = acme(TOKEN)

    assert verify(known, ReceivedRequest(token(), b'{"n": 1}', URL), KEY, now=NOW).ok
    assert verify(known, known.draft(at=NOW, url=URL).sign(KEY), KEY, now=NOW).ok


@pytest.mark.parametrize(
    ("changes", "reason", "words"),
    [
        ({"iss": "acne"}, Reason.MALFORMED_HEADER, "the claim 'iss' is not 'acme'"),
        ({"body": "00"}, Reason.BODY_HASH_DIFFERS, "the body was changed"),
        ({"url": "https://other.example/"}, Reason.MALFORMED_HEADER, "of another URL"),
        ({"exp": None}, Reason.MALFORMED_HEADER, "no claim 'exp'"),
        ({"iat": "soon"}, Reason.MALFORMED_HEADER, "'iat' is no time"),
        ({"iat": True}, Reason.MALFORMED_HEADER, "'iat' is no time"),
        ({"iat": int("9" * 4300)}, Reason.MALFORMED_HEADER, "'iat' is no time"),
        ({"iat": float("inf")}, Reason.MALFORMED_HEADER, "'iat' is no time"),
        ({"iss": "\ud800"}, Reason.MALFORMED_HEADER, "'iss' is no text"),
        ({"iat": int(NOW.timestamp()) - 61}, Reason.TIMESTAMP_OUTSIDE_TOLERANCE, "1 min 1 s old"),
        # 59 s ago by its iat, and expired by its exp
        (
            {"iat": int(NOW.timestamp()) - 59, "exp": int(NOW.timestamp()) - 1},
            Reason.TIMESTAMP_OUTSIDE_TOLERANCE,
            "1 min 1 s old",
        ),
    ],
)
def test_each_claim_of_a_token_is_held_against_the_request(acme, changes, reason, words):
    verdict = verify(acme(TOKEN), ReceivedRequest(token(**changes), b'{"n": 1}', URL), KEY, now=NOW)

    assert reason == verdict.reason
    assert words in verdict.detail


def test_a_longer_life_makes_no_token_younger_in_whatever_order_its_claims_are_listed(acme):
    lines = TOKEN.replace('iat = { number = "{timestamp}" }, exp', "exp").replace(
        "plus_s = 60 },", 'plus_s = 60 }, iat = { number = "{timestamp}" },'
    )
    at = int(NOW.timestamp())
    sent = token(iat=at - 61, exp=at + 3600)
    verdict = verify(acme(lines), ReceivedRequest(sent, b'{"n": 1}', URL), KEY, now=NOW)

    assert lines.index("exp = ") < lines.index("iat = ")
    assert Reason.TIMESTAMP_OUTSIDE_TOLERANCE == verdict.reason
    assert "1 min 1 s old" in verdict.detail


@pytest.mark.parametrize(
    "value",
    ["Bearer a.b", "Bearer ..", "Bearer x.!!.AA", "Bearer e30.W10.AAAA", "token", "Bearer e30.e30.e30.AAAA"],
)
def test_what_is_no_token_is_a_malformed_header(acme, value):
    verdict = verify(acme(TOKEN), ReceivedRequest(Headers({"Authorization": value}), b"", URL), KEY, now=NOW)

    assert Reason.MALFORMED_HEADER == verdict.reason


@pytest.mark.parametrize("alg", ["none", "HS512", "RS256", None, 1])
def test_a_token_of_another_algorithm_is_rejected(acme, alg):
    head, payload, _ = token()["Authorization"].removeprefix("Bearer ").split(".")
    head = base64.urlsafe_b64encode(json.dumps({"alg": alg}).encode()).rstrip(b"=").decode()
    signature = base64.urlsafe_b64encode(mac(KEY, f"{head}.{payload}".encode())).rstrip(b"=").decode()
    headers = Headers({"Authorization": f"Bearer {head}.{payload}.{signature}"})
    verdict = verify(acme(TOKEN), ReceivedRequest(headers, b'{"n": 1}', URL), KEY, now=NOW)

    assert Reason.MALFORMED_HEADER == verdict.reason
    assert "this provider's tokens have 'HS256'" in verdict.detail


def test_a_token_of_deeply_nested_claims_is_a_malformed_header(acme):
    deep = base64.urlsafe_b64encode(b"[" * 100_000).decode()
    headers = Headers({"Authorization": f"Bearer {deep}.{deep}.AAAA"})

    assert Reason.MALFORMED_HEADER == verify(acme(TOKEN), ReceivedRequest(headers, b"", URL), KEY).reason


def test_the_time_in_a_token_is_trusted_before_one_in_a_header(acme):
    known = acme(TOKEN.replace("headers = {", 'headers = { "Acme-Time" = "{timestamp}",'))
    late = NOW + timedelta(seconds=61)
    headers = Headers({**token(), "Acme-Time": str(int(late.timestamp()))})
    verdict = verify(known, ReceivedRequest(headers, b'{"n": 1}', URL), KEY, now=late)

    assert Reason.TIMESTAMP_OUTSIDE_TOLERANCE == verdict.reason


def test_a_number_in_a_token_that_is_no_time_must_be_that_of_the_request(acme):
    known = acme(TOKEN.replace('url = "{url}"', 'version = { number = "2" }'))

    for version, ok in ((2, True), (3, False)):
        request = ReceivedRequest(token(version=version), b'{"n": 1}', URL)
        assert ok == verify(known, request, KEY, now=NOW).ok
