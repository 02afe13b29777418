"""Format dates in English whatever the locale, and count the calendar days between them."""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo

from hook_widgets.versioning.api import Api
from hook_widgets.versioning.dates.business_days import DAYS
from hook_widgets.versioning.dates.instants import in_zone, instant
from hook_widgets.versioning.dates.months import MONTHS


def zone_of(api: Api, at: datetime) -> tzinfo:
    """Return the zone of an API's dates; that of `at` when it has none.

    Raises:
        InvalidApi: the time has no zone.

    >>> from datetime import UTC
    >>> from hook_widgets.versioning.release import Release
    >>> str(zone_of(Api(releases=(Release(1),)), datetime(2026, 11, 20, tzinfo=UTC)))
    'UTC'
    """
    instant(at, "the time of the question", field="at")
    leaving = (r.lifecycle.deprecated for r in api.releases if r.lifecycle)
    dates = [*leaving, *(r.released for r in api.releases if r.released), at]
    zone = dates[0].tzinfo
    assert zone is not None  # neither Release nor status accepts a time without a zone
    return zone


def local(moment: datetime, zone: tzinfo) -> datetime:
    """Convert a moment to a zone.

    Raises:
        InvalidApi: in that zone it is outside the years 1 to 9999.

    >>> from zoneinfo import ZoneInfo
    >>> str(local(datetime.fromisoformat("2026-07-01T09:00Z"), ZoneInfo("Europe/Berlin")))
    '2026-07-01 11:00:00+02:00'
    """
    return in_zone(moment, zone, str(moment.date()))


def day(moment: datetime) -> str:
    """Format the day, short.

    >>> day(datetime.fromisoformat("2026-07-01T09:00Z"))
    '1 Jul 2026'
    """
    return f"{moment.day} {MONTHS[moment.month - 1][:3]} {moment.year}"


def weekday(moment: datetime) -> str:
    """Format the day with its day of the week, short, and the time unless it is midnight.

    >>> weekday(datetime.fromisoformat("2026-07-01T09:00Z"))
    'Wed 1 Jul 2026, 09:00'
    """
    return f"{DAYS[moment.weekday()][:3]} {day(moment)}{_time(moment)}"


def in_full(moment: datetime) -> str:
    """Format a moment in full: day of the week, date, time, zone, and offset from UTC.

    >>> from zoneinfo import ZoneInfo
    >>> in_full(datetime(2026, 7, 1, 9, tzinfo=ZoneInfo("Europe/Berlin")))
    'Wednesday, 1 July 2026, 09:00 (Europe/Berlin, UTC+02:00)'
    """
    name = f"{DAYS[moment.weekday()]}, {moment.day} {MONTHS[moment.month - 1]} {moment.year}"
    zone, offset = zone_name(moment.tzinfo), offset_name(moment)
    return f"{name}, {_clock(moment)} ({zone if zone == offset else f'{zone}, {offset}'})"


def zone_name(zone: tzinfo | None) -> str:
    """Return the IANA name of a zone, or else its `str`.

    >>> from zoneinfo import ZoneInfo
    >>> zone_name(ZoneInfo("Europe/Berlin"))
    'Europe/Berlin'
    """
    return str(getattr(zone, "key", None) or zone)


def offset_name(moment: datetime) -> str:
    """Format the offset from UTC.

    >>> offset_name(datetime.fromisoformat("2026-07-01T09:00+05:30"))
    'UTC+05:30'
    """
    text = moment.isoformat()[19:].lstrip(".0123456789")
    return "UTC" if text == "+00:00" else f"UTC{text}"


def span(starts: datetime, ends: datetime) -> str:
    """Format a short period in the zone of its beginning; the second day is named only if it is another one.

    >>> start, end = (datetime.fromisoformat(text) for text in ("2027-03-01T09:00Z", "2027-03-01T10:00Z"))
    >>> span(start, end)
    'Mon 1 Mar 2027, 09:00 to 10:00'
    """
    end = ends.astimezone(starts.tzinfo)
    begin = f"{DAYS[starts.weekday()][:3]} {day(starts)}, {_clock(starts)}"
    if end.date() == starts.date():
        return f"{begin} to {_clock(end)}"
    return f"{begin} to {DAYS[end.weekday()][:3]} {day(end)}, {_clock(end)}"


def duration(length: timedelta) -> str:
    """Format a length in hours and minutes, as people say it.

    >>> [duration(timedelta(minutes=minutes)) for minutes in (1, 60, 90, 48 * 60)]
    ['1 minute', '1 hour', '1 hour 30 minutes', '48 hours']
    """
    minutes, rest = divmod(length, timedelta(minutes=1))
    units = ((minutes // 60, "hour"), (minutes % 60, "minute"), (rest.seconds, "second"))
    texts = [f"{count:,} {unit}{'s' * (count != 1)}" for count, unit in units if count]
    return " ".join(texts) or "under a second"


def days_between(begin: datetime, end: datetime, zone: tzinfo) -> int:
    """Count the midnights of the zone between two moments; negative when `end` comes first.

    >>> from zoneinfo import ZoneInfo
    >>> times = (datetime.fromisoformat(text) for text in ("2026-06-30T21:59Z", "2026-06-30T22:00Z"))
    >>> days_between(*times, ZoneInfo("Europe/Berlin"))
    1
    """
    return (local(end, zone).date() - local(begin, zone).date()).days


def in_days(days: int) -> str:
    """Say how far away a day is.

    >>> in_days(0), in_days(1), in_days(400), in_days(-1), in_days(-3)
    ('today', 'tomorrow', 'in 400 days', 'yesterday', '3 days ago')
    """
    near = {0: "today", 1: "tomorrow", -1: "yesterday"}
    return near.get(days) or (f"in {days:,} days" if days > 0 else f"{-days:,} days ago")


def count_days(days: int) -> str:
    """Format a number of days.

    >>> count_days(1), count_days(1096)
    ('1 day', '1,096 days')
    """
    return f"{days:,} day{'s' * (days != 1)}"


def _time(moment: datetime) -> str:
    clock = _clock(moment)
    return "" if clock == "00:00" else f", {clock}"


def _clock(moment: datetime) -> str:
    seconds = timedelta(seconds=moment.second, microseconds=moment.microsecond)
    return moment.strftime("%H:%M:%S" if seconds else "%H:%M")
