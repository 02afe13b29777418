"""Compare ``discriminator`` of OpenAPI: the field whose value selects the schema of an object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.compat.json_schema.normalized import NormalizedSchema
from hook_widgets.versioning.compat.json_schema.pair import (
    SchemaPair,
    format_change,
    format_list,
    format_value,
)

_WORD = "discriminator"
_COMPONENTS = "#/components/schemas/"


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
    old_mapping, new_mapping = _mapping(old), _mapping(new)
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
    lost = _missing(old_mapping, old_references, new_mapping, new_references, include_all=renamed)
    gained = _missing(new_mapping, new_references, old_mapping, old_references, include_all=renamed)
    # One that takes the place of another is compared with it as an alternative.
    successor = {one: other for one in gone for other in come} if len(gone) == len(come) == 1 else {}
    moved = [
        value
        for value, name in old_mapping.items()
        if value in new_mapping
        and _target(new_mapping[value]) not in (_target(name), successor.get(_target(name)))
        and not _same(pair, name, new_mapping[value])
    ]
    for rule, verb, values in (
        ("discriminator-changed", "no longer names a schema", lost),
        ("discriminator-changed", "names another schema", moved),
        ("discriminator-added", "also names a schema", gained),
    ):
        if values:
            pair.report(rule, f"The field {field} {verb} by {format_list(values)}.", _WORD, "mapping")


def _missing(
    mapping: Mapping[str, object],
    before: list[str],
    other_mapping: Mapping[str, object],
    after: list[str],
    *,
    include_all: bool,
) -> list[str]:
    """Return the values that selected a schema and no longer do.

    A component without a mapping entry is selected by its own name.
    """
    mapped = {_target(name) for name in mapping.values()}
    first, second = set(before), set(after)
    named = {**{_own_name(target): target for target in before if target not in mapped}, **mapping}
    known = {*other_mapping, *(_own_name(target) for target in after)}
    return [
        value
        for value, name in named.items()
        if value not in known and (include_all or _target(name) not in first or _target(name) in second)
    ]


def _own_name(target: str) -> str:
    return target.rsplit("/", 1)[-1]


def _mapping(discriminator: Mapping[str, object]) -> dict[str, object]:
    mapping = discriminator.get("mapping")
    return mapping if isinstance(mapping, dict) else {}


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


def _same(pair: SchemaPair, old: object, new: object) -> bool:
    """Return True if two entries select the same schema; a different name alone is no difference."""
    sides = (pair.old_node[0], old), (pair.new_node[0], new)
    try:
        parts = [(part.scope.follow(part, _target(name)),) for part, name in sides]
    except InvalidDocument:
        return False  # an entry may refer to another file; then only its text is compared
    return pair.alike(*parts)
