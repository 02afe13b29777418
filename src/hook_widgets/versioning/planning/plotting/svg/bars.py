"""Draw the bars of a light picture: each kind has its own shade and its own outline or pattern."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import MappingProxyType
from typing import Final

from hook_widgets._plotting import svg
from hook_widgets.versioning.planning.plotting.svg.axis import Axis
from hook_widgets.versioning.planning.plotting.view_model.lanes import Bar
from hook_widgets.versioning.planning.plotting.view_model.outline import outline
from hook_widgets.versioning.planning.plotting.view_model.theme import Theme
from hook_widgets.versioning.release import Status

HALF_PX: Final = 8
"""Half of the height of a bar, in pixels."""

_PATTERNS: Final = MappingProxyType(
    {
        Status.PREVIEW: (5, "<circle cx='2' cy='2' r='1' fill='{}'/>"),
        Status.DEPRECATED: (6, "<path d='M-1 7l8-8M-1 1l2-2M5 7l2-2' stroke='{}'/>"),
    }
)


Shape = tuple[Status, Sequence[svg.Point]]
"""Kind and corners of a bar; for a removed version, the ends of its line."""


def bar(axis: Axis, each: Bar, y: int) -> Iterator[Shape]:
    """Yield a bar centred on `y`: torn if it began before the window, pointed if it continues after."""
    left, right = axis.x(each.begin), axis.x(each.end)
    torn, pointed = each.begin < axis.window.begin, each.end > axis.window.end
    if right > left and each.kind is Status.REMOVED:
        yield each.kind, [(left, y), (right, y)]
    elif right > left:
        corners = outline(left, right, HALF_PX, torn=torn, pointed=pointed)
        yield each.kind, [(round(x), round(y + down)) for x, down in corners]


def draw(shapes: Iterable[Shape], colours: Theme) -> str:
    """Draw all bars: those of one kind as one path, with their fill pattern."""
    of_kind: dict[Status, list[Sequence[svg.Point]]] = {}
    for kind, corners in shapes:
        of_kind.setdefault(kind, []).append(corners)
    return "".join(
        _pattern(kind, colours) + _path(kind, outlines, colours) for kind, outlines in of_kind.items()
    )


def _path(kind: Status, outlines: Sequence[Sequence[svg.Point]], colours: Theme) -> str:
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
