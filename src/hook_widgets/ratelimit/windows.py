"""Limiters that count requests in a window of time: fixed window, sliding log, sliding counter."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import floor

from hook_widgets.ratelimit import loops
from hook_widgets.ratelimit.limiter import SingleLimiter, ceil_div, chosen, denominator, put, reach
from hook_widgets.ratelimit.quantity import NS_PER_S, Quantity, duration, whole
from hook_widgets.ratelimit.trace import Gate, Ledger, Tick, Trace


@dataclass(frozen=True, slots=True, init=False, repr=False)
class _Windowed(SingleLimiter):
    """At most `limit` in a window of `window_s`, however it is counted."""

    limit: int
    window_s: Fraction

    def _put(self, limit: Quantity, window_s: Quantity, name: str, **choices: object) -> None:
        put(
            self,
            name=name,
            limit=whole(limit, "limit"),
            window_s=duration(window_s, "window_s"),
            **choices,
        )

    @property
    def nominal(self) -> Fraction:
        """The limit, spread over its window."""
        return self.limit / self.window_s

    @property
    def _largest_cost(self) -> int:
        return self.limit

    def _resolution(self) -> int:
        return denominator(self.window_s)

    @property
    def _window_ns(self) -> Fraction:
        return self.window_s * NS_PER_S


class Align(StrEnum):
    """Where fixed windows begin."""

    CLOCK = "clock"
    """At multiples of the window."""
    FIRST = "first"
    """At the first request after the last window."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class FixedWindow(_Windowed):
    """At most `limit` in each window; the count starts again at its end.

    A request at the boundary belongs to the new window. Around it, twice the limit may pass.

    Attributes:
        limit: requests (or cost) per window.
        window_s: length of the window in seconds.
        align: ``"clock"``: windows begin at multiples of their length; ``"first"``: at the first request
            after the last one ended.

    >>> FixedWindow(100, "1 min").most_in("1 min")
    200
    """

    align: Align = Align.CLOCK

    def __init__(self, limit: Quantity, window_s: Quantity, align: str = "clock", *, name: str = "") -> None:
        self._put(limit, window_s, name, align=chosen(Align, align, "align"))

    def most_in(self, window_s: Quantity, *, closed: bool = False) -> int:
        """A whole limit just before a boundary, and one in each window that begins afterwards.

        With ``align="first"`` one request must have opened the first window earlier.
        """
        span = reach(window_s, closed=closed)
        begun_after = ceil_div(span, self._window_ns)
        if self.align is Align.CLOCK:
            return self.limit * (begun_after + 1)
        begun_at_once = floor(span / self._window_ns) + 1
        return max(self.limit * (begun_after + 1) - 1, self.limit * begun_at_once, 0)

    def _gate(self, trace: Trace) -> Gate:
        window = trace.whole_ticks(self.window_s)
        return Gate(
            loops.fixed_window,
            (self.limit, window, self.align is Align.CLOCK),
            [0, 0],
            bound=max(trace.last + window, self.limit),
        )

    def _left(self, ledger: Ledger) -> Callable[[Tick], Fraction]:
        window = ledger.trace.whole_ticks(self.window_s)
        opened = self._opened(ledger, window)

        def remaining(t: Tick) -> Fraction:
            begin = _latest(opened, window, t)
            return Fraction(self.limit - (0 if begin is None else ledger.spent_from(begin, t)))

        return remaining

    def _free_at(self, ledger: Ledger, t: int, cost: int) -> int | None:
        if cost > self.limit:
            return None
        window = ledger.trace.whole_ticks(self.window_s)
        begin = _latest(self._opened(ledger, window), window, t)
        if begin is None or ledger.spent_from(begin, t) + cost <= self.limit:
            return t
        return begin + window

    def _opened(self, ledger: Ledger, window: int) -> list[int]:
        """When the windows began in which anything was charged."""
        opened: list[int] = []
        for t in ledger.times:
            if not opened or t >= opened[-1] + window:
                opened.append(t // window * window if self.align is Align.CLOCK else t)
        return opened


def _latest(opened: list[int], window: int, t: Tick) -> int | None:
    """When the window around `t` began; None when it is none of these."""
    known = bisect_right(opened, t)
    return opened[known - 1] if known and t < opened[known - 1] + window else None


class Edge(StrEnum):
    """Whether a request that is exactly one window old still counts."""

    OPEN = "open"
    """No: it is older than the window."""
    CLOSED = "closed"
    """Yes, as in the Python libraries limits and pyrate-limiter."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class SlidingLog(_Windowed):
    """At most `limit` in the last `window_s`, at every moment: the exact limit, at the price of memory.

    Attributes:
        limit: requests (or cost) per window.
        window_s: length of the window in seconds.
        edge: ``"open"``: a request exactly one window old is forgotten; ``"closed"``: it still counts, as in
            the Python libraries limits and pyrate-limiter.
        count_rejected: refused requests count, too (naive Redis sorted sets do this). A client that keeps
            trying is then locked out.

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
        self._put(limit, window_s, name, edge=chosen(Edge, edge, "edge"), count_rejected=bool(count_rejected))

    def most_in(self, window_s: Quantity, *, closed: bool = False) -> int:
        """A whole limit at once, and again as soon as the last one is forgotten."""
        again = self._window_ns if self.edge is Edge.OPEN else floor(self._window_ns) + 1
        return self.limit * (floor(reach(window_s, closed=closed) / Fraction(again)) + 1)

    def _gate(self, trace: Trace) -> Gate:
        kept = self._kept(trace)
        return Gate(
            loops.sliding_log,
            (self.limit, kept, self.count_rejected),
            [0, 0],
            bound=max(trace.last, kept, self.limit + trace.total_cost),
            counts_refused=self.count_rejected,
            charged=1,  # put back, the walk over what is too old would begin again with every refusal
        )

    def _left(self, ledger: Ledger) -> Callable[[Tick], Fraction]:
        window = ledger.trace.whole_ticks(self.window_s)
        spent = ledger.spent if self.edge is Edge.OPEN else ledger.spent_from
        return lambda t: Fraction(self.limit - spent(t - window, t))

    def _free_at(self, ledger: Ledger, t: int, cost: int) -> int | None:
        if cost > self.limit:
            return None
        in_the_way = ledger.last_but(self.limit - cost, t)
        return t if in_the_way is None else max(t, in_the_way + self._kept(ledger.trace))

    def _kept(self, trace: Trace) -> int:
        """For how many ticks a request counts; one tick more takes in the edge."""
        return trace.whole_ticks(self.window_s) + (self.edge is Edge.CLOSED)


class Rule(StrEnum):
    """What the estimate of a sliding counter is compared with."""

    LT = "lt"
    """The estimate without this request is below the limit."""
    LE_PLUS_ONE = "le_plus_one"
    """The estimate with this request is not above the limit."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class SlidingCounter(_Windowed):
    """An estimate of the last window from two counts: previous window x overlap + current window.

    Windows begin at multiples of their length. This is Cloudflare's estimate; it takes the previous window's
    requests to have come evenly.

    Attributes:
        limit: requests (or cost) per window.
        window_s: length of the window in seconds.
        rule: ``"lt"``: estimate < limit, the same as ``floor(estimate) + 1 <= limit`` in limits and
            throttled-py (for cost c: ``floor(estimate) + c <= limit``); ``"le_plus_one"``: estimate + c <=
            limit, which refuses on any fraction.
        count_rejected: refused requests count, too, as in HAProxy and in the sliding window of Kong's Rate
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
        self._put(limit, window_s, name, rule=chosen(Rule, rule, "rule"), count_rejected=bool(count_rejected))

    def most_in(self, window_s: Quantity, *, closed: bool = False) -> int:
        """A whole limit just before a boundary; afterwards what the overlap leaves, more and more.

        At the end of its window every count can again be the whole limit (with ``rule="le_plus_one"``, one
        less as long as the window before was used at all).
        """
        span = reach(window_s, closed=closed)
        if span == 0 or self.limit == 0:
            return self.limit
        whole_windows, offset = divmod(Fraction(span - 1), self._window_ns)
        overlap = 1 - offset / self._window_ns
        if self.rule is Rule.LT:
            return self.limit * (whole_windows + 2) - floor(self.limit * overlap)
        if self.limit == 1:
            return ceil_div(whole_windows + 2, 2)  # every other window
        before = self.limit - (whole_windows > 0)
        return self.limit + before * whole_windows + self.limit - ceil_div(before * overlap, 1)

    def _gate(self, trace: Trace) -> Gate:
        window = trace.whole_ticks(self.window_s)
        most = trace.total_cost if self.count_rejected else self.limit  # in one window
        return Gate(
            loops.sliding_counter,
            (window, self._room(window), self.count_rejected),
            [0, 0, 0],
            bound=trace.last + (2 * most + self.limit + 2) * window,
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
        if (current + cost) * window > room:  # not before this window is the previous one
            begin, previous, current = begin + window, current, 0
        if not previous:
            return max(t, begin)
        weight = (room - (current + cost) * window) // previous  # what may be left of the overlap
        return max(t, begin, begin + window - weight)

    def _room(self, window: int) -> int:
        # floor(estimate) + cost <= limit is the same as estimate + cost < limit + 1.
        return self.limit * window if self.rule is Rule.LE_PLUS_ONE else (self.limit + 1) * window - 1
