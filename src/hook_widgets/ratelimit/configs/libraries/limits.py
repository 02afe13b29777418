"""The Python library limits, with its storage in memory."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from hook_widgets.ratelimit.configs.model import FLOATS, REJECTED_COSTS, Deviation, ExportedConfig
from hook_widgets.ratelimit.configs.target import Target, described, identifier, kind_of
from hook_widgets.ratelimit.limiters.base import Limiter, SingleLimiter
from hook_widgets.ratelimit.limiters.windows import (
    CounterRule,
    FixedWindow,
    SlidingCounter,
    SlidingLog,
    WindowAlignment,
    WindowEdge,
)

TARGET: Final = Target("limits")

_TEXT: Final = """\
from limits import RateLimitItemPerSecond
from limits.storage import MemoryStorage
from limits.strategies import {strategy}

limiter = {strategy}(MemoryStorage())
rate = RateLimitItemPerSecond({limit}, {window_s})
# admitted = limiter.hit(rate{key})
"""


def write(limiter: Limiter) -> ExportedConfig:
    """Return Python code."""
    part = TARGET.one_part(limiter)
    strategy, deviation = _strategy(part.limit)
    text = _TEXT.format(
        strategy=strategy,
        limit=TARGET.whole_number(getattr(part.limit, "limit", 0), "limit"),
        window_s=TARGET.whole_number(getattr(part.limit, "window_s", Fraction(0)), "window in seconds"),
        key=f", {name}" if (name := identifier(part.key)) else "",
    )
    return ExportedConfig(TARGET.name, text, (deviation,))


def _strategy(limit: SingleLimiter) -> tuple[str, Deviation]:
    if isinstance(limit, FixedWindow):
        if limit.align is not WindowAlignment.FIRST:
            TARGET.refuse(described(limit), "use align='first'")
        return "FixedWindowRateLimiter", REJECTED_COSTS
    if isinstance(limit, SlidingLog):
        if limit.edge is not WindowEdge.CLOSED or limit.count_rejected:
            TARGET.refuse(described(limit), "use edge='closed' and count_rejected=False")
        purge = "a request exactly one window old may be forgotten early"
        return "MovingWindowRateLimiter", Deviation(purge, Fraction(0), Fraction(1, 100), "s")
    if not isinstance(limit, SlidingCounter):
        TARGET.refuse(kind_of(limit), "use a FixedWindow, SlidingLog or SlidingCounter")
    clock = limit.align is WindowAlignment.CLOCK and not limit.phase_s
    if limit.rule is not CounterRule.LT or limit.count_rejected or not clock:
        TARGET.refuse(described(limit), "use rule='lt', windows on the clock and count_rejected=False")
    return "SlidingWindowCounterRateLimiter", FLOATS
