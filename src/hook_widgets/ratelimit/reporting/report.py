"""Report on a scenario: status line, cards, advice and tables that accompany its plot."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from hook_widgets.ratelimit.formatting import count, percent, rate, seconds, short, window
from hook_widgets.ratelimit.limiters.algorithm import LimitAlgorithm
from hook_widgets.ratelimit.limiters.layers import Layers
from hook_widgets.ratelimit.planning.alerts import Alert
from hook_widgets.ratelimit.planning.claims import AdviceRole
from hook_widgets.ratelimit.planning.client_budgets import ClientBudget
from hook_widgets.ratelimit.planning.levels import LEVELS
from hook_widgets.ratelimit.planning.metrics import Metric, Value
from hook_widgets.ratelimit.planning.scenario import Scenario
from hook_widgets.ratelimit.reporting.time_samples import time_samples
from hook_widgets.ratelimit.reporting.worst_window import most_admitted, most_served
from hook_widgets.ratelimit.simulation.result import Run
from hook_widgets.ratelimit.simulation.summary import Summary

_ROWS: Final = 12  # of a table over time
_MEMORY_NOTE: Final = (
    "Memory per key is the state that an implementation stores for each key, such as a user: numbers of 8 "
    "bytes, without the key itself and the requests that wait."
)
_ALERT_SHARE: Final = Fraction(5, 100)  # the share of rejections above which an alert is triggered


@dataclass(frozen=True, slots=True)
class ReportStatus:
    """One line on the result: no rejections, some rejections or too many.

    Attributes:
        level: ``"ok"``, ``"warn"`` or ``"bad"`` (more than 5% rejected, which triggers an alert).
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
        note: an explanation of a column; may be empty.
    """

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def report_status(scenario: Scenario, *, compare: bool = False) -> ReportStatus:
    """Return the status line of a scenario.

    Args:
        scenario: the scenario.
        compare: whether the algorithms are compared, so that the line names the one that it is about.

    >>> from hook_widgets.ratelimit.planning.scenario import scenario
    >>> report_status(scenario("10/s", burst=40, burst_allowance=30)).text
    '25% of the requests get 429'
    >>> report_status(scenario("10/s", burst=40, burst_allowance=30, algorithm="unknown")).text
    'It depends on the algorithm: 25% to 75% of the requests get 429'
    """
    summary = scenario.summary
    if not summary.offered:
        if scenario.plan.inputs.burst:
            return ReportStatus("warn", "No requests in this run: watch for longer")
        return ReportStatus("ok", "No requests: enter steady traffic or a burst")
    start = f"{scenario.algorithm.label}: " if compare and scenario.algorithm else ""
    if not summary.rejected:
        whichever = ", whichever algorithm the API uses" if scenario.algorithm is None else ""
        if scenario.plan.inputs.steady and scenario.plan["utilisation"].value > 1:
            return ReportStatus(
                "warn", f"{start}No request is rejected yet{whichever}, but traffic is above the limit"
            )
        return ReportStatus("ok", f"{start}No request is rejected{whichever}")
    level = "bad" if summary.rejected_fraction > _ALERT_SHARE else "warn"
    if scenario.algorithm is None:
        return ReportStatus(level, _depends(scenario))
    preposition = "most of them by" if len(summary.limited_by) > 1 else "by"
    by = f", {preposition} {summary.limited_by[0][0]!r}" if len(scenario.run.limiter.layers) > 1 else ""
    return ReportStatus(level, f"{start}{percent(summary.rejected_fraction)} of the requests get 429{by}")


def _depends(scenario: Scenario) -> str:
    least, most = map(percent, scenario.rejected_range)
    if least == most:
        return f"{most} of the requests get 429, whichever algorithm the API uses"
    return f"It depends on the algorithm: {least} to {most} of the requests get 429"


def report_cards(scenario: Scenario, *, compare: bool = False) -> tuple[ReportCard, ...]:
    """Return the key figures of a scenario.

    Args:
        scenario: the scenario.
        compare: whether the algorithms are compared, so that a figure of the run names its algorithm.
    """
    plan, summary = scenario.plan, scenario.summary
    cushion = f"{percent(plan.inputs.cushion)} below the limit" if plan.inputs.cushion else "the whole limit"
    result = [ReportCard("Safe rate", format_metric(scenario, plan["safe_rate"]), cushion), _budget(scenario)]
    if "utilisation" in plan.metrics:
        result.append(ReportCard("Utilisation", plan["utilisation"].text, "of the limit, by steady traffic"))
    fraction = f"{short(summary.rejected)} of {count(summary.offered, 'request')}"
    rejected = percent(summary.rejected_fraction)
    if scenario.algorithm is None:
        least, most = map(percent, scenario.rejected_range)
        rejected = most if least == most else f"{least} to {most}"
        fraction = f"at most {fraction}" if least != most else fraction
    elif compare:
        fraction = f"{scenario.algorithm.label}: {fraction}"
    result.append(ReportCard("Rejected (429)", rejected, fraction))
    queued = scenario.queue_summary
    if queued is not None:
        wait = "none" if queued.wait_p95_s is None else seconds(queued.wait_p95_s)
        lost = f", {short(queued.rejected)} do not fit" if queued.rejected else ""
        result.append(ReportCard("Wait if queued, p95", wait, "sent at the safe rate instead"))
        result.append(ReportCard("Longest queue", short(queued.peak_depth), f"requests at most{lost}"))
    return tuple(result)


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


def report_advice(scenario: Scenario) -> ReportAdvice:
    """Return the advice of the plan, with sentences on the simulation among the reasons.

    Args:
        scenario: the scenario.
    """
    by_role = {
        role: tuple(each.text for each in scenario.plan.advice if each.role is role) for role in AdviceRole
    }
    simulated = (*_simulation_sentences(scenario), *_alert_sentences(scenario))
    return ReportAdvice(
        by_role[AdviceRole.VERDICT][0] + _simulated_verdict(scenario),
        by_role[AdviceRole.ACTION],
        (*simulated, *by_role[AdviceRole.REASON]),
    )


def time_table(scenario: Scenario) -> ReportTable:
    """Return a table of the plotted values at 13 equally spaced times.

    Args:
        scenario: the scenario.
    """
    rows, previous = [], (0, 0)
    for sample in time_samples(scenario, _ROWS):
        totals = (sample.admitted, sample.rejected)
        changes = [short(total - earlier) for total, earlier in zip(totals, previous, strict=True)]
        rows.append((seconds(sample.time_s), _short_tokens(sample.left), *changes, short(sample.queued)))
        previous = totals
    name, of_one = algorithm_name(scenario), _of_busiest(scenario)
    return ReportTable(
        f"{name}: what is left{of_one} and what came since the row above",
        ("Time", "Left to spend", "Admitted", "Rejected (429)", "In the queue, if queued"),
        tuple(rows),
    )


def comparison_table(scenario: Scenario) -> ReportTable:
    """Return a table of all five algorithms on the same requests: results, worst window and memory.

    Args:
        scenario: the scenario.
    """
    limit = scenario.plan.binding
    rows = [
        (
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
    requests = count(len(scenario.arrivals), "request")
    allowance = short(scenario.planned["burst_allowance"])
    caption = f"The same {requests}, quota and burst allowance ({allowance}) under each algorithm"
    if limit.per:
        caption += f"; the worst {window(limit.window_s).removeprefix('per ').removeprefix('in ')} is that "
        caption += f"of one {LEVELS[limit.per]}"
    span = window(limit.window_s).removeprefix("per ").removeprefix("in ")
    columns = (
        "Algorithm",
        "Admitted",
        "Rejected (429)",
        "p95 wait",
        f"Worst {span}",
        "At most",
        "Memory per key",
    )
    return ReportTable(caption, columns, tuple(rows), _MEMORY_NOTE)


def _of_busiest(scenario: Scenario) -> str:
    """Return whose quota is shown, if a limit has a level."""
    names = [f"{LEVELS[level]} {key}" for level, key in scenario.busiest.items()]
    return f" of {' and '.join(names)}, the busiest," if names else ""


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
    caption = f"{algorithm_name(scenario)}: simulation and plan"
    return ReportTable(caption, ("Figure", "Value"), tuple(rows))


def format_formula_inputs(metric: Metric) -> str:
    """Format the inputs of a figure's formula.

    Args:
        metric: a figure of a plan.
    """
    return ", ".join(f"{name} = {short(value, digits=6)}" for name, value in metric.inputs.items())


def runs_by_label(runs: Mapping[LimitAlgorithm, Run]) -> dict[str, Run]:
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
    if scenario.algorithm is None:
        yield from _range_sentences(scenario)
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


def _simulated_verdict(scenario: Scenario) -> str:
    """Return what the verdict on mean rates does not say: the rejections of this run, if there are any."""
    least, most = scenario.rejected_range
    plan = scenario.plan
    above_limit = "utilisation" in plan.metrics and plan["utilisation"].value > 1  # the verdict says so
    if not most or above_limit:
        return ""
    share = percent(most) if least == most else f"up to {percent(most)}, depending on the algorithm,"
    by = f" from the {scenario.algorithm.label.lower()}" if scenario.algorithm else ""
    return f" Sent without a throttle, {share} of the requests in this run get 429{by}."


def _range_sentences(scenario: Scenario) -> Iterator[str]:
    """Yield sentences on the run when the API's algorithm is not known."""
    yield "The algorithm is not known: results are the range over all five."
    rejected = {each.label.lower(): run.summary().rejected for each, run in scenario.all_runs.items()}
    least, most = min(rejected, key=rejected.__getitem__), max(rejected, key=rejected.__getitem__)
    offered = count(scenario.summary.offered, "request")
    start = f"In this run of {seconds(scenario.duration_s)}"
    if not rejected[most]:
        yield f"{start} all {offered} are admitted."
    elif rejected[least] == rejected[most]:
        yield f"{start} {short(rejected[most])} of {offered} get 429."
    else:
        yield (
            f"{start} {short(rejected[least])} of {offered} get 429 under the {least}, "
            f"{short(rejected[most])} under the {most}."
        )
    yield from _bursts(scenario)


def _alert_sentences(scenario: Scenario) -> Iterator[str]:
    """Yield a sentence for each recommended alert that this traffic triggers."""
    for alert in scenario.plan.alerts:
        triggers = [text for fraction, text in _alert_values(scenario, alert) if fraction > alert.threshold]
        if triggers:
            yield f"Alert that goes off ({'; '.join(triggers)}): {alert.rule}"


def _alert_values(scenario: Scenario, alert: Alert) -> Iterator[tuple[Value, str]]:
    """Yield each value of an alert, and the value in words with where it comes from."""
    expected = "expected"
    if alert.name == "rejections":
        simulated = scenario.summary.rejected_fraction
        yield simulated, f"{percent(simulated)} simulated"
        many = scenario.plan.inputs.clients > 1
        expected += " if the clients slice the throttle" if many else " at a throttle without a queue"
    if alert.expected is not None:
        yield alert.expected, f"{percent(alert.expected)} {expected}"


def algorithm_name(scenario: Scenario) -> str:
    """Return the name of the algorithm that `Scenario.run` is about.

    Args:
        scenario: the scenario.
    """
    if scenario.algorithm is not None:
        return scenario.algorithm.label
    strictest = next(each for each, run in scenario.all_runs.items() if run is scenario.run)
    return f"Strictest, {strictest.label.lower()}"


def _bursts(scenario: Scenario) -> Iterator[str]:
    """Yield a warning if periodic bursts leave no time to work each off at the safe rate."""
    inputs = scenario.plan.inputs
    if inputs.burst is None or scenario.burst_every_s is None:
        return
    mean, safe = (inputs.steady or 0) + inputs.burst / scenario.burst_every_s, inputs.usable_rate
    if mean > safe >= (inputs.steady or 0):
        limit = inputs.binding.rate_per_s
        exceeded = "the limit" if mean > limit else f"the safe rate of {_rate(scenario, safe)}"
        yield (
            f"With a burst every {seconds(scenario.burst_every_s)} "
            f"traffic is {_rate(scenario, mean)} on average, "
            f"above {exceeded}: a queue at the safe rate grows with each burst."
        )


def _rejecting_limits(run: Run, summary: Summary) -> str:
    if len(run.limiter.layers) == 1:
        return ""
    if len(summary.limited_by) == 1:
        return f", all of them by {summary.limited_by[0][0]!r}"
    return ": " + ", ".join(f"{short(n)} by {label!r}" for label, n in summary.limited_by)


def _worst_case(scenario: Scenario) -> Iterator[str]:
    limit = scenario.plan.binding
    maximum = most_admitted(scenario.run, limit)
    if maximum > limit.quota:
        excess = maximum - limit.quota
        relation = "twice the limit" if excess == limit.quota else f"{short(excess)} more than the limit"
        of_one = f" of one {LEVELS[limit.per]}" if limit.per else ""
        yield (
            f"Worst case: {count(maximum, 'request')}{of_one} {_any_window(limit.window_s)}, "
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
    of_one = f" of one {LEVELS[limit.per]}" if limit.per else ""
    yield (
        f"Most{of_one} that may pass {_any_window(limit.window_s)}",
        short(most_admitted(scenario.run, limit)),
    )
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
        states = [
            f"{'goes off' if fraction > alert.threshold else 'stays quiet'}: {text}"
            for fraction, text in _alert_values(scenario, alert)
        ]
        if states:
            yield f"Alert: {alert.rule}", "; ".join(states)


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
