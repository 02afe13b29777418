"""Draw the grid, the tick labels and the spines of axes from cached images.

matplotlib lays out every tick label each time it draws an axis, and draws each grid line on its own. Here, a
label is laid out once, and the lines of a grid are one path.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Any, Final

import numpy
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends import backend_agg
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.ticker import FixedFormatter, FixedLocator
from matplotlib.transforms import IdentityTransform

from hook_widgets._plotting.mpl.text_layout import FONTS, PT, SIZE_PX
from hook_widgets._plotting.theme import BaseTheme

_MAX_LABELS: Final = 1024
_MARGIN_PX: Final = 2  # anti-aliased edges lie outside the measured extent

_renderer: Any = backend_agg.RendererAgg  # untyped


@dataclass(frozen=True, slots=True)
class _LabelImage:
    """A rendered label, the lowest row first, and where its corner is, relative to the tick."""

    pixels: Any
    right_px: float
    up_px: float


class AxesRenderer:
    """Draws what matplotlib's `Axes.draw` draws of axes whose other artists are animated.

    All pixels are the same as matplotlib's, except those of tick labels: these are placed at whole pixels, at
    most half a pixel from where matplotlib places them, which keeps their horizontal strokes sharp.

    Args:
        dpi: resolution of the figure.
    """

    def __init__(self, dpi: float) -> None:
        self._dpi = dpi
        self._labels: dict[tuple[Any, ...], _LabelImage] = {}

    def draw(self, renderer: Any, axes: Iterable[Axes]) -> None:
        """Draw axes that have major ticks with labels at the left and at the bottom, and no titles."""
        for ax in axes:
            for axis in (ax.xaxis, ax.yaxis):
                self._draw_axis(renderer, axis)
            for spine in ax.spines.values():
                spine.draw(renderer)

    def _draw_axis(self, renderer: Any, axis: Any) -> None:
        ticks = axis.get_majorticklocs()
        if not len(ticks):
            return
        horizontal = axis.axis_name == "x"
        tick = axis.get_major_ticks(1)[0]  # for its style
        if tick.gridline.get_visible():
            _grid(tick.gridline, ticks, horizontal=horizontal).draw(renderer)
        if tick.label1.get_visible():
            zeros = numpy.zeros(len(ticks))
            points = numpy.column_stack((ticks, zeros) if horizontal else (zeros, ticks))
            places = tick.label1.get_transform().transform(points)
            texts = axis.get_major_formatter().format_ticks(ticks)
            for (x, y), text in zip(places, texts, strict=True):
                if text:
                    image = self._label(tick.label1, text)
                    gc = renderer.new_gc()
                    renderer.draw_image(gc, round(x + image.right_px), round(y + image.up_px), image.pixels)

    def _label(self, style: Text, text: str) -> _LabelImage:
        key = (
            text,
            style.get_color(),
            *style.get_fontfamily(),
            style.get_fontsize(),
            style.get_fontweight(),
            style.get_horizontalalignment(),
            style.get_verticalalignment(),
        )
        if key not in self._labels:
            if len(self._labels) >= _MAX_LABELS:
                self._labels.clear()
            self._labels[key] = self._rendered(style, text)
        return self._labels[key]

    def _rendered(self, style: Text, text: str) -> _LabelImage:
        label = Text(
            text=text, color=style.get_color(), fontproperties=style.get_fontproperties(),
            transform=IdentityTransform(),
            ha=style.get_horizontalalignment(), va=style.get_verticalalignment(),
        )  # fmt: skip
        assert style.figure is not None
        label.set_figure(style.figure)
        measuring = _renderer(1, 1, self._dpi)
        aligned = label.get_window_extent(measuring)
        label.set(ha="left", va="baseline")
        plain = label.get_window_extent(measuring)
        left, below = _MARGIN_PX - floor(plain.x0), _MARGIN_PX - floor(plain.y0)
        label.set_position((left, below))
        renderer = _renderer(
            left + ceil(plain.x1) + _MARGIN_PX, below + ceil(plain.y1) + _MARGIN_PX, self._dpi
        )
        label.draw(renderer)
        pixels = numpy.asarray(renderer.buffer_rgba())[::-1].copy()
        return _LabelImage(pixels, aligned.x0 - plain.x0 - left, aligned.y0 - plain.y0 - below)


def dress(ax: Axes, colours: BaseTheme) -> None:
    """Style axes: without a background, with a grid below the curves and a line at the bottom only."""
    style = {"labelsize": SIZE_PX * PT, "labelcolor": colours.dim, "labelfontfamily": list(FONTS)}
    ax.set_facecolor("none")
    ax.tick_params(length=0, **style)  # type: ignore[arg-type]
    ax.grid(color=colours.line, linewidth=0.8 * PT)
    ax.set_axisbelow(True)
    for side, spine in ax.spines.items():
        spine.set_visible(side == "bottom")
        spine.set_color(colours.dim)


def set_ticks(axis: Axis, places: Sequence[float], labels: Sequence[str]) -> None:
    """Set places and labels of the ticks, without creating the ticks, as `Axis.set_ticks` does."""
    axis.set_major_locator(FixedLocator(places))
    axis.set_major_formatter(FixedFormatter(labels))


def _grid(style: Line2D, ticks: Any, *, horizontal: bool) -> Line2D:
    """Return all lines of a grid as one, in the style of a grid line."""
    line = Line2D([], [])
    line.update_from(style)
    line.axes = style.axes
    ends = numpy.tile([0.0, 1.0, numpy.nan], len(ticks))
    places = numpy.repeat(ticks, 3)
    line.set_data(*((places, ends) if horizontal else (ends, places)))
    return line
