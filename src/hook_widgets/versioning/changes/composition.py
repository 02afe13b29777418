"""Alternatives and conditions: ``anyOf``, ``oneOf``, ``not``, ``if``, and what could not be merged."""

from __future__ import annotations

from hook_widgets.versioning.changes.forms import Condition, Form, Node
from hook_widgets.versioning.changes.pair import Pair
from hook_widgets.versioning.changes.rules import Effect


def compare_composition(pair: Pair) -> None:
    """Compare the conditions of two schemas."""
    _groups(pair, "anyOf", pair.old.any_of, pair.new.any_of)
    _groups(pair, "oneOf", pair.old.one_of, pair.new.one_of)
    _nots(pair)
    _conditions(pair)
    for word, old, new in (
        ("unevaluatedProperties", pair.old.rest_properties, pair.new.rest_properties),
        ("unevaluatedItems", pair.old.rest_items, pair.new.rest_items),
    ):
        _rest(pair, word, old, new)
    _opaque(pair)


def _groups(
    pair: Pair, word: str, old: tuple[tuple[Node, ...], ...], new: tuple[tuple[Node, ...], ...]
) -> None:
    for index in range(max(len(old), len(new))):
        if index >= len(old):
            pair.tell("constraint-added", f"{word} was added.", word)
        elif index >= len(new):
            pair.tell("constraint-removed", f"{word} was removed.", word, gone=True)
        else:
            _alternatives(pair, word, old[index], new[index])


def _alternatives(pair: Pair, word: str, old: tuple[Node, ...], new: tuple[Node, ...]) -> None:
    matched = _matched(pair, old, new)
    for number, other in matched.items():
        step = f" ({_name(pair.judge.new_form(new[other]), new[other], other)})"
        pair.below(step, old[number], new[other], word, str(other))
    for number, node in enumerate(old):
        if number not in matched and not _inside(pair, node, new, Effect.NARROWS, old_side=True):
            name = _name(pair.judge.old_form(node), node, number)
            pair.tell(
                "alternative-removed", f"{name.capitalize()} was removed.", word, str(number), gone=True
            )
    taken = set(matched.values())
    for number, node in enumerate(new):
        if number not in taken and not _inside(pair, node, old, Effect.WIDENS, old_side=False):
            name = _name(pair.judge.new_form(node), node, number)
            pair.tell("alternative-added", f"{name.capitalize()} was added.", word, str(number))


def _matched(pair: Pair, old: tuple[Node, ...], new: tuple[Node, ...]) -> dict[int, int]:
    """Which old alternative became which new one: by its reference, its meaning, and then its likeness."""
    found: dict[int, int] = {}
    for same in (_same_reference, _same_meaning, _alike):
        for number, node in enumerate(old):
            taken = found.values()
            others = (other for other in range(len(new)) if other not in taken)
            if number not in found:
                other = next((other for other in others if same(pair, node, new[other])), None)
                if other is not None:
                    found[number] = other
    return found


def _same_reference(_pair: Pair, one: Node, two: Node) -> bool:
    return _reference(one) is not None and _reference(one) == _reference(two)


def _same_meaning(pair: Pair, one: Node, two: Node) -> bool:
    return pair.judge.effect(one, two, pair.direction)[0] is Effect.NONE


def _alike(pair: Pair, one: Node, two: Node) -> bool:
    return _likeness(pair, one, two) >= 0.5


def _reference(node: Node) -> object:
    schema = node[0].schema if len(node) == 1 else None
    return schema.get("$ref") if isinstance(schema, dict) else None


def _likeness(pair: Pair, one: Node, two: Node) -> float:
    old, new = pair.judge.old_form(one), pair.judge.new_form(two)
    had, has = old.effective(), new.effective()
    if not had & has:
        return 0.0
    names, others = old.objects.properties.keys(), new.objects.properties.keys()
    if names or others:
        return len(names & others) / len(names | others)
    return len(had & has) / len(had | has)


def _inside(pair: Pair, node: Node, others: tuple[Node, ...], lost: Effect, *, old_side: bool) -> bool:
    for other in others:
        found, certain = pair.judge.effect(*((node, other) if old_side else (other, node)), pair.direction)
        if certain and lost not in found:
            return True
    return False


def _name(form: Form, node: Node, number: int) -> str:
    reference = _reference(node)
    if isinstance(reference, str):
        return f"alternative {reference.rsplit('/', 1)[-1]}"
    title = form.notes.get("title")
    return f"alternative {title}" if isinstance(title, str) and title else f"alternative {number + 1}"


def _nots(pair: Pair) -> None:
    old, new = list(pair.old.nots), list(pair.new.nots)
    for node in pair.old.nots:
        same = next((other for other in new if pair.effect(node, other) is Effect.NONE), None)
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
        same = next((has for has in new if pair.effect(had.test, has.test) is Effect.NONE), None)
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
    pair.below(" (where if holds)", old.then, new.then, "then")
    pair.below(" (where if does not hold)", old.otherwise, new.otherwise, "else")


def _rest(pair: Pair, word: str, old: Node | None, new: Node | None) -> None:
    if old is None and new is None:
        return
    if old is None:
        pair.tell("constraint-added", f"{word} was added.", word)
    elif new is None:
        pair.tell("constraint-removed", f"{word} was removed.", word, gone=True)
    else:
        pair.below(" (fields or items that nothing else tells of)", old, new, word)


def _opaque(pair: Pair) -> None:
    old, new = pair.old.opaque, pair.new.opaque
    if len(old) == len(new) and all(
        pair.effect((one,), (other,)) is Effect.NONE for one, other in zip(old, new, strict=True)
    ):
        return
    if not old:
        pair.tell("constraint-added", "Schemas that do not mix were put together.", "allOf")
    elif not new:
        pair.tell("constraint-removed", "Schemas that do not mix were taken apart.", "allOf", gone=True)
    else:
        pair.tell("undecided", "Schemas that do not mix have changed.", "allOf")
