"""Round exact numbers for header fields, so that no client retries too early or sends too many requests."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction

from hook_widgets.errors import InvalidHeader
from hook_widgets.ratelimit.http.structured_fields import MAX_INTEGER
from hook_widgets.ratelimit.units import Number, exact_seconds

_YEAR_1_S = -62_135_596_800
_YEAR_9999_S = 253_402_300_799
_MAX_EXPONENT = 999  # the exact number would only consume memory


def up(name: str, number: Number | timedelta) -> int:
    """Round up to a whole number; negative numbers become zero.

    Raises:
        InvalidHeader: the number is not finite, or too large for a header field.

    >>> up("t", 29.0001), up("t", -3)
    (30, 0)
    """
    return _bounded(name, math.ceil(exact(name, number)))


def down(name: str, number: Number) -> int:
    """Round down to a whole number; negative numbers become zero.

    Raises:
        InvalidHeader: the number is not finite, or too large for a header field.

    >>> down("r", 2.999)
    2
    """
    return _bounded(name, math.floor(exact(name, number)))


def epoch_s(now: datetime | Number) -> Fraction:
    """Return the exact number of seconds since 1970.

    Raises:
        InvalidHeader: the datetime has no time zone, or the number is outside the years 1 to 9999.
    """
    if not isinstance(now, datetime):
        seconds = exact("now", now)
        if not _YEAR_1_S <= seconds <= _YEAR_9999_S:
            raise InvalidHeader("now is outside the years 1 to 9999; give seconds since 1970")
        return seconds
    if now.tzinfo is None or now.utcoffset() is None:
        raise InvalidHeader("now has no time zone; use for example datetime.now(timezone.utc)")
    whole_second = now.replace(microsecond=0)
    return Fraction(round(whole_second.timestamp())) + Fraction(now.microsecond, 1_000_000)


def exact(name: str, number: Number | timedelta) -> Fraction:
    """Convert a number, or a duration in seconds, exactly.

    Raises:
        InvalidHeader: the value is not a finite number or a duration.
    """
    if isinstance(number, timedelta):
        return exact_seconds(number)
    if isinstance(number, bool) or not isinstance(number, int | float | Decimal | Fraction):
        raise InvalidHeader(f"{name} must be a number, not {type(number).__name__}")
    if isinstance(number, Decimal) and abs(number.adjusted()) > _MAX_EXPONENT:
        raise InvalidHeader(f"{name} is {number}, which is out of range; give a plausible number")
    try:
        return Fraction(number)
    except (ValueError, OverflowError):
        raise InvalidHeader(f"{name} must be a finite number, not {number}") from None


def _bounded(name: str, number: int) -> int:
    if number > MAX_INTEGER:
        raise InvalidHeader(f"{name} is over {MAX_INTEGER}, the most a header field can carry; use less")
    return max(0, number)
