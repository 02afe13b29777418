"""The simplest number in an interval: a usual one, or the one with the fewest digits."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import Final

_USUAL_WINDOWS_S: Final = (
    1,
    60,
    3600,
    86_400,
    10,
    5,
    30,
    300,
    600,
    900,
    2,
    15,
    20,
    120,
    1800,
    43_200,
    604_800,
)
_MOST_DIGITS: Final = 12


def simple_number(low: float, high: float) -> Fraction:
    """Return the number from `low` to `high` with the fewest decimals, the most zeros among those.

    >>> simple_number(59.98, 60.03), simple_number(0.0996, 0.102)
    (Fraction(60, 1), Fraction(1, 10))
    """
    for digits in range(-_MOST_DIGITS, _MOST_DIGITS):
        scale = Fraction(10) ** digits
        first, last = ceil(Fraction(low) * scale), floor(Fraction(high) * scale)
        if max(first, 1) <= last:
            return max(first, 1) / scale
    return Fraction((low + high) / 2)


def simple_window(low: float, high: float) -> Fraction:
    """Return a usual window from `low` to `high` seconds, or the simplest one.

    >>> simple_window(40, 70)
    Fraction(60, 1)
    """
    usual = [window for window in _USUAL_WINDOWS_S if low <= window <= high]
    return Fraction(usual[0]) if usual else simple_number(low, high)
