"""What a comparison finds: the records that every kind of document shares."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum


class Kind(StrEnum):
    """What the two documents are."""

    SCHEMA = "schema"
    """JSON Schemas, draft 4 to 2020-12."""
    OPENAPI = "openapi"
    """OpenAPI documents."""
    EXAMPLE = "example"
    """Example payloads."""


class Direction(StrEnum):
    """Who writes the data that a schema describes."""

    REQUEST = "request"
    """A client writes it: what was accepted must still be accepted, so narrowing breaks."""
    RESPONSE = "response"
    """The service writes it: a client must still understand all of it, so widening breaks."""
    BOTH = "both"
    """Either, or not known: narrowing and widening both break."""


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two documents.

    Attributes:
        rule: the id of the rule that judged it; a key of `RULES`.
        breaking: a client that was right before may fail now.
        path: JSON pointer into the new document; into the old one for what was removed.
        where: the place in words, such as ``"GET /orders, response 200, total"``; empty for the whole.
        detail: one sentence with the old and the new value.
    """

    rule: str
    breaking: bool
    path: str
    where: str
    detail: str

    def __str__(self) -> str:
        mark = "breaking" if self.breaking else "ok"
        return f"{mark}: {self.where or 'the document'}: {self.detail} [{self.rule}]"


_PLACES = ("places", "place")
COLUMNS = ("breaking", "rule", "where", "detail", "path")
"""The headings of `Comparison.rows`."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """All differences between two documents.

    Attributes:
        kind: what the documents are.
        changes: the differences: breaking ones first, then in the order of the documents.
    """

    kind: Kind
    changes: tuple[Change, ...] = ()

    @property
    def breaking(self) -> tuple[Change, ...]:
        """The differences that break clients."""
        return tuple(change for change in self.changes if change.breaking)

    @property
    def needs_major(self) -> bool:
        """Whether the new document needs a new major version."""
        return any(change.breaking for change in self.changes)

    def distinct(self) -> tuple[Change, ...]:
        """Each change once, however many places share it: ``where`` is the first of them and their number."""
        places: dict[tuple[str, bool, str, str], list[Change]] = {}
        for change in self.changes:
            places.setdefault((change.rule, change.breaking, change.path, change.detail), []).append(change)
        return tuple(
            same[0]
            if len(same) == 1
            else replace(same[0], where=f"{same[0].where} and {len(same) - 1} more {_PLACES[len(same) == 2]}")
            for same in places.values()
        )

    def rows(self) -> tuple[tuple[str, ...], ...]:
        """One row of texts for each difference, under the headings `COLUMNS`."""
        return tuple(
            ("yes" if change.breaking else "no", change.rule, change.where, change.detail, change.path)
            for change in self.changes
        )

    def __str__(self) -> str:
        if not self.changes:
            return "No difference."
        count, broken = len(self.changes), len(self.breaking)
        said = f"{count} {'difference' if count == 1 else 'differences'}, {broken or 'none'} breaking" + (
            ": this needs a new major version." if broken else "."
        )
        # What many places share is one line: else one changed schema would hide everything else.
        return "\n".join([said, *(f"- {change}" for change in self.distinct())])


def ordered(kind: Kind, changes: list[Change]) -> Comparison:
    """A comparison with the breaking changes first and no change told twice.

    >>> late = Change("property-added", False, "/properties/a", "a", "Field a was added.")
    >>> first = Change("property-removed", True, "/properties/b", "b", "Field b was removed.")
    >>> print(ordered(Kind.SCHEMA, [late, first, late]))
    2 differences, 1 breaking: this needs a new major version.
    - breaking: b: Field b was removed. [property-removed]
    - ok: a: Field a was added. [property-added]
    """
    told = dict.fromkeys(changes)
    return Comparison(kind, tuple(sorted(told, key=lambda change: not change.breaking)))
