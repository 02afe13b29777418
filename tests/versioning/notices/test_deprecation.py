"""Test the Deprecation field (RFC 9745), a Structured Field Date (RFC 9651)."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import http_sf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidNotice, VersioningError
from hook_widgets.versioning.notices.deprecation import build_deprecation, parse_deprecation
from tests.versioning.steps import steps

MOMENT = datetime(2023, 6, 30, 23, 59, 59, tzinfo=UTC)
pieces = st.sampled_from(
    [
        *'@-0123456789.;= ,a"\\:%?*',
        ";a",
        "=1",
        '="x"',
        "=:YQ==:",
        "=?1",
        "=@5",
        '=%"%c3%a4"',
        "; b=c/d",
        "@168",
    ]
)


def test_the_example_of_the_rfc_is_written_and_read():
    # RFC 9745 section 2.1: @1688169599 is Friday, June 30, 2023 at 23:59:59 UTC
    assert "@1688169599" == build_deprecation(MOMENT)
    assert MOMENT == parse_deprecation("@1688169599")
    assert UTC is parse_deprecation("@1688169599").tzinfo


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        (MOMENT.astimezone(ZoneInfo("Australia/Lord_Howe")), "@1688169599"),
        (MOMENT + timedelta(microseconds=999_999), "@1688169599"),
        (datetime(1970, 1, 1, tzinfo=UTC), "@0"),
        (datetime(1969, 12, 31, 23, 59, 59, 1, tzinfo=UTC), "@-1"),
        # RFC 9651 section 3.3.7 names the range from year 1 to year 9999
        (datetime(1, 1, 1, tzinfo=UTC), "@-62135596800"),
        (datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC), "@253402300799"),
    ],
)
def test_a_moment_is_written_in_whole_seconds_never_later(moment, expected):
    assert expected == build_deprecation(moment)


@pytest.mark.parametrize(
    "value",
    [
        ["@1688169599"],
        "  @1688169599 ",
        "@01688169599",
        "@1688169599;a",
        "@1688169599;   a;  b",
        '@1688169599; a="x, \\"y\\"; z";b=1.5;c=?0;*d=token/x:y',
        '@1688169599;a=:YQ:;b=:YQ==:;c=%"%c3%a4";d=@-5;e=-17;a=2',
    ],
)
def test_parameters_are_checked_and_ignored(value):
    # RFC 9745 defines none
    assert MOMENT == parse_deprecation(value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("@1688169599;", "a parameter"),
        ("@1688169599 ;a", "a parameter"),
        ("@1688169599;\ta", "a parameter"),
        ("@1688169599;A=1", "a parameter"),
        ("@1688169599 x", "a parameter"),
        ("@1688169599;a=", "the value of a parameter"),
        ("@1688169599;a= 1", "the value of a parameter"),
        ("@1688169599;a=1.", "a parameter"),
        ("@1688169599;a=1.2345", "a parameter"),
        ("@1688169599;a=1234567890123.1", "a parameter"),
        ("@1688169599;a=1234567890123456", "a parameter"),
        ('@1688169599;a="x', "the value of a parameter"),
        ('@1688169599;a="ü"', "the value of a parameter"),
        ('@1688169599;a="\\x"', "the value of a parameter"),
        ("@1688169599;a=:a:", "base64 between the colons"),
        ("@1688169599;a=:Y=Q=:", "the value of a parameter"),
        ("@1688169599;a=?2", "the value of a parameter"),
        ('@1688169599;a=%"%c3"', "UTF-8 in the Display String"),
        ('@1688169599;a=%"%C3%A4"', "the value of a parameter"),
        ("@1688169599;a=(1 2)", "the value of a parameter"),
        ("@1688169599;a=@1.5", "a parameter"),
    ],
)
def test_malformed_parameters_are_errors_with_their_place(value, expected):
    with pytest.raises(InvalidNotice, match=rf"malformed at character \d+: expected {expected}"):
        parse_deprecation(value)


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        # What drafts before the RFC sent: draft-ietf-httpapi-deprecation-header-02 section 2
        ("true", "as drafts before RFC 9745 had it; send seconds since 1970"),
        ("?1", "as drafts before RFC 9745 had it; send seconds since 1970"),
        ("Fri, 30 Jun 2023 23:59:59 GMT", "an HTTP-date as drafts.*; send '@1688169599'"),
        ("false", "leave the field out"),
        ("1688169599", "seconds without their '@'; send '@1688169599'"),
        ("1688169599000", "is no Structured Field Date; send seconds since 1970"),
        ("@1688169599.5", "a Date has no fraction"),
        ("@1688169599.", "a Date has no fraction"),
        ("@1688169599000", "are these milliseconds"),
        ("@-99999999999999", "outside the years 1 to 9999"),
        ("@253402300800", "outside the years 1 to 9999"),
        ("@9999999999999999", "no Structured Field Date; send seconds since 1970"),
        ("2023-06-30T23:59:59Z", "no Structured Field Date"),
        ('"@1688169599"', "no Structured Field Date"),
        ("", "is '', which is no Structured Field Date"),
        ("@", "no Structured Field Date"),
        ("@-", "no Structured Field Date"),
        ("@+5", "no Structured Field Date"),
        ("\t@5", "no Structured Field Date"),  # RFC 9651 section 4.2 passes over spaces only
        ("@ 5", "no Structured Field Date"),
        ("@٣", "no Structured Field Date"),
        ("Sunday, 06-Nov-94 08:49:37 GMT", "no Structured Field Date"),
        ("@1688169599, @1688169599", "several values"),
        ("@1688169599 , @1688169599", "several values"),
    ],
)
def test_what_is_no_date_is_reported_with_what_to_send_instead(value, hint):
    with pytest.raises(InvalidNotice, match=hint) as caught:
        parse_deprecation(value)

    assert "deprecation" == caught.value.field


@pytest.mark.parametrize("value", [["@1", "@1"], ("@1688169599", "")])
def test_a_second_line_is_an_error(value):
    with pytest.raises(InvalidNotice, match="sent 2 times"):
        parse_deprecation(value)


@pytest.mark.parametrize("value", [[], None, 1688169599, b"@1688169599", [1], "@1\r\nX: y"])
def test_what_is_no_field_is_rejected(value):
    with pytest.raises(InvalidNotice, match="Deprecation"):
        parse_deprecation(value)


@pytest.mark.parametrize(
    "moment",
    [
        MOMENT.replace(tzinfo=None),
        MOMENT.date(),
        1688169599,
        datetime.min.replace(tzinfo=timezone(timedelta(hours=1))),
        datetime.max.replace(tzinfo=timezone(timedelta(hours=-1))),
    ],
)
def test_only_moments_with_a_zone_are_written(moment):
    with pytest.raises(InvalidNotice) as caught:
        build_deprecation(moment)

    assert "deprecation" == caught.value.field


@given(st.datetimes(timezones=st.just(UTC)))
def test_another_reader_of_structured_fields_reads_what_is_written(moment):
    written = build_deprecation(moment)

    assert moment.replace(microsecond=0) == parse_deprecation(written)
    assert (moment.replace(microsecond=0), {}) == http_sf.parse(written.encode(), tltype="item")


@given(
    st.one_of(
        st.lists(pieces, max_size=8).map(lambda parts: "@1" + "".join(parts)),
        st.lists(pieces, max_size=6).map("".join),
        st.text(max_size=20),
    )
)
def test_another_reader_of_structured_fields_agrees_on_what_is_a_date(text):
    try:
        judged: Any = http_sf.parse(text.encode("ascii", "replace"), tltype="item")
    except (ValueError, OverflowError, OSError):
        judged = (None, {})
    expected = judged[0] if isinstance(judged[0], datetime) else None
    try:
        parsed = parse_deprecation(text)
    except VersioningError:
        parsed = None

    assert expected == parsed


@given(st.one_of(st.text(), st.lists(st.text(), max_size=3)))
def test_no_other_error_leaves_the_parser(value):
    with contextlib.suppress(VersioningError):
        parse_deprecation(value)


@pytest.mark.parametrize(
    "value",
    [
        "@" + "1" * 100_000,
        "@1" + ";a" * 50_000,
        "@1" + ";a=1" * 25_000 + "!",
        "@1;" + " " * 100_000,
        "@1" + " " * 100_000 + "x",
        "@1;" + "a" * 100_000 + "!",
        '@1;a="' + "\\" * 100_000,
        '@1;a="' + "a" * 100_000,
        "@1;a=:" + "A" * 100_000,
        "@1;a=:" + "=" * 100_000,
        '@1;a=%"' + "%c3%a4" * 16_000,
        "Sun, " * 20_000,
    ],
    ids=lambda value: value[:8],
)
def test_a_hostile_text_of_100_kb_is_read_once(value):
    # Quadratic steps would be 10^10 here, and the run would not end.
    with contextlib.suppress(VersioningError):
        parse_deprecation(value)


@pytest.mark.parametrize("piece", [";a", ";a=1", '; a="x"', ";a=:YQ==:", " "])
def test_twice_the_text_is_at_most_twice_the_work(piece):
    def read(times: int) -> None:
        with contextlib.suppress(VersioningError):
            parse_deprecation("@1" + piece * times)

    assert 2.1 * steps(lambda: read(1_000)) >= steps(lambda: read(2_000))
