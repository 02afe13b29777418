"""The most requests in a window: what a run let through, and what its limiters can let through."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import repeat

from hook_widgets.ratelimit.limiters.keyed import PerClient
from hook_widgets.ratelimit.planning.metrics import PublishedLimit
from hook_widgets.ratelimit.simulation.result import Run
from hook_widgets.ratelimit.units import NS_PER_S


def most_served(run: Run, window_s: Fraction, *, level: str = "") -> int:
    """Return the largest number of requests that a run let through in any window of this length.

    A request that waits counts when it leaves. Of two that are exactly one window apart only one counts.

    Args:
        run: the run.
        window_s: length of the window in seconds.
        level: count those of one user, IP or endpoint: the key of a `PerClient` of the run.
    """
    left: dict[Hashable, list[int]] = {}
    keys = run.record.trace.clients[level] if level else repeat(None)
    for time_ns, wait, key in zip(run.arrivals.times_ns, run.wait_s, keys, strict=False):
        if wait is not None:
            left.setdefault(key, []).append(time_ns + round(wait * NS_PER_S))
    return max((_most_within(sorted(times), window_s * NS_PER_S) for times in left.values()), default=0)


def _most_within(times: Sequence[int], span_ns: Fraction) -> int:
    first = most = 0
    for last, time_ns in enumerate(times):
        while time_ns - times[first] >= span_ns:
            first += 1
        most = max(most, last - first + 1)
    return most


def most_admitted(run: Run, limit: PublishedLimit) -> int:
    """Return the worst case in a window of a limit: of all requests, or of one user, IP or endpoint."""
    if not limit.per:
        return run.limiter.max_admitted(limit.window_s)
    return min(
        layer.max_admitted(limit.window_s)
        for layer in run.limiter.layers
        if isinstance(layer, PerClient) and layer.key == limit.per
    )
