"""Choose the texts beside the panels of a picture, as long as the room allows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hook_widgets.ratelimit.plotting.view_model.scale import compact
from hook_widgets.ratelimit.plotting.view_model.view import Level, Queue, View, share

PER_CENT: Final = "Left of each limit, %"
"""Heading of a panel with several limits."""

_FACTS: Final = (
    "admitted {}, refused {} ({})",
    "{} in, {} refused ({})",
    "{} in, ✕ {} ({})",
    "{2} refused",
)


def per(level: Level, view: View) -> float:
    """Return the unit of the value axis: one, or a hundredth of the limit if there are several limits."""
    return (level.limit or 1.0) / 100 if len(view.levels) > 1 else 1.0


def facts(view: View, room_px: float, width_px: Callable[[str], float]) -> str:
    """Return the numbers of admitted and rejected requests as text; empty if no form fits.

    The form depends only on the total number of requests, so that all compared panels use the same.

    Args:
        view: the run.
        room_px: available width.
        width_px: function that measures the width of a text.
    """
    admitted, refused = view.counts
    percent, widest = share(refused, admitted + refused), "9" * len(f"{admitted + refused:,}")
    wide = (width_px(text.format(widest, widest, "12.3 %")) for text in _FACTS)
    fitting = (text for text, px in zip(_FACTS, wide, strict=True) if px <= room_px)
    return next(fitting, "").format(f"{admitted:,}", f"{refused:,}", percent)


def counted(view: View, room_px: float, width_px: Callable[[str], float]) -> tuple[str, str] | None:
    """Return the longest texts that fit, for the admitted and the rejected requests; None if none fit.

    Args:
        view: the run.
        room_px: available width for both together.
        width_px: function that measures the width of a text.
    """
    admitted, refused = view.counts
    percent = share(refused, admitted + refused)
    choices = (
        (f"admitted {admitted:,}", f"refused {refused:,}" + f" ({percent})" * (refused > 0)),
        (f"admitted {admitted:,}", f"refused {refused:,}"),
        (f"{compact(admitted)} in", f"{compact(refused)} refused"),
        ("in", f"{percent} refused"),
    )
    return next((pair for pair in choices if sum(map(width_px, pair)) <= room_px), None)


def in_sight(queue: Queue) -> list[float]:
    """Return the limit of a queue, if an axis that includes it still shows the curve well; else nothing."""
    limit, most = queue.limit, max(queue.most, 1.0)
    return [limit] if limit is not None and 0 < limit <= 3 * most else []


def most_inside(queue: Queue) -> str:
    """Return the maximum queue depth as text, with the limit if the plot does not show it."""
    suffix = f" of {compact(queue.limit)}" if queue.limit and not in_sight(queue) else ""
    return f"at most {queue.most:,.0f}{suffix}"
