"""Compare conditions: ``not``, ``if``, ``unevaluated*`` and schemas that could not be merged."""

from __future__ import annotations

from hook_widgets.versioning.compat.json_schema.alternatives import compare_groups
from hook_widgets.versioning.compat.json_schema.normalization import canonical
from hook_widgets.versioning.compat.json_schema.normalized import NormalizedSchema, SchemaSet
from hook_widgets.versioning.compat.json_schema.pair import SchemaPair
from hook_widgets.versioning.compat.rules import Effect

_BRANCHES = frozenset({
    "anyOf", "oneOf", "allOf", "not", "if", "then", "else", "dependentSchemas", "dependencies", "contains",
    "$ref",
})  # fmt: skip


def compare_composition(pair: SchemaPair) -> None:
    """Compare the conditions of two schemas, unless no value can match both anyway."""
    if not pair.common:
        return
    compare_groups(pair)
    _nots(pair)
    _conditions(pair)
    old, new = pair.old, pair.new
    _rest(pair, "unevaluatedProperties", old.unevaluated_properties, new.unevaluated_properties)
    _rest(pair, "unevaluatedItems", old.unevaluated_items, new.unevaluated_items)
    _opaque(pair)


def _nots(pair: SchemaPair) -> None:
    # A ``not`` that excludes only values of impossible types excludes nothing.
    old = [node for node in pair.old.nots if pair.comparer.normalize_old(node).effective() & pair.common]
    new = [node for node in pair.new.nots if pair.comparer.normalize_new(node).effective() & pair.common]
    for node in tuple(old):
        same = next((other for other in new if pair.equal(node, other)), None)
        if same is not None:
            new.remove(same)
            old.remove(node)
    if len(old) == len(new) == 1:
        rules = {Effect.NARROWS: "constraint-removed", Effect.WIDENS: "constraint-added"}
        rule = rules.get(pair.effect(old[0], new[0]), "undecided")
        pair.report(rule, "What not forbids has changed.", "not")
    elif not pair.added_or_removed("not", "not", old=old, new=new):
        pair.report("undecided", "What not forbids has changed.", "not")


def _conditions(pair: SchemaPair) -> None:
    old, new = list(pair.old.conditions), list(pair.new.conditions)
    for old_condition in pair.old.conditions:
        same = next((other for other in new if pair.equal(old_condition.test, other.test)), None)
        if same is not None:
            new.remove(same)
            old.remove(old_condition)
            pair.conditional("where if holds", old_condition.then, same.then, "then")
            pair.conditional("where if does not hold", old_condition.otherwise, same.otherwise, "else")
    if not pair.added_or_removed("if", "A condition (if)", old=old, new=new):
        pair.report("undecided", "A condition (if) has changed.", "if")


def _rest(pair: SchemaPair, keyword: str, old: SchemaSet | None, new: SchemaSet | None) -> None:
    if old is None or new is None:
        pair.added_or_removed(keyword, keyword, old=old is not None, new=new is not None)
    else:
        pair.add_child(" (fields or items that nothing else tells of)", old, new, keyword)
        if _branches_of(pair.old) != _branches_of(pair.new):
            # Which fields or items are unevaluated depends on the branches that match.
            pair.report("undecided", f"What is left over for {keyword} may be more or less.", keyword)


def _branches_of(form: NormalizedSchema) -> list[str]:
    """Return the conditional parts of a schema as they are written."""
    return sorted(
        f"{keyword} {canonical(part.schema[keyword])}"
        for part in form.parts
        if isinstance(part.schema, dict)
        for keyword in _BRANCHES & part.schema.keys()
    )


def _opaque(pair: SchemaPair) -> None:
    old, new = pair.old.opaque, pair.new.opaque
    if len(old) == len(new) and all(
        pair.equal((one,), (other,)) for one, other in zip(old, new, strict=True)
    ):
        return
    if not old:
        pair.report("constraint-added", "Schemas that do not mix were put together.", "allOf")
    elif not new:
        pair.report("constraint-removed", "Schemas that do not mix were taken apart.", "allOf", removed=True)
    else:
        pair.report("undecided", "Schemas that do not mix have changed.", "allOf")
