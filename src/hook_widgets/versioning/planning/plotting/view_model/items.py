"""The parts of a picture of versions, in pixels from its upper left corner and in the order of drawing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from hook_widgets.versioning.planning.plotting.view_model.lanes import SignKind
from hook_widgets.versioning.planning.plotting.view_model.outline import Corners
from hook_widgets.versioning.planning.plotting.view_model.scale import DateAxis
from hook_widgets.versioning.release import Status


@dataclass(frozen=True, slots=True)
class Text:
    """A text with its left end at `x` and its baseline at `y`."""

    x: float
    y: float
    words: str
    colour: str
    size_px: float
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line; `dashes` are the lengths of a dash and a gap, in pixels."""

    begin: tuple[float, float]
    end: tuple[float, float]
    colour: str
    width: float
    dashes: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle without an edge."""

    x: float
    y: float
    width: float
    height: float
    colour: str


@dataclass(frozen=True, slots=True)
class Shape:
    """A bar with the fill and the edge of its kind."""

    kind: Status
    corners: Corners


@dataclass(frozen=True, slots=True)
class Sign:
    """The sign of a date."""

    x: float
    y: float
    kind: SignKind


Item: TypeAlias = Text | Line | Box | Shape | Sign


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A picture of versions.

    Attributes:
        width: width in pixels.
        height: height in pixels.
        axis: the time shown, on the stretch of the panel with the bars.
        top: upper edge of that panel.
        bottom: lower edge of that panel.
        ground: what lies under the panel.
        panel: what is drawn on the panel.
        beside: titles, names, labels of the axis, the legend.
    """

    width: float
    height: float
    axis: DateAxis
    top: float
    bottom: float
    ground: list[Item]
    panel: list[Item]
    beside: list[Item]
