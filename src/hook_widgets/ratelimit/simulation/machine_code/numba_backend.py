"""Machine code of the algorithms, if numba is installed (the extra ``hook-widgets[fast]``).

The functions of `hook_widgets.ratelimit.limiters.algorithms` are compiled for arrays of 64-bit integers; only
that a request is admitted is written, too. Machine code is kept on disk, beside the module or in the user's
cache directory, so that only the first process compiles it; numba compiles it again when the module, numba or
the processor has changed.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from functools import cache
from types import FunctionType
from typing import Any, Final
from zlib import crc32

from hook_widgets.ratelimit.limiters import algorithms
from hook_widgets.ratelimit.simulation.machine_code import layer_loops

LARGEST: Final = 2**63 - 1
"""Largest number of machine code."""

_REJECTS: Final = re.compile(r"^( +)else:\n( +)(admitted\[i\] = )False$", re.MULTILINE)


def is_available() -> bool:
    """Return True if numba is installed. Load it."""
    return _numba() is not None


def is_loaded() -> bool:
    """Return True if this process has loaded machine code, so that more of it costs a few milliseconds."""
    return _numba.cache_info().currsize > 0 and _numba() is not None


@cache
def single_loop(loop: Callable[..., None]) -> Any:
    """Return the loop of one algorithm as machine code."""
    return _on_disk(deciding_both(loop))


@cache
def client_loop() -> Any:
    """Return `layer_loops.decide_clients` as machine code."""
    used_of = {"used_of": _compiled(layer_loops.used_of, inline="always")}
    used_after = _compiled(layer_loops.used_after, used_of, inline="always")
    loops = _inlined(map(deciding_both, layer_loops.LAYERED))
    return _on_disk(layer_loops.decide_clients, used_after=used_after, **loops)


@cache
def layer_loop(*, general: bool) -> Any:
    """Return `layer_loops.decide_layers` as machine code."""
    return _on_disk(
        layer_loops.decide_layers,
        "general" if general else "plain",
        GENERAL=general,
        run_algorithm=_compiled(layer_loops.run_algorithm, _inlined(layer_loops.LAYERED), inline="always"),
        hold_off=_compiled(algorithms.hold_off),
        used_of=_compiled(layer_loops.used_of),
    )


def _inlined(loops: Iterable[Any]) -> dict[str, Any]:
    return {loop.__name__: _compiled(loop, inline="always") for loop in loops}


def deciding_both(loop: Any) -> Any:
    """Return a loop that writes its decision in both branches, not only where it rejects.

    That is one write without a branch, of which a processor would guess many wrong. In Python, the second
    write would take a twentieth of the time.
    """
    try:
        source = _source_of(loop)
    except OSError:  # no source
        return loop
    names = dict(loop.__globals__)
    exec(compile(source, loop.__code__.co_filename, "exec"), names)
    return names[loop.__name__]


def _source_of(loops: Any) -> str:
    return _REJECTS.sub(r"\2\3True\n\1else:\n\2\3False", inspect.getsource(loops))


def _on_disk(function: Any, variant: str = "", **names: Any) -> Any:
    """Return a function as machine code that is kept on disk, in a file of its name and variant.

    Numba notices a change of the file of the function. The name tells one of the algorithms, which it calls.
    """
    try:
        called = crc32(_source_of(algorithms).encode())
        return _compiled(function, names, f"-{variant}-{called:08x}", cache=True)
    except (OSError, RuntimeError):  # no source, or no directory is writable
        return _compiled(function, names)


def _compiled(function: Any, names: dict[str, Any] | None = None, suffix: str = "", **options: Any) -> Any:
    """Return a function as machine code, in which global names may mean other machine code and constants.

    No divisor can be zero, so numba need not check (``error_model="numpy"``). References to arrays are not
    counted (``_nrt=False``): that would take ten times as long as a decision.
    """
    bound = FunctionType(function.__code__, {**function.__globals__, **(names or {})})
    bound.__qualname__ += suffix
    return _numba().njit(bound, error_model="numpy", _nrt=False, **options)


@cache
def _numba() -> Any:
    try:
        import numba
    except ImportError:
        return None
    return numba
