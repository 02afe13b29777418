"""Handle aware datetimes: compare them in UTC, and resolve ambiguous and skipped local times."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo

from hook_widgets.errors import InvalidApi, VersioningError
from hook_widgets.versioning.dates.months import MONTHS


def instant(
    moment: datetime, name: str, *, field: str = "", error: type[VersioningError] = InvalidApi
) -> datetime:
    """Return the moment in UTC, for comparisons.

    Python compares two datetimes of the same zone by their local times alone, so in the hour that a zone
    repeats in autumn the later one can seem to be the earlier. In UTC they cannot.

    Raises:
        InvalidApi: (or `error`) not a datetime, no time zone, or outside the years 1 to 9999 in UTC.

    >>> from zoneinfo import ZoneInfo
    >>> instant(datetime(2026, 7, 1, 9, tzinfo=ZoneInfo("Europe/Berlin")), "the removal").hour
    7
    """
    if not isinstance(moment, datetime):
        raise error(
            f"{name} must be a datetime with a time zone, not {type(moment).__name__}; "
            "for a day choose its hour and zone, such as datetime(2026, 7, 1, 9, tzinfo=ZoneInfo('UTC'))",
            field=field,
        )
    if moment.tzinfo is None or moment.utcoffset() is None:
        raise error(
            f"{name} has no time zone; add one, such as tzinfo=ZoneInfo('Europe/Berlin') or tzinfo=UTC",
            field=field,
        )
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise error(
            f"{name} is outside the years 1 to 9999 in UTC; use a date nearer to today", field=field
        ) from None


def latest(wall: datetime, zone: tzinfo | None, name: str, *, field: str = "") -> datetime:
    """Return the moment of a local time in a zone, the later one if the local time is ambiguous.

    A local time that is skipped moves forward by the length of the gap; of one that occurs twice, the second
    is returned. So no period becomes shorter than promised.

    Raises:
        InvalidApi: no zone, outside the years 1 to 9999 in UTC, or a zone (of pytz) that is fixed to the
            offset of one season.

    >>> from zoneinfo import ZoneInfo
    >>> str(latest(datetime(2027, 3, 28, 2, 30), ZoneInfo("Europe/Berlin"), "the removal"))
    '2027-03-28 03:30:00+02:00'
    >>> str(latest(datetime(2026, 10, 25, 2, 30), ZoneInfo("Europe/Berlin"), "the removal"))
    '2026-10-25 02:30:00+01:00'
    """
    first = wall.replace(tzinfo=zone, fold=0)
    second = wall.replace(tzinfo=zone, fold=1)
    moment = max(instant(first, name, field=field), instant(second, name, field=field))
    local = in_zone(moment, zone, name, field=field)
    skipped = (second.utcoffset() or timedelta()) - (first.utcoffset() or timedelta())
    if local.replace(tzinfo=None, fold=0) != wall.replace(fold=0) + max(skipped, timedelta()):
        raise InvalidApi(
            f"{name} is in the zone {zone}, which keeps the offset of another season; use zoneinfo.ZoneInfo",
            field=field,
        )
    return local


def in_zone(moment: datetime, zone: tzinfo | None, name: str, *, field: str = "") -> datetime:
    """Convert a moment to another zone.

    Raises:
        InvalidApi: outside the years 1 to 9999 in that zone.

    >>> from zoneinfo import ZoneInfo
    >>> in_zone(datetime(2026, 7, 1, 9, tzinfo=UTC), ZoneInfo("Asia/Kolkata"), "the removal").minute
    30
    """
    try:
        return moment.astimezone(zone)
    except OverflowError:
        raise InvalidApi(
            f"{name} is outside the years 1 to 9999 in {zone}; use a date nearer to today", field=field
        ) from None


def shown(moment: datetime) -> str:
    """Format a moment for a message: date, time to the minute, and offset from UTC.

    >>> shown(datetime(2026, 7, 1, 9, tzinfo=UTC))
    '1 Jul 2026, 09:00 UTC'
    """
    clock, offset = moment.strftime("%H:%M"), moment.isoformat("T", "minutes")[16:]
    day = f"{moment.day} {MONTHS[moment.month - 1][:3]} {moment.year}"
    return f"{day}, {clock} UTC{'' if offset == '+00:00' else offset}"
