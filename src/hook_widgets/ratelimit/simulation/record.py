"""Exact record of a simulation, in ticks: requests, decisions and charges per layer."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import compress
from operator import sub
from typing import Any

from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit.limiters.base import SingleLimiter
from hook_widgets.ratelimit.limiters.hold_off import HoldOff
from hook_widgets.ratelimit.limiters.keyed import PerClient, one_client
from hook_widgets.ratelimit.limiters.trace import ChargeLog, LimiterState, Stay, Tick, Trace, charge_log_of
from hook_widgets.ratelimit.units import NS_PER_S, Duration, all_nanoseconds, duration


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SimulationRecord:
    """Record of a run, the source of its results in seconds, its curves and its plots.

    Derived values are computed on first access.

    Attributes:
        layers: the limits.
        trace: the requests.
        decisions: True for every admitted request, False for every rejected one: a list, or an array for a
            long run.
        states: the final state of each layer.
        rejections: for every request the index of the layer that rejected it, -1 if none did, likewise; None
            if there is only one layer.
    """

    layers: tuple[SingleLimiter, ...]
    trace: Trace
    decisions: Any
    states: tuple[LimiterState, ...]
    rejections: Any

    @property
    def per_s(self) -> int:
        """Ticks per second."""
        return self.trace.ticks_per_ns * NS_PER_S

    @cached_property
    def admitted(self) -> list[bool]:
        """True for every admitted request, False for every rejected one."""
        return plain(self.decisions)

    @cached_property
    def rejected_by(self) -> list[int] | None:
        """For every request the index of the layer that rejected it, -1 if none did; None for one layer."""
        return None if self.rejections is None else plain(self.rejections)

    @cached_property
    def entries(self) -> list[int]:
        """Arrival times of the admitted requests, in ticks."""
        return list(compress(self.trace.times, self.admitted))

    @cached_property
    def waits(self) -> list[int]:
        """Waiting times of the admitted requests, in ticks: the longest of all layers."""
        leaves = [self._stay(state, state.leaves) for state in self.states if state.leaves]
        return list(map(sub, _latest(leaves), self.entries)) if leaves else [0] * len(self.entries)

    @cached_property
    def leaves(self) -> list[int]:
        """Times at which the admitted requests left the last layer that held them, in ticks, sorted."""
        ends = [self._stay(state, stay) for state in self.states if (stay := state.leaves or state.ends)]
        return sorted(_latest([self.entries, *ends])) if ends else self.entries

    def tick(self, t: Duration) -> Tick:
        """Convert a time to ticks: a float to the nearest nanosecond, like arrivals, anything else exactly.

        Args:
            t: the time, in seconds from the start of the run.

        Raises:
            InvalidArrivals: `t` is negative or not a time.
        """
        if type(t) is int and t >= 0:
            return t * self.per_s
        if type(t) is float and 0.0 <= t < 1e9:
            return all_nanoseconds((t,), "t")[0] * self.trace.ticks_per_ns
        return self.trace.ticks(duration(t, "t", positive=False, error=InvalidArrivals))

    def charge_log(self, k: int, client: Mapping[str, Hashable]) -> ChargeLog:
        """Return the charges to a layer: those of all requests if it counts rejected ones.

        Args:
            k: the index of the layer.
            client: the client by key, required for a `PerClient` layer.

        Raises:
            InvalidArrivals: the layer is per client and `client` does not name one.
        """
        who = self._who(k, client)
        if (k, who) not in self._charge_logs:
            layer, state, trace, admitted = self.layers[k], self.states[k], self.trace, self.admitted
            column = plain(trace.costs if state.column is None else state.column)
            own = None
            if isinstance(layer, PerClient):
                own = trace.requests_of[layer.key].get(who, [])
                trace = trace.part(own)
                admitted, column = [admitted[i] for i in own], [column[i] for i in own]
            rejected = self._rejected(k) if isinstance(one_client(layer), HoldOff) else ()
            if rejected and own is not None:
                rejected = [rejected[i] for i in own]
            self._charge_logs[k, who] = charge_log_of(state, trace, admitted, column, rejected)
        return self._charge_logs[k, who]

    def remaining(self, k: int, client: Mapping[str, Hashable]) -> Callable[[Tick], Fraction]:
        """Return a function from ticks to what is left of a layer.

        Args:
            k: the index of the layer.
            client: the client by key, required for a `PerClient` layer.
        """
        who = self._who(k, client)
        if (k, who) not in self._remaining_by_client:
            self._remaining_by_client[k, who] = self.layers[k]._remaining(self.charge_log(k, client))
        return self._remaining_by_client[k, who]

    def _rejected(self, k: int) -> list[bool]:
        """Return for every request whether this layer rejected it."""
        if self.rejected_by is None:
            return [not admitted for admitted in self.admitted]
        return [by == k for by in self.rejected_by]

    def _stay(self, state: LimiterState, stay: Stay) -> Sequence[int]:
        """Return when something ends for the admitted requests, in their order, in ticks."""
        column = plain(self.trace.costs if state.column is None else state.column)
        return stay(self.entries, list(compress(column, self.admitted)))

    def _who(self, k: int, client: Mapping[str, Hashable]) -> Hashable:
        """Return which of the clients of a layer is meant; None for a layer shared by all."""
        layer = self.layers[k]
        if not isinstance(layer, PerClient):
            return None
        if layer.key not in client:
            raise InvalidArrivals(
                f"{layer.label!r} is kept for each {layer.key}; give client={{{layer.key!r}: ...}}"
            )
        return client[layer.key]

    @cached_property
    def _remaining_by_client(self) -> dict[tuple[int, Hashable], Callable[[Tick], Fraction]]:
        return {}

    @cached_property
    def _charge_logs(self) -> dict[tuple[int, Hashable], ChargeLog]:
        return {}


def plain(values: Any) -> list[Any]:
    """Convert a list or array to a list of Python numbers; those of an array are slow and may overflow."""
    if isinstance(values, list):
        return values
    return list(values.tolist() if hasattr(values, "tolist") else values)


def _latest(ends: Sequence[Sequence[int]]) -> Sequence[int]:
    """Return the latest of several times, for each request."""
    return ends[0] if len(ends) == 1 else list(map(max, *ends))
