"""Build the response to a rejected request: status, header fields and problem document.

The response must not be cached (RFC 6585 section 4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from fractions import Fraction

from hook_widgets._arguments import several
from hook_widgets.errors import InvalidHeader
from hook_widgets.ratelimit.formatting import seconds, short, window
from hook_widgets.ratelimit.http.problem_details import (
    LimitDetail,
    ProblemDetails,
    RejectionCause,
    choose_status,
)
from hook_widgets.ratelimit.http.ratelimit_headers import (
    QuotaPolicy,
    ServiceLimit,
    build_ratelimit,
    build_ratelimit_policy,
)
from hook_widgets.ratelimit.http.retry_after import build_retry_after
from hook_widgets.ratelimit.http.rounding import epoch_s, exact, up
from hook_widgets.ratelimit.http.x_ratelimit_headers import ResetDialect, XRateLimit
from hook_widgets.ratelimit.units import EPOCH, Number


@dataclass(frozen=True, slots=True)
class ExceededLimit:
    """A limit that a request would exceed, in exact numbers.

    Attributes:
        policy: the limit.
        retry_s: time from now until this request can pass, in seconds or as a `datetime.timedelta`.
        reset_s: time from now until the full quota is available again; None means ``retry_s``.
        remaining: the remaining quota (less than the request needs).
    """

    policy: QuotaPolicy
    retry_s: Number | timedelta
    reset_s: Number | timedelta | None = None
    remaining: Number = 0


@dataclass(frozen=True, slots=True)
class Rejection:
    """The response to a rejected request, ready to send.

    Attributes:
        status: 429 or 503.
        headers: names and values in order.
        body: the problem document.
    """

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


def reject(
    exceeded: Sequence[ExceededLimit],
    *,
    now: datetime | Number,
    cause: RejectionCause | str = RejectionCause.QUOTA,
    x_reset: ResetDialect | str | None = None,
) -> Rejection:
    """Build the response to a request that would exceed these limits.

    Times are rounded up, so that a compliant client never retries too early.

    Args:
        exceeded: the limits, at least one.
        now: the time of the response (epoch seconds or an aware datetime).
        cause: the reason; determines the status, 429 or 503.
        x_reset: also send the three ``X-RateLimit`` fields, for the limit with the longest wait, with
            Reset in this dialect.

    Raises:
        InvalidHeader: there is no limit, or a number cannot be represented in a header.

    >>> policy = QuotaPolicy(name="hourly", quota=1000, window_s=3600)
    >>> hourly = ExceededLimit(policy, retry_s=3.6, reset_s=1200)
    >>> rejection = reject([hourly], now=1_790_000_000)
    >>> rejection.status, dict(rejection.headers)["Retry-After"], dict(rejection.headers)["RateLimit"]
    (429, '4', '"hourly";r=0;t=4')
    """
    choice = choose_status(cause)
    if not list(several(exceeded, "exceeded", InvalidHeader)):
        raise InvalidHeader("there is no exceeded limit; give at least one")
    now_s = epoch_s(now)
    limits = [_limit_detail(limit, now_s) for limit in exceeded]
    longest = max(range(len(limits)), key=lambda index: limits[index].retry_after_s)
    retry = limits[longest].retry_after_s
    services = [
        ServiceLimit.rounded(limit.policy.name, remaining=limit.remaining, reset_s=limit.retry_s)
        for limit in exceeded
    ]
    headers = [
        ("Content-Type", "application/problem+json"),
        ("Cache-Control", "no-store"),
        ("Retry-After", build_retry_after(retry)),
        ("RateLimit-Policy", build_ratelimit_policy(limit.policy for limit in exceeded)),
        ("RateLimit", build_ratelimit(services)),
    ]
    if x_reset is not None:
        x_ratelimit = XRateLimit.rounded(
            limit=exceeded[longest].policy.quota,
            remaining=exceeded[longest].remaining,
            reset_s=_reset_s(exceeded[longest]),
            dialect=x_reset,
            now=now_s,
        )
        headers += x_ratelimit.headers().items()
    reason = " ".join(_sentence(limit.policy) for limit in exceeded)
    if choice.code == 503:  # the client's own limits are not the reason then
        reason = "The server is overloaded and cannot serve this request now."
    detail = f"{reason} Retry in {seconds(retry)}."
    names = tuple(limit.policy.name for limit in exceeded)
    problem = ProblemDetails(
        cause=RejectionCause(cause), violated=names, detail=detail, retry_after_s=retry, limits=tuple(limits)
    )
    return Rejection(choice.code, tuple(headers), problem.build())


def _reset_s(limit: ExceededLimit) -> Fraction:
    # Some clients wait for the reset instead of Retry-After, so the reset must not be the earlier one.
    retry_s = exact("retry", limit.retry_s)
    return retry_s if limit.reset_s is None else max(retry_s, exact("reset", limit.reset_s))


def _limit_detail(limit: ExceededLimit, now_s: Fraction) -> LimitDetail:
    policy = replace(limit.policy, partition_key=None)
    reset = up("reset", _reset_s(limit))
    try:
        resets_at = EPOCH + timedelta(seconds=up("reset", now_s + max(Fraction(0), _reset_s(limit))))
    except OverflowError:
        raise InvalidHeader("the reset is after the year 9999; use fewer seconds") from None
    return LimitDetail(policy, up("retry", limit.retry_s), reset, resets_at)


def _sentence(policy: QuotaPolicy) -> str:
    unit = policy.unit.replace("-", " ")
    span = "" if policy.window_s is None else f" {window(policy.window_s)}"
    return f"The limit {policy.name!r} of {short(policy.quota)} {unit}{span} is exceeded."
