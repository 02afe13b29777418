"""Layout of the figure: a lane for each version above a common axis of dates."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from matplotlib.figure import Figure

from hook_widgets._plotting.ellipsis import shortened
from hook_widgets._plotting.mpl.figure import size_px
from hook_widgets._plotting.mpl.text_layout import width_px, write
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.planning.date_formatting import day, local, zone_name, zone_of
from hook_widgets.versioning.planning.plotting.mpl.marks import (
    Panel,
    axes,
    draw_lane,
    draw_legend,
    draw_name,
    legend_px,
    names_px,
)
from hook_widgets.versioning.planning.plotting.view_model.lanes import lanes
from hook_widgets.versioning.planning.plotting.view_model.scale import Tick, Window, days, ticks
from hook_widgets.versioning.planning.plotting.view_model.strip import Strip
from hook_widgets.versioning.planning.plotting.view_model.theme import Theme

_EDGE_PX: Final = 10.0
_TITLE_PX, _TIME_PX, _LANE_PX, _AXIS_PX, _BOTTOM_PX = 26.0, 22.0, 48.0, 24.0, 8.0
_NAMES_PX, _WIDE_NAMES_PX, _WIDE_PX = 84.0, 124.0, 560.0
_MOST_FOR_NAMES: Final = 0.36
_HEADING_PX: Final = 13.0
_TICK_EVERY_PX: Final = 44.0
_DASHED: Final = (0, (4, 2.5))


def height_px(api: Api, width: float, *, title: bool) -> int:
    """Return the height of the picture of an API in CSS pixels."""
    return round(_TITLE_PX * title + _TIME_PX + _LANE_PX * len(api.releases) + _foot_px(api, width))


def _foot_px(api: Api, width: float) -> float:
    return _AXIS_PX + legend_px(api, width - 2 * _EDGE_PX) + _BOTTOM_PX


class FigureLayout:
    """The parts of the picture on a figure."""

    def __init__(self, figure: Figure, api: Api, at: datetime, colours: Theme, *, title: bool) -> None:
        """Draw the picture."""
        figure.clear()
        self._colours = colours
        self._width, height = size_px(figure)
        rows, zone = lanes(api, at), zone_of(api, at)
        names = max(_WIDE_NAMES_PX if self._width >= _WIDE_PX else _NAMES_PX, names_px(rows) + 2)
        names = min(names, _MOST_FOR_NAMES * self._width)
        self._left, self._right = _EDGE_PX + names + 8, self._width - _EDGE_PX
        self._top = _TITLE_PX * title + _TIME_PX
        foot = _foot_px(api, self._width)
        self._tall = max(height - self._top - foot, 8.0)
        window = Window.of(api, at)
        self._paper = axes(figure, (0, 0, self._width, height), (0, self._width), (height, 0))
        box = (self._left, self._top, self._right, self._top + self._tall)
        ax = axes(figure, box, (window.begin, window.end), (self._tall, 0))
        self.panel: Panel = Panel(
            ax=ax, colours=colours, window=window, width=max(self._right - self._left, 1.0)
        )
        if title:
            self._title(api.name, zone_name(zone))
        self._grid(ticks(window, zone, max(int(self.panel.width / _TICK_EVERY_PX), 1)))
        self._time(days(at), f"as of {day(local(at, zone))}")
        lane_px = self._tall / len(rows)
        for k, lane in enumerate(rows):
            if k % 2 == 0:
                self._band(self._top + k * lane_px, lane_px)
            middle = (k + 0.5) * lane_px
            draw_name(self._paper, lane, _EDGE_PX, self._top + middle, names, colours)
            draw_lane(self.panel, lane, middle, days(at))
        draw_legend(self._paper, api, colours, _EDGE_PX, height - foot + _AXIS_PX, self._right)

    def _title(self, name: str, zone: str) -> None:
        room = self._right - _EDGE_PX
        text = f"{shortened(name, room - 80, width_px, bold=True, size_px=_HEADING_PX)}: versions"
        write(self._paper, _EDGE_PX, 18, text, self._colours.text, fontweight="bold", size_px=_HEADING_PX)
        after = _EDGE_PX + width_px(text, bold=True, size_px=_HEADING_PX) + 8
        if after + width_px(more := f"dates in {zone}") <= self._right:
            write(self._paper, after, 18, more, self._colours.dim)

    def _grid(self, marked: Sequence[Tick]) -> None:
        ax, window = self.panel.ax, self.panel.window
        strip = Strip(self._left - 24, self._width - 2, gap=5)
        for tick in sorted(marked, key=lambda tick: not tick.year):  # years first: they must not be left out
            line = 1.2 if tick.year else 0.7
            ax.plot([tick.at, tick.at], [0, self._tall], color=self._colours.line, lw=line, ls="-", zorder=1)
            wide = width_px(tick.text, bold=tick.year)
            begin = strip.place(self._left + self.panel.px(tick.at), wide)
            if begin is not None:
                colour = self._colours.text if tick.year else self._colours.dim
                weight = "bold" if tick.year else "normal"
                below = self._top + self._tall + 16
                write(self._paper, begin, below, tick.text, colour, fontweight=weight)
        ends, colour = [window.begin, window.end], self._colours.line
        ax.plot(ends, [self._tall, self._tall], color=colour, lw=1.2, ls="-", zorder=1, clip_on=False)

    def _time(self, at: float, text: str) -> None:
        """Draw the line of the time shown."""
        colour, x = self._colours.text, self._left + self.panel.px(at)
        self.panel.ax.plot(
            [at, at], [-4, self._tall], color=colour, lw=1.2, ls=_DASHED, zorder=6, clip_on=False
        )
        wide = width_px(text, bold=True)
        begin = max(min(x - wide / 2, self._right - wide), _EDGE_PX)
        write(self._paper, begin, self._top - 8, text, colour, fontweight="bold")

    def _band(self, top: float, tall: float) -> None:
        x = [_EDGE_PX / 2, self._width - _EDGE_PX / 2]
        self._paper.fill_between(x, top, top + tall, color=self._colours.band, lw=0, zorder=0)
