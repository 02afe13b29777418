"""The server that clients of a simulation call: a limiter, response times, outages."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from hook_widgets._arguments import shown
from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.clients.backoff import seconds
from hook_widgets.ratelimit.limiters.base import parse_enum
from hook_widgets.ratelimit.units import Duration


class LatencyShape(StrEnum):
    """Distribution of the time in which the server works on an admitted request."""

    CONSTANT = "constant"
    """Always the mean."""
    EXPONENTIAL = "exponential"
    """Exponentially distributed."""


class RetryAfterField(StrEnum):
    """Form of the Retry-After field of a rejection."""

    NONE = "none"
    """No field."""
    SECONDS = "seconds"
    """Whole seconds until the limiter would admit the request, rounded up (RFC 9110 section 10.2.3)."""
    EXACT = "exact"
    """The exact time, as in fields that hold milliseconds."""


@dataclass(frozen=True, slots=True, init=False)
class TimeSpan:
    """A part of a run, such as an outage.

    Attributes:
        start_s: its start in seconds, which is included.
        duration_s: its length in seconds.
    """

    start_s: float
    duration_s: float

    def __init__(self, start_s: Duration, duration_s: Duration) -> None:
        """Create a part of a run.

        Raises:
            InvalidLimit: a duration is invalid.
        """
        object.__setattr__(self, "start_s", seconds(start_s, "start_s"))
        object.__setattr__(self, "duration_s", seconds(duration_s, "duration_s", positive=True))

    @property
    def end_s(self) -> float:
        """Its end in seconds, which is excluded."""
        return self.start_s + self.duration_s


@dataclass(frozen=True, slots=True, init=False)
class ServerModel:
    """The server behind the limiter.

    An admitted request waits as long as a queue of the limiter says and is then worked on; its response
    follows. A rejection follows after `rejection_s`, and so does the failure of an attempt in an outage,
    which does not reach the limiter.

    Attributes:
        latency_s: mean time of the work on an admitted request.
        latency: distribution of that time.
        rejection_s: time until a rejection or failure arrives.
        retry_after: form of the Retry-After field of a rejection.
        outage: time in which every attempt fails, or None.
    """

    latency_s: float
    latency: LatencyShape
    rejection_s: float
    retry_after: RetryAfterField
    outage: TimeSpan | None

    def __init__(
        self,
        latency_s: Duration = 0,
        *,
        latency: str = LatencyShape.CONSTANT,
        rejection_s: Duration = 0,
        retry_after: str = RetryAfterField.SECONDS,
        outage: TimeSpan | None = None,
    ) -> None:
        """Create a server.

        Raises:
            InvalidLimit: an argument is invalid.
        """
        object.__setattr__(self, "latency_s", seconds(latency_s, "latency_s"))
        object.__setattr__(self, "latency", parse_enum(LatencyShape, latency, "latency"))
        object.__setattr__(self, "rejection_s", seconds(rejection_s, "rejection_s"))
        object.__setattr__(self, "retry_after", parse_enum(RetryAfterField, retry_after, "retry_after"))
        if outage is not None and not isinstance(outage, TimeSpan):
            raise InvalidLimit(f"must be a TimeSpan, not {shown(outage)}", subject="outage")
        object.__setattr__(self, "outage", outage)
