"""Format and parse the timestamps of providers."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FRACTION = re.compile(r"\.(\d{6})\d+")


class TimestampUnit(StrEnum):
    """The format of ``{timestamp}``; fractions are truncated, as by a provider's clock.

    ``iso8601`` ends in Z; ``-ms`` and ``-ns`` have three and nine decimals (the last three are 001, because
    some senders drop trailing zeros); ``-offset`` has the offset of a time zone, ``-naive`` has none and
    means UTC.
    """

    SECONDS = "s"
    MILLISECONDS = "ms"
    ISO8601 = "iso8601"
    ISO8601_MS = "iso8601-ms"
    ISO8601_NS = "iso8601-ns"
    ISO8601_OFFSET = "iso8601-offset"
    ISO8601_MS_NAIVE = "iso8601-ms-naive"
    HTTP_DATE = "http-date"

    @property
    def described(self) -> str:
        """The form of a timestamp of this unit, in words."""
        match self:
            case TimestampUnit.SECONDS:
                return "whole Unix seconds"
            case TimestampUnit.MILLISECONDS:
                return "whole Unix milliseconds"
            case TimestampUnit.HTTP_DATE:
                return "an HTTP date"
        return "an ISO 8601 time"


_ZONE = timezone(timedelta(hours=-7))


def write_moment(moment: datetime, unit: TimestampUnit) -> str:
    """Format a time as the provider writes it.

    >>> write_moment(datetime(2026, 9, 1, 12, tzinfo=UTC), TimestampUnit.ISO8601_MS)
    '2026-09-01T12:00:00.000Z'
    """
    utc = moment.astimezone(UTC)
    match unit:
        case TimestampUnit.SECONDS | TimestampUnit.MILLISECONDS:
            micros = (moment - _EPOCH) // datetime.resolution
            return str(micros // (1_000_000 if unit is TimestampUnit.SECONDS else 1_000))
        case TimestampUnit.ISO8601:
            return utc.strftime("%Y-%m-%dT%H:%M:%SZ")
        case TimestampUnit.ISO8601_MS:
            return utc.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"
        case TimestampUnit.ISO8601_NS:
            return utc.replace(tzinfo=None).isoformat(timespec="microseconds") + "001Z"
        case TimestampUnit.ISO8601_OFFSET:
            return moment.astimezone(_ZONE).isoformat(timespec="seconds")
        case TimestampUnit.ISO8601_MS_NAIVE:
            return utc.replace(tzinfo=None).isoformat(timespec="milliseconds")
        case TimestampUnit.HTTP_DATE:
            from email.utils import format_datetime  # loads the whole e-mail package, for one unit

            return format_datetime(utc.replace(microsecond=0), usegmt=True)


def read_moment(text: str, unit: TimestampUnit) -> datetime:
    """Parse a timestamp; the time is in UTC if the text names no zone.

    Raises:
        ValueError: it is not in the format of that unit.
    """
    try:
        match unit:
            case TimestampUnit.SECONDS | TimestampUnit.MILLISECONDS:
                if not re.fullmatch(r"[0-9]{1,16}", text):
                    raise ValueError(text)
                step = timedelta(seconds=1) if unit is TimestampUnit.SECONDS else timedelta(milliseconds=1)
                moment = _EPOCH + int(text) * step
            case TimestampUnit.HTTP_DATE:
                from email.utils import parsedate_to_datetime

                moment = parsedate_to_datetime(text)
            case _:
                moment = datetime.fromisoformat(_FRACTION.sub(r".\1", text))
        return in_utc_range(moment)
    except OverflowError:
        raise ValueError(text) from None


def in_utc_range(moment: datetime) -> datetime:
    """Return the time, in UTC if it has no zone.

    Raises:
        OverflowError: it is before the year 1 or after the year 9999 in UTC.
    """
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    aware.astimezone(UTC)
    return aware
