"""Forms and URLs that encoders, frameworks and proxies changed; the cases are of public reports."""

from __future__ import annotations

import base64
import json
from urllib.parse import parse_qsl, quote, quote_plus, urlencode

import pytest

from hook_widgets.webhooks import Secret, diagnose
from tests.support.diagnosing import AT, causes, key_bytes, key_of, mac, names, received, signed

URL = "https://hooks.example.com/sms"
PARAMS = [("MessageSid", "SM1"), ("Body", "hi there"), ("FromZip", "")]
FORM = urlencode(PARAMS).encode()


def _form_causes(name, before, after):
    request = signed(name, before, key=key_of(name), url=URL)
    return causes(name, received(request, body=after), key_of(name))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # java-slack-sdk#1290: Java's URLEncoder; the others as documented by WHATWG, PHP and JavaScript
        (b"text=hello+%2Abold%2A&user_id=U1", b"text=hello+*bold*&user_id=U1"),
        (b"text=it's%20(a)%20~b!*&x=%2B", b"text=it%27s+%28a%29+%7Eb%21%2A&x=%2B"),
        (b"text=a%7Eb+%2A", b"text=a~b+*"),
        # calcom/cal.diy#2667: stringify of JavaScript; not decoded, but encoded in another way
        (b"text=hello+world%21+%28now%29&x=%2F", b"text=hello%20world!%20(now)&x=%2F"),
    ],
)
def test_the_encoder_of_a_form_is_found(before, after):
    assert ("body-form-encoder",) == _form_causes("slack", before, after)


@pytest.mark.parametrize("name", ["twilio", "slack"])
@pytest.mark.parametrize(
    ("expected", "after"),
    [
        # twilio-php#436: null for an empty text
        (("body-form-parsed",), json.dumps({k: v or None for k, v in PARAMS}).encode()),
        # mandrill-rails#11
        (("body-form-added",), urlencode([*PARAMS, ("controller", "sms"), ("action", "create")]).encode()),
        (("body-form-added",), urlencode([*PARAMS, ("tenant", "7")]).encode()),
        (
            ("body-form-parsed", "body-form-added"),
            json.dumps({**dict(PARAMS), "controller": "sms", "action": "create"}).encode(),
        ),
    ],
)
def test_a_form_that_a_framework_parsed_is_found(name, expected, after):
    assert expected == _form_causes(name, FORM, after)


COMMAND = b"token=x&team_id=T1&user_id=U1&command=%2Fdeploy&text=a+%2Ab%2A&api_app_id=A1"


@pytest.mark.parametrize(
    ("expected", "after"),
    [
        (("body-form-added",), COMMAND + b"&tenant=7"),
        (("body-form-added",), b"a=1&" + COMMAND + b"&".join(b"&x%d=1" % k for k in range(6))),
        (("body-form-added",), COMMAND + b"&team_id=T1"),
        (("body-form-added", "body-form-encoder"), COMMAND.replace(b"%2A", b"*") + b"&tenant=7"),
        (("body-form-added", "body-form-encoder"), b"tenant=7&" + COMMAND.replace(b"+", b"%20")),
    ],
    ids=["as received", "more than a few, on both sides", "a repeated one", "another encoder", "blanks"],
)
def test_added_fields_are_found_in_a_form_that_was_encoded_again(expected, after):
    """Slack writes * as %2A; a browser and Java do not."""
    assert expected == _form_causes("slack", COMMAND, after)


@pytest.mark.parametrize("encode", [quote, quote_plus, lambda text: quote(quote(text, safe=""))])
def test_a_form_that_was_encoded_as_a_whole_is_found(encode):
    assert ("body-escaped",) == _form_causes("slack", COMMAND, encode(COMMAND.decode()).encode())


def test_a_form_that_was_parsed_is_found_as_the_sender_encoded_it():
    assert ("body-form-parsed",) == _form_causes(
        "slack", COMMAND, json.dumps(dict(parse_qsl(COMMAND.decode()))).encode()
    )


def test_added_fields_are_found_in_a_form_that_lost_its_empty_parameters():
    before = b"token=x&team_id=T1&user_id=U1&command=%2Fdeploy&text=&api_app_id=A1"
    after = urlencode([*parse_qsl(before.decode()), ("tenant", "7"), ("trace", "8")]).encode()

    assert ("body-form-added", "body-form-empty-lost") == _form_causes("slack", before, after)


def test_lists_and_objects_of_a_form_are_written_as_php_and_rails_do():
    for before in (b"ids%5B%5D=1&ids%5B%5D=2&a%5Bb%5D=x", b"ids=1&ids=2&a%5Bb%5D=x"):
        assert ("body-form-parsed",) == _form_causes("slack", before, b'{"ids":["1","2"],"a":{"b":"x"}}')


SMS = urlencode(
    [("ToCountry", "US"), ("ToState", ""), ("SmsMessageSid", "SM1"), ("NumMedia", "0"), ("ToCity", ""),
     ("FromZip", ""), ("SmsSid", "SM1"), ("FromState", ""), ("SmsStatus", "received"), ("FromCity", ""),
     ("Body", "hi"), ("FromCountry", "DE"), ("To", "+12125550100"), ("ToZip", ""), ("NumSegments", "1"),
     ("MessageSid", "SM1"), ("AccountSid", "AC1"), ("From", "+4915100000000"), ("ApiVersion", "2010-04-01")]
).encode()  # fmt: skip


@pytest.mark.parametrize(
    ("name", "before"),
    [
        ("twilio", SMS),
        ("twilio", SMS.replace(b"ToState=&", b"ToState=IL&")),
        ("twilio", b"MessageSid=SM1&Body=hi&FromZip=&To=%2B12125550100"),
        ("slack", b"token=x&team_id=T1&user_id=U1&command=%2Fdeploy&text=&api_app_id=A1"),
        ("slack", b"token=x&team_id=T1&user_id=U1&command=%2Fdeploy&text="),
    ],
    ids=["sms", "one of them has a value", "short", "command", "the last one"],
)
def test_parameters_without_a_value_that_a_parser_dropped_are_found(name, before):  # parse_qs of Python
    after = urlencode(parse_qsl(before.decode())).encode()

    assert ("body-form-empty-lost",) == _form_causes(name, before, after)


@pytest.mark.parametrize("text", ["hi there ", " hi there", "hi there\n", "hi there\r\n"])
@pytest.mark.parametrize("name", ["twilio", "slack"])
def test_white_space_that_a_framework_cut_off_is_found(name, text):  # cashier-paddle#120
    before = urlencode([("Body", text), ("MessageSid", "SM1")]).encode()

    assert ("body-form-trimmed",) == _form_causes(name, before, b"Body=hi+there&MessageSid=SM1")


def test_the_same_happens_to_json():
    key = key_of("github")

    for cause, before, after in (
        ("body-text-trimmed", b'{"a":"x ","b":"y"}', b'{"a":"x","b":"y"}'),
        ("body-empty-text", b'{"a":"","b":null,"c":1}', b'{"a":null,"b":null,"c":1}'),
    ):
        assert (cause,) == causes("github", received(signed("github", before, key=key), body=after), key)


# -- URLs ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", ["call=7&step=2", "e=5&a=1&d=4&b=2&c=3"])
def test_a_query_in_any_order_is_found(query):  # twilio-php#790
    key = key_of("twilio")
    request = signed("twilio", FORM, key=key, url=f"{URL}?{query}")
    other = "&".join(sorted(query.split("&"), key=lambda part: part[-1]))

    assert query != other
    assert ("url-query-order",) == causes("twilio", received(request, url=f"{URL}?{other}"), key)


# twilio.com/docs, "Webhooks security": the user name and password of the URL are signed
@pytest.mark.parametrize(("user", "sent"), [("bob:s3cr3t", b"bob:s3cr3t"), ("s3cr3t", b"s3cr3t:")])
def test_the_user_of_the_signed_url_is_taken_from_authorization_and_not_shown(user, sent):
    key = key_of("twilio")
    text = f"https://{user}@hooks.example.com/sms" + "".join(k + v for k, v in sorted(PARAMS))
    signature = base64.b64encode(mac(key_bytes("twilio"), text.encode(), "sha1")).decode()
    basic = "Basic " + base64.b64encode(sent).decode()

    diagnosis = diagnose(
        "twilio",
        secret=key,
        headers={"X-Twilio-Signature": signature, "Authorization": basic},
        body=FORM,
        url=URL,
    )

    assert ["url-user-lost"] == [finding.cause for finding in diagnosis.findings]
    assert "s3cr3t" not in repr(diagnosis)


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_request_that_has_no_body_is_not_blamed_for_it(method):
    request = signed("twilio", b"", key=Secret("other"), url=URL)

    diagnosis = diagnose(
        "twilio", secret=Secret("a"), headers=request.headers, body=b"", url=URL, method=method
    )

    assert () == diagnosis.findings


def test_a_signed_field_in_another_case_is_found():  # mercadopago/sdk-java#420
    key = key_of("mercadopago")
    body = b'{"type":"order","data":{"id":"ordtst01"}}'
    request = signed(
        "mercadopago", body, key=key, url="https://hooks.example.com/mp?data.id=ordtst01&type=order"
    )
    upper = received(
        request, url=request.url.replace("ordtst01", "ORDTST01"), body=body.replace(b"ordtst", b"ORDTST")
    )

    assert ("message-field-lower",) == causes("mercadopago", upper, key)


# -- the padding of a key ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "size"), [("docusign", 32), ("docusign", 31), ("standard-webhooks", 25)])
def test_a_key_without_its_padding_is_found(name, size):
    prefix = "whsec_" if name == "standard-webhooks" else ""
    text = prefix + base64.b64encode(bytes(range(65, 65 + size))).decode()
    request = received(signed(name, b"{}", key=Secret(text)))

    assert text.endswith("=")
    assert ("secret-padding-lost",) == causes(name, request, Secret(text.rstrip("=")))


EVENTS = '[{"event":"click","url":"http:\\/\\/www.apple.com\\/","name":"Zo\\u00eb"}]'


@pytest.mark.parametrize("name", ["mandrill", "slack"])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        # mailchimp-client-lib-codegen#281: PHP writes \/, which a parser drops
        (EVENTS, json.dumps(json.loads(EVENTS), separators=(",", ":"), ensure_ascii=False)),
        (EVENTS, json.dumps(json.loads(EVENTS))),
        ('{"a":"b/c","d":[1,2]}', '{"a": "b/c", "d": [1, 2]}'),
    ],
)
def test_json_in_a_field_that_was_written_again_is_found(name, before, after):
    first, second = (urlencode({"mandrill_events": text, "x": "y z"}).encode() for text in (before, after))
    request = signed(name, first, key=key_of(name), url=URL)
    diagnosis = diagnose(name, received(request, body=second), key_of(name), now=AT)

    assert ("body-form-field-json",) == names(diagnosis)
    assert "mandrill_events" in diagnosis.findings[0].title


def test_a_form_with_much_json_takes_time_that_grows_with_its_length():
    body = b"&".join(b"a%d=%%7B%%22b%%22%%3A1%%7D" % n for n in range(4_000))
    diagnosis = diagnose(
        "slack", received(signed("slack", b"a=b", key=key_of("slack")), body=body), key_of("slack"), now=AT
    )

    assert () == diagnosis.findings


@pytest.mark.parametrize(
    ("cause", "before", "after"),
    [
        # jenkinsci/github-plugin#242: a form with the sign ™ that was read as Latin-1, or written so
        ("body-mojibake", b"a=%22x+%E2%84%A2%22", b"a=%22x+%C3%A2%C2%84%C2%A2%22"),
        ("body-latin-1-read", b"payload=x+%E2%84%A2%22", b"payload=x+%99%22"),
        ("body-latin-1", b"text=caf%E9&b=1", b"text=caf%C3%A9&b=1"),
    ],
)  # fmt: skip
def test_a_form_whose_escapes_are_of_another_charset_is_found(cause, before, after):
    assert (cause,) == _form_causes("slack", before, after)


def test_json_without_the_form_that_it_was_a_field_of_is_named():  # hellosign/hellosign-ruby-sdk#37
    stamp, kind = str(int(AT.timestamp())), "signature_request_sent"
    event_hash = mac(b"api-key", f"{stamp}{kind}".encode()).hex()
    event = {"event": {"event_time": stamp, "event_type": kind, "event_hash": event_hash}}

    diagnosis = diagnose(
        "dropbox-sign",
        headers={"Accept": "*/*"},
        body=json.dumps(event).encode(),
        secret=Secret("api-key"),
        now=AT,
    )

    assert ("body-form-field",) == names(diagnosis)
    assert "field json" in diagnosis.findings[0].title
