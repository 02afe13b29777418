"""Write small SVG documents: shapes at whole pixels, and texts in the reader's system font.

Format: W3C Scalable Vector Graphics 1.1, second edition. Colours are presentation attributes, because pages
that show untrusted documents remove style sheets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby
from math import inf
from string import ascii_uppercase
from typing import Final, TypeAlias
from unicodedata import east_asian_width

from hook_widgets._plotting import ellipsis

Point: TypeAlias = tuple[int, int]
"""Distances from the left and the upper edge, in pixels."""

SIZE_PX: Final = 12
_FONT: Final = f"font-family='system-ui,sans-serif' font-size='{SIZE_PX}'"
_FORBIDDEN: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]|[\ud800-\udfff\ufffe\uffff]")  # XML 1.0, 2.2
_WIDTHS: Final = {  # relative to the font size, about those of the widest common system font
    **dict.fromkeys(ascii_uppercase + "&", 0.72),
    **dict.fromkeys("mwMW%@—→", 1.0),
    **dict.fromkeys(" .,:;'|!ijl()[]/", 0.38),
}
_EAST_ASIAN: Final = 1.1
_USUAL_WIDTH: Final = 0.6
_BOLD: Final = 1.08


def document(width: int, height: int, title: str, ground: str, parts: Iterable[str]) -> str:
    """Return an SVG document with a title and a background."""
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}'"
        f" viewBox='0 0 {width} {height}' role='img' {_FONT}>"
        f"<title>{escaped(title)}</title><path d='M0 0h{width}v{height}H0' fill='{ground}'/>"
        f"{''.join(parts)}</svg>"
    )


def size(xml: str) -> tuple[int, int]:
    """Return width and height, in CSS pixels, of a document created by `document`.

    >>> size(document(640, 80, "A line", "#ffffff", []))
    (640, 80)
    """
    head = xml[: xml.index(">")]
    width, height = (int(head.partition(f" {side}='")[2].partition("'")[0]) for side in ("width", "height"))
    return width, height


def escaped(text: str) -> str:
    r"""Escape a text for XML, and replace characters that XML forbids.

    >>> escaped("R&D\x00")
    'R&amp;D�'
    """
    return escape(_FORBIDDEN.sub("\ufffd", text)).replace("&#x27;", "&#39;")


def group(parts: Iterable[str], **attributes: object) -> str:
    """Return a group of elements with common attributes; empty if there are no elements."""
    inside = "".join(parts)
    return f"<g{_written(attributes)}>{inside}</g>" if inside else ""


def text(x: int, y: int, words: str, **attributes: object) -> str:
    """Return a text element with its baseline at `y`, beginning at `x` unless ``text_anchor`` is given."""
    return f"<text x='{x}' y='{y}'{_written(attributes)}>{escaped(words)}</text>" if words else ""


def path(data: str, **attributes: object) -> str:
    """Return a path element; empty if there are no path data."""
    return f"<path d='{data}'{_written(attributes)}/>" if data else ""


def lines(*drawn: Sequence[Point]) -> str:
    """Return path data of polylines in the shortest form: relative, and without repeated letters.

    >>> lines([(10, 20), (13, 25), (15, 24), (15, 30)], [(0, 0), (5, 0)])
    'M10 20l3 5 2-1v6m-15-30h5'
    """
    written, letter, x, y = "", "", 0, 0
    for line in drawn:
        for k, (to_x, to_y) in enumerate(line):
            dx, dy = to_x - x, to_y - y
            if k == 0:
                step, numbers = "m" if written else "M", f"{dx} {dy}"
            elif dx and dy:
                step, numbers = "l", f"{dx} {dy}"
            else:
                step, numbers = ("v", f"{dy}") if dy else ("h", f"{dx}")
            again = step == letter and k > 0
            written += f"{' ' * (not numbers.startswith('-')) if again else step}{numbers.replace(' -', '-')}"
            letter, x, y = step, to_x, to_y
    return written


def thinned(points: Iterable[Point], column_px: int) -> list[Point]:
    """Reduce a line, from left to right, to the points needed in columns of this width.

    Kept are the first, highest, lowest and last point of each column (Jugel et al., M4: a
    visualization-oriented time series data aggregation, VLDB 2014).

    >>> thinned([(0, 5), (0, 9), (0, 1), (0, 2), (0, 7), (1, 7)], 1)
    [(0, 5), (0, 9), (0, 1), (0, 7), (1, 7)]
    """
    reduced: list[Point] = []
    for _, group in groupby(points, key=lambda point: point[0] // column_px):
        column = list(group)
        if len(column) > 4:
            heights = [y for _, y in column]
            ends = {0, heights.index(min(heights)), heights.index(max(heights)), len(column) - 1}
            column = [column[i] for i in sorted(ends)]
        reduced += column
    return reduced


def straightened(points: Sequence[Point], tolerance_px: float = 0.0) -> list[Point]:
    """Simplify a line, from left to right; the first highest and the first lowest point are kept.

    No dropped point is farther above or below the line than the tolerance. From each kept point, a segment is
    extended as long as it can pass all points since (the swinging door algorithm of process historians).

    >>> straightened([(0, 0), (1, 1), (2, 2), (2, 9), (3, 9)])
    [(0, 0), (2, 2), (2, 9), (3, 9)]
    """
    extremes = {min(points, key=_height), max(points, key=_height)}
    pivot = last = points[0]
    line, low, high = [pivot], -inf, inf
    for point in points[1:]:
        across, down = point[0] - pivot[0], point[1] - pivot[1]
        # Directly above or below the pivot there is no slope: a point fits until other points were passed.
        passes = low <= down / across <= high if across else low == -inf and high == inf
        if last != pivot and (last in extremes or not passes):
            line.append(last)
            pivot, low, high = last, -inf, inf
            across, down = point[0] - pivot[0], point[1] - pivot[1]
        if across:
            low = max(low, (down - tolerance_px) / across)
            high = min(high, (down + tolerance_px) / across)
        elif abs(down) > tolerance_px:
            low, high = inf, -inf
        last = point
    return line if last == pivot else [*line, last]


def width_px(words: str, *, bold: bool = False, size_px: float = SIZE_PX) -> float:
    """Estimate the width of a text. The actual font is unknown."""
    shares = (
        _WIDTHS.get(letter) or (_EAST_ASIAN if east_asian_width(letter) in "WF" else _USUAL_WIDTH)
        for letter in words
    )
    return sum(shares) * size_px * (_BOLD if bold else 1.0)


def shortened(words: str, room_px: float, *, bold: bool = False, size_px: float = SIZE_PX) -> str:
    """Return a text on one line, cut off with an ellipsis to fit; empty if not even the ellipsis fits."""
    return ellipsis.shortened(words, room_px, width_px, bold=bold, size_px=size_px)


def _height(point: Point) -> int:
    return point[1]


def _written(attributes: dict[str, object]) -> str:
    return "".join(f" {name.replace('_', '-')}='{escaped(str(value))}'" for name, value in attributes.items())
