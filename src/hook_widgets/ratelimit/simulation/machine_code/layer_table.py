"""Layers and requests as the flat arrays that `decide_layers` of `layer_loops` takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from hook_widgets.ratelimit.limiters import algorithms
from hook_widgets.ratelimit.limiters.base import SingleLimiter
from hook_widgets.ratelimit.limiters.keyed import PerClient
from hook_widgets.ratelimit.limiters.trace import LimiterState
from hook_widgets.ratelimit.simulation.machine_code import layer_loops, numba_backend
from hook_widgets.ratelimit.simulation.machine_code.client_codes import ClientCodes

MAX_LAYERS: Final = 127
"""Largest number of layers; the index of one is a signed byte."""


class LayerTable:
    """The arguments of `layer_loops.decide_layers`, as lists of arrays to be joined.

    `times` and `columns` hold the requests in order of arrival, with their costs; once more for each layer
    that writes its own values; and once more, grouped by client, for each key of a log per client, because a
    log reads its requests again.
    """

    def __init__(self, times: Any, costs: Any, clients: Mapping[str, ClientCodes]) -> None:
        self._times, self._costs, self._clients = times, costs, clients
        self._count = len(times)
        self._numbers: list[int] = []
        self._values: list[Any] = []
        self._columns: list[Any] = []
        self._parts: dict[tuple[str, int], int] = {}
        self._part_times: list[Any] = []
        self._orders: list[Any] = []
        self._positions: dict[str, int] = {}
        self._layers: list[tuple[SingleLimiter, LimiterState]] = []
        self._used = 0
        self._all_used: Any = None

    def add(
        self, layer: SingleLimiter, state: LimiterState, rows: Any = None, *, with_used: bool = False
    ) -> None:
        """Add the next layer.

        Args:
            layer: the layer.
            state: its parameters and initial values.
            rows: the values of its clients so far; those of new clients are added. In those of a log, the
                index is that among the requests of the client.
            with_used: tell what is used of the layer after each request.
        """
        key = layer.key if isinstance(layer, PerClient) else ""
        held = state.loop is algorithms.hold_off
        loop, parameters, hold = state.numbers if held else (state.loop, state.numbers, 0)
        is_log = loop is algorithms.sliding_log
        first = self._part(key if is_log else "", len(self._layers) if state.writes else -1)
        values = self._initial(key, state, 0 if held else 1, rows)
        if is_log:
            values[:, 1] += first + (self._clients[key].starts if key else 0)
        self._numbers += [layer_loops.LAYERED.index(loop), *map(int, parameters)]
        self._numbers += [0] * (layer_loops.HOLD - 1 - len(parameters))
        self._numbers += [
            hold,
            first,
            self._positions[key] if is_log and key else -1,
            list(self._clients).index(key) * self._count if key else -1,
            sum(map(len, self._values)),
            -1 if state.charged is None else (0 if held else 1) + state.charged,
            int(state.counts_rejected),
            self._used if with_used else -1,
        ]
        self._used += self._count if with_used else 0
        self._values.append(values.ravel())
        self._layers.append((layer, state))

    def decide(self, passed: Any = None, *, in_machine_code: bool = True) -> Any:
        """Decide the requests, and return for each the layer that rejected it, -1 if none did.

        Args:
            passed: the decisions about the first requests, if they are already decided.
            in_machine_code: False to run the loop in Python.
        """
        import numpy

        first = 0 if passed is None else len(passed)
        before = numpy.ones(self._count, numpy.bool_)
        before[:first] = True if passed is None else passed
        orders = dict(zip(self._parts, self._orders, strict=True))
        admitted = joined([before if order is None else before[order] for order in orders.values()])
        rejected_by = numpy.full(self._count, -1, numpy.int8)
        numbers = numpy.array(self._numbers, numpy.int64)
        self._joined_values, self._joined_columns = joined(self._values), joined(self._columns)
        codes = joined([who.codes for who in self._clients.values()], numpy.uint32)
        times = joined(self._part_times)
        self._all_used = numpy.full(self._used, -1, numpy.int64)
        plain = self._is_plain()
        if in_machine_code and plain and len(self._layers) == 1:
            if not self._clients:
                codes = numpy.zeros(self._count, numpy.uint32)
            arrays = [times, self._joined_columns, codes, numbers, self._joined_values, admitted]
            arrays.append(self._all_used)
            numba_backend.client_loop()(*arrays, first, self._count)
            return numpy.negative(admitted.view(numpy.int8))
        positions = joined([self._clients[key].positions for key in self._positions], numpy.int64)
        arrays = [times, self._joined_columns, positions, codes, numbers, self._joined_values]
        arrays += [numpy.zeros_like(numbers), admitted, rejected_by, self._all_used]
        if in_machine_code:
            numba_backend.layer_loop(general=not plain)(*arrays, first, self._count)
            return rejected_by
        lists: list[Any] = [array.tolist() for array in arrays]
        decide: Callable[..., None] = layer_loops.decide_layers
        decide(*lists, first, self._count)
        for array, values in zip(arrays, lists, strict=True):
            array[:] = values
        return rejected_by

    def finish(self) -> None:
        """Store the final values of shared layers, and the values that layers wrote, in their states."""
        for k, (layer, state) in enumerate(self._layers):
            if state.writes:
                state.column = self.column(k)
            if not isinstance(layer, PerClient):
                values = self.rows(k)[0][0 if state.loop is algorithms.hold_off else 1 :]
                state.values[:] = values[: len(state.values)].tolist()
                if layer_loops.LAYERED[self._number(k, 0)] is algorithms.sliding_log:
                    state.values[-2] -= self._number(k, layer_loops.FIRST_REQUEST)

    def rows(self, k: int) -> Any:
        """Return the values of the clients of a layer, one row for each."""
        begin = self._number(k, layer_loops.FIRST_VALUE)
        stop = begin + len(self._values[k])
        return self._joined_values[begin:stop].reshape(-1, layer_loops.STATE_SIZE)

    def column(self, k: int) -> Any:
        """Return the costs, or the values that a layer wrote, for each request."""
        first = self._number(k, layer_loops.FIRST_REQUEST)
        return self._joined_columns[first : first + self._count]

    def used_of(self, k: int) -> Any:
        """Return what is used of a layer after each request that was charged to it, -1 for others."""
        begin = self._number(k, layer_loops.USED)
        return self._all_used[begin : begin + self._count]

    def _is_plain(self) -> bool:
        """Return True if `layer_loops.GENERAL` may be False."""
        states = [state for _, state in self._layers]
        return (
            len(self._parts) == 1
            and not self._positions
            and not any(state.loop is algorithms.hold_off for state in states)
            and (len(states) == 1 or not any(state.counts_rejected or state.charged for state in states))
        )

    def _number(self, k: int, index: int) -> int:
        return self._numbers[k * layer_loops.LAYER_SIZE + index]

    def _initial(self, key: str, state: LimiterState, begin: int, rows: Any) -> Any:
        import numpy

        count = self._clients[key].count if key else 1
        values = numpy.zeros((count, layer_loops.STATE_SIZE), numpy.int64)
        values[:, begin : begin + len(state.values)] = state.values
        if rows is not None:
            values[: len(rows)] = rows
        return values

    def _part(self, key: str, layer: int) -> int:
        """Return the index of the first request in `times`.

        Args:
            key: the key by whose clients requests are grouped; empty for the order of arrival.
            layer: the index of a layer that writes its own values, else -1.
        """
        import numpy

        if (key, layer) not in self._parts:
            order = self._clients[key].order if key else None
            if key:
                self._positions[key] = len(self._positions) * self._count
            self._parts[key, layer] = len(self._parts) * self._count
            self._orders.append(order)
            self._part_times.append(self._times[order] if key else self._times)
            if layer >= 0:
                self._columns.append(numpy.zeros(self._count, numpy.int64))
            else:
                self._columns.append(self._costs[order] if key else self._costs)
        return self._parts[key, layer]


def joined(arrays: Sequence[Any], dtype: Any = None) -> Any:
    """Return arrays as one, without a copy if there is only one."""
    import numpy

    if len(arrays) == 1:
        return arrays[0]
    return numpy.concatenate(arrays) if arrays else numpy.zeros(0, dtype)
