"""Inference of the limiter behind an API from the statuses of requests, as regions that never exclude it."""

from hook_widgets._lazy import attach

__getattr__, __dir__ = attach(__name__)
