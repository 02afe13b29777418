"""Values as configurations write them: numbers, durations and names."""

from __future__ import annotations

from fractions import Fraction
from keyword import iskeyword
from typing import Final

GO_UNITS_NS: Final = {
    "h": 3_600_000_000_000,
    "m": 60_000_000_000,
    "s": 1_000_000_000,
    "ms": 1_000_000,
    "us": 1000,
    "ns": 1,
}
"""Nanoseconds in each unit of a duration of Go's package time, the largest first."""


def plain(value: Fraction) -> int | float:
    """Return a number as code says it: a whole number, or else a float."""
    return value.numerator if value.denominator == 1 else float(value)


def identifier(key: str) -> str:
    """Return the name of a variable for the key of a client; empty if there is none."""
    name = key.replace("-", "_").lower()
    return name if name.isidentifier() and name.isascii() and not iskeyword(name) else ""
