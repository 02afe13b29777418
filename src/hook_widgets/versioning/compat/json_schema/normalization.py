"""Normalize schemas keyword by keyword, with the meaning of their draft."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import TypeVar

from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.compat.budget import charge_text, spend
from hook_widgets.versioning.compat.documents.references import Dialect, Part, Unresolved
from hook_widgets.versioning.compat.json_schema.normalized import (
    ANY,
    COUNTS,
    FORMATS,
    NUMBERS,
    Arrays,
    Condition,
    Contains,
    Group,
    Limit,
    NormalizedSchema,
    Objects,
    SchemaSet,
    dependent_of,
    tighter,
    type_of,
)
from hook_widgets.versioning.compat.json_schema.unions import flattened, union
from hook_widgets.versioning.compat.patterns.matching import EVERYTHING

_T = TypeVar("_T")
_MAX_PARTS = 5_000
"""The maximum number of schemas that apply at one place; nobody writes more by hand."""
_CHUNK = 32
"""The number of forms that are merged one after the other."""

_TYPES = {
    **{name: frozenset({name}) for name in ("null", "boolean", "integer", "string", "array", "object")},
    "number": NUMBERS,
    "file": frozenset({"string"}),  # Swagger 2.0
}
_BINARY = re.compile(
    r"(?:image|audio|video|font)/.*|application/(?:octet-stream|pdf|zip|gzip|zstd|msword|.*\+(?:zip|gzip)"
    r"|x-(?:tar|gzip|bzip2?|7z-compressed|zip-compressed)"
    r"|vnd\.(?:rar|ms-|openxmlformats-officedocument\.|oasis\.opendocument\.)[^+]*)",
    re.IGNORECASE,
)
"""Media types of bytes, which are no text."""
_ENCODED = {"byte": "base64", "base64": "base64", "base64url": "base64url"}
"""Encodings of formats in OpenAPI's registry, and in the text of 3.0.0 to 3.0.3 (section 4.7.14.2)."""
_ENCODINGS = ("contentEncoding", "contentMediaType", "contentSchema")
_ANNOTATIONS = (
    "title", "description", "examples", "example", "default", "readOnly", "writeOnly", "deprecated",
    "discriminator", "externalDocs", "xml",
)  # fmt: skip
_BOTH = frozenset({"true", "false"})  # in canonical form
_NULLABLE = frozenset({"nullable", "x-nullable"})
_NULLS = frozenset({"const", "default", "example", "type"})  # keywords that may have the value null
_NULL: dict[str, object] = {"type": "null"}
_IGNORED = frozenset({
    "$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary", "$defs",
    "definitions", "$comment", "$ref", "$dynamicRef", "$recursiveRef", "allOf", "type",
})  # fmt: skip


def canonical(value: object) -> str:
    """Return a JSON value as text that is equal for equal values: 1 and 1.0 are equal, 1 and true are not.

    >>> canonical({"b": 1.0, "a": [True]})
    '{"a": [true], "b": 1}'
    """
    if isinstance(value, str):
        return charge_text(json.dumps(value, ensure_ascii=False))
    return charge_text(json.dumps(_plain(value), sort_keys=True, ensure_ascii=False, default=str))


def _plain(value: object) -> object:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        spend(len(value) // 2)
        return {str(key): _plain(below) for key, below in value.items()}
    if isinstance(value, list | tuple):
        spend(len(value) // 2)
        return [_plain(below) for below in value]
    return value


def normalize(node: SchemaSet, *, nested: bool = False) -> NormalizedSchema:
    """Return the normalized form of schemas that all apply; `nested` in alternatives of alternatives."""
    forms: list[tuple[NormalizedSchema, Part]] = []
    pending, visited = list(node), set()
    holders: list[Part] = []
    for part in pending:
        if part.key in visited:
            continue  # a schema that includes itself adds nothing
        visited.add(part.key)
        if len(visited) > _MAX_PARTS:
            raise InvalidDocument(
                f"{part.pointer or 'the schema'}: more than {_MAX_PARTS} schemas apply at one place; "
                "simplify it",
                field=part.pointer,
            )
        own = _normalize_part(part, pending)
        if own.unevaluated_properties is not None or own.unevaluated_items is not None:
            holders.append(part)
        forms.append((own, part))
    normalized = _intersect_all(forms) if forms else NormalizedSchema()
    normalized.parts = tuple(pending)
    normalized = _merge_alternatives(normalized, nested=nested)
    if holders:
        _resolve_unevaluated(normalized, holders, node)
    return normalized


def _intersect_all(forms: list[tuple[NormalizedSchema, Part]]) -> NormalizedSchema:
    """Merge forms by halves, because each merge copies its operands."""
    if len(forms) > _CHUNK:
        middle = len(forms) // 2
        first, rest = forms[:middle], forms[middle:]
        return _intersect_all(first).intersect(_intersect_all(rest), (part for _, part in rest))
    normalized = forms[0][0]
    for form, part in forms[1:]:
        normalized = normalized.intersect(form, (part,))
    return normalized


def _merge_alternatives(normalized: NormalizedSchema, *, nested: bool) -> NormalizedSchema:
    """Merge alternatives into the form where an equivalent form exists."""
    groups = normalized.groups
    if not groups:
        return normalized
    before = normalized
    normalized = normalized.intersect(NormalizedSchema())
    normalized.groups = ()
    remaining = []
    for group in groups:
        exclusive = group.keyword == "oneOf" and not group.part.scope.dialect.is_openapi
        merged = union(group.nodes, partial(normalize, nested=True), exclusive=exclusive, nested=nested)
        if merged is None:
            remaining.append(group)
        else:
            normalized = normalized.intersect(merged, merged.merged_parts)
    normalized.groups = tuple(remaining)
    normalized.unmerged = before if len(remaining) < len(groups) else None
    return normalized


def _resolve_unevaluated(normalized: NormalizedSchema, holders: list[Part], node: SchemaSet) -> None:
    """Convert ``unevaluated*`` to the schema of undeclared fields or items, where these are known.

    Otherwise keep it as a condition, or as an opaque schema if it does not see all keywords.
    """
    if len(node) > 1 or holders != list(node):
        normalized.opaque += tuple(holders)
        normalized.unevaluated_properties = normalized.unevaluated_items = None
        return
    if normalized.conditional or normalized.dependent_schemas:
        return
    if normalized.unevaluated_properties is not None:
        if normalized.objects.others is None:
            normalized.objects.others = normalized.unevaluated_properties
        normalized.unevaluated_properties = None
    some_evaluated = any(
        isinstance(part.schema, dict) and "contains" in part.schema for part in normalized.parts
    )
    if normalized.unevaluated_items is not None and not some_evaluated and not normalized.contains:
        if normalized.arrays.others is None:
            normalized.arrays.others = normalized.unevaluated_items
            _close_items(normalized)
        normalized.unevaluated_items = None


def _close_items(normalized: NormalizedSchema) -> None:
    """Convert a schema that forbids all items but the first ones to their maximum number."""
    if (arrays := normalized.arrays).others and arrays.others[0].schema is False:
        most, arrays.others = len(arrays.first), None
        normalized.counts["maxItems"] = min(most, normalized.counts.get("maxItems", most))


def _normalize_part(part: Part, pending: list[Part]) -> NormalizedSchema:
    """Normalize one schema by its own keywords, and append its references and ``allOf`` to `pending`."""
    schema = part.schema
    spend(20)
    if schema is True or schema is None or schema == []:  # nothing in YAML, an empty object of PHP
        return NormalizedSchema()
    if schema is False:
        return NormalizedSchema(types=frozenset())
    if isinstance(schema, Unresolved):
        return NormalizedSchema(unresolved=frozenset({schema.reference}))
    if not isinstance(schema, dict):
        raise InvalidDocument(
            f"{part.pointer or 'the document'}: a schema must be an object, or true or false",
            field=part.pointer,
        )
    if None in schema.values() and (empty := {word for word in schema if schema[word] is None} - _NULLS):
        return _normalize_part(part.without(frozenset(empty)), pending)
    for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
        if keyword in schema and not (keyword == "$ref" and isinstance(schema[keyword], dict)):
            pending.append(part.scope.follow(part, schema[keyword], keyword=keyword))
            if not part.scope.dialect.keeps_siblings:
                return NormalizedSchema()
    combined = part.scope.dialect is Dialect.OPENAPI30 and schema.keys() & {"allOf", "anyOf", "oneOf"}
    if combined and any(schema.get(keyword) is True for keyword in _NULLABLE):
        # Strictly, it adds null only to a type beside it (OpenAPI 3.0.3, proposal "Clarify nullable"), but
        # documents mean null or the rest, and tools rewrite it to that for 3.1.
        rest = part.without(frozenset({*_NULLABLE, *_ANNOTATIONS}))
        group = Group("anyOf", flattened("anyOf", part, [rest, part.child(_NULL)]), part)
        notes = {keyword: schema[keyword] for keyword in _ANNOTATIONS if keyword in schema}
        return NormalizedSchema(groups=(group,), annotations=notes)
    for index, below in enumerate(_list(part, "allOf")):
        pending.append(part.child(below, "allOf", index))
    return _Reader(part, schema, pending).form()


class _Reader:
    """Reader for the keywords of one schema."""

    def __init__(self, part: Part, schema: dict[str, object], pending: list[Part]) -> None:
        self.part = part
        self.schema = schema
        self.pending = pending
        self.dialect = part.scope.dialect

    def form(self) -> NormalizedSchema:
        normalized = NormalizedSchema(types=self._types(), enum=self._enum())
        if normalized.enum is not None and normalized.enum.keys() - {"null"} in (set(), _BOTH):
            listed = frozenset(type_of(value) for value in normalized.enum.values())
            if normalized.enum and listed <= normalized.types:
                normalized.types, normalized.enum = listed, None  # all values of these types
        known: dict[str, Callable[[NormalizedSchema], None]] = {}
        for keyword in self.schema:
            reader = _READERS.get(keyword)
            if reader is not None:
                known.setdefault(reader.__name__, lambda form, reader=reader: reader(self, form))  # type: ignore[misc]
            elif keyword in _ANNOTATIONS:
                normalized.annotations[keyword] = self.schema[keyword]
            elif keyword == "nullable":
                if self.dialect is not Dialect.OPENAPI30:
                    normalized.unknown[keyword] = self.schema[keyword]  # a keyword of OpenAPI 3.0 only
            elif keyword not in _IGNORED and keyword not in ("enum", "const"):
                normalized.unknown[keyword] = self.schema[keyword]
        for run in known.values():
            run(normalized)
        _close_items(normalized)
        return normalized

    def _types(self) -> frozenset[str]:
        named = self.schema.get("type")
        if named is None and not (self.dialect is Dialect.OPENAPI31 and "type" in self.schema):
            return ANY
        declared = named if isinstance(named, list) else [named]
        # Without quotes, YAML reads the name null as no value.
        names = [str(name or "null") for name in declared if name is None or str(name) in _TYPES]
        if len(names) != len(declared):
            raise self._wrong("type", f"must be one of {', '.join(sorted(_TYPES))}, or a list of them")
        if self._is_binary():
            return ANY
        types = frozenset().union(*(_TYPES[name] for name in names)) if names else frozenset[str]()
        if self._nullable():
            types |= {"null"}
        return types

    def _nullable(self) -> bool:
        if self.dialect is Dialect.OPENAPI31:
            named = self.schema.get("type")
            return isinstance(named, list) and ("null" in named or None in named)
        return self.dialect is Dialect.OPENAPI30 and any(self.schema.get(word) is True for word in _NULLABLE)

    def _is_binary(self) -> bool:
        """Return True for bytes, which have no type of JSON.

        OpenAPI 3.0 writes them as a string of format ``binary``, 3.1 as an empty schema or by a media type
        without an encoding (OpenAPI 3.1.0 section 4.8.14.2, 3.1.1 section 4.8.14.3), Swagger 2.0 as ``file``.
        """
        if not self.dialect.is_openapi or self.schema.get("type") not in (None, "string", "file"):
            return False
        if self.schema.get("format") == "binary" or self.schema.get("type") == "file":
            return True
        media_type = self.schema.get("contentMediaType")
        return (
            isinstance(media_type, str)
            and "contentEncoding" not in self.schema
            and bool(_BINARY.fullmatch(media_type.partition(";")[0].strip()))
        )

    def _enum(self) -> dict[str, object] | None:
        fixed = None
        if "enum" in self.schema:
            values = _list(self.part, "enum")
            spend(2 * len(values))
            fixed = {canonical(value): value for value in values}
            if self._nullable():
                # Strictly, the list must contain null (OpenAPI 3.0.3 section 4.7.24), but it rarely does. The
                # same is read from 3.1, into which tools rewrite such documents without a look at the list.
                fixed.setdefault("null", None)
        if "const" in self.schema:
            key = canonical(self.schema["const"])
            fixed = {key: self.schema["const"]} if fixed is None or key in fixed else {}
        return fixed

    def limits(self, normalized: NormalizedSchema) -> None:
        """Read the bounds of numbers; in draft 4 the exclusive ones are flags of the others."""
        normalized.lower = self._limit("minimum", "exclusiveMinimum", up=True)
        normalized.upper = self._limit("maximum", "exclusiveMaximum", up=False)

    def _limit(self, keyword: str, exclusive: str, *, up: bool) -> Limit | None:
        mark = self.schema.get(exclusive)
        own: Limit | None = None
        if self.schema.get(keyword) is not None:
            own = self._number(keyword), mark is True
        if mark is None or isinstance(mark, bool):
            return own
        return tighter(own, (self._number(exclusive), True), up=up)

    def _number(self, keyword: str) -> Fraction:
        value = self.schema[keyword]
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise self._wrong(keyword, "must be a number")
        return Fraction(value) if isinstance(value, int) else Fraction(repr(value))

    def multiple(self, normalized: NormalizedSchema) -> None:
        number = self._number("multipleOf")
        if number <= 0:
            raise self._wrong("multipleOf", "must be more than zero")
        normalized.multiples = frozenset({number})

    def sizes(self, normalized: NormalizedSchema) -> None:
        for keyword in COUNTS:
            if keyword in self.schema:
                number = self._number(keyword)
                if number.denominator != 1 or number < 0:
                    raise self._wrong(keyword, "must be a whole number, zero or more")
                if number or keyword.startswith("max"):
                    normalized.counts[keyword] = int(number)

    def texts(self, normalized: NormalizedSchema) -> None:
        if "pattern" in self.schema and self._text("pattern") not in EVERYTHING:
            normalized.patterns = (self._text("pattern"),)
        name = self._text("format") if "format" in self.schema else ""
        if name and name not in FORMATS:  # then it is a note (JSON Schema 2020-12 Validation, section 7.2.3)
            normalized.unknown["format"] = name
        encodings = {keyword: self.schema[keyword] for keyword in _ENCODINGS if keyword in self.schema}
        for keyword in encodings.keys() - {"contentSchema"}:  # their names have no case (RFC 2045 5.1, 6.1)
            kind, *parameters = str(encodings[keyword]).partition(";")
            encodings[keyword] = "".join([kind.strip().lower(), *parameters])
        if self._is_binary():
            name, encodings = ("" if name == "binary" else name), {}
        elif self.dialect.is_openapi and name in _ENCODED:
            name, encodings = "", {"contentEncoding": _ENCODED[name]} | encodings
        normalized.formats, normalized.encodings = ((name,) if name in FORMATS else ()), encodings

    def _text(self, keyword: str) -> str:
        value = self.schema[keyword]
        if not isinstance(value, str):
            raise self._wrong(keyword, "must be text")
        return value

    def fields(self, normalized: NormalizedSchema) -> None:
        required = self.schema.get("required", [])
        if isinstance(required, list):  # drafts before 4 have true and false here
            if not all(isinstance(name, str) for name in required):
                raise self._wrong("required", "must be a list of names")
            spend(len(required) // 4)
            normalized.required = dict.fromkeys(required)
        others = self._subschema("additionalProperties")
        normalized.objects = Objects(
            self._subschema_map("properties"), self._subschema_map("patternProperties"), others
        )
        patterns = normalized.objects.patterns
        if not normalized.objects.properties and others is None and patterns.keys() & EVERYTHING:
            normalized.objects.others = patterns.pop(next(iter(patterns.keys() & EVERYTHING)))
        of_names = self._subschema("propertyNames") or ()
        normalized.names = tuple(part for part in of_names if part.schema != {"type": "string"})
        for keyword in ("dependencies", "dependentRequired", "dependentSchemas"):
            for name, below in _object(self.part, keyword).items():
                only_names = isinstance(below, dict) and below.keys() == {"required"}
                names = below["required"] if isinstance(below, dict) and only_names else below
                if isinstance(names, list) and keyword != (
                    "dependentRequired" if only_names else "dependentSchemas"
                ):
                    spend(len(names) // 4)
                    known = normalized.dependent.get(name, frozenset())
                    normalized.dependent[name] = known | {str(required_name) for required_name in names}
                elif keyword != "dependentRequired":
                    normalized.dependent_schemas[name] = (self.part.child(below, keyword, name),)
        normalized.unevaluated_properties = self._subschema("unevaluatedProperties")

    def items(self, normalized: NormalizedSchema) -> None:
        items = self.schema.get("items")
        if self.dialect.has_prefix_items or not isinstance(items, list):
            first, others = self._subschema_list("prefixItems"), self._subschema("items")
        else:
            first, others = self._subschema_list("items"), self._subschema("additionalItems")
        normalized.arrays = Arrays(first, others)
        if "uniqueItems" in self.schema:
            normalized.unique = self.schema["uniqueItems"] is True
        inside = self._subschema("contains")
        if inside is not None:
            minimum = int(self._number("minContains")) if "minContains" in self.schema else 1
            maximum = int(self._number("maxContains")) if "maxContains" in self.schema else None
            if not inside or inside[0].schema == {}:  # any item counts
                bounds = {"minItems": minimum} | ({} if maximum is None else {"maxItems": maximum})
                self.pending.append(self.part.child(bounds, "contains"))
            elif minimum or maximum is not None:
                normalized.contains = (Contains(inside, minimum, maximum),)
        normalized.unevaluated_items = self._subschema("unevaluatedItems")

    def alternatives(self, normalized: NormalizedSchema) -> None:
        for keyword in ("anyOf", "oneOf"):
            nodes = self._subschema_list(keyword)
            if len(nodes) == 1:
                self.pending.extend(nodes[0])
            elif nodes:
                flat = flattened(keyword, self.part, [node[0] for node in nodes])
                normalized.groups += (Group(keyword, flat, self.part),)

    def conditions(self, normalized: NormalizedSchema) -> None:
        inside = self._subschema("not")
        schema = inside[0].schema if inside else None
        if schema == {} or (inside is not None and not inside):
            normalized.types = frozenset()
        elif inside and isinstance(schema, dict) and schema.keys() == {"type"}:
            normalized.types -= _normalize_part(inside[0], []).types  # all other types remain
        elif inside and isinstance(schema, dict) and schema.keys() == {"not"}:
            self.pending.append(inside[0].child(schema["not"], "not"))
        elif inside is not None:
            normalized.nots = (inside,)
        test = self._subschema("if")
        if test is not None and any(
            self.schema.get(word, True) not in (True, {}) for word in ("then", "else")
        ):
            then, otherwise = self._subschema("then") or (), self._subschema("else") or ()
            if not test or test[0].schema in ({}, False):  # it decides nothing
                self.pending.extend(otherwise if test and test[0].schema is False else then)
            elif (dependent := dependent_of(test, then)) and not otherwise:
                self.pending.append(self.part.child(dependent, "then"))
            else:
                normalized.conditions = (Condition(test, then, otherwise),)

    def _subschema(self, keyword: str) -> SchemaSet | None:
        if keyword not in self.schema or (keyword == "items" and isinstance(self.schema[keyword], list)):
            return None
        return () if self.schema[keyword] is True else (self.part.child(self.schema[keyword], keyword),)

    def _subschema_list(self, keyword: str) -> tuple[SchemaSet, ...]:
        return tuple(
            (self.part.child(below, keyword, index),) for index, below in enumerate(_list(self.part, keyword))
        )

    def _subschema_map(self, keyword: str) -> dict[str, SchemaSet]:
        return {
            name: (self.part.child(below, keyword, name),)
            for name, below in _object(self.part, keyword).items()
        }

    def _wrong(self, keyword: str, problem: str) -> InvalidDocument:
        place = f"{self.part.pointer}/{keyword}"
        return InvalidDocument(f"{place} {problem}; it is {str(self.schema[keyword])[:60]!r}", field=place)


def _container(part: Part, keyword: str, kind: type[_T], name: str) -> _T:
    value = part.schema.get(keyword, kind()) if isinstance(part.schema, dict) else kind()
    if not isinstance(value, kind) and value != []:
        place = f"{part.pointer}/{keyword}"
        raise InvalidDocument(f"{place} must be {name}", field=place)
    return value if isinstance(value, kind) else kind()


def _list(part: Part, keyword: str) -> list[object]:
    return _container(part, keyword, list, "a list")


def _object(part: Part, keyword: str) -> dict[str, object]:
    return _container(part, keyword, dict, "an object")


_READERS: dict[str, Callable[[_Reader, NormalizedSchema], None]] = {
    keyword: reader
    for reader, keywords in {
        _Reader.limits: "minimum maximum exclusiveMinimum exclusiveMaximum",
        _Reader.multiple: "multipleOf",
        _Reader.sizes: " ".join(COUNTS),
        _Reader.texts: " ".join(["pattern", "format", *_ENCODINGS]),
        _Reader.fields: "properties patternProperties additionalProperties required propertyNames "
        "dependencies dependentRequired dependentSchemas unevaluatedProperties",
        _Reader.items: "items prefixItems additionalItems contains minContains maxContains uniqueItems "
        "unevaluatedItems",
        _Reader.alternatives: "anyOf oneOf",
        _Reader.conditions: "if then else not",
    }.items()
    for keyword in keywords.split()
}
