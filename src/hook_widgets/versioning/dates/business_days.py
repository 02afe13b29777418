"""Find business days, on which people read notices and can react to a removal."""

from __future__ import annotations

from collections.abc import Collection, Container
from datetime import date, datetime, timedelta
from itertools import islice
from typing import Final

from hook_widgets._arguments import shown
from hook_widgets.errors import InvalidApi

WEEKEND: Final = frozenset({5, 6})
"""Saturday and Sunday, numbered as by `datetime.date.weekday` (Monday is 0)."""

DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
"""English names of the days, in that order, independent of the locale."""

MAX_DAYS_OFF: Final = 366
"""Limit of consecutive days off; more are considered an error in the holidays."""


def is_business_day(day: date, *, holidays: Container[date] = (), weekend: Container[int] = WEEKEND) -> bool:
    """Return True if the day is neither on a weekend nor a holiday.

    Args:
        day: the day.
        holidays: any container of dates (not of datetimes or strings): a set, a dict, or a calendar of the
            package ``holidays``.
        weekend: the days of the week that are off, Monday being 0.

    Raises:
        InvalidApi: the day is not a date, or `holidays` or `weekend` is not a suitable container.

    >>> is_business_day(date(2026, 12, 24)), is_business_day(date(2026, 12, 26))
    (True, False)
    """
    _check(day, holidays, weekend)
    return _open(day, holidays, weekend)


def next_business_day(
    day: date, *, holidays: Container[date] = (), weekend: Container[int] = WEEKEND
) -> date:
    """Return the day itself if it is a business day, otherwise the next one.

    Args:
        day: the day.
        holidays: as in `is_business_day`.
        weekend: as in `is_business_day`.

    Raises:
        InvalidApi: as for `is_business_day`, or there is no business day within a year.

    >>> next_business_day(date(2026, 12, 25), holidays={date(2026, 12, 25)})
    datetime.date(2026, 12, 28)
    """
    _check(day, holidays, weekend)
    try:
        for _ in range(MAX_DAYS_OFF + 1):
            if _open(day, holidays, weekend):
                return day
            day += timedelta(days=1)
    except OverflowError:
        raise InvalidApi(
            "there is no business day before the end of the year 9999; use an earlier date", field="holidays"
        ) from None
    raise InvalidApi(
        f"there is no business day in the {MAX_DAYS_OFF} days before {day}; holidays must leave some open",
        field="holidays",
    )


def _open(day: date, holidays: Container[date], weekend: Container[int]) -> bool:
    try:
        return day.weekday() not in weekend and day not in holidays
    except (TypeError, ValueError) as problem:
        raise InvalidApi(
            f"cannot tell whether {day} is one of them ({problem}); pass a set of dates",
            field="holidays",
            subject="holidays",
        ) from None


def _check(day: object, holidays: object, weekend: object) -> None:
    if not isinstance(day, date) or isinstance(day, datetime):
        raise InvalidApi(
            f"the day must be a date, not a {type(day).__name__}; "
            "of a datetime pass .date() in the zone that counts"
        )
    if isinstance(weekend, str) or not isinstance(weekend, Container):
        raise InvalidApi(
            "must be a set of days, Monday being 0; write it like {5, 6}", field="weekend", subject="weekend"
        )
    if isinstance(holidays, str) or not isinstance(holidays, Container):
        # `in` would exhaust a generator on the first check.
        raise InvalidApi(
            f"must be a set of dates, not a {type(holidays).__name__}; write set(…) around it",
            field="holidays",
            subject="holidays",
        )
    # Check all items of a built-in collection, only the first of others, and none without a length.
    sample = holidays if isinstance(holidays, set | frozenset | list | tuple | dict) else ()
    if not sample and isinstance(holidays, Collection):
        sample = tuple(islice(holidays, 1))
    for holiday in sample:
        if not isinstance(holiday, date) or isinstance(holiday, datetime):
            raise InvalidApi(
                f"contains {shown(holiday)}, a {type(holiday).__name__}, which no day equals; "
                "use datetime.date",
                field="holidays",
                subject="holidays",
            )
