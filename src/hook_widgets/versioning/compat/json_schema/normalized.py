"""Normalized schemas: references resolved, ``allOf`` merged, keywords unified across drafts.

A `SchemaSet` is a tuple of schemas that all apply at one place; a `NormalizedSchema` is their combined
constraint. Merging is exact: schemas that cannot be merged stay in `NormalizedSchema.opaque` and are compared
as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from operator import add, or_
from typing import TypeVar

from hook_widgets.versioning.compat.budget import spend
from hook_widgets.versioning.compat.documents.references import Part
from hook_widgets.versioning.compat.patterns.matching import matches, unsupported_reason

_T = TypeVar("_T")
SchemaSet = tuple[Part, ...]
"""Schemas that all apply at one place; the empty set accepts every value."""

TYPES = ("null", "boolean", "integer", "fraction", "string", "array", "object")
"""The JSON types; a number is an ``integer`` or a ``fraction``."""
ANY = frozenset(TYPES)
NUMBERS = frozenset({"integer", "fraction"})

Limit = tuple[Fraction, bool]
"""A bound of numbers, and whether the bound itself is excluded."""

NUMBER_FORMATS = frozenset({
    "decimal", "decimal128", "double", "double-int", "float", "int8", "int16", "int32", "int64", "sf-decimal",
    "sf-integer", "uint8", "uint16", "uint32", "uint64", "unixtime",
})  # fmt: skip
FORMATS = NUMBER_FORMATS | {
    "base64url", "binary", "byte", "char", "date", "date-time", "date-time-local", "duration", "email",
    "hostname", "http-date", "idn-email", "idn-hostname", "ipv4", "ipv6", "iri", "iri-reference",
    "json-pointer", "media-range", "regex", "relative-json-pointer", "sf-binary", "sf-boolean", "sf-string",
    "sf-token", "time", "time-local", "uri", "uri-reference", "uri-template", "uuid",
}  # fmt: skip
"""Formats of JSON Schema and of OpenAPI's registry that limit the values; ``password`` is only a hint."""

COUNTS = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
DOCUMENTATION = frozenset({"title", "description", "examples", "example", "externalDocs", "xml"})


@dataclass(slots=True)
class Contains:
    """``contains`` with ``minContains`` and ``maxContains``."""

    node: SchemaSet
    minimum: int = 1
    maximum: int | None = None


@dataclass(slots=True)
class Condition:
    """``if`` with ``then`` and ``else``."""

    test: SchemaSet
    then: SchemaSet = ()
    otherwise: SchemaSet = ()


def dependent_of(test: SchemaSet, then: SchemaSet) -> dict[str, object]:
    """Return ``dependentSchemas`` that demand the same as ``if`` a field is there ``then``; empty if none do.

    Both demand nothing of values that are no objects.
    """
    field, demand = test[0].schema, then[0].schema if then else None
    names = field["required"] if isinstance(field, dict) and field.keys() == {"required"} else None
    if not (isinstance(names, list) and len(names) == 1 and isinstance(names[0], str)):
        return {}
    of_objects = isinstance(demand, dict) and demand.keys() <= {"required", "properties"}
    return {"dependentSchemas": {names[0]: demand}} if of_objects else {}


@dataclass(frozen=True, slots=True)
class Group:
    """Alternatives: ``anyOf``, or ``oneOf`` if at most one may match."""

    keyword: str
    nodes: tuple[SchemaSet, ...]
    part: Part


@dataclass(slots=True)
class Objects:
    """Constraints on the fields of an object.

    Attributes:
        properties: the declared fields.
        patterns: schemas of the fields whose names match a pattern.
        others: the schema of every other field; None: not specified.
    """

    properties: dict[str, SchemaSet] = field(default_factory=dict)
    patterns: dict[str, SchemaSet] = field(default_factory=dict)
    others: SchemaSet | None = None

    def undeclared(self, name: str) -> SchemaSet:
        """Return all schemas that apply to an undeclared field of this name."""
        matching = [node for pattern, node in self.patterns.items() if matches(pattern, name)]
        if not matching:
            return self.others or ()
        return tuple(part for node in matching for part in node)

    def is_unsure(self, name: str) -> bool:
        """Return True if an unsupported pattern may apply to a field of this name."""
        return any(matches(pattern, name) is None for pattern in self.patterns)

    def intersect(self, other: Objects) -> Objects | None:
        """Return the combined constraint, or None if no single record can express it."""
        if self._has_unknown_additional(other) or other._has_unknown_additional(self):
            return None
        if self.patterns.keys() != other.patterns.keys() and (
            (self.others and other.patterns.keys() - self.patterns.keys())
            or (other.others and self.patterns.keys() - other.patterns.keys())
        ):
            return None
        names = dict.fromkeys([*self.properties, *other.properties])
        both = len(self.others or ()) + len(other.others or ())
        spend(len(names) * (8 + both) // 8)
        properties = {name: self._schema_for(name) + other._schema_for(name) for name in names}
        patterns = _merged(self.patterns, other.patterns, add)
        return Objects(properties, patterns, _concatenated(self.others, other.others))

    def _has_unknown_additional(self, other: Objects) -> bool:
        """Return True if it is unknown which new fields count as additional."""
        if self.others is None or not any(unsupported_reason(pattern) for pattern in self.patterns):
            return False
        return not other.properties.keys() <= self.properties.keys()

    def _schema_for(self, name: str) -> SchemaSet:
        # Patterns also apply to declared fields, so only `others` has to be copied to a new name.
        if name in self.properties:
            return self.properties[name]
        if any(matches(pattern, name) for pattern in self.patterns):
            return ()
        return self.others or ()


@dataclass(slots=True)
class Arrays:
    """Constraints on array items: the first ones by position, then all others (None: not specified)."""

    first: tuple[SchemaSet, ...] = ()
    others: SchemaSet | None = None

    def at(self, index: int) -> SchemaSet:
        """Return the schemas that apply to the item at this index."""
        return self.first[index] if index < len(self.first) else self.others or ()

    def intersect(self, other: Arrays) -> Arrays:
        """Return the combined constraint."""
        length = max(len(self.first), len(other.first))
        spend(length * (8 + len(self.others or ()) + len(other.others or ())) // 8)
        first = tuple(self.at(index) + other.at(index) for index in range(length))
        return Arrays(first, _concatenated(self.others, other.others))


@dataclass(slots=True, kw_only=True)
class NormalizedSchema:
    """The constraints of a schema in normal form; see the module. Empty fields constrain nothing.

    `parts` are the schemas from which it was built, `merged_parts` those of the alternatives merged into it,
    `unmerged` is the form that still contains these alternatives, and `unresolved` has the references whose
    targets are not in the document.
    """

    types: frozenset[str] = ANY
    enum: dict[str, object] | None = None
    lower: Limit | None = None
    upper: Limit | None = None
    multiples: frozenset[Fraction] = frozenset()
    counts: dict[str, int] = field(default_factory=dict)
    patterns: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    encodings: dict[str, object] = field(default_factory=dict)
    unique: bool = False
    objects: Objects = field(default_factory=Objects)
    required: dict[str, None] = field(default_factory=dict)
    names: SchemaSet = ()
    dependent: dict[str, frozenset[str]] = field(default_factory=dict)
    dependent_schemas: dict[str, SchemaSet] = field(default_factory=dict)
    arrays: Arrays = field(default_factory=Arrays)
    contains: tuple[Contains, ...] = ()
    groups: tuple[Group, ...] = ()
    nots: tuple[SchemaSet, ...] = ()
    conditions: tuple[Condition, ...] = ()
    unevaluated_properties: SchemaSet | None = None
    unevaluated_items: SchemaSet | None = None
    opaque: tuple[Part, ...] = ()
    unresolved: frozenset[str] = frozenset()
    annotations: dict[str, object] = field(default_factory=dict)
    unknown: dict[str, object] = field(default_factory=dict)
    parts: tuple[Part, ...] = ()
    merged_parts: tuple[Part, ...] = ()
    unmerged: NormalizedSchema | None = None

    @property
    def conditional(self) -> bool:
        """True if there are alternatives, other conditions, or schemas that could not be merged."""
        return bool(self.groups or self.nots or self.conditions or self.opaque or self.unresolved)

    @property
    def plain(self) -> bool:
        """True if there are no conditions besides the simple fields of the record."""
        return not self.conditional and self.unevaluated_properties is self.unevaluated_items is None

    def effective(self) -> frozenset[str]:
        """Return the types that values can have, with the fixed values taken into account."""
        if self.enum is None:
            return self.types
        spend(len(self.enum) // 4)
        return frozenset(type_of(value) for value in self.enum.values()) & self.types

    def intersect(self, other: NormalizedSchema, parts: Iterable[Part] = ()) -> NormalizedSchema:
        """Return the combined constraint; `parts` are the schemas of `other`."""
        sides = self, other
        spend(
            5
            + sum(len(schema.enum or ()) + len(schema.required) + len(schema.unknown) for schema in sides)
            // 8
        )
        spend(sum(len(schema.dependent) + len(schema.dependent_schemas) for schema in sides) // 2)
        objects = self.objects.intersect(other.objects)
        opaque = self.opaque + other.opaque + (() if objects is not None else tuple(parts))
        enum = self.enum if other.enum is None else other.enum
        if self.enum is not None and other.enum is not None:
            enum = {key: value for key, value in self.enum.items() if key in other.enum}
        return NormalizedSchema(
            types=self.types & other.types,
            enum=enum,
            lower=tighter(self.lower, other.lower, up=True),
            upper=tighter(self.upper, other.upper, up=False),
            multiples=self.multiples | other.multiples,
            counts=_counts(self.counts, other.counts),
            patterns=_union(self.patterns, other.patterns),
            formats=_union(self.formats, other.formats),
            encodings={**other.encodings, **self.encodings},
            unique=self.unique or other.unique,
            objects=self.objects if objects is None else objects,
            required={**self.required, **other.required},
            names=self.names + other.names,
            dependent=_merged(self.dependent, other.dependent, or_),
            dependent_schemas=_merged(self.dependent_schemas, other.dependent_schemas, add),
            arrays=self.arrays.intersect(other.arrays),
            contains=self.contains + other.contains,
            groups=self.groups + other.groups,
            nots=self.nots + other.nots,
            conditions=self.conditions + other.conditions,
            unevaluated_properties=_concatenated(self.unevaluated_properties, other.unevaluated_properties),
            unevaluated_items=_concatenated(self.unevaluated_items, other.unevaluated_items),
            opaque=opaque,
            unresolved=self.unresolved | other.unresolved,
            annotations={**other.annotations, **self.annotations},
            unknown={**other.unknown, **self.unknown},
            parts=self.parts,
            merged_parts=self.merged_parts + other.merged_parts,
        )


def type_of(value: object) -> str:
    """Return the type of a JSON value, as one of `TYPES`.

    >>> type_of(1.0), type_of(True), type_of(None)
    ('integer', 'boolean', 'null')
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "integer" if value.is_integer() else "fraction"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list | tuple) else "object"


def tighter(one: Limit | None, other: Limit | None, *, up: bool) -> Limit | None:
    """Return the bound that accepts less."""
    if one is None or other is None:
        return one or other
    if one[0] == other[0]:
        return one[0], one[1] or other[1]
    return max(one, other) if up else min(one, other)


def _merged(one: dict[str, _T], other: dict[str, _T], combine: Callable[[_T, _T], _T]) -> dict[str, _T]:
    return {**one, **other, **{name: combine(one[name], other[name]) for name in one if name in other}}


def _counts(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    both = {**one, **other}
    for keyword in one.keys() & other.keys():
        both[keyword] = (max if keyword.startswith("min") else min)(one[keyword], other[keyword])
    return both


def _concatenated(one: SchemaSet | None, other: SchemaSet | None) -> SchemaSet | None:
    return None if one is None and other is None else (one or ()) + (other or ())


def _union(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one + other))
