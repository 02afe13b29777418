"""The two documents of a comparison, and helpers to build changes.

In this folder `where` is the place of a change in words, and `direction` tells who writes the data; a
`Section` has both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from hook_widgets.versioning.compat.budget import charge_text, spend
from hook_widgets.versioning.compat.change import Change, Direction, NotCompared
from hook_widgets.versioning.compat.documents.references import Dialect, Scope, Unresolved
from hook_widgets.versioning.compat.json_schema.schemas import SchemaDiff
from hook_widgets.versioning.compat.openapi.document.located import Place, Root, original_pointer
from hook_widgets.versioning.compat.rules import RULES

_ELSEWHERE = re.compile(
    r"""'\$(?:ref|dynamicRef|recursiveRef)': (?!["']\#/(?:components|definitions|parameters|responses)/)"""
    r"""|'\$(?:id|anchor|dynamicAnchor|recursiveAnchor)':"""
)
"""A reference outside the shared components, in the ``repr`` of a document."""
_ITEM = re.compile(r"(?<=/parameters)/[0-9]+$")  # the place of a parameter in its list means nothing


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DocumentPair:
    """The old and the new document.

    Attributes:
        old: the old document.
        new: the new document.
        today: the day in UTC with which sunset dates are compared; None: no date has been reached.
        same_parts: True if the parts to which operations refer are identical in both documents.
        diff: compares schemas, and caches the results.
        known: cached changes of pairs of references.
        nested: pairs of operations whose callbacks were compared inside callbacks.
    """

    old: Root
    new: Root
    today: date | None
    same_parts: bool
    diff: SchemaDiff
    known: dict[tuple[str | None, str | None, Direction], list[Change]] = field(default_factory=dict)
    nested: set[tuple[str, str]] = field(default_factory=set)

    def not_compared(self) -> list[NotCompared]:
        """Return the references without a target that differ, of schemas and of all other parts."""
        sides = [
            {
                NotCompared.reference(reference, original_pointer(_ITEM.sub("", pointer), root))
                for pointer, reference in root.unresolved.items()
                if reference.startswith("#/")
                or isinstance(scope.follow(scope.root, reference).schema, Unresolved)
            }
            for root, scope in ((self.old, self.diff.old), (self.new, self.diff.new))
        ]
        schemas = (
            replace(each, path=original_pointer(each.path, self.new)) for each in self.diff.not_compared
        )
        return [*schemas, *sorted(sides[0] ^ sides[1], key=lambda each: each.path)]

    @classmethod
    def of(cls, old: Root, new: Root, *, today: date | None = None) -> DocumentPair:
        """Prepare two documents for comparison."""
        dialects = {"3.0": Dialect.OPENAPI30, "3.1": Dialect.OPENAPI31}
        scopes = (Scope(root.value, dialect=dialects[root.version], name=root.name) for root in (old, new))
        text = _shared(old)
        same = text is not None and text == _shared(new)
        return cls(old=old, new=new, today=today, same_parts=same, diff=SchemaDiff(*scopes))

    def schemas(self, old: Place, new: Place, *, direction: Direction, where: str) -> Iterator[Change]:
        """Yield the changes between two schemas; a missing schema accepts every value."""
        shared = _reference(old), _reference(new), direction
        if None in shared:
            changes = list(self._compared(old, new, direction))
        else:
            # Schemas shared by many endpoints are compared once.
            if shared not in self.known:
                self.known[shared] = list(self._compared(old, new, direction))
            changes = self.known[shared]
        spend(10 * len(changes))
        return (replace(change, location=join_place(where, change.location)) for change in changes)

    def _compared(self, old: Place, new: Place, direction: Direction) -> Iterator[Change]:
        changes = self.diff.changes(
            self.diff.old.part(old.value if old.exists else {}, old.pointer),
            self.diff.new.part(new.value if new.exists else {}, new.pointer),
            direction=direction,
        )
        if not (self.old.source_pointers or self.new.source_pointers):
            return changes
        return (self._with_original_pointer(change, new) for change in changes)

    def _with_original_pointer(self, change: Change, new: Place) -> Change:
        """Return the change with its pointer in the document before conversion."""
        removed = change.rule == "property-removed" or not change.path.startswith(new.pointer)
        return replace(change, path=original_pointer(change.path, self.old if removed else self.new))


@dataclass(frozen=True, slots=True)
class Section:
    """A part of both documents that is compared.

    Attributes:
        documents: the two documents.
        where: the part in words, such as ``"GET /orders, response 200"``.
        direction: who writes its data.
    """

    documents: DocumentPair
    where: str
    direction: Direction

    def inside(self, *parts: str) -> Section:
        """Return a part of this one."""
        return replace(self, where=join_place(self.where, *parts))

    def change(self, rule: str, place: Place, detail: str) -> Change:
        """Build a change of this part; see `build_change`."""
        return build_change(rule, place, self.where, detail, direction=self.direction)

    def schemas(self, old: Place, new: Place) -> Iterator[Change]:
        """Yield the changes between two schemas of this part."""
        return self.documents.schemas(old, new, direction=self.direction, where=self.where)

    def documentation(self, old: Place, new: Place, names: Iterable[str]) -> Iterator[Change]:
        """Yield one change if any of these members, which only serve documentation, differ."""
        return documentation_changes(old, new, names, self.where)


def build_change(
    rule: str, place: Place, where: str, detail: str, *, direction: Direction = Direction.REQUEST
) -> Change:
    """Build a change and classify it by its rule.

    Args:
        rule: the id of the rule.
        place: the changed place, in the new document or, if removed, in the old one.
        where: the place in words.
        detail: a sentence with the old and the new value.
        direction: who writes the data.
    """
    spend(10)
    return Change(
        rule=rule,
        breaking=RULES[rule].breaks_in(direction),
        path=original_pointer(place.pointer, place.root),
        location=where,
        detail=detail,
    )


def documentation_changes(old: Place, new: Place, names: Iterable[str], where: str) -> Iterator[Change]:
    """Yield one change if any of these members, which only serve documentation, differ."""
    before, after = old.members(follow=False), new.members(follow=False)
    changed = [
        name
        for name in names
        if (before[name].value if name in before else None) != (after[name].value if name in after else None)
    ]
    if changed:
        detail = f"The documentation changed: {', '.join(changed)}."
        yield build_change("documentation-changed", new, where, detail)


def join_place(where: str, *parts: str) -> str:
    """Join the parts of a place in words, outermost first.

    >>> join_place("GET /orders", "response 200", "")
    'GET /orders, response 200'
    """
    return charge_text(", ".join(part for part in (where, *parts) if part))


def _reference(schema: Place) -> str | None:
    """Return the target of a schema that consists only of a reference."""
    if isinstance(schema.value, Mapping) and len(schema.value) == 1:
        target = schema.value.get("$ref")
        return target if isinstance(target, str) else None
    return None


def _shared(root: Root) -> str | None:
    """Return the version and all parts to which operations refer, as text.

    The result is None if operations also refer to each other.

    Text is compared because Python's 1 and True are equal although they differ in JSON.
    """
    own = ("paths", "webhooks", "info")
    if _ELSEWHERE.search(repr([root.value.get(key) for key in own])):
        return None
    shared = repr({key: value for key, value in root.value.items() if key not in own})
    return None if _ELSEWHERE.search(shared) else shared
