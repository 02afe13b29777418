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
    from hook_widgets.ratelimit.limiters.trace import LimiterState, Trace

LONG: Final = 500_000
"""Minimum number of requests for which numba is used.

Loading numba and compiling a loop take one to three seconds, once per process, and save a tenth of a second
per million requests. This pays only for processes that decide many long traces.
"""

_LARGEST: Final = 2**63 - 1


def supports(state: LimiterState, trace: Trace) -> bool:
    """Return True if numba should decide this trace. Load numba only for a long trace."""
    fits = state.bound is not None and max(state.bound, trace.ticks_per_ns) <= _LARGEST
    return len(trace.arrivals) >= LONG and fits and _numba() is not None


def decide(state: LimiterState, trace: Trace) -> Any:
    """Return the decisions for a trace as an array, and set `state` as Python would."""
    import numpy

    count = len(trace.arrivals)
    times = trace.arrivals._int64 * trace.ticks_per_ns if trace.ticks_per_ns > 1 else trace.arrivals._int64
    column: Any = numpy.broadcast_to(numpy.int64(1), count)
    if state.writes:
        state.column = column = numpy.zeros(count, numpy.int64)
    elif trace.explicit_costs is not None:
        column = int64(trace.explicit_costs)
    values = int64(state.values)
    admitted = numpy.ones(count, numpy.bool_)
    _machine_code(state.loop)(times, column, *state.numbers, values, admitted, 0, count)
    state.values[:] = values.tolist()
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
