"""Compare calendar months with dateutil's `relativedelta`."""

from __future__ import annotations

from datetime import MAXYEAR, date, timedelta, timezone

import pytest
from dateutil.relativedelta import relativedelta
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.versioning.dates.months import add_months

MONTHS = st.integers(-12 * MAXYEAR, 12 * MAXYEAR) | st.integers(-60, 60)
ZONES = (
    st.none() | st.timezones() | st.integers(-720, 840).map(lambda each: timezone(timedelta(minutes=each)))
)


@given(st.dates() | st.datetimes(timezones=ZONES), MONTHS)
def test_it_is_the_day_that_dateutil_finds(day: date, months: int):
    try:
        expected = day + relativedelta(months=months)
    except (ValueError, OverflowError) as error:
        with pytest.raises(type(error)):
            add_months(day, months)
        return

    result = add_months(day, months)

    assert expected == result
    assert repr(expected) == repr(result)  # type, zone and fold, which do not count for equality


@pytest.mark.parametrize("months", [12 * MAXYEAR, -12 * MAXYEAR, 10**12, -(10**12)])
def test_no_year_is_made_up(months: int):
    with pytest.raises((ValueError, OverflowError)):
        add_months(date(2026, 8, 31), months)
