"""Place texts side by side without overlap."""

from __future__ import annotations

from typing import Final

_SHARES: Final = (0.5, 0.25, 0.75, 0.0, 1.0, -0.1, 1.1)  # share of a text to the left of its point


class Strip:
    """A horizontal strip for texts that must not overlap."""

    def __init__(self, begin: float, end: float, *, gap: float = 6.0) -> None:
        """Create a strip that is free from `begin` to `end`, in pixels; texts keep a gap between them."""
        self._begin, self._end, self._gap = begin, end, gap
        self._taken: list[tuple[float, float]] = []

    def keep_free(self, begin: float, end: float, *, gap: float | None = None) -> None:
        """Reserve a part of the strip, with the gap around it."""
        less = 0.0 if gap is None else self._gap - gap
        self._taken.append((begin + less, end - less))

    def place(self, at: float, width: float) -> float | None:
        """Place a text over or beside a point, and return its left end; None if it does not fit."""
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
