"""Many candidate limits on the same traffic, in several processes or on several machines."""

from hook_widgets._lazy import attach

__getattr__, __dir__ = attach(__name__, figure_error="LimitModelError")
