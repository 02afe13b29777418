"""Compare objects (added, removed, renamed and required fields, undeclared ones), and the items of arrays."""

from __future__ import annotations

from itertools import zip_longest

from hook_widgets.versioning.compat.change import Direction
from hook_widgets.versioning.compat.json_schema.bounds import compare_count, compare_counts
from hook_widgets.versioning.compat.json_schema.normalized import (
    Contains,
    NormalizedSchema,
    Objects,
    SchemaSet,
)
from hook_widgets.versioning.compat.json_schema.pair import SchemaPair, format_list, format_value
from hook_widgets.versioning.compat.patterns.matching import matches, unsupported_reason
from hook_widgets.versioning.compat.renames import match_renamed
from hook_widgets.versioning.compat.rules import Effect


def compare_objects(pair: SchemaPair) -> None:
    """Compare the object constraints, if both schemas accept objects."""
    if "object" not in pair.common:
        return
    old, new = pair.old.objects, pair.new.objects
    old_fields, new_fields = _declared(pair, pair.old, old=True), _declared(pair, pair.new, old=False)
    passed: set[str] = set()
    if pair.direction is not Direction.BOTH:
        hidden = "readOnly" if pair.direction is Direction.REQUEST else "writeOnly"
        was = {name: node for name, node in old_fields.items() if _marked(pair, node, hidden, old=True)}
        now = {name: node for name, node in new_fields.items() if _marked(pair, node, hidden, old=False)}
        old_fields = {name: node for name, node in old_fields.items() if name not in was}
        new_fields = {name: node for name, node in new_fields.items() if name not in now}
        passed = {*was, *now}
        _hidden(pair, was, now)
    renamed = _renamed(pair, old_fields, new_fields)
    twins = set(renamed.values())
    for name, node in new_fields.items():
        if name in old_fields:
            pair.add_child(name, old_fields[name], node, "properties", name)
            _required(pair, name)
        elif name in pair.old.required and name not in old.properties:  # it was there, of any value
            pair.add_child(name, old.undeclared(name), node, "properties", name)
        elif name not in twins:
            _added(pair, name, node)
    for name in old_fields:
        if name in renamed:
            _report_renamed(pair, name, renamed[name])
        elif name not in new.properties and name in pair.new.required:
            pair.add_child(name, old_fields[name], new.undeclared(name), "properties", name)
        elif name not in new_fields:
            _removed(pair, name)
    _forbidden(pair, old, new)
    for name in dict.fromkeys([*pair.old.required, *pair.new.required]):
        # A field that only one side declares was reported as added or removed, with its requirement.
        declared = old_fields if name in pair.old.required else new_fields
        if (name not in old_fields or name not in new_fields) and name not in declared and name not in passed:
            _required(pair, name)
    _compare_additional(pair, old, new)
    _patterns(pair, old, new)
    _report_unsupported(pair, old, new)
    pair.add_child(" (names of fields)", pair.old.names, pair.new.names, "propertyNames")
    compare_counts(pair, "object", "minProperties", "maxProperties")
    _dependencies(pair)


def _form(pair: SchemaPair, node: SchemaSet, *, old: bool) -> NormalizedSchema:
    return pair.comparer.normalize_old(node) if old else pair.comparer.normalize_new(node)


def _declared(pair: SchemaPair, form: NormalizedSchema, *, old: bool) -> dict[str, SchemaSet]:
    # A field whose schema accepts no value is a forbidden field.
    return {
        name: node
        for name, node in form.objects.properties.items()
        if not _nothing(pair, node, old=old) or name in (pair.new if old else pair.old).objects.properties
    }


def _nothing(pair: SchemaPair, node: SchemaSet, *, old: bool) -> bool:
    """Return True if a schema accepts no value."""
    if len(node) == 1 and isinstance(node[0].schema, dict) and "type" in node[0].schema:
        return False  # avoids normalizing the schema of every field
    return not _form(pair, node, old=old).types


def _forbidden(pair: SchemaPair, old: Objects, new: Objects) -> None:
    """Compare fields that one side declares only to forbid them, and the other does not declare."""
    for name, node in new.properties.items():
        if name not in old.properties and _nothing(pair, node, old=False):
            before = old.undeclared(name)
            if not before or not _nothing(pair, before, old=True):
                _report(pair, name, "property-forbidden", f"Field {name} is now forbidden.")
    for name, node in old.properties.items():
        if name not in new.properties and _nothing(pair, node, old=True):
            after = new.undeclared(name)
            if not after or not _nothing(pair, after, old=False):
                detail = f"Field {name} was forbidden and is now allowed."
                _report(pair, name, "property-allowed", detail, removed=True)


def _hidden(pair: SchemaPair, was: dict[str, SchemaSet], now: dict[str, SchemaSet]) -> None:
    """Report fields that data in this direction never contains, as changes that break no client."""
    old, new = pair.old.objects.properties, pair.new.objects.properties
    for name in dict.fromkeys([*was, *now]):
        if name in was and name in now:
            pair.add_child(name, was[name], now[name], "properties", name, informational=True)
        elif name not in old or name not in new:
            word = "read" if pair.direction is Direction.REQUEST else "write"
            detail = f"Field {name}, which is {word}-only, was {'removed' if name in old else 'added'}."
            _report(pair, name, "hidden-field-changed", detail, removed=name in old)


def _marked(pair: SchemaPair, node: SchemaSet, word: str, *, old: bool) -> bool:
    return _form(pair, node, old=old).annotations.get(word) is True


def _report(
    pair: SchemaPair, name: str, rule: str, text: str, *, removed: bool = False, effect: Effect | None = None
) -> None:
    pair.report(rule, text, "properties", name, step=name, removed=removed, effect=effect)


def _required(pair: SchemaPair, name: str) -> None:
    was, is_ = name in pair.old.required, name in pair.new.required
    if was and not is_:
        _report(pair, name, "property-optional", f"Field {name} was required and is now optional.")
    elif is_ and not was:
        _report(pair, name, "property-required", f"Field {name} was optional and is now required.")


def _added(pair: SchemaPair, name: str, node: SchemaSet) -> None:
    was_hidden = name in pair.old.objects.properties
    if name in pair.new.required and (was_hidden or name not in pair.old.required):
        _report(pair, name, "required-property-added", f"Field {name} was added and is required.")
    elif was_hidden:
        word = "read" if pair.direction is Direction.REQUEST else "write"
        detail = f"Field {name} is no longer {word}-only."
        _report(pair, name, f"no-longer-{word}-only", detail)
        return
    else:
        detail = f"Field {name} was added; it is optional."
        effect = Effect.WIDENS if _closed(pair, name, old=True) else Effect.NARROWS
        _report(pair, name, "property-added", detail, effect=effect)
    before = pair.old.objects.undeclared(name)
    if before and not was_hidden and _form(pair, before, old=True).types:
        # The field was allowed before as an undeclared field with its own schema.
        pair.add_child(name, before, node, "properties", name)


def _removed(pair: SchemaPair, name: str) -> None:
    if name in pair.new.objects.properties:  # hidden only in this direction
        word = "read" if pair.direction is Direction.REQUEST else "write"
        _report(pair, name, f"became-{word}-only", f"Field {name} is now {word}-only.")
        return
    suffix = " It was required." if name in pair.old.required else ""
    detail = f"Field {name} was removed.{suffix}"
    effect = Effect.NARROWS if _closed(pair, name, old=False) else Effect.WIDENS
    if pair.new.objects.undeclared(name) and effect is Effect.WIDENS:
        effect = Effect.CHANGES
    if name in pair.old.required and name not in pair.new.required:
        effect |= Effect.WIDENS
    _report(pair, name, "property-removed", detail, removed=True, effect=effect)


def _closed(pair: SchemaPair, name: str, *, old: bool) -> bool:
    """Return True if an undeclared field is rejected."""
    node = (pair.old if old else pair.new).objects.undeclared(name)
    return bool(node) and _nothing(pair, node, old=old)


def _report_renamed(pair: SchemaPair, old: str, new: str) -> None:
    is_ = new in pair.new.required
    suffix = "" if is_ == (old in pair.old.required) else f" It is now {'required' if is_ else 'optional'}."
    pair.report("property-renamed", f"Field {old} was renamed to {new}.{suffix}", "properties", new, step=old)


def _renamed(
    pair: SchemaPair, old_fields: dict[str, SchemaSet], new_fields: dict[str, SchemaSet]
) -> dict[str, str]:
    """Map old to new names of renamed fields: equal schemas, and a similar name or the same position."""
    still_there = pair.new.objects.properties.keys() | pair.new.required.keys()
    removed = [name for name in old_fields if name not in still_there]
    added = [name for name in new_fields if name not in pair.old.objects.properties]
    places = list(old_fields), list(new_fields)
    return match_renamed(
        removed, added, lambda old, new: pair.alike(old_fields[old], new_fields[new]), places=places
    )


def _compare_additional(pair: SchemaPair, old: Objects, new: Objects) -> None:
    before, after = old.others or (), new.others or ()
    closed_before = bool(before) and not _form(pair, before, old=True).types
    closed_after = bool(after) and not _form(pair, after, old=False).types
    if closed_after and not closed_before:
        detail = "Fields that are not declared were accepted and are now rejected."
        pair.report("additional-properties-closed", detail, "additionalProperties")
    elif closed_before and not closed_after:
        text = "Fields that are not declared were rejected and are now accepted."
        pair.report("additional-properties-opened", text, "additionalProperties", removed=new.others is None)
    elif not closed_after:
        pair.add_child(" (any other field)", before, after, "additionalProperties")


def _patterns(pair: SchemaPair, old: Objects, new: Objects) -> None:
    for pattern in dict.fromkeys([*old.patterns, *new.patterns]):
        step = f" (fields named like {pattern})"
        if pattern in old.patterns and pattern in new.patterns:
            pair.add_child(step, old.patterns[pattern], new.patterns[pattern], "patternProperties", pattern)
        elif pattern in old.patterns and not (new.others and _nothing(pair, new.others, old=False)):
            pair.add_child(step, old.patterns[pattern], new.others or (), "patternProperties", pattern)
        elif pattern in old.patterns:
            detail = f"Fields named like {pattern} are no longer declared."
            pair.report(
                "pattern-properties-removed", detail, "patternProperties", pattern, step=step, removed=True
            )
        else:
            _declared_pattern(pair, pattern, step)


def _report_unsupported(pair: SchemaPair, old: Objects, new: Objects) -> None:
    """Report patterns for which it is unknown whether they match a field of one side only."""
    for side, other, removed in ((old, new, True), (new, old, False)):
        added = other.properties.keys() - side.properties.keys()
        for pattern in side.patterns if added else ():
            if reason := unsupported_reason(pattern):
                detail = f"Which fields are named like {format_value(pattern)} is not decided: {reason}."
                pair.report("undecided", detail, "patternProperties", pattern, removed=removed)


def _declared_pattern(pair: SchemaPair, pattern: str, step: str) -> None:
    """Report a pattern of field names that the old schema did not have."""
    old, node = pair.old.objects, pair.new.objects.patterns[pattern]
    closed = bool(old.others) and _nothing(pair, old.others or (), old=True)
    free = not old.patterns and not any(matches(pattern, name) is not False for name in old.properties)
    if old.others and not closed:
        pair.add_child(step, old.others, node, "patternProperties", pattern)
    if not closed and all(part.schema is True or part.schema == {} for part in node):
        return
    if closed or not old.others or not free:
        rule = "pattern-properties-opened" if closed and free else "pattern-properties-added"
        detail = f"Fields named like {pattern} are now declared."
        pair.report(rule, detail, "patternProperties", pattern, step=step)


def _dependencies(pair: SchemaPair) -> None:
    old, new = pair.old, pair.new
    for name in dict.fromkeys([*old.dependent, *new.dependent]):
        before = old.dependent.get(name, frozenset()) - old.required.keys() - {name}
        after = new.dependent.get(name, frozenset()) - new.required.keys() - {name}
        added = sorted(after - before - old.required.keys())
        removed = sorted(before - after - new.required.keys())
        if added:
            detail = f"Objects with {name} must now have {format_list(added)} too."
            pair.report("dependency-added", detail, "dependentRequired", name, step=name)
        if removed:
            detail = f"Objects with {name} need no longer have {format_list(removed)} too."
            pair.report("dependency-removed", detail, "dependentRequired", name, step=name, removed=True)
    for name in dict.fromkeys([*old.dependent_schemas, *new.dependent_schemas]):
        schemas = old.dependent_schemas.get(name, ()), new.dependent_schemas.get(name, ())
        pair.conditional(f"when {name} is there", *schemas, "dependentSchemas", name)


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
