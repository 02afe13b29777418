"""The two documents of a comparison, and how a difference between them is told."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from hook_widgets.versioning.changes.change import Change, Direction
from hook_widgets.versioning.changes.openapi.place import Place, Root, written
from hook_widgets.versioning.changes.openapi.rules import BY_ID
from hook_widgets.versioning.changes.refs import Dialect, Scope
from hook_widgets.versioning.changes.schemas import SchemaDiff

_ELSEWHERE = re.compile(
    r"""'\$(?:ref|dynamicRef|recursiveRef)': (?!["']\#/(?:components|definitions|parameters|responses)/)"""
    r"""|'\$(?:id|anchor|dynamicAnchor|recursiveAnchor)':"""
)
"""A reference, in the text of a document, to another place than the parts that are kept for all."""
_SHOWN = 60
"""Characters of a value in a sentence."""


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """The old and the new document.

    Attributes:
        old: the old document.
        new: the new document.
        today: the day at which sunset dates are judged, in UTC; None: no date has passed.
        same_parts: what operations refer to is written the same in both documents.
        old_scope: resolves references of the old schemas.
        new_scope: resolves references of the new schemas.
        diff: compares schemas, and remembers those it compared.
        known: what was found for pairs of references.
        nested: pairs of operations whose callbacks were compared inside of callbacks.
    """

    old: Root
    new: Root
    today: date | None
    same_parts: bool
    old_scope: Scope
    new_scope: Scope
    diff: SchemaDiff
    known: dict[tuple[str | None, str | None, Direction], list[Change]] = field(default_factory=dict)
    nested: set[tuple[str, str]] = field(default_factory=set)

    @classmethod
    def of(cls, old: Root, new: Root, *, today: date | None = None) -> Sides:
        """Both documents, ready to be compared."""
        scopes = [Scope(root.value, dialect=_dialect(root), name=root.name) for root in (old, new)]
        texts = [_shared(root) for root in (old, new)]
        same = texts[0] is not None and texts[0] == texts[1]
        return cls(old, new, today, same, scopes[0], scopes[1], SchemaDiff(scopes[0], scopes[1]))

    def schemas(self, old: Place, new: Place, *, direction: Direction, where: str) -> Iterator[Change]:
        """The differences between two schemas; one that is missing accepts everything."""
        shared = _reference(old), _reference(new), direction
        if None in shared:
            found = list(self._compared(old, new, direction))
        else:
            # What many endpoints share is compared once.
            if shared not in self.known:
                self.known[shared] = list(self._compared(old, new, direction))
            found = self.known[shared]
        return (replace(change, where=joined(where, change.where)) for change in found)

    def _compared(self, old: Place, new: Place, direction: Direction) -> Iterator[Change]:
        changes = self.diff.changes(
            self.old_scope.part(True if old.value is None else old.value, old.pointer),
            self.new_scope.part(True if new.value is None else new.value, new.pointer),
            direction=direction,
        )
        if not (self.old.written or self.new.written):
            return changes
        return (self._written(change, new) for change in changes)

    def _written(self, change: Change, new: Place) -> Change:
        """The change with its pointer into the document before it was converted."""
        gone = change.rule == "property-removed" or not change.path.startswith(new.pointer)
        return replace(change, path=written(change.path, self.old if gone else self.new))


def told(
    rule: str, place: Place, where: str, detail: str, *, direction: Direction = Direction.REQUEST
) -> Change:
    """A change, judged by its rule.

    Args:
        rule: the id of the rule.
        place: what changed: in the new document, or in the old one when it was removed.
        where: the same in words.
        detail: one sentence with the old and the new value.
        direction: who writes the data.
    """
    return Change(rule, BY_ID[rule].breaks_in(direction), written(place.pointer, place.root), where, detail)


def documented(old: Place, new: Place, names: Iterable[str], where: str) -> Iterator[Change]:
    """One change when any of these members differ, which are only there for people."""
    before, after = old.members(follow=False), new.members(follow=False)
    changed = [
        name
        for name in names
        if (before[name].value if name in before else None) != (after[name].value if name in after else None)
    ]
    if changed:
        detail = f"The documentation changed: {', '.join(changed)}."
        yield told("documentation-changed", new, where, detail)


def joined(where: str, *parts: str) -> str:
    """A place in words, from the outside in.

    >>> joined("GET /orders", "response 200", "")
    'GET /orders, response 200'
    """
    return ", ".join(part for part in (where, *parts) if part)


def shown(value: object) -> str:
    """A value as JSON, cut for a sentence.

    >>> shown(["a", 1])
    '["a", 1]'
    """
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _reference(schema: Place) -> str | None:
    """The target of a schema that is nothing but a reference."""
    if isinstance(schema.value, Mapping) and len(schema.value) == 1:
        target = schema.value.get("$ref")
        return target if isinstance(target, str) else None
    return None


def _dialect(root: Root) -> Dialect:
    return Dialect.OPENAPI30 if root.version == "3.0" else Dialect.OPENAPI31


def _shared(root: Root) -> str | None:
    """The version and everything that operations refer to, as text; None when they also refer to each other.

    Equal texts are the same, while Python's 1 and True are equal and are not.
    """
    own = ("paths", "webhooks", "info")
    if _ELSEWHERE.search(repr([root.value.get(key) for key in own])):
        return None
    shared = repr({key: value for key, value in root.value.items() if key not in own})
    return None if _ELSEWHERE.search(shared) else shared
