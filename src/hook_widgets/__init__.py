"""Jupyter widgets for engineers who receive webhooks, live under an API rate limit or keep an API's versions.

The cores, `hook_widgets.webhooks`, `hook_widgets.ratelimit` and `hook_widgets.versioning`, never import
Jupyter; widgets are loaded on first access.
"""

from hook_widgets._lazy import attach

__getattr__, __dir__ = attach(__name__)
