"""Sweep candidate limits around the limit of a scenario, over its requests."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit.configs.target import plain
from hook_widgets.ratelimit.formatting import count, percent, short, window
from hook_widgets.ratelimit.limiters.algorithm import LimitAlgorithm
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.planning.scenario import Scenario
from hook_widgets.ratelimit.reporting.client_code import CodeSample
from hook_widgets.ratelimit.reporting.report import ReportTable

if TYPE_CHECKING:
    from hook_widgets.ratelimit.sweeping.result import Sweep, SweepPoint

MAX_DECISIONS: Final = 2_000_000
"""Upper bound of requests times candidates; about two seconds without numba."""

_CANDIDATES: Final = 24
_FEWEST: Final = 6  # fewer show no curve
_FACTOR: Final = 4  # from the smaller of limit and need divided by it, to the larger of both times it
_CODE: Final = """\
from hook_widgets import RateLimitCalculator
from hook_widgets.ratelimit import LimitAlgorithm
from hook_widgets.ratelimit.sweeping import plot_sweep, sweep

traffic = {calculator}.scenario
quotas = {quotas}  # requests {window}
algorithms = [{algorithms}]
limits = {{traffic.candidate(n, algorithm): n for algorithm in algorithms for n in quotas}}
points = sweep(limits, traffic.requests)
plot_sweep(points, limits.get, size={size!r}, current={current})
"""


@dataclass(frozen=True, kw_only=True)
class LimitSweep:
    """A sweep, in words and as a table. Created by `sweep_limit`.

    Attributes:
        scenario: the limit and the requests.
        compare: True if all five algorithms are compared.
        sizes: quota of each candidate.
        points: the result.
    """

    scenario: Scenario
    compare: bool
    sizes: Mapping[Limiter, Fraction]
    points: Sweep

    @property
    def size(self) -> str:
        """Name of the axis of limits."""
        return _size(self.scenario)

    @property
    def sentence(self) -> str:
        """From which limit on at most 0.1% is rejected, and the knee if it is another; or their ranges."""
        names = [name for _, name in self.points.curves()]
        ends = [point for name in names if (point := self.points.smallest(self.sizes.get, name=name))]
        knees = [point for name in names if (point := self.points.knee(self.sizes.get, name=name))]
        if len(ends) < len(names):
            largest = max(self.sizes.values())
            last = [p.rejected_fraction for p in self.points if self.sizes[p.limiter] == largest]
            text = f"Even {self._limits([largest])} rejects {_between(list(map(percent, sorted(last))))}"
        else:
            text = f"At most 0.1% is rejected from {self._of(ends)} on"
        if knees and knees != ends:
            text += f"; above {self._of(knees)}"
            text += f" ({percent(knees[0].rejected_fraction)} rejected)" if len(names) == 1 else ""
            text += " a larger limit helps less"
        return f"{text}, depending on the algorithm" if len(names) > 1 else text

    @property
    def table(self) -> ReportTable:
        """Rejections of each candidate: a row for each limit, a column for each algorithm."""
        curves = self.points.curves()
        binding, rows = self.scenario.inputs.binding, []
        for points in zip(*curves.values(), strict=True):
            quota = self.sizes[points[0].limiter]
            now = " (now)" if quota == binding.quota else ""
            cells = [f"{short(p.rejected)} ({percent(p.rejected_fraction)})" for p in points]
            rows.append((f"{short(quota)}{now}", *cells))
        columns = [name for _, name in curves] if len(curves) > 1 else ["Rejected (429)"]
        note = ""
        if self.scenario.inputs.in_flight is not None:
            note = "Requests in flight are not limited here, only in the chart of the run."
        return ReportTable(
            f"{self.sentence}: {count(len(self.scenario.arrivals), 'request')} under each limit",
            (self.size, *columns),
            tuple(rows),
            note,
        )

    def _of(self, points: Sequence[SweepPoint]) -> str:
        return self._limits(sorted(self.sizes[point.limiter] for point in points))

    def _limits(self, quotas: Sequence[Fraction]) -> str:
        binding = self.scenario.inputs.binding
        return f"{_between(list(map(short, quotas)))} {window(binding.window_s)}{binding.level}"


def sweep_limit(scenario: Scenario, *, compare: bool = False) -> LimitSweep:
    """Decide the requests of a scenario with limits around its binding one, of the same algorithm and window.

    Args:
        scenario: the limit and the requests.
        compare: sweep all five algorithms, as also if the algorithm is not known.

    Raises:
        InvalidArrivals: there are no requests, or too many to sweep while a person waits; or the limiter
            makes requests wait, so that none rejects any.
    """
    from hook_widgets.ratelimit.sweeping.api import sweep  # not at the start of a widget

    algorithms = _algorithms(scenario, compare=compare)
    requests = len(scenario.arrivals)
    if scenario.inputs.queued:
        raise InvalidArrivals("this limiter rejects no request; it makes requests wait")
    if not requests:
        raise InvalidArrivals("there are no requests to sweep; enter steady traffic or a burst")
    affordable = MAX_DECISIONS // (requests * len(algorithms))
    if affordable < _FEWEST:
        raise InvalidArrivals(
            f"{count(requests, 'request')} under {_CANDIDATES * len(algorithms)} limits are more than "
            f"{short(MAX_DECISIONS)} decisions; sweep them in Python, as “Use it” shows"
        )
    sizes = {
        scenario.candidate(quota, algorithm): quota
        for algorithm in algorithms
        for quota in candidate_quotas(scenario, min(affordable, _CANDIDATES))
    }
    return LimitSweep(scenario=scenario, compare=compare, sizes=sizes, points=sweep(sizes, scenario.requests))


def candidate_quotas(scenario: Scenario, most: int = _CANDIDATES) -> list[Fraction]:
    """Return candidates for the quota of the binding limit: its own, and others in a geometric series.

    The series goes from a quarter of the smaller of the quota and what the requests need to four times the
    larger, in whole numbers of two digits. They need their own number per window; with a burst allowance,
    which does not grow with the limit, their mean rate.
    """
    binding = scenario.inputs.binding
    span_s = scenario.duration_s
    if scenario.inputs.burst_allowance is None or not span_s:
        span_s = max(span_s, binding.window_s)
    need = len(scenario.arrivals) * binding.share * binding.window_s / span_s
    need = need or binding.quota  # without requests
    low, high = min(binding.quota, need) / _FACTOR, max(binding.quota, need) * _FACTOR
    steps = max(most - 2, 1)
    spaced = (float(low) * float(high / low) ** (k / steps) for k in range(steps + 1))
    series = {max(1, int(float(f"{value:.2g}"))) for value in spaced}
    # A window counts whole requests: 2 and 2.5 would be the same limit.
    return sorted({Fraction(n) for n in series - {math.floor(binding.quota)}} | {binding.quota})


def sweep_code(scenario: Scenario, calculator: str, *, compare: bool = False) -> CodeSample:
    """Return Python code for the same sweep."""
    code = _CODE.format(
        calculator=calculator,
        quotas=list(map(plain, candidate_quotas(scenario))),
        current=plain(scenario.inputs.binding.quota),
        window=window(scenario.inputs.binding.window_s),
        algorithms=", ".join(
            f"LimitAlgorithm.{each.name}" for each in _algorithms(scenario, compare=compare)
        ),
        size=_size(scenario),
    )
    return CodeSample("Sweep the limit in Python", code, "Rejections against the limit, with the knee.")


def _algorithms(scenario: Scenario, *, compare: bool) -> Sequence[LimitAlgorithm]:
    return [*LimitAlgorithm] if compare or scenario.algorithm is None else [scenario.algorithm]


def _size(scenario: Scenario) -> str:
    binding = scenario.inputs.binding
    name = f"Limit {binding.name!r}" if len(scenario.inputs.limits) > 1 else "Limit"
    return f"{name}, requests {window(binding.window_s)}{binding.level}"


def _between(texts: Sequence[str]) -> str:
    return texts[0] if texts[0] == texts[-1] else f"{texts[0]} to {texts[-1]}"
