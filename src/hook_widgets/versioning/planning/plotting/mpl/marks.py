"""Draw bars, signs and their legend: each kind has its own shade and its own outline, hatch or shape."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from matplotlib.axes import Axes
from matplotlib.patches import Polygon

from hook_widgets._plotting.mpl.text_layout import width_px, write
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.planning.plotting.mpl.panel import Panel
from hook_widgets.versioning.planning.plotting.view_model.lanes import Outage, SignKind
from hook_widgets.versioning.planning.plotting.view_model.legend import Legend, words
from hook_widgets.versioning.planning.plotting.view_model.outline import Corners, outline
from hook_widgets.versioning.planning.plotting.view_model.theme import Theme
from hook_widgets.versioning.planning.timeline import LifecycleStep
from hook_widgets.versioning.release import Status

HALF_PX: Final = 10.0
"""Half of the height of a bar, in CSS pixels."""

_ROW_PX, _TOP_PX = 19.0, 6.0
_LEGEND: Final = Legend(bar_px=24.0, sign_px=10.0, name_px=5.0, gap_px=16.0, width_px=width_px)
_HATCHES: Final = MappingProxyType({Status.PREVIEW: "....", Status.DEPRECATED: "////"})
_DASHED: Final = (0, (3, 2))
_DOTTED: Final = (0, (1, 2))
_SHAPES: Final = MappingProxyType(
    {
        LifecycleStep.ANNOUNCEMENT: (">", 7.5),
        LifecycleStep.REMINDER: ("o", 6.5),
        LifecycleStep.FINAL_NOTICE: ("D", 6.0),
        LifecycleStep.REMOVAL: ("X", 8.5),
        Outage.BROWNOUT: (((-1.0, -4.0), (1.0, -4.0), (1.0, 4.0), (-1.0, 4.0)), 11.0),
    }
)
"""Marker of each kind, or its corners, and its size in points."""


def shape(ax: Axes, corners: Corners, kind: Status, colours: Theme) -> None:
    """Draw a bar, or a sample of it."""
    ax.add_patch(Polygon(corners, closed=True, fc=colours.fills[kind], ec="none", lw=0, zorder=2))
    if kind in _HATCHES:
        hatched = Polygon(corners, closed=True, fc="none", ec=colours.hatches[kind], lw=0, zorder=2.2)
        hatched.set_hatch(_HATCHES[kind])
        hatched.set_hatch_linewidth(1.0)
        # A hatch has its own colour since matplotlib 3.11; before, it had the colour of the edge.
        if hasattr(hatched, "set_hatchcolor"):
            hatched.set_hatchcolor(colours.hatches[kind])
        ax.add_patch(hatched)
    ls = _DASHED if kind is Status.PLANNED else "-"
    edge = colours.edges[kind]
    ax.add_patch(
        Polygon(corners, closed=True, fc="none", ec=edge, lw=1.3, ls=ls, joinstyle="round", zorder=2.4)
    )


def bar(panel: Panel, kind: Status, begin: float, end: float, middle: float) -> None:
    """Draw a bar: torn on the left if it began before the window, pointed on the right if it continues after.

    Args:
        panel: panel to draw on.
        kind: status that it stands for.
        begin: in days since 1970.
        end: in days since 1970.
        middle: vertical centre, in pixels from the upper edge of the panel.
    """
    left, right = panel.clipped(begin, end)
    if right - left < 0.5:
        return
    torn, pointed = begin < panel.window.begin, end > panel.window.end
    corners = outline(left, right, HALF_PX, torn=torn, pointed=pointed)
    shape(panel.ax, [(panel.date(x), middle + y) for x, y in corners], kind, panel.colours)


def removed(ax: Axes, begin: float, end: float, y: float, colours: Theme) -> None:
    """Draw the line of a removed version, from `begin` to `end` in the units of the axes."""
    ax.plot([begin, end], [y, y], color=colours.edges[Status.REMOVED], lw=1.6, ls=_DOTTED, zorder=2)


def sign(ax: Axes, x: float, y: float, step: SignKind, colours: Theme) -> None:
    """Draw the sign of a date."""
    marker, size = _SHAPES[step]
    ax.plot(
        [x], [y], ls="none", marker=marker, ms=size, mfc=colours.text, mec=colours.ground, mew=1.0, zorder=4,
        clip_on=False,
    )  # fmt: skip


def legend_px(api: Api, room_px: float) -> float:
    """Return the height of the legend at this width."""
    return _TOP_PX + _ROW_PX * (_LEGEND.arrange(api, 0.0, room_px)[-1].row + 1)


def draw_legend(paper: Axes, api: Api, colours: Theme, left: float, top: float, right: float) -> None:
    """Draw the legend, on axes in pixels."""
    for entry, row, begin, end in _LEGEND.arrange(api, left, right):
        y = top + _TOP_PX + _ROW_PX * (row + 0.5)
        if not isinstance(entry, Status):
            sign(paper, (begin + end) / 2, y, entry, colours)
        elif entry is Status.REMOVED:
            removed(paper, begin, end, y, colours)
        else:
            shape(paper, [(begin, y - 6), (end, y - 6), (end, y + 6), (begin, y + 6)], entry, colours)
        write(paper, end + _LEGEND.name_px, y + 4, words(entry), colours.dim)
