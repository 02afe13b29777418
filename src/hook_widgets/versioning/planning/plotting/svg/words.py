"""Write the texts of a light picture: heading, names, and dates as far as they fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hook_widgets._plotting import svg
from hook_widgets.versioning.planning.plotting.view_model.lanes import Lane
from hook_widgets.versioning.planning.plotting.view_model.scale import DateAxis, Tick
from hook_widgets.versioning.planning.plotting.view_model.strip import Strip
from hook_widgets.versioning.planning.plotting.view_model.theme import Theme

_SMALL_PX: Final = 10
_SPACE_PX: Final = 8
_HEADING_PX: Final = 16


def heading(api_name: str, zone: str, axis: DateAxis, colours: Theme) -> str:
    """Write the API's name, and the zone of the dates if it fits."""
    title = svg.shortened(api_name, axis.width - 70, bold=True) + ": versions"
    right = f"dates in {zone}"
    room = axis.width - svg.width_px(title, bold=True) - _SPACE_PX
    beside = svg.text(axis.right, _HEADING_PX, right, text_anchor="end", fill=colours.dim)
    return svg.text(axis.left, _HEADING_PX, title, font_weight="bold") + beside * (
        svg.width_px(right) <= room
    )


def now(words: str, at: int, y: int, axis: DateAxis) -> str:
    """Write the text above the line of the time shown."""
    half = svg.width_px(words) / 2
    middle = round(min(max(at, axis.left + half), axis.right - half))
    return svg.text(middle, y, words, text_anchor="middle")


def name(lane: Lane, axis: DateAxis, y: int, colours: Theme) -> str:
    """Write the name, the status and the note of a version."""
    version = svg.shortened(lane.version, axis.width * 0.6, bold=True)
    room = axis.width - svg.width_px(version, bold=True) - _SPACE_PX
    rest = svg.escaped(svg.shortened(_standing(lane), room))
    return (
        f"<text x='{axis.left}' y='{y}'><tspan font-weight='bold'>{svg.escaped(version)}</tspan>"
        f" <tspan fill='{colours.dim}'>{rest}</tspan></text>"
    )


def name_px(lane: Lane) -> float:
    """Return the width of that text if it is not shortened."""
    return svg.width_px(lane.version, bold=True) + _SPACE_PX + svg.width_px(_standing(lane))


def _standing(lane: Lane) -> str:
    return f"{lane.status.value}, {lane.note}" if lane.note else lane.status.value


def dates(lanes: Sequence[tuple[Lane, int]], axis: DateAxis, line_x: int, colours: Theme) -> str:
    """Write the dates below the bars, as far as they fit beside the line, the most important ones first."""
    texts = []
    for lane, y in lanes:
        strip = Strip(axis.left, axis.right)
        strip.keep_free(line_x, line_x, gap=2)
        for mark in lane.marks:
            if axis.shows(mark.at):
                place = strip.place(axis.x(mark.at), svg.width_px(mark.text, size_px=_SMALL_PX))
                if place is not None:
                    texts.append(svg.text(round(place), y, mark.text))
    return svg.group(texts, fill=colours.dim, font_size=_SMALL_PX)


def months(marked: Sequence[Tick], axis: DateAxis, y: int, width: int, colours: Theme) -> str:
    """Write the labels of the ticks, the years first: they must not be left out."""
    strip = Strip(2, width - 2, gap=4)
    years: list[str] = []
    others: list[str] = []
    for tick in sorted(marked, key=lambda tick: not tick.year):
        place = strip.place(axis.x(tick.at), svg.width_px(tick.text, bold=tick.year))
        if place is not None:
            (years if tick.year else others).append(svg.text(round(place), y, tick.text))
    return svg.group(years, font_weight="bold") + svg.group(others, fill=colours.dim)
