"""Simulate layered limits if some are per client."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from hook_widgets.ratelimit.limiters.base import SingleLimiter
from hook_widgets.ratelimit.limiters.keyed import Per
from hook_widgets.ratelimit.limiters.trace import Gate, Trace


@dataclass(slots=True)
class ClientPartition:
    """The requests of one client at one layer: the gate, their costs and its decisions."""

    gate: Gate
    costs: Sequence[int]
    admitted: list[bool]
    judge: Callable[[int, int], None]

    @classmethod
    def of(cls, layer: SingleLimiter, trace: Trace, admitted: list[bool]) -> ClientPartition:
        """Create a gate of a layer for the requests of a trace."""
        gate = layer._gate(trace)
        return cls(gate, trace.costs, admitted, gate.judge(trace, admitted))


Step = tuple[ClientPartition, int]
"""A partition that a request passes, and the index of the request in it."""


def by_client(
    layers: Sequence[SingleLimiter], trace: Trace
) -> tuple[list[bool], tuple[Gate, ...], list[int]]:
    """Admit each request that every layer admits. At a `Per` layer, each client has a gate of its own.

    Returns:
        The decisions; for every layer one gate with the columns of all clients; and for every request the
        index of the first layer that rejected it, -1 if none did.
    """
    count = len(trace.arrivals)
    admitted = [True] * count
    steps: list[list[Step]] = []
    gates = []
    for layer in layers:
        if isinstance(layer, Per):
            layer_steps, gate = _partition(layer, trace)
        else:
            shared = ClientPartition.of(layer, trace, admitted)
            layer_steps, gate = [(shared, i) for i in range(count)], shared.gate
        steps.append(layer_steps)
        gates.append(gate)
    refused_by = [_decide([layer_steps[i] for layer_steps in steps]) for i in range(count)]
    for i, k in enumerate(refused_by):
        admitted[i] = k < 0
    merged = (
        _merged(gate, layer_steps) if isinstance(layer, Per) else gate
        for layer, gate, layer_steps in zip(layers, gates, steps, strict=True)
    )
    return admitted, tuple(merged), refused_by


def _partition(layer: Per, trace: Trace) -> tuple[list[Step], Gate]:
    """Return the step of each request at a layer per client, and a gate for the whole trace."""
    steps: dict[int, Step] = {}
    for indexes in trace.requests_of[layer.key].values():
        partition = ClientPartition.of(layer, trace.part(indexes), [True] * len(indexes))
        steps |= {i: (partition, position) for position, i in enumerate(indexes)}
    return [steps[i] for i in range(len(steps))], layer._gate(trace)


def _decide(steps: Sequence[Step]) -> int:
    """Decide one request. Roll back the gates that do not count rejected requests if it is rejected.

    Returns:
        The index of the first step that rejected it, -1 if none did.
    """
    before: list[list[int]] = []
    for partition, i in steps:
        before.append(partition.gate.state.copy())
        partition.judge(i, i + 1)
        if not partition.admitted[i]:
            break
    else:
        return -1
    k = len(before) - 1
    for j, (partition, i) in enumerate(steps):
        if j < k and not partition.gate.counts_refused:
            partition.gate.take_back(before[j], partition.costs[i])
        elif j > k and partition.gate.counts_refused:
            partition.judge(i, i + 1)
        partition.admitted[i] = False
    return k


def _merged(gate: Gate, steps: Sequence[Step]) -> Gate:
    """Return the gate with the columns of the clients' gates merged in the order of the requests."""
    return replace(gate, column=[partition.gate.column[i] for partition, i in steps]) if gate.writes else gate
