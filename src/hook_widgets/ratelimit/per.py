"""A limit that every client has for itself: per user, per IP address, per endpoint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from keyword import iskeyword
from typing import Final

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.limiter import Limiter, SingleLimiter, put
from hook_widgets.ratelimit.quantity import Quantity, shown
from hook_widgets.ratelimit.trace import Gate, Ledger, Tick, Trace

# The other arguments of `simulate` and of a run's questions, and the columns of its data frame.
_TAKEN: Final = (
    *("limiter", "arrivals_s", "costs", "service_s", "self", "t", "cost"),
    *("time_s", "admitted", "wait_s", "limited_by"),
)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Per(SingleLimiter):
    """A limit of its own for each client. Who a request comes from is told to `simulate` by the same name.

    Attributes:
        key: what tells clients apart, such as ``"user"``, ``"ip"`` or ``"endpoint"``.
        limit: the limit of each one.

    >>> from hook_widgets.ratelimit import FixedWindow, Layers, TokenBucket, simulate
    >>> limits = Layers(FixedWindow(1000, "1 hour", name="global"), Per("user", TokenBucket(1, "1/s")))
    >>> run = simulate(limits, [0, 0, 0], user=["ann", "bob", "ann"])
    >>> run.admitted, run.limited_by
    ([True, True, False], [None, None, 'per user'])
    """

    key: str
    limit: Limiter

    def __init__(self, key: str, limit: Limiter, *, name: str = "") -> None:
        if not str(key).isidentifier() or iskeyword(str(key)) or key in _TAKEN:
            raise InvalidLimit(f"key is {shown(key)}. Write what tells clients apart: 'user', 'ip', ...")
        layers = getattr(limit, "layers", ())
        if not layers or any(isinstance(layer, Per) for layer in layers):
            raise InvalidLimit(f"Per takes a limit that is not Per itself, not {shown(limit)}.")
        put(self, key=key, limit=limit, name=name or limit.name or f"per {key}")

    @property
    def layers(self) -> tuple[SingleLimiter, ...]:
        """One for each single limit that a client has; those without a name are numbered."""
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
        """None: the more clients, the more passes."""

    def most_in(self, window_s: Quantity, *, closed: bool = False) -> int:
        """The most that one client may get through."""
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
    """A limit as a single client has it."""
    return layer.one if isinstance(layer, Per) else layer
