"""The plotted values of a scenario at equally spaced times, also as a CSV file."""

from __future__ import annotations

import csv
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from fractions import Fraction
from io import StringIO
from itertools import accumulate
from typing import NamedTuple

from hook_widgets.ratelimit.limiters.hold_off import rate_layers
from hook_widgets.ratelimit.planning.scenario import Scenario
from hook_widgets.ratelimit.units import NS_PER_S


class TimeSample(NamedTuple):
    """The plotted values at one time.

    Attributes:
        time_s: seconds since the start.
        left: what each limit over time still admits at once; of its busiest client, if it is one for each.
        passed: the requests admitted so far; those that did not wait, if the limiter rejects nothing.
        stopped: the other requests so far.
        queued: the requests that wait, or would if they queued instead of being rejected.
    """

    time_s: Fraction
    left: tuple[Fraction, ...]
    passed: int
    stopped: int
    queued: int


def time_samples(scenario: Scenario, intervals: int) -> Iterator[TimeSample]:
    """Yield the plotted values at the start and at the end of equal intervals."""
    run, queue = scenario.run, scenario.queue
    shown = rate_layers(run.limiter)
    times = scenario.arrivals.times_ns
    end_s = max(scenario.duration_s, Fraction(times[-1] if times else 0, NS_PER_S))
    passed = [0, *accumulate(map(int, run.at_once))]
    for time_s in [end_s * k / intervals for k in range(intervals + 1)] if end_s else [Fraction(0)]:
        arrived = bisect_right(times, time_s * NS_PER_S)
        levels = run.tokens_by_layer(time_s, client=scenario.busiest)
        yield TimeSample(
            time_s,
            tuple(max(levels[k], Fraction(0)) for k in shown),
            passed[arrived],
            arrived - passed[arrived],
            queue.queue_depth(time_s) if queue is not None else 0,
        )


def left_titles(scenario: Scenario, alone: str, one_of_several: str) -> list[str]:
    """Return a title for each limit in `TimeSample.left`.

    Args:
        scenario: the scenario.
        alone: the title where there is one limit.
        one_of_several: what stands before the name of each limit where there are several.

    >>> from hook_widgets.ratelimit import scenario
    >>> left_titles(scenario({"short": "2/s", "long": "9/min"}), "Left to spend", "Left of")
    ['Left of short', 'Left of long']
    """
    names = [scenario.run.limiter.layers[k].name for k in rate_layers(scenario.run.limiter)]
    return [f"{one_of_several} {name}" for name in names] if len(names) > 1 else [alone]


def time_csv(scenario: Scenario, intervals: int = 240) -> str:
    """Return the plotted values as comma-separated values (RFC 4180), with plain numbers.

    >>> from hook_widgets.ratelimit import scenario
    >>> time_csv(scenario("2/s", steady="1/s", duration_s=4), intervals=2).splitlines()
    ['time_s,left,admitted,rejected,queued', '0,2,0,0,0', '2,2,2,0,0', '4,2,5,3,2']
    """
    kinds = ("at_once", "waiting") if scenario.inputs.queued else ("admitted", "rejected")
    head = ("time_s", *left_titles(scenario, "left", "left of"), *kinds, "queued")
    samples: Iterator[tuple[Fraction | int, ...]] = (
        (each.time_s, *each.left, each.passed, each.stopped, each.queued)
        for each in time_samples(scenario, intervals)
    )
    return csv_text([head, *([_plain(value) for value in sample] for sample in samples)])


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as comma-separated values (RFC 4180)."""
    file = StringIO()
    csv.writer(file).writerows(rows)
    return file.getvalue()


def _plain(value: Fraction | int) -> float | int:
    """Return a number with at most nine decimals."""
    return int(value) if value == int(value) else round(float(value), 9)
