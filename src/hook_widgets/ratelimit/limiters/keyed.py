"""A limiter with separate state for each client: per user, per IP address or per endpoint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.limiters.base import Limiter, SingleLimiter, set_fields
from hook_widgets.ratelimit.limiters.trace import ChargeLog, LimiterState, Tick, Trace
from hook_widgets.ratelimit.units import Duration, shown


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
