"""Limiters with separate state for each client or server, and the requests of one client at one layer."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import cycle

from hook_widgets._arguments import shown
from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.limiters.base import Limiter, SingleLimiter, parse_enum, set_fields
from hook_widgets.ratelimit.limiters.trace import ChargeLog, LimiterState, Tick, Trace
from hook_widgets.ratelimit.units import Duration, Quantity, whole


@dataclass(frozen=True, slots=True, init=False, repr=False)
class PerClient(SingleLimiter):
    """A limit applied to each client separately; `simulate` takes the clients as ``clients={key: ...}``.

    Attributes:
        key: the name that identifies clients, such as ``"user"``, ``"ip"`` or ``"endpoint"``.
        limit: the limit of each client.

    >>> from hook_widgets.ratelimit import FixedWindow, Layers, TokenBucket, simulate
    >>> limits = Layers(FixedWindow(1000, "1 hour", name="global"), PerClient("user", TokenBucket(1, "1/s")))
    >>> run = simulate(limits, [0, 0, 0], clients={"user": ["ann", "bob", "ann"]})
    >>> run.admitted, run.limited_by
    ([True, True, False], [None, None, 'per user'])
    """

    key: str
    limit: Limiter

    def __init__(self, key: str, limit: Limiter, *, name: str = "") -> None:
        if type(key) is not str or not key:
            raise InvalidLimit(f"key is {shown(key)}; name what tells clients apart, such as 'user' or 'ip'")
        layers = getattr(limit, "layers", ())
        if not layers or any(isinstance(layer, PerClient) for layer in layers):
            raise InvalidLimit(f"limit is {shown(limit)}; give a limiter that is not PerClient itself")
        set_fields(self, key=key, limit=limit, name=name or limit.name or f"per {key}")

    @property
    def layers(self) -> tuple[SingleLimiter, ...]:
        """One `PerClient` for each single limit of a client; limits without a name are numbered."""
        if isinstance(self.limit, SingleLimiter):
            return (self,)
        numbered = enumerate(self.limit.layers, 1)
        return tuple(
            PerClient(self.key, layer, name=layer.name or f"{self.name} {n}") for n, layer in numbered
        )

    @property
    def one(self) -> SingleLimiter:
        """The single limit of one client."""
        return self.limit.layers[0]

    @property
    def sustained_rate(self) -> Fraction | None:
        """None, because the rate grows with the number of clients."""
        return None

    def max_admitted(self, window_s: Duration, *, closed: bool = False) -> int:
        """Return the maximum number of requests admitted for one client."""
        return self.limit.max_admitted(window_s, closed=closed)

    @property
    def _max_cost(self) -> int | None:
        return self.one._max_cost

    def _ticks_per_ns(self) -> int:
        return self.one._ticks_per_ns()

    def _initial_state(self, trace: Trace) -> LimiterState:
        return self.one._initial_state(trace)

    def _remaining(self, charge_log: ChargeLog) -> Callable[[Tick], Fraction]:
        return self.one._remaining(charge_log)

    def _next_available(self, charge_log: ChargeLog, t: int, cost: int) -> int | None:
        return self.one._next_available(charge_log, t, cost)


def one_client(layer: SingleLimiter) -> SingleLimiter:
    """Return the limit of a single client: that inside `PerClient`, or the layer itself."""
    return layer.one if isinstance(layer, PerClient) else layer


@dataclass(slots=True)
class ClientPartition:
    """The requests of one client at one layer: the state of the limit, their costs and the decisions."""

    state: LimiterState
    costs: Sequence[int]
    admitted: list[bool]
    decide: Callable[[int, int], None]

    @classmethod
    def of(cls, layer: SingleLimiter, trace: Trace, admitted: list[bool]) -> ClientPartition:
        """Return a partition with the initial state of a layer."""
        state = layer._initial_state(trace)
        return cls(state, trace.costs, admitted, state.decide(trace, admitted))


Step = tuple[ClientPartition, int]
"""A partition that a request passes, and the index of the request in it."""


def decide_request(steps: Sequence[Step]) -> int:
    """Decide one request. If it is rejected, roll back the layers that do not count rejected requests.

    Returns:
        The index of the first step that rejected it, -1 if none did.
    """
    before: list[list[int]] = []
    for partition, i in steps:
        before.append(partition.state.values.copy())
        partition.decide(i, i + 1)
        if not partition.admitted[i]:
            break
    else:
        return -1
    k = len(before) - 1
    for j, (partition, i) in enumerate(steps):
        if j < k and not partition.state.counts_rejected:
            partition.state.rollback(before[j], partition.costs[i])
        elif j > k and partition.state.counts_rejected:
            partition.decide(i, i + 1)
        partition.admitted[i] = False
    return k


REPLICA = "replica"


class Routing(StrEnum):
    """Rule by which a load balancer spreads requests over replicas."""

    ROUND_ROBIN = "round_robin"
    """To each replica in turn."""
    RANDOM = "random"
    """To each replica with the same probability."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Replicas(PerClient):
    """A limit kept by each of several servers, as in a fleet of proxies without a shared store.

    `simulate` routes the requests itself; to route them otherwise, such as by client, give
    ``clients={"replica": [...]}``. All admit up to `count` times the limit together, and reject before that
    if their load is uneven.

    Attributes:
        key: the name by which `Run.tokens` and others take the number of a replica, from 0; limits with
            another number of replicas need another one.
        limit: the limit of one replica.
        count: the number of replicas.
        routing: ``"round_robin"`` or ``"random"``.
        seed: seed of the random routing.

    >>> from hook_widgets.ratelimit import TokenBucket, simulate
    >>> simulate(Replicas(2, TokenBucket(1, "1/s")), [0, 0, 0]).admitted
    [True, True, False]
    """

    count: int = 1
    routing: Routing = Routing.ROUND_ROBIN
    seed: int = 0

    def __init__(
        self,
        count: Quantity,
        limit: Limiter,
        routing: str = "round_robin",
        *,
        seed: int = 0,
        key: str = REPLICA,
        name: str = "",
    ) -> None:
        PerClient.__init__(self, key, limit, name=name)
        set_fields(
            self,
            count=whole(count, "count"),
            routing=parse_enum(Routing, routing, "routing"),
            seed=seed,
        )
        if not self.count:
            raise InvalidLimit("is zero; give at least one replica", subject="count")

    @property
    def layers(self) -> tuple[SingleLimiter, ...]:
        """One `Replicas` for each single limit of a replica."""
        return tuple(
            Replicas(self.count, layer.one, self.routing, seed=self.seed, key=self.key, name=layer.name)
            for layer in PerClient(self.key, self.limit, name=self.name).layers
            if isinstance(layer, PerClient)
        )

    @property
    def sustained_rate(self) -> Fraction | None:
        """The rate of all replicas together."""
        rate = self.limit.sustained_rate
        return None if rate is None else self.count * rate

    def max_admitted(self, window_s: Duration, *, closed: bool = False) -> int:
        """Return the maximum number of requests admitted by all replicas together."""
        return self.count * self.limit.max_admitted(window_s, closed=closed)

    def _routed_like(self, other: SingleLimiter) -> bool:
        """Return True if the same request reaches the same replica of both limits."""
        return isinstance(other, Replicas) and (self.count, self.routing, self.seed) == (
            other.count,
            other.routing,
            other.seed,
        )

    def _route(self) -> Iterator[int]:
        """Return the replica of each request, in order."""
        if self.routing is Routing.ROUND_ROBIN:
            return cycle(range(self.count))
        rng = random.Random(self.seed)
        return iter(lambda: rng.randrange(self.count), None)
