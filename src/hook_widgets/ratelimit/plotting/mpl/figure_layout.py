"""Arrange the panels of a picture on one figure, with a common time axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from matplotlib.figure import Figure

from hook_widgets._plotting.mpl.axes_renderer import set_ticks
from hook_widgets._plotting.mpl.figure import size_px
from hook_widgets._plotting.mpl.text_layout import LabelRow, hinted_px
from hook_widgets.ratelimit.plotting.mpl.panel import Panel
from hook_widgets.ratelimit.plotting.mpl.panels import (
    LevelPanel,
    QueuePanel,
    RequestsPanel,
    SlimPanel,
    legend,
)
from hook_widgets.ratelimit.plotting.view_model import labels
from hook_widgets.ratelimit.plotting.view_model.scale import quantised, time_ticks
from hook_widgets.ratelimit.plotting.view_model.theme import Theme
from hook_widgets.ratelimit.plotting.view_model.view import View

_LEFT_PX, _RIGHT_PX, _TOP_PX, _BOTTOM_PX = 46.0, 24.0, 22.0, 27.0
_GAP_PX, _SLIM_GAP_PX, _LEGEND_PX = 31.0, 24.0, 18.0
_NOTE_PX: Final = 14.0
_TIME_EVERY_PX: Final = 62.0
_LATE_TIME_EVERY_PX: Final = 74.0  # the times of a part of the axis have more digits
_WIDE_PX: Final = 400.0
_LEAST_FILLED: Final = 0.6


def columns(figure: Figure) -> int:
    """Return the width of the panels of a figure, in pixels."""
    return max(int(size_px(figure)[0] - _LEFT_PX - _RIGHT_PX), 16)


@dataclass(frozen=True, slots=True)
class Plan:
    """The panels of a picture. A layout created for a plan can show all views with the same plan.

    Attributes:
        lines: number of levels of each run.
        queue: True if the queue is shown.
        note_px: height of a row with a note above each panel; 0 without one.
    """

    lines: tuple[int, ...]
    queue: bool
    note_px: float = 0.0

    @classmethod
    def of(cls, views: Sequence[View]) -> Plan:
        """Return the plan for views: several panels for a single one, one panel each to compare several."""
        return cls(
            tuple(len(view.levels) for view in views),
            len(views) == 1 and views[0].queue is not None,
            _NOTE_PX * labels.has_note_row(views[0], views[0].columns),
        )

    @property
    def slim(self) -> bool:
        """True if several runs are compared."""
        return len(self.lines) > 1

    @property
    def heights(self) -> tuple[float, ...]:
        """Relative heights of the panels."""
        if self.slim:
            return (1.0,) * len(self.lines)
        return (5.0, 2.4, 2.6) if self.queue else (5.0, 3.0)

    @property
    def legend(self) -> bool:
        """True if several runs have the same number of lines, named in one legend."""
        return self.slim and self.lines[0] > 1 and len(set(self.lines)) == 1


@dataclass(frozen=True, slots=True)
class Frame:
    """Ranges of the axes of a picture.

    Attributes:
        end_s: the end of the time axis.
        ranges: lowest and highest value of each panel.
        begin_s: the begin of the time axis.
    """

    end_s: float
    ranges: tuple[tuple[float, float], ...]
    begin_s: float = 0.0


class FigureLayout:
    """A figure with its panels.

    Attributes:
        figure: the figure.
        panels: the panels, from top to bottom.
        artists: the artists that change with the run, in drawing order.
    """

    def __init__(self, figure: Figure, plan: Plan, colours: Theme) -> None:
        figure.clear()
        self.figure = figure
        self._plan, self._colours = plan, colours
        width, height = size_px(figure)
        gap = _SLIM_GAP_PX + plan.note_px if plan.slim else _GAP_PX
        upper = height - _TOP_PX - plan.note_px - plan.legend * _LEGEND_PX
        room = upper - _BOTTOM_PX - gap * (len(plan.heights) - 1)
        across = max(width - _LEFT_PX - _RIGHT_PX, 16.0)
        self.panels: list[Panel] = []
        for k, part in enumerate(plan.heights):
            tall = max(room * part / sum(plan.heights), 8.0)
            box = (_LEFT_PX / width, (upper - tall) / height, across / width, tall / height)
            ax = figure.add_axes(box, sharex=self.panels[0].ax if self.panels else None)
            self.panels.append(_panel(k, plan, ax, colours, across, tall))
            ax.tick_params(labelbottom=k == len(plan.heights) - 1)
            upper -= tall + gap
        self.artists: list[Any] = [artist for panel in self.panels for artist in panel.artists]
        self._legend: list[LabelRow] = []
        if plan.legend:
            top = self.panels[0].ax
            self._legend = [
                LabelRow(top, left=True, bold=True, rise_px=5 + plan.note_px + _LEGEND_PX),
                LabelRow(top, count=2 * plan.lines[0], rise_px=5 + plan.note_px + _LEGEND_PX),
            ]
            self.artists += [artist for words in self._legend for artist in words.artists]

    def show(self, views: Sequence[View]) -> None:
        """Update the panels to the views, without changing the axes."""
        for panel, view in self._pairs(views):
            panel.show(view)
        if self._legend:
            names = [{view.levels[k].label for view in views} for k in range(self._plan.lines[0])]
            titles = [labels.pop() if len(labels) == 1 else f"limit {k}" for k, labels in enumerate(names, 1)]
            heading = labels.PER_CENT if self.panels[0].width_px > _WIDE_PX else "Left, %"
            room = self.panels[0].width_px - hinted_px(heading, bold=True) - 12
            self._legend[0].set((heading, self._colours.text))
            self._legend[1].set(*legend(titles, self._colours, room))

    def set_frame(self, frame: Frame) -> None:
        """Set the ranges of the axes."""
        first = self.panels[0]
        first.ax.set_xlim(frame.begin_s, frame.end_s)
        every_px = _LATE_TIME_EVERY_PX if frame.begin_s else _TIME_EVERY_PX
        most = int(first.width_px / every_px)
        places, texts = time_ticks(frame.end_s, most, frame.begin_s)
        px_per_s = first.width_px / (frame.end_s - frame.begin_s)
        if places and hinted_px(texts[-1]) / 2 > _RIGHT_PX + (frame.end_s - places[-1]) * px_per_s:
            texts[-1] = ""  # it would be cut off
        set_ticks(first.ax.xaxis, places, texts)
        for panel, (low, high) in zip(self.panels, frame.ranges, strict=True):
            panel.frame(low, high)

    def exact(self, views: Sequence[View], end_s: float) -> Frame:
        """Return the smallest frame that contains the views."""
        return Frame(end_s, tuple(panel.roomy(*panel.extremes(view)) for panel, view in self._pairs(views)))

    def rounded(self, views: Sequence[View], end_s: float, begin_s: float = 0.0) -> Frame:
        """Return a frame of rounded size, which still fits if the views change a little."""
        extremes = [panel.extremes(view) for panel, view in self._pairs(views)]
        round_ones = [(-quantised(-low) if low < 0 else 0.0, quantised(high)) for low, high in extremes]
        ranges = tuple(p.roomy(*pair) for p, pair in zip(self.panels, round_ones, strict=True))
        return Frame(end_s, ranges, begin_s)

    def holds(self, frame: Frame, views: Sequence[View]) -> bool:
        """Return True if a frame contains the views completely, and is not much larger than needed."""
        for (low, high), (least, most) in zip(
            frame.ranges, self.exact(views, frame.end_s).ranges, strict=True
        ):
            nothing = 1e-9 * (high - low)
            if least < low - nothing or most > high + nothing or most - least < _LEAST_FILLED * (high - low):
                return False
        return True

    def _pairs(self, views: Sequence[View]) -> list[tuple[Panel, View]]:
        return list(
            zip(self.panels, views if self._plan.slim else [views[0]] * len(self.panels), strict=True)
        )


def _panel(k: int, plan: Plan, ax: Any, colours: Theme, width_px: float, height_px: float) -> Panel:
    """Create the panel at index `k`."""
    if plan.slim:
        return SlimPanel(ax, colours, width_px, height_px, lines=plan.lines[k], note_px=plan.note_px)
    if k == 0:
        return LevelPanel(ax, colours, width_px, height_px, lines=plan.lines[0])
    return (RequestsPanel, QueuePanel)[k - 1](ax, colours, width_px, height_px)
