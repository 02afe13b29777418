"""Draw runs as SVG documents of a few kilobytes, with the curves, scales and texts of the matplotlib figures.

No other library is needed, so these pictures are used if matplotlib is not installed or files must be small.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from hook_widgets._arguments import finite
from hook_widgets._plotting import svg
from hook_widgets.errors import LimitModelError
from hook_widgets.ratelimit.plotting.svg.axes import Axes, Canvas, rule_times
from hook_widgets.ratelimit.plotting.view_model import labels
from hook_widgets.ratelimit.plotting.view_model.scale import compact, level_ticks, moment
from hook_widgets.ratelimit.plotting.view_model.theme import Theme
from hook_widgets.ratelimit.plotting.view_model.theme import theme as named_theme
from hook_widgets.ratelimit.plotting.view_model.view import Notes, PlottedRuns, View, build_views
from hook_widgets.ratelimit.simulation.result import Run
from hook_widgets.ratelimit.units import Duration

_LEFT_PX, _RIGHT_PX, _TOP_PX, _BOTTOM_PX, _GAP_PX = 44, 22, 21, 24, 30
_LEVELS_PX, _REQUESTS_PX, _QUEUE_PX, _SLIM_PX = 140, 76, 70, 44
_LEAST_PX: Final = 240
_TICK_EVERY_PX: Final = 34
_MOST_POINTS: Final = 72  # of all curves of a panel together
_MOST_SLIM_POINTS: Final = 40
_DASHES: Final = ("", "6 2", "2 2")
_DASHED: Final = "5 4"
_ABOVE_PX: Final = 17
_NOTE_PX: Final = 14


def draw_run_svg(
    runs: Run | Mapping[str, Run],
    *,
    until_s: Duration | None = None,
    queued: Run | None = None,
    possible: Sequence[Run] = (),
    notes: Notes = None,
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
        notes: a note on each of several runs by title, from the longest to the shortest text.
        width_px: the width in CSS pixels, at least 240; texts have the same size at every width.
        theme: ``"light"`` or ``"dark"``.

    Raises:
        LimitModelError: there is no run, the width is no finite number, or the theme is unknown.
    """
    plotted = PlottedRuns.of(runs, until_s=until_s, queued=queued, possible=possible, notes=notes)
    end_s, colours = plotted.end_s, named_theme(theme)
    width = max(int(finite(width_px, "width_px", LimitModelError, least=-math.inf)), _LEAST_PX)
    across = width - _LEFT_PX - _RIGHT_PX
    views = build_views(plotted, axis_s=end_s, columns=across // 2)
    panels: list[Axes] = []
    above = _NOTE_PX * labels.has_note_row(views[0], across)
    top = _TOP_PX + above
    for height in _heights(views):
        panels.append(Axes(left=_LEFT_PX, top=top, width=across, height=height, end_s=end_s))
        top += height + _GAP_PX + above
    canvas = Canvas(colours=colours)
    rule_times(panels, canvas)
    if len(views) > 1:
        for panel, view in zip(panels, views, strict=True):
            draw_slim(panel, view, canvas)
    else:
        for draw, panel in zip((draw_levels, draw_requests, draw_queue), panels, strict=False):
            draw(panel, views[0], canvas)
    content = svg.group([canvas.to_svg()], fill=colours.text)
    return svg.document(width, top - _GAP_PX - above + _BOTTOM_PX, _title(views), colours.ground, [content])


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


def draw_levels(axes: Axes, view: View, canvas: Canvas) -> None:
    """Draw what is left of the limits: in its unit for a single one, otherwise in per cent."""
    several = len(view.levels) > 1
    axes.hold(*labels.level_range(view), above_px=_ABOVE_PX * (1 + several))
    _rule(axes, canvas)
    first = view.levels[0]
    canvas.shapes.append(_bands(axes, view, canvas.colours))
    canvas.shapes.append(_lines(axes, view, canvas.colours, _MOST_POINTS))
    axes.head(labels.levels_heading(view), canvas)
    if several:
        canvas.shapes.append(_legend(axes, view, canvas.colours))
    else:
        _label_limit(axes, first.limit, canvas)


def draw_requests(axes: Axes, view: View, canvas: Canvas) -> None:
    """Draw a histogram of the requests: admitted ones upwards, rejected ones, with crosses, downwards."""
    colours = canvas.colours
    axes.hold(*labels.request_range(view), above_px=3, below_px=7)
    _rule(axes, canvas)
    canvas.shapes.append(svg.path(axes.stepped(view.admitted, view.bin_s), fill=colours.levels[0]))
    crosses = [(axes.x(time_s), axes.y(-count)) for time_s, count in labels.rejections(view)]
    mark, colour = labels.below_zero(view, colours)
    if any(view.rejected):
        down = axes.stepped([-count for count in view.rejected], view.bin_s)
        canvas.shapes.append(svg.path(down, fill=colour, opacity=0.45))
    if crosses:
        canvas.shapes.append(_crosses(crosses, colours))
    zero = f"M{axes.left} {axes.y(0)}h{axes.width}"
    canvas.shapes.append(svg.path(zero, stroke=colours.dim))
    counts = labels.counted(view, axes.width, svg.width_px)
    bar, below = f"<tspan fill='{colours.levels[0]}'>■</tspan>", f"<tspan fill='{colour}'>{mark}</tspan>"
    words = [f"{bar} {svg.escaped(counts[0])} {below} {svg.escaped(counts[1])}"] if counts else []
    axes.head(labels.requests_heading(view), canvas, *words)


def draw_queue(axes: Axes, view: View, canvas: Canvas) -> None:
    """Draw the number of requests that wait or are in flight."""
    assert view.queue is not None
    colour, limits = canvas.colours.queue, labels.in_sight(view.queue)
    axes.hold(*labels.queue_range(view))
    _rule(axes, canvas)
    for most in limits:
        canvas.shapes.append(_limit(axes, most, colour))
        _label_limit(axes, most, canvas)
    data = axes.traced(view.queue.curve, _MOST_POINTS // 2)
    canvas.shapes.append(svg.path(data, fill="none", stroke=colour, stroke_width=1.6))
    words = labels.most_inside(view.queue, axes.width, svg.width_px)
    axes.head(view.queue.unit, canvas, *[words] * bool(words))


def draw_slim(axes: Axes, view: View, canvas: Canvas) -> None:
    """Draw what is left, and when and how many requests were rejected, for one of several runs."""
    axes.hold(*labels.level_range(view), above_px=11)
    most = view.lines[0].limit
    axes.rule([(0.0, "0"), (most, compact(most))], canvas)
    canvas.shapes.append(_bands(axes, view, canvas.colours))
    canvas.shapes.append(_lines(axes, view, canvas.colours, _MOST_SLIM_POINTS))
    at = [(axes.x(time_s), axes.top + 5) for time_s, _ in labels.rejections(view)]
    canvas.shapes.append(_crosses(at, canvas.colours))
    title = svg.shortened(view.title, axes.width * 0.6, bold=True)
    text = labels.facts(view, title, axes.width, svg.width_px)
    note_row = labels.has_note_row(view, axes.width)
    axes.head(title, canvas, *[svg.escaped(text)] * bool(text), rise_px=7 + _NOTE_PX * note_row)
    if note_row:
        note = labels.note(view, axes.width, svg.width_px)
        canvas.shapes.append(svg.text(axes.left, axes.top - 7, note))


def _crosses(at: Sequence[svg.Point], colours: Theme) -> str:
    """Draw the marks of rejected requests, recognisable by shape and not only by colour."""
    strokes = "".join(f"M{x - 3} {y - 3}l6 6m0-6l-6 6" for x, y in at)
    return svg.path(strokes, stroke=colours.rejected, stroke_width=1.5)


def _lines(axes: Axes, view: View, colours: Theme, most_points: int) -> str:
    """Draw the curves of the levels, and the first limit itself."""
    points, lines = most_points // len(view.lines), view.lines
    drawn = [svg.path(axes.traced(line.curve, points), **_style(k, colours)) for k, line in enumerate(lines)]
    if lines[0].most is not None:
        least, most = (axes.traced(edge, points // 2) for edge in (lines[0].curve, lines[0].most))
        above = f"V{axes.top}H{axes.left}z"  # what is above one edge, but not above both
        data = f"{least}{above}{most}{above}"
        area = svg.path(data, fill=colours.levels[0], fill_rule="evenodd", opacity=0.12, stroke="none")
        drawn = [area, svg.path(least, **_style(0, colours)), svg.path(most, **_style(0, colours))]
    limit = _limit(axes, lines[0].limit, colours.levels[0] if len(lines) == 1 else colours.dim)
    return limit + svg.group(drawn, fill="none", stroke_width=1.6)


def _legend(axes: Axes, view: View, colours: Theme) -> str:
    """Draw samples of the lines with their names, above the limits."""
    room, y = axes.width // len(view.levels), axes.top + 10
    parts = []
    for k, level in enumerate(view.levels):
        x = axes.left + k * room
        parts.append(svg.path(f"M{x} {y - 4}h18", **_style(k, colours, stroke_width=1.6)))
        parts.append(svg.text(x + 23, y, svg.shortened(level.label, room - 32)))
    return "".join(parts)


def _style(k: int, colours: Theme, **more: object) -> dict[str, object]:
    """Return the colour and the dashes of the line at index `k`."""
    colour, dash = colours.layer_style(k)
    return {"stroke": colour, **more} | ({"stroke_dasharray": _DASHES[dash]} if dash else {})


def _limit(axes: Axes, most: float, colour: str) -> str:
    return svg.path(f"M{axes.left} {axes.y(most)}h{axes.width}", stroke=colour, stroke_dasharray=_DASHED)


def _label_limit(axes: Axes, most: float, canvas: Canvas) -> None:
    """Label the line of the limit, at the right edge."""
    canvas.words.append(svg.text(axes.right - 2, axes.y(most) - 4, f"limit {compact(most)}"))


def _rule(axes: Axes, canvas: Canvas) -> None:
    marks = level_ticks(axes.low, axes.high, max(axes.height // _TICK_EVERY_PX, 1))
    axes.rule([(mark, compact(abs(mark))) for mark in marks], canvas)


def _bands(axes: Axes, view: View, colours: Theme) -> str:
    """Shade every second window."""
    middle = axes.top + axes.height // 2
    ends = [
        [(axes.x(begin), middle), (min(axes.x(end), axes.right), middle)] for begin, end in view.windows[1::2]
    ]
    return svg.path(svg.lines(*ends), stroke=colours.band, stroke_width=axes.height)
