"""The fresh requests of a closed-loop simulation, and the clients that send them."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from hook_widgets._arguments import shown
from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit.clients.server_model import TimeSpan
from hook_widgets.ratelimit.limiters.base import parse_enum, set_fields
from hook_widgets.ratelimit.traffic.arrivals import Arrivals
from hook_widgets.ratelimit.traffic.workload import TrafficPattern, build_traffic
from hook_widgets.ratelimit.units import (
    NS_PER_S,
    Duration,
    Number,
    Quantity,
    check_plausible,
    duration,
    rate,
    real,
    whole,
)

MAX_CLIENTS: Final = 10_000
"""Upper bound of the number of clients."""

MAX_DURATION_S: Final = 1_000_000
"""Upper bound of the duration of a run; up to here a float of seconds is exact to the nanosecond."""


@dataclass(frozen=True, slots=True, init=False)
class ClientWorkload:
    """Fresh requests: those that would be sent if none failed.

    The first argument, `requests`, is the rate of all clients together, or the times of the requests.

    Attributes:
        rate_per_s: mean rate of all clients together; None if `fixed_arrivals` holds the times.
        fixed_arrivals: the times of all requests, the same in every run; None if they are generated.
        duration_s: duration of a run. What is not finished then counts as unfinished.
        clients: number of clients; each request belongs to a random one.
        weights: how often each client sends, relative to the others, one number per client; empty for equal
            shares.
        pattern: pattern of the requests, one of `TrafficPattern`.
        surge: time in which there are additional requests, or None.
        surge_per_s: their rate.
        poisoned: indexes of requests that always fail, such as events that a receiver cannot digest.
    """

    rate_per_s: Fraction | None
    fixed_arrivals: Arrivals | None
    duration_s: Fraction
    clients: int
    weights: tuple[float, ...]
    pattern: TrafficPattern
    surge: TimeSpan | None
    surge_per_s: Fraction
    poisoned: frozenset[int]

    def __init__(
        self,
        requests: Quantity | Arrivals,
        duration_s: Duration,
        *,
        clients: Quantity = 10,
        weights: Iterable[Number] = (),
        pattern: str = TrafficPattern.POISSON,
        surge: TimeSpan | None = None,
        surge_per_s: Quantity = 0,
        poisoned: Iterable[int] = (),
    ) -> None:
        """Create a workload.

        Raises:
            InvalidArrivals: an argument is invalid.
            InvalidLimit: there is no such pattern.
        """
        arrivals = requests if isinstance(requests, Arrivals) else None
        per_s = None if isinstance(requests, Arrivals) else _rate(requests, "requests")
        span = duration(duration_s, "duration_s", error=InvalidArrivals)
        check_plausible(span, duration_s, "duration_s", error=InvalidArrivals)
        if span > MAX_DURATION_S:
            raise InvalidArrivals(f"is {shown(duration_s)}; give at most 1,000,000 s", subject="duration_s")
        set_fields(
            self,
            rate_per_s=per_s,
            fixed_arrivals=arrivals,
            duration_s=span,
            clients=whole(clients, "clients", error=InvalidArrivals),
            weights=tuple(
                real(weight, "weights", error=InvalidArrivals)
                for weight in _listed(weights, "weights", "one number per client")
            ),
            pattern=parse_enum(TrafficPattern, pattern, "pattern"),
            surge=surge,
            surge_per_s=_rate(surge_per_s, "surge_per_s"),
            poisoned=_indexes(poisoned),
        )
        self._check()

    def _check(self) -> None:
        if not 0 < self.clients <= MAX_CLIENTS:
            raise InvalidArrivals(f"is {self.clients}; give 1 to {MAX_CLIENTS:,}", subject="clients")
        if self.weights and (len(self.weights) != self.clients or not sum(self.weights)):
            raise InvalidArrivals("must be one number per client, not all zero", subject="weights")
        if self.surge is not None and not isinstance(self.surge, TimeSpan):
            raise InvalidArrivals(f"must be a TimeSpan, not {shown(self.surge)}", subject="surge")
        if (self.surge is None) != (self.surge_per_s == 0):
            raise InvalidArrivals("needs surge_per_s, and the other way round; give both", subject="surge")

    def with_rate(self, rate_per_s: Quantity) -> ClientWorkload:
        """Return the same workload with another rate, without a surge.

        Args:
            rate_per_s: the rate of all clients together.

        Raises:
            InvalidArrivals: the rate is invalid.
        """
        return ClientWorkload(
            rate_per_s,
            self.duration_s,
            clients=self.clients,
            weights=[Fraction(weight) for weight in self.weights],
            pattern=self.pattern,
            poisoned=self.poisoned,
        )

    def arrivals(self, seed: int) -> Arrivals:
        """Return the times of the fresh requests of a run.

        Args:
            seed: seed of the random times.

        Raises:
            InvalidArrivals: there would be too many requests.
        """
        if self.fixed_arrivals is not None:
            return self.fixed_arrivals
        steady = self._traffic(self.rate_per_s or Fraction(0), self.duration_s, seed)
        if self.surge is None:
            return steady
        extra = self._traffic(self.surge_per_s, Fraction(str(self.surge.duration_s)), seed + 1_000_003)
        start_ns = round(self.surge.start_s * NS_PER_S)
        return steady + replace(extra, times_ns=tuple(t + start_ns for t in extra.times_ns))

    def senders(self, count: int, rng: random.Random) -> list[int]:
        """Return the client of each request, from 0.

        Args:
            count: number of requests.
            rng: the random numbers.
        """
        if self.clients == 1:
            return [0] * count
        return rng.choices(range(self.clients), self.weights or None, k=count)

    def _traffic(self, rate_per_s: Fraction, duration_s: Fraction, seed: int) -> Arrivals:
        return build_traffic(self.pattern, rate_per_s=rate_per_s or None, duration_s=duration_s, seed=seed)


def _listed(values: Iterable[Any], name: str, kind: str) -> list[Any]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidArrivals(f"must be {kind}, not {shown(values)}", subject=name)
    return list(values)


def _indexes(values: Iterable[int]) -> frozenset[int]:
    kind = "indexes of requests, such as [0]"
    for value in (listed := _listed(values, "poisoned", kind)):
        if isinstance(value, bool) or not isinstance(value, int):
            raise InvalidArrivals(f"must be {kind}, not {shown(value)}", subject="poisoned")
    return frozenset(listed)


def _rate(value: Quantity, name: str) -> Fraction:
    per_s = rate(value, name, positive=False, error=InvalidArrivals)
    check_plausible(per_s, value, name, error=InvalidArrivals)
    return per_s
