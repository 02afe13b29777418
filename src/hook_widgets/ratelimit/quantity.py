"""Numbers as people write them, taken exactly.

A float means the shortest decimal that Python prints for it, so 0.1 is one tenth and not
3602879701896397/36028797018963968. Rates are tokens per second and durations are seconds unless the text
names another unit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import Final, TypeAlias

from hook_widgets.errors import InvalidLimit, RateLimitError

Number: TypeAlias = int | float | Fraction | Decimal
"""A number of any kind of the standard library."""

Quantity: TypeAlias = Number | str
"""A number, or text such as ``"100/s"``, ``"5000/hour"`` or ``"250 ms"``."""

NS_PER_S: Final = 1_000_000_000

_SPELLINGS: Final = {
    Fraction(1, 10**9): "ns nanosecond nanoseconds",
    Fraction(1, 10**6): "us µs μs microsecond microseconds",
    Fraction(1, 10**3): "ms msec millisecond milliseconds",
    Fraction(1): "s sec secs second seconds",
    Fraction(60): "m min mins minute minutes",
    Fraction(3600): "h hr hrs hour hours",
    Fraction(86_400): "d day days",
    Fraction(604_800): "w week weeks",
}
_SECONDS: Final = {name: seconds for seconds, names in _SPELLINGS.items() for name in names.split()}

# A longer exponent only eats memory.
_NUMBER: Final = r"[+-]?(?:\d+(?:_\d+)*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?"
_PLAIN: Final = re.compile(rf"\s*({_NUMBER})\s*")
_DURATION: Final = re.compile(rf"\s*({_NUMBER})\s*([^\W\d_]*)\s*")
_RATE: Final = re.compile(
    rf"\s*({_NUMBER})\s*(?:r|reqs?|requests?|calls?|tokens?)?\s*(?:/|\bper\b)\s*({_NUMBER})?\s*([^\W\d_]+)\s*"
)
_LONGEST_EXPONENT: Final = 999
_LARGEST: Final = 10**15
_LONGEST_TEXT: Final = 500  # Python reads no integer of thousands of digits
_ROUNDING: Final = 2.5e-16  # the decimal of a double, and a product of doubles, are each off by 2^-53 at most
_FAR_S: Final = 1e7  # from here on a double tells no nanoseconds


def number(
    value: Quantity, what: str, *, positive: bool = False, error: type[RateLimitError] = InvalidLimit
) -> Fraction:
    """A plain number, exactly: ``number(0.1, "cushion") == Fraction(1, 10)``.

    Args:
        value: the number.
        what: what it is, for the error message.
        positive: refuse zero as well.
        error: the class to raise.

    Raises:
        InvalidLimit: (or `error`) it is empty, no number, NaN, infinite, negative, or zero and `positive`.
    """
    if isinstance(value, str):
        match = _match(_PLAIN, value, what, "a number such as '100' or '2.5'", error)
        return _judged(Fraction(match[1]), value, what, positive=positive, error=error)
    return _judged(_exact(value, what, error), value, what, positive=positive, error=error)


def whole(value: Quantity, what: str, *, error: type[RateLimitError] = InvalidLimit) -> int:
    """A whole number, zero or more: a number of requests or places.

    Raises:
        InvalidLimit: (or `error`) as `number` does, and for a fraction.
    """
    found = number(value, what, error=error)
    if found.denominator != 1:
        raise error(f"{what} must be a whole number, not {shown(value)}. Round it to what you mean.")
    return found.numerator


def rate(
    value: Quantity, what: str, *, positive: bool = True, error: type[RateLimitError] = InvalidLimit
) -> Fraction:
    """A rate in events per second.

    >>> rate("5000/hour", "the limit")
    Fraction(25, 18)
    >>> rate("10 per minute", "the limit") == rate("10r/m", "the limit") == Fraction(1, 6)
    True

    Raises:
        InvalidLimit: (or `error`) as `number` does, and for a unit of time that is not known.
    """
    if not isinstance(value, str) or _PLAIN.fullmatch(value):
        return number(value, what, positive=positive, error=error)
    match = _match(_RATE, value, what, "a rate such as '100/s', '10/min' or '5000/hour'", error)
    per = Fraction(match[2] or 1) * _unit(match[3], value, what, error)
    if per <= 0:
        raise error(f"{what} is {value!r}, but time must pass. Write a rate such as '100/s'.")
    return _judged(Fraction(match[1]) / per, value, what, positive=positive, error=error)


def duration(
    value: Quantity, what: str, *, positive: bool = True, error: type[RateLimitError] = InvalidLimit
) -> Fraction:
    """A time span in seconds.

    >>> duration("250 ms", "the window")
    Fraction(1, 4)

    Raises:
        InvalidLimit: (or `error`) as `number` does, for zero when `positive`, and for a unit not known.
    """
    if not isinstance(value, str):
        return number(value, what, positive=positive, error=error)
    match = _match(_DURATION, value, what, "a time such as '250 ms', '10 s' or '1 hour'", error)
    seconds = Fraction(match[1]) * _unit(match[2] or "s", value, what, error)
    return _judged(seconds, value, what, positive=positive, error=error)


def usual(found: Fraction | int, value: Quantity, what: str) -> None:
    """Refuse what nobody means: floats, and loops as long as the number is large, are of no use there.

    Raises:
        InvalidLimit: it is above 10^15, or between zero and 10^-15.
    """
    if found > _LARGEST or 0 < found < Fraction(1, _LARGEST):
        raise InvalidLimit(f"{what} is {shown(value)}, which is out of any range. Give a usual number.")


def nanoseconds(seconds: Fraction) -> int:
    """The nearest whole nanosecond, the even one of two."""
    return round(seconds * NS_PER_S)


def all_nanoseconds(
    values: Iterable[Quantity], what: str, *, error: type[RateLimitError] = InvalidLimit
) -> list[int]:
    """Many times in seconds, each to its nearest whole nanosecond; zero or more.

    Raises:
        InvalidLimit: (or `error`) as `duration` does; the text tells which one, from 0.
    """
    found = []
    for i, value in enumerate(values.tolist() if hasattr(values, "tolist") else values):
        if type(value) is float and 0.0 <= value < _FAR_S:
            product = value * 1e9
            near = round(product)
            if abs(product - near) < 0.5 - product * _ROUNDING:  # a possible tie goes by the decimal
                found.append(near)
                continue
        found.append(nanoseconds(duration(value, f"{what} {i}", positive=False, error=error)))
    return found


def shown(value: object) -> str:
    """A value for an error message, not longer than a line."""
    text = str(value) if isinstance(value, Number) else repr(value)
    return text if len(text) <= 40 else f"{text[:40]}…"


def _exact(value: object, what: str, error: type[RateLimitError]) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, Real | Decimal):
        raise error(f"{what} must be a number or text such as '100/s', not {type(value).__name__}.")
    if isinstance(value, Rational):  # also the integers of array libraries
        return Fraction(int(value.numerator), int(value.denominator))
    if not (value.is_finite() if isinstance(value, Decimal) else math.isfinite(value)):
        raise error(f"{what} is {shown(value)}. Give a finite number.")
    if isinstance(value, Decimal) and abs(value.adjusted()) > _LONGEST_EXPONENT:
        raise error(f"{what} is {shown(value)}, which is out of any range. Give a usual number.")
    return Fraction(str(value))


def _judged(
    found: Fraction, value: object, what: str, *, positive: bool, error: type[RateLimitError]
) -> Fraction:
    if found < 0:
        raise error(f"{what} is negative: {shown(value)}. Give zero or more.")
    if found == 0 and positive:
        raise error(f"{what} is zero. Give a number above zero.")
    return found


def _match(
    pattern: re.Pattern[str], text: str, what: str, wanted: str, error: type[RateLimitError]
) -> re.Match[str]:
    if not text.strip():
        raise error(f"{what} is empty. Write {wanted}.")
    if text.strip().lower().lstrip("+-") in {"nan", "inf", "infinity"}:
        raise error(f"{what} is {text.strip()}. Give a finite number.")
    match = pattern.fullmatch(text) if len(text) <= _LONGEST_TEXT else None
    if match is None:
        raise error(f"{what} cannot be read from {shown(text)}. Write {wanted}.")
    return match


def _unit(unit: str, text: str, what: str, error: type[RateLimitError]) -> Fraction:
    try:
        return _SECONDS[unit if unit in _SECONDS else unit.lower()]
    except KeyError:
        raise error(
            f"{what} is {shown(text)}, but {unit!r} is no unit of time. "
            "Use ns, us, ms, s, min, h, day or week."
        ) from None
