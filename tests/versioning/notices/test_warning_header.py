"""Test the Warning field with the code 299 (RFC 7234 section 5.5)."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidNotice, VersioningError
from hook_widgets.versioning.notices.warning_header import (
    HttpWarning,
    build_warning,
    parse_warnings,
    read_warnings,
)
from tests.versioning.steps import steps

MOMENT = datetime(2012, 8, 25, 23, 34, 45, tzinfo=UTC)
printable = st.text(alphabet=[chr(code) for code in range(0x20, 0x7F)], max_size=30)
pieces = st.sampled_from(
    [
        "299",
        "110",
        " ",
        "  ",
        "-",
        '"',
        '"text"',
        ",",
        "\\",
        "\t",
        "\n",
        '"Sat, 25 Aug 2012 23:34:45 GMT"',
        "a:80",
    ]
)


def test_the_example_of_the_rfc_is_read():
    # RFC 7234 section 5.5
    value = '112 - "network down" "Sat, 25 Aug 2012 23:34:45 GMT"'

    assert (HttpWarning(112, "-", "network down", MOMENT),) == parse_warnings(value)


@pytest.mark.parametrize(
    ("built", "expected"),
    [
        (build_warning("v1 is deprecated"), '299 - "v1 is deprecated"'),
        (build_warning("v1", date=MOMENT), '299 - "v1" "Sat, 25 Aug 2012 23:34:45 GMT"'),
        (build_warning("v1", agent="api.example.com:443"), '299 api.example.com:443 "v1"'),
        (build_warning('say "v1", \\'), '299 - "say \\"v1\\", \\\\"'),
    ],
)
def test_a_warning_is_written_in_the_grammar_of_the_rfc(built, expected):
    assert expected == built


@given(printable.filter(str.strip), st.none() | st.datetimes(timezones=st.just(UTC)))
def test_what_is_written_is_read_again(text, date):
    seconds = date and date.replace(microsecond=0)

    assert (HttpWarning(299, "-", text, seconds),) == parse_warnings(build_warning(text, date=date))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (
            '299 - "a", 110 [::1]:80 "b", 199 cache "c"',
            [(299, "-", "a"), (110, "[::1]:80", "b"), (199, "cache", "c")],
        ),
        (['299 - "a"', '299 - "b"'], [(299, "-", "a"), (299, "-", "b")]),
        (' , 299  -  "a"\t,, ', [(299, "-", "a")]),
        ('299 - "a, 110 - \\"b\\"" , 110 - "c"', [(299, "-", 'a, 110 - "b"'), (110, "-", "c")]),
        ('299 - ""', [(299, "-", "")]),
        ('299 - "é"', [(299, "-", "é")]),
        ("", []),
    ],
)
def test_several_warnings_are_read_in_order(value, expected):
    assert expected == [(warning.code, warning.agent, warning.text) for warning in parse_warnings(value)]


def test_a_date_of_the_old_form_needs_the_time_of_reading():
    value = '299 - "v1" "Saturday, 25-Aug-12 23:34:45 GMT"'

    assert MOMENT == parse_warnings(value, now=MOMENT)[0].date
    with pytest.raises(InvalidNotice, match="pass now="):
        parse_warnings(value)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("v1 is deprecated", "character 1, at 'v1 is deprec'"),
        ('29 - "a"', "character 1"),
        ('2999 - "a"', "character 1"),
        ('299 "a"', "character 1"),
        ('299-"a"', "character 1"),
        ("299 - a", "character 7, at 'a'"),
        ("299 - ", "character 7, at the end"),
        ('299 - "a', "character 7"),
        ('299 - "a" b', "character 10"),
        ('299 - "a""Sat, 25 Aug 2012 23:34:45 GMT"', "character 10"),
        ('299 - "a" "tomorrow"', "no HTTP-date"),
        ('299 - "a" ""', "no HTTP-date"),
        ('299 - "a" "Sat, 25 Aug 2012 23:34:45 GMT', "character 10"),
        ('299 - "a" "Sun, 25 Aug 2012 23:34:45 GMT"', "is a Saturday"),
        ('299 - "a"\r\n', "control character"),
    ],
)
def test_what_is_malformed_is_rejected_with_its_place(value, problem):
    with pytest.raises(InvalidNotice) as caught:
        parse_warnings(value)

    assert problem in str(caught.value)
    assert "warning" == caught.value.field


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ('299 "a", 299 - "b"', ["", "b"]),
        ('299 - a, 299 - "b"', ["", "b"]),
        ('299 - "a" x, 299 - "b"', ["", "b"]),
        ('299 - "a" "x", 299 - "b"', ["", "b"]),
        ('299 - "a, 299 - b', [""]),  # the open quotation mark took all that follows
        (['299 - "a', '299 - "b"'], ["", "b"]),
    ],
)
def test_a_malformed_warning_does_not_hide_those_after_it(value, expected):
    warnings = list(read_warnings(value))

    assert expected == [warning.text if isinstance(warning, HttpWarning) else "" for warning in warnings]


@pytest.mark.parametrize("text", ["", "  ", "é", "a\r\nX: y", "a\tb", "\x7f", "\ud800", None, 5, b"v1"])
def test_a_text_that_the_field_cannot_carry_is_rejected(text):
    with pytest.raises(InvalidNotice) as caught:
        build_warning(text)

    assert "warning" == caught.value.field


@pytest.mark.parametrize("agent", ["", "a b", 'a"', "a,b", "é", "a\r\nb"])
def test_an_agent_that_the_field_cannot_carry_is_rejected(agent):
    with pytest.raises(InvalidNotice, match="agent"):
        build_warning("v1", agent=agent)


def test_a_date_needs_its_zone():
    with pytest.raises(InvalidNotice, match="no time zone"):
        build_warning("v1", date=MOMENT.replace(tzinfo=None))


@given(st.one_of(st.text(), st.lists(pieces, max_size=12).map("".join), st.lists(st.text(), max_size=3)))
def test_no_other_error_leaves_the_parser(value):
    with contextlib.suppress(VersioningError):
        parse_warnings(value)


@pytest.mark.parametrize(
    "value",
    [
        '299 - "' + "\\" * 100_000,
        '299 - "a" "' + "b" * 100_000,
        '299 - "a" ' + " " * 100_000,
        "299" + " " * 100_000,
        "299 " + "a" * 100_000,
        "," * 100_000 + "x",
        ", " * 50_000 + "x",
        ',299 - "' * 12_500,
        ",299 - a" * 12_500,
        ',299 - "a" "b"' * 7_000,
        ',299 - "a" b' * 8_000,
    ],
    ids=lambda value: value[:14],
)
def test_a_hostile_text_of_100_kb_is_read_once(value):
    # Quadratic steps would be 10^10 here, and the run would not end.
    for warning in read_warnings(value):
        assert isinstance(warning, HttpWarning | InvalidNotice)


@pytest.mark.parametrize(
    "piece", ['299 - "a",', ",", '299 - "', ",299 - a", ',299 - "a" "b"', ',299 - "a" b', " "]
)
def test_twice_the_text_is_at_most_twice_the_work(piece):
    once = steps(lambda: list(read_warnings(piece * 1_000)))

    assert 2.1 * once >= steps(lambda: list(read_warnings(piece * 2_000)))
