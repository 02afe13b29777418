"""Test HTTP-dates: one form is written, three are read (RFC 9110 section 5.6.7)."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidNotice, VersioningError
from hook_widgets.versioning.notices.httpdate import build_http_date, parse_http_date, read_http_date

EXAMPLE = datetime(1994, 11, 6, 8, 49, 37, tzinfo=UTC)
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
moments = st.datetimes(timezones=st.just(UTC))
letters = st.text(alphabet="MonSunTueday, 0123456789:-JanFebDecGMTUC", max_size=40)


def test_the_example_of_the_rfc_is_written():
    # RFC 9110 section 5.6.7
    assert "Sun, 06 Nov 1994 08:49:37 GMT" == build_http_date(EXAMPLE)


@pytest.mark.parametrize(
    "text",
    ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"],
)
def test_the_three_forms_of_the_rfc_name_the_same_moment(text):
    # RFC 9110 section 5.6.7 prints these three
    assert EXAMPLE == parse_http_date(text, now=NOW)
    assert UTC is parse_http_date(text, now=NOW).tzinfo


@given(moments)
def test_what_is_written_is_what_the_standard_library_reads(moment):
    written = build_http_date(moment)

    assert moment.replace(microsecond=0) == parse_http_date(written)
    if moment.year >= 1000:  # below, email.utils takes the year for one of two or three digits
        assert moment.replace(microsecond=0) == parsedate_to_datetime(written)


@given(st.datetimes(timezones=st.just(UTC)))
def test_the_form_of_asctime_is_read_as_the_c_library_writes_it(moment):
    assert moment.replace(microsecond=0) == parse_http_date(moment.ctime())


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        (datetime(2027, 7, 15, 9, tzinfo=ZoneInfo("Europe/Berlin")), "Thu, 15 Jul 2027 07:00:00 GMT"),
        (datetime(2027, 1, 1, 0, tzinfo=timezone(timedelta(hours=14))), "Thu, 31 Dec 2026 10:00:00 GMT"),
        (datetime(2026, 10, 25, 2, 30, tzinfo=ZoneInfo("Europe/Berlin")), "Sun, 25 Oct 2026 00:30:00 GMT"),
        (
            datetime(2026, 10, 25, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"), fold=1),
            "Sun, 25 Oct 2026 01:30:00 GMT",
        ),
        (datetime(1, 1, 1, tzinfo=UTC), "Mon, 01 Jan 0001 00:00:00 GMT"),
        (datetime.max.replace(tzinfo=UTC), "Fri, 31 Dec 9999 23:59:59 GMT"),
        (datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC), "Wed, 31 Dec 1969 23:59:59 GMT"),
    ],
)
def test_any_zone_is_written_in_gmt_without_fractions(moment, expected):
    assert expected == build_http_date(moment)


@pytest.mark.parametrize(
    ("now", "text", "year"),
    [
        # More than 50 years ahead of now is the past (RFC 9110 section 5.6.7); exactly 50 years is not more.
        ("2026-11-21T12:00:00Z", "Saturday, 21-Nov-76 12:00:00 GMT", 2076),
        ("2026-11-21T12:00:00Z", "Sunday, 21-Nov-76 12:00:01 GMT", 1976),
        ("2026-11-21T12:00:00Z", "Friday, 01-Jan-77 00:00:00 GMT", None),
        ("2026-11-21T12:00:00Z", "Saturday, 01-Jan-77 00:00:00 GMT", 1977),
        ("2026-11-21T12:00:00Z", "Saturday, 01-Jan-00 00:00:00 GMT", 2000),
        ("1999-06-01T00:00:00Z", "Saturday, 01-Jan-00 00:00:00 GMT", 2000),
        ("1999-06-01T00:00:00Z", "Friday, 01-Jan-49 00:00:00 GMT", 2049),
        ("1999-06-01T00:00:00Z", "Sunday, 01-Jan-50 00:00:00 GMT", 1950),
        # The 29 February of 2100, which is tried first, does not exist.
        ("2050-01-01T00:00:00Z", "Tuesday, 29-Feb-00 00:00:00 GMT", 2000),
    ],
)
def test_a_year_of_two_digits_is_at_most_fifty_years_ahead(now, text, year):
    at = datetime.fromisoformat(now)
    if year is None:
        with pytest.raises(InvalidNotice, match="is a"):
            parse_http_date(text, now=at)
    else:
        assert year == parse_http_date(text, now=at).year


def test_a_year_of_two_digits_needs_the_time_of_reading():
    with pytest.raises(InvalidNotice, match="pass now="):
        parse_http_date("Sunday, 06-Nov-94 08:49:37 GMT")
    with pytest.raises(InvalidNotice, match="no time zone"):
        parse_http_date("Sunday, 06-Nov-94 08:49:37 GMT", now=NOW.replace(tzinfo=None))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # The second that was inserted (IERS Bulletin C 52) belongs to the day before.
        ("Sat, 31 Dec 2016 23:59:60 GMT", datetime(2017, 1, 1, tzinfo=UTC)),
        ("Tue Jun 30 23:59:60 2015", datetime(2015, 7, 1, tzinfo=UTC)),
    ],
)
def test_a_leap_second_is_the_midnight_that_follows(text, expected):
    assert expected == parse_http_date(text)


@pytest.mark.parametrize(
    "text",
    [
        "Sat, 31 Dec 2016 12:59:60 GMT",  # the grammar ends at 23:59:60
        "Sat, 31 Dec 2016 23:59:61 GMT",
        "Sat, 31 Dec 2016 24:00:00 GMT",
        "Sat, 31 Dec 2016 23:60:00 GMT",
        "Mon, 30 Feb 2026 00:00:00 GMT",
        "Mon, 29 Feb 2027 00:00:00 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sat, 01 Jan 0000 00:00:00 GMT",
        "Fri, 31 Dec 9999 23:59:60 GMT",
        "Sun Nov  0 08:49:37 1994",
    ],
)
def test_a_moment_that_does_not_exist_is_rejected(text):
    with pytest.raises(InvalidNotice, match="no such moment"):
        parse_http_date(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-11-11T11:11:11Z",
        "@784111777",
        "784111777",
        "sun, 06 nov 1994 08:49:37 gmt",  # HTTP-date is case sensitive
        "Sun, 06 Nov 1994 08:49:37",
        "Sun, 06 Nov 1994 08:49:37 +0000",
        "Sun, 06 Nov 1994 08:49:37 EST",
        "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 94 08:49:37 GMT",
        "Sun,06 Nov 1994 08:49:37 GMT",
        "Sun, 06  Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 8:49:37 GMT",
        "Sun, 06 Nov 1994 08:49 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT ",
        "Sun, 06 Nov 1994 08:49:37 GMT\n",
        "Sun, ٠٦ Nov 1994 08:49:37 GMT",
        "Sun Nov 6 08:49:37 1994",
        "Sun, 06-Nov-1994 08:49:37 GMT",
        "06 Nov 1994 08:49:37 GMT",
    ],
)
def test_other_forms_are_rejected_with_an_example(text):
    with pytest.raises(InvalidNotice, match="no HTTP-date; send one such as 'Sun, 06 Nov 1994 08:49:37 GMT'"):
        parse_http_date(text, now=NOW)


@pytest.mark.parametrize(
    ("text", "moment", "fault"),
    [
        # RFC 8594 section 3 prints this example; that day was a Monday
        ("Sat, 31 Dec 2018 23:59:59 GMT", datetime(2018, 12, 31, 23, 59, 59, tzinfo=UTC), "a Monday"),
        # RFC 9745 section 4 prints this one
        ("Sun, 30 Jun 2024 23:59:59 UTC", datetime(2024, 6, 30, 23, 59, 59, tzinfo=UTC), "send GMT"),
        ("Monday, 06-Nov-94 08:49:37 GMT", EXAMPLE, "a Sunday"),
        ("Mon Nov  6 08:49:37 1994", EXAMPLE, "a Sunday"),
    ],
)
def test_what_is_wrong_and_yet_clear_is_read_and_reported(text, moment, fault):
    read, problem = read_http_date(text, now=NOW)

    assert moment == read
    assert fault in problem
    with pytest.raises(InvalidNotice, match=fault):
        parse_http_date(text, now=NOW)


def test_a_date_needs_its_zone():
    with pytest.raises(InvalidNotice, match="no time zone") as caught:
        build_http_date(EXAMPLE.replace(tzinfo=None), name="Sunset")

    assert "sunset" == caught.value.field


@pytest.mark.parametrize(
    "moment",
    [
        datetime.min.replace(tzinfo=timezone(timedelta(hours=1))),
        datetime.max.replace(tzinfo=timezone(timedelta(hours=-1))),
    ],
)
def test_a_moment_that_has_no_year_in_gmt_is_rejected(moment):
    with pytest.raises(InvalidNotice, match="years 1 to 9999"):
        build_http_date(moment)


@pytest.mark.parametrize("value", [None, b"Sun, 06 Nov 1994 08:49:37 GMT", 784111777, EXAMPLE])
def test_only_text_is_read(value):
    with pytest.raises(InvalidNotice, match="text"):
        parse_http_date(value)


@given(st.one_of(st.text(max_size=60), letters, st.sampled_from(["Sun, 06 Nov 1994 08:49:37 GMT"] * 2)))
def test_no_other_error_leaves_the_parser(text):
    with contextlib.suppress(VersioningError):
        parse_http_date(text, now=NOW)
