"""Values of a picture by time, for a pointer that reads them off: the same arrays that are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from hook_widgets.ratelimit.plotting.view_model import labels
from hook_widgets.ratelimit.plotting.view_model.view import Level, Queue, View
from hook_widgets.ratelimit.simulation.series import Curve

Place = tuple[float, float, float, float]
"""Left, top, width and height of a panel in CSS pixels."""

_LEAST_PART: Final = 1e-5  # of the time axis; a smaller part has times of more digits than can be read
_STRICTEST: Final = "Strictest"


@dataclass(frozen=True, slots=True)
class Series:
    """One value of a lane by time.

    Attributes:
        label: the name, such as "Tokens left".
        values: one for each pixel column, or one for each bin.
        bins: True for counts in bins.
    """

    label: str
    values: list[float]
    bins: bool = False


@dataclass(frozen=True, slots=True)
class Lane:
    """One panel of a picture.

    Attributes:
        place: its place.
        title: the run that it shows, if there are several.
        series: its values.
    """

    place: Place
    title: str
    series: tuple[Series, ...]


def lanes(views: Sequence[View], places: Sequence[Place]) -> tuple[Lane, ...]:
    """Return the lanes of a picture of these views; one view may have several panels."""
    if len(views) > 1:
        return tuple(
            Lane(place, view.title, (*_levels(view, place), _bins(labels.names(view)[1], view.rejected)))
            for view, place in zip(views, places, strict=True)
        )
    (view,), (first, second, *others) = views, places
    is_band = view.levels[0].most is not None
    bins = map(_bins, labels.names(view), (view.admitted, view.rejected))
    panels = [Lane(first, "", _levels(view, first)), Lane(second, _STRICTEST * is_band, tuple(bins))]
    if view.queue is not None:
        panels += [Lane(place, "", (_waiting(view.queue, view, place),)) for place in others]
    return tuple(panels)


def part_within(part_s: tuple[float, float], end_s: float) -> tuple[float, float]:
    """Return a part of a time axis that lies within it and is not too small to be read; or the whole axis.

    >>> part_within((-1, 5), 10), part_within((2, 2), 10), part_within((20, 30), 10)
    ((0.0, 5), (2, 2.0001), (0.0, 10))
    """
    begin_s, after_s = max(part_s[0], 0.0), min(part_s[1], end_s)
    if begin_s >= end_s or after_s < begin_s:
        return 0.0, end_s
    begin_s = min(begin_s, end_s * (1 - _LEAST_PART))
    return begin_s, max(after_s, begin_s + end_s * _LEAST_PART)


def _levels(view: View, place: Place) -> tuple[Series, ...]:
    def name(level: Level) -> str:
        return labels.levels_heading(view) if len(view.levels) == 1 else level.label

    if (most := view.levels[0].most) is not None:
        least = view.levels[0].curve
        edges = {"Least left, %": least, "Most left, %": most}
        return tuple(_sampled(edge, curve, view, place) for edge, curve in edges.items())
    return tuple(_sampled(name(level), level.curve, view, place) for level in view.levels)


def _sampled(label: str, curve: Curve, view: View, place: Place) -> Series:
    columns = max(int(place[2]), 1)
    step = (view.end_s - view.begin_s) / columns
    return Series(label, [curve.at(view.begin_s + (k + 0.5) * step) for k in range(columns)])


def _waiting(queue: Queue, view: View, place: Place) -> Series:
    series = _sampled(queue.unit, queue.curve, view, place)
    # The drawn curve has fewer points than the run, and is a fraction of a request between two of them.
    return replace(series, values=[float(round(value)) for value in series.values])


def _bins(label: str, counts: Sequence[int]) -> Series:
    return Series(label, list(map(float, counts)), bins=True)
