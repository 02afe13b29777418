"""Draw the parts of a picture of versions with matplotlib."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import MappingProxyType
from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon, Rectangle

from hook_widgets._plotting.mpl.text_layout import PT, write
from hook_widgets.versioning.planning.plotting.view_model.items import (
    Box,
    Item,
    Line,
    Picture,
    Shape,
    Sign,
    Text,
)
from hook_widgets.versioning.planning.plotting.view_model.lanes import Outage
from hook_widgets.versioning.planning.plotting.view_model.theme import Theme
from hook_widgets.versioning.planning.timeline import LifecycleStep
from hook_widgets.versioning.release import Status

_HATCHES: Final = MappingProxyType({Status.PREVIEW: "....", Status.DEPRECATED: "////"})
_SIGNS: Final = MappingProxyType(
    {
        LifecycleStep.ANNOUNCEMENT: (">", 7.5),
        LifecycleStep.REMINDER: ("o", 6.5),
        LifecycleStep.FINAL_NOTICE: ("D", 6.0),
        LifecycleStep.REMOVAL: ("X", 8.5),
        Outage.BROWNOUT: (((-1.0, -4.0), (1.0, -4.0), (1.0, 4.0), (-1.0, 4.0)), 11.0),
    }
)
"""Marker of each kind, or its corners, and its size in points."""


def draw(figure: Figure, picture: Picture, colours: Theme) -> None:
    """Draw a picture on a figure of its size. The panel with the bars has dates on its x axis."""
    axis, width, height = picture.axis, picture.width, picture.height
    window = (axis.window.begin, axis.window.end)
    paper = _axes(figure, (0, 0, 1, 1), (0, width), (height, 0))
    share = (axis.left / width, 1 - picture.bottom / height, axis.width / width)
    tall = (picture.bottom - picture.top) / height
    panel = _axes(figure, (*share, tall), window, (picture.bottom, picture.top))
    _draw(paper, [*picture.ground, *picture.beside], lambda px: px, colours)
    _draw(panel, picture.panel, axis.date, colours)


def _axes(
    figure: Figure, box: tuple[float, float, float, float], x: tuple[float, float], y: tuple[float, float]
) -> Axes:
    ax = figure.add_axes(box)
    ax.set_axis_off()
    ax.set_xlim(*x)
    ax.set_ylim(*y)
    return ax


def _draw(ax: Axes, items: Iterable[Item], x: Callable[[float], float], colours: Theme) -> None:
    for order, item in enumerate(items):
        match item:
            case Text():
                write(
                    ax, x(item.x), item.y, item.words, item.colour, size_px=item.size_px,
                    fontweight="bold" if item.bold else "normal", zorder=order,
                )  # fmt: skip
            case Line((left, y), (right, lower), colour, width):
                dashes = (0, tuple(px / width for px in item.dashes)) if item.dashes else "-"
                ax.plot(
                    [x(left), x(right)], [y, lower], color=colour, lw=width * PT, ls=dashes, zorder=order,
                    clip_on=False,
                )  # fmt: skip
            case Box():
                corner, wide = (x(item.x), item.y), x(item.x + item.width) - x(item.x)
                ax.add_patch(
                    Rectangle(corner, wide, item.height, fc=item.colour, ec="none", lw=0, zorder=order)
                )
            case Shape():
                _draw_bar(ax, [(x(px), y) for px, y in item.corners], item.kind, colours, order)
            case Sign():
                marker, size = _SIGNS[item.kind]
                ax.plot(
                    [x(item.x)], [item.y], ls="none", marker=marker, ms=size, mfc=colours.text,
                    mec=colours.ground, mew=1.0, zorder=order, clip_on=False,
                )  # fmt: skip


def _draw_bar(ax: Axes, corners: list[tuple[float, float]], kind: Status, colours: Theme, order: int) -> None:
    fill, edge = colours.fills[kind], colours.edges[kind]
    ls = (0, (3, 2)) if kind is Status.PLANNED else "-"
    ax.add_patch(Polygon(corners, closed=True, fc=fill, ec="none", lw=0, zorder=order))
    if kind in _HATCHES:
        hatched = Polygon(corners, closed=True, fc="none", ec=colours.hatches[kind], lw=0, zorder=order)
        hatched.set_hatch(_HATCHES[kind])
        hatched.set_hatch_linewidth(1.0)
        # A hatch has its own colour since matplotlib 3.11; before, it had the colour of the edge.
        if hasattr(hatched, "set_hatchcolor"):
            hatched.set_hatchcolor(colours.hatches[kind])
        ax.add_patch(hatched)
    ax.add_patch(
        Polygon(corners, closed=True, fc="none", ec=edge, lw=1.3, ls=ls, joinstyle="round", zorder=order)
    )
