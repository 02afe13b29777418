"""Decide long traces with machine code; the decisions are the same as in Python.

Traces whose numbers may not fit into 64 bits are decided in Python, and so are concurrency limits, whose
state is a heap.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from hook_widgets.ratelimit.limiters.base import SingleLimiter
from hook_widgets.ratelimit.limiters.keyed import PerClient
from hook_widgets.ratelimit.limiters.trace import LimiterState, Trace
from hook_widgets.ratelimit.simulation.machine_code import numba_backend
from hook_widgets.ratelimit.simulation.machine_code.client_codes import ClientCodes
from hook_widgets.ratelimit.simulation.machine_code.layer_table import MAX_LAYERS, LayerTable
from hook_widgets.ratelimit.units import int64

_START_S: Final = 1.0
"""Time to load numba and the machine code of a former process."""
_SAVED_SINGLE_S: Final = 100e-9
_SAVED_LAYER_S: Final = 400e-9
_SAVED_CLIENT_S: Final = 2_400e-9
_FEW: Final = 2_000  # requests for which arrays are not worth their creation


def supports(states: Sequence[LimiterState], trace: Trace) -> bool:
    """Return True if machine code should decide this trace. Load numba only if that saves time."""
    return (
        pays(states, trace)
        and len(states) <= MAX_LAYERS
        and trace.ticks_per_ns <= numba_backend.LARGEST
        and all(state.bound is not None and state.bound <= numba_backend.LARGEST for state in states)
        and numba_backend.is_available()
    )


def pays(states: Sequence[LimiterState], trace: Trace) -> bool:
    """Return True if machine code is faster than Python, with the time that the process needs to load it.

    The times are those that a limiter takes less for a request, as measured by `make bench`.
    """
    count = len(trace.arrivals)
    if numba_backend.is_loaded():
        return count >= _FEW
    if len(states) == 1 and not trace.clients:
        return count * _SAVED_SINGLE_S > _START_S
    saved_s = len(states) * (_SAVED_CLIENT_S if trace.clients else _SAVED_LAYER_S)
    return count * saved_s > _START_S


def decide_single(state: LimiterState, trace: Trace) -> Any:
    """Return the decisions of one limiter as an array, and set `state` as Python would."""
    import numpy

    count = len(trace.arrivals)
    column = numpy.zeros(count, numpy.int64) if state.writes else _costs(trace)
    if state.writes:
        state.column = column
    values = int64(state.values)
    admitted = numpy.ones(count, numpy.bool_)
    loop = numba_backend.single_loop
    numbers = [loop(number) if callable(number) else number for number in state.numbers]
    loop(state.loop)(_times(trace), column, *numbers, values, 0, admitted, *map(numpy.uint64, (0, count)))
    state.values[:] = values.tolist()
    return admitted


def decide_layers(
    layers: Sequence[SingleLimiter], states: Sequence[LimiterState], trace: Trace
) -> tuple[Any, Any]:
    """Decide layers, of which some may be per client, and set `states` as Python would.

    Returns:
        The decisions, and for every request the index of the first layer that rejected it, -1 if none did:
        two arrays.
    """
    keys = dict.fromkeys(layer.key for layer in layers if isinstance(layer, PerClient))
    clients = {key: ClientCodes.of(trace.clients[key]) for key in keys}
    table = LayerTable(_times(trace), _costs(trace), clients)
    for layer, state in zip(layers, states, strict=True):
        table.add(layer, state)
    rejected_by = table.decide()
    table.finish()
    return rejected_by < 0, rejected_by


def _times(trace: Trace) -> Any:
    """Return the arrival times as an array of ticks."""
    return trace.arrivals._int64 * trace.ticks_per_ns if trace.ticks_per_ns > 1 else trace.arrivals._int64


def _costs(trace: Trace) -> Any:
    import numpy

    if trace.explicit_costs is None:
        return numpy.ones(len(trace.arrivals), numpy.int64)
    return int64(trace.explicit_costs)
