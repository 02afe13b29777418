"""Try many limits on the same traffic, on any executor."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import BrokenExecutor, Executor, Future, as_completed
from functools import reduce
from math import lcm
from operator import add
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, cast

from hook_widgets._arguments import shown
from hook_widgets._optional import in_browser
from hook_widgets.errors import InvalidArrivals, InvalidLimit
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.simulation.chunk_decisions import ChunkDecider
from hook_widgets.ratelimit.simulation.chunks import Stream
from hook_widgets.ratelimit.simulation.engine import checked_limiter
from hook_widgets.ratelimit.sweeping.division import divide
from hook_widgets.ratelimit.sweeping.result import Sweep, SweepPoint
from hook_widgets.ratelimit.sweeping.tasks import Checkpoint, SweepTask, TaskCounts, run_task
from hook_widgets.ratelimit.sweeping.traffic_file import store
from hook_widgets.ratelimit.units import NS_PER_S, Quantity, whole

_WORTH_PROCESSES: Final = 50_000_000  # decisions; a process needs about a second until it decides
_MOST_FAILURES: Final = 3  # of executors one after another, without a result between them


def sweep(
    limiters: Iterable[Limiter],
    traffic: Stream | Mapping[str, Stream],
    *,
    executor: Executor | Callable[[], Executor] | None = None,
    parts: Quantity = 1,
    folder: str | PathLike[str] | None = None,
    checkpoint: str | PathLike[str] | None = None,
    progress: Callable[[int, int], object] | bool = False,
) -> Sweep:
    """Decide the same traffic with each of many limits; the decisions are those of `simulate`.

    The traffic is written to files once, and workers map them into memory. The result does not depend on the
    executor, on `parts`, or on which worker did what.

    Args:
        limiters: the candidates, such as ``[Limiter.of(f"{n}/s", kind) for n in ... for kind in ...]``.
        traffic: `Arrivals`, or `Chunk` with costs and clients, or chunks one after another; several by name.
        executor: where to decide: an executor of `concurrent.futures` or with its interface, such as
            ``Client(...).get_executor()`` of dask. A function that returns one, such as
            ``lambda: ProcessPoolExecutor(4)``, is called again if a worker was killed and the executor is
            broken. By default processes if there is enough to do; they import the main module again, so a
            script needs ``if __name__ == "__main__":``.
        parts: divide the traffic into so many parts for each limit: by client if all its layers are kept for
            each client of one key, else at pauses after which it begins as new.
        folder: where the files of the traffic are written, and removed afterwards: a folder that all machines
            share; by default one for temporary files.
        checkpoint: a file to which each result is appended; a sweep that is started again goes on from there.
        progress: called after each task with the number of finished ones and of all; an exception, such as
            that of Ctrl+C, cancels the others. True draws a bar on standard error.

    Raises:
        InvalidLimit: a candidate is no limiter, cannot be simulated in chunks, or not in `parts`.
        InvalidArrivals: the traffic is invalid, or `folder` or `checkpoint` cannot be used.
        concurrent.futures.BrokenExecutor: an executor broke; with a checkpoint, nothing finished is lost.
        Exception: what a worker raised, for the same task twice, such as `OSError` for a file it cannot read.

    >>> from hook_widgets.ratelimit import Arrivals, TokenBucket
    >>> points = sweep([TokenBucket(n, "1/s") for n in (1, 2, 3)], Arrivals.bursts(3, "10 s", "1 min"))
    >>> [point.rejected for point in points]
    [12, 6, 0]
    """
    if isinstance(limiters, Limiter):
        raise InvalidLimit(
            f"{limiters.label} is one limiter, several are a list; write sweep([limiter], ...)"
        )
    if executor is not None and not (callable(executor) or _is_open(executor)):
        raise InvalidArrivals(
            f"is {shown(executor)}, no executor; give one of concurrent.futures, such as ThreadPoolExecutor",
            subject="executor",
        )
    candidates = [checked_limiter(limiter) for limiter in limiters]
    count = whole(parts, "parts", error=InvalidArrivals)
    if not candidates or not count:
        raise InvalidLimit("there is nothing to do; give at least one limiter and one part")
    for limiter in candidates:
        ChunkDecider(limiter)  # raises an error before any work
    streams = traffic if isinstance(traffic, Mapping) else {"": traffic}
    if folder is not None and not Path(folder).is_dir():
        raise InvalidArrivals(f"{shown(str(folder))} is no folder; create it", subject="folder")
    with TemporaryDirectory(dir=folder, prefix="sweep-", ignore_cleanup_errors=True) as directory:
        files = {
            name: store(stream, candidates, Path(directory, str(k)))
            for k, (name, stream) in enumerate(streams.items())
        }
        tasks = {
            (name, k): [SweepTask(limiter, file, part) for part in divide(limiter, file, count)]
            for name, file in files.items()
            for k, limiter in enumerate(candidates)
        }
        results = _run_all(
            [task for some in tasks.values() for task in some],
            _starter(executor, len(candidates) * sum(file.count for file in files.values())),
            restarts=not _is_open(executor),
            checkpoint=Checkpoint(None if checkpoint is None else Path(checkpoint)),
            progress=_bar if progress is True else (progress or (lambda *_: None)),
        )
    return Sweep(
        tuple(
            _point(candidates[k], name, reduce(add, (results[task.digest] for task in some)))
            for (name, k), some in tasks.items()
        )
    )


def _starter(
    executor: Executor | Callable[[], Executor] | None, decisions: int
) -> Callable[[], Executor] | None:
    """Return a function that returns an executor; None to decide in this process."""
    if executor is None:
        return None if decisions < _WORTH_PROCESSES or in_browser() else _processes
    return cast(Callable[[], Executor], (lambda: executor) if _is_open(executor) else executor)


def _is_open(executor: object) -> bool:
    """Return True for an executor, False for a class or function that returns one."""
    return hasattr(executor, "submit") and not isinstance(executor, type)


def _processes() -> Executor:
    from concurrent.futures import ProcessPoolExecutor  # slow to import, for a few sweeps
    from multiprocessing import get_context

    return ProcessPoolExecutor(mp_context=get_context("spawn"))


def _run_all(
    tasks: Iterable[SweepTask],
    start: Callable[[], Executor] | None,
    *,
    restarts: bool,
    checkpoint: Checkpoint,
    progress: Callable[[int, int], object],
) -> dict[str, TaskCounts]:
    """Return the result of each task by its digest.

    Args:
        tasks: the tasks.
        start: returns an executor; None to decide in this process.
        restarts: True if it returns a new one each time, which is to be shut down.
        checkpoint: where results are kept.
        progress: called after each task.
    """
    remaining = {task.digest: task for task in tasks}
    total = len(remaining)
    results = {
        digest: counts
        for digest, counts in checkpoint.read().items()
        if digest in remaining and len(counts.rejected_by) == len(remaining[digest].limiter.layers)
    }
    for digest in results:
        del remaining[digest]

    def finish(digest: str, counts: TaskCounts) -> None:
        checkpoint.append(digest, counts)
        results[digest] = counts
        del remaining[digest]
        progress(total - len(remaining), total)

    if start is None:
        for digest, task in tuple(remaining.items()):
            finish(digest, run_task(task))
    failures = 0
    while remaining and start is not None:
        before, executor = len(remaining), start()
        try:
            _run_on(executor, remaining, finish)
        except BrokenExecutor:
            failures = failures + 1 if len(remaining) == before else 1
            if not restarts or failures == _MOST_FAILURES:
                raise
        finally:
            if restarts:
                executor.shutdown()
    return results


def _run_on(
    executor: Executor, remaining: Mapping[str, SweepTask], finish: Callable[[str, TaskCounts], None]
) -> None:
    futures: dict[Future[TaskCounts], str] = {}
    try:
        for digest, task in remaining.items():
            future = executor.submit(run_task, task)
            if not isinstance(future, Future):
                raise InvalidArrivals(
                    f"returns {type(future).__name__}, no future of concurrent.futures; with dask, give "
                    "Client(...).get_executor()",
                    subject="executor",
                )
            futures[future] = digest
        for future in as_completed(futures):
            digest, error = futures[future], future.exception()
            # dask reports an error of its own if a worker ends while its result is fetched.
            again = error and not isinstance(error, BrokenExecutor)
            result = executor.submit(run_task, remaining[digest]) if again else future
            finish(digest, result.result())
    except BrokenExecutor:
        for future, digest in futures.items():
            if digest in remaining and future.done() and not future.cancelled() and not future.exception():
                finish(digest, future.result())
        raise
    finally:
        for future in futures:
            future.cancel()


def _bar(done: int, total: int) -> None:
    filled = 40 * done // total
    sys.stderr.write(f"\r{'#' * filled}{'.' * (40 - filled)} {done}/{total}{chr(10) * (done == total)}")
    sys.stderr.flush()


def _point(limiter: Limiter, traffic: str, counts: TaskCounts) -> SweepPoint:
    per_s = lcm(*(layer._ticks_per_ns() for layer in limiter.layers)) * NS_PER_S
    admitted = counts.offered - sum(counts.rejected_by)
    return SweepPoint(
        limiter=limiter,
        traffic=traffic,
        offered=counts.offered,
        rejected_by=tuple(counts.rejected_by),
        wait_mean_s=counts.waited / (admitted * per_s) if admitted else None,
        wait_max_s=counts.longest / per_s if admitted else None,
    )
