"""Build the HTTP response to each request of a run, or of a running limiter: status, fields and body."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import partial
from typing import Final

from hook_widgets._arguments import shown
from hook_widgets.errors import InvalidHeader, InvalidLimit
from hook_widgets.ratelimit.formatting import seconds
from hook_widgets.ratelimit.http.problem_details import RejectionCause
from hook_widgets.ratelimit.http.ratelimit_headers import (
    QuotaPolicy,
    ServiceLimit,
    build_ratelimit,
    build_ratelimit_policy,
)
from hook_widgets.ratelimit.http.rejection import ExceededLimit, reject
from hook_widgets.ratelimit.http.rounding import epoch_s
from hook_widgets.ratelimit.http.x_ratelimit_headers import ResetDialect, XRateLimit
from hook_widgets.ratelimit.limiters.base import Limiter, SingleLimiter
from hook_widgets.ratelimit.limiters.buckets import DrainStart, Gcra, LeakyBucket, TokenBucket, WaitingBucket
from hook_widgets.ratelimit.limiters.calendar_window import CalendarWindow
from hook_widgets.ratelimit.limiters.hold_off import HoldOff
from hook_widgets.ratelimit.limiters.keyed import PerClient, one_client
from hook_widgets.ratelimit.limiters.layers import Concurrency
from hook_widgets.ratelimit.limiters.running import LimitDecision, RunningLimiter
from hook_widgets.ratelimit.limiters.windows import CountedWindow, FixedWindow, SlidingCounter, SlidingLog
from hook_widgets.ratelimit.simulation.result import Run
from hook_widgets.ratelimit.units import NS_PER_S, Number

_RUN_START: Final = datetime(2026, 1, 5, 9, tzinfo=UTC)  # fixed, so that equal runs give equal responses


@dataclass(frozen=True, slots=True)
class RateLimitResponse:
    """The response to one request, reduced to its rate limit parts.

    Attributes:
        status: 200 or 429.
        headers: names and values in order.
        body: the problem document of a rejection; empty otherwise.
    """

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes = b""


def policy_of(limiter: Limiter) -> QuotaPolicy:
    """Return the policy (quota and window) that describes one limiter to a client.

    A token bucket is described by its capacity and the time to fill it, a leaky bucket by its queue places
    and the time to drain them, a concurrency limit by its size without a window.

    Args:
        limiter: the limiter.

    Raises:
        InvalidLimit: the limiter has several layers, or is of a kind that no policy describes.
        InvalidHeader: the limiter's name cannot be represented in a header.

    >>> from hook_widgets.ratelimit import TokenBucket
    >>> build_ratelimit_policy([policy_of(TokenBucket(10, "5/s", name="burst"))])
    '"burst";q=10;w=2'
    """
    name = limiter.name or type(limiter).__name__
    match limiter:
        case PerClient():
            return replace(policy_of(limiter.one), name=name)
        case HoldOff():
            return replace(policy_of(limiter.limit), name=name)
        case TokenBucket():
            return QuotaPolicy.rounded(
                name, quota=limiter.capacity, window_s=limiter.capacity / limiter.refill_rate
            )
        case LeakyBucket():
            places = limiter.queue_size + (limiter.start is DrainStart.IMMEDIATE)
            return QuotaPolicy.rounded(name, quota=places, window_s=places / limiter.drain_rate)
        case FixedWindow() | SlidingLog() | SlidingCounter():
            return QuotaPolicy.rounded(name, quota=limiter.limit, window_s=limiter.window_s)
        case Gcra():
            bucket = limiter.as_token_bucket()
            span = bucket.capacity / bucket.refill_rate
            return QuotaPolicy.rounded(name, quota=bucket.capacity, window_s=span)
        case CalendarWindow():
            return QuotaPolicy.rounded(name, quota=limiter.limit)
        case Concurrency():
            return QuotaPolicy(name=name, quota=limiter.limit, unit="concurrent-requests")
        case WaitingBucket():
            raise InvalidLimit(
                f"{name} makes requests wait before they are sent, so no response header tells of it"
            )
    raise InvalidLimit(f"{name} cannot be expressed as a quota in a window; give another single limit")


def build_response(
    run: Run, index: int, *, start: datetime | Number = 0, x_reset: ResetDialect | str | None = None
) -> RateLimitResponse:
    """Return the response to one request of a run.

    The remaining quota is that after all requests of the same instant. Every exhausted limit has a reset:
    the time until the rejected request passes all limits at its cost, or after an admitted one a request of
    cost 1, rounded up.

    Args:
        run: the run with its decisions.
        index: index of the request in the run.
        start: when the run begins (epoch seconds or an aware datetime); 0 if its times are epoch seconds.
        x_reset: also send the three ``X-RateLimit`` fields, for the limit with the least quota remaining.
            Reset is the time at which its full quota is available again, in this dialect.

    Raises:
        InvalidLimit: there is no such request, or the limit that rejected it never admits one.
        InvalidHeader: a limit's name cannot be represented in a header, or ``start`` is not a time.

    >>> from hook_widgets.ratelimit import TokenBucket, simulate
    >>> run = simulate(TokenBucket(1, "5/min", name="calls"), [0, 1])
    >>> [(build_response(run, i).status, dict(build_response(run, i).headers)["RateLimit"]) for i in (0, 1)]
    [(200, '"calls";r=0;t=12'), (429, '"calls";r=0;t=11')]
    """
    if not 0 <= index < len(run.admitted):
        raise InvalidLimit(
            f"the run has {len(run.admitted)} requests, none with index {shown(index)}; count from 0"
        )
    at = Fraction(run.arrivals.times_ns[index], NS_PER_S)
    client = run.client(index)
    costs = run.record.trace.explicit_costs
    cost = 1 if run.admitted[index] or costs is None else int(costs[index])
    free_at = run.free_at(at, cost, client=client)
    rejected_by = 0 if run.record.rejected_by is None else run.record.rejected_by[index]
    return response_after(
        run.limiter.layers,
        rejected_by=-1 if run.admitted[index] else rejected_by,
        remaining=run.tokens_by_layer(at, client=client),
        free_s=None if free_at is None else free_at - at,
        full_s=lambda k: _full_quota_s(run, k, at, client),
        cost=cost,
        now=epoch_s(start) + at,
        x_reset=x_reset,
    )


def response_after(
    layers: tuple[SingleLimiter, ...],
    *,
    rejected_by: int,
    remaining: Sequence[Fraction | int],
    free_s: Fraction | None,
    full_s: Callable[[int], Fraction | None],
    cost: int,
    now: Fraction,
    x_reset: ResetDialect | str | None,
    cause: RejectionCause | str = RejectionCause.QUOTA,
) -> RateLimitResponse:
    """Return the response to a request after its decision.

    Args:
        layers: the limits.
        rejected_by: index of the first limit that rejected the request, -1 if it was admitted.
        remaining: what is left of each limit.
        free_s: seconds until such a request would be admitted; None if never.
        full_s: function from the index of a limit to the seconds until its full quota is available again;
            None for one without a window.
        cost: the cost of the request.
        now: the time of the response, in epoch seconds.
        x_reset: also send the three ``X-RateLimit`` fields, with Reset in this dialect.
        cause: the reason for a rejection, which determines its status.

    Raises:
        InvalidLimit: the limit that rejected the request never admits one.
        InvalidHeader: a limit's name cannot be represented in a header.
    """
    policies = [policy_of(layer) for layer in layers]
    if rejected_by >= 0:
        if free_s is None:
            raise InvalidLimit(
                "this limit never admits a request, so there is no time to retry; raise the limit"
            )
        exceeded = [
            ExceededLimit(policies[k], free_s, reset_s=full_s(k), remaining=remaining[k])
            for k, layer in enumerate(layers)
            if remaining[k] < (1 if layer._max_cost is None else cost) or k == rejected_by
        ]
        rejection = reject(exceeded, now=now, x_reset=x_reset, cause=cause)
        return RateLimitResponse(rejection.status, rejection.headers, rejection.body)
    limits = [
        ServiceLimit.rounded(policy.name, remaining=tokens, reset_s=free_s if tokens < 1 else None)
        for policy, tokens in zip(policies, remaining, strict=True)
    ]
    headers = [
        ("RateLimit-Policy", build_ratelimit_policy(policies)),
        ("RateLimit", build_ratelimit(limits)),
    ]
    timed = [k for k, policy in enumerate(policies) if policy.window_s is not None]
    if x_reset is not None and timed:
        k = min(timed, key=lambda k: remaining[k])
        x_ratelimit = XRateLimit.rounded(
            limit=policies[k].quota, remaining=remaining[k], reset_s=full_s(k) or 0, dialect=x_reset, now=now
        )
        headers += x_ratelimit.headers().items()
    return RateLimitResponse(200, tuple(headers))


def _full_quota_s(run: Run, k: int, at: Fraction, client: Mapping[str, Hashable]) -> Fraction | None:
    """Return the seconds until the full quota of a layer is available if no request arrives.

    Return None for a concurrency limit. For a queue the result is an upper bound, too large by at most the
    time of one request.
    """
    layer, remaining = one_client(run.limiter.layers[k]), run.tokens_by_layer(at, client=client)[k]
    match layer:
        case TokenBucket(refill_every_s=None):
            return (layer.capacity - remaining) / layer.refill_rate
        case Gcra():
            return (layer.as_token_bucket().capacity - remaining) * layer.emission_interval_s
        case LeakyBucket():
            return (policy_of(layer).quota - remaining) / layer.drain_rate
        case TokenBucket() | CountedWindow() | SlidingLog() | SlidingCounter() | HoldOff():
            next_available = run.free_at_by_layer(at, layer._max_cost or 1, client=client)[k]
            return Fraction(0) if next_available is None else next_available - at
    return None


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
        x_reset: as in `response_after`.
        cause: as in `response_after`.
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


@dataclass(frozen=True, slots=True)
class SampleResponse:
    """One sample response.

    Attributes:
        title: the situation, such as the first rejection, and its time.
        status: 200, 429 or 503; 0 if no header can represent the response.
        headers: names and values in order.
        body: the body of a rejection, or the reason why there is no response.
    """

    title: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: str


def sample_responses(run: Run, *, start: datetime | Number = _RUN_START) -> tuple[SampleResponse, ...]:
    """Return sample responses to the first request, the first rejected one and the next admitted one.

    The last sample is the response of an overloaded API. Situations that do not occur in the run are omitted.

    Args:
        run: the run with its decisions.
        start: when the run begins, from which the dates in the bodies follow (epoch seconds or an aware
            datetime); by default 9:00 UTC on Monday, 5 January 2026.

    >>> from hook_widgets.ratelimit import TokenBucket, simulate
    >>> [sample.status for sample in sample_responses(simulate(TokenBucket(1, "1/s"), [0, 0, 1]))]
    [200, 429, 200, 503]
    """
    samples = [
        _sample(
            f"{title}, after {seconds(run.arrivals.times_s[i])}",
            partial(build_response, run, i, start=start, x_reset=ResetDialect.DELTA),
        )
        for title, i in _situations(run)
    ]
    overloaded = _sample(
        "When the API is overloaded, within the limit or not", partial(_overloaded, run, start)
    )
    return (*samples, overloaded)


def _situations(run: Run) -> Iterator[tuple[str, int]]:
    admitted = run.admitted
    if admitted and admitted[0]:
        yield "The first request", 0
    if False in admitted:
        rejected = admitted.index(False)
        yield "The first rejected request", rejected
        if True in admitted[rejected:]:
            yield "The next one that passes", admitted.index(True, rejected)


def _overloaded(run: Run, start: datetime | Number) -> RateLimitResponse:
    """Return the response that every client receives while the API is overloaded."""
    policy = policy_of(run.limiter.layers[0])
    rejection = reject([ExceededLimit(policy, retry_s=5)], now=start, cause=RejectionCause.CAPACITY)
    return RateLimitResponse(rejection.status, rejection.headers, rejection.body)


def _sample(title: str, respond: Callable[[], RateLimitResponse]) -> SampleResponse:
    try:
        response = respond()
    except (InvalidHeader, InvalidLimit) as error:  # for example a limit's name that is not ASCII
        return SampleResponse(title, 0, (), str(error))
    return SampleResponse(title, response.status, response.headers, response.body.decode())
