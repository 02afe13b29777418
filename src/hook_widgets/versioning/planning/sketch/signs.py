"""The signs of a light picture: each step has a shape of its own."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType
from typing import Final

from hook_widgets import svg
from hook_widgets.versioning.planning.scene.theme import Theme
from hook_widgets.versioning.planning.timeline import Step

_SHAPES: Final = MappingProxyType(
    {
        Step.ANNOUNCEMENT: "m-4-5l9 5-9 5z",
        Step.REMINDER: "m-4 0a4 4 0 0 0 8 0 4 4 0 0 0-8 0z",
        Step.FINAL_NOTICE: "m0-5l5 5-5 5-5-5z",
        Step.REMOVAL: "m0-2l3-3 2 2-3 3 3 3-2 2-3-3-3 3-2-2 3-3-3-3 2-2z",
    }
)
"""A triangle, a circle, a diamond and a cross, around a point."""


Sign = tuple[int, int, Step]
"""A step, and where its sign is."""


def draw(found: Iterable[Sign], colours: Theme) -> str:
    """All signs, with a thin edge that sets them off from the bars."""
    return svg.path("".join(f"M{x} {y}{_SHAPES[step]}" for x, y, step in found), stroke=colours.ground)
