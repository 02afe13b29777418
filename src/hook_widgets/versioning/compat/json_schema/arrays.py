"""Compare array constraints."""

from __future__ import annotations

from itertools import zip_longest

from hook_widgets.versioning.compat.json_schema.bounds import compare_count, compare_counts
from hook_widgets.versioning.compat.json_schema.normalized import Contains
from hook_widgets.versioning.compat.json_schema.pair import SchemaPair


def compare_arrays(pair: SchemaPair) -> None:
    """Compare the array constraints, if both schemas accept arrays."""
    if "array" not in pair.common:
        return
    old, new = pair.old.arrays, pair.new.arrays
    length = max(len(old.first), len(new.first))
    most = min(form.counts.get("maxItems", length + 1) for form in (pair.old, pair.new))
    for index in range(min(length, most)):
        tail = ("prefixItems", str(index)) if index < len(new.first) else ("items",)
        pair.add_child(f"[{index}]", old.at(index), new.at(index), *tail)
    if most > length:
        pair.add_child("[]", old.others or (), new.others or (), "items")
    compare_counts(pair, "array", "minItems", "maxItems")
    if pair.old.unique and not pair.new.unique:
        detail = "Items had to differ and may now repeat."
        pair.report("unique-items-removed", detail, "uniqueItems", removed=True)
    elif pair.new.unique and not pair.old.unique:
        pair.report("unique-items-added", "Items could repeat and must now differ.", "uniqueItems")
    _contains(pair)


def _contains(pair: SchemaPair) -> None:
    for old, new in zip_longest(pair.old.contains, pair.new.contains):
        if old is None:
            pair.report("contains-added", "The array must now contain certain items.", "contains")
        elif new is None:
            detail = "The array need no longer contain certain items."
            pair.report("contains-removed", detail, "contains", removed=True)
        else:
            _compare_contains(pair, old, new)


def _compare_contains(pair: SchemaPair, old: Contains, new: Contains) -> None:
    if old.maximum is None and new.maximum is None:
        pair.add_child(" (items it must contain)", old.node, new.node, "contains")
    elif not pair.equal(old.node, new.node):
        # With a maximum count, a narrower item schema may accept more arrays or fewer.
        pair.report("undecided", "Which items are counted by contains has changed.", "contains")
    compare_count(pair, "minContains", old.minimum, new.minimum)
    compare_count(pair, "maxContains", old.maximum, new.maximum)
