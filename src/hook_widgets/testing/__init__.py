"""Test a receiver with pytest: signed requests for test clients, and each check of a receiver as a test.

The pytest plugin is installed with the package. It provides the fixtures ``webhook``, ``webhook_secret``,
``webhook_receiver``, ``webhook_url``, ``webhook_check`` and ``limited_server`` and the mark
``webhook_checks``, and loads nothing until one of them is used.

The public interface is the names of this module. A name's module is loaded on first access.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hook_widgets.testing.check_runs import WebhookCheckWarning as WebhookCheckWarning
    from hook_widgets.testing.factories import ReceiverFactory as ReceiverFactory
    from hook_widgets.testing.factories import SessionSecrets as SessionSecrets
    from hook_widgets.testing.factories import WebhookFactory as WebhookFactory
    from hook_widgets.testing.limited_servers import LimitedServerFactory as LimitedServerFactory
    from hook_widgets.testing.limited_servers import VirtualServer as VirtualServer
    from hook_widgets.testing.recorded import RecordedWebhook as RecordedWebhook
    from hook_widgets.testing.recorded import recorded_requests as recorded_requests
    from hook_widgets.testing.recording import RecordedTests as RecordedTests
    from hook_widgets.testing.recording import record_tests as record_tests
    from hook_widgets.testing.signed_request import SignedRequest as SignedRequest

_NAMES = {
    "check_runs": ("WebhookCheckWarning",),
    "factories": ("ReceiverFactory", "SessionSecrets", "WebhookFactory"),
    "limited_servers": ("LimitedServerFactory", "VirtualServer"),
    "recorded": ("RecordedWebhook", "recorded_requests"),
    "recording": ("RecordedTests", "record_tests"),
    "signed_request": ("SignedRequest",),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [
    "LimitedServerFactory",
    "ReceiverFactory",
    "RecordedTests",
    "RecordedWebhook",
    "SessionSecrets",
    "SignedRequest",
    "VirtualServer",
    "WebhookCheckWarning",
    "WebhookFactory",
    "record_tests",
    "recorded_requests",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value  # the next access is a plain one
    return value


def __dir__() -> list[str]:
    return __all__
