"""Limiter that counts requests per day, week, month or year of a time zone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from fractions import Fraction
from functools import cache, partial
from typing import Final
from zoneinfo import ZoneInfo

from hook_widgets._arguments import shown
from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.limiters import algorithms
from hook_widgets.ratelimit.limiters.base import ceil_div, parse_enum, set_fields, span_ns
from hook_widgets.ratelimit.limiters.trace import ChargeLog, LimiterState, Trace
from hook_widgets.ratelimit.limiters.windows import CountedWindow
from hook_widgets.ratelimit.units import EPOCH, NS_PER_S, Duration, Quantity, whole

_NEVER_NS: Final = 10**30  # after the last year of the calendar


class CalendarUnit(StrEnum):
    """Length of a calendar window."""

    DAY = "day"
    """From midnight."""
    WEEK = "week"
    """From the midnight before Monday, as in ISO 8601."""
    MONTH = "month"
    """From the midnight before the first."""
    YEAR = "year"
    """From the midnight before 1 January."""


_MEAN_S: Final = {
    CalendarUnit.DAY: 86_400,
    CalendarUnit.WEEK: 7 * 86_400,
    CalendarUnit.MONTH: 31_556_952 // 12,
    CalendarUnit.YEAR: 31_556_952,
}
"""Mean length in seconds over the 400 years after which the Gregorian calendar repeats itself."""

_SHORTEST_DAYS: Final = {
    CalendarUnit.DAY: 1,
    CalendarUnit.WEEK: 7,
    CalendarUnit.MONTH: 28,
    CalendarUnit.YEAR: 365,
}
# By which clocks are put forward at most, in all changes of a span: seven hours in Vostok in 1994. A day that
# is skipped, as in Samoa in 2011, makes a week, month or year shorter, and is no window itself (tzdata).
_LOST_DAY_S: Final = 7 * 3600
_LOST_S: Final = 24 * 3600


@dataclass(frozen=True, slots=True, init=False, repr=False)
class CalendarWindow(CountedWindow):
    """At most `limit` per day, week, month or year of a time zone.

    A day on which clocks change has 23 or 25 hours. It decides in Python, and cannot be simulated in chunks.

    Attributes:
        limit: requests (or cost) per window.
        unit: ``"day"``, ``"week"``, ``"month"`` or ``"year"``.
        zone: name of the time zone, such as ``"America/Los_Angeles"``.
        start: the date at time 0, with a time zone. For `Arrivals.from_log` with ``origin="midnight"`` it is
            the midnight, in UTC, before the first request.

    >>> from hook_widgets.ratelimit import simulate
    >>> start = datetime(2026, 3, 28, 23, tzinfo=UTC)  # midnight in Berlin; the day has 23 hours
    >>> simulate(CalendarWindow(1, "day", "Europe/Berlin", start), [0, "22.9 h", "23 h"]).admitted
    [True, False, True]
    """

    limit: int
    unit: CalendarUnit
    zone: str
    start: datetime

    def __init__(self, limit: Quantity, unit: str, zone: str, start: datetime, *, name: str = "") -> None:
        if getattr(start, "tzinfo", None) is None or start.utcoffset() is None:
            raise InvalidLimit(f"is {shown(start)}; give a datetime with a time zone", subject="start")
        set_fields(
            self,
            name=name,
            limit=whole(limit, "limit"),
            unit=parse_enum(CalendarUnit, unit, "unit"),
            zone=zone,
            start=start.astimezone(UTC),
        )
        try:
            _zone(zone)
        except (LookupError, OSError, TypeError, ValueError):
            raise InvalidLimit(
                f"is {shown(zone)}, no time zone; give a name such as 'Europe/Berlin'", subject="zone"
            ) from None

    @property
    def sustained_rate(self) -> Fraction:
        """The limit divided by the mean length of a window."""
        return Fraction(self.limit, _MEAN_S[self.unit])

    def max_admitted(self, window_s: Duration, *, closed: bool = False) -> int:
        """Return a full limit just before a boundary plus one per window that begins afterwards.

        This is an upper bound, reached where the shortest windows follow one another.
        """
        lost_ns = (_LOST_DAY_S if self.unit is CalendarUnit.DAY else _LOST_S) * NS_PER_S
        shortest_ns = _SHORTEST_DAYS[self.unit] * 86_400 * NS_PER_S
        return self.limit * (ceil_div(span_ns(window_s, closed=closed) + lost_ns, shortest_ns) + 1)

    def _ticks_per_ns(self) -> int:
        return 1

    def _initial_state(self, trace: Trace) -> LimiterState:
        return LimiterState(
            loop=algorithms.calendar_window, numbers=(self.limit, self._end_of(trace)), values=[0, 0]
        )

    def _windows(self, charge_log: ChargeLog) -> list[tuple[int, int]]:
        end_of, windows = self._end_of(charge_log.trace), list[tuple[int, int]]()
        for t in charge_log.times:
            if not windows or t >= windows[-1][1]:
                windows.append((t, end_of(t)))
        return windows

    def _end_of(self, trace: Trace) -> Callable[[int], int]:
        """Return a function from a tick to the end of the window that contains it."""
        start_ns = (self.start - EPOCH) // timedelta(microseconds=1) * 1000
        return partial(_end_tick, self.unit, self.zone, start_ns, trace.ticks_per_ns)


@cache
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def _end_tick(unit: CalendarUnit, zone: str, start_ns: int, ticks_per_ns: int, t: int) -> int:
    microseconds = (t // ticks_per_ns + start_ns) // 1000
    try:
        now = EPOCH + timedelta(microseconds=microseconds)
        begin = _next_begin(unit, now.astimezone(_zone(zone)))
        if begin.astimezone(UTC) <= now:  # the clocks went back over a midnight, and show the evening again
            begin = _next_begin(unit, begin)
        end = begin.astimezone(UTC)
    except (OverflowError, ValueError):  # after the year 9999
        return _NEVER_NS * ticks_per_ns
    return ((end - EPOCH) // timedelta(microseconds=1) * 1000 - start_ns) * ticks_per_ns


def _next_begin(unit: CalendarUnit, local: datetime) -> datetime:
    """Return the first begin of a window after a time, in its zone.

    A midnight that the clocks skip means the moment at which they do; of a midnight that they show twice, the
    first one counts.
    """
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    match unit:
        case CalendarUnit.DAY:
            return midnight + timedelta(days=1)
        case CalendarUnit.WEEK:
            return midnight + timedelta(days=7 - local.weekday())
        case CalendarUnit.MONTH:
            return (midnight.replace(day=1) + timedelta(days=31)).replace(day=1)
        case CalendarUnit.YEAR:
            return midnight.replace(year=local.year + 1, month=1, day=1)
