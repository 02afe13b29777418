"""Build and parse the ``Api-Brownout`` field: the planned outages of a deprecated version.

No standard has such a field. This one is a Structured Field List of Dates (RFC 9651 sections 3.1 and 3.3.7),
so it is written as ``Deprecation`` is: ``@1804150800;ends=@1804154400``, an outage after the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Final

from hook_widgets._arguments import several, shown
from hook_widgets.errors import InvalidNotice, excerpt
from hook_widgets.versioning.dates.instants import instant
from hook_widgets.versioning.notices.header_fields import invalid, lines_of

NAME: Final = "Api-Brownout"

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND: Final = timedelta(seconds=1)
_MEMBER: Final = re.compile(r"@(-?[0-9]{1,15});[ ]*ends=@(-?[0-9]{1,15})")
_COMMA: Final = re.compile(r"[ \t]*+,[ \t]*+")


def build_brownouts(periods: Iterable[tuple[datetime, datetime]]) -> str:
    """Return the field's value for these outages. Each includes every second that it touches.

    Args:
        periods: beginnings and ends, aware.

    Raises:
        InvalidNotice: no outage, no time zone, or outside the years 1 to 9999 in UTC.

    >>> start = datetime(2027, 3, 1, 9, tzinfo=UTC)
    >>> build_brownouts([(start, start + timedelta(hours=1))])
    '@1803891600;ends=@1803895200'
    """
    members = [
        f"@{(_utc(starts) - _EPOCH) // _SECOND};ends=@{-((_EPOCH - _utc(ends)) // _SECOND)}"
        for starts, ends in map(_pair, several(periods, NAME, InvalidNotice))
    ]
    if not members:
        raise invalid(NAME, "has no outage; leave the field out")
    return ", ".join(members)


def _pair(period: object) -> tuple[datetime, datetime]:
    if not isinstance(period, tuple | list) or len(period) != 2:
        raise invalid(NAME, f"has {shown(period)}; give pairs of a beginning and an end")
    return period[0], period[1]


def parse_brownouts(value: str | Iterable[str]) -> tuple[tuple[datetime, datetime], ...]:
    """Parse the field strictly. Return beginnings and ends in UTC.

    Args:
        value: the field's value, or one string for each field line.

    Raises:
        InvalidNotice: not a list of outages as `build_brownouts` writes them, or an end that is not after its
            beginning.

    >>> [(starts.hour, ends.hour) for starts, ends in parse_brownouts("@1803891600;ends=@1803895200")]
    [(9, 10)]
    """
    periods = []
    for member in _COMMA.split(", ".join(lines_of(NAME, value)).strip(" ")):
        match = _MEMBER.fullmatch(member)
        if match is None:
            raise invalid(
                NAME, f"has {excerpt(member)}, which is no outage; write @1803891600;ends=@1803895200"
            )
        try:
            starts, ends = (_EPOCH + int(seconds) * _SECOND for seconds in match.groups())
        except OverflowError:
            raise invalid(
                NAME, f"has {excerpt(member)}, outside the years 1 to 9999; use seconds since 1970"
            ) from None
        if ends <= starts:
            raise invalid(NAME, f"has {excerpt(member)}, which ends before it starts; use a later end")
        periods.append((starts, ends))
    return tuple(periods)


def _utc(moment: datetime) -> datetime:
    return instant(moment, f"{NAME}: the date", field=NAME.lower(), error=InvalidNotice)
