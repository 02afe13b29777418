"""Bars and marks: each kind has a shade, and an outline, hatch or shape of its own."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from matplotlib.axes import Axes
from matplotlib.patches import Polygon

from hook_widgets.versioning.figures.theme import Theme
from hook_widgets.versioning.release import Status
from hook_widgets.versioning.timeline import Step

if TYPE_CHECKING:
    from hook_widgets.versioning.figures.lanes import Bar, Mark
    from hook_widgets.versioning.figures.sheet import Sheet

HATCHES: Final = MappingProxyType({Status.PREVIEW: "....", Status.DEPRECATED: "////"})
DASHES: Final = MappingProxyType({Status.PLANNED: (0, (3, 2)), Status.REMOVED: (0, (1, 2))})
SHAPES: Final = MappingProxyType(
    {
        Step.ANNOUNCEMENT: (">", 7.5),
        Step.REMINDER: ("o", 6.5),
        Step.FINAL_NOTICE: ("D", 6.0),
        Step.REMOVAL: ("X", 8.5),
    }
)
"""The shape of each step and its size in points."""

HALF_PX: Final = 10.0
_TOOTH_PX: Final = 4.0
_POINT_PX: Final = 7.0


def draw_bar(sheet: Sheet, bar: Bar, middle: float) -> None:
    """Draw a bar: torn off on the left where it has begun before, pointed on the right where it goes on."""
    left, right, before, after = sheet.edges_px(bar)
    if right - left < 0.5:
        return
    if bar.kind is Status.REMOVED:
        ends = [sheet.point(x, middle) for x in (left, right)]
        sheet.ax.plot(
            *zip(*ends, strict=True),
            color=sheet.colours.edges[bar.kind],
            lw=1.6,
            ls=DASHES[bar.kind],
            zorder=2,
        )
        return
    outline = _outline(left, right, torn=before, pointed=after, half=HALF_PX)
    corners = [sheet.point(x, middle + y) for x, y in outline]
    shape(sheet.ax, corners, bar.kind, sheet.colours)


def shape(ax: Axes, corners: list[tuple[float, float]], kind: Status, colours: Theme) -> None:
    """Draw the shape of a bar, or of its sample in the legend."""
    ax.add_patch(Polygon(corners, closed=True, fc=colours.fills[kind], ec="none", lw=0, zorder=2))
    if kind in HATCHES:
        hatched = Polygon(
            corners, closed=True, fc="none", ec=colours.hatches[kind], lw=0, hatch=HATCHES[kind], zorder=2.2
        )
        hatched.set_hatch_linewidth(1.0)
        ax.add_patch(hatched)
    ax.add_patch(
        Polygon(
            corners,
            closed=True,
            fc="none",
            ec=colours.edges[kind],
            lw=1.3,
            ls=DASHES.get(kind, "-"),
            joinstyle="round",
            zorder=2.4,
        )
    )


def draw_mark(sheet: Sheet, mark: Mark, middle: float) -> None:
    """Draw a mark; a release is where its bar begins, and needs none."""
    if mark.step is not None and sheet.shows(mark.at):
        sign(sheet.ax, mark.at, middle, mark.step, sheet.colours)


def sign(ax: Axes, x: float, y: float, step: Step, colours: Theme) -> None:
    """Draw the sign of a step."""
    marker, size = SHAPES[step]
    ax.plot(
        [x], [y], ls="none", marker=marker, ms=size, mfc=colours.text, mec=colours.ground, mew=1.0, zorder=4,
        clip_on=False,
    )  # fmt: skip


def _outline(
    left: float, right: float, *, torn: bool, pointed: bool, half: float
) -> list[tuple[float, float]]:
    point = min(_POINT_PX, right - left) if pointed else 0.0
    ahead = [(right - point, -half), *([(right - 1, 0.0)] if pointed else []), (right - point, half)]
    if not torn:
        return [(left, -half), *ahead, (left, half)]
    tooth = min(_TOOTH_PX, right - left)
    teeth = [(left + 1 + tooth * (k % 2), half - k * half / 2) for k in range(5)]
    return [*ahead, *teeth]
