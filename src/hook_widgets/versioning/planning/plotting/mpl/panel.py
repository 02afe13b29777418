"""Panel with the bars: dates on the x axis, CSS pixels downwards on the y axis."""

from __future__ import annotations

from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hook_widgets._plotting.mpl.figure import size_px
from hook_widgets.versioning.planning.plotting.view_model.scale import DateAxis
from hook_widgets.versioning.planning.plotting.view_model.theme import Theme

Box = tuple[float, float, float, float]
"""Left, upper, right and lower edges, in CSS pixels from the upper left corner of a figure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel(DateAxis):
    """A part of a figure with dates on its x axis."""

    ax: Axes
    colours: Theme

    def date(self, px: float) -> float:
        """Convert pixels from the left edge to a date."""
        return self.window.begin + px / self.width * self.window.span


def axes(figure: Figure, box: Box, x: tuple[float, float], y: tuple[float, float]) -> Axes:
    """Add plain axes without a frame to a part of a figure."""
    width, height = size_px(figure)
    left, upper, right, lower = box
    ax = figure.add_axes(
        (left / width, 1 - lower / height, max(right - left, 1) / width, (lower - upper) / height)
    )
    ax.set_axis_off()
    ax.set_xlim(*x)
    ax.set_ylim(*y)
    return ax
