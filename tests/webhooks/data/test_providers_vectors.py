"""Examples that providers published: their own requests, signed with secrets that they published too."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from hook_widgets.webhooks import PublicKey, Reason, Secret, Verdict, provider, verify

Vector = dict[str, Any]

VECTORS: list[Vector] = json.loads(
    (Path(__file__).parents[2] / "vectors" / "published.json").read_text(encoding="utf-8")
)["vectors"]


FLIPS = 200
"""The number of bits of a long text that are flipped, spread evenly: a whole body takes seconds."""


def name(vector: Vector) -> str:
    return f"{vector['provider']}-{VECTORS.index(vector)}"


def receive(vector: Vector, *, body: bytes | None = None, url: str | None = None) -> Verdict:
    """Verify the published request, at its time, with what its receiver was given."""
    if "secret" in vector:
        key: Secret | PublicKey = Secret(vector["secret"])
    else:
        key = PublicKey(vector["public_key"], "ecdsa-p256")
    return verify(
        vector["provider"],
        headers=vector["headers"],
        body=vector["body"].encode() if body is None else body,
        url=vector.get("url", "") if url is None else url,
        method=vector.get("method", "POST"),
        secret=key,
        now=datetime.fromtimestamp(vector.get("timestamp", 0), UTC),
    )


def positions(vector: Vector) -> list[int]:
    """Bytes of the body that are signed, at most `FLIPS` of them."""
    body = vector["body"].encode()
    texts = [text.encode() for text in vector.get("signed", [vector["body"]])]
    signed = [body.index(text) + i for text in texts for i in range(len(text))]
    return signed[:: len(signed) // FLIPS + 1]


signed_vectors = pytest.mark.parametrize(
    "vector", [v for v in VECTORS if "secret" in v and v.get("only") != "verify"], ids=name
)
verified_vectors = pytest.mark.parametrize(
    "vector", [v for v in VECTORS if v.get("only") != "sign"], ids=name
)


@signed_vectors
def test_signing_reproduces_the_published_request(vector: Vector) -> None:
    known = provider(vector["provider"])
    url = vector.get("url", "https://hooks.example.com/in").partition("&bodySHA256=")[0]

    draft = known.draft(
        url=url,
        body=vector["body"],
        at=vector.get("timestamp"),
        scheme=vector.get("scheme"),
        parts=vector.get("parts", {}),
    )
    request = draft.sign(Secret(vector["secret"]))

    carried = vector["headers"].keys() - {"Content-Type"}
    assert {h: vector["headers"][h] for h in carried} == {h: request.headers[h] for h in carried}
    assert vector["body"].encode() == request.body
    assert vector.get("url", url) == request.url


@verified_vectors
def test_the_published_request_verifies_at_its_time(vector: Vector) -> None:
    verdict = receive(vector)

    assert verdict.ok, verdict.detail
    assert verdict.reason is Reason.VALID


@verified_vectors
def test_one_flipped_bit_in_what_is_signed_of_the_body_is_rejected(vector: Vector) -> None:
    body = vector["body"].encode()
    flipped = (body[:i] + bytes([body[i] ^ 1]) + body[i + 1 :] for i in positions(vector))

    accepted = [twin for twin in flipped if receive(vector, body=twin).ok]

    assert accepted == []


@pytest.mark.parametrize("vector", [v for v in VECTORS if "url" in v], ids=name)
def test_one_flipped_bit_anywhere_in_a_signed_url_is_rejected(vector: Vector) -> None:
    url = vector["url"]
    flipped = (url[:i] + chr(ord(url[i]) ^ 1) + url[i + 1 :] for i in range(len(url)))

    accepted = [twin for twin in flipped if receive(vector, url=twin).ok]

    assert accepted == []


@pytest.mark.parametrize("vector", [v for v in VECTORS if ":443/" in v.get("url", "")], ids=name)
def test_a_default_port_that_the_receiver_does_not_see_makes_no_difference(vector: Vector) -> None:
    verdict = receive(vector, url=vector["url"].replace(":443/", "/"))

    assert verdict.reason is Reason.VALID


def test_there_are_vectors_of_every_provider_that_published_some() -> None:
    published = {
        "adyen": 5,
        "adyen-platform": 1,
        "bitbucket": 1,
        "box": 4,
        "circleci": 4,
        "coinbase-commerce": 1,
        "convoy": 2,
        "easypost": 1,
        "finch": 1,
        "github": 2,
        "gocardless": 1,
        "hubspot": 4,
        "jira": 1,
        "line": 1,
        "messagebird": 4,
        "modern-treasury": 1,
        "onfido": 1,
        "openai": 1,
        "orb": 1,
        "paddle": 3,
        "pagerduty": 1,
        "plivo": 1,
        "revolut": 1,
        "sendgrid": 1,
        "slack": 1,
        "square": 2,
        "standard-webhooks": 2,
        "svix": 1,
        "twilio": 7,
    }

    assert published == Counter(vector["provider"] for vector in VECTORS)
    assert len(VECTORS) == 57
