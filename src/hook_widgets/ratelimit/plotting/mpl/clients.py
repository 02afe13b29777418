"""Draw closed-loop simulations: the retry storm of an outage, and demand against goodput."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, Final

import numpy
from matplotlib.axes import Axes

from hook_widgets._arguments import several
from hook_widgets._plotting.mpl.figure import house_style
from hook_widgets._plotting.mpl.text_layout import PT
from hook_widgets.errors import LimitModelError
from hook_widgets.ratelimit.clients.client_run import ClientRun
from hook_widgets.ratelimit.clients.estimate import student_t
from hook_widgets.ratelimit.clients.study import ClientStudy, checked_study, named_studies
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
from hook_widgets.ratelimit.plotting.view_model.theme import Theme
from hook_widgets.ratelimit.plotting.view_model.theme import theme as named_theme

_INTERVALS: Final = 120  # of the time axis
_BAND: Final = 0.18


def plot_clients(
    studies: ClientStudy | Mapping[str, ClientStudy],
    *,
    theme: str = "light",
    width_in: float = 8.0,
    height_in: float = 5.0,
    dpi: float = 120.0,
) -> RunFigure:
    """Draw attempts, fresh requests and successes per second over time: a retry storm and its end.

    For one study, also draw the backlog: the requests that are not finished. For several, draw one panel
    each. Lines are means over the runs, bands their confidence intervals; an outage and a surge are shaded.

    Args:
        studies: one study, or up to eight by title, of the same duration.
        theme: ``"light"`` or ``"dark"``.
        width_in: width in inches.
        height_in: height in inches.
        dpi: pixels per inch when displayed or saved as PNG.

    Returns:
        A figure that is not registered with pyplot, and need not be closed.

    Raises:
        LimitModelError: there is no study or too many, their durations differ, a size is no
            number above zero, or the theme is unknown.
    """
    named = named_studies("", studies)
    _check_count(named, "studies", "simulate_clients")
    ends = {float(study.workload.duration_s) for study in named.values()}
    if len(ends) > 1:
        raise LimitModelError("the studies have different durations; draw them one by one")
    (end_s,), colours = ends, named_theme(theme)
    with house_style():
        figure = RunFigure(width_in, height_in, dpi=dpi, ground=colours.ground)
        alone = len(named) == 1
        panels = figure.subplots(len(named) + alone, 1, sharex=True, squeeze=False)[:, 0]
        for ax, (title, study) in zip(panels, named.items(), strict=False):
            _rates(ax, study, end_s, colours, title)
        show_legend(panels[0], colours, above=width_in >= NARROW_IN)
        if alone:
            _backlog(panels[-1], next(iter(named.values())), end_s, colours)
        time_axis(panels[-1], 0, end_s)
        lay_out(figure)
    figure.description = _in_words(named)
    return figure


def plot_demand(
    curves: Sequence[ClientStudy] | Mapping[str, Sequence[ClientStudy]],
    *,
    theme: str = "light",
    width_in: float = 8.0,
    height_in: float = 5.0,
    dpi: float = 120.0,
) -> RunFigure:
    """Draw demand against goodput, and against attempts, for one or several policies.

    Args:
        curves: the studies of one policy at several rates, as from `sweep_demand`, or up to eight such lists
            by title.
        theme: ``"light"`` or ``"dark"``.
        width_in: width in inches.
        height_in: height in inches.
        dpi: pixels per inch when displayed or saved as PNG.

    Returns:
        A figure that is not registered with pyplot, and need not be closed.

    Raises:
        LimitModelError: there is no study or too many curves, a size is no
            number above zero, or the theme is unknown.
    """
    whole = curves if isinstance(curves, Mapping) else {"": several(curves, "curves", LimitModelError)}
    named = {title: list(several(curve, "a curve", LimitModelError)) for title, curve in whole.items()}
    for study in chain.from_iterable(named.values()):
        checked_study(study)
    if not isinstance(curves, Mapping):
        named = {curve[0].policy.name: curve for curve in named.values() if curve}
    _check_count(named, "curves", "sweep_demand")
    if not all(named.values()):
        raise LimitModelError("a curve has no studies; use sweep_demand")
    colours = named_theme(theme)
    with house_style():
        figure = RunFigure(width_in, height_in, dpi=dpi, ground=colours.ground)
        goodput, attempts = figure.subplots(1, 2)
        most = 0.0
        for k, (title, curve) in enumerate(named.items()):
            colour, dash = colours.layer_style(k)
            style = {"color": colour, "linestyle": DASHES[dash], "marker": MARKERS[k]}
            for ax, name in ((goodput, "goodput_per_s"), (attempts, "attempts_per_s")):
                demand = [study.demand_per_s.mean for study in curve]
                _with_band(ax, demand, [getattr(study, name) for study in curve], title, style)
            most = max([most, *demand])
        most = most or 1.0
        for ax, name in ((goodput, "Goodput, requests/s"), (attempts, "Attempts/s")):
            ax.plot([0, most], [0, most], color=colours.dim, linewidth=PT, dashes=(4, 3), label="demand")
            dress_axes(ax, colours, name)
            number_axis(ax, colours, "Demand, requests/s", 0, most, 6)
        show_legend(attempts, colours, loc="upper left")
        lay_out(figure)
    figure.description = "; ".join(
        f"{title or 'clients'}: goodput of {curve[-1].goodput_per_s.mean:.3g} and "
        f"{curve[-1].attempts_per_s.mean:.3g} attempts per second at a demand of "
        f"{curve[-1].demand_per_s.mean:.3g}"
        for title, curve in named.items()
    )
    return figure


def _check_count(named: Mapping[str, Any], kind: str, function: str) -> None:
    if not 0 < len(named) <= MAX_PANELS:
        raise LimitModelError(f"there are {len(named)} {kind}; give 1 to {MAX_PANELS}, from {function}")


def _rates(ax: Axes, study: ClientStudy, end_s: float, colours: Theme, title: str) -> None:
    width_s = end_s / _INTERVALS
    centres = (numpy.arange(_INTERVALS) + 0.5) * width_s
    for label, colour, dash, counts in (
        ("attempts", colours.rejected, DASHES[0], ClientRun.attempts_in),
        ("fresh requests", colours.dim, DASHES[2], ClientRun.requests_in),
        ("successes", colours.levels[0], DASHES[1], ClientRun.served_in),
    ):
        rates = numpy.array([counts(run, width_s)[:_INTERVALS] for run in study.runs]) / width_s
        mean, half = rates.mean(axis=0), _half_width(rates, study.confidence)
        ax.plot(centres, mean, color=colour, linestyle=dash, linewidth=1.6 * PT, label=label)
        ax.fill_between(centres, mean - half, mean + half, color=colour, alpha=_BAND, linewidth=0)
    _shade(ax, study, colours)
    dress_axes(ax, colours, f"{title}: per second" if title else "Per second")


def _backlog(ax: Axes, study: ClientStudy, end_s: float, colours: Theme) -> None:
    times = numpy.linspace(0, end_s, 4 * _INTERVALS)
    rows = []
    for run in study.runs:
        at, counts = zip(*run.backlog, strict=True) if run.backlog else ((0,), (0,))
        index = numpy.searchsorted(numpy.array(at) / 1e9, times, side="right")
        rows.append(numpy.array([0, *counts])[index])
    backlog = numpy.array(rows, dtype=float)
    mean, half = backlog.mean(axis=0), _half_width(backlog, study.confidence)
    ax.plot(times, mean, color=colours.queue, linewidth=1.6 * PT)
    ax.fill_between(times, mean - half, mean + half, color=colours.queue, alpha=_BAND, linewidth=0)
    _shade(ax, study, colours)
    dress_axes(ax, colours, "Requests not finished")


def _half_width(rows: Any, confidence: float) -> Any:
    count = len(rows)
    if count < 2:
        return numpy.zeros(rows.shape[1])
    return student_t(confidence, count - 1) * rows.std(axis=0, ddof=1) / numpy.sqrt(count)


def _shade(ax: Axes, study: ClientStudy, colours: Theme) -> None:
    for span in (study.server.outage, study.workload.surge):
        if span is not None:
            ax.axvspan(span.start_s, span.end_s, color=colours.band, linewidth=0, zorder=0)


def _with_band(ax: Axes, demand: list[float], estimates: Any, label: str, style: Any) -> None:
    ax.plot(
        demand,
        [e.mean for e in estimates],
        linewidth=1.6 * PT,
        markersize=3,
        label=label,
        **style,
    )
    if all(estimate.count > 1 for estimate in estimates):
        low, high = [e.low for e in estimates], [e.high for e in estimates]
        ax.fill_between(demand, low, high, color=style["color"], alpha=_BAND, linewidth=0)


def _in_words(named: Mapping[str, ClientStudy]) -> str:
    texts = []
    for title, study in named.items():
        text = "; ".join(" ".join(line.split()) for line in str(study).splitlines())
        texts.append(f"{title}: {text}" if title else text)
    return ". ".join(texts)
