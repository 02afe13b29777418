"""Structured Fields: the grammar of RFC 9651, one error for each way to break it.

The cases follow the rules that the published tests at github.com/httpwg/structured-field-tests check.
"""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets._structured_fields import Bare, Other
from hook_widgets.errors import InvalidHeader
from hook_widgets.ratelimit.http.structured_fields import Item, build_list, parse_list

keys = st.from_regex(r"[a-z*][a-z0-9_\-.*]*", fullmatch=True)
ascii_text = st.text(alphabet=[chr(code) for code in range(0x20, 0x7F)])
values = st.one_of(st.integers(-(10**15) + 1, 10**15 - 1), ascii_text, st.binary())
items = st.builds(Item, values, st.dictionaries(keys, values, max_size=4))


def value(text: str) -> Bare:
    (item,) = parse_list("RateLimit", text)
    return item.value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("42", 42),
        ("-0", 0),
        ("042", 42),
        ("-999999999999999", -999_999_999_999_999),
        ('""', ""),
        (r'"say \"hi\" \\ there"', r'say "hi" \ there'),
        ('"a,b;c"', "a,b;c"),
        ("::", b""),
        (":aGVsbG8=:", b"hello"),
        (":aGVsbG8:", b"hello"),
        (":iZ==:", b"\x89"),
        ("1.125", Other("decimal", "1.125")),
        ("foo123/456", Other("token", "foo123/456")),
        ("*:a", Other("token", "*:a")),
        ("?0", Other("boolean", "?0")),
        ("@-1659578233", Other("date", "@-1659578233")),
        ('%"f%c3%bc"', Other("display", "f%c3%bc")),
    ],
)
def test_every_type_of_value_is_read(text: str, expected: Bare) -> None:
    assert expected == value(text)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("1234567890123456", 16),
        ("1234567890123.0", 14),
        ("1.", 2),
        ("1.1234", 6),
        ("--1", 1),
        ("- 1", 1),
        ('"open', 1),
        (r'"bad \escape"', 1),
        ('"t\tab"', 1),
        ('"füü"', 1),
        ("'single'", 1),
        (":aGVsbG8", 1),
        (":a=GVsbG8:", 1),
        (":a:", 1),
        (":a-b_:", 1),
        ("?1?", 3),
        ("?2", 1),
        ('%"f%C3"', 1),
        ('%"%c3%28"', 1),
        ("@1.5", 3),
        ("1,", 3),
        ("1,,2", 3),
        ("1 2", 2),
        ("1;", 3),
        ("1; ", 3),
        ("1;=2", 3),
        ("1;A=2", 3),
        ("1;q =2", 4),
        ("1;q= 2", 5),
        ("1 ;q=2", 2),
        ("(1 2)", 1),
        ("\t1", 1),
        ("\t", 1),
        ("1,\t", 4),
        ("1\t2", 2),
    ],
)
def test_what_breaks_the_grammar_is_rejected_with_its_place(text: str, at: int) -> None:
    with pytest.raises(InvalidHeader, match=rf"^RateLimit is malformed at character {at}: expected "):
        parse_list("RateLimit", text)


def test_white_space_is_allowed_around_commas_and_after_semicolons_only() -> None:
    expected = parse_list("RateLimit", '"a";q=1,"b"')

    assert expected == parse_list("RateLimit", '  "a";  q=1 \t , \t "b"  ')


@pytest.mark.parametrize("end", ["\t", " \t ", "\t\t"])
def test_white_space_after_the_last_member_may_be_a_tab(end: str) -> None:
    assert parse_list("RateLimit", "1, 2") == parse_list("RateLimit", f"1, 2{end}")  # RFC 9651 section 4.2.1


def test_a_parameter_without_a_value_is_true_and_the_last_of_a_name_counts() -> None:
    (item,) = parse_list("RateLimit", '"a";b=1;c;b=3')

    assert [("b", 3), ("c", Other("boolean", "?1"))] == list(item.parameters.items())


def test_a_field_that_occurs_twice_is_one_list() -> None:
    assert parse_list("RateLimit", "1, 2") == parse_list("RateLimit", ["1", "2"])


def test_an_empty_line_between_two_is_an_empty_member() -> None:
    with pytest.raises(InvalidHeader, match="character 4: expected a value"):
        parse_list("RateLimit", ["1", "", "2"])


def test_an_empty_field_is_an_empty_list() -> None:
    assert () == parse_list("RateLimit", "  ")


def test_an_empty_list_is_not_written() -> None:
    with pytest.raises(InvalidHeader, match="RateLimit has no members; leave the field out"):
        build_list("RateLimit", [])


@pytest.mark.parametrize("wrong", ["tab\t", "é", 10**15, True, Other("token", "a"), None])
def test_a_value_that_cannot_be_written_is_rejected(wrong: Bare) -> None:
    with pytest.raises(InvalidHeader, match="RateLimit cannot carry"):
        build_list("RateLimit", [Item(wrong)])


def test_a_parameter_name_that_cannot_be_written_is_rejected() -> None:
    with pytest.raises(InvalidHeader, match="'Q' is no parameter name"):
        build_list("RateLimit", [Item(1, {"Q": 1})])


def test_lines_that_are_not_text_are_rejected() -> None:
    with pytest.raises(InvalidHeader, match="pass the field's value as text"):
        parse_list("RateLimit", [b"1"])  # type: ignore[list-item]


def test_a_list_has_at_most_the_members_that_every_parser_reads() -> None:
    # RFC 9651 section 3.1: "Parsers MUST support Lists containing at least 1024 members."
    assert 1024 == len(parse_list("RateLimit", ["1"] * 1024))
    with pytest.raises(InvalidHeader, match="expected at most 1024 members"):
        parse_list("RateLimit", "1, " * 400_000)


@given(st.lists(items, min_size=1, max_size=4))
def test_what_is_written_is_read_back(members: list[Item]) -> None:
    assert members == list(parse_list("RateLimit", build_list("RateLimit", members)))


@given(st.text())
def test_any_text_is_either_read_or_rejected_with_our_error(text: str) -> None:
    with contextlib.suppress(InvalidHeader):
        assert all(isinstance(item, Item) for item in parse_list("RateLimit", text))
