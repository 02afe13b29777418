"""Test windows of the calendar, against the local dates of their requests."""

from __future__ import annotations

import random
from collections import Counter
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from zoneinfo import ZoneInfo

import pytest

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit import HoldOff, Layers, PerClient, TokenBucket, simulate
from hook_widgets.ratelimit.http import policy_of
from hook_widgets.ratelimit.limiters import CalendarWindow

YEAR = datetime(2026, 1, 1, tzinfo=UTC)
DATES = {
    "day": "%Y-%m-%d",
    "week": "%G-%V",
    "month": "%Y-%m",
    "year": "%Y",
}


@pytest.mark.parametrize("unit", DATES)
@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/Los_Angeles", "Australia/Lord_Howe", "UTC"])
def test_every_request_counts_for_its_local_date(unit, zone):
    rng = random.Random(f"{unit} {zone}")
    at = sorted(rng.randrange(500 * 86_400) for _ in range(800))
    at += [at[-1]] * 3
    used: Counter[str] = Counter()
    expected = []
    for t in at:
        date = (YEAR + timedelta(seconds=t)).astimezone(ZoneInfo(zone)).strftime(DATES[unit])
        expected.append(used[date] < 2)
        used[date] += expected[-1]

    assert expected == simulate(CalendarWindow(2, unit, zone, YEAR), at).admitted


@pytest.mark.parametrize(
    ("zone", "start", "hours"),
    [
        ("Europe/Berlin", datetime(2026, 3, 28, 23, tzinfo=UTC), [23, 47]),  # clocks go forward
        ("Europe/Berlin", datetime(2026, 10, 24, 22, tzinfo=UTC), [25, 49]),  # and back
        ("America/Sao_Paulo", datetime(2018, 11, 3, 3, tzinfo=UTC), [24, 47]),  # midnight is skipped
        ("America/St_Johns", datetime(2010, 11, 6, 2, 30, tzinfo=UTC), [24, 49]),  # 0:01 becomes 23:01
        ("Pacific/Apia", datetime(2011, 12, 29, 10, tzinfo=UTC), [24, 48]),  # a whole day is skipped
    ],
)
def test_a_day_of_a_change_of_clocks_has_its_real_length(zone, start, hours):
    day = timedelta(hours=1)
    edges = [hour * day for hour in hours]
    at = [timedelta(0), *(t for edge in edges for t in (edge - timedelta(microseconds=1), edge))]

    assert [True, False, True, False, True] == simulate(CalendarWindow(1, "day", zone, start), at).admitted


def test_what_is_left_and_when_the_next_request_passes():
    run = simulate(
        CalendarWindow(2, "day", "Europe/Berlin", datetime(2026, 3, 28, 23, tzinfo=UTC)), [0, 5, 6]
    )

    assert [True, True, False] == run.admitted
    assert 0 == run.tokens(6)
    assert 2 == run.tokens("23 h")
    assert 23 * 3600 == run.free_at(6)


def test_a_calendar_window_can_be_a_layer_per_client_and_held_off():
    day = CalendarWindow(1, "day", "UTC", YEAR)
    users = {"user": ["ann", "bob", "ann", "ann"]}

    run = simulate(Layers(TokenBucket(9, 1), PerClient("user", day)), [0, 1, 2, 86_400], clients=users)
    held = simulate(HoldOff(day, "2 h"), [0, 86_399, 86_401, 86_399 + 7200])

    assert [True, True, False, True] == run.admitted
    assert [True, False, False, True] == held.admitted


def test_one_by_one_the_decisions_are_those_of_a_run():
    window = CalendarWindow(2, "month", "America/New_York", YEAR)
    live = window.begin()
    at = sorted(random.Random(4).randrange(400 * 86_400) for _ in range(60))

    assert simulate(window, at).admitted == [live.decide(t).admitted for t in at]


def test_in_a_window_of_time_at_most_the_bound_passes():
    day = CalendarWindow(3, "day", "Europe/Berlin", datetime(2026, 3, 27, 23, tzinfo=UTC))
    late = [timedelta(hours=24) - timedelta(microseconds=1)] * 3
    rest = [timedelta(hours=24)] * 3 + [timedelta(hours=47)] * 3

    assert 9 == sum(simulate(day, [*late, *rest]).admitted) == day.max_admitted("23.5 h")
    assert Fraction(3, 86_400) == day.sustained_rate


@pytest.mark.parametrize(
    ("unit", "zone", "begin", "length"),
    [
        ("week", "Pacific/Apia", datetime(2011, 12, 26, 10, tzinfo=UTC), timedelta(days=6)),
        ("day", "Antarctica/Casey", datetime(2020, 10, 3, 16, tzinfo=UTC), timedelta(hours=21)),
        ("day", "Antarctica/Vostok", datetime(1994, 11, 1, tzinfo=UTC), timedelta(hours=17)),
    ],
)
def test_the_bound_holds_where_clocks_lose_hours_or_a_day(unit, zone, begin, length):
    before = timedelta(microseconds=1)
    window = CalendarWindow(3, unit, zone, begin - before)

    admitted = simulate(window, [timedelta(0)] * 3 + [before] * 3 + [before + length] * 3).admitted

    assert 9 == sum(admitted)
    assert window.max_admitted(before + length, closed=True) >= 9


def test_the_policy_of_a_calendar_window_names_no_seconds():
    policy = policy_of(CalendarWindow(5, "month", "UTC", YEAR, name="monthly"))

    assert (5, None) == (policy.quota, policy.window_s)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("day", "Europe/Atlantis", YEAR), "no time zone"),
        (("day", "../etc/passwd", YEAR), "no time zone"),
        (("day", 3, YEAR), "no time zone"),
        (("fortnight", "UTC", YEAR), "unit is 'fortnight'"),
        (("day", "UTC", YEAR.replace(tzinfo=None)), "give a datetime with a time zone"),
        (("day", "UTC", 0), "give a datetime with a time zone"),
    ],
)
def test_a_calendar_window_that_cannot_be_is_rejected(arguments, complaint):
    with pytest.raises(InvalidLimit, match=complaint):
        CalendarWindow(1, *arguments)
