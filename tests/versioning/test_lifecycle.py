"""Compare deprecation dates with other libraries: pandas (months), numpy (days), dateutil (local times)."""

from __future__ import annotations

import contextlib
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pytest
from dateutil import tz
from hypothesis import example, given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidApi, VersioningError
from hook_widgets.versioning.deprecation_schedule import Advisory, Lifecycle, lifecycle

NO_WEEKEND: frozenset[int] = frozenset()
START = datetime(2026, 1, 15, 9, tzinfo=UTC)
zones = st.sampled_from(
    ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kathmandu"]
)
walls = st.datetimes(datetime.fromisoformat("1990-01-01"), datetime.fromisoformat("2030-01-01"))


def days(dates: Lifecycle) -> list[str]:
    steps = (dates.deprecated, dates.reminder, dates.final_notice, dates.sunset)
    return [str(moment.date()) for moment in steps]


def at(text: str, zone: str = "UTC", *, fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold)


def judged(start: datetime, months: int, holidays: set[date]) -> datetime:
    """Compute the date with other libraries: pandas adds months, numpy rolls days, dateutil maps times."""
    zone = tz.gettz(str(start.tzinfo))
    wall = (pd.Timestamp(start.replace(tzinfo=None)) + pd.DateOffset(months=months)).to_pydatetime()
    while True:
        off = [np.datetime64(holiday) for holiday in holidays]
        day = np.busday_offset(wall.date(), 0, roll="forward", holidays=off).item()
        local = tz.enfold(datetime.combine(day, wall.time(), tzinfo=zone), 1)
        if not tz.datetime_exists(local):
            local = tz.resolve_imaginary(tz.enfold(local, 0))
        if local.date() == day:
            return local.astimezone(UTC)
        wall = local.replace(tzinfo=None)


def test_the_usual_dates_are_0_6_12_and_18_months_after_the_announcement():
    dates = lifecycle(at("2026-01-15T09:00", "Europe/Berlin"))

    assert ["2026-01-15", "2026-07-15", "2027-01-15", "2027-07-15"] == days(dates)
    assert datetime(2027, 7, 15, 7, tzinfo=UTC) == dates.sunset
    assert 18 == dates.months
    assert () == dates.advisories


@given(walls, zones, st.sets(st.integers(0, 900), max_size=20), st.integers(12, 60))
@example(datetime.fromisoformat("2000-08-27T02:00"), "Europe/Berlin", set(), 55)
def test_other_libraries_find_the_same_dates(wall, zone, offsets, months):
    start = wall.replace(tzinfo=ZoneInfo(zone))
    holidays = {wall.date() + timedelta(days=offset) for offset in offsets}
    dates = lifecycle(start, months=months, holidays=holidays)

    for after, moment in (
        (months // 3, dates.reminder),
        (months * 2 // 3, dates.final_notice),
        (months, dates.sunset),
    ):
        assert judged(dates.deprecated, after, holidays) == moment.astimezone(UTC)
        assert moment.tzinfo is start.tzinfo


@given(walls, zones, st.integers(12, 60))
def test_the_period_is_never_shorter_than_promised(wall, zone, months):
    dates = lifecycle(wall.replace(tzinfo=ZoneInfo(zone)), months=months)
    promised = dates.deprecated.replace(tzinfo=None) + pd.DateOffset(months=months)

    assert dates.sunset.replace(tzinfo=None) >= promised.to_pydatetime()
    # The dates that come out can be put in again.
    again = Lifecycle(
        deprecated=dates.deprecated,
        reminder=dates.reminder,
        final_notice=dates.final_notice,
        sunset=dates.sunset,
        months=months,
    )
    assert again.sunset is dates.sunset


@pytest.mark.parametrize(
    ("start", "months", "expected"),
    [
        # The end of a short month does not wear the later dates down.
        ("2026-08-31", 18, ["2026-08-31", "2027-02-28", "2027-08-31", "2028-02-29"]),
        ("2023-08-31", 18, ["2023-08-31", "2024-02-29", "2024-08-31", "2025-02-28"]),
        ("2024-02-29", 12, ["2024-02-29", "2024-06-29", "2024-10-29", "2025-02-28"]),
        ("2024-02-29", 48, ["2024-02-29", "2025-06-29", "2026-10-29", "2028-02-29"]),
        ("2026-01-31", 18, ["2026-01-31", "2026-07-31", "2027-01-31", "2027-07-31"]),
        ("2026-10-31", 12, ["2026-10-31", "2027-02-28", "2027-06-30", "2027-10-31"]),
        # Thirds in whole months, rounded down
        ("2026-01-01", 13, ["2026-01-01", "2026-05-01", "2026-09-01", "2027-02-01"]),
        ("2026-01-01", 14, ["2026-01-01", "2026-05-01", "2026-10-01", "2027-03-01"]),
        ("2026-01-01", 24, ["2026-01-01", "2026-09-01", "2027-05-01", "2028-01-01"]),
    ],
)
def test_months_are_those_of_the_calendar_each_counted_from_the_start(start, months, expected):
    assert expected == days(lifecycle(at(start), months=months, weekend=NO_WEEKEND))


def test_saturdays_and_sundays_move_to_monday_and_are_reported():
    # 2026-02-01 is a Sunday; 2026-08-01 a Saturday, 2027-02-01 a Monday, 2027-08-01 a Sunday
    dates = lifecycle(at("2026-02-01T12:00", "America/New_York"))

    assert ["2026-02-01", "2026-08-03", "2027-02-01", "2027-08-02"] == days(dates)
    assert [
        "The announcement is on Sunday 2026-02-01, which is not a business day.",
        "The reminder moves from Saturday 2026-08-01 to Monday 2026-08-03, the next business day.",
        "The removal moves from Sunday 2027-08-01 to Monday 2027-08-02, the next business day.",
    ] == list(map(str, dates.advisories))
    assert ["deprecated", "reminder", "sunset"] == [advisory.field for advisory in dates.advisories]
    assert 12 == dates.sunset.hour


def test_a_moved_notice_does_not_move_the_next():
    # The reminder moves by 2 days, the final notice is counted from the announcement all the same.
    dates = lifecycle(at("2026-02-02"), months=18, holidays={date(2026, 8, 3)})

    assert ["2026-02-02", "2026-08-04", "2027-02-02", "2027-08-02"] == days(dates)


@pytest.mark.parametrize(
    "holidays",
    [
        {date(2027, 7, 15), date(2027, 7, 16)},
        {date(2027, 7, 15): "a feast", date(2027, 7, 16): "another"},
        [date(2027, 7, 16), date(2027, 7, 15)],
        type(
            "July", (), {"__contains__": lambda _, day: (day.year, day.month) == (2027, 7) and day.day < 19}
        )(),
    ],
)
def test_holidays_and_weekends_in_a_row_are_all_passed(holidays):
    # Thursday and Friday are holidays, then comes the weekend
    assert ["2026-01-15", "2026-07-15", "2027-01-15", "2027-07-19"] == days(
        lifecycle(START, holidays=holidays)
    )


def test_the_weekend_can_be_friday_and_saturday():
    # 2026-05-15 and 2027-05-14 are Fridays, 2027-11-14 is a Sunday
    dates = lifecycle(at("2026-05-14", "Asia/Riyadh"), weekend={4, 5})

    assert ["2026-05-14", "2026-11-15", "2027-05-16", "2027-11-14"] == days(dates)


def test_holidays_that_never_end_are_an_error():
    always = type("Always", (), {"__contains__": lambda *_: True})()
    with pytest.raises(InvalidApi, match="holidays must leave some open") as caught:
        lifecycle(START, holidays=always)

    assert "holidays" == caught.value.field


@pytest.mark.parametrize(
    ("start", "zone", "expected"),
    [
        # The hour on the clock stays, whatever the season: Berlin is at +01:00 in January, +02:00 in July.
        ("2026-01-15T09:00", "Europe/Berlin", "2027-07-15T09:00+02:00"),
        ("2026-07-15T09:00", "America/New_York", "2028-01-15T09:00-05:00"),
        ("2026-01-15T09:00", "Australia/Lord_Howe", "2027-07-15T09:00+10:30"),
        ("2026-01-15T09:00", "Asia/Kathmandu", "2027-07-15T09:00+05:45"),
        # Skipped hours move forward: 28 March 2027, 14 March 2027, 4 October 2026, 24 April 2026
        ("2025-09-28T02:30", "Europe/Berlin", "2027-03-28T03:30+02:00"),
        ("2025-09-14T02:30", "America/New_York", "2027-03-14T03:30-04:00"),
        ("2025-04-04T02:10", "Australia/Lord_Howe", "2026-10-04T02:40+11:00"),
        ("2024-10-24T00:15", "Africa/Cairo", "2026-04-24T01:15+03:00"),
        # Of repeated hours the second counts: 25 October 2026, 1 November 2026, 4 April 2027
        ("2025-04-25T02:30", "Europe/Berlin", "2026-10-25T02:30+01:00"),
        ("2025-05-01T01:30", "America/New_York", "2026-11-01T01:30-05:00"),
        ("2025-10-04T01:45", "Australia/Lord_Howe", "2027-04-04T01:45+10:30"),
        # Samoa had no 30 December 2011.
        ("2010-06-30T10:00", "Pacific/Apia", "2011-12-31T10:00+14:00"),
    ],
)
def test_the_hour_on_the_clock_is_kept_in_its_zone(start, zone, expected):
    dates = lifecycle(at(start, zone), weekend=NO_WEEKEND)

    assert datetime.fromisoformat(expected).astimezone(UTC) == dates.sunset.astimezone(UTC)
    assert expected == dates.sunset.isoformat("T", "minutes")


def test_a_day_that_is_skipped_is_followed_by_a_weekend():
    # 30 December 2011 was to be a Friday in Samoa; the next day was Saturday 31, Monday was 2 January.
    dates = lifecycle(at("2010-06-30T10:00", "Pacific/Apia"))

    assert "2012-01-02T10:00:00+14:00" == dates.sunset.isoformat()
    assert "moves from Friday 2011-12-30 to Monday 2012-01-02" in dates.advisories[-1].text


def test_an_hour_that_is_skipped_on_a_sunday_is_kept_on_monday():
    # Sunday 28 March 2027 has no 02:30 in Berlin, Monday has
    dates = lifecycle(at("2025-09-28T02:30", "Europe/Berlin"))

    assert "2027-03-29T02:30:00+02:00" == dates.sunset.isoformat()
    assert "moves from Sunday 2027-03-28 to Monday 2027-03-29" in dates.advisories[-1].text


def test_an_announcement_in_a_skipped_hour_moves_forward_itself():
    dates = lifecycle(at("2027-03-28T02:30", "Europe/Berlin"), weekend=NO_WEEKEND)

    assert "2027-03-28T03:30:00+02:00" == dates.deprecated.isoformat()
    assert "2028-09-28T03:30:00+02:00" == dates.sunset.isoformat()


@pytest.mark.parametrize(("fold", "offset"), [(0, "+02:00"), (1, "+01:00")])
def test_an_announcement_in_a_repeated_hour_is_the_one_that_was_given(fold, offset):
    dates = lifecycle(at("2026-10-25T02:30", "Europe/Berlin", fold=fold))

    assert f"2026-10-25T02:30:00{offset}" == dates.deprecated.isoformat()
    assert "2028-04-25T02:30:00+02:00" == dates.sunset.isoformat()


@pytest.mark.parametrize("minutes", [0, 345, -210, 840, -720])
def test_a_fixed_offset_stays(minutes):
    zone = timezone(timedelta(minutes=minutes))
    dates = lifecycle(START.replace(tzinfo=zone))

    assert datetime(2027, 7, 15, 9, tzinfo=zone) == dates.sunset
    assert timedelta(minutes=minutes) == dates.sunset.utcoffset()


@pytest.mark.parametrize(
    ("start", "months", "expected"),
    [
        ("2026-01-15", 11, ["2026-01-15", "2026-04-15", "2026-08-15", "2026-12-15"]),
        ("2026-01-15", 6, ["2026-01-15", "2026-03-15", "2026-05-15", "2026-07-15"]),
        ("2026-01-15", 3, ["2026-01-15", "2026-02-15", "2026-03-15", "2026-04-15"]),
        # Of 59 and 31 days the thirds are counted in days, rounded down.
        ("2026-01-15", 2, ["2026-01-15", "2026-02-03", "2026-02-23", "2026-03-15"]),
        ("2026-01-15", 1, ["2026-01-15", "2026-01-25", "2026-02-04", "2026-02-15"]),
    ],
)
def test_under_twelve_months_is_planned_with_an_advisory(start, months, expected):
    dates = lifecycle(at(start), months=months, weekend=NO_WEEKEND)

    assert expected == days(dates)
    assert dates.short_notice
    period = "1 month" if months == 1 else f"{months} months"
    text = f"The notice period is {period}; users need 12 months or more to migrate."
    assert (Advisory("sunset", text),) == dates.advisories


def test_twelve_months_are_no_short_notice():
    dates = lifecycle(START, months=12, weekend=NO_WEEKEND)

    assert not dates.short_notice
    assert () == dates.advisories


@pytest.mark.parametrize("months", [0, -18])
def test_no_notice_at_all_is_rejected(months):
    with pytest.raises(InvalidApi) as caught:
        lifecycle(START, months=months)

    assert "months" == caught.value.field


@pytest.mark.parametrize("months", [18.0, "18", None, True])
def test_months_are_a_whole_number(months):
    with pytest.raises(InvalidApi, match="whole number") as caught:
        lifecycle(START, months=months)

    assert "months" == caught.value.field


def test_over_24_months_is_questioned():
    assert () == lifecycle(START, months=24, weekend=NO_WEEKEND).advisories
    text = "The period is over 24 months: who keeps the version running until Tuesday 2028-02-15?"
    assert (Advisory("sunset", text),) == lifecycle(START, months=25, weekend=NO_WEEKEND).advisories


def test_24_months_that_end_on_a_weekend_are_not_questioned_for_their_length():
    # 2028-01-16 is a Sunday
    dates = lifecycle(at("2026-01-16"), months=24)
    (advisory,) = (advisory for advisory in dates.advisories if advisory.field == "sunset")
    assert "moves from Sunday 2028-01-16" in advisory.text
    assert not any("over 24" in advisory.text for advisory in dates.advisories)


@pytest.mark.parametrize(
    ("start", "months", "field"),
    [
        ("9999-01-01", 12, "months"),
        ("9998-12-31", 13, "months"),
        ("2026-01-01", 12 * 9999, "months"),
        ("2026-01-01", 10**30, "months"),
    ],
)
def test_dates_after_the_year_9999_are_rejected(start, months, field):
    with pytest.raises(InvalidApi) as caught:
        lifecycle(at(start), months=months)

    assert field == caught.value.field


@pytest.mark.parametrize("sign", [1, -1])
def test_a_number_of_months_too_long_to_print_is_rejected_all_the_same(sign):
    with pytest.raises(InvalidApi, match="before the year 10000"):
        lifecycle(START, months=sign * 10**5000)


def test_the_last_year_of_the_calendar_can_be_reached():
    assert "9999-12-31" == days(lifecycle(at("9998-12-31"), months=12))[-1]
    with pytest.raises(InvalidApi, match="9999"):
        lifecycle(at("9998-12-31T23:00", "America/New_York"), months=12)


@pytest.mark.parametrize(
    "start",
    [START.replace(tzinfo=None), START.date(), "2026-01-15", None, datetime.min.replace(tzinfo=UTC).date()],
)
def test_an_announcement_needs_its_zone(start):
    with pytest.raises(InvalidApi, match="time zone") as caught:
        lifecycle(start)

    assert "deprecated" == caught.value.field


def test_a_removal_that_is_given_is_kept_as_it_is():
    sunset = datetime(2027, 4, 3, 23, 30, tzinfo=ZoneInfo("Asia/Tokyo"))  # a Saturday
    dates = lifecycle(at("2026-01-15T09:00", "Europe/Berlin"), sunset=sunset)

    assert sunset is dates.sunset
    assert 14 == dates.months  # 15 January 2026 to 3 April 2027 are 14 whole months
    assert ["2026-01-15", "2026-05-15", "2026-10-15", "2027-04-03"] == days(dates)
    text = "The removal is on Saturday 2027-04-03, which is not a business day."
    assert (Advisory("sunset", text),) == dates.advisories


@pytest.mark.parametrize(
    ("start", "sunset", "months"),
    [
        ("2026-01-15T09:00", "2027-01-15T09:00", 12),
        ("2026-01-15T09:00", "2027-02-15T08:59", 12),
        ("2026-01-15T09:00", "2027-02-15T09:00", 13),
        ("2026-01-31T09:00", "2027-02-28T09:00", 13),
        ("2024-02-29T09:00", "2025-02-28T09:00", 12),
        ("2026-08-31T09:00", "2028-02-29T08:59", 17),
    ],
)
def test_the_period_up_to_a_given_removal_counts_whole_months(start, sunset, months):
    assert months == lifecycle(at(start), sunset=at(sunset)).months


@pytest.mark.parametrize(
    ("start", "sunset", "months"),
    [
        ("2026-01-15T09:00", "2027-01-15T08:59", 11),
        ("2024-02-29T09:00", "2025-02-27T09:00", 11),
        ("2026-01-15T09:00", "2026-02-14T09:00", 0),
        ("2026-01-15T09:00", "2026-01-15T09:01", 0),
    ],
)
def test_a_removal_under_twelve_calendar_months_is_planned_with_an_advisory(start, sunset, months):
    dates = lifecycle(at(start), sunset=at(sunset), weekend=NO_WEEKEND)

    assert (months, True) == (dates.months, dates.short_notice)
    (advisory,) = dates.advisories
    period = f"{months} months" if months else "less than a month"
    assert f"The notice period is {period}; users need 12" in advisory.text


@pytest.mark.parametrize("sunset", ["2026-01-15T09:00", "2025-01-15T09:00"])
def test_a_removal_that_is_not_after_the_announcement_is_rejected(sunset):
    with pytest.raises(InvalidApi, match=r"is not after the announcement.*; use a later date") as caught:
        lifecycle(START, sunset=at(sunset))

    assert "sunset" == caught.value.field


@given(walls, zones, st.integers(1, 11) | st.integers(-400, -1))
def test_the_dates_of_a_short_notice_are_in_order(wall, zone, period):
    """A negative number is a removal after so many days."""
    start = wall.replace(tzinfo=ZoneInfo(zone))
    sunset = start.astimezone(UTC) + timedelta(days=-period) if period < 0 else None
    dates = lifecycle(start, months=max(period, 1), sunset=sunset)

    ordered = [dates.deprecated, dates.reminder, dates.final_notice, dates.sunset]
    assert ordered == sorted(ordered, key=lambda moment: moment.timestamp())


@pytest.mark.parametrize(
    ("start", "short", "enough"),
    [
        # 365 days and an hour: summer time ended on 26 October 2025, and on 25 October 2026
        ("2025-10-25T12:00", "2026-10-25T10:59", "2026-10-25T11:00"),
        # 365 days less an hour: it began on 29 March 2026, and on 28 March 2027
        ("2026-03-28T12:00", "2027-03-28T09:59", "2027-03-28T10:00"),
    ],
)
def test_twelve_months_are_counted_on_the_clock_of_the_announcement(start, short, enough):
    assert 12 == lifecycle(at(start, "Europe/Berlin"), sunset=at(enough)).months
    assert 11 == lifecycle(at(start, "Europe/Berlin"), sunset=at(short)).months


@pytest.mark.parametrize(
    ("sunset", "count"), [("2028-01-15T09:00", 0), ("2028-01-17T09:00", 1), ("2030-01-15", 1)]
)
def test_a_given_removal_after_24_months_is_questioned(sunset, count):
    advisories = lifecycle(START, sunset=at(sunset), weekend=NO_WEEKEND).advisories

    assert count == sum("over 24 months" in advisory.text for advisory in advisories)


@pytest.mark.parametrize("sunset", [START.replace(tzinfo=None), date(2027, 7, 15), "2027-07-15"])
def test_a_given_removal_needs_its_zone(sunset):
    with pytest.raises(InvalidApi, match="time zone") as caught:
        lifecycle(START, sunset=sunset)

    assert "sunset" == caught.value.field


def test_a_notice_that_holidays_would_push_behind_the_removal_stays():
    closed = type("Closed", (), {"__contains__": lambda _, day: date(2026, 9, 1) <= day < date(2027, 2, 1)})()
    dates = lifecycle(START, sunset=at("2027-01-15T09:00"), holidays=closed)

    assert ["2026-01-15", "2026-05-15", "2026-09-15", "2027-01-15"] == days(dates)
    assert (
        "The final notice is on Tuesday 2026-09-15, which is not a business day." == dates.advisories[0].text
    )


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"deprecated": START.replace(tzinfo=None)}, "deprecated"),
        ({"reminder": START.replace(tzinfo=None)}, "reminder"),
        ({"final_notice": None}, "final_notice"),
        ({"sunset": date(2027, 7, 15)}, "sunset"),
        ({"months": -1}, "months"),
        ({"sunset": START}, "sunset"),
        ({"months": "18"}, "months"),
        ({"months": 19}, "sunset"),
        ({"sunset": datetime(2026, 7, 15, 9, tzinfo=UTC)}, "sunset"),
        ({"reminder": datetime(2025, 7, 15, 9, tzinfo=UTC)}, "reminder"),
        ({"final_notice": datetime(2026, 7, 14, 9, tzinfo=UTC)}, "final_notice"),
        ({"final_notice": datetime(2027, 7, 16, 9, tzinfo=UTC)}, "sunset"),
    ],
)
def test_a_lifecycle_made_by_hand_keeps_the_same_rules(changes, field):
    dates: dict[str, Any] = {
        "deprecated": START,
        "reminder": datetime(2026, 7, 15, 9, tzinfo=UTC),
        "final_notice": datetime(2027, 1, 15, 9, tzinfo=UTC),
        "sunset": datetime(2027, 7, 15, 9, tzinfo=UTC),
        "months": 18,
    }
    Lifecycle(**dates)
    with pytest.raises(InvalidApi) as caught:
        Lifecycle(**(dates | changes))

    assert field == caught.value.field


@given(
    st.one_of(st.datetimes(), st.datetimes(timezones=st.timezones()), st.dates()),
    st.integers(0, 200_000),
    st.one_of(st.none(), st.datetimes(timezones=st.timezones())),
)
def test_no_other_error_leaves_the_room(start, months, sunset):
    with contextlib.suppress(VersioningError):
        lifecycle(start, months=months, sunset=sunset)
