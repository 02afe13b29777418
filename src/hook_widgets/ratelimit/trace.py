"""A run from the inside: the requests in ticks, a limiter at work on them, and the books afterwards."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from itertools import accumulate, compress
from typing import Any, TypeAlias

from hook_widgets.ratelimit.arrivals import Arrivals
from hook_widgets.ratelimit.quantity import NS_PER_S

Tick: TypeAlias = int | Fraction
"""A moment in ticks; whole for everything that happens, between two of them when somebody asks."""


@dataclass(frozen=True)
class Trace:
    """The requests of a run.

    Attributes:
        arrivals: when each arrives.
        ticks_per_ns: ticks in a nanosecond.
        given_costs: what each costs, whole and at least 1; None for 1 each.
        services: how long each is in flight, in ticks; empty when nobody asks.
        clients: whom each comes from, by what tells clients apart.
    """

    arrivals: Arrivals
    ticks_per_ns: int
    given_costs: Sequence[int] | None = None
    services: Sequence[int] = ()
    clients: Mapping[str, Sequence[Hashable]] = field(default_factory=dict)

    @cached_property
    def times(self) -> Sequence[int]:
        """When each arrives, in ticks, never falling."""
        times_ns = self.arrivals.times_ns
        return times_ns if self.ticks_per_ns == 1 else list(map(self.ticks_per_ns.__mul__, times_ns))

    @cached_property
    def costs(self) -> Sequence[int]:
        """What each costs."""
        return [1] * len(self.arrivals) if self.given_costs is None else self.given_costs

    @property
    def last(self) -> int:
        """When the last one arrives, in ticks; 0 when none comes."""
        return self.arrivals.times_ns[-1] * self.ticks_per_ns if len(self.arrivals) else 0

    @property
    def total_cost(self) -> int:
        """What all of them cost."""
        return len(self.arrivals) if self.given_costs is None else sum(self.given_costs)

    @cached_property
    def requests_of(self) -> Mapping[str, Mapping[Hashable, list[int]]]:
        """The requests of each client, by what tells clients apart."""
        found: dict[str, dict[Hashable, list[int]]] = {key: defaultdict(list) for key in self.clients}
        for key, who in self.clients.items():
            for i, client in enumerate(who):
                found[key][client].append(i)
        return found

    def part(self, indexes: Sequence[int]) -> Trace:
        """Only these requests."""
        times_ns = self.arrivals.times_ns
        return Trace(
            Arrivals(tuple(times_ns[i] for i in indexes)),
            self.ticks_per_ns,
            None if self.given_costs is None else [self.given_costs[i] for i in indexes],
            [self.services[i] for i in indexes] if self.services else (),
        )

    def ticks(self, seconds: Fraction) -> Fraction:
        """A time span in ticks."""
        return seconds * NS_PER_S * self.ticks_per_ns

    def whole_ticks(self, seconds: Fraction) -> int:
        """A time span that is whole in this trace's ticks, or what is whole of it."""
        return int(self.ticks(seconds))


@dataclass(slots=True)
class Gate:
    """One limiter in one run: a loop, and all that it reads and writes beside the times.

    Attributes:
        loop: one of `hook_widgets.ratelimit.loops`.
        numbers: what it is told once.
        state: what it remembers from one request to the next; copy it to be able to go back.
        column: what it reads, or writes, for each request; None for the costs.
        writes: whether it writes the column, which is then made when it judges.
        bound: no number that it meets is larger, nor smaller than its negative; None when it needs more than
            whole numbers.
        counts_refused: whether a refused request changes the state.
        charged: where in the state costs are added up, when it is enough to take one off there to forget a
            request; None when the state must be put back.
        ends: when the places of the admitted requests are free again, in ticks, from their times and their
            part of the column; None when they take no place.
        leaves: when they go on, likewise; None when at once.
    """

    loop: Callable[..., None]
    numbers: tuple[int, ...]
    state: list[int]
    column: Any = None
    writes: bool = False
    bound: int | None = None
    counts_refused: bool = False
    charged: int | None = None
    ends: Stay | None = None
    leaves: Stay | None = None

    def judge(self, trace: Trace, admitted: list[bool]) -> Callable[[int, int], None]:
        """What judges the requests from the first index up to, not including, the second."""
        if self.writes:
            self.column = [0] * len(admitted)
        column = trace.costs if self.column is None else self.column
        return partial(self.loop, trace.times, column, *self.numbers, self.state, admitted)

    def take_back(self, before: Sequence[int], cost: int) -> None:
        """Forget the last request, which another gate refused.

        Args:
            before: the state in front of it.
            cost: what it costs.
        """
        if self.charged is None:
            self.state[:] = before
        else:
            self.state[self.charged] -= cost


def ledger_of(gate: Gate, trace: Trace, admitted: Sequence[bool], column: Sequence[int]) -> Ledger:
    """The books of a gate after a run: to one that counts refused requests, everything is charged."""
    entries = list(compress(trace.times, admitted))
    ends = gate.ends(entries, list(compress(column, admitted))) if gate.ends else ()
    if gate.counts_refused:
        return Ledger(trace, trace.times, trace.costs, ends)
    return Ledger(trace, entries, list(compress(trace.costs, admitted)), ends)


Stay: TypeAlias = Callable[[Sequence[int], Sequence[int]], Sequence[int]]
"""From the times of the admitted requests and their part of a column to when something ends for them."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """What a finished run charged to one limiter, for looking up any moment of it.

    Attributes:
        trace: the requests of the run.
        times: when something was charged, in ticks.
        costs: how much each time.
        ends: when the place of each admitted request was free again, in order of arrival; empty when it took
            none.
    """

    trace: Trace
    times: Sequence[int]
    costs: Sequence[int]
    ends: Sequence[int]
    _sums: list[int] = field(init=False)
    _ends: list[int] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_sums", [0, *accumulate(self.costs)])
        object.__setattr__(self, "_ends", sorted(self.ends))

    def spent(self, after: Tick, until: Tick) -> int:
        """What was charged later than `after` and not later than `until`."""
        return self._sums[bisect_right(self.times, until)] - self._sums[bisect_right(self.times, after)]

    def spent_from(self, start: Tick, until: Tick) -> int:
        """What was charged not earlier than `start` and not later than `until`."""
        return self._sums[bisect_right(self.times, until)] - self._sums[bisect_left(self.times, start)]

    def inside(self, t: Tick) -> int:
        """How many places are taken, after everything that happens at `t`."""
        return bisect_right(self.times, t) - bisect_right(self._ends, t)

    def last_but(self, most: int, t: int) -> int | None:
        """The latest time after which no more than `most` was charged until `t`; None when that is always."""
        charged = self._sums[bisect_right(self.times, t)]
        newer = bisect_left(self._sums, charged - most)
        return self.times[newer - 1] if newer else None
