"""JSON bodies: every mistake is named where it is to be mended, in words."""

from __future__ import annotations

import pytest

from hook_widgets.errors import InvalidJson
from hook_widgets.webhooks.body.json_edit import format_json, problems
from hook_widgets.webhooks.body.json_scanner import JsonProblem, ProblemLevel
from tests.support.json_bodies import BOM
from tests.support.message_form import faults


def refused(body: bytes) -> JsonProblem:
    with pytest.raises(InvalidJson) as caught:
        format_json(body)
    return caught.value.problems[-1]


# --- each mistake has its place and its words -------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "line", "column", "words"),
    [
        (b"", 1, 1, "body is empty"),
        (b" \n ", 2, 2, "body is empty"),
        (b'{"a": 1,}', 1, 8, "JSON allows no comma after the last member"),
        (b"[1,\n 2 ,\n]", 2, 4, "JSON allows no comma after the last item"),
        (b"[1,}", 1, 4, "this } does not close the array opened at line 1, column 1; that one needs ]"),
        (b"[1 2]", 1, 3, "a comma is missing here, between two items"),
        (b'{"a": 1\n "b": 2}', 1, 8, "a comma is missing here, between two members"),
        (b'{"a": 1; "b": 2}', 1, 8, "write a comma here"),
        (b'{"a": "say "hi" now"}', 1, 13, r"if the quote before it belongs to the text, write it as \""),
        (b'["a" b]', 1, 5, "a comma is missing here, between two items"),
        (b'{"a" 1}', 1, 5, "a colon is missing here"),
        (b'{"a" = 1}', 1, 6, "write a colon here"),
        (b'{"a"}', 1, 5, "this key has no value"),
        (b'{"a", "b": 1}', 1, 5, "this key has no value"),
        (b'{"a":}', 1, 6, "a value is missing here, after the colon"),
        (b'{"a": , "b": 1}', 1, 6, "a value is missing here, after the colon"),
        (b'{"a": ]', 1, 6, "a value is missing here, after the colon"),
        (b'{"a"]', 1, 5, "this key has no value"),
        (b'{"a": 1]', 1, 8, "this ] does not close the object"),
        (b'{"a": 1, ]', 1, 10, "this ] does not close the object"),
        (b"]", 1, 1, "nothing is open that this ] could close"),
        (b"[,1]", 1, 2, "a value is missing before this comma"),
        (b"[1,,2]", 1, 4, "a value is missing before this comma"),
        (b"{,}", 1, 2, "a member is missing before this comma"),
        (b"{:1}", 1, 2, "a key is missing before this colon"),
        (b"[:1]", 1, 2, "remove this colon"),
        (b'["a": 1]', 1, 5, "an array holds values without keys"),
        (b'{"a": 1: 2}', 1, 8, "write a comma here, then a key"),
        (b"{a: 1}", 1, 2, 'a key needs double quotes; write "a"'),
        (b"{1: 2}", 1, 2, 'a key needs double quotes; write "1"'),
        (b"{null: 2}", 1, 2, 'a key needs double quotes; write "null"'),
        (b"{'a': 1}", 1, 2, "JSON has no single quotes"),
        (b"{[1]: 1}", 1, 2, "a key must be a string in double quotes, not an array"),
        (b"{{}: 1}", 1, 2, "a key must be a string in double quotes, not an object"),
        (b"{@: 1}", 1, 2, "@ cannot stand here"),
        (b"['a']", 1, 2, "JSON has no single quotes"),
        (b"[`a`]", 1, 2, "JSON has no backquotes"),
        ("[“a”]".encode(), 1, 2, "typographic quote"),
        ("{“a”: 1}".encode(), 1, 2, "typographic quote"),
        (rb'["\x41"]', 1, 3, r"\x is not a JSON escape; write \u00"),
        (rb"""["it\'s"]""", 1, 5, r"\' is not a JSON escape; write a single quote without"),
        (rb'["\u12"]', 1, 3, r"\u needs exactly four hexadecimal digits"),
        (rb'{"\q": 1}', 1, 3, r"\q is not a JSON escape"),
        (rb'["C:\dir"]', 1, 5, r"\d is not a JSON escape; to mean a backslash, write two, \\"),
        (b'["a\\\nb"]', 1, 4, "a backslash cannot continue a JSON string on the next line"),
        (b'["a\tb"]', 1, 4, r"control character U+0009 stands raw in a string; write it as \t"),
        (b'["a\x08b"]', 1, 4, r"control character U+0008 stands raw in a string; write it as \b"),
        (b'["a\x0cb"]', 1, 4, r"control character U+000C stands raw in a string; write it as \f"),
        (b'["a\x01b"]', 1, 4, r"write it as \u0001"),
        (b'["abc\n", 1]', 1, 6, "the line ends inside a string"),
        (b'["abc\r\n", 1]', 1, 6, "the line ends inside a string"),
        (b'["abc', 1, 2, "this string is never closed"),
        (b'["abc\\', 1, 2, "this string is never closed"),
        (b'"', 1, 1, "this string is never closed"),
        (b"[NaN]", 1, 2, "NaN is not a JSON number; use null"),
        (b"[Infinity]", 1, 2, "Infinity is not a JSON number"),
        (b"[-Infinity]", 1, 2, "-Infinity is not a JSON number"),
        (b"[undefined]", 1, 2, "leave the member out"),
        (b"[None]", 1, 2, "None is not JSON; write null"),
        (b"[True]", 1, 2, "True is not JSON; write true"),
        (b"[False]", 1, 2, "False is not JSON; write false"),
        (b"[truely]", 1, 2, 'text needs double quotes; write "truely"'),
        (b"[true.]", 1, 2, 'text needs double quotes; write "true."'),
        (b"hello", 1, 1, 'text needs double quotes; write "hello"'),
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
        (b"[-]", 1, 2, "a minus sign needs a digit"),
        (b"[0x1F]", 1, 2, "JSON numbers are decimal"),
        (b"[-0x1F]", 1, 2, "JSON numbers are decimal"),
        (b"[0o17]", 1, 2, "JSON numbers are decimal"),
        (b"[0b11]", 1, 2, "JSON numbers are decimal"),
        (b"[1_000]", 1, 2, "1_000 is not a number"),
        (b"[2026-09-30]", 1, 2, "2026-09-30 is not a number"),
        (b"[1, 2", 1, 6, "inside the array opened at line 1, column 1; complete it and close it with ]"),
        (b'[\n {"a":', 2, 7, "inside the object opened at line 2, column 2; complete it and close it with }"),
        (b'{"a": [1}', 1, 9, "this } does not close the array opened at line 1, column 7; that one needs ]"),
        (b"{]", 1, 2, "this ] does not close the object opened at line 1, column 1; that one needs }"),
        (b"}", 1, 1, "nothing is open that this } could close"),
        (b"{}\n{}", 2, 1, "the JSON value ends before this"),
        (b"1,", 1, 2, "the JSON value ends before this"),
        (b"[1,\xc2\xa02]", 1, 4, "U+00A0 (no-break space) is not white space in JSON"),
        (b"[1\x0c]", 1, 3, "U+000C (a control character) is not white space in JSON"),
        (b"[" + BOM + b"1]", 1, 2, "stands in the middle of the text"),
        (b'["caf\xe9"]', 1, 6, "byte 0xE9 is not valid UTF-8"),
        (b"[1, \xff]", 1, 5, "byte 0xFF is not valid UTF-8"),
        (b"[1 \xff]", 1, 4, "byte 0xFF is not valid UTF-8"),
        (b'["\xed\xa0\x80"]', 1, 3, "byte 0xED is not valid UTF-8"),
        ("\ufeff{}".encode("utf-16-le"), 1, 1, "the body is UTF-16"),
        ("\ufeff{}".encode("utf-16-be"), 1, 1, "the body is UTF-16"),
    ],
)
def test_a_mistake_is_reported_where_it_is_to_be_mended(
    body: bytes, line: int, column: int, words: str
) -> None:
    (problem,) = problems(body)

    assert (line, column, ProblemLevel.ERROR) == (problem.line, problem.column, problem.level)
    assert words in problem.message
    assert [] == faults(problem.message)
    assert problem == refused(body)


def test_the_first_violation_of_the_grammar_ends_the_list() -> None:
    result = problems(b'{"a": 1, "a": 2, "b": [1,], "c": [2,], "c": 3}')

    assert [(1, 10), (1, 25)] == [(problem.line, problem.column) for problem in result]


def test_a_bad_byte_hides_everything_behind_it_and_nothing_before() -> None:
    result = problems(b'{"a": 1, "a": "\xff", "a": 2, "b": }')

    assert [9, 15] == [problem.offset for problem in result]


def test_a_mistake_before_a_bad_byte_comes_first() -> None:
    (problem,) = problems(b'[1,, "\xff"]')

    assert (3, "a value is missing") == (problem.offset, problem.message[:18])


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

    assert (2, 2, ProblemLevel.ERROR) == (problem.line, problem.column, problem.level)
    assert 'the key "id" is already in this object, at line 1, column 2' in problem.message


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
    result = problems(text)

    assert offsets == [problem.offset for problem in result]
    assert all("half of a surrogate pair" in problem.message for problem in result)
    assert all(problem.level is ProblemLevel.ERROR for problem in result)


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
    result = problems(b'{"n": ' + number + b"}")

    assert ([] if words is None else [(6, ProblemLevel.WARNING)]) == [
        (problem.offset, problem.level) for problem in result
    ]
    assert words is None or words in result[0].message


@pytest.mark.parametrize(("end", "words"), [(b"}", "JSON allows no comma"), (b"\xff}", "byte 0xFF")])
def test_many_problems_are_cut_at_fifty_and_the_one_that_ends_the_scan_stays(end: bytes, words: str) -> None:
    result = problems(b"{" + b'"a": 1, ' * 200 + end)

    assert 50 == len(result)
    assert words in result[-1].message


def test_warnings_never_push_out_an_error() -> None:
    result = problems(b'{"n": [' + b"1e999, " * 200 + b'0], "a": 1, "a": 2}')

    assert [ProblemLevel.WARNING] * 49 + [ProblemLevel.ERROR] == [problem.level for problem in result]
    many = problems(b'{"n": [' + b"1e999, " * 200 + b"0], " + b'"a": 1, ' * 30 + b"}")
    assert [ProblemLevel.WARNING] * 20 + [ProblemLevel.ERROR] * 30 == [problem.level for problem in many]


def test_nesting_is_limited_to_512_levels() -> None:
    deep = b'[{"a":' * 256 + b"1" + b"}]" * 256

    assert () == problems(deep)
    (problem,) = problems(b"[" + deep + b"]")
    assert (1 + 255 * 6 + 1, "nested over 512 deep here") == (problem.offset, problem.message[23:48])


def test_a_message_shows_nothing_invisible_and_nothing_endless() -> None:
    key = "a\u202e" + "b" * 500
    (problem,) = problems(f'{{"{key}": 1, "{key}": 2}}'.encode())

    assert 'the key "a\\u202e' + "b" * 33 + '…" is already' in problem.message


@pytest.mark.parametrize(("length", "end"), [(40, '"'), (41, '…"')])
def test_a_message_shows_forty_characters_of_a_key(length: int, end: str) -> None:
    key = "😀" * length
    (problem,) = problems(f'{{"{key}": 1, "{key}": 2}}'.encode())

    assert f'the key "{"😀" * 40}{end} is already' in problem.message
