"""Limiters: the algorithms, their parameters, layers and per-client limits, and published presets."""

from hook_widgets._lazy import attach

__getattr__, __dir__ = attach(__name__)
