"""Compare responses by status: successes, the format of errors, and headers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from hook_widgets.versioning.compat.budget import spend
from hook_widgets.versioning.compat.change import Change
from hook_widgets.versioning.compat.openapi.document.located import Place, same_content
from hook_widgets.versioning.compat.openapi.document.pair import Section
from hook_widgets.versioning.compat.openapi.fields.media_types import compare_contents
from hook_widgets.versioning.compat.openapi.fields.values import compare_field_values
from hook_widgets.versioning.compat.renames import match_renamed


def compare_responses(section: Section, old: Place, new: Place) -> Iterator[Change]:
    """Compare the ``responses`` of two operations."""
    before, after = _by_status(old), _by_status(new)
    names_success = not _no_success(before)
    for status, place in before.items():
        inside = section.inside(f"response {status}")
        error = _is_error(status, names_success=names_success)
        if status in after:
            yield from _compare_one(inside, place, after[status], error=error)
            continue
        spend(len(after) // 4 if status.endswith("XX") else 1)
        if status.endswith("XX") and any(other[:1] == status[:1] and other not in before for other in after):
            continue  # the new document lists the statuses of the range, which are compared below
        ranged = None if error else _cover(after, status, error=False)
        if ranged is not None:  # a success in the range is one still
            yield from _compare_one(inside, place, ranged, error=error)
            continue
        # The default names no status that a client could expect.
        word = "error" if error or status == "default" else "success"
        yield inside.change(f"{word}-status-removed", place, f"The response {status} was removed.")
        cover = _cover(after, status, error=error)
        if cover is not None:
            yield from _only_breaking(_compare_one(inside, place, cover, error=error))
    for status, place in after.items():
        if status in before:
            continue
        inside = section.inside(f"response {status}")
        error = _is_error(status, names_success=names_success)
        word = "error" if error else "success"
        yield inside.change(f"{word}-status-added", place, f"The response {status} was added.")
        cover = _cover(before, status, error=error)
        if cover is not None:
            yield from _only_breaking(_compare_one(inside, cover, place, error=error))


def _compare_one(section: Section, old: Place, new: Place, *, error: bool) -> Iterator[Change]:
    yield from compare_headers(section, old.at("headers"), new.at("headers"))
    for change in compare_contents(section, old.at("content"), new.at("content"), is_response=True):
        yield replace(change, rule="error-format-changed") if error and change.breaking else change
    yield from section.documentation(old, new, ("summary", "description", "links"))


def _only_breaking(changes: Iterator[Change]) -> Iterator[Change]:
    """Drop changes that break nothing, because another status covered this one before."""
    return (change for change in changes if change.breaking)


def _by_status(place: Place) -> dict[str, Place]:
    return {status.upper() if status != "default" else status: at for status, at in place.members().items()}


def _no_success(statuses: Mapping[str, Place]) -> bool:
    spend(len(statuses) // 4)
    return not any(status[:1] in ("1", "2", "3") for status in statuses)


def _is_error(status: str, *, names_success: bool) -> bool:
    return status[:1] in ("4", "5") or (status == "default" and names_success)


def _cover(statuses: Mapping[str, Place], status: str, *, error: bool) -> Place | None:
    """Return the response that covers a status without its own entry: its range, or the default.

    The default covers errors, and successes if no success status is listed.
    """
    if status == "default":
        return None
    ranged = statuses.get(f"{status[:1]}XX")
    if ranged is not None or not (error or _no_success(statuses)):
        return ranged
    return statuses.get("default")


def compare_headers(section: Section, old: Place, new: Place) -> Iterator[Change]:
    """Compare the ``headers`` of two responses."""
    before, after = _named(old), _named(new)
    removed = [name for name in before if name not in after]
    added = [name for name in after if name not in before]
    pairs = match_renamed(removed, added, lambda was, is_: same_content(before[was][1], after[is_][1]))
    for name, (label, place) in before.items():
        inside = section.inside(f"header {label}")
        now, twin = after.get(pairs.get(name, name), ("", None))
        if twin is None:
            detail = f"The {_requirement(place)} header {label} was removed."
            yield inside.change("header-removed", place, detail)
        elif name in pairs:
            yield inside.change("header-renamed", twin, f"Header {label} was renamed to {now}.")
        else:
            noun, word = f"Header {label}", _requirement(twin)
            if word != _requirement(place):
                yield inside.change(f"header-{word}", twin, f"{noun} is {word} now.")
            yield from compare_field_values(inside, place, twin, location="header", noun=noun)
    for name in added:
        if name not in pairs.values():
            label, place = after[name]
            word = _requirement(place)
            detail = f"The {word} header {label} was added."
            yield section.inside(f"header {label}").change(f"{word}-header-added", place, detail)


def _requirement(place: Place) -> str:
    return "required" if place.flag("required") else "optional"


def _named(place: Place) -> dict[str, tuple[str, Place]]:
    """Return the headers by lower-case name, except ``Content-Type``, which media types cover."""
    return {
        name.lower(): (name, header)
        for name, header in place.entries().items()
        if name.lower() != "content-type"
    }
