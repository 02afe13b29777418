"""Decide a stream chunk by chunk: the state of the limits, and the requests that a log reads again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import lcm
from typing import Any, Final

from hook_widgets.errors import InvalidArrivals, InvalidLimit
from hook_widgets.ratelimit.limiters import algorithms
from hook_widgets.ratelimit.limiters.base import Limiter, SingleLimiter
from hook_widgets.ratelimit.limiters.hold_off import HoldOff
from hook_widgets.ratelimit.limiters.keyed import PerClient
from hook_widgets.ratelimit.limiters.trace import LimiterState, Trace
from hook_widgets.ratelimit.simulation.machine_code import numba_backend
from hook_widgets.ratelimit.simulation.machine_code.client_codes import ClientCodes, ClientNumbers
from hook_widgets.ratelimit.simulation.machine_code.layer_table import MAX_LAYERS, LayerTable, joined
from hook_widgets.ratelimit.traffic.arrivals import Arrivals

_LONG: Final = 1 << 15  # requests at once from which on machine code is loaded


@dataclass(frozen=True, kw_only=True)
class Decisions:
    """The decisions about a chunk, as arrays; times in ticks.

    Attributes:
        times: arrival times.
        costs: cost of each request; None if each is 1.
        rejected_by: index of the layer that rejected each request, -1 if none did.
        leaves: time at which each admitted request left the last queue; None if there is no queue.
        charges: by layer, by how much each request raises what is used, a number or an array, and what is
            used after each charge, -1 where there is none.
    """

    times: Any
    costs: Any | None
    rejected_by: Any
    leaves: Any | None
    charges: dict[int, tuple[Any, Any]]


@dataclass(frozen=True, kw_only=True)
class _Horizon(Trace):
    """A trace without an end, of which the latest time and the total cost so far are known."""

    latest_ns: int
    cost: int

    @property
    def last(self) -> int:
        return self.latest_ns * self.ticks_per_ns

    @property
    def total_cost(self) -> int:
        return self.cost


class ChunkDecider:
    """Decides the requests of a stream, as `simulate` decides those of a trace."""

    def __init__(self, limiter: Limiter, *, with_charges: bool = True) -> None:
        """Start with no request.

        Args:
            limiter: the limit, or several as `Layers`.
            with_charges: False to leave out the charges, which takes less time.

        Raises:
            InvalidLimit: a layer cannot be simulated in chunks.
        """
        import numpy

        self.layers: tuple[SingleLimiter, ...] = limiter.layers
        self.ticks_per_ns: int = lcm(*(layer._ticks_per_ns() for layer in self.layers))
        self.states: tuple[LimiterState, ...] = self._states_at(0, 0)
        if len(self.layers) > MAX_LAYERS or any(state.bound is None for state in self.states):
            raise InvalidLimit(
                f"{limiter.label} has a concurrency limit, a calendar window, or more than {MAX_LAYERS} "
                "layers, which cannot be simulated in chunks; use simulate"
            )
        keys = dict.fromkeys(layer.key for layer in self.layers if isinstance(layer, PerClient))
        others = [k for k, layer in enumerate(self.layers) if not isinstance(layer, PerClient | HoldOff)]
        self._drawn = set(others) if with_charges else set()
        self._clients = {key: ClientNumbers() for key in keys}
        self._rows: list[Any] = [None] * len(self.layers)
        self._cost = 0
        empty = numpy.zeros(0, numpy.int64)
        self._times, self._costs, self._admitted = empty, empty, empty.astype(bool)
        self._codes = {key: empty.astype(numpy.uint32) for key in keys}
        self._in_machine_code: bool | None = None

    def decide(self, times_ns: Any, costs: Any | None, clients: Mapping[str, Any]) -> Decisions:
        """Decide the next requests.

        Args:
            times_ns: array of their times.
            costs: array of their costs; None if each is 1.
            clients: their clients by key.

        Raises:
            InvalidArrivals: the numbers do not fit into 64 bits.
        """
        import numpy

        count, carried = len(times_ns), len(self._times)
        some_costs = numpy.ones(count, numpy.int64) if costs is None else costs
        self._cost += count if costs is None else exact_sum(costs)
        self.states = self._states_at(int(times_ns[-1]), self._cost)
        if max(self.ticks_per_ns, *(state.bound or 0 for state in self.states)) > numba_backend.LARGEST:
            raise InvalidArrivals(
                "the times in ticks, or the costs, do not fit into 64 bits; begin at time 0, or use simulate "
                "for a part"
            )
        if self._in_machine_code is None:
            pays = numba_backend.is_loaded() or count >= _LONG
            self._in_machine_code = pays and numba_backend.is_available()
        ticks = times_ns * self.ticks_per_ns if self.ticks_per_ns > 1 else times_ns
        times = _after(self._times, ticks)
        all_costs = _after(self._costs, some_costs)
        codes = {}
        for key, numbers in self._clients.items():
            codes[key] = ClientCodes(_after(self._codes[key], numbers.codes(clients[key])), numbers.count)
        table = LayerTable(times, all_costs, codes)
        for k, (layer, state) in enumerate(zip(self.layers, self.states, strict=True)):
            table.add(layer, state, self._rows[k], with_used=k in self._drawn)
        rejected_by = table.decide(
            self._admitted if carried else None, in_machine_code=self._in_machine_code
        )[carried:]
        admitted = rejected_by < 0
        decisions = Decisions(
            times=times[carried:],
            costs=costs,
            rejected_by=rejected_by,
            leaves=self._leaves(table, times, admitted, carried),
            charges={
                k: (_step(self.states[k], costs), table.used_of(k)[carried:]) for k in sorted(self._drawn)
            },
        )
        self._keep(table, times, all_costs, _after(self._admitted, admitted), codes)
        return decisions

    def _states_at(self, latest_ns: int, cost: int) -> tuple[LimiterState, ...]:
        horizon = _Horizon(
            arrivals=Arrivals(()),
            ticks_per_ns=self.ticks_per_ns,
            growing=True,
            latest_ns=latest_ns,
            cost=cost,
        )
        return tuple(layer._initial_state(horizon) for layer in self.layers)

    def _leaves(self, table: LayerTable, times: Any, admitted: Any, carried: int) -> Any | None:
        import numpy

        leaves = None
        for k, state in enumerate(self.states):
            if state.leaves:
                entries = times[carried:][admitted]
                ours: Any = state.leaves(entries, table.column(k)[carried:][admitted])
                leaves = ours if leaves is None else numpy.maximum(leaves, ours)
        return leaves

    def _keep(
        self, table: LayerTable, times: Any, costs: Any, admitted: Any, codes: Mapping[str, ClientCodes]
    ) -> None:
        """Keep the values of the layers, and the requests that still count in a log."""
        import numpy

        retentions = {k: _retention(state) for k, state in enumerate(self.states) if state.charged}
        last = int(times[-1])
        cut = int(numpy.searchsorted(times, last - max(retentions.values(), default=0), "right"))
        self._times, self._costs, self._admitted = (
            values[cut:].copy() for values in (times, costs, admitted)
        )
        self._codes = {key: who.codes[cut:].copy() for key, who in codes.items()}
        for k, layer in enumerate(self.layers):
            rows = self._rows[k] = table.rows(k).copy()
            if k not in retentions:
                continue
            who = (
                self._codes[layer.key] if isinstance(layer, PerClient) else numpy.zeros(len(self._times), int)
            )
            counts = self._times > last - retentions[k]
            rows[:, 1] = numpy.bincount(who[~counts], minlength=len(rows))
            charged = counts if self.states[k].counts_rejected else counts & self._admitted
            rows[:, 2] = 0
            numpy.add.at(rows[:, 2], who[charged], self._costs[charged])


def exact_sum(values: Any) -> int:
    """Return the exact sum of an array of numbers that are not negative."""
    if int(values.max(initial=0)) * len(values) < 2**63:
        return int(values.sum())
    return sum(values.tolist())


def unit_of(state: LimiterState) -> int:
    """Return the unit of `layer_loops.used_of` for one request: its numbers are divided by this."""
    loops = (algorithms.token_bucket, algorithms.stepped_token_bucket, algorithms.sliding_counter)
    return int(state.numbers[0]) if state.loop in loops else 1


def _step(state: LimiterState, costs: Any | None) -> Any:
    """Return by how much each request raises what is used, in the unit of `layer_loops.used_of`."""
    if state.writes:  # a queue counts requests
        return 1
    return unit_of(state) if costs is None else costs * unit_of(state)


def _after(carried: Any, values: Any) -> Any:
    """Return one array after another, without a copy if the first one is empty."""
    return joined([carried, values]) if len(carried) else values


def _retention(state: LimiterState) -> int:
    """Return the ticks for which a log counts a request."""
    numbers = state.numbers[1] if state.loop is algorithms.hold_off else state.numbers
    return int(numbers[1])
