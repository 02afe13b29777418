"""Rate limit header fields and responses: build, parse, and observe those of other APIs."""

from hook_widgets._lazy import attach

__getattr__, __dir__ = attach(__name__)
