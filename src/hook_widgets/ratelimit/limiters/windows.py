"""Limiters that count requests per time window: fixed window, sliding log, sliding counter."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import floor

from hook_widgets._arguments import shown
from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.limiters import algorithms
from hook_widgets.ratelimit.limiters.base import (
    SingleLimiter,
    ceil_div,
    common_ticks_per_ns,
    parse_enum,
    set_fields,
    span_ns,
)
from hook_widgets.ratelimit.limiters.trace import ChargeLog, LimiterState, Tick, Trace
from hook_widgets.ratelimit.units import NS_PER_S, Duration, Quantity, duration, whole


class WindowAlignment(StrEnum):
    """Start of the windows of a fixed window or a sliding counter."""

    CLOCK = "clock"
    """At multiples of the window, after a phase."""
    FIRST = "first"
    """At the first request. A fixed window begins again at the first request after its end; those of a
    sliding counter follow one another until one of them is empty."""
    RENEWED = "renewed"
    """At the first request, and each request, a rejected one too, puts off the end of a fixed window."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class _Windowed(SingleLimiter):
    """Base of the limiters that admit at most `limit` per window of `window_s`."""

    limit: int
    window_s: Fraction

    def _init_window(self, limit: Quantity, window_s: Duration, name: str, **options: object) -> None:
        set_fields(
            self,
            name=name,
            limit=whole(limit, "limit"),
            window_s=duration(window_s, "window_s"),
            **options,
        )

    @property
    def sustained_rate(self) -> Fraction:
        """The limit divided by its window."""
        return self.limit / self.window_s

    @property
    def _max_cost(self) -> int:
        return self.limit

    def _ticks_per_ns(self) -> int:
        return common_ticks_per_ns(self.window_s)

    @property
    def _window_ns(self) -> Fraction:
        return self.window_s * NS_PER_S


def _aligned(
    align: str, phase_s: Duration, window_s: Duration, *, may_renew: bool = False
) -> dict[str, object]:
    """Return the fields `align` and `phase_s`.

    Raises:
        InvalidLimit: an unknown alignment or one that does not fit, or a phase that is no part of a window on
            the clock.
    """
    alignment = parse_enum(WindowAlignment, align, "align")
    phase = duration(phase_s, "phase_s", positive=False)
    if alignment is WindowAlignment.RENEWED and not may_renew:
        raise InvalidLimit("only a fixed window is renewed; give align='clock' or 'first'")
    if phase and alignment is not WindowAlignment.CLOCK:
        raise InvalidLimit("phase_s is given, but windows begin with requests; leave it out")
    if phase and phase >= duration(window_s, "window_s"):
        raise InvalidLimit(f"phase_s is {shown(phase_s)}, a whole window or more; give less than window_s")
    return {"align": alignment, "phase_s": phase}


class CountedWindow(SingleLimiter):
    """Base of the limiters that admit at most `limit` in each of the windows that follow one another."""

    __slots__ = ()
    limit: int

    @property
    def _max_cost(self) -> int:
        return self.limit

    @abstractmethod
    def _windows(self, charge_log: ChargeLog) -> list[tuple[int, int]]:
        """Return begin and end of each window with a charge, in ticks."""

    def _remaining(self, charge_log: ChargeLog) -> Callable[[Tick], Fraction]:
        windows = self._windows(charge_log)

        def remaining(t: Tick) -> Fraction:
            window = _window_at(windows, t)
            return Fraction(self.limit - (charge_log.spent_from(window[0], t) if window else 0))

        return remaining

    def _next_available(self, charge_log: ChargeLog, t: int, cost: int) -> int | None:
        if cost > self.limit:
            return None
        window = _window_at(self._windows(charge_log.until(t)), t)
        if window is None or charge_log.spent_from(window[0], t) + cost <= self.limit:
            return t
        return window[1]


def _window_at(windows: list[tuple[int, int]], t: Tick) -> tuple[int, int] | None:
    """Return the window that contains `t`, or None."""
    count = bisect_right(windows, t, key=lambda window: window[0])
    return windows[count - 1] if count and t < windows[count - 1][1] else None


@dataclass(frozen=True, slots=True, init=False, repr=False)
class FixedWindow(CountedWindow, _Windowed):
    """At most `limit` per window; the count restarts with every window.

    A request at the boundary belongs to the new window. Around a boundary, twice the limit may pass.

    Attributes:
        limit: requests (or cost) per window.
        window_s: length of the window in seconds.
        align: ``"clock"``: windows begin at multiples of their length, `phase_s` later; ``"first"``: at the
            first request after the previous window ended; ``"renewed"``: the same, and each request makes
            the window end a whole length later. Then rejected requests count, too, as with INCR and EXPIRE in
            Redis for each request, so that a client is rejected until it pauses.
        phase_s: seconds, for windows on the clock that begin later than a multiple of their length, such as
            those of a server that counts them from its start.

    >>> FixedWindow(100, "1 min").max_admitted("1 min")
    200
    """

    align: WindowAlignment = WindowAlignment.CLOCK
    phase_s: Fraction = Fraction(0)

    def __init__(
        self,
        limit: Quantity,
        window_s: Duration,
        align: str = "clock",
        phase_s: Duration = 0,
        *,
        name: str = "",
    ) -> None:
        self._init_window(limit, window_s, name, **_aligned(align, phase_s, window_s, may_renew=True))

    @property
    def count_rejected(self) -> bool:
        """True if rejected requests count, which they do in a window that they renew."""
        return self.align is WindowAlignment.RENEWED

    def max_admitted(self, window_s: Duration, *, closed: bool = False) -> int:
        """Return a full limit just before a boundary plus one per window that begins afterwards.

        With ``align="first"``, one request must have opened the first window earlier. With
        ``align="renewed"``, a full limit passes at once, and again after a pause of each window.
        """
        span, window_ns = span_ns(window_s, closed=closed), self._window_ns
        begun_after = ceil_div(span, window_ns)
        if self.align is WindowAlignment.CLOCK:
            return self.limit * (begun_after + 1)
        begun_at_once = floor(span / window_ns) + 1
        if self.align is WindowAlignment.RENEWED:
            return self.limit * begun_at_once
        return max(self.limit * (begun_after + 1) - 1, self.limit * begun_at_once, 0)

    def _ticks_per_ns(self) -> int:
        return common_ticks_per_ns(self.window_s, self.phase_s)

    def _initial_state(self, trace: Trace) -> LimiterState:
        window, phase = trace.whole_ticks(self.window_s), trace.whole_ticks(self.phase_s)
        if self.align is WindowAlignment.RENEWED:
            return LimiterState(
                loop=algorithms.renewed_window,
                numbers=(self.limit, window),
                values=[0, 0],
                bound=max(trace.last + window, self.limit + trace.total_cost),
                counts_rejected=True,
            )
        return LimiterState(
            loop=algorithms.fixed_window,
            numbers=(self.limit, window, self.align is WindowAlignment.CLOCK, phase),
            values=[0, 0],
            bound=max(trace.last + window + phase, self.limit),
        )

    def _windows(self, charge_log: ChargeLog) -> list[tuple[int, int]]:
        window = charge_log.trace.whole_ticks(self.window_s)
        phase = charge_log.trace.whole_ticks(self.phase_s)
        windows: list[tuple[int, int]] = []
        for t in charge_log.times:
            if not windows or t >= windows[-1][1]:
                begin = (t - phase) // window * window + phase if self.align is WindowAlignment.CLOCK else t
                windows.append((begin, begin + window))
            elif self.align is WindowAlignment.RENEWED:
                windows[-1] = (windows[-1][0], t + window)
        return windows


class WindowEdge(StrEnum):
    """Treatment of a request that is exactly one window old."""

    OPEN = "open"
    """The request no longer counts."""
    CLOSED = "closed"
    """The request still counts, as in the Python libraries limits and pyrate-limiter."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class SlidingLog(_Windowed):
    """At most `limit` in every interval of length `window_s`: exact, but every request must be stored.

    Attributes:
        limit: requests (or cost) per window.
        window_s: length of the window in seconds.
        edge: ``"open"``: a request exactly one window old no longer counts; ``"closed"``: it still counts,
            as in the Python libraries limits and pyrate-limiter.
        count_rejected: also count rejected requests (as naive Redis sorted sets do). A client that keeps
            retrying is then locked out.

    >>> SlidingLog(100, "1 min").max_admitted("1 min")
    100
    """

    edge: WindowEdge = WindowEdge.OPEN
    count_rejected: bool = False

    def __init__(
        self,
        limit: Quantity,
        window_s: Duration,
        edge: str = "open",
        count_rejected: bool = False,  # noqa: FBT001, FBT002
        *,
        name: str = "",
    ) -> None:
        self._init_window(
            limit,
            window_s,
            name,
            edge=parse_enum(WindowEdge, edge, "edge"),
            count_rejected=bool(count_rejected),
        )

    def max_admitted(self, window_s: Duration, *, closed: bool = False) -> int:
        """Return a full limit at once, repeated whenever the previous one has expired."""
        period = self._window_ns if self.edge is WindowEdge.OPEN else floor(self._window_ns) + 1
        return self.limit * (floor(span_ns(window_s, closed=closed) / Fraction(period)) + 1)

    def _initial_state(self, trace: Trace) -> LimiterState:
        retention = self._retention(trace)
        return LimiterState(
            loop=algorithms.sliding_log,
            numbers=(self.limit, retention, self.count_rejected),
            values=[0, 0],
            bound=max(trace.last, retention, self.limit + trace.total_cost),
            counts_rejected=self.count_rejected,
            charged=1,  # restoring the whole state would repeat the scan for expired requests per rejection
        )

    def _remaining(self, charge_log: ChargeLog) -> Callable[[Tick], Fraction]:
        window = charge_log.trace.whole_ticks(self.window_s)
        spent = charge_log.spent if self.edge is WindowEdge.OPEN else charge_log.spent_from
        return lambda t: Fraction(self.limit - spent(t - window, t))

    def _next_available(self, charge_log: ChargeLog, t: int, cost: int) -> int | None:
        if cost > self.limit:
            return None
        blocking = charge_log.last_but(self.limit - cost, t)
        return t if blocking is None else max(t, blocking + self._retention(charge_log.trace))

    def _retention(self, trace: Trace) -> int:
        """Return the ticks for which a request counts: the window, plus one tick if its edge is closed."""
        return trace.whole_ticks(self.window_s) + (self.edge is WindowEdge.CLOSED)


class CounterRule(StrEnum):
    """Admission rule of a sliding counter."""

    LT = "lt"
    """The estimate excluding this request is below the limit."""
    LE_PLUS_ONE = "le_plus_one"
    """The estimate including this request is at most the limit."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class SlidingCounter(_Windowed):
    """A sliding window estimated from two counts: previous window x overlap + current window.

    The estimate is Cloudflare's; it assumes that the requests of the previous window arrived evenly.

    Attributes:
        limit: requests (or cost) per window.
        window_s: length of the window in seconds.
        rule: ``"lt"``: estimate < limit, the same as ``floor(estimate) + 1 <= limit`` in limits and
            throttled-py (for cost c: ``floor(estimate) + c <= limit``); ``"le_plus_one"``: estimate + c <=
            limit, which rejects on any fraction above it.
        count_rejected: also count rejected requests, as in HAProxy and in the sliding window of Kong's Rate
            Limiting Advanced without ``disable_penalty``.
        align: ``"clock"``: windows begin at multiples of their length, `phase_s` later; ``"first"``: at the
            first request, as in HAProxy: windows follow one another from there, and begin again with the next
            request once a whole window had none that counts.
        phase_s: seconds, for windows on the clock that begin later than a multiple of their length.

    >>> SlidingCounter(10, 8).max_admitted(8), SlidingCounter(10, 8).max_admitted(0.25)
    (20, 11)
    """

    rule: CounterRule = CounterRule.LT
    count_rejected: bool = False
    align: WindowAlignment = WindowAlignment.CLOCK
    phase_s: Fraction = Fraction(0)

    def __init__(
        self,
        limit: Quantity,
        window_s: Duration,
        rule: str = "lt",
        count_rejected: bool = False,  # noqa: FBT001, FBT002
        align: str = "clock",
        phase_s: Duration = 0,
        *,
        name: str = "",
    ) -> None:
        self._init_window(
            limit,
            window_s,
            name,
            rule=parse_enum(CounterRule, rule, "rule"),
            count_rejected=bool(count_rejected),
            **_aligned(align, phase_s, window_s),
        )

    def max_admitted(self, window_s: Duration, *, closed: bool = False) -> int:
        """Return a full limit just before a boundary plus the capacity that the shrinking overlap frees.

        At the end of each window its count can reach the full limit (with ``rule="le_plus_one"``, one less
        if the previous window was used at all). With ``align="first"`` and that rule, a full limit needs an
        unused window before it, and then includes the request that begins its own.
        """
        span = span_ns(window_s, closed=closed)
        if span == 0 or self.limit == 0:
            return self.limit
        whole_windows, offset = divmod(Fraction(span - 1), self._window_ns)
        overlap = 1 - offset / self._window_ns
        if self.rule is CounterRule.LT:
            return self.limit * (whole_windows + 2) - floor(self.limit * overlap)
        if self.align is WindowAlignment.FIRST:
            return self._max_admitted_from_first(span)
        if self.limit == 1:
            return ceil_div(whole_windows + 2, 2)  # one request in every other window
        previous = self.limit - (whole_windows > 0)
        return self.limit + previous * whole_windows + self.limit - ceil_div(previous * overlap, 1)

    def _ticks_per_ns(self) -> int:
        return common_ticks_per_ns(self.window_s, self.phase_s)

    def _initial_state(self, trace: Trace) -> LimiterState:
        window, phase = trace.whole_ticks(self.window_s), trace.whole_ticks(self.phase_s)
        max_count = trace.total_cost if self.count_rejected else self.limit  # in one window
        clock = self.align is WindowAlignment.CLOCK
        return LimiterState(
            loop=algorithms.sliding_counter,
            numbers=(window, self._room(window), self.count_rejected, clock, phase),
            values=[-window, 0, 0],
            bound=trace.last + (2 * max_count + self.limit + 2) * window + phase,
            counts_rejected=self.count_rejected,
        )

    def _remaining(self, charge_log: ChargeLog) -> Callable[[Tick], Fraction]:
        window = charge_log.trace.whole_ticks(self.window_s)
        window_start = self._window_start(charge_log, window)

        def remaining(t: Tick) -> Fraction:
            begin = window_start(t)
            previous, current = (
                charge_log.spent(begin - window - 1, begin - 1),
                charge_log.spent(begin - 1, t),
            )
            return Fraction((self.limit - current) * window - previous * (begin + window - t), window)

        return remaining

    def _next_available(self, charge_log: ChargeLog, t: int, cost: int) -> int | None:
        if cost > self.limit:
            return None
        window = charge_log.trace.whole_ticks(self.window_s)
        begin = int(self._window_start(charge_log, window)(t))
        previous, current = charge_log.spent(begin - window - 1, begin - 1), charge_log.spent(begin - 1, t)
        room = self._room(window)
        if (current + cost) * window > room:  # impossible before the next window
            begin, previous, current = begin + window, current, 0
        if not previous:
            return max(t, begin)
        weight = (room - (current + cost) * window) // previous  # the longest overlap that still admits
        return max(t, begin, begin + window - weight)

    def _window_start(self, charge_log: ChargeLog, window: int) -> Callable[[Tick], Tick]:
        """Return a function from a tick to the start of the window that contains it."""
        phase = charge_log.trace.whole_ticks(self.phase_s)
        if self.align is WindowAlignment.CLOCK:
            return lambda t: (t - phase) // window * window + phase
        opened = self._opened(charge_log, window)

        def start(t: Tick) -> Tick:
            count = bisect_right(opened, t)
            if not count or t >= opened[count - 1] + 2 * window:
                return t  # a request would begin a window
            last = opened[count - 1]
            return last if t < last + window else last + window

        return start

    def _windows(self, charge_log: ChargeLog) -> list[tuple[int, int]]:
        """Return begin and end of each window with a charge, in ticks, if the first request begins them."""
        window = charge_log.trace.whole_ticks(self.window_s)
        return [(begin, begin + window) for begin in self._opened(charge_log, window)]

    def _opened(self, charge_log: ChargeLog, window: int) -> list[int]:
        """Return the starts of the windows that contain a charge, if the first request begins them."""
        opened: list[int] = []
        for t in charge_log.times:
            if not opened or t >= opened[-1] + window:
                follows = opened and t < opened[-1] + 2 * window
                opened.append(opened[-1] + window if follows else t)
        return opened

    def _max_admitted_from_first(self, span: int) -> int:
        """Return the maximum for ``rule="le_plus_one"`` if requests begin the windows.

        Either the span begins with the request that begins a window after an unused one, or just before the
        end of a window that follows a used one.
        """
        if self.limit == 1:
            return floor(span / (2 * self._window_ns)) + 1  # every window after a used one stays empty
        fewer = self.limit - 1
        later, offset = divmod(Fraction(span - 1), self._window_ns)
        late = fewer * (later + 1) + self.limit - ceil_div(fewer * (1 - offset / self._window_ns), 1)
        later, offset = divmod(Fraction(span), self._window_ns)
        if not later:
            return max(late, self.limit)
        weight = (self.limit if later == 1 else fewer) * (1 - offset / self._window_ns)
        return max(late, self.limit + fewer * (later - 1) + self.limit - ceil_div(weight, 1))

    def _room(self, window: int) -> int:
        # floor(estimate) + cost <= limit is equivalent to estimate + cost < limit + 1.
        return self.limit * window if self.rule is CounterRule.LE_PLUS_ONE else (self.limit + 1) * window - 1
