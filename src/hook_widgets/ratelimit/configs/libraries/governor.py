"""The Rust crate governor: GCRA in whole nanoseconds (src/quota.rs, src/gcra.rs)."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from hook_widgets.ratelimit.configs.model import ExportedConfig, whole_nanoseconds
from hook_widgets.ratelimit.configs.target import Target, identifier
from hook_widgets.ratelimit.limiters.base import Limiter

TARGET: Final = Target("governor")

_TEXT: Final = """\
use governor::{{Quota, RateLimiter}};
use nonzero_ext::nonzero;{duration}

let quota = {quota}.allow_burst(nonzero!({burst}u32));
let limiter = RateLimiter::{kind}(quota);
// let admitted = limiter.{check}.is_ok();
"""
_MOST_NS: Final = 2**64 - 1


def write(limiter: Limiter) -> ExportedConfig:
    """Return Rust code; the limit of each client has a limiter with keys."""
    part = TARGET.one_part(limiter)
    bucket = TARGET.bucket_of(part)
    rate = bucket.refill_rate
    burst = TARGET.whole_number(bucket.capacity, "capacity")
    interval_ns = int(10**9 / rate)
    if not 1 <= interval_ns <= _MOST_NS // burst:
        TARGET.refuse(
            "interval between requests of this length", "choose one from a nanosecond to some centuries"
        )
    whole = rate.denominator == 1
    quota = (
        f"Quota::per_second(nonzero!({rate.numerator}u32))"
        if whole
        else f"Quota::with_period(Duration::from_nanos({interval_ns})).unwrap()"
    )
    text = _TEXT.format(
        duration="" if whole else "\nuse std::time::Duration;",
        quota=quota,
        burst=burst,
        kind="keyed" if part.key else "direct",
        check=f"check_key(&{identifier(part.key) or 'key'})" if part.key else "check()",
    )
    return ExportedConfig(TARGET.name, text, tuple(whole_nanoseconds(rate, Fraction(10**9, interval_ns))))
