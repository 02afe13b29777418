"""What a picture says of a run, before anything is drawn."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import compress
from operator import not_
from typing import Final
from weakref import WeakKeyDictionary

from hook_widgets.errors import InvalidArrivals, RateLimitError
from hook_widgets.ratelimit.buckets import LeakyBucket, TokenBucket
from hook_widgets.ratelimit.curves import Curve, busiest, histogram, level, limit, queue, windows
from hook_widgets.ratelimit.layers import Concurrency
from hook_widgets.ratelimit.limiter import Limiter, SingleLimiter
from hook_widgets.ratelimit.per import one_client
from hook_widgets.ratelimit.quantity import NS_PER_S, Quantity, duration
from hook_widgets.ratelimit.run import Run
from hook_widgets.ratelimit.scene.scale import ceil_span, compact, in_its_unit, rounded_end, span
from hook_widgets.ratelimit.windows import FixedWindow, SlidingCounter, SlidingLog

_LEAST_BAND_PX: Final = 5.0
_SEEN: Final[WeakKeyDictionary[Run, View]] = WeakKeyDictionary()
_WAITING: Final[WeakKeyDictionary[Run, tuple[tuple[float, int], Queue]]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Level:
    """What is left of one limit.

    Attributes:
        label: the name of the limit, or what it is.
        unit: what is left, such as "Tokens left".
        limit: the most that can be left.
        curve: what is left over time.
    """

    label: str
    unit: str
    limit: float
    curve: Curve


@dataclass(frozen=True, slots=True)
class Queue:
    """Who is inside.

    Attributes:
        unit: "Queue" or "In flight", or the name of a queue that the requests could wait in.
        limit: the most that may be inside; None when two limits have a say in it.
        curve: how many over time.
    """

    unit: str
    limit: float | None
    curve: Curve

    @property
    def most(self) -> float:
        """How many at most."""
        return max(self.curve.values)


@dataclass(frozen=True, slots=True)
class View:
    """A run as it is drawn, from 0 to `end_s`.

    Attributes:
        title: what to call it; empty for one alone.
        end_s: how far it is told.
        columns: pixels across.
        slim: one of several to be compared.
        levels: one for each limit that counts in time; for concurrency limits when there are no others.
        windows: the windows of the first limit that has any wide enough to be seen, in seconds.
        queue: None when nothing can wait: the limits admit or refuse at once; and for a slim view.
        counts: requests admitted and refused.
        bin_s: the width of the bins in which requests are counted.
        admitted: requests admitted, of each bin.
        refused: requests refused, of each bin.
    """

    title: str
    end_s: float
    columns: int
    slim: bool
    levels: tuple[Level, ...]
    windows: list[tuple[float, float]]
    queue: Queue | None
    counts: tuple[int, int]
    bin_s: float
    admitted: list[int]
    refused: list[int]


def look(
    title: str, run: Run, *, end_s: float, axis_s: float, columns: int = 800, slim: bool = False
) -> View:
    """A run as it is drawn. What was found out when it was last looked at is not found out again.

    Args:
        title: what to call it.
        run: the run.
        end_s: how far to tell it.
        axis_s: how long the axis is.
        columns: pixels across.
        slim: without the queue.
    """
    layers = tuple(map(one_client, run.limiter.layers))
    counting = [k for k, layer in enumerate(layers) if not isinstance(layer, Concurrency)]
    counting = counting or list(range(len(layers)))
    seen = _SEEN.get(run)
    if seen is not None and (seen.end_s, seen.columns, seen.slim) == (end_s, columns, slim):
        told, inside = seen.levels, seen.queue
    else:
        told = tuple(_level(run, k, end_s, columns) for k in counting)
        inside = None if slim else _queue(run, layers, end_s, columns)
    bin_s = bin_width(axis_s, columns)
    bins, bin_ns = int(axis_s / bin_s * (1 + 1e-9)) + 1, round(bin_s * NS_PER_S)
    passed = list(compress(run.arrivals.times_ns, run.admitted))
    stopped = list(compress(run.arrivals.times_ns, map(not_, run.admitted)))
    least_s = axis_s * _LEAST_BAND_PX / columns
    view = _SEEN[run] = View(
        title=title,
        end_s=end_s,
        columns=columns,
        slim=slim,
        levels=told,
        windows=next((found for k in counting if (found := _windows(run, k, end_s, least_s))), []),
        queue=inside,
        bin_s=bin_s,
        counts=(len(passed), len(stopped)),
        admitted=histogram(passed, bin_ns, bins),
        refused=histogram(stopped, bin_ns, bins),
    )
    return view


def look_at(
    runs: Mapping[str, Run], *, end_s: float, axis_s: float, columns: int, queued: Run | None = None
) -> list[View]:
    """Runs as they are drawn, one alone or several to be compared.

    Args:
        runs: with their titles.
        end_s: how far to tell them.
        axis_s: how long the axis is.
        columns: pixels across.
        queued: the requests of one alone in a queue instead, shown where nobody waits otherwise.
    """
    views = [
        look(title, run, end_s=end_s, axis_s=axis_s, columns=columns, slim=len(runs) > 1)
        for title, run in runs.items()
    ]
    if queued is not None and len(views) == 1 and views[0].queue is None:
        views = [replace(views[0], queue=_waiting(queued, end_s, columns))]
    return views


def _waiting(queued: Run, end_s: float, columns: int) -> Queue | None:
    """The queue of a run by its name. Most moves of a slider leave it as it is, so it is kept."""
    known = _WAITING.get(queued)
    if known is not None and known[0] == (end_s, columns):
        return known[1]
    found = _queue(queued, queued.limiter.layers, end_s, columns)
    if found is not None:
        name = queued.limiter.label
        never_full = found.limit is not None and found.limit >= len(queued.arrivals)
        most = None if never_full else found.limit
        found = replace(found, unit=f"{name[:1].upper()}{name[1:]}", limit=most)
        _WAITING[queued] = (end_s, columns), found
    return found


def seen_before(run: Run, *, end_s: float, slim: bool) -> View:
    """The way this run was last looked at, if it was told so far."""
    view = _SEEN.get(run)
    if view is not None and (view.end_s, view.slim) == (end_s, slim):
        return view
    return look("", run, end_s=end_s, axis_s=end_s, slim=slim)


def bin_width(axis_s: float, columns: int) -> float:
    """A round time span at least six pixels wide: enough for a mark that has a shape."""
    return max(ceil_span(axis_s * 6 / columns), 1 / NS_PER_S)


def told_until(until_s: Quantity | None, runs: Collection[Run]) -> float:
    """How far to tell some runs, in seconds: as far as asked, or for as long as there is something to tell.

    Raises:
        InvalidArrivals: what is asked for is not a time above zero.
    """
    if until_s is None:
        return last_moment(runs)
    return float(duration(until_s, "until_s", error=InvalidArrivals))


def last_moment(runs: Collection[Run]) -> float:
    """How far there is something to tell, in seconds: until one more request would have come.

    A queue that takes long to drain is told for a quarter of the time again, no more. Where nothing comes, or
    all at once, a picture needs some time to show what the limit does: as long as it takes to recover.
    """
    ends = []
    for run in runs:
        per_s, times, leaves = run.books.per_s, run.books.trace.times, run.books.leaves
        first, last = (times[0], times[-1]) if times else (0, 0)
        drained = leaves[-1] if leaves else 0
        if last > first:
            one_more = last + (last - first) / (len(times) - 1)
            late = min(drained, last + (last - first) // 4)
            ends.append(max(one_more, late if late - last > (last - first) // 50 else 0) / per_s)
        else:
            ends.append(max(last / per_s + _recovery(run), drained / per_s))
    return in_its_unit(max(ends), rounded_end)


def titled(runs: Run | Mapping[str, Run]) -> Mapping[str, Run]:
    """Runs with their titles; one alone needs none.

    Raises:
        RateLimitError: there are none.
    """
    if isinstance(runs, Run):
        return {"": runs}
    if not runs:
        raise RateLimitError("There are no runs to draw. Give a run, or several with their titles.")
    return runs


def share(part: int, whole: int) -> str:
    """A part of a whole as per cent, never rounded to none or all."""
    if not part or part == whole:
        return "100 %" if part else "0 %"
    percent = 100 * part / whole
    return (
        "under 0.1 %"
        if percent < 0.1
        else "over 99.9 %"
        if percent > 99.9
        else f"{percent:.2g} %"
        if percent < 10
        else f"{percent:.3g} %"
    )


def _recovery(run: Run) -> float:
    spent = max(run.books.trace.total_cost, 1)
    spans = [0.0]
    for layer in map(one_client, run.limiter.layers):
        if isinstance(layer, FixedWindow | SlidingLog | SlidingCounter):
            spans.append(2.0 * float(layer.window_s))
        elif layer.nominal:
            spans.append(1.5 * min(spent, max(limit(layer), 1.0)) / float(layer.nominal))
    return max(spans) or 1.0


def _level(run: Run, k: int, end_s: float, columns: int) -> Level:
    layer = one_client(run.limiter.layers[k])
    name = run.limiter.layers[k].name or _kind(layer)
    label = " ".join([name, *(f"({key} {who})" for key, who in busiest(run, k).items())])
    return Level(label, _unit(layer), limit(layer), level(run, k, end_s, columns))


def _queue(run: Run, layers: tuple[SingleLimiter, ...], end_s: float, columns: int) -> Queue | None:
    waiting = [layer.queue_size for layer in layers if isinstance(layer, LeakyBucket)]
    flying = [layer.limit for layer in layers if isinstance(layer, Concurrency)]
    if not waiting and not flying:
        return None
    unit = "Waiting or in flight" if waiting and flying else "Queue" if waiting else "In flight"
    most = None if waiting and flying else float(min(waiting + flying))
    return Queue(unit, most, queue(run, end_s, columns))


def _windows(run: Run, k: int, end_s: float, least_s: float) -> list[tuple[float, float]]:
    """The windows of a limit, unless they are too slim to be told apart."""
    layer = one_client(run.limiter.layers[k])
    slim = isinstance(layer, FixedWindow | SlidingCounter) and layer.window_s < least_s
    return [] if slim else windows(run, k, end_s)


def _kind(layer: Limiter) -> str:
    words = {"TokenBucket": "Token bucket", "LeakyBucket": "Leaky bucket", "FixedWindow": "Fixed window"}
    words |= {"SlidingLog": "Sliding log", "SlidingCounter": "Sliding counter", "Gcra": "GCRA"}
    kind = type(layer).__name__
    return f"{words.get(kind, kind)}, {compact(limit(layer))}"


def _unit(layer: Limiter) -> str:
    if isinstance(layer, LeakyBucket | Concurrency):
        return "Free places"
    if isinstance(layer, FixedWindow | SlidingLog | SlidingCounter):
        one: dict[Fraction | int, str] = {1: "second", 60: "minute", 3600: "hour", 86_400: "day"}
        window = one.get(layer.window_s) or span(float(layer.window_s))
        where = "in each" if isinstance(layer, FixedWindow) else "in the last"
        return f"Requests left {where} {window}{', estimated' * isinstance(layer, SlidingCounter)}"
    return "Tokens left" if isinstance(layer, TokenBucket) else "Requests left at once"
