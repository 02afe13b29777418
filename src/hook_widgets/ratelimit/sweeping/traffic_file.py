"""Traffic as files of numbers, which workers map into memory instead of receiving it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit.limiters.base import Limiter, max_cost
from hook_widgets.ratelimit.limiters.keyed import PerClient, Replicas
from hook_widgets.ratelimit.simulation.chunks import Chunk, Stream, chunks_of, costs_of, times_after
from hook_widgets.ratelimit.simulation.engine import one_for_each
from hook_widgets.ratelimit.simulation.machine_code.client_codes import ClientNumbers

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


def store(stream: Stream, limiters: Sequence[Limiter], folder: Path) -> TrafficFile:
    """Write traffic to a folder, which is created.

    Args:
        stream: the traffic.
        limiters: the limits that will decide it. Their clients are written; costs must be possible for all.
        folder: the folder.

    Raises:
        InvalidArrivals: times, costs or clients are invalid or missing.
    """
    import numpy

    folder.mkdir(parents=True)
    strictest = min(limiters, key=lambda limiter: -1 if (most := max_cost(limiter)) is None else most)
    per_client = [layer for limiter in limiters for layer in limiter.layers if isinstance(layer, PerClient)]
    keys: tuple[str, ...] = ()
    count = last_ns = 0
    has_costs, digest = False, hashlib.sha256()
    numbers, files = dict[str, ClientNumbers](), dict[str, Any]()
    try:
        for chunk in chunks_of(stream):
            times_ns = times_after(chunk.arrivals, last_ns)
            if not len(times_ns):
                continue
            if not files:
                keys = _keys(per_client, chunk)
                digest.update(repr(keys).encode())
                numbers = {key: ClientNumbers() for key in keys}
                names = [_TIMES, _COSTS, *(_name_of(keys, key) for key in keys)]
                files = {name: folder.joinpath(name).open("wb") for name in names}
            costs = costs_of(chunk, strictest)
            arrays = {_TIMES: times_ns}
            if costs is not None and not has_costs:
                numpy.ones(count, numpy.int64).tofile(files[_COSTS])
                has_costs = True
            if has_costs:
                arrays[_COSTS] = numpy.ones(len(times_ns), numpy.int64) if costs is None else costs
            if others := set(keys) ^ set(_keys(per_client, chunk)):
                raise InvalidArrivals(
                    f"some chunks have clients by {min(others)!r}, others do not; give one for each request"
                )
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


def _keys(per_client: Iterable[PerClient], chunk: Chunk) -> tuple[str, ...]:
    """Return the keys of clients; those of replicas if the traffic says where each request goes."""
    keys = (
        layer.key for layer in per_client if not isinstance(layer, Replicas) or layer.key in chunk.clients
    )
    return tuple(dict.fromkeys(keys))


def _codes(chunk: Chunk, key: str, numbers: ClientNumbers, count: int) -> Any:
    if key not in chunk.clients:
        raise InvalidArrivals(
            f"a limit is kept for each {key}; give Chunk(arrivals, clients={{{key!r}: ...}}), one for each "
            "request"
        )
    return numbers.codes(one_for_each(chunk.clients[key], key, count))


def _name_of(keys: Sequence[str], key: str) -> str:
    return f"clients_{list(keys).index(key)}"  # a key may be no name of a file
