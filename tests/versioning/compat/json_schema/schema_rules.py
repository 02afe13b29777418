"""Short results of schema comparisons: the rules that were reported."""

from __future__ import annotations

from hook_widgets.versioning.compat import DocumentKind, compare


def rules(old, new, direction="both") -> list[str]:
    """Return the rules of all changes, breaking ones first and marked with an exclamation mark."""
    comparison = compare(old, new, kind=DocumentKind.SCHEMA, direction=direction)
    return [("!" if change.breaking else "") + change.rule for change in comparison.changes]


def only(old, new, direction="both"):
    """Return the only change."""
    (change,) = compare(old, new, kind=DocumentKind.SCHEMA, direction=direction).changes
    return change
