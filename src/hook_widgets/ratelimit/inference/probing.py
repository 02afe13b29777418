"""Adaptive probing of an API: requests are sent one at a time until one class of limiters is left."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, TypeAlias

from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit.inference.api import Inference, infer
from hook_widgets.ratelimit.inference.evidence import MAX_OBSERVATIONS, Observation, checked_observations
from hook_widgets.ratelimit.inference.header_limits import asked_wait_s
from hook_widgets.ratelimit.inference.next_probe import ProbeStep
from hook_widgets.ratelimit.units import Duration, duration, whole

Sent: TypeAlias = tuple[Duration, Duration, int, Mapping[str, str]]
"""Times at which a request was sent and answered, in seconds by one clock, the status, and the headers."""

_REQUESTS: Final = 150
_REJECTIONS: Final = 30
_DURATION_S: Final = 600


def probe_limit(
    send: Callable[[], Sent],
    *,
    allow_traffic: bool = False,
    max_requests: int = _REQUESTS,
    max_rejections: int = _REJECTIONS,
    max_duration_s: Duration = _DURATION_S,
    rejected: Collection[int] = (429,),
    clock_step_s: Duration = "1 ms",
    wait: Callable[[float], object] = time.sleep,
) -> Inference:
    """Send requests until one class of limiters is left, or a budget is used up.

    This is traffic against an API, and many APIs ban clients that cause too many rejections. Ask its owner,
    and use a key that nobody else uses. Each request is sent after the previous response, and after the
    time that its Retry-After states.

    Args:
        send: function that sends one request, always with the same key, and returns when it was sent, when
            the response arrived (by one clock, such as `time.monotonic`), its status and its headers.
        allow_traffic: must be true.
        max_requests: the most requests.
        max_rejections: the most rejected requests.
        max_duration_s: the longest duration.
        rejected: the statuses of rejected requests.
        clock_step_s: resolution of the server's clock.
        wait: function that waits so many seconds.

    Raises:
        InvalidArrivals: `allow_traffic` is not true, a budget is invalid, or `send` returns something else.
        InvalidHeader: `send` returns headers that are not pairs of texts.
    """
    requests = min(whole(max_requests, "max_requests", error=InvalidArrivals), MAX_OBSERVATIONS)
    rejections = whole(max_rejections, "max_rejections", error=InvalidArrivals)
    longest = duration(max_duration_s, "max_duration_s", error=InvalidArrivals)
    if not allow_traffic:
        raise InvalidArrivals(
            f"this would send up to {requests} requests to an API, of which up to {rejections} are rejected; "
            "ask its owner, then give allow_traffic=True"
        )
    probe = _Probe(send, rejected, longest, requests, rejections, wait)
    result = infer((), rejected=rejected, clock_step_s=clock_step_s)
    proceed = True
    while proceed and (
        plan := result.next_probe(
            max_requests=requests - result.requests,
            max_rejections=rejections - result.rejections,
            max_duration_s=max(longest - probe.elapsed_s, Fraction(0)),
        )
    ):
        proceed = all(probe.run(step) for step in plan.steps)
        result = result.extend(probe.observations[result.requests :])
    return result


@dataclass(slots=True)
class _Probe:
    """The requests that were sent, and the budgets for more."""

    send: Callable[[], Sent]
    rejected: Collection[int]
    longest_s: Fraction
    requests: int
    rejections: int
    wait: Callable[[float], object]
    observations: list[Observation] = field(default_factory=list)

    @property
    def elapsed_s(self) -> Fraction:
        """Seconds from the first request to the last response."""
        if not self.observations:
            return Fraction(0)
        begin = duration(self.observations[0].sent_s, "sent_s", positive=False, error=InvalidArrivals)
        end = duration(self.observations[-1].answered_s, "answered_s", positive=False, error=InvalidArrivals)
        return end - begin

    def run(self, step: ProbeStep) -> bool:
        """Send the requests of a step; return False if a budget is used up."""
        pause = step.wait_s
        for _ in range(step.requests):
            if self.observations:
                pause = max(pause, asked_wait_s(self.observations[-1], self.rejected))
            if len(self.observations) == self.requests or self.elapsed_s + pause > self.longest_s:
                return False
            if pause:
                self.wait(float(pause))
            pause = Fraction(0)
            self.observations += checked_observations([self.send()])
            if self.observations[-1].status in self.rejected:
                self.rejections -= 1
                if not self.rejections:
                    return False
                if step.until_rejected:
                    return True
        return True
