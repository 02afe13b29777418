"""Compare ``discriminator`` of OpenAPI: the field whose value selects the schema of an object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hook_widgets.versioning.compat.documents.references import Part
from hook_widgets.versioning.compat.json_schema.normalized import NormalizedSchema, SchemaSet
from hook_widgets.versioning.compat.json_schema.pair import (
    SchemaPair,
    format_change,
    format_list,
    format_value,
)

_WORD = "discriminator"
_COMPONENTS = "#/components/schemas/"
_Names = tuple[Mapping[str, object], list[str]]  # the mapping, and the references to alternatives


def compare_discriminators(pair: SchemaPair) -> None:
    """Compare two discriminators.

    Values of added or removed alternatives are reported with the alternatives.
    """
    # Swagger 2.0 has only the name of the field.
    old, new = (
        {"propertyName": value} if isinstance(value := side.annotations.get(_WORD), str) else value
        for side in (pair.old, pair.new)
    )
    if not isinstance(old, dict) or not isinstance(new, dict):
        rule = "discriminator-added" if old is None else "discriminator-changed"
        removed = new is None and old is not None  # null is none
        before, after = None if old is None else format_value(old), None if removed else format_value(new)
        pair.report(rule, format_change(_WORD, before, after), _WORD, removed=removed)
        return
    old_mapping, new_mapping = _mapping(pair.old_node, old), _mapping(pair.new_node, new)
    field = str(new.get("propertyName"))
    if old.get("propertyName") != new.get("propertyName"):
        detail = (
            f"The field that tells the types apart was {format_value(old.get('propertyName'))} "
            f"and is now {format_value(new.get('propertyName'))}."
        )
        pair.report("discriminator-changed", detail, _WORD, "propertyName")
    old_references, new_references = list(_alternatives(pair.old)), list(_alternatives(pair.new))
    gone, come = set(old_references) - set(new_references), set(new_references) - set(old_references)
    # If references were both removed and added, they may be renamed, so their values are reported, too.
    renamed = bool(gone and come)
    sides = (old_mapping, old_references), (new_mapping, new_references)
    lost, gained = _missing(*sides, include_all=renamed), _missing(*sides[::-1], include_all=renamed)
    # One that takes the place of another is compared with it as an alternative.
    successor = {one: other for one in gone for other in come} if len(gone) == len(come) == 1 else {}
    moved = []
    base = _base(pair.new_node)
    inherited = not (isinstance(base.schema, dict) and _WORD in base.schema)
    subtypes = set(base.extensions())
    for value in (value for value in old_mapping if value in new_mapping):
        name, other = _target(old_mapping[value]), _target(new_mapping[value])
        if other not in (name, successor.get(name)):
            if not pair.alike(*_parts(pair, name, other)):
                moved.append(value)
        elif other not in new_references and (not inherited or other in subtypes):
            pair.add_child(f" ({value})", *_parts(pair, name, other), _WORD, "mapping", value)
    for rule, verb, values in (
        ("discriminator-changed", "no longer names a schema", lost),
        ("discriminator-changed", "names another schema", moved),
        ("discriminator-added", "also names a schema", gained),
    ):
        if values:
            pair.report(rule, f"The field {field} {verb} by {format_list(values)}.", _WORD, "mapping")


def _missing(side: _Names, other: _Names, *, include_all: bool) -> list[str]:
    """Return the values that select a schema on one side only.

    A component without a mapping entry is selected by its own name.
    """
    (mapping, references), (other_mapping, other_references) = side, other
    mapped = {_target(name) for name in mapping.values()}
    first, second = set(references), set(other_references)
    named = {**{_own_name(target): target for target in references if target not in mapped}, **mapping}
    known = {*other_mapping, *(_own_name(target) for target in other_references)}
    return [
        value
        for value, name in named.items()
        if value not in known and (include_all or _target(name) not in first or _target(name) in second)
    ]


def _own_name(target: str) -> str:
    return target.rsplit("/", 1)[-1]


def _mapping(node: SchemaSet, discriminator: Mapping[str, object]) -> dict[str, object]:
    """Return the schemas by value: also components that extend this one, which their names select.

    OpenAPI 3.0.3 section 4.7.24, Models with Polymorphism Support.
    """
    mapping = discriminator.get("mapping")
    mapping = mapping if isinstance(mapping, dict) else {}
    mapped = {_target(name) for name in mapping.values()}
    extensions = (target for target in _base(node).extensions() if target not in mapped)
    return {**{_own_name(target): target for target in extensions}, **mapping}


def _target(name: object) -> str:
    """Return the reference of a mapping entry, which may also be just the name of a component."""
    text = str(name)
    return text if "#" in text or "/" in text or "." in text else _COMPONENTS + text


def _alternatives(form: NormalizedSchema) -> Iterator[str]:
    for group in form.groups:
        for node in group.nodes:
            schema = node[0].schema if len(node) == 1 else None
            if isinstance(schema, dict) and isinstance(schema.get("$ref"), str):
                yield schema["$ref"]


def _parts(pair: SchemaPair, old: str, new: str) -> tuple[SchemaSet, SchemaSet]:
    """Return the schemas that two entries select."""
    before, after = pair.old_node[0], pair.new_node[0]
    return (before.scope.follow(before, old),), (after.scope.follow(after, new),)


def _base(node: SchemaSet) -> Part:
    """Return the schema that a node consists of, without a wrapper that only adds annotations to it."""
    part = node[0].target()
    schema = part.schema if isinstance(part.schema, dict) else {}
    wrapped = schema.get("allOf")
    is_component = part.pointer.rpartition("/")[0] in ("/components/schemas", "/definitions")
    if isinstance(wrapped, list) and len(wrapped) == 1 and "properties" not in schema and not is_component:
        return part.child(wrapped[0], "allOf", 0).target()
    return part
