"""Generate receiver code: a function for a scheme, in one of several languages, that verifies a request."""

from hook_widgets.webhooks.codegen.api import Language, languages, receiver_snippet

__all__ = ["Language", "languages", "receiver_snippet"]
