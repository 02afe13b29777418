"""Limiters from the regions of candidates: a few of each, and the simplest one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Final

from hook_widgets.ratelimit.inference.candidates import Candidate, by_family
from hook_widgets.ratelimit.inference.families import BUCKET, Family, FamilyKind
from hook_widgets.ratelimit.inference.polygon import Polygon, heights
from hook_widgets.ratelimit.limiters.base import SingleLimiter
from hook_widgets.ratelimit.limiters.buckets import TokenBucket

START_S: Final = 1
"""The time at which the first request is simulated, in seconds; windows may begin before it."""

_PER_FAMILY: Final = 10
_WIDEST: Final = 30.0  # longest window that is sampled, relative to the shortest
_LIKELY_S: Final = (1, 2, 5, 10, 15, 30, 60, 300, 600, 900, 3600, 86_400)
_SHARES: Final = (0.15, 0.5, 0.85)
_INTERVAL_SHARES: Final = (0.02, 0.25, 0.5, 0.75, 0.98)
_USUAL_WINDOWS_S: Final = (
    1,
    60,
    3600,
    86_400,
    10,
    5,
    30,
    300,
    600,
    900,
    2,
    15,
    20,
    120,
    1800,
    43_200,
    604_800,
)
_MOST_DIGITS: Final = 12


@dataclass(frozen=True, slots=True)
class Sample:
    """A limiter with which a family explains the decisions."""

    family: Family
    limiter: SingleLimiter


def samples_of(candidates: list[Candidate]) -> list[Sample]:
    """Return up to ten limiters of each family, spread over its regions; the same ones each time."""
    chosen = random.Random(0)
    samples: list[Sample] = []
    for family, regions in by_family(candidates).items():
        limiters = [limiter for region in regions for limiter in _limiters(region, alone=len(regions) < 3)]
        limiters = chosen.sample(limiters, min(_PER_FAMILY, len(limiters)))
        samples += [Sample(family, limiter) for limiter in limiters]
    return samples


def simplest(candidate: Candidate) -> SingleLimiter:
    """Return a limiter of the region with simple numbers."""
    family = candidate.family
    if family is BUCKET:
        return _simplest_bucket(candidate)
    window = simple_window(*candidate.window_s)
    for polygon, _, _ in candidate.states:
        if not family.first and (ends := _ends(polygon, float(window))):
            return family.limiter(candidate.limit, window, _phase(sum(ends) / 2, float(window)))
    if candidate.states and not family.first:  # no part of the region has this window
        polygon = candidate.states[0][0]
        end, length = (sum(values) / len(polygon) for values in zip(*polygon, strict=True))
        return family.limiter(candidate.limit, _microseconds(length), _phase(end, length))
    return family.limiter(candidate.limit, window, Fraction(0))


def _simplest_bucket(candidate: Candidate) -> TokenBucket:
    """Return a bucket with the smallest whole capacity and a simple rate, if there is such a one."""
    points = [
        (interval, piece.depths(interval))
        for piece in candidate.pieces
        for low, high in (piece.interval_s,)
        for interval in (low + (high - low) * share for share in (0.0, 0.25, 0.5, 0.75, 1.0))
    ]
    smallest = ceil(candidate.capacity[0])
    fitting = [interval for interval, (low, high) in points if low / interval <= smallest <= high / interval]
    if fitting:
        return TokenBucket(smallest, simple_number(1 / max(fitting), 1 / min(fitting)))
    interval, (low, high) = points[len(points) // 2]
    capacity = simple_number(low / interval, max(low, high) / interval)
    return TokenBucket(max(capacity, Fraction(1)), 1 / _microseconds(interval))


def _limiters(candidate: Candidate, *, alone: bool) -> Iterator[SingleLimiter]:
    family = candidate.family
    if family is BUCKET:
        yield from _buckets(candidate)
    elif family.kind is FamilyKind.LOG:
        for window in _windows(candidate.window_s, _SHARES):
            yield family.limiter(candidate.limit, _microseconds(window), Fraction(0))
    else:
        for polygon, _, _ in candidate.states[:4]:
            for window in _windows(heights(polygon), _SHARES if alone else (0.5,)):
                if ends := _ends(polygon, window):
                    for share in (0.5,) if family.first else (0.1, 0.5, 0.9):
                        phase = _phase(ends[0] + (ends[1] - ends[0]) * share, window)
                        yield family.limiter(candidate.limit, _microseconds(window), phase)


def _buckets(candidate: Candidate) -> Iterator[TokenBucket]:
    low, high = candidate.interval_s
    low = max(low, 1e-4)
    high = max(low, min(high, low * _WIDEST**2))
    for share in _INTERVAL_SHARES:
        interval = low * (high / low) ** share
        for piece in candidate.pieces:
            if piece.interval_s[0] <= interval <= piece.interval_s[1]:
                shallow, deep = piece.depths(interval)
                for depth in (shallow + (deep - shallow) * share for share in _SHARES):
                    # Whole microseconds keep the ticks of the simulation large.
                    token = _microseconds(interval)
                    yield TokenBucket(max(Fraction(1), _microseconds(depth) / token), 1 / token)
                break


def _windows(span: tuple[float, float], shares: tuple[float, ...]) -> list[float]:
    """Return usual windows in a span, and others spread over it."""
    low, high = span
    near = min(high, max(low * _WIDEST, low + 0.1))
    usual = [float(window) for window in _LIKELY_S if low <= window <= min(high, low * _WIDEST)][:3]
    return usual + [low * (near / low) ** share for share in shares]


def _ends(polygon: Polygon, window: float) -> tuple[float, float] | None:
    """Return the earliest and latest end of the current window for a length of windows, or None."""
    ends: list[float] = []
    for (end0, w0), (end1, w1) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        if min(w0, w1) <= window <= max(w0, w1):
            ends.append(end0 if w0 == w1 else end0 + (end1 - end0) * (window - w0) / (w1 - w0))
    return (min(ends), max(ends)) if ends else None


def _phase(end: float, window: float) -> Fraction:
    return _microseconds((end + START_S) % window) % _microseconds(window)


def _microseconds(seconds: float) -> Fraction:
    return Fraction(max(1, round(seconds * 1e6)), 10**6)


def simple_number(low: float, high: float) -> Fraction:
    """Return the number from `low` to `high` with the fewest decimals, the most zeros among those.

    >>> simple_number(59.98, 60.03), simple_number(0.0996, 0.102)
    (Fraction(60, 1), Fraction(1, 10))
    """
    for digits in range(-_MOST_DIGITS, _MOST_DIGITS):
        scale = Fraction(10) ** digits
        first, last = ceil(Fraction(low) * scale), floor(Fraction(high) * scale)
        if max(first, 1) <= last:
            return max(first, 1) / scale
    return Fraction((low + high) / 2)


def simple_window(low: float, high: float) -> Fraction:
    """Return a usual window from `low` to `high` seconds, or the simplest one.

    >>> simple_window(40, 70)
    Fraction(60, 1)
    """
    usual = [window for window in _USUAL_WINDOWS_S if low <= window <= high]
    return Fraction(usual[0]) if usual else simple_number(low, high)
