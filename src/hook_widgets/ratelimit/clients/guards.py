"""Outcomes of attempts, and the base of retry budgets, circuit breakers and throttles."""

# ruff: noqa: ARG002 (each guard uses some of the parameters)

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import StrEnum


class AttemptOutcome(StrEnum):
    """Outcome of an attempt, as its client sees it."""

    SERVED = "served"
    """A successful response in time."""
    REJECTED = "rejected"
    """Rejected by the limiter: 429 Too Many Requests."""
    FAILED = "failed"
    """The server was down, or the request is one that always fails: 503 or 500."""
    TIMED_OUT = "timed_out"
    """No response within the timeout; the server may have done the work."""
    BLOCKED = "blocked"
    """Not sent: the client's circuit breaker or throttle rejected it."""


class RunningGuard:
    """The state of a guard of one client in one run. The base class allows everything."""

    def begin_request(self, t: int) -> None:
        """Record a fresh request.

        Args:
            t: the time in nanoseconds, as in the other methods.
        """

    def allows_attempt(self, t: int, u: float) -> bool:
        """Return True if an attempt may be sent now, and record it.

        Args:
            t: the time in nanoseconds.
            u: a random number, uniform from 0 (included) to 1 (excluded).
        """
        return True

    def cancel_attempt(self) -> None:
        """Undo the last `allows_attempt`: another guard did not allow the attempt."""

    def allows_retry(self, t: int, outcome: AttemptOutcome) -> bool:
        """Return True if a failed attempt may be repeated, and charge it.

        Args:
            t: the time in nanoseconds.
            outcome: the outcome of the failed attempt.
        """
        return True

    def record(self, t: int, outcome: AttemptOutcome, before: AttemptOutcome | None) -> None:
        """Record the outcome of an attempt that was sent.

        Args:
            t: the time in nanoseconds.
            outcome: the outcome.
            before: the outcome of the attempt before it; None for the first.
        """


class Guard(ABC):
    """A retry budget, a circuit breaker or a throttle of a client. Each client has its own state."""

    __slots__ = ()

    @abstractmethod
    def begin(self) -> RunningGuard:
        """Return the initial state of one client."""
