"""Values of a description and where they are written, so that every error and change can name its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.changes.refs import escape

_NOTHING: Mapping[object, object] = {}
_WORDS = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "null"}


@dataclass(frozen=True, slots=True)
class Root:
    """A whole description.

    Attributes:
        value: the document.
        name: ``"old"`` or ``"new"``, for errors.
        version: ``"3.0"`` or ``"3.1"``: how its schemas are read (2.0 is read as 3.0).
        written: where generated parts of a converted document come from: pointer to pointer.
    """

    value: Mapping[str, object]
    name: str
    version: str
    written: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Place:
    """A value and its JSON pointer (RFC 6901); the value of what is not there is None."""

    value: object
    pointer: str
    root: Root

    @property
    def exists(self) -> bool:
        """Whether anything is written there; YAML's empty value is nothing."""
        return self.value is not None

    def at(self, name: str) -> Place:
        """A member as it is written, references not followed.

        Raises:
            InvalidDocument: this is no object.
        """
        return Place(self._object().get(name), child(self.pointer, name), self.root)

    def member(self, name: str) -> Place:
        """A member, references followed.

        Raises:
            InvalidDocument: this is no object, or a reference leads nowhere.
        """
        return self.at(name).followed()

    def members(self, *, follow: bool = True) -> dict[str, Place]:
        """All members but null ones and extensions (``x-``), in order, references followed.

        Raises:
            InvalidDocument: this is no object, or a reference leads nowhere.
        """
        found: dict[str, Place] = {}
        for key, value in self._object().items():
            # YAML reads the key of `200:` as a number.
            name = key if isinstance(key, str) else str(key)
            if value is None or name.startswith("x-"):
                continue
            place = Place(value, child(self.pointer, name), self.root)
            found[name] = place.followed() if follow else place
        return found

    def items(self) -> list[Place]:
        """The members of a list, references followed.

        Raises:
            InvalidDocument: this is no list, or a reference leads nowhere.
        """
        if self.value is None:
            return []
        if not isinstance(self.value, list):
            raise self.wrong("a list")
        return [
            Place(value, f"{self.pointer}/{index}", self.root).followed()
            for index, value in enumerate(self.value)
        ]

    def text(self, name: str) -> str:
        """A member that is text; empty when it is missing.

        Raises:
            InvalidDocument: it is something else.
        """
        value = self._object().get(name)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise self.at(name).wrong("text")
        return value

    def flag(self, name: str, *, default: bool = False) -> bool:
        """A member that is true or false.

        Raises:
            InvalidDocument: it is something else.
        """
        value = self._object().get(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self.at(name).wrong("true or false")
        return value

    def followed(self) -> Place:
        """What a reference leads to; the place itself when it is none.

        Raises:
            InvalidDocument: the target is missing, outside the document, or a circle.
        """
        if not (isinstance(self.value, Mapping) and isinstance(self.value.get("$ref"), str)):
            return self
        here, seen = self, set[str]()
        while isinstance(here.value, Mapping) and isinstance(target := here.value.get("$ref"), str):
            if target in seen:
                raise self._invalid(
                    f"the reference {target[:80]!r} leads back to itself; let it name a value"
                )
            seen.add(target)
            here = here._target(target)
        return here

    def wrong(self, expected: str) -> InvalidDocument:
        """The error for a value of the wrong type."""
        found = _WORDS.get(type(self.value), "a number")
        return self._invalid(f"it must be {expected}, and is {found}")

    def _object(self) -> Mapping[object, object]:
        if self.value is None:
            return _NOTHING
        if not isinstance(self.value, Mapping):
            raise self.wrong("an object")
        return self.value

    def _target(self, reference: str) -> Place:
        if not reference.startswith("#"):
            raise self._invalid(
                f"the reference {reference[:80]!r} leads out of the document; "
                "bundle the parts into one document"
            )
        pointer = unquote(reference[1:])
        value: object = self.root.value
        for token in pointer.split("/")[1:]:
            key = token.replace("~1", "/").replace("~0", "~")
            if isinstance(value, Mapping):
                value = value.get(key)
            elif isinstance(value, list) and key.isdecimal() and len(key) < 7 and int(key) < len(value):
                value = value[int(key)]
            else:
                value = None
        if value is None or not pointer.startswith("/"):
            raise self._invalid(
                f"the reference {reference[:80]!r} leads nowhere; add its target or remove it"
            )
        return Place(value, pointer, self.root)

    def _invalid(self, what: str) -> InvalidDocument:
        pointer = written(self.pointer, self.root) or "/"
        return InvalidDocument(f"The {self.root.name} document, {pointer}: {what}.", field=self.root.name)


def child(pointer: str, name: str) -> str:
    """The JSON pointer of a member.

    >>> child("/paths", "/orders")
    '/paths/~1orders'
    """
    return f"{pointer}/{escape(name)}"


def written(pointer: str, root: Root) -> str:
    """The pointer into the document as somebody wrote it, when the place is in a part that was converted."""
    if not root.written:
        return pointer
    start = pointer
    while start:
        if start in root.written:
            return root.written[start] + pointer[len(start) :]
        start = start.rpartition("/")[0]
    return pointer
