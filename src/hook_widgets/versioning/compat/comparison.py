"""Compare two documents of any supported kind."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from operator import index
from typing import SupportsIndex

from hook_widgets._arguments import shown
from hook_widgets.errors import InvalidDocument, nearest
from hook_widgets.versioning.compat.budget import Budget, use_budget
from hook_widgets.versioning.compat.change import (
    Comparison,
    Direction,
    DocumentKind,
    NotCompared,
    sort_changes,
)
from hook_widgets.versioning.compat.documents.loading import nested_too_deeply, read
from hook_widgets.versioning.compat.documents.references import Scope
from hook_widgets.versioning.compat.examples import compare_examples
from hook_widgets.versioning.compat.json_schema.schemas import SchemaDiff
from hook_widgets.versioning.compat.metaschema import schema_scope
from hook_widgets.versioning.compat.openapi import compare_openapi

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


def compare(
    old: object,
    new: object,
    *,
    kind: DocumentKind | str | None = None,
    direction: Direction | str = Direction.BOTH,
    as_of: datetime | None = None,
    budget: int | None = None,
) -> Comparison:
    """Compare two versions of a document and classify each change as breaking or not.

    The comparison always ends, whatever the documents contain: regular expressions are matched without
    backtracking, and the work is limited. Where the result depends on an expression that cannot be matched
    in this way, the change is reported as ``undecided``, with the reason.

    Args:
        old: the old document: parsed JSON, JSON or YAML text or bytes, or the `pathlib.Path` of a file.
        new: the new document.
        kind: the kind of the documents; None: detect it.
        direction: who writes the data. Ignored for OpenAPI documents, which define it themselves.
        as_of: for OpenAPI documents, the time with which announced ends (``x-sunset``) are compared: what was
            deprecated and has reached its end may be removed. None: no end has been reached.
        budget: the maximum number of steps of work, each about a microsecond; None: six for each byte of the
            longer document, at least six million.

    Raises:
        InvalidDocument: a document cannot be read, or the two cannot be compared; `field` is ``"old"``,
            ``"new"``, ``"kind"``, ``"direction"``, ``"budget"`` (too few steps) or the JSON pointer of the
            invalid part.
        InvalidApi: `as_of` has no time zone.

    >>> old = {"type": "object", "properties": {"total": {"type": "integer"}}}
    >>> new = {"type": "object", "properties": {"total": {"type": "string"}}, "required": ["total"]}
    >>> print(compare(old, new, direction="request"))
    2 differences, 2 breaking: this needs a new major version.
    - breaking: total: Field total was optional and is now required. [property-required]
    - breaking: total: The type was integer and is now string. [type-changed]
    """
    explicit_kind = None if kind is None else _choice(DocumentKind, kind, "kind")
    data_direction = _choice(Direction, direction, "direction")
    not_compared: Iterable[NotCompared] = ()
    outside: Iterable[NotCompared] = ()
    with use_budget(Budget(_steps(budget))):
        before, after = read(old, name="old"), read(new, name="new")
        try:
            match explicit_kind or detect_kind(before, after):
                case DocumentKind.EXAMPLE as document_kind:
                    changes = list(compare_examples(before, after, direction=data_direction))
                case DocumentKind.SCHEMA as document_kind:
                    scopes = [
                        _scope(document, name, kind_detected=explicit_kind is None)
                        for document, name in ((before, "old"), (after, "new"))
                    ]
                    diff = SchemaDiff(*scopes)
                    changes = list(diff.changes(scopes[0].root, scopes[1].root, direction=data_direction))
                    not_compared, outside = diff.not_compared, list(diff.new.outside(after))
                case _:
                    if not isinstance(before, dict) or not isinstance(after, dict):
                        raise InvalidDocument(
                            "an OpenAPI document must be an object with the member openapi; check kind=",
                            field="kind",
                        )
                    return compare_openapi(before, after, as_of=as_of)
        except RecursionError:
            raise nested_too_deeply(before, after) from None
        return sort_changes(document_kind, changes, not_compared, outside)


def _scope(document: object, name: str, *, kind_detected: bool) -> Scope:
    try:
        return schema_scope(document, name=name)
    except InvalidDocument as error:
        if not kind_detected or not error.field:
            raise  # no field: a package is missing
        error.field = name
        error.add_note('for an example payload pass kind="example"')
        raise


def _steps(budget: object) -> int | None:
    if budget is None:
        return None
    if not isinstance(budget, SupportsIndex) or (steps := index(budget)) < 0:
        raise InvalidDocument(
            "budget must be a whole number of steps, zero or more; leave it out for enough", field="budget"
        )
    return steps


def _choice(kinds: type, value: object, field: str):  # type: ignore[no-untyped-def]
    try:
        return kinds(value)
    except ValueError:
        hint = nearest(value, [str(member) for member in kinds])  # type: ignore[attr-defined]
        raise InvalidDocument(f"{field} is {shown(value)}; {hint}", field=field) from None
