"""Outcomes of a single attempt."""

from __future__ import annotations

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
