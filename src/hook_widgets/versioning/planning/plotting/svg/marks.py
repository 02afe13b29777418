"""Draw the bars, signs and legend of a light picture: each kind has its own pattern, outline or shape."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from types import MappingProxyType
from typing import Final

from hook_widgets._plotting import svg
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.planning.plotting.view_model.lanes import Bar, Outage, SignKind
from hook_widgets.versioning.planning.plotting.view_model.legend import Legend, words
from hook_widgets.versioning.planning.plotting.view_model.outline import outline
from hook_widgets.versioning.planning.plotting.view_model.scale import DateAxis
from hook_widgets.versioning.planning.plotting.view_model.theme import Theme
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
