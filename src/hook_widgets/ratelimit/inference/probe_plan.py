"""Plans of further requests, which are made without sending any."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from hook_widgets.ratelimit.formatting import count, seconds


@dataclass(frozen=True, slots=True)
class ProbeStep:
    """Requests one after the other, each sent when the previous one is answered.

    Attributes:
        wait_s: seconds to wait before the first.
        requests: the number of requests.
        until_rejected: stop after the first rejection.
    """

    wait_s: Fraction
    requests: int
    until_rejected: bool = True


@dataclass(frozen=True, slots=True)
class ProbePlan:
    """Requests to send next, with one key, and their cost. Nothing is sent by making a plan.

    Attributes:
        steps: the requests, in order.
        requests: the most requests that are sent.
        rejections: the most rejections (429) among them.
        duration_s: the longest duration, in seconds.
    """

    steps: tuple[ProbeStep, ...]
    requests: int
    rejections: int
    duration_s: float

    def __str__(self) -> str:
        """Return the plan in words."""
        parts = []
        for step in self.steps:
            wait = f"wait {seconds(step.wait_s)}, " if step.wait_s else ""
            stop = ", until one is rejected" if step.until_rejected and step.requests > 1 else ""
            most = "up to " if stop else ""
            parts.append(f"{wait}send {most}{count(step.requests, 'request')}{stop}")
        return (
            f"{'; '.join(parts)}. At most {count(self.requests, 'request')}, "
            f"{count(self.rejections, 'rejection')} and {seconds(Fraction(self.duration_s))}."
        )
