"""Sending to a receiver, and a local receiver: the only package here that opens connections."""

from hook_widgets._lazy import attach

__getattr__, __dir__ = attach(__name__)
