"""Round numbers for axes, and how to write them."""

from __future__ import annotations

import math
from typing import Final

_UNITS: Final = (  # from so many seconds on: the unit, its seconds, and the steps that people count in
    (3 * 86_400.0, "d", 86_400.0, (1, 2, 7, 14, 28)),
    (3 * 3600.0, "h", 3600.0, (1, 2, 3, 6, 12, 24)),
    (180.0, "min", 60.0, (1, 2, 5, 10, 15, 20, 30, 60)),
    (1.0, "s", 1.0, (1, 2, 5, 10, 15, 20, 30, 60)),
    (1e-3, "ms", 1e-3, ()),
    (1e-6, "µs", 1e-6, ()),
    (0.0, "ns", 1e-9, ()),
)
_SIZES: Final = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


def floor_nice(value: float) -> float:
    """The largest of 1, 2, 5, 10, 20, ... that is not above a positive value."""
    power = 10.0 ** math.floor(math.log10(value))
    return max(step * power for step in (0.5, 1, 2, 5) if step * power <= value * (1 + 1e-12))


def ceil_nice(value: float) -> float:
    """The smallest of 1, 2, 5, 10, 20, ... that is not below a positive value."""
    power = 10.0 ** math.floor(math.log10(value))
    return min(step * power for step in (1, 2, 5, 10) if step * power >= value * (1 - 1e-12))


def rounded_end(value: float) -> float:
    """A round number that is at most 3 % above a positive value: where an axis may end.

    >>> rounded_end(119.97), rounded_end(101)
    (120.0, 102.0)
    """
    step = ceil_nice(value)
    while (end := math.ceil(value / step * (1 - 1e-12)) * step) > value * 1.03:
        step = floor_nice(step * 0.99)
    return end


def quantised(value: float) -> float:
    """The next larger of a few sizes, each about a fifth above the one before.

    An axis that only has these is drawn anew a few times while a slider is moved, and not at each step.
    """
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10) if step * power >= value)


def time_ticks(end_s: float, most: int) -> tuple[list[float], list[str]]:
    """Where to mark an axis of time from 0 on, and what to write there.

    Args:
        end_s: the end of the axis, in seconds.
        most: how many marks have room.

    >>> time_ticks(120, 5)
    ([0.0, 30.0, 60.0, 90.0, 120.0], ['0 s', '30 s', '60 s', '90 s', '120 s'])
    """
    unit, size, steps = next((name, size, steps) for least, name, size, steps in _UNITS if end_s >= least)
    room = end_s / max(most - 1, 1) / size
    whole = [step for step in steps if step >= room]
    step = min(whole) if room >= 0.5 and whole else ceil_nice(room)
    count = math.floor(end_s / size / step * (1 + 1e-9))
    marks = [k * step for k in range(count + 1)]
    return [mark * size for mark in marks], [f"{mark:g} {unit}" for mark in marks]


def level_ticks(low: float, high: float, most: int) -> list[float]:
    """Where to mark an axis of counts: 0, and round numbers; at least one besides 0 where there is room.

    >>> level_ticks(0, 328, 4), level_ticks(-3, 90, 1)
    ([0.0, 100.0, 200.0, 300.0], [0.0, 50.0])
    """
    step = min(ceil_nice((high - low) / max(most, 1)), floor_nice(max(high, -low)))
    if high >= 1:
        step = max(step, 1.0)
    return [k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1)]


def compact(value: float) -> str:
    """A number in at most six characters or so.

    >>> compact(280), compact(1500), compact(20_000), compact(1e9), compact(-2_500_000)
    ('280', '1,500', '20k', '1G', '-2.5M')
    """
    if abs(value) < 10_000:
        return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}"
    size, letter = next((size, letter) for size, letter in _SIZES if abs(value) >= size)
    return f"{value / size:.4g}{letter}"


def span(seconds: float) -> str:
    """A time span in one unit, to three digits.

    >>> span(0.25), span(60), span(90), span(7200)
    ('250 ms', '60 s', '90 s', '120 min')
    """
    unit, size = next((name, size) for least, name, size, _ in _UNITS if abs(seconds) >= least)
    return f"{seconds / size:.3g} {unit}" if seconds / size < 1000 else f"{seconds / size:,.0f} {unit}"


def moment(seconds: float, end_s: float) -> str:
    """A moment, in the unit of an axis that ends at `end_s` and as finely as it can be read off.

    >>> moment(12.3456, 120), moment(90, 7200)
    ('12.3 s', '1.5 min')
    """
    unit, size = next((name, size) for least, name, size, _ in _UNITS if end_s >= least)
    digits = max(0, 2 - math.floor(math.log10(end_s / size)) + 1) if end_s else 0
    text = f"{seconds / size:,.{digits}f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text} {unit}"
