"""Webhooks and rate limits together: local endpoints with a limit, and deliveries through a limit.

>>> import urllib.request
>>> from hook_widgets.endpoints import LimitedServer
>>> from hook_widgets.ratelimit import Limiter
>>> with LimitedServer(Limiter.of("100/min")) as server:
...     response = urllib.request.urlopen(server.url)
>>> response.status, response.headers["RateLimit"]
(200, '"TokenBucket";r=99')

The public interface is the names of this module. The modules below are internal: import nothing from them. A
name's module is loaded on first access.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hook_widgets.endpoints.clocks import Clock as Clock
    from hook_widgets.endpoints.clocks import SystemClock as SystemClock
    from hook_widgets.endpoints.clocks import VirtualClock as VirtualClock
    from hook_widgets.endpoints.deliveries import Attempt as Attempt
    from hook_widgets.endpoints.deliveries import Deliveries as Deliveries
    from hook_widgets.endpoints.delivery_simulation import simulate_deliveries as simulate_deliveries
    from hook_widgets.endpoints.limited_server import LimitedRequest as LimitedRequest
    from hook_widgets.endpoints.limited_server import LimitedServer as LimitedServer
    from hook_widgets.endpoints.limited_server import LimitField as LimitField
    from hook_widgets.endpoints.paced import paced_send as paced_send
    from hook_widgets.endpoints.sender import Sender as Sender
    from hook_widgets.endpoints.sizing import smallest_burst as smallest_burst

_HOMES = {
    "Attempt": "deliveries",
    "Clock": "clocks",
    "Deliveries": "deliveries",
    "LimitField": "limited_server",
    "LimitedRequest": "limited_server",
    "LimitedServer": "limited_server",
    "Sender": "sender",
    "SystemClock": "clocks",
    "VirtualClock": "clocks",
    "paced_send": "paced",
    "simulate_deliveries": "delivery_simulation",
    "smallest_burst": "sizing",
}

__all__ = [
    "Attempt",
    "Clock",
    "Deliveries",
    "LimitField",
    "LimitedRequest",
    "LimitedServer",
    "Sender",
    "SystemClock",
    "VirtualClock",
    "paced_send",
    "simulate_deliveries",
    "smallest_burst",
]


def __getattr__(name: str) -> Any:
    """Load a public name on first access."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names."""
    return list(__all__)
