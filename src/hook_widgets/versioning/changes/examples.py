"""Two example payloads: their differences, by what can be seen in them.

An example shows less than a schema tells: an empty list says nothing of its items, null nothing of the type,
and that a field is there says not that it always is. So only what the new example shows and the old one rules
out is a difference. Items of a list are taken together: a field that some of them lack is optional.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from hook_widgets.versioning.changes.change import Change, Direction
from hook_widgets.versioning.changes.forms import NUMBERS, TYPES, type_of
from hook_widgets.versioning.changes.refs import Dialect, Scope, escape
from hook_widgets.versioning.changes.schemas import compare_schemas

_FORMATS = {
    "date": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}"),
    "date-time": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}.*"),
    "uuid": re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"),
}
"""Texts that are parsed by their form (RFC 3339 section 5.6, RFC 9562 section 4)."""
_GONE = frozenset({"property-removed"})


@dataclass(slots=True)
class _Seen:
    """Everything seen at one place."""

    pointer: str
    types: set[str] = field(default_factory=set)
    formats: set[str] = field(default_factory=set)
    objects: int = 0
    fields: dict[str, _Seen] = field(default_factory=dict)
    times: dict[str, int] = field(default_factory=dict)
    items: _Seen | None = None

    def see(self, value: object, pointer: str) -> None:
        """Take one more value into account."""
        kind = type_of(value)
        self.types.add(kind)
        if isinstance(value, str):
            named = (name for name, form in _FORMATS.items() if form.fullmatch(value))
            self.formats.add(next(named, ""))
        elif isinstance(value, dict):
            self.objects += 1
            for name, below in value.items():
                at = f"{pointer}/{escape(name)}"
                self.times[name] = self.times.get(name, 0) + 1
                self.fields.setdefault(name, _Seen(at)).see(below, at)
        elif isinstance(value, list):
            for index, below in enumerate(value):
                at = f"{pointer}/{index}"
                if self.items is None:
                    self.items = _Seen(at)
                self.items.see(below, at)

    @property
    def known(self) -> bool:
        """Whether anything but null was seen."""
        return bool(self.types - {"null"})


def compare_examples(old: object, new: object, *, direction: Direction = Direction.BOTH) -> Iterator[Change]:
    """Every difference between two examples; paths are JSON pointers into the examples.

    Raises:
        InvalidDocument: the examples are nested too deeply.

    >>> old = {"id": 7, "tags": ["a"], "note": "x"}
    >>> for change in compare_examples(old, {"id": "7", "tags": [], "note": None}):
    ...     print(change)
    breaking: id: The type was integer and is now string. [type-changed]
    breaking: note: The value can now be null. [null-added]
    """
    before, after = _Seen(""), _Seen("")
    before.see(old, "")
    after.see(new, "")
    places: tuple[dict[str, str], dict[str, str]] = ({}, {})
    schemas = _schemas(before, after, "", places)
    scopes = [Scope(schema, dialect=Dialect.DRAFT2020) for schema in schemas]
    for change in compare_schemas(scopes[0], scopes[1], direction=direction):
        first, second = places if change.rule in _GONE else reversed(places)
        pointer = change.path
        while pointer not in first and pointer not in second:
            pointer = pointer.rpartition("/")[0]
        path = first[pointer] if pointer in first else second[pointer]
        yield replace(change, path=path, detail=change.detail.replace("; it is optional", ""))


def _schemas(
    old: _Seen, new: _Seen, at: str, places: tuple[dict[str, str], dict[str, str]]
) -> tuple[dict[str, object], dict[str, object]]:
    """What both examples show of one place: two schemas that differ only where the examples do."""
    if not old.known or not new.known:
        known = old if old.known else new
        one = _schema(known, at, places[0], old.pointer)
        other = _schema(known, at, places[1], new.pointer)
        if old.known and "null" not in old.types:
            other["type"] = _named(known.types | {"null"})
        return one, other
    places[0][at], places[1][at] = old.pointer, new.pointer
    had, has = old.types - {"null"}, new.types - {"null"}
    if had & NUMBERS and has & NUMBERS:
        has |= had & NUMBERS
    if had & has:
        has |= had
    first: dict[str, object] = {"type": _named(had | (old.types & {"null"}))}
    second: dict[str, object] = {"type": _named(has | ((old.types | new.types) & {"null"}))}
    if len(old.formats) == len(new.formats) == 1 and old.formats != new.formats and "" not in old.formats:
        (first["format"],) = old.formats
        if "" not in new.formats:  # else any text may come where all were dates, say
            (second["format"],) = new.formats
    if old.objects and new.objects:
        _fields(old, new, at, places, first, second)
    if old.items and new.items:
        first["items"], second["items"] = _schemas(old.items, new.items, f"{at}/items", places)
    return first, second


def _fields(
    old: _Seen,
    new: _Seen,
    at: str,
    places: tuple[dict[str, str], dict[str, str]],
    first: dict[str, object],
    second: dict[str, object],
) -> None:
    had: dict[str, object] = {}
    has: dict[str, object] = {}
    always, still = [], []
    for name in old.fields:
        below = f"{at}/properties/{escape(name)}"
        if name not in new.fields:
            had[name] = _schema(old.fields[name], below, places[0], old.fields[name].pointer)
            continue
        had[name], has[name] = _schemas(old.fields[name], new.fields[name], below, places)
        if old.times[name] == old.objects:
            always.append(name)
            if new.times[name] == new.objects:
                still.append(name)
    for name in new.fields:
        if name not in old.fields:
            below = f"{at}/properties/{escape(name)}"
            has[name] = _schema(new.fields[name], below, places[1], new.fields[name].pointer)
    first |= {"properties": had, "required": always}
    second |= {"properties": {name: has[name] for name in new.fields}, "required": still}


def _schema(seen: _Seen, at: str, places: dict[str, str], pointer: str) -> dict[str, object]:
    """What one example shows of a place."""
    places[at] = pointer
    if not seen.known:
        return {}
    schema: dict[str, object] = {"type": _named(seen.types)}
    if seen.objects:
        schema["properties"] = {
            name: _schema(below, f"{at}/properties/{escape(name)}", places, below.pointer)
            for name, below in seen.fields.items()
        }
    if seen.items:
        schema["items"] = _schema(seen.items, f"{at}/items", places, seen.items.pointer)
    return schema


def _named(types: set[str]) -> list[str]:
    names = [name for name in TYPES if name in types and name != "fraction"]
    if "fraction" in types:
        names = [name for name in names if name != "integer"] + ["number"]
    return names
