"""Resolve references (``$ref``, ``$id`` and anchors) inside one document with the library referencing.

Nothing is fetched: a reference whose target is not in the document becomes an `Unresolved` schema.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import unquote

from hook_widgets._optional import require
from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.compat.budget import charge_text, spend
from hook_widgets.versioning.compat.change import NotCompared

if TYPE_CHECKING:
    from referencing import Specification
    from referencing._core import Resolver

_UNRESOLVED = (ValueError, TypeError, LookupError, AttributeError, RecursionError)
"""Exceptions that the library raises for malformed documents."""
_MAX_HOPS = 100
"""The maximum number of references in a row; more are almost certainly circular."""


class Dialect(StrEnum):
    """The dialect in which a schema is written."""

    DRAFT4 = "http://json-schema.org/draft-04/schema"
    DRAFT6 = "http://json-schema.org/draft-06/schema"
    DRAFT7 = "http://json-schema.org/draft-07/schema"
    DRAFT2019 = "https://json-schema.org/draft/2019-09/schema"
    DRAFT2020 = "https://json-schema.org/draft/2020-12/schema"
    OPENAPI30 = "openapi-3.0"
    """The Schema Object of OpenAPI 3.0 (and of Swagger 2.0): an extended subset of draft 5."""
    OPENAPI31 = "https://spec.openapis.org/oas/3.1/dialect/base"
    """The Schema Object of OpenAPI 3.1: 2020-12 with additional keywords."""

    @property
    def base(self) -> Dialect:
        """The draft on which the dialect is based."""
        return {Dialect.OPENAPI30: Dialect.DRAFT4, Dialect.OPENAPI31: Dialect.DRAFT2020}.get(self, self)

    @property
    def keeps_siblings(self) -> bool:
        """True if keywords beside ``$ref`` apply (2019-09 and later)."""
        return self.base in (Dialect.DRAFT2019, Dialect.DRAFT2020)

    @property
    def is_openapi(self) -> bool:
        """True for OpenAPI dialects, where ``oneOf`` is read as ``anyOf`` because documents mean a choice."""
        return self in (Dialect.OPENAPI30, Dialect.OPENAPI31)

    @property
    def has_prefix_items(self) -> bool:
        """True if ``prefixItems``, not a list in ``items``, defines the first items."""
        return self.base is Dialect.DRAFT2020


def dialect_of(schema: object) -> Dialect | None:
    """Return the dialect in ``$schema``; None if it is missing or unknown.

    >>> dialect_of({"$schema": "http://json-schema.org/draft-07/schema#"}).name
    'DRAFT7'
    """
    named = schema.get("$schema") if isinstance(schema, Mapping) else None
    if not isinstance(named, str):
        return None
    text = named.rstrip("#").removeprefix("https://").removeprefix("http://")
    return next((dialect for dialect in Dialect if text and dialect.partition("//")[2] == text), None)


@dataclass(frozen=True, slots=True)
class Unresolved:
    """The schema of a reference whose target is not in the document; nothing is known but its text."""

    reference: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Part:
    """A schema inside a document.

    Attributes:
        schema: the JSON value.
        pointer: its JSON pointer in the document.
        scope: the document.
        resolver: resolves references at this place.
        base: number of the resolver's base URI, for cache keys.
    """

    schema: object
    pointer: str
    scope: Scope
    resolver: Resolver[object]
    base: int

    @property
    def key(self) -> tuple[int, int]:
        """A key that is equal for equal schemas of one document."""
        return id(self.schema), self.base

    def child(self, schema: object, *steps: str | int) -> Part:
        """Return a subschema."""
        pointer = self.pointer
        for step in steps:
            pointer += f"/{escape(step)}" if isinstance(step, str) else f"/{step}"
        spend(1)
        return self.scope.enter(schema, charge_text(pointer), self)

    def without(self, words: frozenset[str]) -> Part:
        """Return this schema without some of its keywords; the same object for the same keywords."""
        known = self.scope.trimmed.get((id(self.schema), words))
        if known is None:
            assert isinstance(self.schema, dict)
            rest = {word: value for word, value in self.schema.items() if word not in words}
            known = self.scope.trimmed[id(self.schema), words] = rest
        return replace(self, schema=known)

    def target(self) -> Part:
        """Return this schema, or its target if it consists only of a reference."""
        part = self
        for _ in range(_MAX_HOPS):
            schema = part.schema
            if not isinstance(schema, dict) or not isinstance(schema.get("$ref"), str):
                break
            if len(schema) > 1 and part.scope.dialect.keeps_siblings:
                break
            spend(1)
            part = self.scope.follow(part, schema["$ref"])
        return part

    def extensions(self) -> list[str]:
        """Return references to the components that extend this one by ``allOf``, directly or not."""
        references = [f"#{self.pointer}"]
        known = set(references)
        for reference in references:
            more = [other for other in self.scope.extended.get(reference, ()) if other not in known]
            references += more
            known.update(more)
        spend(len(references))
        return references[1:]


class Scope:
    """A document in which references are resolved.

    Args:
        document: the parsed JSON value. The scope keeps a reference to it, so it must not be modified.
        dialect: the dialect of its schemas; None: the one in ``$schema``, else 2020-12.
        name: the name of the document in messages.

    >>> scope = Scope({"$ref": "#/$defs/id", "$defs": {"id": {"type": "integer"}}})
    >>> scope.follow(scope.root, "#/$defs/id").schema
    {'type': 'integer'}
    """

    def __init__(self, document: object, *, dialect: Dialect | None = None, name: str = "") -> None:
        require("jsonschema", "jsonschema", "comparing schemas", InvalidDocument)
        from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]
        from referencing.jsonschema import specification_with

        self.document = document
        self._suffix = f" of the {name} document" if name else ""
        self.dialect: Dialect = dialect or dialect_of(document) or Dialect.DRAFT2020
        self._specification: Specification[object] = specification_with(self.dialect.base)
        registry = REGISTRY.with_resource("", self._specification.create_resource(document))
        with suppress(*_UNRESOLVED):
            registry = registry.crawl()  # otherwise each lookup would crawl again
        resolver: Resolver[object] = registry.resolver()
        self.trimmed: dict[tuple[int, frozenset[str]], dict[str, object]] = {}
        self._bases: dict[str, int] = {}
        self._pointers: dict[int, str] | None = None
        self._anchors: dict[str, Part] | None = None
        self._followed: dict[tuple[int, str], Part] = {}
        self._has_ids = self.dialect is not Dialect.OPENAPI30
        self.root: Part = self.enter(
            document,
            "",
            Part(schema=document, pointer="", scope=self, resolver=resolver, base=self._base(resolver)),
        )

    @cached_property
    def extended(self) -> dict[str, list[str]]:
        """References to the components of OpenAPI that name another in ``allOf``, by the other's."""
        extended: dict[str, list[str]] = {}
        for folder in (("components", "schemas"), ("definitions",)) if self.dialect.is_openapi else ():
            schemas: object = self.document
            for step in folder:
                schemas = schemas.get(step) if isinstance(schemas, Mapping) else None
            for name, schema in schemas.items() if isinstance(schemas, Mapping) else ():
                bases = schema.get("allOf") if isinstance(schema, Mapping) else None
                for base in bases if isinstance(bases, list) else ():
                    if isinstance(base, Mapping):
                        own = "/".join(["#", *folder, escape(str(name))])
                        extended.setdefault(str(base.get("$ref")), []).append(own)
        return extended

    def _base(self, resolver: Resolver[object]) -> int:
        return self._bases.setdefault(resolver._base_uri, len(self._bases))

    def part(self, schema: object, pointer: str) -> Part:
        """Return the part for a schema of the document and its pointer."""
        return self.enter(schema, pointer, self.root)

    def enter(self, schema: object, pointer: str, parent: Part) -> Part:
        """Return the part for a subschema; an ``$id`` on it changes the base URI of references."""
        resolver, base = parent.resolver, parent.base
        if self._has_ids and isinstance(schema, dict) and ("$id" in schema or "id" in schema):
            named = schema.get("id" if self.dialect.base is Dialect.DRAFT4 else "$id")
            if isinstance(named, str) and not named.startswith("#"):
                resolver = resolver.in_subresource(self._specification.create_resource(schema))
                base = self._base(resolver)
        return Part(schema=schema, pointer=pointer, scope=self, resolver=resolver, base=base)

    def follow(self, part: Part, ref: object, *, keyword: str = "$ref") -> Part:
        """Return the schema that a reference names; `Unresolved`, in its own place, if it has no target."""
        place = f"{part.pointer}/{keyword}"
        if not isinstance(ref, str):
            raise InvalidDocument(
                f"{place}{self._suffix} must be text; write one such as '#/$defs/name'", field=place
            )
        known = self._followed.get((part.base, ref))
        if known is None:
            known = self._followed[part.base, ref] = self._lookup(part, ref)
        return replace(known, pointer=part.pointer) if isinstance(known.schema, Unresolved) else known

    def outside(self, document: object, pointer: str = "") -> Iterator[NotCompared]:
        """Yield the references of a document to other files, whose content nobody knows."""
        spend(1)
        members = dict(enumerate(document)) if isinstance(document, list) else document
        if not isinstance(members, Mapping):
            return
        ref = members.get("$ref")
        if isinstance(ref, str) and not ref.startswith("#"):
            target = self.follow(self.root, ref).schema
            yield from [NotCompared.reference(ref, pointer)] if isinstance(target, Unresolved) else ()
        for name, member in members.items():
            if isinstance(member, (dict, list)):
                yield from self.outside(member, f"{pointer}/{escape(str(name))}")

    def _lookup(self, part: Part, ref: str) -> Part:
        from referencing.exceptions import Unresolvable

        try:
            resolved = part.resolver.lookup(ref)
        except (Unresolvable, *_UNRESOLVED):
            return self._anchored(ref) or replace(part, schema=Unresolved(ref))
        own = part.base == self.root.base and (ref.startswith("#/") or ref == "#")
        pointer = unquote(ref[1:]) if own else self._pointer(resolved.contents, ref)
        return Part(
            schema=resolved.contents,
            pointer=pointer,
            scope=self,
            resolver=resolved.resolver,
            base=self._base(resolved.resolver),
        )

    def _anchored(self, ref: str) -> Part | None:
        """Return a schema by its anchor, for documents that are not a schema themselves (OpenAPI)."""
        if not self.dialect.is_openapi or not ref.startswith("#") or not ref[1:]:
            return None
        if self._anchors is None:
            self._anchors = {}
            for value, pointer in self._below():
                if isinstance(value, dict):
                    for word in ("$anchor", "$dynamicAnchor"):
                        if isinstance(name := value.get(word), str):
                            self._anchors.setdefault(name, self.part(value, pointer))
        return self._anchors.get(ref[1:])

    def _pointer(self, contents: object, ref: str) -> str:
        if self._pointers is None:
            self._pointers = {}
            for value, pointer in self._below():
                self._pointers.setdefault(id(value), pointer)
        return self._pointers.get(id(contents), ref)

    def _below(self) -> Iterator[tuple[object, str]]:
        """Yield all objects and lists of the document with their pointers."""
        waiting: list[tuple[object, str]] = [(self.document, "")]
        while waiting:
            value, pointer = waiting.pop()
            yield value, pointer
            pairs = value.items() if isinstance(value, dict) else enumerate(value)  # type: ignore[arg-type]
            waiting += [
                (below, charge_text(f"{pointer}/{escape(str(step))}"))
                for step, below in pairs
                if isinstance(below, dict | list)
            ]


def escape(step: str) -> str:
    """Escape one step of a JSON pointer (RFC 6901 section 3).

    >>> escape("a/b~c")
    'a~1b~0c'
    """
    return step.replace("~", "~0").replace("/", "~1") if "~" in step or "/" in step else step
