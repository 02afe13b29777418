"""Format numbers, durations and rates for display.

One style for all sentences, cards and tables: a unit that keeps the number between 1 and 1000 where there is
one (``11.8 ms``), a space before a unit, none before the percent sign (``15%``).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

from hook_widgets.ratelimit.units import Number

_SPANS = ((86_400, "d", "day"), (3600, "h", "hour"), (60, "min", "minute"), (1, "s", "second"))
_BELOW_A_MINUTE = (  # least, unit, its size
    (Fraction(1), "s", Fraction(1)),
    (Fraction(1, 1000), "ms", Fraction(1, 1000)),
    (Fraction(1, 10**15), "µs", Fraction(1, 10**6)),
    (Fraction(0), "s", Fraction(1)),
)
_TOLERANCE = Fraction(1, 10**9)  # float errors in the last digit are not rounded up
_DEFAULT_DIGITS = 3
_MIN_DECIMAL = 0.0001  # smaller numbers would need an exponent


def short(value: Number, *, digits: int = _DEFAULT_DIGITS) -> str:
    """Format a whole number with thousands separators, and other numbers to `digits` significant digits.

    >>> short(10_000), short(0.23611111), short(Fraction(850)), short(1e-9)
    ('10,000', '0.236', '850', 'under 0.0001')
    """
    if isinstance(value, float) and math.isinf(value):
        return "without end"
    exact = Fraction(value)
    if exact.denominator == 1 or abs(exact) >= 10 ** (digits - 1):
        return f"{round(exact):,}"
    if 0 < exact < _MIN_DECIMAL and digits == _DEFAULT_DIGITS:
        return f"under {_MIN_DECIMAL}"
    return f"{float(exact):,.{digits}g}"


def seconds(span_s: Number) -> str:
    """Format a duration in its two largest units, rounded up so that a client that waits is never early.

    >>> seconds(90), seconds(7200), seconds(50.8235), seconds(0.25), seconds(0.01176), seconds(0.0000472)
    ('1 min 30 s', '2 h', '50.9 s', '250 ms', '11.8 ms', '47.2 µs')
    """
    if isinstance(span_s, float) and math.isinf(span_s):
        return "without end"
    exact = Fraction(span_s)
    if exact < 60:
        exact = _three_digits(exact, math.ceil)
        sub, unit_s = next((sub, unit_s) for least, sub, unit_s in _BELOW_A_MINUTE if exact >= least)
        return f"{short(exact / unit_s)} {sub}"
    smaller = next(small for (large, *_), (small, *_) in pairwise(_SPANS) if exact >= large)
    remainder, parts = math.ceil((exact - _TOLERANCE) / smaller) * smaller, []
    for size, unit, _ in _SPANS:
        number, remainder = divmod(remainder, size)
        if number:
            parts.append(f"{number:,} {unit}")
    return " ".join(parts)


def window(span_s: Number) -> str:
    """Format the window of a quota, to follow the quota in a sentence.

    >>> window(3600), window(10)
    ('per hour', 'in 10 s')
    """
    name = _name(span_s)
    return f"per {name}" if name else f"in {seconds(span_s)}"


def span(span_s: Number) -> str:
    """Format the length of a window: the name of its unit, or else a duration.

    >>> span(60), span(90)
    ('minute', '1 min 30 s')
    """
    return _name(span_s) or seconds(span_s)


def any_window(span_s: Number) -> str:
    """Format a window at any time, such as "in any minute".

    >>> any_window(60)
    'in any minute'
    """
    return f"in any {span(span_s)}"


def _name(span_s: Number) -> str:
    return next((name for size, _, name in _SPANS if size == span_s), "")


def rate(per_s: Number, *, window_s: Number = 0, rounding: Callable[[Fraction], int] = math.floor) -> str:
    """Format a rate, in the unit of the window if that has a name, otherwise in one with a short number.

    Args:
        per_s: the rate per second.
        window_s: the window.
        rounding: by default down, so that a client that sends at it is never too fast; `math.ceil` for a
            limit that must suffice, `round` for traffic as it is.

    >>> rate(Fraction(1999, 7)), rate(Fraction(1999, 7), rounding=math.ceil)
    ('285/s', '286/s')
    >>> rate(100), rate(8.5), rate(Fraction(850, 3600)), rate(Fraction(17, 6), window_s=3600)
    ('100/s', '8.5/s', '850/h', '10,200/h')
    """
    rates = [(Fraction(per_s) * size, unit) for size, unit, _ in reversed(_SPANS)]
    large = [(value, unit) for value, unit in rates if value >= 1] or rates[-1:]
    short_ones = [(value, unit) for value, unit in large if (value * 10).denominator == 1 and unit != "d"]
    value, unit = [*short_ones, large[0]][0]
    for size, short_name, _ in _SPANS:
        if size == window_s:
            value, unit = Fraction(per_s) * size, short_name
    return f"{short(_three_digits(value, rounding))}/{unit}"


def percent(share: Number, *, down: bool = False) -> str:
    """Format a fraction of one as a percentage; only the whole is 100%.

    Args:
        share: the fraction.
        down: round down, as after "at least".

    >>> percent(0.15), percent(Fraction(2, 3)), percent(Fraction(2, 3), down=True)
    ('15%', '66.7%', '66.6%')
    >>> percent(1e-9), percent(0.99999)
    ('under 0.001%', 'over 99.9%')
    >>> percent(0.99999, down=True)
    '99.9%'
    """
    if 0 < share < 1e-5:
        return "under 0.001%"
    if 0.9995 <= share < 1:
        return "99.9%" if down else "over 99.9%"
    value = share * 100
    return f"{short(_three_digits(Fraction(value), math.floor) if down else value)}%"


def count(number: Number, one: str, many: str = "") -> str:
    """Format a number with the singular or plural of a noun.

    >>> count(1, "call"), count(1200, "request"), count(2, "retry", "retries")
    ('1 call', '1,200 requests', '2 retries')
    """
    return f"{short(number)} {one if number == 1 else many or one + 's'}"


def _three_digits(value: Fraction, rounding: Callable[[Fraction], int]) -> Fraction:
    """Round to three significant digits, or to a whole number if that has more."""
    if not value:
        return value
    step = Fraction(10) ** min(math.floor(math.log10(value)) - _DEFAULT_DIGITS + 1, 0)
    tolerance = -_TOLERANCE if rounding is math.ceil else _TOLERANCE
    return rounding(value / step + tolerance) * step
