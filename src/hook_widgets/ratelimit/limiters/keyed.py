"""A limiter with separate state for each client: per user, per IP address or per endpoint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from keyword import iskeyword
from typing import Final

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.limiters.base import Limiter, SingleLimiter, set_fields
from hook_widgets.ratelimit.limiters.trace import Gate, Ledger, Tick, Trace
from hook_widgets.ratelimit.units import Quantity, shown

# Parameters of `simulate` and of the query methods of a run, and the columns of its data frame.
_RESERVED: Final = (
    *("limiter", "arrivals_s", "costs", "service_s", "self", "t", "cost"),
    *("time_s", "admitted", "wait_s", "limited_by"),
)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Per(SingleLimiter):
    """A limit applied to each client separately; `simulate` takes the clients as the argument named `key`.

    Attributes:
        key: the name that identifies clients, such as ``"user"``, ``"ip"`` or ``"endpoint"``.
        limit: the limit of each client.

    >>> from hook_widgets.ratelimit import FixedWindow, Layers, TokenBucket, simulate
    >>> limits = Layers(FixedWindow(1000, "1 hour", name="global"), Per("user", TokenBucket(1, "1/s")))
    >>> run = simulate(limits, [0, 0, 0], user=["ann", "bob", "ann"])
    >>> run.admitted, run.limited_by
    ([True, True, False], [None, None, 'per user'])
    """

    key: str
    limit: Limiter

    def __init__(self, key: str, limit: Limiter, *, name: str = "") -> None:
        if not str(key).isidentifier() or iskeyword(str(key)) or key in _RESERVED:
            raise InvalidLimit(f"key is {shown(key)}. Write what tells clients apart: 'user', 'ip', ...")
        layers = getattr(limit, "layers", ())
        if not layers or any(isinstance(layer, Per) for layer in layers):
            raise InvalidLimit(f"Per takes a limit that is not Per itself, not {shown(limit)}.")
        set_fields(self, key=key, limit=limit, name=name or limit.name or f"per {key}")

    @property
    def layers(self) -> tuple[SingleLimiter, ...]:
        """One `Per` for each single limit of a client; limits without a name are numbered."""
        if isinstance(self.limit, SingleLimiter):
            return (self,)
        numbered = enumerate(self.limit.layers, 1)
        return tuple(Per(self.key, layer, name=layer.name or f"{self.name} {n}") for n, layer in numbered)

    @property
    def one(self) -> SingleLimiter:
        """The single limit of one client."""
        return self.limit.layers[0]

    @property
    def nominal(self) -> None:
        """None, because the rate grows with the number of clients."""

    def most_in(self, window_s: Quantity, *, closed: bool = False) -> int:
        """Return the maximum number of requests admitted for one client."""
        return self.limit.most_in(window_s, closed=closed)

    @property
    def _largest_cost(self) -> int | None:
        return self.one._largest_cost

    def _resolution(self) -> int:
        return self.one._resolution()

    def _gate(self, trace: Trace) -> Gate:
        return self.one._gate(trace)

    def _left(self, ledger: Ledger) -> Callable[[Tick], Fraction]:
        return self.one._left(ledger)

    def _free_at(self, ledger: Ledger, t: int, cost: int) -> int | None:
        return self.one._free_at(ledger, t, cost)


def one_client(layer: SingleLimiter) -> SingleLimiter:
    """Return the limit of a single client: that inside `Per`, or the layer itself."""
    return layer.one if isinstance(layer, Per) else layer
