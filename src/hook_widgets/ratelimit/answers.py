"""What each client of a run is told: status, rate limit fields and, when refused, a body."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.buckets import Gcra, LeakyBucket, Start, TokenBucket
from hook_widgets.ratelimit.headers import Policy, ServiceLimit, build_policy, build_ratelimit
from hook_widgets.ratelimit.layers import Concurrency
from hook_widgets.ratelimit.limiter import Limiter
from hook_widgets.ratelimit.per import Per, one_client
from hook_widgets.ratelimit.quantity import NS_PER_S, Number
from hook_widgets.ratelimit.rejection import Exceeded, reject
from hook_widgets.ratelimit.rounding import epoch_s
from hook_widgets.ratelimit.run import Run
from hook_widgets.ratelimit.windows import FixedWindow, SlidingCounter, SlidingLog
from hook_widgets.ratelimit.xheaders import Reset, XRateLimit


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one request, as far as rate limits go.

    Attributes:
        status: 200 or 429.
        headers: names and values in order.
        body: the problem document of a refusal; empty otherwise.
    """

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes = b""


def policy_of(limiter: Limiter) -> Policy:
    """The policy that tells a client of one limit: quota and window.

    A bucket is told as its capacity in the time it takes to fill, a leaky one as its places in the time it
    takes to drain, a concurrency limit without a window.

    Args:
        limiter: the limit.

    Raises:
        InvalidLimit: these are several limits, or a kind that has no such form.
        InvalidHeader: its name cannot stand in a header.

    >>> from hook_widgets.ratelimit import TokenBucket
    >>> build_policy([policy_of(TokenBucket(10, "5/s", name="burst"))])
    '"burst";q=10;w=2'
    """
    name = limiter.name or type(limiter).__name__
    match limiter:
        case Per():
            return replace(policy_of(limiter.one), name=name)
        case TokenBucket():
            return Policy.rounded(
                name, quota=limiter.capacity, window_s=limiter.capacity / limiter.refill_rate
            )
        case LeakyBucket():
            places = limiter.queue_size + (limiter.start is Start.IMMEDIATE)
            return Policy.rounded(name, quota=places, window_s=places / limiter.drain_rate)
        case FixedWindow() | SlidingLog() | SlidingCounter():
            return Policy.rounded(name, quota=limiter.limit, window_s=limiter.window_s)
        case Gcra():
            bucket = limiter.as_token_bucket()
            span = bucket.capacity / bucket.refill_rate
            return Policy.rounded(name, quota=bucket.capacity, window_s=span)
        case Concurrency():
            return Policy(name, limiter.limit, unit="concurrent-requests")
    raise InvalidLimit(f"{name} cannot be told as a quota in a window. Give a single limit of another kind.")


def answer(
    run: Run, index: int, *, start: datetime | Number = 0, x_reset: Reset | str | None = None
) -> Answer:
    """The answer to one request of a run.

    It tells what is left after everything that came at the same instant. Where nothing is left, the time
    until a request of cost 1 can pass is told for every such limit; it is that of the slowest, rounded up.

    Args:
        run: the decisions.
        index: which request.
        start: when the run began (epoch seconds or an aware datetime).
        x_reset: also send the three ``X-RateLimit`` fields, of the limit that has the least left, with the
            moment at which its whole quota is back in this dialect.

    Raises:
        InvalidLimit: there is no such request, or it was refused by a limit that never admits one.
        InvalidHeader: a limit's name cannot stand in a header, or ``start`` is no time.

    >>> from hook_widgets.ratelimit import TokenBucket, simulate
    >>> run = simulate(TokenBucket(1, "5/min", name="calls"), [0, 1])
    >>> [(answer(run, i).status, dict(answer(run, i).headers)["RateLimit"]) for i in (0, 1)]
    [(200, '"calls";r=0;t=12'), (429, '"calls";r=0;t=11')]
    """
    if not 0 <= index < len(run.admitted):
        raise InvalidLimit(f"The run has {len(run.admitted)} requests; there is no number {index}.")
    at = Fraction(run.arrivals.times_ns[index], NS_PER_S)
    client = run.client(index)
    free = run.free_at(at, 1, **client)
    left = run.tokens_by_layer(at, **client)
    layers = run.limiter.layers
    policies = [policy_of(layer) for layer in layers]
    now = epoch_s(start) + at
    if run.admitted[index]:
        resets = [free - at if tokens < 1 and free is not None else None for tokens in left]
        limits = [
            ServiceLimit.rounded(policy.name, remaining=tokens, reset_s=reset)
            for policy, tokens, reset in zip(policies, left, resets, strict=True)
        ]
        headers = [("RateLimit-Policy", build_policy(policies)), ("RateLimit", build_ratelimit(limits))]
        if x_reset is not None:
            timed = [k for k, policy in enumerate(policies) if policy.window_s is not None]
            for k in sorted(timed, key=lambda k: left[k])[:1]:
                told = XRateLimit.rounded(
                    limit=policies[k].quota,
                    remaining=left[k],
                    reset_s=_whole_again_s(run, k, at, client) or 0,
                    dialect=x_reset,
                    now=now,
                )
                headers += told.headers().items()
        return Answer(200, tuple(headers))
    if free is None:
        raise InvalidLimit("This limit never admits a request, so there is no time to tell. Raise the limit.")
    refused_by = 0 if run.books.refused_by is None else run.books.refused_by[index]
    exceeded = [
        Exceeded(policies[k], free - at, reset_s=_whole_again_s(run, k, at, client), remaining=left[k])
        for k in range(len(layers))
        if left[k] < 1 or k == refused_by
    ]
    refusal = reject(exceeded, now=now, x_reset=x_reset)
    return Answer(refusal.status, refusal.headers, refusal.body)


def _whole_again_s(run: Run, k: int, at: Fraction, client: Mapping[str, Hashable]) -> Fraction | None:
    """Seconds until the whole quota of a limit can be spent if nothing comes; None for one in flight.

    For a queue it is the latest that may be: up to the time of one request more.
    """
    layer, left = one_client(run.limiter.layers[k]), run.tokens_by_layer(at, **client)[k]
    match layer:
        case TokenBucket():
            return (layer.capacity - left) / layer.refill_rate
        case Gcra():
            return (layer.as_token_bucket().capacity - left) * layer.emission_interval_s
        case LeakyBucket():
            return (policy_of(layer).quota - left) / layer.drain_rate
        case FixedWindow() | SlidingLog() | SlidingCounter():
            free = run.free_at_by_layer(at, layer.limit, **client)[k]
            return Fraction(0) if free is None else free - at
    return None
