"""Compute curves from a finished run: the remaining quota and the queue depth over time.

The curves pass through the exact level at every event, and are linear between events, as the levels are.
Times are in seconds: plots need no nanoseconds.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import singledispatch
from itertools import islice, pairwise
from math import ceil

from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.limiters.buckets import Gcra, LeakyBucket, TokenBucket, WaitingBucket
from hook_widgets.ratelimit.limiters.hold_off import HoldOff, inner_limit
from hook_widgets.ratelimit.limiters.keyed import PerClient, one_client
from hook_widgets.ratelimit.limiters.layers import Concurrency
from hook_widgets.ratelimit.limiters.trace import ChargeLog
from hook_widgets.ratelimit.limiters.windows import (
    CountedWindow,
    FixedWindow,
    SlidingCounter,
    SlidingLog,
    WindowAlignment,
    _Windowed,
)
from hook_widgets.ratelimit.simulation.result import Run

Points = tuple[list[int], list[float]]
"""Times in ticks, non-decreasing, and the value at each; a jump is two points at one time."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A piecewise linear curve. A jump is two points at one time: before it and after it.

    Attributes:
        times: in seconds, non-decreasing.
        values: one for each time.
    """

    times: list[float]
    values: list[float]

    def at(self, time_s: float) -> float:
        """Return the value at a time, after its jump; outside the curve, that of the nearer end.

        Args:
            time_s: the time, in seconds.
        """
        right = bisect_right(self.times, time_s)
        if right in (0, len(self.times)):
            return self.values[-1 if right else 0]
        (t0, t1), (v0, v1) = self.times[right - 1 : right + 1], self.values[right - 1 : right + 1]
        return v0 + (v1 - v0) * (time_s - t0) / (t1 - t0)

    def between(self, begin_s: float, end_s: float) -> Curve:
        """Return the part of the curve between two times, with its values at both.

        Args:
            begin_s: the first time, in seconds.
            end_s: the last time.

        >>> Curve([0, 1, 1, 4], [2, 2, 0, 3]).between(0.5, 2)
        Curve(times=[0.5, 1, 1, 2], values=[2.0, 2, 0, 1.0])
        """
        low, high = bisect_right(self.times, begin_s), bisect_left(self.times, end_s)
        return Curve(
            [begin_s, *self.times[low:high], end_s],
            [self.at(begin_s), *self.values[low:high], self.at(end_s)],
        )

    def from_zero(self) -> Curve:
        """Return the curve with 0 in place of what is below.

        >>> Curve([0, 3, 3, 4], [2, -1, 1, 1]).from_zero()
        Curve(times=[0, 2.0, 3, 3, 4], values=[2, 0.0, 0.0, 1, 1])
        """
        if min(self.values) >= 0:
            return self
        points = list(zip(self.times, self.values, strict=True))
        above = Curve(self.times[:1], [max(self.values[0], 0.0)])
        for (t0, v0), (t1, v1) in pairwise(points):
            if v0 * v1 < 0 and t0 < t1:  # the line crosses 0 between its ends
                above.times.append(t0 + (t1 - t0) * v0 / (v0 - v1))
                above.values.append(0.0)
            above.times.append(t1)
            above.values.append(max(v1, 0.0))
        return above

    def thinned(self, columns: int) -> Curve:
        """Reduce the curve to the first, lowest, highest and last point of each of `columns` columns.

        These four draw the same pixels as all points would (Jugel et al., M4: a visualization-oriented time
        series data aggregation, VLDB 2014), so that no dip and no spike is lost.

        Args:
            columns: number of columns of equal width.
        """
        indexes = _m4_indexes(self.times, self.values, columns)
        return Curve([self.times[i] for i in indexes], [self.values[i] for i in indexes])


def level(run: Run, layer: int, until_s: float, columns: int | None = None) -> Curve:
    """Return what is left to spend of a layer, from 0 to `until_s`. See `Run.tokens_by_layer`.

    Args:
        run: the run.
        layer: the index of the layer; for a layer per client, the client with the most requests is drawn.
        until_s: the end, in seconds.
        columns: reduce the curve as `Curve.thinned` does, which is faster here than afterwards.
    """
    per_s, client = run.record.per_s, busiest(run, layer)
    until = ceil(until_s * per_s)
    points = _level(one_client(run.limiter.layers[layer]), run.record.charge_log(layer, client), until)
    return _curve(points, until, per_s, columns)


def queue(run: Run, until_s: float, columns: int | None = None) -> Curve:
    """Return the queue depth from 0 to `until_s`. See `Run.queue_depth`; the arguments are as for `level`."""
    record = run.record
    until = ceil(until_s * record.per_s)
    return _curve(_steps(0, _changes(record.entries, record.leaves)), until, record.per_s, columns)


def busiest(run: Run, layer: int) -> dict[str, Hashable]:
    """Return the client with the most requests, for a layer per client; empty for other layers."""
    keyed = run.limiter.layers[layer]
    if not isinstance(keyed, PerClient):
        return {}
    counts = {who: len(own) for who, own in run.record.trace.requests_of[keyed.key].items()}
    return {keyed.key: max(counts, key=lambda who: counts[who], default=None)}


def windows(run: Run, k: int, until_s: float) -> list[tuple[float, float]]:
    """Return begin and end, in seconds, of each window of a layer with fixed windows; none for other layers.

    Windows that begin with a request are returned only where a request opened one.
    """
    layer = inner_limit(run.limiter.layers[k])
    if not isinstance(layer, FixedWindow | SlidingCounter):
        return []
    if layer.align is not WindowAlignment.CLOCK:
        opened = layer._windows(run.record.charge_log(k, busiest(run, k)))
        return [(begin / run.record.per_s, end / run.record.per_s) for begin, end in opened]
    length_s, phase_s = float(layer.window_s), float(layer.phase_s)
    begins = [
        k * length_s + phase_s for k in range(-1 if phase_s else 0, ceil((until_s - phase_s) / length_s))
    ]
    return [(max(begin, 0.0), begin + length_s) for begin in begins]


def histogram(times: Sequence[int], width: int, count: int, begin: int = 0) -> list[int]:
    """Count how many of the non-decreasing times lie in each of `count` equal bins, from `begin` on.

    Times before the first and after the last bin are not counted.
    """
    edges = [bisect_left(times, begin + k * width) for k in range(count + 1)]
    return [after - before for before, after in pairwise(edges)]


def limit(layer: Limiter) -> float:
    """Return the most that can ever be left of a layer."""
    match layer:
        case TokenBucket():
            return float(layer.capacity)
        case Gcra() | WaitingBucket():
            return float(layer.as_token_bucket().capacity)
        case HoldOff():
            return limit(layer.limit)
        case LeakyBucket():
            return float(layer._places)
        case _Windowed() | CountedWindow() | Concurrency():
            return float(layer.limit)
    raise TypeError(f"a {type(layer).__name__} cannot be drawn")


@singledispatch
def _level(layer: Limiter, charge_log: ChargeLog, until: int) -> Points:  # noqa: ARG001
    """Return the points of what is left of a layer, beginning at 0. They may continue past `until`."""
    raise TypeError(f"a {type(layer).__name__} cannot be drawn")


@_level.register
def _(layer: TokenBucket, charge_log: ChargeLog, until: int) -> Points:
    if layer.refill_every_s is not None:
        return _refilled_in_steps(layer, layer.refill_every_s, charge_log, until)
    full, interval = float(layer.capacity), charge_log.trace.whole_ticks(1 / layer.refill_rate)
    full_at = layer._full_at(charge_log)
    times, values, last = [0], [full - max(full_at[0], 0) / interval], 0
    was_full_at = full_at[0]
    for t, is_full_at in zip(charge_log.times, islice(full_at, 1, None), strict=True):
        if was_full_at < t:
            if last < was_full_at:
                times.append(was_full_at)
                values.append(full)
            before = full
        else:
            before = full - (was_full_at - t) / interval
        times += (t, t)
        values += (before, full - (is_full_at - t) / interval)
        last, was_full_at = t, is_full_at
    if last < full_at[-1] <= until:
        times.append(full_at[-1])
        values.append(full)
    elif full_at[-1] > until > last:
        times.append(until)
        values.append(full - (full_at[-1] - until) / interval)
    return times, values


def _refilled_in_steps(layer: TokenBucket, every_s: Fraction, charge_log: ChargeLog, until: int) -> Points:
    step, added = charge_log.trace.whole_ticks(every_s), layer.refill_rate * every_s
    level = layer.capacity if layer.initial is None else layer.initial
    times, values, refill = [0], [float(level)], step
    charges = [*zip(charge_log.times, charge_log.costs, strict=True)]
    if not charges or charges[-1][0] < until:
        charges.append((until, 0))
    for t, cost in charges:
        while refill <= t and level < layer.capacity:
            refilled = min(layer.capacity, level + added)
            times += (refill, refill)
            values += (float(level), float(refilled))
            level, refill = refilled, refill + step
        refill = (t // step + 1) * step
        times += (t, t)
        left = min(layer.capacity, level - cost)
        values += (float(level), float(left))
        level = left
    return times, values


@_level.register(Gcra)
@_level.register(WaitingBucket)
def _(layer: Gcra | WaitingBucket, charge_log: ChargeLog, until: int) -> Points:
    return _level(layer.as_token_bucket(), charge_log, until)


@_level.register(LeakyBucket)
@_level.register(Concurrency)
def _(layer: LeakyBucket | Concurrency, charge_log: ChargeLog, until: int) -> Points:  # noqa: ARG001
    occupied = _steps(0, _changes(charge_log.times, charge_log.ends))
    places = limit(layer)
    return occupied[0], [places - inside for inside in occupied[1]]


@_level.register
def _(layer: HoldOff, charge_log: ChargeLog, until: int) -> Points:
    times, values = _level(layer.limit, charge_log, until)
    whole = Curve([float(t) for t in times], values.copy())
    for begin, end in layer._holds(charge_log):
        low, high = bisect_left(times, begin), bisect_right(times, end)
        before = values[low] if low < len(times) and times[low] == begin else whole.at(begin)
        times[low:high] = [begin, begin, end, end]
        values[low:high] = [before, 0.0, 0.0, whole.at(end)]
    return times, values


@_level.register
def _(layer: CountedWindow, charge_log: ChargeLog, until: int) -> Points:  # noqa: ARG001
    changes: dict[int, int] = defaultdict(int)
    for begin, end in layer._windows(charge_log):
        changes[end] += charge_log.spent_from(begin, end - 1)
    for t, cost in zip(charge_log.times, charge_log.costs, strict=True):
        changes[t] -= cost
    return _steps(layer.limit, changes)


@_level.register
def _(layer: SlidingLog, charge_log: ChargeLog, until: int) -> Points:  # noqa: ARG001
    length = charge_log.trace.whole_ticks(layer.window_s)
    changes: dict[int, int] = defaultdict(int)
    for t, cost in zip(charge_log.times, charge_log.costs, strict=True):
        changes[t] -= cost
        changes[t + length] += cost
    return _steps(layer.limit, changes)


@_level.register
def _(layer: SlidingCounter, charge_log: ChargeLog, until: int) -> Points:
    length, most = charge_log.trace.whole_ticks(layer.window_s), layer.limit
    window_start = layer._window_start(charge_log, length)
    times, values = [0], [float(most)]
    end, previous, current = length, 0, 0
    for t, cost in zip(charge_log.times, charge_log.costs, strict=True):
        # The estimate falls during the whole window, so the curve needs a point at its end.
        while t >= end and (previous or current):
            times.append(end)
            values.append(most - current)
            end, previous, current = end + length, current, 0
        if t >= end or not (previous or current):
            end = int(window_start(t)) + length
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
    """Return by how much the queue depth changes at each time."""
    changes: dict[int, int] = defaultdict(int)
    for t in entries:
        changes[t] += 1
    for t in leaves:
        changes[t] -= 1
    return changes


def _steps(start: int, changes: Mapping[int, int]) -> Points:
    """Return the points of a value that changes at some times and is constant between them."""
    times, values, value = [0], [float(start)], start
    for t in sorted(changes):
        times += (t, t)
        values.append(value)
        value += changes[t]
        values.append(value)
    return times, values


def _curve(points: Points, until: int, per_s: int, columns: int | None) -> Curve:
    """Convert points to seconds, and cut or extend them to end at `until`."""
    times, values = points
    stop = bisect_right(times, until)
    end = Curve([float(t) for t in times[stop - 1 : stop + 1]], values[stop - 1 : stop + 1]).at(until)
    del times[stop:], values[stop:]
    if times[-1] < until:
        times.append(until)
        values.append(end)
    indexes = range(len(times)) if columns is None else _m4_indexes(times, values, columns)
    return Curve([times[i] / per_s for i in indexes], [values[i] for i in indexes])


def _m4_indexes(times: Sequence[float], values: Sequence[float], columns: int) -> Sequence[int]:
    """Return the indexes of the points to keep: all, if there are not many more than M4 would keep."""
    if len(times) <= 8 * columns:
        return range(len(times))
    begin, end = times[0], times[-1]
    indexes: list[int] = []
    low = 0
    for column in range(1, columns + 1):
        edge = begin + (end - begin) * column / columns
        high = bisect_left(times, edge, low) if column < columns else len(times)
        if high - low <= 4:
            indexes.extend(range(low, high))
        else:
            inside = values[low:high]
            extremes = (inside.index(min(inside)) + low, inside.index(max(inside)) + low)
            indexes.extend(sorted({low, *extremes, high - 1}))
        low = high
    return indexes
