"""JSON bodies: every mistake is named where it is, and nothing but white space ever changes."""

from __future__ import annotations

import itertools
import json
import time
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidJson
from hook_widgets.webhooks.text.jsontext import (
    Level,
    Problem,
    format_json,
    minify_json,
    problems,
    span,
    value_at,
)

BOM = b"\xef\xbb\xbf"

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
styles: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "ensure_ascii": st.booleans(),
        "indent": st.sampled_from([None, 0, 1, 2, "\t"]),
        "separators": st.sampled_from([(",", ":"), (", ", ": "), (" ,\r", "\t:\n ")]),
    }
)


@st.composite
def bodies(draw: st.DrawFn) -> bytes:
    """JSON as many serialisers write it."""
    text = json.dumps(draw(values), **draw(styles))
    text = text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))
    return (
        draw(st.sampled_from(["", " "])) + text + draw(st.sampled_from(["", "\n", "\r\n", "\r", " \n "]))
    ).encode()


FRAGMENTS = [
    *(
        b'"',
        b"\\",
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b" ",
        b"\n",
        b"\t",
        b"\x00",
        b"\x1f",
        b"\x7f",
        b"'",
        b"/**/",
    ),
    *(b"NaN", b"Infinity", b"-", b"+", b"0", b"1", b".", b"e5", b"E", b"true", b"null", b"None", b'"a":1,'),
    *(b"\\ud800", b"\\udc00", b"\\u0041", b"\\x41", b"\xff", b"\xc3", b"\xc2\xa0", b"\xe2\x80\xa8", BOM),
]


@st.composite
def damaged_bodies(draw: st.DrawFn) -> bytes:
    """JSON with a few random edits, most of which break it."""
    body = draw(bodies())
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(body)))
        end = draw(st.integers(start, min(start + 4, len(body))))
        body = body[:start] + draw(st.sampled_from([b"", body[start : start + 9], *FRAGMENTS])) + body[end:]
    return body


def strict_python_refuses(body: bytes) -> bool:
    """Whether Python's own reader, with its leniency switched off, refuses the body."""

    def constant(name: str) -> object:
        raise ValueError(name)

    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError("duplicate key")
        return dict(pairs)

    try:
        # `loads` refuses a leading BOM in a str, and "utf-8" refuses raw surrogates.
        value = json.loads(body.decode("utf-8"), parse_constant=constant, object_pairs_hook=unique)
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except ValueError:
        return True
    return False


def has_error(body: bytes) -> bool:
    return any(problem.level is Level.ERROR for problem in problems(body))


def without_white_space(body: bytes) -> bytes:
    """The body less the white space between tokens, found one byte at a time."""
    kept = bytearray()
    in_string = escaped = False
    for byte in body:
        if in_string or byte not in b" \t\r\n":
            kept.append(byte)
        if escaped:
            escaped = False
        elif in_string and byte == 0x5C:
            escaped = True
        elif byte == 0x22:
            in_string = not in_string
    return bytes(kept)


def refused(body: bytes) -> Problem:
    with pytest.raises(InvalidJson) as caught:
        format_json(body)
    return caught.value.problems[-1]


# --- each mistake has its place and its words -------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "line", "column", "words"),
    [
        (b"", 1, 1, "body is empty"),
        (b" \n ", 2, 2, "body is empty"),
        (b'{"a": 1,}', 1, 8, "Remove this comma: JSON allows none after the last member"),
        (b"[1,\n 2 ,\n]", 2, 4, "Remove this comma: JSON allows none after the last item"),
        (b"[1,}", 1, 4, "This } does not close the array opened at line 1, column 1: that one needs ]"),
        (b"[1 2]", 1, 3, "A comma is missing here, between two items"),
        (b'{"a": 1\n "b": 2}', 1, 8, "A comma is missing here, between two members"),
        (b'{"a": 1; "b": 2}', 1, 8, "instead of the semicolon"),
        (b'{"a": "say "hi" now"}', 1, 13, r"if the quote before it belongs to the text, write it as \""),
        (b'["a" b]', 1, 5, "A comma is missing here, between two items"),
        (b'{"a" 1}', 1, 5, "A colon is missing here"),
        (b'{"a" = 1}', 1, 6, "instead of the equals sign"),
        (b'{"a"}', 1, 5, "This key has no value"),
        (b'{"a", "b": 1}', 1, 5, "This key has no value"),
        (b'{"a":}', 1, 6, "A value is missing here, after the colon"),
        (b'{"a": , "b": 1}', 1, 6, "A value is missing here, after the colon"),
        (b'{"a": ]', 1, 6, "A value is missing here, after the colon"),
        (b'{"a"]', 1, 5, "This key has no value"),
        (b'{"a": 1]', 1, 8, "This ] does not close the object"),
        (b'{"a": 1, ]', 1, 10, "This ] does not close the object"),
        (b"]", 1, 1, "Nothing is open that this ] could close"),
        (b"[,1]", 1, 2, "A value is missing before this comma"),
        (b"[1,,2]", 1, 4, "A value is missing before this comma"),
        (b"{,}", 1, 2, "A member is missing before this comma"),
        (b"{:1}", 1, 2, "A key is missing before this colon"),
        (b"[:1]", 1, 2, "remove this colon"),
        (b'["a": 1]', 1, 5, "An array holds values without keys"),
        (b'{"a": 1: 2}', 1, 8, "write a comma here, then a key"),
        (b"{a: 1}", 1, 2, 'A key needs double quotes: write "a"'),
        (b"{1: 2}", 1, 2, 'A key needs double quotes: write "1"'),
        (b"{null: 2}", 1, 2, 'A key needs double quotes: write "null"'),
        (b"{'a': 1}", 1, 2, "JSON has no single quotes"),
        (b"{[1]: 1}", 1, 2, "A key must be a string in double quotes, not an array"),
        (b"{{}: 1}", 1, 2, "A key must be a string in double quotes, not an object"),
        (b"{@: 1}", 1, 2, "@ cannot stand here"),
        (b"['a']", 1, 2, "JSON has no single quotes"),
        (b"[`a`]", 1, 2, "JSON has no backquotes"),
        ("[“a”]".encode(), 1, 2, "typographic quote"),
        ("{“a”: 1}".encode(), 1, 2, "typographic quote"),
        (rb'["\x41"]', 1, 3, r"\x is not a JSON escape: write \u00"),
        (rb"""["it\'s"]""", 1, 5, r"\' is not a JSON escape: a single quote stands there without"),
        (rb'["\u12"]', 1, 3, r"\u needs exactly four hexadecimal digits"),
        (rb'{"\q": 1}', 1, 3, r"\q is not a JSON escape"),
        (rb'["C:\dir"]', 1, 5, r"\d is not a JSON escape: to mean a backslash, write two, \\"),
        (b'["a\\\nb"]', 1, 4, "A backslash cannot continue a JSON string on the next line"),
        (b'["a\tb"]', 1, 4, r"Control character U+0009 stands raw in a string: write it as \t"),
        (b'["a\x08b"]', 1, 4, r"Control character U+0008 stands raw in a string: write it as \b"),
        (b'["a\x0cb"]', 1, 4, r"Control character U+000C stands raw in a string: write it as \f"),
        (b'["a\x01b"]', 1, 4, r"write it as \u0001"),
        (b'["abc\n", 1]', 1, 6, "The line ends inside a string"),
        (b'["abc\r\n", 1]', 1, 6, "The line ends inside a string"),
        (b'["abc', 1, 2, "This string is never closed"),
        (b'["abc\\', 1, 2, "This string is never closed"),
        (b'"', 1, 1, "This string is never closed"),
        (b"[NaN]", 1, 2, "NaN is not a JSON number: use null"),
        (b"[Infinity]", 1, 2, "Infinity is not a JSON number"),
        (b"[-Infinity]", 1, 2, "-Infinity is not a JSON number"),
        (b"[undefined]", 1, 2, "leave the member out"),
        (b"[None]", 1, 2, "None is not JSON: write null"),
        (b"[True]", 1, 2, "True is not JSON: write true"),
        (b"[False]", 1, 2, "False is not JSON: write false"),
        (b"[truely]", 1, 2, 'Text needs double quotes: write "truely"'),
        (b"[true.]", 1, 2, 'Text needs double quotes: write "true."'),
        (b"hello", 1, 1, 'Text needs double quotes: write "hello"'),
        (b"[@]", 1, 2, "@ cannot stand here"),
        (b"// note\n{}", 1, 1, "JSON has no comments"),
        (b"{} # note", 1, 4, "JSON has no comments"),
        (b"{}<!-- note -->", 1, 3, "JSON has no comments"),
        (b"[1, /* two */ 2]", 1, 5, "JSON has no comments"),
        (b"[01]", 1, 2, "01: a JSON number has no leading zero"),
        (b"[-012]", 1, 2, "-012: a JSON number has no leading zero"),
        (b"[+1]", 1, 2, "no plus sign"),
        (b"[.5]", 1, 2, "a digit must stand before the decimal point"),
        (b"[-.5]", 1, 2, "a digit must stand before the decimal point"),
        (b"[1.]", 1, 2, "a digit must follow the decimal point"),
        (b"[1.e5]", 1, 2, "a digit must follow the decimal point"),
        (b"[1e]", 1, 2, "digits are missing in the exponent"),
        (b"[1.5E+]", 1, 2, "digits are missing in the exponent"),
        (b"[-]", 1, 2, "A minus sign needs a digit"),
        (b"[0x1F]", 1, 2, "JSON numbers are decimal"),
        (b"[-0x1F]", 1, 2, "JSON numbers are decimal"),
        (b"[0o17]", 1, 2, "JSON numbers are decimal"),
        (b"[0b11]", 1, 2, "JSON numbers are decimal"),
        (b"[1_000]", 1, 2, "1_000 is not a number"),
        (b"[2026-09-30]", 1, 2, "2026-09-30 is not a number"),
        (b"[1, 2", 1, 6, "inside the array opened at line 1, column 1: complete it and close it with ]"),
        (b'[\n {"a":', 2, 7, "inside the object opened at line 2, column 2: complete it and close it with }"),
        (b'{"a": [1}', 1, 9, "This } does not close the array opened at line 1, column 7: that one needs ]"),
        (b"{]", 1, 2, "This ] does not close the object opened at line 1, column 1: that one needs }"),
        (b"}", 1, 1, "Nothing is open that this } could close"),
        (b"{}\n{}", 2, 1, "The JSON value ends before this"),
        (b"1,", 1, 2, "The JSON value ends before this"),
        (b"[1,\xc2\xa02]", 1, 4, "U+00A0 (no-break space) is not white space in JSON"),
        (b"[1\x0c]", 1, 3, "U+000C (a control character) is not white space in JSON"),
        (b"[" + BOM + b"1]", 1, 2, "stands in the middle of the text"),
        (b'["caf\xe9"]', 1, 6, "Byte 0xE9 is not valid UTF-8"),
        (b"[1, \xff]", 1, 5, "Byte 0xFF is not valid UTF-8"),
        (b"[1 \xff]", 1, 4, "Byte 0xFF is not valid UTF-8"),
        (b'["\xed\xa0\x80"]', 1, 3, "Byte 0xED is not valid UTF-8"),
        ("\ufeff{}".encode("utf-16-le"), 1, 1, "The body is UTF-16"),
        ("\ufeff{}".encode("utf-16-be"), 1, 1, "The body is UTF-16"),
    ],
)
def test_a_mistake_is_reported_where_it_is_to_be_mended(
    body: bytes, line: int, column: int, words: str
) -> None:
    (problem,) = problems(body)

    assert (line, column, Level.ERROR) == (problem.line, problem.column, problem.level)
    assert words in problem.message
    assert problem == refused(body)


def test_the_first_violation_of_the_grammar_ends_the_list() -> None:
    found = problems(b'{"a": 1, "a": 2, "b": [1,], "c": [2,], "c": 3}')

    assert [(1, 10), (1, 25)] == [(problem.line, problem.column) for problem in found]


def test_a_bad_byte_hides_everything_behind_it_and_nothing_before() -> None:
    found = problems(b'{"a": 1, "a": "\xff", "a": 2, "b": }')

    assert [9, 15] == [problem.offset for problem in found]


def test_a_mistake_before_a_bad_byte_comes_first() -> None:
    (problem,) = problems(b'[1,, "\xff"]')

    assert (3, "A value is missing") == (problem.offset, problem.message[:18])


# --- places -----------------------------------------------------------------------------------------------


def test_columns_count_characters_and_offsets_count_bytes() -> None:
    (problem,) = problems('{"é😀": x}'.encode())

    assert (1, 8, 11) == (problem.line, problem.column, problem.offset)


@pytest.mark.parametrize(("newline", "offset"), [(b"\n", 5), (b"\r", 5), (b"\r\n", 7)])
def test_each_kind_of_line_end_counts_one_line(newline: bytes, offset: int) -> None:
    (problem,) = problems(b"[" + newline + newline + b"  x]")

    assert (3, 3, offset) == (problem.line, problem.column, problem.offset)


def test_a_line_separator_character_is_not_a_line_end() -> None:
    (problem,) = problems('["\u2028" x]'.encode())

    assert (1, 5) == (problem.line, problem.column)


def test_a_byte_order_mark_takes_no_column() -> None:
    mark, mistake = problems(BOM + b"[x]")

    assert (1, 1, 0) == (mark.line, mark.column, mark.offset)
    assert "byte order mark" in mark.message
    assert (1, 2, 4) == (mistake.line, mistake.column, mistake.offset)


# --- problems that leave the text readable ----------------------------------------------------------------


def test_a_duplicate_key_names_both_places() -> None:
    (problem,) = problems(b'{"id": 1,\n "id": 2}')

    assert (2, 2, Level.ERROR) == (problem.line, problem.column, problem.level)
    assert 'The key "id" is already in this object, at line 1, column 2' in problem.message


def test_a_key_spelled_with_escapes_is_still_the_same_key() -> None:
    (problem,) = problems(rb'{"a\u002fb": 1, "a/b": 2, "a\\b": 3}')

    assert 16 == problem.offset


def test_a_key_may_return_in_another_object() -> None:
    assert () == problems(b'{"a": {"a": [{"a": 1}, {"a": 2}]}, "b": {"a": 3}}')


def test_keys_of_an_outer_object_are_remembered_behind_an_inner_one() -> None:
    (problem,) = problems(b'{"a": {"b": [{}]}, "b": 1, "a": 2}')

    assert 27 == problem.offset


@pytest.mark.parametrize(
    ("text", "offsets"),
    [
        (rb'"\ud83d\ude00"', []),
        (rb'"\uD83D\uDE00"', []),
        (rb'"\ud83d"', [1]),
        (rb'"\ude00 "', [1]),
        (rb'"\ud83d\ud83d\ude00"', [1]),
        (rb'"\ud83d\ude00\udc00"', [13]),
        (rb'"\ud83dx\ude00"', [1, 8]),
        (rb'"\\ud83d"', []),
        (rb'"\\\ud83d"', [3]),
        (rb'"\u0041\ue000"', []),
        (rb'{"\udbff": "\udfff"}', [2, 12]),
    ],
)
def test_half_a_surrogate_pair_is_an_error(text: bytes, offsets: list[int]) -> None:
    found = problems(text)

    assert offsets == [problem.offset for problem in found]
    assert all("half of a surrogate pair" in problem.message for problem in found)
    assert all(problem.level is Level.ERROR for problem in found)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (b"9007199254740991", None),  # 2^53 - 1
        (b"-9007199254740991", None),
        (b"9007199254740992", "beyond 2^53 - 1"),
        (b"-9007199254740992", "beyond 2^53 - 1"),
        (b"12345678901234567890", "beyond 2^53 - 1"),
        (b"1" + b"0" * 5000, "beyond 2^53 - 1"),
        (b"999999999999999", None),
        (b"1e308", None),
        (b"1e309", "too large for a double"),
        (b"-1E+400", "too large for a double"),
        (b"5e-324", None),
        (b"1e-400", "too small for a double"),
        (b"0e-400", None),
        (b"0.00e-999", None),
        (b"0.10000000000000001", None),  # 17 significant digits, as C prints a double
        (b"0.100000000000000012", "more than 17 significant digits"),
        (b"-12345678.1234567890", None),
        (b"1000000000000000000000.000", None),
    ],
)
def test_a_number_a_double_cannot_hold_is_a_warning(number: bytes, words: str | None) -> None:
    found = problems(b'{"n": ' + number + b"}")

    assert ([] if words is None else [(6, Level.WARNING)]) == [
        (problem.offset, problem.level) for problem in found
    ]
    assert words is None or words in found[0].message


@pytest.mark.parametrize(("end", "words"), [(b"}", "Remove this comma"), (b"\xff}", "Byte 0xFF")])
def test_many_problems_are_cut_at_fifty_and_the_one_that_ends_the_scan_stays(end: bytes, words: str) -> None:
    found = problems(b"{" + b'"a": 1, ' * 200 + end)

    assert 50 == len(found)
    assert words in found[-1].message


def test_warnings_never_push_out_an_error() -> None:
    found = problems(b'{"n": [' + b"1e999, " * 200 + b'0], "a": 1, "a": 2}')

    assert [Level.WARNING] * 49 + [Level.ERROR] == [problem.level for problem in found]
    many = problems(b'{"n": [' + b"1e999, " * 200 + b"0], " + b'"a": 1, ' * 30 + b"}")
    assert [Level.WARNING] * 20 + [Level.ERROR] * 30 == [problem.level for problem in many]


def test_nesting_is_limited_to_512_levels() -> None:
    deep = b'[{"a":' * 256 + b"1" + b"}]" * 256

    assert () == problems(deep)
    (problem,) = problems(b"[" + deep + b"]")
    assert (1 + 255 * 6 + 1, "nested more than 512 deep") == (problem.offset, problem.message[23:48])


def test_a_message_shows_nothing_invisible_and_nothing_endless() -> None:
    key = "a\u202e" + "b" * 500
    (problem,) = problems(f'{{"{key}": 1, "{key}": 2}}'.encode())

    assert 'The key "a\\u202e' + "b" * 33 + '…" is already' in problem.message


@pytest.mark.parametrize(("length", "end"), [(40, '"'), (41, '…"')])
def test_a_message_shows_forty_characters_of_a_key(length: int, end: str) -> None:
    key = "😀" * length
    (problem,) = problems(f'{{"{key}": 1, "{key}": 2}}'.encode())

    assert f'The key "{"😀" * 40}{end} is already' in problem.message


# --- agreement with another reader ------------------------------------------------------------------------


@given(bodies())
def test_what_serialisers_write_has_no_error(body: bytes) -> None:
    assert [] == [problem for problem in problems(body) if problem.level is Level.ERROR]


@given(damaged_bodies())
@example(rb'{"a": 1, "\u0061": 2}')
@example(rb'"\ud800"')
@example(BOM + b"1")
@example(b"1 \x00")
def test_an_error_is_reported_exactly_when_a_strict_reader_refuses(body: bytes) -> None:
    assert strict_python_refuses(body) == has_error(body)


@pytest.mark.parametrize(
    ("pieces", "length"),
    [
        (["{", "}", "[", "]", ",", ":", '"a"', "1"], 5),
        (["0", "1", "-", "+", ".", "e", "E", " ", "[", "]", "true", "1" * 16], 4),
        (['"', "\\", "u", "dc00", "00e9", "n", "\n"], 5),
    ],
)
def test_every_short_text_is_judged_as_a_strict_reader_judges_it(pieces: list[str], length: int) -> None:
    texts = (
        "".join(chosen).encode() for n in range(length + 1) for chosen in itertools.product(pieces, repeat=n)
    )

    assert [] == [text for text in texts if strict_python_refuses(text) != has_error(text)]


@given(st.binary() | damaged_bodies().map(lambda body: body[: len(body) // 2]))
def test_any_bytes_are_judged_without_an_exception(body: bytes) -> None:
    found = problems(body)

    assert sorted(found, key=lambda problem: problem.offset) == list(found)
    assert all(
        0 <= problem.offset <= len(body) and problem.line >= 1 and problem.column >= 1 for problem in found
    )


# The bound is loose because machines differ; whatever is quadratic in a megabyte misses it by far.
@pytest.mark.parametrize(
    "body",
    [
        b"[" * 1_000_000,
        b"[" + b"[]," * 333_000 + b"1]",
        b'"' + b"\\\\" * 500_000,
        b"[" + b"1," * 500_000 + b"x",
        b"1" * 1_000_000,
        b"{" + b'"a":1,' * 160_000 + b"}",
        ("{" + "".join(f'"é{n}":1,' for n in range(50_000)) * 2 + "}").encode(),
        b'{"n": [' + b"1e999," * 160_000 + b"]}",
        b'"' + rb"\ud800" * 160_000 + b'"',
        b" " * 1_000_000,
        b"{" + b"a" * 1_000_000,
    ],
    ids=[
        "brackets",
        "arrays",
        "backslashes",
        "numbers",
        "digits",
        "duplicates",
        "pairs",
        "warnings",
        "surrogates",
        "spaces",
        "word",
    ],
)
def test_a_hostile_megabyte_is_judged_in_linear_time(body: bytes) -> None:
    start = time.process_time()
    problems(body)

    assert time.process_time() - start < 8


# --- white space ------------------------------------------------------------------------------------------


@given(bodies())
def test_formatting_and_minifying_keep_every_token_byte_for_byte(body: bytes) -> None:
    tokens = without_white_space(body)

    assert tokens == without_white_space(format_json(body))
    assert tokens == without_white_space(minify_json(body))
    assert json.loads(body) == json.loads(format_json(body)) == json.loads(minify_json(body))


@given(values, st.sampled_from([0, 2, 4]))
def test_formatting_looks_as_an_indented_dump_does(value: object, indent: int) -> None:
    compact = json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()

    pretty = json.dumps(value, indent=indent, ensure_ascii=False).encode()

    assert pretty == format_json(compact, indent=indent)
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


def test_what_does_not_scan_is_refused_with_its_problems() -> None:
    body = b'{"a": 1, "a": 2,}'
    calls = [format_json, minify_json, lambda body: span(body, "a"), lambda body: value_at(body, "a")]
    for call in calls:
        with pytest.raises(InvalidJson, match="line 1, column 16: Remove this comma") as caught:
            call(body)
        assert problems(body) == caught.value.problems


# --- one value --------------------------------------------------------------------------------------------

SIGNED = rb"""{
  "signature": {"timestamp": "1790000000", "token" : "TEST-token", "list": [10, {"a": [ ]}, "x\u00e9"]},
  "signature.token": 1, "\u00e9": {"": null}, "twice": {"one": 1}, "twice": {"two": -2.50}
}
"""


@pytest.mark.parametrize(
    ("path", "text", "value"),
    [
        ("signature.timestamp", b'"1790000000"', "1790000000"),
        ("signature.token", b'"TEST-token"', "TEST-token"),
        ("signature.list.0", b"10", 10),
        ("signature.list.1", b'{"a": [ ]}', {"a": []}),
        ("signature.list.1.a", b"[ ]", []),
        ("signature.list.2", rb'"x\u00e9"', "xé"),
        ("é.", b"null", None),
        ("twice.two", b"-2.50", -2.5),
        ("", SIGNED.strip(), json.loads(SIGNED)),
    ],
)
def test_a_path_leads_to_the_bytes_of_its_value(path: str, text: bytes, value: object) -> None:
    place = span(SIGNED, path)

    assert place is not None
    assert (text, value) == (SIGNED[slice(*place)], value_at(SIGNED, path))


@pytest.mark.parametrize(
    "path",
    [
        *("token", "signature.tok", "signature.token.x", "twice.one", "."),
        *("signature.list.3", "signature.list.00", "signature.list.-1", "signature.list.length"),
        *("signature.list.1.a.0", "signature.list." + "9" * 5000),
    ],
)
def test_a_path_to_nothing_gives_none(path: str) -> None:
    assert (None, None) == (span(SIGNED, path), value_at(SIGNED, path))


def test_a_byte_order_mark_counts_in_a_span() -> None:
    assert (4, 5) == span(BOM + b"[7]", "0")


def test_an_integer_of_thousands_of_digits_is_read_as_readers_with_doubles_do() -> None:
    assert 10**3000 == value_at(b"[1" + b"0" * 3000 + b"]", "0")
    assert float("inf") == value_at(b"[1" + b"0" * 5000 + b"]", "0")


def paths(value: object, prefix: str = "") -> list[tuple[str, object]]:
    """Every path without dots or empty names in its keys, and the value there."""
    named = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = [(prefix, value)]
    for name, child in named:
        if name != "" and "." not in str(name):
            found += paths(child, f"{prefix}.{name}" if prefix else str(name))
    return found


@given(bodies())
def test_every_value_is_found_by_its_path(body: bytes) -> None:
    for path, value in paths(json.loads(body)):
        assert value == value_at(body, path)
