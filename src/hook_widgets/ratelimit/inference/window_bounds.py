"""Windows that explain the decisions of a limit, from the requests that must or cannot be in one window."""

from __future__ import annotations

from typing import Final

from hook_widgets.ratelimit.inference.evidence import MAX_SPAN_S, Evidence
from hook_widgets.ratelimit.inference.families import Family, FamilyKind

_MIN_WINDOW_S: Final = 1e-3


def window_bounds(evidence: Evidence, family: Family, limit: int) -> tuple[float, float] | None:
    """Return bounds of the window in seconds, or None if no window explains the decisions.

    A rejected request follows the last `limit` requests that count within one window, that of a sliding
    counter within two. Of the admitted ones, more than `limit` are not in one window of a sliding log: that
    is all that such a log demands, so there the bounds are the region. More than twice `limit` touch at least
    three windows of the other families. A request that a header promises is admitted as well.
    """
    is_log, reach = family.kind is FamilyKind.LOG, 2 if family.kind is FamilyKind.COUNTER else 1
    several = limit if is_log else 2 * limit
    shortest, longest = _MIN_WINDOW_S, float(MAX_SPAN_S)
    counted: list[float] = []  # the ends of the intervals of requests that count
    before: list[float] = []  # the begins of those that an admitted request cannot share a window with
    for low, high, admitted, retry in zip(
        evidence.earliest_s, evidence.latest_s, evidence.admitted, evidence.retry_s, strict=True
    ):
        if admitted:
            if len(before) >= several:
                longest = min(longest, high - before[-several])
        elif len(counted) < limit:
            return None
        else:
            shortest = max(shortest, (low - counted[-limit]) / reach)
            if is_log and not family.count_rejected:
                longest = min(longest, high + retry - before[-limit])
        if shortest > longest:
            return None
        if admitted or family.count_rejected:
            counted.append(high)
        if admitted or (family.count_rejected and is_log):
            before.append(low)
    return shortest, longest
