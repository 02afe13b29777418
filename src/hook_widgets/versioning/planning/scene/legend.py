"""What the bars and signs in a picture are called, and how that is set in rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hook_widgets.versioning.api import Api
from hook_widgets.versioning.planning.timeline import Step
from hook_widgets.versioning.release import Status

Entry = Status | Step


def entries(api: Api) -> list[Entry]:
    """The kinds that an API has at any time: the height stays the same while the time moves."""
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
    """What an entry is called."""
    return entry.label.lower() if isinstance(entry, Step) else entry.value


def rows(
    found: Sequence[Entry], room_px: float, wide_px: Callable[[Entry], float], gap_px: float
) -> list[list[Entry]]:
    """Entries in as few rows as have room.

    Args:
        found: the entries.
        room_px: how wide a row may be.
        wide_px: how wide an entry is.
        gap_px: the room between two.
    """
    made: list[list[Entry]] = [[]]
    used = 0.0
    for entry in found:
        wide = wide_px(entry)
        if made[-1] and used + wide > room_px:
            made.append([])
            used = 0.0
        made[-1].append(entry)
        used += wide + gap_px
    return made
