"""Reduce the size of matplotlib's SVG files: fewer points, and shorter path data.

matplotlib writes each point on a line of its own, in absolute coordinates with six decimals; and a run has
several points per request.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from hook_widgets._plotting import svg

_UNITS_PER_PT: Final = 100
_COLUMN: Final = 37  # half a CSS pixel: one device pixel of a screen with two per CSS pixel (0.75 pt)
_TOLERANCE: Final = 5  # a fifteenth of a CSS pixel
_PATH: Final = re.compile(r'(<path [^<>]*?\bd=")([MLz\d\s.-]+)(?=")')  # straight lines only
_INTEGER: Final = re.compile(r"\d+")


def compact(document: str) -> str:
    r"""Reduce an SVG document with many points to less than half its size, without a visible difference.

    Coordinates are rounded to hundredths of a point. Lines that go from left to right, such as curves over
    time, lose points that no screen would show: see `svg.thinned` and `svg.straightened`.

    >>> compact('<path d="M 34.5 28.5 \nL 35.247464 30.602397 \nL 35.247464 40 \nz"/>')
    '<path d="M34.5 28.5l.75 2.1v9.4z"/>'
    """
    return _PATH.sub(lambda path: path[1] + _data(path[2]), document)


def _data(absolute: str) -> str:
    """Return shorter path data for absolute path data."""
    return "".join(_subpath(part) for part in absolute.split("M")[1:])


def _subpath(absolute: str) -> str:
    line = absolute.rstrip().removesuffix("z")
    units = [round(float(number) * _UNITS_PER_PT) for number in line.replace("L", " ").split()]
    points = list(zip(units[::2], units[1::2], strict=True))
    if all(x <= next_x for (x, _), (next_x, _) in pairwise(points)):
        points = svg.straightened(svg.thinned(points, _COLUMN), _TOLERANCE)
    return _INTEGER.sub(_in_pt, svg.lines(points)) + "z" * (line != absolute.rstrip())


def _in_pt(units: re.Match[str]) -> str:
    return f"{int(units[0]) / _UNITS_PER_PT:.2f}".rstrip("0").rstrip(".").removeprefix("0") or "0"
