"""The Java library Bucket4j: token buckets in whole nanoseconds, with a remainder that is carried along.

All limits of a bucket are charged together or not at all (BucketState64BitsInteger.java). A refill in steps
is its `refillIntervally`, whose periods begin when the bucket is made.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from hook_widgets.ratelimit.configs.model import Deviation, ExportedConfig
from hook_widgets.ratelimit.configs.target import Part, Target, kind_of
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.limiters.buckets import TokenBucket

TARGET: Final = Target("bucket4j")

_TEXT: Final = """\
import io.github.bucket4j.Bucket;
import java.time.Duration;

Bucket bucket = Bucket.builder()
{limits}
    .withNanosecondPrecision()
    .build();
// boolean admitted = bucket.tryConsume(1);
"""
_MOST: Final = 2**63 - 1
_STEPS: Final = Deviation("periods of a refill in steps begin when the bucket is made, not at time 0")


def write(limiter: Limiter) -> ExportedConfig:
    """Return Java code; several token buckets are one bucket with several limits."""
    limits = TARGET.parts(limiter)
    lines = [f"    .addLimit(limit -> {_limit(part)})" for part in limits]
    steps = any(isinstance(part.limit, TokenBucket) and part.limit.refill_every_s for part in limits)
    return ExportedConfig(TARGET.name, _TEXT.format(limits="\n".join(lines)), (_STEPS,) if steps else ())


def _limit(part: Part) -> str:
    bucket = part.limit
    if not isinstance(bucket, TokenBucket):
        TARGET.refuse(kind_of(bucket), "use a TokenBucket")
    TARGET.check_for_all(part)
    kind = "refillGreedy" if bucket.refill_every_s is None else "refillIntervally"
    period_s = bucket.refill_every_s or Fraction(bucket.refill_rate.denominator)
    period_ns = TARGET.whole_number(period_s * 10**9, "period in nanoseconds", _MOST)
    tokens = TARGET.whole_number(bucket.refill_rate * period_s, "number of tokens in a period", period_ns)
    if (tokens + 1) * period_ns > _MOST:
        TARGET.refuse(f"exact rate of {tokens} tokens in {period_ns} ns", "choose a rounder rate")
    initial = ""
    if bucket.initial is not None and bucket.initial != bucket.capacity:
        if bucket.initial.denominator != 1:
            TARGET.refuse("part of a token", "choose a whole initial")
        initial = f".initialTokens({bucket.initial.numerator})"
    capacity = TARGET.whole_number(bucket.capacity, "capacity", _MOST)
    return f"limit.capacity({capacity}).{kind}({tokens}, {_duration(period_ns)}){initial}"


def _duration(nanoseconds: int) -> str:
    seconds, rest = divmod(nanoseconds, 10**9)
    return f"Duration.ofNanos({nanoseconds}L)" if rest else f"Duration.ofSeconds({seconds})"
