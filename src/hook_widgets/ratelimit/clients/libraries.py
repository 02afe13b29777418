"""Retry policies of well-known libraries, by name.

They are data, in ``libraries.toml`` in this package.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from hook_widgets.errors import InvalidLimit, nearest
from hook_widgets.ratelimit.clients.backoff import Backoff
from hook_widgets.ratelimit.clients.budgets import RetryRatio, RetryThrottling, RetryTokens
from hook_widgets.ratelimit.clients.guards import Guard
from hook_widgets.ratelimit.clients.policy import ClientPolicy
from hook_widgets.ratelimit.clients.retry_after_rule import RetryAfterRule

_GUARDS: Final[dict[str, Callable[..., Guard]]] = {
    "RetryRatio": RetryRatio,
    "RetryThrottling": RetryThrottling,
    "RetryTokens": RetryTokens,
}


def client_policy(name: str) -> ClientPolicy:
    """Return the policy with this name.

    Args:
        name: the name, such as ``"urllib3"``.

    Raises:
        InvalidLimit: there is no such policy; the message names the nearest one.

    >>> client_policy("stamina").stop_after_s
    45.0
    """
    try:
        return client_policies()[name]
    except (KeyError, TypeError):
        raise InvalidLimit(f"there is no policy {name!r}; {nearest(str(name), client_policies())}") from None


@cache
def client_policies() -> Mapping[str, ClientPolicy]:
    """Return all named policies: textbook ones first, then those of libraries with their default settings.

    >>> list(client_policies())[:4]
    ['none', 'immediate', 'fixed', 'exponential']
    """
    rows = tomllib.loads((files(__package__) / "libraries.toml").read_text(encoding="utf-8"))
    return MappingProxyType({name: _policy(name, row) for name, row in rows.items()})


def _policy(name: str, row: dict[str, Any]) -> ClientPolicy:
    row["backoff"] = Backoff(**row["backoff"]) if "backoff" in row else None
    if "failure_backoff" in row:
        row["failure_backoff"] = Backoff(**row["failure_backoff"])
    if "retry_after" in row:
        row["retry_after"] = RetryAfterRule(**row["retry_after"])
    row["guards"] = [_GUARDS[guard.pop("kind")](**guard) for guard in row.get("guards", ())]
    return ClientPolicy(name=name, **row)  # an unknown key is an error
