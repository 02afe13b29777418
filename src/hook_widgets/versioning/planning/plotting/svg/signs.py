"""Draw the signs of a light picture: each step has its own shape."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType
from typing import Final

from hook_widgets._plotting import svg
from hook_widgets.versioning.planning.plotting.view_model.theme import Theme
from hook_widgets.versioning.planning.timeline import Step

_SHAPES: Final = MappingProxyType(
    {
        Step.ANNOUNCEMENT: "m-4-5l9 5-9 5z",
        Step.REMINDER: "m-4 0a4 4 0 0 0 8 0 4 4 0 0 0-8 0z",
        Step.FINAL_NOTICE: "m0-5l5 5-5 5-5-5z",
        Step.REMOVAL: "m0-2l3-3 2 2-3 3 3 3-2 2-3-3-3 3-2-2 3-3-3-3 2-2z",
    }
)
"""Paths of a triangle, a circle, a diamond and a cross around a point."""


Sign = tuple[int, int, Step]
"""Position of a sign, and its step."""


def draw(signs: Iterable[Sign], colours: Theme) -> str:
    """Draw all signs, with a thin edge that sets them off from the bars."""
    return svg.path("".join(f"M{x} {y}{_SHAPES[step]}" for x, y, step in signs), stroke=colours.ground)
