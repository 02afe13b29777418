"""The picture: a lane for each version, above a common axis of dates."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from hook_widgets.versioning.api import Api
from hook_widgets.versioning.datewords import day, zone_name, zone_of
from hook_widgets.versioning.figures import legend
from hook_widgets.versioning.figures.lanes import Bar, Lane, lanes
from hook_widgets.versioning.figures.lettering import Row, shortened, width_px, write
from hook_widgets.versioning.figures.marks import draw_bar, draw_mark
from hook_widgets.versioning.figures.scale import Window, days, ticks
from hook_widgets.versioning.figures.theme import Theme
from hook_widgets.versioning.release import Status

BAR_PX: Final = 20.0
_LANE_PX: Final = 48.0
_EDGE_PX: Final = 10.0
_TITLE_PX, _TIME_PX, _AXIS_PX, _BOTTOM_PX = 26.0, 22.0, 24.0, 8.0
_NAMES_PX, _NAMES_NARROW_PX, _NARROW_PX = 132.0, 98.0, 560.0
_TICK_EVERY_PX: Final = 44.0
_SMALL_PX: Final = 10.0

Box = tuple[float, float, float, float]
"""Left and lower edge, width and height, as shares of a figure."""


def height_px(api: Api, width: float, *, title: bool) -> int:
    """How high the picture of an API is, in CSS pixels.

    Args:
        api: the API.
        width: its width in CSS pixels.
        title: whether it has a title.
    """
    head = _TITLE_PX * title + _TIME_PX
    foot = _AXIS_PX + legend.height_px(api, width - 2 * _EDGE_PX) + _BOTTOM_PX
    return round(head + _LANE_PX * len(api.releases) + foot)


class Sheet:
    """The picture on a figure.

    Attributes:
        ax: the panel with the bars: matplotlib's dates across, CSS pixels downwards.
    """

    def __init__(self, figure: Figure, api: Api, at: datetime, colours: Theme, *, title: bool) -> None:
        """Draw it."""
        figure.clear()
        self._colours = colours
        self._width, self._height = (float(inches) * 96 for inches in figure.get_size_inches())
        self._names_px = _NAMES_NARROW_PX if self._width < _NARROW_PX else _NAMES_PX
        self._window = Window.of(api, at)
        self._left, self._right = self._names_px, self._width - _EDGE_PX
        top = _TITLE_PX * title + _TIME_PX
        foot = _AXIS_PX + legend.height_px(api, self._width - 2 * _EDGE_PX) + _BOTTOM_PX
        self._tall = max(self._height - top - foot, 8.0)
        self._lane_px = self._tall / len(api.releases)
        self._paper = _axes(figure, (0, 0, 1, 1), (0, self._width), (self._height, 0))
        box = (
            self._left / self._width,
            (self._height - top - self._tall) / self._height,
            max(self._right - self._left, 8.0) / self._width,
            self._tall / self._height,
        )
        self.ax = _axes(figure, box, (self._window.begin, self._window.end), (self._tall, 0))
        zone = zone_of(api, at)
        if title:
            self._title(api.name, zone_name(zone))
        self._grid(top, [(tick.at, tick.text, tick.year) for tick in self._ticks(zone)])
        self._time(days(at), f"as of {day(at.astimezone(zone))}", top)
        for k, lane in enumerate(lanes(api, at)):
            self._lane(k, lane, top, days(at))
        legend.draw(self._paper, api, colours, _EDGE_PX, self._height - foot + _AXIS_PX, self._right)

    def _px(self, at: float) -> float:
        """Where a date is across the panel with the bars, in pixels from its left edge."""
        return (at - self._window.begin) / self._window.span * (self._right - self._left)

    def _date(self, px: float) -> float:
        return self._window.begin + px / (self._right - self._left) * self._window.span

    def _ticks(self, zone: Any) -> Any:
        return ticks(self._window, zone, max(int((self._right - self._left) / _TICK_EVERY_PX), 1))

    def _title(self, name: str, zone: str) -> None:
        room = self._width - 2 * _EDGE_PX
        text = shortened(f"{name}: versions", room, bold=True, size_px=13)
        write(self._paper, _EDGE_PX, 18, text, self._colours.text, fontweight="bold", size_px=13)
        after = _EDGE_PX + width_px(text, bold=True, size_px=13) + 8
        more = f"dates in {zone}"
        if after + width_px(more) <= self._right:
            write(self._paper, after, 18, more, self._colours.dim)

    def _grid(self, top: float, marked: list[tuple[float, str, bool]]) -> None:
        colours, under = self._colours, top + self._tall
        row = Row(self._left - 24, self._width - 2, gap=5)
        for at, text, year in sorted(marked, key=lambda tick: not tick[2]):
            self.ax.plot([at, at], [0, self._tall], color=colours.line, lw=1.2 if year else 0.7, zorder=1)
            wide = width_px(text, bold=year)
            begin = row.place(self._left + self._px(at), wide)
            if begin is not None:
                weight, colour = ("bold", colours.text) if year else ("normal", colours.dim)
                write(self._paper, begin, under + 16, text, colour, fontweight=weight)
        self.ax.plot(
            [self._window.begin, self._window.end], [self._tall] * 2, color=colours.line, lw=1.2, zorder=1,
            clip_on=False,
        )  # fmt: skip

    def _time(self, at: float, text: str, top: float) -> None:
        """The line of the time of the question."""
        colours, x = self._colours, self._left + self._px(at)
        self.ax.plot(
            [at, at], [-4, self._tall], color=colours.text, lw=1.2, ls=(0, (4, 2.5)), zorder=6, clip_on=False
        )
        wide = width_px(text, bold=True)
        begin = min(max(x - wide / 2, _EDGE_PX), self._right - wide)
        write(self._paper, begin, top - 8, text, colours.text, fontweight="bold")

    def _lane(self, k: int, lane: Lane, top: float, at: float) -> None:
        colours, begin = self._colours, k * self._lane_px
        if k % 2 == 0:
            x = [_EDGE_PX / 2, self._width - _EDGE_PX / 2]
            self._paper.fill_between(
                x, top + begin, top + begin + self._lane_px, color=colours.band, lw=0, zorder=0
            )
        self._name(lane, top + begin + self._lane_px / 2)
        middle = begin + self._lane_px / 2 - 6
        for bar in lane.bars:
            draw_bar(self, bar, middle)
            self._label(bar, middle, lane, at)
        for mark in lane.marks:
            draw_mark(self, mark, middle)
        self._days(lane, middle + BAR_PX / 2 + 12, at)

    def _name(self, lane: Lane, middle: float) -> None:
        colours, room = self._colours, self._names_px - _EDGE_PX - 8
        name = shortened(lane.version, room, bold=True, size_px=13)
        write(self._paper, _EDGE_PX, middle - 2, name, colours.text, fontweight="bold", size_px=13)
        after = width_px(name, bold=True, size_px=13) + 6
        status = lane.status.value
        if after + width_px(status) <= room:
            write(self._paper, _EDGE_PX + after, middle - 2, status, colours.dim)
        write(
            self._paper, _EDGE_PX, middle + 13, shortened(lane.note, room, size_px=_SMALL_PX), colours.dim,
            size_px=_SMALL_PX,
        )  # fmt: skip

    def _label(self, bar: Bar, middle: float, lane: Lane, at: float) -> None:
        """What a bar is, in the bar, where neither a mark nor the line of the time is in the way."""
        begin, end = max(bar.begin, self._window.begin), min(bar.end, self._window.end)
        text = "removed, 410" if bar.kind is Status.REMOVED else bar.kind.value
        wide = width_px(text, size_px=_SMALL_PX)
        row = Row(self._px(begin) + 10, self._px(end) - 10, gap=3)
        row.keep_free(self._px(at) - 2, self._px(at) + 2)
        for mark in lane.marks:
            row.keep_free(self._px(mark.at) - 6, self._px(mark.at) + 6)
        edges = [
            self._px(begin),
            *sorted(self._px(m.at) for m in lane.marks if begin < m.at < end),
            self._px(end),
        ]
        edges = sorted({*edges, *([self._px(at)] if begin < at < end else [])})
        gaps = sorted(pairwise(edges), key=lambda gap: gap[0] - gap[1])
        for left, right in gaps:
            place = row.place((left + right) / 2, wide)
            if place is not None:
                self._write_in_bar(bar, place, middle, text, wide)
                return

    def _write_in_bar(self, bar: Bar, place: float, middle: float, text: str, wide: float) -> None:
        colours = self._colours
        pad, tall = 3.0, 6.5
        corners = [
            (place - pad, -tall),
            (place + wide + pad, -tall),
            (place + wide + pad, tall),
            (place - pad, tall),
        ]
        if bar.kind is not Status.ACTIVE:  # a quiet ground where there are lines
            ground = colours.fills[bar.kind]
            self.ax.add_patch(
                Polygon(
                    [(self._date(x), middle + y) for x, y in corners], fc=ground, ec="none", lw=0, zorder=3
                )
            )
        write(self.ax, self._date(place), middle + 3.6, text, colours.text, size_px=_SMALL_PX, zorder=5)

    def _days(self, lane: Lane, y: float, at: float) -> None:
        """The dates below a bar, as far as they have room."""
        row = Row(2, self._right - self._left - 2)
        x = self._px(at)
        row.keep_free(x - 1, x + 1)
        for mark in lane.marks:
            if self._window.begin <= mark.at <= self._window.end:
                place = row.place(self._px(mark.at), width_px(mark.text, size_px=_SMALL_PX))
                if place is not None:
                    write(
                        self.ax,
                        self._date(place),
                        y,
                        mark.text,
                        self._colours.dim,
                        size_px=_SMALL_PX,
                        zorder=5,
                    )

    # -- for what draws bars and marks ----------------------------------------------------------

    def edges_px(self, bar: Bar) -> tuple[float, float, bool, bool]:
        """A bar's left and right edge in pixels, and whether it goes on beyond them."""
        begin, end = max(bar.begin, self._window.begin), min(bar.end, self._window.end)
        return self._px(begin), self._px(end), bar.begin < self._window.begin, bar.end > self._window.end

    def point(self, px: float, y: float) -> tuple[float, float]:
        """A place on the panel with the bars, from pixels."""
        return self._date(px), y

    @property
    def colours(self) -> Theme:
        """Its colours."""
        return self._colours

    def shows(self, at: float) -> bool:
        """Whether a date is on the axis."""
        return self._window.begin <= at <= self._window.end


def _axes(figure: Figure, box: Box, x: tuple[float, float], y: tuple[float, float]) -> Axes:
    ax = figure.add_axes(box)
    ax.set_axis_off()
    ax.set_xlim(*x)
    ax.set_ylim(*y)
    return ax
