"""Regions of fixed windows and sliding counters.

The end e of the current window and the length W of windows are a point of a plane. Each decision clips a
polygon of such points: a request in the window came before e, one after m further boundaries came between
``e + (m - 1) W`` and ``e + m W``. Where both can be, the polygon is split; each part is followed by itself.
Where a gap may contain too many numbers of boundaries, the place of the boundary is forgotten, which keeps
more points than needed and never loses one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from math import ceil, floor, inf
from typing import Final, TypeAlias

from hook_widgets.ratelimit.inference.evidence import Evidence
from hook_widgets.ratelimit.inference.families import Family, FamilyKind
from hook_widgets.ratelimit.inference.polygon import Polygon, clip, heights, hull, shear

State: TypeAlias = tuple[Polygon, int, int]
"""Ends and lengths of the window, the count of the previous and that of the current window."""

_MAX_BOUNDARIES: Final = 6  # in one gap, that are told apart
_MAX_ALIKE: Final = 8  # states with the same counts, that are told apart
_MAX_STATES: Final = 400


class Budget:
    """The number of steps that may still be taken; without any, regions are not narrowed further."""

    def __init__(self, steps: int) -> None:
        self.steps = steps


def window_states(
    evidence: Evidence, family: Family, limit: int, window_s: tuple[float, float], budget: Budget
) -> list[State]:
    """Return the states after all decisions with which a limiter of this family can decide so.

    Args:
        evidence: the decisions.
        family: fixed windows or sliding counters.
        limit: requests per window.
        window_s: the shortest and the longest window.
        budget: the steps, which are used up.
    """
    follow = _Follow(family, limit)
    low, high = window_s
    states: list[State] = []
    for i, (earliest, latest, admitted, retry) in enumerate(
        zip(evidence.earliest_s, evidence.latest_s, evidence.admitted, evidence.retry_s, strict=True)
    ):
        if i:
            states = [after for state in states for after in follow(state, earliest, latest, admitted)]
        else:
            start = _opened(earliest, latest, low, high, first=family.first)
            states = list(follow.decided((start, 0, 0), earliest, latest, admitted))
        if retry < inf and family.kind is FamilyKind.FIXED and not admitted:
            states = [
                (promised, previous, current)
                for polygon, previous, current in states
                if (promised := clip(polygon, 1, 0, latest + retry))
            ]
        states = _merged(states)
        budget.steps -= len(states)
        if not states or len(states) > _MAX_STATES or budget.steps < 0:
            break  # what is left contains the truth
    return states


def _opened(earliest: float, latest: float, low: float, high: float, *, first: bool) -> Polygon:
    """Return the window of a request: begun by it, or at any time before."""
    begin = [(earliest + low, low), (earliest + high, high)] if first else [(earliest, low), (earliest, high)]
    return [*begin, (latest + high, high), (latest + low, low)]


class _Follow:
    """The states that can follow a state by the next decision."""

    def __init__(self, family: Family, limit: int) -> None:
        self._first = family.first
        self._counter = family.kind is FamilyKind.COUNTER
        self._count_rejected = family.count_rejected
        self._strict = family.strict
        self._limit = limit

    def __call__(self, state: State, earliest: float, latest: float, admitted: bool) -> Iterator[State]:  # noqa: FBT001
        polygon, previous, current = state
        if same := clip(polygon, -1, 0, -earliest):
            yield from self.decided((same, previous, current), earliest, latest, admitted)
        if polygon := clip(polygon, 1, 0, latest):
            if not self._first:
                yield from self._by_clock((polygon, previous, current), earliest, latest, admitted)
            elif self._counter:
                yield from self._by_first((polygon, previous, current), earliest, latest, admitted)
            elif admitted:
                start = _opened(earliest, latest, *heights(polygon), first=True)
                yield from self.decided((start, 0, 0), earliest, latest, admitted)

    def decided(self, state: State, earliest: float, latest: float, admitted: bool) -> Iterator[State]:  # noqa: FBT001
        """Yield the state after a decision in the current window, if it can be."""
        polygon, previous, current = state
        room = self._limit - current - 1
        if not self._counter or not previous:
            if admitted != (room >= 0):
                return
        else:
            room += self._strict
            if admitted:
                polygon = clip(polygon, previous, -room, previous * latest)
            else:
                polygon = clip(polygon, -previous, room, -previous * earliest)
            if not polygon:
                return
        counts = admitted or (self._count_rejected and self._counter)
        yield polygon, previous, current + counts

    def _by_clock(self, state: State, earliest: float, latest: float, admitted: bool) -> Iterator[State]:  # noqa: FBT001
        """Yield the states after boundaries by the clock."""
        polygon, _, current = state
        before = current if self._counter else 0
        least = max(1, floor(min((earliest - e) / w for e, w in polygon)))
        most = ceil(max((latest - e) / w for e, w in polygon)) + 1
        single = most - least > _MAX_BOUNDARIES
        for m in range(least, 2 if single else most + 1):
            part = clip(polygon, 1, m - 1, latest)
            part = part and clip(part, -1, -m, -earliest)
            if part:
                crossed = (shear(part, m), before if m == 1 else 0, 0)
                yield from self.decided(crossed, earliest, latest, admitted)
        if single:
            start = _opened(earliest, latest, *heights(polygon), first=False)
            yield from self.decided((start, 0, 0), earliest, latest, admitted)

    def _by_first(self, state: State, earliest: float, latest: float, admitted: bool) -> Iterator[State]:  # noqa: FBT001
        """Yield the states of a sliding counter after boundaries that follow from the first request."""
        polygon, _, current = state
        if part := clip(polygon, -1, -1, -earliest):  # in the next window
            for after, previous, count in self.decided(
                (shear(part, 1), current, 0), earliest, latest, admitted
            ):
                # A rejected request that does not count begins no window.
                yield (after, previous, count) if count else (shear(after, -1), state[1], current)
        if admitted and (part := clip(polygon, 1, 1, latest)):
            start = _opened(earliest, latest, *heights(part), first=True)
            yield from self.decided((start, 0, 0), earliest, latest, admitted)


def _merged(states: list[State]) -> list[State]:
    """Return the states, many of the same counts as one that contains them."""
    if len(states) <= _MAX_ALIKE:
        return states
    most = _MAX_ALIKE if len(states) <= _MAX_STATES else 1
    alike: dict[tuple[int, int], list[Polygon]] = defaultdict(list)
    for polygon, previous, current in states:
        alike[previous, current].append(polygon)
    merged: list[State] = []
    for counts, polygons in alike.items():
        if len(polygons) > most:
            polygons = [hull(point for polygon in polygons for point in polygon)]  # noqa: PLW2901
        merged += [(polygon, *counts) for polygon in polygons]
    return merged
