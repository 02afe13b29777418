"""A request that was signed in another way, or carries its signature in another way, is recognised by how."""

from __future__ import annotations

import base64
import hashlib
from datetime import timedelta
from functools import cache

import pytest

from hook_widgets.webhooks import Headers, KeyPair, ReceivedRequest, Secret, provider
from hook_widgets.webhooks.diagnosis import diagnose
from tests.support.diagnosing import (
    AT,
    URL,
    causes,
    draft_of,
    key_of,
    mac,
    names,
    received,
    replaced,
    secret_of,
    signature_text,
    signed,
)

BODY = b'{"type":"invoice.paid","created":1788000000}'
HMAC = ["github", "stripe", "slack", "shopify", "zoom", "svix", "square"]
TIMED = ["stripe", "slack", "zoom", "svix"]


def _key(name):
    return secret_of(name).key_bytes(provider(name).key.spec)


@cache
def _request(name):
    return signed(name, BODY, key=key_of(name))


def _carrying(name, text):
    """The provider's request with this text in the place of its signature."""
    request = _request(name)
    return received(request, headers=replaced(request.headers, signature_text(request), text))


def _signing(name, message, digest="sha256"):
    """The provider's request with an HMAC of this message, written as the provider writes it."""
    write = provider(name).schemes[0].signatures[0].encoding.write
    return _carrying(name, write(mac(_key(name), message, digest)))


def _message(name):
    return draft_of(_request(name)).jobs()[0].message


# -- algorithms ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HMAC)
@pytest.mark.parametrize(
    ("cause", "digest"),
    [("algorithm-sha1", "sha1"), ("algorithm-sha384", "sha384"), ("algorithm-sha512", "sha512")],
)
def test_another_hash_is_named(name, cause, digest):
    assert (cause,) == causes(name, _signing(name, _message(name), digest), key_of(name))


@pytest.mark.parametrize("name", ["twilio", "trello", "intercom"])
def test_sha_256_in_place_of_sha_1_is_named(name):
    request = provider(name).draft(at=AT, url="https://example.com/in").sign(key_of(name))
    text = signature_text(request)
    write = draft_of(request).scheme.signatures[0].encoding.write
    other = write(mac(_key(name), draft_of(request).jobs()[0].message, "sha256"))

    changed = received(request, headers=replaced(request.headers, text, other))

    assert ("algorithm-sha256",) == causes(name, changed, key_of(name))


@pytest.mark.parametrize("name", HMAC)
@pytest.mark.parametrize(
    ("digest", "order"), [("sha256", "key first"), ("sha256", "key last"), ("sha1", "key last")]
)
def test_a_plain_hash_of_secret_and_message_is_named(name, digest, order):
    parts = [_key(name), _message(name)]
    data = b"".join(parts if order == "key first" else reversed(parts))
    write = provider(name).schemes[0].signatures[0].encoding.write

    request = _carrying(name, write(getattr(hashlib, digest)(data).digest()))

    assert ("algorithm-plain-hash",) == causes(name, request, key_of(name))


@pytest.mark.parametrize("name", ["github", "stripe", "slack", "zoom"])
def test_the_secret_itself_in_place_of_a_signature_is_named(name):
    assert ("algorithm-token",) == causes(name, _carrying(name, secret_of(name).reveal()), key_of(name))


# -- base strings --------------------------------------------------------------------------------------------

STAMP = str(int(AT.timestamp())).encode()
MESSAGES = [
    ("stripe", "message-without-timestamp", BODY),
    ("slack", "message-without-timestamp", b"v0:" + BODY),
    ("zoom", "message-without-timestamp", b"v0:" + BODY),
    ("slack", "message-body-only", BODY),
    ("slack", "message-without-label", STAMP + b":" + BODY),
    ("stripe", "message-separator", STAMP + BODY),
    ("stripe", "message-separator", STAMP + b":" + BODY),
    ("slack", "message-separator", b"v0:" + STAMP + b"." + BODY),
    ("stripe", "message-order", BODY + b"." + STAMP),
    ("stripe", "message-without-body", STAMP),
    ("github", "message-with-url", b"https://hooks.example.com/in?b=2&a=x%20y" + BODY),
    ("github", "message-body-hash", hashlib.sha256(BODY).hexdigest().encode()),
    ("shopify", "message-body-hash", hashlib.sha256(BODY).hexdigest().encode()),
    ("stripe", "message-body-hash", STAMP + b"." + hashlib.sha256(BODY).hexdigest().encode()),
    ("square", "message-without-url", BODY),
]


@pytest.mark.parametrize(("name", "cause", "message"), MESSAGES)
def test_another_base_string_is_named(name, cause, message):
    found = diagnose(name, _signing(name, message), key_of(name), now=AT)

    assert (cause,) == names(found)
    assert "as signed" in [string.label for string in found.strings]
    assert "first differ" in found.difference


def _resigned(name, change, *, scheme=None, digest="sha256"):
    """A request of another shape, signed over its changed base string by HMAC."""
    event = next(e.name for e in provider(name).events if e.scheme in ("", scheme))
    request = provider(name).draft(event=event, scheme=scheme, at=AT, url=URL).sign(key_of(name))
    draft = draft_of(request)
    raw = mac(_key(name), change(draft.jobs()[0].message), digest)
    text = draft.scheme.signatures[0].encoding.write(raw)
    return received(request, headers=replaced(request.headers, signature_text(request), text))


def test_a_missing_method_is_named():
    request = _resigned("hubspot", lambda message: message.removeprefix(b"POST"))

    assert ("message-without-method",) == causes("hubspot", request, key_of("hubspot"))


def test_another_method_is_named():
    request = _resigned("hubspot", lambda message: message)
    overridden = ReceivedRequest(request.headers, request.body, request.url, "PUT")

    found = diagnose("hubspot", overridden, key_of("hubspot"), now=AT)

    assert ("message-method",) == names(found)
    assert "POST" in found.findings[0].title


def test_another_missing_part_is_named():
    event = (provider("hook0").events[0].type or provider("hook0").events[0].name).encode()
    request = _resigned("hook0", lambda message: message.replace(b"." + event, b"", 1))

    assert ("message-without-field",) == causes("hook0", request, key_of("hook0"))


@pytest.mark.parametrize("name", ["recharge"])
def test_an_hmac_in_place_of_a_plain_hash_is_named(name):
    found = diagnose(name, _resigned(name, lambda message: message), key_of(name), now=AT)

    assert ("algorithm-hmac",) == names(found)
    assert "HMAC-SHA256" in found.findings[0].title


@pytest.mark.parametrize("name", ["svix", "standard-webhooks"])
def test_a_missing_id_and_a_missing_timestamp_are_told_apart(name):
    message_id, stamp, body = _message(name).split(b".", 2)

    assert ("message-without-id",) == causes(name, _signing(name, stamp + b"." + body), key_of(name))
    assert ("message-without-timestamp",) == causes(
        name, _signing(name, message_id + b"." + body), key_of(name)
    )
    assert ("message-body-only",) == causes(name, _signing(name, body), key_of(name))


@pytest.mark.parametrize("name", ["github", "shopify"])
def test_a_timestamp_that_the_provider_does_not_sign_is_named(name):
    request = _signing(name, STAMP + b"." + BODY)
    timed = received(request, headers=Headers((*request.headers.pairs, ("X-Timestamp", STAMP.decode()))))

    assert ("message-with-timestamp",) == causes(name, timed, key_of(name))


@pytest.mark.parametrize("name", ["discord", "sendgrid"])
def test_a_key_pair_that_signed_the_body_alone_is_recognised(name):
    key = key_of(name)
    assert isinstance(key, KeyPair)
    request = signed(name, BODY, key=key)
    raw = key.sign(BODY, provider(name).schemes[0].signatures[0].algorithm)
    text = provider(name).schemes[0].signatures[0].encoding.write(raw)

    changed = received(request, headers=replaced(request.headers, signature_text(request), text))

    assert ("message-without-timestamp",) == causes(name, changed, key)


def test_another_signature_of_the_same_provider_is_named():
    request = signed("github", BODY, key=key_of("github"))
    only_sha1 = Headers([(n, v) for n, v in request.headers.pairs if n != "X-Hub-Signature-256"])

    found = diagnose("github", received(request, headers=only_sha1), key_of("github"), now=AT)

    assert ("message-other-scheme",) == names(found)
    assert "hmac-sha1" in found.findings[0].title


def test_a_damaged_signature_is_told_by_the_one_beside_it():
    request = signed("github", BODY, key=key_of("github"))
    text = signature_text(request)
    damaged = replaced(request.headers, text, text[::-1])

    found = diagnose("github", received(request, headers=damaged), key_of("github"), now=AT)

    assert ("signature-damaged",) == names(found)
    assert "hmac-sha1" in found.findings[0].title


@pytest.mark.parametrize(
    ("name", "body", "url", "lacking"),
    [
        ("hubspot", None, "https://other.example.org/x", "the URL"),
        ("plivo", b"To=15550100&Body=other", None, "the body"),
    ],
)
def test_a_weaker_signature_beside_it_shows_that_the_secret_is_right(name, body, url, lacking):
    request = provider(name).draft(at=AT, url="https://example.com/in").sign(key_of(name))

    found = diagnose(name, received(request, body=body, url=url), key_of(name), now=AT)

    assert ("signature-weaker",) == names(found)
    assert lacking in found.findings[0].title
    assert "do not fall back" in found.findings[0].change


def test_a_content_type_that_was_lost_is_named():
    json_scheme = next(scheme for scheme in provider("twilio").schemes if scheme.query)
    event = next(e.name for e in provider("twilio").events if e.scheme == json_scheme.name)
    request = (
        provider("twilio").draft(event=event, at=AT, url="https://example.com/in").sign(key_of("twilio"))
    )
    lost = Headers([(n, v) for n, v in request.headers.pairs if n != "Content-Type"])

    found = diagnose("twilio", received(request, headers=lost), key_of("twilio"), now=AT)

    assert ("header-content-type",) == names(found)
    assert "application/json" in found.findings[0].title


def test_a_header_that_was_lost_is_named_when_its_value_is_known():
    key = key_of("fal")
    request = provider("fal").draft(at=AT).sign(key)
    lost = Headers([(n, v) for n, v in request.headers.pairs if n != "X-Fal-Webhook-User-Id"])

    found = diagnose("fal", received(request, headers=lost), key, now=AT)

    assert ("header-lost",) == names(found)
    assert "X-Fal-Webhook-User-Id" in found.findings[0].title


@pytest.mark.parametrize(("told", "real"), [("stripe", "github"), ("github", "slack"), ("shopify", "stripe")])
def test_a_request_of_another_provider_is_named(told, real):
    key = key_of(real)
    found = diagnose(told, received(signed(real, BODY, key=key)), key, now=AT)

    assert "provider-other" in names(found)
    assert provider(real).title in found.findings[0].title


# -- time ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TIMED)
@pytest.mark.parametrize(
    ("cause", "late", "words"),
    [
        ("timestamp-stale", timedelta(minutes=5, seconds=1), "5 min 1 s old, 1 s more"),
        ("timestamp-stale", timedelta(days=2), "2 d old"),
        ("timestamp-future", -timedelta(minutes=7), "7 min in the future"),
        ("timestamp-zone", -timedelta(hours=2), "2 h"),
        ("timestamp-zone", -timedelta(hours=5, minutes=30, seconds=-2), "5.5 h"),
    ],
)
def test_a_timestamp_that_is_off_is_named_with_by_how_much(name, cause, late, words):
    request = received(signed(name, BODY, key=key_of(name)))
    if not provider(name).schemes[0].tolerance_s:
        pytest.fail("choose providers with a tolerance")

    found = diagnose(name, request, key_of(name), now=AT + late)

    assert (cause,) == names(found)
    assert words in found.findings[0].title


def _restamped(name, sent, stamped):
    """The provider's request with one timestamp in its header and another in the signed data."""
    request = _request(name)
    write = draft_of(request).scheme.signatures[0].encoding.write
    message = draft_of(request).jobs()[0].message.replace(STAMP, stamped.encode())
    headers = replaced(request.headers, signature_text(request), write(mac(_key(name), message)))
    if sent != STAMP.decode():
        headers = replaced(headers, STAMP.decode(), sent)
    return received(request, headers=headers)


@pytest.mark.parametrize("name", TIMED)
@pytest.mark.parametrize(
    ("cause", "sent", "stamped"),
    [
        ("timestamp-ms", "1788264000", "1788264000000"),
        ("timestamp-iso", "1788264000", "2026-09-01T12:00:00Z"),
        ("timestamp-iso", "1788264000", "2026-09-01T12:00:00.000Z"),
        ("timestamp-fraction-lost", "1788264000", "1788264000.0"),
        ("timestamp-elsewhere", "1788264000", "1788000000"),
        ("timestamp-ms-sent", "1788264000123", "1788264000123"),
    ],
)
def test_a_timestamp_in_another_form_is_named(name, cause, sent, stamped):
    assert STAMP == b"1788264000"
    assert (cause,) == causes(name, _restamped(name, sent, stamped), key_of(name))


@pytest.mark.parametrize("name", TIMED)
def test_a_timestamp_that_was_signed_in_seconds_and_sent_in_milliseconds_is_named(name):
    request = _restamped(name, "1788264000123", "1788264000")

    assert "timestamp-s" == causes(name, request, key_of(name))[0]


@pytest.mark.parametrize("name", ["slack", "zoom"])
def test_a_timestamp_with_a_fraction_is_named(name):
    assert ("timestamp-fraction",) == causes(
        name, _restamped(name, "1788264000.25", "1788264000"), key_of(name)
    )
    assert ("timestamp-form",) == causes(
        name, _restamped(name, "1788264000.25", "1788264000.25"), key_of(name)
    )


def test_seconds_where_milliseconds_are_expected_are_named():
    name = next(p for p in ("hubspot", "workos", "linear", "airwallex") if _in_milliseconds(p))
    key = key_of(name)
    request = provider(name).draft(at=AT, url="https://example.com/in").sign(key)
    milliseconds = str(int(AT.timestamp()) * 1000)
    message = draft_of(request).jobs()[0].message.replace(milliseconds.encode(), STAMP)
    write = draft_of(request).scheme.signatures[0].encoding.write
    headers = replaced(request.headers, signature_text(request), write(mac(_key(name), message)))

    changed = received(request, headers=replaced(headers, milliseconds, STAMP.decode()))

    assert ("timestamp-s-sent",) == causes(name, changed, key)


def _in_milliseconds(name):
    scheme = provider(name).schemes[0]
    return scheme.timestamp == "ms" and "timestamp" in scheme.closure(scheme.signatures[0].template.names)


# -- how the signature is carried ----------------------------------------------------------------------------

HEXED = ["github", "stripe", "slack", "zoom"]
BASED = ["shopify", "square", "svix"]


def _raw(name):
    request = _request(name)
    return mac(_key(name), draft_of(request).jobs()[0].message)


@pytest.mark.parametrize("name", HEXED)
def test_base64_in_place_of_hex_is_named(name):
    text = base64.b64encode(_raw(name)).decode()

    assert ("signature-base64",) == causes(name, _carrying(name, text), key_of(name))


@pytest.mark.parametrize("name", BASED)
def test_hex_in_place_of_base64_is_named(name):
    assert ("signature-hex",) == causes(name, _carrying(name, _raw(name).hex()), key_of(name))


@pytest.mark.parametrize("name", BASED)
def test_the_base64_of_a_hex_text_is_named(name):
    text = base64.b64encode(_raw(name).hex().encode()).decode()

    assert ("signature-hex-in-base64",) == causes(name, _carrying(name, text), key_of(name))


def _odd(name):
    """A body whose signature has both characters that the two base64 alphabets differ in, and a padding."""
    write, spec = provider(name).schemes[0].signatures[0].encoding.write, provider(name)
    for number in range(1000):
        request = spec.draft(body=b'{"n":%d}' % number, at=AT, url="https://example.com/in").sign(
            key_of(name)
        )
        text = write(mac(_key(name), draft_of(request).jobs()[0].message))
        if "+" in text and "/" in text:
            return request, text
    raise AssertionError


@pytest.mark.parametrize("name", BASED)
@pytest.mark.parametrize(
    ("cause", "change"),
    [
        ("signature-base64-url", lambda text: text.replace("+", "-").replace("/", "_").rstrip("=")),
        ("signature-percent", lambda text: text.replace("+", "%2B").replace("=", "%3D")),
        ("signature-padding", lambda text: text.rstrip("=")),
        ("signature-quotes", lambda text: f'"{text}"'),
    ],
)
def test_a_base64_text_that_suffered_on_the_way_is_named(name, cause, change):
    request, text = _odd(name)

    changed = received(request, headers=replaced(request.headers, text, change(text)))

    assert (cause,) == causes(name, changed, key_of(name))


def test_a_base64_text_that_was_read_like_a_form_is_named():
    request, text = _odd("shopify")

    changed = received(request, headers=replaced(request.headers, text, text.replace("+", " ")))

    assert ("signature-plus",) == causes("shopify", changed, key_of("shopify"))


@pytest.mark.parametrize("name", HEXED)
def test_upper_case_hex_verifies_and_is_named_because_receivers_compare_texts(name):
    found = diagnose(name, _carrying(name, _raw(name).hex().upper()), key_of(name), now=AT)

    assert found.verdict.ok
    assert ("signature-upper",) == names(found)


@pytest.mark.parametrize(
    ("name", "header", "change", "cause"),
    [
        ("github", "X-Hub-Signature-256", lambda v: v.removeprefix("sha256="), "signature-label-lost"),
        ("github", "X-Hub-Signature-256", lambda v: v.replace("sha256=", "sha1="), "signature-label"),
        ("github", "X-Hub-Signature-256", lambda v: "sha256=" + v, "signature-label"),
        ("slack", "X-Slack-Signature", lambda v: v.removeprefix("v0="), "signature-label-lost"),
        ("slack", "X-Slack-Signature", lambda v: v.replace("v0=", "v1="), "signature-label"),
        ("stripe", "Stripe-Signature", lambda v: v.replace("v1=", "v0="), "signature-label"),
        ("svix", "svix-signature", lambda v: v.replace("v1,", "v2,"), "signature-label"),
        ("svix", "svix-signature", lambda v: v.removeprefix("v1,"), "signature-label-lost"),
        ("zoom", "x-zm-signature", lambda v: v.replace("v0=", ""), "signature-label-lost"),
    ],
)
def test_a_label_that_is_missing_or_another_is_named(name, header, change, cause):
    request = _request(name)
    headers = Headers([(n, change(v) if n == header else v) for n, v in request.headers.pairs])

    assert (cause,) == causes(name, received(request, headers=headers), key_of(name))


@pytest.mark.parametrize(
    ("name", "header", "renamed", "cause"),
    [
        ("github", "X-Hub-Signature-256", "HTTP_X_HUB_SIGNATURE_256", "signature-header-renamed"),
        ("shopify", "X-Shopify-Hmac-Sha256", "X_Shopify_Hmac_Sha256", "signature-header-renamed"),
        ("slack", "X-Slack-Signature", "X-Forwarded-Signature", "signature-header"),
        ("shopify", "X-Shopify-Hmac-Sha256", "X-Signature", "signature-header"),
        ("square", "x-square-hmacsha256-signature", "x-square-signature", "signature-header"),
    ],
)
def test_a_signature_in_another_header_is_named_with_that_header(name, header, renamed, cause):
    request = _request(name)
    headers = Headers([(renamed if n.lower() == header.lower() else n, v) for n, v in request.headers.pairs])

    found = diagnose(name, received(request, headers=headers), key_of(name), now=AT)

    assert (cause,) == names(found)
    assert renamed in found.findings[0].title


@pytest.mark.parametrize("name", ["slack", "svix", "shopify", "alertmanager", "postmark"])
def test_quotes_around_the_whole_header_are_named(name):
    request = provider(name).draft(at=AT).sign(key_of(name))
    carrier = next(n for n, v in request.headers.pairs if draft_of(request).signs_header(n))
    headers = Headers([(n, f'"{v}"' if n == carrier else v) for n, v in request.headers.pairs])

    assert ("signature-quotes",) == causes(name, received(request, headers=headers), key_of(name))


# -- tokens in place of signatures --------------------------------------------------------------------------

TOKENS = ["gitlab-token", "telegram", "alertmanager", "postmark"]


@pytest.mark.parametrize("name", TOKENS)
def test_a_slip_with_a_plain_token_is_named(name):
    request = received(provider(name).draft(at=AT).sign(key_of(name)))
    typed = secret_of(name).reveal()

    assert ("secret-space",) == causes(name, request, Secret(typed + "\n"))
    assert ("secret-quotes",) == causes(name, request, Secret(f'"{typed}"'))
    assert ("secret-assignment",) == causes(name, request, Secret(f"TOKEN={typed}"))
    assert () == causes(name, request, Secret("another"))


@pytest.mark.parametrize("name", TOKENS)
def test_a_plain_token_in_another_header_is_named_with_that_header(name):
    request = provider(name).draft(at=AT).sign(key_of(name))
    carrier = next(n for n, _ in request.headers.pairs if draft_of(request).signs_header(n))
    headers = Headers([("X-Api-Key" if n == carrier else n, v) for n, v in request.headers.pairs])

    found = diagnose(name, received(request, headers=headers), key_of(name), now=AT)

    assert ("signature-header",) == names(found)
    assert "X-Api-Key" in found.findings[0].title


@pytest.mark.parametrize("name", ["alertmanager", "postmark"])
def test_a_token_without_its_word_in_front_is_named(name):
    request = provider(name).draft(at=AT).sign(key_of(name))
    headers = replaced(request.headers, request.headers["Authorization"].partition(" ")[0] + " ", "")

    assert ("signature-label-lost",) == causes(name, received(request, headers=headers), key_of(name))


def test_a_slip_in_the_header_and_a_changed_body_are_both_named():
    request = signed("github", BODY, key=Secret("s"))
    headers = replaced(request.headers, "sha256=", "")

    found = causes("github", received(request, headers=headers, body=BODY + b"\n"), Secret("s"))

    assert ("body-newline-added", "signature-label-lost") == found


def test_a_changed_body_and_a_stale_timestamp_are_both_named():
    request = signed("stripe", BODY, key=key_of("stripe"))

    found = causes(
        "stripe", received(request, body=BODY + b"\n"), key_of("stripe"), now=AT + timedelta(hours=1)
    )

    assert ("body-newline-added", "timestamp-stale") == found
