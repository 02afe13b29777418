"""Clocks of a server: the system's, or one that a test sets."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from fractions import Fraction
from typing import Final, Protocol

from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit import Duration
from hook_widgets.ratelimit.units import NS_PER_S, duration

_EPOCH_S: Final = Fraction(int(datetime(2026, 1, 5, 9, tzinfo=UTC).timestamp()))


class Clock(Protocol):
    """The time of a server.

    Attributes:
        epoch_s: when the clock shows 0, in seconds since 1970; for fields that tell a date.
    """

    epoch_s: Fraction

    def now(self) -> Fraction:
        """Return the seconds since the start, which never decrease."""

    def wait(self, seconds: Fraction) -> None:
        """Wait in the thread of a request.

        Args:
            seconds: how long.
        """


class SystemClock:
    """The system's monotonic clock, from 0 when it is created.

    Attributes:
        epoch_s: when that was, in seconds since 1970.
    """

    def __init__(self) -> None:
        self.epoch_s: Fraction = Fraction(time.time_ns(), NS_PER_S)
        self._start_ns = time.monotonic_ns()

    def now(self) -> Fraction:
        """Return the seconds since the start."""
        return Fraction(time.monotonic_ns() - self._start_ns, NS_PER_S)

    def wait(self, seconds: Fraction) -> None:
        """Wait in the thread of a request.

        Args:
            seconds: how long.
        """
        time.sleep(float(seconds))


class VirtualClock:
    """A clock that stands still until `advance` is called; nobody waits for it.

    Attributes:
        epoch_s: when it shows 0, in seconds since 1970: 9:00 UTC on Monday, 5 January 2026.

    >>> clock = VirtualClock()
    >>> clock.advance("1 min")
    >>> clock.now()
    Fraction(60, 1)
    """

    def __init__(self) -> None:
        self.epoch_s: Fraction = _EPOCH_S
        self._now = Fraction(0)

    def now(self) -> Fraction:
        """Return the seconds that it was advanced by."""
        return self._now

    def advance(self, seconds: Duration) -> None:
        """Move the time on.

        Args:
            seconds: by how much, in seconds or text such as ``"1 min"``.

        Raises:
            InvalidArrivals: that is no time, or negative.
        """
        self._now += duration(seconds, "seconds", positive=False, error=InvalidArrivals)

    def wait(self, seconds: Fraction) -> None:
        """Return at once; `LimitedServer.requests` tells how long each request would have waited.

        Args:
            seconds: how long.
        """
