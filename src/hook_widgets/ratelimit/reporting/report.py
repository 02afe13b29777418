"""Report on a scenario: status line, cards, advice and tables that accompany its plot."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from hook_widgets.ratelimit.formatting import count, percent, rate, seconds, short, window
from hook_widgets.ratelimit.limiters.layers import Layers
from hook_widgets.ratelimit.planning.client_budgets import ClientBudget
from hook_widgets.ratelimit.planning.metrics import Metric
from hook_widgets.ratelimit.planning.scenario import Algorithm, Scenario
from hook_widgets.ratelimit.simulation.result import Run
from hook_widgets.ratelimit.simulation.summary import Summary
from hook_widgets.ratelimit.units import NS_PER_S

_ROWS: Final = 12  # of a table over time
_ALERT_SHARE: Final = Fraction(5, 100)  # the share of rejections above which an alert is triggered


@dataclass(frozen=True, slots=True)
class ReportStatus:
    """One line on the result: no rejections, some rejections or too many.

    Attributes:
        level: ``"ok"``, ``"warn"`` or ``"bad"`` (more than 5 % rejected, which triggers an alert).
        text: the line.
    """

    level: str
    text: str


@dataclass(frozen=True, slots=True)
class ReportCard:
    """One key figure.

    Attributes:
        title: the name of the figure.
        value: the figure, with its unit.
        note: an explanation; may be empty.
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
    """

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def report_status(scenario: Scenario) -> ReportStatus:
    """Return the status line of a scenario.

    Args:
        scenario: the scenario.

    >>> from hook_widgets.ratelimit.planning.scenario import scenario
    >>> report_status(scenario("10/s", burst=40, capacity=30)).text
    '25 % of the requests get 429'
    """
    summary = scenario.summary
    if not summary.offered:
        if scenario.plan.inputs.burst:
            return ReportStatus("warn", "No requests in this run: watch for longer")
        return ReportStatus("ok", "No requests: enter steady traffic or a burst")
    if not summary.rejected:
        if scenario.plan.inputs.steady and scenario.plan["utilisation"].value > 1:
            return ReportStatus("warn", "No request is rejected yet, but traffic is above the limit")
        return ReportStatus("ok", "No request is rejected")
    preposition = "most of them by" if len(summary.limited_by) > 1 else "by"
    by = f", {preposition} {summary.limited_by[0][0]!r}" if len(scenario.run.limiter.layers) > 1 else ""
    level = "bad" if summary.rejected_fraction > _ALERT_SHARE else "warn"
    return ReportStatus(level, f"{percent(summary.rejected_fraction)} of the requests get 429{by}")


def report_cards(scenario: Scenario) -> tuple[ReportCard, ...]:
    """Return the key figures of a scenario.

    Args:
        scenario: the scenario.
    """
    plan, summary = scenario.plan, scenario.summary
    cushion = f"{percent(plan.inputs.cushion)} below the limit" if plan.inputs.cushion else "the whole limit"
    result = [ReportCard("Safe rate", format_metric(scenario, plan["safe_rate"]), cushion), _budget(scenario)]
    if "utilisation" in plan.metrics:
        result.append(ReportCard("Utilisation", plan["utilisation"].text, "of the limit, by steady traffic"))
    fraction = f"{short(summary.rejected)} of {count(summary.offered, 'request')}"
    result.append(ReportCard("Rejected (429)", percent(summary.rejected_fraction), fraction))
    queued = scenario.queue_summary
    if queued is not None:
        wait = "none" if queued.wait_p95_s is None else seconds(queued.wait_p95_s)
        lost = f", {short(queued.rejected)} do not fit" if queued.rejected else ""
        result.append(ReportCard("Wait if queued, p95", wait, "sent at the safe rate instead"))
        result.append(ReportCard("Longest queue", short(queued.peak_depth), f"requests at most{lost}"))
    return tuple(result)


def report_advice(scenario: Scenario) -> tuple[str, ...]:
    """Return sentences on the simulation, followed by the advice of the plan.

    Args:
        scenario: the scenario.
    """
    return (*_simulation_sentences(scenario), *scenario.plan.advice)


def time_table(scenario: Scenario) -> ReportTable:
    """Return a table of the plotted values at 13 equally spaced times.

    Args:
        scenario: the scenario.
    """
    run, queue = scenario.run, scenario.queue
    times = scenario.arrivals.times_ns
    end = max(scenario.duration_s, Fraction(times[-1] if times else 0, NS_PER_S))
    sample_times_s = [end * k / _ROWS for k in range(_ROWS + 1)] if end else [Fraction(0)]
    rows, previous = [], (0, 0)
    for time_s in sample_times_s:
        arrived = bisect_right(times, time_s * NS_PER_S)
        admitted = sum(run.admitted[:arrived])
        totals = (admitted, arrived - admitted)
        depth = queue.queue_depth(time_s) if queue is not None else 0
        changes = [short(total - earlier) for total, earlier in zip(totals, previous, strict=True)]
        rows.append((seconds(time_s), _short_tokens(run.tokens(time_s)), *changes, short(depth)))
        previous = totals
    return ReportTable(
        f"{scenario.algorithm.label}: what is left and what came since the row above",
        ("Time", "Left to spend", "Admitted", "Rejected (429)", "In the queue, if queued"),
        tuple(rows),
    )


def comparison_table(scenario: Scenario) -> ReportTable:
    """Return a table of all five algorithms on the same requests, with the most that each admits in a window.

    Args:
        scenario: the scenario.
    """
    limit = scenario.plan.binding
    rows = [
        (
            algorithm.label,
            short(summary.admitted),
            short(summary.rejected),
            percent(summary.rejected_fraction),
            "none" if not summary.wait_max_s else seconds(summary.wait_max_s),
            short(run.limiter.max_admitted(limit.window_s)),
        )
        for algorithm, run in scenario.all_runs.items()
        for summary in [run.summary()]
    ]
    caption = f"The same {count(len(scenario.arrivals), 'request')} under each algorithm"
    maximum = f"Most {_any_window(limit.window_s)} (limit: {short(limit.quota)})"
    columns = ("Algorithm", "Admitted", "Rejected (429)", "Rejected %", "Longest wait", maximum)
    return ReportTable(caption, columns, tuple(rows))


def metrics_table(scenario: Scenario) -> ReportTable:
    """Return a table of every figure of the simulation and of the plan.

    Args:
        scenario: the scenario.
    """
    rows = [
        *_run_rows(scenario),
        *((metric.title, format_metric(scenario, metric)) for metric in scenario.plan.metrics.values()),
        *_budget_rows(scenario),
        *_alert_rows(scenario),
    ]
    return ReportTable("Simulation and plan", ("Figure", "Value"), tuple(rows))


def format_formula_inputs(metric: Metric) -> str:
    """Format the inputs of a figure's formula.

    Args:
        metric: a figure of a plan.
    """
    return ", ".join(f"{name} = {short(value, digits=6)}" for name, value in metric.inputs.items())


def runs_by_label(runs: Mapping[Algorithm, Run]) -> dict[str, Run]:
    """Return the runs by the display names of their algorithms.

    Args:
        runs: runs by their algorithm, such as `Scenario.all_runs`.
    """
    return {algorithm.label: run for algorithm, run in runs.items()}


def _simulation_sentences(scenario: Scenario) -> Iterator[str]:
    summary = scenario.summary
    if (
        scenario.plan.inputs.burst
        and scenario.burst_every_s
        and scenario.duration_s <= scenario.burst_every_s / 2
    ):
        start = seconds(scenario.burst_every_s / 2)
        yield f"No burst comes in this run of {seconds(scenario.duration_s)}: the first would after {start}."
    if not summary.offered:
        return
    name = scenario.algorithm.label.lower()
    start = f"In this run of {seconds(scenario.duration_s)} the {name} admits "
    if not summary.rejected:
        requests = "the only request" if summary.offered == 1 else f"all {count(summary.offered, 'request')}"
        yield f"{start}{requests}."
    else:
        yield (
            f"{start}{short(summary.admitted)} of {count(summary.offered, 'request')}; "
            f"{short(summary.rejected)} get 429{_rejecting_limits(scenario.run, summary)}."
        )
    yield from _worst_case(scenario)
    yield from _bursts(scenario)
    yield from _in_flight(scenario)


def _bursts(scenario: Scenario) -> Iterator[str]:
    """Yield a warning if periodic bursts leave no time to work each off at the safe rate."""
    inputs = scenario.plan.inputs
    if inputs.burst is None or scenario.burst_every_s is None:
        return
    mean, safe = (inputs.steady or 0) + inputs.burst / scenario.burst_every_s, inputs.safe_rate
    if mean > safe >= (inputs.steady or 0):
        limit = inputs.binding.rate_per_s
        exceeded = "the limit" if mean > limit else f"the safe rate of {_rate(scenario, safe)}"
        yield (
            f"With a burst every {seconds(scenario.burst_every_s)} "
            f"traffic is {_rate(scenario, mean)} on average, "
            f"above {exceeded}: a queue at the safe rate grows with each burst."
        )


def _in_flight(scenario: Scenario) -> Iterator[str]:
    """Yield a warning if the API's concurrency limit allows less than the safe rate."""
    inputs = scenario.plan.inputs
    if scenario.inputs.in_flight is None or inputs.latency_s is None:
        return
    allowed = scenario.inputs.in_flight / inputs.latency_s
    if allowed < inputs.safe_rate:
        requests = count(scenario.inputs.in_flight, "request")
        yield (
            f"The API's limit of {requests} in flight allows at most {_rate(scenario, allowed)} at "
            f"{seconds(inputs.latency_s)} a call, less than the safe rate: plan for less than that."
        )


def _rejecting_limits(run: Run, summary: Summary) -> str:
    if len(run.limiter.layers) == 1:
        return ""
    if len(summary.limited_by) == 1:
        return f", all of them by {summary.limited_by[0][0]!r}"
    return ": " + ", ".join(f"{short(n)} by {label!r}" for label, n in summary.limited_by)


def _worst_case(scenario: Scenario) -> Iterator[str]:
    limit = scenario.plan.binding
    maximum = scenario.run.limiter.max_admitted(limit.window_s)
    if maximum > limit.quota:
        excess = maximum - limit.quota
        relation = "twice the limit" if excess == limit.quota else f"{short(excess)} more than the limit"
        yield (
            f"Worst case: {count(maximum, 'request')} {_any_window(limit.window_s)}, "
            f"{relation} of {short(limit.quota)}."
        )


def _run_rows(scenario: Scenario) -> Iterator[tuple[str, str]]:
    summary, limit = scenario.summary, scenario.plan.binding
    yield "Simulated requests", short(summary.offered)
    yield "Admitted", short(summary.admitted)
    yield "Rejected (429)", f"{short(summary.rejected)} ({percent(summary.rejected_fraction)})"
    if isinstance(scenario.run.limiter, Layers):
        for label, rejected in summary.limited_by:
            yield f"Rejected by {label!r}", short(rejected)
    maximum = scenario.run.limiter.max_admitted(limit.window_s)
    yield f"Most that may pass {_any_window(limit.window_s)}", short(maximum)
    queued = scenario.queue_summary
    if queued is not None and queued.wait_max_s is not None:
        waits = {"mean": queued.wait_mean_s, "p50": queued.wait_p50_s, "p95": queued.wait_p95_s}
        for name, wait in (waits | {"p99": queued.wait_p99_s, "longest": queued.wait_max_s}).items():
            yield f"Wait if queued, {name}", seconds(wait or 0)
        yield "Deepest queue", short(queued.peak_depth)


def _budget_rows(scenario: Scenario) -> Iterator[tuple[str, str]]:
    for client_budget in scenario.plan.budgets if len(scenario.plan.budgets) > 1 else ():
        yield (
            f"Budget of {client_budget.name}",
            f"{_rate(scenario, client_budget.rate_per_s)}, {_pace(client_budget)}",
        )


def _alert_rows(scenario: Scenario) -> Iterator[tuple[str, str]]:
    for alert in scenario.plan.alerts:
        fraction = scenario.summary.rejected_fraction if alert.name == "rejections" else alert.expected
        if fraction is not None:
            origin = "simulated" if alert.name == "rejections" else "expected"
            state = "goes off" if fraction > alert.threshold else "stays quiet"
            yield f"Alert: {alert.rule}", f"{state}: {percent(fraction)} {origin}"


def _budget(scenario: Scenario) -> ReportCard:
    budgets = scenario.plan.budgets
    smallest = min(budgets, key=lambda budget: budget.rate_per_s)
    title = "Per client" if len(budgets) == 1 else f"Smallest budget, {smallest.name}"
    return ReportCard(title, _rate(scenario, smallest.rate_per_s), _pace(smallest))


def _pace(client_budget: ClientBudget) -> str:
    return f"one call every {seconds(client_budget.delay_s)}"


def _rate(scenario: Scenario, per_s: Fraction) -> str:
    return rate(per_s, window_s=scenario.plan.binding.window_s)


def format_metric(scenario: Scenario, metric: Metric) -> str:
    """Format a figure for display; rates have the time unit of the limit.

    Args:
        scenario: the scenario that the figure belongs to.
        metric: the figure.
    """
    return _rate(scenario, Fraction(metric.value)) if metric.unit == "1/s" else metric.text


def _short_tokens(tokens: Fraction) -> str:
    return short(tokens if abs(tokens) < 10 else round(tokens))


def _any_window(window_s: Fraction) -> str:
    return f"in any {window(window_s).removeprefix('per ').removeprefix('in ')}"
