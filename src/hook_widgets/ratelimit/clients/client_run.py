"""Results of one run of a closed-loop simulation."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from hook_widgets._arguments import several
from hook_widgets.errors import InvalidArrivals, InvalidLimit
from hook_widgets.ratelimit.clients.guards import AttemptOutcome
from hook_widgets.ratelimit.units import NS_PER_S, number


class RequestRecord(NamedTuple):
    """A fresh request and its end.

    Attributes:
        client: number of the client, from 0.
        start_ns: time at which it arose.
        end_ns: time at which the client had its response or gave up; None if it was not finished.
        attempts: attempts that were sent.
        served: True if the client had a successful response.
    """

    client: int
    start_ns: int
    end_ns: int | None
    attempts: int
    served: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class ClientRun:
    """One run: the requests of all clients, and their attempts.

    Attributes:
        seed: the seed.
        duration_s: its duration in seconds.
        clients: number of clients.
        requests: the fresh requests, by time.
        attempts: time in nanoseconds and outcome of every attempt that was sent, by time.
        admitted: attempts that the limiter admitted.
        blocked: attempts that were not sent, because a guard of the client prevented it.
        wasted: admitted attempts whose successful response nobody awaited any more.
        disturbance_s: start and end of outage and surge, or None.
    """

    seed: int
    duration_s: float
    clients: int
    requests: tuple[RequestRecord, ...] = field(repr=False)
    attempts: tuple[tuple[int, AttemptOutcome], ...] = field(repr=False)
    admitted: int
    blocked: int
    wasted: int
    disturbance_s: tuple[float, float] | None

    @cached_property
    def served(self) -> int:
        """Number of requests whose clients had a successful response."""
        return sum(request.served for request in self.requests)

    @cached_property
    def given_up(self) -> int:
        """Number of requests that ended without success."""
        return sum(request.end_ns is not None and not request.served for request in self.requests)

    @property
    def unfinished(self) -> int:
        """Number of requests that were not finished at the end of the run."""
        return len(self.requests) - self.served - self.given_up

    @cached_property
    def outcomes(self) -> Counter[AttemptOutcome]:
        """Number of attempts by outcome."""
        return Counter(outcome for _, outcome in self.attempts)

    @property
    def goodput_per_s(self) -> float:
        """Successful requests per second."""
        return self.served / self.duration_s

    @property
    def served_share(self) -> float:
        """Successful requests divided by all; 1 if there was none."""
        return self.served / len(self.requests) if self.requests else 1.0

    @property
    def attempts_per_s(self) -> float:
        """Attempts per second."""
        return len(self.attempts) / self.duration_s

    @property
    def amplification(self) -> float:
        """Attempts per request; 1 if there was no request."""
        return len(self.attempts) / len(self.requests) if self.requests else 1.0

    @cached_property
    def fairness(self) -> float:
        """Jain's index of the clients' shares of successful requests: 1 if equal, 1/n if one of n has all.

        Clients without requests do not count. See `jain_index`.
        """
        offered = Counter(request.client for request in self.requests)
        served = Counter(request.client for request in self.requests if request.served)
        return jain_index([served[client] / count for client, count in offered.items()])

    @cached_property
    def time_to_success_s(self) -> float | None:
        """Mean time from the start of a request until its success, in seconds; None without success."""
        times = [end - request.start_ns for end, request in self._finished if request.served]
        return sum(times) / len(times) / NS_PER_S if times else None

    @property
    def _finished(self) -> list[tuple[int, RequestRecord]]:
        return [(request.end_ns, request) for request in self.requests if request.end_ns is not None]

    @cached_property
    def backlog(self) -> tuple[tuple[int, int], ...]:
        """Number of unfinished requests from each time on, in nanoseconds, at each time that changes it."""
        change: Counter[int] = Counter(request.start_ns for request in self.requests)
        change.subtract(end for end, _ in self._finished)
        times = sorted(change)
        return tuple(zip(times, accumulate(change[t] for t in times), strict=True))

    @cached_property
    def recovery_s(self) -> float | None:
        """Time to recover in seconds.

        It runs from the end of the disturbance until the backlog is back where it was before: at most as high
        as the highest before. It is infinite if that does not happen before the end of the run, None if there
        is no disturbance.
        """
        if self.disturbance_s is None:
            return None
        if self.disturbance_s[1] >= self.duration_s:
            return math.inf
        start, end = (round(edge * NS_PER_S) for edge in self.disturbance_s)
        usual = max((count for t, count in self.backlog if t < start), default=0)
        at_end = 0
        for t, count in self.backlog:
            if t <= end:
                at_end = count
            elif at_end <= usual:
                break
            elif count <= usual:
                return (t - end) / NS_PER_S
        return 0.0 if at_end <= usual else math.inf

    def attempts_in(self, width_s: float, outcome: AttemptOutcome | None = None) -> list[int]:
        """Return how many attempts were sent in each interval of the run.

        Args:
            width_s: length of the intervals in seconds.
            outcome: only attempts with this outcome; None for all.

        Raises:
            InvalidArrivals: the length is not positive, or there would be more than 100,000 intervals.
        """
        return self._counts([t for t, got in self.attempts if outcome in (None, got)], width_s)

    def requests_in(self, width_s: float) -> list[int]:
        """Return how many fresh requests arose in each interval. See `attempts_in`.

        Args:
            width_s: length of the intervals in seconds.

        Raises:
            InvalidArrivals: as `attempts_in`.
        """
        return self._counts([request.start_ns for request in self.requests], width_s)

    def served_in(self, width_s: float) -> list[int]:
        """Return how many clients had a successful response in each interval. See `attempts_in`.

        Args:
            width_s: length of the intervals in seconds.

        Raises:
            InvalidArrivals: as `attempts_in`.
        """
        return self._counts([end for end, request in self._finished if request.served], width_s)

    def _counts(self, times_ns: Sequence[int], width_s: float) -> list[int]:
        if not 0 < width_s < math.inf or self.duration_s / width_s > 100_000:
            raise InvalidArrivals("must divide the run into 1 to 100,000 intervals", subject="width_s")
        width, counts = width_s * NS_PER_S, [0] * math.ceil(self.duration_s / width_s)
        for t in times_ns:
            counts[min(int(t / width), len(counts) - 1)] += 1
        return counts


def jain_index(shares: Sequence[float]) -> float:
    """Return Jain's fairness index: (sum x)^2 / (n * sum x^2); 1 for no shares, or only zeros.

    Source: Jain, Chiu and Hawe, A Quantitative Measure of Fairness and Discrimination for Resource Allocation
    in Shared Computer Systems, DEC-TR-301 (1984).

    Args:
        shares: what each one gets.

    >>> jain_index([1, 1, 1, 1]), jain_index([1, 0, 0, 0])
    (1.0, 0.25)
    """
    shares = [
        float(number(share, "a share", positive=False)) for share in several(shares, "shares", InvalidLimit)
    ]
    squares = sum(share * share for share in shares)
    return sum(shares) ** 2 / (len(shares) * squares) if squares else 1.0
