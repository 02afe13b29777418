"""Simulate layered limits if some are per client."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from hook_widgets.ratelimit.limiters.base import SingleLimiter
from hook_widgets.ratelimit.limiters.keyed import PerClient
from hook_widgets.ratelimit.limiters.trace import LimiterState, Trace


@dataclass(slots=True)
class ClientPartition:
    """The requests of one client at one layer: the state of the limit, their costs and the decisions."""

    state: LimiterState
    costs: Sequence[int]
    admitted: list[bool]
    decide: Callable[[int, int], None]

    @classmethod
    def of(cls, layer: SingleLimiter, trace: Trace, admitted: list[bool]) -> ClientPartition:
        """Return a partition with the initial state of a layer."""
        state = layer._initial_state(trace)
        return cls(state, trace.costs, admitted, state.decide(trace, admitted))


Step = tuple[ClientPartition, int]
"""A partition that a request passes, and the index of the request in it."""


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
    rejected_by = [_decide([layer_steps[i] for layer_steps in steps]) for i in range(count)]
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


def _decide(steps: Sequence[Step]) -> int:
    """Decide one request. If it is rejected, roll back the layers that do not count rejected requests.

    Returns:
        The index of the first step that rejected it, -1 if none did.
    """
    before: list[list[int]] = []
    for partition, i in steps:
        before.append(partition.state.values.copy())
        partition.decide(i, i + 1)
        if not partition.admitted[i]:
            break
    else:
        return -1
    k = len(before) - 1
    for j, (partition, i) in enumerate(steps):
        if j < k and not partition.state.counts_rejected:
            partition.state.rollback(before[j], partition.costs[i])
        elif j > k and partition.state.counts_rejected:
            partition.decide(i, i + 1)
        partition.admitted[i] = False
    return k


def _merged(state: LimiterState, steps: Sequence[Step]) -> LimiterState:
    """Return the state with the columns of all clients merged in the order of the requests."""
    return (
        replace(state, column=[partition.state.column[i] for partition, i in steps])
        if state.writes
        else state
    )
