"""The data of a plot of runs, independent of the renderer."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import compress
from math import inf
from operator import not_
from typing import Any, Final, TypedDict
from weakref import WeakKeyDictionary

from hook_widgets._arguments import several, shown
from hook_widgets.errors import InvalidArrivals, LimitModelError
from hook_widgets.ratelimit.limiters.base import Limiter, SingleLimiter
from hook_widgets.ratelimit.limiters.buckets import LeakyBucket, TokenBucket, WaitingBucket, never_rejects
from hook_widgets.ratelimit.limiters.hold_off import inner_limit, rate_layers
from hook_widgets.ratelimit.limiters.layers import Concurrency
from hook_widgets.ratelimit.limiters.windows import FixedWindow, SlidingCounter, SlidingLog
from hook_widgets.ratelimit.plotting.view_model.band import band
from hook_widgets.ratelimit.plotting.view_model.scale import (
    ceil_span,
    compact,
    in_its_unit,
    rounded_end,
    span,
)
from hook_widgets.ratelimit.simulation.result import Run
from hook_widgets.ratelimit.simulation.series import Curve, busiest, histogram, level, limit, queue, windows
from hook_widgets.ratelimit.units import NS_PER_S, Duration, check_plausible, duration

BAND_UNIT: Final = "Left, %: range over all algorithms"
"""Unit of the level that is a band over several runs."""

_LEAST_BAND_PX: Final = 5.0
_LAST_VIEWS: Final[WeakKeyDictionary[Run, View]] = WeakKeyDictionary()
_QUEUES: Final[WeakKeyDictionary[Run, tuple[tuple[float | None, float, int], Queue]]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Level:
    """Remaining quota of one limit.

    Attributes:
        label: name of the limit, or its kind and size.
        unit: unit of the level, such as "Tokens left".
        limit: the most that can be left.
        curve: what is left over time; of a band, the lower edge.
        most: the upper edge of a band, or None.
    """

    label: str
    unit: str
    limit: float
    curve: Curve
    most: Curve | None = None

    def in_per_cent(self) -> Level:
        """Return the level in per cent of the limit."""
        unit = (self.limit or 1.0) / 100
        curve = Curve(self.curve.times, [value / unit for value in self.curve.values])
        return replace(self, limit=self.limit / unit, curve=curve)


@dataclass(frozen=True, slots=True)
class Queue:
    """Requests that wait or are in flight.

    Attributes:
        unit: "Queue" or "In flight", or the name of a queue that the requests could wait in.
        limit: maximum queue depth; None if two limits affect it, or none.
        curve: queue depth over time.
    """

    unit: str
    limit: float | None
    curve: Curve

    @property
    def most(self) -> float:
        """Maximum depth of the curve."""
        return max(self.curve.values)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A run as it is drawn, from `begin_s` to `end_s`.

    Attributes:
        title: title of the run; empty if it is the only one.
        end_s: the end of the curves, in seconds.
        columns: width in pixels.
        slim: True for one of several runs to be compared.
        levels: one for each limit over time; for concurrency limits if there are no others.
        lines: the levels as drawn: in per cent if there are several.
        windows: the windows of the first limit with windows wide enough to be visible, in seconds.
        queue: the queue; None if the limits never delay a request, and in a slim view.
        counts: numbers of admitted and rejected requests.
        bin_s: the width of the histogram bins, in seconds.
        admitted: admitted requests in each bin.
        rejected: rejected requests in each bin.
        waits: True if the limiter rejects nothing: `counts`, `admitted` and `rejected` are then of the
            requests that go at once and of those that wait.
        begin_s: the begin of the time axis, in seconds; above 0 in a view of a part of the run.
        bin_begin_s: the begin of the first bin, in seconds.
        notes: a note on a run that is compared, from the longest to the shortest text, each with the longest
            one of all runs; None if there are no notes.
    """

    title: str
    end_s: float
    columns: int
    slim: bool
    levels: tuple[Level, ...]
    lines: tuple[Level, ...]
    windows: list[tuple[float, float]]
    queue: Queue | None
    counts: tuple[int, int]
    bin_s: float
    admitted: list[int]
    rejected: list[int]
    waits: bool = False
    begin_s: float = 0.0
    bin_begin_s: float = 0.0
    notes: tuple[tuple[str, str], ...] | None = None


Notes = Mapping[str, Sequence[str]] | None
"""A note on each of several runs by title, from the longest to the shortest text."""


class RunOptions(TypedDict, total=False):
    """Options of every picture of runs; see `plot_run`."""

    until_s: Duration | None
    queued: Run | None
    possible: Sequence[Run]
    notes: Notes


@dataclass(frozen=True, slots=True, kw_only=True)
class PlottedRuns:
    """The runs that a picture shows, and how far.

    Attributes:
        runs: the runs by title; the title of a single one is empty.
        end_s: the end of the curves, in seconds.
        queued: a run of the same requests through a queue, shown if a single run has no queue.
        possible: runs of the same requests under each algorithm that may be in use, for the band of a single
            run.
        notes: a note on each of several runs, from the longest to the shortest text; None for none.
    """

    runs: Mapping[str, Run]
    end_s: float
    queued: Run | None
    possible: Sequence[Run]
    notes: Notes = None

    @classmethod
    def of(
        cls,
        runs: Run | Mapping[str, Run],
        *,
        until_s: Duration | None = None,
        queued: Run | None = None,
        possible: Sequence[Run] = (),
        notes: Notes = None,
    ) -> PlottedRuns:
        """Return the runs of a picture with these arguments; see `plot_run`.

        Raises:
            LimitModelError: there are no runs, or something else in their place.
            InvalidArrivals: `until_s` is not a positive time.
        """
        named = {"": runs} if isinstance(runs, Run) else runs
        if named == {}:
            raise LimitModelError("there are no runs to draw; give a run, or several with their titles")
        if not isinstance(named, Mapping):
            raise LimitModelError(f"runs is {shown(runs)}; give a run, or several with their titles")
        several(possible, "possible", LimitModelError)
        for run in (*named.values(), *possible, *([] if queued is None else [queued])):
            if not isinstance(run, Run):
                raise LimitModelError(f"{shown(run)} is no run; give what simulate returns")
        if until_s is None:
            end_s = _last_moment(named.values())
        else:
            end = duration(until_s, "until_s", error=InvalidArrivals)
            check_plausible(end, until_s, "until_s", error=InvalidArrivals)
            end_s = float(end)
        return cls(runs=named, end_s=end_s, queued=queued, possible=possible, notes=notes)


def build_view(
    title: str,
    run: Run,
    *,
    end_s: float,
    axis_s: float,
    begin_s: float | None = None,
    columns: int = 800,
    slim: bool = False,
) -> View:
    """Build the view of a run, reusing curves of its last view, or of the part of it from `begin_s` on."""
    layers = tuple(map(inner_limit, run.limiter.layers))
    counting = rate_layers(run.limiter)
    last = _LAST_VIEWS.get(run) if begin_s is None else None
    if last is not None and (last.end_s, last.columns, last.slim) == (end_s, columns, slim):
        levels, lines, inside = last.levels, last.lines, last.queue
    else:
        levels = tuple(_level(run, k, begin_s, end_s, columns) for k in counting)
        lines = tuple(level.in_per_cent() for level in levels) if len(levels) > 1 else levels
        inside = None if slim else _queue(run, layers, begin_s, end_s, columns)
    start_s = begin_s or 0.0
    bin_s = bin_width(axis_s - start_s, columns)
    first, bins = (int(edge / bin_s * (1 + 1e-9)) for edge in (start_s, axis_s))
    begin_ns, bin_ns = round(first * bin_s * NS_PER_S), round(bin_s * NS_PER_S)
    passed = list(compress(run.arrivals.times_ns, run.at_once))
    stopped = list(compress(run.arrivals.times_ns, map(not_, run.at_once)))
    least_s = (axis_s - start_s) * _LEAST_BAND_PX / columns
    within_s = None if begin_s is None else (begin_s, end_s)
    view = View(
        title=title,
        begin_s=start_s,
        end_s=end_s,
        columns=columns,
        slim=slim,
        levels=levels,
        lines=lines,
        windows=next((spans for k in counting if (spans := _windows(run, k, end_s, least_s))), []),
        queue=inside,
        counts=(_count(passed, within_s), _count(stopped, within_s)),
        bin_s=bin_s,
        bin_begin_s=first * bin_s,
        admitted=histogram(passed, bin_ns, bins - first + 1, begin_ns),
        rejected=histogram(stopped, bin_ns, bins - first + 1, begin_ns),
        waits=never_rejects(run.limiter),
    )
    if begin_s is None:
        _LAST_VIEWS[run] = view
    return view


def _count(times_ns: Sequence[int], within_s: tuple[float, float] | None) -> int:
    if within_s is None:
        return len(times_ns)
    begin, end = (edge * NS_PER_S for edge in within_s)
    return bisect_right(times_ns, end) - bisect_left(times_ns, begin)


def build_views(
    plotted: PlottedRuns, *, axis_s: float, columns: int, begin_s: float | None = None
) -> list[View]:
    """Build the views of a single run, or of several to be compared.

    Args:
        plotted: the runs.
        axis_s: the end of the time axis, in seconds.
        columns: width in pixels.
        begin_s: begin of a part of the time axis, in which curves and bins are as fine as the pixels allow;
            None for the whole.
    """
    runs, end_s, queued = plotted.runs, plotted.end_s, plotted.queued
    extent: dict[str, Any] = {"end_s": end_s, "axis_s": axis_s, "begin_s": begin_s, "columns": columns}
    slim = len(runs) > 1
    views = [build_view(title, run, slim=slim, **extent) for title, run in runs.items()]
    if slim and plotted.notes is not None:
        views = [replace(view, notes=_notes(view.title, plotted.notes)) for view in views]
    if queued is not None and not slim and views[0].queue is None:
        views = [replace(views[0], queue=_waiting(queued, begin_s, end_s, columns))]
    if plotted.possible and not slim:
        others = [run for run in plotted.possible if run not in runs.values()]
        views = [_with_band(views[0], [build_view("", run, slim=True, **extent) for run in others])]
    return views


def _notes(title: str, notes: Mapping[str, Sequence[str]]) -> tuple[tuple[str, str], ...]:
    longest = [max(texts, key=len) for texts in zip(*notes.values(), strict=True)]
    return tuple(zip(notes[title], longest, strict=True))


def _with_band(view: View, others: Sequence[View]) -> View:
    """Return a view with the range of what is left over several runs, instead of what is left of its own."""
    curves = [[level.in_per_cent().curve for level in each.levels] for each in (view, *others)]
    least, most = band(curves, view.begin_s, view.end_s, view.columns)
    level = Level("", BAND_UNIT, 100.0, least, most)
    return replace(view, levels=(level,), lines=(level,), windows=[])


def _waiting(queued: Run, begin_s: float | None, end_s: float, columns: int) -> Queue | None:
    """Return the queue of a run, named after its limiter. Cached, as most slider moves do not change it."""
    cached = _QUEUES.get(queued)
    if cached is not None and cached[0] == (begin_s, end_s, columns):
        return cached[1]
    waiting = _queue(queued, queued.limiter.layers, begin_s, end_s, columns)
    if waiting is not None:
        name = queued.limiter.label
        never_full = waiting.limit is not None and waiting.limit >= len(queued.arrivals)
        most = None if never_full else waiting.limit
        waiting = replace(waiting, unit=f"{name[:1].upper()}{name[1:]}", limit=most)
        _QUEUES[queued] = (begin_s, end_s, columns), waiting
    return waiting


def cached_view(run: Run, *, end_s: float, slim: bool) -> View:
    """Return the last view of a run if it has the same end, otherwise build one."""
    view = _LAST_VIEWS.get(run)
    if view is not None and (view.end_s, view.slim) == (end_s, slim):
        return view
    return build_view("", run, end_s=end_s, axis_s=end_s, slim=slim)


def bin_width(axis_s: float, columns: int) -> float:
    """Return a round bin width, at least six pixels, so that a cross has room."""
    return max(ceil_span(axis_s * 6 / columns), 1 / NS_PER_S)


def _last_moment(runs: Collection[Run]) -> float:
    """Return the default end of the time axis in seconds: when one more request would have arrived.

    The axis is extended by a quarter at most to show a queue that drains later. If there are no requests, or
    all arrive at once, it ends when the limit has recovered.
    """
    ends = []
    for run in runs:
        per_s, times, leaves = run.record.per_s, run.record.trace.times, run.record.leaves
        first, last = (times[0], times[-1]) if times else (0, 0)
        drained = leaves[-1] if leaves else 0
        if last > first:
            one_more = last + (last - first) / (len(times) - 1)
            late = min(drained, last + (last - first) // 4)
            ends.append(max(one_more, late if late - last > (last - first) // 50 else 0) / per_s)
        else:
            ends.append(max(last / per_s + _recovery(run), drained / per_s))
    return in_its_unit(max(ends), rounded_end)


def _recovery(run: Run) -> float:
    spent = max(run.record.trace.total_cost, 1)
    spans = [0.0]
    for layer in map(inner_limit, run.limiter.layers):
        if isinstance(layer, FixedWindow | SlidingLog | SlidingCounter):
            spans.append(2.0 * float(layer.window_s))
        elif layer.sustained_rate:
            spans.append(1.5 * min(spent, max(limit(layer), 1.0)) / float(layer.sustained_rate))
    return max(spans) or 1.0


def _level(run: Run, k: int, begin_s: float | None, end_s: float, columns: int) -> Level:
    layer = inner_limit(run.limiter.layers[k])
    name = run.limiter.layers[k].name or _kind(layer)
    label = " ".join([name, *(f"({key} {who})" for key, who in busiest(run, k).items())])
    # A sliding counter admits while its estimate is below the limit, so that its level can fall below 0.
    curve = _curve(partial(level, run, k), begin_s, end_s, columns).from_zero()
    return Level(label, _unit(layer), limit(layer), curve)


def _curve(whole: Callable[..., Curve], begin_s: float | None, end_s: float, columns: int) -> Curve:
    if begin_s is None:
        return whole(end_s, columns)
    return whole(end_s).between(begin_s, end_s).thinned(columns)


def _queue(
    run: Run, layers: tuple[SingleLimiter, ...], begin_s: float | None, end_s: float, columns: int
) -> Queue | None:
    waiting = [float(layer.queue_size) for layer in layers if isinstance(layer, LeakyBucket)]
    waiting += [inf for layer in layers if isinstance(layer, WaitingBucket)]
    in_flight = [float(layer.limit) for layer in layers if isinstance(layer, Concurrency)]
    if not waiting and not in_flight:
        return None
    unit = "Waiting or in flight" if waiting and in_flight else "Queue" if waiting else "In flight"
    most = min(waiting + in_flight)
    known = None if most == inf or (waiting and in_flight) else most
    return Queue(unit, known, _curve(partial(queue, run), begin_s, end_s, columns))


def _windows(run: Run, k: int, end_s: float, least_s: float) -> list[tuple[float, float]]:
    """Return the windows of a limit, unless they are too narrow to be visible."""
    layer = inner_limit(run.limiter.layers[k])
    slim = isinstance(layer, FixedWindow | SlidingCounter) and layer.window_s < least_s
    return [] if slim else windows(run, k, end_s)


def _kind(layer: Limiter) -> str:
    words = {"TokenBucket": "Token bucket", "LeakyBucket": "Leaky bucket", "FixedWindow": "Fixed window"}
    words |= {
        "WaitingBucket": "Token bucket",
        "SlidingLog": "Sliding log",
        "SlidingCounter": "Sliding counter",
        "Gcra": "GCRA",
    }
    kind = type(layer).__name__
    return f"{words.get(kind, kind)}, {compact(limit(layer))}"


def _unit(layer: Limiter) -> str:
    if isinstance(layer, LeakyBucket | Concurrency):
        return "Free queue slots"
    if isinstance(layer, FixedWindow | SlidingLog | SlidingCounter):
        one: dict[Fraction | int, str] = {1: "second", 60: "minute", 3600: "hour", 86_400: "day"}
        window = one.get(layer.window_s) or span(float(layer.window_s))
        where = "in each" if isinstance(layer, FixedWindow) else "in the last"
        return f"Requests left {where} {window}{', estimated' * isinstance(layer, SlidingCounter)}"
    return "Tokens left" if isinstance(layer, TokenBucket | WaitingBucket) else "Requests left at once"
