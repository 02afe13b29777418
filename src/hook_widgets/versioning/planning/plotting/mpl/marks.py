"""Draw the lanes of versions, and the legend: each kind has its own shade, outline, hatch or shape."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon, Rectangle

from hook_widgets._plotting.ellipsis import shortened
from hook_widgets._plotting.mpl.figure import size_px
from hook_widgets._plotting.mpl.text_layout import width_px, write
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.planning.plotting.view_model.lanes import Bar, Lane, Outage, SignKind
from hook_widgets.versioning.planning.plotting.view_model.legend import Legend, words
from hook_widgets.versioning.planning.plotting.view_model.outline import Corners, outline
from hook_widgets.versioning.planning.plotting.view_model.scale import DateAxis
from hook_widgets.versioning.planning.plotting.view_model.strip import Strip
from hook_widgets.versioning.planning.plotting.view_model.theme import Theme
from hook_widgets.versioning.planning.timeline import LifecycleStep
from hook_widgets.versioning.release import Status

Box = tuple[float, float, float, float]
"""Left, upper, right and lower edges, in CSS pixels from the upper left corner of a figure."""

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

_NAME_PX, _SMALL_PX = 13.0, 10.0
_BETWEEN_PX: Final = 6.0
_RAISED_PX: Final = 6.0  # bars leave room for the dates below them
_BESIDE_PX: Final = 5.0


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


def names_px(lanes: Iterable[Lane]) -> float:
    """Return the width of the widest name and status of these versions."""
    return max(_name_px(lane.version) + _BETWEEN_PX + width_px(lane.status.value) for lane in lanes)


def draw_name(paper: Axes, lane: Lane, left: float, middle: float, room: float, colours: Theme) -> None:
    """Write the name, the status and the note of a version."""
    name = shortened(lane.version, room, width_px, bold=True, size_px=_NAME_PX)
    write(paper, left, middle - 2, name, colours.text, fontweight="bold", size_px=_NAME_PX)
    after = _name_px(name) + _BETWEEN_PX
    if after + width_px(lane.status.value) <= room + 1:
        write(paper, left + after, middle - 2, lane.status.value, colours.dim)
    note = shortened(lane.note, room, width_px, size_px=_SMALL_PX)
    write(paper, left, middle + 13, note, colours.dim, size_px=_SMALL_PX)


def draw_lane(panel: Panel, lane: Lane, middle: float, at: float) -> None:
    """Draw a version's bars, marks and dates.

    Args:
        panel: panel to draw on.
        lane: the version.
        middle: vertical centre of the lane, in pixels from the upper edge of the panel.
        at: the time shown, in days since 1970; its line stays free.
    """
    y = middle - _RAISED_PX
    for each in lane.bars:
        place = _place_of_label(panel, each, lane, at)
        if each.kind is Status.REMOVED:
            _draw_removed(panel, each, y, place)
        else:
            bar(panel, each.kind, each.begin, each.end, y)
        if place is not None:
            _write_label(panel, each, place, y)
    for mark in lane.marks:
        if mark.step is not None and panel.shows(mark.at):
            sign(panel.ax, mark.at, y, mark.step, panel.colours)
    _write_dates(panel, lane, y + HALF_PX + 12, at)


def _name_px(name: str) -> float:
    return width_px(name, bold=True, size_px=_NAME_PX)


def _label(each: Bar) -> str:
    return "removed, 410" if each.kind is Status.REMOVED else each.kind.value


def _label_px(each: Bar) -> float:
    return width_px(_label(each), size_px=_SMALL_PX)


def _place_of_label(panel: Panel, each: Bar, lane: Lane, at: float) -> float | None:
    """Place the label of a bar in the widest gap between the marks and the line of the time shown."""
    left, right = panel.clipped(each.begin, each.end)
    strip = Strip(left + 8, right - 8, gap=3)
    strip.keep_free(panel.px(at) - 1, panel.px(at) + 1)
    marks = [panel.px(mark.at) for mark in lane.marks]
    for x in marks:
        strip.keep_free(x - 6, x + 6)
    inside = [x for x in (*marks, panel.px(at)) if left < x < right]
    gaps = sorted(pairwise(sorted([left, *inside, right])), key=lambda gap: gap[0] - gap[1])
    places = (strip.place((begin + end) / 2, _label_px(each)) for begin, end in gaps)
    return next((place for place in places if place is not None), None)


def _draw_removed(panel: Panel, each: Bar, y: float, label: float | None) -> None:
    left, right = panel.clipped(each.begin, each.end)
    ends = [left, right]
    if label is not None:
        ends[1:1] = [label - _BESIDE_PX, label + _label_px(each) + _BESIDE_PX]
    for begin, end in zip(ends[::2], ends[1::2], strict=True):
        if end - begin > 1:
            removed(panel.ax, panel.date(begin), panel.date(end), y, panel.colours)


def _write_label(panel: Panel, each: Bar, place: float, y: float) -> None:
    colours = panel.colours
    if each.kind in (Status.PREVIEW, Status.DEPRECATED):  # a plain background, without the hatch
        corner = (panel.date(place - 3), y - 6.5)
        wide = panel.date(place + _label_px(each) + 3) - corner[0]
        panel.ax.add_patch(
            Rectangle(corner, wide, 13, fc=colours.fills[each.kind], ec="none", lw=0, zorder=3)
        )
    write(panel.ax, panel.date(place), y + 3.6, _label(each), colours.text, size_px=_SMALL_PX, zorder=5)


def _write_dates(panel: Panel, lane: Lane, y: float, at: float) -> None:
    """Write the dates below a bar, as far as they fit."""
    strip = Strip(2, panel.width - 2)
    strip.keep_free(panel.px(at), panel.px(at), gap=2)
    for mark in lane.marks:
        if panel.shows(mark.at):
            place = strip.place(panel.px(mark.at), width_px(mark.text, size_px=_SMALL_PX))
            if place is not None:
                write(
                    panel.ax, panel.date(place), y, mark.text, panel.colours.dim, size_px=_SMALL_PX, zorder=5
                )
