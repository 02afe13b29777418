"""Parse the times and durations that logs contain: one reader for all forms of files."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import Final

from hook_widgets._access_logs.log_own import QUOTED, outside_addresses, own
from hook_widgets._access_logs.log_zones import NAMED_ZONES

FORMS: Final = (
    "10/Oct/2026:13:55:36 +0000 and 2026-10-10T13:55:36Z (both with or without a fraction and a zone), "
    "seconds, and time since 1970 in s, ms, us or ns"
)
"""Forms of a time that are tried, for error messages."""

CALENDAR_NS: Final = 10**8 * 10**9
"""From here on a time is one of the calendar (March 1973)."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MONTHS: Final = "JanFebMarAprMayJunJulAugSepOctNovDec"  # the same in every locale
HALF_DAY_NS: Final = 43_200 * 10**9
_DAY_NS: Final = 2 * HALF_DAY_NS
_MAX_LENGTH: Final = 80
_MAX_SEARCHED: Final = 10_000  # characters of a line
_CLOCK: Final = (
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2}):(?P<second>\d{2})(?:[.,](?P<fraction>\d{1,18}))?"
    r"(?: ?(?P<half>[AaPp])\.?[Mm]\b\.?)?"
)
# PostgreSQL writes hours only; Java and Go write the name of the zone behind the offset.
_ZONE: Final = (
    r"(?: ?(?P<zone>[Zz]|(?:UTC|GMT)(?:[+-]\d{1,2}(?::?\d{2})?(?!\d))?|[+-]\d{2}:?\d{2}|"
    r"(?<! )[+-]\d{2}(?!\d)|(?<= )[A-Z]{3,5}\b))?"
    r"(?: [A-Z]{3,5}\b)?(?: m=[+-][\d.]{1,30})?(?:\[[\w/+-]{1,40}\])?"
)
# Tomcat writes hyphens, Django a space before the time, Log4j and Redis spaces, and mail the day of the week.
_CLF: Final = (
    r"(?:[A-Z][a-z]{2,8}, )?(?P<day>\d{1,2})[/ -](?P<month>[A-Z][A-Za-z]{2})[/ -](?P<year>\d{4})"
    rf"(?::|,? ){_CLOCK}{_ZONE}"
)
# Gin puts a hyphen between date and time.
_ISO: Final = (
    rf"(?P<year>\d{{4}})[-/.](?P<month>\d{{1,2}})[-/.](?P<day>\d{{1,2}})(?:[Tt]| {{1,2}}| - ){_CLOCK}{_ZONE}"
)
_CTIME: Final = (
    rf"[A-Z][a-z]{{2}} (?P<month>[A-Z][a-z]{{2}}) (?P<day>[ \d]\d) {_CLOCK} "
    r"(?:(?P<zone>[A-Z]{3,5}|[+-]\d{4}) )?(?P<year>\d{4})"
)
_JAVASCRIPT: Final = (
    rf"[A-Z][a-z]{{2}} (?P<month>[A-Z][a-z]{{2}}) (?P<day>\d{{2}}) (?P<year>\d{{4}}) {_CLOCK} "
    r"GMT(?P<zone>[+-]\d{4})(?: \([^()]{1,40}\))?"
)
# ISO 8601 without separators; digits only where no other unit makes a date of this century of them.
_COMPACT: Final = (
    r"(?P<year>20\d{2})(?P<month>\d{2})(?P<day>\d{2})T?(?P<hour>\d{2})(?P<minute>\d{2})(?P<second>\d{2})"
    rf"(?:[.,]?(?P<fraction>\d{{3}}(?:\d{{3}}){{0,2}}))?(?P<half>){_ZONE}"
)
# Kibana, tshark, java.util.logging, Cisco, browsers in the United States, and Mashery with whole names.
_MONTH_FIRST: Final = (
    r"(?:[A-Z][a-z]{2,5}day, )?(?P<month>[A-Z][a-z]{2})(?:uary|ruary|ch|il|e|y|ust|(?:t?em|o)ber)?  ?"
    rf"(?P<day>\d{{1,2}}),? (?P<year>\d{{4}})(?: @|,)? {_CLOCK}{_ZONE}"
)
# NLS_TIMESTAMP_FORMAT
_ORACLE: Final = (
    r"(?P<day>\d{1,2})-(?P<month>[A-Z]{3})-(?P<year>\d{2}) (?P<hour>\d{1,2})\.(?P<minute>\d{2})\."
    rf"(?P<second>\d{{2}})(?:\.(?P<fraction>\d{{1,9}}))?(?: (?P<half>[AP])M)?{_ZONE}"
)
_NO_SECONDS: Final = re.compile(
    rf"(?:\A|\d[T ,]{{1,2}})\d{{1,2}}:\d{{2}}(?: ?[AaPp]\.?[Mm]\.?)?{_ZONE}\s*\Z", re.ASCII
)
_MINUTE: Final = re.compile(r"(?<!\d)(\d{1,2}:\d{2})(?!:?\d)", re.ASCII)
_DOTNET: Final = re.compile(r"\\?/Date\((\d{9,14})(?:[+-]\d{4})?\)\\?/", re.ASCII)
_CALENDAR: Final = tuple(
    re.compile(rf"\[?{form}\]?", re.ASCII)
    for form in (_CLF, _ISO, _CTIME, _JAVASCRIPT, _MONTH_FIRST, _ORACLE, _COMPACT)
)
# RFC 3164 section 4.1.2, maybe with its length before it (RFC 6587), and Tyk
_SYSLOG: Final = re.compile(
    r"(?:\[|time=\")?(?:(?:\d{1,6} )?<\d{1,3}>)?(?P<month>[A-Z][a-z]{2}) (?P<day>[ \d]\d|\d) "
    rf"{_CLOCK}(?P<zone>)(?=[ :\]\"])",
    re.ASCII,
)
# klog of Kubernetes
_GLOG: Final = re.compile(rf"[DIWEF](?P<month>\d{{2}})(?P<day>\d{{2}}) {_CLOCK}(?P<zone>)(?= )", re.ASCII)
# Tornado and MySQL
_SHORT_YEAR: Final = re.compile(
    rf"(?:\[[A-Z] )?(?P<year>\d{{2}})(?P<month>\d{{2}})(?P<day>\d{{2}}) {{1,2}}{_CLOCK}(?P<zone>)(?=[ \]])",
    re.ASCII,
)
_COMPACT_ONLY: Final = _CALENDAR[-1]
_ISO_FIRST: Final = _CALENDAR[1:2]
_BRACKETED: Final = re.compile(rf"\[(?:{_CLF})\]", re.ASCII)
_IN_LINE: Final = tuple(
    re.compile(rf"(?<![\w./-])(?<!\d:)\[?{form}\]?(?![\w./-]|:\d)", re.ASCII)
    for form in (_ISO, _CTIME, _CLF, _MONTH_FIRST)
)
_CPANEL: Final = re.compile(
    rf"\[(?P<month>\d\d)/(?P<day>\d\d)/(?P<year>\d{{4}}):{_CLOCK} (?P<zone>-0000)\]", re.ASCII
)
NGINX: Final = re.compile(r"\[\d{2}/[A-Z][a-z]{2}/\d{4}:\d{2}:\d{2}:\d{2} [+-]\d{4}\]")
"""The time of nginx and Apache."""
_NAMED: Final = re.compile(
    r"\b(?:time|timestamp|ts|t|datetime|date|start|start_time)=(?:\"([^\"]{8,80})\"|([0-9.]{10,30}))(?=\s|$)"
)
_DAY_OR_MONTH: Final = re.compile(
    r"(?P<a>\d{1,2})(?P<separator>[/.-])(?P<b>\d{1,2})(?P=separator)(?P<year>\d{4})", re.ASCII
)
_TWELVE: Final = re.compile(
    r"(?P<hour>\d{1,2}):(?P<rest>\d{2}:\d{2}(?:[.,]\d{1,18})?)(?: ?(?P<half>[AaPp])\.?[Mm]\.?)?", re.ASCII
)
_NUMBER: Final = re.compile(
    r"\s*+[+-]?(?:\d{1,30}+(?:\.\d{0,30}+)?|\.\d{1,30}+)(?:[eE][+-]?\d{1,3})?\s*+", re.ASCII
)
_EPOCH_FIRST: Final = re.compile(r"1\d{9}\.\d{3}\s", re.ASCII)  # Squid
_DATE: Final = re.compile(
    r"\d{4}-\d{2}-\d{2}|\d{2}/[A-Z][a-z]{2}/\d{4}|(20\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])", re.ASCII
)
_CLOCK_ONLY: Final = re.compile(_CLOCK + _ZONE, re.ASCII)
_CLOCK_FIRST: Final = re.compile(r"\[?(\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?)(?=[\]\s|])", re.ASCII)
_DURATION: Final = re.compile(r"\s*+(\d{1,18}+(?:\.\d{1,18}+)?) ?(ns|us|µs|ms|s|sec|m|min)?\s*+", re.ASCII)
UNITS_NS: Final = {
    "ns": 1,
    "us": 1_000,
    "µs": 1_000,
    "ms": 1_000_000,
    "s": 10**9,
    "sec": 10**9,
    "m": 60 * 10**9,
    "min": 60 * 10**9,
}
# Each smaller unit has three digits more. Other counts, such as ticks since 1601 or since the start of a
# machine, would become dates outside of these years.
_EARLIEST_NS: Final = 946_684_800 * 10**9  # 2000
_LATEST_NS: Final = 10**10 * 10**9  # 2286
_COARSE_NS: Final = 100 * 10**9  # a float that is printed as short as possible may end with zeros
_EPOCH_UNITS: Final = ((10**17, 1), (10**14, 1_000), (10**11, 10**6), (0, 10**9))


class NotATime(ValueError):
    """A text or value that is no time."""


def time_ns(value: object, unit_ns: int = 10**9) -> int:
    """Return a time in nanoseconds: since 1970 if it is one of the calendar.

    Args:
        value: a number or text in any of the forms; UTC if it has no zone.
        unit_ns: the unit of a number that is no date.

    Raises:
        NotATime: it has none of the forms, or is negative or out of range.

    >>> time_ns("2026-10-10T13:55:36.250000999Z") % 10**9, time_ns("0.5"), time_ns(1791590401500) % 10**12
    (250000999, 500000000, 401500000000)
    """
    if isinstance(value, str):
        if value[10:11] == "T" or not _NUMBER.fullmatch(value):
            return calendar_ns(value.strip())
        whole, _, fraction = value.partition(".")
        if unit_ns == 10**9 and len(whole) < 11 and len(fraction) < 10 and (whole + fraction).isdecimal():
            return int(whole + fraction.ljust(9, "0"))
    elif isinstance(value, bool) or not isinstance(value, int | float):
        raise NotATime(f"{_shown(value)} is no time")
    try:
        number = Decimal(str(value))
        if not number.is_finite() or number.adjusted() > 30:
            raise NotATime(f"{_shown(value)} is no time")
    except ArithmeticError:
        raise NotATime(f"{_shown(value)} is no time") from None
    if number < 0:
        raise NotATime(f"the time {_shown(value)} is negative")
    if unit_ns < 10**9 and number < CALENDAR_NS // unit_ns:
        return _rounded(number, unit_ns)
    unit_ns = next(unit_ns for least, unit_ns in _EPOCH_UNITS if number >= least)
    if unit_ns < 10**9 and (compact := _COMPACT_ONLY.fullmatch(str(value).strip())):
        return _match_ns(compact)
    at_ns = _rounded(number, unit_ns)
    if at_ns >= CALENDAR_NS and isinstance(value, str) and "e" in value.lower():
        last_ns = unit_ns * 10 ** max(0, int(number.as_tuple().exponent))
        if last_ns > _COARSE_NS:  # as of spreadsheets, 1.79164E+12
            raise NotATime(f"{_shown(value)} has too few digits for a date; export it without an exponent")
    if at_ns >= _LATEST_NS or (unit_ns < 10**9 and at_ns < _EARLIEST_NS):
        raise NotATime(f"{_shown(value)} is no date in s, ms, us or ns since 1970")
    return at_ns


def _rounded(number: Decimal, unit_ns: int) -> int:
    """Return a number of units in nanoseconds; most numbers are whole, which needs no fractions."""
    whole = int(number)
    return whole * unit_ns if whole == number else round(Fraction(number) * unit_ns)


def calendar_ns(text: str) -> int:
    """Return the nanoseconds since 1970 of a time of the calendar.

    Raises:
        NotATime: it is none.
    """
    if text[-1:] == "Z" and "." in text and len(text) <= _MAX_LENGTH:
        head, _, fraction = text[:-1].partition(".")
        if fraction.isdecimal() and text.isascii():  # most are of a second before
            return _calendar_ns(head + "Z") + int(fraction[:9].ljust(9, "0"))
    return _calendar_ns(text)


@lru_cache(maxsize=4096)
def _calendar_ns(text: str) -> int:
    if len(text) <= _MAX_LENGTH:
        for form in _CALENDAR if text[4:5] != "-" else _ISO_FIRST:
            match = form.fullmatch(text)
            if match:
                return _match_ns(match)
        if match := _DOTNET.fullmatch(text):
            return time_ns(match[1])
        if _NO_SECONDS.search(text):
            raise NotATime(f"{_shown(text)} has no seconds")
    raise NotATime(f"{_shown(text)} is no time")


@lru_cache(maxsize=4096)
def nginx_ns(text: str) -> int | None:
    """Return the nanoseconds since 1970 of a text such as ``[10/Oct/2026:13:55:36 +0000]``, else None."""
    with suppress(NotATime):
        return calendar_ns(text) if NGINX.fullmatch(text) else None
    return None


def find_ns(line: str) -> int:
    """Return the nanoseconds since 1970 of the time in a line of text.

    In brackets it is the first; of several others it is the earliest in the day before the first, because a
    request begins before it ends (Application Load Balancer). Times that clients may write count only in a
    line without another.

    Raises:
        NotATime: there is none.
    """
    if line[10:11] == "." and _EPOCH_FIRST.match(line):
        return time_ns(line[:14])
    outside = QUOTED.sub('""', line) if '"' in line else line
    fault, written = "", None
    for form in (_BRACKETED, *_IN_LINE):
        first = form.search(outside)
        if first is None:
            continue
        alone = not first.start() and form.search(outside, first.end()) is None
        matches = (first,) if alone else chain((first,), form.finditer(outside, first.end()))
        times = list[int]()
        for match in matches if alone else outside_addresses(matches, outside):
            try:
                times.append(_match_ns(match))
            except NotATime as error:
                fault = str(error)
            if times and form is _BRACKETED:
                return times[0]
        if times:
            return times[0] if len(times) == 1 else _begin_ns(times, line)
        written = written or first
    if short := _SHORT_YEAR.match(line) or _CPANEL.search(outside):
        return _match_ns(short)
    if (time := _other_ns(line[:_MAX_SEARCHED])) is not None:
        return time
    if written := written or _BRACKETED.search(line):  # a client may have written it, or a path is before it
        return _match_ns(written)
    raise NotATime(fault or "there is no time")


def _other_ns(line: str) -> int | None:
    """Return the time that is named, in quotes or the first number of a line; None if there is none."""
    for named in own(_NAMED.finditer(line), line) if "=" in line else ():
        with suppress(NotATime):
            if (at := time_ns(named[1] or named[2])) >= CALENDAR_NS:
                return at
    for quoted in QUOTED.finditer(line):
        with suppress(NotATime):
            return calendar_ns(quoted[0].strip('"'))
    token = line.split(None, 1)[0].strip("[]:") if line[:_MAX_LENGTH].strip() else ""
    if _NUMBER.fullmatch(token) and (at := time_ns(token)) >= CALENDAR_NS:
        return at
    return None


def _begin_ns(times: list[int], line: str) -> int:
    """Return the time of the begin, of several in a line."""
    if line.startswith("tls "):  # a Network Load Balancer has the begin of a connection behind all
        return times[-1]
    if times[0] % 10**9:  # Rails repeats the time in whole seconds
        times = [at for at in times if at % 10**9]
    elif finer := [at for at in times if 0 < at - times[0] < 10**9]:  # Zoraxy repeats it with a fraction
        return finer[0]
    return min(at for at in times if at > times[0] - _DAY_NS)


def syslog_month(line: str) -> int:
    """Return the month, from 1, of a line whose time has no year (RFC 3164, klog); 0 if it is none."""
    match = _SYSLOG.match(line) or _GLOG.match(line)
    if match is None:
        return 0
    month = match["month"]
    return int(month) if month.isdecimal() else _MONTHS.find(month) // 3 + 1


def syslog_ns(line: str, year: int) -> int:
    """Return the nanoseconds since 1970 of a line of syslog in a year.

    Raises:
        NotATime: it has no such time.
    """
    match = _SYSLOG.match(line) or _GLOG.match(line)
    if match is None:
        raise NotATime("there is no time")
    return _match_ns(match, str(year))


def order_of(values: Iterable[object]) -> str:
    """Return ``"day"`` or ``"month"``: which one is first in dates such as ``10/13/2026``.

    Returns:
        The part that is first, an empty text if there is no such date, or ``"unknown"`` if both are possible.
        AM and PM are written where the month is first.
    """
    order = ""
    for value in values:
        text = value.strip() if isinstance(value, str) and len(value) <= _MAX_LENGTH else ""
        date = _DAY_OR_MONTH.match(text)
        if date is None:
            if text and _TWELVE.fullmatch(text) and text[-1] in "mM.":
                order = order or "month"
            continue
        if date["separator"] == "." or int(date["a"]) > 12:
            return "day"
        if int(date["b"]) > 12 or text[-1:] == "M":
            return "month"
        order = "unknown"
    return order


def in_order(value: object, order: str) -> object:
    """Return a date or a time of 12 hours in the form of ISO 8601; other values as they are.

    >>> in_order("10/13/2026, 1:55:36.250 PM", "month"), in_order("13.10.2026", "day")
    ('2026-10-13 13:55:36.250', '2026-10-13')
    """
    if not isinstance(value, str) or len(value) > _MAX_LENGTH:
        return value
    text = value.strip()
    date = _DAY_OR_MONTH.match(text)
    rest = text[date.end() :].lstrip(", T") if date else text
    clock = _TWELVE.fullmatch(rest)
    if clock is not None:
        hour = _hour(clock["hour"], clock["half"]) if clock["half"] else clock["hour"]
        rest = f"{hour:0>2}:{clock['rest']}"
    if date is None:
        return rest if clock else value
    day, month = (date["a"], date["b"]) if order == "day" else (date["b"], date["a"])
    return f"{date['year']}-{int(month):02}-{int(day):02} {rest}".strip()


def has_no_seconds(value: object) -> bool:
    """Return True for a date or a time of day that ends with the minutes."""
    return isinstance(value, str) and len(value) <= _MAX_LENGTH and bool(_NO_SECONDS.search(value))


def with_seconds(value: object) -> object:
    """Return a text whose time ends with the minutes with seconds of zero; other values as they are.

    >>> with_seconds("10/13/2026 1:55 PM")
    '10/13/2026 1:55:00 PM'
    """
    if not isinstance(value, str) or not has_no_seconds(value):
        return value
    return _MINUTE.sub(r"\1:00", value, count=1)


def is_date(value: object) -> bool:
    """Return True for a date without a time."""
    return isinstance(value, str | int) and bool(_DATE.fullmatch(str(value)))


def is_clock(value: object) -> bool:
    """Return True for a time of day."""
    return isinstance(value, str) and bool(_CLOCK_ONLY.fullmatch(value))


def clock_of(line: str) -> re.Match[str] | None:
    """Return a match of the time of day at the begin of a line, which is its first group."""
    return _CLOCK_FIRST.match(line)


def clock_ns(value: object) -> int:
    """Return the nanoseconds from midnight to a time of day.

    Raises:
        NotATime: it is none.
    """
    return calendar_ns(f"1970-01-01T{value}")


def joined_ns(date: object, clock: object) -> int:
    """Return the nanoseconds since 1970 of a date and a time of day.

    Raises:
        NotATime: they are not both valid.
    """
    if not (is_date(date) and is_clock(clock)):
        raise NotATime(f"{_shown(date)} {_shown(clock)} is no date with a time")
    digits = _DATE.fullmatch(str(date))
    if digits and digits[1]:
        date = "-".join(digits.groups())
    return calendar_ns(f"{date}:{clock}" if "/" in str(date) else f"{date}T{clock}")


def duration_ns(value: object, unit: str) -> int:
    """Return a duration in nanoseconds; 0 if there is none.

    Args:
        value: a number, or text with or without a unit.
        unit: the unit without one: ``"ns"``, ``"us"``, ``"ms"`` or ``"s"``.

    >>> duration_ns("0.005", "s"), duration_ns("12ms", "s"), duration_ns("-", "s")
    (5000000, 12000000, 0)
    """
    if type(value) is int and 0 <= value < 10**18:
        return value * UNITS_NS[unit]
    match = None if isinstance(value, bool) else _DURATION.fullmatch(str(value))
    if not match:
        return 0
    whole, _, fraction = match[1].partition(".")
    units_ns, scale = int(whole + fraction) * UNITS_NS[match[2] or unit], 10 ** len(fraction)
    return round(Fraction(units_ns, scale)) if units_ns % scale else units_ns // scale


def _match_ns(match: re.Match[str], year: str = "") -> int:
    hour, half, *clock, month, day, zone, fraction = match.group(
        "hour", "half", "minute", "second", "month", "day", "zone", "fraction"
    )
    if half:
        hour = _hour(hour, half)
    try:
        year = year or match["year"]
        whole_ns = _second_ns(hour, *clock, f"20{year}"[-4:], month, day, zone or "")
    except (ValueError, OverflowError):
        raise NotATime(f"{_shown(match[0])} is no moment") from None
    if whole_ns >= _LATEST_NS:  # such as 31 December 9999 for none
        raise NotATime(f"{_shown(match[0])} is too late for a log")
    return whole_ns + int(fraction.ljust(9, "0")[:9]) if fraction else whole_ns


@lru_cache(maxsize=4096)
def _second_ns(hour: str, minute: str, second: str, year: str, month: str, day: str, zone: str) -> int:
    """Return the nanoseconds from 1970 to the begin of a second.

    Raises:
        ValueError: there is no such second.
    """
    if int(minute) > 59 or int(second) > 60:  # second 60 is a leap second: the next minute
        raise ValueError
    of_day_s = 3600 * int(hour) + 60 * int(minute) + int(second)
    if of_day_s > 86_400:  # 24:00:00 is the end of the day (ISO 8601-1)
        raise ValueError
    return (_day_s(year, month, day, zone) + of_day_s) * 10**9


def _hour(hour: str, half: str) -> str:
    """Return an hour before or after noon as one of 24."""
    return str(int(hour) % 12 + (12 if half in "pP" else 0))


@lru_cache(maxsize=1024)
def _day_s(year: str, month: str, day: str, zone: str) -> int:
    """Return the seconds from 1970 to the begin of a day in a zone.

    Raises:
        ValueError: there is no such day or zone.
    """
    number = int(month) if month.isdecimal() else _MONTHS.index(month.title()) // 3 + 1
    midnight_s = (datetime(int(year), number, int(day), tzinfo=UTC) - _EPOCH) // timedelta(seconds=1)
    zone = NAMED_ZONES.get(zone, zone).removeprefix("UTC").removeprefix("GMT")
    if zone[:1] not in ("+", "-"):
        return midnight_s
    digits = zone[1:6].replace(":", "")
    digits = digits.zfill(len(digits) + len(digits) % 2)  # GMT+2
    hours, minutes = int(digits[:2]), int(digits[2:4] or 0)
    if hours > 23 or minutes > 59:
        raise ValueError
    offset_s = 3600 * hours + 60 * minutes
    return midnight_s + offset_s if zone[0] == "-" else midnight_s - offset_s


def _shown(value: object) -> str:
    text = str(value)
    return repr(text if len(text) <= 60 else text[:60] + "…")
