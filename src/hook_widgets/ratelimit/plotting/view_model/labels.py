"""Choose the ranges of the panels of a picture and the texts beside them, as long as the room allows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hook_widgets.ratelimit.plotting.view_model.scale import compact, span
from hook_widgets.ratelimit.plotting.view_model.theme import Theme
from hook_widgets.ratelimit.plotting.view_model.view import Queue, View

Measure = Callable[..., float]
"""Function that returns the width of a text in CSS pixels, with the keyword argument ``bold``."""

PER_CENT: Final = "Left of each limit, %"
"""Heading of a panel or a legend of several limits."""

_FACTS: Final = (
    "admitted {}, rejected {} ({})",
    "{} in, {} rejected ({})",
    "{} in, ✕ {} ({})",
    "{2} rejected",
)
_WAITING_FACTS: Final = ("at once {}, {} wait ({})", "{1} wait ({2})", "{2} wait")

_ONE_ROW_PX: Final = 560.0  # from which a note fits beside the counts


def level_range(view: View) -> tuple[float, float]:
    """Return zero and the limit."""
    tops = [max([line.limit, *(line.most or line.curve).values]) for line in view.lines]
    return 0.0, max(tops) or 1.0


def request_range(view: View) -> tuple[float, float]:
    """Return the counts of the fullest bins: rejected requests are drawn downwards."""
    return -float(max(view.rejected)), float(max([*view.admitted, 1]))


def queue_range(view: View) -> tuple[float, float]:
    """Return zero and the maximum depth, or the limit if it is near."""
    assert view.queue is not None
    return 0.0, max([view.queue.most, 1.0, *in_sight(view.queue)])


def rejections(view: View) -> list[tuple[float, int]]:
    """Return the middle of each bin with rejected requests, in seconds, and their number."""
    counts = () if view.waits else view.rejected
    return [(view.bin_begin_s + (k + 0.5) * view.bin_s, count) for k, count in enumerate(counts) if count]


def below_zero(view: View, colours: Theme) -> tuple[str, str]:
    """Return the mark and the colour of the requests that are drawn downwards: rejected, or waiting."""
    return ("▼", colours.queue) if view.waits else ("✕", colours.rejected)


def names(view: View) -> tuple[str, str]:
    """Return what happens to the requests that are drawn upwards, and to those that are drawn downwards."""
    return ("At once", "Wait") if view.waits else ("Admitted", "Rejected")


def facts(view: View, title: str, room_px: float, width_px: Measure) -> str:
    """Return the numbers of admitted and rejected requests as text, with a note; empty if no form fits.

    The form depends only on the total number of requests, so that all compared panels use the same. In a
    narrow panel the note has a row of its own, see `note`.
    """
    room = room_px - max(width_px(text, bold=True) for text in (title, "Sliding counter")) - 12
    admitted, rejected = view.counts
    percent, widest = share(rejected, admitted + rejected), "9" * len(f"{admitted + rejected:,}")
    in_row = () if has_note_row(view, room_px) else view.notes or ()
    facts = _WAITING_FACTS if view.waits else _FACTS
    forms = [(text, f", {own}", f", {longest}") for own, longest in in_row for text in facts[:-1]]
    forms += [(text, "", "") for text in facts]
    for text, own, longest in forms:
        if width_px(text.format(widest, widest, "12.3%") + longest) <= room:
            return text.format(f"{admitted:,}", f"{rejected:,}", percent) + own
    return ""


def has_note_row(view: View, room_px: float) -> bool:
    """Return True if a note has a row of its own: in a narrow panel."""
    return view.notes is not None and room_px < _ONE_ROW_PX


def note(view: View, room_px: float, width_px: Measure) -> str:
    """Return the longest text of a note that fits into a row of its own; empty if none fits."""
    return next((own for own, longest in view.notes or () if width_px(longest) <= room_px), "")


def levels_heading(view: View) -> str:
    """Return the title of the panel of levels: their unit."""
    return view.levels[0].unit if len(view.levels) == 1 else PER_CENT


def requests_heading(view: View) -> str:
    """Return the title of the panel of requests."""
    return f"Requests per {span(view.bin_s)}{', strictest' * (view.levels[0].most is not None)}"


def counted(view: View, room_px: float, width_px: Measure) -> tuple[str, str] | None:
    """Return the longest texts that fit, for the two kinds of `names`; None if none fit."""
    room = room_px - width_px(requests_heading(view), bold=True) - 50
    admitted, rejected = view.counts
    percent = share(rejected, admitted + rejected)
    waiting = (
        (f"at once {admitted:,}", f"wait {rejected:,}" + f" ({percent})" * (rejected > 0)),
        (f"at once {admitted:,}", f"wait {rejected:,}"),
        (f"{compact(admitted)} at once", f"{compact(rejected)} wait"),
        ("at once", f"{percent} wait"),
        ("at once", "wait"),
    )
    choices = (
        (f"admitted {admitted:,}", f"rejected {rejected:,}" + f" ({percent})" * (rejected > 0)),
        (f"admitted {admitted:,}", f"rejected {rejected:,}"),
        (f"{compact(admitted)} in", f"{compact(rejected)} rejected"),
        ("in", f"{percent} rejected"),
        ("in", "rejected"),
        ("in", "429"),
    )
    pairs = waiting if view.waits else choices
    return next((pair for pair in pairs if sum(map(width_px, pair)) <= room), None)


def in_sight(queue: Queue) -> list[float]:
    """Return the limit of a queue, if an axis that includes it still shows the curve well; else nothing."""
    limit, most = queue.limit, max(queue.most, 1.0)
    return [limit] if limit is not None and 0 < limit <= 3 * most else []


def most_inside(queue: Queue, room_px: float, width_px: Measure) -> str:
    """Return the maximum queue depth, with the limit if no line shows it; empty if it does not fit."""
    suffix = f" of {compact(queue.limit)}" if queue.limit and not in_sight(queue) else ""
    text = f"at most {queue.most:,.0f}{suffix}"
    return text if width_px(queue.unit, bold=True) + width_px(text) + 8 <= room_px else ""


def share(part: int, total: int) -> str:
    """Format a share in per cent, never rounded to 0% or 100%."""
    if not part or part == total:
        return "100%" if part else "0%"
    percent = 100 * part / total
    if percent < 0.1 or percent > 99.9:
        return "under 0.1%" if percent < 0.1 else "over 99.9%"
    return f"{percent:.2g}%" if percent < 10 else f"{percent:.3g}%"
