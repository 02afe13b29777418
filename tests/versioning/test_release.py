"""Test the status of a version at a given time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from hook_widgets.errors import InvalidApi
from hook_widgets.versioning.deprecation_schedule import lifecycle
from hook_widgets.versioning.release import Release, Status

BERLIN = ZoneInfo("Europe/Berlin")
TICK = timedelta(microseconds=1)
RELEASED = datetime(2025, 3, 3, 9, tzinfo=UTC)
ENDING = lifecycle(datetime(2026, 1, 15, 9, tzinfo=UTC))
OLD = Release(1, RELEASED, lifecycle=ENDING)


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (RELEASED - TICK, Status.PLANNED),
        (RELEASED, Status.ACTIVE),
        (ENDING.deprecated - TICK, Status.ACTIVE),
        (ENDING.deprecated, Status.DEPRECATED),
        (ENDING.sunset - TICK, Status.DEPRECATED),
        (ENDING.sunset, Status.REMOVED),
        (datetime.max.replace(tzinfo=UTC), Status.REMOVED),
    ],
)
def test_a_boundary_belongs_to_what_begins_with_it(at, expected):
    assert expected == OLD.status(at)
    assert expected == OLD.status(at.astimezone(ZoneInfo("Asia/Tokyo")) if at.year < 9999 else at)


def test_a_version_without_dates_has_always_been_active():
    assert Status.ACTIVE == Release(1).status(datetime.min.replace(tzinfo=UTC))


def test_a_preview_is_planned_then_preview_then_deprecated_like_any_other():
    preview = Release(3, RELEASED, stable=False, lifecycle=ENDING)

    assert Status.PLANNED == preview.status(RELEASED - TICK)
    assert Status.PREVIEW == preview.status(RELEASED)
    assert Status.DEPRECATED == preview.status(ENDING.deprecated)
    assert Status.REMOVED == preview.status(ENDING.sunset)


def test_the_first_of_two_equal_wall_times_is_still_before_the_second():
    # 2026-10-25: Berlin shows 02:30 twice, at 00:30 and at 01:30 UTC.
    second = datetime(2026, 10, 25, 2, 30, tzinfo=BERLIN, fold=1)
    old = Release(1, lifecycle=lifecycle(second))

    assert Status.ACTIVE == old.status(second.replace(fold=0))
    assert Status.ACTIVE == old.status(datetime(2026, 10, 25, 2, 45, tzinfo=BERLIN, fold=0))
    assert Status.DEPRECATED == old.status(second)
    assert Status.DEPRECATED == old.status(datetime(2026, 10, 25, 1, 30, tzinfo=UTC))


@pytest.mark.parametrize("major", [0, -1, 10**15, True, 1.0, "1", None])
def test_a_major_version_is_a_whole_number_from_1(major):
    with pytest.raises(InvalidApi, match="whole number from 1") as caught:
        Release(major)

    assert "major" == caught.value.field


def test_a_number_too_long_to_print_is_rejected_all_the_same():
    with pytest.raises(InvalidApi, match="whole number from 1"):
        Release(-(10**5000))


def test_a_release_needs_its_zone():
    with pytest.raises(InvalidApi, match="no time zone") as caught:
        Release(1, RELEASED.replace(tzinfo=None))

    assert "released" == caught.value.field


@pytest.mark.parametrize("at", [RELEASED.replace(tzinfo=None), RELEASED.date(), 1_790_000_000, None])
def test_a_question_needs_a_time_with_its_zone(at):
    with pytest.raises(InvalidApi, match="time zone") as caught:
        Release(1).status(at)

    assert "at" == caught.value.field


def test_what_is_not_released_yet_cannot_be_deprecated():
    Release(1, ENDING.deprecated, lifecycle=ENDING)
    with pytest.raises(InvalidApi, match="before its release") as caught:
        Release(1, ENDING.deprecated + TICK, lifecycle=ENDING)

    assert "lifecycle" == caught.value.field


@pytest.mark.parametrize(("name", "value"), [("stable", "preview"), ("lifecycle", ENDING.sunset)])
def test_other_types_are_rejected(name, value):
    with pytest.raises(InvalidApi) as caught:
        Release(1, **{name: value})

    assert name == caught.value.field


@pytest.mark.parametrize(
    ("major", "advice"),
    [
        ("2022-11-28", "a version by date is the number 20221128"),
        ("2024-10", "a version by date is the number 202410"),
        ("2024-06-20.acacia", "a version by date is the number 20240620"),
        ("2024-01-01-preview", "a version by date is the number 20240101"),
        ("2021-8-1T00:00:00Z", "a version by date is the number 20210801"),
        ("v1beta1", "a preview is version 1 of the stage preview"),
        ("2.0.0-rc.1", "a preview is version 2 of the stage preview"),
        ("V2", "from 1, not 'V2'; give the major version 2"),
        ("v1.0", "minor versions break no clients, so give the major version 1"),
        (1.0, "give the major version 1"),
    ],
)
def test_a_version_that_cannot_be_said_is_rejected_with_the_nearest_form(major, advice):
    with pytest.raises(InvalidApi, match=advice):
        Release(major)


def test_a_version_by_date_is_a_number():
    assert 20221128 == Release(20221128).major
