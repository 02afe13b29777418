"""Lower bounds for the cost of a decision: a plain Python loop over floats, and the same in C.

Limiter 1000/s, bursts and queue of 100, windows of 1000 in one second.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections import deque
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy

RATE: Final = 1000
BURST: Final = 100
LIMIT: Final = 1000
WINDOW_S: Final = 1

ALGORITHMS: Final = ("token bucket", "leaky bucket", "fixed window", "sliding log", "sliding counter")

Candidate = Callable[[], Any]
"""Decides all its arrivals: returns decisions, waits, or the number admitted."""


def token_loop(times: list[float]) -> list[bool]:
    out: list[bool] = []
    level, last = float(BURST), 0.0
    append = out.append
    for t in times:
        level += (t - last) * RATE
        if level > BURST:
            level = BURST
        last = t
        if level >= 1.0:
            level -= 1.0
            append(True)
        else:
            append(False)
    return out


def leaky_loop(times: list[float]) -> list[float | None]:
    """The wait of each, None for a rejected one: as much as ours keeps."""
    out: list[float | None] = []
    interval, free = 1.0 / RATE, 0.0
    room, append = (BURST - 1) * interval, out.append
    for t in times:
        if free < t:
            free = t
        if free - t <= room:
            free += interval
            append(free - t)
        else:
            append(None)
    return out


def fixed_loop(times: list[float]) -> list[bool]:
    out: list[bool] = []
    end, used = 0.0, 0
    append = out.append
    for t in times:
        if t >= end:
            end = (t // WINDOW_S + 1) * WINDOW_S
            used = 0
        if used < LIMIT:
            used += 1
            append(True)
        else:
            append(False)
    return out


def log_loop(times: list[float]) -> list[bool]:
    log: deque[float] = deque()
    out: list[bool] = []
    append = out.append
    for t in times:
        horizon = t - WINDOW_S
        while log and log[0] <= horizon:
            log.popleft()
        if len(log) < LIMIT:
            log.append(t)
            append(True)
        else:
            append(False)
    return out


def counter_loop(times: list[float]) -> list[bool]:
    out: list[bool] = []
    end, previous, current = 0.0, 0, 0
    append = out.append
    for t in times:
        if t >= end:
            previous = current if t < end + WINDOW_S else 0
            current = 0
            end = (t // WINDOW_S + 1) * WINDOW_S
        if previous * (end - t) / WINDOW_S + current < LIMIT:
            current += 1
            append(True)
        else:
            append(False)
    return out


LOOPS: Final = dict(
    zip(ALGORITHMS, (token_loop, leaky_loop, fixed_loop, log_loop, counter_loop), strict=True)
)

# --- the same in C --------------------------------------------------------------------------------------

C_SOURCE = """
#include <math.h>
#define BURST 100.0
#define RATE 1000.0
#define LIMIT 1000
#define W 1.0
void token(const double *times, long n, char *admitted, double *wait) {
    double level = BURST, last = 0;
    for (long i = 0; i < n; i++) {
        double t = times[i];
        level += (t - last) * RATE; if (level > BURST) level = BURST; last = t;
        if (level >= 1) { level -= 1; admitted[i] = 1; } else admitted[i] = 0;
    }
}
void leaky(const double *times, long n, char *admitted, double *wait) {
    double interval = 1 / RATE, room = (BURST - 1) * interval, end = 0;
    for (long i = 0; i < n; i++) {
        double t = times[i];
        if (end < t) end = t;
        if (end - t <= room) { end += interval; wait[i] = end - t; admitted[i] = 1; }
        else { wait[i] = -1; admitted[i] = 0; }
    }
}
void fixed(const double *times, long n, char *admitted, double *wait) {
    double end = 0; long used = 0;
    for (long i = 0; i < n; i++) {
        double t = times[i];
        if (t >= end) { end = (floor(t / W) + 1) * W; used = 0; }
        if (used < LIMIT) { used++; admitted[i] = 1; } else admitted[i] = 0;
    }
}
void log_of(const double *times, long n, char *admitted, double *wait) {
    double ring[LIMIT]; long count = 0, oldest = 0, next = 0;
    for (long i = 0; i < n; i++) {
        double t = times[i];
        while (count && ring[oldest] <= t - W) { oldest = oldest + 1 == LIMIT ? 0 : oldest + 1; count--; }
        if (count < LIMIT) {
            ring[next] = t; next = next + 1 == LIMIT ? 0 : next + 1; count++; admitted[i] = 1;
        } else admitted[i] = 0;
    }
}
void counter(const double *times, long n, char *admitted, double *wait) {
    double end = 0; long previous = 0, current = 0;
    for (long i = 0; i < n; i++) {
        double t = times[i];
        if (t >= end) { previous = t < end + W ? current : 0; current = 0; end = (floor(t / W) + 1) * W; }
        if (previous * (end - t) / W + current < LIMIT) { current++; admitted[i] = 1; } else admitted[i] = 0;
    }
}
/* Whole nanoseconds: in a double, a nanosecond is lost once times are long. */
static inline char bucket(long t, long *full_at, long interval, long depth) {
    long after = (*full_at < t ? t : *full_at) + interval;
    if (after - t > depth) return 0;
    *full_at = after; return 1;
}
void per_client(const long *times, const int *clients, long n, char *admitted, long *full_at) {
    for (long i = 0; i < n; i++)
        admitted[i] = bucket(times[i], full_at + clients[i], 1000000000, 10000000000);
}
void in_window(const long *times, const int *clients, long n, char *admitted, long *full_at) {
    long end = 0, used = 0;
    for (long i = 0; i < n; i++) {
        long t = times[i];
        if (t >= end) { end = (t / 1000000000 + 1) * 1000000000; used = 0; }
        admitted[i] = used < LIMIT && (clients
            ? bucket(t, full_at + clients[i], 1000000000, 10000000000)
            : bucket(t, full_at, 1000000, 100000000));
        used += admitted[i];
    }
}
"""
C_NAMES = dict(zip(ALGORITHMS, ("token", "leaky", "fixed", "log_of", "counter"), strict=True))


@cache
def c_library() -> ctypes.CDLL | None:
    """The C loops compiled by gcc -O3; None when there is no gcc."""
    gcc = shutil.which("gcc")
    if gcc is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "loops.c"), Path(folder, "loops.so")
        source.write_text(C_SOURCE)
        subprocess.run([gcc, "-O3", "-shared", "-fPIC", "-o", library, source, "-lm"], check=True)
        return ctypes.CDLL(str(library))


def in_c(library: ctypes.CDLL, algorithm: str, seconds: list[float]) -> Candidate:
    """Over a ready array, into arrays that are there already."""
    times = numpy.array(seconds)
    admitted, wait = numpy.zeros(len(times), numpy.int8), numpy.zeros(len(times))
    function = getattr(library, C_NAMES[algorithm])
    function.argtypes = [ctypes.c_void_p, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]

    def candidate() -> numpy.ndarray:
        function(times.ctypes.data, len(times), admitted.ctypes.data, wait.ctypes.data)
        return admitted

    return candidate


def barest(times: Any, clients: Any, count: int) -> Candidate:
    """The least that a decision per client takes in the compiler of [fast]: read its state, write both."""
    import numba

    @numba.njit
    def loop(times, clients, full_at, admitted):
        for i in range(len(times)):
            admitted[i] = full_at[clients[i]] <= times[i]
            full_at[clients[i]] = times[i]

    admitted, codes = numpy.zeros(len(times), numpy.bool_), clients.astype(numpy.uint32)

    def candidate() -> numpy.ndarray:
        loop(times, codes, numpy.zeros(count, numpy.int64), admitted)
        return admitted

    candidate()  # compiles it
    return candidate


def several_in_c(library: ctypes.CDLL, times: Any, clients: Any, count: int, *, windowed: bool) -> Candidate:
    """A token bucket for each of `count` clients, or for all if `clients` is None; with a window for all."""
    admitted, full_at = numpy.zeros(len(times), numpy.int8), numpy.zeros(count, numpy.int64)
    function = library.in_window if windowed else library.per_client
    function.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    codes = None if clients is None else clients.astype(numpy.int32)

    def candidate() -> numpy.ndarray:
        full_at[:] = 0
        who = None if codes is None else codes.ctypes.data
        function(times.ctypes.data, who, len(times), admitted.ctypes.data, full_at.ctypes.data)
        return admitted

    return candidate
