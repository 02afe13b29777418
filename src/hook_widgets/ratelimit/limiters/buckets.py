"""Limiters based on a bucket: token bucket, leaky bucket and GCRA."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import partial
from math import floor
from typing import Any, cast

from hook_widgets._arguments import shown
from hook_widgets.errors import InvalidArrivals, InvalidLimit
from hook_widgets.ratelimit.limiters import algorithms
from hook_widgets.ratelimit.limiters.base import (
    Limiter,
    SingleLimiter,
    ceil_div,
    common_ticks_per_ns,
    parse_enum,
    set_fields,
    span_ns,
)
from hook_widgets.ratelimit.limiters.keyed import one_client
from hook_widgets.ratelimit.limiters.trace import ChargeLog, LimiterState, Tick, Trace
from hook_widgets.ratelimit.units import NS_PER_S, Duration, Quantity, duration, number, rate, whole


@dataclass(frozen=True, slots=True, init=False, repr=False)
class TokenBucket(SingleLimiter):
    """A bucket of up to `capacity` tokens, refilled continuously; a request takes its cost or is rejected.

    A rejected request takes nothing. A bucket that holds exactly the cost admits the request. A capacity of
    2.5 admits two requests at once and the third half a token later; a capacity below 1 admits none.

    Attributes:
        capacity: tokens in a full bucket.
        refill_rate: tokens per second.
        initial: tokens at time 0, or ``"empty"`` for none; None or ``"full"`` for a full bucket.
        refill_every_s: add the tokens of so many seconds at once, at every multiple of it, as Bucket4j does
            with `refillIntervally`; capacity and tokens are then whole. None to refill continuously.

    >>> TokenBucket(10, "100/min").max_admitted("1 min")
    109
    >>> TokenBucket(10, "10/s", refill_every_s="1 s").max_admitted("0.1 s")
    20
    """

    capacity: Fraction
    refill_rate: Fraction
    initial: Fraction | None = None
    refill_every_s: Fraction | None = None

    def __init__(
        self,
        capacity: Quantity,
        refill_rate: Quantity,
        initial: Quantity | None = None,
        *,
        refill_every_s: Duration | None = None,
        name: str = "",
    ) -> None:
        set_fields(
            self,
            name=name,
            capacity=number(capacity, "capacity"),
            refill_rate=rate(refill_rate, "refill_rate"),
            refill_every_s=None if refill_every_s is None else duration(refill_every_s, "refill_every_s"),
        )
        set_fields(self, initial=_initial(initial, self.capacity))
        if self.refill_every_s is not None:
            added = self.refill_rate * self.refill_every_s
            if self.capacity.denominator * added.denominator != 1:
                raise InvalidLimit(
                    f"a refill in steps adds whole tokens to a whole capacity, not {shown(added)} "
                    f"to {shown(self.capacity)}; choose another refill_every_s or capacity"
                )

    @property
    def sustained_rate(self) -> Fraction:
        """The refill rate; zero if the bucket never holds a whole token."""
        if self.refill_every_s is not None:
            return min(self.refill_rate, self.capacity / self.refill_every_s)
        return self.refill_rate if self.capacity >= 1 else Fraction(0)

    def max_admitted(self, window_s: Duration, *, closed: bool = False) -> int:
        """Return a full bucket plus the refill of the window: capacity + rate x window, rounded down.

        With a refill in steps, as many steps as can fall into the window, each of at most the capacity.
        """
        span = Fraction(span_ns(window_s, closed=closed), NS_PER_S)
        if self.refill_every_s is not None:
            added = min(self.refill_rate * self.refill_every_s, self.capacity)
            return int(self.capacity + added * ceil_div(span, self.refill_every_s))
        return floor(self.capacity + self.refill_rate * span) if self.capacity >= 1 else 0

    @property
    def _max_cost(self) -> int:
        return floor(self.capacity)

    @property
    def _full_at_s(self) -> Fraction:
        missing = 0 if self.initial is None else self.capacity - self.initial
        return missing / self.refill_rate

    def _ticks_per_ns(self) -> int:
        return common_ticks_per_ns(1 / self.refill_rate, self._full_at_s, self.refill_every_s or Fraction(0))

    def _initial_state(self, trace: Trace) -> LimiterState:
        full_at = trace.whole_ticks(self._full_at_s)
        interval = trace.whole_ticks(1 / self.refill_rate)
        depth = trace.whole_ticks(self.capacity / self.refill_rate)
        step = self._step(trace)
        return LimiterState(
            loop=algorithms.stepped_token_bucket if step else algorithms.token_bucket,
            numbers=(interval, depth, step) if step else (interval, depth),
            values=[full_at],
            # A cost is at most the capacity, or it is 1.
            bound=max(max(trace.last, full_at) + depth + max(depth, interval), step),
        )

    def _step(self, trace: Trace) -> int:
        """Return the ticks between two refills; 0 for a continuous refill."""
        return 0 if self.refill_every_s is None else trace.whole_ticks(self.refill_every_s)

    def _remaining(self, charge_log: ChargeLog) -> Callable[[Tick], Fraction]:
        full_at = self._full_at(charge_log)
        interval, step = charge_log.trace.whole_ticks(1 / self.refill_rate), self._step(charge_log.trace)

        def tokens(t: Tick) -> Fraction:
            refilled = t // step * step if step else t
            until_full = full_at[bisect_right(charge_log.times, t)] - refilled
            return self.capacity - Fraction(until_full, interval) if until_full > 0 else self.capacity

        return tokens

    def _next_available(self, charge_log: ChargeLog, t: int, cost: int) -> int | None:
        if cost > self._max_cost:
            return None
        full_at = self._full_at(charge_log)[bisect_right(charge_log.times, t)]
        interval, step = charge_log.trace.whole_ticks(1 / self.refill_rate), self._step(charge_log.trace)
        free = full_at + cost * interval - charge_log.trace.whole_ticks(self.capacity / self.refill_rate)
        return max(t, ceil_div(free, step) * step if step else free)

    def _full_at(self, charge_log: ChargeLog) -> list[int]:
        """Return the ticks at which the bucket would be full: from the start, and after each charge."""
        interval, step = charge_log.trace.whole_ticks(1 / self.refill_rate), self._step(charge_log.trace)
        last = charge_log.trace.whole_ticks(self._full_at_s)
        full_at = [last]
        for t, cost in zip(charge_log.times, charge_log.costs, strict=True):
            refilled = t // step * step if step else t
            if last < refilled:
                last = refilled
            last += cost * interval
            if last < refilled:  # a cost given back
                last = refilled
            full_at.append(last)
        return full_at


def _initial(initial: Quantity | None, capacity: Fraction) -> Fraction | None:
    """Return the tokens at the start; None for a full bucket.

    Raises:
        InvalidLimit: it is no number, or more than the capacity.
    """
    if initial is None or initial == "full":
        return None
    tokens = Fraction(0) if initial == "empty" else number(initial, "initial")
    if tokens > capacity:
        raise InvalidLimit(
            f"initial is {shown(initial)}, more than the capacity of {shown(capacity)}; "
            "lower initial or raise capacity"
        )
    return tokens


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Gcra(SingleLimiter):
    """The generic cell rate algorithm of ITU-T I.371: a request conforms unless it is too early.

    A request may precede its theoretical arrival time by up to the tolerance. The decisions equal those of
    ``TokenBucket(1 + tolerance / emission interval, 1 / emission interval)``. A request of cost c conforms
    if c simultaneous requests of cost 1 would.

    Attributes:
        emission_interval_s: seconds between requests at the sustained rate.
        tolerance_s: the seconds by which a request may be early.
        initial: requests of the tolerance that may come early at time 0, as tokens of that bucket;
            ``"empty"`` for none, None or ``"full"`` for all.

    >>> Gcra("100 ms", "900 ms").as_token_bucket()
    TokenBucket(capacity=10, refill_rate=10)
    """

    emission_interval_s: Fraction
    tolerance_s: Fraction
    initial: Fraction | None = None

    def __init__(
        self,
        emission_interval_s: Duration,
        tolerance_s: Duration,
        initial: Quantity | None = None,
        *,
        name: str = "",
    ) -> None:
        set_fields(
            self,
            name=name,
            emission_interval_s=duration(emission_interval_s, "emission_interval_s"),
            tolerance_s=duration(tolerance_s, "tolerance_s", positive=False),
        )
        set_fields(self, initial=_initial(initial, 1 + self.tolerance_s / self.emission_interval_s))

    def as_token_bucket(self) -> TokenBucket:
        """Return the token bucket that admits the same requests."""
        interval = self.emission_interval_s
        return TokenBucket(1 + self.tolerance_s / interval, 1 / interval, self.initial, name=self.name)

    @property
    def sustained_rate(self) -> Fraction:
        """One request per emission interval."""
        return 1 / self.emission_interval_s

    def max_admitted(self, window_s: Duration, *, closed: bool = False) -> int:
        """Return the burst that the tolerance allows plus one request per interval."""
        return self.as_token_bucket().max_admitted(window_s, closed=closed)

    @property
    def _max_cost(self) -> int:
        return self.as_token_bucket()._max_cost

    def _ticks_per_ns(self) -> int:
        return self.as_token_bucket()._ticks_per_ns()

    def _initial_state(self, trace: Trace) -> LimiterState:
        return self.as_token_bucket()._initial_state(trace)

    def _remaining(self, charge_log: ChargeLog) -> Callable[[Tick], Fraction]:
        return self.as_token_bucket()._remaining(charge_log)

    def _next_available(self, charge_log: ChargeLog, t: int, cost: int) -> int | None:
        return self.as_token_bucket()._next_available(charge_log, t, cost)


def check_refundable(limiter: Limiter) -> None:
    """Check that a cost can be given back, which is defined for buckets only.

    Raises:
        InvalidArrivals: a limit of costs is neither a `TokenBucket` nor a `Gcra`.
    """
    for layer in limiter.layers:
        if layer._max_cost is not None and not isinstance(one_client(layer), TokenBucket | Gcra):
            raise InvalidArrivals(f"{layer.label} gives no cost back; use a TokenBucket or Gcra")


class DrainStart(StrEnum):
    """Departure of the first request from an empty leaky bucket; the next follow at intervals.

    Together with `TieOrder`: a request that arrives at an empty bucket at the instant of a tick of the clock
    leaves with that tick if arrivals come first, otherwise with the next one. With ``"immediate"``, a request
    occupies its place until one interval after it left; at that very instant the place is free only if
    departures come first. At the instant at which a first request arrives, nothing departs, so that others
    of the same instant find all the other places free in either order.
    """

    SERVICE = "service"
    """After one interval: the request is served first."""
    IMMEDIATE = "immediate"
    """At once; the places are for the requests that wait behind it."""
    CLOCK = "clock"
    """At the next multiple of the interval, independently of arrivals."""


class TieOrder(StrEnum):
    """Order of a departure and an arrival at the same instant; `DrainStart` tells what departs when."""

    DEPARTURE_FIRST = "departure_first"
    """The arriving request finds the place free."""
    ARRIVAL_FIRST = "arrival_first"
    """The arriving request finds the place occupied."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class LeakyBucket(SingleLimiter):
    """A first-in-first-out queue drained at a constant rate; a request that finds it full is rejected.

    The limiter counts requests, not their cost. With ``start="service"`` it admits the same requests as a
    token bucket of capacity `queue_size`, with ``start="immediate"`` (as in nginx) the same as one of
    `queue_size` + 1. Unlike there, admitted requests wait in the queue.

    >>> from hook_widgets.ratelimit import simulate
    >>> simulate(LeakyBucket(2, "10/s"), [0, 0, 0]).wait_s
    [0.1, 0.2, None]

    Attributes:
        queue_size: maximum number of requests inside; with ``start="immediate"``, of waiting requests.
        drain_rate: requests per second that leave while the queue is not empty.
        start: departure of the first request: ``"service"``, ``"immediate"`` or ``"clock"``.
        tie: ``"departure_first"``, or ``"arrival_first"``: an arriving request finds a place still occupied
            that is vacated at the same instant.
        undelayed: with ``start="immediate"``, the requests of a burst behind the first one that do not wait
            (nginx ``delay=``); those behind them wait so many intervals less. The decisions stay the same.
    """

    queue_size: int
    drain_rate: Fraction
    start: DrainStart = DrainStart.SERVICE
    tie: TieOrder = TieOrder.DEPARTURE_FIRST
    undelayed: int = 0

    def __init__(
        self,
        queue_size: Quantity,
        drain_rate: Quantity,
        start: str = "service",
        tie: str = "departure_first",
        undelayed: Quantity = 0,
        *,
        name: str = "",
    ) -> None:
        set_fields(
            self,
            name=name,
            queue_size=whole(queue_size, "queue_size"),
            drain_rate=rate(drain_rate, "drain_rate"),
            start=parse_enum(DrainStart, start, "start"),
            tie=parse_enum(TieOrder, tie, "tie"),
            undelayed=whole(undelayed, "undelayed"),
        )
        if self.undelayed and self.start is not DrainStart.IMMEDIATE:
            raise InvalidLimit("undelayed requests leave at once; give start='immediate'")

    @property
    def _places(self) -> int:
        # A request that passed immediately occupies an extra place until one interval later.
        return self.queue_size + (self.start is DrainStart.IMMEDIATE)

    @property
    def sustained_rate(self) -> Fraction:
        """The drain rate; zero if the queue has no place."""
        return self.drain_rate if self._places else Fraction(0)

    def max_admitted(self, window_s: Duration, *, closed: bool = False) -> int:
        """Return a queue filled at once plus one request per departure in the window.

        With a free-running clock a departure may follow immediately after the queue is filled; with a service
        that starts on the first arrival it follows one interval later.
        """
        if not self._places:
            return 0
        intervals = Fraction(span_ns(window_s, closed=closed), NS_PER_S) * self.drain_rate
        if self.start is DrainStart.CLOCK:
            return self._places + ceil_div(intervals, 1)
        if self.tie is TieOrder.ARRIVAL_FIRST:
            return self._places + max(ceil_div(intervals, 1) - 1, 0)
        return self._places + floor(intervals)

    def _ticks_per_ns(self) -> int:
        return common_ticks_per_ns(1 / self.drain_rate)

    def _initial_state(self, trace: Trace) -> LimiterState:
        count = self._places if trace.growing else len(trace.arrivals)
        places = min(self._places, count)  # the trace cannot fill more
        interval = trace.whole_ticks(1 / self.drain_rate)
        late = int(self.tie is TieOrder.ARRIVAL_FIRST)
        room = (places - 1) * interval - late if places else -interval - trace.last - 1
        return LimiterState(
            loop=algorithms.leaky_bucket,
            numbers=(interval, room, late, self.start is DrainStart.CLOCK),
            values=[-interval, -interval],
            writes=True,
            bound=trace.last + (places + 2) * interval + 1,
            ends=lambda _, ends: ends,
            leaves=partial(self._leaves, interval),
        )

    def _places_left(self, state: LimiterState, t: int) -> int:
        interval: int = state.numbers[0]
        return self._places - max(ceil_div(state.values[0] - t, interval), 0)

    def _leaves(self, interval: int, entries: Sequence[int], ends: Sequence[int]) -> Sequence[int]:
        """Return when requests leave that occupy their places until `ends`, as in `LimiterState.leaves`."""
        if self.start is not DrainStart.IMMEDIATE:
            return ends
        return _earlier(interval * (1 + self.undelayed), entries, ends)

    def _remaining(self, charge_log: ChargeLog) -> Callable[[Tick], Fraction]:
        return lambda t: Fraction(self._places - charge_log.inside(t))

    def _next_available(self, charge_log: ChargeLog, t: int, cost: int) -> int | None:  # noqa: ARG002 (counts requests)
        if not self._places:
            return None
        entered = bisect_right(charge_log.times, t)
        if entered < self._places:
            return t
        return max(t, charge_log.ends[entered - self._places] + (self.tie is TieOrder.ARRIVAL_FIRST))


@dataclass(frozen=True, slots=True, init=False, repr=False)
class WaitingBucket(SingleLimiter):
    """A token bucket that rejects nothing: a request without a token waits for one, first come, first served.

    So do throttles of clients, such as `Wait` of golang.org/x/time/rate. A request takes its token as it
    comes, so that the tokens fall below zero, and leaves when that token has been refilled. The limiter
    counts requests, not their cost.

    >>> from hook_widgets.ratelimit import simulate
    >>> simulate(WaitingBucket(2, "10/s"), [0, 0, 0, 0]).wait_s
    [0.0, 0.0, 0.1, 0.2]

    Attributes:
        capacity: tokens in a full bucket, a whole number.
        refill_rate: tokens per second.
    """

    capacity: int
    refill_rate: Fraction

    def __init__(self, capacity: Quantity, refill_rate: Quantity, *, name: str = "") -> None:
        set_fields(
            self,
            name=name,
            capacity=whole(capacity, "capacity", positive=True),
            refill_rate=rate(refill_rate, "refill_rate"),
        )

    def as_token_bucket(self) -> TokenBucket:
        """Return the token bucket that rejects the requests without a token."""
        return TokenBucket(self.capacity, self.refill_rate, name=self.name)

    @property
    def sustained_rate(self) -> Fraction:
        """The refill rate."""
        return self.refill_rate

    def max_admitted(self, window_s: Duration, *, closed: bool = False) -> int:
        """Return how many requests leave at most: a full bucket plus the refill of the window."""
        return self.as_token_bucket().max_admitted(window_s, closed=closed)

    def _ticks_per_ns(self) -> int:
        return common_ticks_per_ns(1 / self.refill_rate)

    def _initial_state(self, trace: Trace) -> LimiterState:
        interval = trace.whole_ticks(1 / self.refill_rate)
        room = trace.last + trace.total_cost * interval  # for all requests of the trace
        return LimiterState(
            loop=algorithms.leaky_bucket,
            numbers=(interval, room, 0, False),
            values=[0, 0],
            writes=True,
            bound=room + interval,
            leaves=partial(_earlier, interval * self.capacity),
        )

    def _places_left(self, state: LimiterState, t: int) -> int:
        """Return how many requests would not wait."""
        return max(self.capacity - max(ceil_div(state.values[0] - t, state.numbers[0]), 0), 0)

    def _remaining(self, charge_log: ChargeLog) -> Callable[[Tick], Fraction]:
        return self.as_token_bucket()._remaining(charge_log)

    def _next_available(self, charge_log: ChargeLog, t: int, cost: int) -> int:  # noqa: ARG002 (admits all)
        return t


def never_rejects(limiter: Limiter) -> bool:
    """Return True if every layer makes requests wait instead of rejecting them."""
    return all(isinstance(one_client(layer), WaitingBucket) for layer in limiter.layers)


def _earlier(lead: int, entries: Sequence[int], ends: Sequence[int]) -> Sequence[int]:
    """Return when requests leave: so much before the end, but not before they came."""
    if isinstance(ends, list):
        return [max(entry, end - lead) for entry, end in zip(entries, ends, strict=True)]
    import numpy

    leaves: Sequence[int] = numpy.maximum(entries, cast(Any, ends) - lead)
    return leaves
