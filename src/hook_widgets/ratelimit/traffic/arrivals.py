"""Arrival times of requests: patterns, given times, access logs.

Times are whole nanoseconds from the start of the run. Random times come from a separate generator, so a seed
gives the same traffic everywhere.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from itertools import islice, pairwise
from operator import index, le
from os import PathLike
from typing import TYPE_CHECKING, Any, Final, overload

from hook_widgets._arguments import shown
from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit.units import (
    NS_PER_S,
    Duration,
    Number,
    Quantity,
    all_nanoseconds,
    check_plausible,
    duration,
    int64,
    nanoseconds,
    number,
    rate,
    whole,
)

if TYPE_CHECKING:
    from hook_widgets.ratelimit.traffic.access_log import LogNotes

LATEST_NS: Final = 10**24
"""Latest time of a request; later ones overflow a float of seconds, or are a mistake."""

MAX_ARRIVALS: Final = 20_000_000
"""Upper bound; larger patterns are almost certainly a typo and would need gigabytes."""


@dataclass(frozen=True, eq=True)
class Arrivals:
    """Arrival times of requests, non-decreasing.

    Attributes:
        times_ns: the times in whole nanoseconds.
        pattern: description of the pattern, for plots and tables.
        log: what was read, and how, if the times are those of a log.
        durations_ns: how long each request was in flight, if that is in the log; else empty.

    >>> Arrivals.steady("10/s", 0.5).times_s
    (0.0, 0.1, 0.2, 0.3, 0.4)
    """

    times_ns: tuple[int, ...] = field(repr=False)
    pattern: str = field(default="times of your own", compare=False)
    log: LogNotes | None = field(default=None, compare=False, repr=False)
    durations_ns: tuple[int, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        for name, values in (("times_ns", self.times_ns), ("durations_ns", self.durations_ns)):
            if isinstance(values, str | Mapping) or not hasattr(values, "__getitem__"):
                raise InvalidArrivals(f"{name} is {shown(values)}; give whole nanoseconds in a tuple")
        if self.times_ns and self.times_ns[0] < 0:
            raise InvalidArrivals(
                "a time is negative; add what is missing to every time, so that the run starts at 0"
            )
        if self.durations_ns and len(self.durations_ns) != len(self.times_ns):
            raise InvalidArrivals("durations and times differ in number; give one duration for each time")
        in_order = all(map(le, self.times_ns, islice(self.times_ns, 1, None)))
        if self.times_ns and (self.times_ns[-1] if in_order else max(self.times_ns)) > LATEST_NS:
            raise InvalidArrivals("a time is out of range; give a plausible number of seconds")
        if not in_order:
            i = next(i for i, (a, b) in enumerate(pairwise(self.times_ns), 1) if b < a)
            raise InvalidArrivals(
                f"time {i} ({self.times_ns[i] / NS_PER_S} s) is earlier than the one before it "
                f"({self.times_ns[i - 1] / NS_PER_S} s); sort the times"
            )

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Return the times as a tuple, which arrivals created from an array make when it is needed."""
            if name != "times_ns" or "_int64" not in self.__dict__:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            return self.__dict__.setdefault(name, tuple(self._int64.tolist()))

    def __len__(self) -> int:
        return len(self.__dict__.get("_int64", ())) or len(self.times_ns)

    @overload
    def __getitem__(self, i: int, /) -> float: ...

    @overload
    def __getitem__(self, i: slice, /) -> Arrivals: ...

    def __getitem__(self, i: int | slice, /) -> float | Arrivals:
        """Return the time of a request in seconds, or for a slice those requests at their times."""
        if isinstance(i, slice):
            part = Arrivals.from_ns(self._int64[i] if "times_ns" not in self.__dict__ else self.times_ns[i])
            part.__dict__.update(pattern=self.pattern, durations_ns=self.durations_ns[i])
            return part
        return self.times_ns[i] / NS_PER_S

    def __add__(self, other: Arrivals) -> Arrivals:
        """Return the requests of both, merged by time; of simultaneous ones, those of the left first.

        >>> (Arrivals.from_times([0, 2]) + Arrivals.from_times([1])).times_s
        (0.0, 1.0, 2.0)
        """
        if not isinstance(other, Arrivals):
            return NotImplemented
        times_ns = self.times_ns + other.times_ns
        order = sorted(range(len(times_ns)), key=times_ns.__getitem__)
        known = self.durations_ns and other.durations_ns
        durations_ns = self.durations_ns + other.durations_ns if known else ()
        patterns = dict.fromkeys((self.pattern, other.pattern))
        return Arrivals(
            tuple(times_ns[i] for i in order),
            " + ".join(patterns),
            durations_ns=tuple(durations_ns[i] for i in order) if durations_ns else (),
        )

    def __iter__(self) -> Iterator[float]:
        return iter(self.times_s)

    @cached_property
    def times_s(self) -> tuple[float, ...]:
        """Arrival times in seconds."""
        return tuple(ns / NS_PER_S for ns in self.times_ns)

    @property
    def _last_ns(self) -> int:
        """The latest time; 0 if there is none."""
        if not len(self):
            return 0
        of_array = "times_ns" not in self.__dict__
        return int(self._int64[-1]) if of_array else self.times_ns[-1]

    @cached_property
    def _int64(self) -> Any:
        """Arrival times as a NumPy array, for the compiled loops."""
        return int64(self.times_ns)

    @classmethod
    def from_times(cls, times_s: Iterable[Duration]) -> Arrivals:
        """Create arrivals from non-decreasing times in seconds, rounded to the nearest nanosecond.

        Args:
            times_s: the times, as numbers or text.

        Raises:
            InvalidArrivals: a time is no number, NaN, infinite, negative, or earlier than its predecessor.
        """
        return cls(tuple(all_nanoseconds(times_s, "time", error=InvalidArrivals)))

    @classmethod
    def from_ns(cls, times_ns: Iterable[int]) -> Arrivals:
        """Create arrivals from non-decreasing times in whole nanoseconds.

        A NumPy array of 64-bit integers is kept as it is, 8 bytes for each request instead of 40. It must not
        change afterwards.

        Args:
            times_ns: the times.

        Raises:
            InvalidArrivals: a time is no integer, negative, or earlier than its predecessor.

        >>> Arrivals.from_ns([0, 500_000_000]).times_s
        (0.0, 0.5)
        """
        if str(getattr(times_ns, "dtype", "")) == "int64" and getattr(times_ns, "ndim", 0) == 1:
            array: Any = times_ns
            if not len(array) or (array[0] >= 0 and bool((array[1:] >= array[:-1]).all())):
                arrivals = object.__new__(cls)
                arrivals.__dict__.update(_int64=array, pattern="times of your own")
                return arrivals
        try:
            return cls(tuple(map(index, times_ns)))
        except TypeError:
            raise InvalidArrivals("a time is no integer; give whole nanoseconds") from None

    @classmethod
    def from_datetimes(cls, moments: Iterable[Any], *, origin: str | datetime = "midnight") -> Arrivals:
        """Create arrivals from non-decreasing dates with a time zone, to the nanosecond.

        Args:
            moments: aware `datetime.datetime` objects, or a `DatetimeIndex` or `Series` of pandas with a time
                zone.
            origin: time 0, as for `from_log`: ``"midnight"`` (of the first day in UTC), ``"first"``, or a
                date.

        Raises:
            InvalidArrivals: there is something else, a date without a time zone, or one that is earlier than
                its predecessor.

        >>> from datetime import UTC, datetime
        >>> Arrivals.from_datetimes([datetime(2026, 1, 5, 9, tzinfo=UTC)]).times_s
        (32400.0,)
        """
        from hook_widgets.ratelimit.traffic import access_log

        epochs_ns = [access_log.epoch_ns(moment, f"moment {i}") for i, moment in enumerate(moments)]
        start = access_log.start_ns(origin, min(epochs_ns, default=0))
        return cls(tuple(t - start for t in epochs_ns), "dates")

    @classmethod
    def from_log(
        cls,
        path: str | PathLike[str],
        *,
        column: str | None = None,
        origin: str | datetime = "midnight",
        spread: str = "even",
        seed: int = 0,
        duration: str | None = None,
        duration_unit: str | None = None,
        max_skipped: float = 0.5,
    ) -> Arrivals:
        """Read the times of an access log, of columns with a header, or of JSON lines; also in gzip or zstd.

        The form is detected from the lines: common and combined, HAProxy, Envoy, Traefik, Squid and
        Application Load Balancer, W3C extended (CloudFront, IIS), CSV with comma, semicolon, tab or bar,
        columns with blanks between them or with labels (LTSV), known columns without a header (CloudFront,
        Vegeta, IIS), JSON (Caddy, Traefik, nginx), also behind what syslog or a container writes before it,
        or as one record or list (HAR, CloudTrail), or as lists of log records (OpenTelemetry). Of several
        lines about a request, as of Rails and of Kubernetes' audit, one counts; messages beside requests do
        not. Times of syslog without a year are in some year in which they are in order; times of day without
        a date count from the midnight before the first. Lines end with CR, LF or both. They are sorted by
        time, because servers log a request only when it is completed; where a log has ends and durations, the
        times are the begins, and a `Concurrency` limit takes the durations.
        The attribute `log` tells what was read, and which lines were not.

        Args:
            path: the file, UTF-8.
            column: column or JSON key (or path of keys, such as ``"http.time"``) of the time; by default
                chosen by the values. It holds dates with times (UTC if without an offset), seconds (or the
                unit of its name, as of ``time_ms``), or the time since 1970 in s, ms, us or ns, up to 2286.
            origin: time 0 of calendar times: ``"midnight"`` (of the first day in UTC, which preserves the
                position of windows aligned to the clock), ``"first"`` (the first request), or a date with a
                time zone, the same for each file of a longer log.
            spread: times of requests within a whole second, or a minute if the times end with the minutes:
                ``"even"``, ``"random"``, or ``"none"`` for all at its begin. The pattern of the arrivals
                tells if any was moved.
            seed: seed of random times.
            duration: column or key of the duration if the times are those of the ends, ``"last"`` for the
                last field of a line of text, ``""`` for none; by default one of which the unit is known.
            duration_unit: unit of durations without one: ``"s"``, ``"ms"``, ``"us"`` or ``"ns"``.
            max_skipped: refuse the log if this share of its lines, or more, cannot be read; 0 tolerates none.

        Raises:
            InvalidArrivals: the file cannot be read; the message names the line.
        """
        from hook_widgets.ratelimit.traffic import access_log  # only who has a log needs what reads it

        (part,) = access_log.read(
            [path],
            column=column,
            origin=origin,
            spread=spread,
            seed=seed,
            duration=duration,
            duration_unit=duration_unit,
            max_skipped=max_skipped,
        )
        return part.arrivals()

    @classmethod
    def steady(cls, rate_per_s: Quantity, duration_s: Duration, *, start_s: Duration = 0) -> Arrivals:
        """Create requests at equal intervals, the first at the start.

        The interval is rounded up to a whole nanosecond, so that no request is early.

        Args:
            rate_per_s: requests per second, or text such as ``"90/min"``.
            duration_s: duration, in seconds or text.
            start_s: time of the first request.

        Raises:
            InvalidArrivals: a rate or time is invalid.
        """
        per_s, span, start = _rate(rate_per_s), _span(duration_s), _instant(start_s)
        gap = math.ceil(NS_PER_S / per_s)
        _check_count(per_s * span)
        return cls(tuple(range(start, start + math.ceil(span * NS_PER_S), gap)), f"steady {float(per_s):g}/s")

    @classmethod
    def poisson(cls, rate_per_s: Quantity, duration_s: Duration, *, seed: int = 0) -> Arrivals:
        """Create random requests at a mean rate (a Poisson process), as from many independent clients.

        Args:
            rate_per_s: mean number of requests per second, or text such as ``"90/min"``.
            duration_s: duration, in seconds or text.
            seed: seed of the random times.

        Raises:
            InvalidArrivals: a rate or time is invalid.
        """
        per_s, span = _rate(rate_per_s), _span(duration_s)
        mean = float(per_s)
        return _thinned(lambda _: mean, per_s, span, seed, f"Poisson {mean:g}/s")

    @classmethod
    def bursts(
        cls,
        size: Quantity,
        every_s: Duration,
        duration_s: Duration,
        *,
        spread_s: Duration = 0,
        seed: int = 0,
    ) -> Arrivals:
        """Create a burst of `size` requests at the start and after every `every_s`.

        Args:
            size: requests in each burst.
            every_s: interval between bursts, in seconds or text.
            duration_s: duration, in seconds or text.
            spread_s: the time over which the requests of a burst are spread at random; 0 for all at once.
            seed: seed of the random times.

        Raises:
            InvalidArrivals: a number or time is invalid.
        """
        count = whole(size, "size", error=InvalidArrivals)
        check_plausible(count, size, "size", error=InvalidArrivals)
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
        on_s: Duration,
        off_s: Duration,
        duration_s: Duration,
        *,
        even: bool = False,
        seed: int = 0,
    ) -> Arrivals:
        """Create requests at a rate for `on_s`, then none for `off_s`, repeatedly, starting with requests.

        Args:
            rate_per_s: the rate during `on_s`.
            on_s: duration of each phase with requests.
            off_s: duration of each phase without requests.
            duration_s: total duration.
            even: at equal intervals from the start of each phase, instead of at random.
            seed: seed of the random times.

        Raises:
            InvalidArrivals: a rate or time is invalid.
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
        _check_count(max(per_s * span, span * NS_PER_S / period))
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
        cls, from_per_s: Quantity, to_per_s: Quantity, duration_s: Duration, *, seed: int = 0
    ) -> Arrivals:
        """Create random requests whose rate changes linearly from one value to another.

        Args:
            from_per_s: the rate at the start.
            to_per_s: the rate at the end.
            duration_s: duration, in seconds or text.
            seed: seed of the random times.

        Raises:
            InvalidArrivals: a rate or time is invalid.
        """
        begin = _rate(from_per_s, "from_per_s", positive=False)
        end = _rate(to_per_s, "to_per_s", positive=False)
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
        duration_s: Duration,
        *,
        swing: Number = 0.8,
        period_s: Duration = "1 day",
        seed: int = 0,
    ) -> Arrivals:
        """Create random requests whose rate follows a daily sine wave, lowest at the start.

        Args:
            mean_per_s: the mean rate.
            duration_s: duration, in seconds or text.
            swing: amplitude of the rate as a fraction of the mean, at most 1.
            period_s: period of the wave.
            seed: seed of the random times.

        Raises:
            InvalidArrivals: a number, rate or time is invalid.
        """
        mean, span, period = _rate(mean_per_s, "mean_per_s"), _span(duration_s), _span(period_s, "period_s")
        part = number(swing, "swing", error=InvalidArrivals)
        if part > 1:
            raise InvalidArrivals(
                f"swing is {shown(swing)}, which makes rates negative; give a part of the mean, 0 to 1"
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
    """Yield a Poisson process of varying rate, by thinning one of the highest rate (Lewis and Shedler)."""
    top, end, t = float(highest), float(span), 0.0
    if not top:
        return
    rnd, log = rng.random, math.log
    while (t := t - log(1.0 - rnd()) / top) < end:  # as rng.expovariate(top) does
        if rnd() * top < rate_at(t):
            yield int(t * NS_PER_S)


def _rate(value: Quantity, name: str = "rate_per_s", *, positive: bool = True) -> Fraction:
    per_s = rate(value, name, positive=positive, error=InvalidArrivals)
    check_plausible(per_s, value, name, error=InvalidArrivals)
    return per_s


def _span(value: Duration, name: str = "duration_s") -> Fraction:
    span = duration(value, name, error=InvalidArrivals)
    check_plausible(span, value, name, error=InvalidArrivals)
    return span


def _instant(value: Duration, name: str = "start_s") -> int:
    instant = duration(value, name, positive=False, error=InvalidArrivals)
    check_plausible(instant, value, name, error=InvalidArrivals)
    return nanoseconds(instant)


def _check_count(expected: Fraction) -> None:
    if expected > MAX_ARRIVALS:
        raise InvalidArrivals(
            f"that would be about {float(expected):.3g} requests, more than {MAX_ARRIVALS:,}; "
            "lower the rate or shorten the time"
        )
