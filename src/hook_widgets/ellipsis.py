"""A text that is cut off with an ellipsis where it has no room, however its width is measured."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable


def shortened(text: str, room_px: float, width_px: Callable[[str], float]) -> str:
    r"""A text in one line, cut off where it has no room; empty where not even the ellipsis has.

    Args:
        text: what to write; line breaks become spaces.
        room_px: CSS pixels there are for it.
        width_px: how wide a text is, in CSS pixels.

    >>> shortened("three words\nhere", 9, len)
    'three wo…'
    >>> shortened("words", 0.5, len)
    ''
    """
    line = " ".join(text.split())

    def cut(end: int) -> str:
        return line[:end].rstrip() + "…" * (end < len(line))

    if line and width_px(cut(0)) > room_px:
        return ""
    return cut(bisect_right(range(1, len(line) + 1), room_px, key=lambda end: width_px(cut(end))))
