"""The work of a sweep, as a function that any process or machine can run, and its records on disk."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from hook_widgets._arguments import shown
from hook_widgets._version import __version__
from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.limiters.keyed import PerClient, Replicas
from hook_widgets.ratelimit.simulation.chunk_decisions import ChunkDecider, exact_sum
from hook_widgets.ratelimit.sweeping.division import Part
from hook_widgets.ratelimit.sweeping.traffic_file import TrafficFile

_BEGIN: Final = '{"task": "'  # of each line of a checkpoint
_BLOCK: Final = 1 << 17  # requests decided at once: their arrays stay in the processor's cache


@dataclass(frozen=True, slots=True)
class SweepTask:
    """One limit on a part of the requests of one traffic."""

    limiter: Limiter
    traffic: TrafficFile
    part: Part

    @property
    def digest(self) -> str:
        """Identifier of the task: the same for the same work."""
        work = (__version__, self.traffic.digest, repr(self.limiter), tuple(self.part))
        return hashlib.sha256(repr(work).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class TaskCounts:
    """The result of a task; times in ticks.

    Attributes:
        rejected_by: number of requests that each layer rejected.
        offered: number of requests.
        waited: waiting time of the admitted requests, in sum.
        longest: longest wait.
    """

    rejected_by: list[int]
    offered: int = 0
    waited: int = 0
    longest: int = 0

    def __add__(self, other: TaskCounts) -> TaskCounts:
        return TaskCounts(
            [a + b for a, b in zip(self.rejected_by, other.rejected_by, strict=True)],
            self.offered + other.offered,
            self.waited + other.waited,
            max(self.longest, other.longest),
        )


def run_task(task: SweepTask) -> TaskCounts:
    """Decide the requests of a task."""
    import numpy

    layers = task.limiter.layers
    decider = ChunkDecider(task.limiter, with_charges=False)
    total = TaskCounts([0] * len(layers))
    for times_ns, costs, clients in _blocks(task):
        decisions = decider.decide(times_ns, costs, clients)
        counts = [int(numpy.count_nonzero(decisions.rejected_by == k)) for k in range(len(layers))]
        waited = longest = 0
        if decisions.leaves is not None:
            waits = decisions.leaves - decisions.times[decisions.rejected_by < 0]
            waited, longest = exact_sum(waits), int(waits.max(initial=0))
        total += TaskCounts(counts, len(times_ns), waited, longest)
    return total


def _blocks(task: SweepTask) -> Iterator[tuple[Any, Any | None, dict[str, Any]]]:
    """Yield times, costs and clients of some requests, none of them empty.

    They are copies, because machine code for arrays that cannot be written would be compiled once more.
    """
    import numpy

    traffic, part = task.traffic, task.part
    keyed = {layer.key: layer for layer in task.limiter.layers if isinstance(layer, PerClient)}
    codes = {key: traffic.clients(key) for key in keyed if key in traffic.keys}
    routes = {
        key: layer._route()
        for key, layer in keyed.items()
        if isinstance(layer, Replicas) and key not in traffic.keys
    }
    times_ns, costs = traffic.times_ns(), traffic.costs()
    begin, stop = (part.first, part.second) if part.by == "time" else (0, traffic.count)
    for low in range(begin, stop, _BLOCK):
        block: Any = slice(low, min(low + _BLOCK, stop))
        if part.by == "client":
            (who,) = codes.values()
            block = low + (who[block] % part.second == part.first).nonzero()[0]
        times = numpy.array(times_ns[block])
        if len(times):
            clients: dict[str, Any] = {key: numpy.array(who[block]) for key, who in codes.items()}
            clients |= {key: list(islice(route, len(times))) for key, route in routes.items()}
            yield times, None if costs is None else numpy.array(costs[block]), clients


def _result(line: str, path: Path) -> dict[str, TaskCounts]:
    """Return the result of a line by the digest of its task; nothing if the line is only the begin of one.

    Raises:
        InvalidArrivals: the line is neither.
    """
    record = None
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        if line.startswith(_BEGIN) or _BEGIN.startswith(line):  # written when the process ended
            return {}
    match record:
        case {
            "task": str(digest),
            "rejected_by": [*rejected_by],
            "offered": int(offered),
            "waited": int(waited),
            "longest": int(longest),
        } if all(
            isinstance(number, int) and number >= 0 for number in (*rejected_by, offered, waited, longest)
        ):
            return {digest: TaskCounts(rejected_by, offered, waited, longest)}
    raise InvalidArrivals(
        f"{shown(str(path))} has other text than results; give a new file", subject="checkpoint"
    )


class Checkpoint:
    """The results of tasks in a file of JSON lines, to which each is appended as soon as it is there."""

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def read(self) -> dict[str, TaskCounts]:
        """Return the results by the digest of the task. A line that was not written to its end is skipped.

        Raises:
            InvalidArrivals: the file cannot be read or written, or is no checkpoint.
        """
        results: dict[str, TaskCounts] = {}
        if self._path is None:
            return results
        try:
            with self._path.open("a+", encoding="utf-8", errors="replace") as file:
                file.seek(0)
                for line in file:
                    if text := line.strip("\0\n"):
                        results |= _result(text, self._path)
        except InvalidArrivals:
            raise
        except (OSError, ValueError) as error:  # ValueError: no path of this system
            reason = getattr(error, "strerror", None) or error
            raise InvalidArrivals(
                f"{shown(str(self._path))} cannot be a file of results: {reason}; check the path",
                subject="checkpoint",
            ) from None
        return results

    def append(self, digest: str, counts: TaskCounts) -> None:
        """Write a result."""
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(f"\n{json.dumps({'task': digest, **asdict(counts)})}")
