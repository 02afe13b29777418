"""Test entered dates and zones; the special cases of zones are from the IANA database."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidApi
from hook_widgets.versioning.planning.form_input import dates
from hook_widgets.versioning.planning.form_input.dates import read_day, read_moment, written
from hook_widgets.versioning.planning.form_input.zones import read_zone, zone_names
from tests.versioning.apis import BERLIN, day


def moment(text, zone="Europe/Berlin"):
    return read_moment(text, ZoneInfo(zone), "the removal")


def refused(text, zone="Europe/Berlin"):
    """Return the message with which a date is rejected."""
    with pytest.raises(InvalidApi, match=r"^the removal") as caught:
        moment(text, zone)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-01-31", "2026-01-31T10:00+01:00"),
        (" 2026-7-1 ", "2026-07-01T10:00+02:00"),
        ("2026-01-31 09:00", "2026-01-31T09:00+01:00"),
        ("2026-01-31  9:05", "2026-01-31T09:05+01:00"),
        ("2026-01-31, 09:00", "2026-01-31T09:00+01:00"),
        ("2026-01-31T09:00:30", "2026-01-31T09:00:30+01:00"),
        ("2026-01-31T09:00:30.25", "2026-01-31T09:00:30.250+01:00"),
        ("2026-01-31 09:00Z", "2026-01-31T10:00+01:00"),
        ("2026-01-31 09:00 utc", "2026-01-31T10:00+01:00"),
        ("2026-01-31 09:00 GMT", "2026-01-31T10:00+01:00"),
        ("2026-01-31 09:00 -05:00", "2026-01-31T15:00+01:00"),
        ("2026-01-31 09:00+0530", "2026-01-31T04:30+01:00"),
        ("2026-01-31 09:00+14", "2026-01-30T20:00+01:00"),
        ("2026–01–31", "2026-01-31T10:00+01:00"),  # dashes of a text editor
        ("2026−01−31 09:00", "2026-01-31T09:00+01:00"),  # no-break space
        ("2028-02-29", "2028-02-29T10:00+01:00"),
    ],
)
def test_a_date_is_read_in_the_zone(text, expected):
    read = moment(text)

    assert datetime.fromisoformat(expected) == read
    assert "Europe/Berlin" == str(read.tzinfo)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("", "is empty; write it as 2026-01-31 or 2026-01-31 09:00"),
        ("next year", "write it as 2026-01-31 or 2026-01-31 09:00"),
        ("tomorrow", "write it as 2026-01-31"),
        ("Q3 2026", "write it as 2026-01-31"),
        ("2026", "write it as 2026-01-31"),
        ("2026-02", "write it as 2026-01-31"),
        ("31 February", "February has at most 29 days, and the year is needed too"),
        ("31 February 2026", "February 2026 has 28 days"),
        ("31 Apr", "April has at most 30 days"),
        ("1 March", "the year is missing, write it as in 2026-03-01"),
        ("March 2026", "the day is missing, write it as in 2026-03-01"),
        ("Feb 1, 2026", "write 2026-02-01"),
        ("1st of February 2026", "write 2026-02-01"),
        ("1. Februar 2026", "write 2026-02-01"),
        ("01/02/2026", "it may be 1 February or 2 January, so write 2026-02-01 or 2026-01-02"),
        ("02/02/2026", "write 2026-02-02"),
        ("31/12/2026", "write 2026-12-31"),
        ("12/31/2026", "write 2026-12-31"),
        ("1.2.2026", "write 2026-02-01"),  # with dots the day comes first
        ("31.02.2026", "February 2026 has 28 days"),
        ("01/02/26", "write the year with four digits and first"),
        ("20260201", "write 2026-02-01"),
        ("2026/2/1", "write 2026-02-01"),
        ("2026-02-29", "there is no 2026-02-29; February 2026 has 28 days"),
        ("2100-02-29", "February 2100 has 28 days"),
        ("2026-13-01", "months go from 01 to 12, before the day"),
        ("2026-00-10", "months go from 01 to 12"),
        ("2026-01-00", "January 2026 has 31 days"),
        ("0026-01-31", "is in the year 26; write a year from 1970 to 2199"),
        ("9999-12-31", "write a year from 1970 to 2199"),
        ("2026-01-31 24:00", "there is no time 24:00; write it from 00:00 to 23:59"),
        ("2026-01-31 09:60", "there is no time 09:60"),
        ("2026-01-31 9am", "write it as 2026-01-31 or 2026-01-31 09:00"),
        ("2026-01-31 09:00 CET", "with an offset such as +01:00 for another zone"),
        ("2026-01-31 09:00+15:00", "no zone is +15:00 from UTC"),
        ("2026-01-31 09:00+01:75", "no zone is +01:75 from UTC"),
        ("٢٠٢٦-٠١-٣١", "write it as 2026-01-31"),
        ("2026-01-31" * 50, "write it as 2026-01-31"),
    ],
)
def test_a_date_that_cannot_be_read_says_what_to_write(text, advice):
    said = refused(text)

    assert advice in said
    assert len(said) < 250


@pytest.mark.parametrize(
    ("zone", "text", "advice"),
    [
        ("Europe/Berlin", "2026-03-29 02:30", "skip 2026-03-29 02:30; write 2026-03-29 03:30"),
        ("America/New_York", "2026-03-08 02:00", "skip 2026-03-08 02:00; write 2026-03-08 03:00"),
        ("Pacific/Apia", "2011-12-30", "there was no 2011-12-30 in Pacific/Apia, which skipped it"),
        (
            "Europe/Berlin",
            "2026-10-25 02:30",
            "show 2026-10-25 02:30 twice; write 2026-10-25 02:30+02:00 or 2026-10-25 02:30+01:00",
        ),
    ],
)
def test_a_time_that_clocks_skip_or_show_twice_is_rejected_with_what_it_may_mean(zone, text, advice):
    said = refused(text, zone)

    assert advice in said
    for proposed in re.findall(r"[0-9-]+ [0-9:+]+(?=$| or)", said.partition("write ")[2]):
        assert moment(proposed, zone)


@pytest.mark.parametrize(
    ("zone", "hour"),
    [
        ("UTC", 10),
        ("America/Los_Angeles", 10),
        ("Asia/Tokyo", 10),
        ("Australia/Brisbane", 10),  # +10:00 all year
        ("Australia/Sydney", 11),  # +10:00 in July, +11:00 in January
        ("Pacific/Auckland", 13),
        ("Pacific/Chatham", 14),  # +13:45 in January
        ("Pacific/Kiritimati", 14),
    ],
)
def test_a_day_alone_means_ten_or_the_first_hour_of_the_same_day_in_utc(zone, hour):
    for text in ("2026-07-01", "2026-01-05"):
        assert day(f"{text}T{hour}:00", ZoneInfo(zone)) == moment(text, zone)
        assert text == str(moment(text, zone).astimezone(UTC).date())


def test_the_first_day_that_can_be_entered_begins_before_1970_in_utc(monkeypatch):
    """On Windows `datetime.fromtimestamp` fails (https://github.com/python/cpython/issues/80620)."""

    class Windows(datetime):
        @classmethod
        def fromtimestamp(cls, timestamp, tz=None):
            raise OSError(22, "Invalid argument")

    monkeypatch.setattr(dates, "datetime", Windows)

    assert day("1970-01-01T10:00") == moment("1970-01-01")
    assert day("1970-01-01T00:30") == moment("1970-01-01 00:30")


def test_a_day_is_read_without_a_time():
    assert date(2026, 12, 25) == read_day("2026-12-25", "a holiday")
    with pytest.raises(InvalidApi, match=r"a holiday is a whole day, not '2026-12-25 09:00'; leave"):
        read_day("2026-12-25 09:00", "a holiday")
    with pytest.raises(InvalidApi, match=r"a holiday cannot be read from 'noel'; write it as 2026-01-31$"):
        read_day("noel", "a holiday")


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        (day("2026-07-01T10:00"), "2026-07-01"),
        (day("2026-07-01"), "2026-07-01 00:00"),
        (day("2026-07-01T09:00"), "2026-07-01 09:00"),
        (day("2026-07-01T09:00:05"), "2026-07-01 09:00:05"),
        (datetime(2026, 10, 25, 0, 30, tzinfo=UTC), "2026-10-25 02:30:00+02:00"),  # shown twice
        (datetime(2026, 10, 25, 1, 30, tzinfo=UTC), "2026-10-25 02:30:00+01:00"),
    ],
)
def test_a_moment_is_written_as_short_as_it_can_be_read(when, expected):
    assert expected == written(when, BERLIN)
    assert when.astimezone(UTC) == read_moment(expected, BERLIN, "").astimezone(UTC)


@given(st.datetimes(timezones=st.sampled_from([UTC, BERLIN, ZoneInfo("Pacific/Apia")])))
def test_writing_any_moment_gives_a_text_or_a_rejection(when):
    error = None
    try:
        assert written(when, BERLIN)
    except InvalidApi as refusal:
        error = refusal

    assert error is None or when.year in (1, 9999)


# -- zones --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("UTC", "UTC"),
        (" utc ", "UTC"),
        ("Z", "UTC"),
        ("Europe/Berlin", "Europe/Berlin"),
        ("europe/BERLIN", "Europe/Berlin"),
        ("America/New York", "America/New_York"),
        ("America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"),
        ("Asia/Calcutta", "Asia/Calcutta"),
    ],
)
def test_a_zone_is_read_by_its_name_in_the_database(text, expected):
    assert expected == read_zone(text).key


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("", "the zone is empty; write UTC or the zone of a place, such as Europe/Berlin"),
        ("CET", "did you mean Europe/Berlin?"),
        ("EST", "did you mean America/New_York?"),
        ("berlin", "did you mean Europe/Berlin?"),
        ("New York", "did you mean America/New_York?"),
        ("Germany", "did you mean Europe/Berlin?"),
        ("Japan", "did you mean Asia/Tokyo?"),
        ("Europe/Berln", "did you mean Europe/Berlin?"),
        ("Europe/Munich", "there is no zone 'Europe/Munich'"),
        ("GMT", "write UTC, or Europe/London for the clocks of London"),
        ("+02:00", "an offset has no summer time, so write UTC or the zone of a place"),
        ("UTC+2", "an offset has no summer time"),
        ("GMT-5", "an offset has no summer time"),
        ("UTC+0", "write UTC"),
        ("mars", "write UTC or the zone of a place, such as Europe/Berlin"),
        ("../../etc/passwd", "there is no zone '../../etc/passwd'"),
        ("posix/Europe/Berlin", "there is no zone"),
        ("x" * 5000, "there is no zone 'xxxx"),
    ],
)
def test_a_zone_that_is_not_there_names_the_nearest_one(text, advice):
    with pytest.raises(InvalidApi) as caught:
        read_zone(text)

    assert advice in str(caught.value)
    assert "zone" == caught.value.field
    assert len(str(caught.value)) < 200


@given(st.text(max_size=40))
def test_any_text_is_a_zone_or_rejected(text):
    error = None
    try:
        zone = read_zone(text)
        assert abs(datetime(2026, 1, 1, tzinfo=zone).utcoffset() or timedelta()) < timedelta(hours=15)
    except InvalidApi as refusal:
        error = refusal

    assert error is None or error.field == "zone"


def test_the_zones_to_choose_from_can_all_be_read_and_have_their_present_names():
    names = zone_names()

    assert "UTC" == names[0]
    assert len(names) == len(set(names))
    assert {"Europe/Berlin", "Asia/Kolkata"} < set(names)
    assert not {"Asia/Calcutta", "CET", "Etc/GMT+5"} & set(names)
    assert list(names) == [read_zone(name).key for name in names]
