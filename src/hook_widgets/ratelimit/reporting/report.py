"""Report on a scenario: status line, cards, advice and tables that accompany its plot."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from fractions import Fraction
from functools import cached_property
from typing import Final

from hook_widgets.ratelimit.formatting import any_window, count, percent, seconds, short, span
from hook_widgets.ratelimit.limiters.algorithm import LimitAlgorithm
from hook_widgets.ratelimit.limiters.layers import Layers
from hook_widgets.ratelimit.planning.advice.alerts import REJECTIONS
from hook_widgets.ratelimit.planning.advice.claims import AdviceRole
from hook_widgets.ratelimit.planning.client_budgets import ClientBudget
from hook_widgets.ratelimit.planning.levels import LEVELS
from hook_widgets.ratelimit.planning.metrics import Metric
from hook_widgets.ratelimit.planning.scenario import Scenario
from hook_widgets.ratelimit.reporting.simulation_sentences import (
    alert_sentences,
    alert_values,
    log_unit,
    longest_wait,
    rate_in,
    rejecting_limit,
    simulated_verdict,
    simulation_sentences,
    waiting_share,
)
from hook_widgets.ratelimit.reporting.time_samples import left_titles, time_samples
from hook_widgets.ratelimit.reporting.worst_window import most_admitted, most_served
from hook_widgets.ratelimit.simulation.result import Run
from hook_widgets.ratelimit.traffic.workload import MAX_REQUESTS

NOT_COMPARED: Final = (
    "There is nothing to compare: only a token bucket makes requests wait in the simulation."
)
"""Text in place of a comparison that is left out."""

_ROWS: Final = 12  # of a table over time
_MEMORY_NOTE: Final = (
    "Memory per key is the state that an implementation stores for each key, such as a user: numbers of 8 "
    "bytes, without the key itself and the requests that wait."
)


@dataclass(frozen=True, slots=True)
class ReportStatus:
    """One line on the result: no rejections, some rejections or too many; or how many wait, and how long.

    Attributes:
        level: ``"ok"``, ``"warn"`` or ``"bad"`` (more than 5% rejected, which triggers an alert, or a wait
            that grows without end).
        text: the line.
    """

    level: str
    text: str


@dataclass(frozen=True, slots=True)
class ReportCard:
    """One key figure.

    Attributes:
        title: what it is.
        value: the figure with its unit.
        note: what to know about it; may be empty.
    """

    title: str
    value: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table of strings.

    Attributes:
        caption: the caption.
        columns: the column titles.
        rows: the cells of each row.
        note: an explanation of a column; may be empty.
    """

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class ReportAdvice:
    """The advice of a scenario.

    Attributes:
        verdict: one sentence on the plan.
        actions: at most three, in order of their effect.
        reasons: sentences on the simulation and the plan.
    """

    verdict: str
    actions: tuple[str, ...]
    reasons: tuple[str, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """All sentences in order."""
        return (self.verdict, *self.actions, *self.reasons)


@dataclass(frozen=True, slots=True)
class ReportFormula:
    """A figure of the plan with its formula.

    Attributes:
        title: what it is.
        value: the figure with its unit.
        formula: the formula, in symbols.
        inputs: each name of the formula with its number, such as ``"limit = 100, window = 60"``.
        source: where the formula comes from.
    """

    title: str
    value: str
    formula: str
    inputs: str
    source: str


@dataclass(frozen=True, slots=True)
class _Compared:
    """One algorithm of a comparison, in words."""

    label: str
    admitted: str
    rejected: str
    wait_p95: str
    worst_window: str
    at_most: str
    memory: str


@dataclass(frozen=True)
class Report:
    """Parts beside the picture of a scenario, each computed when it is read. Created by `report`.

    Attributes:
        scenario: the scenario.
        compare: True if the algorithms are compared: status and cards name the one that they are about.
        band: True if the picture shows the range over all algorithms, instead of one run or each of them.
    """

    scenario: Scenario
    compare: bool
    band: bool = False

    @property
    def status(self) -> ReportStatus:
        """The status line."""
        scenario = self.scenario
        summary = scenario.summary
        if not summary.offered:
            burst = scenario.plan.inputs.burst or 0
            if burst > MAX_REQUESTS:
                return ReportStatus(
                    "warn", f"No requests in this run: a burst of {short(burst)} is too large to simulate"
                )
            if burst:
                return ReportStatus("warn", "No requests in this run: watch for longer")
            return ReportStatus("ok", "No requests: enter steady traffic or a burst")
        start = f"{scenario.algorithm.label}: " if self.compare and scenario.algorithm else ""
        if waiting := waiting_share(scenario):
            text = f"{waiting} of the requests wait, {longest_wait(scenario)}"
            if scenario.utilisation > 1:
                return ReportStatus("bad", f"{text} and ever longer: traffic is above the limit")
            return ReportStatus("warn", text)
        if bounds := scenario.rejected_of_log:
            level = "bad" if bounds[1] > REJECTIONS else "warn"
            text = f"{_range(bounds)} of the requests get 429: the log has whole {log_unit(scenario)}s"
            return ReportStatus(level, f"{start}{text}")
        if not summary.rejected:
            whichever = ", whichever algorithm the API uses" if scenario.algorithm is None else ""
            none = "No request waits" if scenario.inputs.queued else "No request is rejected"
            if scenario.utilisation > 1:
                return ReportStatus("warn", f"{start}{none} yet{whichever}, but traffic is above the limit")
            places = scenario.inputs.uncounted_in_flight
            if places and scenario.inputs.burst_requests > places:
                return ReportStatus("warn", f"{start}{none}, but requests in flight are not counted")
            return ReportStatus("ok", f"{start}{none}{whichever}")
        level = "bad" if summary.rejected_fraction > REJECTIONS else "warn"
        if scenario.algorithm is None:
            return ReportStatus(level, _depends(scenario))
        text = f"{percent(summary.rejected_fraction)} of the requests get 429"
        return ReportStatus(level, f"{start}{text}{rejecting_limit(scenario)}")

    @property
    def cards(self) -> tuple[ReportCard, ...]:
        """The key figures."""
        scenario = self.scenario
        plan, summary = scenario.plan, scenario.summary
        cushion = (
            f"{percent(plan.inputs.cushion)} below the limit" if plan.inputs.cushion else "the whole limit"
        )
        result = [ReportCard("Safe rate", _metric(scenario, plan["safe_rate"]), cushion), _budget(scenario)]
        if "utilisation" in plan.metrics:
            note = "of the limit, by steady traffic"
            if scenario.utilisation > plan["utilisation"].value:
                note += f"; {percent(scenario.utilisation)} with bursts"
            result.append(ReportCard("Utilisation", plan["utilisation"].text, note))
        if scenario.inputs.queued:
            return (*result, *_waiting_cards(scenario))
        fraction = f"{short(summary.rejected)} of {count(summary.offered, 'request')}"
        rejected = percent(summary.rejected_fraction)
        if bounds := scenario.rejected_of_log:
            rejected = _range(bounds)
            fraction = f"{fraction} with those of a {log_unit(scenario)} spread evenly"
        elif scenario.algorithm is None:
            least, most = map(percent, scenario.rejected_range)
            rejected = _range(scenario.rejected_range)
            fraction = f"at most {fraction}" if least != most else fraction
        elif self.compare:
            fraction = f"{scenario.algorithm.label}: {fraction}"
        result.append(ReportCard("Rejected (429)", rejected, fraction))
        queued = scenario.queue_summary
        if queued is not None:
            wait = "none" if queued.wait_p95_s is None else seconds(queued.wait_p95_s)
            lost = f", {short(queued.rejected)} do not fit" if queued.rejected else ""
            result.append(ReportCard("Wait if queued, p95", wait, "sent at the safe rate instead"))
            result.append(ReportCard("Longest queue", short(queued.peak_depth), f"requests at most{lost}"))
        return tuple(result)

    @property
    def advice(self) -> ReportAdvice:
        """The advice of the plan, with sentences on the simulation among the reasons."""
        scenario = self.scenario
        by_role = {
            role: tuple(each.text for each in scenario.plan.advice if each.role is role)
            for role in AdviceRole
        }
        compared = self._compared
        simulated = (*simulation_sentences(scenario, compared), *alert_sentences(scenario, compared))
        return ReportAdvice(
            by_role[AdviceRole.VERDICT][0] + simulated_verdict(scenario, compared),
            by_role[AdviceRole.ACTION],
            (*simulated, *by_role[AdviceRole.REASON]),
        )

    @property
    def table(self) -> ReportTable:
        """The table below the picture: `comparison` or `over_time`."""
        return self.comparison if self.compare else self.over_time

    @property
    def over_time(self) -> ReportTable:
        """A table of the plotted values at 13 equally spaced times."""
        scenario = self.scenario
        rows, previous = [], (0, 0)
        kinds = ("Admitted", "Rejected (429)", "In the queue, if queued")
        if scenario.inputs.queued:
            kinds = ("Sent at once", "Have to wait", "In the queue")
        for sample in time_samples(scenario, _ROWS):
            totals = (sample.passed, sample.stopped)
            changes = [short(total - earlier) for total, earlier in zip(totals, previous, strict=True)]
            left = [short(tokens if abs(tokens) < 10 else round(tokens)) for tokens in sample.left]
            rows.append((seconds(sample.time_s), *left, *changes, short(sample.queued)))
            previous = totals
        name, of_one = self.algorithm, _of_busiest(scenario)
        return ReportTable(
            f"{name}: what is left{of_one} and what came since the row above",
            ("Time", *left_titles(scenario, "Left to spend", "Left of"), *kinds),
            tuple(rows),
        )

    @property
    def comparison(self) -> ReportTable:
        """A table of all five algorithms on the same requests: results, worst window and memory."""
        scenario = self.scenario
        limit = scenario.plan.binding
        rows = tuple(astuple(each) for each in self._algorithms)
        requests = count(len(scenario.arrivals), "request")
        allowance = short(scenario.planned["burst_allowance"])
        caption = f"The same {requests}, quota and burst allowance ({allowance}) under each algorithm"
        if limit.per:
            caption += f"; the worst {span(limit.window_s)} is that of one {LEVELS[limit.per]}"
        columns = (
            "Algorithm",
            "Admitted",
            "Rejected (429)",
            "p95 wait",
            f"Worst {span(limit.window_s)}",
            "At most",
            "Memory per key",
        )
        return ReportTable(caption, columns, rows, _MEMORY_NOTE)

    @property
    def notes(self) -> dict[str, tuple[str, ...]]:
        """The p95 wait, worst window and memory of each run of the picture, in two lengths."""
        window = span(self.scenario.plan.binding.window_s)
        return {
            each.label: (
                f"p95 wait {each.wait_p95}, worst {window} {each.worst_window}, {each.memory} per key",
                f"p95 wait {each.wait_p95}, worst {each.worst_window}, {each.memory}",
            )
            for each in self._algorithms
        }

    @cached_property
    def _algorithms(self) -> list[_Compared]:
        """The figures of each algorithm; the worst window takes long."""
        scenario = self.scenario
        limit = scenario.plan.binding
        return [
            _Compared(
                algorithm.label,
                short(summary.admitted),
                f"{short(summary.rejected)} ({percent(summary.rejected_fraction)})",
                "none" if not summary.wait_p95_s else seconds(summary.wait_p95_s),
                short(most_served(run, limit.window_s, level=limit.per)),
                short(most_admitted(run, limit)),
                algorithm.memory(math.floor(limit.quota)),
            )
            for algorithm, run in scenario.all_runs.items()
            for summary in [run.summary()]
        ]

    @property
    def figures(self) -> ReportTable:
        """A table of every figure of the simulation and of the plan."""
        scenario = self.scenario
        rows = [
            *_run_rows(scenario),
            *((metric.title, _metric(scenario, metric)) for metric in scenario.plan.metrics.values()),
            *_budget_rows(scenario),
            *_alert_rows(scenario),
        ]
        caption = f"{self.algorithm}: simulation and plan"
        return ReportTable(caption, ("Figure", "Value"), tuple(rows))

    @property
    def formulas(self) -> tuple[ReportFormula, ...]:
        """The figures of the plan, each with its formula."""
        return tuple(
            ReportFormula(
                metric.title,
                _metric(self.scenario, metric),
                metric.formula,
                ", ".join(f"{name} = {short(value, digits=6)}" for name, value in metric.inputs.items()),
                metric.source,
            )
            for metric in self.scenario.plan.metrics.values()
        )

    @property
    def algorithm(self) -> str:
        """The name of the algorithm that `Scenario.run` is about."""
        scenario = self.scenario
        return self._of_run.label if scenario.algorithm else f"Strictest, {self._of_run.label.lower()}"

    @property
    def _of_run(self) -> LimitAlgorithm:
        scenario = self.scenario
        return scenario.algorithm or next(
            each for each, run in scenario.all_runs.items() if run is scenario.run
        )

    @property
    def _compared(self) -> str:
        """The name of the algorithm inside a sentence; empty if it is the only one."""
        if not self.compare:
            return ""
        return f"{self._of_run.label.lower()}{'' if self.scenario.algorithm else ', the strictest'}"

    @property
    def runs(self) -> dict[str, Run]:
        """The runs of the picture, by the display names of their algorithms."""
        if self.band or not self.compare:
            return {self.algorithm: self.scenario.run}
        return {algorithm.label: run for algorithm, run in self.scenario.all_runs.items()}


def report(scenario: Scenario, *, compare: bool = False) -> Report:
    """Report on a scenario.

    All five algorithms are compared if `compare` is true. If that of the API is not known, the tables always
    compare them, and the picture shows their range. A limiter whose requests wait is not compared.

    >>> from hook_widgets.ratelimit.planning.scenario import scenario
    >>> report(scenario("10/s", burst=40, burst_allowance=30)).status.text
    '25% of the requests get 429'
    >>> report(scenario("10/s", burst=40, burst_allowance=30, algorithm="unknown")).status.text
    'It depends on the algorithm: 25% to 75% of the requests get 429'
    """
    unknown = scenario.algorithm is None
    compared = (compare or unknown) and not scenario.inputs.queued
    return Report(scenario, compared, band=unknown and not compare)


def _depends(scenario: Scenario) -> str:
    least, most = map(percent, scenario.rejected_range)
    if least == most:
        return f"{most} of the requests get 429, whichever algorithm the API uses"
    return f"It depends on the algorithm: {least} to {most} of the requests get 429"


def _range(shares: tuple[float, float]) -> str:
    least, most = map(percent, shares)
    return most if least == most else f"{least} to {most}"


def _waiting_cards(scenario: Scenario) -> Iterator[ReportCard]:
    """Yield the cards of a limiter whose requests wait."""
    summary = scenario.summary
    waiting = scenario.run.at_once.count(False)
    of_all = f"{short(waiting)} of {count(summary.offered, 'request')}; none is rejected"
    yield ReportCard("Requests that wait", waiting_share(scenario) or percent(0), of_all)
    if summary.offered:
        p50, p95, longest = (
            seconds(wait or 0) for wait in (summary.wait_p50_s, summary.wait_p95_s, summary.wait_max_s)
        )
        yield ReportCard("Wait, p95", p95, f"p50 {p50}, longest {longest}, of all requests")
    yield ReportCard("Longest queue", short(summary.peak_depth), "requests at most")


def _of_busiest(scenario: Scenario) -> str:
    """Return whose quota is shown, if a limit has a level."""
    names = [f"{LEVELS[level]} {key}" for level, key in scenario.busiest.items()]
    return f" of {' and '.join(names)}, the busiest," if names else ""


def _run_rows(scenario: Scenario) -> Iterator[tuple[str, str]]:
    summary, limit, if_queued = scenario.summary, scenario.plan.binding, " if queued"
    if summary.offered:
        yield "Simulated requests", short(summary.offered)
        if scenario.inputs.queued:
            if_queued, passed = "", sum(scenario.run.at_once)
            waiting = short(summary.offered - passed)
            yield "Sent at once", short(passed)
            yield "Have to wait", f"{waiting} ({waiting_share(scenario)})" if waiting != "0" else waiting
        else:
            yield "Admitted", short(summary.admitted)
        yield "Rejected (429)", f"{short(summary.rejected)} ({percent(summary.rejected_fraction)})"
    if isinstance(scenario.run.limiter, Layers):
        for label, rejected in summary.limited_by:
            yield f"Rejected by {label!r}", short(rejected)
    of_one = f" of one {LEVELS[limit.per]}" if limit.per else ""
    yield (
        f"Most{of_one} that may pass {any_window(limit.window_s)}",
        short(most_admitted(scenario.run, limit)),
    )
    queued = scenario.queue_summary
    if queued is not None and queued.wait_max_s is not None:
        waits = {"mean": queued.wait_mean_s, "p50": queued.wait_p50_s, "p95": queued.wait_p95_s}
        for name, wait in (waits | {"p99": queued.wait_p99_s, "longest": queued.wait_max_s}).items():
            yield f"Wait{if_queued}, {name}", seconds(wait or 0)
        yield "Deepest queue", short(queued.peak_depth)


def _budget_rows(scenario: Scenario) -> Iterator[tuple[str, str]]:
    for client_budget in scenario.plan.budgets if len(scenario.plan.budgets) > 1 else ():
        yield (
            f"Budget of {client_budget.name}",
            f"{rate_in(scenario, client_budget.rate_per_s)}, {_pace(client_budget)}",
        )


def _alert_rows(scenario: Scenario) -> Iterator[tuple[str, str]]:
    for alert in scenario.plan.alerts:
        states = [
            f"{'goes off' if fraction > alert.threshold else 'stays quiet'}: {text}"
            for fraction, text in alert_values(scenario, alert)
        ]
        if states:
            yield f"Alert: {alert.rule}", "; ".join(states)


def _budget(scenario: Scenario) -> ReportCard:
    budgets = scenario.plan.budgets
    smallest = min(budgets, key=lambda budget: budget.rate_per_s)
    title = "Per client" if len(budgets) == 1 else f"Smallest budget, {smallest.name}"
    return ReportCard(title, rate_in(scenario, smallest.rate_per_s), _pace(smallest))


def _pace(client_budget: ClientBudget) -> str:
    return f"one call every {seconds(client_budget.delay_s)}"


def _metric(scenario: Scenario, metric: Metric) -> str:
    """Format a figure; rates have the time unit of the limit."""
    return rate_in(scenario, Fraction(metric.value)) if metric.unit == "1/s" else metric.text
