"""Conditions: ``not``, ``if``, ``unevaluated*``, and what could not be merged."""

from __future__ import annotations

from hook_widgets.versioning.changes.alternatives import compare_groups
from hook_widgets.versioning.changes.forms import Condition, Form, Node
from hook_widgets.versioning.changes.pair import Pair
from hook_widgets.versioning.changes.reading import canonical
from hook_widgets.versioning.changes.rules import Effect

_BRANCHES = frozenset(
    {
        "anyOf",
        "oneOf",
        "allOf",
        "not",
        "if",
        "then",
        "else",
        "dependentSchemas",
        "dependencies",
        "contains",
        "$ref",
    }
)


def compare_composition(pair: Pair) -> None:
    """Compare the conditions of two schemas, unless no value could fit both anyway."""
    if not pair.common:
        return
    compare_groups(pair)
    _nots(pair)
    _conditions(pair)
    for word, old, new in (
        ("unevaluatedProperties", pair.old.rest_properties, pair.new.rest_properties),
        ("unevaluatedItems", pair.old.rest_items, pair.new.rest_items),
    ):
        _rest(pair, word, old, new)
    _opaque(pair)


def _nots(pair: Pair) -> None:
    # What forbids only values of types that cannot be anyway forbids nothing.
    old = [node for node in pair.old.nots if pair.judge.old_form(node).effective() & pair.common]
    new = [node for node in pair.new.nots if pair.judge.new_form(node).effective() & pair.common]
    for node in tuple(old):
        same = next((other for other in new if pair.equal(node, other)), None)
        if same is not None:
            new.remove(same)
            old.remove(node)
    if len(old) == len(new) == 1:
        effect = pair.effect(old[0], new[0]).turned()
        rule = {Effect.NARROWS: "constraint-added", Effect.WIDENS: "constraint-removed"}.get(
            effect, "undecided"
        )
        pair.tell(rule, "What not forbids has changed.", "not")
    elif new and not old:
        pair.tell("constraint-added", "not was added.", "not")
    elif old and not new:
        pair.tell("constraint-removed", "not was removed.", "not", gone=True)
    elif old and new:
        pair.tell("undecided", "What not forbids has changed.", "not")


def _conditions(pair: Pair) -> None:
    old, new = list(pair.old.conditions), list(pair.new.conditions)
    for had in pair.old.conditions:
        same = next((has for has in new if pair.equal(had.test, has.test)), None)
        if same is not None:
            new.remove(same)
            old.remove(had)
            _branches(pair, had, same)
    if new and not old:
        pair.tell("constraint-added", "A condition (if) was added.", "if")
    elif old and not new:
        pair.tell("constraint-removed", "A condition (if) was removed.", "if", gone=True)
    elif old and new:
        pair.tell("undecided", "A condition (if) has changed.", "if")


def _branches(pair: Pair, old: Condition, new: Condition) -> None:
    pair.conditional("where if holds", old.then, new.then, "then")
    pair.conditional("where if does not hold", old.otherwise, new.otherwise, "else")


def _rest(pair: Pair, word: str, old: Node | None, new: Node | None) -> None:
    if old is None and new is None:
        return
    if old is None:
        pair.tell("constraint-added", f"{word} was added.", word)
    elif new is None:
        pair.tell("constraint-removed", f"{word} was removed.", word, gone=True)
    else:
        pair.below(" (fields or items that nothing else tells of)", old, new, word)
        if _branches_of(pair.old) != _branches_of(pair.new):
            # Which fields or items are left over depends on the branches that hold.
            pair.tell("undecided", f"What is left over for {word} may be more or less.", word)


def _branches_of(form: Form) -> list[str]:
    """The conditional parts of a schema, as they are written."""
    return sorted(
        f"{word} {canonical(part.schema[word])}"
        for part in form.parts
        if isinstance(part.schema, dict)
        for word in _BRANCHES & part.schema.keys()
    )


def _opaque(pair: Pair) -> None:
    old, new = pair.old.opaque, pair.new.opaque
    if len(old) == len(new) and all(
        pair.equal((one,), (other,)) for one, other in zip(old, new, strict=True)
    ):
        return
    if not old:
        pair.tell("constraint-added", "Schemas that do not mix were put together.", "allOf")
    elif not new:
        pair.tell("constraint-removed", "Schemas that do not mix were taken apart.", "allOf", gone=True)
    else:
        pair.tell("undecided", "Schemas that do not mix have changed.", "allOf")
