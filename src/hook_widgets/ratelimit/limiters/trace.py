"""Internals of a run: its requests in ticks, the state of each limiter, and the charges recorded."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import accumulate, compress
from operator import itemgetter
from typing import Any, TypeAlias

from hook_widgets.ratelimit.traffic.arrivals import LATEST_NS, Arrivals
from hook_widgets.ratelimit.units import NS_PER_S

Tick: TypeAlias = int | Fraction
"""A time in ticks: an integer for all events of a run; queries may also use fractions."""


@dataclass(frozen=True, kw_only=True)
class Trace:
    """The requests of a run.

    Attributes:
        arrivals: arrival times.
        ticks_per_ns: ticks per nanosecond.
        explicit_costs: cost of each request, an integer of at least 1; None if every cost is 1.
        services: time of each request in flight, in ticks; empty if no limiter needs it.
        refunds: the part of its cost that each admitted request gives back when it ends; empty for none.
        clients: the client of each request, by key (such as ``"user"`` or ``"ip"``).
        growing: true if requests are added while they are decided, so that their number is not known.
    """

    arrivals: Arrivals
    ticks_per_ns: int
    explicit_costs: Sequence[int] | None = None
    services: Sequence[int] = ()
    refunds: Sequence[int] = ()
    clients: Mapping[str, Sequence[Hashable]] = field(default_factory=dict)
    growing: bool = False

    @cached_property
    def times(self) -> Sequence[int]:
        """Arrival times in ticks, in ascending order."""
        times_ns = self.arrivals.times_ns
        return times_ns if self.ticks_per_ns == 1 else list(map(self.ticks_per_ns.__mul__, times_ns))

    @cached_property
    def costs(self) -> Sequence[int]:
        """Cost of each request."""
        return [1] * len(self.arrivals) if self.explicit_costs is None else self.explicit_costs

    @property
    def last(self) -> int:
        """Arrival time of the last request in ticks; 0 if there is none, the latest time if more may come."""
        if self.growing:
            return LATEST_NS * self.ticks_per_ns
        return self.arrivals._last_ns * self.ticks_per_ns

    @property
    def total_cost(self) -> int:
        """Sum of all costs."""
        return len(self.arrivals) if self.explicit_costs is None else sum(self.explicit_costs)

    @cached_property
    def requests_of(self) -> Mapping[str, Mapping[Hashable, list[int]]]:
        """Indexes of the requests of each client, by key and client."""
        requests: dict[str, dict[Hashable, list[int]]] = {key: defaultdict(list) for key in self.clients}
        for key, clients in self.clients.items():
            for i, client in enumerate(clients.tolist() if hasattr(clients, "tolist") else clients):
                requests[key][client].append(i)
        return requests

    def part(self, indexes: Sequence[int]) -> Trace:
        """Return a trace of the requests at these indexes only, without clients."""
        times_ns = self.arrivals.times_ns
        return Trace(
            arrivals=Arrivals(tuple(times_ns[i] for i in indexes)),
            ticks_per_ns=self.ticks_per_ns,
            explicit_costs=None if self.explicit_costs is None else [self.explicit_costs[i] for i in indexes],
            services=[self.services[i] for i in indexes] if self.services else (),
            refunds=[self.refunds[i] for i in indexes] if self.refunds else (),
        )

    def ticks(self, seconds: Fraction) -> Fraction:
        """Convert a duration in seconds to ticks."""
        return seconds * NS_PER_S * self.ticks_per_ns

    def whole_ticks(self, seconds: Fraction) -> int:
        """Convert a duration in seconds to whole ticks, truncating any fraction."""
        return int(self.ticks(seconds))


@dataclass(slots=True, kw_only=True)
class LimiterState:
    """The state of one limiter in one run: its algorithm and all data it uses besides the arrival times.

    Attributes:
        loop: a function of `hook_widgets.ratelimit.limiters.algorithms`.
        numbers: constant parameters of the algorithm: integers, and for an algorithm around another one also
            that algorithm and its parameters.
        values: the mutable state between requests; copy it to be able to roll back.
        column: values read or written per request; None for the costs.
        writes: true if the algorithm writes the column, which `decide` then allocates.
        bound: upper bound of the absolute value of all numbers that the algorithm computes; None if its
            state is more than a few integers.
        counts_rejected: true if a rejected request changes the state.
        charged: index of the value that sums up the costs, if subtracting a cost there is enough to
            roll back a request, as for the algorithm whose log is the trace, from the index in the value
            before it; None if the whole state must be restored.
        ends: computes the ticks at which the admitted requests vacate their places, from their arrival times
            and their values of the column; None if they occupy no place.
        leaves: computes the ticks at which they leave the limiter, likewise; None if immediately.
    """

    loop: Callable[..., None]
    numbers: tuple[Any, ...]
    values: list[int]
    column: Any = None
    writes: bool = False
    bound: int | None = None
    counts_rejected: bool = False
    charged: int | None = None
    ends: Stay | None = None
    leaves: Stay | None = None

    def decide(self, trace: Trace, admitted: list[bool]) -> Callable[[int, int], None]:
        """Return a function that decides the requests from its first index up to, excluding, its second.

        Args:
            trace: the requests.
            admitted: the decisions, all true; the function sets those of rejected requests to false.
        """
        if self.writes:
            self.column = [0] * len(admitted)
        column = trace.costs if self.column is None else self.column
        return partial(self.loop, trace.times, column, *self.numbers, self.values, 0, admitted)

    def oldest(self, count: int) -> int:
        """Return the index of the first request that the algorithm may still read.

        Args:
            count: how many requests there are; the index if it reads none of them again.
        """
        return count if self.charged is None else self.values[self.charged - 1]

    def forget(self, count: int) -> None:
        """Renumber the requests after the first ones were cut off the trace.

        Args:
            count: how many were cut off.
        """
        if self.charged is not None:
            self.values[self.charged - 1] -= count

    def refund(self, cost: int) -> None:
        """Give back a part of the cost of an admitted request, of a bucket that counts costs.

        Args:
            cost: the part.
        """
        self.values[0] -= cost * self.numbers[0]  # full before now means full

    def rollback(self, before: Sequence[int], cost: int) -> None:
        """Roll back the last request, which another limiter rejected.

        Args:
            before: the values before the request.
            cost: the cost of the request.
        """
        if self.charged is None:
            self.values[:] = before
        else:
            self.values[self.charged] -= cost


def charge_log_of(
    state: LimiterState,
    trace: Trace,
    admitted: Sequence[bool],
    column: Sequence[int],
    rejected: Sequence[bool] = (),
) -> ChargeLog:
    """Return the charges of a limiter after a run, including rejected requests if it counts them."""
    entries = list(compress(trace.times, admitted))
    ends = state.ends(entries, list(compress(column, admitted))) if state.ends else ()
    if state.counts_rejected:
        return ChargeLog(trace=trace, times=trace.times, costs=trace.costs, ends=ends)
    costs = list(compress(trace.costs, admitted))
    rejections = list(compress(trace.times, rejected))
    if trace.refunds and not state.ends:
        entries, costs = _with_refunds(trace, admitted)
    return ChargeLog(trace=trace, times=entries, costs=costs, ends=ends, rejections=rejections)


def _with_refunds(trace: Trace, admitted: Sequence[bool]) -> tuple[list[int], list[int]]:
    """Return times and costs of the charges, with the refunds as negative ones, in their order."""
    events = []
    for i in compress(range(len(admitted)), admitted):
        t = trace.times[i]
        end = t + trace.services[i]
        events.append((t, 1, i, trace.costs[i]))
        # An end comes before the arrivals of its instant, but not before its own.
        events.append((end, 1 if end == t else 0, i, -trace.refunds[i]))
    events.sort(key=itemgetter(0, 1, 2))
    return [t for t, _, _, _ in events], [cost for _, _, _, cost in events]


Stay: TypeAlias = Callable[[Sequence[int], Sequence[int]], Sequence[int]]
"""Function from the arrival times of the admitted requests and their column values to their end times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChargeLog:
    """The charges of a finished run to one limiter, for queries at any time of the run.

    Attributes:
        trace: the requests of the run.
        times: the time of each charge, in ticks.
        costs: the cost of each charge; negative for one that is given back.
        ends: the time at which each admitted request vacated its place, in order of arrival; empty if
            requests occupy no places.
        rejections: the time of each request that this limiter rejected, if it depends on them.
    """

    trace: Trace
    times: Sequence[int]
    costs: Sequence[int]
    ends: Sequence[int]
    rejections: Sequence[int] = ()
    _sums: list[int] = field(init=False)
    _ends: list[int] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_sums", [0, *accumulate(self.costs)])
        object.__setattr__(self, "_ends", sorted(self.ends))

    def until(self, t: int) -> ChargeLog:
        """Return the charges up to `t`, which is included."""
        count = bisect_right(self.times, t)
        return replace(self, times=self.times[:count], costs=self.costs[:count], ends=self.ends[:count])

    def spent(self, after: Tick, until: Tick) -> int:
        """Return the cost charged after `after` and up to `until`, which is included."""
        return self._sums[bisect_right(self.times, until)] - self._sums[bisect_right(self.times, after)]

    def spent_from(self, start: Tick, until: Tick) -> int:
        """Return the cost charged from `start` to `until`, both included."""
        return self._sums[bisect_right(self.times, until)] - self._sums[bisect_left(self.times, start)]

    def inside(self, t: Tick) -> int:
        """Return the number of occupied places after all events at `t`."""
        return bisect_right(self.times, t) - bisect_right(self._ends, t)

    def last_but(self, max_cost: int, t: int) -> int | None:
        """Return the earliest time after which at most `max_cost` was charged until `t`.

        Return None if the total charged until `t` is at most `max_cost`.
        """
        charged = self._sums[bisect_right(self.times, t)]
        newer = bisect_left(self._sums, charged - max_cost)
        return self.times[newer - 1] if newer else None
