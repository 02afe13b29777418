"""The panels: what is left of the limits, the requests and the queue of one run; slim ones compare runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.patches import PathPatch, StepPatch
from matplotlib.path import Path

from hook_widgets._plotting.ellipsis import shortened
from hook_widgets._plotting.mpl.axes_renderer import set_ticks
from hook_widgets._plotting.mpl.text_layout import PT, LabelRow, Part, hinted_px, label
from hook_widgets.ratelimit.plotting.mpl.panel import Panel, draw
from hook_widgets.ratelimit.plotting.view_model import labels
from hook_widgets.ratelimit.plotting.view_model.scale import compact, level_ticks
from hook_widgets.ratelimit.plotting.view_model.theme import Theme
from hook_widgets.ratelimit.plotting.view_model.view import View

_DASHES: Final[tuple[Any, ...]] = ("-", (0, (5, 1.6)), (0, (1.6, 1.4)))
_DASH_LETTERS: Final = ("──", "╌╌", "┈┈")
_NAME_PX: Final = 110  # room for a sample of a line with its name
_ROW_PX: Final = 14
_NOTHING: Final = Path([(0.0, 0.0)])


class _Levels(Panel):
    """Remaining quota of the limits over time, in its unit for a single limit, otherwise in per cent."""

    extremes: Callable[[View], tuple[float, float]] = staticmethod(labels.level_range)

    def __init__(
        self,
        ax: Axes,
        colours: Theme,
        width_px: float,
        height_px: float,
        *,
        lines: int,
        rise_px: float = 5.0,
    ) -> None:
        super().__init__(ax, colours, width_px, height_px, rise_px=rise_px)
        style = {"facecolor": colours.band, "linewidth": 0, "zorder": 0.5}
        self._bands = PathPatch(_NOTHING, transform=ax.get_xaxis_transform(), **style)
        ax.add_patch(self._bands)
        self._area = self._filled(colours.levels[0]) if lines == 1 else None
        self._limit = self._limit_line(colours.levels[0] if lines == 1 else colours.dim)
        styles = [colours.layer_style(k) for k in range(lines)]
        self._lines = [self._line(colour, linestyle=_DASHES[dash]) for colour, dash in styles]
        self._upper = self._line(colours.levels[0], 1.2)
        areas = [] if self._area is None else [self._area, self._upper]
        self.artists: list[Any] = [self._bands, *areas, self._limit, *self._lines, *self.artists]

    def show(self, view: View) -> None:
        """Update the levels, their limits and windows."""
        if self._area is not None:
            level = view.levels[0]
            draw(self._lines[0], self._area, level.curve, level.most)
            self._upper.set_data(*((level.most.times, level.most.values) if level.most else ([], [])))
        else:
            for line, level in zip(self._lines, view.lines, strict=True):
                line.set_data(level.curve.times, level.curve.values)
        self._limit.set_data([view.begin_s, view.end_s], [view.lines[0].limit] * 2)
        self._bands.set_path(_bands(view.windows))


class LevelPanel(_Levels):
    """Remaining quota of the limits of one run, with labels."""

    def __init__(self, ax: Axes, colours: Theme, width_px: float, height_px: float, *, lines: int) -> None:
        super().__init__(ax, colours, width_px, height_px, lines=lines)
        self._several = lines > 1
        self._in_row = min(lines, max(int(width_px / _NAME_PX), 1))
        rows = -(-lines // self._in_row) if self._several else 0
        self.above_px: float = 16.0 + _ROW_PX * rows
        self._text = self._limit_label()
        self._legend = [
            LabelRow(ax, left=True, count=2 * self._in_row, rise_px=-13.0 - _ROW_PX * row)
            for row in range(rows)
        ]
        self.artists.extend([self._text, *(artist for row in self._legend for artist in row.artists)])

    def show(self, view: View) -> None:
        """Update the levels and their labels."""
        super().show(view)
        first = view.levels[0]
        title = shortened(labels.levels_heading(view), self.width_px, hinted_px, bold=True)
        self.title.set((title, self.colours.text))
        if self._several:
            names = [level.label for level in view.levels]
            parts = legend(names, self.colours, self.width_px * len(names) / self._in_row)
            for row, words in enumerate(self._legend):
                words.set(*parts[2 * row * self._in_row : 2 * (row + 1) * self._in_row])
        else:
            self._text.set_text(f"limit {compact(first.limit)}")
            self._text.xy = (1.0, first.limit)


class SlimPanel(_Levels):
    """Remaining quota, and when and how many requests were rejected, for one of several runs."""

    def __init__(
        self,
        ax: Axes,
        colours: Theme,
        width_px: float,
        height_px: float,
        *,
        lines: int,
        note_px: float = 0.0,
    ) -> None:
        super().__init__(ax, colours, width_px, height_px, lines=lines, rise_px=5.0 + note_px)
        self._note = LabelRow(ax, left=True)
        self._crosses = self._crosses_line()
        place = ax.get_yaxis_transform()
        self._text = label(
            ax, colours.dim, xy=(0.0, 0.0), xycoords=place, xytext=(-4 * PT, 0.0), ha="right", va="center"
        )
        self.artists.extend([self._crosses, self._text, *self._note.artists])

    def frame(self, low: float, high: float) -> None:
        """Set the range of the axis, with a tick at zero only; the limit is labelled at its line."""
        self.ax.set_ylim(low, high)
        set_ticks(self.ax.yaxis, [0.0], ["0"])

    def show(self, view: View) -> None:
        """Update the levels, and the rejected requests above them."""
        super().show(view)
        low, high = self.ax.get_ylim()
        middle = high - (high - low) * self.above_px / 2 / self.height_px
        at = [time_s for time_s, _ in labels.rejections(view)]
        self._crosses.set_data(at, [middle] * len(at))
        self._text.set_text(compact(view.lines[0].limit))
        self._text.xy = (0.0, view.lines[0].limit)
        title = shortened(view.title, self.width_px * 0.6, hinted_px, bold=True)
        self.title.set((title, self.colours.text))
        self.words.set((labels.facts(view, title, self.width_px, hinted_px), self.colours.text))
        has_row = labels.has_note_row(view, self.width_px)
        note = labels.note(view, self.width_px, hinted_px) if has_row else ""
        self._note.set((note, self.colours.text))


def legend(names: Sequence[str], colours: Theme, room_px: float) -> list[Part]:
    """Return the parts of a legend: samples of the lines with names, shortened to fit into a row."""
    parts: list[Part] = []
    for k, name in enumerate(names):
        colour, dash = colours.layer_style(k)
        sample = _DASH_LETTERS[dash]
        room = room_px / len(names) - hinted_px(sample) - 12
        parts += [
            ("  " * (k > 0) + sample, colour),
            (fitting(name, room), colours.text),
        ]
    return parts


def fitting(name: str, room_px: float, *, bold: bool = False) -> str:
    """Return a name, shortened to fit; a remark in brackets at its end, such as a user, goes first."""
    text = shortened(name, room_px, hinted_px, bold=bold)
    return shortened(name.partition(" (")[0], room_px, hinted_px, bold=bold) if text.endswith("…") else text


def _bands(windows: Sequence[tuple[float, float]]) -> Path:
    """Return the outline of every second window."""
    if len(windows) < 2:
        return _NOTHING
    corners = [
        corner
        for begin, end in windows[1::2]
        for corner in ((begin, 0), (begin, 1), (end, 1), (end, 0), (begin, 0))
    ]
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY] * (len(corners) // 5)
    return Path(corners, codes)


class RequestsPanel(Panel):
    """Histogram of the requests: admitted ones upwards, rejected ones, with crosses, downwards."""

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
        mark, colour = labels.below_zero(view, colours)
        self._rejected.set_facecolor(colour)
        bar, below = ("■", colours.levels[0]), (f"  {mark}", colour)
        parts = (bar, (counts[0], colours.text), below, (counts[1], colours.text)) if counts else ()
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
        self.title.set((fitting(view.queue.unit, self.width_px, bold=True), self.colours.text))
        self.words.set((labels.most_inside(view.queue, self.width_px, hinted_px), self.colours.text))
