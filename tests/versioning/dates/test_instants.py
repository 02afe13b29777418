"""Compare instants of ambiguous and skipped local times with dateutil's time zones."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import pytest
from dateutil import tz
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidApi, InvalidNotice
from hook_widgets.versioning.dates.instants import in_zone, instant, latest

NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)
ZONES = [
    "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Cairo",
    "America/St_Johns", "Asia/Kolkata", "Europe/Dublin", "Africa/Casablanca",
]  # fmt: skip


class OneSeason(tzinfo):
    """A zone fixed to its winter offset, like those of pytz."""

    def utcoffset(self, moment):
        return timedelta(hours=1)

    def fromutc(self, moment):
        return moment + timedelta(hours=2)

    def dst(self, moment):
        return timedelta()

    def tzname(self, moment):
        return "CET"


@given(
    st.datetimes(datetime.fromisoformat("1975-01-01"), datetime.fromisoformat("2036-01-01")),
    st.sampled_from(ZONES),
)
def test_dateutil_finds_the_same_moment(wall, name):
    judge = tz.resolve_imaginary(tz.enfold(wall.replace(tzinfo=tz.gettz(name)), 1))
    if not tz.datetime_exists(wall.replace(tzinfo=tz.gettz(name))):
        judge = tz.resolve_imaginary(wall.replace(tzinfo=tz.gettz(name)))
    moment = latest(wall, ZoneInfo(name), "it")

    assert judge.astimezone(UTC) == moment.astimezone(UTC)
    assert judge.replace(tzinfo=None, fold=0) == moment.replace(tzinfo=None, fold=0)


@pytest.mark.parametrize(
    ("zone", "wall", "expected"),
    [
        # Skipped: directive 2000/84/EC, Energy Policy Act of 2005, Lord Howe's half-hour, Egypt since 2023
        ("Europe/Berlin", "2027-03-28T02:30", "2027-03-28T03:30+02:00"),
        ("America/New_York", "2027-03-14T02:00", "2027-03-14T03:00-04:00"),
        ("Australia/Lord_Howe", "2026-10-04T02:15", "2026-10-04T02:45+11:00"),
        ("Africa/Cairo", "2026-04-24T00:30", "2026-04-24T01:30+03:00"),
        # Samoa went over the date line: after 29 December 2011 came the 31st
        ("Pacific/Apia", "2011-12-30T10:00", "2011-12-31T10:00+14:00"),
        # Shown twice
        ("Europe/Berlin", "2026-10-25T02:30", "2026-10-25T02:30+01:00"),
        ("America/New_York", "2026-11-01T01:59", "2026-11-01T01:59-05:00"),
        ("Australia/Lord_Howe", "2027-04-04T01:45", "2027-04-04T01:45+10:30"),
        # The hours beside
        ("Europe/Berlin", "2027-03-28T01:59", "2027-03-28T01:59+01:00"),
        ("Europe/Berlin", "2027-03-28T03:00", "2027-03-28T03:00+02:00"),
        ("Europe/Berlin", "2026-10-25T03:00", "2026-10-25T03:00+01:00"),
        ("Australia/Lord_Howe", "2027-04-04T01:29", "2027-04-04T01:29+11:00"),
    ],
)
def test_a_skipped_time_moves_forward_and_a_repeated_one_is_the_second(zone, wall, expected):
    moment = latest(datetime.fromisoformat(wall), ZoneInfo(zone), "it")

    assert datetime.fromisoformat(expected).astimezone(UTC) == moment.astimezone(UTC)
    assert expected == moment.isoformat("T", "minutes")


@given(st.datetimes(), st.integers(-1439, 1439))
def test_a_fixed_offset_keeps_every_time(wall, minutes):
    zone = timezone(timedelta(minutes=minutes))
    try:
        moment = latest(wall, zone, "it")
    except InvalidApi:
        assert wall.year in {1, 9999}
    else:
        assert wall == moment.replace(tzinfo=None)


def test_the_order_of_a_repeated_hour_is_that_of_the_clock_in_utc():
    first = datetime(2026, 10, 25, 2, 50, tzinfo=ZoneInfo("Europe/Berlin"))
    second = datetime(2026, 10, 25, 2, 10, tzinfo=ZoneInfo("Europe/Berlin"), fold=1)

    assert second < first  # as Python compares within a zone
    assert instant(first, "it") < instant(second, "it")


def test_a_zone_that_keeps_the_offset_of_one_season_is_rejected():
    with pytest.raises(InvalidApi, match=r"use zoneinfo\.ZoneInfo") as caught:
        latest(NOON.replace(tzinfo=None), OneSeason(), "it", field="months")

    assert "months" == caught.value.field


@pytest.mark.parametrize(
    "moment",
    [
        NOON.replace(tzinfo=None),
        NOON.replace(tzinfo=type("No", (OneSeason,), {"utcoffset": lambda *_: None})()),
    ],
)
def test_a_moment_without_a_zone_is_rejected(moment):
    with pytest.raises(InvalidNotice, match="the removal has no time zone; add one") as caught:
        instant(moment, "the removal", field="sunset", error=InvalidNotice)

    assert "sunset" == caught.value.field


@pytest.mark.parametrize("moment", [date(2026, 7, 1), "2026-07-01", 1_790_000_000, None])
def test_what_is_no_datetime_is_rejected(moment):
    with pytest.raises(InvalidApi, match="must be a datetime with a time zone"):
        instant(moment, "the removal")


def test_moments_beyond_the_calendar_are_rejected():
    ahead, behind = timezone(timedelta(hours=14)), timezone(timedelta(hours=-12))
    with pytest.raises(InvalidApi, match="years 1 to 9999"):
        instant(datetime.min.replace(tzinfo=ahead), "it")
    with pytest.raises(InvalidApi, match="years 1 to 9999"):
        instant(datetime.max.replace(tzinfo=behind), "it")
    with pytest.raises(InvalidApi, match="years 1 to 9999"):
        in_zone(datetime.max.replace(tzinfo=UTC), ahead, "it")
    with pytest.raises(InvalidApi, match="years 1 to 9999"):
        latest(datetime.fromisoformat("9999-12-31T23:00"), behind, "it")
