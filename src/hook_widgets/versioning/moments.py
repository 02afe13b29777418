"""Moments as this room takes them: aware, comparable, and never two readings of one wall clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo

from hook_widgets.errors import InvalidApi, VersioningError


def instant(
    moment: datetime, what: str, *, field: str = "", error: type[VersioningError] = InvalidApi
) -> datetime:
    """The moment in UTC; this is what gets compared.

    Two datetimes of one zone are compared by their wall clocks alone, so in the hour that a zone repeats in
    autumn the later one can seem to be the earlier. In UTC they cannot.

    Args:
        moment: an aware datetime.
        what: what it is, for the error.
        field: the input it came from, for the error.
        error: the class to raise.

    Raises:
        InvalidApi: (or `error`) no datetime, no time zone, or outside the years 1 to 9999 in UTC.

    >>> from zoneinfo import ZoneInfo
    >>> instant(datetime(2026, 7, 1, 9, tzinfo=ZoneInfo("Europe/Berlin")), "the removal").hour
    7
    """
    if not isinstance(moment, datetime):
        raise error(
            f"{what} must be a datetime with a time zone, not {type(moment).__name__}; "
            "for a day choose its hour and zone, such as datetime(2026, 7, 1, 9, tzinfo=ZoneInfo('UTC'))",
            field=field,
        )
    if moment.tzinfo is None or moment.utcoffset() is None:
        raise error(
            f"{what} has no time zone; add one, such as tzinfo=ZoneInfo('Europe/Berlin') or tzinfo=UTC",
            field=field,
        )
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise error(
            f"{what} is outside the years 1 to 9999 in UTC; use a date nearer to today", field=field
        ) from None


def latest(wall: datetime, zone: tzinfo | None, what: str, *, field: str = "") -> datetime:
    """The moment at which clocks in the zone show this; the later one where there are two readings.

    A time that the clocks skip moves forward by what they skip; of a time that they show twice the second
    one is meant. So nobody gets less time than promised.

    Args:
        wall: the time without a zone.
        zone: the zone.
        what: what it is, for the error.
        field: the input it came from, for the error.

    Raises:
        InvalidApi: no zone, outside the years 1 to 9999 in UTC, or the zone is one of those (of pytz)
            that are bound to the offset of one season.

    >>> from zoneinfo import ZoneInfo
    >>> str(latest(datetime(2027, 3, 28, 2, 30), ZoneInfo("Europe/Berlin"), "the removal"))
    '2027-03-28 03:30:00+02:00'
    >>> str(latest(datetime(2026, 10, 25, 2, 30), ZoneInfo("Europe/Berlin"), "the removal"))
    '2026-10-25 02:30:00+01:00'
    """
    first = wall.replace(tzinfo=zone, fold=0)
    second = wall.replace(tzinfo=zone, fold=1)
    moment = max(instant(first, what, field=field), instant(second, what, field=field))
    local = in_zone(moment, zone, what, field=field)
    skipped = (second.utcoffset() or timedelta()) - (first.utcoffset() or timedelta())
    if local.replace(tzinfo=None, fold=0) != wall.replace(fold=0) + max(skipped, timedelta()):
        raise InvalidApi(
            f"{what} is in the zone {zone}, which keeps the offset of another season; use zoneinfo.ZoneInfo",
            field=field,
        )
    return local


def in_zone(moment: datetime, zone: tzinfo | None, what: str, *, field: str = "") -> datetime:
    """The same moment on the clocks of another zone.

    Args:
        moment: an aware datetime.
        zone: the zone.
        what: what it is, for the error.
        field: the input it came from, for the error.

    Raises:
        InvalidApi: outside the years 1 to 9999 there.

    >>> from zoneinfo import ZoneInfo
    >>> in_zone(datetime(2026, 7, 1, 9, tzinfo=UTC), ZoneInfo("Asia/Kolkata"), "the removal").minute
    30
    """
    try:
        return moment.astimezone(zone)
    except OverflowError:
        raise InvalidApi(
            f"{what} is outside the years 1 to 9999 in {zone}; use a date nearer to today", field=field
        ) from None


def shown(moment: datetime) -> str:
    """A moment for a message: day, minute and offset.

    >>> shown(datetime(2026, 7, 1, 9, tzinfo=UTC))
    '2026-07-01 09:00+00:00'
    """
    return moment.isoformat(" ", "minutes")
