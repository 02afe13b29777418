"""What the tests of schemas ask for: the rules that were told, shortly."""

from __future__ import annotations

from hook_widgets.versioning.changes import Kind, compare


def rules(old, new, direction="both") -> list[str]:
    """The rules of all differences, breaking ones first and marked with an exclamation mark."""
    found = compare(old, new, kind=Kind.SCHEMA, direction=direction)
    return [("!" if change.breaking else "") + change.rule for change in found.changes]


def only(old, new, direction="both"):
    """The one difference."""
    (change,) = compare(old, new, kind=Kind.SCHEMA, direction=direction).changes
    return change
