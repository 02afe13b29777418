"""A scenario in words and tables: what stands beside its picture."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from hook_widgets.ratelimit.clients import Share
from hook_widgets.ratelimit.facts import Fact
from hook_widgets.ratelimit.layers import Layers
from hook_widgets.ratelimit.quantity import NS_PER_S
from hook_widgets.ratelimit.run import Run
from hook_widgets.ratelimit.scenario import Algorithm, Scenario
from hook_widgets.ratelimit.summary import Summary
from hook_widgets.ratelimit.wording import count, percent, rate, seconds, short, window

_ROWS: Final = 12  # of a table over time
_TOO_MANY: Final = Fraction(5, 100)  # the share of refusals at which to raise an alert


@dataclass(frozen=True, slots=True)
class Status:
    """Whether the traffic gets through, in one line.

    Attributes:
        level: ``"ok"``, ``"warn"`` or ``"bad"`` (above 5 %, at which an alert goes off).
        text: the line.
    """

    level: str
    text: str


@dataclass(frozen=True, slots=True)
class Card:
    """One figure to see at a glance.

    Attributes:
        title: what it is.
        value: the figure, with its unit.
        note: what to know of it; may be empty.
    """

    title: str
    value: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of texts.

    Attributes:
        caption: what it shows.
        columns: their titles.
        rows: the texts of each row.
    """

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def status(found: Scenario) -> Status:
    """How the API treats this traffic.

    Args:
        found: the scenario.

    >>> from hook_widgets.ratelimit.scenario import scenario
    >>> status(scenario("10/s", burst=40, capacity=30)).text
    '25 % of the requests get 429'
    """
    summary = found.summary
    if not summary.offered:
        if found.plan.inputs.burst:
            return Status("warn", "No requests in this run: watch for longer")
        return Status("ok", "No requests: enter steady traffic or a burst")
    if not summary.rejected:
        if found.plan.inputs.steady and found.plan["utilisation"].value > 1:
            return Status("warn", "No request is refused yet, but traffic is above the limit")
        return Status("ok", "No request is refused")
    most = "most of them by" if len(summary.limited_by) > 1 else "by"
    by = f", {most} {summary.limited_by[0][0]!r}" if len(found.run.limiter.layers) > 1 else ""
    level = "bad" if summary.rejected_fraction > _TOO_MANY else "warn"
    return Status(level, f"{percent(summary.rejected_fraction)} of the requests get 429{by}")


def cards(found: Scenario) -> tuple[Card, ...]:
    """The figures that people ask for first.

    Args:
        found: the scenario.
    """
    plan, summary = found.plan, found.summary
    cushion = f"{percent(plan.inputs.cushion)} below the limit" if plan.inputs.cushion else "the whole limit"
    shown = [Card("Safe rate", worded(found, plan["safe_rate"]), cushion), _budget(found)]
    if "utilisation" in plan.facts:
        shown.append(Card("Utilisation", plan["utilisation"].text, "of the limit, by steady traffic"))
    of = f"{short(summary.rejected)} of {count(summary.offered, 'request')}"
    shown.append(Card("Refused", percent(summary.rejected_fraction), of))
    queued = found.queue_summary
    if queued is not None:
        wait = "none" if queued.wait_p95_s is None else seconds(queued.wait_p95_s)
        lost = f", {short(queued.rejected)} do not fit" if queued.rejected else ""
        shown.append(Card("Wait if queued, p95", wait, "sent at the safe rate instead"))
        shown.append(Card("Longest queue", short(queued.peak_depth), f"requests at most{lost}"))
    return tuple(shown)


def advice(found: Scenario) -> tuple[str, ...]:
    """What a person would say: what was simulated first, then the plan.

    Args:
        found: the scenario.
    """
    return (*_simulated(found), *found.plan.advice)


def over_time(found: Scenario) -> Table:
    """The facts of the picture at a dozen moments.

    Args:
        found: the scenario.
    """
    run, queue = found.run, found.queue
    times = found.arrivals.times_ns
    end = max(found.duration_s, Fraction(times[-1] if times else 0, NS_PER_S))
    moments = [end * k / _ROWS for k in range(_ROWS + 1)] if end else [Fraction(0)]
    rows, before = [], (0, 0)
    for moment in moments:
        came = bisect_right(times, moment * NS_PER_S)
        passed = sum(run.admitted[:came])
        now = (passed, came - passed)
        depth = queue.queue_depth(moment) if queue is not None else 0
        new = [short(value - earlier) for value, earlier in zip(now, before, strict=True)]
        rows.append((seconds(moment), _whole_of(run.tokens(moment)), *new, short(depth)))
        before = now
    return Table(
        f"{found.algorithm.label}: what is left and what came since the row above",
        ("Time", "Left to spend", "Admitted", "Refused", "In the queue, if queued"),
        tuple(rows),
    )


def comparison(found: Scenario) -> Table:
    """All five algorithms on the same requests, and the most that each admits in any window.

    Args:
        found: the scenario.
    """
    tight = found.plan.binding
    rows = [
        (
            algorithm.label,
            short(summary.admitted),
            short(summary.rejected),
            percent(summary.rejected_fraction),
            "none" if not summary.wait_max_s else seconds(summary.wait_max_s),
            short(run.limiter.most_in(tight.window_s)),
        )
        for algorithm, run in found.all_runs.items()
        for summary in [run.summary()]
    ]
    caption = f"The same {count(len(found.arrivals), 'request')} under each algorithm"
    most = f"Most {_any(tight.window_s)} (limit: {short(tight.quota)})"
    return Table(caption, ("Algorithm", "Admitted", "Refused", "Share", "Longest wait", most), tuple(rows))


def figures(found: Scenario) -> Table:
    """Every figure of the simulation and of the plan.

    Args:
        found: the scenario.
    """
    rows = [
        *_run_rows(found),
        *((fact.title, worded(found, fact)) for fact in found.plan.facts.values()),
        *_share_rows(found),
        *_alert_rows(found),
    ]
    return Table("Simulation and plan", ("Figure", "Value"), tuple(rows))


def put_in(fact: Fact) -> str:
    """The numbers of a formula, as text.

    Args:
        fact: a figure of a plan.
    """
    return ", ".join(f"{name} = {short(value, digits=6)}" for name, value in fact.inputs.items())


def titled(runs: Mapping[Algorithm, Run]) -> dict[str, Run]:
    """Runs by the titles of their algorithms.

    Args:
        runs: runs by their algorithm, such as `Scenario.all_runs`.
    """
    return {algorithm.label: run for algorithm, run in runs.items()}


def _simulated(found: Scenario) -> Iterator[str]:
    summary = found.summary
    if found.plan.inputs.burst and found.burst_every_s and found.duration_s <= found.burst_every_s / 2:
        first = seconds(found.burst_every_s / 2)
        yield f"No burst comes in this run of {seconds(found.duration_s)}: the first would after {first}."
    if not summary.offered:
        return
    name = found.algorithm.label.lower()
    start = f"In this run of {seconds(found.duration_s)} the {name} admits "
    if not summary.rejected:
        all_of = "the only request" if summary.offered == 1 else f"all {count(summary.offered, 'request')}"
        yield f"{start}{all_of}."
    else:
        yield (
            f"{start}{short(summary.admitted)} of {count(summary.offered, 'request')}; "
            f"{short(summary.rejected)} get 429{_who_refused(found.run, summary)}."
        )
    yield from _worst_case(found)
    yield from _bursts(found)
    yield from _in_flight(found)


def _bursts(found: Scenario) -> Iterator[str]:
    """Whether bursts that come again and again leave time to work each off."""
    given = found.plan.inputs
    if given.burst is None or found.burst_every_s is None:
        return
    mean, safe = (given.steady or 0) + given.burst / found.burst_every_s, given.safe_rate
    if mean > safe >= (given.steady or 0):
        limit = given.binding.rate_per_s
        over = "the limit" if mean > limit else f"the safe rate of {_rate(found, safe)}"
        yield (
            f"With a burst every {seconds(found.burst_every_s)} traffic is {_rate(found, mean)} on average, "
            f"above {over}: a queue at the safe rate grows with each burst."
        )


def _in_flight(found: Scenario) -> Iterator[str]:
    """What the API's limit on requests in flight allows, when that is less than the plan."""
    given = found.plan.inputs
    if found.in_flight is None or given.latency_s is None:
        return
    allowed = found.in_flight / given.latency_s
    if allowed < given.safe_rate:
        who = count(found.in_flight, "request")
        yield (
            f"The API's limit of {who} in flight allows at most {_rate(found, allowed)} at "
            f"{seconds(given.latency_s)} a call, less than the safe rate: plan for less than that."
        )


def _who_refused(run: Run, summary: Summary) -> str:
    if len(run.limiter.layers) == 1:
        return ""
    if len(summary.limited_by) == 1:
        return f", all of them by {summary.limited_by[0][0]!r}"
    return ": " + ", ".join(f"{short(n)} by {label!r}" for label, n in summary.limited_by)


def _worst_case(found: Scenario) -> Iterator[str]:
    limit = found.plan.binding
    most = found.run.limiter.most_in(limit.window_s)
    if most > limit.quota:
        more = most - limit.quota
        how = "twice the limit" if more == limit.quota else f"{short(more)} more than the limit"
        yield (
            f"Counted like this, up to {count(most, 'request')} may pass {_any(limit.window_s)}: "
            f"{how} of {short(limit.quota)}."
        )


def _run_rows(found: Scenario) -> Iterator[tuple[str, str]]:
    summary, limit = found.summary, found.plan.binding
    yield "Simulated requests", short(summary.offered)
    yield "Admitted", short(summary.admitted)
    yield "Refused", f"{short(summary.rejected)} ({percent(summary.rejected_fraction)})"
    if isinstance(found.run.limiter, Layers):
        for label, refused in summary.limited_by:
            yield f"Refused by {label!r}", short(refused)
    yield f"Most that may pass {_any(limit.window_s)}", short(found.run.limiter.most_in(limit.window_s))
    queued = found.queue_summary
    if queued is not None and queued.wait_max_s is not None:
        waits = {"mean": queued.wait_mean_s, "p50": queued.wait_p50_s, "p95": queued.wait_p95_s}
        for name, wait in (waits | {"p99": queued.wait_p99_s, "longest": queued.wait_max_s}).items():
            yield f"Wait if queued, {name}", seconds(wait or 0)
        yield "Deepest queue", short(queued.peak_depth)


def _share_rows(found: Scenario) -> Iterator[tuple[str, str]]:
    for share in found.plan.shares if len(found.plan.shares) > 1 else ():
        yield f"Budget of {share.name}", f"{_rate(found, share.rate_per_s)}, {_pace(share)}"


def _alert_rows(found: Scenario) -> Iterator[tuple[str, str]]:
    for alert in found.plan.alerts:
        share = found.summary.rejected_fraction if alert.name == "rejections" else alert.expected
        if share is not None:
            where = "simulated" if alert.name == "rejections" else "expected"
            goes = "goes off" if share > alert.threshold else "stays quiet"
            yield f"Alert: {alert.rule}", f"{goes}: {percent(share)} {where}"


def _budget(found: Scenario) -> Card:
    shares = found.plan.shares
    least = min(shares, key=lambda share: share.rate_per_s)
    title = "Per client" if len(shares) == 1 else f"Smallest budget, {least.name}"
    return Card(title, _rate(found, least.rate_per_s), _pace(least))


def _pace(share: Share) -> str:
    return f"one call every {seconds(share.delay_s)}"


def _rate(found: Scenario, per_s: Fraction) -> str:
    return rate(per_s, window_s=found.plan.binding.window_s)


def worded(found: Scenario, fact: Fact) -> str:
    """A figure in words; a rate in the unit of the limit.

    Args:
        found: the scenario that the figure is of.
        fact: the figure.
    """
    return _rate(found, Fraction(fact.value)) if fact.unit == "1/s" else fact.text


def _whole_of(tokens: Fraction) -> str:
    return short(tokens if abs(tokens) < 10 else round(tokens))


def _any(window_s: Fraction) -> str:
    return f"in any {window(window_s).removeprefix('per ').removeprefix('in ')}"
