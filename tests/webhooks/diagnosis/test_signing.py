"""A request that was signed in another way is recognised by how."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json

import pytest

from hook_widgets.webhooks import Headers, KeyPair, ReceivedRequest, Secret, provider
from hook_widgets.webhooks.diagnosis import diagnose
from tests.support.diagnosing import (
    AT,
    BODY,
    STAMP,
    URL,
    carrying,
    causes,
    compact,
    draft_of,
    key_bytes,
    key_of,
    mac,
    message_of,
    names,
    received,
    replaced,
    secret_of,
    signature_text,
    signed,
)

HMAC = ["github", "stripe", "slack", "shopify", "zoom", "svix", "square"]


def _signing(name, message, digest="sha256"):
    """The provider's request with an HMAC of this message, written as the provider writes it."""
    write = provider(name).schemes[0].signatures[0].encoding.write
    return carrying(name, write(mac(key_bytes(name), message, digest)))


# -- algorithms ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HMAC)
@pytest.mark.parametrize(
    ("cause", "digest"),
    [("algorithm-sha1", "sha1"), ("algorithm-sha384", "sha384"), ("algorithm-sha512", "sha512")],
)
def test_another_hash_is_named(name, cause, digest):
    assert (cause,) == causes(name, _signing(name, message_of(name), digest), key_of(name))


@pytest.mark.parametrize("name", ["twilio", "trello", "intercom"])
def test_sha_256_in_place_of_sha_1_is_named(name):
    request = provider(name).draft(at=AT, url="https://example.com/in").sign(key_of(name))
    text = signature_text(request)
    write = draft_of(request).scheme.signatures[0].encoding.write
    other = write(mac(key_bytes(name), draft_of(request).jobs()[0].message, "sha256"))

    changed = received(request, headers=replaced(request.headers, text, other))

    assert ("algorithm-sha256",) == causes(name, changed, key_of(name))


@pytest.mark.parametrize("name", HMAC)
@pytest.mark.parametrize(
    ("digest", "order"), [("sha256", "key first"), ("sha256", "key last"), ("sha1", "key last")]
)
def test_a_plain_hash_of_secret_and_message_is_named(name, digest, order):
    parts = [key_bytes(name), message_of(name)]
    data = b"".join(parts if order == "key first" else reversed(parts))
    write = provider(name).schemes[0].signatures[0].encoding.write

    request = carrying(name, write(getattr(hashlib, digest)(data).digest()))

    assert ("algorithm-plain-hash",) == causes(name, request, key_of(name))


@pytest.mark.parametrize(
    ("name", "digest"), [*((name, "sha256") for name in HMAC), ("trello", "sha1"), ("paystack", "sha512")]
)
def test_an_hmac_whose_key_and_message_are_swapped_is_named(name, digest):
    write = provider(name).schemes[0].signatures[0].encoding.write

    request = carrying(name, write(mac(message_of(name), key_bytes(name), digest)))

    assert ("algorithm-swapped",) == causes(name, request, key_of(name))


@pytest.mark.parametrize("name", HMAC)
def test_the_data_before_an_hmac_of_an_empty_message_is_named(name):
    """As of Sum(data) in Go, which appends: smallstep/certificates#1546, zabawaba99/fireauth#6."""
    write = provider(name).schemes[0].signatures[0].encoding.write

    request = carrying(name, write(message_of(name) + mac(key_bytes(name), b"")))

    assert ("signature-appended",) == causes(name, request, key_of(name))
    other = carrying(name, write(b"x" + message_of(name)[1:] + mac(key_bytes(name), b"")))
    assert "signature-appended" not in causes(name, other, key_of(name))


@pytest.mark.parametrize("name", ["github", "stripe", "slack", "zoom"])
def test_the_secret_itself_in_place_of_a_signature_is_named(name):
    assert ("algorithm-token",) == causes(name, carrying(name, secret_of(name).reveal()), key_of(name))


# -- base strings --------------------------------------------------------------------------------------------

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
    ("webflow", "message-without-timestamp", BODY),  # simstudioai/sim#4612
    ("ghost", "message-without-timestamp", BODY),  # TryGhost/Ghost#20500: as its version 5 signs
    ("stripe", "message-without-timestamp", BODY),  # determined-ai/determined#5353
]


@pytest.mark.parametrize(("name", "cause", "message"), MESSAGES)
def test_another_base_string_is_named(name, cause, message):
    diagnosed = diagnose(name, _signing(name, message), key_of(name), now=AT)

    assert (cause,) == names(diagnosed)
    assert "as signed" in [string.label for string in diagnosed.strings]
    assert "first difference" in diagnosed.difference


def _resigned(name, change, *, scheme=None, digest="sha256"):
    """A request of another shape, signed over its changed base string by HMAC."""
    event = next(e.name for e in provider(name).events if e.scheme in ("", scheme))
    request = provider(name).draft(event=event, scheme=scheme, at=AT, url=URL).sign(key_of(name))
    draft = draft_of(request)
    raw = mac(key_bytes(name), change(draft.jobs()[0].message), digest)
    text = draft.scheme.signatures[0].encoding.write(raw)
    return received(request, headers=replaced(request.headers, signature_text(request), text))


def test_a_missing_method_is_named():
    request = _resigned("hubspot", lambda message: message.removeprefix(b"POST"))

    assert ("message-without-method",) == causes("hubspot", request, key_of("hubspot"))


def test_another_method_is_named():
    request = _resigned("hubspot", lambda message: message)
    overridden = ReceivedRequest(request.headers, request.body, request.url, "PUT")

    diagnosed = diagnose("hubspot", overridden, key_of("hubspot"), now=AT)

    assert ("message-method",) == names(diagnosed)
    assert "POST" in diagnosed.findings[0].title


def test_another_missing_part_is_named():
    event = (provider("hook0").events[0].type or provider("hook0").events[0].name).encode()
    request = _resigned("hook0", lambda message: message.replace(b"." + event, b"", 1))

    assert ("message-without-field",) == causes("hook0", request, key_of("hook0"))


@pytest.mark.parametrize(("name", "scheme"), [("recharge", "v1")])
def test_an_hmac_in_place_of_a_plain_hash_is_named(name, scheme):
    request = _resigned(name, lambda message: message, scheme=scheme)

    diagnosed = diagnose(name, request, key_of(name), now=AT)

    assert ("algorithm-hmac",) == names(diagnosed)
    assert "HMAC-SHA256" in diagnosed.findings[0].title


@pytest.mark.parametrize("name", ["svix", "standard-webhooks"])
def test_a_missing_id_and_a_missing_timestamp_are_distinguished(name):
    message_id, stamp, body = message_of(name).split(b".", 2)

    assert ("message-without-id",) == causes(name, _signing(name, stamp + b"." + body), key_of(name))
    assert ("message-without-timestamp",) == causes(
        name, _signing(name, message_id + b"." + body), key_of(name)
    )
    assert ("message-body-only",) == causes(name, _signing(name, body), key_of(name))


@pytest.mark.parametrize("name", ["github", "shopify"])
def test_a_timestamp_that_the_provider_does_not_sign_is_named(name):
    request = _signing(name, STAMP + b"." + BODY)
    timed = received(
        request, headers=Headers((*request.headers.multi_items(), ("X-Timestamp", STAMP.decode())))
    )

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
    only_sha1 = Headers([(n, v) for n, v in request.headers.multi_items() if n != "X-Hub-Signature-256"])

    diagnosed = diagnose("github", received(request, headers=only_sha1), key_of("github"), now=AT)

    assert ("message-other-scheme",) == names(diagnosed)
    assert "hmac-sha1" in diagnosed.findings[0].title


# developers.hubspot.com, "Validating requests", v1: secret, body and hash of the example
HUBSPOT_V1 = (
    b'[{"eventId":1,"subscriptionId":12345,"portalId":62515,"occurredAt":1564113600000,'
    b'"subscriptionType":"contact.creation","attemptNumber":0,"objectId":123,"changeSource":"CRM",'
    b'"changeFlag":"NEW","appId":54321}]'
)


@pytest.mark.parametrize("version", [{}, {"X-HubSpot-Signature-Version": "v1"}])
def test_a_signature_whose_other_header_is_missing_is_named(version):
    hashed = "232db2615f3d666fe21a8ec971ac7b5402d33b9a925784df3ca654d05f4817de"
    headers = Headers({"Content-Type": "application/json", "X-HubSpot-Signature": hashed, **version})
    secret = Secret("yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy")

    diagnosed = diagnose("hubspot", ReceivedRequest(headers, HUBSPOT_V1, URL, "POST"), secret, now=AT)

    assert ("message-other-scheme",) == names(diagnosed)
    assert "X-HubSpot-Signature beside X-HubSpot-Signature-v3" in diagnosed.findings[0].title


def test_of_many_providers_with_the_same_headers_the_selected_one_is_meant():
    """openai/openai-java, WebhookVerificationTest: a secret without whsec_ is used as text."""
    text, body = "synthetic-client-secret", b'{"id":"evt_test","object":"event"}'
    message = b".".join([b"webhook_test", STAMP, body])
    signature = base64.b64encode(hmac.digest(text.encode(), message, "sha256"))
    headers = {"webhook-id": "webhook_test", "webhook-timestamp": STAMP.decode()}
    request = ReceivedRequest(
        Headers({**headers, "webhook-signature": f"v1,{signature.decode()}"}), body, URL, "POST"
    )
    other = ReceivedRequest(Headers({**headers, "webhook-signature": "v1,cut"}), body, URL, "POST")

    assert ("secret-text",) == names(diagnose("openai", request, Secret(text), now=AT))
    assert "provider-headers" not in [
        hint.cause for hint in diagnose("openai", other, Secret(text), now=AT).hints
    ]


def test_a_damaged_signature_is_recognized_by_the_one_beside_it():
    request = signed("github", BODY, key=key_of("github"))
    text = signature_text(request)
    damaged = replaced(request.headers, text, text[::-1])

    diagnosed = diagnose("github", received(request, headers=damaged), key_of("github"), now=AT)

    assert ("signature-damaged",) == names(diagnosed)
    assert "hmac-sha1" in diagnosed.findings[0].title


@pytest.mark.parametrize(
    ("name", "body", "url", "lacking"),
    [
        ("hubspot", None, "https://other.example.org/x", "the URL"),
        ("plivo", b"To=15550100&Body=other", None, "the body"),
    ],
)
def test_a_weaker_signature_beside_it_shows_that_the_secret_is_right(name, body, url, lacking):
    request = provider(name).draft(at=AT, url="https://example.com/in").sign(key_of(name))

    diagnosed = diagnose(name, received(request, body=body, url=url), key_of(name), now=AT)

    assert ("signature-weaker",) == names(diagnosed)
    assert lacking in diagnosed.findings[0].title
    assert "do not fall back" in diagnosed.findings[0].change


def test_a_content_type_that_was_lost_is_named():
    json_scheme = next(scheme for scheme in provider("twilio").schemes if scheme.query)
    event = next(e.name for e in provider("twilio").events if e.scheme == json_scheme.name)
    request = (
        provider("twilio").draft(event=event, at=AT, url="https://example.com/in").sign(key_of("twilio"))
    )
    lost = Headers([(n, v) for n, v in request.headers.multi_items() if n != "Content-Type"])

    diagnosed = diagnose("twilio", received(request, headers=lost), key_of("twilio"), now=AT)

    assert ("header-content-type",) == names(diagnosed)
    assert "application/json" in diagnosed.findings[0].title


def test_a_header_that_was_lost_is_named_when_its_value_is_known():
    key = key_of("fal")
    request = provider("fal").draft(at=AT).sign(key)
    lost = Headers([(n, v) for n, v in request.headers.multi_items() if n != "X-Fal-Webhook-User-Id"])

    diagnosed = diagnose("fal", received(request, headers=lost), key, now=AT)

    assert ("header-lost",) == names(diagnosed)
    assert "X-Fal-Webhook-User-Id" in diagnosed.findings[0].title


@pytest.mark.parametrize(
    ("name", "prefix", "other", "expected"),
    [
        # kortix-ai/suna#6040 and svix-docs#330: Svix sends the names of either
        ("svix", "svix-", "webhook-", ()),
        ("resend", "svix-", "webhook-", ("provider-other",)),
        ("standard-webhooks", "webhook-", "svix-", ("provider-other",)),
    ],
)
def test_headers_of_svix_and_of_the_standard_are_distinguished(name, prefix, other, expected):
    request = signed(name, BODY, key=key_of(name))
    headers = Headers((n.lower().replace(prefix, other), v) for n, v in request.headers.multi_items())

    diagnosed = diagnose(name, received(request, headers=headers), key_of(name), now=AT)

    assert expected == names(diagnosed)


@pytest.mark.parametrize(
    ("asked", "real"), [("stripe", "github"), ("github", "slack"), ("shopify", "stripe")]
)
def test_a_request_of_another_provider_is_named(asked, real):
    key = key_of(real)
    diagnosed = diagnose(asked, received(signed(real, BODY, key=key)), key, now=AT)

    assert "provider-other" in names(diagnosed)
    assert provider(real).title in diagnosed.findings[0].title


@pytest.mark.parametrize(
    ("cause", "signed_reference", "reference"),
    [
        # adyen-python-api-library#117: the library escaped the colons of merchantReference, Adyen does not
        ("message-field-unescaped", "14-08-2020-09:53:00", r"14-08-2020-09\:53\:00"),
        ("message-field-escaped", r"14-08-2020-09\:53\:00", "14-08-2020-09:53:00"),
        ("message-field-escaped", r"a\\b", r"a\b"),  # adyen-python-api-library#160
    ],
)
def test_colons_of_a_value_that_are_escaped_on_one_side_are_found(cause, signed_reference, reference):
    request = signed("adyen", key=key_of("adyen"))
    sent = json.loads(request.body)
    item = sent["notificationItems"][0]["NotificationRequestItem"]
    values = [item.get(name, "") for name in ("pspReference", "originalReference", "merchantAccountCode")]
    values += [signed_reference, str(item["amount"]["value"]), item["amount"]["currency"]]
    message = ":".join([*values, item["eventCode"], item["success"]])
    signature = base64.b64encode(mac(key_bytes("adyen"), message.encode())).decode()
    item |= {"merchantReference": reference, "additionalData": {"hmacSignature": signature}}

    diagnosis = diagnose("adyen", received(request, body=compact(sent)), key_of("adyen"), now=AT)

    assert (cause,) == names(diagnosis)
    assert "merchant_reference" in diagnosis.findings[0].title
