"""The rate limiting algorithms, one loop each; these loops are both the specification and the code that runs.

All numbers are integers. The unit of time is the tick, an integer fraction of a nanosecond chosen so that
rates and windows are whole numbers of ticks. Comparisons such as "exactly one window ago" are thus exact.

Each loop decides the requests `first` to `stop - 1` of a trace, in order. ``admitted[i]`` is true on entry;
the loop sets it to false for rejected requests. State between requests is held in `state`, so that a trace
can be decided in one call or in several with the same result.
A loop reads and writes only flat lists of integers, so that numba can compile it unchanged
(`hook_widgets.ratelimit.simulation.numba_backend`).
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from heapq import heappop, heappush


def token_bucket(
    times: Sequence[int],
    costs: Sequence[int],
    interval: int,
    depth: int,
    state: MutableSequence[int],
    admitted: MutableSequence[bool],
    first: int,
    stop: int,
) -> None:
    """Run a token bucket whose state is the time at which it is full again ("theoretical arrival time").

    A token refills in `interval`, the whole bucket in `depth`. Taking c tokens delays the time at which the
    bucket is full by c intervals; that time may not be later than for an empty bucket.
    """
    full_at = state[0]
    for i in range(first, stop):
        t = times[i]
        if full_at < t:
            full_at = t
        after = full_at + costs[i] * interval
        if after - t <= depth:
            full_at = after
        else:
            admitted[i] = False
    state[0] = full_at


def leaky_bucket(
    times: Sequence[int],
    ends: MutableSequence[int],
    interval: int,
    room: int,
    late: int,
    aligned: bool,  # noqa: FBT001 (all loops take their parameters by position)
    state: MutableSequence[int],
    admitted: MutableSequence[bool],
    first: int,
    stop: int,
) -> None:
    """Run a leaky bucket, a first-in-first-out queue; each service takes `interval` and ends at `ends[i]`.

    Queued requests leave one interval apart, so the time until the last departure determines their number:
    there is a free place if that time is at most `room`, the service time of all places but one. If arrivals
    precede departures of the same instant, `late` is 1 and `room` is 1 less; at the instant at which a
    service begins, nothing departs. With `aligned`, services end on multiples of the interval.
    """
    last = state[0]
    began = state[1]
    for i in range(first, stop):
        t = times[i]
        if last - t <= room or (late and began == t and last - t == room + late):
            if last < t:
                last = (t - late) // interval * interval if aligned else t
                began = last
            last += interval
            ends[i] = last
        else:
            admitted[i] = False
    state[0] = last
    state[1] = began


def fixed_window(
    times: Sequence[int],
    costs: Sequence[int],
    limit: int,
    window: int,
    aligned: bool,  # noqa: FBT001
    state: MutableSequence[int],
    admitted: MutableSequence[bool],
    first: int,
    stop: int,
) -> None:
    """Run a fixed window; a request at the boundary belongs to the new window.

    With `aligned`, windows begin at multiples of `window`, otherwise at the first request after the previous
    window.
    """
    end = state[0]
    remaining = state[1]
    for i in range(first, stop):
        if times[i] >= end:
            t = times[i]
            end = (t // window + 1) * window if aligned else t + window
            remaining = limit
        if costs[i] <= remaining:
            remaining -= costs[i]
        else:
            admitted[i] = False
    state[0] = end
    state[1] = remaining


def sliding_log(
    times: Sequence[int],
    costs: Sequence[int],
    limit: int,
    window: int,
    count_rejected: bool,  # noqa: FBT001
    state: MutableSequence[int],
    admitted: MutableSequence[bool],
    first: int,
    stop: int,
) -> None:
    """Run a sliding log over the requests of the last window; one exactly `window` old no longer counts.

    The trace itself is the log; `oldest` is the index of the first request that still counts.
    """
    oldest = state[0]
    used = state[1]
    for i in range(first, stop):
        horizon = times[i] - window
        while times[oldest] <= horizon:
            if count_rejected or admitted[oldest]:
                used -= costs[oldest]
            oldest += 1
        after = used + costs[i]
        if after <= limit:
            used = after
        else:
            admitted[i] = False
            if count_rejected:
                used = after
    state[0] = oldest
    state[1] = used


def sliding_counter(
    times: Sequence[int],
    costs: Sequence[int],
    window: int,
    room: int,
    count_rejected: bool,  # noqa: FBT001
    state: MutableSequence[int],
    admitted: MutableSequence[bool],
    first: int,
    stop: int,
) -> None:
    """Run a sliding counter: the previous window's count, weighted by its overlap, plus the current count.

    The estimate is multiplied by `window` to remain an integer; `room` is the limit in that unit.
    """
    end = state[0]
    previous = state[1]
    current = state[2]
    for i in range(first, stop):
        t = times[i]
        if t >= end:
            previous = current if t < end + window else 0
            current = 0
            end = (t // window + 1) * window
        after = current + costs[i]
        if previous * (end - t) + after * window <= room:
            current = after
        else:
            admitted[i] = False
            if count_rejected:
                current = after
    state[0] = end
    state[1] = previous
    state[2] = current


def concurrency(
    times: Sequence[int],
    services: Sequence[int],
    limit: int,
    state: list[int],
    admitted: MutableSequence[bool],
    first: int,
    stop: int,
) -> None:
    """Run a concurrency limit; `state` is the heap of end times. A request that ends now no longer counts."""
    for i in range(first, stop):
        t = times[i]
        while state and state[0] <= t:
            heappop(state)
        if len(state) < limit:
            heappush(state, t + services[i])
        else:
            admitted[i] = False
