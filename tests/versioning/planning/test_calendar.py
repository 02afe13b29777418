"""Test the calendar file. tests/sdk/test_calendar.py reads it with another parser."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar

from hook_widgets.errors import InvalidApi
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.deprecation_schedule import lifecycle
from hook_widgets.versioning.planning.calendar import calendar
from hook_widgets.versioning.release import Release
from tests.versioning.apis import AT, day, many, orders, scenes

DATES = lifecycle(day("2026-06-01T09:00"))


def events(file):
    """Parse the events of a file with icalendar."""
    return Calendar.from_ical(file).events


def named(name):
    """Return an API with this name, and a version to be removed."""
    return Api(name=name, releases=(Release(1, lifecycle=DATES), Release(2)))


def test_a_deprecated_version_has_four_events():
    entries = events(calendar(orders(), at=AT))

    assert [
        "Orders API v1: announce the deprecation",
        "Orders API v1: send the reminder",
        "Orders API v1: send the final notice",
        "Orders API v1: removed (requests now return 410 Gone)",
    ] == [str(event["summary"]) for event in entries]
    dates = ("2026-06-01", "2026-12-01", "2027-06-01", "2027-12-01")
    assert [day(date) for date in dates] == [event.start for event in entries]


def test_dates_are_instants_in_utc():
    file = calendar(orders(), at=AT)

    # Midnight of 1 December 2027 in Berlin, one hour ahead of UTC in winter; RFC 5545 section 3.3.5, form 2
    assert b"DTSTART:20271130T230000Z\r\n" in file
    assert b"TZID" not in file
    assert b"VTIMEZONE" not in file


def test_an_event_has_an_end_and_takes_nobodys_time():
    for event in events(calendar(orders(), at=AT)):
        assert timedelta(minutes=15) == event.end - event.start
        assert "TRANSPARENT" == event["transp"]


def test_a_description_has_the_dates_in_the_apis_own_zone_and_the_guide_of_that_day():
    first, *_, last = events(calendar(orders(), at=AT))

    lines = str(first["description"]).splitlines()
    assert "Removal: Wednesday, 1 December 2027, 00:00 (Europe/Berlin, UTC+01:00)" in lines
    assert "Migration guide: https://api.example.com/docs/v1-to-v2" == lines[-1]
    assert "https://api.example.com/docs/v1-to-v3" == str(last["url"])  # version 3 is there by then


def test_calendars_speak_up_thirty_and_seven_days_before_a_removal_and_only_then():
    *others, removal = events(calendar(orders(), at=AT))

    assert [timedelta(days=-30), timedelta(days=-7)] == [
        alarm["trigger"].dt for alarm in removal.walk("VALARM")
    ]
    assert [] == [alarm for event in others for alarm in event.walk("VALARM")]


def test_an_event_keeps_its_name_when_its_date_moves():
    sooner = Api(name="A", releases=(Release(1, lifecycle=DATES), Release(2)))
    later = Api(
        name="A", releases=(Release(1, lifecycle=lifecycle(day("2026-07-01"), months=24)), Release(2))
    )

    one, other = (events(calendar(api, at=AT)) for api in (sooner, later))
    assert [event["uid"] for event in one] == [event["uid"] for event in other]
    assert [event.start for event in one] != [event.start for event in other]


@pytest.mark.parametrize(
    ("months", "minutes"),
    [(19, 0), (24, 0), (24, 1), (13, 1), (13, 60), (18.5, 1)],
    ids=["a month, at once", "later, at once", "later", "earlier", "earlier, an hour on", "by days"],
)
def test_the_sequence_grows_when_a_removal_moves(months, minutes):
    def removal(months, at):
        dates = lifecycle(day("2026-06-01T09:00"), months=int(months))
        dates = replace(dates, sunset=dates.sunset + timedelta(days=30 * (months - int(months))))
        api = Api(name="A", releases=(Release(1, lifecycle=dates), Release(2)))
        return events(calendar(api, at=at))[-1]

    before, after = removal(18, AT), removal(months, AT + timedelta(minutes=minutes))

    assert before["uid"] == after["uid"]
    assert before.start != after.start
    assert 0 <= before["sequence"] < after["sequence"] < 2**31
    assert after["last-modified"].dt == after["dtstamp"].dt


def test_every_event_has_a_name_of_its_own_which_is_a_uuid():
    uids = [
        str(event["uid"])
        for api in (many(), named("A"), named("B"), named("A v1"))
        for event in events(calendar(api, at=AT))
    ]

    assert len(uids) == len(set(uids))
    assert {5} == {
        UUID(uid).version for uid in uids
    }  # made from a name, RFC 9562 section 5.5; no host (RFC 7986)


def test_a_uid_is_the_same_in_every_release_of_this_package():
    # Calendars remember it for years: this text must never change.
    assert b"UID:4022b32b-51ec-5fea-b522-4cb9325d24c2\r\n" in calendar(named("Orders API"), at=AT)


def test_the_time_stamp_is_an_argument_in_utc():
    stamps = {event["dtstamp"].dt for event in events(calendar(orders(), at=AT))}

    assert {AT.astimezone(UTC)} == stamps
    assert b"DTSTAMP:20261121T150000Z\r\n" in calendar(orders(), at=AT)


def test_the_same_api_and_time_give_the_same_bytes():
    assert calendar(orders(), at=AT) == calendar(orders(), at=AT)


def test_versions_can_be_chosen():
    entries = events(calendar(many(), at=AT, majors=[3, 5, 3]))

    assert 8 == len(entries)
    assert {"v3:", "v5:"} == {
        str(event["summary"]).split(" yet there it is ")[1].split()[0] for event in entries
    }


@given(st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" "), min_size=1).filter(str.strip))
def test_a_name_comes_back_as_it_was_and_lines_are_short_and_end_as_they_should(name):
    file = calendar(named(name), at=AT)
    line = " ".join(name.split())

    assert {f"{line} v1: send the reminder"} & {str(event["summary"]) for event in events(file)}
    assert file.endswith(b"END:VCALENDAR\r\n")
    assert b"\n" not in file.replace(b"\r\n", b"")
    assert all(len(part) <= 75 for part in file.split(b"\r\n"))  # RFC 5545 section 3.1: octets


@pytest.mark.parametrize("name", ["a\\nEND:VEVENT", 'x;y,z"', "BEGIN:VALARM", "C:\\new", "🎉" * 80])
def test_a_name_adds_no_line(name):
    plain, odd = (
        [line.partition(b":")[0] for line in unfolded(calendar(named(n), at=AT))] for n in ("A", name)
    )

    assert plain == odd


def test_the_name_of_the_calendar_is_escaped_for_old_and_new_applications():
    # Both are TEXT (RFC 7986 section 5.1), escaped as RFC 5545 section 3.3.11 says.
    lines = unfolded(calendar(named("a, b; \\n"), at=AT))

    assert rb"NAME:a\, b\; \\n: versions" in lines
    assert rb"X-WR-CALNAME:a\, b\; \\n: versions" in lines


def unfolded(file):
    """Return the unfolded lines of a file."""
    return file.replace(b"\r\n ", b"").split(b"\r\n")


@pytest.mark.parametrize("scene", scenes())
def test_every_kind_of_api_has_a_calendar_or_says_why_not(scene):
    api = scenes()[scene]
    leaving = [release for release in api.releases if release.lifecycle]
    if not leaving:
        with pytest.raises(InvalidApi, match=r"no version is deprecated.*give one"):
            calendar(api, at=AT)
        return

    entries = events(calendar(api, at=AT))
    assert 4 * len(leaving) == len(entries)
    assert all(
        one.start <= other.start
        for k in range(0, len(entries), 4)
        for one, other in pairwise(entries[k : k + 4])
    )


def test_what_cannot_be_is_said():
    with pytest.raises(InvalidApi, match="no version 9"):
        calendar(orders(), at=AT, majors=[9])
    with pytest.raises(InvalidApi, match="no time zone"):
        calendar(orders(), at=datetime(2026, 1, 1))  # noqa: DTZ001
    last = lifecycle(datetime(9997, 1, 1, tzinfo=UTC), sunset=datetime(9999, 12, 31, 23, 59, tzinfo=UTC))
    with pytest.raises(InvalidApi, match="year 9999"):
        calendar(Api(releases=(Release(1, lifecycle=last), Release(2))), at=AT)


@pytest.mark.parametrize("majors", [1, "1"])
def test_a_single_number_is_no_choice_of_versions(majors):
    with pytest.raises(InvalidApi, match=r"such as \[1\]") as caught:
        calendar(orders(), at=AT, majors=majors)

    assert "majors" == caught.value.field


def test_without_the_library_the_package_to_install_is_named():
    code = """
import sys
sys.modules["icalendar"] = None
from dataclasses import replace
from datetime import UTC, datetime
from hook_widgets.versioning import Api, Release, lifecycle
from hook_widgets.versioning import calendar
at = datetime(2026, 6, 1, tzinfo=UTC)
try:
    calendar(Api(releases=(Release(1, lifecycle=lifecycle(at)), Release(2))), at=at)
except Exception as error:
    print(type(error).__name__, error)
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    text = (
        "a calendar file needs icalendar, which is not installed; "
        'install it: %pip install "hook-widgets[calendar]"'
    )
    assert f"InvalidApi {text}\n" == said
