"""Draw runs as SVG documents of a few kilobytes, with the curves, scales and texts of the matplotlib figures.

No other library is needed, so these pictures are used if matplotlib is not installed or files must be small.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from hook_widgets._plotting import svg
from hook_widgets.ratelimit.plotting.svg.axes import Axes, Canvas, rule_times
from hook_widgets.ratelimit.plotting.svg.panels import draw_levels, draw_queue, draw_requests, draw_slim
from hook_widgets.ratelimit.plotting.view_model.scale import moment
from hook_widgets.ratelimit.plotting.view_model.theme import theme as named_theme
from hook_widgets.ratelimit.plotting.view_model.view import PlottedRuns, View, build_views
from hook_widgets.ratelimit.simulation.result import Run
from hook_widgets.ratelimit.units import Duration

_LEFT_PX, _RIGHT_PX, _TOP_PX, _BOTTOM_PX, _GAP_PX = 44, 22, 21, 24, 30
_LEVELS_PX, _REQUESTS_PX, _QUEUE_PX, _SLIM_PX = 140, 76, 70, 44
_LEAST_PX: Final = 240


def draw_run_svg(
    runs: Run | Mapping[str, Run],
    *,
    until_s: Duration | None = None,
    queued: Run | None = None,
    possible: Sequence[Run] = (),
    width_px: int = 640,
    theme: str = "light",
) -> str:
    """Draw a run, or compare several, as a light SVG document.

    For one run, draw what is left of the limit, the admitted and rejected requests, and the queue if requests
    can wait. For several, draw one panel each: what is left, and when and how many requests were rejected.
    The same runs give the same document.

    Args:
        runs: one run, or several by title; a single run is drawn larger, and without its title.
        until_s: end of the time axis in seconds, as text or a `timedelta`; None to end with the last event.
        queued: a run of the same requests through a queue, to show how many would wait; used if there is only
            one run and it has no queue.
        possible: runs of the same requests under each algorithm that may be in use, of which what is left is
            drawn as a band; used if there is only one run.
        width_px: the width in CSS pixels, at least 240; texts have the same size at every width.
        theme: ``"light"`` or ``"dark"``.

    Raises:
        LimitModelError: there is no run, or the theme is unknown.
    """
    plotted = PlottedRuns.of(runs, until_s=until_s, queued=queued, possible=possible)
    end_s, colours = plotted.end_s, named_theme(theme)
    width = max(width_px, _LEAST_PX)
    across = width - _LEFT_PX - _RIGHT_PX
    views = build_views(plotted, axis_s=end_s, columns=across // 2)
    panels: list[Axes] = []
    top = _TOP_PX
    for height in _heights(views):
        panels.append(Axes(left=_LEFT_PX, top=top, width=across, height=height, end_s=end_s))
        top += height + _GAP_PX
    canvas = Canvas(colours=colours)
    rule_times(panels, canvas)
    if len(views) > 1:
        for panel, view in zip(panels, views, strict=True):
            draw_slim(panel, view, canvas)
    else:
        for draw, panel in zip((draw_levels, draw_requests, draw_queue), panels, strict=False):
            draw(panel, views[0], canvas)
    content = svg.group([canvas.to_svg()], fill=colours.text)
    return svg.document(width, top - _GAP_PX + _BOTTOM_PX, _title(views), colours.ground, [content])


def _heights(views: list[View]) -> list[int]:
    if len(views) > 1:
        return [_SLIM_PX] * len(views)
    return [_LEVELS_PX, _REQUESTS_PX] + [_QUEUE_PX] * (views[0].queue is not None)


def _title(views: list[View]) -> str:
    over = f"over {moment(views[0].end_s, views[0].end_s)}"
    if len(views) > 1:
        return f"{len(views)} runs compared {over}"
    levels = views[0].levels
    return f"{levels[0].unit if len(levels) == 1 else f'What is left of {len(levels)} limits'} {over}"
