"""Entries of the legend of a picture, and their arrangement in rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from hook_widgets.versioning.api import Api
from hook_widgets.versioning.planning.plotting.view_model.lanes import Outage, SignKind
from hook_widgets.versioning.planning.timeline import LifecycleStep
from hook_widgets.versioning.release import Status

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Legend:
    """Arranges the entries of a legend in as few rows as possible.

    Attributes:
        bar_px: width of the sample of a bar.
        sign_px: width of a sign.
        name_px: distance between a sample and its name.
        gap_px: distance between two entries.
        width_px: function that measures the width of a name.
    """

    bar_px: float
    sign_px: float
    name_px: float
    gap_px: float
    width_px: Callable[[str], float]

    def arrange(self, api: Api, left: float, right: float) -> list[Sample]:
        """Place the samples of an API's entries between two edges, in pixels; the first row is 0."""
        samples: list[Sample] = []
        row, x = 0, left
        for entry in entries(api):
            sample = self.bar_px if isinstance(entry, Status) else self.sign_px
            width = sample + self.name_px + self.width_px(words(entry))
            if x > left and x + width > right:
                row, x = row + 1, left
            samples.append(Sample(entry, row, x, x + sample))
            x += width + self.gap_px
        return samples
