"""Configurations of servers and libraries that enforce a limit, written from a limiter and read back."""

from hook_widgets._lazy import attach

__getattr__, __dir__ = attach(__name__)
