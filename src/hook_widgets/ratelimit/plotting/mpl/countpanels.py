"""Panels that show counts: admitted and rejected requests, and the queue."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import StepPatch

from hook_widgets._plotting.mpl.axes_renderer import set_ticks
from hook_widgets._plotting.mpl.text_layout import hinted_px
from hook_widgets.ratelimit.plotting.mpl.panel import Panel, draw
from hook_widgets.ratelimit.plotting.view_model import labels
from hook_widgets.ratelimit.plotting.view_model.scale import compact, level_ticks
from hook_widgets.ratelimit.plotting.view_model.theme import Theme
from hook_widgets.ratelimit.plotting.view_model.view import View


class RequestsPanel(Panel):
    """Histogram of the admitted requests (upwards) and the rejected ones (downwards, marked with crosses)."""

    above_px: float = 3.0
    below_px: float = 7.0
    extremes: Callable[[View], tuple[float, float]] = staticmethod(labels.request_range)

    def __init__(self, ax: Axes, colours: Theme, width_px: float, height_px: float) -> None:
        super().__init__(ax, colours, width_px, height_px)
        self._admitted = StepPatch([0], [0, 1], fill=True, facecolor=colours.levels[0], linewidth=0)
        self._rejected = StepPatch(
            [0], [0, 1], fill=True, facecolor=colours.rejected, linewidth=0, alpha=0.45
        )
        ax.add_patch(self._admitted)
        ax.add_patch(self._rejected)
        self._zero = self._line(colours.dim, 1.0)
        self._crosses = self._crosses_line()
        self.artists: list[Any] = [self._admitted, self._rejected, self._zero, self._crosses, *self.artists]
        ax.spines["bottom"].set_visible(False)

    def frame(self, low: float, high: float) -> None:
        """Set the range of the count axis, with labels without sign."""
        super().frame(low, high)
        marks = level_ticks(low, high, max(int(self.height_px / 22), 1))
        set_ticks(self.ax.yaxis, marks, [compact(abs(mark)) for mark in marks])

    def show(self, view: View) -> None:
        """Update the bins."""
        edges = [view.bin_begin_s + k * view.bin_s for k in range(len(view.admitted) + 1)]
        self._admitted.set_data(view.admitted, edges)
        self._rejected.set_data([-count for count in view.rejected], edges)
        self._zero.set_data(self.ax.get_xlim(), [0, 0])
        tips = labels.rejections(view)
        self._crosses.set_data([x for x, _ in tips], [-count for _, count in tips])
        colours, counts = self.colours, labels.counted(view, self.width_px, hinted_px)
        self.title.set((labels.requests_heading(view), colours.text))
        bar, cross = ("■", colours.levels[0]), ("  ✕", colours.rejected)
        parts = (bar, (counts[0], colours.text), cross, (counts[1], colours.text)) if counts else ()
        self.words.set(*parts)


class QueuePanel(Panel):
    """Number of requests that wait or are in flight, over time."""

    extremes: Callable[[View], tuple[float, float]] = staticmethod(labels.queue_range)

    def __init__(self, ax: Axes, colours: Theme, width_px: float, height_px: float) -> None:
        super().__init__(ax, colours, width_px, height_px)
        self._fill = self._filled(colours.queue)
        self._limit = self._limit_line(colours.queue)
        self._depth = self._line(colours.queue)
        self._text = self._limit_label()
        self.artists: list[Any] = [self._fill, self._limit, self._depth, self._text, *self.artists]

    def show(self, view: View) -> None:
        """Update the curve and the limit."""
        assert view.queue is not None
        draw(self._depth, self._fill, view.queue.curve)
        limits = labels.in_sight(view.queue)
        self._limit.set_data([view.begin_s, view.end_s] if limits else [], limits * 2)
        self._text.set_text(f"limit {compact(limits[0])}" if limits else "")
        self._text.xy = (1.0, limits[0] if limits else 0.0)
        self.title.set((view.queue.unit, self.colours.text))
        self.words.set((labels.most_inside(view.queue, self.width_px, hinted_px), self.colours.text))
