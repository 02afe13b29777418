"""Axis of dates in a light picture, in whole pixels."""

from __future__ import annotations

from dataclasses import dataclass

from hook_widgets.versioning.planning.plotting.view_model.scale import Window


@dataclass(frozen=True, slots=True)
class Axis:
    """The axis of dates.

    Attributes:
        window: time that it shows.
        left: left end, in pixels.
        right: right end, in pixels.
    """

    window: Window
    left: int
    right: int

    @property
    def width(self) -> int:
        """Width in pixels."""
        return self.right - self.left

    def shows(self, at: float) -> bool:
        """Return True if a date is in the window."""
        return self.window.begin <= at <= self.window.end

    def x(self, at: float) -> int:
        """Convert a date to pixels; a date outside the window is at the nearer end."""
        within = min(max(at, self.window.begin), self.window.end)
        return round(self.left + (within - self.window.begin) / self.window.span * self.width)
