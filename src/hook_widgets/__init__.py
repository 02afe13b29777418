"""Jupyter widgets for engineers who receive webhooks, live under an API rate limit or keep an API's versions.

The cores, `hook_widgets.webhooks`, `hook_widgets.ratelimit` and `hook_widgets.versioning`, never import
Jupyter; widgets are loaded on first access.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from hook_widgets._version import __version__ as __version__

if TYPE_CHECKING:
    from hook_widgets._doctor import doctor as doctor
    from hook_widgets.webhooks import Secret as Secret
    from hook_widgets.widgets.calculator.widget import RateLimitCalculator as RateLimitCalculator
    from hook_widgets.widgets.generator.widget import WebhookGenerator as WebhookGenerator
    from hook_widgets.widgets.planner.widget import VersionPlanner as VersionPlanner

_HOMES = {
    "RateLimitCalculator": "hook_widgets.widgets.calculator.widget",
    "Secret": "hook_widgets.webhooks.keys.secret",
    "VersionPlanner": "hook_widgets.widgets.planner.widget",
    "WebhookGenerator": "hook_widgets.widgets.generator.widget",
    "doctor": "hook_widgets._doctor",
}

__all__ = ["RateLimitCalculator", "Secret", "VersionPlanner", "WebhookGenerator", "__version__", "doctor"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
