"""Collect the parts of an SVG picture, grouped by style to write each style once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from hook_widgets._plotting import svg
from hook_widgets.ratelimit.plotting.view_model.theme import Theme


@dataclass(slots=True, kw_only=True)
class Canvas:
    """The parts of a picture that is being drawn.

    Attributes:
        colours: the theme.
        rules: the horizontal grid lines.
        shapes: shapes with styles of their own, as SVG, in drawing order.
        labels: the labels left of the panels.
        headings: the titles of the panels.
        words: the texts that end at the right edge of the panels.
    """

    colours: Theme
    rules: list[Sequence[svg.Point]] = field(default_factory=list)
    shapes: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    def to_svg(self) -> str:
        """Return all parts as SVG: the grid first, the texts last."""
        return "".join(
            (
                svg.path(svg.lines(*self.rules), stroke=self.colours.line),
                *self.shapes,
                svg.group(self.labels, fill=self.colours.dim, text_anchor="end"),
                svg.group(self.headings, font_weight="bold"),
                svg.group(self.words, text_anchor="end"),
            )
        )
