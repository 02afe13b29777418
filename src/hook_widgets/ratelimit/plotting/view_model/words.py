"""Describe a plot in words, as its alternative text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress
from math import floor
from operator import not_

from hook_widgets.ratelimit.formatting import seconds
from hook_widgets.ratelimit.plotting.view_model.labels import share
from hook_widgets.ratelimit.plotting.view_model.scale import compact, moment
from hook_widgets.ratelimit.plotting.view_model.view import Level, Notes, PlottedRuns, View, cached_view
from hook_widgets.ratelimit.simulation.result import Run
from hook_widgets.ratelimit.units import Duration

_MOST_SPELLS = 3


def describe_run(
    runs: Run | Mapping[str, Run],
    *,
    until_s: Duration | None = None,
    queued: Run | None = None,
    possible: Sequence[Run] = (),
    notes: Notes = None,
) -> str:
    """Describe the plot of these runs in words, as its alternative text.

    Args:
        runs: one run, or several by title.
        until_s: end of the time axis in seconds, as text or a `timedelta`; None to end with the last event.
        queued: a run of the same requests through a queue, to show how many would wait; used if there is only
            one run and it has no queue.
        possible: runs of the same requests under each algorithm that may be in use, of which what is left is
            drawn as a band; used if there is only one run.
        notes: a note on each of several runs by title, from the longest to the shortest text.

    >>> from hook_widgets.ratelimit import TokenBucket, simulate
    >>> print(describe_run(simulate(TokenBucket(2, "0.5/s"), [0, 1, 2, 3])))  # doctest: +ELLIPSIS
    Tokens left over 4 s: starts full at 2, falls to 0 at 2 s, ends at 1. 1 of 4 requests (25%) ...
    """
    plotted = PlottedRuns.of(runs, until_s=until_s, queued=queued, possible=possible)
    named, end_s = plotted.runs, plotted.end_s
    views = {title: cached_view(run, end_s=end_s, slim=len(named) > 1) for title, run in named.items()}
    over = f"over {moment(end_s, end_s)}"
    if len(views) > 1:
        last = {title: f"; {texts[0]}" for title, texts in (notes or {}).items() if texts}
        sentences = [
            f"{title}: {_compared(views[title], run)}{last.get(title, '')}." for title, run in named.items()
        ]
        return f"{len(views)} runs compared {over}. {' '.join(sentences)}"
    (view,), (run,) = views.values(), named.values()
    if possible:
        lowest = _lowest(possible, run, end_s)
        level = f"Range over all algorithms {over}: at the lowest, {lowest}. Under the strictest algorithm:"
    elif len(view.levels) == 1:
        level = f"{view.levels[0].unit} {over}: {_level(view.levels[0], end_s)}."
    else:
        levels = [f"{level.label}: {_level(level, end_s)}" for level in view.levels]
        level = f"What is left of {len(levels)} limits {over}. {'; '.join(levels)}."
    waiting = _queue(view)
    if view.waits and view.counts[1]:
        waiting += f", and nobody waits longer than {seconds(run.summary().wait_max_s or 0)}"
    if queued is not None and view.queue is None:
        waiting = f"a {queued.limiter.label} would hold at most {queued.summary().peak_depth:,}"
    return f"{level} {_requests(view, run)}; {waiting}."


def _lowest(possible: Sequence[Run], single: Run, end_s: float) -> str:
    """Describe the lowest levels of runs, each of the limit of which the smallest share is left."""
    views = [cached_view(run, end_s=end_s, slim=run is not single) for run in possible]
    lowest = [min(min(each.in_per_cent().curve.values) for each in view.levels) for view in views]
    least, most = (f"{int(edge)}%" for edge in (min(lowest), max(lowest)))
    if least == most:
        return f"{least} of the limit is left"
    return f"{least} to {most} of the limit is left, depending on the algorithm"


def _level(level: Level, end_s: float) -> str:
    most, values = level.limit, level.curve.values
    first, last, lowest = values[0], values[-1], min(values)
    full = f"full at {_round(most, most)}"
    begin = full if first == most else f"at {_round(first, most)} of {_round(most, most)}"
    if first == lowest == max(values):
        return f"{begin} all the time"
    down = next(i for i, value in enumerate(values) if (floor(value) if most >= 20 else value) <= lowest)
    falls = f"falls to {_round(lowest, most)} at {moment(level.curve.times[down], end_s)}"
    end = "full" if last == most else f"at {_round(last, most)}"
    return f"starts {begin}, {falls if lowest < first else 'never falls'}, ends {end}"


def _requests(view: View, run: Run) -> str:
    offered, rejected = sum(view.counts), view.counts[1]
    if not rejected:
        one = "The only request is admitted" if offered else "No requests come"
        return f"All {offered:,} requests are admitted" if offered > 1 else one
    times = list(compress(run.arrivals.times_s, map(not_, run.at_once)))
    apart = max(view.end_s / 25, 1.5 * view.end_s / offered)
    spells = [(times[0], times[0])]
    for t in times:
        if t - spells[-1][1] > apart:
            spells.append((t, t))
        spells[-1] = (spells[-1][0], t)
    phrases = [_spell(begin, end, view.end_s) for begin, end in spells]
    if len(phrases) > _MOST_SPELLS:
        phrases = [f"{len(phrases)} times {_spell(times[0], times[-1], view.end_s)}"]
    when = ", ".join(phrases[:-1]) + " and " * (len(phrases) > 1) + phrases[-1]
    one, several = ("waits", "wait") if view.waits else ("is rejected", "are rejected")
    if rejected == offered:
        return f"All {offered:,} requests {several}" if offered > 1 else f"The only request {one}"
    verb = one if rejected == 1 else several
    return f"{rejected:,} of {offered:,} requests ({share(rejected, offered)}) {verb}, {when}"


def _spell(begin: float, end: float, axis_s: float) -> str:
    first, last = moment(begin, axis_s), moment(end, axis_s)
    return f"at {first}" if first == last else f"from {first} to {last}"


def _queue(view: View) -> str:
    if view.queue is None:
        return "nobody waits"
    verbs = {"Queue": "the queue holds", "In flight": "in flight are"}
    suffix = "" if view.queue.limit is None else f" of {compact(view.queue.limit)}"
    return f"{verbs.get(view.queue.unit, 'waiting or in flight are')} at most {view.queue.most:,.0f}{suffix}"


def _compared(view: View, run: Run) -> str:
    text = _requests(view, run)
    return f"{text[0].lower()}{text[1:]}"


def _round(value: float, limit: float) -> str:
    """Format a level, with fractions of a token only if the limit is small."""
    integer = floor(value)
    if 0 < value < 0.01 and limit < 20:
        return "nearly 0"
    return f"{integer:,}" if limit >= 20 or value == integer else f"{value:.2g}"
