"""Test the milestones, and the slider that steps through them."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidApi
from hook_widgets.versioning import Api, Release, lifecycle
from hook_widgets.versioning.planning.milestones import NOW, around, milestones, position, time_steps

BERLIN = ZoneInfo("Europe/Berlin")
NOON = datetime(2026, 11, 20, 12, tzinfo=BERLIN)
API = Api(
    releases=(
        Release(
            1,
            datetime(2023, 5, 1, tzinfo=BERLIN),
            lifecycle=lifecycle(datetime(2026, 6, 1, 9, tzinfo=BERLIN)),
        ),
        Release(2, datetime(2026, 6, 1, 9, tzinfo=BERLIN)),
        Release(3),
    )
)


def test_every_date_of_every_version_is_a_milestone_in_order_of_time():
    assert [
        ("v1 release", "2023-05-01 00:00+02:00"),
        ("v1 announcement", "2026-06-01 09:00+02:00"),
        ("v2 release", "2026-06-01 09:00+02:00"),
        ("v1 reminder", "2026-12-01 09:00+01:00"),
        ("v1 final notice", "2027-06-01 09:00+02:00"),
        ("v1 removal", "2027-12-01 09:00+01:00"),
    ] == [(stop.title, stop.at.isoformat(" ", "minutes")) for stop in milestones(API, BERLIN)]


def test_milestones_are_reported_in_the_zone_that_is_asked_for():
    assert "2026-06-01 07:00+00:00" == milestones(API, UTC)[1].at.isoformat(" ", "minutes")


def test_the_neighbours_of_a_time_are_the_milestones_before_and_after_it():
    before, after = around(API, NOON)

    assert before is not None
    assert after is not None
    assert ("v1 announcement, v2 release", "v1 reminder") == (before.title, after.title)


def test_at_a_milestone_its_neighbours_are_the_others():
    before, after = around(API, datetime(2026, 12, 1, 9, tzinfo=BERLIN))

    assert before is not None
    assert after is not None
    assert ("v1 announcement, v2 release", "v1 final notice") == (before.title, after.title)


def test_before_the_first_and_after_the_last_milestone_there_is_none():
    assert None is around(API, datetime(2020, 1, 1, tzinfo=UTC))[0]
    assert None is around(API, datetime(2030, 1, 1, tzinfo=UTC))[1]
    assert (None, None) == around(Api(releases=(Release(1),)), NOON)


def test_the_steps_have_each_milestone_the_present_and_the_beginnings_of_months():
    steps = time_steps(API, NOON)
    titles = [stop.title for stop in steps if stop.title]
    months = [stop.at for stop in steps if not stop.title]

    assert titles == [
        "v1 release", "v1 announcement, v2 release", NOW, "v1 reminder", "v1 final notice", "v1 removal"
    ]  # fmt: skip
    assert {(1, 10, 0)} == {(at.day, at.hour, at.minute) for at in months}
    # May 2023 to January 2028, without the five months whose first day has a milestone of its own.
    assert 52 == len(months)
    assert datetime(2028, 1, 1, 10, tzinfo=BERLIN) == months[-1]
    assert sorted(steps, key=lambda stop: stop.at.timestamp()) == list(steps)


@pytest.mark.parametrize(("year", "stride_months"), [(2000, 3), (1971, 12)])
def test_over_many_years_the_steps_are_longer(year: int, stride_months: int):
    steps = time_steps(Api(releases=(Release(1, datetime(year, 1, 1, tzinfo=UTC)),)), NOON.astimezone(UTC))
    first, second = (stop.at for stop in steps[:2])

    assert stride_months == (second.year - first.year) * 12 + second.month - first.month
    assert len(steps) <= 125


def test_a_position_is_that_of_the_last_step_that_is_not_later():
    steps = time_steps(API, NOON)
    here = position(steps, NOON)

    assert NOW == steps[here].title
    assert here == position(steps, datetime(2026, 11, 30, tzinfo=BERLIN))
    assert (0, len(steps) - 1) == (
        position(steps, datetime(1999, 1, 1, tzinfo=UTC)),
        position(steps, datetime(2099, 1, 1, tzinfo=UTC)),
    )


def test_a_time_without_a_zone_is_rejected():
    naive = datetime(2026, 11, 20)  # noqa: DTZ001 - that is what is refused

    for ask in (around, time_steps):
        with pytest.raises(InvalidApi, match="time zone") as caught:
            ask(API, naive)
        assert "at" == caught.value.field


def moments(first: int, last: int, *zones: tzinfo) -> st.SearchStrategy[datetime]:
    """Return a strategy for times in these years."""
    begin, end = (datetime(year, 6, 1, tzinfo=UTC).replace(tzinfo=None) for year in (first, last))
    return st.datetimes(begin, end, timezones=st.sampled_from(zones))


@given(released=st.none() | moments(1, 9999, UTC), now=moments(1971, 2198, UTC, BERLIN))
def test_every_api_has_steps_on_which_the_present_stands(released: datetime | None, now: datetime):
    steps = time_steps(Api(releases=(Release(1, released),)), now)

    assert steps[position(steps, now)].at.timestamp() == now.timestamp()
