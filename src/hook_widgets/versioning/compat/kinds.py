"""Detect the kind of a document: schema, OpenAPI document or example."""

from __future__ import annotations

from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.compat.change import DocumentKind

_TYPES = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})
_MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
_SINGLE = ("items", "additionalProperties", "not", "if", "contains", "propertyNames")


def detect_kind(old: object, new: object) -> DocumentKind:
    """Return the kind that both documents have.

    >>> detect_kind({"total": 1}, {"total": "1"}), detect_kind({}, {"type": "integer"})
    (<DocumentKind.EXAMPLE: 'example'>, <DocumentKind.SCHEMA: 'schema'>)
    """
    kinds = [kind for kind in (_detect_one(old), _detect_one(new)) if kind is not None]
    if not kinds:
        return DocumentKind.SCHEMA  # {} and true are schemas; an example of them would carry no information
    if len(set(kinds)) > 1:
        error = InvalidDocument(
            f"the old document looks like {_NAMES[kinds[0]]} and the new one like {_NAMES[kinds[1]]}; "
            "compare documents of one kind",
            field="new",
        )
        error.add_note("if they are of one kind, name it with kind=")
        raise error
    return kinds[0]


_NAMES = {
    DocumentKind.SCHEMA: "a JSON Schema",
    DocumentKind.OPENAPI: "an OpenAPI document",
    DocumentKind.EXAMPLE: "an example",
}


def _detect_one(document: object) -> DocumentKind | None:
    if isinstance(document, bool) or document == {}:
        return None
    if not isinstance(document, dict):
        return DocumentKind.EXAMPLE
    version = document.get("openapi", document.get("swagger"))
    # YAML reads `swagger: 2.0` and `openapi: 3.1` as numbers.
    if isinstance(version, str | float):
        return DocumentKind.OPENAPI
    return DocumentKind.SCHEMA if _is_schema(document) else DocumentKind.EXAMPLE


def _is_schema(document: dict[str, object]) -> bool:
    if any(isinstance(document.get(keyword), str) for keyword in ("$schema", "$ref")):
        return True
    named = document.get("type")
    names = named if isinstance(named, list) else [named]
    if names and all(isinstance(name, str) and name in _TYPES for name in names):
        return True
    return (
        any(_holds_subschemas(document.get(keyword), dict) for keyword in _MAPS)
        or any(_holds_subschemas(document.get(keyword), list) for keyword in _LISTS)
        or isinstance(document.get("enum"), list)
        or "const" in document
        or any(
            isinstance(value := document.get(keyword), dict) and (not value or _is_schema(value))
            for keyword in _SINGLE
        )
    )


def _holds_subschemas(value: object, kind: type) -> bool:
    if not isinstance(value, kind) or not value:
        return False
    below = value.values() if isinstance(value, dict) else value
    return all(isinstance(schema, bool | dict) for schema in below)  # type: ignore[attr-defined]
