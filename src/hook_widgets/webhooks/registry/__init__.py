"""The registry of all known providers, by id."""

from hook_widgets.webhooks.registry.api import add_providers as add_providers
from hook_widgets.webhooks.registry.api import built_in as built_in
from hook_widgets.webhooks.registry.api import per_registry as per_registry
from hook_widgets.webhooks.registry.api import problems as problems
from hook_widgets.webhooks.registry.api import provider as provider
from hook_widgets.webhooks.registry.api import providers as providers
from hook_widgets.webhooks.registry.api import read_provider as read_provider
from hook_widgets.webhooks.requests.provider import DEFAULT_URL as DEFAULT_URL
from hook_widgets.webhooks.requests.provider import Provider as Provider
