"""Choose and format round numbers for axes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from hook_widgets.ratelimit.formatting import seconds as in_two_units

_UNITS: Final = (  # minimum in seconds, unit, seconds per unit, usual steps
    (3 * 86_400.0, "d", 86_400.0, (1, 2, 4, 7, 14, 28)),
    (3 * 3600.0, "h", 3600.0, (1, 2, 3, 6, 12, 24)),
    (180.0, "min", 60.0, (1, 2, 5, 10, 15, 20, 30, 60)),
    (1.0, "s", 1.0, (1, 2, 5, 10, 15, 20, 30, 60)),
    (1e-3, "ms", 1e-3, ()),
    (1e-6, "µs", 1e-6, ()),
    (0.0, "ns", 1e-9, ()),
)
_DAYS_READ_FROM_S: Final = 14 * 86_400.0
_SIZES: Final = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


def floor_nice(value: float) -> float:
    """Return the largest of 1, 2, 5, 10, 20, ... that is not above a positive value."""
    power = 10.0 ** math.floor(math.log10(value))
    return max(step * power for step in (0.5, 1, 2, 5) if step * power <= value * (1 + 1e-12))


def ceil_nice(value: float) -> float:
    """Return the smallest of 1, 2, 5, 10, 20, ... that is not below a positive value."""
    power = 10.0 ** math.floor(math.log10(value))
    return min(step * power for step in (1, 2, 5, 10) if step * power >= value * (1 - 1e-12))


def rounded_end(value: float) -> float:
    """Return a round number that is at most 3% above a positive value, as the end of an axis.

    >>> rounded_end(119.97), rounded_end(101)
    (120.0, 102.0)
    """
    step = ceil_nice(value)
    while (end := math.ceil(value / step * (1 - 1e-12)) * step) > value * 1.03:
        step = floor_nice(step * 0.99)
    return end


def quantised(value: float) -> float:
    """Round up to the next of 1, 1.5, 2, 3, 4, 6, 8, 10, ...

    An axis with only these sizes is redrawn a few times while a slider is moved, and not at every step.
    """
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 1.5, 2, 3, 4, 6, 8, 10) if step * power >= value * (1 - 1e-9))


def in_its_unit(end_s: float, rounding: Callable[[float], float]) -> float:
    """Apply a rounding function to a time, in the unit used by an axis of this length.

    >>> in_its_unit(20.99 * 86_400, rounded_end) / 86_400
    21.0
    """
    size = next(size for least, _, size, _ in _UNITS if end_s >= least)
    return rounding(end_s / size) * size


def time_ticks(end_s: float, most: int, begin_s: float = 0.0) -> tuple[list[float], list[str]]:
    """Return positions and labels of the ticks of a time axis.

    >>> time_ticks(120, 5)
    ([0.0, 30.0, 60.0, 90.0, 120.0], ['0 s', '30 s', '60 s', '90 s', '120 s'])
    >>> time_ticks(100, 8)[1]
    ['0 s', '20 s', '40 s', '60 s', '80 s', '100 s']
    >>> time_ticks(9004.1, 5, 9000.2)[1]
    ['9001 s', '9002 s', '9003 s', '9004 s']
    """
    span_s = end_s - begin_s
    room_s = span_s / max(most - 1, 1)
    # Half a day is 12 hours.
    unit, size, steps = next(
        (name, size, steps)
        for least, name, size, steps in _UNITS
        if span_s >= least and (name != "d" or room_s > size / 2)
    )
    room = room_s / size
    suitable = [step for step in steps if step >= room] if room >= 0.5 else []
    even = [step for step in suitable if step <= 2 * min(suitable) and (span_s / size / step).is_integer()]
    step = min(even or suitable, default=ceil_nice(room))
    first = math.ceil(begin_s / size / step * (1 - 1e-9))
    marks = [k * step for k in range(first, math.floor(end_s / size / step * (1 + 1e-9)) + 1)]
    return [mark * size for mark in marks], [f"{mark:.14g} {unit}" for mark in marks]


def level_ticks(low: float, high: float, most: int) -> list[float]:
    """Return the ticks of a count axis: 0 and round numbers, at least one besides 0 if there is room.

    >>> level_ticks(0, 328, 4), level_ticks(-3, 90, 1)
    ([0.0, 100.0, 200.0, 300.0], [0.0, 50.0])
    """
    step = min(ceil_nice((high - low) / max(most, 1)), floor_nice(max(high, -low)))
    if high >= 1:
        step = max(step, 1.0)
    return [k * step for k in range(math.ceil(low / step), math.floor(high / step * (1 + 1e-9)) + 1)]


def compact(value: float) -> str:
    """Format a number in about six characters at most.

    >>> compact(280), compact(1500), compact(20_000), compact(1e9), compact(-2_500_000)
    ('280', '1,500', '20k', '1G', '-2.5M')
    """
    if abs(value) < 10_000:
        return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}"
    size, letter = next((size, letter) for size, letter in _SIZES if abs(value) >= size)
    return f"{value / size:.4g}{letter}"


def ceil_span(seconds: float) -> float:
    """Round a duration up to a usual one: 1, 2, 5, ... ms, 1, 2, 5, 10, 15, 20, 30 s, 1 min, ...

    >>> ceil_span(0.3), ceil_span(12), ceil_span(20_000)
    (0.5, 15.0, 21600.0)
    """
    lengths = (size * step for _, _, size, steps in reversed(_UNITS) for step in steps if step < 60)
    longer = [length for length in lengths if length >= seconds]
    return ceil_nice(seconds) if seconds <= 0.5 or not longer else min(longer)


def span(seconds: float) -> str:
    """Format a short or round duration in one unit.

    >>> span(0.25), span(60), span(90), span(7200)
    ('250 ms', '1 min', '90 s', '2 h')
    """
    for _, name, size, steps in _UNITS:
        if steps and seconds >= size and (seconds / size).is_integer():
            return f"{seconds / size:,.0f} {name}"
    unit, size = next((name, size) for least, name, size, _ in _UNITS if seconds >= least)
    return f"{seconds / size:.3g} {unit}" if seconds / size < 1000 else f"{seconds / size:,.0f} {unit}"


def axis_unit(span_s: float) -> tuple[str, float, int]:
    """Return the unit of a time that is read off an axis of this length, its seconds, and the decimals.

    Up to two weeks are read in hours: nobody counts 0.42 days.

    >>> axis_unit(120), axis_unit(0.004), axis_unit(7 * 86_400)
    (('s', 1.0, 1), ('ms', 0.001, 3), ('h', 3600.0, 1))
    """
    unit, size = next(
        (name, size)
        for least, name, size, _ in _UNITS
        if span_s >= (_DAYS_READ_FROM_S if name == "d" else least)
    )
    return unit, size, max(0, 3 - math.floor(math.log10(span_s / size)))


def moment(seconds: float, end_s: float) -> str:
    """Format a time, as precisely as it can be read off an axis that ends at `end_s`.

    >>> moment(12.3456, 120), moment(90, 7200), moment(0.00123456, 0.004)
    ('12.3 s', '1 min 30 s', '1.235 ms')
    """
    unit, size, decimals = axis_unit(end_s)
    if size > 1:
        return in_two_units(round(seconds / (step := floor_nice(end_s / 1000))) * step)
    text = f"{seconds / size:,.{decimals}f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text} {unit}"
