"""The single limits of a limiter, as targets enforce them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hook_widgets.ratelimit.configs.model import refuse
from hook_widgets.ratelimit.limiters.base import Limiter, SingleLimiter
from hook_widgets.ratelimit.limiters.buckets import Gcra, TokenBucket
from hook_widgets.ratelimit.limiters.keyed import PerClient, Replicas
from hook_widgets.ratelimit.limiters.layers import Concurrency
from hook_widgets.ratelimit.limiters.windows import FixedWindow, WindowAlignment


@dataclass(frozen=True, slots=True)
class Part:
    """One single limit of a limiter.

    Attributes:
        key: what tells clients apart; empty for a limit for all.
        limit: the limit, with a token bucket in place of a `Gcra`.
    """

    key: str
    limit: SingleLimiter


def parts(limiter: Limiter, target: str) -> list[Part]:
    """Return the single limits of a limiter, in order.

    Raises:
        InvalidLimit: a layer is `Replicas`, which no configuration of one server says.
    """
    limits = []
    for layer in limiter.layers:
        if isinstance(layer, Replicas):
            refuse(target, "replicas", "export the limit of one of them, and configure each")
        key, limit = (layer.key, layer.one) if isinstance(layer, PerClient) else ("", layer)
        limits.append(Part(key, limit.as_token_bucket() if isinstance(limit, Gcra) else limit))
    return limits


def one_part(limiter: Limiter, target: str) -> Part:
    """Return the only limit of a limiter.

    Raises:
        InvalidLimit: there are several.
    """
    limits = parts(limiter, target)
    if len(limits) > 1:
        refuse(target, "place for several limits", "export each layer")
    return limits[0]


def continuous_bucket(part: Part, target: str) -> TokenBucket | None:
    """Return the token bucket of a part, or None if it is another limit.

    Raises:
        InvalidLimit: it is refilled in steps, or does not start full.
    """
    bucket = part.limit
    if not isinstance(bucket, TokenBucket):
        return None
    if bucket.refill_every_s is not None:
        refuse(target, "refill in steps", "leave refill_every_s out")
    if bucket.initial is not None:
        refuse(target, "bucket that does not start full", "leave initial out")
    return bucket


def bucket_of(part: Part, target: str) -> TokenBucket:
    """Return the token bucket of a part.

    Raises:
        InvalidLimit: it is another limit, is refilled in steps, or does not start full.
    """
    bucket = continuous_bucket(part, target)
    if bucket is None:
        refuse(target, kind_of(part.limit), "use a TokenBucket")
    return bucket


def one_bucket(limiter: Limiter, target: str) -> TokenBucket:
    """Return the only limit of a limiter, a token bucket for all clients together.

    Raises:
        InvalidLimit: there are several limits, it is another one, or it is kept for each client.
    """
    part = one_part(limiter, target)
    bucket = bucket_of(part, target)
    for_all(part, target)
    return bucket


def window_from_first(limit: SingleLimiter, target: str) -> FixedWindow:
    """Return a fixed window that begins with its first request.

    Raises:
        InvalidLimit: it is another limit.
    """
    if not isinstance(limit, FixedWindow):
        refuse(target, kind_of(limit), "use a FixedWindow with align='first'")
    if limit.align is not WindowAlignment.FIRST:
        refuse(target, described(limit), "use a FixedWindow with align='first'")
    return limit


def for_all(part: Part, target: str) -> None:
    """Check that a limit is for all clients together.

    Raises:
        InvalidLimit: it is kept for each client.
    """
    if part.key:
        refuse(target, f"limiter for each {part.key}", "export the limit without PerClient, one for each")


def kind_of(limit: SingleLimiter) -> str:
    """Return the kind of a limit in words, for an error.

    >>> kind_of(TokenBucket(20, "10/s"))
    'token bucket'
    """
    words = re.sub("(?<=[a-z])(?=[A-Z])", " ", type(limit).__name__).lower()
    return f"{words} limit" if isinstance(limit, Concurrency) else words


def described(limit: SingleLimiter) -> str:
    """Return a limit whose kind there is, but not with its options, in words for an error."""
    return f"{kind_of(limit)} like this"
