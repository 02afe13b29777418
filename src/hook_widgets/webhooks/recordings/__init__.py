"""Read recorded requests of other tools, compare them, and export them."""

from hook_widgets._lazy import attach

__getattr__, __dir__ = attach(__name__)
