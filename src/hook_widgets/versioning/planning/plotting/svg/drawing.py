"""Light picture of an API's versions over time: SVG of a few kilobytes, drawn without another library.

It is the full picture, and replaces it where matplotlib is not installed or a file must stay small.
"""

from __future__ import annotations

from datetime import datetime
from types import MappingProxyType
from typing import Final

from hook_widgets._plotting import svg
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.planning.date_formatting import day, local, zone_of
from hook_widgets.versioning.planning.plotting.view_model.items import Box, Item, Line, Shape, Sign, Text
from hook_widgets.versioning.planning.plotting.view_model.lanes import Outage
from hook_widgets.versioning.planning.plotting.view_model.layout import LEAST_PX, layout
from hook_widgets.versioning.planning.plotting.view_model.outline import Corners
from hook_widgets.versioning.planning.plotting.view_model.theme import Theme
from hook_widgets.versioning.planning.plotting.view_model.theme import theme as named_theme
from hook_widgets.versioning.planning.timeline import LifecycleStep
from hook_widgets.versioning.release import Status

_PATTERNS: Final = MappingProxyType(
    {
        Status.PREVIEW: (5, "<circle cx='2' cy='2' r='1' fill='{}'/>"),
        Status.DEPRECATED: (6, "<path d='M-1 7l8-8M-1 1l2-2M5 7l2-2' stroke='{}'/>"),
    }
)
_SIGNS: Final = MappingProxyType(
    {
        LifecycleStep.ANNOUNCEMENT: "m-4-5l9 5-9 5z",
        LifecycleStep.REMINDER: "m-4 0a4 4 0 0 0 8 0 4 4 0 0 0-8 0z",
        LifecycleStep.FINAL_NOTICE: "m0-5l5 5-5 5-5-5z",
        LifecycleStep.REMOVAL: "m0-2l3-3 2 2-3 3 3 3-2 2-3-3-3 3-2-2 3-3-3-3 2-2z",
        Outage.BROWNOUT: "m-2-7h4v14h-4z",
    }
)
"""Paths of a triangle, a circle, a diamond, a cross and a gap around a point."""


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
    colours, date = named_theme(theme), day(local(at, zone_of(api, at)))
    width = max(width_px, LEAST_PX)
    picture = layout(api, at, colours, svg.width_px, width=width, title=title)
    items = [*picture.ground, *picture.panel, *picture.beside]
    kinds = dict.fromkeys(item.kind for item in items if isinstance(item, Shape))
    looks: dict[tuple[tuple[str, str], ...], list[str]] = {}  # what looks alike is one element
    for item in items:
        look, part = _part(item, colours)
        looks.setdefault(tuple(look.items()), []).append(part)
    elements = (
        svg.group(parts, **dict(look))
        if "font_size" in dict(look)
        else svg.path("".join(parts), **dict(look))
        for look, parts in looks.items()
    )
    content = svg.group([*(_pattern(kind, colours) for kind in kinds), *elements], fill=colours.text)
    name = f"Versions of {' '.join(api.name.split())} on {date}"
    return svg.document(width, round(picture.height), name, colours.ground, [content])


def _part(item: Item, colours: Theme) -> tuple[dict[str, str], str]:
    """Return the look of an item as attributes, and the item as an element or path data."""
    match item:
        case Text():
            weight = {"font_weight": "bold"} if item.bold else {}
            ink = {"fill": item.colour} if item.colour != colours.text else {}
            look = {"font_size": f"{item.size_px:g}", **weight, **ink}
            return look, svg.text(round(item.x), round(item.y), item.words)
        case Line():
            broken = {"stroke_dasharray": "{:g} {:g}".format(*item.dashes)} if item.dashes else {}
            look = {"stroke": item.colour, "stroke_width": f"{item.width:g}", **broken}
            return look, _data([item.begin, item.end])
        case Box():
            right, lower = item.x + item.width, item.y + item.height
            corners = [(item.x, item.y), (right, item.y), (right, lower), (item.x, lower)]
            return {"fill": item.colour}, _data(corners)
        case Shape(kind=kind):
            fill = f"url(#{kind.value})" if kind in _PATTERNS else colours.fills[kind]
            broken = {"stroke_dasharray": "4 3"} if kind is Status.PLANNED else {}
            look = {"fill": fill, "stroke": colours.edges[kind], "stroke_width": "1.3", **broken}
            return look, _data([*item.corners, item.corners[0]])
        case Sign():  # a thin edge sets it off from the bars
            return {"stroke": colours.ground}, f"M{round(item.x)} {round(item.y)}{_SIGNS[item.kind]}"


def _data(corners: Corners) -> str:
    return svg.lines([(round(x), round(y)) for x, y in corners])


def _pattern(kind: Status, colours: Theme) -> str:
    if kind not in _PATTERNS:
        return ""
    px, drawn = _PATTERNS[kind]
    return (
        f"<pattern id='{kind.value}' width='{px}' height='{px}' patternUnits='userSpaceOnUse'>"
        f"<path d='M0 0h{px}v{px}H0' fill='{colours.fills[kind]}'/>"
        f"{drawn.format(colours.hatches[kind])}</pattern>"
    )
