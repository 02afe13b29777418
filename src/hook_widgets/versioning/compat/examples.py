"""Compare two example payloads by the structure that they show.

An example contains less information than a schema: an empty list does not show the type of its items, null
does not show a type, and a field that is present may still be optional. So a difference is reported only if
the new example shows it and the old one excludes it. The items of a list are merged: a field that some items
lack is optional.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from hook_widgets.versioning.compat.budget import CHARACTERS_PER_STEP, charge_text, spend
from hook_widgets.versioning.compat.change import Change, Direction
from hook_widgets.versioning.compat.documents.references import Dialect, Scope, escape
from hook_widgets.versioning.compat.json_schema.normalized import NUMBERS, TYPES, type_of
from hook_widgets.versioning.compat.json_schema.schemas import SchemaDiff

_FORMATS = {
    "date": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}"),
    "date-time": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}.*"),
    "uuid": re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"),
}
"""Formats recognized in strings (RFC 3339 section 5.6, RFC 9562 section 4)."""


@dataclass(slots=True, kw_only=True)
class _Observed:
    """All values observed at one place."""

    pointer: str
    types: set[str] = field(default_factory=set)
    formats: set[str] = field(default_factory=set)
    objects: int = 0
    fields: dict[str, _Observed] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    items: _Observed | None = None

    def add(self, value: object, pointer: str) -> None:
        """Add a value."""
        spend(2 + len(pointer) // CHARACTERS_PER_STEP)
        kind = type_of(value)
        self.types.add(kind)
        if isinstance(value, str):
            named = (name for name, form in _FORMATS.items() if form.fullmatch(value))
            self.formats.add(next(named, ""))
        elif isinstance(value, dict):
            self.objects += 1
            for name, below in value.items():
                at = f"{pointer}/{escape(name)}"
                self.counts[name] = self.counts.get(name, 0) + 1
                self.fields.setdefault(name, _Observed(pointer=at)).add(below, at)
        elif isinstance(value, list):
            for index, below in enumerate(value):
                at = f"{pointer}/{index}"
                if self.items is None:
                    self.items = _Observed(pointer=at)
                self.items.add(below, at)

    @property
    def known(self) -> bool:
        """True if a value other than null was observed."""
        return bool(self.types - {"null"})


def compare_examples(old: object, new: object, *, direction: Direction = Direction.BOTH) -> Iterator[Change]:
    """Yield every change between two examples; paths are JSON pointers into the examples.

    >>> old = {"id": 7, "tags": ["a"], "note": "x"}
    >>> for change in compare_examples(old, {"id": "7", "tags": [], "note": None}):
    ...     print(change)
    breaking: id: The type was integer and is now string. [type-changed]
    breaking: note: The value can now be null. [null-added]
    """
    before, after = _Observed(pointer=""), _Observed(pointer="")
    before.add(old, "")
    after.add(new, "")
    places: tuple[dict[str, str], dict[str, str]] = ({}, {})
    schemas = _schemas(before, after, "", places)
    before_scope, after_scope = (Scope(schema, dialect=Dialect.DRAFT2020) for schema in schemas)
    diff = SchemaDiff(before_scope, after_scope)
    for change in diff.changes(before_scope.root, after_scope.root, direction=direction):
        first, second = places if change.rule == "property-removed" else reversed(places)
        pointer = change.path
        while pointer not in first and pointer not in second:
            pointer = pointer.rpartition("/")[0]
        path = first[pointer] if pointer in first else second[pointer]
        yield replace(change, path=path, detail=change.detail.replace("; it is optional", ""))


def _schemas(
    old: _Observed, new: _Observed, at: str, places: tuple[dict[str, str], dict[str, str]]
) -> tuple[dict[str, object], dict[str, object]]:
    """Derive two schemas from the observed values at a place.

    The schemas differ only where the examples do.
    """
    if not old.known or not new.known:
        known = old if old.known else new
        one = _schema(known, at, places[0], old.pointer)
        other = _schema(known, at, places[1], new.pointer)
        if old.known and "null" not in old.types:
            other["type"] = _type_names(known.types | {"null"})
        return one, other
    places[0][charge_text(at)], places[1][at] = old.pointer, new.pointer
    old_types, new_types = old.types - {"null"}, new.types - {"null"}
    if old_types & NUMBERS and new_types & NUMBERS:
        new_types |= old_types & NUMBERS
    if old_types & new_types:
        new_types |= old_types
    first: dict[str, object] = {"type": _type_names(old_types | (old.types & {"null"}))}
    second: dict[str, object] = {"type": _type_names(new_types | ((old.types | new.types) & {"null"}))}
    if len(old.formats) == len(new.formats) == 1 and old.formats != new.formats and "" not in old.formats:
        (first["format"],) = old.formats
        if "" not in new.formats:  # otherwise any string may appear where all were dates, for example
            (second["format"],) = new.formats
    if old.objects and new.objects:
        _fields(old, new, at, places, first, second)
    if old.items and new.items:
        first["items"], second["items"] = _schemas(old.items, new.items, f"{at}/items", places)
    return first, second


def _fields(
    old: _Observed,
    new: _Observed,
    at: str,
    places: tuple[dict[str, str], dict[str, str]],
    first: dict[str, object],
    second: dict[str, object],
) -> None:
    old_fields: dict[str, object] = {}
    new_fields: dict[str, object] = {}
    for name in dict.fromkeys([*old.fields, *new.fields]):
        below = f"{at}/properties/{escape(name)}"
        was, is_ = old.fields.get(name), new.fields.get(name)
        if was and is_:
            old_fields[name], new_fields[name] = _schemas(was, is_, below, places)
        elif was:
            old_fields[name] = _schema(was, below, places[0], was.pointer)
        elif is_:
            new_fields[name] = _schema(is_, below, places[1], is_.pointer)
    required = [name for name in old.fields if name in new.fields and old.counts[name] == old.objects]
    first |= {"properties": old_fields, "required": required}
    second |= {
        "properties": {name: new_fields[name] for name in new.fields},
        "required": [name for name in required if new.counts[name] == new.objects],
    }


def _schema(observed: _Observed, at: str, places: dict[str, str], pointer: str) -> dict[str, object]:
    """Derive a schema from the values of one example."""
    places[charge_text(at)] = pointer
    if not observed.known:
        return {}
    schema: dict[str, object] = {"type": _type_names(observed.types)}
    if observed.objects:
        schema["properties"] = {
            name: _schema(below, f"{at}/properties/{escape(name)}", places, below.pointer)
            for name, below in observed.fields.items()
        }
    if observed.items:
        schema["items"] = _schema(observed.items, f"{at}/items", places, observed.items.pointer)
    return schema


def _type_names(types: set[str]) -> list[str]:
    names = [name for name in TYPES if name in types and name != "fraction"]
    if "fraction" in types:
        names = [name for name in names if name != "integer"] + ["number"]
    return names
