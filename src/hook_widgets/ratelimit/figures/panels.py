"""The panels of a picture: artists made once, which take on the numbers of one view after another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch, Polygon, StepPatch
from matplotlib.path import Path
from matplotlib.text import Annotation

from hook_widgets.ratelimit.curves import Curve
from hook_widgets.ratelimit.figures.scale import compact, fits, level_ticks, span
from hook_widgets.ratelimit.figures.theme import Theme
from hook_widgets.ratelimit.figures.view import Level, View, share

PT = 0.75
"""Points in a CSS pixel, which is 1/96 inch."""

HEADING_PX = 11.0
SMALL_PX = 10.5
FONTS = ("DejaVu Sans", "sans-serif")
_DASHES: tuple[Any, ...] = ("-", (0, (5, 1.6)), (0, (1.6, 1.4)))
_DASH_LETTERS = ("──", "╌╌", "┈┈")
_CROSS_PX = 5.0
_LEAST_BAND_PX = 5.0


class Words:
    """A row of words over a panel, each in its colour, ending at the right edge or beginning at the left."""

    def __init__(self, ax: Axes, *, left: bool = False, count: int = 1, bold: bool = False) -> None:
        self._left = left
        self._dy = 5.0 * PT
        self.artists = [
            ax.annotate(
                "",
                xy=(0.0 if left else 1.0, 1.0),
                xycoords="axes fraction",
                xytext=(0.0, self._dy),
                textcoords="offset points",
                ha="left" if left else "right",
                va="baseline",
                fontsize=HEADING_PX * PT,
                fontweight="bold" if bold else "normal",
                family=FONTS,
                annotation_clip=False,
            )
            for _ in range(count)
        ]

    def set(self, parts: Sequence[tuple[str, str]]) -> None:
        """Show these texts in these colours, one after another."""
        at = 0.0
        for artist, (text, colour) in zip(self.artists, parts if self._left else parts[::-1], strict=False):
            artist.set_text(text)
            artist.set_color(colour)
            artist.xyann = (at if self._left else -at, self._dy)
            if len(parts) > 1:
                at += _width_pt(artist)
        for artist in self.artists[len(parts) :]:
            artist.set_text("")


def _width_pt(artist: Annotation) -> float:
    figure = artist.figure
    assert figure is not None
    return float(artist.get_window_extent().width) * 72 / figure.dpi


class Panel:
    """One plot of a picture.

    Attributes:
        ax: where it is drawn.
        artists: what changes with the run, in the order of drawing.
        above_px: room between the highest value and the upper edge.
        below_px: room between the lowest value and the lower edge.
    """

    above_px = 16.0
    below_px = 2.0

    def __init__(self, ax: Axes, colours: Theme) -> None:
        self.ax = ax
        self.colours = colours
        self.title = Words(ax, left=True, bold=True)
        self.words = Words(ax, count=6)
        self.artists: list[Any] = [*self.title.artists, *self.words.artists]
        ax.set_facecolor("none")
        ax.tick_params(
            length=0, pad=4 * PT, labelsize=SMALL_PX * PT, labelcolor=colours.dim, labelfontfamily=FONTS[0]
        )
        ax.grid(color=colours.line, linewidth=0.8 * PT)
        ax.set_axisbelow(True)
        for side, spine in ax.spines.items():
            spine.set_visible(side == "bottom")
            spine.set_color(colours.dim)
            spine.set_linewidth(PT)

    @property
    def size_px(self) -> tuple[float, float]:
        """Width and height in CSS pixels."""
        figure = self.ax.figure
        box, (width_in, height_in) = self.ax.get_position(), figure.get_size_inches()  # type: ignore[union-attr]
        return float(box.width * width_in * 96), float(box.height * height_in * 96)

    def extremes(self, view: View) -> tuple[float, float]:
        """The lowest and the highest value that must be seen."""
        raise NotImplementedError

    def show(self, view: View) -> None:
        """Take on the numbers of a view."""
        raise NotImplementedError

    def frame(self, low: float, high: float) -> None:
        """Set the axis of values."""
        marks, texts = level_ticks(low, high, max(int(self.size_px[1] / 30), 1))
        self.ax.set_ylim(low, high)
        self.ax.set_yticks(marks, texts)

    def _line(self, colour: str, width_px: float = 1.6, **style: Any) -> Line2D:
        return self.ax.add_line(
            Line2D([], [], color=colour, linewidth=width_px * PT, solid_joinstyle="round", **style)
        )

    def _area(self, colour: str) -> Polygon:
        area = Polygon([(0.0, 0.0)], closed=True, facecolor=colour, alpha=0.12, linewidth=0)
        self.ax.add_patch(area)
        return area

    def _limit_line(self, colour: str) -> Line2D:
        return self._line(colour, 1.2, dashes=(4, 3))

    def _label(self) -> Annotation:
        """A text that stands on a line of its own, at the right edge."""
        return self.ax.annotate(
            "",
            xy=(1.0, 0.0),
            xycoords=self.ax.get_yaxis_transform(),
            xytext=(-2 * PT, 2.5 * PT),
            textcoords="offset points",
            ha="right",
            va="bottom",
            fontsize=SMALL_PX * PT,
            color=self.colours.text,
            family=FONTS,
            annotation_clip=False,
        )


def _fill(area: Polygon, curve: Curve) -> None:
    area.set_xy([(curve.times[0], 0.0), *zip(curve.times, curve.values, strict=True), (curve.times[-1], 0.0)])


class LevelPanel(Panel):
    """What is left of the limits, over time; of several in per cent of each."""

    def __init__(self, ax: Axes, colours: Theme, lines: int, *, slim: bool = False) -> None:
        super().__init__(ax, colours)
        self._slim = slim
        self._bands = PathPatch(
            Path([(0.0, 0.0)]),
            transform=ax.get_xaxis_transform(),
            facecolor=colours.band,
            linewidth=0,
            zorder=0.5,
        )
        ax.add_patch(self._bands)
        self._fill = self._area(colours.levels[0]) if lines == 1 else None
        self._limit = self._limit_line(colours.levels[0] if lines == 1 else colours.dim)
        self._lines = [
            self._line(colours.levels[k % len(colours.levels)], linestyle=_DASHES[k % len(_DASHES)])
            for k in range(lines)
        ]
        self._crosses = self._line(
            colours.refused,
            0,
            marker="x",
            markersize=_CROSS_PX * PT,
            markeredgewidth=1.3 * PT,
            linestyle="none",
        )
        self._text = self._label()
        drawn = [self._bands, self._fill, self._limit, *self._lines, self._crosses, self._text]
        self.artists = [*[artist for artist in drawn if artist is not None], *self.artists]

    def extremes(self, view: View) -> tuple[float, float]:
        """From nothing, or what is owed, to the limit."""
        several = len(view.levels) > 1
        low = min(min(level.curve.values) / (level.limit or 1 if several else 1) for level in view.levels)
        if several:
            return min(low * 100, 0.0), 100.0
        return min(low, 0.0), max(view.levels[0].limit, *view.levels[0].curve.values) or 1.0

    def show(self, view: View) -> None:
        """Draw the levels, their limits and windows."""
        width, _ = self.size_px
        _, axis_s = self.ax.get_xlim()
        several = len(view.levels) > 1
        for line, level in zip(self._lines, view.levels, strict=True):
            per = (level.limit or 1.0) / 100 if several else 1.0
            line.set_data(
                level.curve.times, [v / per for v in level.curve.values] if several else level.curve.values
            )
        if self._fill is not None:
            _fill(self._fill, view.levels[0].curve)
        most = 100.0 if several else view.levels[0].limit
        self._limit.set_data([0.0, view.end_s], [most, most])
        self._bands.set_path(_bands(view.levels, width / axis_s))
        self._text.xy = (1.0, most)
        unit = "Left of each limit, %" if several else view.levels[0].unit
        if self._slim:
            self._show_slim(view, unit)
            return
        self._text.set_text("limit" if several else f"limit {compact(most)}")
        self.title.set([(unit, self.colours.text)])
        if several:
            room = width - len(unit) * HEADING_PX * 0.68
            self.words.set(self._legend(view.levels, room / len(view.levels)))

    def _show_slim(self, view: View, unit: str) -> None:
        width, height = self.size_px
        low, high = self.ax.get_ylim()
        middle = high - (high - low) * self.above_px / 2 / height
        at = [(k + 0.5) * view.bin_s for k, count in enumerate(view.refused) if count]
        self._crosses.set_data(at, [middle] * len(at))
        admitted, refused = view.counts
        room = width - len(view.title) * HEADING_PX * 0.68
        facts = fits(
            (
                f"admitted {admitted:,}, refused {refused:,} ({share(refused, admitted + refused)})",
                f"{admitted:,} in, {refused:,} out ({share(refused, admitted + refused)})",
                f"{share(refused, admitted + refused)} refused",
            ),
            room,
            HEADING_PX,
        )
        self.title.set([(view.title or unit, self.colours.text)])
        self.words.set([(facts, self.colours.text)])

    def _legend(self, levels: Sequence[Level], room_px: float) -> list[tuple[str, str]]:
        parts = []
        for k, level in enumerate(levels[: len(self.words.artists) // 2]):
            short = [level.label[:n] + "…" for n in range(len(level.label) - 1, 2, -1)]
            name = fits([level.label, *short, "…"], room_px - 40, HEADING_PX)
            parts.append(
                (f"  {_DASH_LETTERS[k % len(_DASHES)]}", self.colours.levels[k % len(self.colours.levels)])
            )
            parts.append((f" {name}", self.colours.text))
        return parts


def _bands(levels: Sequence[Level], px_per_s: float) -> Path:
    """Every other window of the first limit that has any, unless they are too slim to be told apart."""
    found = next((level.windows for level in levels if level.windows), [])
    if not found or (found[0][1] - found[0][0]) * px_per_s < _LEAST_BAND_PX:
        return Path([(0.0, 0.0)])
    corners = [
        corner
        for begin, end in found[1::2]
        for corner in ((begin, 0), (begin, 1), (end, 1), (end, 0), (begin, 0))
    ]
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY] * (len(corners) // 5)
    return Path(corners, codes) if corners else Path([(0.0, 0.0)])


class RequestsPanel(Panel):
    """Requests in bins: upwards the admitted, downwards the refused, with a cross at the end of each bar."""

    above_px = 3.0
    below_px = 7.0

    def __init__(self, ax: Axes, colours: Theme) -> None:
        super().__init__(ax, colours)
        self._admitted = StepPatch([0], [0, 1], fill=True, facecolor=colours.levels[0], linewidth=0)
        self._refused = StepPatch([0], [0, 1], fill=True, facecolor=colours.refused, linewidth=0, alpha=0.45)
        ax.add_patch(self._admitted)
        ax.add_patch(self._refused)
        self._zero = self._line(colours.dim, 1.0)
        self._crosses = self._line(
            colours.refused,
            0,
            marker="x",
            markersize=_CROSS_PX * PT,
            markeredgewidth=1.4 * PT,
            linestyle="none",
        )
        self.artists = [self._admitted, self._refused, self._zero, self._crosses, *self.artists]
        ax.spines["bottom"].set_visible(False)

    def extremes(self, view: View) -> tuple[float, float]:
        """The fullest bins."""
        return -float(max(view.refused)), float(max(*view.admitted, 1))

    def show(self, view: View) -> None:
        """Draw the bins."""
        edges = [k * view.bin_s for k in range(len(view.admitted) + 1)]
        self._admitted.set_data(view.admitted, edges)
        self._refused.set_data([-count for count in view.refused], edges)
        self._zero.set_data(self.ax.get_xlim(), [0, 0])
        refused_in = [(k, count) for k, count in enumerate(view.refused) if count]
        self._crosses.set_data(
            [(k + 0.5) * view.bin_s for k, _ in refused_in], [-count for _, count in refused_in]
        )
        heading = f"Requests per {span(view.bin_s)}"
        self.title.set([(heading, self.colours.text)])
        admitted, refused = view.counts
        long = (f" admitted {admitted:,}", f" refused {refused:,} ({share(refused, admitted + refused)})")
        short = (f" in {compact(admitted)}", f" refused {compact(refused)}")
        room = self.size_px[0] - len(heading) * HEADING_PX * 0.68 - 60
        a, r = long if len("".join(long)) * HEADING_PX * 0.6 < room else short
        text = self.colours.text
        self.words.set([("■", self.colours.levels[0]), (a, text), ("   ✕", self.colours.refused), (r, text)])

    def frame(self, low: float, high: float) -> None:
        """Set the axis of counts, which has no sign."""
        marks, _ = level_ticks(low, high, max(int(self.size_px[1] / 24), 1))
        self.ax.set_ylim(low, high)
        self.ax.set_yticks(marks, [compact(abs(mark)) for mark in marks])


class QueuePanel(Panel):
    """How many wait, or are in flight, over time."""

    def __init__(self, ax: Axes, colours: Theme) -> None:
        super().__init__(ax, colours)
        self._fill = self._area(colours.queue)
        self._limit = self._limit_line(colours.queue)
        self._depth = self._line(colours.queue)
        self._text = self._label()
        self.artists = [self._fill, self._limit, self._depth, self._text, *self.artists]

    def extremes(self, view: View) -> tuple[float, float]:
        """From nobody to the most, or the limit when it is near."""
        assert view.queue is not None
        most = max(view.queue.most, 1.0)
        return 0.0, max(most, *_in_sight(view.queue.limit, most))

    def show(self, view: View) -> None:
        """Draw who is inside."""
        assert view.queue is not None
        line, most, limit = view.queue.curve, view.queue.most, view.queue.limit
        self._depth.set_data(line.times, line.values)
        _fill(self._fill, line)
        seen = _in_sight(limit, max(most, 1.0))
        self._limit.set_data([0.0, view.end_s] if seen else [], seen * 2)
        self._text.set_text(f"limit {compact(seen[0])}" if seen else "")
        self._text.xy = (1.0, seen[0] if seen else 0.0)
        self.title.set([(view.queue.unit, self.colours.text)])
        of = f" of {compact(limit)}" if limit and not seen else ""
        self.words.set([(f"at most {most:,.0f}{of}", self.colours.text)])


def _in_sight(limit: float | None, most: float) -> list[float]:
    """The limit, if an axis that shows it still shows the rest well enough."""
    return [limit] if limit is not None and 0 < limit <= 3 * most else []
