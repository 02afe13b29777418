"""From schemas to forms: one keyword after the other, with the draft's meaning."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from fractions import Fraction

from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.changes.forms import (
    ANY,
    COUNTS,
    NUMBERS,
    Arrays,
    Condition,
    Contains,
    Form,
    Group,
    Limit,
    Node,
    Objects,
)
from hook_widgets.versioning.changes.patterns import EVERYTHING
from hook_widgets.versioning.changes.refs import Dialect, Part
from hook_widgets.versioning.changes.unions import union

_MOST_PARTS = 5_000
"""Schemas that count at one place; more is no schema that somebody wrote."""

_TYPES = {
    **{name: frozenset({name}) for name in ("null", "boolean", "integer", "string", "array", "object")},
    "number": NUMBERS,
    "file": frozenset({"string"}),  # Swagger 2.0
}
_ENCODINGS = ("contentEncoding", "contentMediaType", "contentSchema")
_NOTES = (
    "title",
    "description",
    "examples",
    "example",
    "default",
    "readOnly",
    "writeOnly",
    "deprecated",
    "discriminator",
    "externalDocs",
    "xml",
)
_PASSED = frozenset(
    {
        "$schema",
        "$id",
        "id",
        "$anchor",
        "$dynamicAnchor",
        "$recursiveAnchor",
        "$vocabulary",
        "$defs",
        "definitions",
        "$comment",
        "$ref",
        "$dynamicRef",
        "$recursiveRef",
        "allOf",
        "type",
    }
)


def canonical(value: object) -> str:
    """A JSON value as text that is the same for equal values: 1 and 1.0 are equal, 1 and true are not.

    >>> canonical({"b": 1.0, "a": [True]})
    '{"a": [true], "b": 1}'
    """
    return json.dumps(_plain(value), sort_keys=True, ensure_ascii=False, default=str)


def _plain(value: object) -> object:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {str(key): _plain(below) for key, below in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(below) for below in value]
    return value


def form_of(node: Node) -> Form:
    """What the schemas of a node demand together.

    Raises:
        InvalidDocument: a keyword cannot be read; says which one.
    """
    found = Form()
    waiting, seen = list(node), set()
    holders: list[Part] = []
    for part in waiting:
        if part.key in seen:
            continue  # a schema that demands itself demands nothing more
        seen.add(part.key)
        if len(seen) > _MOST_PARTS:
            raise InvalidDocument(
                f"{part.pointer or 'the schema'}: more than {_MOST_PARTS} schemas count at one place",
                field=part.pointer,
            )
        own = read(part, waiting)
        if own.rest_properties is not None or own.rest_items is not None:
            holders.append(part)
        found = own if len(seen) == 1 else found.meet(own, (part,))
    found.parts = tuple(waiting)
    found = _unite(found)
    if holders:
        _settle(found, holders, node)
    return found


def _unite(found: Form) -> Form:
    """Alternatives that can be written without become part of the form."""
    groups = found.groups
    if not groups:
        return found
    before = found
    found = found.meet(Form())
    found.groups = ()
    kept = []
    for group in groups:
        exclusive = group.word == "oneOf" and not group.part.scope.dialect.loose
        one = union(group.nodes, form_of, exclusive=exclusive)
        if one is None:
            kept.append(group)
        else:
            found = found.meet(one, one.aside)
    found.groups = tuple(kept)
    found.apart = before if len(kept) < len(groups) else None
    return found


def _settle(found: Form, holders: list[Part], node: Node) -> None:
    """``unevaluated*`` sees what its own schema collected; it becomes the others where that is known."""
    if len(node) > 1 or holders != list(node):
        found.opaque += tuple(holders)
        found.rest_properties = found.rest_items = None
        return
    if found.groups or found.conditions or found.dependent_schemas or found.nots or found.opaque:
        return
    if found.rest_properties is not None:
        if found.objects.others is None:
            found.objects.others = found.rest_properties
        found.rest_properties = None
    if found.rest_items is not None and not found.contains:
        if found.arrays.others is None:
            found.arrays.others = found.rest_items
        found.rest_items = None


def read(part: Part, more: list[Part]) -> Form:
    """What one schema demands by its own keywords; references and ``allOf`` are put on the list `more`."""
    schema = part.schema
    if schema is True:
        return Form()
    if schema is False:
        return Form(types=frozenset())
    if not isinstance(schema, dict):
        raise InvalidDocument(
            f"{part.pointer or 'the document'}: a schema is an object or true or false", field=part.pointer
        )
    for word in ("$ref", "$dynamicRef", "$recursiveRef"):
        if word in schema and not (word == "$ref" and isinstance(schema[word], dict)):
            more.append(part.scope.follow(part, schema[word], keyword=word))
            if not part.scope.dialect.keeps_siblings:
                return Form()
    for index, below in enumerate(_list(part, "allOf")):
        more.append(part.child(below, "allOf", index))
    return _Reader(part, schema, more).form()


class _Reader:
    """The keywords of one schema."""

    def __init__(self, part: Part, schema: dict[str, object], more: list[Part]) -> None:
        self.part = part
        self.schema = schema
        self.more = more
        self.dialect = part.scope.dialect

    def form(self) -> Form:
        found = Form(types=self._types(), enum=self._enum())
        known: dict[str, Callable[[Form], None]] = {}
        for word in self.schema:
            reader = _READERS.get(word)
            if reader is not None:
                known.setdefault(reader.__name__, lambda form, reader=reader: reader(self, form))  # type: ignore[misc]
            elif word in _NOTES:
                found.notes[word] = self.schema[word]
            elif word == "nullable":
                if self.dialect is not Dialect.OPENAPI30:
                    found.unknown[word] = self.schema[word]  # a word of OpenAPI 3.0 only
            elif word not in _PASSED and word not in ("enum", "const"):
                found.unknown[word] = self.schema[word]
        for run in known.values():
            run(found)
        return found

    def _types(self) -> frozenset[str]:
        named = self.schema.get("type")
        if named is None:
            return ANY
        written = named if isinstance(named, list) else [named]
        names = [name for name in written if isinstance(name, str) and name in _TYPES]
        if len(names) != len(written):
            raise self._wrong("type", f"must be one of {', '.join(sorted(_TYPES))}, or a list of them")
        found = frozenset().union(*(_TYPES[name] for name in names)) if names else frozenset[str]()
        if self._nullable():
            found |= {"null"}
        return found

    def _nullable(self) -> bool:
        return self.dialect is Dialect.OPENAPI30 and (
            self.schema.get("nullable") is True or self.schema.get("x-nullable") is True
        )

    def _enum(self) -> dict[str, object] | None:
        found = None
        if "enum" in self.schema:
            found = {canonical(value): value for value in _list(self.part, "enum")}
            if self._nullable():
                # By the letter null must stand in the list too (OpenAPI 3.0.3 section 4.7.24); few write it.
                found.setdefault("null", None)
        if "const" in self.schema:
            key = canonical(self.schema["const"])
            found = {key: self.schema["const"]} if found is None or key in found else {}
        return found

    def limits(self, found: Form) -> None:
        """The bounds of numbers; in draft 4 the exclusive ones are marks on the others."""
        found.lower = self._limit("minimum", "exclusiveMinimum", up=True)
        found.upper = self._limit("maximum", "exclusiveMaximum", up=False)

    def _limit(self, word: str, exclusive: str, *, up: bool) -> Limit | None:
        mark = self.schema.get(exclusive)
        own: Limit | None = None
        if self.schema.get(word) is not None:
            own = self._number(word), mark is True
        if mark is None or isinstance(mark, bool):
            return own
        other = self._number(exclusive), True
        if own is None:
            return other
        from hook_widgets.versioning.changes.forms import tighter

        return tighter(own, other, up=up)

    def _number(self, word: str) -> Fraction:
        value = self.schema[word]
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise self._wrong(word, "must be a number")
        return Fraction(value) if isinstance(value, int) else Fraction(repr(value))

    def multiple(self, found: Form) -> None:
        number = self._number("multipleOf")
        if number <= 0:
            raise self._wrong("multipleOf", "must be more than zero")
        found.multiples = frozenset({number})

    def sizes(self, found: Form) -> None:
        for word in COUNTS:
            if word in self.schema:
                number = self._number(word)
                if number.denominator != 1 or number < 0:
                    raise self._wrong(word, "must be a whole number, zero or more")
                if number or word.startswith("max"):
                    found.counts[word] = int(number)

    def texts(self, found: Form) -> None:
        if "pattern" in self.schema and self._text("pattern") not in EVERYTHING:
            found.patterns = (self._text("pattern"),)
        if "format" in self.schema:
            found.formats = (self._text("format"),)
        found.encodings = {word: self.schema[word] for word in _ENCODINGS if word in self.schema}

    def _text(self, word: str) -> str:
        value = self.schema[word]
        if not isinstance(value, str):
            raise self._wrong(word, "must be text")
        return value

    def fields(self, found: Form) -> None:
        required = self.schema.get("required", [])
        if isinstance(required, list):  # drafts before 4 have true and false here
            if not all(isinstance(name, str) for name in required):
                raise self._wrong("required", "must be a list of names")
            found.required = dict.fromkeys(required)
        others = self._one("additionalProperties")
        found.objects = Objects(self._named("properties"), self._named("patternProperties"), others)
        found.names = self._one("propertyNames") or ()
        for word in ("dependencies", "dependentRequired", "dependentSchemas"):
            for name, below in _object(self.part, word).items():
                if isinstance(below, list) and word != "dependentSchemas":
                    found.dependent[name] = frozenset(str(each) for each in below)
                elif word != "dependentRequired":
                    found.dependent_schemas[name] = (self.part.child(below, word, name),)
        found.rest_properties = self._one("unevaluatedProperties")

    def items(self, found: Form) -> None:
        items = self.schema.get("items")
        if self.dialect.has_prefix_items or not isinstance(items, list):
            first, others = self._several("prefixItems"), self._one("items")
        else:
            first, others = self._several("items"), self._one("additionalItems")
        found.arrays = Arrays(first, others)
        if "uniqueItems" in self.schema:
            found.unique = self.schema["uniqueItems"] is True
        inside = self._one("contains")
        if inside is not None:
            least = int(self._number("minContains")) if "minContains" in self.schema else 1
            most = int(self._number("maxContains")) if "maxContains" in self.schema else None
            if least or most is not None:
                found.contains = (Contains(inside, least, most),)
        found.rest_items = self._one("unevaluatedItems")

    def alternatives(self, found: Form) -> None:
        for word in ("anyOf", "oneOf"):
            nodes = self._several(word)
            if len(nodes) == 1:
                self.more.extend(nodes[0])
            elif nodes:
                found.groups += (Group(word, nodes, self.part),)

    def conditions(self, found: Form) -> None:
        inside = self._one("not")
        if inside and isinstance(inside[0].schema, dict) and inside[0].schema.keys() == {"type"}:
            found.types -= read(inside[0], []).types  # exactly the other types
        elif inside is not None:
            found.nots = (inside,)
        test = self._one("if")
        if test is not None and ("then" in self.schema or "else" in self.schema):
            found.conditions = (Condition(test, self._one("then") or (), self._one("else") or ()),)

    def _one(self, word: str) -> Node | None:
        if word not in self.schema or (word == "items" and isinstance(self.schema[word], list)):
            return None
        return () if self.schema[word] is True else (self.part.child(self.schema[word], word),)

    def _several(self, word: str) -> tuple[Node, ...]:
        return tuple(
            (self.part.child(below, word, index),) for index, below in enumerate(_list(self.part, word))
        )

    def _named(self, word: str) -> dict[str, Node]:
        return {
            name: (self.part.child(below, word, name),) for name, below in _object(self.part, word).items()
        }

    def _wrong(self, word: str, what: str) -> InvalidDocument:
        place = f"{self.part.pointer}/{word}"
        return InvalidDocument(f"{place} {what}; it is {str(self.schema[word])[:60]!r}", field=place)


def _list(part: Part, word: str) -> list[object]:
    value = part.schema.get(word, []) if isinstance(part.schema, dict) else []
    if not isinstance(value, list):
        place = f"{part.pointer}/{word}"
        raise InvalidDocument(f"{place} must be a list", field=place)
    return value


def _object(part: Part, word: str) -> dict[str, object]:
    value = part.schema.get(word, {}) if isinstance(part.schema, dict) else {}
    if not isinstance(value, dict):
        place = f"{part.pointer}/{word}"
        raise InvalidDocument(f"{place} must be an object", field=place)
    return value


_READERS: dict[str, Callable[[_Reader, Form], None]] = {
    word: reader
    for reader, words in {
        _Reader.limits: ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
        _Reader.multiple: ("multipleOf",),
        _Reader.sizes: COUNTS,
        _Reader.texts: ("pattern", "format", *_ENCODINGS),
        _Reader.fields: (
            "properties",
            "patternProperties",
            "additionalProperties",
            "required",
            "propertyNames",
            "dependencies",
            "dependentRequired",
            "dependentSchemas",
            "unevaluatedProperties",
        ),
        _Reader.items: (
            "items",
            "prefixItems",
            "additionalItems",
            "contains",
            "minContains",
            "maxContains",
            "uniqueItems",
            "unevaluatedItems",
        ),
        _Reader.alternatives: ("anyOf", "oneOf"),
        _Reader.conditions: ("if", "then", "else", "not"),
    }.items()
    for word in words
}
