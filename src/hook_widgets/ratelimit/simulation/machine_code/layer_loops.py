"""The loop over several limits, each for all requests or per client.

Its numbers are those of `hook_widgets.ratelimit.limiters.algorithms`, whose loops it calls.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import Final

from hook_widgets.ratelimit.limiters.algorithms import (
    fixed_window,
    hold_off,
    leaky_bucket,
    renewed_window,
    sliding_counter,
    sliding_log,
    stepped_token_bucket,
    token_bucket,
)

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

GENERAL: Final = True
"""False in machine code that takes half the time, for layers that read the same part of `times` and have no
holds, groups, logs or counted rejections."""

NOT_NEGATIVE: Final = 2**63 - 1
"""A mask for indexes, which changes none: machine code then need not count negative ones from the end."""


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
    requests are rolled back, as in `hook_widgets.ratelimit.limiters.keyed.decide_request`.

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
    for k in range(first, stop):
        i = k & NOT_NEGATIVE
        rejecting = -1
        for row in range(0, len(layers), LAYER_SIZE):
            n = row & NOT_NEGATIVE
            j = i
            if GENERAL:
                j = layers[n + FIRST_REQUEST]
                j += positions[layers[n + POSITIONS] + i] if layers[n + POSITIONS] >= 0 else i
                if rejecting >= 0 and not layers[n + COUNTS_REJECTED]:
                    admitted[j] = False
                    continue
            j &= NOT_NEGATIVE
            at = layers[n + FIRST_VALUE]
            at += STATE_SIZE * codes[layers[n + CODES] + i] if layers[n + CODES] >= 0 else 0
            at &= NOT_NEGATIVE
            if n < last and (not GENERAL or layers[n + CHARGED] < 0):
                for v in range(STATE_SIZE):
                    saved[n + v] = state[at + v]
            if GENERAL and layers[n + HOLD]:
                hold = layers[n + HOLD]
                hold_off(times, column, run_algorithm, (layers, n), hold, state, at, admitted, j, j + 1)
            else:
                run_algorithm(times, column, layers, n, state, at + 1, admitted, j, j + 1)
            if rejecting >= 0:
                admitted[j] = False
            elif not admitted[j]:
                rejecting = n
                if not GENERAL:
                    break
        if rejecting >= 0:
            rejected_by[i] = rejecting // LAYER_SIZE
            for n in range(0, rejecting, LAYER_SIZE):
                j = i
                if GENERAL:
                    j = layers[n + FIRST_REQUEST]
                    j += positions[layers[n + POSITIONS] + i] if layers[n + POSITIONS] >= 0 else i
                    admitted[j] = False
                    if layers[n + COUNTS_REJECTED]:
                        continue
                at = layers[n + FIRST_VALUE]
                at += STATE_SIZE * codes[layers[n + CODES] + i] if layers[n + CODES] >= 0 else 0
                at &= NOT_NEGATIVE
                if GENERAL and layers[n + CHARGED] >= 0:
                    state[at + layers[n + CHARGED]] -= column[j]
                else:
                    for v in range(STATE_SIZE):
                        state[at + v] = saved[n + v]
        if len(used):
            for n in range(0, len(layers), LAYER_SIZE):
                if layers[n + USED] >= 0 and (rejecting < 0 or layers[n + COUNTS_REJECTED]):
                    t = times[layers[n + FIRST_REQUEST] + i]
                    used[layers[n + USED] + i] = used_of(layers, n, state, layers[n + FIRST_VALUE] + 1, t)


def decide_clients(
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
    """Decide as `decide_layers` does with one layer, but choose the algorithm once, not for each request.

    If `used` is not empty, all requests have the client 0.
    """
    a, b, c, d, e = layers[1], layers[2], layers[3], layers[4], layers[5]
    if layers[0] == 0:
        for k in range(first, stop):
            i = k & NOT_NEGATIVE
            token_bucket(times, column, a, b, state, STATE_SIZE * codes[i] + 1, admitted, i, i + 1)
            if len(used):
                used[i] = used_after(layers, state, admitted[i], times[i])
    elif layers[0] == 1:
        for k in range(first, stop):
            i = k & NOT_NEGATIVE
            fixed_window(times, column, a, b, c != 0, d, state, STATE_SIZE * codes[i] + 1, admitted, i, i + 1)
            if len(used):
                used[i] = used_after(layers, state, admitted[i], times[i])
    elif layers[0] == 2:
        for k in range(first, stop):
            i = k & NOT_NEGATIVE
            sliding_log(times, column, a, b, c != 0, state, STATE_SIZE * codes[i] + 1, admitted, i, i + 1)
            if len(used):
                used[i] = used_after(layers, state, admitted[i], times[i])
    elif layers[0] == 3:
        for k in range(first, stop):
            i = k & NOT_NEGATIVE
            sliding_counter(
                times, column, a, b, c != 0, d != 0, e, state, STATE_SIZE * codes[i] + 1, admitted, i, i + 1
            )
            if len(used):
                used[i] = used_after(layers, state, admitted[i], times[i])
    elif layers[0] == 4:
        for k in range(first, stop):
            i = k & NOT_NEGATIVE
            leaky_bucket(times, column, a, b, c, d != 0, state, STATE_SIZE * codes[i] + 1, admitted, i, i + 1)
            if len(used):
                used[i] = used_after(layers, state, admitted[i], times[i])
    elif layers[0] == 5:
        for k in range(first, stop):
            i = k & NOT_NEGATIVE
            stepped_token_bucket(times, column, a, b, c, state, STATE_SIZE * codes[i] + 1, admitted, i, i + 1)
            if len(used):
                used[i] = used_after(layers, state, admitted[i], times[i])
    else:
        for k in range(first, stop):
            i = k & NOT_NEGATIVE
            renewed_window(times, column, a, b, state, STATE_SIZE * codes[i] + 1, admitted, i, i + 1)
            if len(used):
                used[i] = used_after(layers, state, admitted[i], times[i])


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


def used_after(layers: Sequence[int], state: Sequence[int], admitted: bool, t: int) -> int:  # noqa: FBT001
    """Return what is used of the only layer after a request, -1 if it was not charged."""
    charged = admitted | layers[COUNTS_REJECTED]
    return used_of(layers, 0, state, 1, t) | (charged - 1)  # without a branch


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
