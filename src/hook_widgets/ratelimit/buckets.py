"""Limiters that fill and drain: token bucket, leaky bucket, GCRA."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import floor

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit import loops
from hook_widgets.ratelimit.limiter import SingleLimiter, ceil_div, chosen, denominator, put, reach
from hook_widgets.ratelimit.quantity import NS_PER_S, Quantity, duration, number, rate, shown, whole
from hook_widgets.ratelimit.trace import Gate, Ledger, Tick, Trace


@dataclass(frozen=True, slots=True, init=False, repr=False)
class TokenBucket(SingleLimiter):
    """Up to `capacity` tokens, refilled without pause; a request takes its cost or is refused.

    A refused one takes nothing. A bucket that holds exactly the cost admits. One of 2.5 admits two at once
    and the third half a token later; one below 1 admits nothing.

    Attributes:
        capacity: tokens in a full bucket.
        refill_rate: tokens per second.
        initial: tokens at time 0; None for a full bucket.

    >>> TokenBucket(10, "100/min").most_in("1 min")
    109
    """

    capacity: Fraction
    refill_rate: Fraction
    initial: Fraction | None = None

    def __init__(
        self, capacity: Quantity, refill_rate: Quantity, initial: Quantity | None = None, *, name: str = ""
    ) -> None:
        put(
            self,
            name=name,
            capacity=number(capacity, "capacity"),
            refill_rate=rate(refill_rate, "refill_rate"),
            initial=None if initial is None else number(initial, "initial"),
        )
        if self.initial is not None and self.initial > self.capacity:
            raise InvalidLimit(
                f"initial is {shown(initial)}, more than the capacity of {shown(capacity)}. "
                "A bucket never holds more: lower initial or raise capacity."
            )

    @property
    def nominal(self) -> Fraction:
        """The refill rate; nothing when the bucket never holds a whole token."""
        return self.refill_rate if self.capacity >= 1 else Fraction(0)

    def most_in(self, window_s: Quantity, *, closed: bool = False) -> int:
        """A full bucket, and what flows in meanwhile: capacity + rate times window."""
        span = Fraction(reach(window_s, closed=closed), NS_PER_S)
        return floor(self.capacity + self.refill_rate * span) if self.capacity >= 1 else 0

    @property
    def _largest_cost(self) -> int:
        return floor(self.capacity)

    @property
    def _full_at_s(self) -> Fraction:
        missing = 0 if self.initial is None else self.capacity - self.initial
        return missing / self.refill_rate

    def _resolution(self) -> int:
        return denominator(1 / self.refill_rate, self._full_at_s)

    def _gate(self, trace: Trace) -> Gate:
        full_at = trace.whole_ticks(self._full_at_s)
        interval = trace.whole_ticks(1 / self.refill_rate)
        depth = trace.whole_ticks(self.capacity / self.refill_rate)
        return Gate(
            loops.token_bucket,
            (interval, depth),
            [full_at],
            # A cost is never above the capacity, or it is 1.
            bound=max(trace.last, full_at) + depth + max(depth, interval),
        )

    def _left(self, ledger: Ledger) -> Callable[[Tick], Fraction]:
        full_at = self._full_at(ledger)
        interval = ledger.trace.whole_ticks(1 / self.refill_rate)

        def tokens(t: Tick) -> Fraction:
            until_full = full_at[bisect_right(ledger.times, t)] - t
            return self.capacity - Fraction(until_full, interval) if until_full > 0 else self.capacity

        return tokens

    def _free_at(self, ledger: Ledger, t: int, cost: int) -> int | None:
        if cost > self._largest_cost:
            return None
        full_at = self._full_at(ledger)[bisect_right(ledger.times, t)]
        interval = ledger.trace.whole_ticks(1 / self.refill_rate)
        return max(t, full_at + cost * interval - ledger.trace.whole_ticks(self.capacity / self.refill_rate))

    def _full_at(self, ledger: Ledger) -> list[int]:
        """When the bucket would be full again: at the start, and after each charge."""
        interval = ledger.trace.whole_ticks(1 / self.refill_rate)
        full_at = [ledger.trace.whole_ticks(self._full_at_s)]
        for t, cost in zip(ledger.times, ledger.costs, strict=True):
            full_at.append(max(full_at[-1], t) + cost * interval)
        return full_at


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Gcra(SingleLimiter):
    """The generic cell rate algorithm of ITU-T I.371: a request conforms unless it is too early.

    It is early by how far it lies before its theoretical arrival time, and may be so by the tolerance. The
    same requests pass as through ``TokenBucket(1 + tolerance / emission interval, 1 / emission interval)``.
    One of cost c conforms as c at once would.

    Attributes:
        emission_interval_s: seconds between requests at the sustained rate.
        tolerance_s: by how many seconds a request may be early.

    >>> Gcra("100 ms", "900 ms").as_token_bucket()
    TokenBucket(capacity=10, refill_rate=10)
    """

    emission_interval_s: Fraction
    tolerance_s: Fraction

    def __init__(self, emission_interval_s: Quantity, tolerance_s: Quantity, *, name: str = "") -> None:
        put(
            self,
            name=name,
            emission_interval_s=duration(emission_interval_s, "emission_interval_s"),
            tolerance_s=duration(tolerance_s, "tolerance_s", positive=False),
        )

    def as_token_bucket(self) -> TokenBucket:
        """The token bucket that admits the same requests."""
        interval = self.emission_interval_s
        return TokenBucket(1 + self.tolerance_s / interval, 1 / interval, name=self.name)

    @property
    def nominal(self) -> Fraction:
        """One request per emission interval."""
        return 1 / self.emission_interval_s

    def most_in(self, window_s: Quantity, *, closed: bool = False) -> int:
        """As many as the tolerance lets pass at once, and one an interval."""
        return self.as_token_bucket().most_in(window_s, closed=closed)

    @property
    def _largest_cost(self) -> int:
        return self.as_token_bucket()._largest_cost

    def _resolution(self) -> int:
        return denominator(self.emission_interval_s)

    def _gate(self, trace: Trace) -> Gate:
        return self.as_token_bucket()._gate(trace)

    def _left(self, ledger: Ledger) -> Callable[[Tick], Fraction]:
        return self.as_token_bucket()._left(ledger)

    def _free_at(self, ledger: Ledger, t: int, cost: int) -> int | None:
        return self.as_token_bucket()._free_at(ledger, t, cost)


class Start(StrEnum):
    """When the first request leaves a leaky bucket that was empty; the next follow an interval apart."""

    SERVICE = "service"
    """After one interval: it is served first."""
    IMMEDIATE = "immediate"
    """At once; the places are for those that wait behind it."""
    CLOCK = "clock"
    """At the next multiple of the interval, whoever is there."""


class Tie(StrEnum):
    """Who comes first when a place is given up and a request arrives at the same instant."""

    DEPARTURE_FIRST = "departure_first"
    """The request finds the place free."""
    ARRIVAL_FIRST = "arrival_first"
    """The request finds the place taken."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class LeakyBucket(SingleLimiter):
    """A queue, first in first out, drained at a constant rate; a request that finds it full is refused.

    It counts requests, not their cost. With ``start="service"`` it admits what a token bucket of capacity
    `queue_size` does, with ``start="immediate"`` (as in nginx) what one of `queue_size` + 1 does; only here
    they wait.

    >>> from hook_widgets.ratelimit import simulate
    >>> simulate(LeakyBucket(2, "10/s"), [0, 0, 0]).wait_s
    [0.1, 0.2, None]

    Attributes:
        queue_size: requests inside at most; with ``start="immediate"`` those that wait.
        drain_rate: requests per second that leave while there are any.
        start: when the first one leaves an empty bucket: ``"service"``, ``"immediate"`` or ``"clock"``.
        tie: ``"departure_first"``, or ``"arrival_first"``: an arrival still finds the place taken that is
            given up at that very instant.
    """

    queue_size: int
    drain_rate: Fraction
    start: Start = Start.SERVICE
    tie: Tie = Tie.DEPARTURE_FIRST

    def __init__(
        self,
        queue_size: Quantity,
        drain_rate: Quantity,
        start: str = "service",
        tie: str = "departure_first",
        *,
        name: str = "",
    ) -> None:
        put(
            self,
            name=name,
            queue_size=whole(queue_size, "queue_size"),
            drain_rate=rate(drain_rate, "drain_rate"),
            start=chosen(Start, start, "start"),
            tie=chosen(Tie, tie, "tie"),
        )

    @property
    def _places(self) -> int:
        # The one that passed at once is still being spaced from the next: it holds a place of its own.
        return self.queue_size + (self.start is Start.IMMEDIATE)

    @property
    def nominal(self) -> Fraction:
        """The drain rate; nothing when there is no place."""
        return self.drain_rate if self._places else Fraction(0)

    def most_in(self, window_s: Quantity, *, closed: bool = False) -> int:
        """A queue filled at once, and a place for each one that leaves.

        On a free-running clock a departure may follow right after the queue is filled; a service that starts
        with the first arrival ends an interval later.
        """
        if not self._places:
            return 0
        intervals = Fraction(reach(window_s, closed=closed), NS_PER_S) * self.drain_rate
        if self.start is Start.CLOCK:
            return self._places + ceil_div(intervals, 1)
        if self.tie is Tie.ARRIVAL_FIRST:
            return self._places + max(ceil_div(intervals, 1) - 1, 0)
        return self._places + floor(intervals)

    def _resolution(self) -> int:
        return denominator(1 / self.drain_rate)

    def _gate(self, trace: Trace) -> Gate:
        places = min(self._places, len(trace.arrivals))  # more are never filled
        interval = trace.whole_ticks(1 / self.drain_rate)
        late = int(self.tie is Tie.ARRIVAL_FIRST)
        room = (places - 1) * interval - late if places else -interval - trace.last - 1
        back = interval if self.start is Start.IMMEDIATE else 0
        return Gate(
            loops.leaky_bucket,
            (interval, room, late, self.start is Start.CLOCK),
            [-interval, -interval],
            writes=True,
            bound=trace.last + (places + 2) * interval + 1,
            ends=lambda _, ends: ends,
            leaves=lambda _, ends: [end - back for end in ends] if back else ends,
        )

    def _left(self, ledger: Ledger) -> Callable[[Tick], Fraction]:
        return lambda t: Fraction(self._places - ledger.inside(t))

    def _free_at(self, ledger: Ledger, t: int, cost: int) -> int | None:  # noqa: ARG002 (counts requests)
        if not self._places:
            return None
        entered = bisect_right(ledger.times, t)
        if entered < self._places:
            return t
        return max(t, ledger.ends[entered - self._places] + (self.tie is Tie.ARRIVAL_FIRST))
