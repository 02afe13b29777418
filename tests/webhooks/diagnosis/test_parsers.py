"""A body that a parser, an encoder or an envelope changed is recognised; the cases are of public reports."""

from __future__ import annotations

import base64
import html
import json
import zlib
from urllib.parse import quote, quote_plus

import pytest

from hook_widgets.webhooks.diagnosis.guesses.dumped import dumped
from hook_widgets.webhooks.diagnosis.guesses.json_rewriting import JsonText
from hook_widgets.webhooks.diagnosis.guesses.numbers import Program, rounded
from tests.support.diagnosing import causes, compact, key_of, received, signed
from tests.support.work import at_most_lines

IDS = list(range(100, 120))
INNER = {"id": 2876, "addresses": []}
TEXT = compact(INNER)
EVENT = {"version": "2.0", "headers": {}}


def _reports(signed_body, received_body, name="github"):
    key = key_of(name)
    request = received(signed(name, signed_body, key=key), body=received_body)
    return causes(name, request, key)


# -- values that parsers change ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cause", "before", "after"),
    [
        # octokit/webhooks.js#775, easypost-node#467: one of many, two of many, all under one key
        ("body-fraction-lost", {"alert": {"score": 0.0}, "ids": IDS}, {"alert": {"score": 0}, "ids": IDS}),
        ("body-fraction-lost", {"a": 3.0, "ids": IDS, "b": 7.0}, {"a": 3, "ids": IDS, "b": 7}),
        (
            "body-fraction-lost",
            {"items": [{"id": 1, "rate": 5.0}, {"id": 2, "rate": 6.0}, {"id": 3, "rate": 7.0}]},
            {"items": [{"id": 1, "rate": 5}, {"id": 2, "rate": 6}, {"id": 3, "rate": 7}]},
        ),
        # maho#1110, razorpay-magento#251
        ("body-empty-object", {"notes": {}, "items": [], "n": 5}, {"notes": [], "items": [], "n": 5}),
        ("body-empty-object", {"a": {}, "b": [{}, 1]}, {"a": [], "b": [[], 1]}),
        ("body-empty-array", {"notes": {}, "items": []}, {"notes": {}, "items": {}}),
    ],
)
@pytest.mark.parametrize("name", ["github", "razorpay", "discord"])
def test_values_that_a_parser_changes_are_found_alone_and_among_others(name, cause, before, after):
    assert (cause,) == _reports(compact(before), compact(after), name)


def test_one_value_among_many_is_found_in_another_layout_too():
    before, after = {"score": 0.0, "ids": IDS, "n": 7}, {"score": 0, "ids": IDS, "n": 7}

    assert ("body-spaced", "body-fraction-lost") == _reports(json.dumps(before).encode(), compact(after))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # learnosity-sdk-php#22, paymentSDK-php#610
        ("1.0e-7", "1e-07"),
        ("1e-7", "1e-07"),
        ("1e-07", "1e-7"),
        ("1.0E-7", "1e-7"),
        ("789.34000000000003", "789.34"),
        ("0.10000000000000001", "0.1"),
        ("1.0E10", "10000000000.0"),
        ("1.0e+25", "1e+25"),
        ("1E-05", "0.00001"),
        ("0.0000001", "1e-7"),
    ],
)
def test_the_spelling_of_a_number_is_found_for_its_program(before, after):
    body = b'{"v":%s,"w":"x","ids":[1,2,3]}'

    assert ("body-number",) == _reports(body % before.encode(), body % after.encode())


def test_php_that_reads_an_object_as_a_list_and_writes_its_own_escapes_is_two_causes():
    before, after = '{"notes":{},"url":"https:\\/\\/a.example"}', '{"notes":[],"url":"https://a.example"}'

    assert ("body-php", "body-empty-object") == _reports(before.encode(), after.encode())


#: As Node 20, PHP 8.2 and jq 1.6 themselves write the JSON that the senders signed.
COMPACT = '{"score":0.0,"n":12,"url":"https://a.example/b","name":"é","topics":{},"ids":[]}'
INDENTED = '{\n  "fee": 1.0,\n  "n": 12,\n  "meta": {},\n  "refunds": []\n}'


@pytest.mark.parametrize(
    ("expected", "before", "after"),
    [
        (("body-indent-2", "body-fraction-lost"), INDENTED, '{"fee":1,"n":12,"meta":{},"refunds":[]}'),
        (("body-indent-2", "body-empty-object"), INDENTED, '{"fee":1,"n":12,"meta":[],"refunds":[]}'),
        (
            ("body-empty-object", "body-fraction-lost"),
            COMPACT,
            '{"score":0,"n":12,"url":"https://a.example/b","name":"é","topics":[],"ids":[]}',
        ),
        (
            ("body-javascript", "body-empty-object"),
            COMPACT,
            r'{"score":0,"n":12,"url":"https:\/\/a.example\/b","name":"\u00e9","topics":[],"ids":[]}',
        ),
        (
            ("body-newline-added", "body-fraction-lost"),
            COMPACT,
            COMPACT.replace("0.0", "0") + "\n",
        ),
    ],
)
def test_a_parser_that_changes_some_values_and_a_writer_are_found_together(expected, before, after):
    assert expected == _reports(before.encode(), after.encode())


def test_one_empty_object_of_several_that_php_wrote_as_a_list_is_found():
    # push_options of hookdeck/webhook-samples providers/gitlab/current/Tag Push Hook.json: json_decode and
    # json_encode of PHP 8.2 write the {} as [], as the empty lists before it, and every / as \/
    commit = {"url": "https://gitlab.com/a/-/commit/6752dd8e", "added": [], "modified": ["a"], "removed": []}
    ids = {f"id_{n}": 42958108 + n for n in range(16)}
    push: dict[str, object] = {"user_email": None, **ids, "name": "x" * 8000}
    push |= {"commits": [commit], "push_options": {}}
    before = json.dumps(push, separators=(",", ":"))
    after = before.replace("{}", "[]").replace("/", "\\/")

    assert ("body-javascript", "body-empty-object") == _reports(before.encode(), after.encode())


@pytest.mark.parametrize(
    ("cause", "before", "after"),
    [
        ("body-text-added", '{"on":true,"n":1,"x":null}', '{"on":"true","n":"1","x":"null"}'),
        ("body-text-added", '{"id":1152921506151679042,"n":1}', '{"id":"1152921506151679042","n":1}'),
        ("body-text-lost", '{"zip":"12345","n":1}', '{"zip":12345,"n":1}'),
        ("body-boolean", '{"active":true,"deleted":false,"n":1}', '{"active":1,"deleted":0,"n":1}'),
        (
            "body-reordered",
            '{"type":"a","id":1,"data":{"z":1,"b":2}}',
            '{"data":{"b":2,"z":1},"id":1,"type":"a"}',
        ),
        ("body-reordered", '{"type": "a", "id": 1}', '{"id":1,"type":"a"}'),
        ("body-controls", r'{"t":"a\n\tb\u001b[0m"}', '{"t":"a\n\tb\x1b[0m"}'),
        ("body-escaped", '{"t":"it\'s"}', '{"t":"it\'\'s"}'),
        ("body-escaped", '{"t":"é"}', '{"t":"&#233;"}'),
    ],
)
def test_values_of_another_type_order_or_escape_are_named(cause, before, after):
    assert (cause,) == _reports(before.encode(), after.encode())


def test_an_integer_that_javascript_rounded_is_restored():
    body = b'{"id":%d,"w":"x"}'

    # node 20: JSON.stringify(JSON.parse("1152921506151679042")) is "1152921506151679000"
    assert ("body-integer-rounded",) == _reports(body % 1152921506151679042, body % 1152921506151679000)


@pytest.mark.parametrize("token", ["9007199254740991", "1152921506151679001", "12", "1e30", "-", "1" * 500])
def test_an_integer_that_no_parser_rounded_is_no_suspect(token):
    assert () == rounded(token)


#: 1e-7 1e-5 0.0001 1e10 1e15 1.5e16 1e17 1.2345678901234568e20 0.1 100.0, by the programs themselves
SPELLED = {
    Program.JAVASCRIPT: "1e-7 0.00001 0.0001 10000000000 1000000000000000 15000000000000000 "
    "100000000000000000 123456789012345680000 0.1 100",
    Program.PYTHON: "1e-07 1e-05 0.0001 10000000000.0 1000000000000000.0 1.5e+16 1e+17 "
    "1.2345678901234568e+20 0.1 100.0",
    Program.PHP: "1.0e-7 1.0e-5 0.0001 10000000000 1000000000000000 15000000000000000 1.0e+17 "
    "1.2345678901234568e+20 0.1 100",
    Program.RUBY: "1.0e-07 1.0e-05 0.0001 10000000000.0 1.0e+15 1.5e+16 1.0e+17 1.2345678901234568e+20 0.1 "
    "100.0",
    Program.JAVA: "1.0E-7 1.0E-5 1.0E-4 1.0E10 1.0E15 1.5E16 1.0E17 1.2345678901234568E20 0.1 100.0",
}


@pytest.mark.parametrize("program", SPELLED)
def test_floats_are_spelled_as_the_program_spells_them(program):
    values = [
        "1e-7",
        "1e-5",
        "1e-4",
        "1e10",
        "1e15",
        "1.5e16",
        "1e17",
        "123456789012345680000.0",
        "0.1",
        "100.0",
    ]
    expected = [
        text for text in SPELLED[program].split() if "324" not in text
    ]  # Java's shortest is not 5e-324

    assert expected == [program.spell(value) for value in values]


# -- encoders ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cause", "before", "after"),
    [
        # restfbmessenger#11, conversation-connector#56
        ("body-encoder", r'{"t":"I got it 100\u0025"}', '{"t":"I got it 100%"}'),
        ("body-encoder", r'{"t":"ann\u0040x \u003Cb> a\/b \u00e9"}', '{"t":"ann@x <b> a/b é"}'),
        # Go before 1.22 (SHOPLINE's notice), Jackson, Gson, Laravel, PHP with flags
        ("body-encoder", r'{"note":"a\u0008b\u000cc"}', r'{"note":"a\bb\fc"}'),
        ("body-encoder", r'{"e":"é \uD83E\uDD28","v":"\u000B"}', '{"e":"é 🤨","v":"\\u000b"}'),
        ("body-encoder", r'{"note":"it\u0027s \u003d"}', '{"note":"it\'s ="}'),
        (
            "body-encoder",
            r'{"h":"\u003Cb\u003E \u0022é\u0022 a\/b"}'.replace("é", r"\u00e9"),
            '{"h":"<b> \\"é\\" a/b"}',
        ),
    ],
)
@pytest.mark.parametrize("name", ["shopify", "meta", "slack"])
def test_the_escapes_of_a_serializer_are_found(name, cause, before, after):
    assert (cause,) == _reports(before.encode(), after.encode(), name)


def test_the_serializer_of_the_provider_is_tried_first_and_named():
    from hook_widgets.webhooks import diagnose

    key = key_of("meta")
    request = signed("meta", rb'{"t":"100\u0025"}', key=key)

    finding = diagnose("meta", received(request, body=b'{"t":"100%"}'), key).findings[0]

    assert finding.title.endswith("Meta's serializer")


def _multipart(**fields):
    parts = (f'--x1\r\nContent-Disposition: form-data; name="{n}"\r\n\r\n{t}\r\n' for n, t in fields.items())
    return "".join([*parts, "--x1--\r\n"]).encode()


# -- envelopes -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cause", "after"),
    [
        # rust-discord-bot#2, stripe-node#356
        ("body-escaped", TEXT.replace(b'"', b'\\"')),
        # shopify_app#588, huginn#2844
        ("body-members-added", compact({**INNER, "controller": "a", "action": "b", "webhook": INNER})),
        ("body-members-added", compact({"format": "json", **INNER})),
        ("body-members-added", json.dumps({**INNER, "controller": "a", "action": "b"}).encode()),
        # webhook-toolkit#7, redwood#2339
        ("body-member", compact({**EVENT, "body": base64.b64encode(TEXT).decode(), "isBase64Encoded": True})),
        ("body-member", compact({**EVENT, "body": TEXT.decode(), "isBase64Encoded": False})),
        ("body-member", compact({"Records": [{"messageId": "1", "body": TEXT.decode()}]})),
        ("body-member", compact({"Records": [{"body": json.dumps({"Message": TEXT.decode()})}]})),
        ("body-member", compact({"id": "1", "detail": INNER})),
        ("body-member", json.dumps({"data": {"payload": INNER}, "meta": {"a": 1}}).encode()),
        ("body-member", compact({"message": {"data": base64.b64encode(zlib.compress(TEXT)).decode()}})),
        ("body-escaped", quote(TEXT.decode(), safe="").encode()),
        ("body-escaped", html.escape(TEXT.decode()).encode()),
        (
            "body-chunked",
            b"a\r\n" + TEXT[:10] + b"\r\n%x\r\n" % (len(TEXT) - 10) + TEXT[10:] + b"\r\n0\r\n\r\n",
        ),
        ("body-buffer", compact({"type": "Buffer", "data": list(TEXT)})),
        ("body-buffer", compact({str(n): byte for n, byte in enumerate(TEXT)})),
        ("body-buffer", b"<Buffer " + TEXT.hex(" ").encode() + b">"),
        ("body-buffer", ",".join(map(str, TEXT)).encode()),
        ("body-buffer", f"[{' '.join(map(str, TEXT))}]".encode()),
        ("body-buffer", str([byte - 256 if byte > 127 else byte for byte in TEXT])[1:-1].encode()),
        ("body-hex", TEXT.hex().encode()),
        ("body-hex", b"0x" + TEXT.hex().upper().encode()),
        ("body-hex", TEXT.hex(":").encode()),
        ("body-base64", base64.urlsafe_b64encode(TEXT).rstrip(b"=")),
        ("body-base64", b"data:application/json;base64," + base64.b64encode(TEXT)),
        ("body-utf-16", TEXT.decode().encode("utf-16")),
        ("body-utf-16", TEXT.decode().encode("utf-16-le")),
        ("body-nul-added", TEXT + bytes(3)),
        ("body-request", b"POST /in HTTP/1.1\r\nHost: example.com\r\n\r\n" + TEXT),
        ("body-escaped", quote_plus(TEXT.decode()).encode() + b"="),
        ("body-base64", base64.b64encode(TEXT)[:20] + b"\r\n" + base64.b64encode(TEXT)[20:]),
        ("body-json-string", json.dumps(json.dumps(TEXT.decode())).encode()),
        ("body-json-string", json.dumps(json.dumps(INNER)).encode()),
        ("body-escaped", TEXT.replace(b'"', b"&#x22;")),
        ("body-escaped", b'"' + TEXT.replace(b'"', b'""') + b'"'),
        ("body-escaped", compact({TEXT.decode(): ""})),
        ("body-surrounded", b"2026-09-01 12:00:00,1 INFO hooks: body=" + TEXT),
        ("body-surrounded", b"body='" + TEXT + b"'"),
        ("body-surrounded", b"<![CDATA[" + TEXT + b"]]>"),
        ("body-buffer", b"[]byte{" + ", ".join(map(hex, TEXT)).encode() + b"}"),
        ("body-buffer", f"<<{', '.join(map(str, TEXT))}>>".encode()),
        ("body-buffer", f"Uint8Array({len(TEXT)}) [{', '.join(map(str, TEXT))}]".encode()),
        ("body-compressed", zlib.compress(TEXT)),
        ("body-compressed", zlib.compress(TEXT)[2:-4]),
    ],
)
@pytest.mark.parametrize("name", ["shopify", "stripe", "discord"])
def test_the_signed_body_is_found_inside_the_received_one(name, cause, after):
    assert (cause,) == _reports(TEXT, after, name)


def test_a_json_string_of_base64_is_two_causes():  # as Go's json.Marshal writes bytes
    after = json.dumps(base64.b64encode(TEXT).decode()).encode()

    assert ("body-json-string", "body-base64") == _reports(TEXT, after)


def test_signed_bytes_of_java_are_named():
    body = '{"t":"é"}'.encode()

    assert ("body-buffer",) == _reports(body, str([b - 256 if b > 127 else b for b in body]).encode())


@pytest.mark.parametrize(
    "value", [dict.fromkeys("abcdefghij"), [dict.fromkeys("abc")] * 50, {"a": 1}, [1] * 9_000]
)
def test_json_with_many_orders_of_its_keys_has_none_to_try(value):
    with at_most_lines(20_000):
        assert [] == list(JsonText(json.dumps(value)).reordered(120))


def test_json_that_is_nested_too_deep_is_no_crash():
    deep = '{"a":1,"b":' + "[" * 900 + "]" * 900 + "}"

    assert [] == list(JsonText(deep).reordered(120))
    assert () == _reports(b"{}", json.dumps(deep).encode())


@pytest.mark.parametrize(
    "after",
    [
        '{"action"=>"opened", "n"=>1, "user"=>nil, "tags"=>["a", 2.5]}',
        '{:action=>"opened", :n=>1, :user=>nil, :tags=>["a", 2.5]}',
        "{ action: 'opened', n: 1, user: null, tags: [ 'a', 2.5 ] }",
        '%{"action" => "opened", "n" => 1, "user" => nil, "tags" => ["a", 2.5]}',
    ],
)
def test_a_printed_object_is_named(after):
    assert ("body-printed",) == _reports(
        b'{"action":"opened","n":1,"user":null,"tags":["a",2.5]}', after.encode()
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("2026-09-01T12:00:00.000Z", "2026-09-01T12:00:00Z"),
        ("2026-09-01T12:00:00Z", "2026-09-01T12:00:00+00:00"),
        ("2026-09-01T12:00:00.120Z", "2026-09-01T12:00:00.12Z"),
        ("2026-09-01T12:00:00.1234567Z", "2026-09-01T12:00:00.1234567+00:00"),
        ("2026-09-01T12:00:00+0000", "2026-09-01T12:00:00.000000+00:00"),
        ("2026-09-01T12:00:00Z", "2026-09-01T12:00:00"),
        ("2026-09-01T12:00:00Z", "2026-09-01T14:00:00+02:00"),
        ("2026-09-01T12:00:00Z", "2026-09-01 12:00:00 UTC"),
        ("2026-09-01 12:00:00 UTC", "2026-09-01T12:00:00.000Z"),
    ],
)
def test_a_parser_of_dates_is_named(before, after):
    body = '{"at":"%s","n":1,"ends":"%s"}'

    assert ("body-date",) == _reports((body % (before, before)).encode(), (body % (after, after)).encode())


def test_the_amount_that_a_bigdecimal_wrote_is_found_among_many_numbers():
    many = ",".join(map(str, range(101, 200)))
    before = b'{"ids":[%s],"amount":1E+2,"tax":2.5}' % many.encode()

    assert ("body-number",) == _reports(before, before.replace(b"1E+2", b"100"))


def test_line_ends_inside_of_texts_are_restored():
    before, after = rb'{"text":"a\r\nb\r\nc"}', rb'{"text":"a\nb\nc"}'

    assert ("body-crlf-lost",) == _reports(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("1E5", "100000.0"),
        ("1.25e+2", "125.0"),
        ("-2.5E-3", "-0.0025"),
        # As Java writes new BigDecimal("100.00").stripTrailingZeros(), and a parser in JavaScript reads it.
        ("1E+2", "100"),
        ("1.2E+2", "120"),
        ("-5E+1", "-50"),
    ],
)
def test_a_number_that_was_written_with_an_exponent_is_found(before, after):
    body = b'{"v":%s,"w":"x"}'

    assert ("body-number",) == _reports(body % before.encode(), body % after.encode())


FORM = b"text=hello+%26+bye&user=U%2B1"


@pytest.mark.parametrize(
    ("cause", "after"),
    [
        ("body-form-multipart", _multipart(text="hello & bye", user="U+1")),
        ("body-form-multipart", _multipart(text="hello & bye", user="U+1").replace(b"\r\n", b"\n")),
        ("body-python-literal", str({"text": "hello & bye", "user": "U+1"}).encode()),
        ("body-printed", b'{"text"=>"hello & bye", "user"=>"U+1"}'),
        ("body-form-sorted", b"user=U%2B1&text=hello+%26+bye"),
    ],
)
def test_a_form_that_was_parsed_and_printed_or_sent_again_is_named(cause, after):
    assert (cause,) == _reports(FORM, after, "slack")


@pytest.mark.parametrize(
    "after",
    [
        b"-" * 200_000,
        b"--a\n" * 50_000,
        b"ab" * 100_000 + b"g",
        b"12," * 60_000 + b"x",
        b"0x" * 100_000,
        b"{a=>" * 40_000,
        b"POST /in HTTP/1.1\n" * 10_000,
        b"\0" * 200_000,
        b"[]byte{" + b"0x" * 100_000,
        b"<<" * 100_000,
    ],
)
def test_a_hostile_body_costs_no_work(after):
    with at_most_lines(20_000):
        assert all(guess != TEXT for _, guess in dumped(after))


def test_the_escapes_of_a_mapping_template_are_undone():
    body = b'{"type":1,"user":"d\'Arc"}'
    escaped = body.replace(b'"', b'\\"').replace(b"'", b"\\'")

    assert ("body-escaped",) == _reports(body, escaped, "discord")


# -- reports of what a framework did to a body ---------------------------------------------------------------

STRIPE = json.dumps({"id": "evt_1", "data": {"object": {"amount": 100, "items": []}}}, indent=2)
SENDGRID = '[{"email":"a@example.com","useragent":"Mozilla/5.0"}]\r\n'
PUSH = json.dumps({"ref": "main", "commits": [{"message": "<a> & b"}], "total": 1}, indent=2)
BLOCKS = quote_plus('{"type":"block_actions","text":"it\'s (ok)! *b* ~x~"}').replace("~", "%7E")
SMS = "MessageSid=SM1&Body=it%27s+%22me%22"
ADDON = "AddOns=%7B%22status%22%3A%22successful%22%7D&Body=hi"
CURLY = "AddOns=%7B%E2%80%9Cstatus%E2%80%9D%3A%E2%80%9Csuccessful%E2%80%9D%7D&Body=hi"
NAMES = "EventType=onMessageAdded&MessagingBinding.Address=%2B15550100"
SENTRY = '{"at":1662377141.0,"m":"na\\u00efve","culprit":"<module>"}'

#: the report, the provider, the causes, the signed body, the received one
REPORTED = [
    # parsers and writers
    ("stripe/stripe-node#1768", "stripe", "body-indent-2", STRIPE, STRIPE.replace("\n", "")),
    ("probot/smee-client#325", "stripe", "body-indent-2", STRIPE, compact(json.loads(STRIPE))),
    (
        "redhat-appstudio/infra-deployments#11124",
        "forgejo",
        "body-indent-2 body-html-escapes-lost",
        PUSH.replace("<", r"\u003c").replace(">", r"\u003e").replace("&", r"\u0026"),
        compact(json.loads(PUSH)),
    ),
    ("plaid/plaid-node#399", "plaid", "body-indent-2", STRIPE, compact(json.loads(STRIPE))),
    ("sendgrid/sendgrid-nodejs#1411", "sendgrid", "body-compact", '[{"a":1},{"a":2}]',
     '[{"a":1},\r\n{"a":2}]\r\n'),
    ("sendgrid/sendgrid-csharp#1131", "sendgrid", "body-newline-added", SENDGRID, SENDGRID + "\r\n"),
    (
        "sendgrid/sendgrid-php#1102",
        "sendgrid",
        "body-slash-escapes-added body-crlf-end-lost",
        SENDGRID,
        SENDGRID.strip().replace("/", r"\/"),
    ),
    (
        "getsentry/sentry#38443",
        "sentry",
        "body-unicode-escapes-lost body-fraction-lost",
        SENTRY,
        '{"at":1662377141,"m":"naïve","culprit":"<module>"}',
    ),
    (
        "sendgrid/sendgrid-python#1030",
        "sendgrid",
        "body-python-literal",
        '[{"event":"open","ok":true},\r\n{"event":"click"}]\r\n',
        "[{'event': 'open', 'ok': True}, {'event': 'click'}]",
    ),
    ("zoom/rtms#129", "zoom", "body-python-literal", '{"ok":true,"t":"it\'s"}',
     """{'ok': True, 't': "it's"}"""),
    ("SonarSource/sonarqube#3361", "sonarqube", "body-encoder", r'{"k":"a\u003db"}', '{"k":"a=b"}'),
    ("tawn33y/whatsapp-cloud-api#60", "whatsapp", "body-encoder", r'{"t":"a\u0040b"}', '{"t":"a@b"}'),
    ("svix/svix-webhooks#1463", "svix", "body-buffer", TEXT, compact({"type": "Buffer", "data": list(TEXT)})),
    ("woocommerce/woocommerce#21539", "woocommerce", "body-escaped", r'{"a":"x \"b\""}',
     r'{\"a\":\"x \\\"b\\\"\"}'),
    # charsets
    ("razorpay/razorpay-java#352", "razorpay", "body-latin-1", "José".encode("cp1252"), "José"),
    ("razorpay/razorpay-dot-net#156", "razorpay", "body-ascii-only", '{"n":"?"}', '{"n":"₹"}'),
    ("use-agent-os/agent-os#918", "slack", "body-mojibake", "text=café", "text=cafÃ©"),
    ("a chat or page that was copied from", "github", "body-typography", '{"a": "b"}', "{“a”:\u00a0“b”}"),
    # names of members
    ("workos/workos-kotlin#256", "github", "body-key-names", '{"id":"e","created_at":"x"}',
     '{"id":"e","createdAt":"x"}'),
    ("umbraco/Announcements#17", "github", "body-key-names", '{"Name":"a","CreateDate":"x"}',
     '{"name":"a","createDate":"x"}'),
    ("workos/workos-kotlin#256, .NET", "github", "body-key-names", '{"EventType":"e","UserId":1}',
     '{"event_type":"e","user_id":1}'),
    # a counter that goes up while the signature stays
    ("reapit/foundations#11108", "github", "body-counter", '{"id":"e","sendAttempts":1}',
     '{"id":"e","sendAttempts":2}'),
    ("8x8/jaas_demo#8", "github", "body-counter", '{"id":"e","retryCount":0}', '{"id":"e","retryCount":2}'),
    # forms; PHP 8.2, Node 20 with qs, and WordPress' addslashes wrote those received
    ("slackapi/node-slack-events-api#92", "slack", "body-form-encoder", f"payload={BLOCKS}",
     f"payload={BLOCKS}".replace("%7E", "~").replace("%28", "(").replace("%29", ")")),
    ("swoole/swoole-src#2688", "twilio", "body-form-names", NAMES, NAMES.replace("g.A", "g_A")),
    ("twilio/twilio-php#458", "twilio", "body-typography", ADDON, CURLY),
    ("WordPress/wordpress.org#802", "twilio", "body-escaped", SMS, SMS.replace("%2", "%5C%2")),
    ("frain-dev/convoy#2392", "slack", "body-form-json", '{"payload":"{\\"a\\":1}"}',
     "payload=%7B%22a%22%3A1%7D"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("report", "name", "expected", "before", "after"), REPORTED, ids=lambda v: str(v)[:40]
)
def test_what_a_report_says_of_a_body_is_named(report, name, expected, before, after):
    before, after = (body.encode() if isinstance(body, str) else body for body in (before, after))

    assert tuple(expected.split()) == _reports(before, after, name), report
