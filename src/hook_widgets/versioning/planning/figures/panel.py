"""The panel with the bars: dates across, CSS pixels downwards."""

from __future__ import annotations

from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hook_widgets.versioning.planning.scene.scale import Window
from hook_widgets.versioning.planning.scene.theme import Theme

Box = tuple[float, float, float, float]
"""Left, upper, right and lower edge, in CSS pixels from the upper left corner of a figure."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of a figure in which places across are dates.

    Attributes:
        ax: its axes.
        colours: its colours.
        window: from when to when.
        width_px: how wide it is.
    """

    ax: Axes
    colours: Theme
    window: Window
    width_px: float

    def px(self, at: float) -> float:
        """Where a date is, in pixels from the left edge."""
        return (at - self.window.begin) / self.window.span * self.width_px

    def date(self, px: float) -> float:
        """The date that is so many pixels from the left edge."""
        return self.window.begin + px / self.width_px * self.window.span

    def shows(self, at: float) -> bool:
        """Whether a date is on it."""
        return self.window.begin <= at <= self.window.end

    def within(self, begin: float, end: float) -> tuple[float, float]:
        """The part of a stretch of time that it shows, in pixels."""
        return self.px(max(begin, self.window.begin)), self.px(min(end, self.window.end))


def axes(figure: Figure, box: Box, x: tuple[float, float], y: tuple[float, float]) -> Axes:
    """Plain axes without a frame, in this part of a figure.

    Args:
        figure: the figure.
        box: which part.
        x: what its left and right edge stand for.
        y: what its lower and upper edge stand for.
    """
    width, height = (float(inches) * 96 for inches in figure.get_size_inches())
    left, upper, right, lower = box
    ax = figure.add_axes(
        (left / width, 1 - lower / height, max(right - left, 1) / width, (lower - upper) / height)
    )
    ax.set_axis_off()
    ax.set_xlim(*x)
    ax.set_ylim(*y)
    return ax
