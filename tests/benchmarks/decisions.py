"""Decisions per second, against rate limiters and simulators that users have today, and against C.

Run it with `make bench`. One million Poisson arrivals at twice and at 0.8 times the limit. All candidates
that decide the same traffic are timed in turn, round by round, so that a machine that slows down slows down
for all of them; the best round of each counts. The libraries decide the first 20,000 arrivals.

All have their times ready in their own form: ours an `Arrivals`, the others a list of floats, C an array. The
first run with the extra [fast] on an `Arrivals` makes an array of it, too, which is counted at the end.
"""

from __future__ import annotations

import ctypes
import gc
import subprocess
import sys
import time
import tracemalloc
from functools import partial
from importlib.util import find_spec
from typing import Final

from hook_widgets.ratelimit import (
    Arrivals,
    FixedWindow,
    LeakyBucket,
    Limiter,
    Run,
    SlidingCounter,
    SlidingLog,
    TokenBucket,
    simulate,
)
from hook_widgets.ratelimit.simulation import numba_backend
from tests.benchmarks.baselines import BURST, LIMIT, LOOPS, RATE, WINDOW_S, Candidate, c_library, in_c
from tests.benchmarks.competitors import libraries

LOADS: Final = (2.0, 0.8)
ARRIVALS: Final = 1_000_000
FEWER: Final = 20_000
ROUNDS: Final = 5

WAYS: Final = (False, True) if find_spec("numba") else (False,)
WITH_FAST: Final = ", with [fast]"

OURS: Final[dict[str, Limiter]] = {
    "token bucket": TokenBucket(BURST, RATE),
    "leaky bucket": LeakyBucket(BURST, RATE),
    "fixed window": FixedWindow(LIMIT, WINDOW_S),
    "sliding log": SlidingLog(LIMIT, WINDOW_S),
    "sliding counter": SlidingCounter(LIMIT, WINDOW_S),
}


def ours(limiter: Limiter, arrivals: Arrivals, *, fast: bool = False) -> Candidate:
    """`simulate`, as it is without the extra, or as it is with the extra for long traces."""

    def candidate() -> Run:
        usual, numba_backend.LONG = numba_backend.LONG, 0 if fast else sys.maxsize  # type: ignore[misc]
        try:
            return simulate(limiter, arrivals)
        finally:
            numba_backend.LONG = usual  # type: ignore[misc]

    return candidate


def best_ns(candidates: dict[str, tuple[Candidate, int]]) -> dict[str, float]:
    """Nanoseconds of processor time for each of so many decisions: the best round, all in turn in each."""
    best = dict.fromkeys(candidates, float("inf"))
    for _ in range(ROUNDS):
        for name, (candidate, count) in candidates.items():
            gc.collect()
            begin = time.process_time_ns()
            candidate()
            best[name] = min(best[name], (time.process_time_ns() - begin) / count)
    return best


def share(candidate: Candidate, count: int) -> float:
    """How much of so many is let in."""
    match result := candidate():
        case int():
            return result / count
        case list():
            return 1 - (result.count(False) + result.count(None)) / count
        case Run():
            return sum(result.admitted) / count
    return float(result.sum()) / count


def compare(load: float, library: ctypes.CDLL | None) -> None:
    """Print what each algorithm costs at a load."""
    all_of_them = Arrivals.poisson(RATE * load, ARRIVALS / RATE / load, seed=42)
    some = Arrivals(all_of_them.times_ns[:FEWER])
    seconds = list(all_of_them.times_s)
    print(f"\n{load} times the limit: {len(all_of_them):,} Poisson arrivals; libraries {FEWER:,}")
    print(f"  {'':34}{'ns':>9}{'a second':>14}{'x ours':>9}{'x loop':>9}{'x C':>9}{'admitted':>10}")
    for algorithm in OURS:
        candidates = {"ours": (ours(OURS[algorithm], all_of_them), len(seconds))}
        if len(WAYS) > 1:
            candidates["ours" + WITH_FAST] = (ours(OURS[algorithm], all_of_them, fast=True), len(seconds))
        candidates["plain loop over floats"] = (partial(LOOPS[algorithm], seconds), len(seconds))
        if library:
            candidates["C"] = (in_c(library, algorithm, seconds), len(seconds))
        for name, candidate in libraries(algorithm, load, some).items():
            candidates[name] = (candidate, FEWER)
        best = best_ns(candidates)
        print(f"  {algorithm}")
        for name, ns in best.items():
            to_c = f"{ns / best['C']:9.1f}" if library else f"{'':9}"
            ratios = f"{ns / best['ours']:9.2f}{ns / best['plain loop over floats']:9.2f}{to_c}"
            print(f"    {name:32}{ns:9,.1f}{1e9 / ns:14,.0f}{ratios}{share(*candidates[name]):10.4f}")


def growth() -> None:
    """Print what a decision costs in traces of different lengths."""
    lengths = (10_000, 100_000, 1_000_000)
    traffic = {f"{n:,}": Arrivals.poisson(2 * RATE, n / RATE / 2, seed=42) for n in lengths}
    print("\nGrowth: ns for a decision, by arrivals, at 2.0 times the limit")
    print(f"  {'':40}" + "".join(f"{n:>12}" for n in traffic))
    # A thousand and one a second is no whole number of nanoseconds each, so that time has finer ticks.
    for name, limiter in {**OURS, "token bucket of 1001/s": TokenBucket(BURST, RATE + 1)}.items():
        for fast in WAYS:
            best = best_ns({n: (ours(limiter, some, fast=fast), len(some)) for n, some in traffic.items()})
            print(f"  {name + WITH_FAST * fast:40}" + "".join(f"{ns:12.1f}" for ns in best.values()))


def memory_used() -> None:
    """Print bytes for each arrival: of the traffic, and of a run beside it."""
    count = 100_000
    tracemalloc.start()
    arrivals = Arrivals.poisson(RATE * 0.8, count / RATE / 0.8, seed=42)
    print("\nMemory: bytes for each arrival at 0.8 times the limit (tracemalloc)")
    print(f"  {'Arrivals':40}{tracemalloc.get_traced_memory()[0] / len(arrivals):12.1f}")
    for algorithm in ("token bucket", "leaky bucket"):
        for fast in WAYS:
            candidate = ours(OURS[algorithm], arrivals, fast=fast)
            candidate()  # makes what is made once: machine code, and of the times an array of 8 bytes each
            before = tracemalloc.get_traced_memory()[0]
            run = candidate()
            used = tracemalloc.get_traced_memory()[0] - before
            print(f"  {f'Run of a {algorithm}' + WITH_FAST * fast:40}{used / len(run.arrivals):12.1f}")
            del run
    tracemalloc.stop()


ALONE = """
import sys, time
if not {installed}:
    sys.modules["numba"] = None
from hook_widgets.ratelimit import Arrivals, TokenBucket, simulate
arrivals = Arrivals.poisson(2000, {count} / 2000, seed=42)
best = float("inf")
for _ in range({rounds}):
    begin = time.process_time_ns()
    simulate(TokenBucket(100, 1000), arrivals)
    took = time.process_time_ns() - begin
    first = took if best == float("inf") else first
    best = min(best, took)
print(first / 1e6, best / 1e6, "numba" in sys.modules and sys.modules["numba"] is not None)
"""


def not_paid_for() -> None:
    """Print what the extra costs short traces, and the first long one of a process."""
    print("\nFirst and best of five runs in a process of its own: token bucket at 2.0 times the limit, ms")
    print(f"  {'':40}{'first':>12}{'best':>12}{'numba':>12}")
    for count in (2_000, 100_000, 1_000_000):
        for installed in WAYS:
            code = ALONE.format(installed=installed, count=count, rounds=5)
            found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
            first, best, loaded = found.stdout.split()
            name = f"{count:,} arrivals" + WITH_FAST * installed
            was = "loaded" if loaded == "True" else "not loaded"
            print(f"  {name:40}{float(first):12.3f}{float(best):12.3f}{was:>12}")


def main() -> None:
    """Print the tables."""
    with c_library() as library:
        if library is None:
            print("There is no gcc here: no rows of C.")
        if len(WAYS) == 1:
            print("numba is not installed here: no rows with [fast].")
        for load in LOADS:
            compare(load, library)
    growth()
    memory_used()
    not_paid_for()


if __name__ == "__main__":
    main()
