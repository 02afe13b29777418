"""Test the table next to the plot."""

from __future__ import annotations

import csv as reader
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import StringIO
from zoneinfo import ZoneInfo

import pytest

from hook_widgets.errors import InvalidApi
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.deprecation_schedule import lifecycle
from hook_widgets.versioning.planning.date_formatting import days_between, in_full, weekday, zone_of
from hook_widgets.versioning.planning.timeline import (
    TIMELINE_COLUMNS,
    LifecycleStep,
    lifecycle_steps,
    timeline,
    timeline_csv,
    timeline_table,
)
from hook_widgets.versioning.release import Release, Status
from tests.versioning.apis import AT, BERLIN, day, orders, scenes


def test_each_version_has_a_row_with_its_status_at_that_time():
    rows = timeline(orders(), AT)

    assert [("v1", 1), ("v2", 2), ("v3", 3)] == [(row.version, row.major) for row in rows]
    assert [Status.DEPRECATED, Status.ACTIVE, Status.PLANNED] == [row.status for row in rows]


def test_a_row_has_the_dates_of_its_version():
    first, second, _ = timeline(orders(), AT)

    expected = ["2023-11-01", "2026-06-01", "2026-12-01", "2027-06-01", "2027-12-01"]
    assert list(map(day, expected)) == list(first.dates)
    assert (day("2025-11-03"), None, None, None, None) == second.dates


@pytest.mark.parametrize(
    ("at", "left"),
    [
        (
            "2026-11-21T16:00",
            375,
        ),  # 9 days of November, 31 of December, 334 to the end of November 2027, and 1
        ("2027-11-30T23:59", 1),
        ("2027-12-01T00:00", None),
        ("2026-05-31T12:00", 549),
    ],
)
def test_days_left_are_midnights_until_the_removal(at, left):
    assert left == timeline(orders(), day(at))[0].days_left


def test_days_are_those_of_the_apis_zone_wherever_the_question_is_asked():
    # 23:30 on 30 November in Berlin is 07:30 on 1 December in Tokyo
    asked = day("2027-11-30T23:30").astimezone(ZoneInfo("Asia/Tokyo"))

    assert 1 == timeline(orders(), asked)[0].days_left


@pytest.mark.parametrize(
    ("at", "notes"),
    [
        ("2026-05-01", ["announcement in 31 days", "current", "release in 396 days"]),
        ("2026-11-21", ["reminder in 10 days", "current", "release in 192 days"]),
        ("2026-12-01", ["final notice in 182 days", "current", "release in 182 days"]),
        ("2027-11-30", ["removal tomorrow", "", "current"]),
        ("2027-12-01", ["removed today, requests return 410", "", "current"]),
        ("2027-12-03", ["removed 2 days ago, requests return 410", "", "current"]),
    ],
)
def test_a_note_says_what_comes_next(at, notes):
    assert notes == [row.note for row in timeline(orders(), day(at))]


def test_a_summary_depends_on_the_status_and_not_on_the_words_of_the_note():
    deprecated, *_ = timeline(orders(), day("2026-11-20"))
    removed, *_ = timeline(orders(), day("2027-12-03"))

    assert f"deprecated, {deprecated.note}" == deprecated.summary
    assert "deprecated, deprecated for long" == replace(deprecated, note="deprecated for long").summary
    assert removed.note == removed.summary
    assert "off since Friday" == replace(removed, note="off since Friday").summary
    assert "deprecated" == replace(deprecated, note="").summary


def test_a_preview_is_there_on_request():
    assert "on request" in timeline(scenes()["undated"], AT)[2].note


def test_the_steps_of_a_lifecycle_have_names_for_people():
    dates = lifecycle(datetime(2026, 6, 1, tzinfo=UTC))

    assert ["Announcement", "Reminder", "Final notice", "Removal"] == [
        step.label for step, _ in lifecycle_steps(dates)
    ]
    assert [dates.deprecated, dates.reminder, dates.final_notice, dates.sunset] == [
        d for _, d in lifecycle_steps(dates)
    ]
    assert [step for step, _ in lifecycle_steps(dates)] == list(LifecycleStep)


def test_the_table_has_a_text_below_each_heading():
    rendered = timeline_table(timeline(orders(), AT))

    assert "Versions and their dates, in Europe/Berlin" == rendered.caption
    assert TIMELINE_COLUMNS == rendered.columns
    assert {len(rendered.columns)} == {len(row) for row in rendered.rows}
    assert (
        "v1", "deprecated", "Wed 1 Nov 2023", "Mon 1 Jun 2026", "Tue 1 Dec 2026", "Tue 1 Jun 2027",
        "Wed 1 Dec 2027", "375", "reminder in 10 days",
    ) == rendered.rows[0]  # fmt: skip


def test_a_table_without_dates_names_no_zone_and_says_that_versions_were_always_there():
    rendered = timeline_table(timeline(scenes()["one"], AT))

    assert "Versions and their dates" == rendered.caption
    assert "always available" == rendered.rows[0][2]


def test_a_time_other_than_midnight_is_reported():
    assert "Tue 1 Dec 2026, 09:30" == weekday(day("2026-12-01T09:30"))
    assert "Tue 1 Dec 2026, 09:30:05" == weekday(day("2026-12-01T09:30:05"))


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        (day("2026-07-01T09:00"), "Wednesday, 1 July 2026, 09:00 (Europe/Berlin, UTC+02:00)"),
        (day("2026-12-01T09:00"), "Tuesday, 1 December 2026, 09:00 (Europe/Berlin, UTC+01:00)"),
        (day("2026-07-01T09:00", ZoneInfo("UTC")), "Wednesday, 1 July 2026, 09:00 (UTC)"),
        (datetime.fromisoformat("2026-07-01T09:00-03:30"), "Wednesday, 1 July 2026, 09:00 (UTC-03:30)"),
    ],
)
def test_a_moment_in_full_has_its_zone_and_its_offset(moment, expected):
    assert expected == in_full(moment)


def test_the_csv_is_read_back_by_any_reader_with_dates_as_in_iso_8601():
    text = timeline_csv(timeline(orders(), AT))

    heading, first, *others = reader.reader(StringIO(text))
    assert list(TIMELINE_COLUMNS) == heading
    assert "2026-06-01T00:00:00+02:00" == first[3]
    assert day("2027-12-01") == datetime.fromisoformat(first[6])
    assert 2 == len(others)
    assert text.endswith("\r\n")  # RFC 4180


@pytest.mark.parametrize("scene", scenes())
def test_every_kind_of_api_has_a_table(scene):
    rows = timeline(scenes()[scene], AT)

    assert len(scenes()[scene].releases) == len(timeline_table(rows).rows)
    assert len(rows) + 1 == len(list(reader.reader(StringIO(timeline_csv(rows)))))


def test_the_zone_is_that_of_the_dates_and_else_that_of_the_question():
    assert BERLIN == zone_of(orders(), AT.astimezone(UTC))
    assert UTC == zone_of(Api(releases=(Release(1),)), AT.astimezone(UTC))


def test_days_between_are_counted_across_the_change_to_summer_time():
    begin = day("2026-03-28T23:00")

    assert 1 == days_between(begin, begin + timedelta(hours=1), BERLIN)
    assert 365 == days_between(day("2026-03-29"), day("2027-03-29"), BERLIN)


@pytest.mark.parametrize("at", [datetime(2026, 1, 1), datetime.max.replace(tzinfo=UTC)])  # noqa: DTZ001
def test_a_time_without_a_zone_or_outside_the_calendar_is_rejected(at):
    with pytest.raises(InvalidApi):
        timeline(orders(), at)
