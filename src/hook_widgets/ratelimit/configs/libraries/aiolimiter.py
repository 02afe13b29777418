"""The Python library aiolimiter, whose limiter lets tasks wait."""

from __future__ import annotations

from typing import Final

from hook_widgets.ratelimit.configs.model import FLOATS, Deviation, ExportedConfig
from hook_widgets.ratelimit.configs.target import Target, plain
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.limiters.buckets import WaitingBucket

TARGET: Final = Target("aiolimiter")

_TEXT: Final = """\
from aiolimiter import AsyncLimiter

limiter = AsyncLimiter({capacity}, {period_s})
# async with limiter: ...
"""


def write(limiter: Limiter) -> ExportedConfig:
    """Return Python code."""
    if waits := isinstance(limiter, WaitingBucket):
        limiter = limiter.as_token_bucket()
    bucket = TARGET.one_bucket(limiter)
    text = _TEXT.format(
        capacity=TARGET.whole_number(bucket.capacity, "capacity"),
        period_s=plain(bucket.capacity / bucket.refill_rate),
    )
    rejects_none = Deviation("a request that is not admitted waits; none is rejected")
    return ExportedConfig(TARGET.name, text, (FLOATS,) if waits else (rejects_none, FLOATS))
