"""Values inside a body: found in JSON, in a form, and in JSON inside a form's field."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import UnreadableMessage
from hook_widgets.webhooks.body import json_edit, json_scanner
from hook_widgets.webhooks.body.locators import form_window, json_window, scalars, written

MULTIPART = (
    b"--Boundary7\r\n"
    b'Content-Disposition: form-data; name="note"\r\n\r\n'
    b'the "json" field follows\r\n'
    b"--Boundary7\r\n"
    b"content-type: application/json\r\n"
    b'Content-Disposition: form-data; name="json"\r\n\r\n'
    b'{"event": {"event_hash": "abc"}}\r\n'
    b"--Boundary7--\r\n"
)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("name", "Zo\N{LATIN SMALL LETTER E WITH DIAERESIS}"),
        ("escaped", "a/b\n"),
        ("amount", "12.50"),
        ("big", "12345678901234567890123"),
        ("paid", "true"),
        ("items.1.id", "i2"),
        ("nothing", None),
        ("absent", None),
    ],
)
def test_a_string_is_decoded_and_anything_else_is_as_written(path, text):
    body = (
        '{"name": "Zo\N{LATIN SMALL LETTER E WITH DIAERESIS}", "escaped": "a\\/b\\n", "amount": 12.50, '
        '"big": 12345678901234567890123, "paid": true, "items": [{"id": "i1"}, {"id": "i2"}], '
        '"nothing": null}'
    )

    assert text == written(body.encode(), path)


def test_json_in_a_multipart_field_is_found():
    window = json_window(MULTIPART, "json")

    assert b'{"event": {"event_hash": "abc"}}' == window.text == MULTIPART[window.start : window.end]


@given(value=st.dictionaries(st.text(max_size=8), st.text(max_size=12), max_size=4))
def test_json_in_a_urlencoded_field_is_found_wherever_it_stands(value):
    text = json.dumps(value, ensure_ascii=False)
    body = urlencode({"before": "a&b", "payload": text, "after": ""}).encode()

    assert text.encode() == json_window(body, "payload").text


@given(
    before=st.text(max_size=10),
    token=st.text("abc+/= %\N{LATIN SMALL LETTER E WITH ACUTE}", min_size=1, max_size=9),
)
def test_a_span_of_the_decoded_text_is_reported_in_bytes_of_the_body(before, token):
    body = urlencode({"x": before, "payload": before + token + "!"}).encode()
    window = form_window(body, "payload")
    start, end = window.raw_span(body, len(before.encode()), len((before + token).encode()))
    changed = body[:start] + b"NEW" + body[end:]

    assert before + "NEW!" == parse_qs(changed.decode(), keep_blank_values=True)["payload"][0]


def test_a_missing_field_says_what_to_do():
    with pytest.raises(UnreadableMessage, match="no form field 'payload'; keep it"):
        json_window(b"a=1", "payload")


@pytest.mark.parametrize(
    "body",
    [
        b"json=1&a=2&json=3",
        b"json=1&%6Ason=1",
        MULTIPART.replace(b'name="note"', b'name="json"'),
    ],
)
def test_a_field_that_is_there_twice_is_rejected(body):
    with pytest.raises(UnreadableMessage, match="form field 'json' twice"):
        json_window(body, "json")


@pytest.mark.parametrize(
    "body",
    [b"-" * 1_000_000, b"--\n" * 100_000, b"--b\r\n" + b"a: b\r\n" * 100_000, b'--b\n;name="' * 100_000],
    ids=["dashes", "boundaries", "headers", "names"],
)
def test_a_long_hostile_body_is_searched_once(body):
    with pytest.raises(UnreadableMessage, match="no form field 'json'"):
        json_window(body, "json")


def test_a_part_with_nothing_in_it_is_empty():
    body = b'--b\nContent-Disposition: form-data; name="json"; filename="x"\n\n\n--b--\n'

    assert b"" == json_window(body, "json").text


def test_half_a_surrogate_pair_is_no_text_to_sign():
    with pytest.raises(UnreadableMessage, match=r"'a\.b' holds half of a surrogate pair"):
        written(rb'{"a": {"b": "\ud83d"}}', "a.b")


def test_a_body_is_read_once_for_all_its_values(monkeypatch):
    readings: list[bytes] = []

    def counted(body: bytes) -> json_scanner.Scan:
        readings.append(body)
        return json_scanner.scan(body)

    monkeypatch.setattr(json_edit, "scan", counted)
    body = b'{"a": 1, "b": {"c": "2"}, "of": "this test only"}'

    assert ["1", "2", None] == [written(body, path) for path in ("a", "b.c", "d")]
    assert [body] == readings


@pytest.mark.parametrize(
    "body",
    [
        b'{"at": 1788000000, "a": {"b": "x"}}',
        b'\xef\xbb\xbf{"at": 1.50, "a": {"b": "\\u00e9"}}\n',
        b'{"at": 1, "a": {"b": "x"}, "at": 2}',
        b'{"at": "1", "a": {"b": "x"}}',
        b'{"at": 1e400, "a": {"b": ""}}',
    ],
)
def test_scalars_are_the_written_values(body):
    assert [written(body, "at"), written(body, "a.b")] == [
        text for _, text in scalars(body, ["at", "a.b"]) or ()
    ]


@pytest.mark.parametrize(
    "body",
    [
        b'{"at": NaN}',
        b'{"at": 1, "b": -Infinity}',
        b'{"at": 01}',
        b'{"at": 1,}',
        b'{"at": "\n"}',
        b'{"at": "\xff"}',
        b'{"at": null}',
        b'{"at": {}}',
        b"[1]",
        b'{"at": 1, "deep": ' + b"[" * 512 + b"]" * 512 + b"}",
    ],
)
def test_scalars_are_unknown_where_the_body_must_be_scanned(body):
    assert scalars(body, ["at"]) is None


def test_a_text_of_digits_is_no_number_for_scalars():
    assert scalars(b'{"at": "1"}', ["at"]) != scalars(b'{"at": 1}', ["at"])
