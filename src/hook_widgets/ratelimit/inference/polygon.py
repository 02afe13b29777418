"""Convex polygons in a plane, as lists of corners: clipped by lines, sheared, and enclosed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]
Polygon: TypeAlias = Sequence[Point]


def clip(polygon: Polygon, a: float, b: float, c: float) -> Polygon:
    """Return the part of a polygon where ``a * x + b * y <= c``; empty if there is none."""
    excess = [a * x + b * y - c for x, y in polygon]
    if max(excess) <= 0:
        return polygon
    if min(excess) > 0:
        return ()
    inside = []
    (x0, y0), over0 = polygon[-1], excess[-1]
    for (x, y), over in zip(polygon, excess, strict=True):
        if (over0 > 0) != (over > 0):
            share = over0 / (over0 - over)
            inside.append((x0 + (x - x0) * share, y0 + (y - y0) * share))
        if over <= 0:
            inside.append((x, y))
        x0, y0, over0 = x, y, over
    return inside


def shear(polygon: Polygon, m: int) -> list[Point]:
    """Return a polygon with ``m * y`` added to each x."""
    return [(x + m * y, y) for x, y in polygon]


def heights(polygon: Polygon) -> tuple[float, float]:
    """Return the lowest and the highest y."""
    return min(y for _, y in polygon), max(y for _, y in polygon)


def hull(points: Iterable[Point]) -> list[Point]:
    """Return the smallest convex polygon that contains all points."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered
    return _half(ordered) + _half(ordered[::-1])


def _half(ordered: Sequence[Point]) -> list[Point]:
    """Return one side of the hull of points in order, without its last corner."""
    side: list[Point] = []
    for x, y in ordered:
        while len(side) > 1:
            (x0, y0), (x1, y1) = side[-2:]
            if (x1 - x0) * (y - y0) > (y1 - y0) * (x - x0):
                break
            side.pop()
        side.append((x, y))
    return side[:-1]
