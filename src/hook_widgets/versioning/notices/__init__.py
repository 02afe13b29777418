"""Build and parse the headers that announce deprecations and removals: Deprecation, Sunset, Link, Warning."""

from hook_widgets._lazy import attach

__getattr__, __dir__ = attach(__name__)
