"""What a run wrote down: the requests, the decisions, and what every layer charged, exactly and in ticks."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import compress
from operator import sub
from typing import Any

from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit.limiter import SingleLimiter
from hook_widgets.ratelimit.per import Per
from hook_widgets.ratelimit.quantity import NS_PER_S, Quantity, all_nanoseconds, duration
from hook_widgets.ratelimit.trace import Gate, Ledger, Stay, Tick, Trace, ledger_of


@dataclass(frozen=True, eq=False, repr=False)
class Books:
    """The books of a run. Answers in seconds, curves and pictures are all made from them.

    What takes work is done when it is first asked for.

    Attributes:
        layers: the limits.
        trace: the requests.
        decisions: for every request whether it was let in: a list, or an array of a long run.
        gates: the limits as they were at work, one for each layer.
        refused_by: for every request the index of the layer that refused it, -1 when none did; None when
            there is only one layer.
    """

    layers: tuple[SingleLimiter, ...]
    trace: Trace
    decisions: Any
    gates: tuple[Gate, ...]
    refused_by: Sequence[int] | None

    @property
    def per_s(self) -> int:
        """Ticks in a second."""
        return self.trace.ticks_per_ns * NS_PER_S

    @cached_property
    def admitted(self) -> list[bool]:
        """For every request whether it was let in."""
        return _plain(self.decisions)

    @cached_property
    def entries(self) -> list[int]:
        """When the admitted requests came, in ticks."""
        return list(compress(self.trace.times, self.admitted))

    @cached_property
    def waits(self) -> list[int]:
        """How long the admitted requests waited, in ticks: the longest wait of all layers."""
        leaves = [self._stay(gate, gate.leaves) for gate in self.gates if gate.leaves]
        return list(map(sub, _latest(leaves), self.entries)) if leaves else [0] * len(self.entries)

    @cached_property
    def leaves(self) -> list[int]:
        """When the admitted requests left the last layer that kept them, in ticks, sorted."""
        kept = [self._stay(gate, stay) for gate in self.gates if (stay := gate.leaves or gate.ends)]
        return sorted(_latest([self.entries, *kept])) if kept else self.entries

    def tick(self, t: Quantity) -> Tick:
        """A moment in ticks: a float to the nearest nanosecond, as arrivals are, anything else exactly.

        Args:
            t: the moment, in seconds from the start of the run.

        Raises:
            InvalidArrivals: it is negative or not a time.
        """
        if type(t) is int and t >= 0:
            return t * self.per_s
        if type(t) is float and 0.0 <= t < 1e9:
            return all_nanoseconds((t,), "t")[0] * self.trace.ticks_per_ns
        return self.trace.ticks(duration(t, "t", positive=False, error=InvalidArrivals))

    def ledger(self, k: int, client: Mapping[str, Hashable]) -> Ledger:
        """What was charged to a layer: to one that counts refused requests, everything.

        Args:
            k: the index of the layer.
            client: who asks, where the layer is `Per` something.

        Raises:
            InvalidArrivals: it is not said who asks.
        """
        who = self._who(k, client)
        if (k, who) not in self._known_ledgers:
            layer, gate, trace, admitted = self.layers[k], self.gates[k], self.trace, self.admitted
            column = _plain(trace.costs if gate.column is None else gate.column)
            if isinstance(layer, Per):
                own = trace.requests_of[layer.key].get(who, [])
                trace = trace.part(own)
                admitted, column = [admitted[i] for i in own], [column[i] for i in own]
            self._known_ledgers[k, who] = ledger_of(gate, trace, admitted, column)
        return self._known_ledgers[k, who]

    def left(self, k: int, client: Mapping[str, Hashable]) -> Callable[[Tick], Fraction]:
        """What is left of a layer, at any tick; the arguments are as for `ledger`."""
        who = self._who(k, client)
        if (k, who) not in self._known_left:
            self._known_left[k, who] = self.layers[k]._left(self.ledger(k, client))
        return self._known_left[k, who]

    def _stay(self, gate: Gate, stay: Stay) -> Sequence[int]:
        """When something ends for the admitted requests, in their order, in ticks."""
        column = _plain(self.trace.costs if gate.column is None else gate.column)
        return stay(self.entries, list(compress(column, self.admitted)))

    def _who(self, k: int, client: Mapping[str, Hashable]) -> Hashable:
        """The one among the clients of a layer."""
        layer = self.layers[k]
        if not isinstance(layer, Per):
            return None
        if layer.key not in client:
            raise InvalidArrivals(f"{layer.label!r} is kept for each {layer.key}. Say whose: {layer.key}=...")
        return client[layer.key]

    @cached_property
    def _known_left(self) -> dict[tuple[int, Hashable], Callable[[Tick], Fraction]]:
        return {}

    @cached_property
    def _known_ledgers(self) -> dict[tuple[int, Hashable], Ledger]:
        return {}


def _plain(values: Any) -> list[Any]:
    """A list, of an array too; an array's own numbers would be slow, and would not grow."""
    if isinstance(values, list):
        return values
    return list(values.tolist() if hasattr(values, "tolist") else values)


def _latest(ends: Sequence[Sequence[int]]) -> Sequence[int]:
    """The later of several moments, for each request."""
    return ends[0] if len(ends) == 1 else list(map(max, *ends))
