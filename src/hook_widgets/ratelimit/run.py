"""What came of a simulation."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import compress
from math import ceil
from typing import Any

from hook_widgets.errors import RateLimitError
from hook_widgets.libraries import needed
from hook_widgets.ratelimit.arrivals import Arrivals
from hook_widgets.ratelimit.books import Books
from hook_widgets.ratelimit.drawing import figures
from hook_widgets.ratelimit.layers import Concurrency
from hook_widgets.ratelimit.limiter import Limiter
from hook_widgets.ratelimit.quantity import Quantity
from hook_widgets.ratelimit.summary import Summary, peak, percentile


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """The decisions of a limiter about some traffic. Made by `hook_widgets.ratelimit.simulate`.

    Attributes:
        limiter: the limit, or several as `Layers`.
        arrivals: the traffic.
        books: what was written down, from which all answers are made: in ticks.
    """

    limiter: Limiter
    arrivals: Arrivals
    books: Books

    @property
    def admitted(self) -> list[bool]:
        """For every request whether it was let in."""
        return self.books.admitted

    @cached_property
    def wait_s(self) -> list[float | None]:
        """For every request how long it waited to go on, in seconds; None for a refused one."""
        waits, per_s = iter(self.books.waits), self.books.per_s
        return [next(waits) / per_s if was_admitted else None for was_admitted in self.admitted]

    @cached_property
    def limited_by(self) -> list[str | None]:
        """For every request the label of the limit that refused it; None for an admitted one."""
        labels = [layer.label for layer in self.limiter.layers]
        if self.books.refused_by is None:
            return [None if was_admitted else labels[0] for was_admitted in self.admitted]
        return [labels[k] if k >= 0 else None for k in self.books.refused_by]

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
        """The same as `tokens` for every layer, in their order.

        Args:
            t: the time in seconds.
            **client: who asks, where a limit is one for each client.
        """
        tick = self.books.tick(t)
        return tuple(self.books.left(k, client)(tick) for k in range(len(self.limiter.layers)))

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
        """The same as `free_at` for every layer, in their order.

        Args:
            t: the time in seconds.
            cost: what the request would cost.
            **client: who asks, where a limit is one for each client.
        """
        tick = ceil(self.books.tick(t))
        layers = enumerate(self.limiter.layers)
        free = (layer._free_at(self.books.ledger(k, client), tick, cost) for k, layer in layers)
        return tuple(None if at is None else Fraction(at, self.books.per_s) for at in free)

    def client(self, index: int) -> dict[str, Hashable]:
        """Whom a request came from, by what tells clients apart; empty when nobody asks.

        Args:
            index: of the request, from 0.
        """
        return {key: who[index] for key, who in self.books.trace.clients.items()}

    def queue_depth(self, t: Quantity) -> int:
        """How many have been admitted and not yet left, after everything that happens at this moment.

        Those in a leaky bucket (with ``start="immediate"`` those that wait), or in flight under a
        concurrency limit.

        Args:
            t: the moment, in seconds from the start of the run.

        Raises:
            InvalidArrivals: `t` is negative or not a time.
        """
        tick = self.books.tick(t)
        return bisect_right(self.books.entries, tick) - bisect_right(self.books.leaves, tick)

    def summary(self) -> Summary:
        """The run in numbers."""
        return self._summary

    @cached_property
    def _summary(self) -> Summary:
        books = self.books
        offered, admitted = len(books.admitted), len(books.entries)
        per_s, times = books.per_s, books.trace.times
        waits = sorted(books.waits)
        last = max([*times[-1:], *books.leaves[-1:]], default=0)
        span = last - times[0] if offered else 0
        inside = sum(books.leaves) - sum(books.entries)

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
            peak_depth=peak(books.entries, books.leaves) if inside else 0,
        )

    def to_frame(self) -> Any:
        """A pandas DataFrame with one row for each request.

        Raises:
            RateLimitError: pandas is not installed.
        """
        what = "A data frame (`admitted`, `wait_s` and `limited_by` are plain lists)"
        pandas = needed("pandas", "pandas", what, RateLimitError)
        return pandas.DataFrame(
            {
                "time_s": self.arrivals.times_s,
                "cost": list(self.books.trace.costs),
                "admitted": self.admitted,
                "wait_s": self.wait_s,
                "limited_by": self.limited_by,
                **{key: list(who) for key, who in self.books.trace.clients.items()},
            }
        )

    def plot(self, **options: Any) -> Any:
        """The run as a matplotlib figure: see `hook_widgets.ratelimit.figures.plot` for the options.

        Raises:
            RateLimitError: matplotlib is not installed; `hook_widgets.ratelimit.sketch` draws without it.
        """
        return figures().plot(self, **options)

    def __repr__(self) -> str:
        """What was simulated and how much got through."""
        return f"<Run of {self.limiter!r}: {sum(self.admitted)} of {len(self.admitted)} admitted>"

    def _utilisation(self, span_s: Fraction, inside_s: Fraction) -> float | None:
        nominal = self.limiter.nominal
        if nominal is None:
            flying = [layer.limit for layer in self.limiter.layers if isinstance(layer, Concurrency)]
            places = min(flying, default=0)
            return float(inside_s / (places * span_s)) if places else None
        spent = sum(compress(self.books.trace.costs, self.admitted))
        return float(spent / (nominal * span_s)) if nominal else None
