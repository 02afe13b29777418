"""Families of limiters: algorithms with their variants, whose parameters are inferred."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from hook_widgets.ratelimit.limiters.base import SingleLimiter
from hook_widgets.ratelimit.limiters.windows import FixedWindow, SlidingCounter, SlidingLog


class FamilyKind(StrEnum):
    """The state on which the decisions of a family depend."""

    BUCKET = "bucket"
    LOG = "log"
    FIXED = "fixed"
    COUNTER = "counter"


@dataclass(frozen=True, slots=True)
class Family:
    """Limiters that differ in numbers only.

    Attributes:
        name: the display name; it lists algorithms with the same decisions.
        kind: the kind of state.
        first: windows begin at the first request, not by the clock.
        count_rejected: rejected requests count.
        strict: a sliding counter rejects once its estimate has reached the limit (``rule="lt"``); otherwise
            if estimate and request together exceed it.
    """

    name: str
    kind: FamilyKind
    first: bool = False
    count_rejected: bool = False
    strict: bool = False

    def limiter(self, limit: int, window_s: Fraction, phase_s: Fraction) -> SingleLimiter:
        """Return a limiter of a family with windows.

        Args:
            limit: requests per window.
            window_s: the window in seconds.
            phase_s: begin of a window, where windows begin by the clock.
        """
        if self.kind is FamilyKind.LOG:
            return SlidingLog(limit, window_s, count_rejected=self.count_rejected)
        align, phase = ("first", Fraction(0)) if self.first else ("clock", phase_s)
        if self.kind is FamilyKind.FIXED:
            return FixedWindow(limit, window_s, align, phase)
        rule = "lt" if self.strict else "le_plus_one"
        return SlidingCounter(limit, window_s, rule, self.count_rejected, align, phase)


BUCKET: Final = Family("token bucket, leaky bucket or GCRA", FamilyKind.BUCKET)
LOG: Final = Family("sliding log", FamilyKind.LOG)
LOG_COUNTING: Final = Family("sliding log that counts rejected requests", FamilyKind.LOG, count_rejected=True)
FIXED_CLOCK: Final = Family("fixed window by the clock", FamilyKind.FIXED)
FIXED_FIRST: Final = Family("fixed window from the first request", FamilyKind.FIXED, first=True)


def _counter(*, first: bool, strict: bool, count_rejected: bool) -> Family:
    begin = "from the first request" if first else "by the clock"
    rule = "lt" if strict else "le_plus_one"
    counts = " that counts rejected requests" if count_rejected else ""
    return Family(
        f'sliding counter {begin} with rule "{rule}"{counts}',
        FamilyKind.COUNTER,
        first=first,
        count_rejected=count_rejected,
        strict=strict,
    )


COUNTER_CLOCK_LT: Final = _counter(first=False, strict=True, count_rejected=False)
COUNTER_FIRST_LE: Final = _counter(first=True, strict=False, count_rejected=False)

FAMILIES: Final = (
    BUCKET,
    LOG,
    LOG_COUNTING,
    FIXED_CLOCK,
    FIXED_FIRST,
    *(
        _counter(first=first, strict=strict, count_rejected=count_rejected)
        for first in (False, True)
        for strict in (False, True)
        for count_rejected in (False, True)
    ),
)

EQUAL_AT_ONE: Final = (
    frozenset({BUCKET, LOG, FIXED_FIRST, COUNTER_FIRST_LE}),
    frozenset({FIXED_CLOCK, COUNTER_CLOCK_LT}),
)
"""Families with the same decisions if the limit, or the capacity, is one request.

The counter from the first request then admits one request in every other window, as a log of two windows.
"""
