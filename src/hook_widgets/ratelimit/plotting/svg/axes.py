"""The axes of a panel of an SVG picture: pixel coordinates of times and values, and the grid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from hook_widgets._plotting import svg
from hook_widgets.ratelimit.plotting.view_model.scale import time_ticks
from hook_widgets.ratelimit.plotting.view_model.theme import Theme
from hook_widgets.ratelimit.simulation.series import Curve


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


_TIME_EVERY_PX: Final = 90
_REDUCTIONS: Final = (  # column width and tolerance in pixels, from fine to coarse
    (1, 1.0),
    (1, 2.0),
    (1, 3.0),
    (3, 2.0),
    (6, 2.0),
    (9, 2.0),
)


@dataclass(slots=True, kw_only=True)
class Axes:
    """Position of a panel, and the ranges of its axes.

    Attributes:
        left: distance from the left edge of the picture, in pixels.
        top: distance from the upper edge of the picture, in pixels.
        width: width in pixels.
        height: height in pixels.
        end_s: the time at the right edge.
        low: the value at the lower edge.
        high: the value at the upper edge.
    """

    left: int
    top: int
    width: int
    height: int
    end_s: float
    low: float = field(init=False, default=0.0)
    high: float = field(init=False, default=1.0)

    @property
    def right(self) -> int:
        """Position of the right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> int:
        """Position of the lower edge."""
        return self.top + self.height

    def hold(self, low: float, high: float, *, above_px: int = 16, below_px: int = 1) -> None:
        """Set the range of the value axis: these extremes, with so much room above and below them."""
        per_px = (high - low) / (self.height - above_px - below_px)
        self.low, self.high = low - below_px * per_px, high + above_px * per_px

    def x(self, time_s: float) -> int:
        """Return the x coordinate of a time."""
        return round(self.left + time_s / self.end_s * self.width)

    def y(self, value: float) -> int:
        """Return the y coordinate of a value."""
        return round(self.bottom - (value - self.low) / (self.high - self.low) * self.height)

    def traced(self, curve: Curve, most_points: int) -> str:
        """Return path data of a curve, within a pixel and with its extremes.

        If that takes too many points, the tolerance is two or three pixels; if the curve oscillates too often
        for that, only the first, lowest, highest and last point of columns of a few pixels are kept.
        """
        per_s, per_unit = self.width / self.end_s, self.height / (self.high - self.low)
        points = [
            (round(self.left + time * per_s), round(self.bottom - (value - self.low) * per_unit))
            for time, value in zip(curve.times, curve.values, strict=True)
        ]
        line = points
        for column_px, tolerance_px in _REDUCTIONS:
            points = svg.thinned(points, column_px)
            line = svg.straightened(points, tolerance_px)
            if len(line) <= most_points:
                break
        return svg.lines(line)

    def stepped(self, counts: Sequence[int], bin_s: float) -> str:
        """Return path data of the area between zero and the counts of equal bins."""
        zero = self.y(0)
        points = [(self.left, zero)]
        for k, count in enumerate(counts):
            begin, end = (min(self.x(edge * bin_s), self.right) for edge in (k, k + 1))
            points += [(begin, self.y(count)), (end, self.y(count))]
        return svg.lines(svg.straightened([*points, (self.right, zero)]))

    def rule(self, marks: Iterable[tuple[float, str]], canvas: Canvas) -> None:
        """Draw grid lines at the ticks of the value axis, with their labels."""
        for value, label in marks:
            y = self.y(value)
            canvas.rules.append([(self.left, y), (self.right, y)])
            canvas.labels.append(svg.text(self.left - 5, y + 4, label))

    def head(self, title: str, canvas: Canvas, *words: str, rise_px: int = 7) -> None:
        """Write the title above the panel on the left, and texts on the right, which must be valid XML."""
        y = self.top - rise_px
        canvas.headings.append(svg.text(self.left, y, svg.shortened(title, self.width, bold=True)))
        canvas.words += [f"<text x='{self.right}' y='{y}'>{text}</text>" for text in words]


def rule_times(panels: Sequence[Axes], canvas: Canvas) -> None:
    """Draw grid lines at the ticks of the time axis through all panels, with labels below the last."""
    first, last = panels[0], panels[-1]
    times, labels = time_ticks(first.end_s, max(first.width // _TIME_EVERY_PX, 3))
    xs = [first.x(t) for t in times]
    gaps = [below.top - above.bottom for above, below in pairwise(panels)]
    dashes = [px for panel, gap in zip(panels, [*gaps, 1], strict=True) for px in (panel.height, gap)]
    down = svg.lines(*([(x, first.top), (x, last.bottom)] for x in xs))
    dashed = " ".join(map(str, dashes))
    texts = (svg.text(x, last.bottom + 17, label) for x, label in zip(xs, labels, strict=True))
    canvas.shapes.append(svg.path(down, stroke=canvas.colours.line, stroke_dasharray=dashed))
    canvas.shapes.append(svg.group(texts, fill=canvas.colours.dim, text_anchor="middle"))
