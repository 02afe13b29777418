"""The loops as machine code, for long traces, where numba is installed (the extra ``hook-widgets[fast]``).

The functions of `hook_widgets.ratelimit.loops` are compiled as they stand, for arrays of 64-bit integers. A
trace whose numbers may not fit is left to Python, which has no such limit. The decisions are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from hook_widgets.ratelimit.trace import Gate, Trace

LONG: Final = 500_000
"""Requests from which on a trace is worth it.

Loading numba and compiling a loop take one to three seconds, once a process, and save a tenth of a second per
million requests each time. That pays for whoever judges long traces again and again, and for nobody else.
"""

_LARGEST: Final = 2**63 - 1


def suits(gate: Gate, trace: Trace) -> bool:
    """Whether this gate should judge this trace as machine code. Loads numba only for a long one."""
    fits = gate.bound is not None and max(gate.bound, trace.ticks_per_ns) <= _LARGEST
    return len(trace.arrivals) >= LONG and fits and _numba() is not None


def judge(gate: Gate, trace: Trace) -> Any:
    """The decisions about a whole trace, as an array; the gate is left as Python would leave it."""
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


def int64(values: Sequence[int]) -> Any:
    """An array of these integers."""
    import numpy

    return numpy.fromiter(values, numpy.int64, len(values))


@cache
def _numba() -> Any:
    try:
        import numba
    except ImportError:
        return None
    return numba


@cache
def _machine_code(loop: Callable[..., None]) -> Callable[..., None]:
    # Not kept on disk: that would spare a tenth of the wait, and not every place can be written.
    # Nothing is divided by what could be zero, which need not be checked again.
    found: Callable[..., None] = _numba().njit(loop, error_model="numpy")
    return found
