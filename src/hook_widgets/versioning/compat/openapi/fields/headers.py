"""Compare the headers of responses."""

from __future__ import annotations

from collections.abc import Iterator

from hook_widgets.versioning.compat.change import Change, Direction
from hook_widgets.versioning.compat.openapi.document.located import Place, same_content
from hook_widgets.versioning.compat.openapi.document.pair import DocumentPair, build_change, join_place
from hook_widgets.versioning.compat.openapi.fields.values import compare_field_values
from hook_widgets.versioning.compat.renames import match_renamed


def compare_headers(
    documents: DocumentPair, old: Place, new: Place, *, direction: Direction, where: str
) -> Iterator[Change]:
    """Compare the ``headers`` of two responses."""
    before, after = _named(old), _named(new)
    removed = [name for name in before if name not in after]
    added = [name for name in after if name not in before]
    pairs = match_renamed(removed, added, lambda was, is_: same_content(before[was][1], after[is_][1]))
    for name, (label, place) in before.items():
        inside = join_place(where, f"header {label}")
        now, twin = after.get(pairs.get(name, name), ("", None))
        if twin is None:
            detail = f"The {_requirement(place)} header {label} was removed."
            yield build_change("header-removed", place, inside, detail)
        elif name in pairs:
            yield build_change("header-renamed", twin, inside, f"Header {label} was renamed to {now}.")
        else:
            noun, word = f"Header {label}", _requirement(twin)
            if word != _requirement(place):
                detail = f"{noun} is {word} now."
                yield build_change(f"header-{word}", twin, inside, detail, direction=direction)
            yield from compare_field_values(
                documents, place, twin, location="header", noun=noun, direction=direction, where=inside
            )
    for name in added:
        if name not in pairs.values():
            label, place = after[name]
            word, inside = _requirement(place), join_place(where, f"header {label}")
            detail = f"The {word} header {label} was added."
            yield build_change(f"{word}-header-added", place, inside, detail, direction=direction)


def _requirement(place: Place) -> str:
    return "required" if place.flag("required") else "optional"


def _named(place: Place) -> dict[str, tuple[str, Place]]:
    """Return the headers by lower-case name, except ``Content-Type``, which media types cover."""
    return {
        name.lower(): (name, header)
        for name, header in place.entries().items()
        if name.lower() != "content-type"
    }
