"""The Go package golang.org/x/time/rate."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from hook_widgets.ratelimit.configs.model import Deviation, ExportedConfig
from hook_widgets.ratelimit.configs.parts import one_bucket
from hook_widgets.ratelimit.configs.values import whole_number
from hook_widgets.ratelimit.limiters.base import Limiter

TARGET: Final = "x/time/rate"

_TEXT: Final = """\
import "golang.org/x/time/rate"

var limiter = rate.NewLimiter({rate}, {burst})
// admitted := limiter.Allow()
"""


def write(limiter: Limiter) -> ExportedConfig:
    """Return Go code."""
    bucket = one_bucket(limiter, TARGET)
    rate = bucket.refill_rate
    number = str(rate.numerator) if rate.denominator == 1 else f"{rate.numerator}.0/{rate.denominator}"
    text = _TEXT.format(rate=number, burst=whole_number(bucket.capacity, TARGET, "capacity", 2**31 - 1))
    short = Deviation("a token less than a nanosecond away is admitted", Fraction(0), Fraction(1, 10**9), "s")
    return ExportedConfig(TARGET, text, (short,))
