"""What a picture says of a run, before anything is drawn."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import compress
from operator import not_
from typing import Final
from weakref import WeakKeyDictionary

from hook_widgets.errors import InvalidArrivals, RateLimitError
from hook_widgets.ratelimit.buckets import LeakyBucket, TokenBucket
from hook_widgets.ratelimit.curves import Curve, histogram, levels, limit, queue, windows
from hook_widgets.ratelimit.figures.scale import ceil_span, compact, in_its_unit, rounded_end, span
from hook_widgets.ratelimit.layers import Concurrency
from hook_widgets.ratelimit.limiter import Limiter, SingleLimiter
from hook_widgets.ratelimit.quantity import NS_PER_S, Quantity, duration
from hook_widgets.ratelimit.run import Run
from hook_widgets.ratelimit.windows import FixedWindow, SlidingCounter, SlidingLog

_LEAST_BAND_PX: Final = 5.0
_SEEN: Final[WeakKeyDictionary[Run, View]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Level:
    """What is left of one limit.

    Attributes:
        label: the name of the limit, or what it is.
        unit: what is left, such as "Tokens left".
        limit: the most that can be left.
        curve: what is left over time.
        windows: the windows it counts in, in seconds.
    """

    label: str
    unit: str
    limit: float
    curve: Curve
    windows: list[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Queue:
    """Who is inside.

    Attributes:
        unit: "Queue" or "In flight".
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
        levels: one for each limit that counts in time; for concurrency limits when there are no others.
        queue: None when nothing can wait: the limits admit or refuse at once.
        counts: requests admitted and refused.
        bin_s: the width of the bins in which requests are counted.
        admitted: requests admitted, of each bin.
        refused: requests refused, of each bin.
    """

    title: str
    end_s: float
    levels: tuple[Level, ...]
    queue: Queue | None
    counts: tuple[int, int]
    bin_s: float
    admitted: list[int]
    refused: list[int]


def look(title: str, run: Run, *, end_s: float, axis_s: float, columns: int = 800) -> View:
    """A run as it is drawn.

    Args:
        title: what to call it.
        run: the run.
        end_s: how far to tell it.
        axis_s: how long the axis is.
        columns: pixels across.
    """
    layers = run.limiter.layers
    counting = [layer for layer in layers if not isinstance(layer, Concurrency)] or layers
    curves = dict(zip(map(id, layers), levels(run, end_s, columns), strict=True))
    bin_s = bin_width(axis_s, columns)
    bins = int(axis_s / bin_s * (1 + 1e-9)) + 1
    times, bin_ns = run.arrivals.times_ns, round(bin_s * NS_PER_S)
    passed = list(compress(times, run.admitted))
    stopped = list(compress(times, map(not_, run.admitted)))
    view = _SEEN[run] = View(
        title=title,
        end_s=end_s,
        levels=tuple(
            Level(
                label=layer.name or _kind(layer),
                unit=_unit(layer),
                limit=limit(layer),
                curve=curves[id(layer)],
                windows=_windows(layer, run, end_s, axis_s * _LEAST_BAND_PX / columns),
            )
            for layer in counting
        ),
        queue=_queue(run, layers, end_s, columns),
        bin_s=bin_s,
        counts=(len(passed), len(stopped)),
        admitted=histogram(passed, bin_ns, bins),
        refused=histogram(stopped, bin_ns, bins),
    )
    return view


def seen_before(run: Run, end_s: float) -> View:
    """The way this run was last looked at, if it was told so far."""
    view = _SEEN.get(run)
    return view if view is not None and view.end_s == end_s else look("", run, end_s=end_s, axis_s=end_s)


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
        per_s = run._trace.ticks_per_ns * NS_PER_S
        first, last = (run._trace.times[0], run._trace.times[-1]) if run.admitted else (0, 0)
        drained = run._leaves[-1] if run._leaves else 0
        if last > first:
            one_more = last + (last - first) / (len(run.admitted) - 1)
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
    spent = max(sum(run._trace.costs), 1)
    spans = [0.0]
    for layer in run.limiter.layers:
        if isinstance(layer, FixedWindow | SlidingLog | SlidingCounter):
            spans.append(2.0 * float(layer.window_s))
        elif layer.nominal:
            spans.append(1.5 * min(spent, max(limit(layer), 1.0)) / float(layer.nominal))
    return max(spans) or 1.0


def _queue(run: Run, layers: tuple[SingleLimiter, ...], end_s: float, columns: int) -> Queue | None:
    waiting = [layer.queue_size for layer in layers if isinstance(layer, LeakyBucket)]
    flying = [layer.limit for layer in layers if isinstance(layer, Concurrency)]
    if not waiting and not flying:
        return None
    unit = "Waiting or in flight" if waiting and flying else "Queue" if waiting else "In flight"
    most = None if waiting and flying else float(min(waiting + flying))
    return Queue(unit, most, queue(run, end_s, columns))


def _windows(layer: Limiter, run: Run, end_s: float, least_s: float) -> list[tuple[float, float]]:
    """The windows of a limit, unless they are too slim to be told apart."""
    slim = isinstance(layer, FixedWindow | SlidingCounter) and layer.window_s < least_s
    return [] if slim else windows(layer, run, end_s)


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
