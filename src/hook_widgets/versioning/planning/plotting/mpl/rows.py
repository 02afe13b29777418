"""Draw one lane of the picture: the version's name, its bars and its dates."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from hook_widgets._plotting.ellipsis import shortened
from hook_widgets._plotting.mpl.text_layout import width_px, write
from hook_widgets.versioning.planning.plotting.mpl.marks import HALF_PX, bar, removed, sign
from hook_widgets.versioning.planning.plotting.mpl.panel import Panel
from hook_widgets.versioning.planning.plotting.view_model.lanes import Bar, Lane
from hook_widgets.versioning.planning.plotting.view_model.strip import Strip
from hook_widgets.versioning.planning.plotting.view_model.theme import Theme
from hook_widgets.versioning.release import Status

_NAME_PX, _SMALL_PX = 13.0, 10.0
_BETWEEN_PX: Final = 6.0
_RAISED_PX: Final = 6.0  # bars leave room for the dates below them
_BESIDE_PX: Final = 5.0


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
