"""Small SVG documents: shapes at whole pixels, and texts in the reader's own font.

Format: W3C Scalable Vector Graphics 1.1, second edition. Colours are presentation attributes and no style
sheet, which pages that show other people's documents take out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from math import inf
from typing import Final, TypeAlias
from xml.sax.saxutils import escape

Point: TypeAlias = tuple[int, int]
"""Pixels from the left and from the upper edge."""

SIZE_PX: Final = 12
_FONT: Final = f'font-family="system-ui,sans-serif" font-size="{SIZE_PX}"'
_FORBIDDEN: Final = re.compile(r"[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\U00010000-\U0010FFFF]")  # XML 1.0, 2.2
_WIDTHS: Final = (  # of the size, about as wide as the widest of the fonts that systems use
    (re.compile(r"[ .,:;'|!ijl()\[\]/]"), 0.38),
    (re.compile(r"[mwMW%@—→]"), 1.0),
    (re.compile(r"[A-Z&]"), 0.72),
    (re.compile(r"[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\uff00-\uff60\U00020000-\U0003ffff]"), 1.1),
)
_USUAL_WIDTH: Final = 0.6
_BOLD: Final = 1.08


def document(width: int, height: int, title: str, ground: str, parts: Iterable[str]) -> str:
    """A document: a picture with a title, on a ground of its own.

    Args:
        width: in CSS pixels.
        height: in CSS pixels.
        title: what it is called, for those who do not see it.
        ground: the colour behind everything.
        parts: what is drawn.
    """
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" role="img" {_FONT}>'
        f'<title>{escaped(title)}</title><rect width="100%" height="100%" fill="{ground}"/>'
        f"{''.join(parts)}</svg>"
    )


def size(made: str) -> tuple[int, int]:
    """How wide and how high a document is that `document` made, in CSS pixels.

    >>> size(document(640, 80, "A line", "#ffffff", []))
    (640, 80)
    """
    head = made[: made.index(">")]
    width, height = (int(head.partition(f' {side}="')[2].partition('"')[0]) for side in ("width", "height"))
    return width, height


def escaped(text: str) -> str:
    r"""A text for XML, without the characters that no XML may have.

    >>> escaped("R&D\x00")
    'R&amp;D�'
    """
    return escape(_FORBIDDEN.sub("\ufffd", text), {'"': "&quot;"})


def group(parts: Iterable[str], **attributes: object) -> str:
    """Parts that have these attributes in common; nothing when there are none."""
    inside = "".join(parts)
    return f"<g{_written(attributes)}>{inside}</g>" if inside else ""


def text(x: int, y: int, words: str, **attributes: object) -> str:
    """A text, whose line is at `y` and which begins at `x` unless ``text_anchor`` says otherwise."""
    return f'<text x="{x}" y="{y}"{_written(attributes)}>{escaped(words)}</text>' if words else ""


def path(data: str, **attributes: object) -> str:
    """A path; nothing when there is none."""
    return f'<path d="{data}"{_written(attributes)}/>' if data else ""


def lines(*drawn: Sequence[Point]) -> str:
    """Path data of some lines, as short as can be: relative, with one letter for steps of one kind.

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


def straightened(points: Sequence[Point], tolerance_px: float = 0.0) -> list[Point]:
    """The same line, from left to right, with fewer points; the first highest and lowest are among them.

    None that is left out is farther above or below it than the tolerance. From each point kept, the line goes
    on as long as one direction passes all points since (the swinging door of process historians).

    >>> straightened([(0, 0), (1, 1), (2, 2), (2, 9), (3, 9)])
    [(0, 0), (2, 2), (2, 9), (3, 9)]
    """
    extremes = {min(points, key=_height), max(points, key=_height)}
    kept, last, door = [points[0]], points[0], _OPEN
    for point in points[1:]:
        if last != kept[-1] and (last in extremes or not _passes(door, kept[-1], point)):
            kept.append(last)
            door = _OPEN
        door, last = _narrowed(door, kept[-1], point, tolerance_px), point
    return kept if last == kept[-1] else [*kept, last]


def width_px(words: str, *, bold: bool = False, size_px: float = SIZE_PX) -> float:
    """About how wide a text is: which font shows it is not known here."""
    shares = (next((w for kind, w in _WIDTHS if kind.match(letter)), _USUAL_WIDTH) for letter in words)
    return sum(shares) * size_px * (_BOLD if bold else 1.0)


def shortened(words: str, room_px: float, *, bold: bool = False, size_px: float = SIZE_PX) -> str:
    """A text in one line, cut off with an ellipsis where it has no room; empty where not even that has."""
    line = " ".join(words.split())

    def cut(end: int) -> str:
        return line[:end].rstrip() + "…" * (end < len(line))

    def wide(end: int) -> float:
        return width_px(cut(end), bold=bold, size_px=size_px)

    if line and wide(0) > room_px:
        return ""
    return cut(bisect_right(range(1, len(line) + 1), room_px, key=wide))


_Door: TypeAlias = tuple[float, float]
_OPEN: Final = (-inf, inf)
_SHUT: Final = (inf, -inf)


def _height(point: Point) -> int:
    return point[1]


def _passes(door: _Door, pivot: Point, point: Point) -> bool:
    """Whether a straight line to a point is in the door."""
    across, down = point[0] - pivot[0], point[1] - pivot[1]
    return door[0] <= down / across <= door[1] if across else door == _OPEN


def _narrowed(door: _Door, pivot: Point, point: Point, tolerance: float) -> _Door:
    """The directions in which a line still passes near enough to a point, too."""
    across, down = point[0] - pivot[0], point[1] - pivot[1]
    if not across:
        return door if abs(down) <= tolerance else _SHUT
    return max(door[0], (down - tolerance) / across), min(door[1], (down + tolerance) / across)


def _written(attributes: dict[str, object]) -> str:
    return "".join(f' {name.replace("_", "-")}="{escaped(str(value))}"' for name, value in attributes.items())
