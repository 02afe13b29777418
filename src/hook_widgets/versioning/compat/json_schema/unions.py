"""Merge alternatives into one schema where possible: alternatives of different types, or lists of values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations

from hook_widgets.versioning.compat.budget import spend
from hook_widgets.versioning.compat.documents.references import Part
from hook_widgets.versioning.compat.json_schema.normalized import (
    DOCUMENTATION,
    NUMBERS,
    NormalizedSchema,
    Objects,
    SchemaSet,
)

_MAX_ALTERNATIVES = 12
"""The maximum number of alternatives to merge; longer lists are lists of objects."""
_COUNTED = {"string": "Length", "array": "Items", "object": "Properties"}


def flattened(keyword: str, holder: Part, alternatives: list[Part]) -> tuple[SchemaSet, ...]:
    """Return alternatives, those that are only alternatives themselves replaced by theirs."""
    nodes: list[SchemaSet] = []
    visited, pending = {holder.key}, alternatives[::-1]
    while pending:
        part = pending.pop()
        spend(10)
        target = part.target()
        words = target.schema.keys() - DOCUMENTATION if isinstance(target.schema, dict) else frozenset()
        inner = next(iter(words)) if len(words) == 1 else ""
        combines = inner in ("allOf", "anyOf", "oneOf")
        below = target.schema[inner] if isinstance(target.schema, dict) and combines else []
        either = inner == keyword == "anyOf" or (inner != "allOf" and part.scope.dialect.is_openapi)
        if isinstance(below, list) and (len(below) == 1 or (below and either)) and target.key not in visited:
            visited.add(target.key)
            pending += [target.child(schema, inner, index) for index, schema in enumerate(below)][::-1]
        else:
            nodes.append((part,))
    return tuple(nodes)


def union(
    nodes: tuple[SchemaSet, ...],
    normalize: Callable[[SchemaSet], NormalizedSchema],
    *,
    exclusive: bool,
    nested: bool,
) -> NormalizedSchema | None:
    """Return one form for all alternatives, or None if no form is exactly equivalent.

    Args:
        nodes: the alternatives.
        normalize: normalizes one of them.
        exclusive: only one of them may match (``oneOf``).
        nested: they are part of an alternative, so that schemas which contain themselves would recurse.
    """
    if len(nodes) > _MAX_ALTERNATIVES and not all(_lists_values(node) for node in nodes):
        return None
    keywords = {"anyOf", "oneOf", "$ref"} | ({"allOf"} if nested else set())
    if any(not isinstance(schema := _schema(node), dict) or keywords & schema.keys() for node in nodes):
        return None
    forms = [normalize(node) for node in nodes]
    if not all(form.plain and form.effective() for form in forms):
        return None
    return _merge_enums(forms, exclusive=exclusive) or _merge_by_type(forms)


def _schema(node: SchemaSet) -> object:
    return node[0].target().schema if len(node) == 1 else None


def _lists_values(node: SchemaSet) -> bool:
    schema = _schema(node)
    return isinstance(schema, dict) and ("const" in schema or "enum" in schema)


def _merge_enums(forms: list[NormalizedSchema], *, exclusive: bool) -> NormalizedSchema | None:
    """Merge alternatives that only list values into one list."""
    values: dict[str, object] = {}
    count = 0
    for form in forms:
        if form.enum is None or not _only_values(form):
            return None
        fitting = {key: value for key, value in form.enum.items() if _fits(form, value)}
        values |= fitting
        count += len(fitting)
    if exclusive and count > len(values):
        return None
    return NormalizedSchema(enum=values, merged_parts=tuple(part for form in forms for part in form.parts))


def _fits(form: NormalizedSchema, value: object) -> bool:
    from hook_widgets.versioning.compat.json_schema.values import admits

    return admits(form, value) is not False


def _only_values(form: NormalizedSchema) -> bool:
    free = NormalizedSchema(
        types=form.types,
        enum=form.enum,
        parts=form.parts,
        merged_parts=form.merged_parts,
        annotations=form.annotations,
        unknown=form.unknown,
    )
    return form == free


def _merge_by_type(forms: list[NormalizedSchema]) -> NormalizedSchema | None:
    """Merge alternatives of different types; each keyword applies to the type of its alternative."""
    kinds = [form.effective() for form in forms]
    if any(one & other for one, other in combinations(kinds, 2)):
        return None
    if sum(bool(kind & NUMBERS) for kind in kinds) > 1 or sum(bool(form.formats) for form in forms) > 1:
        return None
    types = frozenset[str]().union(*kinds)
    for form, kind in zip(forms, kinds, strict=True):
        others = types - kind
        apart = "string" in others if kind & NUMBERS else "string" in kind and NUMBERS & others
        if form.formats and apart:
            return None  # a format applies to strings and numbers alike
    enum = _enum(forms, kinds)
    if enum is None and any(form.enum is not None for form in forms):
        return None
    parts = tuple(part for form in forms for part in form.parts)
    merged = NormalizedSchema(types=types, enum=enum, merged_parts=parts)
    for form, kind in zip(forms, kinds, strict=True):
        _merge_into(merged, form, kind)
    return merged


def _enum(forms: list[NormalizedSchema], kinds: Iterable[frozenset[str]]) -> dict[str, object] | None:
    """Return the values of all alternatives if each is a list of values, null or a boolean."""
    values: dict[str, object] = {}
    for form, kind in zip(forms, kinds, strict=True):
        if form.enum is not None:
            values |= {key: value for key, value in form.enum.items() if _fits(form, value)}
        elif kind == {"null"}:
            values["null"] = None
        else:
            return None
    return values


def _merge_into(merged: NormalizedSchema, form: NormalizedSchema, kind: frozenset[str]) -> None:
    """Copy the constraints that an alternative puts on its types into the union."""
    if kind & NUMBERS:
        merged.lower, merged.upper, merged.multiples = form.lower, form.upper, form.multiples
    if "string" in kind:
        merged.patterns, merged.encodings = form.patterns, form.encodings
    merged.formats += form.formats
    for name, keyword in _COUNTED.items():
        if name in kind:
            merged.counts |= {key: value for key, value in form.counts.items() if key.endswith(keyword)}
    if "array" in kind:
        merged.arrays, merged.contains, merged.unique = form.arrays, form.contains, form.unique
    if "object" in kind:
        merged.objects, merged.required, merged.names = form.objects, form.required, form.names
        merged.dependent, merged.dependent_schemas = form.dependent, form.dependent_schemas
    merged.unknown = {**form.unknown, **merged.unknown}


def disjoint(
    one: NormalizedSchema,
    other: NormalizedSchema,
    normalize: Callable[[SchemaSet], NormalizedSchema],
    *,
    depth: int = 2,
) -> bool:
    """Return True if certainly no value matches both, by type, fixed values or a distinguishing field."""
    spend(5 + len(one.required) + len(other.required))
    one_types, other_types = one.effective(), other.effective()
    if not one_types & other_types:
        return True
    if one.enum is not None and other.enum is not None:
        spend(min(len(one.enum), len(other.enum)) // 8)
        return one.enum.keys().isdisjoint(other.enum.keys())
    if one_types & other_types != {"object"}:
        return False
    for form, against in ((one, other), (other, one)):
        for name in form.required:
            if name not in against.objects.properties and _closed(against.objects, name, normalize):
                return True
    return depth > 0 and any(
        name in other.required
        and name in one.objects.properties
        and name in other.objects.properties
        and disjoint(
            normalize(one.objects.properties[name]),
            normalize(other.objects.properties[name]),
            normalize,
            depth=depth - 1,
        )
        for name in one.required
    )


def _closed(objects: Objects, name: str, normalize: Callable[[SchemaSet], NormalizedSchema]) -> bool:
    node = objects.undeclared(name)
    return bool(node) and not objects.is_unsure(name) and not normalize(node).types


def all_disjoint(nodes: tuple[SchemaSet, ...], normalize: Callable[[SchemaSet], NormalizedSchema]) -> bool:
    """Return True if certainly at most one of the alternatives matches any value."""
    if len(nodes) > 4 * _MAX_ALTERNATIVES:
        return False
    forms = [normalize(node) for node in nodes]
    return all(disjoint(one, other, normalize) for one, other in combinations(forms, 2))
