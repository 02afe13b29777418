"""The totals of a run, from which its summary follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.limiters.layers import Concurrency
from hook_widgets.ratelimit.simulation.summary import Summary


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
            wait_mean_s=self.waited / admitted / per_s if admitted else None,
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
