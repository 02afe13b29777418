"""Run a limiter on a stream of requests of any length, with constant memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from os import PathLike
from typing import Any, Final

from hook_widgets._arguments import shown
from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.limiters.keyed import Replicas
from hook_widgets.ratelimit.simulation.chunk_decisions import ChunkDecider, Decisions, exact_sum, unit_of
from hook_widgets.ratelimit.simulation.engine import checked_limiter, parse_clients, parse_costs
from hook_widgets.ratelimit.simulation.result import Totals
from hook_widgets.ratelimit.simulation.series import Curve, limit
from hook_widgets.ratelimit.simulation.summary import Summary
from hook_widgets.ratelimit.simulation.thinning import Columns, WaitCounts
from hook_widgets.ratelimit.traffic.arrivals import Arrivals
from hook_widgets.ratelimit.units import NS_PER_S, Quantity, whole

_BLOCK: Final = 1 << 17  # requests decided at once: their arrays stay in the processor's cache


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a stream of requests, for `simulate_chunks`.

    Attributes:
        arrivals: the times, not before those of the chunk before it.
        costs: the cost of each request, whole numbers of at least 1; None for 1 each.
        clients: the clients by key, for `PerClient`, as for `simulate`.
        statuses: requests of each status in a log, such as ``{"200": 90, "429": 10}``; it decides nothing.
    """

    arrivals: Arrivals
    costs: Iterable[Quantity] | None = None
    clients: Mapping[str, Hashable | Iterable[Hashable]] = field(default_factory=dict)
    statuses: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def from_log(
        cls,
        path: str | PathLike[str],
        clients: Mapping[str, str] | Iterable[str] = (),
        cost: str | None = None,
        **options: Any,
    ) -> Chunk:
        """Read a log as `Arrivals.from_log` does, with client, cost and status of the requests.

        Args:
            path: the file.
            clients: the field with the client for each key, such as ``{"user": "customer.id"}``; or names of
                fields that are the keys, too, such as ``["ip"]``. A field is a column, or a JSON key or path
                of keys; an access log has ``"ip"``, ``"user"``, ``"method"``, ``"path"`` and ``"status"``.
                All but the method are found where they have another name, too. A request without
                the field has the client ``""``.
            cost: the field with the cost, whole numbers; 1 where it is missing.
            options: those of `Arrivals.from_log`.

        Raises:
            InvalidArrivals: the file cannot be read, no request has a field, or a cost is no whole number.
        """
        (chunk,) = cls.from_logs([path], clients, cost, **options)
        return chunk

    @classmethod
    def from_logs(
        cls,
        paths: str | PathLike[str] | Iterable[str | PathLike[str]],
        clients: Mapping[str, str] | Iterable[str] = (),
        cost: str | None = None,
        **options: Any,
    ) -> Iterator[Chunk]:
        """Read a log of several files as a stream: one chunk for each file, of which two are in memory.

        The requests are those of the log in one file, wherever it was cut: in the middle of a second, or
        between the begin and the end of a request. The later chunk has what is in both. Empty files are
        passed over.

        Args:
            paths: the files, in the order of their times.
            clients: as for `from_log`.
            cost: as for `from_log`.
            options: those of `Arrivals.from_log`; the origin is that of the first file.

        Raises:
            InvalidArrivals: as for `from_log`.
        """
        from hook_widgets.ratelimit.traffic import access_log  # no simulation needs what reads logs
        from hook_widgets.ratelimit.traffic.log_fields import whole_values

        names = dict(clients) if isinstance(clients, Mapping) else {name: name for name in clients}
        fields = [*names.values(), *([] if cost is None else [cost])]
        some = [paths] if isinstance(paths, str | PathLike) else paths
        options = {"spread": "even", **options}
        for part in access_log.read(some, fields=fields, required=True, **options):
            columns = dict(zip(fields, part.columns, strict=False))
            yield cls(
                part.arrivals(),
                None if cost is None else whole_values(columns[cost], cost),
                {key: columns[name] for key, name in names.items()},
                Counter(filter(None, part.columns[-1])),
            )


Stream = Arrivals | Chunk | Iterable[Arrivals | Chunk]
"""Traffic at once, or in chunks, each not before the end of the one before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeColumn:
    """The requests of a stretch of time.

    Attributes:
        begin_s: begin, in seconds.
        end_s: end, which is excluded.
        admitted: number of admitted requests.
        rejected_by: number of requests that each layer rejected, in the order of the layers.
    """

    begin_s: float
    end_s: float
    admitted: int
    rejected_by: tuple[int, ...]

    @property
    def offered(self) -> int:
        """Number of requests that arrived."""
        return self.admitted + sum(self.rejected_by)


@dataclass(frozen=True, eq=False, repr=False)
class ChunkedRun:
    """The result of `simulate_chunks`: statistics and curves of a stream, without its single requests.

    Attributes:
        limiter: the limit, or several as `Layers`.
        columns: the requests in stretches of equal length, beginning with the first request; those without a
            request are left out.
    """

    limiter: Limiter
    columns: tuple[TimeColumn, ...]
    _summary: Summary
    _curves: Mapping[int, Curve]

    def summary(self) -> Summary:
        """Return the statistics, as those of `Run.summary`.

        The percentiles of the waits (``wait_p50_s``, ``wait_p95_s``, ``wait_p99_s``) are rounded down by less
        than 0.1 %, since not all waits are kept. Everything else is exact.
        """
        return self._summary

    def remaining(self, layer: int = 0) -> Curve | None:
        """Return what was left to spend of a layer over time.

        The curve has the level before and after the first, the lowest, the highest and the last charge of
        each column, so that no dip is lost.

        Args:
            layer: index of the layer.

        Returns:
            The curve; None for a `PerClient` or `HoldOff` layer.
        """
        return self._curves.get(layer)

    def __repr__(self) -> str:
        """Return the limiter and how many requests were admitted."""
        return (
            f"<ChunkedRun of {self.limiter!r}: {self._summary.admitted} of {self._summary.offered} admitted>"
        )


def simulate_chunks(limiter: Limiter, chunks: Stream, *, columns: Quantity = 800) -> ChunkedRun:
    """Decide a stream of requests that does not fit into memory; the decisions are those of `simulate`.

    The memory used depends on the size of a chunk, on the number of clients, and for a `SlidingLog` on the
    requests in its window. How the stream is divided into chunks does not change the result; a million
    requests in each is a good size.

    Args:
        limiter: the limit, or several as `Layers`.
        chunks: the traffic: `Arrivals`, or `Chunk` with costs and clients, one or many one after another.
            `Arrivals.from_ns` takes arrays.
        columns: at most so many stretches of time for the counts and curves, at least 2.

    Raises:
        InvalidLimit: it is no limiter, or has a `Concurrency` limit, which cannot be simulated in chunks.
        InvalidArrivals: times, costs or clients are invalid; a chunk begins before the end of the one before
            it; or numbers do not fit into 64 bits.

    >>> from hook_widgets.ratelimit import TokenBucket
    >>> days = (Arrivals.steady("2/s", "1 hour", start_s=k * 86_400) for k in range(3))
    >>> simulate_chunks(TokenBucket(10, "1/s"), days).summary().admitted
    10827
    """
    stream = _Stream(checked_limiter(limiter), whole(columns, "columns", error=InvalidArrivals))
    for chunk in chunks_of(chunks):
        stream.add(chunk)
    return stream.result()


def chunks_of(stream: Any) -> Iterator[Chunk]:
    """Yield the chunks of a `Stream`.

    Raises:
        InvalidArrivals: it is none, or has something else.
    """
    if isinstance(stream, str | bytes) or not isinstance(stream, Arrivals | Chunk | Iterable):
        raise InvalidArrivals(f"the traffic is {shown(stream)}; give Arrivals, or Chunk(arrivals, ...)")
    for part in (stream,) if isinstance(stream, Arrivals | Chunk) else stream:
        chunk = part if isinstance(part, Chunk) else Chunk(part)
        if not isinstance(chunk.arrivals, Arrivals):
            raise InvalidArrivals(
                f"a chunk of the traffic is {shown(chunk.arrivals)}; give Arrivals, or Chunk(arrivals, ...)"
            )
        yield chunk


def costs_of(chunk: Chunk, limiter: Limiter) -> Any | None:
    """Return the costs of a chunk in an array; None if each is 1.

    Raises:
        InvalidArrivals: their number is not that of the requests, or one is no cost of the limiter.
    """
    import numpy

    costs = parse_costs(chunk.costs, len(chunk.arrivals), limiter)
    try:
        return None if costs is None else numpy.array(costs, numpy.int64)
    except OverflowError:
        raise InvalidArrivals("a cost does not fit into 64 bits; use simulate") from None


def times_after(arrivals: Arrivals, last_ns: int) -> Any:
    """Return the times of a chunk in an array.

    Raises:
        InvalidArrivals: it begins before the end of the one before it, or a time does not fit into 64 bits.
    """
    try:
        times_ns = arrivals._int64
    except OverflowError:
        raise InvalidArrivals("a time does not fit into 64 bits; begin at time 0") from None
    if len(times_ns) and times_ns[0] < last_ns:
        raise InvalidArrivals("a chunk begins before the end of the previous one; sort the chunks")
    return times_ns


class _Stream:
    """A stream of requests, as far as it has been decided."""

    def __init__(self, limiter: Limiter, columns: int) -> None:
        if columns < 2:
            raise InvalidArrivals("is too small; give at least 2", subject="columns")
        self._limiter, self._most = limiter, columns
        self._decider = ChunkDecider(limiter)
        self._routes: dict[str, Iterator[int]] = {
            layer.key: layer._route() for layer in limiter.layers if isinstance(layer, Replicas)
        }
        self._columns: Columns | None = None
        self._limited_by: Counter[str] = Counter()
        self._waits = WaitCounts()
        self._last_ns = self._last = self._offered = self._spent = self._inside = self._peak = 0
        self._occupied: Any = ()

    def add(self, chunk: Chunk) -> None:
        """Decide the requests of the next chunk."""
        arrivals = chunk.arrivals
        count = len(arrivals)
        routes = {key: list(islice(route, count)) for key, route in self._routes.items()}
        clients = parse_clients({**routes, **chunk.clients}, count, self._limiter)
        costs = costs_of(chunk, self._limiter)
        if not count:
            return
        times_ns = times_after(arrivals, self._last_ns)
        self._last_ns = arrivals._last_ns
        for begin in range(0, count, _BLOCK):
            block = slice(begin, begin + _BLOCK)
            some_costs = None if costs is None else costs[block]
            some_clients = {key: who[block] for key, who in clients.items()}
            self._count(self._decider.decide(times_ns[block], some_costs, some_clients))

    def result(self) -> ChunkedRun:
        """Return the result so far."""
        per_s = self._decider.ticks_per_ns * NS_PER_S
        first = self._columns.first if self._columns else 0
        totals = Totals(
            per_s=per_s,
            offered=self._offered,
            limited_by=self._limited_by,
            spent=self._spent,
            span=self._last - first,
            inside=self._inside,
            waited=self._inside,
            peak_depth=self._peak,
        )
        summary = totals.summary(self._limiter, self._waits.percentile)
        return ChunkedRun(self._limiter, tuple(self._time_columns(per_s)), summary, self._curves(per_s))

    def _count(self, decisions: Decisions) -> None:
        import numpy

        times, rejected_by = decisions.times, decisions.rejected_by
        if self._columns is None:
            self._columns = Columns(self._most, len(self._limiter.layers), int(times[0]))
        self._columns.add(times, rejected_by, decisions.charges, self._offered)
        self._offered += len(times)
        admitted = rejected_by < 0
        count = int(numpy.count_nonzero(admitted))
        if count < len(times):
            self._count_rejected(rejected_by)
        self._spent += count if decisions.costs is None else exact_sum(decisions.costs[admitted])
        self._last = max(self._last, int(times[-1]))
        if decisions.leaves is None:
            self._waits.add_zeros(count)
            return
        entries, leaves = times[admitted], decisions.leaves
        waits = leaves - entries
        self._waits.add(waits)
        self._inside += exact_sum(waits)
        self._peak = max(self._peak, self._depth(entries, leaves, int(times[-1])))
        self._last = max(self._last, int(leaves.max(initial=0)))

    def _count_rejected(self, rejected_by: Any) -> None:
        """Count rejections by label; labels are in the order of their first rejection."""
        firsts = {
            int((rejected_by == k).argmax()): (layer.label, count)
            for k, layer in enumerate(self._limiter.layers)
            if (count := int((rejected_by == k).sum()))
        }
        for _, (label, count) in sorted(firsts.items()):
            self._limited_by[label] += count

    def _depth(self, entries: Any, leaves: Any, last: int) -> int:
        """Return the largest number of requests inside, and remember when those inside will leave."""
        import numpy

        inside = len(self._occupied)
        leaves = numpy.sort(numpy.concatenate([numpy.array(self._occupied, numpy.int64), leaves]))
        self._occupied = leaves[numpy.searchsorted(leaves, last, "right") :].copy()
        left = numpy.searchsorted(leaves, entries, "right")
        return int((inside + numpy.arange(1, len(entries) + 1) - left).max(initial=0))

    def _time_columns(self, per_s: int) -> Iterator[TimeColumn]:
        if self._columns is None:
            return
        for index, column in sorted(self._columns.columns.items()):
            begin = self._columns.first + index * self._columns.width
            yield TimeColumn(
                begin_s=begin / per_s,
                end_s=(begin + self._columns.width) / per_s,
                admitted=column.counts[0],
                rejected_by=tuple(column.counts[1:]),
            )

    def _curves(self, per_s: int) -> dict[int, Curve]:
        curves = {}
        columns = sorted(self._columns.columns.items()) if self._columns else []
        for k, (layer, state) in enumerate(zip(self._limiter.layers, self._decider.states, strict=True)):
            charges = sorted({charge for _, column in columns for charge in column.charges.get(k, ())})
            if charges:
                full, unit = limit(layer), unit_of(state)
                curves[k] = Curve(
                    [charge.time / per_s for charge in charges for _ in range(2)],
                    [full - used / unit for charge in charges for used in charge[2:]],
                )
        return curves
