"""Build the HTTP response to a request that a running limiter has just decided."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

from hook_widgets.ratelimit.http.problem_details import RejectionCause
from hook_widgets.ratelimit.http.responses import RateLimitResponse, response_after
from hook_widgets.ratelimit.http.x_ratelimit_headers import ResetDialect
from hook_widgets.ratelimit.limiters.running import LimitDecision, RunningLimiter


def respond(
    running: RunningLimiter,
    decision: LimitDecision,
    at_s: Fraction,
    cost: int | None = None,
    /,
    *,
    start_s: Fraction,
    x_reset: ResetDialect | str | None = None,
    cause: RejectionCause | str = RejectionCause.QUOTA,
    client: dict[str, Hashable],
) -> RateLimitResponse:
    """Return the response to the newest request of a running limiter. See `build_response`.

    Args:
        running: the limiter.
        decision: its decision about the request.
        at_s: the time of the request.
        cost: the cost of the request; None if it has none. A rejected one can be repeated once this cost
            is available.
        start_s: when the limiter began, in epoch seconds.
        x_reset: also send the three ``X-RateLimit`` fields, with Reset in this dialect.
        cause: the reason for a rejection, which determines its status.
        client: the client by key.

    Raises:
        InvalidLimit: the limit that rejected the request never admits one.
        InvalidHeader: a limit's name cannot be represented in a header.
    """
    free_at = running.free_at(at_s, None if decision.admitted else cost, **client)
    full_at = running.full_at_by_layer(at_s, **client)

    def full_s(k: int) -> Fraction | None:
        at = full_at[k]
        return None if at is None else at - at_s

    return response_after(
        running.limiter.layers,
        rejected_by=-1 if decision.rejected_by is None else decision.rejected_by,
        remaining=running.remaining_by_layer(at_s, **client),
        free_s=None if free_at is None else free_at - at_s,
        full_s=full_s,
        cost=1 if decision.admitted or cost is None else cost,
        now=start_s + at_s,
        x_reset=x_reset,
        cause=cause,
    )
