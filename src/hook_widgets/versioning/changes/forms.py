"""A schema as what it demands: references followed, ``allOf`` merged, the words of each draft made one.

A `Node` is a tuple of schemas that all count; a `Form` is what they demand together. Merging is exact: what
cannot be merged is kept apart in `Form.opaque`, and compared as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from hook_widgets.versioning.changes.patterns import matches
from hook_widgets.versioning.changes.refs import Part

Node = tuple[Part, ...]
"""Schemas that all count at one place; none of them: anything is accepted."""

TYPES = ("null", "boolean", "integer", "fraction", "string", "array", "object")
"""The types of JSON; a number is an ``integer`` or a ``fraction``."""
ANY = frozenset(TYPES)
NUMBERS = frozenset({"integer", "fraction"})

Limit = tuple[Fraction, bool]
"""A bound of numbers, and whether it is itself excluded."""

COUNTS = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")


@dataclass(slots=True)
class Contains:
    """``contains`` with its two counts."""

    node: Node
    least: int = 1
    most: int | None = None


@dataclass(slots=True)
class Condition:
    """``if`` with what then counts and what else."""

    test: Node
    then: Node = ()
    otherwise: Node = ()


@dataclass(frozen=True, slots=True)
class Group:
    """Alternatives: ``anyOf``, or ``oneOf`` where at most one may hold.

    Attributes:
        word: the keyword.
        nodes: the alternatives.
        part: the schema that has the keyword.
    """

    word: str
    nodes: tuple[Node, ...]
    part: Part


@dataclass(slots=True)
class Objects:
    """What is demanded of the fields of an object.

    Attributes:
        properties: the declared fields.
        patterns: schemas for the fields whose names match.
        others: the schema of every other field; None: not said.
    """

    properties: dict[str, Node] = field(default_factory=dict)
    patterns: dict[str, Node] = field(default_factory=dict)
    others: Node | None = None

    def of(self, name: str) -> Node:
        """All that counts for a field of that name that is not declared."""
        found = [node for pattern, node in self.patterns.items() if matches(pattern, name)]
        if not found:
            return self.others or ()
        return tuple(part for node in found for part in node)

    def meet(self, other: Objects) -> Objects | None:
        """What both demand together; None when no single record can say it."""
        if self.patterns.keys() != other.patterns.keys() and (
            (self.others and other.patterns.keys() - self.patterns.keys())
            or (other.others and self.patterns.keys() - other.patterns.keys())
        ):
            return None
        names = dict.fromkeys([*self.properties, *other.properties])
        properties = {name: self._own(name) + other._own(name) for name in names}
        patterns = {
            pattern: self.patterns.get(pattern, ()) + other.patterns.get(pattern, ())
            for pattern in dict.fromkeys([*self.patterns, *other.patterns])
        }
        unsaid = self.others is None and other.others is None
        return Objects(properties, patterns, None if unsaid else (self.others or ()) + (other.others or ()))

    def _own(self, name: str) -> Node:
        # Patterns go on counting for declared fields, so only `others` has to be carried over to a new name.
        if name in self.properties:
            return self.properties[name]
        if any(matches(pattern, name) for pattern in self.patterns):
            return ()
        return self.others or ()


@dataclass(slots=True)
class Arrays:
    """What is demanded of the items: first ones by their place, then all others (None: not said)."""

    first: tuple[Node, ...] = ()
    others: Node | None = None

    def at(self, index: int) -> Node:
        """What counts for the item at that place."""
        return self.first[index] if index < len(self.first) else self.others or ()

    def meet(self, other: Arrays) -> Arrays:
        """What both demand together."""
        most = max(len(self.first), len(other.first))
        unsaid = self.others is None and other.others is None
        return Arrays(
            tuple(self.at(index) + other.at(index) for index in range(most)),
            None if unsaid else (self.others or ()) + (other.others or ()),
        )


@dataclass(slots=True)
class Form:
    """What a schema demands; see the module. Fields that are empty demand nothing.

    `parts` are the schemas it was read from, and `aside` those of alternatives that became part of it;
    `apart` is the form that still has these alternatives.
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
    names: Node = ()
    dependent: dict[str, frozenset[str]] = field(default_factory=dict)
    dependent_schemas: dict[str, Node] = field(default_factory=dict)
    arrays: Arrays = field(default_factory=Arrays)
    contains: tuple[Contains, ...] = ()
    groups: tuple[Group, ...] = ()
    nots: tuple[Node, ...] = ()
    conditions: tuple[Condition, ...] = ()
    rest_properties: Node | None = None
    rest_items: Node | None = None
    opaque: tuple[Part, ...] = ()
    notes: dict[str, object] = field(default_factory=dict)
    unknown: dict[str, object] = field(default_factory=dict)
    parts: tuple[Part, ...] = ()
    aside: tuple[Part, ...] = ()
    apart: Form | None = None

    @property
    def plain(self) -> bool:
        """Whether no conditions stand beside what the fields of the record say."""
        return not (self.groups or self.nots or self.conditions or self.opaque) and (
            self.rest_properties is None and self.rest_items is None
        )

    def effective(self) -> frozenset[str]:
        """The types that values can have, counting the fixed values too."""
        if self.enum is None:
            return self.types
        return frozenset(type_of(value) for value in self.enum.values()) & self.types

    def meet(self, other: Form, parts: Iterable[Part] = ()) -> Form:
        """What both demand together; `parts` is what the second was read from."""
        objects = self.objects.meet(other.objects)
        opaque = self.opaque + other.opaque + (() if objects is not None else tuple(parts))
        enum = self.enum if other.enum is None else other.enum
        if self.enum is not None and other.enum is not None:
            enum = {key: value for key, value in self.enum.items() if key in other.enum}
        return Form(
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
            dependent={
                name: self.dependent.get(name, frozenset()) | other.dependent.get(name, frozenset())
                for name in dict.fromkeys([*self.dependent, *other.dependent])
            },
            dependent_schemas={
                name: self.dependent_schemas.get(name, ()) + other.dependent_schemas.get(name, ())
                for name in dict.fromkeys([*self.dependent_schemas, *other.dependent_schemas])
            },
            arrays=self.arrays.meet(other.arrays),
            contains=self.contains + other.contains,
            groups=self.groups + other.groups,
            nots=self.nots + other.nots,
            conditions=self.conditions + other.conditions,
            rest_properties=_both(self.rest_properties, other.rest_properties),
            rest_items=_both(self.rest_items, other.rest_items),
            opaque=opaque,
            notes={**other.notes, **self.notes},
            unknown={**other.unknown, **self.unknown},
            parts=self.parts,
            aside=self.aside + other.aside,
        )


def type_of(value: object) -> str:
    """The type of a JSON value, in the words of `TYPES`.

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
    """The bound that lets less through."""
    if one is None or other is None:
        return one or other
    if one[0] == other[0]:
        return one[0], one[1] or other[1]
    return max(one, other) if up else min(one, other)


def _counts(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    both = {**one, **other}
    for word in one.keys() & other.keys():
        both[word] = (max if word.startswith("min") else min)(one[word], other[word])
    return both


def _both(one: Node | None, other: Node | None) -> Node | None:
    return None if one is None and other is None else (one or ()) + (other or ())


def _union(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one + other))


def each(nodes: Iterable[Node]) -> Iterator[Part]:
    """The schemas of several nodes."""
    for node in nodes:
        yield from node
