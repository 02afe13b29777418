"""A picture in words, for those who do not see it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import compress
from operator import not_

from hook_widgets.ratelimit.figures.scale import compact, moment, span
from hook_widgets.ratelimit.figures.view import View, last_moment, look, share, titled
from hook_widgets.ratelimit.run import Run

_MOST_SPELLS = 3


def describe(runs: Run | Mapping[str, Run], *, until_s: float | None = None) -> str:
    """What there is to be seen in the picture of these runs: a text to put in its place.

    Args:
        runs: one run, or several with their titles.
        until_s: how far to tell them, in seconds; None for as long as there is something to tell.
    """
    named = titled(runs)
    end_s = until_s or last_moment(named.values())
    views = {t: look(t, run, end_s=end_s, axis_s=end_s, columns=800) for t, run in named.items()}
    if len(views) == 1:
        (view,), (run,) = views.values(), named.values()
        return f"{_level(view)} {_requests(view, run)}{_queue(view)}"
    parts = [_compared(view, run) for view, run in zip(views.values(), named.values(), strict=True)]
    return f"{len(views)} limits compared over {span(end_s)}. " + " ".join(parts)


def _level(view: View) -> str:
    told = []
    for level in view.levels:
        lowest = min(level.curve.values)
        at = level.curve.times[level.curve.values.index(lowest)]
        first, last = level.curve.values[0], level.curve.values[-1]
        name = f"{level.unit} of {level.label}" if len(view.levels) > 1 else level.unit
        begin = (
            f"full at {_round(first)}"
            if first == level.limit
            else f"at {_round(first)} of {_round(level.limit)}"
        )
        if lowest == first == last:
            told.append(f"{name} over {span(view.end_s)}: {begin} all the time.")
        else:
            told.append(
                f"{name} over {span(view.end_s)}: starts {begin}, falls to {_round(lowest)} "
                f"at {moment(at, view.end_s)}, ends at {_round(last)}."
            )
    return " ".join(told)


def _requests(view: View, run: Run) -> str:
    offered, refused = len(run.admitted), run.admitted.count(False)
    if not offered:
        return "No requests come"
    if not refused:
        return f"All {offered:,} requests are admitted" if offered > 1 else "The only request is admitted"
    times = list(compress(run.arrivals.times_s, map(not_, run.admitted)))
    spells: list[list[float]] = [[times[0], times[0]]]
    for t in times:
        if t - spells[-1][1] > view.end_s / 25:
            spells.append([t, t])
        spells[-1][1] = t
    told = [
        f"from {moment(a, view.end_s)} to {moment(b, view.end_s)}" if b > a else f"at {moment(a, view.end_s)}"
        for a, b in spells[:_MOST_SPELLS]
    ]
    if len(spells) > _MOST_SPELLS:
        told = [
            f"{len(spells)} times between {moment(times[0], view.end_s)} and {moment(times[-1], view.end_s)}"
        ]
    return (
        f"{refused:,} of {offered:,} requests ({share(refused, offered)}) are refused, "
        + (", ".join(told[:-1]) + " and " if told[1:] else "")
        + told[-1]
    )


def _queue(view: View) -> str:
    if view.queue is None:
        return "; nobody waits, as this limit admits or refuses at once."
    what = {"Queue": "the queue holds", "In flight": "in flight are"}.get(
        view.queue.unit, "waiting or in flight are"
    )
    of = f" of {compact(view.queue.limit)}" if view.queue.limit is not None else ""
    return f"; {what} at most {view.queue.most:,.0f}{of}."


def _compared(view: View, run: Run) -> str:
    offered, refused = len(run.admitted), run.admitted.count(False)
    return (
        f"{view.title}: {refused:,} of {offered:,} requests refused ({share(refused, offered)}), "
        f"at least {_round(min(min(level.curve.values) for level in view.levels))} left."
    )


def _round(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 or value == round(value) else f"{value:.1f}"
