"""The algorithms, one loop each: the specification, and the code that runs.

Everything is a whole number. Time is in ticks (a whole part of a nanosecond, chosen so that rates and
windows come out whole), so that "exactly one window ago" is decided and not rounded.

Every loop judges the requests `first` to `stop - 1` of a trace, in order. It finds ``admitted[i]`` true,
makes it false for those it refuses, and keeps what it must remember in `state`; judging a trace at once or
piece by piece is the same.
A loop reads and writes flat lists of integers and nothing else, so that `compiled` can take it as it is.
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
    """Token bucket, kept as the time at which it will be full again (the "theoretical arrival time").

    A token takes `interval` to refill and the whole bucket `depth`. Taking c tokens puts the time of
    fullness back by c intervals; it may not lie further ahead than an empty bucket needs.
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
    aligned: bool,  # noqa: FBT001 (all loops take their numbers by position)
    state: MutableSequence[int],
    admitted: MutableSequence[bool],
    first: int,
    stop: int,
) -> None:
    """First in, first out; each one served takes `interval`, and `ends` is told when that is over.

    Those inside leave an interval apart, so the time until the last one leaves tells how many they are: there
    is a place if it is at most `room`, one interval less than all places take. When an arrival still finds
    the one inside that leaves at that instant, `late` is 1 and `room` that much less; at the instant at which
    service began, none leaves. With `aligned`, services end on multiples of the interval.
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
    """The whole limit again with every window; a request at the boundary belongs to the new one.

    With `aligned`, windows begin at multiples of the window; otherwise at the first request after the last.
    """
    end = state[0]
    left = state[1]
    for i in range(first, stop):
        if times[i] >= end:
            t = times[i]
            end = (t // window + 1) * window if aligned else t + window
            left = limit
        if costs[i] <= left:
            left -= costs[i]
        else:
            admitted[i] = False
    state[0] = end
    state[1] = left


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
    """The requests of the last window, each remembered; one exactly `window` old is forgotten.

    The trace itself is the log: `oldest` walks over it behind the present.
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
    """Two counts: the previous window's, weighted by how much of it is still in view, and this window's.

    Counts are multiplied by `window` to stay whole; `room` is the limit in that measure.
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
    """At most `limit` in flight; `state` is the heap of their ends. One that ends now has ended."""
    for i in range(first, stop):
        t = times[i]
        while state and state[0] <= t:
            heappop(state)
        if len(state) < limit:
            heappush(state, t + services[i])
        else:
            admitted[i] = False
