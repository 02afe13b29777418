"""The range of the curves of several runs, as a band between two curves."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence

from hook_widgets.ratelimit.simulation.series import Curve


def band(runs: Sequence[Sequence[Curve]], begin_s: float, end_s: float, columns: int) -> tuple[Curve, Curve]:
    """Return the lower and the upper edge of the lowest curve of each run, by pixel columns.

    Args:
        runs: the curves of each run, such as one for each of its limits.
        begin_s: the begin of the time axis, in seconds.
        end_s: the end of the time axis, in seconds.
        columns: width in pixels.

    >>> edges = band([[Curve([0, 4], [0, 4])], [Curve([0, 2, 2, 4], [3, 3, 1, 1])]], 0, 4, 2)
    >>> [edge.values for edge in edges]
    [[0.0, 1.0], [3.0, 4]]
    """
    step_s = (end_s - begin_s) / columns
    lows, highs = [], []
    for curves in runs:
        extremes = [_extremes(curve, begin_s, step_s, columns) for curve in curves]
        lows.append(_each(min, [low for low, _ in extremes]))
        highs.append(_each(min, [high for _, high in extremes]))
    times = [begin_s + (k + 0.5) * step_s for k in range(columns)]
    return Curve(times, _each(min, lows)), Curve(times, _each(max, highs))


def _each(pick: Callable[[Sequence[float]], float], rows: Sequence[Sequence[float]]) -> list[float]:
    return list(map(pick, zip(*rows, strict=True)))


def _extremes(curve: Curve, begin_s: float, step_s: float, columns: int) -> tuple[list[float], list[float]]:
    """Return the lowest and the highest value of a curve in each column, its edges included."""
    lows, highs, times, values = [], [], curve.times, curve.values
    begin, i = curve.at(begin_s), bisect_left(times, begin_s)
    for k in range(columns):
        low = high = begin
        end_s = begin_s + (k + 1) * step_s
        while i < len(times) and times[i] <= end_s:
            low, high = min(low, values[i]), max(high, values[i])
            i += 1
        begin = curve.at(end_s)
        lows.append(min(low, begin))
        highs.append(max(high, begin))
    return lows, highs
