"""Draw the panels of an SVG picture, similar to those of the matplotlib figures, in few bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hook_widgets._plotting import svg
from hook_widgets.ratelimit.plotting.svg.axes import Axes
from hook_widgets.ratelimit.plotting.svg.canvas import Canvas
from hook_widgets.ratelimit.plotting.view_model.labels import (
    PER_CENT,
    counted,
    facts,
    in_sight,
    most_inside,
    per,
)
from hook_widgets.ratelimit.plotting.view_model.scale import compact, level_ticks, span
from hook_widgets.ratelimit.plotting.view_model.theme import Theme
from hook_widgets.ratelimit.plotting.view_model.view import View

_TICK_EVERY_PX: Final = 34
_MOST_POINTS: Final = 72  # of all curves of a panel together
_MOST_SLIM_POINTS: Final = 40
_DASHES: Final = ("", "6 2", "2 2")
_DASHED: Final = "5 4"
_ABOVE_PX: Final = 17


def draw_levels(axes: Axes, view: View, canvas: Canvas) -> None:
    """Draw what is left of the limits: in its unit for a single one, otherwise in per cent."""
    several = len(view.levels) > 1
    _hold_levels(axes, view, above_px=_ABOVE_PX * (1 + several))
    _rule(axes, canvas)
    first = view.levels[0]
    canvas.shapes.append(_bands(axes, view, canvas.colours))
    canvas.shapes.append(_lines(axes, view, canvas.colours, _MOST_POINTS))
    axes.head(PER_CENT if several else first.unit, canvas)
    if several:
        canvas.shapes.append(_legend(axes, view, canvas.colours))
    else:
        _label_limit(axes, first.limit, canvas)


def draw_requests(axes: Axes, view: View, canvas: Canvas) -> None:
    """Draw a histogram of the admitted requests (upwards) and the rejected ones (downwards, with crosses)."""
    colours = canvas.colours
    axes.hold(-max(view.refused), max([*view.admitted, 1]), above_px=3, below_px=7)
    _rule(axes, canvas)
    canvas.shapes.append(svg.path(axes.stepped(view.admitted, view.bin_s), fill=colours.levels[0]))
    crosses = [
        (axes.x((k + 0.5) * view.bin_s), axes.y(-count)) for k, count in enumerate(view.refused) if count
    ]
    if crosses:
        down = axes.stepped([-count for count in view.refused], view.bin_s)
        canvas.shapes.append(svg.path(down, fill=colours.refused, opacity=0.45))
        canvas.shapes.append(_crosses(crosses, colours))
    zero = f"M{axes.left} {axes.y(0)}h{axes.width}"
    canvas.shapes.append(svg.path(zero, stroke=colours.dim))
    title = f"Requests per {span(view.bin_s)}"
    room = axes.width - svg.width_px(title, bold=True) - 50
    counts = counted(view, room, svg.width_px)
    bar, mark = f"<tspan fill='{colours.levels[0]}'>■</tspan>", f"<tspan fill='{colours.refused}'>✕</tspan>"
    words = [f"{bar} {svg.escaped(counts[0])} {mark} {svg.escaped(counts[1])}"] if counts else []
    axes.head(title, canvas, *words)


def draw_queue(axes: Axes, view: View, canvas: Canvas) -> None:
    """Draw the number of requests that wait or are in flight."""
    assert view.queue is not None
    colour, limits = canvas.colours.queue, in_sight(view.queue)
    axes.hold(0.0, max([view.queue.most, 1.0, *limits]))
    _rule(axes, canvas)
    for most in limits:
        canvas.shapes.append(_limit(axes, most, colour))
        _label_limit(axes, most, canvas)
    data = axes.traced(view.queue.curve, _MOST_POINTS // 2)
    canvas.shapes.append(svg.path(data, fill="none", stroke=colour, stroke_width=1.6))
    words = most_inside(view.queue)
    fits = svg.width_px(view.queue.unit, bold=True) + svg.width_px(words) + 8 <= axes.width
    axes.head(view.queue.unit, canvas, *[words] * fits)


def draw_slim(axes: Axes, view: View, canvas: Canvas) -> None:
    """Draw what is left, and when and how many requests were rejected, for one of several runs."""
    _hold_levels(axes, view, above_px=11)
    first = view.levels[0]
    most = first.limit / per(first, view)
    axes.rule([(0.0, "0"), (most, compact(most))], canvas)
    canvas.shapes.append(_bands(axes, view, canvas.colours))
    canvas.shapes.append(_lines(axes, view, canvas.colours, _MOST_SLIM_POINTS))
    at = [(axes.x((k + 0.5) * view.bin_s), axes.top + 5) for k, count in enumerate(view.refused) if count]
    canvas.shapes.append(_crosses(at, canvas.colours))
    title = svg.shortened(view.title, axes.width * 0.6, bold=True)
    wide = max(svg.width_px(title, bold=True), svg.width_px("Sliding counter", bold=True))
    text = facts(view, axes.width - wide - 12, svg.width_px)
    axes.head(title, canvas, *[svg.escaped(text)] * bool(text))


def _crosses(at: Sequence[svg.Point], colours: Theme) -> str:
    """Draw the marks of rejected requests, recognisable by shape and not only by colour."""
    strokes = "".join(f"M{x - 3} {y - 3}l6 6m0-6l-6 6" for x, y in at)
    return svg.path(strokes, stroke=colours.refused, stroke_width=1.5)


def _hold_levels(axes: Axes, view: View, *, above_px: int) -> None:
    """Set the value axis to go from zero, or the lowest level if negative, to the limit."""
    lows = [min(level.curve.values) / per(level, view) for level in view.levels]
    highs = [max([level.limit, *level.curve.values]) / per(level, view) for level in view.levels]
    axes.hold(min([0.0, *lows]), max(highs) or 1.0, above_px=above_px)


def _lines(axes: Axes, view: View, colours: Theme, most_points: int) -> str:
    """Draw the curves of the levels, and the first limit itself."""
    drawn = []
    for k, level in enumerate(view.levels):
        unit = per(level, view)
        curve = type(level.curve)(level.curve.times, [value / unit for value in level.curve.values])
        dashes = {"stroke_dasharray": dash} if (dash := _DASHES[k % len(_DASHES)]) else {}
        colour = colours.levels[k % len(colours.levels)]
        drawn.append(svg.path(axes.traced(curve, most_points // len(view.levels)), stroke=colour, **dashes))
    first = view.levels[0]
    limit = _limit(
        axes, first.limit / per(first, view), colours.levels[0] if len(drawn) == 1 else colours.dim
    )
    return limit + svg.group(drawn, fill="none", stroke_width=1.6)


def _legend(axes: Axes, view: View, colours: Theme) -> str:
    """Draw samples of the lines with their names, above the limits."""
    room, y = axes.width // len(view.levels), axes.top + 10
    parts = []
    for k, level in enumerate(view.levels):
        x, colour = axes.left + k * room, colours.levels[k % len(colours.levels)]
        dashes = {"stroke_dasharray": dash} if (dash := _DASHES[k % len(_DASHES)]) else {}
        parts.append(svg.path(f"M{x} {y - 4}h18", stroke=colour, stroke_width=1.6, **dashes))
        parts.append(svg.text(x + 23, y, svg.shortened(level.label, room - 32)))
    return "".join(parts)


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
