"""Compare the headers of responses."""

from __future__ import annotations

from collections.abc import Iterator

from hook_widgets.versioning.compat.change import Change
from hook_widgets.versioning.compat.openapi.document.located import Place, same_content
from hook_widgets.versioning.compat.openapi.document.pair import Section
from hook_widgets.versioning.compat.openapi.fields.values import compare_field_values
from hook_widgets.versioning.compat.renames import match_renamed


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
