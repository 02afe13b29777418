"""The registry of all known providers, by id."""

from hook_widgets.webhooks.registry.api import (
    add_providers,
    built_in,
    per_registry,
    problems,
    provider,
    providers,
    read_provider,
)
from hook_widgets.webhooks.requests.provider import DEFAULT_URL, Provider

__all__ = [
    "DEFAULT_URL",
    "Provider",
    "add_providers",
    "built_in",
    "per_registry",
    "problems",
    "provider",
    "providers",
    "read_provider",
]
