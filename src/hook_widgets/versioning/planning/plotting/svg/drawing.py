"""Light picture of an API's versions over time: SVG of a few kilobytes, drawn without another library.

It has the bars, signs, dates and colours of the full picture, and replaces it where matplotlib is not
installed or a file must stay small.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from hook_widgets._plotting import svg
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.planning.date_formatting import day, local, zone_name, zone_of
from hook_widgets.versioning.planning.plotting.svg.marks import draw_bars, draw_signs, legend, shapes
from hook_widgets.versioning.planning.plotting.svg.words import dates, heading, months, name, name_px, now
from hook_widgets.versioning.planning.plotting.view_model.lanes import Lane, lanes
from hook_widgets.versioning.planning.plotting.view_model.scale import DateAxis, Window, days, ticks
from hook_widgets.versioning.planning.plotting.view_model.theme import Theme
from hook_widgets.versioning.planning.plotting.view_model.theme import theme as named_theme

_EDGE_PX, _LEAST_PX = 10, 240
_TITLE_PX, _TIME_PX, _LANE_PX, _AXIS_PX = 24, 20, 54, 26
_NAME_PX, _BAR_PX, _DATES_PX = 15, 28, 49  # from the upper edge of a lane
_TICK_EVERY_PX: Final = 50


def draw_timeline_svg(
    api: Api, at: datetime, *, width_px: int = 640, theme: str = "light", title: bool = True
) -> str:
    """Draw the versions of an API as a light SVG document.

    It shows past, present and future status, and the dates of the notices to users. The same API at the same
    time gives the same document.

    Args:
        api: the API.
        at: the time shown, with its zone; a line marks it.
        width_px: width in CSS pixels at which the texts are legible; at least 240.
        theme: ``"light"`` or ``"dark"``.
        title: whether to write the API's name and the zone of the dates above the lanes.

    Raises:
        InvalidApi: the time has no zone.
        VersioningError: no such theme.
    """
    colours, zone = named_theme(theme), zone_of(api, at)
    width = max(width_px, _LEAST_PX)
    versions = lanes(api, at)
    axis = DateAxis(window=Window.of(api, at), left=_EDGE_PX, width=width - 2 * _EDGE_PX)
    top = _TITLE_PX * title + _TIME_PX
    bottom = top + _LANE_PX * len(versions)
    line_x, date = axis.x(days(at)), day(local(at, zone))
    marked = ticks(axis.window, zone, max(int(axis.width / _TICK_EVERY_PX), 1))
    bars, signs, meanings, height = legend(api, axis, bottom + _AXIS_PX, colours)
    pairs = list(zip(versions, range(top, bottom, _LANE_PX), strict=True))
    bars = [shape for lane, y in pairs for shape in shapes(axis, lane.bars, y + _BAR_PX)] + bars
    marks = [
        (axis.x(mark.at), y + _BAR_PX, mark.step)
        for lane, y in pairs
        for mark in lane.marks
        if mark.step and axis.shows(mark.at)
    ]
    api_name = " ".join(api.name.split())
    drawn = [
        _bands(versions, top, width, colours),
        _down([axis.x(tick.at) for tick in marked], top, bottom, colours),
        draw_bars(bars, colours),
        _line(line_x, pairs, axis, colours),
        draw_signs([*marks, *signs], colours),
        heading(api_name, zone_name(zone), axis, colours) if title else "",
        now(f"as of {date}", line_x, top - 7, axis),
        *(name(lane, axis, y + _NAME_PX, colours) for lane, y in pairs),
        dates([(lane, y + _DATES_PX) for lane, y in pairs], axis, line_x, colours),
        months(marked, axis, bottom + 16, width, colours),
        meanings,
    ]
    content = svg.group(drawn, fill=colours.text)
    return svg.document(width, height, f"Versions of {api_name} on {date}", colours.ground, [content])


def _bands(lanes: Sequence[Lane], top: int, width: int, colours: Theme) -> str:
    """Shade every other lane."""
    middles = [top + _LANE_PX * k + _LANE_PX // 2 for k in range(0, len(lanes), 2)]
    across = svg.lines(*([(0, y), (width, y)] for y in middles))
    return svg.path(across, stroke=colours.band, stroke_width=_LANE_PX)


def _down(xs: Sequence[int], top: int, bottom: int, colours: Theme) -> str:
    """Draw the vertical lines at the ticks of the axis."""
    return svg.path(svg.lines(*([(x, top), (x, bottom)] for x in xs)), stroke=colours.line)


def _line(x: int, lanes: Sequence[tuple[Lane, int]], axis: DateAxis, colours: Theme) -> str:
    """Draw the line of the time shown, except across the names of the versions."""
    free = [top + (_NAME_PX + 4) * (x < axis.left + name_px(lane) + 6) for lane, top in lanes]
    pieces = ([(x, begin), (x, top + _LANE_PX)] for begin, (_, top) in zip(free, lanes, strict=True))
    return svg.path(svg.lines(*pieces), stroke=colours.text, stroke_width=1.5, stroke_dasharray="4 3")
