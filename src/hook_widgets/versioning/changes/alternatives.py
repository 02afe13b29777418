"""``anyOf`` and ``oneOf``: which alternative became which, and what was added or removed."""

from __future__ import annotations

from hook_widgets.versioning.changes.forms import Form, Group, Node
from hook_widgets.versioning.changes.pair import Pair
from hook_widgets.versioning.changes.refs import Part
from hook_widgets.versioning.changes.rules import Effect
from hook_widgets.versioning.changes.unions import all_apart

_LIKE = 0.5


def compare_wrapped(pair: Pair) -> bool:
    """A schema that became one of several alternatives, or the other way round.

    Returns:
        Whether that is so; then everything about the two is told.
    """
    old, new = pair.old, pair.new
    if len(old.groups) + len(new.groups) != 1 or not old.effective() or not new.effective():
        return False
    form, node = (new, pair.new_node) if new.groups else (old, pair.old_node)
    if len(node) != 1:
        return False  # taken apart already: alternatives that contain themselves would never end
    if not all(isinstance(part.schema, dict) for part in form.parts) or form.opaque:
        return False
    if form.rest_properties is not None or form.rest_items is not None:
        return False
    group = form.groups[0]
    other = old if new.groups else new
    rest = _rest(form, group, apart="discriminator" not in other.notes)
    whole = tuple(rest + each for each in group.nodes)
    olds, news = ((pair.old_node,), whole) if new.groups else (whole, (pair.new_node,))
    matched = _matched(pair, olds, news)
    if not matched:
        return False
    exclusive = _exclusive(pair, group, old=bool(old.groups))
    _tell(pair, group.word, olds, news, matched, group.nodes)
    if exclusive:
        _undecided(pair)
    return True


def _rest(form: Form, group: Group, *, apart: bool) -> Node:
    """The schemas of a form without the alternatives, and without what the others of them repeat."""
    rest: list[Part] = []
    for part in form.parts:
        schema = part.schema
        assert isinstance(schema, dict)
        if "$ref" in schema and not part.scope.dialect.keeps_siblings:
            continue
        words = {"allOf", "$ref", "$dynamicRef", "$recursiveRef", "$id", "id"}
        # A discriminator is about the alternatives, and told beside them.
        words |= {group.word, *({"discriminator"} if apart else ())} if part is group.part else set()
        # Alternatives that were folded into the form stay where they are: they are read again.
        rest.append(part.without(frozenset(words)))
    return tuple(rest)


def compare_groups(pair: Pair) -> None:
    """Compare the alternatives of two schemas, list by list."""
    old, new = pair.old.groups, pair.new.groups
    for index in range(max(len(old), len(new))):
        if index >= len(old):
            pair.tell("constraint-added", f"{new[index].word} was added.", new[index].word)
        elif index >= len(new):
            pair.tell("constraint-removed", f"{old[index].word} was removed.", old[index].word, gone=True)
        else:
            _both(pair, old[index], new[index])


def _both(pair: Pair, old: Group, new: Group) -> None:
    matched = _matched(pair, old.nodes, new.nodes)
    only, now_only = _exclusive(pair, old, old=True), _exclusive(pair, new, old=False)
    _tell(pair, new.word, old.nodes, new.nodes, matched, new.nodes)
    if only and now_only:
        if len(matched) < max(len(old.nodes), len(new.nodes)) or not all(
            pair.equal(old.nodes[number], new.nodes[other]) for number, other in matched.items()
        ):
            _undecided(pair)
    elif now_only:
        pair.tell("constraint-added", "Only one of the alternatives may hold now.", new.word)
    elif only:
        pair.tell("constraint-removed", "More than one of the alternatives may hold now.", new.word)


def _undecided(pair: Pair) -> None:
    pair.tell(
        "undecided",
        "oneOf has changed: a value may now fit two alternatives, which is not allowed, or no longer two.",
        "oneOf",
    )


def _exclusive(pair: Pair, group: Group, *, old: bool) -> bool:
    if group.word != "oneOf" or group.part.scope.dialect.loose:
        return False
    return not all_apart(group.nodes, pair.judge.old_form if old else pair.judge.new_form)


def _tell(
    pair: Pair,
    word: str,
    old: tuple[Node, ...],
    new: tuple[Node, ...],
    matched: dict[int, int],
    named: tuple[Node, ...],
) -> None:
    for number, other in matched.items():
        at = other if len(named) == len(new) else number
        step = f" ({_name(pair.judge.new_form(new[other]), named[at], at)})"
        pair.below(step, old[number], new[other], word, str(at))
    for number, node in enumerate(old):
        if number not in matched and not _inside(pair, node, new, Effect.NARROWS, old_side=True):
            shown = named[number] if len(named) == len(old) != len(new) else node
            name = _name(pair.judge.old_form(node), shown, number)
            pair.tell("alternative-removed", f"{_capital(name)} was removed.", word, str(number), gone=True)
    taken = set(matched.values())
    for number, node in enumerate(new):
        if number not in taken and not _inside(pair, node, old, Effect.WIDENS, old_side=False):
            name = _name(pair.judge.new_form(node), named[number] if len(named) == len(new) else node, number)
            pair.tell("alternative-added", f"{_capital(name)} was added.", word, str(number))
    if word == "oneOf":
        _overlaps(pair, old, new, matched)


def _overlaps(pair: Pair, old: tuple[Node, ...], new: tuple[Node, ...], matched: dict[int, int]) -> None:
    """Tell when all that one alternative lets through now fits two of them, and so is refused."""
    for number, other in matched.items():
        twice = [
            place
            for place, node in enumerate(new)
            if place != other
            and place not in matched.values()
            and _inside(pair, old[number], (node,), Effect.NARROWS)
        ]
        if twice and _inside(pair, old[number], (new[other],), Effect.NARROWS):
            detail = "What was accepted now fits more than one alternative of oneOf, and so is refused."
            pair.tell("constraint-added", detail, "oneOf")
            return


def _capital(name: str) -> str:
    return name[:1].upper() + name[1:]


def _matched(pair: Pair, old: tuple[Node, ...], new: tuple[Node, ...]) -> dict[int, int]:
    """Which old alternative became which new one: by its reference, its meaning, and then its likeness."""
    found: dict[int, int] = {}
    for same in (_same_reference, _same_meaning, _alike):
        for number, node in enumerate(old):
            if number in found:
                continue
            taken = found.values()
            others = (other for other in range(len(new)) if other not in taken)
            other = next((other for other in others if same(pair, node, new[other])), None)
            if other is not None:
                found[number] = other
    return found


def _same_reference(_pair: Pair, one: Node, two: Node) -> bool:
    return _reference(one) is not None and _reference(one) == _reference(two)


def _same_meaning(pair: Pair, one: Node, two: Node) -> bool:
    return pair.judge.effect(one, two, pair.direction)[0] is Effect.NONE


def _alike(pair: Pair, one: Node, two: Node) -> bool:
    return _likeness(pair, one, two) >= _LIKE


def _reference(node: Node) -> str | None:
    schema = node[-1].schema if node else None
    found = schema.get("$ref") if isinstance(schema, dict) else None
    return found if isinstance(found, str) else None


def _likeness(pair: Pair, one: Node, two: Node) -> float:
    old, new = pair.judge.old_form(one), pair.judge.new_form(two)
    had, has = old.effective(), new.effective()
    if not had & has:
        return 0.0
    names, others = old.objects.properties.keys(), new.objects.properties.keys()
    if names or others:
        return len(names & others) / len(names | others)
    return len(had & has) / len(had | has)


def _inside(pair: Pair, node: Node, others: tuple[Node, ...], lost: Effect, *, old_side: bool = True) -> bool:
    for other in others:
        found, certain = pair.judge.effect(*((node, other) if old_side else (other, node)), pair.direction)
        if certain and lost not in found:
            return True
    return False


def _name(form: Form, node: Node, number: int) -> str:
    reference = _reference(node)
    if reference is not None:
        return f"alternative {reference.rsplit('/', 1)[-1]}"
    title = form.notes.get("title")
    return f"alternative {title}" if isinstance(title, str) and title else f"alternative {number + 1}"
