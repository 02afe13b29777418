"""What a received request says by its provider's scheme: which scheme it follows, and what it carries."""

from hook_widgets.webhooks.reading.reader import Reading, read, request_fields

__all__ = ["Reading", "read", "request_fields"]
