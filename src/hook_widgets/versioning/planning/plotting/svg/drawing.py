"""Light picture of an API's versions over time: SVG of a few kilobytes, drawn without another library.

It has the bars, signs, dates and colours of the full picture, and replaces it where matplotlib is not
installed or a file must stay small.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Final

from hook_widgets._arguments import finite
from hook_widgets._plotting import svg
from hook_widgets.errors import VersioningError
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.planning.date_formatting import day, local, zone_name, zone_of
from hook_widgets.versioning.planning.plotting.view_model.lanes import Bar, Lane, Outage, SignKind, lanes
from hook_widgets.versioning.planning.plotting.view_model.legend import Legend, words
from hook_widgets.versioning.planning.plotting.view_model.outline import outline
from hook_widgets.versioning.planning.plotting.view_model.scale import DateAxis, Tick, Window, days, ticks
from hook_widgets.versioning.planning.plotting.view_model.strip import Strip
from hook_widgets.versioning.planning.plotting.view_model.theme import Theme
from hook_widgets.versioning.planning.plotting.view_model.theme import theme as named_theme
from hook_widgets.versioning.planning.timeline import LifecycleStep
from hook_widgets.versioning.release import Status

_HALF_PX: Final = 8  # half of the height of a bar
_ROW_PX, _BOTTOM_PX = 18, 6
_PATTERNS: Final = MappingProxyType(
    {
        Status.PREVIEW: (5, "<circle cx='2' cy='2' r='1' fill='{}'/>"),
        Status.DEPRECATED: (6, "<path d='M-1 7l8-8M-1 1l2-2M5 7l2-2' stroke='{}'/>"),
    }
)
_SHAPES: Final = MappingProxyType(
    {
        LifecycleStep.ANNOUNCEMENT: "m-4-5l9 5-9 5z",
        LifecycleStep.REMINDER: "m-4 0a4 4 0 0 0 8 0 4 4 0 0 0-8 0z",
        LifecycleStep.FINAL_NOTICE: "m0-5l5 5-5 5-5-5z",
        LifecycleStep.REMOVAL: "m0-2l3-3 2 2-3 3 3 3-2 2-3-3-3 3-2-2 3-3-3-3 2-2z",
        Outage.BROWNOUT: "m-2-7h4v14h-4z",
    }
)
"""Paths of a triangle, a circle, a diamond, a cross and a gap around a point."""

Shape = tuple[Status, Sequence[svg.Point]]
"""Kind and corners of a bar; for a removed version, the ends of its line."""

Sign = tuple[int, int, SignKind]
"""Position of a sign, and its kind."""

_SMALL_PX: Final = 10
_SPACE_PX: Final = 8
_HEADING_PX: Final = 16
_EDGE_PX, _LEAST_PX = 10, 240
_TITLE_PX, _TIME_PX, _LANE_PX, _AXIS_PX = 24, 20, 54, 26
_NAME_PX, _BAR_PX, _DATES_PX = 15, 28, 49  # from the upper edge of a lane
_TICK_EVERY_PX: Final = 50


def shapes(axis: DateAxis, bars: Iterable[Bar], y: int) -> Iterator[Shape]:
    """Yield the bars of a lane, centred on `y`.

    A bar is torn if it began before the window, and pointed if it continues after.
    """
    for bar in bars:
        left, right = map(round, axis.clipped(bar.begin, bar.end))
        torn, pointed = bar.begin < axis.window.begin, bar.end > axis.window.end
        if right > left and bar.kind is Status.REMOVED:
            yield bar.kind, [(left, y), (right, y)]
        elif right > left:
            corners = outline(left, right, _HALF_PX, torn=torn, pointed=pointed)
            yield bar.kind, [(round(x), round(y + down)) for x, down in corners]


def legend(api: Api, axis: DateAxis, top: int, colours: Theme) -> tuple[list[Shape], list[Sign], str, int]:
    """Return the bars, the signs, the names as SVG, and the lower edge of the legend."""
    bars: list[Shape] = []
    signs: list[Sign] = []
    names = []
    y = top
    for entry, row, begin, end in _LEGEND.arrange(api, axis.left, axis.right):
        x, x_end, y = round(begin), round(end), top + _ROW_PX * row + _ROW_PX // 2
        if not isinstance(entry, Status):
            signs.append(((x + x_end) // 2, y, entry))
        elif entry is Status.REMOVED:
            bars.append((entry, [(x, y), (x_end, y)]))
        else:
            bars.append((entry, [(x, y - 5), (x_end, y - 5), (x_end, y + 5), (x, y + 5)]))
        names.append(svg.text(x_end + round(_LEGEND.name_px), y + 4, words(entry)))
    return bars, signs, svg.group(names, fill=colours.dim), y + _ROW_PX // 2 + _BOTTOM_PX


def draw_bars(shapes: Iterable[Shape], colours: Theme) -> str:
    """Draw all bars: those of one kind as one path, with their fill pattern."""
    outlines: defaultdict[Status, list[Sequence[svg.Point]]] = defaultdict(list)
    for kind, corners in shapes:
        outlines[kind].append(corners)
    return "".join(_pattern(kind, colours) + _bar(kind, lines, colours) for kind, lines in outlines.items())


def draw_signs(signs: Iterable[Sign], colours: Theme) -> str:
    """Draw all signs, with a thin edge that sets them off from the bars."""
    return svg.path("".join(f"M{x} {y}{_SHAPES[step]}" for x, y, step in signs), stroke=colours.ground)


_LEGEND: Final = Legend(
    bar_px=22, sign_px=10, name_px=5, gap_px=14, width_px=lambda name: round(svg.width_px(name))
)


def _bar(kind: Status, outlines: Sequence[Sequence[svg.Point]], colours: Theme) -> str:
    edge = colours.edges[kind]
    if kind is Status.REMOVED:
        return svg.path(svg.lines(*outlines), stroke=edge, stroke_width=2, stroke_dasharray="2 3")
    fill = f"url(#{kind.value})" if kind in _PATTERNS else colours.fills[kind]
    dashes = {"stroke_dasharray": "4 3"} if kind is Status.PLANNED else {}
    closed = svg.lines(*([*corners, corners[0]] for corners in outlines))
    return svg.path(closed, fill=fill, stroke=edge, stroke_width=1.3, **dashes)


def _pattern(kind: Status, colours: Theme) -> str:
    if kind not in _PATTERNS:
        return ""
    px, drawn = _PATTERNS[kind]
    return (
        f"<pattern id='{kind.value}' width='{px}' height='{px}' patternUnits='userSpaceOnUse'>"
        f"<path d='M0 0h{px}v{px}H0' fill='{colours.fills[kind]}'/>"
        f"{drawn.format(colours.hatches[kind])}</pattern>"
    )


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
        VersioningError: no such theme, or the width is no finite number.
    """
    colours, zone = named_theme(theme), zone_of(api, at)
    width = max(int(finite(width_px, "width_px", VersioningError, least=-math.inf)), _LEAST_PX)
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
