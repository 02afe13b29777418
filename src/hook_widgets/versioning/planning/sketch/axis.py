"""Where dates are in a light picture, in whole pixels."""

from __future__ import annotations

from dataclasses import dataclass

from hook_widgets.versioning.planning.scene.scale import Window


@dataclass(frozen=True, slots=True)
class Axis:
    """The axis of dates.

    Attributes:
        window: from when to when.
        left: where it begins, in pixels.
        right: where it ends, in pixels.
    """

    window: Window
    left: int
    right: int

    @property
    def width(self) -> int:
        """How wide it is, in pixels."""
        return self.right - self.left

    def shows(self, at: float) -> bool:
        """Whether a date is on it."""
        return self.window.begin <= at <= self.window.end

    def x(self, at: float) -> int:
        """Where a date is; one that is not on it is at its nearer end."""
        within = min(max(at, self.window.begin), self.window.end)
        return round(self.left + (within - self.window.begin) / self.window.span * self.width)
