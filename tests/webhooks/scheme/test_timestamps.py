"""Times as providers write them, and reading them back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.webhooks.scheme.timestamps import TimestampUnit, read_moment, write_moment

NOON = datetime(2026, 9, 1, 12, 0, 5, 678901, UTC)
# The finest step that a unit can tell.
STEP = {
    TimestampUnit.SECONDS: timedelta(seconds=1),
    TimestampUnit.MILLISECONDS: timedelta(milliseconds=1),
    TimestampUnit.ISO8601: timedelta(seconds=1),
    TimestampUnit.ISO8601_MS: timedelta(milliseconds=1),
    TimestampUnit.ISO8601_NS: timedelta(microseconds=1),
    TimestampUnit.ISO8601_OFFSET: timedelta(seconds=1),
    TimestampUnit.ISO8601_MS_NAIVE: timedelta(milliseconds=1),
    TimestampUnit.HTTP_DATE: timedelta(seconds=1),
}


@pytest.mark.parametrize(
    ("unit", "text"),
    [
        ("s", "1788264005"),
        ("ms", "1788264005678"),
        ("iso8601", "2026-09-01T12:00:05Z"),
        ("iso8601-ms", "2026-09-01T12:00:05.678Z"),
        ("iso8601-ns", "2026-09-01T12:00:05.678901001Z"),
        ("iso8601-offset", "2026-09-01T05:00:05-07:00"),
        ("iso8601-ms-naive", "2026-09-01T12:00:05.678"),
        ("http-date", "Tue, 01 Sep 2026 12:00:05 GMT"),
    ],
)
def test_each_unit_is_written_with_its_fraction_cut_off(unit, text):
    assert text == write_moment(NOON, TimestampUnit(unit))


@pytest.mark.parametrize("unit", TimestampUnit)
@given(
    moment=st.datetimes(
        NOON.replace(year=1971, tzinfo=None),
        NOON.replace(year=2200, tzinfo=None),
        timezones=st.just(timezone(timedelta(hours=3))),
    )
)
def test_what_is_written_is_read_back_to_the_units_own_step(unit, moment):
    back = read_moment(write_moment(moment, unit), unit)

    assert timedelta(0) <= moment - back < STEP[unit]


@pytest.mark.parametrize(
    ("unit", "text"),
    [
        ("s", "1788264005.5"),
        ("s", "-1"),
        ("s", ""),
        ("s", "17882640051788264005"),
        ("ms", "2026-09-01T12:00:05Z"),
        ("ms", "9999999999999999"),
        ("iso8601", "1788264005"),
        ("iso8601", "2026-13-01T12:00:05Z"),
        ("http-date", "yesterday"),
    ],
)
def test_a_time_of_another_unit_is_rejected(unit, text):
    with pytest.raises(ValueError):  # noqa: PT011 - its text is not shown to anyone
        read_moment(text, TimestampUnit(unit))


@pytest.mark.parametrize("text", ["2024-03-27T15:42:29.551", "2024-03-27T15:42:29.551000000Z"])
def test_a_time_without_zone_is_utc_and_nanoseconds_are_read(text):
    assert datetime(2024, 3, 27, 15, 42, 29, 551000, UTC) == read_moment(text, TimestampUnit.ISO8601)


@pytest.mark.parametrize(
    ("unit", "text"),
    [
        ("http-date", "Mon, 01 Jan 99999999999999999999 00:00:00 GMT"),
        ("http-date", "Mon, 01 Jan 2026 00:00:00 +99999999999999"),
        ("s", "9999999999999999"),
        ("iso8601", "2026-09-01T12:00:05+99:00"),
    ],
)
def test_a_time_beyond_every_calendar_is_rejected(unit, text):
    with pytest.raises(ValueError, match=r"99|out of range|invalid|offset must"):
        read_moment(text, TimestampUnit(unit))
