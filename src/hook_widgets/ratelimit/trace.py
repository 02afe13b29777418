"""A run from the inside: the requests in ticks, a limiter at work on them, and the books afterwards."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from typing import TypeAlias

from hook_widgets.ratelimit.quantity import NS_PER_S

Tick: TypeAlias = int | Fraction
"""A moment in ticks; whole for everything that happens, between two of them when somebody asks."""


@dataclass(frozen=True, slots=True)
class Trace:
    """The requests of a run.

    Attributes:
        times: when each arrives, in ticks, never falling.
        costs: what each costs, whole and at least 1.
        services: how long each is in flight, in ticks; empty when nobody asks.
        ticks_per_ns: ticks in a nanosecond.
    """

    times: Sequence[int]
    costs: Sequence[int]
    services: Sequence[int]
    ticks_per_ns: int

    def ticks(self, seconds: Fraction) -> Fraction:
        """A time span in ticks."""
        return seconds * NS_PER_S * self.ticks_per_ns

    def whole_ticks(self, seconds: Fraction) -> int:
        """A time span that is whole in this trace's ticks, or what is whole of it."""
        return int(self.ticks(seconds))


@dataclass(slots=True)
class Gate:
    """One limiter in one run.

    Attributes:
        decide: judges the requests from the first index up to, not including, the second.
        state: what the limiter remembers between two calls; copy it to be able to go back.
        counts_refused: whether a refused request changes the state.
        ends: when the place of each admitted request is free again, in the order of arrival, in ticks; None
            when requests take no place.
        leaves: when each admitted request goes on, in the order of arrival, in ticks; None when at once.
    """

    decide: Callable[[int, int], None]
    state: list[int]
    counts_refused: bool = False
    ends: Callable[[], list[int]] | None = None
    leaves: Callable[[], list[int]] | None = None


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
