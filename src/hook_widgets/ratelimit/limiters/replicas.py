"""The same limit in several servers that share no state."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import cycle

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.limiters.base import Limiter, SingleLimiter, parse_enum, set_fields
from hook_widgets.ratelimit.limiters.keyed import PerClient
from hook_widgets.ratelimit.units import Duration, Quantity, whole

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
