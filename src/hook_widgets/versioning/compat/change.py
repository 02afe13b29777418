"""Results of a comparison, shared by all kinds of documents."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum


class DocumentKind(StrEnum):
    """The kind of the two documents."""

    SCHEMA = "schema"
    """JSON Schemas, draft 4 to 2020-12."""
    OPENAPI = "openapi"
    """OpenAPI documents."""
    EXAMPLE = "example"
    """Example payloads."""


class Direction(StrEnum):
    """The direction in which data flows: who writes the data that a schema describes."""

    REQUEST = "request"
    """The client writes the data. Values that were accepted must still be accepted, so narrowing breaks."""
    RESPONSE = "response"
    """The service writes the data. A client must still understand all values, so widening breaks."""
    BOTH = "both"
    """Either, or unknown. Narrowing and widening both break."""


class Breaks(StrEnum):
    """The clients that a change breaks."""

    ALWAYS = "always"
    """Clients in both directions."""
    REQUEST = "request"
    """Clients that write the data."""
    RESPONSE = "response"
    """Clients that read the data."""
    NEVER = "never"
    """No clients."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A change between two documents.

    Attributes:
        rule: the id of the rule that classified the change; a key of `RULES`.
        breaking: True if a client that worked before may fail now.
        path: JSON pointer into the new document, or into the old one if something was removed.
        location: the changed part in words, such as ``"GET /orders, response 200, total"``; empty for the
            document.
        detail: a sentence with the old and the new value.
    """

    rule: str
    breaking: bool
    path: str
    location: str
    detail: str

    def __str__(self) -> str:
        mark = "breaking" if self.breaking else "ok"
        return f"{mark}: {self.location or 'the document'}: {self.detail} [{self.rule}]"


@dataclass(frozen=True, slots=True)
class NotCompared:
    """A construct that differs, or may differ, and that no rule compares.

    Attributes:
        construct: its name in the specification, such as ``"itemEncoding"``, or a reference whose target is
            not in the document, such as ``"$ref 'common.yaml#/Id'"``.
        path: JSON pointer into the new document, or into the old one if it was removed.
    """

    construct: str
    path: str

    def __str__(self) -> str:
        return f"not compared: {self.construct} at {self.path}"

    @classmethod
    def reference(cls, text: str, path: str) -> NotCompared:
        """Return the entry for a reference whose target is not in the document.

        Args:
            text: the reference, such as ``"#/components/schemas/Order"``.
            path: its JSON pointer.
        """
        return cls(f"$ref {text[:120]!r}", path)


CHANGE_COLUMNS = ("breaking", "rule", "location", "detail", "path")
"""The column headings of `Comparison.rows`."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """All changes between two documents.

    Attributes:
        kind: the kind of the documents.
        changes: the changes: breaking ones first, then in document order.
        not_compared: constructs that differ and that no rule compares; review them yourself.
    """

    kind: DocumentKind
    changes: tuple[Change, ...] = ()
    not_compared: tuple[NotCompared, ...] = ()

    @property
    def breaking(self) -> tuple[Change, ...]:
        """The changes that break clients."""
        return tuple(change for change in self.changes if change.breaking)

    @property
    def needs_major(self) -> bool:
        """True if the new document needs a new major version."""
        return any(change.breaking for change in self.changes)

    def distinct(self) -> tuple[Change, ...]:
        """Return each change once; its `location` names the first place and the number of further ones."""
        places: dict[tuple[str, bool, str, str], list[Change]] = {}
        for change in self.changes:
            places.setdefault((change.rule, change.breaking, change.path, change.detail), []).append(change)
        distinct = []
        for first, *others in places.values():
            more = f" and {len(others)} more place{'s' * (len(others) > 1)}" if others else ""
            distinct.append(replace(first, location=first.location + more))
        return tuple(distinct)

    def rows(self) -> tuple[tuple[str, ...], ...]:
        """Return a row of strings for each change, in the columns `CHANGE_COLUMNS`."""
        return tuple(
            ("yes" if change.breaking else "no", change.rule, change.location, change.detail, change.path)
            for change in self.changes
        )

    def __str__(self) -> str:
        rest = [f"- {each}" for each in self.not_compared]
        if not self.changes:
            return "\n".join(["No difference in what was compared.", *rest]) if rest else "No difference."
        count, broken = len(self.changes), len(self.breaking)
        summary = f"{count} {'difference' if count == 1 else 'differences'}, {broken or 'none'} breaking" + (
            ": this needs a new major version." if broken else "."
        )
        # A change in many places is one line, so that one changed schema does not hide everything else.
        return "\n".join([summary, *(f"- {change}" for change in self.distinct()), *rest])


def sort_changes(
    kind: DocumentKind,
    changes: list[Change],
    not_compared: Iterable[NotCompared] = (),
    outside: Iterable[NotCompared] = (),
) -> Comparison:
    """Build a comparison: breaking changes first, duplicates removed, one entry for each of `outside`.

    >>> late = Change(rule="property-added", breaking=False, path="/a", location="a", detail="Was added.")
    >>> first = Change(rule="property-removed", breaking=True, path="/b", location="b", detail="Was removed.")
    >>> print(sort_changes(DocumentKind.SCHEMA, [late, first, late]))
    2 differences, 1 breaking: this needs a new major version.
    - breaking: b: Was removed. [property-removed]
    - ok: a: Was added. [property-added]
    """
    distinct = dict.fromkeys(changes)
    ordered = sorted(distinct, key=lambda change: not change.breaking)
    listed = dict.fromkeys(not_compared)
    others = {each.construct: each for each in outside}
    for each in listed:
        others.pop(each.construct, None)
    return Comparison(kind, tuple(ordered), (*listed, *others.values()))
