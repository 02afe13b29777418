"""What stands beside the panels of a picture, in the words that have room there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hook_widgets.ratelimit.scene.scale import compact
from hook_widgets.ratelimit.scene.view import Level, Queue, View, share

PER_CENT: Final = "Left of each limit, %"
"""The heading over several limits."""

_FACTS: Final = (
    "admitted {}, refused {} ({})",
    "{} in, {} refused ({})",
    "{} in, ✕ {} ({})",
    "{2} refused",
)


def per(level: Level, view: View) -> float:
    """The unit of the axis: a hundredth of the limit when there are several."""
    return (level.limit or 1.0) / 100 if len(view.levels) > 1 else 1.0


def facts(view: View, room_px: float, width_px: Callable[[str], float]) -> str:
    """How many were admitted and refused, in the same words in all pictures of as many requests; or nothing.

    Args:
        view: the run.
        room_px: how wide the text may be.
        width_px: how wide a text is.
    """
    admitted, refused = view.counts
    percent, widest = share(refused, admitted + refused), "9" * len(f"{admitted + refused:,}")
    wide = (width_px(text.format(widest, widest, "12.3 %")) for text in _FACTS)
    fitting = (text for text, px in zip(_FACTS, wide, strict=True) if px <= room_px)
    return next(fitting, "").format(f"{admitted:,}", f"{refused:,}", percent)


def counted(view: View, room_px: float, width_px: Callable[[str], float]) -> tuple[str, str] | None:
    """How many were admitted, and how many refused: the longest words that have room; None where none have.

    Args:
        view: the run.
        room_px: how wide both may be together.
        width_px: how wide a text is.
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
    """The limit of a queue, if an axis that shows it still shows the rest well enough."""
    limit, most = queue.limit, max(queue.most, 1.0)
    return [limit] if limit is not None and 0 < limit <= 3 * most else []


def most_inside(queue: Queue) -> str:
    """How many are inside at most, and of how many where the picture does not show it."""
    of = f" of {compact(queue.limit)}" if queue.limit and not in_sight(queue) else ""
    return f"at most {queue.most:,.0f}{of}"
