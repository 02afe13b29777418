"""Compare axes drawn from cached pieces with the same axes drawn by matplotlib."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from hook_widgets._plotting.mpl.axes_renderer import AxesRenderer, set_ticks

TICKS = {
    "x": ([0.0, 20.0, 40.0, 60.0], ["0 s", "20 s", "40 s", "60 s"]),
    "y": ([0.0, 50.0, 100.0], ["0", "50", "100"]),
}


def axes(*, dpr: float = 1.0, top: float = 117.3, labels: bool = True, bottom: float = 0.1) -> Axes:
    """Return axes in the style of the pictures, on a transparent figure of 300 x 200 CSS pixels."""
    figure = Figure(figsize=(300 / 96, 200 / 96), dpi=96 * dpr)
    figure.patch.set_alpha(0.0)
    FigureCanvasAgg(figure)
    ax = figure.add_axes((0.2, bottom, 0.7, 0.8))
    ax.set_facecolor("none")
    ax.tick_params(length=0, pad=3, labelsize=8.25, labelcolor="#606468" if labels else "none")
    ax.grid(color="#dddddd", linewidth=0.6)
    ax.set_axisbelow(True)
    for side, spine in ax.spines.items():
        spine.set_visible(side == "bottom")
        spine.set_linewidth(0.75)
    ax.set_xlim(0, 67.7)
    ax.set_ylim(-3.3, top)
    set_ticks(ax.xaxis, *TICKS["x"])
    set_ticks(ax.yaxis, *TICKS["y"])
    return ax


def pieces(ax: Axes, drawer: AxesRenderer | None = None) -> np.ndarray:
    """Return the pixels of axes drawn from cached pieces."""
    canvas: Any = ax.figure.canvas
    renderer = canvas.get_renderer()
    renderer.clear()
    (drawer or AxesRenderer(ax.figure.dpi)).draw(renderer, [ax])
    return np.asarray(canvas.buffer_rgba()).astype(int)


def ordinary(ax: Axes) -> np.ndarray:
    """Return the pixels of axes drawn by matplotlib."""
    canvas: Any = ax.figure.canvas
    canvas.draw()
    return np.asarray(canvas.buffer_rgba()).astype(int)


@pytest.mark.parametrize("dpr", [1, 1.25, 1.5, 2, 3])
@pytest.mark.parametrize("top", [101.0, 117.3, 250.0])
def test_grid_and_spines_are_pixel_for_pixel_those_of_matplotlib(dpr, top):
    ax = axes(dpr=dpr, top=top, labels=False)

    assert np.array_equal(ordinary(ax), pieces(ax))


def centre(alpha: np.ndarray) -> tuple[float, float]:
    """Return the centre of the ink, in pixels from the upper left corner."""
    rows, cols = np.indices(alpha.shape)
    return float((rows * alpha).sum() / alpha.sum()), float((cols * alpha).sum() / alpha.sum())


@pytest.mark.parametrize("dpr", [1, 1.5, 2])
@pytest.mark.parametrize("top", [101.0, 117.3, 250.0])
@pytest.mark.parametrize("direction", ["x", "y"])
def test_each_tick_label_is_within_half_a_pixel_of_where_matplotlib_draws_it(dpr, top, direction):
    for place, text in zip(*TICKS[direction], strict=True):
        ax = axes(dpr=dpr, top=top)
        set_ticks(ax.xaxis, [], [])
        set_ticks(ax.yaxis, [], [])
        ax.spines["bottom"].set_visible(False)
        ax.grid(visible=False)
        set_ticks({"x": ax.xaxis, "y": ax.yaxis}[direction], [place], [text])
        theirs, ours = ordinary(ax)[..., 3], pieces(ax)[..., 3]

        assert ours.sum() == pytest.approx(theirs.sum(), rel=0.02) != 0
        assert centre(ours) == pytest.approx(centre(theirs), abs=0.55)  # half a pixel, and its rounding


def test_labels_are_drawn_as_matplotlib_draws_them_where_these_are_at_whole_pixels():
    ax = axes()
    drawer = AxesRenderer(ax.figure.dpi)
    style: Any = ax.yaxis.get_major_ticks(1)[0].label1
    image = drawer._label(style, "1,250 ms")
    figure = Figure(figsize=(1, 0.5), dpi=96)
    canvas = FigureCanvasAgg(figure)
    figure.patch.set_alpha(0.0)
    figure.text(
        10 / 96, 20 / 48, "1,250 ms", ha="left", va="baseline", color=style.get_color(),
        fontproperties=style.get_fontproperties(),
    )  # fmt: skip
    canvas.draw()
    whole = np.asarray(canvas.buffer_rgba())
    rows, cols = np.nonzero(whole[..., 3])
    small = image.pixels[::-1]
    small_rows, small_cols = np.nonzero(small[..., 3])

    def cut(picture: np.ndarray, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        return picture[rows.min() : rows.max() + 1, cols.min() : cols.max() + 1]

    assert np.array_equal(cut(whole, rows, cols), cut(small, small_rows, small_cols))


def test_nothing_of_earlier_axes_is_left():
    first, second = axes(), axes(top=1170.0)
    set_ticks(second.yaxis, [0.0, 500.0, 1000.0], ["0", "500", "1,000"])
    drawer = AxesRenderer(first.figure.dpi)
    alone = [pieces(first), pieces(second)]

    assert all(
        np.array_equal(expected, pieces(ax, drawer))
        for ax, expected in [(first, alone[0]), (second, alone[1]), (first, alone[0]), (second, alone[1])]
    )


def test_labels_in_another_colour_are_rendered_again():
    ax = axes()
    drawer = AxesRenderer(ax.figure.dpi)
    pieces(ax, drawer)
    ax.tick_params(labelcolor="#ff0000")

    assert np.array_equal(pieces(ax), pieces(ax, drawer))
    assert ((pieces(ax, drawer)[..., :3] == [255, 0, 0]).all(axis=-1)).any()


def test_axes_without_ticks_or_with_empty_labels_are_drawn():
    ax = axes()
    set_ticks(ax.xaxis, [], [])
    set_ticks(ax.yaxis, [0.0, 50.0], ["", ""])

    assert np.array_equal(ordinary(ax), pieces(ax))
