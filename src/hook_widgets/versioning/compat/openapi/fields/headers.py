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
    removed_names, twins = set(removed), set(pairs.values())
    for name, (display_name, place) in before.items():
        inside = join_place(where, f"header {display_name}")
        if name in pairs:
            now, twin = after[pairs[name]]
            yield build_change("header-renamed", twin, inside, f"Header {display_name} was renamed to {now}.")
        elif name in removed_names:
            word = "required" if place.flag("required") else "optional"
            yield build_change(
                "header-removed", place, inside, f"The {word} header {display_name} was removed."
            )
        else:
            yield from _compare_one(documents, place, after[name][1], display_name, direction, inside)
    for name in added:
        if name not in twins:
            display_name, place = after[name]
            word = "required" if place.flag("required") else "optional"
            detail = f"The {word} header {display_name} was added."
            inside = join_place(where, f"header {display_name}")
            yield build_change(f"{word}-header-added", place, inside, detail, direction=direction)


def _compare_one(
    documents: DocumentPair, old: Place, new: Place, name: str, direction: Direction, where: str
) -> Iterator[Change]:
    noun = f"Header {name}"
    if old.flag("required") != new.flag("required"):
        word = "required" if new.flag("required") else "optional"
        yield build_change(f"header-{word}", new, where, f"{noun} is {word} now.", direction=direction)
    yield from compare_field_values(
        documents, old, new, location="header", noun=noun, direction=direction, where=where
    )


def _named(place: Place) -> dict[str, tuple[str, Place]]:
    """Return the headers by lower-case name, except ``Content-Type``, which media types cover."""
    return {
        name.lower(): (name, header)
        for name, header in place.entries().items()
        if name.lower() != "content-type"
    }
