"""Items of arrays."""

from __future__ import annotations

from hook_widgets.versioning.changes.bounds import compare_counts
from hook_widgets.versioning.changes.forms import Contains
from hook_widgets.versioning.changes.pair import Pair


def compare_arrays(pair: Pair) -> None:
    """Compare what is demanded of arrays, where both schemas accept them."""
    if "array" not in pair.common:
        return
    old, new = pair.old.arrays, pair.new.arrays
    for index in range(max(len(old.first), len(new.first))):
        tail = ("prefixItems", str(index)) if index < len(new.first) else ("items",)
        pair.below(f"[{index}]", old.at(index), new.at(index), *tail)
    pair.below("[]", old.others or (), new.others or (), "items")
    compare_counts(pair, "array", "minItems", "maxItems")
    if pair.old.unique and not pair.new.unique:
        pair.tell("unique-items-removed", "Items had to differ and may now repeat.", "uniqueItems", gone=True)
    elif pair.new.unique and not pair.old.unique:
        pair.tell("unique-items-added", "Items could repeat and must now differ.", "uniqueItems")
    _contains(pair)


def _contains(pair: Pair) -> None:
    old, new = pair.old.contains, pair.new.contains
    for index in range(max(len(old), len(new))):
        if index >= len(old):
            pair.tell("contains-added", "The array must now contain certain items.", "contains")
        elif index >= len(new):
            pair.tell(
                "contains-removed", "The array need no longer contain certain items.", "contains", gone=True
            )
        else:
            _both(pair, old[index], new[index])


def _both(pair: Pair, old: Contains, new: Contains) -> None:
    if old.most is None and new.most is None:
        pair.below(" (items it must contain)", old.node, new.node, "contains")
    elif not pair.equal(old.node, new.node):
        # With a highest count, fewer matching items can mean more arrays or fewer.
        pair.tell("undecided", "Which items are counted by contains has changed.", "contains")
    for word, before, after in (("minContains", old.least, new.least), ("maxContains", old.most, new.most)):
        if before == after:
            continue
        if before is None or after is None:
            rule = "bounds-narrowed" if before is None else "bounds-widened"
        else:
            rule = "bounds-narrowed" if (after > before) == (word == "minContains") else "bounds-widened"
        said = ["not set" if value is None else str(value) for value in (before, after)]
        pair.tell(rule, f"{word} was {said[0]} and is now {said[1]}.", word)
