"""The Go package golang.org/x/time/rate."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from hook_widgets.ratelimit.configs.model import Deviation, ExportedConfig
from hook_widgets.ratelimit.configs.target import Target
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.limiters.buckets import WaitingBucket

TARGET: Final = Target("x/time/rate")

_TEXT: Final = """\
import "golang.org/x/time/rate"

var limiter = rate.NewLimiter({rate}, {burst})
// {use}
"""


def write(limiter: Limiter) -> ExportedConfig:
    """Return Go code."""
    if waits := isinstance(limiter, WaitingBucket):
        limiter = limiter.as_token_bucket()
    bucket = TARGET.one_bucket(limiter)
    rate = bucket.refill_rate
    number = str(rate.numerator) if rate.denominator == 1 else f"{rate.numerator}.0/{rate.denominator}"
    burst = TARGET.whole_number(bucket.capacity, "capacity", 2**31 - 1)
    use = "err := limiter.Wait(ctx)" if waits else "admitted := limiter.Allow()"
    text = _TEXT.format(rate=number, burst=burst, use=use)
    short = Deviation("a token less than a nanosecond away is admitted", Fraction(0), Fraction(1, 10**9), "s")
    return ExportedConfig(TARGET.name, text, (short,))
