"""Compare the names of shared schemas."""

from __future__ import annotations

from collections.abc import Iterator

from hook_widgets.versioning.compat.change import Change
from hook_widgets.versioning.compat.openapi.document.located import Place
from hook_widgets.versioning.compat.openapi.document.pair import build_change


def compare_components(old: Place, new: Place) -> Iterator[Change]:
    """Report schemas that were added to or removed from the components.

    Changes inside a schema are reported where it is used.

    Args:
        old: the root of the old document.
        new: the root of the new document.
    """
    before, after = _schemas(old), _schemas(new)
    for name, place in before.items():
        if name not in after:
            yield build_change(
                "component-changed", place, f"schema {name}", f"The schema {name} was removed."
            )
    for name, place in after.items():
        if name not in before:
            yield build_change("component-changed", place, f"schema {name}", f"The schema {name} was added.")


def _schemas(root: Place) -> dict[str, Place]:
    own = root.at("components").at("schemas").members(follow=False)
    # Swagger 2.0 has them at the top level.
    return own or root.at("definitions").members(follow=False)
