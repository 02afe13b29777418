"""Schemas that a document keeps for all: which names came and went."""

from __future__ import annotations

from collections.abc import Iterator

from hook_widgets.versioning.changes.change import Change
from hook_widgets.versioning.changes.openapi.place import Place
from hook_widgets.versioning.changes.openapi.sides import told


def components(old: Place, new: Place) -> Iterator[Change]:
    """The schemas that were added to or removed from the components; what uses them is told where it is used.

    Args:
        old: the root of the old document.
        new: the root of the new document.
    """
    before, after = _schemas(old), _schemas(new)
    for name, place in before.items():
        if name not in after:
            yield told("component-changed", place, f"schema {name}", f"The schema {name} was removed.")
    for name, place in after.items():
        if name not in before:
            yield told("component-changed", place, f"schema {name}", f"The schema {name} was added.")


def _schemas(root: Place) -> dict[str, Place]:
    own = root.at("components").at("schemas").members(follow=False)
    # Swagger 2.0 keeps them beside the paths.
    return own or root.at("definitions").members(follow=False)
