"""The colours of the picture of versions. Each kind of bar also has its own outline, hatch or label."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from hook_widgets._plotting import theme as shared
from hook_widgets.errors import VersioningError
from hook_widgets.versioning.release import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme(shared.BaseTheme):
    """Colours, as ``#rrggbb``.

    Attributes:
        edges: outline of each kind of bar.
        fills: fill of each kind of bar.
        hatches: lines or dots in each kind of bar.
    """

    edges: MappingProxyType[Status, str]
    fills: MappingProxyType[Status, str]
    hatches: MappingProxyType[Status, str]


def _theme(ground: str, text: str, active: str, tint: float) -> Theme:
    common = shared.base(ground, text, band=0.035)
    edges = {
        Status.PLANNED: common["dim"],
        Status.PREVIEW: active,
        Status.ACTIVE: active,
        Status.DEPRECATED: shared.VERMILION,
        Status.REMOVED: common["dim"],
    }
    tints = {Status.ACTIVE: tint, Status.DEPRECATED: tint * 0.7}
    fills = {kind: shared.mixed(tints.get(kind, 0.0), edge, ground) for kind, edge in edges.items()}
    hatches = {kind: shared.mixed(0.55, edge, ground) for kind, edge in edges.items()}
    return Theme(
        **common,
        edges=MappingProxyType(edges),
        fills=MappingProxyType(fills),
        hatches=MappingProxyType(hatches),
    )


THEMES: Final = MappingProxyType(
    {
        "light": _theme(*shared.LIGHT, shared.BLUE, 0.30),
        "dark": _theme(*shared.DARK, shared.SKY, 0.34),
    }
)


def theme(name: str) -> Theme:
    """Return the theme of this name; raise `VersioningError` if there is none."""
    return shared.by_name(THEMES, name, VersioningError)
