"""Whole numbers for clients: never a moment too early, never a request too many."""

from __future__ import annotations

import math
from datetime import datetime
from decimal import Decimal
from fractions import Fraction

from hook_widgets.errors import InvalidHeader
from hook_widgets.ratelimit.fields import MOST_INTEGER
from hook_widgets.ratelimit.quantity import Number


def up(name: str, number: Number) -> int:
    """The number, or the next whole one; what is below zero becomes zero.

    Raises:
        InvalidHeader: not a finite number, or longer than a header can carry.

    >>> up("t", 29.0001), up("t", -3)
    (30, 0)
    """
    return _bounded(name, math.ceil(_finite(name, number)))


def down(name: str, number: Number) -> int:
    """The number without its fraction; what is below zero becomes zero.

    Raises:
        InvalidHeader: not a finite number, or longer than a header can carry.

    >>> down("r", 2.999)
    2
    """
    return _bounded(name, math.floor(_finite(name, number)))


def epoch_s(now: datetime | Number) -> Fraction:
    """Seconds since 1970, exactly.

    Raises:
        InvalidHeader: the time has no zone or is not a number.
    """
    if not isinstance(now, datetime):
        return _finite("now", now)
    if now.tzinfo is None or now.utcoffset() is None:
        raise InvalidHeader("now has no time zone; use for example datetime.now(timezone.utc)")
    whole = now.replace(microsecond=0)
    return Fraction(round(whole.timestamp())) + Fraction(now.microsecond, 1_000_000)


def _finite(name: str, number: Number) -> Fraction:
    if isinstance(number, bool) or not isinstance(number, int | float | Decimal | Fraction):
        raise InvalidHeader(f"{name} must be a number, not {type(number).__name__}")
    try:
        return Fraction(number)
    except (ValueError, OverflowError):
        raise InvalidHeader(f"{name} must be a finite number, not {number}") from None


def _bounded(name: str, number: int) -> int:
    if number > MOST_INTEGER:
        raise InvalidHeader(f"{name} is over {MOST_INTEGER}, the most a header field can carry; use less")
    return max(0, number)
