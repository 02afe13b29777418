"""Axes with lines of a figure that is no picture of one run: their style, titles, names and layout."""

from __future__ import annotations

from typing import Any, Final

from matplotlib.axes import Axes

from hook_widgets._plotting.mpl.axes_renderer import dress, set_ticks
from hook_widgets._plotting.mpl.text_layout import FONTS, PT, SIZE_PX
from hook_widgets.ratelimit.plotting.mpl.figure import RunFigure
from hook_widgets.ratelimit.plotting.view_model.scale import compact, level_ticks, time_ticks
from hook_widgets.ratelimit.plotting.view_model.theme import Theme

MAX_PANELS: Final = 8
"""Upper bound of the studies or curves of a figure; more cannot be told apart."""

DASHES: Final = ("solid", (0, (5, 2)), (0, (1.5, 1.5)))
MARKERS: Final = "osD^vPX*"  # one for each of MAX_PANELS
NARROW_IN: Final = 6.0  # narrower figures have no room for names beside a title


def lay_out(figure: RunFigure) -> None:
    """Place the axes once, so that all files of a figure are the same."""
    figure.set_layout_engine("constrained")
    figure.draw_without_rendering()
    figure.set_layout_engine("none")


def dress_axes(ax: Axes, colours: Theme, title: str) -> None:
    """Style axes that begin at 0, with a title."""
    dress(ax, colours)
    ax.set_title(title, loc="left", color=colours.text, fontsize=SIZE_PX * PT, family=FONTS, weight="bold")
    ax.set_ylim(bottom=0)
    ticks = level_ticks(0, ax.get_ylim()[1], 5)
    set_ticks(ax.yaxis, ticks, [compact(tick) for tick in ticks])


def time_axis(ax: Axes, begin_s: float, end_s: float) -> None:
    """Set the range and the ticks of a time axis."""
    places, labels = time_ticks(end_s, 8, begin_s)
    set_ticks(ax.xaxis, places, labels)
    ax.set_xlim(begin_s, end_s)


def number_axis(ax: Axes, colours: Theme, title: str, low: float, high: float, most: int) -> None:
    """Set the range, at most so many ticks, and the title of an axis of numbers below the axes."""
    ax.set_xlim(low, high)
    places = level_ticks(low, high, most)
    set_ticks(ax.xaxis, places, [compact(place) for place in places])
    ax.set_xlabel(title, color=colours.dim, fontsize=SIZE_PX * PT, family=FONTS)


def show_legend(ax: Axes, colours: Theme, *, above: bool = False, loc: str = "upper right") -> None:
    """Show the names of the lines in a row above the axes, or below one another inside them."""
    options: dict[str, Any] = {"loc": loc}
    if above:
        options = {"loc": "lower right", "bbox_to_anchor": (1.0, 1.0), "borderaxespad": 0.2, "ncols": 3}
    font = {"family": list(FONTS), "size": SIZE_PX * PT}
    ax.legend(frameon=False, labelcolor=colours.text, prop=font, **options)
