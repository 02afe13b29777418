"""Durations: numbers of seconds, or `datetime.timedelta`."""

from __future__ import annotations

from datetime import timedelta


def seconds(duration: float | timedelta) -> float:
    """Return a duration in seconds.

    >>> seconds(timedelta(minutes=5)), seconds(2.5)
    (300.0, 2.5)
    """
    return duration.total_seconds() if isinstance(duration, timedelta) else duration
