"""Regions of buckets: the intervals of refill and the depths that explain the decisions.

A token refills in an interval I, the whole bucket in a depth D. The time at which the bucket is full is,
after each admitted request, the latest of ``t_j + k I`` over the admitted requests j, k of them from j on
(`hook_widgets.ratelimit.limiters.algorithms.token_bucket`). So each decision is an inequality:

- the k-th admitted request from j on, at t: ``t_j + k I - t <= D`` for every j,
- a rejected one at t, with k admitted from j on: ``t_j + (k + 1) I - t > D`` for some j.

For each I the depths are an interval, between the highest of lines and the lowest of such highest ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import Final, TypeAlias

from hook_widgets.ratelimit.inference.evidence import MAX_SPAN_S, Evidence

Line: TypeAlias = tuple[int, float]  # slope and value at 0

_MIN_INTERVAL_S: Final = 1e-6


@dataclass(frozen=True, slots=True)
class BucketPiece:
    """A piece of the region of buckets, within which each depth lies between lines.

    Attributes:
        interval_s: smallest and largest refill interval, in seconds.
        depth_s: smallest and largest depth at each of both.
    """

    interval_s: tuple[float, float]
    depth_s: tuple[tuple[float, float], tuple[float, float]]

    def depths(self, interval_s: float) -> tuple[float, float]:
        """Return the smallest and the largest depth at an interval of this piece."""
        begin, end = self.interval_s
        share = (interval_s - begin) / (end - begin) if end > begin else 0.0
        (low0, high0), (low1, high1) = self.depth_s
        return low0 + (low1 - low0) * share, high0 + (high1 - high0) * share

    def between(self, low: float, high: float) -> BucketPiece | None:
        """Return the part with intervals from `low` to `high`, or None."""
        low, high = max(low, self.interval_s[0]), min(high, self.interval_s[1])
        if low > high:
            return None
        return BucketPiece((low, high), (self.depths(low), self.depths(high)))


def bucket_pieces(evidence: Evidence) -> list[BucketPiece]:
    """Return the region of intervals and depths with which a bucket can decide so; empty if none can."""
    lower = _upper_envelope(_admitting_lines(evidence))
    uppers = []
    for lines in _rejecting_lines(evidence):
        if not lines:
            return []
        uppers.append(_upper_envelope(lines))
    corners = {x for envelope in (lower, *uppers) for x, _ in envelope if x > _MIN_INTERVAL_S}
    ends = [_MIN_INTERVAL_S, *sorted(corners), float(MAX_SPAN_S)]
    walks = [_Walk(envelope) for envelope in uppers]
    floor = _Walk(lower)
    pieces: list[BucketPiece] = []
    for low, high in pairwise(ends):
        bottom = floor.line(low)
        tops = [walk.line(low) for walk in walks]
        for slope, value in tops:  # value + slope x >= bottom
            rise, gap = slope - bottom[0], value - bottom[1]
            if rise > 0:
                low = max(low, -gap / rise)  # noqa: PLW2901
            elif rise < 0:
                high = min(high, gap / -rise)  # noqa: PLW2901
            elif gap < 0:
                high = low - 1  # noqa: PLW2901
            if low > high:
                break
        else:
            pieces += _split(low, high, bottom, tops)
    return pieces


def _split(low: float, high: float, bottom: Line, tops: Sequence[Line]) -> Iterator[BucketPiece]:
    """Yield the pieces from `low` to `high`, within each of which the same line is the lowest of all tops."""
    lowest = _upper_envelope([(-slope, -value) for slope, value in tops])
    ends = [low, *(x for x, _ in lowest if low < x < high), high]
    for begin, end in pairwise(ends):
        yield BucketPiece((begin, end), (_span(begin, bottom, tops), _span(end, bottom, tops)))


def _span(x: float, bottom: Line, tops: Sequence[Line]) -> tuple[float, float]:
    highest = min((value + slope * x for slope, value in tops), default=float(MAX_SPAN_S))
    return bottom[1] + bottom[0] * x, highest


def _admitting_lines(evidence: Evidence) -> list[Line]:
    """Return the lines above which the depth lies."""
    earliest = [t for t, passed in zip(evidence.earliest_s, evidence.admitted, strict=True) if passed]
    latest = [t for t, passed in zip(evidence.latest_s, evidence.admitted, strict=True) if passed]
    lines = [(1, 0.0)]  # a capacity below 1 admits nothing
    lines += [(k, max(map(float.__sub__, earliest, latest[k - 1 :]))) for k in range(2, len(earliest) + 1)]
    return lines + _promised_lines(evidence)


def _promised_lines(evidence: Evidence) -> list[Line]:
    """Return the same lines of requests that a header promises to admit, though nobody sent them."""
    lines, earliest = [], list[float]()
    for low, high, admitted, retry in zip(
        evidence.earliest_s, evidence.latest_s, evidence.admitted, evidence.retry_s, strict=True
    ):
        if admitted:
            earliest.append(low)
        elif retry < inf:
            lines += [(len(earliest) - j + 1, t - high - retry) for j, t in enumerate(earliest)]
    return lines


def _rejecting_lines(evidence: Evidence) -> Iterator[list[Line]]:
    """Yield, for each rejection, the lines of which one lies above the depth."""
    latest: list[float] = []
    for i, passed in enumerate(evidence.admitted):
        if passed:
            latest.append(evidence.latest_s[i])
        elif i + 1 == len(evidence.admitted) or evidence.admitted[i + 1]:  # the last one demands the most
            t, count = evidence.earliest_s[i], len(latest)
            yield [(count - j + 1, min(0.0, latest[j] - t)) for j in range(count)]


def _upper_envelope(lines: Sequence[Line]) -> list[tuple[float, Line]]:
    """Return the highest of the lines: each with the x from which on it is the highest."""
    envelope: list[tuple[float, Line]] = []
    for slope, value in sorted(lines):
        start = float("-inf")
        while envelope:
            before, (slope0, value0) = envelope[-1]
            if slope == slope0:
                start = before
            else:
                start = (value0 - value) / (slope - slope0)
                if start > before:
                    break
            envelope.pop()
            start = float("-inf")
        envelope.append((start, (slope, value)))
    return envelope


class _Walk:
    """The lines of an envelope at ascending x."""

    def __init__(self, envelope: list[tuple[float, Line]]) -> None:
        self._envelope = envelope
        self._at = 0

    def line(self, x: float) -> Line:
        """Return the highest line just after x."""
        while self._at + 1 < len(self._envelope) and self._envelope[self._at + 1][0] <= x:
            self._at += 1
        return self._envelope[self._at][1]
