"""Causes that public threads found in the end, rebuilt with signatures of the standard library."""

from __future__ import annotations

import base64
import hashlib
import json

import pytest

from hook_widgets.webhooks import Headers, ReceivedRequest, Secret, diagnose
from hook_widgets.webhooks.diagnosis import Diagnosis
from tests.support.diagnosing import AT, key_of, mac, names, received, signed

SECRET = Secret("plum-canyon-12345678")
KEY = SECRET.reveal().encode()
BASE = "https://hooks.example.com/in"


def _github(message: bytes, got: bytes | None = None, *, value: str = "", digest: str = "") -> Diagnosis:
    signature = value or "sha256=" + mac(KEY, message).hex()
    own = {"X-Hub-Signature-256": signature, "Content-Type": "application/json"}
    headers = Headers(own | ({"X-Content-SHA256": digest} if digest else {}))
    request = ReceivedRequest(headers, message if got is None else got, BASE, "POST")
    return diagnose("github", request, SECRET, now=AT)


def _square(url: str, got: str) -> Diagnosis:
    body = b'{"type":"payment.updated"}'
    text = base64.b64encode(mac(KEY, url.encode() + body)).decode()
    request = ReceivedRequest(Headers({"x-square-hmacsha256-signature": text}), body, got, "POST")
    return diagnose("square", request, SECRET, now=AT)


def _hints(diagnosed: Diagnosis) -> tuple[str, ...]:
    assert () == diagnosed.findings
    return tuple(hint.cause for hint in diagnosed.hints)


# -- the body ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["]", "]\r\n"])
def test_one_event_of_a_list_is_not_what_was_signed(end):
    """Receivers of HubSpot and SendGrid that verify each event; sendgrid-nodejs#1278 has their lists."""
    event = b'{"email":"a@example.com","event":"open"}'

    assert ("body-list-lost",) == names(_github(b"[" + event + end.encode(), event))


@pytest.mark.parametrize("form", ["[%s]", " [ %s ]\n", '[{"headers":{"x":"y"},"body":%s}]'])
def test_a_list_around_the_body_was_added(form):  # as n8n and Make hand a request on
    body = b'{"zen":"Speak like a human."}'

    assert ("body-member",) == names(_github(body, form.encode() % body))


@pytest.mark.parametrize(
    ("name", "path"),
    [("razorpay", "payload"), ("stripe", "data.object"), ("clerk", "data"), ("paddle", "data")],
)
def test_a_member_of_the_sent_body_is_reported(name, path):  # razorpay-node#380 verifies the payload
    request = signed(name, key=key_of(name))
    inner = json.loads(request.body)
    for member in path.split("."):
        inner = inner[member]
    body = json.dumps(inner, separators=(",", ":")).encode()

    diagnosed = diagnose(name, received(request, body=body), key_of(name), now=AT)

    assert _hints(diagnosed)[0] == "body-part"
    assert f" {path} " in diagnosed.hints[0].title


def test_a_body_of_another_event_is_not_called_a_part():
    for name in ("stripe", "github", "slack", "shopify", "svix"):
        request = signed(name, key=key_of(name))
        diagnosed = diagnose(name, received(request), Secret("another-secret"), now=AT)
        assert "body-part" not in [hint.cause for hint in diagnosed.hints], name


def test_a_binary_string_as_ruby_inspects_it_is_undone():
    body = '{"a":"é #{x}","b":"\\n"}'.encode()
    # $ ruby -e 'p "{\"a\":\"é \#{x}\",\"b\":\"\\n\"}".b'
    inspected = rb'"{\"a\":\"\xC3\xA9 \#{x}\",\"b\":\"\\n\"}"'

    assert ("body-escaped",) == names(_github(body, inspected))


@pytest.mark.parametrize("charset", ["cp1251", "cp437", "cp850", "mac_roman"])
def test_utf_8_that_was_read_in_the_charset_of_a_console_is_undone(charset):
    text = "Привет" if charset == "cp1251" else "café ñandú"
    body = json.dumps({"name": text}, ensure_ascii=False).encode()
    damaged = body.decode(charset).encode()

    assert ("body-mojibake",) == names(_github(body, damaged))


def test_utf_8_that_was_read_as_latin_1_twice_is_undone():
    body = '{"name":"café"}'.encode()
    damaged = body.decode("latin-1").encode().decode("latin-1").encode()

    assert ("body-mojibake",) == names(_github(body, damaged))


@pytest.mark.parametrize(
    ("charset", "text"),
    [("cp932", "テスト"), ("gb18030", "你好"), ("cp1251", "Привет"), ("euc-kr", "안녕하세요")],
)
def test_another_charset_is_named(charset, text):
    utf_8 = f"<order><name>{text}</name></order>".encode()
    other = utf_8.decode().encode(charset)

    read, written = _github(utf_8, other), _github(other, utf_8)

    assert [("body-charset-read",), ("body-charset",)] == [names(read), names(written)]
    assert charset in read.findings[0].title


# -- the URL -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cause", "url", "got"),
    [
        ("url-question-mark", BASE, BASE + "?"),
        ("url-question-mark", BASE + "?", BASE),
        ("url-empty-value", BASE + "?flag&a=1", BASE + "?flag=&a=1"),
        ("url-empty-value", BASE + "?flag=&a=1", BASE + "?flag&a=1"),
        ("url-slashes-lost", "https://hooks.example.com//in", BASE),
        ("url-slashes-lost", "https://hooks.example.com/api//in", "https://hooks.example.com/api/in"),
    ],
)
def test_a_url_that_a_parser_wrote_again_is_recognised(cause, url, got):  # youngj/EnvayaSMS#24 has the kind
    assert (cause,) == names(_square(url, got))


# -- headers and signatures ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["stripe", "slack", "svix", "zoom", "paypal", "sendgrid", "discord"])
@pytest.mark.parametrize(
    "rename",
    [
        lambda name: f"x-amqp-{name.lower()}",
        lambda name: f"X-Original-{name}",
        lambda name: "".join(part.capitalize() for part in name.split("-")),
        lambda name: name[0].lower() + "".join(part.capitalize() for part in name.split("-"))[1:],
    ],
)
def test_names_with_a_prefix_or_without_hyphens_are_renamed_ones(name, rename):
    key = key_of(name)
    request = signed(name, key=key)
    headers = Headers((rename(header), value) for header, value in request.headers.multi_items())

    diagnosed = diagnose(name, received(request, headers=headers), key, now=AT)

    assert ("signature-header-renamed",) == names(diagnosed)


@pytest.mark.parametrize("form", ["-", ":", " ", "0x"])
def test_hex_with_separators_is_named(form):  # BitConverter.ToString(hash) of .NET writes AB-CD
    digest = mac(KEY, b"{}")
    text = f"0x{digest.hex()}" if form == "0x" else digest.hex(form).upper()

    assert ("signature-hex-separated",) == names(_github(b"{}", value=f"sha256={text}"))


@pytest.mark.parametrize("digest", ["sha256", "sha1", "sha512"])
def test_a_hash_without_any_secret_is_reported(digest):
    body = b'{"zen":"Speak like a human."}'

    assert (
        _hints(_github(body, value="sha256=" + hashlib.new(digest, body).hexdigest()))[0]
        == "signature-no-key"
    )


def test_a_digest_in_another_header_is_no_signature():  # X-Amz-Content-Sha256, Content-Digest
    body = b'{"zen":"Speak like a human."}'

    diagnosed = _github(body, value="sha256=" + "ab" * 32, digest=hashlib.sha256(body).hexdigest())

    assert "signature-no-key" not in _hints(diagnosed)


def test_a_raw_message_of_sns_has_no_envelope_even_if_it_is_text():
    request = signed("aws-sns", key=key_of("aws-sns"))

    diagnosed = diagnose("aws-sns", received(request, body=b"plain text"), key_of("aws-sns"), now=AT)

    assert "body-envelope-lost" in _hints(diagnosed)


# -- secrets -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        ("typeform", "tfp_0123456789abcdefghijABCDEFGHIJ"),  # Typeform: personal access tokens
        ("mercadopago", "APP_USR-0123456789012345-091512-0123456789abcdef"),  # Mercado Pago: access tokens
        ("airtable", "patABCDEFGHIJKLMN." + "0123456789abcdef" * 4),  # Airtable: personal access tokens
        ("asana", "1/1200000000000000:0123456789abcdef0123456789abcdef"),  # Asana: personal access tokens
        ("asana", "2/1200000000000000/1200000000000001:0123456789abcdef0123456789abcdef"),
    ],
)
def test_a_token_of_an_api_is_no_secret_of_webhooks(name, secret):
    request = signed(name, key=key_of(name))

    diagnosed = diagnose(name, received(request), Secret(secret), now=AT)

    assert "secret-kind" in [hint.cause for hint in diagnosed.hints]
    assert secret not in str(diagnosed)
