"""Slider scales: round values in ascending order, as text that can be entered."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import Final

from hook_widgets.ratelimit.units import duration, rate

_ROUND: Final = "1 1.1 1.2 1.3 1.4 1.5 1.6 1.8 2 2.2 2.5 2.8 3 3.5 4 4.5 5 5.5 6 7 8 9"  # of each decade
_SPANS: Final = {
    "ms": "1 2 3 4 5 6 8 10 12 15 20 25 30 40 50 60 80 100 120 150 200 250 300 400 500 600 800",
    "s": "1 1.2 1.5 2 2.5 3 4 5 6 8 10 12 15 20 25 30 40 50",
    "min": "1 1.5 2 2.5 3 4 5 6 8 10 12 15 20 25 30 40 50",
    "h": "1 1.5 2 3 4 6 8 12 18",
    "day": "1 2 3 5 7 14 30",
}
_UNIT: Final = re.compile(r"(?:/|\bper\b)\s*(.+?)\s*$")
_ABBREVIATED_UNIT: Final = re.compile(r"[rqt]p([smhd])\s*$", re.IGNORECASE)
_UNITS: Final = {"s": "s", "m": "min", "h": "hour", "d": "day"}


@dataclass(frozen=True)
class SliderScale:
    """The steps of one slider.

    Attributes:
        steps: the value of each step, as text that can be entered.
        values: the same values as numbers, in ascending order.
    """

    steps: tuple[str, ...]
    values: tuple[Fraction, ...]

    def nearest(self, value: Fraction) -> int:
        """Return the index of the step nearest to a value."""
        right = bisect_left(self.values, value)
        neighbours = [i for i in (right - 1, right) if 0 <= i < len(self.values)]
        return min(neighbours, key=lambda i: abs(self.values[i] - value))


@lru_cache(maxsize=64)  # bounded, because a unit is arbitrary user input
def rates(unit: str) -> SliderScale:
    """Return rates from one to ten million per unit of time, such as ``"hour"``."""
    one, numbers = rate(f"1/{unit}", ""), _whole_numbers(7)
    return SliderScale(tuple(f"{n}/{unit}" for n in numbers), tuple(n * one for n in numbers))


@cache
def counts(decades: int, *, zero: bool = False) -> SliderScale:
    """Return whole numbers from one (or zero) to ten to the power of `decades`."""
    numbers = (*((0,) if zero else ()), *_whole_numbers(decades))
    return SliderScale(tuple(map(str, numbers)), tuple(map(Fraction, numbers)))


@cache
def shares(max_percent: int) -> SliderScale:
    """Return whole percentages from zero to `max_percent`."""
    percentages = range(max_percent + 1)
    return SliderScale(tuple(f"{n}%" for n in percentages), tuple(Fraction(n, 100) for n in percentages))


@cache
def times(shortest: str, longest: str, *, zero: bool = False) -> SliderScale:
    """Return durations from `shortest` to `longest`, each in the unit that keeps its number small."""
    low, high = duration(shortest, ""), duration(longest, "")
    spans = {"0 s": Fraction(0)} if zero else {}
    spans |= {text: seconds for text, seconds in _spans().items() if low <= seconds <= high}
    return SliderScale(tuple(spans), tuple(spans.values()))


def unit_of(text: str) -> str:
    """Return the unit of time of a rate in text form; ``"s"`` if it has none.

    >>> unit_of("5000/hour"), unit_of("190 per 10 s"), unit_of("5 rpm"), unit_of("7")
    ('hour', '10 s', 'min', 's')
    """
    match = _ABBREVIATED_UNIT.search(text)
    if match:
        return _UNITS[match[1].lower()]
    match = _UNIT.search(text)
    return match[1] if match else "s"


@cache
def _spans() -> dict[str, Fraction]:
    """Return all durations in seconds, by text."""
    texts = [f"{n} {unit}" for unit, steps in _SPANS.items() for n in steps.split()]
    return {text: duration(text, "") for text in texts}


@cache
def _whole_numbers(decades: int) -> tuple[int, ...]:
    tenths = [round(10 * float(n)) for n in _ROUND.split()]
    candidates = [n * 10**k for k in range(decades) for n in tenths]
    return (*(n // 10 for n in candidates if n % 10 == 0), 10**decades)
