"""The five common algorithms by name, and limiters of a rate in words."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import Final

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.limiters.base import SingleLimiter, parse_enum
from hook_widgets.ratelimit.limiters.buckets import LeakyBucket, TokenBucket, WaitingBucket
from hook_widgets.ratelimit.limiters.windows import FixedWindow, SlidingCounter, SlidingLog
from hook_widgets.ratelimit.units import Quantity, quota_and_window, whole

WAITING: Final = "token_bucket_wait"
"""In place of an algorithm: a token bucket whose requests wait, a `WaitingBucket`. The others reject them."""

WAITING_LABEL: Final = "Token bucket, requests wait"


class LimitAlgorithm(StrEnum):
    """Rate limiting algorithm of an API."""

    TOKEN_BUCKET = "token_bucket"
    LEAKY_BUCKET = "leaky_bucket"
    FIXED_WINDOW = "fixed_window"
    SLIDING_LOG = "sliding_log"
    SLIDING_COUNTER = "sliding_counter"

    @property
    def label(self) -> str:
        """The display name."""
        return self.value.replace("_", " ").capitalize()

    def memory(self, quota: int) -> str:
        """Return the state that an implementation keeps for each key, as text.

        A bucket keeps a level and a time, a fixed window a count and a time, a sliding counter two counts and
        a time, each of 8 bytes; a sliding log keeps the time of every request of the quota. Requests
        that wait in a leaky bucket are kept by the server anyway.

        Args:
            quota: requests per window.

        >>> LimitAlgorithm.SLIDING_LOG.memory(1000), LimitAlgorithm.TOKEN_BUCKET.memory(1000)
        ('8,000 B', '16 B')
        """
        words = {LimitAlgorithm.SLIDING_LOG: quota, LimitAlgorithm.SLIDING_COUNTER: 3}.get(self, 2)
        return f"{8 * words:,} B"

    def limiter(
        self, quota: int, window_s: Fraction, *, rate_per_s: Fraction, burst: int, name: str = ""
    ) -> SingleLimiter:
        """Return a limiter of this algorithm.

        Args:
            quota: requests per window, for the algorithms that count them.
            window_s: length of the window, likewise.
            rate_per_s: requests per second, for the buckets.
            burst: the capacity of a token bucket or the places of a leaky one.
            name: the limiter's display name.
        """
        match self:
            case LimitAlgorithm.TOKEN_BUCKET:
                return TokenBucket(burst, rate_per_s, name=name)
            case LimitAlgorithm.LEAKY_BUCKET:
                return LeakyBucket(burst, rate_per_s, name=name)
            case LimitAlgorithm.FIXED_WINDOW:
                return FixedWindow(quota, window_s, name=name)
            case LimitAlgorithm.SLIDING_LOG:
                return SlidingLog(quota, window_s, name=name)
            case LimitAlgorithm.SLIDING_COUNTER:
                return SlidingCounter(quota, window_s, name=name)


def limiter_of(
    limit: Quantity, algorithm: str, *, burst: Quantity | None = None, name: str = ""
) -> SingleLimiter:
    """Return the limiter of a rate in words, as `Limiter.of`."""
    waits = algorithm == WAITING
    name_of_kind = LimitAlgorithm.TOKEN_BUCKET if waits else algorithm
    kind = parse_enum(LimitAlgorithm, name_of_kind, "algorithm", others=(WAITING,))
    quota, window_s = quota_and_window(limit, "limit")
    if kind in {LimitAlgorithm.TOKEN_BUCKET, LimitAlgorithm.LEAKY_BUCKET}:
        places = max(int(quota), 1) if burst is None else whole(burst, "burst")
        if waits:
            return WaitingBucket(places, quota / window_s, name=name)
        return kind.limiter(0, window_s, rate_per_s=quota / window_s, burst=places, name=name)
    if burst is not None:
        raise InvalidLimit(f"is for buckets, not for a {kind.label.lower()}; leave it out", subject="burst")
    return kind.limiter(whole(quota, "limit"), window_s, rate_per_s=quota / window_s, burst=0, name=name)
