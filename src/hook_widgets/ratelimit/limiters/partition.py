"""The requests of one client at one layer, and the decision about one request by all layers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hook_widgets.ratelimit.limiters.base import SingleLimiter
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


def decide_request(steps: Sequence[Step]) -> int:
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
