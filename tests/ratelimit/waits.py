"""The waits of a limiter of clients, written down once more."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def waits_of(times_s: Sequence[Fraction], rate_per_s: int, burst: int) -> list[Fraction]:
    """Return the waits of calls of client-go: golang.org/x/time/rate, `Limiter.reserveN`, in exact numbers.

    A call takes its token at once, and waits until the tokens are not below zero: `advance` refills them,
    `durationFromTokens` turns those that lack into time.
    """
    tokens, last, result = Fraction(burst), Fraction(0), []
    for at in times_s:
        tokens = min(Fraction(burst), tokens + (at - last) * rate_per_s) - 1
        last = at
        result.append(max(-tokens / rate_per_s, Fraction(0)))
    return result
