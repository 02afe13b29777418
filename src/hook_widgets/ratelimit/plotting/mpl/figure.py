"""Draw runs over time with matplotlib: the remaining limit, admitted and rejected requests, and the queue.

Importing this package loads matplotlib.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hook_widgets._plotting.mpl.compact import compact
from hook_widgets._plotting.mpl.figure import PlotFigure, check_format, house_style
from hook_widgets.errors import LimitModelError
from hook_widgets.ratelimit.plotting.mpl.figure_layout import FigureLayout, Plan, columns
from hook_widgets.ratelimit.plotting.view_model.theme import theme as named_theme
from hook_widgets.ratelimit.plotting.view_model.view import Notes, PlottedRuns, build_views
from hook_widgets.ratelimit.plotting.view_model.words import describe_run
from hook_widgets.ratelimit.simulation.chunks import ChunkedRun
from hook_widgets.ratelimit.simulation.result import Run
from hook_widgets.ratelimit.units import Duration


class RunFigure(PlotFigure):
    """A matplotlib figure of runs, displayed by notebooks with any plotting back end or none.

    Attributes:
        description: description of the figure in words, stored in the metadata of its files.
    """


def plot_run(
    runs: Run | ChunkedRun | Mapping[str, Run],
    *,
    theme: str = "light",
    width_in: float = 8.0,
    height_in: float = 5.0,
    dpi: float = 120.0,
    until_s: Duration | None = None,
    queued: Run | None = None,
    possible: Sequence[Run] = (),
    notes: Notes = None,
) -> RunFigure:
    """Draw a run, or compare several.

    For one run, draw what is left of the limit, the admitted and rejected requests, and the queue if requests
    can wait; for a stream, what is left and requests per second. For several runs, draw one panel each: what
    is left, and when and how many requests were rejected.

    Args:
        runs: one run, a stream, or several runs by title.
        theme: ``"light"`` or ``"dark"``.
        width_in: width in inches.
        height_in: height in inches.
        dpi: pixels per inch when displayed or saved as PNG.
        until_s: end of the time axis in seconds, as text or a `timedelta`; None to end with the last event.
        queued: a run of the same requests through a queue, to show how many would wait; used if there is only
            one run and it has no queue.
        possible: runs of the same requests under each algorithm that may be in use, of which what is left is
            drawn as a band; used if there is only one run.
        notes: a note on each of several runs by title, from the longest to the shortest text.

    Returns:
        A figure that is not registered with pyplot, and need not be closed.

    Raises:
        LimitModelError: there is no run, an option does not apply to a stream, a size is no
            number above zero, or the theme is unknown.
    """
    if isinstance(runs, ChunkedRun):
        if until_s is not None or queued is not None or possible or notes is not None:
            raise LimitModelError(
                "a stream is drawn as a whole; leave until_s, queued, possible and notes out"
            )
        from hook_widgets.ratelimit.plotting.mpl.scale import plot_stream

        return plot_stream(runs, theme=theme, width_in=width_in, height_in=height_in, dpi=dpi)
    plotted = PlottedRuns.of(runs, until_s=until_s, queued=queued, possible=possible, notes=notes)
    end_s, colours = plotted.end_s, named_theme(theme)
    with house_style():
        figure = RunFigure(width_in, height_in, dpi=dpi, ground=colours.ground)
        views = build_views(plotted, axis_s=end_s, columns=columns(figure))
        layout = FigureLayout(figure, Plan.of(views), colours)
        layout.set_frame(layout.exact(views, end_s))
        layout.show(views)
    figure.description = describe_run(runs, until_s=until_s, queued=queued, possible=possible, notes=notes)
    return figure


def render_run(
    runs: Run | Mapping[str, Run],
    format: str,  # noqa: A002 (the name in matplotlib)
    *,
    theme: str = "light",
    until_s: Duration | None = None,
    queued: Run | None = None,
    possible: Sequence[Run] = (),
    notes: Notes = None,
) -> bytes:
    """Render runs to a file: PNG with two pixels per CSS pixel, or SVG with selectable text.

    The same runs give the same bytes.

    Args:
        runs: one run, or several by title.
        format: ``"png"`` or ``"svg"``.
        theme: ``"light"`` or ``"dark"``.
        until_s: end of the time axis in seconds, as text or a `timedelta`; None to end with the last event.
        queued: a run of the same requests through a queue, to show how many would wait; used if there is only
            one run and it has no queue.
        possible: runs of the same requests under each algorithm that may be in use, of which what is left is
            drawn as a band; used if there is only one run.
        notes: a note on each of several runs by title, from the longest to the shortest text.

    Raises:
        LimitModelError: there is no run, or the theme or format is unknown.
    """
    check_format(format, LimitModelError)
    figure = plot_run(
        runs, theme=theme, dpi=192, until_s=until_s, queued=queued, possible=possible, notes=notes
    )
    data = figure.to_file(format)
    return compact(data.decode()).encode() if format == "svg" else data
