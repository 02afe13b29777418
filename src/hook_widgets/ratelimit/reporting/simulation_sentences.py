"""Sentences on a simulation: what a run admits and rejects, its worst case, and the alerts it triggers."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from hook_widgets.ratelimit.formatting import any_window, count, percent, rate, seconds, short
from hook_widgets.ratelimit.limiters.algorithm import LimitAlgorithm
from hook_widgets.ratelimit.planning.advice.alerts import Alert
from hook_widgets.ratelimit.planning.levels import LEVELS
from hook_widgets.ratelimit.planning.metrics import Value
from hook_widgets.ratelimit.planning.scenario import Scenario
from hook_widgets.ratelimit.reporting.worst_window import most_admitted
from hook_widgets.ratelimit.simulation.result import Run
from hook_widgets.ratelimit.simulation.summary import Summary

_BUCKETS = (LimitAlgorithm.TOKEN_BUCKET, LimitAlgorithm.LEAKY_BUCKET)


def simulation_sentences(scenario: Scenario, compared: str = "") -> Iterator[str]:
    """Yield sentences on what the run admits and rejects.

    Args:
        scenario: the scenario.
        compared: the name of the run's algorithm, if several are compared.
    """
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
    yield from _resolution(scenario)
    if scenario.algorithm is None:
        yield from _range_sentences(scenario)
        return
    name = scenario.algorithm.label.lower()
    start = f"In this run of {seconds(scenario.duration_s)} the {name} admits "
    if share := waiting_share(scenario):
        waiting = scenario.run.at_once.count(False)
        p50, p95 = seconds(summary.wait_p50_s or 0), seconds(summary.wait_p95_s or 0)
        verb = "waits" if waiting == 1 else "wait"
        yield (
            f"In this run of {seconds(scenario.duration_s)} {short(waiting)} of "
            f"{count(summary.offered, 'request')} ({share}) {verb}, {longest_wait(scenario)}; "
            f"half of all wait at most {p50}, 95% at most {p95}."
        )
        yield from _late(scenario)
    elif not summary.rejected:
        requests = "the only request" if summary.offered == 1 else f"all {count(summary.offered, 'request')}"
        yield f"{start}{requests}."
    else:
        verb = "gets" if summary.rejected == 1 else "get"
        yield (
            f"{start}{short(summary.admitted)} of {count(summary.offered, 'request')}; "
            f"{short(summary.rejected)} {verb} 429{_rejecting_limits(scenario.run, summary)}."
        )
    yield from _worst_case(scenario, compared)
    yield from _bursts(scenario)


def _resolution(scenario: Scenario) -> Iterator[str]:
    """Yield what the whole seconds or minutes of a log leave open."""
    log = scenario.arrivals.log
    if log is None or not log.spread:
        return
    unit = log_unit(scenario)
    if (bounds := scenario.rejected_of_log) is None:
        yield f"The log has whole {unit}s; its requests are spread over each ({log.spread})."
        return
    least, most = map(percent, bounds)
    start = f"The log has whole {unit}s: depending on when in its {unit} each request comes"
    yield f"{start}, {least} to {most} of them get 429."


def log_unit(scenario: Scenario) -> str:
    """Return the unit of the times of a log, in words."""
    log = scenario.arrivals.log
    return "minute" if log is not None and log.whole_minutes else "second"


def _late(scenario: Scenario) -> Iterator[str]:
    """Yield how many requests wait for the limiter longer than their client does for a response."""
    inputs, record = scenario.inputs, scenario.run.record
    if inputs.timeout_s is not None:
        most = (inputs.timeout_s - (inputs.latency_s or 0)) * record.per_s
        if late := sum(wait > most for wait in record.waits):
            verb = "gets" if late == 1 else "get"
            timeout = seconds(inputs.timeout_s)
            yield f"{short(late)} of them {verb} no response within the client's timeout of {timeout}."


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


def simulated_verdict(scenario: Scenario, compared: str = "") -> str:
    """Return what the verdict on mean rates does not say: the rejections of this run, if there are any.

    Args:
        scenario: the scenario.
        compared: the name of the run's algorithm, if several are compared.
    """
    least, most = scenario.rejected_range
    plan = scenario.plan
    above_limit = "utilisation" in plan.metrics and plan["utilisation"].value > 1  # the verdict says so
    if above_limit:
        return ""
    if scenario.inputs.queued and scenario.utilisation > 1:
        return f" {_mean_with_bursts(scenario)}, above the limit: the wait grows with each burst."
    if waiting := waiting_share(scenario):
        waits = f"{waiting} of the requests in this run wait, {longest_wait(scenario)}"
        return f" Sent without a throttle, {waits}."
    if scenario.utilisation > 1:
        share = percent(plan.binding.rejected(scenario.mean_per_s), down=True)
        return (
            f" {_mean_with_bursts(scenario)}, above the limit: in the long run at least {share} of it gets "
            "429 if sent as it comes."
        )
    no_allowance = _no_allowance(scenario)
    if not most:
        return f" {no_allowance} and admits this whole run." if no_allowance else ""
    share = percent(most) if least == most else f"up to {percent(most)}, depending on the algorithm,"
    start = f"{no_allowance}: sent" if no_allowance else "Sent"
    source = rejecting_limit(scenario) if no_allowance else _source_of_429(scenario, compared)
    text = f" {start} without a throttle, {share} of the requests in this run get 429{source}."
    if compared and scenario.algorithm in _BUCKETS and _exceeds_allowance(scenario):
        text += " The windows that are compared have no burst allowance."
    return text


def waiting_share(scenario: Scenario) -> str:
    """Return the share of the requests that wait for the limiter itself; empty if none does."""
    if not scenario.inputs.queued or all(scenario.run.at_once):
        return ""
    return percent(Fraction(scenario.run.at_once.count(False), scenario.summary.offered))


def longest_wait(scenario: Scenario) -> str:
    """Return how long the requests wait at most, in words."""
    return f"up to {seconds(scenario.summary.wait_max_s or 0)}"


def _no_allowance(scenario: Scenario) -> str:
    """Return why a window admits more of a burst than the burst allowance of the plan; empty if none does."""
    algorithm = scenario.algorithm
    if algorithm is None or algorithm in _BUCKETS or not scenario.summary.offered:
        return ""
    if not _exceeds_allowance(scenario):
        return ""
    return f"The simulated {algorithm.label.lower()} has no burst allowance"


def _exceeds_allowance(scenario: Scenario) -> bool:
    burst, allowance = scenario.plan.inputs.burst, scenario.plan.inputs.burst_allowance
    return burst is not None and allowance is not None and burst > allowance


def rejecting_limit(scenario: Scenario) -> str:
    """Return which of several limits rejects most, as the end of a sentence; empty with one limit."""
    if len(scenario.run.limiter.layers) == 1 or not scenario.summary.limited_by:
        return ""
    limited_by = scenario.summary.limited_by
    return f", {'most of them by' if len(limited_by) > 1 else 'by'} {limited_by[0][0]!r}"


def _source_of_429(scenario: Scenario, compared: str) -> str:
    if scenario.algorithm is None:
        return ""
    limit = rejecting_limit(scenario)
    return limit if limit and not compared else f" from the {scenario.algorithm.label.lower()}{limit}"


def alert_sentences(scenario: Scenario, compared: str = "") -> Iterator[str]:
    """Yield a sentence for each recommended alert that this traffic triggers.

    Args:
        scenario: the scenario.
        compared: the name of the run's algorithm, if several are compared.
    """
    for alert in scenario.plan.alerts:
        values = alert_values(scenario, alert, compared)
        if triggers := [text for fraction, text in values if fraction > alert.threshold]:
            yield f"Alert that goes off ({'; '.join(triggers)}): {alert.rule}"


def alert_values(scenario: Scenario, alert: Alert, compared: str = "") -> Iterator[tuple[Value, str]]:
    """Yield each value of an alert, and the value in words with where it comes from."""
    expected = "expected"
    if alert.name == "rejections":
        if scenario.summary.offered:
            simulated = scenario.summary.rejected_fraction
            yield simulated, f"{percent(simulated)} simulated{f' with the {compared}' if compared else ''}"
        many = scenario.plan.inputs.clients > 1
        expected += " if the clients split the throttle" if many else " at a throttle without a queue"
    value = alert.expected
    if alert.name == "utilisation" and scenario.utilisation:
        value = scenario.utilisation
    if value is not None:
        yield value, f"{percent(value)} {expected}"


def _mean_with_bursts(scenario: Scenario) -> str:
    every = seconds(scenario.burst_every_s or 0)
    return f"With a burst every {every} traffic is {rate_in(scenario, scenario.mean_per_s)} on average"


def _bursts(scenario: Scenario) -> Iterator[str]:
    """Yield a warning if periodic bursts leave no time to work each off at the safe rate.

    Of traffic above the limit the verdict speaks.
    """
    inputs = scenario.plan.inputs
    if (inputs.steady or 0) <= inputs.usable_rate < scenario.mean_per_s and scenario.utilisation <= 1:
        yield (
            f"{_mean_with_bursts(scenario)}, above the safe rate of "
            f"{rate_in(scenario, inputs.usable_rate)}: a queue at the safe rate grows with each burst."
        )


def _rejecting_limits(run: Run, summary: Summary) -> str:
    if len(run.limiter.layers) == 1:
        return ""
    if len(summary.limited_by) == 1:
        return f", all of them by {summary.limited_by[0][0]!r}"
    return ": " + ", ".join(f"{short(n)} by {label!r}" for label, n in summary.limited_by)


def _worst_case(scenario: Scenario, compared: str) -> Iterator[str]:
    limit = scenario.plan.binding
    maximum = most_admitted(scenario.run, limit)
    if maximum > limit.quota:
        excess = maximum - limit.quota
        relation = "twice the limit" if excess == limit.quota else f"{short(excess)} more than the limit"
        of_one = f" of one {LEVELS[limit.per]}" if limit.per else ""
        start = f"Worst case of the {compared}" if compared else "Worst case"
        yield (
            f"{start}: {count(maximum, 'request')}{of_one} {any_window(limit.window_s)}, "
            f"{relation} of {short(limit.quota)}."
        )


def rate_in(scenario: Scenario, per_s: Fraction) -> str:
    """Format a rate in the time unit of the limit."""
    return rate(per_s, window_s=scenario.plan.binding.window_s)
