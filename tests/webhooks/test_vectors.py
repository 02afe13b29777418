"""What providers published: their own example requests, signed with secrets that they published too."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from hook_widgets.webhooks import PublicKey, Reason, Secret, Verdict, provider, verify

Vector = dict[str, Any]

VECTORS: list[Vector] = json.loads(
    (Path(__file__).parents[1] / "vectors" / "published.json").read_text(encoding="utf-8")
)["vectors"]


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
        secret=key,
        now=datetime.fromtimestamp(vector.get("timestamp", 0), UTC),
    )


every_vector = pytest.mark.parametrize("vector", VECTORS, ids=name)
every_deterministic_vector = pytest.mark.parametrize(
    "vector", [vector for vector in VECTORS if "secret" in vector], ids=name
)


@every_deterministic_vector
def test_signing_reproduces_the_published_request(vector: Vector) -> None:
    known = provider(vector["provider"])
    url = vector.get("url", "https://hooks.example.com/in").partition("&bodySHA256=")[0]

    request = known.draft(
        url=url, body=vector["body"], at=vector.get("timestamp"), scheme=vector.get("scheme")
    ).sign(Secret(vector["secret"]))

    signed = {header for header in vector["headers"] if "signature" in header.lower()}
    assert signed
    assert {h: vector["headers"][h] for h in signed} == {h: request.headers[h] for h in signed}
    assert vector["body"].encode() == request.body
    assert vector.get("url", url) == request.url


@every_vector
def test_the_published_request_verifies_at_its_time(vector: Vector) -> None:
    verdict = receive(vector)

    assert verdict.ok, verdict.detail
    assert verdict.reason is Reason.VALID


@every_vector
def test_one_flipped_bit_anywhere_in_the_body_is_refused(vector: Vector) -> None:
    body = vector["body"].encode()
    flipped = (body[:i] + bytes([body[i] ^ 1]) + body[i + 1 :] for i in range(len(body)))

    accepted = [twin for twin in flipped if receive(vector, body=twin).ok]

    assert accepted == []


@pytest.mark.parametrize("vector", [v for v in VECTORS if "url" in v], ids=name)
def test_one_flipped_bit_anywhere_in_a_signed_url_is_refused(vector: Vector) -> None:
    url = vector["url"]
    flipped = (url[:i] + chr(ord(url[i]) ^ 1) + url[i + 1 :] for i in range(len(url)))

    accepted = [twin for twin in flipped if receive(vector, url=twin).ok]

    assert accepted == []


@pytest.mark.parametrize("vector", [v for v in VECTORS if ":443/" in v.get("url", "")], ids=name)
def test_a_default_port_that_the_receiver_does_not_see_makes_no_difference(vector: Vector) -> None:
    verdict = receive(vector, url=vector["url"].replace(":443/", "/"))

    assert verdict.reason is Reason.VALID


def test_there_are_vectors_of_every_provider_that_published_some() -> None:
    published = {"github": 2, "slack": 1, "twilio": 7, "sendgrid": 1}

    found = {name: sum(v["provider"] == name for v in VECTORS) for name in published}

    assert published == found
    assert sum(published.values()) == len(VECTORS)
