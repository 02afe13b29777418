"""Two documents in, the list of their differences out."""

from __future__ import annotations

from datetime import datetime

from hook_widgets.errors import InvalidDocument, nearest
from hook_widgets.versioning.changes.change import Change, Comparison, Direction, Kind, ordered
from hook_widgets.versioning.changes.documents import read
from hook_widgets.versioning.changes.examples import compare_examples
from hook_widgets.versioning.changes.kinds import kind_of
from hook_widgets.versioning.changes.metaschema import schema_scope
from hook_widgets.versioning.changes.openapi import compare_openapi
from hook_widgets.versioning.changes.refs import Scope
from hook_widgets.versioning.changes.schemas import compare_schemas


def compare(
    old: object,
    new: object,
    *,
    kind: Kind | str | None = None,
    direction: Direction | str = Direction.BOTH,
    at: datetime | None = None,
) -> Comparison:
    """The differences between two versions of a document, and which of them break clients.

    Args:
        old: the old document: parsed JSON, JSON or YAML text or bytes, or the `pathlib.Path` of a file.
        new: the new document.
        kind: what the documents are; None: as they look.
        direction: who writes the data. An OpenAPI document says so itself, and this is not used.
        at: for OpenAPI documents, the time at which announced ends (``x-sunset``) are judged.

    Raises:
        InvalidDocument: a document cannot be read, or the two cannot be compared; `field` is ``"old"``,
            ``"new"``, ``"kind"``, ``"direction"`` or the JSON pointer at fault.

    >>> old = {"type": "object", "properties": {"total": {"type": "integer"}}}
    >>> new = {"type": "object", "properties": {"total": {"type": "string"}}, "required": ["total"]}
    >>> print(compare(old, new, direction="request"))
    2 differences, 2 breaking: this needs a new major version.
    - breaking: total: Field total was optional and is now required. [property-required]
    - breaking: total: The type was integer and is now string. [type-changed]
    """
    chosen = None if kind is None else _choice(Kind, kind, "kind")
    way = _choice(Direction, direction, "direction")
    before, after = read(old, name="old"), read(new, name="new")
    found = chosen or kind_of(before, after)
    return ordered(found, _changes(found, before, after, way, at, guessed=chosen is None))


def _changes(
    kind: Kind, old: object, new: object, direction: Direction, at: datetime | None, *, guessed: bool
) -> list[Change]:
    try:
        if kind is Kind.EXAMPLE:
            return list(compare_examples(old, new, direction=direction))
        if kind is Kind.SCHEMA:
            scopes = _scope(old, "old", guessed=guessed), _scope(new, "new", guessed=guessed)
            return list(compare_schemas(*scopes, direction=direction))
        if not isinstance(old, dict) or not isinstance(new, dict):
            raise InvalidDocument("An OpenAPI document is an object with the member openapi.", field="kind")
        return compare_openapi(old, new, at=at)
    except RecursionError:
        raise InvalidDocument("The documents are nested too deeply. Flatten them.", field="new") from None


def _scope(document: object, name: str, *, guessed: bool) -> Scope:
    try:
        return schema_scope(document, name=name)
    except InvalidDocument as error:
        if not guessed or not error.field:
            raise  # without a field: a package is missing
        raise InvalidDocument(
            f'{error} If it is an example payload, pass kind="example".', field=name
        ) from None


def _choice(kinds: type, value: object, field: str):  # type: ignore[no-untyped-def]
    try:
        return kinds(value)
    except ValueError:
        hint = nearest(str(value)[:40], [str(each) for each in kinds])  # type: ignore[attr-defined]
        raise InvalidDocument(f"{field} is {str(value)[:40]!r}. {hint}", field=field) from None
