"""Parse dates as people enter them: 2026-01-31, 2026-01-31 09:00, or with an offset."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from math import ceil
from typing import Final
from zoneinfo import ZoneInfo

from hook_widgets.errors import InvalidApi, excerpt
from hook_widgets.versioning.dates.months import MONTHS
from hook_widgets.versioning.planning.date_formatting import local

_EXPECTED_DAY: Final = "write it as 2026-01-31"
_EXPECTED: Final = f"{_EXPECTED_DAY} or 2026-01-31 09:00"

YEARS: Final = range(1970, 2200)
"""Years that are accepted; any other year is almost certainly a typo."""

_DASHES: Final = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))
_MAX_LENGTH: Final = 100
_DEFAULT_HOUR: Final = 10
_SEASONS: Final = (1, 4, 7, 10)  # months, of which one has the largest offset of any zone's year
_ISO: Final = re.compile(
    r"""
    (?P<year>[0-9]{4}) - (?P<month>[0-9]{1,2}) - (?P<day>[0-9]{1,2})
    (?: (?:\ ?T\ ?|,?\ ) (?P<hour>[0-9]{1,2}) : (?P<minute>[0-9]{2})
        (?: : (?P<second>[0-9]{2}) (?: \. (?P<fraction>[0-9]{1,6}) )? )?
        (?: \ ? (?P<offset> Z | UTC | GMT | [+-] [0-9]{2} (?: :? [0-9]{2} )? ) )?
    )?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_YEAR_FIRST: Final = re.compile(r"([0-9]{4})[./_ ]?([0-9]{1,2})[./_ ]?([0-9]{1,2})")
_YEAR_LAST: Final = re.compile(r"([0-9]{1,2}) ?([-./ ]) ?([0-9]{1,2}) ?[-./ ] ?([0-9]{4}|[0-9]{2})")
_FARTHEST_OFFSET: Final = timedelta(hours=14)  # Pacific/Kiritimati


def read_moment(text: str, zone: ZoneInfo, label: str) -> datetime:
    """Parse a moment, and return it in the zone.

    A day alone means its `default_time`. A time that clocks skip or show twice is rejected: only the user
    knows which one is meant.

    Raises:
        InvalidApi: it cannot be read, or there is no such moment.

    >>> str(read_moment("2026-07-01 09:00", ZoneInfo("Europe/Berlin"), "The removal"))
    '2026-07-01 09:00:00+02:00'
    >>> str(read_moment("2026-07-01T09:00Z", ZoneInfo("Europe/Berlin"), "The removal"))
    '2026-07-01 11:00:00+02:00'
    >>> str(read_moment("2026-07-01", ZoneInfo("Europe/Berlin"), "The removal"))
    '2026-07-01 10:00:00+02:00'
    """
    match = _matched(text, label, _EXPECTED)
    day = _day(match, label)
    if match["hour"] is None:
        return _on_day(day, zone, label)
    hour, minute, second = (int(match[part] or 0) for part in ("hour", "minute", "second"))
    if hour > 23 or minute > 59 or second > 59:
        raise InvalidApi(
            f"{label}: there is no time {match['hour']}:{match['minute']}; write it from 00:00 to 23:59"
        )
    fraction = int((match["fraction"] or "").ljust(6, "0"))
    wall = datetime(day.year, day.month, day.day, hour, minute, second, fraction)  # noqa: DTZ001
    if match["offset"] is not None:
        return wall.replace(tzinfo=_offset(match["offset"], label)).astimezone(zone)
    return _unambiguous(wall, zone, label)


def default_time(zone: tzinfo, year: int) -> time:
    """Return the time of a date that was entered without one: 10:00, or later in zones far ahead of UTC.

    HTTP writes dates in UTC, so the time is chosen to have the same date there: ``Sunset`` then names the day
    that was entered. In zones up to 10 hours ahead, 10:00 has it; in the others the first full hour that has
    it in every season, such as 13:00 in Auckland.

    >>> [default_time(ZoneInfo(name), 2026).hour for name in ("Europe/Berlin", "Pacific/Auckland")]
    [10, 13]
    """
    offsets = (datetime(year, month, 1, tzinfo=zone).utcoffset() or timedelta() for month in _SEASONS)
    return time(max(_DEFAULT_HOUR, *(ceil(offset / timedelta(hours=1)) for offset in offsets)))


def read_day(text: str, label: str) -> date:
    """Parse a day.

    Raises:
        InvalidApi: it cannot be read, there is no such day, or a time follows.

    >>> read_day("2026-12-25", "A holiday")
    datetime.date(2026, 12, 25)
    """
    match = _matched(text, label, _EXPECTED_DAY)
    if match["hour"] is not None:
        raise InvalidApi(f"{label} is a whole day, not {excerpt(text)}; leave the time out")
    return _day(match, label)


def written(moment: datetime, zone: ZoneInfo) -> str:
    """Return the shortest text that `read_moment` reads as this moment.

    >>> from datetime import UTC
    >>> written(datetime(2026, 6, 30, 22, tzinfo=UTC), ZoneInfo("Europe/Berlin"))
    '2026-07-01 00:00'
    """
    here = local(moment, zone)
    wall = here.replace(tzinfo=None)
    longest = wall.isoformat(" ", "auto")
    for text in (wall.date().isoformat(), wall.isoformat(" ", "minutes"), longest):
        if _reads_as(text, zone, moment):
            return text
    return here.isoformat(" ", "auto")


def _reads_as(text: str, zone: ZoneInfo, moment: datetime) -> bool:
    try:
        return read_moment(text, zone, "").timestamp() == moment.timestamp()
    except InvalidApi:  # an hour that clocks show twice
        return False


def _matched(text: str, label: str, expected: str) -> re.Match[str]:
    plain = " ".join(text.translate(_DASHES).split())
    if not plain:
        raise InvalidApi(f"{label} is empty; {expected}")
    match = _ISO.fullmatch(plain) if len(plain) <= _MAX_LENGTH else None
    if match is None:
        raise InvalidApi(f"{label} cannot be read from {excerpt(text)}; {_advice(plain) or expected}")
    return match


def _day(match: re.Match[str], label: str) -> date:
    year, month, day = int(match["year"]), int(match["month"]), int(match["day"])
    wrong = _impossible(year, month, day)
    if wrong:
        raise InvalidApi(f"{label}: there is no {match['year']}-{month:02}-{day:02}; {wrong}")
    if year not in YEARS:
        raise InvalidApi(f"{label} is in the year {year}; write a year from {YEARS[0]} to {YEARS[-1]}")
    return date(year, month, day)


def _impossible(year: int, month: int, day: int) -> str:
    """Say why there is no such day; empty when there is."""
    if not 1 <= month <= 12:
        return "months go from 01 to 12, before the day"
    days = monthrange(year, month)[1] if year else 31
    return "" if 1 <= day <= days else f"{MONTHS[month - 1]} {year} has {days} days"


def _on_day(day: date, zone: ZoneInfo, label: str) -> datetime:
    """Return the default time of the day; a zone may skip the whole day."""
    wall = datetime.combine(day, default_time(zone, day.year))
    moment = _real(wall.replace(tzinfo=zone), zone)
    if moment.date() != day:
        raise InvalidApi(f"{label}: there was no {day} in {zone.key}, which skipped it; write the day after")
    return moment


def _unambiguous(wall: datetime, zone: ZoneInfo, label: str) -> datetime:
    first, second = (wall.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    shown = wall.isoformat(" ", "minutes")
    after = _real(first, zone).replace(tzinfo=None, fold=0)
    if after != wall:
        raise InvalidApi(
            f"{label}: clocks in {zone.key} skip {shown}; write {after.isoformat(' ', 'minutes')}"
        )
    if first.utcoffset() != second.utcoffset():
        raise InvalidApi(
            f"{label}: clocks in {zone.key} show {shown} twice; "
            f"write {first.isoformat(' ', 'minutes')} or {second.isoformat(' ', 'minutes')}"
        )
    return first


def _real(moment: datetime, zone: ZoneInfo) -> datetime:
    """Return the time that clocks show; `fromtimestamp` fails on Windows before 1970 in UTC."""
    return local(moment.astimezone(UTC), zone)


def _offset(text: str, label: str) -> timezone:
    if text.upper() in ("Z", "UTC", "GMT"):
        return timezone.utc  # noqa: UP017 (the type says timezone)
    digits = text[1:].replace(":", "").ljust(4, "0")
    size = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    if int(digits[2:]) > 59 or size > _FARTHEST_OFFSET:
        raise InvalidApi(
            f"{label}: no zone is {text} from UTC; write an offset such as +01:00, or leave it out"
        )
    return timezone(-size if text[0] == "-" else size)


def _advice(text: str) -> str:
    """Say how to write a date that has another format; empty if the text is no date."""
    match = _YEAR_FIRST.fullmatch(text)
    if match:
        return _iso(int(match[1]), int(match[2]), int(match[3]))
    match = _YEAR_LAST.fullmatch(text)
    if match:
        return _from_numbers(int(match[1]), int(match[3]), match[4], dotted=match[2] == ".")
    worded = _from_words(text)
    if worded:
        return worded
    if re.search(r":[0-9]{2} ?[A-Za-z]{2,}", text) and _ISO.match(text):
        return "write the time as 09:00, with an offset such as +01:00 for another zone"
    return ""


def _iso(year: int, month: int, day: int) -> str:
    return _impossible(year, month, day) or f"write {year:04}-{month:02}-{day:02}"


def _from_numbers(first: int, second: int, year: str, *, dotted: bool) -> str:
    if len(year) == 2:
        return "write the year with four digits and first, as in 2026-01-31"
    if second > 12:
        return _iso(int(year), first, second)
    if first > 12 or dotted or first == second:
        return _iso(int(year), second, first)
    if _impossible(int(year), first, second):
        return _iso(int(year), second, first)
    readings = f"{first} {MONTHS[second - 1]} or {second} {MONTHS[first - 1]}"
    return f"it may be {readings}, so write {year}-{second:02}-{first:02} or {year}-{first:02}-{second:02}"


def _from_words(text: str) -> str:
    words = re.findall(r"[A-Za-z]+|[0-9]+", text)
    months = [
        k for word in words for k, name in enumerate(MONTHS, 1)
        if len(word) >= 3 and name.lower().startswith(word.lower())
    ]  # fmt: skip
    numbers = [int(word) for word in words if word.isdigit() and len(word) <= 4]
    years = [number for number in numbers if number > 31]
    days = [number for number in numbers if number <= 31]
    if len(months) != 1 or len(days) > 1 or len(years) > 1:
        return ""
    if days and years:
        return _iso(years[0], months[0], days[0])
    if days and days[0] > (longest := 29 if months[0] == 2 else monthrange(2024, months[0])[1]):
        name = MONTHS[months[0] - 1]
        return f"{name} has at most {longest} days, and the year is needed too, as in 2026-01-31"
    missing = "year" if days else "day"
    return f"the {missing} is missing, write it as in 2026-{months[0]:02}-{days[0] if days else 1:02}"
