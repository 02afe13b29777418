"""Values of an OpenAPI document with their locations, for error messages and changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import unquote

from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.compat.budget import charge_text, spend
from hook_widgets.versioning.compat.documents.references import escape

_T = TypeVar("_T", str, bool)
_NOTHING: Mapping[object, object] = {}
_WORDS = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "null"}


@dataclass(frozen=True, slots=True)
class Root:
    """An OpenAPI document.

    Attributes:
        value: the document.
        name: ``"old"`` or ``"new"``, for errors.
        version: ``"3.0"`` or ``"3.1"``: the version by which its schemas are read (3.0 for Swagger 2.0).
        source_pointers: pointers of generated parts, mapped to their pointers in the document before
            conversion.
        unresolved: the references whose targets are not in the document, by the pointers of their objects.
    """

    value: Mapping[str, object]
    name: str
    version: str
    source_pointers: Mapping[str, str]
    unresolved: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Place:
    """A value with its JSON pointer (RFC 6901); a missing value is None."""

    value: object
    pointer: str
    root: Root

    @property
    def exists(self) -> bool:
        """True if there is a value; an empty value of YAML is none."""
        return self.value is not None

    @property
    def known(self) -> bool:
        """False for the target of a reference that leads nowhere."""
        return self.value is not _NOTHING

    def at(self, name: str) -> Place:
        """Return a member without resolving references."""
        return Place(self._object().get(name), child(self.pointer, name), self.root)

    def member(self, name: str) -> Place:
        """Return a member with references resolved."""
        return self.at(name).followed()

    def members(self, *, follow: bool = True) -> dict[str, Place]:
        """Return all members in order, except null ones and extensions (``x-``).

        References are resolved unless `follow` is False.
        """
        members = self.entries(follow=follow)
        return {name: place for name, place in members.items() if not name.startswith("x-")}

    def entries(self, *, follow: bool = True) -> dict[str, Place]:
        """Return the entries of a map in order, except null ones.

        Such a map, for example of headers, cannot be extended: ``x-request-id`` is a name like any other.
        References are resolved unless `follow` is False.
        """
        entries: dict[str, Place] = {}
        spend(len(self._object()))
        for key, value in self._object().items():
            # YAML reads the key of `200:` as a number.
            name = key if isinstance(key, str) else str(key)
            if value is None:
                continue
            place = Place(value, child(self.pointer, name), self.root)
            entries[name] = place.followed() if follow else place
        return entries

    def items(self) -> list[Place]:
        """Return the items of a list with references resolved."""
        if self.value is None:
            return []
        if not isinstance(self.value, list):
            raise self.wrong("a list")
        spend(len(self.value))
        return [
            Place(value, f"{self.pointer}/{index}", self.root).followed()
            for index, value in enumerate(self.value)
        ]

    def text(self, name: str) -> str:
        """Return a string member; an empty string if it is missing."""
        return self._typed(name, "", "text")

    def flag(self, name: str, *, default: bool = False) -> bool:
        """Return a boolean member."""
        return self._typed(name, default, "true or false")

    def _typed(self, name: str, default: _T, words: str) -> _T:
        value = self._object().get(name)
        if value is None:
            return default
        if not isinstance(value, type(default)):
            raise self.at(name).wrong(words)
        return value

    def followed(self) -> Place:
        """Return the target of a reference, an empty object if it is missing; the place itself otherwise."""
        if not (isinstance(self.value, Mapping) and isinstance(self.value.get("$ref"), str)):
            return self
        here, targets = self, set[str]()
        while isinstance(here.value, Mapping) and isinstance(target := here.value.get("$ref"), str):
            if target in targets:
                raise self._invalid(
                    f"the reference {target[:80]!r} leads back to itself; let it name a value"
                )
            targets.add(target)
            spend(5)
            here = here._target(target)
        return here

    def wrong(self, expected: str) -> InvalidDocument:
        """Return the error for a value of the wrong type."""
        actual = _WORDS.get(type(self.value), "a number")
        return self._invalid(f"it must be {expected}, and is {actual}")

    def _object(self) -> Mapping[object, object]:
        if self.value is None:
            return _NOTHING
        if not isinstance(self.value, Mapping):
            raise self.wrong("an object")
        return self.value

    def _target(self, reference: str) -> Place:
        file, _, fragment = reference.partition("#")
        pointer = unquote(fragment)
        value: object = None if file or not pointer.startswith("/") else self.root.value
        for token in pointer.split("/")[1:]:
            key = token.replace("~1", "/").replace("~0", "~")
            if isinstance(value, Mapping):
                value = value.get(key)
            elif isinstance(value, list) and key.isdecimal() and len(key) < 7 and int(key) < len(value):
                value = value[int(key)]
            else:
                value = None
        if value is None:
            self.root.unresolved[self.pointer] = reference
            return Place(_NOTHING, self.pointer, self.root)
        return Place(value, pointer, self.root)

    def _invalid(self, problem: str) -> InvalidDocument:
        pointer = original_pointer(self.pointer, self.root) or "/"
        return InvalidDocument(f"the {self.root.name} document, {pointer}: {problem}", field=self.root.name)


def child(pointer: str, name: str) -> str:
    """Return the JSON pointer of a member.

    >>> child("/paths", "/orders")
    '/paths/~1orders'
    """
    return charge_text(f"{pointer}/{escape(name)}")


def same_content(old: Place, new: Place) -> bool:
    """Return whether two parameters or headers are equal but for names and documentation."""
    ignored = ("name", "description", "example", "examples")
    before, after = (
        {name: place.value for name, place in side.members(follow=False).items() if name not in ignored}
        for side in (old, new)
    )
    return before == after


def original_pointer(pointer: str, root: Root) -> str:
    """Return the pointer in the document before conversion, if the place is in a converted part."""
    if not root.source_pointers:
        return pointer
    start = pointer
    while start:
        if start in root.source_pointers:
            return root.source_pointers[start] + pointer[len(start) :]
        start = start.rpartition("/")[0]
    return pointer
