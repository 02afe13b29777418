"""Means over independent runs, with confidence intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from hook_widgets.errors import InvalidLimit


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over independent runs, with the confidence interval of Student's t distribution.

    Attributes:
        mean: the mean.
        low: lower end of the interval; minus infinity for a single run.
        high: upper end of the interval; infinity for a single run.
        confidence: probability with which such intervals contain the expected value, if the values are about
            normally distributed.
        count: number of runs.
    """

    mean: float
    low: float
    high: float
    confidence: float
    count: int

    @classmethod
    def of(cls, values: Sequence[float], confidence: float = 0.95) -> Estimate:
        """Return the estimate of the expected value.

        Args:
            values: one finite value of each run, at least one.
            confidence: above 0 and below 1.

        Raises:
            InvalidLimit: there is no value, one is not finite, or the confidence is out of range.

        >>> Estimate.of([9.0, 10.0, 11.0])
        Estimate(mean=10.0, low=7.515862..., high=12.484137..., confidence=0.95, count=3)
        """
        if not values or not all(map(math.isfinite, values)):
            raise InvalidLimit("must be finite numbers, at least one", subject="values")
        n, mean = len(values), math.fsum(values) / len(values)
        half = math.inf
        if n > 1:
            variance = math.fsum((value - mean) ** 2 for value in values) / (n - 1)
            half = student_t(confidence, n - 1) * math.sqrt(variance / n)
        elif not 0 < confidence < 1:
            raise InvalidLimit("must be above 0 and below 1", subject="confidence")
        return cls(mean, mean - half, mean + half, confidence, n)

    def __str__(self) -> str:
        return f"{self.mean:.4g} ({self.low:.4g} to {self.high:.4g})"


@lru_cache(maxsize=64)
def student_t(confidence: float, freedom: int) -> float:
    """Return the t with which Student's distribution lies between -t and t with this probability.

    By bisection of the finite sums of Abramowitz and Stegun, 26.7.3 and 26.7.4.

    Args:
        confidence: the probability, above 0 and below 1.
        freedom: degrees of freedom, at least 1.

    Raises:
        InvalidLimit: an argument is out of range.

    >>> round(student_t(0.95, 9), 3)
    2.262
    """
    if not 0 < confidence < 1:
        raise InvalidLimit("must be above 0 and below 1", subject="confidence")
    if not 1 <= freedom <= 10_000:
        raise InvalidLimit("must be 1 to 10,000", subject="freedom")
    low, high = 0.0, math.pi / 2  # of the angle whose tangent is t / sqrt(freedom)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _between(middle, freedom) < confidence else (low, middle)
    return math.tan((low + high) / 2) * math.sqrt(freedom)


def _between(angle: float, freedom: int) -> float:
    """Return the probability of -t to t for t = tan(angle) * sqrt(freedom)."""
    cosine = math.cos(angle)
    odd = freedom % 2
    term, total = (cosine, 0.0) if odd else (1.0, 0.0)
    for k in range(1 + odd, freedom, 2):
        total += term
        term *= cosine * cosine * k / (k + 1)
    sine = math.sin(angle)
    return 2 / math.pi * (angle + sine * total) if odd else sine * total
