"""The state of clients and of their requests during a run."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass, field

from hook_widgets.ratelimit.clients.guards import AttemptOutcome, RunningGuard
from hook_widgets.ratelimit.clients.policy import ClientThrottle
from hook_widgets.ratelimit.units import NS_PER_S


@dataclass(slots=True, eq=False, kw_only=True)
class Client:
    """The state of one client.

    Attributes:
        keys: the client by key, for limits that are kept for each client.
        guards: the states of its guards.
        active: requests that it works on.
        waiting: requests that wait for one of those to end.
        full_at: time in nanoseconds at which the bucket of its throttle is full.
    """

    keys: dict[str, Hashable]
    guards: list[RunningGuard]
    active: int = 0
    waiting: deque[Request] = field(default_factory=deque)
    full_at: int = 0

    def reserve(self, t: int, throttle: ClientThrottle) -> int:
        """Take a token of the throttle, and return the time at which it is there."""
        interval = math.ceil(NS_PER_S / throttle.rate_per_s)
        self.full_at = max(self.full_at, t) + interval
        return max(t, self.full_at - throttle.burst * interval)


@dataclass(slots=True, eq=False)
class Request:
    """The state of one fresh request and its attempts. Times are in nanoseconds.

    Attributes:
        index: its index among all requests.
        client: its client.
        start: time at which it arose.
        begun: time of its first attempt.
        ended: time of its end, or None.
        sent: attempts that were sent.
        retries: attempts that were planned after the first.
        outstanding: attempts without an outcome, planned ones included.
        wait_s: the last backoff in seconds.
        last: outcome of the last attempt, or None.
        done: True if the client has a response or gave up.
    """

    index: int
    client: Client
    start: int
    begun: int = 0
    ended: int | None = None
    sent: int = 0
    retries: int = 0
    outstanding: int = 0
    wait_s: float = 0.0
    last: AttemptOutcome | None = None
    done: bool = False
