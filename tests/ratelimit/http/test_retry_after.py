"""``Retry-After``: whole seconds and HTTP-dates, never early (RFC 9110 sections 5.6.7 and 10.2.3)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidHeader
from hook_widgets.ratelimit.http.retry_after import (
    build_retry_after,
    build_retry_date,
    parse_retry_after,
    retry_wait_s,
)

NOW = datetime(2026, 9, 21, 14, 13, 20, tzinfo=UTC)
moments = st.datetimes(timezones=st.just(UTC)).filter(lambda moment: 1900 <= moment.year < 9000)
delays = st.one_of(st.floats(-10, 1e6, allow_nan=False), st.fractions(-10, 10**6), st.integers(-10, 10**6))


@pytest.mark.parametrize(
    ("delay", "expected"), [(0, "0"), (120, "120"), (0.001, "1"), (Fraction(5, 2), "3"), (-4, "0")]
)
def test_a_delay_is_reported_in_whole_seconds_rounded_up(delay: float, expected: str) -> None:
    assert expected == build_retry_after(delay)


def test_the_three_forms_of_a_date_name_the_same_moment() -> None:
    # RFC 9110 section 5.6.7 prints these three
    expected = datetime(1994, 11, 6, 8, 49, 37, tzinfo=UTC)

    assert expected == parse_retry_after("Sun, 06 Nov 1994 08:49:37 GMT")
    assert expected == parse_retry_after(
        "Sunday, 06-Nov-94 08:49:37 GMT", now=datetime(1994, 1, 1, tzinfo=UTC)
    )
    assert expected == parse_retry_after("Sun Nov  6 08:49:37 1994")


@pytest.mark.parametrize(
    ("year", "expected"), [(2026, 2076), (2027, 2076), (2025, 1976), (2090, 2076), (2127, 2176)]
)
def test_a_year_of_two_digits_is_at_most_fifty_years_ahead(year: int, expected: int) -> None:
    moment = parse_retry_after("Wednesday, 01-Jan-76 00:00:00 GMT", now=datetime(year, 6, 1, tzinfo=UTC))

    assert isinstance(moment, datetime)
    assert expected == moment.year


def test_a_leap_second_is_the_next_minute() -> None:
    assert datetime(2017, 1, 1, tzinfo=UTC) == parse_retry_after("Sat, 31 Dec 2016 23:59:60 GMT")


@pytest.mark.parametrize(
    ("text", "expected"), [("0", 0), ("007", 7), ("  120\t", 120), ("9" * 5000, 10**15 - 1)]
)
def test_a_delay_is_read(text: str, expected: int) -> None:
    assert expected == parse_retry_after(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1.5",
        "-1",
        "+1",
        "soon",
        "٣",
        "120 s",
        "Mon, 21 Sep 2026 14:13:20 UTC",
        "Mon, 21 sep 2026 14:13:20 GMT",
        "21 Sep 2026 14:13:20 GMT",
        "2026-09-21T14:13:20Z",
        "Mon, 31 Feb 2026 00:00:00 GMT",
        "Mon, 21 Sep 2026 24:00:00 GMT",
        "Mon, 21 Sep 2026 14:13:61 GMT",
        "Mon, 21 Sep 0000 14:13:20 GMT",
        "Fri, 31 Dec 9999 23:59:60 GMT",
    ],
)
def test_what_is_neither_is_rejected(text: str) -> None:
    with pytest.raises(InvalidHeader, match=r"^Retry-After"):
        parse_retry_after(text)


def test_a_year_of_two_digits_needs_the_time() -> None:
    with pytest.raises(InvalidHeader, match="pass now= to tell the century"):
        parse_retry_after("Sunday, 06-Nov-94 08:49:37 GMT")


@given(moments, delays)
def test_a_client_that_obeys_the_date_is_never_early_and_at_most_a_second_late(
    now: datetime, delay: float
) -> None:
    parsed = parse_retry_after(build_retry_date(now, delay))

    assert isinstance(parsed, datetime)
    assert 0 <= retry_wait_s(parsed, now) - max(Fraction(0), Fraction(delay)) < 1


@given(delays)
def test_a_client_that_obeys_the_seconds_is_never_early_and_at_most_a_second_late(delay: float) -> None:
    parsed = parse_retry_after(build_retry_after(delay))

    assert 0 <= retry_wait_s(parsed, NOW) - max(Fraction(0), Fraction(delay)) < 1


@given(moments.map(lambda moment: moment.replace(microsecond=0)))
def test_a_date_is_written_and_read_back_as_the_same_moment(moment: datetime) -> None:
    assert moment == parse_retry_after(build_retry_date(moment, 0))


def test_the_wait_for_a_moment_that_has_passed_is_zero() -> None:
    assert 0 == retry_wait_s(NOW - timedelta(seconds=5), NOW)


def test_a_moment_is_the_same_in_every_zone() -> None:
    elsewhere = NOW.astimezone(timezone(timedelta(hours=5, minutes=30)))

    assert build_retry_date(NOW, 30) == build_retry_date(elsewhere, 30)


@pytest.mark.parametrize(
    ("now", "delay", "problem"),
    [
        (NOW.replace(tzinfo=None), 1, "now has no time zone"),
        ("today", 1, "now must be a number"),
        (NOW, float("nan"), "Retry-After must be a finite number"),
        (NOW, 1e14, "outside the years 1 to 9999"),
    ],
)
def test_a_date_that_cannot_be_written_is_rejected(now: Any, delay: float, problem: str) -> None:
    with pytest.raises(InvalidHeader, match=problem):
        build_retry_date(now, delay)


def test_a_delay_may_be_a_timedelta():
    delay = timedelta(milliseconds=200)

    assert build_retry_after(0.2) == build_retry_after(delay)
    assert build_retry_date(NOW, 0.2) == build_retry_date(NOW, delay)
