"""Build and parse the ``Sunset`` field (RFC 8594): the time from which a resource may be unavailable."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from hook_widgets.errors import excerpt
from hook_widgets.versioning.notices.header_fields import invalid, only_line
from hook_widgets.versioning.notices.httpdate import build_http_date, read_http_date

NAME: Final = "Sunset"


def build_sunset(moment: datetime) -> str:
    """Return the field's value, an HTTP-date.

    Fractions of a second are truncated, so the date is never later than the moment.

    Args:
        moment: an aware datetime.

    Raises:
        InvalidNotice: no time zone, or outside the years 1 to 9999 in UTC.

    >>> from zoneinfo import ZoneInfo
    >>> build_sunset(datetime(2027, 7, 15, 9, tzinfo=ZoneInfo("Europe/Berlin")))
    'Thu, 15 Jul 2027 07:00:00 GMT'
    """
    return build_http_date(moment, name=NAME)


def parse_sunset(value: str | Iterable[str], *, now: datetime | None = None) -> datetime:
    """Parse the field strictly, in any of the three forms of an HTTP-date. Return the moment in UTC.

    Args:
        value: the field's value, or one string for each field line.
        now: the current time, for two-digit years, as in
            `hook_widgets.versioning.notices.read_http_date`.

    Raises:
        InvalidNotice: not an HTTP-date, or more than one value. Two examples in the RFCs are invalid: RFC
            8594 section 3 has a wrong day of the week, RFC 9745 section 4 has UTC in place of GMT.

    >>> parse_sunset("Wed, 11 Nov 2026 11:11:11 GMT")
    datetime.datetime(2026, 11, 11, 11, 11, 11, tzinfo=datetime.timezone.utc)
    """
    moment, fault = read_sunset(value, now=now)
    if fault:
        raise invalid(NAME, fault)
    return moment


def read_sunset(value: str | Iterable[str], *, now: datetime | None = None) -> tuple[datetime, str]:
    """Parse the field leniently. Return the moment in UTC and its fault, as `read_http_date` does.

    Args:
        value: the field's value, or one string for each field line.
        now: the current time.

    Raises:
        InvalidNotice: no date can be read, or there is more than one value.

    >>> read_sunset("Sun, 30 Jun 2024 23:59:59 UTC")[1]
    "is 'Sun, 30 Jun 2024 23:59:59 UTC', with UTC for GMT; send GMT"
    """
    text = only_line(NAME, value).strip(" \t")
    if text.startswith("@"):
        raise invalid(
            NAME,
            f"is {excerpt(text)}, the form of Deprecation; "
            "send an HTTP-date such as 'Sun, 06 Nov 1994 08:49:37 GMT' (RFC 8594)",
        )
    return read_http_date(text, now=now, name=NAME)
