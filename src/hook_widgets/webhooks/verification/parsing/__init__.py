"""Parse a received request by its provider's scheme."""

from hook_widgets.webhooks.verification.parsing.parser import Reading, read, request_fields

__all__ = ["Reading", "read", "request_fields"]
