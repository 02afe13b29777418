"""The bars of a light picture: each kind has a shade, and an outline or a pattern of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import MappingProxyType
from typing import Final

from hook_widgets import svg
from hook_widgets.versioning.planning.scene.lanes import Bar
from hook_widgets.versioning.planning.scene.outline import outline
from hook_widgets.versioning.planning.scene.theme import Theme
from hook_widgets.versioning.planning.sketch.axis import Axis
from hook_widgets.versioning.release import Status

HALF_PX: Final = 8
"""Half the height of a bar."""

_PATTERNS: Final = MappingProxyType(
    {
        Status.PREVIEW: (5, "<circle cx='2' cy='2' r='1' fill='{}'/>"),
        Status.DEPRECATED: (6, "<path d='M-1 7l8-8M-1 1l2-2M5 7l2-2' stroke='{}'/>"),
    }
)


Shape = tuple[Status, Sequence[svg.Point]]
"""The corners of a bar; of one that is gone, the ends of its line."""


def bar(axis: Axis, each: Bar, y: int) -> Iterator[Shape]:
    """A bar around this height: torn off where it has begun before, pointed where it goes on."""
    left, right = axis.x(each.begin), axis.x(each.end)
    torn, pointed = each.begin < axis.window.begin, each.end > axis.window.end
    if right > left and each.kind is Status.REMOVED:
        yield each.kind, [(left, y), (right, y)]
    elif right > left:
        corners = outline(left, right, HALF_PX, torn=torn, pointed=pointed)
        yield each.kind, [(round(x), round(y + down)) for x, down in corners]


def draw(shapes: Iterable[Shape], colours: Theme) -> str:
    """All bars: those of one kind are one path, with the pattern that they are filled with."""
    of_kind: dict[Status, list[Sequence[svg.Point]]] = {}
    for kind, corners in shapes:
        of_kind.setdefault(kind, []).append(corners)
    return "".join(_pattern(kind, colours) + _path(kind, found, colours) for kind, found in of_kind.items())


def _path(kind: Status, found: Sequence[Sequence[svg.Point]], colours: Theme) -> str:
    edge = colours.edges[kind]
    if kind is Status.REMOVED:
        return svg.path(svg.lines(*found), stroke=edge, stroke_width=2, stroke_dasharray="2 3")
    fill = f"url(#{kind.value})" if kind in _PATTERNS else colours.fills[kind]
    dashes = {"stroke_dasharray": "4 3"} if kind is Status.PLANNED else {}
    closed = svg.lines(*([*corners, corners[0]] for corners in found))
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
