"""Truncate texts with an ellipsis, with any function that measures their width."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Any


def shortened(text: str, room_px: float, width_px: Callable[..., float], **style: Any) -> str:
    r"""Return a text on one line, cut off with an ellipsis to fit; empty if not even the ellipsis fits.

    Args:
        text: the text; line breaks become spaces.
        room_px: available width, in CSS pixels.
        width_px: function that measures the width of a text in this style, in CSS pixels.
        style: keyword arguments of `width_px`.

    >>> shortened("three words\nhere", 9, len)
    'three wo…'
    >>> shortened("words", 0.5, len)
    ''
    """
    line = " ".join(text.split())

    def cut(end: int) -> str:
        return line[:end].rstrip() + "…" * (end < len(line))

    def wide(end: int) -> float:
        return width_px(cut(end), **style)

    if line and wide(0) > room_px:
        return ""
    return cut(bisect_right(range(1, len(line) + 1), room_px, key=wide))
