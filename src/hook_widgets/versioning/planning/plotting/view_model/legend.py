"""Entries of the legend of a picture, and their arrangement in rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from hook_widgets.versioning.api import Api
from hook_widgets.versioning.planning.plotting.view_model.lanes import Outage, SignKind
from hook_widgets.versioning.planning.timeline import LifecycleStep
from hook_widgets.versioning.release import Status

NAME_PX: Final = 5.0
"""Distance between a sample and its name, in pixels."""

_BAR_PX, _SIGN_PX, _GAP_PX = 24.0, 10.0, 16.0

Entry = Status | SignKind


def entries(api: Api) -> list[Entry]:
    """Return the kinds that an API has at any time, so that the height is the same for every time shown."""
    kinds: list[Entry] = []
    if any(release.released for release in api.releases):
        kinds.append(Status.PLANNED)
    if any(not release.stable for release in api.releases):
        kinds.append(Status.PREVIEW)
    if any(release.stable for release in api.releases):
        kinds.append(Status.ACTIVE)
    if any(release.lifecycle for release in api.releases):
        kinds += [Status.DEPRECATED, Status.REMOVED, *LifecycleStep]
    if any(release.lifecycle and release.lifecycle.brownouts for release in api.releases):
        kinds.append(Outage.BROWNOUT)
    return kinds


def words(entry: Entry) -> str:
    """Return the name of an entry."""
    return entry.value if isinstance(entry, Status) else entry.label.lower()


class Sample(NamedTuple):
    """The place of the sample of an entry: its row, its left and its right end."""

    entry: Entry
    row: int
    left: float
    right: float


def arrange(api: Api, left: float, right: float, width_px: Callable[[str], float]) -> list[Sample]:
    """Place the samples of an API's entries between two edges in as few rows as possible; the first is 0.

    Args:
        api: the API.
        left: left edge, in pixels.
        right: right edge, in pixels.
        width_px: function that measures the width of a name.
    """
    samples: list[Sample] = []
    row, x = 0, left
    for entry in entries(api):
        sample = _BAR_PX if isinstance(entry, Status) else _SIGN_PX
        width = sample + NAME_PX + width_px(words(entry))
        if x > left and x + width > right:
            row, x = row + 1, left
        samples.append(Sample(entry, row, x, x + sample))
        x += width + _GAP_PX
    return samples
