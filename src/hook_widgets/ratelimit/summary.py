"""A run in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A run in numbers. What needs time to have passed, or a request to have got through, is None otherwise.

    Attributes:
        offered: requests that came.
        admitted: requests that were let in.
        rejected: requests that were refused.
        rejected_fraction: refused of offered; 0 when none came.
        limited_by: each limit that refused any, by its label, with how many; the most first.
        span_s: seconds from the first arrival until the last arrival or departure.
        offered_per_s: requests that came, per second of the span.
        admitted_per_s: requests that were let in, per second of the span.
        utilisation: cost admitted, of what the nominal rate allows in the span; under concurrency limits
            alone, mean of the requests in flight, of the limit. Above 1 when a burst was allowed for.
        wait_mean_s: mean wait of the admitted.
        wait_p50_s: the wait that half of the admitted did not exceed.
        wait_p95_s: the wait that 95 % of the admitted did not exceed.
        wait_p99_s: the wait that 99 % of the admitted did not exceed.
        wait_max_s: the longest wait.
        mean_depth: admitted and not yet left, mean over the span.
        peak_depth: admitted and not yet left, at most.
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
    """The smallest value that this share of all does not exceed (nearest rank)."""
    return ordered[max(ceil(len(ordered) * percent / 100), 1) - 1]


def peak(entries: Sequence[int], leaves: Sequence[int]) -> int:
    """How many were inside at most, after everything that happened at an instant; both are sorted."""
    most = gone = 0
    for come, t in enumerate(entries, 1):
        while gone < come and leaves[gone] <= t:
            gone += 1
        if come - gone > most:
            most = come - gone
    return most
