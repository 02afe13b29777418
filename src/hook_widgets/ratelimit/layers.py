"""Several limits at once, and the limit on requests in flight that usually goes with the others."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from operator import add

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit import loops
from hook_widgets.ratelimit.limiter import Limiter, SingleLimiter, put, reach
from hook_widgets.ratelimit.per import Per
from hook_widgets.ratelimit.quantity import NS_PER_S, Quantity, duration, whole
from hook_widgets.ratelimit.trace import Gate, Ledger, Tick, Trace


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Concurrency(SingleLimiter):
    """At most `limit` requests in flight. How long each is depends on the service times of the run.

    It counts requests, not their cost. One that ends at the very instant another arrives has ended.

    Attributes:
        limit: requests in flight at most.
    """

    limit: int

    def __init__(self, limit: Quantity, *, name: str = "") -> None:
        put(self, name=name, limit=whole(limit, "limit"))

    @property
    def nominal(self) -> None:
        """None: the rate is the limit divided by the service time (Little's law)."""

    def most_in(self, window_s: Quantity, *, closed: bool = False, service_s: Quantity | None = None) -> int:
        """The limit at once, and again whenever those have been served.

        Args:
            window_s: the length, in seconds or text.
            closed: whether both ends belong to the window.
            service_s: the shortest time that a request is in flight.

        Raises:
            InvalidLimit: the window is not a time above zero, or there is no service time.
        """
        span = reach(window_s, closed=closed)
        if service_s is None:
            raise InvalidLimit(
                "A concurrency limit alone bounds no window: the shorter requests are, the more pass. "
                "Give service_s."
            )
        return self.limit * int(span // (duration(service_s, "service_s") * NS_PER_S) + 1)

    def _resolution(self) -> int:
        return 1

    def _gate(self, trace: Trace) -> Gate:
        return Gate(
            loops.concurrency,
            (self.limit,),
            [],
            column=trace.services,
            ends=lambda times, services: list(map(add, times, services)),
        )

    def _left(self, ledger: Ledger) -> Callable[[Tick], Fraction]:
        return lambda t: Fraction(self.limit - ledger.inside(t))

    def _free_at(self, ledger: Ledger, t: int, cost: int) -> int | None:  # noqa: ARG002 (counts requests)
        in_flight = [end for end in ledger.ends[: bisect_right(ledger.times, t)] if end > t]
        if len(in_flight) < self.limit:
            return t
        return min(in_flight, default=None)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Layers(Limiter):
    """Several limits that must all admit a request: it is charged to all of them or to none.

    Only a layer that counts refused requests counts those, too, that another refused. When several refuse,
    the first in order is named. When a request must wait in several, the longest wait is its wait.

    Args:
        *limiters: the limits, in order; layers within layers are taken apart.
        name: what people call them together.

    >>> from hook_widgets.ratelimit import FixedWindow, TokenBucket
    >>> both = Layers(TokenBucket(10, "5/s", name="burst"), FixedWindow(1000, "1 hour", name="quota"))
    >>> both.most_in("1 s"), both.most_in("1 hour")
    (14, 2000)
    """

    limits: tuple[Limiter, ...]

    def __init__(self, *limiters: Limiter, name: str = "") -> None:
        for limiter in limiters:
            if not isinstance(limiter, Limiter):
                raise InvalidLimit(f"Layers are limiters, not {type(limiter).__name__}. Write Layers(a, b).")
        if not limiters:
            raise InvalidLimit("Layers without a limiter limit nothing. Give one or more.")
        put(self, name=name, limits=limiters)

    def __repr__(self) -> str:
        """The call that makes it."""
        given = [*map(repr, self.limits), *([f"name={self.name!r}"] if self.name else [])]
        return f"Layers({', '.join(given)})"

    @property
    def layers(self) -> tuple[SingleLimiter, ...]:
        """The single limits in order; layers within layers are taken apart."""
        return tuple(layer for limiter in self.limits for layer in limiter.layers)

    @property
    def nominal(self) -> Fraction | None:
        """The lowest of the layers' rates."""
        return min((rate for layer in self.layers if (rate := layer.nominal) is not None), default=None)

    def most_in(self, window_s: Quantity, *, closed: bool = False) -> int:
        """What the tightest layer allows: an upper bound, which layers out of step may keep from being met.

        Raises:
            InvalidLimit: the window is not a time above zero, or no layer bounds it.
        """
        bounds = [
            layer.most_in(window_s, closed=closed)
            for layer in self.layers
            if not isinstance(layer, Concurrency | Per)
        ]
        if not bounds:
            raise InvalidLimit(
                "Concurrency limits, and those of each client, bound no window. "
                "Add a limit that counts time for all."
            )
        return min(bounds)
