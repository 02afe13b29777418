"""The way to the full picture, which needs matplotlib."""

from __future__ import annotations

from types import ModuleType

from hook_widgets.errors import VersioningError
from hook_widgets.libraries import needed


def figures() -> ModuleType:
    """The package `hook_widgets.versioning.planning.figures`, with ``plot``, ``save`` and ``picture``.

    Raises:
        VersioningError: matplotlib is not there; `hook_widgets.versioning.planning.sketch` draws without it.
    """
    what = "The full picture"
    return needed("hook_widgets.versioning.planning.figures", "matplotlib", what, VersioningError)
