"""Draw what has no single requests: streams in columns of time, and sweeps over limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hook_widgets._plotting.mpl.figure import house_style
from hook_widgets._plotting.mpl.text_layout import PT
from hook_widgets.errors import LimitModelError
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.plotting.mpl.figure import RunFigure
from hook_widgets.ratelimit.plotting.mpl.line_axes import (
    DASHES,
    MARKERS,
    MAX_PANELS,
    NARROW_IN,
    dress_axes,
    lay_out,
    number_axis,
    show_legend,
    time_axis,
)
from hook_widgets.ratelimit.plotting.view_model.scale import compact
from hook_widgets.ratelimit.plotting.view_model.theme import theme as named_theme
from hook_widgets.ratelimit.simulation.chunks import ChunkedRun, TimeColumn
from hook_widgets.ratelimit.sweeping.result import Sweep
from hook_widgets.ratelimit.units import Number, real


def plot_stream(run: ChunkedRun, *, theme: str, width_in: float, height_in: float, dpi: float) -> RunFigure:
    """Draw a stream: what was left of each limit, and admitted and rejected requests per second.

    The arguments are those of `plot_run`, which draws streams by this function.

    Raises:
        LimitModelError: the stream is empty, or the theme is unknown.
    """
    if not run.columns:
        raise LimitModelError("the stream has no requests; give chunks with requests")
    colours = named_theme(theme)
    begin_s, end_s = run.columns[0].begin_s, run.columns[-1].end_s
    curves = {k: curve for k in range(len(run.limiter.layers)) if (curve := run.remaining(k)) and curve.times}
    with house_style():
        figure = RunFigure(width_in, height_in, dpi=dpi, ground=colours.ground)
        *levels, counts = figure.subplots(len(curves) + 1, 1, sharex=True, squeeze=False)[:, 0]
        for ax, (k, curve) in zip(levels, curves.items(), strict=True):
            colour, dash = colours.layer_style(k)
            ax.plot(curve.times, curve.values, color=colour, linestyle=DASHES[dash], linewidth=PT)
            dress_axes(ax, colours, f"Left of {run.limiter.layers[k].label}")
        edges, low, high = _rates(run.columns)
        counts.fill_between(edges, low, color=colours.levels[0], linewidth=0, label="admitted")
        counts.fill_between(edges, low, high, color=colours.rejected, linewidth=0, label="rejected")
        dress_axes(counts, colours, "Requests per second")
        show_legend(counts, colours, above=width_in >= NARROW_IN)
        time_axis(counts, begin_s, end_s)
        lay_out(figure)
    summary = run.summary()
    figure.description = (
        f"{run.limiter.label}: {summary.rejected:,} of {summary.offered:,} requests rejected "
        f"({summary.rejected_fraction:.2%}), in {len(run.columns)} columns"
    )
    return figure


def _rates(columns: Sequence[TimeColumn]) -> tuple[list[float], list[float], list[float]]:
    """Return times, and admitted and offered requests per second at them; zero where there is no column."""
    times, admitted, offered = list[float](), list[float](), list[float]()
    for column in columns:
        if times and times[-1] < column.begin_s:
            times += (times[-1], column.begin_s)
            admitted += (0.0, 0.0)
            offered += (0.0, 0.0)
        length_s = column.end_s - column.begin_s
        times += (column.begin_s, column.end_s)
        admitted += [column.admitted / length_s] * 2
        offered += [column.offered / length_s] * 2
    return times, admitted, offered


def plot_sweep(
    sweep: Sweep,
    by: Callable[[Limiter], Number | None] = lambda limiter: limiter.sustained_rate,
    *,
    size: str = "Limit, requests/s",
    current: Number | None = None,
    theme: str = "light",
    width_in: float = 8.0,
    height_in: float = 5.0,
    dpi: float = 120.0,
) -> RunFigure:
    """Draw rejections against the size of the limit, one line for each traffic and name of limiters.

    The knee of each line is marked. Limits without a name are drawn by their class.

    Args:
        sweep: the points.
        by: the size of a limit, as for `Sweep.knee`.
        size: its name, for the axis.
        current: size of the limit that is in use, to mark it.
        theme: ``"light"`` or ``"dark"``.
        width_in: width in inches.
        height_in: height in inches.
        dpi: pixels per inch when displayed or saved as PNG.

    Returns:
        A figure that is not registered with pyplot, and need not be closed.

    Raises:
        LimitModelError: there are no or more than eight lines, a limit has no size, or the theme is unknown.
    """
    curves = sweep.curves()
    if not 0 < len(curves) <= MAX_PANELS:
        raise LimitModelError(f"there are {len(curves)} lines; give 1 to {MAX_PANELS} names and traffics")
    colours, notes = named_theme(theme), []
    with house_style():
        figure = RunFigure(width_in, height_in, dpi=dpi, ground=colours.ground)
        ax = figure.subplots()
        sizes: list[float] = []
        for k, ((traffic, name), points) in enumerate(curves.items()):
            title = f"{name}, {traffic}" if traffic else name
            knee = sweep.knee(by, traffic=traffic, name=name)
            line = sorted((_size(by, p.limiter), 100 * p.rejected_fraction) for p in points)
            colour, dash = colours.layer_style(k)
            xs, ys = [x for x, _ in line], [y for _, y in line]
            sizes += xs
            mark: dict[str, Any] = {"color": colour, "marker": MARKERS[k]}
            if knee is not None:
                x, y = _size(by, knee.limiter), 100 * knee.rejected_fraction
                ax.plot([x], [y], markersize=7, linestyle="none", clip_on=False, **mark)
                title = f"{title}, knee at {compact(x)}"
                notes.append(f"{title}: {knee.rejected_fraction:.2%} rejected")
            ax.plot(xs, ys, linestyle=DASHES[dash], linewidth=1.6 * PT, markersize=2.5, label=title, **mark)
        if current is not None:
            now = real(current, "current")
            ax.axvline(now, color=colours.dim, linestyle=DASHES[1], linewidth=PT, label=f"now {compact(now)}")
        dress_axes(ax, colours, "Rejected requests, %")
        show_legend(ax, colours)
        low, high = min(sizes), max(sizes)
        number_axis(ax, colours, size, low, high + (low == high), 8)
        lay_out(figure)
    figure.description = "; ".join(notes) or "no line has a knee"
    return figure


def _size(by: Callable[[Limiter], Number | None], limiter: Limiter) -> float:
    size = by(limiter)
    if size is None:
        raise LimitModelError(f"{limiter.label} has no such size; give another function")
    return real(size, "size")
