"""A limiter that keeps rejecting for a while after each excess."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

from hook_widgets._arguments import shown
from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.limiters import algorithms
from hook_widgets.ratelimit.limiters.base import Limiter, SingleLimiter, common_ticks_per_ns, set_fields
from hook_widgets.ratelimit.limiters.keyed import PerClient, one_client
from hook_widgets.ratelimit.limiters.layers import Concurrency
from hook_widgets.ratelimit.limiters.trace import ChargeLog, LimiterState, Tick, Trace
from hook_widgets.ratelimit.units import Duration, duration


@dataclass(frozen=True, slots=True, init=False, repr=False)
class HoldOff(SingleLimiter):
    """A limit that rejects everything for `hold_s` once it has rejected a request.

    The hold begins with the rejection, and requests during the hold do not extend it, as with the mitigation
    timeout of Cloudflare's rate limiting rules. Then the limit is asked again, as it is by then.

    Attributes:
        limit: a single limit other than `PerClient`, `Concurrency` and those that count rejected requests.
        hold_s: how long a hold lasts, in seconds.

    >>> from hook_widgets.ratelimit import FixedWindow, simulate
    >>> simulate(HoldOff(FixedWindow(1, "1 s"), "10 s"), [0, 0.5, 2, 10.5]).admitted
    [True, False, False, True]
    """

    limit: SingleLimiter
    hold_s: Fraction

    def __init__(self, limit: SingleLimiter, hold_s: Duration, *, name: str = "") -> None:
        layers: tuple[SingleLimiter, ...] = getattr(limit, "layers", ())
        if layers != (limit,) or isinstance(limit, PerClient | Concurrency | HoldOff):
            raise InvalidLimit(
                f"limit is {shown(limit)}; give a single limit, and put HoldOff inside PerClient or Layers"
            )
        if getattr(limit, "count_rejected", False):
            raise InvalidLimit(
                "a limit that counts rejected requests holds clients off itself; leave one out"
            )
        set_fields(self, limit=limit, hold_s=duration(hold_s, "hold_s"), name=name or limit.name)

    @property
    def sustained_rate(self) -> Fraction | None:
        """That of the limit: what a client gets that never exceeds it."""
        return self.limit.sustained_rate

    def max_admitted(self, window_s: Duration, *, closed: bool = False) -> int:
        """Return what the limit admits, since a client that stays within it is never held off."""
        return self.limit.max_admitted(window_s, closed=closed)

    @property
    def _max_cost(self) -> int | None:
        return self.limit._max_cost

    def _ticks_per_ns(self) -> int:
        return lcm(self.limit._ticks_per_ns(), common_ticks_per_ns(self.hold_s))

    def _initial_state(self, trace: Trace) -> LimiterState:
        inner, hold = self.limit._initial_state(trace), trace.whole_ticks(self.hold_s)
        return LimiterState(
            loop=algorithms.hold_off,
            numbers=(inner.loop, inner.numbers, hold),
            values=[0, *inner.values],
            writes=inner.writes,
            bound=None if inner.bound is None else max(inner.bound, trace.last + hold),
            charged=None if inner.charged is None else inner.charged + 1,
            ends=inner.ends,
            leaves=inner.leaves,
        )

    def _places_left(self, state: LimiterState, t: int) -> int:
        _, numbers, _ = state.numbers
        inner = replace(state, numbers=numbers, values=state.values[1:])
        return 0 if t < state.values[0] else self.limit._places_left(inner, t)

    def _remaining(self, charge_log: ChargeLog) -> Callable[[Tick], Fraction]:
        inner, holds = self.limit._remaining(charge_log), self._holds(charge_log)
        return lambda t: Fraction(0) if _end_of_hold(holds, t) is not None else inner(t)

    def _next_available(self, charge_log: ChargeLog, t: int, cost: int) -> int | None:
        end = _end_of_hold(self._holds(charge_log), t)
        if end is None:
            return self.limit._next_available(charge_log, t, cost)
        return self.limit._next_available(charge_log.until(t), end, cost)

    def _holds(self, charge_log: ChargeLog) -> list[tuple[int, int]]:
        """Return begin and end of each hold, in ticks."""
        hold, holds, until = charge_log.trace.whole_ticks(self.hold_s), list[tuple[int, int]](), 0
        for t in charge_log.rejections:
            if t >= until:
                until = t + hold
                holds.append((t, until))
        return holds


def _end_of_hold(holds: list[tuple[int, int]], t: Tick) -> int | None:
    """Return the end of the hold at a tick, or None if there is none."""
    count = bisect_right(holds, t, key=lambda hold: hold[0])
    return holds[count - 1][1] if count and t < holds[count - 1][1] else None


def inner_limit(layer: SingleLimiter) -> SingleLimiter:
    """Return the limit of a single client without its hold-off."""
    one = one_client(layer)
    return one.limit if isinstance(one, HoldOff) else one


def rate_layers(limiter: Limiter) -> list[int]:
    """Return the indexes of the layers that limit requests over time; all if they limit concurrency only."""
    kinds = [isinstance(inner_limit(layer), Concurrency) for layer in limiter.layers]
    return [k for k, concurrent in enumerate(kinds) if not concurrent or all(kinds)]
