"""Values of the intermediate representation: texts, the body, and values computed from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

from hook_widgets.webhooks.scheme.computed_fields import HashEncoding


@dataclass(frozen=True, slots=True)
class Text:
    """A literal text."""

    text: str


@dataclass(frozen=True, slots=True)
class Variable:
    """A text in a variable that a step or the caller has set."""

    name: str


@dataclass(frozen=True, slots=True)
class Body:
    """The raw body, bytes."""


Atom = Text | Variable | Body


@dataclass(frozen=True, slots=True)
class Join:
    """A concatenation of texts and the body; bytes if it contains the body, else text."""

    parts: tuple[Atom, ...]

    @property
    def is_bytes(self) -> bool:
        """True if the body is one of the parts."""
        return Body() in self.parts

    @property
    def runs(self) -> tuple[tuple[Text | Variable, ...] | Body, ...]:
        """The parts, with adjacent texts grouped."""
        runs: list[list[Text | Variable] | Body] = []
        for part in self.parts:
            if isinstance(part, Body):
                runs.append(part)
            elif runs and isinstance(runs[-1], list):
                runs[-1].append(part)
            else:
                runs.append([part])
        return tuple(run if isinstance(run, Body) else tuple(run) for run in runs)


@dataclass(frozen=True, slots=True)
class Digest:
    """A hash of `data` (``sha256``, ``sha1``, ``sha512``, ``md5``, ``crc32``), encoded as text."""

    algorithm: str
    data: Join
    write: HashEncoding


@dataclass(frozen=True, slots=True)
class JsonValue:
    """The text of one value of a parsed document; `missing` if it is null or absent."""

    document: str
    path: tuple[str | int, ...]
    missing: str = ""


@dataclass(frozen=True, slots=True)
class JsonLines:
    r"""``Name\nValue\n`` for each of these members that the parsed document has."""

    document: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FormValue:
    """The value of this name in a parsed form; "" if it is absent or occurs more than once."""

    form: str
    name: str


@dataclass(frozen=True, slots=True)
class SortedForm:
    """All distinct names and values of a parsed form, sorted and joined."""

    form: str


@dataclass(frozen=True, slots=True)
class SortedPairs:
    """All parameters of a parsed query, sorted: ``name=value``, joined by ``&``."""

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
class IfNotEmpty:
    """A text if the variable `condition` is not empty, else ""."""

    condition: str
    text: Join


@dataclass(frozen=True, slots=True)
class Escaped:
    """A percent-encoded text, except for letters, digits and the characters of `keep`."""

    text: Join
    keep: str


@dataclass(frozen=True, slots=True)
class SignedHeaders:
    """``name:value`` of the headers listed in `listing`, in lower case and sorted, joined by ``;``."""

    listing: str


Value = (
    Join
    | Digest
    | JsonValue
    | JsonLines
    | FormValue
    | SortedForm
    | SortedPairs
    | UrlPart
    | SortedQuery
    | IfNotEmpty
    | Escaped
    | SignedHeaders
)
