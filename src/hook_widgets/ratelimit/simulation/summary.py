"""Statistics of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Statistics of a run. Rates and means are None if the span is zero, waits if nothing was admitted.

    Attributes:
        offered: number of requests that arrived.
        admitted: number of admitted requests.
        rejected: number of rejected requests.
        rejected_fraction: rejected / offered; 0 if no request arrived.
        limited_by: label of each limit that rejected any request, with how many; the largest first.
        span_s: seconds from the first arrival until the last arrival or departure.
        offered_per_s: arrived requests per second of the span.
        admitted_per_s: admitted requests per second of the span.
        utilisation: admitted cost divided by what the nominal rate allows in the span; if all limits are
            concurrency limits, mean number of requests in flight divided by the limit. Bursts can raise it
            above 1.
        wait_mean_s: mean wait of the admitted requests.
        wait_p50_s: the wait that 50% of the admitted requests did not exceed.
        wait_p95_s: the wait that 95% of the admitted requests did not exceed.
        wait_p99_s: the wait that 99% of the admitted requests did not exceed.
        wait_max_s: the longest wait.
        mean_depth: mean number of requests admitted and not yet left, over the span.
        peak_depth: maximum number of requests admitted and not yet left.
    """

    offered: int
    admitted: int
    rejected: int
    rejected_fraction: float
    limited_by: tuple[tuple[str, int], ...]
    span_s: float
    offered_per_s: float | None
    admitted_per_s: float | None
    utilisation: float | None
    wait_mean_s: float | None
    wait_p50_s: float | None
    wait_p95_s: float | None
    wait_p99_s: float | None
    wait_max_s: float | None
    mean_depth: float | None
    peak_depth: int


def percentile(ordered: Sequence[int], percent: int) -> int:
    """Return the smallest value that at least `percent` % of all do not exceed (nearest rank)."""
    return ordered[max(ceil(len(ordered) * percent / 100), 1) - 1]


def peak(entries: Sequence[int], leaves: Sequence[int]) -> int:
    """Return the maximum queue depth, after all events at each time. Both sequences are sorted."""
    depth = left = 0
    for entered, t in enumerate(entries, 1):
        while left < entered and leaves[left] <= t:
            left += 1
        if entered - left > depth:
            depth = entered - left
    return depth
