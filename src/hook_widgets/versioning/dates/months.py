"""Calendar months: a period from 31 August has to end somewhere in February."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta
from typing import Final, TypeVar

MONTHS: Final = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
"""English names of the months, independent of the locale."""

_Day = TypeVar("_Day", bound=date)


def add_months(day: _Day, months: int) -> _Day:
    """Return the same day a number of months later, or the last day of a shorter month.

    Time and zone of a `datetime` stay as they are, so its zone may skip the result or have it twice. As in
    all arithmetic, `fold` becomes 0.

    Args:
        day: a `date` or `datetime`.
        months: number of months; negative for earlier ones.

    Raises:
        ValueError: the result is before the year 1 or after the year 9999.
        OverflowError: the same, by billions of years.

    >>> str(add_months(date(2027, 8, 31), 6))
    '2028-02-29'
    >>> str(add_months(date(2026, 1, 15), -1))
    '2025-12-15'
    """
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    month += 1
    last = monthrange(year, month)[1]
    return day.replace(year=year, month=month, day=min(day.day, last)) + timedelta()  # which drops `fold`
