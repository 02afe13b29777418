"""Measure, shorten and write the texts of the picture."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.backends import backend_agg
from matplotlib.font_manager import FontProperties
from matplotlib.text import Text

from hook_widgets._plotting import ellipsis

PT: Final = 0.75
"""Points per CSS pixel (1/96 inch)."""

SIZE_PX: Final = 11.0
FONTS: Final = ("DejaVu Sans", "sans-serif")

_renderer: Any = backend_agg.RendererAgg  # it has no type annotations


@lru_cache(maxsize=2048)
def width_px(text: str, *, bold: bool = False, size_px: float = SIZE_PX) -> float:
    """Measure the width of a text in CSS pixels."""
    font = FontProperties(family=FONTS, size=size_px * PT, weight="bold" if bold else "normal")
    fine = _renderer(1, 1, 96.0 * 4)  # fine enough that letters are not rounded to whole pixels
    # Matplotlib measures only the ink; the letters around the text make spaces at its ends count.
    inside, without = (
        fine.get_text_width_height_descent(t, font, ismath=False)[0] for t in (f"n{text}n", "nn")
    )
    return float(inside - without) / 4


def shortened(text: str, room_px: float, *, bold: bool = False, size_px: float = SIZE_PX) -> str:
    """Cut a text to the available width with an ellipsis; empty if not even the ellipsis fits."""
    return ellipsis.shortened(text, room_px, partial(width_px, bold=bold, size_px=size_px))


def write(ax: Axes, x: float, y: float, text: str, colour: str, **more: Any) -> Text:
    """Write a text at `x`: its left end, or with ``ha`` its centre or right end."""
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
