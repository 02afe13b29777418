"""Observed requests, checked, as intervals of time in which the server decided them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import inf
from typing import Any, Final, NamedTuple

from hook_widgets._arguments import several, shown
from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit.units import Duration, duration

MAX_OBSERVATIONS: Final = 1_000
MAX_SPAN_S: Final = 10**7
_ROUNDING_S: Final = Fraction(1, 10**6)  # far above the rounding of floats, far below the jitter of a network
_STATUSES: Final = range(100, 600)


class Observation(NamedTuple):
    """A request as its client saw it.

    Attributes:
        sent_s: when it was sent, in seconds from any start.
        answered_s: when its response arrived, by the same clock.
        status: the status of the response.
        headers: header fields of the response, or None.
    """

    sent_s: Duration
    answered_s: Duration
    status: int
    headers: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """Decisions in their order, each with the interval that contains its time.

    Attributes:
        earliest_s: begin of each interval, ascending, in seconds from the first request.
        latest_s: end of each interval, ascending.
        admitted: the decisions.
        retry_s: for each rejection, after how many seconds a request is admitted, as far as a header states
            it; otherwise infinity.
    """

    earliest_s: list[float]
    latest_s: list[float]
    admitted: list[bool]
    retry_s: list[float]

    def prefix(self, n: int) -> Evidence:
        """Return the first n decisions."""
        return Evidence(self.earliest_s[:n], self.latest_s[:n], self.admitted[:n], self.retry_s[:n])

    def without_headers(self) -> Evidence:
        """Return the decisions alone."""
        return Evidence(self.earliest_s, self.latest_s, self.admitted, [inf] * len(self.admitted))

    @property
    def before_rejection(self) -> int | None:
        """Number of requests before the first rejected one; None if all were admitted."""
        return self.admitted.index(False) if False in self.admitted else None


def checked_observations(observations: Iterable[Any]) -> list[Observation]:
    """Return observations from records or tuples.

    Raises:
        InvalidArrivals: there are too many, or one is none.
    """
    checked = []
    for i, entry in enumerate(several(observations, "observations", InvalidArrivals)):
        if i == MAX_OBSERVATIONS:
            raise InvalidArrivals(
                f"there are more than {MAX_OBSERVATIONS:,} observations; give a part of them"
            )
        try:
            checked.append(Observation(*entry))
        except TypeError:
            raise InvalidArrivals(
                f"observation {i} is {shown(entry)}; give the time sent, the time answered and the status"
            ) from None
    return checked


def evidence_of(
    observations: Collection[Observation],
    rejected: Collection[int],
    clock_step_s: Duration,
    retry_s: list[float],
) -> Evidence:
    """Return what observations tell about the decisions.

    Args:
        observations: the requests, in the order in which they were sent.
        rejected: the statuses of rejected requests.
        clock_step_s: resolution of the server's clock.
        retry_s: as in `Evidence`.

    Raises:
        InvalidArrivals: a time or a status is invalid, or the requests are not in order.
    """
    step = duration(clock_step_s, "clock_step_s", positive=False, error=InvalidArrivals)
    sent, answered = [], []
    for i, entry in enumerate(observations):
        sent.append(
            duration(entry.sent_s, f"sent_s of observation {i}", positive=False, error=InvalidArrivals)
        )
        answered.append(
            duration(
                entry.answered_s, f"answered_s of observation {i}", positive=False, error=InvalidArrivals
            )
        )
        if answered[i] < sent[i]:
            raise InvalidArrivals(f"observation {i} was answered before it was sent; use one monotonic clock")
        if i and sent[i] < sent[i - 1]:
            raise InvalidArrivals(f"observation {i} was sent before the previous one; sort them by sent_s")
        if isinstance(entry.status, bool) or entry.status not in _STATUSES:
            raise InvalidArrivals(f"the status of observation {i} is {shown(entry.status)}; give 100 to 599")
    if sent and max(answered) - sent[0] > MAX_SPAN_S:
        raise InvalidArrivals(f"the observations span more than {MAX_SPAN_S:,} s; give a part of them")
    # The server decides in the order of sending: no request later than any that was sent after it.
    ends = list(accumulate(reversed(answered), min))[::-1]
    return Evidence(
        [float(t - sent[0] - step - _ROUNDING_S) for t in sent],
        [float(t - sent[0] + _ROUNDING_S) for t in ends],
        [entry.status not in rejected for entry in observations],
        retry_s,
    )
