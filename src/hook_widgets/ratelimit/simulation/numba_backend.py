"""Decide long traces with machine code, if numba is installed (the extra ``hook-widgets[fast]``).

The functions of `hook_widgets.ratelimit.limiters.algorithms` are compiled unchanged, for arrays of 64-bit
integers. Traces whose numbers may not fit into 64 bits are decided in Python. The decisions are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from hook_widgets.ratelimit.units import int64

if TYPE_CHECKING:
    from hook_widgets.ratelimit.limiters.trace import Gate, Trace

LONG: Final = 500_000
"""Minimum number of requests for which numba is used.

Loading numba and compiling a loop take one to three seconds, once per process, and save a tenth of a second
per million requests. This pays only for processes that decide many long traces.
"""

_LARGEST: Final = 2**63 - 1


def supports(gate: Gate, trace: Trace) -> bool:
    """Return True if this gate should decide this trace with numba. Load numba only for a long trace."""
    fits = gate.bound is not None and max(gate.bound, trace.ticks_per_ns) <= _LARGEST
    return len(trace.arrivals) >= LONG and fits and _numba() is not None


def decide(gate: Gate, trace: Trace) -> Any:
    """Return the decisions for a trace as an array, and leave the gate in the state Python would."""
    import numpy

    count = len(trace.arrivals)
    times = trace.arrivals._int64 * trace.ticks_per_ns if trace.ticks_per_ns > 1 else trace.arrivals._int64
    column: Any = numpy.broadcast_to(numpy.int64(1), count)
    if gate.writes:
        gate.column = column = numpy.zeros(count, numpy.int64)
    elif trace.given_costs is not None:
        column = int64(trace.given_costs)
    state = int64(gate.state)
    admitted = numpy.ones(count, numpy.bool_)
    _machine_code(gate.loop)(times, column, *gate.numbers, state, admitted, 0, count)
    gate.state[:] = state.tolist()
    return admitted


@cache
def _numba() -> Any:
    try:
        import numba
    except ImportError:
        return None
    return numba


@cache
def _machine_code(loop: Callable[..., None]) -> Callable[..., None]:
    # Not cached on disk: that would save only a tenth of the time, and the directory may be read-only.
    # No divisor can be zero, so numba need not check (error_model="numpy").
    compiled: Callable[..., None] = _numba().njit(loop, error_model="numpy")
    return compiled
