"""Compare keywords that do not constrain the data: annotations, documentation and unknown keywords."""

from __future__ import annotations

from hook_widgets.versioning.compat.change import Direction
from hook_widgets.versioning.compat.json_schema.discriminators import compare_discriminators
from hook_widgets.versioning.compat.json_schema.normalization import canonical
from hook_widgets.versioning.compat.json_schema.normalized import COUNTS, DOCUMENTATION, NormalizedSchema
from hook_widgets.versioning.compat.json_schema.pair import SchemaPair, format_moved

_LISTS = frozenset({"allOf", "anyOf", "oneOf"})
_SCALARS = frozenset({
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "pattern", "format",
    "uniqueItems", "const", "minContains", "maxContains", *COUNTS,
})  # fmt: skip


def compare_annotations(pair: SchemaPair) -> None:
    """Compare the annotations and the unknown keywords."""
    if not pair.old_node or not pair.new_node:
        return
    same_dialect = pair.old_node[0].scope.dialect is pair.new_node[0].scope.dialect
    if same_dialect and not pair.findings and _written_keywords(pair.old) != _written_keywords(pair.new):
        pair.report("rewritten", "It is written differently; the same data is accepted.")
    old, new = pair.old.annotations, pair.new.annotations
    if "discriminator" in old or "discriminator" in new:
        compare_discriminators(pair)  # also if both are the same, because component names matter
    for keyword in dict.fromkeys([*old, *new]):
        before, after = old.get(keyword), new.get(keyword)
        if canonical(before) == canonical(after) and (keyword in old) == (keyword in new):
            continue
        removed = keyword not in new
        detail = format_moved(keyword, old, new)
        if keyword in DOCUMENTATION:
            pair.report("documentation-changed", f"{keyword} has changed.", keyword, removed=removed)
        elif keyword == "default":
            pair.report("default-changed", detail, keyword, removed=removed)
        elif keyword == "deprecated" and (before is True) != (after is True):
            now = "now" if after is True else "no longer"
            pair.report("deprecated-changed", f"It is {now} marked deprecated.", keyword, removed=removed)
        elif keyword in ("readOnly", "writeOnly") and (before is True) != (after is True):
            _mark(pair, "read" if keyword == "readOnly" else "write", set_=after is True)
    for keyword in dict.fromkeys([*pair.old.unknown, *pair.new.unknown]):
        before, after = pair.old.unknown.get(keyword), pair.new.unknown.get(keyword)
        if keyword.startswith("x-") and pair.old_node[0].scope.dialect.is_openapi:
            continue  # an extension of OpenAPI
        if keyword == "nullable" and not same_dialect:
            continue  # a keyword of one dialect only; `compare_values` reports its effect on types
        removed = keyword not in pair.new.unknown
        if canonical(before) != canonical(after) or removed or keyword not in pair.old.unknown:
            detail = format_moved(keyword, pair.old.unknown, pair.new.unknown)
            pair.report("keyword-changed", detail, keyword, removed=removed)


def _written_keywords(form: NormalizedSchema) -> set[tuple[str, str]]:
    """Return the constraints of a schema as they are written, without its subschemas."""
    keywords = set()
    for part in form.parts:
        for keyword, value in part.schema.items() if isinstance(part.schema, dict) else ():
            if keyword in _SCALARS:
                keywords.add((keyword, repr(value)))
            elif keyword in _LISTS and isinstance(value, list):
                keywords.add((keyword, str(len(value))))
    return keywords


def _mark(pair: SchemaPair, mode: str, *, set_: bool) -> None:
    if pair.direction is Direction.BOTH or (pair.direction is Direction.REQUEST) != (mode == "read"):
        rule = f"became-{mode}-only" if set_ else f"no-longer-{mode}-only"
        pair.report(rule, f"It is {'now' if set_ else 'no longer'} {mode}-only.", f"{mode}Only")
