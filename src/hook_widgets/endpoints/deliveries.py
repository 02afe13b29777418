"""The attempts of a sender to deliver events, and their outcome."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from hook_widgets.endpoints.sender import Sender
from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit import Arrivals, Duration
from hook_widgets.ratelimit.formatting import count, seconds
from hook_widgets.ratelimit.units import NS_PER_S

MOST_ATTEMPTS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Attempt:
    """One request that delivers an event.

    Attributes:
        event: the index of the event.
        number: 0 for the first attempt, 1 for the first retry, and so on.
        at_s: the time when it was sent, in seconds.
        status: the status of the response, or None if none came within the sender's time limit.
        ended_s: the time of the response, or of the end of the time limit, in seconds.
        handled: True if the receiver handled the event, even if its response came too late.
    """

    event: int
    number: int
    at_s: Fraction
    status: int | None
    ended_s: Fraction
    handled: bool


@dataclass(frozen=True, slots=True)
class Deliveries:
    """The attempts to deliver some events, and what became of these.

    Attributes:
        sender: the sender.
        events: the number of events.
        attempts: every attempt, in the order in which they were sent.
        delivered_s: for each event the time of the response that accepted it, in seconds; None if it is lost.
        disabled_at_s: the time at which the sender disabled the endpoint, in seconds; None if it did not.
    """

    sender: Sender
    events: int
    attempts: tuple[Attempt, ...]
    delivered_s: tuple[Fraction | None, ...]
    disabled_at_s: Fraction | None

    @property
    def lost(self) -> tuple[int, ...]:
        """The indexes of the events that were never delivered."""
        return tuple(event for event, at_s in enumerate(self.delivered_s) if at_s is None)

    @property
    def retried(self) -> tuple[int, ...]:
        """The indexes of the events whose first attempt failed, or that were never attempted."""
        first = {a.event for a in self.attempts if a.number == 0 and self.sender.accepts(a.status)}
        return tuple(event for event in range(self.events) if event not in first)

    @property
    def duplicates(self) -> tuple[int, ...]:
        """The indexes of the events that the receiver handled more than once."""
        counts = [0] * self.events
        for attempt in self.attempts:
            counts[attempt.event] += attempt.handled
        return tuple(event for event, count in enumerate(counts) if count > 1)

    @property
    def amplification(self) -> float:
        """The number of attempts for each event."""
        return len(self.attempts) / self.events

    @property
    def summary(self) -> str:
        """The outcome in words."""
        at_once = self.events - len(self.retried)
        later = self.events - at_once - len(self.lost)
        parts = [count(self.events, "event"), f"{at_once:,} delivered at once", f"{later:,} after retries"]
        parts.append(f"{len(self.lost):,} lost")
        if self.duplicates:
            parts.append(f"{len(self.duplicates):,} handled more than once")
        text = f"{parts[0]}: {', '.join(parts[1:])}."
        if self.disabled_at_s is not None:
            when = f"after {seconds(self.disabled_at_s)}" if self.disabled_at_s else "at once"
            text += f" {self.sender.name} disables the endpoint {when}."
        if self.sender.assumption:
            text += f" Assumed: {self.sender.assumption}."
        return text


class DeliverySchedule:
    """The attempts that a sender makes, in the order of their times.

    A failure is known when its response comes or its time limit ends. What disables the endpoint is counted
    in the order in which attempts end.
    """

    def __init__(self, events_s: Arrivals | Iterable[Duration], sender: Sender) -> None:
        """Make the first attempts due.

        Args:
            events_s: the times at which events happen, in seconds, non-decreasing.
            sender: the sender's rules.

        Raises:
            InvalidArrivals: a time is invalid, or there is no event.
        """
        arrivals = events_s if isinstance(events_s, Arrivals) else Arrivals.from_times(events_s)
        if not len(arrivals):
            raise InvalidArrivals("there is no event; give one time or more")
        self._sender = sender
        self._due = [(Fraction(ns, NS_PER_S), event, 0) for event, ns in enumerate(arrivals.times_ns)]
        self._later = deque(self._due[1:] if sender.in_order else ())
        if sender.in_order:
            del self._due[1:]
        self._attempts: list[Attempt] = []
        self._delivered_s: list[Fraction | None] = [None] * len(arrivals)
        self._failed = self._lost = 0
        self._first_failure_s: Fraction | None = None
        self._disabled_at_s: Fraction | None = None

    @property
    def next_s(self) -> Fraction | None:
        """The time of the next attempt; None if none is due before another one ends."""
        if not self._due or (self._disabled_at_s is not None and self._due[0][0] > self._disabled_at_s):
            return None
        return self._due[0][0]

    def take(self) -> tuple[Fraction, int, int]:
        """Return the time, the event and the number of the next attempt, which is no longer due."""
        return heapq.heappop(self._due)

    def conclude(self, attempt: Attempt) -> None:
        """Record an attempt that has ended, and make due what follows from it.

        Raises:
            InvalidArrivals: there are more than a million attempts.
        """
        if len(self._attempts) == MOST_ATTEMPTS:
            raise InvalidArrivals(f"there are more than {MOST_ATTEMPTS:,} attempts; give fewer events")
        self._attempts.append(attempt)
        sender = self._sender
        if sender.accepts(attempt.status):
            self._delivered_s[attempt.event] = attempt.ended_s
            self._failed = self._lost = 0
            self._first_failure_s = None
            self._finish(attempt)
            return
        last = attempt.number >= len(sender.delays_s) or attempt.status in sender.final_statuses
        self._count_failure(attempt, given_up=last)
        if last:
            self._finish(attempt)
        else:
            at_s = attempt.ended_s + sender.delays_s[attempt.number]
            heapq.heappush(self._due, (at_s, attempt.event, attempt.number + 1))

    def deliveries(self) -> Deliveries:
        """Return the attempts so far and their outcome."""
        attempts = sorted(self._attempts, key=lambda attempt: (attempt.at_s, attempt.event))
        delivered_s = tuple(self._delivered_s)
        return Deliveries(self._sender, len(delivered_s), tuple(attempts), delivered_s, self._disabled_at_s)

    def _finish(self, attempt: Attempt) -> None:
        """Make the next event due, if one waits for this one."""
        if self._later:
            at_s, event, number = self._later.popleft()
            heapq.heappush(self._due, (max(at_s, attempt.ended_s), event, number))

    def _count_failure(self, attempt: Attempt, *, given_up: bool) -> None:
        self._failed += 1
        self._lost += given_up
        if self._first_failure_s is None:
            self._first_failure_s = attempt.ended_s
        rules, failing_s = self._sender, attempt.ended_s - self._first_failure_s
        over = (
            (rules.disabled_after is not None and self._failed >= rules.disabled_after)
            or (rules.disabled_after_lost is not None and self._lost >= rules.disabled_after_lost)
            or (rules.disabled_after_s is not None and failing_s >= rules.disabled_after_s)
        )
        if over and self._disabled_at_s is None:
            self._disabled_at_s = attempt.ended_s
