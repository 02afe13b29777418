"""A finished run as lines to draw: what is left to spend, and who is inside, at every moment.

The lines go through the exact levels at everything that happens; between two points they are as straight as
the levels are. Time is in seconds here: a picture needs no nanoseconds.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import singledispatch
from itertools import pairwise
from math import ceil

from hook_widgets.ratelimit.buckets import Gcra, LeakyBucket, TokenBucket
from hook_widgets.ratelimit.layers import Concurrency
from hook_widgets.ratelimit.limiter import Limiter
from hook_widgets.ratelimit.per import Per, one_client
from hook_widgets.ratelimit.run import Run
from hook_widgets.ratelimit.trace import Ledger
from hook_widgets.ratelimit.windows import Align, FixedWindow, SlidingCounter, SlidingLog, _Windowed

Points = tuple[list[int], list[float]]
"""Times in ticks, never falling, and the value at each; a jump is two points at one time."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A line of straight pieces. A jump is two points at one time: before it and after it.

    Attributes:
        times: in seconds, never falling.
        values: one for each time.
    """

    times: list[float]
    values: list[float]

    def at(self, time_s: float) -> float:
        """The value at a moment, after everything that happens then; outside, that of the nearer end."""
        right = bisect_right(self.times, time_s)
        if right in (0, len(self.times)):
            return self.values[-1 if right else 0]
        (t0, t1), (v0, v1) = self.times[right - 1 : right + 1], self.values[right - 1 : right + 1]
        return v0 + (v1 - v0) * (time_s - t0) / (t1 - t0)

    def thinned(self, columns: int) -> Curve:
        """The same picture in so many columns: of each, the first, lowest, highest and last point are kept.

        These four draw the same pixels as all of them would (Jugel et al., M4: a visualization-oriented time
        series data aggregation, VLDB 2014), so that no dip and no spike is lost.
        """
        kept = _kept(self.times, self.values, columns)
        return Curve([self.times[i] for i in kept], [self.values[i] for i in kept])


def level(run: Run, layer: int, until_s: float, columns: int | None = None) -> Curve:
    """What is left to spend of a layer, from 0 to `until_s`. See `Run.tokens_by_layer`.

    Args:
        run: the run.
        layer: which of its layers; of one that is kept for each client, the one with the most requests.
        until_s: the end, in seconds.
        columns: thin the curve to so many columns, which is faster than to do so later.
    """
    per_s, client = run.books.per_s, busiest(run, layer)
    until = ceil(until_s * per_s)
    points = _level(one_client(run.limiter.layers[layer]), run.books.ledger(layer, client), until)
    return _curve(points, until, per_s, columns)


def queue(run: Run, until_s: float, columns: int | None = None) -> Curve:
    """How many are inside, from 0 to `until_s`. See `Run.queue_depth`; the arguments are as for `level`."""
    books = run.books
    until = ceil(until_s * books.per_s)
    return _curve(_steps(0, _changes(books.entries, books.leaves)), until, books.per_s, columns)


def busiest(run: Run, layer: int) -> dict[str, Hashable]:
    """The client with the most requests, where a layer is kept for each; empty elsewhere."""
    kept = run.limiter.layers[layer]
    if not isinstance(kept, Per):
        return {}
    counts = {who: len(own) for who, own in run.books.trace.requests_of[kept.key].items()}
    return {kept.key: max(counts, key=lambda who: counts[who], default=None)}


def windows(run: Run, k: int, until_s: float) -> list[tuple[float, float]]:
    """The windows of a layer that counts in windows with a beginning, in seconds; nothing for the others.

    Those that begin with a request are known only when there was one.
    """
    layer = one_client(run.limiter.layers[k])
    if not isinstance(layer, FixedWindow | SlidingCounter):
        return []
    if isinstance(layer, FixedWindow) and layer.align is Align.FIRST:
        per_s, length = run.books.per_s, run.books.trace.whole_ticks(layer.window_s)
        ledger = run.books.ledger(k, busiest(run, k))
        return [(begin / per_s, (begin + length) / per_s) for begin in layer._opened(ledger, length)]
    length_s = float(layer.window_s)
    return [(k * length_s, (k + 1) * length_s) for k in range(ceil(until_s / length_s))]


def histogram(times: Sequence[int], width: int, count: int) -> list[int]:
    """How many of some times, never falling, lie in each of `count` equal bins from 0 on.

    What lies behind the last bin is not counted.
    """
    edges = [bisect_left(times, k * width) for k in range(count + 1)]
    return [after - before for before, after in pairwise(edges)]


@singledispatch
def limit(layer: Limiter) -> float:
    """The most that can ever be left of a layer."""
    raise TypeError(f"No picture is known of a {type(layer).__name__}.")


@limit.register
def _(layer: TokenBucket) -> float:
    return float(layer.capacity)


@limit.register
def _(layer: Gcra) -> float:
    return float(layer.as_token_bucket().capacity)


@limit.register
def _(layer: LeakyBucket) -> float:
    return float(layer._places)


@limit.register(_Windowed)
@limit.register(Concurrency)
def _(layer: _Windowed | Concurrency) -> float:
    return float(layer.limit)


@singledispatch
def _level(layer: Limiter, ledger: Ledger, until: int) -> Points:  # noqa: ARG001
    """What is left of a layer: its points, beginning at 0. They may go on behind `until`."""
    raise TypeError(f"No picture is known of a {type(layer).__name__}.")


@_level.register
def _(layer: TokenBucket, ledger: Ledger, until: int) -> Points:
    full, interval = float(layer.capacity), ledger.trace.whole_ticks(1 / layer.refill_rate)
    full_at = layer._full_at(ledger)
    times, values, last = [0], [full - max(full_at[0], 0) / interval], 0
    for t, was_full_at, is_full_at in zip(ledger.times, full_at, full_at[1:], strict=False):
        if was_full_at < t:
            if last < was_full_at:
                times.append(was_full_at)
                values.append(full)
            before = full
        else:
            before = full - (was_full_at - t) / interval
        times += (t, t)
        values += (before, full - (is_full_at - t) / interval)
        last = t
    if last < full_at[-1] <= until:
        times.append(full_at[-1])
        values.append(full)
    elif full_at[-1] > until > last:
        times.append(until)
        values.append(full - (full_at[-1] - until) / interval)
    return times, values


@_level.register
def _(layer: Gcra, ledger: Ledger, until: int) -> Points:
    return _level(layer.as_token_bucket(), ledger, until)


@_level.register(LeakyBucket)
@_level.register(Concurrency)
def _(layer: LeakyBucket | Concurrency, ledger: Ledger, until: int) -> Points:  # noqa: ARG001
    taken = _steps(0, _changes(ledger.times, ledger.ends))
    places = limit(layer)
    return taken[0], [places - inside for inside in taken[1]]


@_level.register
def _(layer: FixedWindow, ledger: Ledger, until: int) -> Points:  # noqa: ARG001
    length = ledger.trace.whole_ticks(layer.window_s)
    changes: dict[int, int] = defaultdict(int)
    opened = layer._opened(ledger, length)
    for begin in opened:
        changes[begin + length] += ledger.spent_from(begin, begin + length - 1)
    for t, cost in zip(ledger.times, ledger.costs, strict=True):
        changes[t] -= cost
    return _steps(layer.limit, changes)


@_level.register
def _(layer: SlidingLog, ledger: Ledger, until: int) -> Points:  # noqa: ARG001
    length = ledger.trace.whole_ticks(layer.window_s)
    changes: dict[int, int] = defaultdict(int)
    for t, cost in zip(ledger.times, ledger.costs, strict=True):
        changes[t] -= cost
        changes[t + length] += cost
    return _steps(layer.limit, changes)


@_level.register
def _(layer: SlidingCounter, ledger: Ledger, until: int) -> Points:
    length, most = ledger.trace.whole_ticks(layer.window_s), layer.limit
    times, values = [0], [float(most)]
    end, previous, current = length, 0, 0
    for t, cost in zip(ledger.times, ledger.costs, strict=True):
        while t >= end and (
            previous or current
        ):  # the estimate falls all through a window, and so to its end
            times.append(end)
            values.append(most - current)
            end, previous, current = end + length, current, 0
        if t >= end:
            end = (t // length + 1) * length
        before = most - current - previous * (end - t) / length
        times += (t, t)
        values += (before, before - cost)
        current += cost
    while end <= until and (previous or current):
        times.append(end)
        values.append(most - current)
        end, previous, current = end + length, current, 0
    if previous and times[-1] < until:
        times.append(until)
        values.append(most - current - previous * (end - until) / length)
    return times, values


def _changes(entries: Iterable[int], leaves: Iterable[int]) -> dict[int, int]:
    """How many more are inside after a moment than before it."""
    changes: dict[int, int] = defaultdict(int)
    for t in entries:
        changes[t] += 1
    for t in leaves:
        changes[t] -= 1
    return changes


def _steps(start: int, changes: Mapping[int, int]) -> Points:
    """A value that changes at some moments, and stays between them."""
    times, values, value = [0], [float(start)], start
    for t in sorted(changes):
        times += (t, t)
        values.append(value)
        value += changes[t]
        values.append(value)
    return times, values


def _curve(points: Points, until: int, per_s: int, columns: int | None) -> Curve:
    """The points in seconds, cut off at the end or carried on to it."""
    times, values = points
    stop = bisect_right(times, until)
    end = Curve([float(t) for t in times[stop - 1 : stop + 1]], values[stop - 1 : stop + 1]).at(until)
    del times[stop:], values[stop:]
    if times[-1] < until:
        times.append(until)
        values.append(end)
    kept = range(len(times)) if columns is None else _kept(times, values, columns)
    return Curve([times[i] / per_s for i in kept], [values[i] for i in kept])


def _kept(times: Sequence[float], values: Sequence[float], columns: int) -> Sequence[int]:
    """Which points are needed: all of them while they are not many more than the others would be."""
    if len(times) <= 8 * columns:
        return range(len(times))
    begin, end = times[0], times[-1]
    kept: list[int] = []
    low = 0
    for column in range(1, columns + 1):
        edge = begin + (end - begin) * column / columns
        high = bisect_left(times, edge, low) if column < columns else len(times)
        if high - low <= 4:
            kept.extend(range(low, high))
        else:
            inside = values[low:high]
            extremes = (inside.index(min(inside)) + low, inside.index(max(inside)) + low)
            kept.extend(sorted({low, *extremes, high - 1}))
        low = high
    return kept
