"""Clients that retry: policies, and closed-loop simulations of them against a limiter."""

from hook_widgets._lazy import attach

__getattr__, __dir__ = attach(__name__, figure_error="LimitModelError")
