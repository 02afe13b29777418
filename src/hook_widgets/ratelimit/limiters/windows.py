"""Limiters that count requests per time window: fixed window, sliding log, sliding counter."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import floor

from hook_widgets.ratelimit.limiters import algorithms
from hook_widgets.ratelimit.limiters.base import (
    SingleLimiter,
    ceil_div,
    common_ticks_per_ns,
    parse_enum,
    set_fields,
    span_ns,
)
from hook_widgets.ratelimit.limiters.trace import Gate, Ledger, Tick, Trace
from hook_widgets.ratelimit.units import NS_PER_S, Quantity, duration, whole


@dataclass(frozen=True, slots=True, init=False, repr=False)
class _Windowed(SingleLimiter):
    """Base of the limiters that admit at most `limit` per window of `window_s`."""

    limit: int
    window_s: Fraction

    def _init_window(self, limit: Quantity, window_s: Quantity, name: str, **options: object) -> None:
        set_fields(
            self,
            name=name,
            limit=whole(limit, "limit"),
            window_s=duration(window_s, "window_s"),
            **options,
        )

    @property
    def nominal(self) -> Fraction:
        """The limit divided by its window."""
        return self.limit / self.window_s

    @property
    def _largest_cost(self) -> int:
        return self.limit

    def _resolution(self) -> int:
        return common_ticks_per_ns(self.window_s)

    @property
    def _window_ns(self) -> Fraction:
        return self.window_s * NS_PER_S


class Align(StrEnum):
    """Start of fixed windows."""

    CLOCK = "clock"
    """At multiples of the window."""
    FIRST = "first"
    """At the first request after the previous window."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class FixedWindow(_Windowed):
    """At most `limit` per window; the count restarts with every window.

    A request at the boundary belongs to the new window. Around a boundary, twice the limit may pass.

    Attributes:
        limit: requests (or cost) per window.
        window_s: length of the window in seconds.
        align: ``"clock"``: windows begin at multiples of their length; ``"first"``: at the first request
            after the previous window ended.

    >>> FixedWindow(100, "1 min").most_in("1 min")
    200
    """

    align: Align = Align.CLOCK

    def __init__(self, limit: Quantity, window_s: Quantity, align: str = "clock", *, name: str = "") -> None:
        self._init_window(limit, window_s, name, align=parse_enum(Align, align, "align"))

    def most_in(self, window_s: Quantity, *, closed: bool = False) -> int:
        """Return a full limit just before a boundary plus one per window that begins afterwards.

        With ``align="first"``, one request must have opened the first window earlier.
        """
        span = span_ns(window_s, closed=closed)
        begun_after = ceil_div(span, self._window_ns)
        if self.align is Align.CLOCK:
            return self.limit * (begun_after + 1)
        begun_at_once = floor(span / self._window_ns) + 1
        return max(self.limit * (begun_after + 1) - 1, self.limit * begun_at_once, 0)

    def _gate(self, trace: Trace) -> Gate:
        window = trace.whole_ticks(self.window_s)
        return Gate(
            algorithms.fixed_window,
            (self.limit, window, self.align is Align.CLOCK),
            [0, 0],
            bound=max(trace.last + window, self.limit),
        )

    def _left(self, ledger: Ledger) -> Callable[[Tick], Fraction]:
        window = ledger.trace.whole_ticks(self.window_s)
        opened = self._opened(ledger, window)

        def remaining(t: Tick) -> Fraction:
            begin = _window_start(opened, window, t)
            return Fraction(self.limit - (0 if begin is None else ledger.spent_from(begin, t)))

        return remaining

    def _free_at(self, ledger: Ledger, t: int, cost: int) -> int | None:
        if cost > self.limit:
            return None
        window = ledger.trace.whole_ticks(self.window_s)
        begin = _window_start(self._opened(ledger, window), window, t)
        if begin is None or ledger.spent_from(begin, t) + cost <= self.limit:
            return t
        return begin + window

    def _opened(self, ledger: Ledger, window: int) -> list[int]:
        """Return the starts of the windows that contain a charge."""
        opened: list[int] = []
        for t in ledger.times:
            if not opened or t >= opened[-1] + window:
                opened.append(t // window * window if self.align is Align.CLOCK else t)
        return opened


def _window_start(opened: list[int], window: int, t: Tick) -> int | None:
    """Return the start of the window that contains `t`, or None if no such window was opened."""
    count = bisect_right(opened, t)
    return opened[count - 1] if count and t < opened[count - 1] + window else None


class Edge(StrEnum):
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

    >>> SlidingLog(100, "1 min").most_in("1 min")
    100
    """

    edge: Edge = Edge.OPEN
    count_rejected: bool = False

    def __init__(
        self,
        limit: Quantity,
        window_s: Quantity,
        edge: str = "open",
        count_rejected: bool = False,  # noqa: FBT001, FBT002
        *,
        name: str = "",
    ) -> None:
        self._init_window(
            limit, window_s, name, edge=parse_enum(Edge, edge, "edge"), count_rejected=bool(count_rejected)
        )

    def most_in(self, window_s: Quantity, *, closed: bool = False) -> int:
        """Return a full limit at once, repeated whenever the previous one has expired."""
        period = self._window_ns if self.edge is Edge.OPEN else floor(self._window_ns) + 1
        return self.limit * (floor(span_ns(window_s, closed=closed) / Fraction(period)) + 1)

    def _gate(self, trace: Trace) -> Gate:
        retention = self._retention(trace)
        return Gate(
            algorithms.sliding_log,
            (self.limit, retention, self.count_rejected),
            [0, 0],
            bound=max(trace.last, retention, self.limit + trace.total_cost),
            counts_refused=self.count_rejected,
            charged=1,  # restoring the whole state would repeat the scan for expired requests per rejection
        )

    def _left(self, ledger: Ledger) -> Callable[[Tick], Fraction]:
        window = ledger.trace.whole_ticks(self.window_s)
        spent = ledger.spent if self.edge is Edge.OPEN else ledger.spent_from
        return lambda t: Fraction(self.limit - spent(t - window, t))

    def _free_at(self, ledger: Ledger, t: int, cost: int) -> int | None:
        if cost > self.limit:
            return None
        blocking = ledger.last_but(self.limit - cost, t)
        return t if blocking is None else max(t, blocking + self._retention(ledger.trace))

    def _retention(self, trace: Trace) -> int:
        """Return the ticks for which a request counts: the window, plus one tick if its edge is closed."""
        return trace.whole_ticks(self.window_s) + (self.edge is Edge.CLOSED)


class Rule(StrEnum):
    """Admission rule of a sliding counter."""

    LT = "lt"
    """The estimate excluding this request is below the limit."""
    LE_PLUS_ONE = "le_plus_one"
    """The estimate including this request is at most the limit."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class SlidingCounter(_Windowed):
    """A sliding window estimated from two counts: previous window x overlap + current window.

    Windows begin at multiples of their length. The estimate is Cloudflare's; it assumes that the requests of
    the previous window arrived evenly.

    Attributes:
        limit: requests (or cost) per window.
        window_s: length of the window in seconds.
        rule: ``"lt"``: estimate < limit, the same as ``floor(estimate) + 1 <= limit`` in limits and
            throttled-py (for cost c: ``floor(estimate) + c <= limit``); ``"le_plus_one"``: estimate + c <=
            limit, which rejects on any fraction above it.
        count_rejected: also count rejected requests, as in HAProxy and in the sliding window of Kong's Rate
            Limiting Advanced without ``disable_penalty``.

    >>> SlidingCounter(10, 8).most_in(8), SlidingCounter(10, 8).most_in(0.25)
    (20, 11)
    """

    rule: Rule = Rule.LT
    count_rejected: bool = False

    def __init__(
        self,
        limit: Quantity,
        window_s: Quantity,
        rule: str = "lt",
        count_rejected: bool = False,  # noqa: FBT001, FBT002
        *,
        name: str = "",
    ) -> None:
        self._init_window(
            limit, window_s, name, rule=parse_enum(Rule, rule, "rule"), count_rejected=bool(count_rejected)
        )

    def most_in(self, window_s: Quantity, *, closed: bool = False) -> int:
        """Return a full limit just before a boundary plus the capacity that the shrinking overlap frees.

        At the end of each window its count can reach the full limit (with ``rule="le_plus_one"``, one less
        if the previous window was used at all).
        """
        span = span_ns(window_s, closed=closed)
        if span == 0 or self.limit == 0:
            return self.limit
        whole_windows, offset = divmod(Fraction(span - 1), self._window_ns)
        overlap = 1 - offset / self._window_ns
        if self.rule is Rule.LT:
            return self.limit * (whole_windows + 2) - floor(self.limit * overlap)
        if self.limit == 1:
            return ceil_div(whole_windows + 2, 2)  # one request in every other window
        previous = self.limit - (whole_windows > 0)
        return self.limit + previous * whole_windows + self.limit - ceil_div(previous * overlap, 1)

    def _gate(self, trace: Trace) -> Gate:
        window = trace.whole_ticks(self.window_s)
        max_count = trace.total_cost if self.count_rejected else self.limit  # in one window
        return Gate(
            algorithms.sliding_counter,
            (window, self._room(window), self.count_rejected),
            [0, 0, 0],
            bound=trace.last + (2 * max_count + self.limit + 2) * window,
            counts_refused=self.count_rejected,
        )

    def _left(self, ledger: Ledger) -> Callable[[Tick], Fraction]:
        window = ledger.trace.whole_ticks(self.window_s)

        def remaining(t: Tick) -> Fraction:
            begin = t // window * window
            previous, current = ledger.spent(begin - window - 1, begin - 1), ledger.spent(begin - 1, t)
            return Fraction((self.limit - current) * window - previous * (begin + window - t), window)

        return remaining

    def _free_at(self, ledger: Ledger, t: int, cost: int) -> int | None:
        if cost > self.limit:
            return None
        window = ledger.trace.whole_ticks(self.window_s)
        begin = t // window * window
        previous, current = ledger.spent(begin - window - 1, begin - 1), ledger.spent(begin - 1, t)
        room = self._room(window)
        if (current + cost) * window > room:  # impossible before the next window
            begin, previous, current = begin + window, current, 0
        if not previous:
            return max(t, begin)
        weight = (room - (current + cost) * window) // previous  # the longest overlap that still admits
        return max(t, begin, begin + window - weight)

    def _room(self, window: int) -> int:
        # floor(estimate) + cost <= limit is equivalent to estimate + cost < limit + 1.
        return self.limit * window if self.rule is Rule.LE_PLUS_ONE else (self.limit + 1) * window - 1
