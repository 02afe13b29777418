"""Fields of objects: added, removed, renamed, required, and what is said of all others."""

from __future__ import annotations

import difflib
import re

from hook_widgets.versioning.changes.bounds import compare_counts
from hook_widgets.versioning.changes.change import Direction
from hook_widgets.versioning.changes.forms import Form, Node, Objects
from hook_widgets.versioning.changes.pair import Pair, listed
from hook_widgets.versioning.changes.patterns import matches
from hook_widgets.versioning.changes.rules import Effect

_ALIKE = 0.6
"""How alike two names are that may be one field (the ratio of `difflib`)."""
_MOST_RENAMES = 2_500
"""So many pairs of a removed and an added field are looked at; beyond, no renames are recognised."""


def compare_objects(pair: Pair) -> None:
    """Compare what is demanded of objects, where both schemas accept them."""
    if "object" not in pair.common:
        return
    old, new = pair.old.objects, pair.new.objects
    had, has = _declared(pair, pair.old, old=True), _declared(pair, pair.new, old=False)
    passed: set[str] = set()
    if pair.direction is not Direction.BOTH:
        hidden = "readOnly" if pair.direction is Direction.REQUEST else "writeOnly"
        was = {name: node for name, node in had.items() if _marked(pair, node, hidden, old=True)}
        now = {name: node for name, node in has.items() if _marked(pair, node, hidden, old=False)}
        had = {name: node for name, node in had.items() if name not in was}
        has = {name: node for name, node in has.items() if name not in now}
        passed = {*was, *now}
        _hidden(pair, was, now)
    renamed = _renamed(pair, had, has)
    for name, node in has.items():
        if name in had:
            pair.below(name, had[name], node, "properties", name)
            _required(pair, name, pair.old, pair.new)
        elif name not in renamed.values():
            _added(pair, name, node)
    for name in had:
        if name in renamed:
            _told_renamed(pair, name, renamed[name])
        elif name not in has:
            _removed(pair, name)
    _forbidden(pair, old, new)
    for name in dict.fromkeys([*pair.old.required, *pair.new.required]):
        # A field that is declared on one side only is told as added or removed, and that it was required.
        told = had if name in pair.old.required else has
        if (name not in had or name not in has) and name not in told and name not in passed:
            _required(pair, name, pair.old, pair.new)
    _others(pair, old, new)
    _patterns(pair, old, new)
    pair.below(" (names of fields)", pair.old.names, pair.new.names, "propertyNames")
    compare_counts(pair, "object", "minProperties", "maxProperties")
    _dependencies(pair)


def _form(pair: Pair, node: Node, *, old: bool) -> Form:
    return pair.judge.old_form(node) if old else pair.judge.new_form(node)


def _declared(pair: Pair, form: Form, *, old: bool) -> dict[str, Node]:
    # A field whose schema lets nothing through is a field that is forbidden.
    return {
        name: node
        for name, node in form.objects.properties.items()
        if not _nothing(pair, node, old=old) or name in (pair.new if old else pair.old).objects.properties
    }


def _nothing(pair: Pair, node: Node, *, old: bool) -> bool:
    """Whether a schema lets nothing through."""
    if len(node) == 1 and isinstance(node[0].schema, dict) and "type" in node[0].schema:
        return False  # read only when needed: this is asked for every field
    return not _form(pair, node, old=old).types


def _forbidden(pair: Pair, old: Objects, new: Objects) -> None:
    """Fields that one side declares only to forbid them, and the other does not declare."""
    for name, node in new.properties.items():
        if name not in old.properties and _nothing(pair, node, old=False):
            before = old.of(name)
            if not before or not _nothing(pair, before, old=True):
                pair.tell(
                    "property-forbidden", f"Field {name} is now forbidden.", "properties", name, step=name
                )
    for name, node in old.properties.items():
        if name not in new.properties and _nothing(pair, node, old=True):
            after = new.of(name)
            if not after or not _nothing(pair, after, old=False):
                detail = f"Field {name} was forbidden and is now allowed."
                pair.tell("property-allowed", detail, "properties", name, step=name, gone=True)


def _hidden(pair: Pair, was: dict[str, Node], now: dict[str, Node]) -> None:
    """Fields that data going this way never has: told, but breaking nobody."""
    old, new = pair.old.objects.properties, pair.new.objects.properties
    for name in dict.fromkeys([*was, *now]):
        if name in was and name in now:
            pair.below(name, was[name], now[name], "properties", name, mute=True)
        elif name not in old or name not in new:
            word = "read" if pair.direction is Direction.REQUEST else "write"
            detail = f"Field {name}, which is {word}-only, was {'removed' if name in old else 'added'}."
            pair.tell("hidden-field-changed", detail, "properties", name, step=name, gone=name in old)


def _marked(pair: Pair, node: Node, word: str, *, old: bool) -> bool:
    return _form(pair, node, old=old).notes.get(word) is True


def _required(pair: Pair, name: str, old: Form, new: Form) -> None:
    if name in old.required and name not in new.required:
        pair.tell(
            "property-optional",
            f"Field {name} was required and is now optional.",
            "properties",
            name,
            step=name,
        )
    elif name in new.required and name not in old.required:
        pair.tell(
            "property-required",
            f"Field {name} was optional and is now required.",
            "properties",
            name,
            step=name,
        )


def _added(pair: Pair, name: str, node: Node) -> None:
    was_hidden = name in pair.old.objects.properties
    if name in pair.new.required and (was_hidden or name not in pair.old.required):
        pair.tell(
            "required-property-added",
            f"Field {name} was added and is required.",
            "properties",
            name,
            step=name,
        )
    elif was_hidden:
        word = "read" if pair.direction is Direction.REQUEST else "write"
        detail = f"Field {name} is no longer {word}-only."
        pair.tell(f"no-longer-{word}-only", detail, "properties", name, step=name)
        return
    else:
        detail = f"Field {name} was added; it is optional."
        effect = Effect.WIDENS if _closed(pair, name, old=True) else Effect.NARROWS
        pair.tell("property-added", detail, "properties", name, step=name, effect=effect)
    before = pair.old.objects.of(name)
    if before and not was_hidden and _form(pair, before, old=True).types:
        # It was allowed before as one of the other fields, with a schema of its own.
        pair.below(name, before, node, "properties", name)


def _removed(pair: Pair, name: str) -> None:
    if name in pair.new.objects.properties:  # only hidden in this direction
        word = "read" if pair.direction is Direction.REQUEST else "write"
        pair.tell(f"became-{word}-only", f"Field {name} is now {word}-only.", "properties", name, step=name)
        return
    also = " It was required." if name in pair.old.required else ""
    detail = f"Field {name} was removed.{also}"
    effect = Effect.NARROWS if _closed(pair, name, old=False) else Effect.WIDENS
    if pair.new.objects.of(name) and effect is Effect.WIDENS:
        effect = Effect.CHANGES
    if name in pair.old.required and name not in pair.new.required:
        effect |= Effect.WIDENS
    pair.tell("property-removed", detail, "properties", name, step=name, gone=True, effect=effect)


def _closed(pair: Pair, name: str, *, old: bool) -> bool:
    """Whether a field that is not declared is refused."""
    node = (pair.old if old else pair.new).objects.of(name)
    return bool(node) and _nothing(pair, node, old=old)


def _told_renamed(pair: Pair, old: str, new: str) -> None:
    also = ""
    if (new in pair.new.required) != (old in pair.old.required):
        also = " It is now required." if new in pair.new.required else " It is now optional."
    pair.tell("property-renamed", f"Field {old} was renamed to {new}.{also}", "properties", new, step=old)


def _renamed(pair: Pair, had: dict[str, Node], has: dict[str, Node]) -> dict[str, str]:
    """Old and new names of the same fields: the same schema, and a similar name or the same place."""
    gone = [name for name in had if name not in pair.new.objects.properties]
    come = [name for name in has if name not in pair.old.objects.properties]
    if not gone or not come or len(gone) * len(come) > _MOST_RENAMES:
        return {}
    old_order, new_order = list(had), list(has)
    single = len(gone) == len(come) == 1
    scores = []
    for name in gone:
        for other in come:
            score = _alike(name, other)
            same_place = old_order.index(name) == new_order.index(other)
            if score >= _ALIKE or (same_place and single):
                scores.append((score + 0.1 * same_place, name, other))
    found: dict[str, str] = {}
    for _, name, other in sorted(scores, key=lambda each: -each[0]):
        if name not in found and other not in found.values() and pair.alike(had[name], has[other]):
            found[name] = other
    return found


def _alike(one: str, other: str) -> float:
    plain, also = (re.sub(r"[^a-z0-9]", "", name.lower()) for name in (one, other))
    return difflib.SequenceMatcher(None, plain, also).ratio()


def _others(pair: Pair, old: Objects, new: Objects) -> None:
    before, after = old.others or (), new.others or ()
    closed_before = bool(before) and not _form(pair, before, old=True).types
    closed_after = bool(after) and not _form(pair, after, old=False).types
    if closed_after and not closed_before:
        detail = "Fields that are not declared were accepted and are now refused."
        pair.tell("additional-properties-closed", detail, "additionalProperties")
    elif closed_before and not closed_after:
        pair.tell(
            "additional-properties-opened",
            "Fields that are not declared were refused and are now accepted.",
            "additionalProperties",
            gone=new.others is None,
        )
    elif not closed_after:
        pair.below(" (any other field)", before, after, "additionalProperties")


def _patterns(pair: Pair, old: Objects, new: Objects) -> None:
    for pattern in dict.fromkeys([*old.patterns, *new.patterns]):
        step = f" (fields named like {pattern})"
        if pattern in old.patterns and pattern in new.patterns:
            pair.below(step, old.patterns[pattern], new.patterns[pattern], "patternProperties", pattern)
        elif pattern in old.patterns and not (new.others and _nothing(pair, new.others, old=False)):
            pair.below(step, old.patterns[pattern], new.others or (), "patternProperties", pattern)
        elif pattern in old.patterns:
            detail = f"Fields named like {pattern} are no longer declared."
            pair.tell(
                "pattern-properties-removed", detail, "patternProperties", pattern, step=step, gone=True
            )
        else:
            _declared_pattern(pair, pattern, step)


def _declared_pattern(pair: Pair, pattern: str, step: str) -> None:
    """A pattern of names that the old schema did not have."""
    old, node = pair.old.objects, pair.new.objects.patterns[pattern]
    closed = bool(old.others) and _nothing(pair, old.others or (), old=True)
    free = not old.patterns and not any(matches(pattern, name) is not False for name in old.properties)
    if old.others and not closed:
        pair.below(step, old.others, node, "patternProperties", pattern)
    if not node and not closed:
        return
    if closed or not old.others or not free:
        rule = "pattern-properties-opened" if closed and free else "pattern-properties-added"
        detail = f"Fields named like {pattern} are now declared."
        pair.tell(rule, detail, "patternProperties", pattern, step=step)


def _dependencies(pair: Pair) -> None:
    old, new = pair.old, pair.new
    for name in dict.fromkeys([*old.dependent, *new.dependent]):
        before = old.dependent.get(name, frozenset()) - old.required.keys() - {name}
        after = new.dependent.get(name, frozenset()) - new.required.keys() - {name}
        come, gone = (
            sorted(after - before - old.required.keys()),
            sorted(before - after - new.required.keys()),
        )
        if come:
            detail = f"Whoever sends {name} must now send {listed(come)} too."
            pair.tell("dependency-added", detail, "dependentRequired", name, step=name)
        if gone:
            detail = f"Whoever sends {name} need no longer send {listed(gone)} too."
            pair.tell("dependency-removed", detail, "dependentRequired", name, step=name, gone=True)
    for name in dict.fromkeys([*old.dependent_schemas, *new.dependent_schemas]):
        schemas = old.dependent_schemas.get(name, ()), new.dependent_schemas.get(name, ())
        pair.conditional(f"when {name} is there", *schemas, "dependentSchemas", name)
