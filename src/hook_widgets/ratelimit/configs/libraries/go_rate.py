"""The Go package golang.org/x/time/rate."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from hook_widgets.ratelimit.configs.model import Deviation, ExportedConfig
from hook_widgets.ratelimit.configs.target import Target
from hook_widgets.ratelimit.limiters.base import Limiter

TARGET: Final = Target("x/time/rate")

_TEXT: Final = """\
import "golang.org/x/time/rate"

var limiter = rate.NewLimiter({rate}, {burst})
// admitted := limiter.Allow()
"""


def write(limiter: Limiter) -> ExportedConfig:
    """Return Go code."""
    bucket = TARGET.one_bucket(limiter)
    rate = bucket.refill_rate
    number = str(rate.numerator) if rate.denominator == 1 else f"{rate.numerator}.0/{rate.denominator}"
    text = _TEXT.format(rate=number, burst=TARGET.whole_number(bucket.capacity, "capacity", 2**31 - 1))
    short = Deviation("a token less than a nanosecond away is admitted", Fraction(0), Fraction(1, 10**9), "s")
    return ExportedConfig(TARGET.name, text, (short,))
