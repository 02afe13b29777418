"""Candidates: the families that explain decisions, with the region of their parameters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Final, TypeAlias

from hook_widgets.ratelimit.inference.buckets import BucketPiece, bucket_pieces
from hook_widgets.ratelimit.inference.evidence import MAX_SPAN_S, Evidence
from hook_widgets.ratelimit.inference.families import BUCKET, FAMILIES, Family, FamilyKind
from hook_widgets.ratelimit.inference.polygon import heights
from hook_widgets.ratelimit.inference.windows import Budget, State, window_states

StatedLimit: TypeAlias = tuple[int, Fraction | None]
"""Quota and window in seconds, if it is known, of a limit that headers state."""

_MAX_STEPS: Final = 200_000
_MIN_WINDOW_S: Final = 1e-3
_TOLERANCE: Final = 1e-3  # of a stated window or rate; nginx truncates rates to 1/1000 request per second


@dataclass(frozen=True, slots=True)
class Candidate:
    """A family of limiters that explains the decisions.

    Attributes:
        family: the family.
        limit: requests per window; 0 for buckets.
        window_s: the shortest and the longest window in seconds; zeros for buckets.
        states: the states of windows after the last request, for fixed windows and counters.
        pieces: the region of a bucket.
    """

    family: Family
    limit: int
    window_s: tuple[float, float]
    states: tuple[State, ...] = ()
    pieces: tuple[BucketPiece, ...] = ()

    @property
    def capacity(self) -> tuple[float, float]:
        """The smallest and the largest capacity of a bucket."""
        ratios = [
            (low / interval, high / interval)
            for piece in self.pieces
            for interval, (low, high) in zip(piece.interval_s, piece.depth_s, strict=True)
        ]
        return min(low for low, _ in ratios), max(high for _, high in ratios)

    @property
    def interval_s(self) -> tuple[float, float]:
        """The shortest and the longest time in which a token of a bucket is refilled."""
        return self.pieces[0].interval_s[0], max(piece.interval_s[1] for piece in self.pieces)


def candidates_of(
    evidence: Evidence, stated: Collection[StatedLimit] = (), within: Sequence[Candidate] | None = None
) -> list[Candidate]:
    """Return every family that explains the decisions, with windows once for each limit.

    Args:
        evidence: the decisions, at least one of them a rejection.
        stated: the limits that headers state, of which one is assumed to be this one.
        within: the candidates that explain the first of the decisions, if they are known.
    """
    candidates, budget = _buckets(evidence, stated), Budget(_MAX_STEPS)
    if within is None:
        limits = range(1, (evidence.before_rejection or 0) + 1)
        regions = [
            (family, limit, 0.0, inf) for family in FAMILIES if family is not BUCKET for limit in limits
        ]
    else:
        regions = [
            (entry.family, entry.limit, *entry.window_s) for entry in within if entry.family is not BUCKET
        ]
    for family, limit, low, high in regions:
        bounds = window_bounds(evidence, family, limit)
        bounds = bounds and (max(low, bounds[0]), min(high, bounds[1]))
        for span in _stated_windows(bounds, limit, stated):
            if span[0] <= span[1] and (candidate := _narrowed(evidence, family, limit, span, budget)):
                candidates.append(candidate)
    return candidates


def _narrowed(
    evidence: Evidence, family: Family, limit: int, window_s: tuple[float, float], budget: Budget
) -> Candidate | None:
    if family.kind is FamilyKind.LOG:
        return Candidate(family, limit, window_s)
    states = window_states(evidence, family, limit, window_s, budget)
    if not states:
        return None
    spans = [heights(polygon) for polygon, _, _ in states]
    return Candidate(
        family, limit, (min(low for low, _ in spans), max(high for _, high in spans)), tuple(states)
    )


def _stated_windows(
    bounds: tuple[float, float] | None, limit: int, stated: Collection[StatedLimit]
) -> list[tuple[float, float]]:
    """Return the bounds of the window, as far as headers state it for this limit."""
    if bounds is None or not stated:
        return [bounds] if bounds else []
    low, high = bounds
    windows = {window for quota, window in stated if quota == limit}
    if None in windows:
        return [bounds]
    near = [
        (max(low, float(window) * (1 - _TOLERANCE)), min(high, float(window) * (1 + _TOLERANCE)))
        for window in windows
        if window is not None
    ]
    return [span for span in near if span[0] <= span[1]]


def _buckets(evidence: Evidence, stated: Collection[StatedLimit]) -> list[Candidate]:
    pieces = bucket_pieces(evidence)
    if not pieces:
        return []
    if not stated:
        return [Candidate(BUCKET, 0, (0, 0), pieces=tuple(pieces))]
    near: list[BucketPiece] = []
    for quota, window in stated:
        low, high = 0.0, inf
        if window is not None:
            low, high = (float(window / quota) * factor for factor in (1 - _TOLERANCE, 1 + _TOLERANCE))
        parts = [part for piece in pieces if (part := piece.between(low, high))]
        if parts and (window is not None or _has_capacity(parts, quota)):
            near += parts
    near.sort(key=lambda piece: piece.interval_s)
    return [Candidate(BUCKET, 0, (0, 0), pieces=tuple(near))] if near else []


def by_family(candidates: Iterable[Candidate]) -> dict[Family, list[Candidate]]:
    """Return the candidates by their families."""
    families = defaultdict[Family, list[Candidate]](list)
    for candidate in candidates:
        families[candidate.family].append(candidate)
    return families


def _has_capacity(pieces: Sequence[BucketPiece], quota: int) -> bool:
    low, high = Candidate(BUCKET, 0, (0, 0), pieces=tuple(pieces)).capacity
    return low <= quota <= high


def window_bounds(evidence: Evidence, family: Family, limit: int) -> tuple[float, float] | None:
    """Return bounds of the window in seconds, or None if no window explains the decisions.

    A rejected request follows the last `limit` requests that count within one window, that of a sliding
    counter within two. Of the admitted ones, more than `limit` are not in one window of a sliding log: that
    is all that such a log demands, so there the bounds are the region. More than twice `limit` touch at least
    three windows of the other families. A request that a header promises is admitted as well.
    """
    is_log, reach = family.kind is FamilyKind.LOG, 2 if family.kind is FamilyKind.COUNTER else 1
    several = limit if is_log else 2 * limit
    shortest, longest = _MIN_WINDOW_S, float(MAX_SPAN_S)
    counted: list[float] = []  # the ends of the intervals of requests that count
    before: list[float] = []  # the begins of those that an admitted request cannot share a window with
    for low, high, admitted, retry in zip(
        evidence.earliest_s, evidence.latest_s, evidence.admitted, evidence.retry_s, strict=True
    ):
        if admitted:
            if len(before) >= several:
                longest = min(longest, high - before[-several])
        elif len(counted) < limit:
            return None
        else:
            shortest = max(shortest, (low - counted[-limit]) / reach)
            if is_log and not family.count_rejected:
                longest = min(longest, high + retry - before[-limit])
        if shortest > longest:
            return None
        if admitted or family.count_rejected:
            counted.append(high)
        if admitted or (family.count_rejected and is_log):
            before.append(low)
    return shortest, longest
