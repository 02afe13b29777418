"""Check a webhook receiver: is what it accepts, rejects and responds right?

>>> from hook_widgets.receivers import check_receiver
>>> from hook_widgets.webhooks import Receiver, Secret
>>> secret = Secret("an example secret")
>>> with Receiver("generic", secret) as receiver:
...     report = check_receiver("generic", receiver.url, secret, only=["A1", "B3"])
>>> [(check.id, str(check.status)) for check in report.checks]
[('A1', 'passed'), ('B3', 'passed')]

The public interface is the names of this module. The modules below are internal: import nothing from them. A
name's module is loaded on first access.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hook_widgets.receivers.check_catalogue import Check as Check
    from hook_widgets.receivers.check_catalogue import Fix as Fix
    from hook_widgets.receivers.check_catalogue import Severity as Severity
    from hook_widgets.receivers.check_catalogue import catalogue as catalogue
    from hook_widgets.receivers.oracle import Oracle as Oracle
    from hook_widgets.receivers.rejection import Conclusion as Conclusion
    from hook_widgets.receivers.rejection import ProbeResult as ProbeResult
    from hook_widgets.receivers.rejection import Rejection as Rejection
    from hook_widgets.receivers.rejection import RejectionCause as RejectionCause
    from hook_widgets.receivers.rejection import why_rejected as why_rejected
    from hook_widgets.receivers.rendering import report_schema as report_schema
    from hook_widgets.receivers.report import CheckResult as CheckResult
    from hook_widgets.receivers.report import Report as Report
    from hook_widgets.receivers.report import Score as Score
    from hook_widgets.receivers.report import SentRequest as SentRequest
    from hook_widgets.receivers.report import SentResponse as SentResponse
    from hook_widgets.receivers.report import Status as Status
    from hook_widgets.receivers.runner import Progress as Progress
    from hook_widgets.receivers.runner import check_receiver as check_receiver
    from hook_widgets.receivers.sending import Connector as Connector
    from hook_widgets.receivers.sending import Exchange as Exchange
    from hook_widgets.receivers.sending import Transport as Transport
    from hook_widgets.receivers.setup import Setup as Setup

_NAMES = {
    "check_catalogue": ("Check", "Fix", "Severity", "catalogue"),
    "oracle": ("Oracle",),
    "rejection": ("Conclusion", "ProbeResult", "Rejection", "RejectionCause", "why_rejected"),
    "rendering": ("report_schema",),
    "report": ("CheckResult", "Report", "Score", "SentRequest", "SentResponse", "Status"),
    "runner": ("Progress", "check_receiver"),
    "sending": ("Connector", "Exchange", "Transport"),
    "setup": ("Setup",),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [
    "Check",
    "CheckResult",
    "Conclusion",
    "Connector",
    "Exchange",
    "Fix",
    "Oracle",
    "ProbeResult",
    "Progress",
    "Rejection",
    "RejectionCause",
    "Report",
    "Score",
    "SentRequest",
    "SentResponse",
    "Setup",
    "Severity",
    "Status",
    "Transport",
    "catalogue",
    "check_receiver",
    "report_schema",
    "why_rejected",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value  # the next access is a plain one
    return value


def __dir__() -> list[str]:
    return __all__
