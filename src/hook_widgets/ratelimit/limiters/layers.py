"""Layered limits, and the limit on concurrent requests that usually is one of the layers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import add

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.limiters import algorithms
from hook_widgets.ratelimit.limiters.base import Limiter, SingleLimiter, set_fields, span_ns
from hook_widgets.ratelimit.limiters.keyed import PerClient, Replicas
from hook_widgets.ratelimit.limiters.trace import ChargeLog, LimiterState, Tick, Trace
from hook_widgets.ratelimit.units import NS_PER_S, Duration, Quantity, duration, whole


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Concurrency(SingleLimiter):
    """At most `limit` requests in flight, each for its service time in the run.

    The limiter counts requests, not their cost. A request that ends at the instant of an arrival no longer
    counts.

    Attributes:
        limit: maximum number of requests in flight.
    """

    limit: int

    def __init__(self, limit: Quantity, *, name: str = "") -> None:
        set_fields(self, name=name, limit=whole(limit, "limit"))

    @property
    def sustained_rate(self) -> None:
        """None, because the rate is the limit divided by the service time (Little's law)."""

    def max_admitted(
        self, window_s: Duration, *, closed: bool = False, service_s: Duration | None = None
    ) -> int:
        """Return a full limit at once, repeated whenever those requests have been served.

        Args:
            window_s: the length, as seconds or as text with a unit.
            closed: count both ends as part of the window.
            service_s: the shortest time that a request is in flight.

        Raises:
            InvalidLimit: the window is not a positive duration, or the service time is missing.
        """
        span = span_ns(window_s, closed=closed)
        if service_s is None:
            raise InvalidLimit(
                "a concurrency limit alone bounds no window: the shorter requests are, the more pass; "
                "give service_s"
            )
        return self.limit * int(span // (duration(service_s, "service_s") * NS_PER_S) + 1)

    def _ticks_per_ns(self) -> int:
        return 1

    def _initial_state(self, trace: Trace) -> LimiterState:
        return LimiterState(
            loop=algorithms.concurrency,
            numbers=(self.limit,),
            values=[],
            column=trace.services,
            ends=lambda times, services: list(map(add, times, services)),
        )

    def _places_left(self, state: LimiterState, t: int) -> int:
        return self.limit - sum(end > t for end in state.values)

    def _remaining(self, charge_log: ChargeLog) -> Callable[[Tick], Fraction]:
        return lambda t: Fraction(self.limit - charge_log.inside(t))

    def _next_available(self, charge_log: ChargeLog, t: int, cost: int) -> int | None:  # noqa: ARG002 (counts requests)
        in_flight = [end for end in charge_log.ends[: bisect_right(charge_log.times, t)] if end > t]
        if len(in_flight) < self.limit:
            return t
        return min(in_flight, default=None)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Layers(Limiter):
    """Several limits that must all admit a request, which is charged to all of them or to none.

    Only layers that count rejected requests also count those rejected by another layer. If several layers
    reject a request, the first in order is reported. If it must wait in several, its wait is the longest.

    Args:
        *limiters: the limits, in order; nested layers are flattened.
        name: a display name for all of them together.

    >>> from hook_widgets.ratelimit import FixedWindow, TokenBucket
    >>> both = Layers(TokenBucket(10, "5/s", name="burst"), FixedWindow(1000, "1 hour", name="quota"))
    >>> both.max_admitted("1 s"), both.max_admitted("1 hour")
    (14, 2000)
    """

    limits: tuple[Limiter, ...]

    def __init__(self, *limiters: Limiter, name: str = "") -> None:
        for limiter in limiters:
            if not isinstance(limiter, Limiter):
                raise InvalidLimit(f"a layer is a limiter, not {type(limiter).__name__}; write Layers(a, b)")
        if not limiters:
            raise InvalidLimit("there is no limiter; give one or more")
        set_fields(self, name=name, limits=limiters)

    def __repr__(self) -> str:
        """Return the constructor call."""
        arguments = [*map(repr, self.limits), *([f"name={self.name!r}"] if self.name else [])]
        return f"Layers({', '.join(arguments)})"

    @property
    def layers(self) -> tuple[SingleLimiter, ...]:
        """The single limiters in order, with nested layers flattened."""
        return tuple(layer for limiter in self.limits for layer in limiter.layers)

    @property
    def sustained_rate(self) -> Fraction | None:
        """The lowest sustained rate of the layers."""
        return min(
            (rate for layer in self.layers if (rate := layer.sustained_rate) is not None), default=None
        )

    def max_admitted(self, window_s: Duration, *, closed: bool = False) -> int:
        """Return the bound of the tightest layer.

        This is an upper bound; it is not always reached, because the layers' bursts need not coincide.

        Raises:
            InvalidLimit: the window is not a positive duration, or no layer bounds it.
        """
        bounds = [
            layer.max_admitted(window_s, closed=closed)
            for layer in self.layers
            if isinstance(layer, Replicas) or not isinstance(layer, Concurrency | PerClient)
        ]
        if not bounds:
            raise InvalidLimit(
                "concurrency limits, and those of each client, bound no window; "
                "add a limit that counts time for all"
            )
        return min(bounds)


def all_of(limiters: Sequence[Limiter]) -> Limiter:
    """Return the only limiter, or several as layers."""
    return limiters[0] if len(limiters) == 1 else Layers(*limiters)
