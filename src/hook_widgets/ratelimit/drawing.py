"""The way to the full pictures, which need matplotlib."""

from __future__ import annotations

from types import ModuleType

from hook_widgets.errors import RateLimitError
from hook_widgets.libraries import needed


def figures() -> ModuleType:
    """The package `hook_widgets.ratelimit.figures`, with ``plot``, ``save`` and ``Picture``.

    Raises:
        RateLimitError: matplotlib is not there; `hook_widgets.ratelimit.sketch` draws without it.
    """
    what = "The full picture"
    return needed("hook_widgets.ratelimit.figures", "matplotlib", what, RateLimitError)
