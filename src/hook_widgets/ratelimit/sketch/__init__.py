"""Light pictures of runs: SVG of a few kilobytes, with the curves, scales and words of the full pictures.

Needs no other library: they stand where matplotlib is not installed, or where a file must stay small.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hook_widgets import svg
from hook_widgets.ratelimit.quantity import Quantity
from hook_widgets.ratelimit.run import Run
from hook_widgets.ratelimit.scene.scale import moment
from hook_widgets.ratelimit.scene.theme import theme as named_theme
from hook_widgets.ratelimit.scene.view import View, look_at, titled, told_until
from hook_widgets.ratelimit.sketch.axes import Axes, rule_times
from hook_widgets.ratelimit.sketch.panels import levels, queue, requests, slim
from hook_widgets.ratelimit.sketch.paper import Paper

__all__ = ["sketch"]

_LEFT_PX, _RIGHT_PX, _TOP_PX, _BOTTOM_PX, _GAP_PX = 44, 22, 21, 24, 30
_LEVELS_PX, _REQUESTS_PX, _QUEUE_PX, _SLIM_PX = 140, 76, 70, 44
_LEAST_PX: Final = 240


def sketch(
    runs: Run | Mapping[str, Run],
    *,
    until_s: Quantity | None = None,
    queued: Run | None = None,
    width_px: int = 640,
    theme: str = "light",
) -> str:
    """Draw a run, or compare several, as a light SVG document.

    Of one run: what is left of the limit, requests admitted and refused, and the queue when there can be one.
    Of several, below one another: what is left, when requests were refused, and how many. The same runs give
    the same document.

    Args:
        runs: one run, or several with their titles; one alone is shown larger, and without its title.
        until_s: how far to tell them, in seconds or text; None for as long as there is something to tell.
        queued: the same requests in a queue instead, to show how many would wait; for one run that has no
            queue of its own.
        width_px: its width in CSS pixels, in which its texts are legible; at least 240.
        theme: ``"light"`` or ``"dark"``.

    Raises:
        RateLimitError: there is nothing to draw, or no such theme.
    """
    named, colours = titled(runs), named_theme(theme)
    end_s = told_until(until_s, named.values())
    width = max(width_px, _LEAST_PX)
    across = width - _LEFT_PX - _RIGHT_PX
    views = look_at(named, end_s=end_s, axis_s=end_s, columns=across // 2, queued=queued)
    panels: list[Axes] = []
    top = _TOP_PX
    for height in _heights(views):
        panels.append(Axes(_LEFT_PX, top, across, height, end_s))
        top += height + _GAP_PX
    paper = Paper(colours)
    rule_times(panels, paper)
    if len(views) > 1:
        for panel, view in zip(panels, views, strict=True):
            slim(panel, view, paper)
    else:
        for draw, panel in zip((levels, requests, queue), panels, strict=False):
            draw(panel, views[0], paper)
    whole = svg.group([paper.drawn()], fill=colours.text)
    return svg.document(width, top - _GAP_PX + _BOTTOM_PX, _title(views), colours.ground, [whole])


def _heights(views: list[View]) -> list[int]:
    if len(views) > 1:
        return [_SLIM_PX] * len(views)
    return [_LEVELS_PX, _REQUESTS_PX] + [_QUEUE_PX] * (views[0].queue is not None)


def _title(views: list[View]) -> str:
    over = f"over {moment(views[0].end_s, views[0].end_s)}"
    if len(views) > 1:
        return f"{len(views)} limits compared {over}"
    told = views[0].levels
    return f"{told[0].unit if len(told) == 1 else f'What is left of {len(told)} limits'} {over}"
