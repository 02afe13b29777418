"""Parse numbers, rates and durations exactly.

A float denotes the shortest decimal that Python prints for it, so 0.1 is one tenth and not
3602879701896397/36028797018963968. Rates are tokens per second and durations are seconds unless the text
names another unit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import Any, Final, TypeAlias

from hook_widgets._arguments import several, shown
from hook_widgets.errors import InvalidLimit, LimitModelError
from hook_widgets.ratelimit.rate_text import (
    CALENDAR_DAYS,
    MAX_TEXT_LENGTH,
    UNITS_S,
    both_readings,
    nearest_form,
    number_advice,
    parse_duration,
    parse_number,
    parse_rate,
    rate_advice,
    window_advice,
    with_point,
)

Number: TypeAlias = int | float | Fraction | Decimal
"""A number of any type of the standard library."""

Quantity: TypeAlias = Number | str
"""A number, or text such as ``"100/s"``, ``"5000/hour"`` or ``"250 ms"``."""

Duration: TypeAlias = Quantity | timedelta
"""A number of seconds, text such as ``"250 ms"``, or a `datetime.timedelta`."""

NS_PER_S: Final = 1_000_000_000
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

_RATE_EXAMPLES: Final = "a rate such as '100/s', '20 rps', '5 rpm' or '72k/hour'"
_MAX_EXPONENT: Final = 999
_MAX_TERM: Final = 10 ** (_MAX_EXPONENT + 1)  # of a numerator or denominator
_MAX_PLAUSIBLE: Final = 10**15
_ROUNDING: Final = 2.5e-16  # the decimal of a double and a product of doubles are each off by at most 2^-53
_MAX_FLOAT_S: Final = 1e7  # from here on a double cannot resolve nanoseconds


def number(
    value: Quantity, name: str, *, positive: bool = False, error: type[LimitModelError] = InvalidLimit
) -> Fraction:
    """Parse a plain number exactly, also as text such as ``"1,000"`` or ``"10k"``.

    >>> number(0.1, "cushion"), number("10k", "the tokens")
    (Fraction(1, 10), Fraction(10000, 1))

    Args:
        value: the number.
        name: the name of the number, for the error message.
        positive: also reject zero.
        error: the class to raise.

    Raises:
        InvalidLimit: (or `error`) the value is empty, not a number, NaN, infinite or negative, or it is zero
            and `positive` is true.
    """
    parsed = _plain(value, name, "a number such as '100' or '2.5'", error)
    return _check_sign(parsed, value, name, positive=positive, error=error)


def real(
    value: Quantity, name: str, *, positive: bool = False, error: type[LimitModelError] = InvalidLimit
) -> float:
    """Parse a plain number with which floats compute.

    Raises:
        InvalidLimit: (or `error`) as raised by `number`, or the number is above 10^15.
    """
    parsed = number(value, name, positive=positive, error=error)
    if parsed > _MAX_PLAUSIBLE:
        raise _out_of_range(value, name, error)
    return float(parsed)


def whole(
    value: Quantity, name: str, *, positive: bool = False, error: type[LimitModelError] = InvalidLimit
) -> int:
    """Parse a non-negative whole number, such as a number of requests or places.

    Raises:
        InvalidLimit: (or `error`) as raised by `number`, or the value is not a whole number.
    """
    parsed = _plain(value, name, "a whole number such as '100'", error, lambda _: "")
    _check_sign(parsed, value, name, positive=positive, error=error, least="at least 1")
    if parsed.denominator != 1:
        raise error(f"must be a whole number, not {shown(value)}; round it to what you mean", subject=name)
    return parsed.numerator


def rate(
    value: Quantity, name: str, *, positive: bool = True, error: type[LimitModelError] = InvalidLimit
) -> Fraction:
    """Parse a rate and return it in events per second.

    >>> rate("5000/hour", "the limit")
    Fraction(25, 18)
    >>> rate("10 per minute", "the limit") == rate("10r/m", "the limit") == rate("10 rpm", "the limit")
    True
    >>> rate("72k/hour", "the limit") == rate("20 rps", "the limit"), rate("8.64M/day", "the limit")
    (True, Fraction(100, 1))

    Raises:
        InvalidLimit: (or `error`) as raised by `number`, or the unit of time is unknown.
    """
    quota, window_s = quota_and_window(value, name, positive=positive, error=error)
    return quota / window_s


def quota_and_window(
    value: Quantity, name: str, *, positive: bool = True, error: type[LimitModelError] = InvalidLimit
) -> tuple[Fraction, Fraction]:
    """Parse a rate and return its number of events, and the seconds in which they may occur.

    >>> quota_and_window("5 rpm", "the limit"), quota_and_window("72k/hour", "the limit")
    ((Fraction(5, 1), Fraction(60, 1)), (Fraction(72000, 1), Fraction(3600, 1)))

    Raises:
        InvalidLimit: (or `error`) as raised by `rate`.
    """
    if not isinstance(value, str) or parse_number(value) is not None:
        return number(value, name, positive=positive, error=error), Fraction(1)
    parsed = parse_rate(value) if len(value) <= MAX_TEXT_LENGTH else None
    if parsed is None:
        raise _unreadable(value, name, _RATE_EXAMPLES, error, rate_advice)
    quota, count, unit = parsed
    window_s = count * _unit(unit, value, name, error)
    if window_s <= 0:
        raise error(f"is {value!r}, which has no duration; write a rate such as '100/s'", subject=name)
    return _check_sign(quota, value, name, positive=positive, error=error), window_s


def duration(
    value: Duration, name: str, *, positive: bool = True, error: type[LimitModelError] = InvalidLimit
) -> Fraction:
    """Parse a duration and return it in seconds.

    >>> duration("250 ms", "the window") == duration(timedelta(milliseconds=250), "the window")
    True
    >>> duration("1h 30min", "the window")
    Fraction(5400, 1)

    Raises:
        InvalidLimit: (or `error`) as raised by `number`, or the unit is unknown.
    """
    if isinstance(value, timedelta):
        return _check_sign(exact_seconds(value), value, name, positive=positive, error=error)
    if not isinstance(value, str):
        return number(value, name, positive=positive, error=error)
    parts = parse_duration(value) if len(value) <= MAX_TEXT_LENGTH else None
    if parts is None:
        raise _unreadable(value, name, "a time such as '250 ms', '10 s' or '1 hour'", error, _duration_advice)
    seconds = sum((count * _unit(unit or "s", value, name, error) for count, unit in parts), Fraction(0))
    return _check_sign(seconds, value, name, positive=positive, error=error)


def share(value: Quantity, name: str) -> Fraction:
    """Parse a fraction of one, such as 0.15 or ``"15%"``.

    Raises:
        InvalidLimit: as raised by `number`.
    """
    parsed = _share(value) if isinstance(value, str) else _exact(value, name, InvalidLimit)
    if parsed is None:
        raise _unreadable(str(value), name, "a share such as '0.15' or '15%'", InvalidLimit, _share_advice)
    check_plausible(parsed, value, name)
    return _check_sign(parsed, value, name, positive=False, error=InvalidLimit)


def exact_seconds(span: timedelta) -> Fraction:
    """Return the length of a `datetime.timedelta` in seconds."""
    return Fraction(span // timedelta(microseconds=1), 1_000_000)


def check_plausible(
    parsed: Fraction | int, value: Duration, name: str, *, error: type[LimitModelError] = InvalidLimit
) -> None:
    """Reject implausible numbers, for which floats are too coarse and loops over a count never finish.

    Raises:
        InvalidLimit: (or `error`) the number is above 10^15, or between zero and 10^-15.
    """
    if parsed > _MAX_PLAUSIBLE or 0 < parsed < Fraction(1, _MAX_PLAUSIBLE):
        raise _out_of_range(value, name, error)


def nanoseconds(seconds: Fraction) -> int:
    """Round to the nearest whole nanosecond, ties to even."""
    return round(seconds * NS_PER_S)


def all_nanoseconds(
    values: Iterable[Duration], name: str, *, error: type[LimitModelError] = InvalidLimit
) -> list[int]:
    """Parse non-negative times in seconds and round each to the nearest whole nanosecond.

    Raises:
        InvalidLimit: (or `error`) as raised by `duration`, or a time is above 10^15; the message names the
            index of the time, from 0.
    """
    several(values, name, error)
    times_ns = []
    has_list = hasattr(values, "tolist") and not _is_numpy_time(values)
    for i, value in enumerate(values.tolist() if has_list else values):  # type: ignore[attr-defined]
        if type(value) is float and 0.0 <= value < _MAX_FLOAT_S:
            product = value * 1e9
            nearest = round(product)
            if abs(product - nearest) < 0.5 - product * _ROUNDING:  # possible ties need the exact decimal
                times_ns.append(nearest)
                continue
        seconds = duration(value, f"{name} {i}", positive=False, error=error)
        if seconds > _MAX_PLAUSIBLE:
            raise _out_of_range(value, f"{name} {i}", error)
        times_ns.append(nanoseconds(seconds))
    return times_ns


def _exact(value: object, name: str, error: type[LimitModelError]) -> Fraction:
    if isinstance(value, datetime):
        raise error("is a date; give seconds, and dates to Arrivals.from_datetimes", subject=name)
    if isinstance(value, bool) or not isinstance(value, Real | Decimal):
        raise error(f"must be a number or text such as '100/s', not {type(value).__name__}", subject=name)
    if _is_numpy_time(value):  # whose unit int() loses
        raise error(f"is a {type(value).__name__} of numpy; give seconds", subject=name)
    if isinstance(value, Rational):  # includes the integers of array libraries
        exact = Fraction(int(value.numerator), int(value.denominator))
    elif not (value.is_finite() if isinstance(value, Decimal) else math.isfinite(value)):
        raise error(f"is {shown(value)}; give a finite number", subject=name)
    elif isinstance(value, Decimal):
        if abs(value.adjusted()) > _MAX_EXPONENT:
            raise _out_of_range(value, name, error)
        exact = Fraction(value)
    else:
        exact = Fraction(str(value))
    if max(abs(exact.numerator), exact.denominator) > _MAX_TERM:
        raise _out_of_range(value, name, error)
    return exact


def _is_numpy_time(value: object) -> bool:
    return getattr(getattr(value, "dtype", None), "kind", "") in ("m", "M")


def _out_of_range(value: object, name: str, error: type[LimitModelError]) -> LimitModelError:
    return error(f"is {shown(value)}, which is out of range; give a plausible number", subject=name)


def _plain(
    value: Quantity,
    name: str,
    expected: str,
    error: type[LimitModelError],
    advice_on: Callable[[str], str] = number_advice,
) -> Fraction:
    if not isinstance(value, str):
        return _exact(value, name, error)
    parsed = parse_number(value)
    if parsed is not None and parsed < 1000 and (readings := both_readings(value.strip())):
        raise error(f"is {value!r}, which may mean {' or '.join(readings)}; write one of them", subject=name)
    if parsed is None:
        raise _unreadable(value, name, expected, error, advice_on)
    return parsed


def _check_sign(
    parsed: Fraction,
    value: object,
    name: str,
    *,
    positive: bool,
    error: type[LimitModelError],
    least: str = "a number above zero",
) -> Fraction:
    if parsed < 0:
        raise error(
            f"is negative: {shown(value)}; give {least if positive else 'zero or more'}", subject=name
        )
    if parsed == 0 and positive:
        raise error(f"is zero; give {least}", subject=name)
    return parsed


def _unreadable(
    text: str,
    name: str,
    expected: str,
    error: type[LimitModelError],
    advice_on: Callable[[str], str],
) -> LimitModelError:
    if not text.strip():
        return error(f"is empty; write {expected}", subject=name)
    if text.strip().lower().lstrip("+-") in {"nan", "inf", "infinity"}:
        return error(f"is {text.strip()}; give a finite number", subject=name)
    advice = advice_on(text) if len(text) <= MAX_TEXT_LENGTH else ""
    return error(f"cannot be read from {shown(text)}; {advice or f'write {expected}'}", subject=name)


def _share(text: str) -> Fraction | None:
    plain = text.rstrip()
    if not plain.endswith(("%", "％")):
        return parse_number(plain)
    percent = parse_number(plain[:-1])
    return None if percent is None else percent / 100


def _share_advice(text: str) -> str:
    point = with_point(text.strip())
    return f"write {point!r}, with a decimal point" if _share(point) is not None else ""


def _duration_advice(text: str) -> str:
    if (rated := parse_rate(text)) and rated[0] != 1:
        return "a rate is no time; write a time such as '250 ms', '10 s' or '1 hour'"
    point = with_point(text.strip())
    if point != text.strip() and parse_duration(point):
        return f"write {point!r}, with a decimal point"
    return window_advice(text, rate=False)


def _unit(unit: str, text: str, name: str, error: type[LimitModelError]) -> Fraction:
    if unit == "M":
        raise error(
            f"is {shown(text)}, but 'M' may mean minutes or months; write min or 30 day", subject=name
        )
    try:
        return UNITS_S[unit if unit in UNITS_S else unit.lower()]
    except KeyError:
        cause = "has no fixed length" if unit.lower() in CALENDAR_DAYS else "is no unit of time"
        advice = nearest_form(text, rate=parse_duration(text) is None)
        raise error(
            f"is {shown(text)}, but {unit!r} {cause}; "
            + (advice or "use ns, us, ms, s, min, h, day or week"),
            subject=name,
        ) from None


def int64(values: Sequence[int]) -> Any:
    """Return a numpy array of these integers."""
    import numpy

    return numpy.fromiter(values, numpy.int64, len(values))
