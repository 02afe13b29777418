"""Real deliveries that others recorded: they verify with the key that their sender publishes."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from hook_widgets.webhooks import PublicKey, Reason, provider, verify

#: KickEngineering/KickDevDocs, events/webhook-security.md.
KICK = (
    "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAq/+l1WnlRrGSolDMA+A86rAhMbQGmQ2SapVcGM3zq8ANXjnhDWocMqfWcTd9"
    "5btDydITa10kDvHzw9WQOqp2MZI7ZyrfzJuz5nhTPCiJwTwnEtWft7nV14BYRDHvlfqPUaZ+1KR4OCaO/wWIk/rQL/TjY0M70gse8rlB"
    "kbo2a8rKhu69RQTRsoaf4DVhDPEeSeI5jVrRDGAMGL3cGuyY6CLKGdjVEM78g3JfYOvDU/RvfqD7L89TZ3iN94jrmWdGz34JNlEI5hqK"
    "8dd7C5EFBEbZ5jgB8s8ReQV8H+MkuffjdAj3ajDDX3DOJMIut1lBrUVD1AaSrGCKHooWoL2etwIDAQAB"
)
#: Bukk94/KickLib, KickLib.Tests/EventParserTests.cs and Data/WebhookPayloads/ValidationPayload.json.
DELIVERED_BY_KICK = {
    "Kick-Event-Message-Id": "01JQR5KV0QC94HMETWYNBWRW4Z",
    "Kick-Event-Message-Timestamp": "2025-04-01T07:56:19Z",
    "Kick-Event-Signature": (
        "fpZCxfE8lojfMhDPvSpmEjHbJH4+6OFVSLStKgiTxH7QXQw/M3sdWWl0o/pxBz0vA9xXP8x3l+z7WNkT3C+6K7MkEZBtvv+88IAgWyJ2"
        "uTLKJtuFn5FIIQKTv1tAqOeFIp1A56DJR9eJ/yzG+flj9RwSNcvMPXBHS3X5jisBiKhYrqUUAW6HYuYKMq5cTcxb1IX0hyN5jEkFv2Bu"
        "WAIlriyVztdXBX1aHENBxCSf1qbFzQ26VCaZNCOGPpLS+4kHzuU8Zkju+o4nAUm+DIC8c1CjYfPIwu/tZb2HPGklXt1ZMQXpnP+F/Oo+"
        "NaW8Z0fBl1ZG8wanIVjPClkoDR4QZQ=="
    ),
    "Kick-Event-Subscription-Id": "01JQ79DGGK8C9117GJN8EHCYGG",
    "Kick-Event-Type": "livestream.status.updated",
    "Kick-Event-Version": "1",
}
BODY_BY_KICK = (
    b'{"broadcaster":{"is_anonymous":false,"user_id":4809577,"username":"FusedChat","is_verified":null,'
    b'"profile_picture":"https://files.kick.com/images/user/4809577/profile_image/conversion/'
    b'9028f795-f3ef-42dc-9cfc-7cb7ba6f32fa-medium.webp","channel_slug":"fusedchat"},"is_live":true,'
    b'"title":"Multiplatform bot!","started_at":"2025-04-01T07:56:18Z","ended_at":null}'
)
#: The sample of Circle's documentation (Verify Digital Signatures), kept in tests of public repositories.
CIRCLE = (
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAESl76SZPBJemW0mJNN4KTvYkLT8bOT4UGhFhzNk3fJqf6iuPlLQLq533FelXwczJbjg2U1PHT"
    "vQTK7qOQnDL2Tg=="
)
DELIVERED_BY_CIRCLE = {
    "X-Circle-Key-Id": "879dc113-5ca4-4ff7-a6b7-54652083fcf8",
    "X-Circle-Signature": (
        "MEQCIBlJPX7t0FDOcozsRK6qIQwik5Fq6mhAtCSSgIB/yQO7AiB9U5lVpdufKvPhk3cz4TH2f5MP7ArnmPRBmhPztpsIFQ=="
    ),
}
BODY_BY_CIRCLE = (
    b'{"subscriptionId":"00000000-0000-0000-0000-000000000000",'
    b'"notificationId":"00000000-0000-0000-0000-000000000000","notificationType":"webhooks.test",'
    b'"notification":{"hello":"world"},"timestamp":"2024-01-26T18:22:19.779834211Z","version":2}'
)


def test_a_delivery_of_circle_verifies_with_its_public_key() -> None:
    key = PublicKey(CIRCLE, "ecdsa-p256")

    verdict = verify("circle", headers=DELIVERED_BY_CIRCLE, body=BODY_BY_CIRCLE, secret=key)
    changed = verify(
        "circle", headers=DELIVERED_BY_CIRCLE, body=BODY_BY_CIRCLE.replace(b"world", b"moon!"), secret=key
    )

    assert (Reason.VALID, True, False) == (verdict.reason, verdict.ok, changed.ok)


def test_circle_writes_its_test_as_delivered() -> None:
    time = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z")

    assert time.sub(b"", provider("circle").template("webhooks.test")) == time.sub(b"", BODY_BY_CIRCLE)


def test_a_delivery_of_kick_verifies_with_its_public_key() -> None:
    at = datetime(2025, 4, 1, 7, 56, 19, tzinfo=UTC)
    key = PublicKey(KICK, "rsa")

    verdict = verify("kick", headers=DELIVERED_BY_KICK, body=BODY_BY_KICK, secret=key, now=at)
    changed = verify(
        "kick", headers=DELIVERED_BY_KICK, body=BODY_BY_KICK.replace(b"bot!", b"bot?"), secret=key, now=at
    )

    assert (Reason.VALID, True, False) == (verdict.reason, verdict.ok, changed.ok)


def test_kick_writes_times_and_json_as_delivered() -> None:
    """No fraction, no offset and no space; identity is newer than the delivery."""
    shape = re.compile(rb'"started_at":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ","ended_at":null}$')
    body = provider("kick").template("livestream.status.updated")

    assert shape.search(BODY_BY_KICK)
    assert shape.search(body)
    assert re.findall(rb'"(\w+)":', BODY_BY_KICK) == [
        member for member in re.findall(rb'"(\w+)":', body) if member != b"identity"
    ]
