"""The rate limiting algorithms, one loop each; these loops are both the specification and the code that runs.

At the end is the loop over several limits (`decide_layers`), which runs as machine code only.

All numbers are integers. The unit of time is the tick, an integer fraction of a nanosecond chosen so that
rates and windows are whole numbers of ticks. Comparisons such as "exactly one window ago" are thus exact.

Each loop decides the requests `first` to `stop - 1` of a trace, in order. ``admitted[i]`` is true on entry;
the loop sets it to false for rejected requests. State between requests is held in `state`, from index `at`
on, so that a trace can be decided in one call or in several with the same result.
A loop reads and writes only flat lists of integers, so that numba can compile it unchanged
(`hook_widgets.ratelimit.simulation.numba_backend`).
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from heapq import heappop, heappush
from typing import Any, Final

STATE_SIZE: Final = 4
"""Values of one client at one layer of `decide_layers`: the end of its hold, and three of the algorithm."""

LAYER_SIZE: Final = 14
"""Numbers of one layer of `decide_layers`: index of the algorithm, five parameters, and those below."""
HOLD: Final = 6  # ticks of the hold after a rejection, 0 for none
FIRST_REQUEST: Final = 7  # index in `times` of the first request
POSITIONS: Final = (
    8  # index in `positions` of that of the first request, -1 if requests are in order of arrival
)
CODES: Final = 9  # index in `codes` of that of the first request, -1 for a layer shared by all
FIRST_VALUE: Final = 10  # index in `state` of the first value
CHARGED: Final = 11  # as `LimiterState.charged`, -1 for None
COUNTS_REJECTED: Final = 12  # 1 if a rejected request changes the state
USED: Final = 13  # index in `used` of that of the first request, -1 if it is not wanted


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


def decide_layers(
    times: Sequence[int],
    column: MutableSequence[int],
    positions: Sequence[int],
    codes: Sequence[int],
    layers: Sequence[int],
    state: MutableSequence[int],
    saved: MutableSequence[int],
    admitted: MutableSequence[bool],
    rejected_by: MutableSequence[int],
    used: MutableSequence[int],
    first: int,
    stop: int,
) -> None:
    """Admit each request that every layer admits, and name the first layer that rejected each other one.

    At a layer per client, each client has values of its own in `state`. Layers that do not count rejected
    requests are rolled back, as in `hook_widgets.ratelimit.limiters.partition.decide_request`.

    Args:
        times: arrival times: in the order of arrival, and again for each layer that needs other ones.
        column: costs, or the values that a layer writes, likewise.
        positions: for layers whose requests are grouped by client, the index of each request in its group's
            part of `times`.
        codes: client of each request, as a number from 0, for each key of clients.
        layers: `LAYER_SIZE` numbers for each layer.
        state: `STATE_SIZE` values for each client of each layer.
        saved: as many values as `layers`, for internal use.
        admitted: true for every element of `times`; false afterwards where the request was rejected.
        rejected_by: index of the layer that rejected a request; unchanged where none did.
        used: set to what is used of a layer after each request that was charged to it, as `used_of` tells.
        first: index of the first request.
        stop: index after the last request.
    """
    last = len(layers) - LAYER_SIZE
    for i in range(first, stop):
        rejecting = -1
        for n in range(0, len(layers), LAYER_SIZE):
            counts_rejected = layers[n + COUNTS_REJECTED]
            if rejecting < 0 or counts_rejected:
                j = layers[n + FIRST_REQUEST]
                j += positions[layers[n + POSITIONS] + i] if layers[n + POSITIONS] >= 0 else i
                at = layers[n + FIRST_VALUE]
                at += STATE_SIZE * codes[layers[n + CODES] + i] if layers[n + CODES] >= 0 else 0
                if n < last and layers[n + CHARGED] < 0:
                    for v in range(STATE_SIZE):
                        saved[n + v] = state[at + v]
                hold = layers[n + HOLD]
                if hold:
                    hold_off(times, column, run_algorithm, (layers, n), hold, state, at, admitted, j, j + 1)
                else:
                    run_algorithm(times, column, layers, n, state, at + 1, admitted, j, j + 1)
                if rejecting < 0 and not admitted[j]:
                    rejecting = n
        if rejecting >= 0:
            rejected_by[i] = rejecting // LAYER_SIZE
            for n in range(0, len(layers), LAYER_SIZE):
                j = layers[n + FIRST_REQUEST]
                j += positions[layers[n + POSITIONS] + i] if layers[n + POSITIONS] >= 0 else i
                admitted[j] = False
                if n < rejecting and not layers[n + COUNTS_REJECTED]:
                    at = layers[n + FIRST_VALUE]
                    at += STATE_SIZE * codes[layers[n + CODES] + i] if layers[n + CODES] >= 0 else 0
                    if layers[n + CHARGED] >= 0:
                        state[at + layers[n + CHARGED]] -= column[j]
                    else:
                        for v in range(STATE_SIZE):
                            state[at + v] = saved[n + v]
        for n in range(0, len(layers), LAYER_SIZE):
            if layers[n + USED] >= 0 and (rejecting < 0 or layers[n + COUNTS_REJECTED]):
                t = times[layers[n + FIRST_REQUEST] + i]
                used[layers[n + USED] + i] = used_of(layers, n, state, layers[n + FIRST_VALUE] + 1, t)


def decide_layer(
    times: Sequence[int],
    column: MutableSequence[int],
    codes: Sequence[int],
    layers: Sequence[int],
    state: MutableSequence[int],
    admitted: MutableSequence[bool],
    used: MutableSequence[int],
    first: int,
    stop: int,
) -> None:
    """Decide as `decide_layers` does with one layer, without a hold or groups, but faster.

    For a layer shared by all, the code of each request is zero.
    """
    for i in range(first, stop):
        at = STATE_SIZE * codes[i] + 1
        run_algorithm(times, column, layers, 0, state, at, admitted, i, i + 1)
        if layers[USED] >= 0 and (admitted[i] or layers[COUNTS_REJECTED]):
            used[i] = used_of(layers, 0, state, at, times[i])


def run_algorithm(
    times: Sequence[int],
    column: MutableSequence[int],
    layers: Sequence[int],
    n: int,
    state: MutableSequence[int],
    at: int,
    admitted: MutableSequence[bool],
    first: int,
    stop: int,
) -> None:
    """Run the algorithm of the layer whose numbers begin at index `n` of `layers`.

    The first number is the index of the algorithm in `LAYERED`, the next ones are its parameters.
    """
    a, b, c, d, e = layers[n + 1], layers[n + 2], layers[n + 3], layers[n + 4], layers[n + 5]
    if layers[n] == 0:
        token_bucket(times, column, a, b, state, at, admitted, first, stop)
    elif layers[n] == 1:
        fixed_window(times, column, a, b, c != 0, d, state, at, admitted, first, stop)
    elif layers[n] == 2:
        sliding_log(times, column, a, b, c != 0, state, at, admitted, first, stop)
    elif layers[n] == 3:
        sliding_counter(times, column, a, b, c != 0, d != 0, e, state, at, admitted, first, stop)
    elif layers[n] == 4:
        leaky_bucket(times, column, a, b, c, d != 0, state, at, admitted, first, stop)
    elif layers[n] == 5:
        stepped_token_bucket(times, column, a, b, c, state, at, admitted, first, stop)
    else:
        renewed_window(times, column, a, b, state, at, admitted, first, stop)


def used_of(layers: Sequence[int], n: int, state: Sequence[int], at: int, t: int) -> int:
    """Return what is used of a layer just after a request at `t` was charged to it.

    The unit depends on the algorithm: ticks until a bucket is full, cost in a window, places in a queue, for
    a sliding counter cost times ticks of a window.
    """
    if layers[n] == 0:
        return state[at] - t
    if layers[n] == 1:
        return layers[n + 1] - state[at + 1]
    if layers[n] == 2:
        return state[at + 1]
    if layers[n] == 3:
        return state[at + 1] * (state[at] - t) + state[at + 2] * layers[n + 1]
    if layers[n] == 4:
        return (state[at] - t + layers[n + 1] - 1) // layers[n + 1]
    if layers[n] == 5:
        return state[at] - t // layers[n + 3] * layers[n + 3]
    return state[at + 1]


LAYERED: Final = (
    token_bucket,
    fixed_window,
    sliding_log,
    sliding_counter,
    leaky_bucket,
    stepped_token_bucket,
    renewed_window,
)
"""The algorithms of `run_algorithm`, by index."""
