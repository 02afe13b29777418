"""Decisions per second, against rate limiters and simulators that users have today, and against C.

Run it with `make bench`. One million Poisson arrivals at twice and at 0.8 times the limit. All candidates
that decide the same traffic are timed in turn, round by round, so that a machine that slows down slows down
for all of them; the best round of each counts. The libraries decide the first 20,000 arrivals.

All have their times ready in their own form: ours an `Arrivals`, the others a list of floats, C an array. The
first run with the extra [fast] on an `Arrivals` makes an array of it, too, which is counted at the end.
"""

from __future__ import annotations

import gc
import random
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Hashable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from hook_widgets.ratelimit import (
    Arrivals,
    Chunk,
    FixedWindow,
    Layers,
    LeakyBucket,
    Limiter,
    PerClient,
    Run,
    SlidingCounter,
    SlidingLog,
    TokenBucket,
    simulate,
    simulate_chunks,
)
from hook_widgets.ratelimit.simulation.machine_code import compiled
from hook_widgets.ratelimit.sweeping import sweep
from tests.benchmarks.baselines import (
    BURST,
    LIMIT,
    LOOPS,
    RATE,
    WINDOW_S,
    Candidate,
    barest,
    c_library,
    in_c,
    several_in_c,
)
from tests.benchmarks.competitors import libraries
from tests.benchmarks.report import Gap, Parts, Row, emit

LOADS: Final = (2.0, 0.8)


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """Numbers of what is measured.

    Attributes:
        arrivals: arrivals of a run.
        fewer: those that a library decides; also the arrivals of a short run.
        first_runs: arrivals of each first run of a process.
        chunks: runs of a stream.
        candidates: limits of a sweep.
        log_lines: lines of an access log.
        rounds: rounds of which the best counts.
    """

    arrivals: int = 1_000_000
    fewer: int = 20_000
    first_runs: Sequence[int] = (2_000, 100_000, 1_000_000)
    chunks: int = 20
    candidates: int = 20
    log_lines: int = 200_000
    rounds: int = 5


SMALLEST: Final = Size(
    arrivals=4_000, fewer=400, first_runs=(2_000,), chunks=2, candidates=2, log_lines=100, rounds=1
)

WAYS: Final = (False, True) if find_spec("numba") else (False,)
WITH_FAST: Final = ", with [fast]"
LOOP: Final = "plain loop over floats"
IN_C: Final = "C"
BAREST: Final = "one read and two writes, in the same compiler"

OURS: Final[dict[str, Limiter]] = {
    "token bucket": TokenBucket(BURST, RATE),
    "leaky bucket": LeakyBucket(BURST, RATE),
    "fixed window": FixedWindow(LIMIT, WINDOW_S),
    "sliding log": SlidingLog(LIMIT, WINDOW_S),
    "sliding counter": SlidingCounter(LIMIT, WINDOW_S),
}


def ours(
    limiter: Limiter,
    arrivals: Arrivals,
    *,
    fast: bool = False,
    clients: dict[str, Iterable[Hashable]] | None = None,
) -> Candidate:
    """`simulate`, as it is without the extra, or as it is with the extra for long traces."""

    def candidate() -> Run:
        usual, compiled.pays = compiled.pays, lambda *_: fast
        try:
            return simulate(limiter, arrivals, clients=clients)
        finally:
            compiled.pays = usual

    return candidate


def best_ns(candidates: dict[str, tuple[Candidate, int]], *, rounds: int) -> dict[str, float]:
    """Nanoseconds of processor time for each of so many decisions: the best round, all in turn in each."""
    best = dict.fromkeys(candidates, float("inf"))
    for _ in range(rounds):
        for name, (candidate, count) in candidates.items():
            gc.collect()
            begin = time.process_time_ns()
            candidate()
            best[name] = min(best[name], (time.process_time_ns() - begin) / count)
    return best


def share(candidate: Candidate, count: int) -> float:
    """Return the admitted share of `count` requests."""
    match result := candidate():
        case int():
            return result / count
        case list():
            return 1 - (result.count(False) + result.count(None)) / count
        case Run():
            return sum(result.admitted) / count
    return float(result.sum()) / count


def compare(load: float, algorithm: str, size: Size) -> Iterator[Row]:
    """Yield what a decision costs at a load: beside a plain loop, each library, and with [fast] beside C."""
    arrivals = Arrivals.poisson(RATE * load, size.arrivals / RATE / load, seed=42)
    some = Arrivals(arrivals.times_ns[: size.fewer])
    seconds = list(arrivals.times_s)
    library = c_library()
    candidates = {"ours": (ours(OURS[algorithm], arrivals), len(seconds))}
    if len(WAYS) > 1:
        candidates["ours" + WITH_FAST] = (ours(OURS[algorithm], arrivals, fast=True), len(seconds))
    candidates[LOOP] = (partial(LOOPS[algorithm], seconds), len(seconds))
    if library:
        candidates[IN_C] = (in_c(library, algorithm, seconds), len(seconds))
    others = libraries(algorithm, load, some)
    candidates |= {name: (candidate, len(some)) for name, candidate in others.items()}
    best = best_ns(candidates, rounds=size.rounds)
    admitted = share(*candidates["ours"])
    assert abs(admitted - share(*candidates[LOOP])) < 0.001, f"{algorithm}: the loop decides otherwise"
    pairs = [("ours", anchor) for anchor in (LOOP, *others)]
    if len(WAYS) > 1 and library:
        pairs.append(("ours" + WITH_FAST, IN_C))
    for mine, anchor in pairs:
        yield Row(
            what=f"Decision at {load:g} times the limit: {algorithm}{mine.removeprefix('ours')}",
            ours=best[mine],
            anchor=best[anchor],
            anchor_name=anchor,
            unit="ns",
            runs=size.rounds,
        )


def growth(size: Size) -> Iterator[Row]:
    """Yield what a decision costs in a long trace, beside a short one."""
    lengths = (size.fewer // 2, size.arrivals)
    traffic = [Arrivals.poisson(2 * RATE, n / RATE / 2, seed=42) for n in lengths]
    # A thousand and one a second is no whole number of nanoseconds each, so that time has finer ticks.
    for name, limiter in {**OURS, "token bucket of 1001/s": TokenBucket(BURST, RATE + 1)}.items():
        candidates = {str(len(some)): (ours(limiter, some), len(some)) for some in traffic}
        short, long = best_ns(candidates, rounds=size.rounds).values()
        yield Row(
            what=f"Decision in a trace of a million: {name}",
            ours=long,
            anchor=short,
            anchor_name="ours, in a trace of ten thousand",
            unit="ns",
            runs=size.rounds,
        )


CLIENTS: Final = 20_000
PER_CLIENT: Final = PerClient("user", TokenBucket(10, "1/s"))
SEVERAL: Final[dict[str, Limiter]] = {
    "token bucket per client": PER_CLIENT,
    "fixed window and token bucket": Layers(FixedWindow(LIMIT, WINDOW_S), TokenBucket(BURST, RATE)),
    "fixed window, token bucket per client": Layers(FixedWindow(LIMIT, WINDOW_S), PER_CLIENT),
}


def several_limits(name: str, size: Size) -> Iterator[Row]:
    """Yield what a decision costs with several limits, or per client, beside Python and C.

    The clients are whole numbers; few of them send most of the requests (Zipf).
    """
    import numpy

    arrivals = Arrivals.poisson(2 * RATE, size.arrivals / RATE / 2, seed=42)
    zipf = [1 / (k + 1) for k in range(CLIENTS)]
    drawn = numpy.array(random.Random(1).choices(range(CLIENTS), zipf, k=len(arrivals)))
    users = drawn if "client" in name else None
    clients: dict[str, Iterable[Hashable]] | None = None if users is None else {"user": users}
    candidates = {
        WITH_FAST if fast else "ours, without [fast]": (
            ours(SEVERAL[name], arrivals, fast=fast, clients=clients),
            len(arrivals),
        )
        for fast in WAYS
    }
    if library := c_library():
        windowed = isinstance(SEVERAL[name], Layers)
        in_c_too = several_in_c(library, arrivals._int64, users, CLIENTS, windowed=windowed)
        assert share(in_c_too, len(arrivals)) == share(*candidates[WITH_FAST]), f"{name}: C decides otherwise"
        candidates[IN_C] = (in_c_too, len(arrivals))
    if users is not None:
        candidates[BAREST] = (barest(arrivals._int64, users, CLIENTS), len(arrivals))
    best = best_ns(candidates, rounds=size.rounds)
    for anchor in [name for name in best if name != WITH_FAST]:
        yield Row(
            what=f"Decision at 2 times the limit: {name}{WITH_FAST}",
            ours=best[WITH_FAST],
            anchor=best[anchor],
            anchor_name=anchor,
            unit="ns",
            runs=size.rounds,
        )


def a_stream(size: Size) -> Iterator[Row]:
    """Yield what a request costs in a stream, with statistics and curve, beside the decision alone."""
    steps_ns = Arrivals.poisson(2 * RATE, size.arrivals / RATE / 2, seed=42)._int64
    arrivals = Arrivals.from_ns(steps_ns)
    chunks = [Arrivals.from_ns(steps_ns + k * int(steps_ns[-1] + 1)) for k in range(size.chunks)]
    limiter = OURS["token bucket"]
    total = size.chunks * len(arrivals)
    best = best_ns(
        {
            "stream": (lambda: int(simulate_chunks(limiter, chunks).summary().admitted), total),
            "alone": (ours(limiter, arrivals, fast=True), len(arrivals)),
        },
        rounds=size.rounds,
    )
    yield Row(
        what=f"Request of a stream of 20 million: token bucket{WITH_FAST}",
        ours=best["stream"],
        anchor=best["alone"],
        anchor_name="decision alone",
        unit="ns",
        runs=size.rounds,
    )


STREAM: Final = """
import numpy
from pathlib import Path
from hook_widgets.ratelimit import Arrivals, TokenBucket, plot_run, simulate_chunks
steps_ns = numpy.random.default_rng(42).exponential(5e5, {arrivals}).cumsum().astype(numpy.int64)
chunks = (Arrivals.from_ns(steps_ns + k * int(steps_ns[-1])) for k in range({chunks}))
plot_run(simulate_chunks(TokenBucket(100, 1000), chunks)).to_file("png")
(peak,) = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
print(peak.split()[1])
"""


def stream_memory(size: Size) -> Iterator[Row]:
    """Yield the largest memory of a process that decides and draws a stream, beside the limit."""
    code = STREAM.format(arrivals=size.arrivals, chunks=size.chunks)
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    yield Row(
        what=f"Memory of a process that draws a stream of {size.arrivals * size.chunks:,} requests",
        ours=int(ran.stdout) / 1024,
        anchor=1024,
        anchor_name="limit",
        unit="MB",
        runs=1,
    )


def a_sweep(size: Size) -> Iterator[Row]:
    """Yield what a request of a sweep costs, beside a run, and how much faster two processes are."""
    arrivals = Arrivals.poisson(2 * RATE, size.arrivals / RATE / 2, seed=42)
    candidates = [TokenBucket(BURST + k, RATE) for k in range(size.candidates)]
    total = len(arrivals) * len(candidates)
    best = best_ns(
        {
            "sweep": (lambda: len(sweep(candidates, arrivals, executor=AtOnce())), total),
            "alone": (ours(candidates[0], arrivals, fast=True), len(arrivals)),
        },
        rounds=size.rounds,
    )
    yield Row(
        what=f"Request of a sweep over {len(candidates)} limits{WITH_FAST}",
        ours=best["sweep"],
        anchor=best["alone"],
        anchor_name="decision alone",
        unit="ns",
        runs=size.rounds,
    )
    seconds = {}
    for count in (1, 2):
        with ProcessPoolExecutor(count, get_context("spawn")) as pool:
            sweep(candidates[: 2 * count], arrivals, executor=pool)  # starts the processes
            begin = time.perf_counter()
            sweep(candidates, arrivals, executor=pool)
            seconds[count] = time.perf_counter() - begin
    yield Row(
        what=f"Sweep over {len(candidates)} limits in two processes{WITH_FAST}",
        ours=seconds[2] * 1000,
        anchor=seconds[1] * 1000 / 2,
        anchor_name="half of one process (the limit)",
        unit="ms",
        runs=1,
    )


class AtOnce(Executor):
    """Runs everything in this process."""

    def submit(self, fn, /, *args, **kwargs):
        future: Future = Future()
        future.set_result(fn(*args, **kwargs))
        return future


LINE: Final = (
    '192.0.2.{} - - [10/Oct/2026:13:{:02}:{:02} +0000] "GET /api/v1/items HTTP/1.1" 200 512 "-" "curl/8"\n'
)


def access_logs(size: Size) -> Iterator[Row]:
    """Yield what a line of an access log costs: beside the limit, and with clients beside polars."""
    count = size.log_lines
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "access.log")
        path.write_text("".join(LINE.format(k % 250, k // 60_000, k // 1_000 % 60) for k in range(count)))
        candidates: dict[str, tuple[Candidate, int]] = {
            "ours": (lambda: len(Arrivals.from_log(path)), count),
            "ours with clients": (lambda: len(Chunk.from_log(path, ["ip"]).arrivals), count),
            "polars": (partial(in_polars, path), count),
        }
        best = best_ns(candidates, rounds=size.rounds)
    yield Row(
        what="Line of an access log",
        ours=best["ours"],
        anchor=1_500,
        anchor_name="limit",
        unit="ns",
        runs=size.rounds,
    )
    yield Row(
        what="Line of an access log, with its client",
        ours=best["ours with clients"],
        anchor=best["polars"],
        anchor_name="polars, streaming",
        unit="ns",
        runs=size.rounds,
    )


def in_polars(path: Path) -> int:
    """Read time and IP address of each line, as a stream."""
    import polars

    lines = polars.scan_csv(
        path,
        has_header=False,
        separator="\1",
        quote_char=None,
        new_columns=["line"],
        truncate_ragged_lines=True,
    )
    parts = polars.col("line").str.splitn(" ", 6).struct
    written = parts.field("field_3") + parts.field("field_4")
    times = written.str.strptime(polars.Datetime("ns"), "[%d/%b/%Y:%H:%M:%S%z]")
    return len(lines.select(ip=parts.field("field_0"), time=times).collect(engine="streaming"))


def memory_used(size: Size) -> Iterator[Row]:
    """Yield bytes for each arrival: of the traffic, and of a run beside it."""
    count = size.arrivals // 10
    tracemalloc.start()
    arrivals = Arrivals.poisson(RATE * 0.8, count / RATE / 0.8, seed=42)
    used = {"Arrivals": tracemalloc.get_traced_memory()[0] / len(arrivals)}
    before = tracemalloc.get_traced_memory()[0]
    floats = list(map(float, arrivals.times_ns))
    anchor = (tracemalloc.get_traced_memory()[0] - before) / len(floats)
    for algorithm in ("token bucket", "leaky bucket"):
        candidate = ours(OURS[algorithm], arrivals)
        candidate()  # makes what is made once
        before = tracemalloc.get_traced_memory()[0]
        run = candidate()
        used[f"Run of a {algorithm}"] = (tracemalloc.get_traced_memory()[0] - before) / len(run.arrivals)
        del run
    tracemalloc.stop()
    for name, bytes_each in used.items():
        yield Row(
            what=f"Memory for each arrival: {name}",
            ours=bytes_each,
            anchor=anchor,
            anchor_name="list of floats",
            unit="bytes",
            runs=1,
        )


ALONE = """
import sys, time
if not {installed}:
    sys.modules["numba"] = None
from hook_widgets.ratelimit import Arrivals, TokenBucket, simulate
arrivals = Arrivals.poisson(2000, {count} / 2000, seed=42)
begin = time.process_time_ns()
simulate(TokenBucket(100, 1000), arrivals)
print((time.process_time_ns() - begin) / 1e6)
"""


def first_runs(count: int, size: Size) -> Iterator[Row]:
    """Yield the first run of a process with the extra, beside that without: compiling must not be noticed.

    The best of a few processes counts, with and without in turn: one alone varies by a third.
    """
    ways = (False, True)
    first_ms = dict.fromkeys(ways, float("inf"))
    for _ in range(size.rounds):
        for installed in ways:
            code = ALONE.format(installed=installed, count=count)
            ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
            first_ms[installed] = min(first_ms[installed], float(ran.stdout))
    yield Row(
        what=f"First run of a process, {count:,} arrivals{WITH_FAST}",
        ours=first_ms[True],
        anchor=first_ms[False],
        anchor_name="ours, without [fast]",
        unit="ms",
        runs=size.rounds,
    )


def parts(*, smallest: bool = False) -> Parts:
    """Return the parts, of the usual or of the smallest size; without numba none of [fast]."""
    size = SMALLEST if smallest else Size()
    fast: Parts = {
        **{f"{name}{WITH_FAST}": partial(several_limits, name, size) for name in SEVERAL},
        "Request of a stream": partial(a_stream, size),
        "Memory of a stream": partial(stream_memory, size),
        "Sweep": partial(a_sweep, size),
        **{f"First run of {count:,} arrivals": partial(first_runs, count, size) for count in size.first_runs},
    }
    return {
        **{
            f"Decision at {load:g} times the limit: {algorithm}": partial(compare, load, algorithm, size)
            for load in (LOADS[:1] if smallest else LOADS)
            for algorithm in OURS
        },
        "Decision in a long trace": partial(growth, size),
        "Memory for each arrival": partial(memory_used, size),
        "Line of an access log": partial(access_logs, size),
        **(fast if len(WAYS) > 1 else {}),
    }


def main() -> Sequence[Gap]:
    """Measure, and return what is missing."""
    peers = ("aiolimiter", "ciw", "limits", "pyrate-limiter", "simpy")
    return emit(parts(), "numpy", *peers, *(("numba",) if len(WAYS) > 1 else ()))
