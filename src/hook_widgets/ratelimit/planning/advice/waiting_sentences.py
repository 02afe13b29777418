"""Sentences on a limiter that makes requests wait instead of rejecting them."""

from __future__ import annotations

from fractions import Fraction

from hook_widgets.ratelimit.limiters.algorithm import WAITING_LABEL
from hook_widgets.ratelimit.planning.advice.claims import Advice, ClaimKind, claim, verdict
from hook_widgets.ratelimit.planning.inputs import PlanInputs


def enforcement(inputs: PlanInputs) -> str:
    """Return what the verdict begins with if the limiter makes requests wait; empty if it rejects them."""
    if not inputs.waits:
        return ""
    if inputs.queued:
        return "This limiter makes requests wait instead of rejecting them. "
    return (
        "This limiter makes requests wait, but is simulated here as one that rejects them: waiting is "
        f"simulated only with the algorithm “{WAITING_LABEL}” and without a limit of requests in flight. "
    )


def ever_longer(start: str, inputs: PlanInputs, steady_per_s: Fraction) -> Advice:
    """Return the verdict on steady traffic above the limit."""
    limit_per_s = inputs.binding.rate_per_s
    return verdict(
        f"{start}: sent as it comes it waits, and ever longer.",
        claim(ClaimKind.QUEUE_GROWS, steady_per_s=steady_per_s, rate_per_s=limit_per_s),
    )
