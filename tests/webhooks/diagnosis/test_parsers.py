"""A body that a parser, an encoder or an envelope changed is recognised; the cases are of public reports."""

from __future__ import annotations

import base64
import html
import json
import zlib
from urllib.parse import quote

import pytest

from hook_widgets.webhooks.diagnosis.guesses.numbers import Program, rounded
from tests.support.diagnosing import causes, compact, key_of, received, signed

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
        ("body-compressed", zlib.compress(TEXT)),
        ("body-compressed", zlib.compress(TEXT)[2:-4]),
    ],
)
@pytest.mark.parametrize("name", ["shopify", "stripe", "discord"])
def test_the_signed_body_is_found_inside_the_received_one(name, cause, after):
    assert (cause,) == _reports(TEXT, after, name)


def test_the_escapes_of_a_mapping_template_are_undone():
    body = b'{"type":1,"user":"d\'Arc"}'
    escaped = body.replace(b'"', b'\\"').replace(b"'", b"\\'")

    assert ("body-escaped",) == _reports(body, escaped, "discord")
