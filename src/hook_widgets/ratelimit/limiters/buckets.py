"""Limiters based on a bucket: token bucket, leaky bucket and GCRA."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import floor

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.limiters import algorithms
from hook_widgets.ratelimit.limiters.base import (
    SingleLimiter,
    ceil_div,
    common_ticks_per_ns,
    parse_enum,
    set_fields,
    span_ns,
)
from hook_widgets.ratelimit.limiters.trace import ChargeLog, LimiterState, Tick, Trace
from hook_widgets.ratelimit.units import NS_PER_S, Duration, Quantity, duration, number, rate, shown, whole


@dataclass(frozen=True, slots=True, init=False, repr=False)
class TokenBucket(SingleLimiter):
    """A bucket of up to `capacity` tokens, refilled continuously; a request takes its cost or is rejected.

    A rejected request takes nothing. A bucket that holds exactly the cost admits the request. A capacity of
    2.5 admits two requests at once and the third half a token later; a capacity below 1 admits none.

    Attributes:
        capacity: tokens in a full bucket.
        refill_rate: tokens per second.
        initial: tokens at time 0; None for a full bucket.

    >>> TokenBucket(10, "100/min").max_admitted("1 min")
    109
    """

    capacity: Fraction
    refill_rate: Fraction
    initial: Fraction | None = None

    def __init__(
        self, capacity: Quantity, refill_rate: Quantity, initial: Quantity | None = None, *, name: str = ""
    ) -> None:
        set_fields(
            self,
            name=name,
            capacity=number(capacity, "capacity"),
            refill_rate=rate(refill_rate, "refill_rate"),
            initial=None if initial is None else number(initial, "initial"),
        )
        if self.initial is not None and self.initial > self.capacity:
            raise InvalidLimit(
                f"initial is {shown(initial)}, more than the capacity of {shown(capacity)}; "
                "lower initial or raise capacity"
            )

    @property
    def sustained_rate(self) -> Fraction:
        """The refill rate; zero if the bucket never holds a whole token."""
        return self.refill_rate if self.capacity >= 1 else Fraction(0)

    def max_admitted(self, window_s: Duration, *, closed: bool = False) -> int:
        """Return a full bucket plus the refill of the window: capacity + rate x window, rounded down."""
        span = Fraction(span_ns(window_s, closed=closed), NS_PER_S)
        return floor(self.capacity + self.refill_rate * span) if self.capacity >= 1 else 0

    @property
    def _max_cost(self) -> int:
        return floor(self.capacity)

    @property
    def _full_at_s(self) -> Fraction:
        missing = 0 if self.initial is None else self.capacity - self.initial
        return missing / self.refill_rate

    def _ticks_per_ns(self) -> int:
        return common_ticks_per_ns(1 / self.refill_rate, self._full_at_s)

    def _initial_state(self, trace: Trace) -> LimiterState:
        full_at = trace.whole_ticks(self._full_at_s)
        interval = trace.whole_ticks(1 / self.refill_rate)
        depth = trace.whole_ticks(self.capacity / self.refill_rate)
        return LimiterState(
            loop=algorithms.token_bucket,
            numbers=(interval, depth),
            values=[full_at],
            # A cost is at most the capacity, or it is 1.
            bound=max(trace.last, full_at) + depth + max(depth, interval),
        )

    def _remaining(self, charge_log: ChargeLog) -> Callable[[Tick], Fraction]:
        full_at = self._full_at(charge_log)
        interval = charge_log.trace.whole_ticks(1 / self.refill_rate)

        def tokens(t: Tick) -> Fraction:
            until_full = full_at[bisect_right(charge_log.times, t)] - t
            return self.capacity - Fraction(until_full, interval) if until_full > 0 else self.capacity

        return tokens

    def _next_available(self, charge_log: ChargeLog, t: int, cost: int) -> int | None:
        if cost > self._max_cost:
            return None
        full_at = self._full_at(charge_log)[bisect_right(charge_log.times, t)]
        interval = charge_log.trace.whole_ticks(1 / self.refill_rate)
        return max(
            t, full_at + cost * interval - charge_log.trace.whole_ticks(self.capacity / self.refill_rate)
        )

    def _full_at(self, charge_log: ChargeLog) -> list[int]:
        """Return the ticks at which the bucket would be full: from the start, and after each charge."""
        interval = charge_log.trace.whole_ticks(1 / self.refill_rate)
        full_at = [charge_log.trace.whole_ticks(self._full_at_s)]
        for t, cost in zip(charge_log.times, charge_log.costs, strict=True):
            full_at.append(max(full_at[-1], t) + cost * interval)
        return full_at


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Gcra(SingleLimiter):
    """The generic cell rate algorithm of ITU-T I.371: a request conforms unless it is too early.

    A request may precede its theoretical arrival time by up to the tolerance. The decisions equal those of
    ``TokenBucket(1 + tolerance / emission interval, 1 / emission interval)``. A request of cost c conforms
    if c simultaneous requests of cost 1 would.

    Attributes:
        emission_interval_s: seconds between requests at the sustained rate.
        tolerance_s: the seconds by which a request may be early.

    >>> Gcra("100 ms", "900 ms").as_token_bucket()
    TokenBucket(capacity=10, refill_rate=10)
    """

    emission_interval_s: Fraction
    tolerance_s: Fraction

    def __init__(self, emission_interval_s: Duration, tolerance_s: Duration, *, name: str = "") -> None:
        set_fields(
            self,
            name=name,
            emission_interval_s=duration(emission_interval_s, "emission_interval_s"),
            tolerance_s=duration(tolerance_s, "tolerance_s", positive=False),
        )

    def as_token_bucket(self) -> TokenBucket:
        """Return the token bucket that admits the same requests."""
        interval = self.emission_interval_s
        return TokenBucket(1 + self.tolerance_s / interval, 1 / interval, name=self.name)

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
        return common_ticks_per_ns(self.emission_interval_s)

    def _initial_state(self, trace: Trace) -> LimiterState:
        return self.as_token_bucket()._initial_state(trace)

    def _remaining(self, charge_log: ChargeLog) -> Callable[[Tick], Fraction]:
        return self.as_token_bucket()._remaining(charge_log)

    def _next_available(self, charge_log: ChargeLog, t: int, cost: int) -> int | None:
        return self.as_token_bucket()._next_available(charge_log, t, cost)


class DrainStart(StrEnum):
    """Departure of the first request from an empty leaky bucket; the next follow at intervals."""

    SERVICE = "service"
    """After one interval: the request is served first."""
    IMMEDIATE = "immediate"
    """At once; the places are for the requests that wait behind it."""
    CLOCK = "clock"
    """At the next multiple of the interval, independently of arrivals."""


class TieOrder(StrEnum):
    """Order of a departure and an arrival at the same instant."""

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
    """

    queue_size: int
    drain_rate: Fraction
    start: DrainStart = DrainStart.SERVICE
    tie: TieOrder = TieOrder.DEPARTURE_FIRST

    def __init__(
        self,
        queue_size: Quantity,
        drain_rate: Quantity,
        start: str = "service",
        tie: str = "departure_first",
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
        )

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
        places = min(self._places, len(trace.arrivals))  # the trace cannot fill more
        interval = trace.whole_ticks(1 / self.drain_rate)
        late = int(self.tie is TieOrder.ARRIVAL_FIRST)
        room = (places - 1) * interval - late if places else -interval - trace.last - 1
        lead = interval if self.start is DrainStart.IMMEDIATE else 0  # requests leave this long before `ends`
        return LimiterState(
            loop=algorithms.leaky_bucket,
            numbers=(interval, room, late, self.start is DrainStart.CLOCK),
            values=[-interval, -interval],
            writes=True,
            bound=trace.last + (places + 2) * interval + 1,
            ends=lambda _, ends: ends,
            leaves=lambda _, ends: [end - lead for end in ends] if lead else ends,
        )

    def _remaining(self, charge_log: ChargeLog) -> Callable[[Tick], Fraction]:
        return lambda t: Fraction(self._places - charge_log.inside(t))

    def _next_available(self, charge_log: ChargeLog, t: int, cost: int) -> int | None:  # noqa: ARG002 (counts requests)
        if not self._places:
            return None
        entered = bisect_right(charge_log.times, t)
        if entered < self._places:
            return t
        return max(t, charge_log.ends[entered - self._places] + (self.tie is TieOrder.ARRIVAL_FIRST))
