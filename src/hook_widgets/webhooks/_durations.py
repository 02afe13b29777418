"""Durations: numbers of seconds, or `datetime.timedelta`."""

from __future__ import annotations

import math
from datetime import timedelta
from decimal import Decimal
from numbers import Real


def seconds(duration: object) -> float:
    """Return a duration in seconds; NaN, which no check of a range lets pass, if it is no number.

    >>> seconds(timedelta(minutes=5)), seconds(2.5)
    (300.0, 2.5)
    """
    if isinstance(duration, timedelta):
        return duration.total_seconds()
    try:
        return float(duration) if isinstance(duration, Real | Decimal) else math.nan
    except (OverflowError, TypeError, ValueError):  # no float is as large; a signaling NaN
        return math.nan
