"""Formatting and minifying change nothing but white space."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from hook_widgets.errors import InvalidJson
from hook_widgets.webhooks.body.json_edit import format_json, minify_json, problems, span
from tests.support.json_bodies import BOM, bodies, values


def without_white_space(body: bytes) -> bytes:
    """The body less the white space between tokens, found one byte at a time."""
    result = bytearray()
    in_string = escaped = False
    for byte in body:
        if in_string or byte not in b" \t\r\n":
            result.append(byte)
        if escaped:
            escaped = False
        elif in_string and byte == 0x5C:
            escaped = True
        elif byte == 0x22:
            in_string = not in_string
    return bytes(result)


@given(bodies())
def test_formatting_and_minifying_keep_every_token_byte_for_byte(body: bytes) -> None:
    tokens = without_white_space(body)

    assert tokens == without_white_space(format_json(body))
    assert tokens == without_white_space(minify_json(body))
    assert json.loads(body) == json.loads(format_json(body)) == json.loads(minify_json(body))


@given(values)
def test_formatting_looks_as_an_indented_dump_does(value: object) -> None:
    compact = json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()

    pretty = json.dumps(value, indent=2, ensure_ascii=False).encode()

    assert pretty == format_json(compact)
    assert compact == minify_json(pretty)


@given(bodies())
def test_formatting_twice_changes_nothing_more(body: bytes) -> None:
    once = format_json(body)

    assert once == format_json(once)


def test_spelling_order_and_duplicates_survive() -> None:
    body = r'{"z":1.50,"a":1E2,"z":"\u00e9\/é","n":12345678901234567890,"e":{},"l":[]}'.encode()

    assert body == minify_json(format_json(body))


def test_two_spaces_are_the_usual_indent() -> None:
    assert b'{\n  "a": [\n    1\n  ]\n}' == format_json(b'{"a":[1]}')


@pytest.mark.parametrize(
    ("body", "formatted", "minified"),
    [
        (b"[1]", b"[\n  1\n]", b"[1]"),
        (b"[1]\n", b"[\n  1\n]\n", b"[1]\n"),
        (b"[1]\r\n", b"[\r\n  1\r\n]\r\n", b"[1]\r\n"),
        (b"[\r\n1]", b"[\r\n  1\r\n]", b"[1]"),
        (b"[\r\n1]\n", b"[\n  1\n]\n", b"[1]\n"),
        (b"[\r\n1\r]", b"[\n  1\n]", b"[1]"),
        (b"[1]\n\n", b"[\n  1\n]\n", b"[1]\n"),
        (b"\n[1] ", b"[\n  1\n]", b"[1]"),
        (b"[1]\r", b"[\n  1\n]\r", b"[1]\r"),
        (BOM + b" [1]\n", BOM + b"[\n  1\n]\n", BOM + b"[1]\n"),
    ],
)
def test_line_ends_and_byte_order_mark_stay(body: bytes, formatted: bytes, minified: bytes) -> None:
    assert (formatted, minified) == (format_json(body), minify_json(body))


def test_what_does_not_scan_is_rejected_with_its_problems() -> None:
    body = b'{"a": 1, "a": 2,}'
    calls = [format_json, minify_json, lambda body: span(body, "a")]
    for call in calls:
        with pytest.raises(InvalidJson, match="line 1, column 16: JSON allows no comma") as caught:
            call(body)
        assert problems(body) == caught.value.problems
