"""Axis of dates: the time it shows, and its ticks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import MAXYEAR, UTC, datetime, timedelta, tzinfo
from math import ceil
from typing import Final

from hook_widgets.versioning.api import Api
from hook_widgets.versioning.dates.months import MONTHS

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DAY: Final = timedelta(days=1)
_LEAST_DAYS: Final = 540.0  # a year and a half contains a January, whose tick names the year
_BEFORE: Final = 0.5  # share of the period of all events that may be shown before it
_STUB, _PAD, _AFTER = 0.18, 0.03, 0.13
_EARLIEST: Final = -719_000.0  # within the first and the last year that datetime supports
_LATEST: Final = 2_932_800.0
_STEPS: Final = (1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 6000, 12_000, 60_000)  # months


def days(moment: datetime) -> float:
    """Convert a moment to days since 1970 in UTC, as matplotlib counts dates.

    >>> days(datetime.fromisoformat("1970-01-02T12:00Z"))
    1.5
    """
    return (moment - _EPOCH) / _DAY


@dataclass(frozen=True, slots=True)
class Window:
    """The time that the axis shows.

    Attributes:
        begin: left edge, in days since 1970.
        end: right edge, in days since 1970.
    """

    begin: float
    end: float

    @classmethod
    def of(cls, api: Api, at: datetime) -> Window:
        """Choose the window that shows all events of an API, and the time `at`.

        A release long before all other events stays outside, or the rest would be too small to read.
        """
        released = [days(release.released) for release in api.releases if release.released]
        lifecycles = [release.lifecycle for release in api.releases if release.lifecycle]
        happens = [days(at), *(moment for moment in released if moment > days(at))]
        happens += [days(moment) for each in lifecycles for moment in (each.deprecated, each.sunset)]
        first, last = min(happens), max(happens)
        span = max(last - first, _LEAST_DAYS)
        farthest = first - max(_BEFORE * span, 365.0)
        shown = [moment for moment in released if moment >= farthest]
        stubs = len(shown) < len(api.releases)
        begin = min([first, *shown]) - _PAD * span
        if stubs:
            begin = min(begin, first - _STUB * span, min([first, *shown]) - _STUB / 2 * span)
        end = max(last + _AFTER * span, begin + _LEAST_DAYS)
        return cls(max(begin, _EARLIEST), min(end, _LATEST))

    @property
    def span(self) -> float:
        """Length in days."""
        return self.end - self.begin


@dataclass(frozen=True, slots=True, kw_only=True)
class DateAxis:
    """A window on a horizontal stretch of a picture.

    Attributes:
        window: time that it shows.
        left: left end, in pixels.
        width: width in pixels.
    """

    window: Window
    left: int = 0
    width: float

    @property
    def right(self) -> int:
        """Right end, to the nearest pixel."""
        return round(self.left + self.width)

    def shows(self, at: float) -> bool:
        """Return True if a date is in the window."""
        return self.window.begin <= at <= self.window.end

    def px(self, at: float) -> float:
        """Convert a date to pixels."""
        return self.left + (at - self.window.begin) / self.window.span * self.width

    def x(self, at: float) -> int:
        """Convert a date to the nearest pixel."""
        return round(self.px(at))

    def clipped(self, begin: float, end: float) -> tuple[float, float]:
        """Clip a period to the window, and convert it to pixels."""
        return self.px(max(begin, self.window.begin)), self.px(min(end, self.window.end))


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on the axis.

    Attributes:
        at: in days since 1970.
        text: year for a January, else month.
        year: whether it is a January.
    """

    at: float
    text: str
    year: bool


def ticks(window: Window, zone: tzinfo, most: int) -> tuple[Tick, ...]:
    """Return ticks at first days of months, evenly spaced and with a January among them.

    >>> year = Window(days(datetime(2026, 2, 1, tzinfo=UTC)), days(datetime(2027, 9, 1, tzinfo=UTC)))
    >>> [tick.text for tick in ticks(year, UTC, 4)]
    ['Jul', '2027', 'Jul']
    """
    months = window.span / 30.44
    steps = [step for step in _STEPS if months / step <= most + 1] or [_STEPS[-1]]
    marked = (tuple(_every(step, window, zone)) for step in steps)
    return next((dates for dates in marked if len(dates) <= most), ())


def _every(step: int, window: Window, zone: tzinfo) -> Iterator[Tick]:
    first = (_EPOCH + window.begin * _DAY).astimezone(zone)  # `fromtimestamp` fails on Windows before 1970
    month = ceil((first.year * 12 + first.month - 1) / step) * step
    while True:
        year, index = divmod(month, 12)
        if year > MAXYEAR:
            return
        at = days(datetime(year, index + 1, 1, tzinfo=zone))
        if at > window.end:
            return
        if at >= window.begin:
            yield Tick(at, str(year) if index == 0 else MONTHS[index][:3], index == 0)
        month += step
