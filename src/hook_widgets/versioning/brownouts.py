"""Planned short outages of a deprecated version (brownouts), which show who still calls it.

RFC 9110 has two honest responses. 503 with ``Retry-After`` says that the version comes back, and a client
loses nothing by believing it. 410 is what the removal will bring: it also reaches clients that wait out a
503, but some of them act on it for good, because it says "likely to be permanent". Published brownouts use
both: Sourcify responds 503 with ``Retry-After``, Heroku and Snyk 410.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import pairwise
from typing import Final

from hook_widgets.errors import InvalidApi
from hook_widgets.versioning.dates.instants import instant, shown

MAX_BROWNOUTS: Final = 20
"""The largest number of brownouts of a version; a header lists those that have not ended."""

MAX_USUAL_BROWNOUT: Final = timedelta(hours=48)
"""Longer brownouts get an `Advisory`: the longest ones that GitHub has announced took 48 hours."""


class BrownoutResponse(StrEnum):
    """Response to a request for a version during its brownout."""

    UNAVAILABLE = "unavailable"
    """503 with ``Retry-After``: the version comes back, and clients may wait for it."""
    GONE = "gone"
    """410 as after the removal, but never cached: clients that retry a 503 notice it, too."""


@dataclass(frozen=True, slots=True)
class Brownout:
    """A planned outage of a version.

    Attributes:
        starts: beginning of the outage; it belongs to it.
        ends: end of the outage, from which the version is served again.

    Raises:
        InvalidApi: a time has no zone, or the end is not after the beginning.

    >>> start = datetime.fromisoformat("2027-03-01T10:00Z")
    >>> Brownout(start, start + timedelta(hours=1)).length
    datetime.timedelta(seconds=3600)
    """

    starts: datetime
    ends: datetime

    def __post_init__(self) -> None:
        begin = instant(self.starts, "the beginning of a brownout", field="brownouts")
        if instant(self.ends, "the end of a brownout", field="brownouts") <= begin:
            raise _wrong(
                f"the brownout at {shown(self.starts)} ends at {shown(self.ends)}, which is not after its "
                "beginning; use a later end"
            )

    @property
    def length(self) -> timedelta:
        """Time from the beginning to the end, also across a change of clocks."""
        return self._utc()[1] - self._utc()[0]

    def includes(self, at: datetime) -> bool:
        """Return True if the version is out of service at a time.

        Raises:
            InvalidApi: the time has no zone.
        """
        begin, end = self._utc()
        return begin <= instant(at, "the time of the question", field="at") < end

    def _utc(self) -> tuple[datetime, datetime]:
        return instant(self.starts, "the brownout"), instant(self.ends, "the brownout")


def check_brownouts(brownouts: object, deprecated: datetime, sunset: datetime) -> tuple[Brownout, ...]:
    """Return the brownouts of a version in order of time.

    Raises:
        InvalidApi: not brownouts, more than `MAX_BROWNOUTS`, one that starts before the announcement or ends
            after the removal, or two that overlap.
    """
    if not isinstance(brownouts, Iterable):
        raise _no_brownout(brownouts)
    items = []
    for each in brownouts:
        if not isinstance(each, Brownout):
            raise _no_brownout(each)
        items.append(each)
        if len(items) > MAX_BROWNOUTS:
            raise _wrong(
                f"there are more than {MAX_BROWNOUTS} brownouts; keep those that clients will notice"
            )
    ordered = tuple(sorted(items, key=lambda each: instant(each.starts, "the brownout")))
    announced, removed = instant(deprecated, "the announcement"), instant(sunset, "the removal")
    for each in ordered:
        if instant(each.starts, "the brownout") < announced:
            raise _wrong(
                f"the brownout at {shown(each.starts)} starts before the announcement at "
                f"{shown(deprecated)}; announce it first, or use a later date"
            )
        if instant(each.ends, "the brownout") > removed:
            raise _wrong(
                f"the brownout at {shown(each.starts)} ends at {shown(each.ends)}, after the removal at "
                f"{shown(sunset)}; use an earlier date"
            )
    for before, after in pairwise(ordered):
        if instant(after.starts, "the brownout") < instant(before.ends, "the brownout"):
            raise _wrong(
                f"the brownout at {shown(after.starts)} starts before the one at {shown(before.starts)} "
                f"ends at {shown(before.ends)}; keep them apart"
            )
    return ordered


def _no_brownout(value: object) -> InvalidApi:
    return _wrong(
        f"brownouts must be a list of Brownout(starts, ends), not {type(value).__name__}; "
        "pass one for each outage"
    )


def _wrong(problem: str) -> InvalidApi:
    return InvalidApi(problem, field="brownouts")
