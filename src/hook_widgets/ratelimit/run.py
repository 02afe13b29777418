"""What came of a simulation."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from itertools import compress
from math import ceil
from operator import sub
from typing import Any

from hook_widgets.errors import InvalidArrivals, RateLimitError
from hook_widgets.ratelimit.arrivals import Arrivals
from hook_widgets.ratelimit.layers import Concurrency
from hook_widgets.ratelimit.limiter import Limiter
from hook_widgets.ratelimit.per import Per
from hook_widgets.ratelimit.quantity import NS_PER_S, Quantity, all_nanoseconds, duration
from hook_widgets.ratelimit.summary import Summary, peak, percentile
from hook_widgets.ratelimit.trace import Gate, Ledger, Stay, Tick, Trace, ledger_of


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """The decisions of a limiter about some traffic. Made by `hook_widgets.ratelimit.simulate`.

    Attributes:
        limiter: the limit, or several as `Layers`.
        arrivals: the traffic.
    """

    limiter: Limiter
    arrivals: Arrivals
    _trace: Trace
    _admitted: Any
    _gates: tuple[Gate, ...]
    _refused_by: Sequence[int] | None

    @cached_property
    def admitted(self) -> list[bool]:
        """For every request whether it was let in."""
        return _plain(self._admitted)

    @cached_property
    def wait_s(self) -> list[float | None]:
        """For every request how long it waited to go on, in seconds; None for a refused one."""
        waits = iter(self._waits)
        per_s = self._trace.ticks_per_ns * NS_PER_S
        return [next(waits) / per_s if was_admitted else None for was_admitted in self.admitted]

    @cached_property
    def limited_by(self) -> list[str | None]:
        """For every request the label of the limit that refused it; None for an admitted one."""
        labels = [layer.label for layer in self.limiter.layers]
        if self._refused_by is None:
            return [None if was_admitted else labels[0] for was_admitted in self.admitted]
        return [labels[k] if k >= 0 else None for k in self._refused_by]

    def tokens(self, t: Quantity, **client: Hashable) -> Fraction:
        """What is left to spend at a moment, after everything that happens then: the least of all layers.

        Tokens in a token bucket, free places in a leaky bucket, requests left in a window.

        Args:
            t: the moment, in seconds from the start of the run.
            client: who asks, where a layer is `Per` something, such as ``user="ann"``.

        Raises:
            InvalidArrivals: `t` is negative or not a time, or it is not said who asks.
        """
        return min(self.tokens_by_layer(t, **client))

    def tokens_by_layer(self, t: Quantity, **client: Hashable) -> tuple[Fraction, ...]:
        """The same as `tokens` for every layer, in their order."""
        tick = self._tick(t)
        return tuple(self._left(k, client)(tick) for k in range(len(self._gates)))

    def free_at(self, t: Quantity, cost: int = 1, **client: Hashable) -> Fraction | None:
        """The first moment at which a request would be admitted if none came after `t`: when to try again.

        Args:
            t: the moment it is asked, in seconds from the start of the run; all that came until then counts.
            cost: what the request costs.
            client: who asks, where a layer is `Per` something, such as ``user="ann"``.

        Returns:
            Seconds from the start of the run, not before `t`, exactly: round up to be on time. None when it
            would never be admitted.

        Raises:
            InvalidArrivals: `t` is negative or not a time, or it is not said who asks.
        """
        known = [at for at in self.free_at_by_layer(t, cost, **client) if at is not None]
        return max(known) if len(known) == len(self.limiter.layers) else None

    def free_at_by_layer(self, t: Quantity, cost: int = 1, **client: Hashable) -> tuple[Fraction | None, ...]:
        """The same as `free_at` for every layer, in their order."""
        tick, per_s = ceil(self._tick(t)), self._trace.ticks_per_ns * NS_PER_S
        layers = enumerate(self.limiter.layers)
        free = (layer._free_at(self._ledger(k, client), tick, cost) for k, layer in layers)
        return tuple(None if at is None else Fraction(at, per_s) for at in free)

    def client(self, index: int) -> dict[str, Hashable]:
        """Whom a request came from, by what tells clients apart; empty when nobody asks."""
        return {key: who[index] for key, who in self._trace.clients.items()}

    def queue_depth(self, t: Quantity) -> int:
        """How many have been admitted and not yet left, after everything that happens at this moment.

        Those in a leaky bucket (with ``start="immediate"`` those that wait), or in flight under a
        concurrency limit.

        Args:
            t: the moment, in seconds from the start of the run.

        Raises:
            InvalidArrivals: `t` is negative or not a time.
        """
        tick = self._tick(t)
        return bisect_right(self._entries, tick) - bisect_right(self._leaves, tick)

    def summary(self) -> Summary:
        """The run in numbers."""
        return self._summary

    @cached_property
    def _summary(self) -> Summary:
        offered, admitted = len(self.admitted), len(self._entries)
        per_s = self._trace.ticks_per_ns * NS_PER_S
        waits = sorted(self._waits)
        last = max([*self._trace.times[-1:], *self._leaves[-1:]], default=0)
        span = last - self._trace.times[0] if offered else 0
        inside = sum(self._leaves) - sum(self._entries)

        def wait(percent: int) -> float | None:
            return percentile(waits, percent) / per_s if waits else None

        return Summary(
            offered=offered,
            admitted=admitted,
            rejected=offered - admitted,
            rejected_fraction=(offered - admitted) / offered if offered else 0.0,
            limited_by=tuple(Counter(filter(None, self.limited_by)).most_common()),
            span_s=span / per_s,
            offered_per_s=offered * per_s / span if span else None,
            admitted_per_s=admitted * per_s / span if span else None,
            utilisation=self._utilisation(Fraction(span, per_s), Fraction(inside, per_s)) if span else None,
            wait_mean_s=sum(waits) / len(waits) / per_s if waits else None,
            wait_p50_s=wait(50),
            wait_p95_s=wait(95),
            wait_p99_s=wait(99),
            wait_max_s=wait(100),
            mean_depth=inside / span if span else None,
            peak_depth=peak(self._entries, self._leaves) if inside else 0,
        )

    def to_frame(self) -> Any:
        """A pandas DataFrame with one row for each request.

        Raises:
            RateLimitError: pandas is not installed.
        """
        try:
            pandas = import_module("pandas")
        except ImportError:
            raise RateLimitError(
                "A data frame needs pandas, which is not installed. Run `pip install pandas`, or use "
                "admitted, wait_s and limited_by, which are plain lists."
            ) from None
        return pandas.DataFrame(
            {
                "time_s": self.arrivals.times_s,
                "cost": list(self._trace.costs),
                "admitted": self.admitted,
                "wait_s": self.wait_s,
                "limited_by": self.limited_by,
                **{key: list(who) for key, who in self._trace.clients.items()},
            }
        )

    def plot(self, **options: Any) -> Any:
        """The run as a matplotlib figure: see `hook_widgets.ratelimit.figures.plot` for the options."""
        return import_module("hook_widgets.ratelimit.figures").plot(self, **options)

    def __repr__(self) -> str:
        """What was simulated and how much got through."""
        return f"<Run of {self.limiter!r}: {sum(self.admitted)} of {len(self.admitted)} admitted>"

    def _utilisation(self, span_s: Fraction, inside_s: Fraction) -> float | None:
        nominal = self.limiter.nominal
        if nominal is None:
            flying = [layer.limit for layer in self.limiter.layers if isinstance(layer, Concurrency)]
            places = min(flying, default=0)
            return float(inside_s / (places * span_s)) if places else None
        spent = sum(compress(self._trace.costs, self.admitted))
        return float(spent / (nominal * span_s)) if nominal else None

    def _tick(self, t: Quantity) -> Tick:
        """A moment in ticks: a float to the nearest nanosecond, as arrivals are, anything else exactly."""
        if type(t) is int and t >= 0:
            return t * NS_PER_S * self._trace.ticks_per_ns
        if type(t) is float and 0.0 <= t < 1e9:
            return all_nanoseconds((t,), "t")[0] * self._trace.ticks_per_ns
        return self._trace.ticks(duration(t, "t", positive=False, error=InvalidArrivals))

    @cached_property
    def _entries(self) -> list[int]:
        """When the admitted requests came, in ticks."""
        return list(compress(self._trace.times, self.admitted))

    @cached_property
    def _waits(self) -> list[int]:
        """How long the admitted requests waited, in ticks: the longest wait of all layers."""
        leaves = [self._stay(gate, gate.leaves) for gate in self._gates if gate.leaves]
        return list(map(sub, _latest(leaves), self._entries)) if leaves else [0] * len(self._entries)

    @cached_property
    def _leaves(self) -> list[int]:
        """When the admitted requests left the last layer that kept them, in ticks, sorted."""
        kept = [self._stay(gate, stay) for gate in self._gates if (stay := gate.leaves or gate.ends)]
        return sorted(_latest([self._entries, *kept])) if kept else self._entries

    def _stay(self, gate: Gate, stay: Stay) -> Sequence[int]:
        """When something ends for the admitted requests, in their order, in ticks."""
        column = _plain(self._trace.costs if gate.column is None else gate.column)
        return stay(self._entries, list(compress(column, self.admitted)))

    def _left(self, k: int, client: Mapping[str, Hashable]) -> Callable[[Tick], Fraction]:
        """What is left of a layer, at any tick."""
        who = self._who(k, client)
        if (k, who) not in self._known_left:
            self._known_left[k, who] = self.limiter.layers[k]._left(self._ledger(k, client))
        return self._known_left[k, who]

    def _ledger(self, k: int, client: Mapping[str, Hashable]) -> Ledger:
        """What was charged to a layer: to one that counts refused requests, everything."""
        who = self._who(k, client)
        if (k, who) not in self._known_ledgers:
            layer, gate, trace, admitted = self.limiter.layers[k], self._gates[k], self._trace, self.admitted
            column = _plain(trace.costs if gate.column is None else gate.column)
            if isinstance(layer, Per):
                own = trace.requests_of[layer.key].get(who, [])
                trace = trace.part(own)
                admitted, column = [admitted[i] for i in own], [column[i] for i in own]
            self._known_ledgers[k, who] = ledger_of(gate, trace, admitted, column)
        return self._known_ledgers[k, who]

    def _who(self, k: int, client: Mapping[str, Hashable]) -> Hashable:
        """The one among the clients of a layer."""
        layer = self.limiter.layers[k]
        if not isinstance(layer, Per):
            return None
        if layer.key not in client:
            raise InvalidArrivals(f"{layer.label!r} is kept for each {layer.key}. Say whose: {layer.key}=...")
        return client[layer.key]

    @cached_property
    def _known_left(self) -> dict[tuple[int, Hashable], Callable[[Tick], Fraction]]:
        return {}

    @cached_property
    def _known_ledgers(self) -> dict[tuple[int, Hashable], Ledger]:
        return {}


def _plain(values: Any) -> list[Any]:
    """A list, of an array too; an array's own numbers would be slow, and would not grow."""
    if isinstance(values, list):
        return values
    return list(values.tolist() if hasattr(values, "tolist") else values)


def _latest(ends: Sequence[Sequence[int]]) -> Sequence[int]:
    """The later of several moments, for each request."""
    return ends[0] if len(ends) == 1 else list(map(max, *ends))
