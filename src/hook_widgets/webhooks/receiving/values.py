"""What a receiver computes with: texts, the body, and what is worked out from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

from hook_widgets.webhooks.scheme.derived import Write


@dataclass(frozen=True, slots=True)
class Text:
    """A text that is known now."""

    text: str


@dataclass(frozen=True, slots=True)
class Variable:
    """A text that a step or the caller has put into a variable."""

    name: str


@dataclass(frozen=True, slots=True)
class Body:
    """The raw body, bytes."""


Atom = Text | Variable | Body


@dataclass(frozen=True, slots=True)
class Join:
    """Texts and the body, one after the other; bytes when the body is among them."""

    parts: tuple[Atom, ...]

    @property
    def is_bytes(self) -> bool:
        """Whether the body is a part of it."""
        return Body() in self.parts

    @property
    def runs(self) -> tuple[tuple[Text | Variable, ...] | Body, ...]:
        """The same with neighbouring texts put together."""
        found: list[list[Text | Variable] | Body] = []
        for part in self.parts:
            if isinstance(part, Body):
                found.append(part)
            elif found and isinstance(found[-1], list):
                found[-1].append(part)
            else:
                found.append([part])
        return tuple(run if isinstance(run, Body) else tuple(run) for run in found)


@dataclass(frozen=True, slots=True)
class Digest:
    """A hash (``sha256``, ``sha1``, ``sha512``, ``md5``, ``crc32``), written as text."""

    algorithm: str
    of: Join
    write: Write


@dataclass(frozen=True, slots=True)
class JsonValue:
    """The text of one value of a parsed document; `missing` when it is null or not there."""

    document: str
    path: tuple[str | int, ...]
    missing: str = ""


@dataclass(frozen=True, slots=True)
class JsonLines:
    r"""``Name\nValue\n`` for each of these members of a parsed document that is there."""

    document: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FormValue:
    """The first value of this name in a parsed form; "" when it is not there."""

    form: str
    name: str


@dataclass(frozen=True, slots=True)
class SortedForm:
    """All distinct names and values of a parsed form, sorted and joined."""

    form: str


@dataclass(frozen=True, slots=True)
class UrlPart:
    """A part of the URL: ``base`` (before "?"), ``query``, ``path`` (at least "/"), ``host`` with port."""

    part: OneOf["base", "query", "path", "host"]


@dataclass(frozen=True, slots=True)
class SortedQuery:
    """The parts of a query, sorted."""

    query: str


@dataclass(frozen=True, slots=True)
class WhenFilled:
    """A text when that variable is not empty, else nothing."""

    condition: str
    text: str


@dataclass(frozen=True, slots=True)
class Escaped:
    """Percent-encoded, except letters, digits and the characters of `keep`."""

    of: Join
    keep: str


@dataclass(frozen=True, slots=True)
class SignedHeaders:
    """``name:value`` of the headers that this header lists, in lower case and sorted, joined by ``;``."""

    listing: str


Value = (
    Join
    | Digest
    | JsonValue
    | JsonLines
    | FormValue
    | SortedForm
    | UrlPart
    | SortedQuery
    | WhenFilled
    | Escaped
    | SignedHeaders
)
