"""The Python library pyrate-limiter, with its bucket in memory."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from hook_widgets.ratelimit.configs.model import MILLISECONDS, Deviation, ExportedConfig
from hook_widgets.ratelimit.configs.target import Part, Target, described, kind_of
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.limiters.windows import FixedWindow, SlidingLog, WindowAlignment, WindowEdge

TARGET: Final = Target("pyrate-limiter")

_TEXT: Final = """\
from pyrate_limiter import {kind}, {algorithm}, Rate, RateItem

bucket = {kind}([{rates}], algorithm={algorithm}())
# admitted = bucket.put(RateItem("request", milliseconds))
"""


def write(limiter: Limiter) -> ExportedConfig:
    """Return Python code; several sliding logs are one bucket."""
    limits = TARGET.parts(limiter)
    if any(part.key for part in limits):
        TARGET.refuse("bucket for several clients", "export the limit without PerClient")
    deviations = [MILLISECONDS]
    if len(limits) == 1 and (bucket := TARGET.continuous_bucket(limits[0])):
        rate = bucket.refill_rate
        enforced = 1 / Fraction(-(-(10**6) * rate.denominator // rate.numerator), 10**6)
        if enforced != rate:
            deviations.append(
                Deviation("a token takes whole microseconds, rounded up", rate, enforced, "1/s")
            )
        count = TARGET.whole_number(rate.numerator, "number of tokens in an interval")
        burst = TARGET.whole_number(bucket.capacity, "capacity")
        rates = f"Rate({count}, {rate.denominator * 1000}, burst={burst})"
        return _code("StateBucket", "TokenBucket", [rates], deviations)
    return _code("InMemoryBucket", _algorithm(limits), [_rate(part) for part in limits], deviations)


def _algorithm(limits: Sequence[Part]) -> str:
    """Return the algorithm of windows."""
    for part in limits:
        match part.limit:
            case SlidingLog(edge=WindowEdge.CLOSED, count_rejected=False):
                pass
            case SlidingLog():
                TARGET.refuse(described(part.limit), "use edge='closed' and count_rejected=False")
            case FixedWindow(align=WindowAlignment.CLOCK, phase_s=0) if len(limits) == 1:
                return "FixedWindow"
            case FixedWindow() if len(limits) == 1:
                TARGET.refuse(described(part.limit), "use align='clock' without a phase")
            case _:
                TARGET.refuse(kind_of(part.limit), "use a TokenBucket, a FixedWindow, or SlidingLogs")
    return "SlidingWindowLog"


def _rate(part: Part) -> str:
    limit = TARGET.whole_number(getattr(part.limit, "limit", 0), "limit")
    window_s = getattr(part.limit, "window_s", Fraction(0))
    return f"Rate({limit}, {TARGET.whole_number(window_s * 1000, 'window in milliseconds', 10**12)})"


def _code(kind: str, algorithm: str, rates: Sequence[str], deviations: Sequence[Deviation]) -> ExportedConfig:
    text = _TEXT.format(kind=kind, algorithm=algorithm, rates=", ".join(rates))
    return ExportedConfig(TARGET.name, text, tuple(deviations))
