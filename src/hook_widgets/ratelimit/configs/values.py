"""Values as configurations write them: whole numbers, durations and names."""

from __future__ import annotations

import re
from fractions import Fraction
from keyword import iskeyword
from typing import Final

from hook_widgets.ratelimit.configs.model import refuse

_HEADER: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,255}")
GO_UNITS_NS: Final = {
    "h": 3_600_000_000_000,
    "m": 60_000_000_000,
    "s": 1_000_000_000,
    "ms": 1_000_000,
    "us": 1000,
    "ns": 1,
}
"""Nanoseconds in each unit of a duration of Go's package time, the largest first."""


def whole_number(value: Fraction | int, target: str, what: str, most: int = 2**32 - 1) -> int:
    """Return a number that the target can only say as a positive integer.

    Raises:
        InvalidLimit: it is none, or too large.
    """
    if value.denominator != 1 or not 1 <= value <= most:
        refuse(target, f"{what} of {_number(value)}", f"choose a whole number from 1 to {most}")
    return value.numerator


def plain(value: Fraction) -> int | float:
    """Return a number as code says it: a whole number, or else a float."""
    return value.numerator if value.denominator == 1 else float(value)


def go_duration(span_s: Fraction, target: str, what: str) -> str:
    """Return a duration as Go's package time reads it, such as ``"90s"``.

    Raises:
        InvalidLimit: it is not a whole number of nanoseconds, or too long.
    """
    nanoseconds = whole_number(span_s * 10**9, target, f"{what} in nanoseconds", 2**33 * 10**9)
    unit, size = next((unit, size) for unit, size in GO_UNITS_NS.items() if nanoseconds % size == 0)
    return f"{nanoseconds // size}{unit}"


def header_name(key: str, target: str) -> str:
    """Return the key of a limit for each client, as the name of a header.

    Raises:
        InvalidLimit: it is no name of a header.
    """
    if not _HEADER.fullmatch(key):
        refuse(target, f"clients by {key!r}", "use ip, or the name of a header")
    return key


def identifier(key: str) -> str:
    """Return the name of a variable for the key of a client; empty if there is none."""
    name = key.replace("-", "_").lower()
    return name if name.isidentifier() and name.isascii() and not iskeyword(name) else ""


def _number(value: Fraction | int) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"
