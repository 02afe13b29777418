"""Classes of limiters that cannot be told apart, with the regions of their parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hook_widgets.ratelimit.inference.candidates import Candidate, by_family
from hook_widgets.ratelimit.inference.evidence import MAX_SPAN_S
from hook_widgets.ratelimit.inference.families import BUCKET, EQUAL_AT_ONE, Family
from hook_widgets.ratelimit.inference.samples import simplest
from hook_widgets.ratelimit.limiters.base import SingleLimiter

_NEARLY_ONE = 1.001  # the capacity of a bucket of one request is known up to the jitter


@dataclass(frozen=True, slots=True)
class WindowRegion:
    """Windows with which an algorithm explains the observations; the true one is inside.

    Attributes:
        algorithm: the display name.
        limit: requests per window.
        window_s: the shortest and the longest window, in seconds.
    """

    algorithm: str
    limit: int
    window_s: tuple[float, float]

    def __str__(self) -> str:
        """Return the region in words."""
        return f"{self.algorithm}: {self.limit} per {_interval(*self.window_s)} s"


@dataclass(frozen=True, slots=True)
class BucketRegion:
    """Buckets that explain the observations; the true one is inside.

    Attributes:
        algorithm: the display name.
        capacity: the smallest and the largest capacity.
        refill_rate: the lowest and the highest refill rate, per second.
        corners: the exact region, as the corners of its upper and lower edge: refill interval of a token,
            smallest and largest refill time of the whole bucket, in seconds.
    """

    algorithm: str
    capacity: tuple[float, float]
    refill_rate: tuple[float, float]
    corners: tuple[tuple[float, float, float], ...]

    def __str__(self) -> str:
        """Return the region in words."""
        rate, capacity = _interval(*self.refill_rate), _interval(*self.capacity)
        return f"{self.algorithm}: capacity {capacity}, refilled at {rate} per second"


@dataclass(frozen=True, slots=True)
class LimiterClass:
    """Limiters that no request of cost 1 tells apart, apart from their parameters.

    Attributes:
        algorithms: display names of all algorithms in the class.
        regions: the parameters of each.
        example: a limiter from the regions with simple numbers, a guess.
    """

    algorithms: tuple[str, ...]
    regions: tuple[WindowRegion | BucketRegion, ...]
    example: SingleLimiter

    def __str__(self) -> str:
        """Return the class in words."""
        return f"{'; or '.join(map(str, self.regions))}; for example {self.example!r}"


def classes_of(candidates: list[Candidate]) -> tuple[LimiterClass, ...]:
    """Return the candidates in classes."""
    families = by_family(candidates)
    return tuple(
        LimiterClass(
            tuple(family.name for family in group),
            tuple(_region(candidate) for family in group for candidate in families[family]),
            simplest(families[group[0]][-1]),
        )
        for group in _groups(families)
    )


def _groups(families: dict[Family, list[Candidate]]) -> Iterator[list[Family]]:
    """Yield the families that are equal in the regions that are left."""
    rest = list(families)
    for equal in EQUAL_AT_ONE:
        group = [family for family in rest if family in equal]
        if len(group) > 1 and all(_one(candidate) for family in group for candidate in families[family]):
            rest = [family for family in rest if family not in equal]
            yield group
    yield from ([family] for family in rest)


def _one(candidate: Candidate) -> bool:
    """Return True if the limit is one request."""
    return candidate.limit == 1 if candidate.family is not BUCKET else candidate.capacity[0] <= _NEARLY_ONE


def _region(candidate: Candidate) -> WindowRegion | BucketRegion:
    if candidate.family is not BUCKET:
        return WindowRegion(candidate.family.name, candidate.limit, candidate.window_s)
    low, high = candidate.interval_s
    corners = [
        (interval, *depths)
        for piece in candidate.pieces
        for interval, depths in zip(piece.interval_s, piece.depth_s, strict=True)
    ]
    return BucketRegion(
        candidate.family.name, candidate.capacity, (1 / high, 1 / low), tuple(dict.fromkeys(corners))
    )


def _interval(low: float, high: float) -> str:
    if high >= MAX_SPAN_S:
        return f"at least {low:.4g}"
    return f"at most {high:.4g}" if low <= 1 / MAX_SPAN_S else f"{low:.4g} to {high:.4g}"
