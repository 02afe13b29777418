"""Where a reference leads: ``$ref``, ``$id`` and anchors of one document, by the library referencing.

Nothing is ever fetched: a reference that leads out of the document is an error with advice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from hook_widgets.errors import InvalidDocument
from hook_widgets.libraries import needed

if TYPE_CHECKING:
    from referencing import Specification
    from referencing._core import Resolver

_HOPS = 100
"""So many references in a row are a circle, or as good as one."""


class Dialect(StrEnum):
    """The language a schema is written in."""

    DRAFT4 = "http://json-schema.org/draft-04/schema"
    DRAFT6 = "http://json-schema.org/draft-06/schema"
    DRAFT7 = "http://json-schema.org/draft-07/schema"
    DRAFT2019 = "https://json-schema.org/draft/2019-09/schema"
    DRAFT2020 = "https://json-schema.org/draft/2020-12/schema"
    OPENAPI30 = "openapi-3.0"
    """The Schema Object of OpenAPI 3.0 (and of Swagger 2.0): an extended subset of draft 5."""
    OPENAPI31 = "https://spec.openapis.org/oas/3.1/dialect/base"
    """The Schema Object of OpenAPI 3.1: 2020-12 and a few words more."""

    @property
    def base(self) -> Dialect:
        """The draft that the dialect stands on."""
        return {Dialect.OPENAPI30: Dialect.DRAFT4, Dialect.OPENAPI31: Dialect.DRAFT2020}.get(self, self)

    @property
    def keeps_siblings(self) -> bool:
        """Whether keywords beside ``$ref`` count (2019-09 and later)."""
        return self.base in (Dialect.DRAFT2019, Dialect.DRAFT2020)

    @property
    def loose(self) -> bool:
        """Whether ``oneOf`` is read as ``anyOf``: OpenAPI documents mean a choice by it."""
        return self in (Dialect.OPENAPI30, Dialect.OPENAPI31)

    @property
    def has_prefix_items(self) -> bool:
        """Whether the first items are told by ``prefixItems`` and not by a list in ``items``."""
        return self.base is Dialect.DRAFT2020


def dialect_of(schema: object) -> Dialect | None:
    """The dialect that a schema names in ``$schema``; None when it names none, or one that is not known.

    >>> dialect_of({"$schema": "http://json-schema.org/draft-07/schema#"}).name
    'DRAFT7'
    """
    named = schema.get("$schema") if isinstance(schema, Mapping) else None
    if not isinstance(named, str):
        return None
    text = named.rstrip("#").removeprefix("https://").removeprefix("http://")
    return next((dialect for dialect in Dialect if text and dialect.partition("//")[2] == text), None)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A schema inside a document.

    Attributes:
        schema: the JSON value.
        pointer: its JSON pointer in the document.
        scope: the document.
        resolver: what resolves references at this place.
        base: where the resolver stands, as the memo's key.
    """

    schema: object
    pointer: str
    scope: Scope
    resolver: Resolver[object]
    base: int

    @property
    def key(self) -> tuple[int, int]:
        """Two parts of one document with the same key are the same schema."""
        return id(self.schema), self.base

    def child(self, schema: object, *steps: str | int) -> Part:
        """A schema below this one."""
        pointer = self.pointer
        for step in steps:
            pointer += f"/{escape(step)}" if isinstance(step, str) else f"/{step}"
        return self.scope.enter(schema, pointer, self)

    def without(self, words: frozenset[str]) -> Part:
        """This schema without some of its keywords; the same one each time it is asked for."""
        known = self.scope.trimmed.get((id(self.schema), words))
        if known is None:
            assert isinstance(self.schema, dict)
            rest = {word: value for word, value in self.schema.items() if word not in words}
            known = self.scope.trimmed[id(self.schema), words] = rest
        return Part(known, self.pointer, self.scope, self.resolver, self.base)

    def target(self) -> Part:
        """This schema, or what it stands for when it is nothing but a reference."""
        part = self
        for _ in range(_HOPS):
            schema = part.schema
            if not isinstance(schema, dict) or not isinstance(schema.get("$ref"), str):
                break
            if len(schema) > 1 and part.scope.dialect.keeps_siblings:
                break
            part = self.scope.follow(part, schema["$ref"])
        return part


class Scope:
    """One document, in which references are resolved.

    Args:
        document: the parsed JSON value. It is held and must not change afterwards.
        dialect: the language of its schemas; None: as ``$schema`` says, else 2020-12.
        name: which document it is, for messages.

    >>> scope = Scope({"$ref": "#/$defs/id", "$defs": {"id": {"type": "integer"}}})
    >>> scope.follow(scope.root, "#/$defs/id").schema
    {'type': 'integer'}
    """

    def __init__(self, document: object, *, dialect: Dialect | None = None, name: str = "") -> None:
        needed("jsonschema", "jsonschema", "Comparing schemas", InvalidDocument)
        from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]
        from referencing.jsonschema import specification_with

        self.document = document
        self._of = f" of the {name} document" if name else ""
        self.dialect = dialect or dialect_of(document) or Dialect.DRAFT2020
        self._specification: Specification[object] = specification_with(self.dialect.base)
        registry = REGISTRY.with_resource("", self._specification.create_resource(document))
        resolver: Resolver[object] = registry.resolver()
        self.trimmed: dict[tuple[int, frozenset[str]], dict[str, object]] = {}
        self._bases: dict[str, int] = {}
        self._pointers: dict[int, str] | None = None
        self._followed: dict[tuple[int, str], Part] = {}
        self._has_ids = self.dialect is not Dialect.OPENAPI30
        self.root = self.enter(document, "", Part(document, "", self, resolver, self._base(resolver)))

    def _base(self, resolver: Resolver[object]) -> int:
        return self._bases.setdefault(resolver._base_uri, len(self._bases))

    def part(self, schema: object, pointer: str) -> Part:
        """A schema of the document that the caller holds, at its pointer."""
        return self.enter(schema, pointer, self.root)

    def at(self, pointer: str) -> Part:
        """The schema at a JSON pointer.

        Raises:
            InvalidDocument: there is nothing.
        """
        return self.follow(self.root, "#" + pointer)

    def enter(self, schema: object, pointer: str, parent: Part) -> Part:
        """The part for a schema below another one; an ``$id`` on it moves what references start from."""
        resolver, base = parent.resolver, parent.base
        if self._has_ids and isinstance(schema, dict) and ("$id" in schema or "id" in schema):
            named = schema.get("id" if self.dialect.base is Dialect.DRAFT4 else "$id")
            if isinstance(named, str) and not named.startswith("#"):
                resolver = resolver.in_subresource(self._specification.create_resource(schema))
                base = self._base(resolver)
        return Part(schema, pointer, self, resolver, base)

    def follow(self, part: Part, ref: object, *, keyword: str = "$ref") -> Part:
        """The schema that a reference names.

        Raises:
            InvalidDocument: it is no text, leads nowhere, or out of the document.
        """
        place = f"{part.pointer}/{keyword}"
        if not isinstance(ref, str):
            raise InvalidDocument(f"{place}{self._of} must be text such as '#/$defs/name'", field=place)
        known = self._followed.get((part.base, ref))
        if known is None:
            known = self._followed[part.base, ref] = self._lookup(part, ref, place)
        return known

    def _lookup(self, part: Part, ref: str, place: str) -> Part:
        from referencing.exceptions import Unresolvable

        try:
            found = part.resolver.lookup(ref)
        except (Unresolvable, ValueError, TypeError, LookupError, AttributeError, RecursionError):
            named = self._anchored(ref)
            if named is not None:
                return named
            if ref.startswith("#"):
                hint = "there is nothing at that place in the document"
            elif urlsplit_safe(ref):
                hint = "it leads out of the document, and nothing is fetched; bundle the documents into one"
            else:
                hint = "no schema of the document has that $id; bundle the documents into one"
            raise InvalidDocument(f"{place}{self._of} is {ref[:120]!r}: {hint}.", field=place) from None
        if ref.startswith("#/") or ref == "#":
            own = part.base == self.root.base
            pointer = unquote(ref[1:]) if own else self._pointer(found.contents, ref)
        else:
            pointer = self._pointer(found.contents, ref)
        return Part(found.contents, pointer, self, found.resolver, self._base(found.resolver))

    def _anchored(self, ref: str) -> Part | None:
        """A schema by its anchor, where the document as a whole is no schema (OpenAPI)."""
        if not self.dialect.loose or not ref.startswith("#") or not ref[1:]:
            return None
        waiting: list[tuple[object, str]] = [(self.document, "")]
        while waiting:
            value, pointer = waiting.pop()
            if isinstance(value, dict) and ref[1:] in (value.get("$anchor"), value.get("$dynamicAnchor")):
                return self.part(value, pointer)
            if isinstance(value, dict | list):
                pairs = value.items() if isinstance(value, dict) else enumerate(value)
                waiting += [(below, f"{pointer}/{escape(str(step))}") for step, below in pairs]
        return None

    def _pointer(self, contents: object, ref: str) -> str:
        if self._pointers is None:
            self._pointers = {}
            waiting: list[tuple[object, str]] = [(self.document, "")]
            while waiting:
                value, pointer = waiting.pop()
                if isinstance(value, dict | list) and id(value) not in self._pointers:
                    self._pointers[id(value)] = pointer
                    pairs = value.items() if isinstance(value, dict) else enumerate(value)
                    waiting += [(below, f"{pointer}/{escape(str(step))}") for step, below in pairs]
        return self._pointers.get(id(contents), ref)


def escape(step: str) -> str:
    """One step of a JSON pointer (RFC 6901 section 3).

    >>> escape("a/b~c")
    'a~1b~0c'
    """
    return step.replace("~", "~0").replace("/", "~1") if "~" in step or "/" in step else step


def urlsplit_safe(ref: str) -> bool:
    """Whether a reference names another host or file."""
    try:
        split = urlsplit(ref)
    except ValueError:
        return False
    return bool(split.scheme or split.netloc or split.path)
