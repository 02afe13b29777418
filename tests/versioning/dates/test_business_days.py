"""Compare business days with numpy."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidApi
from hook_widgets.versioning.dates.business_days import MAX_DAYS_OFF, is_business_day, next_business_day

CHRISTMAS = date(2026, 12, 25)
days = st.dates(date(1971, 1, 1), date(2199, 1, 1))
offsets = st.sets(st.integers(0, 20), max_size=12)
weekends = st.frozensets(st.integers(0, 6), max_size=6)


class Asked:
    """A calendar that supports only ``in``, and counts its uses."""

    def __init__(self, first: date, last: date) -> None:
        self.first, self.last, self.times = first, last, 0

    def __contains__(self, day: object) -> bool:
        assert type(day) is date
        self.times += 1
        return self.first <= day <= self.last


class Endless(Asked):
    """A calendar with endless iteration."""

    def __iter__(self):
        while True:
            yield self.first


class Computed(dict):
    """A calendar that fills itself on access, like those of the package holidays."""

    def __contains__(self, day: object) -> bool:
        if isinstance(day, date) and (day.month, day.day) == (12, 25):
            self[day] = "Christmas Day"
        return super().__contains__(day)


@given(days, offsets, weekends)
def test_numpy_finds_the_same_business_days(day, offs, weekend):
    holidays = {day + timedelta(days=offset) for offset in offs}
    mask = "".join("0" if number in weekend else "1" for number in range(7))
    judge = np.busdaycalendar(weekmask=mask, holidays=[np.datetime64(holiday) for holiday in holidays])

    assert bool(np.is_busday(day, busdaycal=judge)) == is_business_day(
        day, holidays=holidays, weekend=weekend
    )
    expected = np.busday_offset(day, 0, roll="forward", busdaycal=judge).item()
    assert expected == next_business_day(day, holidays=holidays, weekend=weekend)


@pytest.mark.parametrize(
    "holidays",
    [
        {CHRISTMAS},
        frozenset({CHRISTMAS}),
        [CHRISTMAS],
        (CHRISTMAS,),
        {CHRISTMAS: "Christmas Day"},
        {CHRISTMAS: "Christmas Day"}.keys(),
        Asked(CHRISTMAS, CHRISTMAS),
        Endless(CHRISTMAS, CHRISTMAS),
        Computed(),
    ],
    ids=lambda holidays: type(holidays).__name__,
)
def test_anything_that_can_be_asked_serves_as_holidays(holidays):
    # Christmas Day 2026 is a Friday
    assert date(2026, 12, 28) == next_business_day(CHRISTMAS, holidays=holidays)
    assert not is_business_day(CHRISTMAS, holidays=holidays)
    assert is_business_day(date(2026, 12, 24), holidays=holidays)


def test_friday_and_saturday_can_be_the_weekend():
    # 2026-11-20 is a Friday
    assert date(2026, 11, 22) == next_business_day(date(2026, 11, 20), weekend={4, 5})
    assert date(2026, 11, 20) == next_business_day(date(2026, 11, 20))
    assert date(2026, 11, 21) == next_business_day(date(2026, 11, 21), weekend=frozenset())


def test_holidays_that_never_end_are_an_error_after_a_year():
    always = Endless(date.min, date.max)

    with pytest.raises(InvalidApi, match="holidays must leave some open") as caught:
        next_business_day(CHRISTMAS, holidays=always, weekend=())
    assert "holidays" == caught.value.field
    assert MAX_DAYS_OFF + 1 == always.times
    with pytest.raises(InvalidApi, match="no business day"):
        next_business_day(CHRISTMAS, weekend=range(7))


def test_a_year_of_holidays_ends():
    holidays = Asked(CHRISTMAS, CHRISTMAS + timedelta(days=MAX_DAYS_OFF - 1))

    expected = CHRISTMAS + timedelta(days=MAX_DAYS_OFF)
    assert expected == next_business_day(CHRISTMAS, holidays=holidays, weekend=())


def test_the_calendar_ends_on_a_friday():
    assert date.max == next_business_day(date.max)
    with pytest.raises(InvalidApi, match="end of the year 9999"):
        next_business_day(date.max, holidays={date.max})


@pytest.mark.parametrize(
    "holidays",
    [
        {"2026-12-25"},
        {datetime(2026, 12, 25, tzinfo=UTC)},
        [CHRISTMAS, "2026-12-26"],
        {"2026-12-25": "Christmas Day"},
        range(5),
        pd.date_range("2026-12-25", periods=3),  # a date is never in it, only a Timestamp is
        np.array(["2026-12-25"], dtype="datetime64[D]"),
    ],
    ids=lambda holidays: type(holidays).__name__,
)
def test_holidays_that_no_date_can_equal_are_rejected(holidays):
    with pytest.raises(InvalidApi, match=r"which no day equals; use datetime\.date") as caught:
        next_business_day(CHRISTMAS, holidays=holidays)

    assert "holidays" == caught.value.field


@pytest.mark.parametrize("holidays", [(day for day in [CHRISTMAS]), "2026-12-25", None, CHRISTMAS, 5])
def test_holidays_that_cannot_be_asked_twice_are_rejected(holidays):
    with pytest.raises(InvalidApi, match=r"write set\(…\) around it") as caught:
        is_business_day(CHRISTMAS, holidays=holidays)

    assert "holidays" == caught.value.field


def test_holidays_that_fail_when_asked_are_named():
    class Broken:
        def __contains__(self, day: object) -> bool:
            raise TypeError("unhashable")

    with pytest.raises(InvalidApi, match=r"cannot tell whether 2026-12-25 is one of them \(unhashable\)"):
        is_business_day(CHRISTMAS, holidays=Broken())


@pytest.mark.parametrize("weekend", ["sat", None, 5])
def test_a_weekend_is_a_set_of_days(weekend):
    with pytest.raises(InvalidApi, match="weekend must be a set of days") as caught:
        is_business_day(CHRISTMAS, weekend=weekend)

    assert "weekend" == caught.value.field


@pytest.mark.parametrize("day", [datetime(2026, 12, 25, tzinfo=UTC), "2026-12-25", None])
def test_a_business_day_is_asked_of_a_date(day):
    with pytest.raises(InvalidApi, match="the day must be a date"):
        next_business_day(day)
