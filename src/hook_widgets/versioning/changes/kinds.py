"""What a document is: a schema, an OpenAPI document or an example."""

from __future__ import annotations

from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.changes.change import Kind

_TYPES = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})
_MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
_SINGLE = ("items", "additionalProperties", "not", "if", "contains", "propertyNames")


def kind_of(old: object, new: object) -> Kind:
    """What both documents are.

    Raises:
        InvalidDocument: they are not the same.

    >>> kind_of({"total": 1}, {"total": "1"}), kind_of({}, {"type": "integer"})
    (<Kind.EXAMPLE: 'example'>, <Kind.SCHEMA: 'schema'>)
    """
    kinds = [kind for kind in (_kind(old), _kind(new)) if kind is not None]
    if not kinds:
        return Kind.SCHEMA  # {} and true are schemas; as examples they would say nothing
    if len(set(kinds)) > 1:
        raise InvalidDocument(
            f"The old document looks like {_NAMES[kinds[0]]} and the new one like {_NAMES[kinds[1]]}. "
            "Compare documents of one kind, or say which it is with kind=.",
            field="new",
        )
    return kinds[0]


_NAMES = {Kind.SCHEMA: "a JSON Schema", Kind.OPENAPI: "an OpenAPI document", Kind.EXAMPLE: "an example"}


def _kind(document: object) -> Kind | None:
    if isinstance(document, bool) or document == {}:
        return None
    if not isinstance(document, dict):
        return Kind.EXAMPLE
    version = document.get("openapi", document.get("swagger"))
    # YAML reads `swagger: 2.0` and `openapi: 3.1` as numbers.
    if isinstance(version, str | float):
        return Kind.OPENAPI
    return Kind.SCHEMA if _schema(document) else Kind.EXAMPLE


def _schema(document: dict[str, object]) -> bool:
    if any(isinstance(document.get(word), str) for word in ("$schema", "$ref")):
        return True
    named = document.get("type")
    if isinstance(named, list) and named and all(isinstance(name, str) and name in _TYPES for name in named):
        return True
    if isinstance(named, str) and named in _TYPES:
        return True
    return (
        any(_subschemas(document.get(word), dict) for word in _MAPS)
        or any(_subschemas(document.get(word), list) for word in _LISTS)
        or isinstance(document.get("enum"), list)
        or "const" in document
        or any(isinstance(document.get(word), dict) and _schema_or_empty(document[word]) for word in _SINGLE)
    )


def _schema_or_empty(value: object) -> bool:
    return isinstance(value, dict) and (not value or _schema(value))


def _subschemas(value: object, kind: type) -> bool:
    if not isinstance(value, kind) or not value:
        return False
    below = value.values() if isinstance(value, dict) else value
    return all(isinstance(each, bool | dict) for each in below)  # type: ignore[attr-defined]
