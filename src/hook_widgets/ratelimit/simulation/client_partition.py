"""Simulate layered limits if some are per client."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from heapq import heappop, heappush

from hook_widgets.ratelimit.limiters.base import SingleLimiter
from hook_widgets.ratelimit.limiters.keyed import ClientPartition, PerClient, Step, decide_request
from hook_widgets.ratelimit.limiters.trace import LimiterState, Trace


def by_client(
    layers: Sequence[SingleLimiter], trace: Trace
) -> tuple[list[bool], tuple[LimiterState, ...], list[int]]:
    """Admit each request that every layer admits. At a `PerClient` layer, each client has a state of its own.

    Returns:
        The decisions; for every layer one state with the columns of all clients; and for every request
        the index of the first layer that rejected it, -1 if none did.
    """
    count = len(trace.arrivals)
    admitted = [True] * count
    steps: list[list[Step]] = []
    states = []
    for layer in layers:
        if isinstance(layer, PerClient):
            layer_steps, state = _partition(layer, trace)
        else:
            shared = ClientPartition.of(layer, trace, admitted)
            layer_steps, state = [(shared, i) for i in range(count)], shared.state
        steps.append(layer_steps)
        states.append(state)
    counting = [
        layer_steps for layer, layer_steps in zip(layers, steps, strict=True) if layer._max_cost is not None
    ]
    rejected_by: list[int] = []
    in_flight: list[tuple[int, int]] = []  # end and index of requests that give some of their cost back
    for i in range(count):
        while in_flight and in_flight[0][0] <= trace.times[i]:
            _, ended = heappop(in_flight)
            for layer_steps in counting:
                layer_steps[ended][0].state.refund(trace.refunds[ended])
        rejected_by.append(decide_request([layer_steps[i] for layer_steps in steps]))
        if trace.refunds and trace.refunds[i] and rejected_by[i] < 0:
            heappush(in_flight, (trace.times[i] + trace.services[i], i))
    for i, k in enumerate(rejected_by):
        admitted[i] = k < 0
    merged = (
        _merged(state, layer_steps) if isinstance(layer, PerClient) else state
        for layer, state, layer_steps in zip(layers, states, steps, strict=True)
    )
    return admitted, tuple(merged), rejected_by


def _partition(layer: PerClient, trace: Trace) -> tuple[list[Step], LimiterState]:
    """Return the step of each request at a layer per client, and a state for the whole trace."""
    steps: dict[int, Step] = {}
    for indexes in trace.requests_of[layer.key].values():
        partition = ClientPartition.of(layer, trace.part(indexes), [True] * len(indexes))
        steps |= {i: (partition, position) for position, i in enumerate(indexes)}
    return [steps[i] for i in range(len(steps))], layer._initial_state(trace)


def _merged(state: LimiterState, steps: Sequence[Step]) -> LimiterState:
    """Return the state with the columns of all clients merged in the order of the requests."""
    return (
        replace(state, column=[partition.state.column[i] for partition, i in steps])
        if state.writes
        else state
    )
