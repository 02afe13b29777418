"""Traffic as files of numbers, which workers map into memory instead of receiving it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hook_widgets.errors import InvalidArrivals, shown
from hook_widgets.ratelimit.limiters.base import Limiter, max_cost
from hook_widgets.ratelimit.simulation.chunks import Chunk, times_after
from hook_widgets.ratelimit.simulation.engine import parse_costs
from hook_widgets.ratelimit.simulation.machine_code.client_codes import ClientNumbers
from hook_widgets.ratelimit.traffic.arrivals import Arrivals

Stream = Arrivals | Chunk | Iterable[Arrivals | Chunk]
"""The traffic of a sweep: at once, or in chunks, each not before the end of the one before it."""

_TIMES: Final = "times_ns"
_COSTS: Final = "costs"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrafficFile:
    """The requests of one traffic, in files of a folder.

    Attributes:
        folder: the folder, as all workers see it.
        count: number of requests.
        keys: keys by which their clients are known.
        has_costs: False if each request costs 1.
        digest: hash of the contents.
    """

    folder: str
    count: int
    keys: tuple[str, ...]
    has_costs: bool
    digest: str

    def times_ns(self) -> Any:
        """Return the times, as an array that is mapped into memory."""
        return self._mapped(_TIMES, "int64")

    def costs(self) -> Any | None:
        """Return the cost of each request; None if each costs 1."""
        return self._mapped(_COSTS, "int64") if self.has_costs else None

    def clients(self, key: str) -> Any:
        """Return the client of each request, as a whole number from 0."""
        return self._mapped(_name_of(self.keys, key), "int32")

    def _mapped(self, name: str, kind: str) -> Any:
        import numpy

        if not self.count:  # an empty file cannot be mapped
            return numpy.zeros(0, kind)
        return numpy.memmap(Path(self.folder, name), kind, "r")


def store(stream: Stream, keys: Sequence[str], limiters: Sequence[Limiter], folder: Path) -> TrafficFile:
    """Write traffic to a folder, which is created.

    Args:
        stream: the traffic.
        keys: keys by which clients are needed.
        limiters: the limits that will decide it, for which costs must be possible.
        folder: the folder.

    Raises:
        InvalidArrivals: times, costs or clients are invalid or missing.
    """
    import numpy

    folder.mkdir(parents=True)
    chunks = [stream] if isinstance(stream, Arrivals | Chunk) else stream
    strictest = min(limiters, key=lambda limiter: -1 if (most := max_cost(limiter)) is None else most)
    numbers = {key: ClientNumbers() for key in keys}
    count = last_ns = 0
    has_costs, digest = False, hashlib.sha256(repr(tuple(keys)).encode())
    names = [_TIMES, _COSTS, *(_name_of(keys, key) for key in keys)]
    files = {name: folder.joinpath(name).open("wb") for name in names}
    try:
        for one in chunks:
            chunk = one if isinstance(one, Chunk) else Chunk(one)
            if not isinstance(chunk.arrivals, Arrivals):
                raise InvalidArrivals(
                    f"traffic is {shown(chunk.arrivals)}; give Arrivals, or Chunk(arrivals, ...)"
                )
            times_ns = times_after(chunk.arrivals, last_ns)
            if not len(times_ns):
                continue
            costs = parse_costs(chunk.costs, len(times_ns), strictest)
            arrays = {_TIMES: times_ns}
            if costs is not None and not has_costs:
                numpy.ones(count, numpy.int64).tofile(files[_COSTS])
                has_costs = True
            if has_costs:
                arrays[_COSTS] = numpy.array(costs or [1] * len(times_ns), numpy.int64)
            for key in keys:
                arrays[_name_of(keys, key)] = _codes(chunk, key, numbers[key], len(times_ns))
            for name, array in arrays.items():
                array.tofile(files[name])
                digest.update(name.encode() + b"\0" + array.tobytes())
            count, last_ns = count + len(times_ns), int(times_ns[-1])
    finally:
        for file in files.values():
            file.close()
    return TrafficFile(
        folder=str(folder), count=count, keys=tuple(keys), has_costs=has_costs, digest=digest.hexdigest()
    )


def _codes(chunk: Chunk, key: str, numbers: ClientNumbers, count: int) -> Any:
    import numpy

    who = chunk.clients.get(key)
    if who is None or isinstance(who, str) or not isinstance(who, Iterable):
        raise InvalidArrivals(
            f"a limit is kept for each {key}; give Chunk(arrivals, clients={{{key!r}: ...}}), one for each "
            "request"
        )
    codes = numbers.codes(who if isinstance(who, numpy.ndarray) else list(who))
    if len(codes) != count:
        raise InvalidArrivals(
            f"there are {count} arrivals and {len(codes)} clients of {key!r}; give one for each arrival"
        )
    return codes


def _name_of(keys: Sequence[str], key: str) -> str:
    return f"clients_{list(keys).index(key)}"  # a key may be no name of a file
