"""When requests come: patterns, times of one's own, access logs.

Times are whole nanoseconds from the start of the run. Random ones come from a generator of their own, so that
a seed gives the same traffic everywhere.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import islice, pairwise
from operator import le
from os import PathLike
from typing import Any, Final

from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit import accesslog, compiled
from hook_widgets.ratelimit.quantity import (
    NS_PER_S,
    Number,
    Quantity,
    all_nanoseconds,
    duration,
    nanoseconds,
    number,
    rate,
    whole,
)

MOST_ARRIVALS: Final = 20_000_000
"""A pattern that would make more is taken for a slip of the pen; it would also need gigabytes."""


@dataclass(frozen=True, eq=True)
class Arrivals:
    """Times of requests, never falling.

    Attributes:
        times_ns: the times in whole nanoseconds.
        pattern: what they follow, for pictures and tables.

    >>> Arrivals.steady("10/s", 0.5).times_s
    (0.0, 0.1, 0.2, 0.3, 0.4)
    """

    times_ns: tuple[int, ...] = field(repr=False)
    pattern: str = field(default="times of your own", compare=False)

    def __post_init__(self) -> None:
        if self.times_ns and self.times_ns[0] < 0:
            raise InvalidArrivals("A time is negative. A run starts at 0: add what is missing to every time.")
        if not all(map(le, self.times_ns, islice(self.times_ns, 1, None))):
            i = next(i for i, (a, b) in enumerate(pairwise(self.times_ns), 1) if b < a)
            raise InvalidArrivals(
                f"Time {i} ({self.times_ns[i] / NS_PER_S} s) lies before the one in front of it "
                f"({self.times_ns[i - 1] / NS_PER_S} s). Sort the times."
            )

    def __len__(self) -> int:
        return len(self.times_ns)

    def __iter__(self) -> Iterator[float]:
        return iter(self.times_s)

    @cached_property
    def times_s(self) -> tuple[float, ...]:
        """The times in seconds."""
        return tuple(ns / NS_PER_S for ns in self.times_ns)

    @cached_property
    def _int64(self) -> Any:
        """The times as an array, for the compiled loops."""
        return compiled.int64(self.times_ns)

    @classmethod
    def from_times(cls, times_s: Iterable[Quantity]) -> Arrivals:
        """Times in seconds, never falling, taken to the nearest nanosecond.

        Args:
            times_s: the times, as numbers or text.

        Raises:
            InvalidArrivals: a time is no number, NaN, infinite, negative, or before the one in front of it.
        """
        return cls(tuple(all_nanoseconds(times_s, "Time", error=InvalidArrivals)))

    @classmethod
    def from_log(
        cls, path: str | PathLike[str], *, column: str | None = None, origin: str = "midnight"
    ) -> Arrivals:
        """Times from an access log (common or combined), a CSV file with a header, or JSON lines.

        The kind is told by the first line. Lines are sorted by time: servers write them when they are done.

        Args:
            path: the file, UTF-8.
            column: CSV column or JSON key of the time; found by its usual names when left out. It holds
                seconds or ISO 8601 text (without an offset, UTC).
            origin: time 0 of calendar times: ``"midnight"`` (UTC, of the first day: windows on the clock then
                lie where they lay) or ``"first"`` (the first request).

        Raises:
            InvalidArrivals: the file cannot be read; the text names the line.
        """
        return cls(accesslog.read(path, column=column, origin=origin), f"log {path}")

    @classmethod
    def steady(cls, rate_per_s: Quantity, duration_s: Quantity, *, start_s: Quantity = 0) -> Arrivals:
        """Requests at equal distances, the first at the start.

        The distance is rounded up to a whole nanosecond, so that the client is never early.

        Args:
            rate_per_s: how many a second, or text such as ``"90/min"``.
            duration_s: for how long, in seconds or text.
            start_s: when the first one comes.

        Raises:
            InvalidArrivals: a rate or time that cannot be.
        """
        per_s, span, start = _rate(rate_per_s), _span(duration_s), _instant(start_s)
        gap = math.ceil(NS_PER_S / per_s)
        _check_count(per_s * span)
        return cls(tuple(range(start, start + math.ceil(span * NS_PER_S), gap)), f"steady {float(per_s):g}/s")

    @classmethod
    def poisson(cls, rate_per_s: Quantity, duration_s: Quantity, *, seed: int = 0) -> Arrivals:
        """Independent requests at a mean rate: many clients that do not know of each other.

        Args:
            rate_per_s: how many a second on average, or text such as ``"90/min"``.
            duration_s: for how long, in seconds or text.
            seed: the same seed gives the same times.

        Raises:
            InvalidArrivals: a rate or time that cannot be.
        """
        per_s, span = _rate(rate_per_s), _span(duration_s)
        mean = float(per_s)
        return _thinned(lambda _: mean, per_s, span, seed, f"Poisson {mean:g}/s")

    @classmethod
    def bursts(
        cls,
        size: Quantity,
        every_s: Quantity,
        duration_s: Quantity,
        *,
        spread_s: Quantity = 0,
        seed: int = 0,
    ) -> Arrivals:
        """`size` requests at the start and again after every `every_s`, all at once or spread at random.

        Args:
            size: requests in each burst.
            every_s: from one burst to the next, in seconds or text.
            duration_s: for how long, in seconds or text.
            spread_s: the time within which those of a burst come; 0 for all at once.
            seed: the same seed gives the same times.

        Raises:
            InvalidArrivals: a number or time that cannot be.
        """
        count = whole(size, "size", error=InvalidArrivals)
        every, span, spread = _span(every_s, "every_s"), _span(duration_s), _instant(spread_s, "spread_s")
        _check_count(count * (span / every + 1))
        rng = random.Random(seed)
        starts = [nanoseconds(k * every) for k in range(math.ceil(span / every))]
        times = [
            start + (int(rng.random() * spread) if spread else 0) for start in starts for _ in range(count)
        ]
        return cls(tuple(sorted(times)), f"bursts of {count} every {float(every):g} s")

    @classmethod
    def on_off(
        cls,
        rate_per_s: Quantity,
        on_s: Quantity,
        off_s: Quantity,
        duration_s: Quantity,
        *,
        even: bool = False,
        seed: int = 0,
    ) -> Arrivals:
        """Requests at a rate for `on_s`, then none for `off_s`, and so on; begins with requests.

        Args:
            rate_per_s: the rate while there are any.
            on_s: how long requests come.
            off_s: how long none come.
            duration_s: how long it all lasts.
            even: at equal distances from the start of each phase, instead of at random.
            seed: of the random times.

        Raises:
            InvalidArrivals: a rate or time that cannot be.
        """
        per_s, on, off, span = (
            _rate(rate_per_s),
            _span(on_s, "on_s"),
            _instant(off_s, "off_s"),
            _span(duration_s),
        )
        period = max(nanoseconds(on) + off, 1)
        mean = float(per_s)
        pattern = f"{mean:g}/s for {float(on):g} s, then {off / NS_PER_S:g} s off"
        _check_count(per_s * span)
        phases = range(0, math.ceil(span * NS_PER_S), period)
        rng = random.Random(seed)
        once = cls.steady(per_s, on).times_ns
        end = math.ceil(span * NS_PER_S)
        times = [
            phase + t
            for phase in phases
            for t in (once if even else _poisson_ns(rng, lambda _: mean, per_s, on))
            if phase + t < end
        ]
        return cls(tuple(times), pattern)

    @classmethod
    def ramp(
        cls, from_per_s: Quantity, to_per_s: Quantity, duration_s: Quantity, *, seed: int = 0
    ) -> Arrivals:
        """Independent requests whose rate goes evenly from one value to another.

        Args:
            from_per_s: the rate at first.
            to_per_s: the rate at the end.
            duration_s: from one to the other, in seconds or text.
            seed: the same seed gives the same times.

        Raises:
            InvalidArrivals: a rate or time that cannot be.
        """
        begin = rate(from_per_s, "from_per_s", positive=False, error=InvalidArrivals)
        end = rate(to_per_s, "to_per_s", positive=False, error=InvalidArrivals)
        span = _span(duration_s)
        at_first, slope = float(begin), float((end - begin) / span)
        return _thinned(
            lambda t: at_first + slope * t,
            max(begin, end),
            span,
            seed,
            f"ramp {float(begin):g} to {float(end):g}/s",
        )

    @classmethod
    def diurnal(
        cls,
        mean_per_s: Quantity,
        duration_s: Quantity,
        *,
        swing: Number = 0.8,
        period_s: Quantity = "1 day",
        seed: int = 0,
    ) -> Arrivals:
        """Independent requests whose rate follows the day as a sine, lowest at the start.

        Args:
            mean_per_s: the mean rate.
            duration_s: how long it lasts.
            swing: how far the rate goes above and below the mean, as a part of it, at most 1.
            period_s: the length of a day.
            seed: of the random times.

        Raises:
            InvalidArrivals: a number, rate or time that cannot be.
        """
        mean, span, period = _rate(mean_per_s, "mean_per_s"), _span(duration_s), _span(period_s, "period_s")
        part = number(swing, "swing", error=InvalidArrivals)
        if part > 1:
            raise InvalidArrivals(
                f"swing is {swing}, which makes rates negative. Give a part of the mean, 0 to 1."
            )
        middle, depth, turn = float(mean), float(part), 2 * math.pi / float(period)
        return _thinned(
            lambda t: middle * (1 - depth * math.cos(turn * t)),
            mean * (1 + part),
            span,
            seed,
            f"daily wave around {middle:g}/s",
        )


def _thinned(
    rate_at: Callable[[float], float], highest: Fraction, span: Fraction, seed: int, pattern: str
) -> Arrivals:
    _check_count(highest * span)
    return Arrivals(tuple(_poisson_ns(random.Random(seed), rate_at, highest, span)), pattern)


def _poisson_ns(
    rng: random.Random, rate_at: Callable[[float], float], highest: Fraction, span: Fraction
) -> Iterator[int]:
    """A Poisson process of a rate that may change: one of the highest rate, thinned (Lewis and Shedler)."""
    top, end, t = float(highest), float(span), 0.0
    if not top:
        return
    rnd, log = rng.random, math.log
    while (t := t - log(1.0 - rnd()) / top) < end:  # as rng.expovariate(top) does
        if rnd() * top < rate_at(t):
            yield int(t * NS_PER_S)


def _rate(value: Quantity, what: str = "rate_per_s") -> Fraction:
    return rate(value, what, error=InvalidArrivals)


def _span(value: Quantity, what: str = "duration_s") -> Fraction:
    return duration(value, what, error=InvalidArrivals)


def _instant(value: Quantity, what: str = "start_s") -> int:
    return nanoseconds(duration(value, what, positive=False, error=InvalidArrivals))


def _check_count(expected: Fraction) -> None:
    if expected > MOST_ARRIVALS:
        raise InvalidArrivals(
            f"That would be about {float(expected):.3g} requests; {MOST_ARRIVALS:,} is the most. "
            "Lower the rate or shorten the time."
        )
