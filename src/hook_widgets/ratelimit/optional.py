"""Load the matplotlib renderer lazily."""

from __future__ import annotations

from types import ModuleType

from hook_widgets._optional import needed
from hook_widgets.errors import LimitModelError


def figures() -> ModuleType:
    """Import the package `hook_widgets.ratelimit.plotting.mpl`, with ``plot``, ``save`` and ``Picture``.

    Raises:
        LimitModelError: matplotlib is not installed; `hook_widgets.ratelimit.plotting.svg` draws without it.
    """
    feature = "The full picture"
    return needed("hook_widgets.ratelimit.plotting.mpl", "matplotlib", feature, LimitModelError)
