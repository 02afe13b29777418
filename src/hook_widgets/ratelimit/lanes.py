"""Requests on their way through limits of which some are kept for each client."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from hook_widgets.ratelimit.limiter import SingleLimiter
from hook_widgets.ratelimit.per import Per
from hook_widgets.ratelimit.trace import Gate, Trace


@dataclass(slots=True)
class Lane:
    """A gate, what the requests that came to it cost, and what it decided about them."""

    gate: Gate
    costs: Sequence[int]
    admitted: list[bool]
    judge: Callable[[int, int], None]

    @classmethod
    def of(cls, layer: SingleLimiter, trace: Trace, admitted: list[bool]) -> Lane:
        """A gate of a layer for these requests."""
        gate = layer._gate(trace)
        return cls(gate, trace.costs, admitted, gate.judge(trace, admitted))


Step = tuple[Lane, int]
"""A lane that a request goes through, and which of its requests it is there."""


def by_client(
    layers: Sequence[SingleLimiter], trace: Trace
) -> tuple[list[bool], tuple[Gate, ...], list[int]]:
    """Admit what every layer admits: each client has a gate of its own where a layer is `Per` something.

    Returns:
        The decisions; for every layer a gate that knows what became of all requests; and for every request
        the index of the first layer that refused it, -1 when none did.
    """
    count = len(trace.arrivals)
    admitted = [True] * count
    steps: list[list[Step]] = []
    gates = []
    for layer in layers:
        if isinstance(layer, Per):
            of_each, gate = _of_each_client(layer, trace)
        else:
            lane = Lane.of(layer, trace, admitted)
            of_each, gate = [(lane, i) for i in range(count)], lane.gate
        steps.append(of_each)
        gates.append(gate)
    refused_by = [_pass_through([each[i] for each in steps]) for i in range(count)]
    for i, k in enumerate(refused_by):
        admitted[i] = k < 0
    merged = (
        _merged(gate, each) if isinstance(layer, Per) else gate
        for layer, gate, each in zip(layers, gates, steps, strict=True)
    )
    return admitted, tuple(merged), refused_by


def _of_each_client(layer: Per, trace: Trace) -> tuple[list[Step], Gate]:
    """Where each request goes, and a gate as all of them would have."""
    found: dict[int, Step] = {}
    for indexes in trace.requests_of[layer.key].values():
        lane = Lane.of(layer, trace.part(indexes), [True] * len(indexes))
        found |= {i: (lane, place) for place, i in enumerate(indexes)}
    return [found[i] for i in range(len(found))], layer._gate(trace)


def _pass_through(steps: Sequence[Step]) -> int:
    """Judge one request; a gate that does not count a refused request forgets it.

    Returns:
        The index of the first that refused it, -1 when none did.
    """
    before: list[list[int]] = []
    for lane, i in steps:
        before.append(lane.gate.state.copy())
        lane.judge(i, i + 1)
        if not lane.admitted[i]:
            break
    else:
        return -1
    k = len(before) - 1
    for j, (lane, i) in enumerate(steps):
        if j < k and not lane.gate.counts_refused:
            lane.gate.take_back(before[j], lane.costs[i])
        elif j > k and lane.gate.counts_refused:
            lane.judge(i, i + 1)
        lane.admitted[i] = False
    return k


def _merged(gate: Gate, steps: Sequence[Step]) -> Gate:
    """A gate with what those of each client wrote for their requests."""
    return replace(gate, column=[lane.gate.column[i] for lane, i in steps]) if gate.writes else gate
