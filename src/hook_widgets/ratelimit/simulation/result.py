"""The result of a simulation, and the totals from which its summary follows."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import compress
from math import ceil
from typing import Any

from hook_widgets._optional import matplotlib_renderer, require
from hook_widgets.errors import LimitModelError
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.limiters.buckets import never_rejects
from hook_widgets.ratelimit.limiters.layers import Concurrency
from hook_widgets.ratelimit.simulation.record import SimulationRecord, plain
from hook_widgets.ratelimit.simulation.summary import Summary, peak, percentile
from hook_widgets.ratelimit.traffic.arrivals import Arrivals
from hook_widgets.ratelimit.units import Duration


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """The totals of a run, in ticks.

    Attributes:
        per_s: ticks per second.
        offered: number of requests.
        limited_by: number of rejected requests by label of the limit, in the order of the first rejection.
        spent: cost of the admitted requests.
        span: from the first arrival to the last arrival or departure.
        inside: time that admitted requests stayed, in sum.
        waited: waiting time of the admitted requests, in sum.
        peak_depth: maximum number of requests admitted and not yet left.
    """

    per_s: int
    offered: int
    limited_by: Counter[str]
    spent: int
    span: int
    inside: int
    waited: int
    peak_depth: int

    def summary(self, limiter: Limiter, wait: Callable[[int], int]) -> Summary:
        """Return the statistics.

        Args:
            limiter: the limit.
            wait: returns the wait that so many percent of the admitted requests did not exceed.
        """
        per_s, span, inside, offered = self.per_s, self.span, self.inside, self.offered
        rejected = self.limited_by.total()
        admitted = offered - rejected

        def wait_s(percent: int) -> float | None:
            return wait(percent) / per_s if admitted else None

        return Summary(
            offered=offered,
            admitted=admitted,
            rejected=rejected,
            rejected_fraction=rejected / offered if offered else 0.0,
            limited_by=tuple(self.limited_by.most_common()),
            span_s=span / per_s,
            offered_per_s=offered * per_s / span if span else None,
            admitted_per_s=admitted * per_s / span if span else None,
            utilisation=self._utilisation(limiter) if span else None,
            wait_mean_s=self.waited / (admitted * per_s) if admitted else None,
            wait_p50_s=wait_s(50),
            wait_p95_s=wait_s(95),
            wait_p99_s=wait_s(99),
            wait_max_s=wait_s(100),
            mean_depth=inside / span if span else None,
            peak_depth=self.peak_depth if inside else 0,
        )

    def _utilisation(self, limiter: Limiter) -> float | None:
        sustained_rate, span_s = limiter.sustained_rate, Fraction(self.span, self.per_s)
        if sustained_rate is None:
            limits = [layer.limit for layer in limiter.layers if isinstance(layer, Concurrency)]
            places = min(limits, default=0)
            return float(Fraction(self.inside, self.per_s) / (places * span_s)) if places else None
        return float(self.spent / (sustained_rate * span_s)) if sustained_rate else None


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """The decisions of a limiter for some traffic. Created by `hook_widgets.ratelimit.simulate`.

    Attributes:
        limiter: the limit, or several as `Layers`.
        arrivals: the traffic.
        record: the exact record, in ticks, from which all results are computed.
    """

    limiter: Limiter
    arrivals: Arrivals
    record: SimulationRecord

    @property
    def admitted(self) -> list[bool]:
        """True for every admitted request, False for every rejected one."""
        return self.record.admitted

    @cached_property
    def at_once(self) -> list[bool]:
        """As `admitted`; of a limiter that rejects nothing, True for every request that does not wait."""
        return [not wait for wait in self.record.waits] if never_rejects(self.limiter) else self.admitted

    @cached_property
    def wait_s(self) -> list[float | None]:
        """Waiting time of every request, in seconds; None for a rejected one."""
        waits, per_s = iter(self.record.waits), self.record.per_s
        return [next(waits) / per_s if was_admitted else None for was_admitted in self.admitted]

    @cached_property
    def limited_by(self) -> list[str | None]:
        """For every request the label of the limit that rejected it; None for an admitted one."""
        labels = [layer.label for layer in self.limiter.layers]
        if self.record.rejected_by is None:
            return [None if was_admitted else labels[0] for was_admitted in self.admitted]
        return [labels[k] if k >= 0 else None for k in self.record.rejected_by]

    def tokens(self, t: Duration, *, client: Mapping[str, Hashable] | None = None) -> Fraction:
        """Return what is left to spend at a time, after the requests at that time: the least of all layers.

        The unit depends on the limiter: tokens in a token bucket, free places in a leaky bucket, requests
        left in a window.

        Args:
            t: the time, in seconds from the start of the run.
            client: the client by key, required if a layer is `PerClient`, such as ``{"user": "ann"}``.

        Raises:
            InvalidArrivals: `t` is negative or not a time, or a required client is missing.
        """
        return min(self.tokens_by_layer(t, client=client))

    def tokens_by_layer(
        self, t: Duration, *, client: Mapping[str, Hashable] | None = None
    ) -> tuple[Fraction, ...]:
        """Return what is left to spend of every layer, in order. See `tokens`.

        Args:
            t: the time, in seconds from the start of the run.
            client: the client by key, required if a layer is `PerClient`, such as ``{"user": "ann"}``.
        """
        tick = self.record.tick(t)
        return tuple(self.record.remaining(k, client or {})(tick) for k in range(len(self.limiter.layers)))

    def free_at(
        self, t: Duration, cost: int = 1, *, client: Mapping[str, Hashable] | None = None
    ) -> Fraction | None:
        """Return the first time at which a request would be admitted if no others came after `t`.

        Costs that requests in flight give back after `t` are not counted.

        Args:
            t: the current time, in seconds from the start of the run; requests up to and at `t` count.
            cost: the cost of the request.
            client: the client by key, required if a layer is `PerClient`, such as ``{"user": "ann"}``.

        Returns:
            Exact seconds from the start of the run, not before `t`; when rounding, round up. None if the
            request would never be admitted.

        Raises:
            InvalidArrivals: `t` is negative or not a time, or a required client is missing.
        """
        times = [at for at in self.free_at_by_layer(t, cost, client=client) if at is not None]
        return max(times) if len(times) == len(self.limiter.layers) else None

    def free_at_by_layer(
        self, t: Duration, cost: int = 1, *, client: Mapping[str, Hashable] | None = None
    ) -> tuple[Fraction | None, ...]:
        """Return when every layer, in order, would admit a request. See `free_at`.

        Args:
            t: the current time, in seconds from the start of the run.
            cost: the cost of the request.
            client: the client by key, required if a layer is `PerClient`, such as ``{"user": "ann"}``.
        """
        tick = ceil(self.record.tick(t))
        layers = enumerate(self.limiter.layers)
        free = (
            layer._next_available(self.record.charge_log(k, client or {}), tick, cost) for k, layer in layers
        )
        return tuple(None if at is None else Fraction(at, self.record.per_s) for at in free)

    def client(self, index: int) -> dict[str, Hashable]:
        """Return the client of a request, by key such as ``"user"``; empty if no layer is `PerClient`.

        Args:
            index: index of the request, from 0.
        """
        return {key: plain(who[index : index + 1])[0] for key, who in self.record.trace.clients.items()}

    def queue_depth(self, t: Duration) -> int:
        """Return how many requests have been admitted and have not yet left, after all events at `t`.

        Counted are requests in a leaky bucket (with ``start="immediate"`` those that wait), or in flight
        under a concurrency limit.

        Args:
            t: the time, in seconds from the start of the run.

        Raises:
            InvalidArrivals: `t` is negative or not a time.
        """
        tick = self.record.tick(t)
        return bisect_right(self.record.entries, tick) - bisect_right(self.record.leaves, tick)

    def summary(self) -> Summary:
        """Return the statistics of the run."""
        return self._summary

    @cached_property
    def _summary(self) -> Summary:
        record = self.record
        times, waits = record.trace.times, sorted(record.waits)
        last = max([*times[-1:], *record.leaves[-1:]], default=0)
        inside = sum(record.leaves) - sum(record.entries)
        totals = Totals(
            per_s=record.per_s,
            offered=len(record.admitted),
            limited_by=Counter(filter(None, self.limited_by)),
            spent=sum(compress(record.trace.costs, record.admitted))
            - sum(compress(record.trace.refunds, record.admitted)),
            span=last - times[0] if times else 0,
            inside=inside,
            waited=sum(waits),
            peak_depth=peak(record.entries, record.leaves) if inside else 0,
        )
        return totals.summary(self.limiter, lambda percent: percentile(waits, percent))

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each request.

        Clients are in columns such as ``client_user``.

        Raises:
            LimitModelError: pandas is not installed.
        """
        purpose = "a data frame (`admitted`, `wait_s` and `limited_by` are plain lists)"
        pandas = require("pandas", "pandas", purpose, LimitModelError)
        return pandas.DataFrame(
            {
                "time_s": self.arrivals.times_s,
                "cost": list(self.record.trace.costs),
                "admitted": self.admitted,
                "wait_s": self.wait_s,
                "limited_by": self.limited_by,
                **{f"client_{key}": list(who) for key, who in self.record.trace.clients.items()},
            }
        )

    def plot(self, **options: Any) -> Any:
        """Draw the run with matplotlib, with the options of `hook_widgets.ratelimit.plot_run`.

        Raises:
            LimitModelError: matplotlib is not installed; `draw_run_svg` draws without it.
        """
        renderer = matplotlib_renderer("hook_widgets.ratelimit.plotting.mpl", LimitModelError)
        return renderer.plot_run(self, **options)

    def __repr__(self) -> str:
        """Return the limiter and how many requests were admitted."""
        return f"<Run of {self.limiter!r}: {sum(self.admitted)} of {len(self.admitted)} admitted>"
