"""Simulate layered limits if some are per client."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hook_widgets.ratelimit.limiters.base import SingleLimiter
from hook_widgets.ratelimit.limiters.keyed import PerClient
from hook_widgets.ratelimit.limiters.partition import ClientPartition, Step, decide_request
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
    rejected_by = [decide_request([layer_steps[i] for layer_steps in steps]) for i in range(count)]
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
