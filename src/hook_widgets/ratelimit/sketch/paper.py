"""What is drawn of a light picture, sorted by its looks: what looks the same says so once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from hook_widgets import svg
from hook_widgets.ratelimit.scene.theme import Theme


@dataclass(slots=True)
class Paper:
    """A picture that is being drawn.

    Attributes:
        colours: its colours.
        rules: the lines of the grid across.
        shapes: all that has looks of its own, as SVG, in the order of drawing.
        labels: what stands left of the panels.
        headings: their titles.
        words: what ends at their right edge.
    """

    colours: Theme
    rules: list[Sequence[svg.Point]] = field(default_factory=list)
    shapes: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    def drawn(self) -> str:
        """All of it: the grid first, the words last."""
        return "".join(
            (
                svg.path(svg.lines(*self.rules), stroke=self.colours.line),
                *self.shapes,
                svg.group(self.labels, fill=self.colours.dim, text_anchor="end"),
                svg.group(self.headings, font_weight="bold"),
                svg.group(self.words, text_anchor="end"),
            )
        )
