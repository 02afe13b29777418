"""Answers by status: successes, and the format of errors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from hook_widgets.versioning.changes.change import Change, Direction
from hook_widgets.versioning.changes.openapi.contents import contents
from hook_widgets.versioning.changes.openapi.headers import headers
from hook_widgets.versioning.changes.openapi.place import Place
from hook_widgets.versioning.changes.openapi.sides import Sides, documented, joined, told


def responses(sides: Sides, old: Place, new: Place, *, direction: Direction, where: str) -> Iterator[Change]:
    """The differences between the ``responses`` of two operations.

    Args:
        sides: both documents.
        old: the old map of statuses.
        new: the new one.
        direction: who sends the responses.
        where: the operation in words.
    """
    before, after = _by_status(old), _by_status(new)
    told_success = not _no_success(before)
    for status, place in before.items():
        inside = joined(where, f"response {status}")
        error = _is_error(status, told_success=told_success)
        if status in after:
            yield from _both(sides, place, after[status], direction, inside, error=error)
            continue
        if status.endswith("XX") and any(other[:1] == status[:1] and other not in before for other in after):
            continue  # the range is told one by one now, and compared there
        # The default names no status that a client could wait for.
        word = "error" if error or status == "default" else "success"
        detail = f"The response {status} was removed."
        yield told(f"{word}-status-removed", place, inside, detail, direction=direction)
        cover = _cover(after, status, error=error)
        if cover is not None:
            yield from _breaking(_both(sides, place, cover, direction, inside, error=error))
    for status, place in after.items():
        if status in before:
            continue
        inside = joined(where, f"response {status}")
        error = _is_error(status, told_success=told_success)
        word = "error" if error else "success"
        yield told(f"{word}-status-added", place, inside, f"The response {status} was added.")
        cover = _cover(before, status, error=error)
        if cover is not None:
            yield from _breaking(_both(sides, cover, place, direction, inside, error=error))


def _both(
    sides: Sides, old: Place, new: Place, direction: Direction, where: str, *, error: bool
) -> Iterator[Change]:
    yield from headers(sides, old.at("headers"), new.at("headers"), direction=direction, where=where)
    found = contents(
        sides, old.at("content"), new.at("content"), direction=direction, where=where, answer=True
    )
    for change in found:
        yield replace(change, rule="error-format-changed") if error and change.breaking else change
    yield from documented(old, new, ("summary", "description", "links"), where)


def _breaking(changes: Iterator[Change]) -> Iterator[Change]:
    """Of a status that another one covered until now, only what breaks is news."""
    return (change for change in changes if change.breaking)


def _by_status(place: Place) -> dict[str, Place]:
    return {status.upper() if status != "default" else status: at for status, at in place.members().items()}


def _no_success(statuses: Iterable[str]) -> bool:
    return not any(status[:1] in ("1", "2", "3") for status in statuses)


def _is_error(status: str, *, told_success: bool) -> bool:
    return status[:1] in ("4", "5") or (status == "default" and told_success)


def _cover(statuses: Mapping[str, Place], status: str, *, error: bool) -> Place | None:
    """What is told about a status that is not named itself: its range, or the default.

    The default stands for errors, and for successes where none is named.
    """
    if status == "default":
        return None
    ranged = statuses.get(f"{status[:1]}XX")
    if ranged is not None or not (error or _no_success(statuses)):
        return ranged
    return statuses.get("default")
