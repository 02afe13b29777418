"""A limiter that decides requests one at a time, as they come."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Final

from hook_widgets._arguments import shown
from hook_widgets.errors import InvalidArrivals, nearest
from hook_widgets.ratelimit.limiters.base import Limiter, SingleLimiter, checked_cost, max_cost
from hook_widgets.ratelimit.limiters.buckets import check_refundable
from hook_widgets.ratelimit.limiters.keyed import (
    ClientPartition,
    PerClient,
    Replicas,
    decide_request,
    one_client,
)
from hook_widgets.ratelimit.limiters.layers import Concurrency
from hook_widgets.ratelimit.limiters.trace import Trace
from hook_widgets.ratelimit.traffic.arrivals import LATEST_NS, Arrivals
from hook_widgets.ratelimit.units import NS_PER_S, Duration, Quantity, all_nanoseconds

_FORGET: Final = 1024  # requests that no longer matter are forgotten when there are so many

_NO_WAIT: Final = Fraction(0)


@dataclass(frozen=True, slots=True)
class LimitDecision:
    """The decision about one request; true if it was admitted.

    Attributes:
        admitted: True if the request was admitted.
        wait_s: how long it waits in a queue, in seconds; None if it was rejected.
        limited_by: label of the limit that rejected it, or None.
        rejected_by: index of that limit among the layers, or None.
        client: the client by key, with the replica to which the request was routed.
    """

    admitted: bool
    wait_s: Fraction | None
    limited_by: str | None
    rejected_by: int | None
    client: Mapping[str, Hashable]

    def __bool__(self) -> bool:
        return self.admitted


class RunningLimiter:
    """A limiter with the state of the requests so far. Created by `Limiter.begin`.

    It decides as `simulate` does, with the same code, and keeps only what later decisions need.

    >>> from hook_widgets.ratelimit import FixedWindow
    >>> running = FixedWindow(1, "1 s").begin()
    >>> [bool(running.decide(t)) for t in (0, 0.5, 1)], running.free_at(1)
    ([True, False, True], Fraction(2, 1))
    """

    def __init__(self, limiter: Limiter) -> None:
        """Start with no request.

        Args:
            limiter: the limit, or several as `Layers`.
        """
        self.limiter = limiter
        self._layers = limiter.layers
        self._labels = [layer.label for layer in self._layers]
        per_ns = lcm(*(layer._ticks_per_ns() for layer in self._layers))
        self._trace = Trace(arrivals=Arrivals(()), ticks_per_ns=per_ns, growing=True)
        self._partitions: dict[tuple[int, Hashable], _Growing] = {}
        self._last = 0
        self._max_cost = max_cost(limiter)
        self._keyed = {layer.key: layer for layer in self._layers if isinstance(layer, PerClient)}
        self._routes: dict[str, Iterator[int]] = {
            key: layer._route() for key, layer in self._keyed.items() if isinstance(layer, Replicas)
        }
        self._in_flight = any(isinstance(one_client(layer), Concurrency) for layer in self._layers)

    def decide(
        self,
        t: Duration,
        cost: Quantity | None = None,
        service_s: Duration | None = None,
        /,
        **client: Hashable,
    ) -> LimitDecision:
        """Decide a request and charge it.

        Args:
            t: the time, in seconds from the start, not before that of the previous request.
            cost: the cost, a whole number of at least 1; default 1.
            service_s: how long the request is in flight, for `Concurrency`.
            client: the client by key, for `PerClient`, such as ``user="ann"``; `Replicas` route themselves.

        Raises:
            InvalidArrivals: `t`, the cost or the service time is invalid, a cost exceeds what the limiter can
                ever admit, or a service time or client is missing or not used.
        """
        tick, charge = self._tick(t), self._cost(cost)
        return self._decide(tick, charge, self._service(service_s), self._by_key(client, route=True))

    def _decide(self, tick: int, charge: int, service: int, by_key: dict[str, Hashable]) -> LimitDecision:
        """Decide a request whose time, cost and service time were checked."""
        growing = [self._partition(k, by_key, create=True) for k in range(len(self._layers))]
        self._last = tick
        for part in growing:
            part.append(tick, charge, service)
        k = decide_request([(part.partition, len(part.times) - 1) for part in growing])
        wait = max((part.wait() for part in growing), default=0)
        for part in growing:
            part.forget()
        if k >= 0:
            return LimitDecision(
                admitted=False, wait_s=None, limited_by=self._labels[k], rejected_by=k, client=by_key
            )
        wait_s = Fraction(wait, self._per_s) if wait else _NO_WAIT
        return LimitDecision(admitted=True, wait_s=wait_s, limited_by=None, rejected_by=None, client=by_key)

    def refund(self, t: Duration, cost: Quantity, /, **client: Hashable) -> None:
        """Give back a part of the cost of an admitted request, as GraphQL APIs do when it is known.

        A bucket keeps no more tokens than it holds.

        Args:
            t: the time, not before that of the previous request or refund.
            cost: the cost to give back, a whole number of at least 1.
            client: the client by key, for `PerClient`, and the replica for `Replicas`.

        Raises:
            InvalidArrivals: as for `decide`, or a limit of costs is neither a `TokenBucket` nor a `Gcra`.

        >>> from hook_widgets.ratelimit import TokenBucket
        >>> running = TokenBucket(1000, "50/s").begin()
        >>> bool(running.decide(0, 800)), bool(running.decide(1, 800))
        (True, False)
        >>> running.refund(1, 700)
        >>> bool(running.decide(1, 800))
        True
        """
        tick, refunded, parts = self._tick(t), self._cost(cost), self._parts(client)
        check_refundable(self.limiter)
        self._last = tick
        for layer, part in zip(self._layers, parts, strict=True):
            if layer._max_cost is not None:
                part.partition.state.refund(refunded)

    def free_at(self, t: Duration, cost: Quantity | None = None, /, **client: Hashable) -> Fraction | None:
        """Return the first time at which a request would be admitted if no other came. See `Run.free_at`.

        Args:
            t: the current time, not before that of the previous request.
            cost: the cost of the request.
            client: the client by key, for `PerClient` and `Replicas`.

        Raises:
            InvalidArrivals: as for `decide`.
        """
        times = [at for at in self.free_at_by_layer(t, cost, **client) if at is not None]
        return max(times) if len(times) == len(self._layers) else None

    def free_at_by_layer(
        self, t: Duration, cost: Quantity | None = None, /, **client: Hashable
    ) -> tuple[Fraction | None, ...]:
        """Return when every layer, in order, would admit a request. See `free_at`.

        Args:
            t: the current time, not before that of the previous request.
            cost: the cost of the request.
            client: the client by key, for `PerClient` and `Replicas`.
        """
        tick, charge, latest = self._tick(t), self._cost(cost), LATEST_NS * self._trace.ticks_per_ns
        times = (part.free_at(tick, charge, latest) for part in self._parts(client))
        return tuple(None if at is None else Fraction(at, self._per_s) for at in times)

    def _free_after(self, tick: int, step: int, by_key: Mapping[str, Hashable]) -> int | None:
        """Return after how many steps a request of cost 1 would be admitted, if ever; see `free_at`."""
        counts: list[int] = []
        for k in range(len(self._layers)):
            part = self._partition(k, by_key, create=False)
            count = part.free_after(tick, step, LATEST_NS * self._trace.ticks_per_ns)
            if count is None:
                return None
            counts.append(count)
        return max(counts)

    def full_at_by_layer(self, t: Duration, /, **client: Hashable) -> tuple[Fraction | None, ...]:
        """Return when the whole quota of every layer, in order, will be available if no other request comes.

        Args:
            t: the current time, not before that of the previous request.
            client: the client by key, for `PerClient` and `Replicas`.

        Returns:
            Exact seconds from the start; None for a layer that never admits a request.
        """
        tick, latest = self._tick(t), LATEST_NS * self._trace.ticks_per_ns
        times = (part.full_at(tick, latest) for part in self._parts(client))
        return tuple(None if at is None else Fraction(at, self._per_s) for at in times)

    def remaining_by_layer(self, t: Duration, /, **client: Hashable) -> tuple[int, ...]:
        """Return the largest cost that every layer, in order, would admit now: requests, where cost is none.

        Args:
            t: the current time, not before that of the previous request.
            client: the client by key, for `PerClient` and `Replicas`.
        """
        tick = self._tick(t)
        return tuple(part.remaining(tick) for part in self._parts(client))

    @property
    def _per_s(self) -> int:
        return self._trace.ticks_per_ns * NS_PER_S

    def _parts(self, client: dict[str, Hashable]) -> list[_Growing]:
        """Return the state of a client at every layer."""
        by_key = self._by_key(client, route=False)
        return [self._partition(k, by_key, create=False) for k in range(len(self._layers))]

    def _partition(self, k: int, by_key: Mapping[str, Hashable], *, create: bool) -> _Growing:
        """Return the state of a client at a layer; one that is not kept for a new client, unless `create`."""
        layer = self._layers[k]
        who = by_key[layer.key] if isinstance(layer, PerClient) else None
        try:
            growing = self._partitions.get((k, who))
        except TypeError:
            raise InvalidArrivals(
                f"a client is {shown(who)}, an unhashable value; give a text or a number"
            ) from None
        if growing is None:
            growing = _Growing(one_client(layer), self._trace)
            if create:
                self._partitions[k, who] = growing
        return growing

    def _by_key(self, client: Mapping[str, Hashable], *, route: bool) -> dict[str, Hashable]:
        """Return the client of a request by key, routed to replicas if wanted."""
        for key in client:
            if key not in self._keyed:
                raise InvalidArrivals(
                    f"{self.limiter.label} has no clients by {key!r}; {nearest(str(key), self._keyed)}"
                )
        for key, layer in self._keyed.items():
            if key not in client and not (route and key in self._routes):
                raise InvalidArrivals(f"{layer.label!r} is kept for each {key}; give {key}=...")
        return {key: client[key] if key in client else next(self._routes[key]) for key in self._keyed}

    def _tick(self, t: Duration) -> int:
        tick = all_nanoseconds((t,), "t", error=InvalidArrivals)[0] * self._trace.ticks_per_ns
        if tick < self._last:
            raise InvalidArrivals(
                f"t is {shown(t)}, earlier than the request before it; decide requests in their order"
            )
        return tick

    def _cost(self, cost: Quantity | None) -> int:
        if cost is None:
            return 1
        return checked_cost(cost, "cost", self._max_cost, self.limiter)

    def _service(self, service_s: Duration | None) -> int:
        if (service_s is not None) != self._in_flight:
            raise InvalidArrivals(
                "a concurrency limit needs to know how long a request is in flight; give service_s"
                if self._in_flight
                else f"{self.limiter.label} does not depend on service times; leave service_s out"
            )
        if service_s is None:
            return 0
        return all_nanoseconds((service_s,), "service_s", error=InvalidArrivals)[0] * self._trace.ticks_per_ns


class _Growing:
    """The requests of one client at one layer that still matter, as lists that grow and are cut."""

    def __init__(self, layer: SingleLimiter, trace: Trace) -> None:
        self._layer = layer
        self._state = state = layer._initial_state(trace)
        self.times: list[int] = []
        self._costs: list[int] = []
        self._admitted: list[bool] = []
        self._free: tuple[int, int, list[int], int | None] | None = None  # the last result of `free_at`
        self._column = self._costs if state.column is None and not state.writes else list[int]()
        decide = partial(
            state.loop, self.times, self._column, *state.numbers, state.values, 0, self._admitted
        )
        self.partition = ClientPartition(state, self._costs, self._admitted, decide)

    def append(self, tick: int, cost: int, service: int) -> None:
        """Add a request, which is not decided."""
        self.times.append(tick)
        self._costs.append(cost)
        self._admitted.append(True)
        if self._column is not self._costs:
            self._column.append(service)

    def wait(self) -> int:
        """Return how long the last request waits, in ticks, if it was admitted."""
        if self._state.leaves is None:
            return 0
        return self._state.leaves(self.times[-1:], self._column[-1:])[0] - self.times[-1]

    def forget(self) -> None:
        """Forget the requests that no later decision reads."""
        oldest = self._state.oldest(len(self.times))
        if oldest < _FORGET or 2 * oldest < len(self.times):
            return
        for values in (self.times, self._costs, self._admitted):
            del values[:oldest]
        if self._column is not self._costs:
            del self._column[:oldest]
        self._state.forget(oldest)
        self._free = None  # its values have the numbers of before

    def free_at(self, tick: int, cost: int, latest: int) -> int | None:
        """Return the first tick from `tick` to `latest` at which a request would be admitted, or None.

        The last result is kept: most rejected requests leave the state as it was.
        """
        if self._free is not None:
            at, of_cost, values, first = self._free
            if at <= tick and of_cost == cost and values == self._state.values:
                return None if first is None else max(tick, first)
        first = _first_time(tick, latest, lambda t: self._admits(t, cost))
        self._free = (tick, cost, self._state.values.copy(), first)
        return first

    def free_after(self, tick: int, step: int, latest: int) -> int | None:
        """Return the first number of steps from `tick` after which a request would be admitted, or None."""
        return _first_time(0, (latest - tick) // step, lambda count: self._admits(tick + count * step, 1))

    def full_at(self, tick: int, latest: int) -> int | None:
        """Return the first tick from `tick` to `latest` at which nothing is used up, or None."""
        most = self._layer._max_cost
        if most is not None:
            return self.free_at(tick, most, latest) if most else None
        places = self._layer._places_left(self._state, latest)
        return _first_time(tick, latest, lambda t: self._layer._places_left(self._state, t) == places)

    def remaining(self, tick: int) -> int:
        """Return the largest cost, or the most requests at once, that would be admitted."""
        most = self._layer._max_cost
        if most is None:
            return self._layer._places_left(self._state, tick)
        return _first(1, most + 1, lambda cost: not self._admits(tick, cost)) - 1

    def _admits(self, tick: int, cost: int) -> bool:
        """Return True if a request would be admitted, without charging it."""
        if self._layer._max_cost is not None and cost > self._layer._max_cost:
            return False
        before, index = self._state.values.copy(), len(self.times)
        self.append(tick, cost, 0)
        self.partition.decide(index, index + 1)
        self._state.values[:] = before
        for values in (self.times, self._costs, self._column):
            del values[index:]
        return self._admitted.pop()


def _first_time(tick: int, latest: int, test: Callable[[int], bool]) -> int | None:
    """Return the first tick from `tick` to `latest` at which a monotonic test is true, or None."""
    near, far = 0, 1
    if test(tick):
        return tick
    while not test(tick + far):
        near, far = far, 2 * far
        if tick + far > latest:
            return None
    return tick + _first(near + 1, far, lambda later: test(tick + later))


def _first(low: int, high: int, test: Callable[[int], bool]) -> int:
    """Return the first integer from `low` to `high` for which a monotonic test is true; `high` if none is."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if test(middle) else (middle + 1, high)
    return low
