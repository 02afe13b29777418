"""Headers of a response."""

from __future__ import annotations

from collections.abc import Iterator

from hook_widgets.versioning.changes.change import Change, Direction
from hook_widgets.versioning.changes.openapi.matching import renamed
from hook_widgets.versioning.changes.openapi.place import Place
from hook_widgets.versioning.changes.openapi.sides import Sides, joined, told
from hook_widgets.versioning.changes.openapi.values import values


def headers(sides: Sides, old: Place, new: Place, *, direction: Direction, where: str) -> Iterator[Change]:
    """The differences between the ``headers`` of two responses.

    Args:
        sides: both documents.
        old: the old map of headers.
        new: the new one.
        direction: who sends the response.
        where: the response in words.
    """
    before, after = _named(old), _named(new)
    removed = [name for name in before if name not in after]
    added = [name for name in after if name not in before]
    pairs = renamed(removed, added, before=lambda name: before[name][1], after=lambda name: after[name][1])
    for name, (written, place) in before.items():
        inside = joined(where, f"header {written}")
        if name in pairs:
            now, twin = after[pairs[name]]
            yield told("header-renamed", twin, inside, f"Header {written} was renamed to {now}.")
        elif name in removed:
            word = "required" if place.flag("required") else "optional"
            yield told("header-removed", place, inside, f"The {word} header {written} was removed.")
        else:
            yield from _both(sides, place, after[name][1], written, direction, inside)
    for name in added:
        if name not in pairs.values():
            written, place = after[name]
            word = "required" if place.flag("required") else "optional"
            detail = f"The {word} header {written} was added."
            inside = joined(where, f"header {written}")
            yield told(f"{word}-header-added", place, inside, detail, direction=direction)


def _both(
    sides: Sides, old: Place, new: Place, name: str, direction: Direction, where: str
) -> Iterator[Change]:
    said = f"Header {name}"
    if old.flag("required") != new.flag("required"):
        word = "required" if new.flag("required") else "optional"
        yield told(f"header-{word}", new, where, f"{said} is {word} now.", direction=direction)
    yield from values(sides, old, new, located="header", noun=said, direction=direction, where=where)


def _named(place: Place) -> dict[str, tuple[str, Place]]:
    """By name in lower case; ``Content-Type`` is told by the media types."""
    return {
        name.lower(): (name, header)
        for name, header in place.members().items()
        if name.lower() != "content-type"
    }
