"""Base class of the panels of a picture: artists created once, and updated for each view."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Final

import numpy
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from matplotlib.text import Annotation

from hook_widgets._plotting.mpl.axes_renderer import dress, set_ticks
from hook_widgets._plotting.mpl.text_layout import PT, LabelRow, label
from hook_widgets.ratelimit.plotting.view_model.scale import compact, level_ticks
from hook_widgets.ratelimit.plotting.view_model.theme import Theme
from hook_widgets.ratelimit.plotting.view_model.view import View
from hook_widgets.ratelimit.simulation.series import Curve

_TICK_EVERY_PX: Final = 26.0
_CROSS_PX: Final = 5.0


class Panel(ABC):
    """One plot of a picture.

    Attributes:
        ax: the axes.
        artists: the artists that change with the run, in drawing order.
        above_px: distance between the highest value and the upper edge.
        below_px: distance between the lowest value and the lower edge.
        extremes: function that returns the lowest and the highest value of a view that must be visible.
    """

    above_px: float = 16.0
    below_px: float = 2.0
    extremes: Callable[[View], tuple[float, float]]

    def __init__(
        self, ax: Axes, colours: Theme, width_px: float, height_px: float, *, rise_px: float = 5.0
    ) -> None:
        """Create a panel of the same size as its axes, with its title so far above it."""
        self.ax = ax
        self.colours = colours
        self.width_px = width_px
        self.height_px = height_px
        self.title: LabelRow = LabelRow(ax, left=True, bold=True, rise_px=rise_px)
        self.words: LabelRow = LabelRow(ax, count=4, rise_px=rise_px)
        self.artists: list[Any] = [*self.title.artists, *self.words.artists]
        dress(ax, colours)
        ax.tick_params(axis="y", pad=4 * PT)
        ax.tick_params(axis="x", pad=7 * PT)  # clear of the lowest label of the value axis
        ax.spines["bottom"].set_linewidth(PT)

    @abstractmethod
    def show(self, view: View) -> None:
        """Update the artists to a view."""

    def frame(self, low: float, high: float) -> None:
        """Set the range of the value axis."""
        marks = level_ticks(low, high, max(int(self.height_px / _TICK_EVERY_PX), 1))
        self.ax.set_ylim(low, high)
        set_ticks(self.ax.yaxis, marks, [compact(mark) for mark in marks])

    def roomy(self, low: float, high: float) -> tuple[float, float]:
        """Return the range of the axis for these extremes, with the room required above and below."""
        between = max(self.height_px - self.above_px - self.below_px, 4.0)
        per_px = (high - low) / between
        return low - self.below_px * per_px, high + self.above_px * per_px

    def _line(self, colour: str, width_px: float = 1.6, **style: Any) -> Line2D:
        style = {"solid_joinstyle": "round"} | style
        line: Line2D = self.ax.add_line(Line2D([], [], color=colour, linewidth=width_px * PT, **style))
        return line

    def _limit_line(self, colour: str) -> Line2D:
        return self._line(colour, 1.2, dashes=(4, 3))

    def _crosses_line(self) -> Line2D:
        size = {"markersize": _CROSS_PX * PT, "markeredgewidth": 1.4 * PT}
        return self._line(self.colours.rejected, 0, marker="x", linestyle="none", **size)

    def _filled(self, colour: str) -> Polygon:
        area = Polygon([(0.0, 0.0)], closed=True, facecolor=colour, alpha=0.12, linewidth=0)
        self.ax.add_patch(area)
        return area

    def _limit_label(self) -> Annotation:
        """Create a label above a horizontal line, at the right edge."""
        return label(
            self.ax,
            self.colours.text,
            xy=(1.0, 0.0),
            xycoords=self.ax.get_yaxis_transform(),
            xytext=(-2 * PT, 4 * PT),
            ha="right",
            va="baseline",
        )


def draw(line: Line2D, area: Polygon, curve: Curve, most: Curve | None = None) -> None:
    """Set the data of a curve, and of the area between it and zero, or another curve above it."""
    if most is not None:
        line.set_data(curve.times, curve.values)
        outline = [[*curve.times, *most.times[::-1]], [*curve.values, *most.values[::-1]]]
        area.set_xy(numpy.array(outline).T)
        return
    points = numpy.zeros((len(curve.times) + 2, 2))
    points[1:-1, 0], points[1:-1, 1] = curve.times, curve.values
    points[0, 0], points[-1, 0] = curve.times[0], curve.times[-1]
    line.set_data(points[1:-1, 0], points[1:-1, 1])
    area.set_xy(points)
