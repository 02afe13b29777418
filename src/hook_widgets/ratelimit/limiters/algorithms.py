"""The rate limiting algorithms, one loop each; these loops are both the specification and the code that runs.

All numbers are integers. The unit of time is the tick, an integer fraction of a nanosecond chosen so that
rates and windows are whole numbers of ticks. Comparisons such as "exactly one window ago" are thus exact.

Each loop decides the requests `first` to `stop - 1` of a trace, in order. ``admitted[i]`` is true on entry;
the loop sets it to false for rejected requests. State between requests is held in `state`, from index `at`
on, so that a trace can be decided in one call or in several with the same result.
A loop reads and writes only flat lists of integers, so that numba can compile it, with `True` written before
each ``else`` with ``admitted[i] = False`` (`hook_widgets.ratelimit.simulation.machine_code.numba_backend`).
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from heapq import heappop, heappush
from typing import Any


def token_bucket(
    times: Sequence[int],
    costs: Sequence[int],
    interval: int,
    depth: int,
    state: MutableSequence[int],
    at: int,
    admitted: MutableSequence[bool],
    first: int,
    stop: int,
) -> None:
    """Run a token bucket whose state is the time at which it is full again ("theoretical arrival time").

    A token refills in `interval`, the whole bucket in `depth`. Taking c tokens delays the time at which the
    bucket is full by c intervals; that time may not be later than for an empty bucket.
    """
    full_at = state[at]
    for i in range(first, stop):
        t = times[i]
        if full_at < t:
            full_at = t
        after = full_at + costs[i] * interval
        if after - t <= depth:
            full_at = after
        else:
            admitted[i] = False
    state[at] = full_at


def stepped_token_bucket(
    times: Sequence[int],
    costs: Sequence[int],
    interval: int,
    depth: int,
    step: int,
    state: MutableSequence[int],
    at: int,
    admitted: MutableSequence[bool],
    first: int,
    stop: int,
) -> None:
    """Run a token bucket that is refilled at multiples of `step`: one whose clock shows the last multiple."""
    full_at = state[at]
    for i in range(first, stop):
        t = times[i] // step * step
        if full_at < t:
            full_at = t
        after = full_at + costs[i] * interval
        if after - t <= depth:
            full_at = after
        else:
            admitted[i] = False
    state[at] = full_at


def leaky_bucket(
    times: Sequence[int],
    ends: MutableSequence[int],
    interval: int,
    room: int,
    late: int,
    aligned: bool,  # noqa: FBT001 (all loops take their parameters by position)
    state: MutableSequence[int],
    at: int,
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
    last = state[at]
    began = state[at + 1]
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
    state[at] = last
    state[at + 1] = began


def fixed_window(
    times: Sequence[int],
    costs: Sequence[int],
    limit: int,
    window: int,
    aligned: bool,  # noqa: FBT001
    phase: int,
    state: MutableSequence[int],
    at: int,
    admitted: MutableSequence[bool],
    first: int,
    stop: int,
) -> None:
    """Run a fixed window; a request at the boundary belongs to the new window.

    With `aligned`, windows begin `phase` after multiples of `window`, otherwise at the first request after
    the previous window.
    """
    end = state[at]
    remaining = state[at + 1]
    for i in range(first, stop):
        if times[i] >= end:
            t = times[i]
            end = ((t - phase) // window + 1) * window + phase if aligned else t + window
            remaining = limit
        if costs[i] <= remaining:
            remaining -= costs[i]
        else:
            admitted[i] = False
    state[at] = end
    state[at + 1] = remaining


def renewed_window(
    times: Sequence[int],
    costs: Sequence[int],
    limit: int,
    window: int,
    state: MutableSequence[int],
    at: int,
    admitted: MutableSequence[bool],
    first: int,
    stop: int,
) -> None:
    """Run a fixed window whose end each request, a rejected one too, puts off to `window` after itself."""
    end = state[at]
    used = state[at + 1]
    for i in range(first, stop):
        if times[i] >= end:
            used = 0
        end = times[i] + window
        used += costs[i]
        if used > limit:
            admitted[i] = False
    state[at] = end
    state[at + 1] = used


def calendar_window(
    times: Sequence[int],
    costs: Sequence[int],
    limit: int,
    end_of: Callable[[int], int],
    state: MutableSequence[int],
    at: int,
    admitted: MutableSequence[bool],
    first: int,
    stop: int,
) -> None:
    """Run windows of different lengths; `end_of` returns when the one ends that contains a time."""
    end = state[at]
    remaining = state[at + 1]
    for i in range(first, stop):
        if times[i] >= end:
            end = end_of(times[i])
            remaining = limit
        if costs[i] <= remaining:
            remaining -= costs[i]
        else:
            admitted[i] = False
    state[at] = end
    state[at + 1] = remaining


def sliding_log(
    times: Sequence[int],
    costs: Sequence[int],
    limit: int,
    window: int,
    count_rejected: bool,  # noqa: FBT001
    state: MutableSequence[int],
    at: int,
    admitted: MutableSequence[bool],
    first: int,
    stop: int,
) -> None:
    """Run a sliding log over the requests of the last window; one exactly `window` old no longer counts.

    The trace itself is the log; `oldest` is the index of the first request that still counts.
    """
    oldest = state[at]
    used = state[at + 1]
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
    state[at] = oldest
    state[at + 1] = used


def sliding_counter(
    times: Sequence[int],
    costs: Sequence[int],
    window: int,
    room: int,
    count_rejected: bool,  # noqa: FBT001
    aligned: bool,  # noqa: FBT001
    phase: int,
    state: MutableSequence[int],
    at: int,
    admitted: MutableSequence[bool],
    first: int,
    stop: int,
) -> None:
    """Run a sliding counter: the previous window's count, weighted by its overlap, plus the current count.

    The estimate is multiplied by `window` to remain an integer; `room` is the limit in that unit. With
    `aligned`, windows begin `phase` after multiples of `window`. Otherwise the first request begins one, the
    next follow it without a gap, and after a whole window without a request that counts, the next one begins
    a window again. Only requests that count begin windows.
    """
    end = state[at]
    previous = state[at + 1]
    current = state[at + 2]
    for i in range(first, stop):
        t = times[i]
        if t < end:
            after = current + costs[i]
            if previous * (end - t) + after * window <= room:
                current = after
            else:
                admitted[i] = False
                if count_rejected:
                    current = after
        else:
            follows = t < end + window
            before = current if follows else 0
            if aligned:
                until = ((t - phase) // window + 1) * window + phase
            else:
                until = end + window if follows else t + window
            fits = before * (until - t) + costs[i] * window <= room
            if fits or count_rejected:
                previous = before
                current = costs[i]
                end = until
            if not fits:
                admitted[i] = False
    state[at] = end
    state[at + 1] = previous
    state[at + 2] = current


def hold_off(
    times: Sequence[int],
    column: MutableSequence[int],
    loop: Callable[..., None],
    numbers: tuple[Any, ...],
    hold: int,
    state: MutableSequence[int],
    at: int,
    admitted: MutableSequence[bool],
    first: int,
    stop: int,
) -> None:
    """Run another algorithm, and after each rejection reject everything for `hold`; then ask it again.

    `numbers` are the parameters of that algorithm. Its values follow the end of the hold in `state`.
    """
    until = state[at]
    for i in range(first, stop):
        if times[i] < until:
            admitted[i] = False
        else:
            loop(times, column, *numbers, state, at + 1, admitted, i, i + 1)
            if not admitted[i]:
                until = times[i] + hold
    state[at] = until


def concurrency(
    times: Sequence[int],
    services: Sequence[int],
    limit: int,
    state: list[int],
    at: int,  # noqa: ARG001 (the heap is the whole list)
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
