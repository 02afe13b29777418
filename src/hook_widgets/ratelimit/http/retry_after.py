"""Build and parse ``Retry-After``: seconds or an HTTP-date (RFC 9110 sections 10.2.3 and 5.6.7)."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from fractions import Fraction

from hook_widgets.errors import InvalidHeader
from hook_widgets.ratelimit.http.rounding import epoch_s, exact, up
from hook_widgets.ratelimit.units import EPOCH, Number

RetryAfter = int | datetime
"""Whole seconds from the response on, or a datetime in UTC."""

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})"
_TIME = r"(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})"
_DATES = (
    re.compile(
        rf"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?P<day>[0-9]{{2}}) {_MONTH} (?P<year>[0-9]{{4}}) {_TIME} GMT"
    ),
    re.compile(
        r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, "
        rf"(?P<day>[0-9]{{2}})-{_MONTH}-(?P<year>[0-9]{{2}}) {_TIME} GMT"
    ),
    re.compile(
        rf"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) {_MONTH} (?P<day>[0-9]{{2}}| [0-9]) {_TIME} (?P<year>[0-9]{{4}})"
    ),
)
_DELAY = re.compile(r"[0-9]+")


def build_retry_after(delay_s: Number | timedelta) -> str:
    """Return the delay in whole seconds, rounded up.

    Args:
        delay_s: the delay, in seconds or as a `datetime.timedelta`.

    Raises:
        InvalidHeader: the delay is not a finite number.

    >>> build_retry_after(0.2)
    '1'
    """
    return str(up("Retry-After", delay_s))


def build_retry_date(now: datetime | Number, delay_s: Number | timedelta) -> str:
    """Return the time of the retry as an HTTP-date, rounded up to a whole second.

    A date relies on a correct clock of the client; a number of seconds does not.

    Args:
        now: the current time: an aware datetime, or seconds since 1970.
        delay_s: the delay, in seconds or as a `datetime.timedelta`.

    Raises:
        InvalidHeader: a number is not finite, the time zone is missing, or the date is after the year 9999.

    >>> build_retry_date(1_790_000_000.5, 30)
    'Mon, 21 Sep 2026 14:13:51 GMT'
    """
    up("Retry-After", delay_s)
    timestamp_s = math.ceil(epoch_s(now) + max(Fraction(0), exact("Retry-After", delay_s)))
    try:
        return format_datetime(EPOCH + timedelta(seconds=timestamp_s), usegmt=True)
    except OverflowError:
        raise InvalidHeader(
            "Retry-After: the date is outside the years 1 to 9999; use fewer seconds"
        ) from None


def parse_retry_after(text: str, *, now: datetime | Number | None = None) -> RetryAfter:
    """Parse whole seconds, or an HTTP-date in any of the three forms that a client must accept.

    Args:
        text: the field's value.
        now: the current time; needed only for the obsolete form with a two-digit year, which is at most 50
            years in the future.

    Raises:
        InvalidHeader: the text is neither whole seconds nor an HTTP-date.

    >>> parse_retry_after("120")
    120
    >>> parse_retry_after("Mon, 21 Sep 2026 14:13:51 GMT").minute
    13
    """
    if not isinstance(text, str):
        raise InvalidHeader(f"Retry-After must be text, not {type(text).__name__}; pass the field's value")
    value = text.strip(" \t")
    if _DELAY.fullmatch(value):
        # Cap absurdly long delays: int() rejects strings of thousands of digits.
        return int(value) if len(value.lstrip("0")) <= 15 else 10**15 - 1
    for form in _DATES:
        match = form.fullmatch(value)
        if match:
            return _to_datetime(match, now)
    raise InvalidHeader(
        f"Retry-After is {value[:40]!r}; it must be whole seconds such as '120' or a date such as "
        "'Mon, 21 Sep 2026 14:13:51 GMT'"
    )


def retry_wait_s(value: RetryAfter, now: datetime | Number) -> Fraction:
    """Return the seconds from now until the client may retry; zero if that time has passed.

    Args:
        value: the result of `parse_retry_after`.
        now: the current time: an aware datetime, or seconds since 1970.

    Raises:
        InvalidHeader: a datetime has no time zone, or the value is no finite number.
    """
    if isinstance(value, datetime):
        return max(Fraction(0), epoch_s(value) - epoch_s(now))
    return exact("Retry-After", value)


def _to_datetime(match: re.Match[str], now: datetime | Number | None) -> datetime:
    year, second = int(match["year"]), int(match["second"])
    if len(match["year"]) == 2:
        if now is None:
            raise InvalidHeader("Retry-After has a year of two digits; pass now= to tell the century")
        this_year = (EPOCH + timedelta(seconds=math.floor(epoch_s(now)))).year
        year += this_year - this_year % 100
        year += -100 if year > this_year + 50 else 100 if year <= this_year - 50 else 0
    try:
        if second > 60:
            raise ValueError
        date = year, _MONTHS.index(match["month"]) + 1, int(match["day"])
        minute = datetime(*date, int(match["hour"]), int(match["minute"]), tzinfo=UTC)
        return minute + timedelta(seconds=second)  # second 60 is a leap second: the next minute
    except (ValueError, OverflowError):
        raise InvalidHeader(f"Retry-After: there is no such moment as {match.group()!r}") from None
