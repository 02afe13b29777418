"""Entries of the legend of a picture, and their arrangement in rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hook_widgets.versioning.api import Api
from hook_widgets.versioning.planning.timeline import Step
from hook_widgets.versioning.release import Status

Entry = Status | Step


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
        kinds += [Status.DEPRECATED, Status.REMOVED, *Step]
    return kinds


def words(entry: Entry) -> str:
    """Return the name of an entry."""
    return entry.label.lower() if isinstance(entry, Step) else entry.value


def rows(
    listed: Sequence[Entry], room_px: float, wide_px: Callable[[Entry], float], gap_px: float
) -> list[list[Entry]]:
    """Arrange entries in as few rows as possible.

    Args:
        listed: the entries.
        room_px: available width of a row.
        wide_px: function that returns the width of an entry.
        gap_px: space between two entries.
    """
    filled: list[list[Entry]] = [[]]
    used = 0.0
    for entry in listed:
        wide = wide_px(entry)
        if filled[-1] and used + wide > room_px:
            filled.append([])
            used = 0.0
        filled[-1].append(entry)
        used += wide + gap_px
    return filled
