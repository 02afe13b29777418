"""A panel's axes in a light picture: where times and values are, in whole pixels, and its grid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from hook_widgets import svg
from hook_widgets.ratelimit.curves import Curve
from hook_widgets.ratelimit.scene.scale import time_ticks
from hook_widgets.ratelimit.sketch.paper import Paper

_TIME_EVERY_PX: Final = 90
_WAYS: Final = ((1, 1.0), (1, 2.0), (1, 3.0), (3, 2.0), (6, 2.0), (9, 2.0))


@dataclass(slots=True)
class Axes:
    """Where a panel is, and what its edges stand for.

    Attributes:
        left: in pixels from the left edge of the picture.
        top: in pixels from its upper edge.
        width: in pixels.
        height: in pixels.
        end_s: the time at its right edge.
        low: the value at its lower edge.
        high: the value at its upper edge.
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
        """The right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> int:
        """The lower edge."""
        return self.top + self.height

    def hold(self, low: float, high: float, *, above_px: int = 16, below_px: int = 1) -> None:
        """Show these two values, with so much room above and below them."""
        per_px = (high - low) / (self.height - above_px - below_px)
        self.low, self.high = low - below_px * per_px, high + above_px * per_px

    def x(self, time_s: float) -> int:
        """Where a time is."""
        return round(self.left + time_s / self.end_s * self.width)

    def y(self, value: float) -> int:
        """Where a value is."""
        return round(self.bottom - (value - self.low) / (self.high - self.low) * self.height)

    def traced(self, curve: Curve, most_points: int) -> str:
        """Path data of a curve that is within a pixel of it and has its extremes.

        Where that takes too many points, it is within two or three; where it goes to and fro too often for
        that, only the first, lowest, highest and last point of columns of a few pixels.
        """
        per_s, per_unit = self.width / self.end_s, self.height / (self.high - self.low)
        points = [
            (round(self.left + time * per_s), round(self.bottom - (value - self.low) * per_unit))
            for time, value in zip(curve.times, curve.values, strict=True)
        ]
        line = points
        for column_px, tolerance_px in _WAYS:
            points = svg.thinned(points, column_px)
            line = svg.straightened(points, tolerance_px)
            if len(line) <= most_points:
                break
        return svg.lines(line)

    def stepped(self, counts: Sequence[int], bin_s: float) -> str:
        """Path data of the area between zero and the counts of equal bins."""
        zero = self.y(0)
        points = [(self.left, zero)]
        for k, count in enumerate(counts):
            begin, end = (min(self.x(edge * bin_s), self.right) for edge in (k, k + 1))
            points += [(begin, self.y(count)), (end, self.y(count))]
        return svg.lines(svg.straightened([*points, (self.right, zero)]))

    def rule(self, marks: Iterable[tuple[float, str]], paper: Paper) -> None:
        """Draw lines at the marks of the axis of values, with what stands beside them."""
        for value, label in marks:
            y = self.y(value)
            paper.rules.append([(self.left, y), (self.right, y)])
            paper.labels.append(svg.text(self.left - 5, y + 4, label))

    def head(self, title: str, paper: Paper, *words: str) -> None:
        """Write what stands above the panel: its title on the left, words on the right, which are XML."""
        y = self.top - 7
        paper.headings.append(svg.text(self.left, y, svg.shortened(title, self.width, bold=True)))
        paper.words += [f"<text x='{self.right}' y='{y}'>{each}</text>" for each in words]


def rule_times(panels: Sequence[Axes], paper: Paper) -> None:
    """Draw lines at the marks of the axis of time, through all panels, and the times below the last one."""
    first, last = panels[0], panels[-1]
    at, told = time_ticks(first.end_s, max(first.width // _TIME_EVERY_PX, 3))
    xs = [first.x(t) for t in at]
    gaps = [below.top - above.bottom for above, below in pairwise(panels)]
    dashes = [px for panel, gap in zip(panels, [*gaps, 1], strict=True) for px in (panel.height, gap)]
    down = svg.lines(*([(x, first.top), (x, last.bottom)] for x in xs))
    dashed = " ".join(map(str, dashes))
    labels = (svg.text(x, last.bottom + 17, label) for x, label in zip(xs, told, strict=True))
    paper.shapes.append(svg.path(down, stroke=paper.colours.line, stroke_dasharray=dashed))
    paper.shapes.append(svg.group(labels, fill=paper.colours.dim, text_anchor="middle"))
