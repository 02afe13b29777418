"""Words in a picture: how wide they are, and where they have room."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.backends import backend_agg
from matplotlib.font_manager import FontProperties
from matplotlib.text import Text

PT: Final = 0.75
"""Points in a CSS pixel, which is 1/96 inch."""

SIZE_PX: Final = 11.0
FONTS: Final = ("DejaVu Sans", "sans-serif")

_SHARES: Final = (0.5, 0.25, 0.75, 0.0, 1.0, -0.1, 1.1)  # how much of a text is left of its point

_renderer: Any = backend_agg.RendererAgg  # which has no types


@lru_cache(maxsize=2048)
def width_px(text: str, *, bold: bool = False, size_px: float = SIZE_PX) -> float:
    """How wide a text is, in CSS pixels."""
    font = FontProperties(family=FONTS, size=size_px * PT, weight="bold" if bold else "normal")
    fine = _renderer(1, 1, 96.0 * 4)  # pixels so fine that letters are not widened to whole ones
    # Of a text alone only the ink is measured.
    inside, without = (
        fine.get_text_width_height_descent(t, font, ismath=False)[0] for t in (f"n{text}n", "nn")
    )
    return float(inside - without) / 4


def shortened(text: str, room_px: float, *, bold: bool = False, size_px: float = SIZE_PX) -> str:
    """A text in one line, cut off with an ellipsis where it has no room; empty where not even that has."""
    line = " ".join(text.split())

    def cut(end: int) -> str:
        return line[:end].rstrip() + "…" * (end < len(line))

    def wide(end: int) -> float:
        return width_px(cut(end), bold=bold, size_px=size_px)

    if wide(0) > room_px and line:
        return ""
    return cut(bisect_right(range(1, len(line) + 1), room_px, key=wide))


def write(ax: Axes, x: float, y: float, text: str, colour: str, **more: Any) -> Text:
    """A text whose left end, or centre or right end with ``ha``, is on this line."""
    size_px = more.pop("size_px", SIZE_PX)
    return ax.text(
        x,
        y,
        text,
        color=colour,
        fontsize=size_px * PT,
        family=FONTS,
        parse_math=False,
        usetex=False,
        fontstyle="normal",
        **{"va": "baseline", "ha": "left", "fontweight": "normal", **more},
    )


class Strip:
    """A strip in which texts stand beside one another."""

    def __init__(self, begin: float, end: float, *, gap: float = 6.0) -> None:
        """Make one that is free from `begin` to `end`, in pixels; texts keep a gap between them."""
        self._begin, self._end, self._gap = begin, end, gap
        self._taken: list[tuple[float, float]] = []

    def keep_free(self, begin: float, end: float, *, gap: float | None = None) -> None:
        """Let nothing stand here, and nothing nearer to it than the gap."""
        less = 0.0 if gap is None else self._gap - gap
        self._taken.append((begin + less, end - less))

    def place(self, at: float, width: float) -> float | None:
        """Where a text begins that belongs to a point: over or beside it; None where it has no room.

        Args:
            at: the point.
            width: how wide the text is.
        """
        for share in _SHARES:
            begin = min(max(at - share * width, self._begin), self._end - width)
            if abs(begin + width / 2 - at) <= 0.7 * width and self._is_free(begin, begin + width):
                self._taken.append((begin, begin + width))
                return begin
        return None

    def _is_free(self, begin: float, end: float) -> bool:
        inside = self._begin <= begin and end <= self._end
        return inside and all(
            end + self._gap <= left or right + self._gap <= begin for left, right in self._taken
        )
