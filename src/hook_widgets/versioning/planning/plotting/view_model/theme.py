"""Colours of both themes.

Backgrounds and text are those of the widgets' own style sheet. Colours of bars are from the palette of Okabe
and Ito ("Color Universal Design", 2008): distinguishable with any kind of colour vision, with a contrast of
3 : 1 to the background (WCAG 2.2, 1.4.11). Each kind of bar also has its own outline, hatch or label.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from hook_widgets.errors import VersioningError, nearest
from hook_widgets.versioning.release import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """Colours, as ``#rrggbb``.

    Attributes:
        ground: background.
        text: headings, markers and the line of the time shown.
        dim: axis labels and dates.
        line: grid.
        band: every other lane.
        edges: outline of each kind of bar.
        fills: fill of each kind of bar.
        hatches: lines or dots in each kind of bar.
    """

    ground: str
    text: str
    dim: str
    line: str
    band: str
    edges: MappingProxyType[Status, str]
    fills: MappingProxyType[Status, str]
    hatches: MappingProxyType[Status, str]


def mixed(share: float, over: str, under: str) -> str:
    """Mix two colours, as ``color-mix(in srgb, ...)`` does.

    Args:
        share: share of `over`, from 0 to 1.
        over: colour on top, as ``#rrggbb``.
        under: colour below it.

    >>> mixed(0.5, "#ffffff", "#000000")
    '#808080'
    """
    pairs = zip(bytes.fromhex(over[1:]), bytes.fromhex(under[1:]), strict=True)
    return "#" + bytes(round(share * a + (1 - share) * b) for a, b in pairs).hex()


def _theme(ground: str, text: str, active: str, deprecated: str, tint: float) -> Theme:
    dim = mixed(0.72, text, ground)
    edges = {
        Status.PLANNED: dim,
        Status.PREVIEW: active,
        Status.ACTIVE: active,
        Status.DEPRECATED: deprecated,
        Status.REMOVED: dim,
    }
    tints = {Status.ACTIVE: tint, Status.DEPRECATED: tint * 0.7}
    return Theme(
        ground=ground,
        text=text,
        dim=dim,
        line=mixed(0.14, text, ground),
        band=mixed(0.035, text, ground),
        edges=MappingProxyType(edges),
        fills=MappingProxyType({kind: mixed(tints.get(kind, 0.0), edges[kind], ground) for kind in edges}),
        hatches=MappingProxyType({kind: mixed(0.55, edges[kind], ground) for kind in edges}),
    )


THEMES: Final = MappingProxyType(
    {
        "light": _theme("#ffffff", "#1f2328", "#0072b2", "#d55e00", 0.30),
        "dark": _theme("#16181d", "#e6e8eb", "#56b4e9", "#d55e00", 0.34),
    }
)


def theme(name: str) -> Theme:
    """Return the theme of this name.

    Raises:
        VersioningError: no such theme.

    >>> theme("light").ground
    '#ffffff'
    """
    if name not in THEMES:
        raise VersioningError(f"theme is {name!r}. {nearest(name, list(THEMES))}", field="theme")
    return THEMES[name]
