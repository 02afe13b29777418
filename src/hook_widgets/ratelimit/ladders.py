"""The steps of a slider: round values as one would write them, from small to large."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import Final

from hook_widgets.ratelimit.inputs import share
from hook_widgets.ratelimit.quantity import duration, number, rate

_ROUND: Final = "1 1.1 1.2 1.3 1.4 1.5 1.6 1.8 2 2.2 2.5 2.8 3 3.5 4 4.5 5 5.5 6 7 8 9"  # of each decade
_SPANS: Final = {
    "ms": "1 2 3 4 5 6 8 10 12 15 20 25 30 40 50 60 80 100 120 150 200 250 300 400 500 600 800",
    "s": "1 1.2 1.5 2 2.5 3 4 5 6 8 10 12 15 20 25 30 40 50",
    "min": "1 1.5 2 2.5 3 4 5 6 8 10 12 15 20 25 30 40 50",
    "h": "1 1.5 2 3 4 6 8 12 18",
    "day": "1 2 3 5 7 14 30",
}
_UNIT: Final = re.compile(r"(?:/|\bper\b)\s*(.+?)\s*$")


@dataclass(frozen=True)
class Ladder:
    """The steps of one slider.

    Attributes:
        steps: what each stands for, as text that can be entered.
        values: the same as numbers, rising.
    """

    steps: tuple[str, ...]
    values: tuple[Fraction, ...]

    def nearest(self, value: Fraction) -> int:
        """The step nearest to a value."""
        right = bisect_left(self.values, value)
        around = [i for i in (right - 1, right) if 0 <= i < len(self.values)]
        return min(around, key=lambda i: abs(self.values[i] - value))


@lru_cache(maxsize=64)  # a unit is whatever was typed
def rates(unit: str) -> Ladder:
    """From one to ten million in this unit of time, such as ``"hour"``."""
    return _ladder([f"{n}/{unit}" for n in _whole_numbers(7)], lambda text: rate(text, ""))


@cache
def counts(decades: int, *, zero: bool = False) -> Ladder:
    """Whole numbers from one (or zero) to ten to the power of `decades`."""
    return _ladder([*(["0"] if zero else []), *_whole_numbers(decades)], lambda text: number(text, ""))


@cache
def shares(most_percent: int) -> Ladder:
    """Whole per cents from zero."""
    return _ladder([f"{n} %" for n in range(most_percent + 1)], lambda text: share(text, ""))


@cache
def times(shortest: str, longest: str, *, zero: bool = False) -> Ladder:
    """Time spans between two, in the unit that keeps the numbers small."""
    found = [f"{n} {unit}" for unit, steps in _SPANS.items() for n in steps.split()]
    low, high = duration(shortest, ""), duration(longest, "")
    kept = [text for text in found if low <= duration(text, "") <= high]
    return _ladder([*(["0 s"] if zero else []), *kept], lambda text: duration(text, "", positive=False))


def unit_of(text: str) -> str:
    """The unit of time of a rate as it is written; a second when there is none.

    >>> unit_of("5000/hour"), unit_of("190 per 10 s"), unit_of("7")
    ('hour', '10 s', 's')
    """
    found = _UNIT.search(text)
    return found[1] if found else "s"


def _whole_numbers(decades: int) -> list[str]:
    found = [Fraction(n) * 10**k for k in range(decades) for n in _ROUND.split()]
    return [str(n.numerator) for n in [*found, Fraction(10**decades)] if n.denominator == 1]


def _ladder(steps: Sequence[str], read: Callable[[str], Fraction]) -> Ladder:
    return Ladder(tuple(steps), tuple(read(step) for step in steps))
