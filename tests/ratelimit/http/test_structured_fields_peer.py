"""Structured Fields: what is read agrees with `http_sf`, the parser of the editor of RFC 9651."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

import http_sf
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets._structured_fields import Other
from hook_widgets.errors import InvalidHeader
from hook_widgets.ratelimit.http.structured_fields import parse_list

VALUES = (
    '"default"',
    r'"a\"b"',
    "42",
    "-7",
    "1.5",
    "1.",
    "tok/en",
    ":aGk=:",
    ":aGk:",
    ":a:",
    "?1",
    "?2",
    "@5",
    "@-0",
)
DISPLAY = ('%"%c3%bc"', '%"%ff"')
SIGNS = (";", "; ", "a", "b=", ";q=1", ";t=-1", ",", ", ", " ", "\t", "(", ")", '"', "é", "\x7f")


def plain(value: object) -> object:
    """A value of http_sf as ours: with what its type makes of it, verbatim otherwise."""
    if isinstance(value, bool):
        return Other("boolean", f"?{value:d}")
    if isinstance(value, int | bytes) or type(value) is str:
        return value
    kinds: dict[type, str] = {Decimal: "decimal", datetime: "date", http_sf.DisplayString: "display"}
    return kinds.get(type(value), "token")


def same(ours: object, theirs: object) -> bool:
    """Equal, or both of a type that is only checked."""
    expected = plain(theirs)
    return expected == (ours.kind if isinstance(ours, Other) and isinstance(expected, str) else ours)


@given(st.lists(st.sampled_from(VALUES + DISPLAY + SIGNS), max_size=12).map("".join) | st.text(max_size=20))
def test_the_other_parser_reads_the_same_list(text: str):
    try:
        expected: Any = http_sf.parse(text.encode(), tltype="list")
    except http_sf.StructuredFieldError:
        expected = None
    if expected is not None and any(isinstance(value, list) for value, _ in expected):
        expected = None  # an Inner List, which no rate limit field has
    try:
        items = parse_list("RateLimit", text)
    except InvalidHeader:
        assert expected is None
        return

    assert expected is not None
    assert len(expected) == len(items)
    for item, (value, parameters) in zip(items, expected, strict=True):
        assert same(item.value, value)
        assert [*item.parameters] == [*parameters]
        assert all(same(item.parameters[name], each) for name, each in parameters.items())
