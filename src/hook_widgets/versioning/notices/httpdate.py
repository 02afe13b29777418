"""Build and parse HTTP-dates (RFC 9110 section 5.6.7): one form is written, three are read."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Final

from hook_widgets._mail_dates import read_mail_date
from hook_widgets.errors import InvalidNotice, excerpt
from hook_widgets.versioning.dates.business_days import DAYS
from hook_widgets.versioning.dates.instants import instant
from hook_widgets.versioning.dates.months import MONTHS
from hook_widgets.versioning.notices.header_fields import invalid

_MONTHS: Final = tuple(name[:3] for name in MONTHS)
_NUMBER: Final = re.compile(r"@?([0-9]{9,15})(?:\.[0-9]{1,9})?")
_YEAR: Final = re.compile(r"(?<![0-9+:-])[12][0-9]{3}\b|-[12][0-9]{3} ")
_LATEST_S: Final = 253_402_300_800  # the year 10000
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})"
_TIME = r"(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})"
_ZONE = r"(?P<zone>GMT|UTC)"
_SHORT = rf"(?P<name>{'|'.join(day[:3] for day in DAYS)})"
_FORMS: Final = (
    re.compile(rf"{_SHORT}, (?P<day>[0-9]{{2}}) {_MONTH} (?P<year>[0-9]{{4}}) {_TIME} {_ZONE}"),
    re.compile(
        rf"(?P<name>{'|'.join(DAYS)}), (?P<day>[0-9]{{2}})-{_MONTH}-(?P<year>[0-9]{{2}}) {_TIME} {_ZONE}"
    ),
    re.compile(rf"{_SHORT} {_MONTH} (?P<day>[0-9]{{2}}| [0-9]) {_TIME} (?P<year>[0-9]{{4}})"),
)


def build_http_date(moment: datetime, *, name: str = "HTTP-date") -> str:
    """Return the moment in the form that every sender must use (IMF-fixdate).

    Fractions of a second are truncated, so the date is never later than the moment.

    Args:
        moment: an aware datetime.
        name: the field's name, for the error.

    Raises:
        InvalidNotice: no time zone, or outside the years 1 to 9999 in UTC.

    >>> build_http_date(datetime(1994, 11, 6, 8, 49, 37, tzinfo=UTC))
    'Sun, 06 Nov 1994 08:49:37 GMT'
    """
    utc = instant(moment, f"{name}: the date", field=name.lower(), error=InvalidNotice)
    return format_datetime(utc, usegmt=True)


def parse_http_date(text: str, *, now: datetime | None = None, name: str = "HTTP-date") -> datetime:
    """Parse any of the three forms that every recipient must accept. Return the moment in UTC.

    The day of the week must match the date. A leap second, 23:59:60, becomes the following midnight.

    Args:
        text: the date, without surrounding spaces.
        now: the current time, as in `read_http_date`.
        name: the field's name, for the error.

    Raises:
        InvalidNotice: another form, a wrong day of the week, a moment that does not exist, or a two-digit
            year without `now`.

    >>> parse_http_date("Sun Nov  6 08:49:37 1994")
    datetime.datetime(1994, 11, 6, 8, 49, 37, tzinfo=datetime.timezone.utc)
    """
    moment, fault = read_http_date(text, now=now, name=name)
    if fault:
        raise invalid(name, fault)
    return moment


def read_http_date(
    text: str, *, now: datetime | None = None, name: str = "HTTP-date"
) -> tuple[datetime, str]:
    """Parse a date leniently. Return the moment in UTC and a description of its fault, or an empty string.

    Tolerated are a wrong day of the week and UTC in place of GMT, so that a client does not miss a removal;
    the examples in two RFCs have these faults.

    Args:
        text: the date, without surrounding spaces.
        now: the current time. Required only for the old form with a two-digit year: a date that seems to be
            more than 50 years in the future is taken as one of the century before.
        name: the field's name, for the error.

    Raises:
        InvalidNotice: another form, a moment that does not exist, or a two-digit year without `now`.

    >>> read_http_date("Sat, 31 Dec 2018 23:59:59 GMT")[1]
    "is 'Sat, 31 Dec 2018 23:59:59 GMT', but 2018-12-31 is a Monday; correct one of them"
    """
    if not isinstance(text, str):
        raise invalid(name, f"must be read from text, not {type(text).__name__}")
    for form in _FORMS:
        match = form.fullmatch(text)
        if match:
            return _moment(match, now, name)
    raise invalid(
        name, f"is {excerpt(text)}, which is no HTTP-date; send one such as 'Sun, 06 Nov 1994 08:49:37 GMT'"
    )


def read_any_date(text: str, *, now: datetime | None = None) -> datetime | None:
    """Return the moment of a date in another form than its field should have, or None if it is no date.

    Read are an HTTP-date, a date as in mail (RFC 5322) or in words with a year of four digits, a date or a
    time of RFC 3339 (each UTC without a zone), and seconds or milliseconds since 1970, with or without ``@``.
    The current time is used as in `read_http_date`.

    >>> read_any_date("2026-12-31T23:59:59Z").year, read_any_date("1688169599").year, read_any_date("soon")
    (2026, 2023, None)
    """
    text = text.strip(' \t"')
    if number := _NUMBER.fullmatch(text):
        seconds = int(number[1]) if len(number[1]) < 12 else int(number[1]) // 1000
        return datetime.fromtimestamp(seconds, UTC) if seconds < _LATEST_S else None
    with suppress(InvalidNotice):
        return read_http_date(text, now=now)[0]
    iso = text.removesuffix(" UTC").replace(" +", "+")
    forms = ((read_mail_date, text + time) for time in ("", " 00:00:00") if _YEAR.search(text))
    for parse, form in ((datetime.fromisoformat, iso), *forms):
        with suppress(ValueError, OverflowError):
            moment = parse(form)
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    return None


def _moment(match: re.Match[str], now: datetime | None, name: str) -> tuple[datetime, str]:
    month, day = _MONTHS.index(match["month"]) + 1, int(match["day"])
    hour, minute, second = int(match["hour"]), int(match["minute"]), int(match["second"])
    year = int(match["year"])
    if len(match["year"]) == 2:
        year = _full_year(year, (month, day, hour, minute, second), now, name)
    leap = (hour, minute, second) == (23, 59, 60)
    try:
        moment = datetime(year, month, day, hour, minute, 59 if leap else second, tzinfo=UTC)
        exact = moment + timedelta(seconds=leap)
    except (ValueError, OverflowError):
        raise invalid(name, f"is {match.group()!r}, and there is no such moment; correct the date") from None
    weekday = DAYS[moment.weekday()]
    if not weekday.startswith(match["name"]):
        return exact, f"is {match.group()!r}, but {moment.date()} is a {weekday}; correct one of them"
    if match.groupdict().get("zone") == "UTC":
        return exact, f"is {match.group()!r}, with UTC for GMT; send GMT"
    return exact, ""


def _full_year(year: int, rest: tuple[int, int, int, int, int], now: datetime | None, name: str) -> int:
    if now is None:
        raise invalid(name, "has a year of two digits; pass now= to tell the century, and send four digits")
    utc = instant(now, "now", field="now", error=InvalidNotice)
    # Compared as tuples, because 29 February may not exist in the year that is tried first.
    latest = (utc.year + 50, utc.month, utc.day, utc.hour, utc.minute, utc.second)
    year += latest[0] - latest[0] % 100
    return year - 100 if (year, *rest) > latest else year
