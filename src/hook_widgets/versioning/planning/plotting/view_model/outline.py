"""Outline of a bar: torn if it began before the window, pointed if it continues after."""

from __future__ import annotations

from typing import Final

_TOOTH_PX: Final = 4.0
_POINT_PX: Final = 7.0

Corners = list[tuple[float, float]]


def outline(left: float, right: float, half: float, *, torn: bool, pointed: bool) -> Corners:
    """Return the corners of a bar in pixels, relative to its horizontal centre line.

    >>> outline(0, 100, 10, torn=False, pointed=False)
    [(0, -10), (100.0, -10), (100.0, 10), (0, 10)]
    """
    point = min(_POINT_PX, right - left) if pointed else 0.0
    ahead = [(right - point, -half), *([(right - 1, 0.0)] * pointed), (right - point, half)]
    if not torn:
        return [(left, -half), *ahead, (left, half)]
    tooth = min(_TOOTH_PX, right - left)
    return [*ahead, *((left + 1 + tooth * (k % 2), half - k * half / 2) for k in range(5))]
