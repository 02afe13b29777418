"""A diagnosis in which nothing verifies says what the request and the secret show by themselves."""

from __future__ import annotations

import base64
import gzip
import json
import zlib
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from hook_widgets.errors import InvalidSecret
from hook_widgets.webhooks import Headers, PublicKey, Secret, diagnose, provider, verify
from tests.support.diagnosing import AT, causes, key_bytes, key_of, mac, received, secret_of, signed

WRONG = Secret("another-secret")
RSA = rsa.generate_private_key(65537, 2048)
PUBLIC = PublicKey(
    RSA.public_key()
    .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    .decode(),
    "rsa",
)


def _rsa(message: str) -> str:
    return base64.b64encode(RSA.sign(message.encode(), padding.PKCS1v15(), hashes.SHA256())).decode()


def _hints(
    name, body, *, received_body=None, more=(), key=WRONG, url="https://hooks.example.com/in", **options
):
    request = signed(name, body, key=key_of(name), url=url)
    headers = Headers([*request.headers.multi_items(), *more])
    other = received(request, body=received_body, headers=headers, url=options.pop("received_url", None))
    diagnosis = diagnose(name, other, key, now=AT, **options)
    assert () == diagnosis.findings
    return {hint.cause: hint.title for hint in diagnosis.hints}


# -- the body ------------------------------------------------------------------------------------------------


def test_a_body_shorter_than_its_content_length_was_cut_off():  # courier#508
    body = json.dumps({"entry": ["\u06d4" * 400]}).encode()

    hints = _hints("meta", body, received_body=body[:500], more=[("Content-Length", str(len(body)))])

    assert hints == {
        "body-cut-off": f"The body was cut off: it has 500 bytes, and Content-Length says {len(body)}"
    }


def test_a_body_that_was_not_given_was_not_cut_off():
    headers = {"X-Hub-Signature-256": f"sha256={'ab' * 32}", "Content-Length": "25"}
    diagnosis = diagnose(
        "github", headers=headers, body=b"", secret=Secret("any example secret"), method="POST"
    )

    assert ["body-missing"] == [finding.cause for finding in diagnosis.findings]
    assert "body-cut-off" not in [hint.cause for hint in diagnosis.hints]


def test_complete_json_that_is_shorter_was_written_again():
    """A parser left out members, or white space; a body that was cut off is no JSON."""
    body = b'{"id": 1, "total": 10.0, "note": "x"}'

    hints = _hints("github", body, received_body=b'{"id":1}', more=[("Content-Length", str(len(body)))])

    assert ["body-shorter"] == list(hints)


@pytest.mark.parametrize("length", ["", "-1", "1e9", "٣", "9" * 50])
def test_a_content_length_that_is_no_number_says_nothing(length):
    assert {} == _hints("github", b'{"a":1}', more=[("Content-Length", length)])


def test_a_body_longer_than_its_content_length_was_changed():
    hints = _hints("github", b"{}", received_body=b'{"a":"xyz"}', more=[("Content-Length", "2")])

    assert ["body-longer"] == list(hints)


def test_replacement_characters_show_that_bytes_were_decoded():  # open-swe#2310
    body = b"command=%2Fx&text=\xff\xfehi"

    assert ["body-replacement"] == list(
        _hints("slack", body, received_body=body.decode(errors="replace").encode())
    )


@pytest.mark.parametrize(
    "text",
    [
        "undefined",
        "null",
        "None",
        "Array",
        "[object Object]",  # razorpay-node#163
        "[object EventEmitter]",  # discord-api-docs#6596
        "[object ReadableStream]",
        "Promise { <pending> }",
        "[B@6d06d69c",
        "org.apache.catalina.connector.CoyoteInputStream@5e9f23b4",
        "System.Byte[]",
        "System.IO.MemoryStream",
        "<_io.BytesIO object at 0x7f1c2b3d4e50>",
        "<coroutine object Request.body at 0x7f1c2b3d4e50>",
        "#<StringIO:0x000078f1b2c3d4e5>",
    ],
)
@pytest.mark.parametrize(("name", "body"), [("slack", b"command=%2Fx&text="), ("github", b"{}")])
def test_the_text_of_a_missing_value_or_an_object_is_no_body(name, body, text):  # paperclip-plugin-slack#19
    title = f"Your body is the text {text}, which is how a program prints a missing value or an object"

    assert {"body-placeholder": title} == _hints(name, body, received_body=text.encode())


JSONB = '{"ref": "m", "action": "a", "number": 1, "sender": "s", "repository": {"a": 1, "b": 2}}'


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # PostgreSQL 16, section 8.14: jsonb; the order of MySQL is the same
        (JSONB, ["body-keys-by-length"]),
        (JSONB.replace('"ref": "m", "action": "a"', '"action": "a", "ref": "m"'), []),
        ('{"a": 1, "bb": 2, "ccc": 3, "dddd": 4}', ["body-keys-sorted"]),
        ('{"b": 1, "aa": 2, "ccc": 3}', []),  # by chance
    ],
)
def test_the_order_of_a_column_of_json_is_a_hint(body, expected):
    assert expected == list(_hints("github", b'{"a":1}', received_body=body.encode()))


@pytest.mark.parametrize(
    "value",
    [
        "[FILTERED]",  # Rails
        "[Redacted]",  # ASP.NET Core
        "undefined",  # vercel/next.js#49739
        "sha256=0123abcd...",  # chobbledotcom/tickets#382
        "sha256=" + "*" * 8,
    ],
)
def test_a_signature_that_a_log_masked_is_named(value):
    headers = {"X-GitHub-Event": "push", "X-Hub-Signature-256": value}
    diagnosis = diagnose("github", secret=WRONG, headers=headers, body=b"{}", now=AT)

    assert ["header-masked"] == [hint.cause for hint in diagnosis.hints]
    assert "X-Hub-Signature-256" in diagnosis.hints[0].title


@pytest.mark.parametrize(
    "text",
    [
        "<bound method Request.body of <starlette.requests.Request object at 0x7f3c1a2b>>",
        "ReadableStream { locked: true, state: 'closed', supportsBYOB: false }",
    ],
)
def test_a_method_or_stream_that_was_printed_is_no_body(text):
    assert "body-placeholder" in _hints("github", b'{"a":1}', received_body=text.encode())


def test_compressed_bytes_that_were_read_as_text_show_it():
    text = gzip.compress(b'{"a":1}').decode(errors="replace").encode()

    hints = _hints("stream", b'{"a":1}', received_body=text, more=[("Content-Encoding", "gzip")])

    assert ["body-replacement", "body-content-encoding"] == list(hints)


def test_a_body_in_an_encoding_that_is_not_tried_is_still_compressed():
    brotli = b'\x0b\x03\x80{"a":1}\x03'  # as written by brotliCompressSync of Node 20

    hints = _hints("github", b'{"a":1}', received_body=brotli, more=[("Content-Encoding", "br")])

    assert "body-compressed" in hints
    assert "body-content-encoding" not in hints


def test_several_rounded_integers_are_a_hint():
    body = b'{"a":1152921506151679000,"b":1152921506151680000}'

    assert ["body-integer-rounded"] == list(_hints("github", b"{}", received_body=body))


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"Array\n(\n    [action] => opened\n)\n", "line 1, column 1"),  # PHP's print_r
        (b'array(1) {\n  ["a"]=>\n  int(1)\n}\n', "line 1, column 1"),  # PHP's var_dump
        (b"{Action:opened Number:2}", "line 1, column 2"),  # Go's %+v
        (b"---\naction: opened\n", "line 1, column 1"),
        (b"3eZbrw1aBm2rZgRNFdxV2595", "line 1, column 1"),  # java-slack-sdk#254: only the challenge
        (b'{"commits":[{"message":"Test:', "line 1, column 24"),  # gitea#7469: cut off before an emoji
        (b'{"action":"opened","number":2,"no', "line 1, column 31"),
        (b'"opened"', "a text"),
    ],
)
def test_a_body_that_is_no_json_is_named_with_the_place(body, words):
    hints = _hints(
        "github", b'{"action":"opened"}', received_body=body, more=[("Content-Type", "application/json")]
    )

    assert ["body-not-json"] == list(hints)
    assert words in hints["body-not-json"]


def test_the_sorted_keys_of_a_map_are_a_hint():  # arc-escrow#34, orch#134
    body = {
        "type": "a",
        "object": "event",
        "id": 1,
        "created": 3,
        "data": {"z": 1, "b": 2},
        "live": False,
        "request": 1,
    }

    assert ["body-keys-sorted"] == list(
        _hints("github", json.dumps(body).encode(), received_body=json.dumps(body, sort_keys=True).encode())
    )


@pytest.mark.parametrize("name", ["github", "svix"])  # of Svix, all are sorted
@pytest.mark.parametrize("body", [{"a": 1, "b": 2}, {"id": 1, "data": {"a": 1, "b": 2, "c": 3, "d": 4}}])
def test_keys_that_are_in_order_by_chance_or_by_the_sender_are_no_hint(name, body):
    if name == "svix":
        body = dict(sorted(body.items()))

    assert "body-keys-sorted" not in _hints(
        name, json.dumps(body).encode(), key=Secret("whsec_" + "QUFB" * 8)
    )


# -- URL, headers, parts -------------------------------------------------------------------------------------


@pytest.mark.parametrize("url", ["https://hooks.example", "https://hooks.example/"])
def test_a_url_without_a_path_is_named(url):  # HubSpot/sample-apps-webhooks#6
    hints = _hints("hubspot", b"[]", received_url=url)

    assert hints == {"url-no-path": "The URL has no path: https://hooks.example is only the host"}


def test_a_url_without_its_host_is_named():
    assert ["url-relative"] == list(_hints("hubspot", b"[]", received_url="/in?a=1"))


@pytest.mark.parametrize(
    "host", ["localhost:8000", "127.0.0.1", "10.0.0.7", "app:3000", "172.16.0.2", "x.internal"]
)
def test_a_url_that_the_sender_cannot_have_called_is_named(host):  # ngrok, docker
    assert ["url-local"] == list(_hints("hubspot", b"[]", received_url=f"http://{host}/in"))


def test_a_query_in_alphabetical_order_is_a_hint():  # bmlt-enabled/yap#1629, symfony/symfony#65706
    """Symfony sorts it, so the order in which the sender called it is lost."""
    called = "https://hooks.example.com/in?d=1&b=2&c=3&f=4&a=5&e=6&g=x+y"
    sorted_url = "https://hooks.example.com/in?a=5&b=2&c=3&d=1&e=6&f=4&g=x%20y"

    assert ["url-query-sorted"] == list(_hints("twilio", None, url=called, received_url=sorted_url))
    assert [] == list(_hints("twilio", None, url=called, received_url=called + "&h=7"))


@pytest.mark.parametrize(
    ("name", "body", "words"),
    [
        ("aws-sns", b'{"notificationType":"Bounce","mail":{}}', "MessageId, TopicArn"),  # aws-sdk-ruby#1558
        ("adyen", b'{"pspReference":"1","additionalData":{"hmacSignature":"x"}}', "notificationItems"),
        ("mailgun", b'[{"event":"delivered"}]', "signature"),
    ],
)
def test_a_body_without_the_members_of_the_sender_is_a_part_of_what_was_sent(name, body, words):
    request = received(signed(name, key=key_of(name)), body=body)
    key = PUBLIC if name == "aws-sns" else key_of(name)
    hints = {hint.cause: hint.title for hint in diagnose(name, request, key, now=AT).hints}

    assert words in hints["body-envelope-lost"]


@pytest.mark.parametrize("form", [b"event[type]=a&event%5Bblocks%5D%5B0%5D=b", b"token=x&team_id=T1"])
def test_json_that_became_a_form_is_named(form):  # stackoverflow.com/questions/75009158
    assert "a form, as qs.stringify" in _hints("github", b'{"a":1}', received_body=form)["body-not-json"]


def test_a_mock_event_of_paypal_is_distinguished_from_a_wrong_webhook_id():  # PayPal-Java-SDK#157
    """https://developer.paypal.com/api/rest/webhooks/simulator/: its webhook id is the text WEBHOOK_ID."""
    body = b'{"id":"WH-1"}'
    headers = {
        "PAYPAL-TRANSMISSION-ID": "t-1",
        "PAYPAL-TRANSMISSION-TIME": "2026-09-01T12:00:00Z",
        "PAYPAL-AUTH-ALGO": "SHA256withRSA",
        "PAYPAL-CERT-URL": "https://api.paypal.com/c",
        "PAYPAL-TRANSMISSION-SIG": _rsa(f"t-1|2026-09-01T12:00:00Z|WEBHOOK_ID|{zlib.crc32(body)}"),
    }
    for parts in (None, {"webhook_id": "MYHOOK1"}):
        diagnosis = diagnose("paypal", headers=headers, body=body, secret=PUBLIC, now=AT, parts=parts)

        assert ["part-other"] == [finding.cause for finding in diagnosis.findings]


def test_a_bare_secret_of_shopify_may_be_that_of_an_older_app():  # Shopify/shopify_app#327
    assert ["secret-origin"] == list(_hints("shopify", b'{"a":1}', key=Secret("5f" * 16)))


def test_headers_of_another_provider_are_named():
    request = signed("gitlab-token", b"{}", key=key_of("gitlab-token"))

    diagnosis = diagnose("github", received(request), WRONG, now=AT)

    assert "provider-headers" in [hint.cause for hint in diagnosis.hints]
    assert "GitLab" in str(diagnosis)


PAYPAL = {
    "PAYPAL-TRANSMISSION-ID": "t-1",
    "PAYPAL-TRANSMISSION-TIME": "2026-09-01T12:00:00Z",
    "PAYPAL-AUTH-ALGO": "SHA256withRSA",
    "PAYPAL-CERT-URL": "https://api.paypal.com/c",
    "PAYPAL-TRANSMISSION-SIG": _rsa(f"t-1|2026-09-01T12:00:00Z|MYHOOK1|{zlib.crc32(b'{}')}"),
    "Content-Type": "application/json",
}


def test_a_diagnosis_takes_the_parts_that_no_request_carries():  # PayPal-Python-SDK#166
    options: dict[str, Any] = {"secret": PUBLIC, "headers": PAYPAL, "body": b"{}", "now": AT}

    assert diagnose("paypal", parts={"webhook_id": "MYHOOK1"}, **options).verdict.ok
    without = diagnose("paypal", **options)
    assert ["part-unknown"] == [hint.cause for hint in without.hints]
    assert "webhook_id" in without.hints[0].title
    wrong = diagnose("paypal", parts={"webhook_id": "WH-EVENT"}, **options)
    assert () == wrong.hints


def test_parts_count_for_every_hypothesis():
    options: dict[str, Any] = {
        "secret": PUBLIC,
        "headers": PAYPAL,
        "now": AT,
        "parts": {"webhook_id": "MYHOOK1"},
    }

    diagnosis = diagnose("paypal", body=b"{}\n", **options)

    assert ["body-newline-added"] == [finding.cause for finding in diagnosis.findings]


def test_one_signature_by_another_scheme_is_not_damaged():  # fakecloud#757
    message = {
        "Type": "Notification",
        "MessageId": "m-1",
        "TopicArn": "arn:aws:sns:eu-west-1:1:t",
        "Message": "hello",
        "Timestamp": "2026-09-01T12:00:00.000Z",
        "SignatureVersion": "1",
        "SigningCertURL": "https://sns.eu-west-1.amazonaws.com/x.pem",
    }
    names = ("Message", "MessageId", "Timestamp", "TopicArn", "Type")
    message["Signature"] = _rsa("".join(f"{name}\n{message[name]}\n" for name in names))
    headers = {"x-amz-sns-message-type": "Notification", "Content-Type": "text/plain; charset=UTF-8"}

    diagnosis = diagnose("aws-sns", secret=PUBLIC, headers=headers, body=json.dumps(message).encode(), now=AT)

    assert ["message-other-scheme"] == [finding.cause for finding in diagnosis.findings]


# -- senders and secrets -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["xero", "discord"])
def test_signatures_that_are_wrong_on_purpose_are_named(name):  # xero-php#351, sentry#60881
    key = WRONG if name == "xero" else provider(name).example_secret()

    hints = _hints(name, b'{"events":[],"entropy":"QWERTY"}', key=key)

    assert ["signature-on-purpose"] == list(hints)
    assert "401" in hints["signature-on-purpose"]


@pytest.mark.parametrize(
    ("name", "secret", "cause", "text"),
    [
        ("stripe", "we_1NxyzABCDEFG", "secret-kind", "the id of the endpoint"),
        ("stripe", "sk_test_51Nxyz", "secret-kind", "a secret API key"),
        ("stripe", "something", "secret-form", "those are whsec_, then "),
        ("clerk", "sk_live_6ahp7mEMlg", "secret-form", "those are whsec_, then "),  # lobehub#4084
        ("mailgun", "key-" + "0" * 32, "secret-kind", "an API key"),
        ("github", "ghp_abcdefghijklmnop", "secret-kind", "a personal access token"),
        ("slack", "xoxb-1234567890", "secret-kind", "a bot token"),
        ("shopify", "shpat_abcdefabcdef", "secret-kind", "an access token of the Admin API"),
        ("woocommerce", "cs_0123456789abcdef", "secret-kind", "the secret of a REST API key"),
        ("github", "https://example.com/hook", "secret-kind", "a URL"),
        ("svix", "c29tZXRoaW5nIGVsc2U=", "secret-form", "whsec_, then base64"),
        ("twilio", "AC" + "0" * 32, "secret-kind", "the SID of an account"),
        ("github", "${WEBHOOK_SECRET}", "secret-kind", "a variable that nothing replaced"),
        ("github", "$WEBHOOK_SECRET", "secret-kind", "a variable that nothing replaced"),
        ("github", "{{ secrets.HOOK }}", "secret-kind", "a variable that nothing replaced"),
        ("github", "%{HOOK_SECRET}", "secret-kind", "a variable that nothing replaced"),  # adnanh/webhook#124
        ("github", "@my-secret", "secret-kind", "a variable that"),  # probot-serverless-now#11
        ("github", "undefined", "secret-kind", "the text of a missing value"),  # Truxify#15663
        ("github", "your-webhook-secret", "secret-kind", "an example"),
        ("github", "arn:aws:secretsmanager:eu-west-1:1:secret:a", "secret-kind", "a reference to a store"),
        ("github", "op://vault/item/field", "secret-kind", "a reference to a store"),
        ("github", "AQICAHhAbCd", "secret-kind", "an encrypted text"),
        ("github", "$2b$12$KIXQabcdefgh", "secret-kind", "a hash of a password"),
        ("github", "********", "secret-kind", "a masked text"),
        ("stripe", "whsec_ab…yz", "secret-kind", "a masked text"),
        ("github", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc", "secret-kind", "a JSON Web Token"),
        ("github", '{"secret":"a","other":"b"}', "secret-kind", "a JSON object"),
        ("trello", "ATTA" + "0f" * 36, "secret-kind", "a token of an API"),  # 18F/trello-webhook-server#11
        ("telegram", "1102015430:" + "AAHdqTcv" * 4 + "abc", "secret-kind", "a token of an API"),
        ("razorpay", "rzp_test_1DP5mmOlF5G5ag", "secret-kind", "the id of an API key"),
        ("whatsapp", "EAAGm0PX4ZCpsBA", "secret-kind", "an access token"),
        ("paddle", "pdl_sdbx_apikey_01gtg", "secret-kind", "an API key of the sandbox"),
        ("hubspot", "pat-na1-0f0f", "secret-kind", "the access token of a private app"),
        ("linear", "lin_api_abcdef", "secret-kind", "a personal API key"),
        ("square", "EAAAEOuLQ", "secret-kind", "an access token"),
        ("flutterwave", "FLWSECK_TEST-abc-X", "secret-kind", "a secret API key"),
        ("notion", "ntn_0123456789", "secret-kind", "the token of an integration"),
    ],
)
def test_a_secret_of_another_kind_is_named_but_never_shown(name, secret, cause, text):
    # nextjs-subscription-payments#293, laravel-mailbox#119
    request = received(signed(name, key=key_of(name)))

    diagnosis = diagnose(name, request, Secret(secret), now=AT)

    assert (cause,) == tuple(hint.cause for hint in diagnosis.hints)
    assert text in diagnosis.hints[0].title
    assert secret not in repr(diagnosis)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("shopify", "Settings, Notifications"),  # shopify-api-ruby#1266, laravel-shopify#489
        ("stripe", "stripe listen"),  # integrallis/stripe_event#128
        ("woocommerce", "a random password"),  # class-wc-rest-webhooks-v1-controller.php create_item
        ("razorpay", "secret of an API key"),  # razorpay-php#48
        ("mailgun", "API Security"),  # Laravel-Mailgun-Webhooks#19
        ("twitch", "create it again"),  # LiveStreamDVR#393
    ],
)
def test_webhooks_that_another_secret_of_the_provider_signs_are_named(name, words):
    held = Secret(secret_of(name).reveal() + "0")

    assert words in _hints(name, None, key=held)["secret-origin"]


@pytest.mark.parametrize("act", ["sign", "verify"])
def test_a_malformed_secret_names_the_form_of_this_provider(act):
    sender = provider("svix")
    request = sender.draft(body=b"{}").sign(key_of("svix"))
    expected = "a signing secret of this provider is whsec_, then base64"

    with pytest.raises(InvalidSecret, match=expected):
        sender.draft(body=b"{}").sign(Secret("whsec_!")) if act == "sign" else verify(
            sender, request, Secret("whsec_!")
        )


@pytest.mark.parametrize(
    ("headers", "body"),
    [({}, b""), ({"Stripe-Signature": "t=1700000000,v1=ab"}, b"{}")],
    ids=["no signature", "a signature of one byte"],
)
def test_a_request_that_no_secret_can_have_signed_says_nothing_of_the_secret(headers, body):
    secret = Secret("whsec_abcdefghijklmnop")
    whole = {"Stripe-Signature": f"t=1700000000,v1={'0' * 64}"}
    diagnosis = diagnose("stripe", headers=headers, body=body, secret=secret, now=AT)
    control = diagnose("stripe", headers=whole, body=b"{}", secret=secret, now=AT)

    assert "secret-origin" not in [hint.cause for hint in diagnosis.hints]
    assert "secret" not in " ".join(diagnosis.not_excluded)
    assert "secret-origin" in [hint.cause for hint in control.hints]
    assert "secret" in control.not_excluded[0]


@pytest.mark.parametrize("name", ["clerk", "github", "zoom"])
def test_a_request_that_was_sent_without_any_header_of_the_sender_is_not_signed(name):  # lobehub#4084
    diagnosis = diagnose(name, headers={"Content-Type": "application/json"}, body=b"{}", secret=WRONG, now=AT)

    assert "request-unsigned" in [hint.cause for hint in diagnosis.hints]
    assert () == diagnosis.excluded
    assert ("any cause: there is no candidate signature in the request",) == diagnosis.not_excluded


@pytest.mark.parametrize("name", ["github", "gitea", "slack", "sendgrid"])
def test_a_request_of_the_sender_without_a_signature_may_have_no_secret_there(name):  # gitbucket#1847
    request = signed(name, key=key_of(name))
    carrier = next(iter(provider(name).schemes[0].carriers({"signature"})))
    headers = Headers(
        [
            (n, v)
            for n, v in request.headers.multi_items()
            if "signature" not in n.lower() or "time" in n.lower()
        ]
    )

    diagnosis = diagnose(name, received(request, headers=headers), key_of(name), now=AT)

    assert ["signature-not-sent"] == [hint.cause for hint in diagnosis.hints]
    assert carrier in diagnosis.hints[0].title


@pytest.mark.parametrize("body", [b"alert_id=1&p_signature=eHh4", b'{"alert_id":1,"p_signature":"eHh4"}'])
def test_a_signature_in_a_field_that_the_sender_does_not_have_is_named(body):  # redwoodjs/graphql#2360
    diagnosis = diagnose("paddle", headers={"Accept": "*/*"}, body=body, secret=key_of("paddle"), now=AT)

    assert ["signature-unread"] == [hint.cause for hint in diagnosis.hints]
    assert "p_signature" in diagnosis.hints[0].title


def test_a_url_that_is_signed_is_among_what_cannot_be_ruled_out():  # chobbledotcom/tickets#1121
    request = signed("square", b'{"a":1}', key=key_of("square"), url="https://old.example/in")

    diagnosis = diagnose("square", received(request, url="https://new.example/in"), key_of("square"), now=AT)

    assert () == diagnosis.findings
    assert "the one registered with the sender" in diagnosis.not_excluded[-1]


def test_a_request_that_nothing_is_known_about_has_no_hints():
    assert {} == _hints("github", b'{"a":1}')


# -- signed fields -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cause", "sent", "carried"),
    [("message-field-upper", "AB-1", "ab-1"), ("message-field-lower", "ab-1", "AB-1")],
)
def test_the_case_of_a_signed_field_is_found(cause, sent, carried):
    secret = key_of("standard-webhooks")
    request = signed("standard-webhooks", b"{}", key=secret)
    stamp = request.headers["webhook-timestamp"]
    signature = mac(key_bytes("standard-webhooks"), f"{sent}.{stamp}.{{}}".encode())
    headers = {
        "webhook-id": carried,
        "webhook-timestamp": stamp,
        "webhook-signature": "v1," + base64.b64encode(signature).decode(),
    }

    assert (cause,) == causes("standard-webhooks", received(request, headers=Headers(headers)), secret)
