"""The part of a sentence that says which limit a throttle does not keep."""

from __future__ import annotations

from hook_widgets.ratelimit.formatting import any_window, count, short
from hook_widgets.ratelimit.planning.advice.claims import Claim, ClaimKind, claim
from hook_widgets.ratelimit.planning.advice.level_sentences import named
from hook_widgets.ratelimit.planning.inputs import PlanInputs
from hook_widgets.ratelimit.planning.metrics import Value
from hook_widgets.ratelimit.planning.sizing import api_allowance, tightest


def exceeded(inputs: PlanInputs, capacity: int, max_in_window: Value) -> tuple[str, Claim]:
    """Return what a throttle can exceed, more at once or more in a window, and the claim on it.

    For a limit of each user, IP address or endpoint it depends on their order.
    """
    limit, rate_per_s = tightest(inputs), inputs.usable_rate
    setting: dict[str, Value] = {"capacity": capacity, "rate_per_s": rate_per_s}
    too_many = claim(ClaimKind.TOO_MANY_AT_ONCE, **setting)
    most = f"({count(max_in_window, 'request')} {any_window(limit.window_s)})"
    if limit.per:
        in_window = claim(
            ClaimKind.MOST_IN_WINDOW, requests=max_in_window, window_s=limit.window_s, **setting
        )
        return f"is not sure to keep {named(limit)} {most}", in_window
    allowance = api_allowance(inputs, limit)
    if capacity > allowance:
        limiter = "limiter" if inputs.queued else "API"
        return f"can exceed the {short(allowance)} that the {limiter} admits at once", too_many
    return f"can exceed {named(limit)} {most}", too_many
