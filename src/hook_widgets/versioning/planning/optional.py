"""Load the matplotlib renderer lazily."""

from __future__ import annotations

from types import ModuleType

from hook_widgets._optional import needed
from hook_widgets.errors import VersioningError


def figures() -> ModuleType:
    """Import and return `hook_widgets.versioning.planning.plotting.mpl`.

    Raises:
        VersioningError: matplotlib is not installed; `versioning.planning.plotting.svg` draws without it.
    """
    module = "hook_widgets.versioning.planning.plotting.mpl"
    return needed(module, "matplotlib", "The full picture", VersioningError)
