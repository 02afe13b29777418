"""Panels that count: requests admitted and refused, and those that are inside."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.patches import StepPatch

from hook_widgets.ratelimit.figures.lettering import width_px
from hook_widgets.ratelimit.figures.panel import Panel, draw
from hook_widgets.ratelimit.scene.labels import counted, in_sight, most_inside
from hook_widgets.ratelimit.scene.scale import compact, level_ticks, span
from hook_widgets.ratelimit.scene.theme import Theme
from hook_widgets.ratelimit.scene.view import View


class RequestsPanel(Panel):
    """Requests in bins: upwards the admitted, downwards the refused, with a cross at the end of each bar."""

    above_px = 3.0
    below_px = 7.0

    def __init__(self, ax: Axes, colours: Theme, width_px: float, height_px: float) -> None:
        super().__init__(ax, colours, width_px, height_px)
        self._admitted = StepPatch([0], [0, 1], fill=True, facecolor=colours.levels[0], linewidth=0)
        self._refused = StepPatch([0], [0, 1], fill=True, facecolor=colours.refused, linewidth=0, alpha=0.45)
        ax.add_patch(self._admitted)
        ax.add_patch(self._refused)
        self._zero = self._line(colours.dim, 1.0)
        self._crosses = self._crosses_line()
        self.artists = [self._admitted, self._refused, self._zero, self._crosses, *self.artists]
        ax.spines["bottom"].set_visible(False)

    def extremes(self, view: View) -> tuple[float, float]:
        """The fullest bins."""
        return -float(max(view.refused)), float(max([*view.admitted, 1]))

    def frame(self, low: float, high: float) -> None:
        """Set the axis of counts, which has no sign."""
        super().frame(low, high)
        marks = level_ticks(low, high, max(int(self.height_px / 22), 1))
        self.ax.set_yticks(marks, [compact(abs(mark)) for mark in marks])

    def show(self, view: View) -> None:
        """Draw the bins."""
        edges = [k * view.bin_s for k in range(len(view.admitted) + 1)]
        self._admitted.set_data(view.admitted, edges)
        self._refused.set_data([-count for count in view.refused], edges)
        self._zero.set_data(self.ax.get_xlim(), [0, 0])
        tips = [((k + 0.5) * view.bin_s, -count) for k, count in enumerate(view.refused) if count]
        self._crosses.set_data([x for x, _ in tips], [y for _, y in tips])
        heading = f"Requests per {span(view.bin_s)}"
        self.title.set((heading, self.colours.text))
        self._count(view, self.width_px - width_px(heading, bold=True) - 50)

    def _count(self, view: View, room_px: float) -> None:
        told = counted(view, room_px, width_px)
        if told is None:
            self.words.set()
            return
        text = self.colours.text
        self.words.set(
            ("■", self.colours.levels[0]), (told[0], text), ("  ✕", self.colours.refused), (told[1], text)
        )


class QueuePanel(Panel):
    """How many wait, or are in flight, over time."""

    def __init__(self, ax: Axes, colours: Theme, width_px: float, height_px: float) -> None:
        super().__init__(ax, colours, width_px, height_px)
        self._fill = self._filled(colours.queue)
        self._limit = self._limit_line(colours.queue)
        self._depth = self._line(colours.queue)
        self._text = self._limit_label()
        self.artists = [self._fill, self._limit, self._depth, self._text, *self.artists]

    def extremes(self, view: View) -> tuple[float, float]:
        """From nobody to the most, or the limit when it is near."""
        assert view.queue is not None
        return 0.0, max([view.queue.most, 1.0, *in_sight(view.queue)])

    def show(self, view: View) -> None:
        """Draw who is inside."""
        assert view.queue is not None
        draw(self._depth, self._fill, view.queue.curve)
        seen = in_sight(view.queue)
        self._limit.set_data([0.0, view.end_s] if seen else [], seen * 2)
        self._text.set_text(f"limit {compact(seen[0])}" if seen else "")
        self._text.xy = (1.0, seen[0] if seen else 0.0)
        self.title.set((view.queue.unit, self.colours.text))
        words = most_inside(view.queue)
        fits = width_px(view.queue.unit, bold=True) + width_px(words) + 8 <= self.width_px
        self.words.set((words if fits else "", self.colours.text))
