"""The Python library pyrate-limiter, with its bucket in memory."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from hook_widgets.ratelimit.configs.model import MILLISECONDS, Deviation, ExportedConfig, refuse
from hook_widgets.ratelimit.configs.parts import Part, continuous_bucket, described, kind_of, parts
from hook_widgets.ratelimit.configs.values import whole_number
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.limiters.windows import FixedWindow, SlidingLog, WindowAlignment, WindowEdge

TARGET: Final = "pyrate-limiter"

_TEXT: Final = """\
from pyrate_limiter import {kind}, {algorithm}, Rate, RateItem

bucket = {kind}([{rates}], algorithm={algorithm}())
# admitted = bucket.put(RateItem("request", milliseconds))
"""


def write(limiter: Limiter) -> ExportedConfig:
    """Return Python code; several sliding logs are one bucket."""
    limits = parts(limiter, TARGET)
    if any(part.key for part in limits):
        refuse(TARGET, "bucket for several clients", "export the limit without PerClient")
    deviations = [MILLISECONDS]
    if len(limits) == 1 and (bucket := continuous_bucket(limits[0], TARGET)):
        rate = bucket.refill_rate
        enforced = 1 / Fraction(-(-(10**6) * rate.denominator // rate.numerator), 10**6)
        if enforced != rate:
            deviations.append(
                Deviation("a token takes whole microseconds, rounded up", rate, enforced, "1/s")
            )
        count = whole_number(rate.numerator, TARGET, "number of tokens in an interval")
        burst = whole_number(bucket.capacity, TARGET, "capacity")
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
                refuse(TARGET, described(part.limit), "use edge='closed' and count_rejected=False")
            case FixedWindow(align=WindowAlignment.CLOCK, phase_s=0) if len(limits) == 1:
                return "FixedWindow"
            case FixedWindow() if len(limits) == 1:
                refuse(TARGET, described(part.limit), "use align='clock' without a phase")
            case _:
                refuse(TARGET, kind_of(part.limit), "use a TokenBucket, a FixedWindow, or SlidingLogs")
    return "SlidingWindowLog"


def _rate(part: Part) -> str:
    limit = whole_number(getattr(part.limit, "limit", 0), TARGET, "limit")
    window_s = getattr(part.limit, "window_s", Fraction(0))
    return f"Rate({limit}, {whole_number(window_s * 1000, TARGET, 'window in milliseconds', 10**12)})"


def _code(kind: str, algorithm: str, rates: Sequence[str], deviations: Sequence[Deviation]) -> ExportedConfig:
    text = _TEXT.format(kind=kind, algorithm=algorithm, rates=", ".join(rates))
    return ExportedConfig(TARGET, text, tuple(deviations))
