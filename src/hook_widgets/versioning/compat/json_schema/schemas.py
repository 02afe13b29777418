"""Compare two JSON Schemas and classify every change by a rule.

Both schemas are normalized (see `normalized`), and their constraints are compared keyword by keyword. A
constraint of the new schema that is not shown to be implied by the old one counts as narrower. So the result
"nothing breaking" is reliable: for requests, the new schema accepts every value that the old one accepts; for
responses, the other way round. The rules make the only exception: an added or newly allowed field is never
breaking, although a strict validator with the old schema may reject it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.compat.budget import CHARACTERS_PER_STEP, spend
from hook_widgets.versioning.compat.change import Change, Direction, NotCompared
from hook_widgets.versioning.compat.documents.references import Part, Scope
from hook_widgets.versioning.compat.json_schema.alternatives import compare_wrapped
from hook_widgets.versioning.compat.json_schema.annotations import compare_annotations
from hook_widgets.versioning.compat.json_schema.bounds import compare_numbers, compare_texts
from hook_widgets.versioning.compat.json_schema.composition import compare_composition
from hook_widgets.versioning.compat.json_schema.normalization import normalize
from hook_widgets.versioning.compat.json_schema.normalized import NormalizedSchema, SchemaSet
from hook_widgets.versioning.compat.json_schema.objects_and_arrays import compare_arrays, compare_objects
from hook_widgets.versioning.compat.json_schema.pair import Finding, SchemaPair, locate
from hook_widgets.versioning.compat.json_schema.values import compare_values
from hook_widgets.versioning.compat.rules import RULES, Effect

_Key = tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...], Direction]
_MAX_DEPTH = 40
"""The maximum nesting of alternatives in alternatives; deeper schemas are unreadable for people, too."""
_MAX_PAIRS = 2_500
"""The maximum number of pairs of alternatives that are compared to match them: 50 on each side."""
_MAX_NESTED_PAIRS = 256
"""The same limit inside such a comparison, for the product of the numbers of all levels."""
_MAX_PLACE_LENGTH = 1_000
"""The maximum length of a place in words, in characters."""
_COMPARISONS: tuple[Callable[[SchemaPair], None], ...] = (
    compare_values,
    compare_numbers,
    compare_texts,
    compare_objects,
    compare_arrays,
    compare_composition,
    compare_annotations,
)


_UNCERTAIN = Finding("undecided", "A condition about the schema itself may be narrower or wider now.")


@dataclass(slots=True)
class _Node:
    """A pair of schemas at its place in both documents, then its changes and the pairs below it."""

    old: SchemaSet
    new: SchemaSet
    path: str
    old_pointer: str
    new_pointer: str
    informational: bool = False
    changes: list[Change] = field(default_factory=list)
    uncertain: list[Change] = field(default_factory=list)
    below: list[_Node] = field(default_factory=list)

    def change(self, pair: SchemaPair, finding: Finding) -> Change:
        """Convert a finding into a change."""
        spend(10 + len(self.path) // CHARACTERS_PER_STEP)
        rule = RULES[finding.rule]
        form, pointer = (pair.old, self.old_pointer) if finding.removed else (pair.new, self.new_pointer)
        return Change(
            rule=rule.id,
            breaking=rule.breaks_in(pair.direction) and not self.informational,
            path=finding.pointer or locate(form, pointer, finding.tail),
            location=_joined(self.path, finding.step),
            detail=finding.detail,
        )


class SchemaDiff:
    """Comparison of the schemas of one old and one new document, with cached results.

    >>> old = Scope({"type": "object", "properties": {"total": {"type": "integer"}}})
    >>> new = Scope({"type": "object", "properties": {"total": {"type": "string"}}})
    >>> for change in SchemaDiff(old, new).changes(old.root, new.root, direction=Direction.RESPONSE):
    ...     print(change)
    breaking: total: The type was integer and is now string. [type-changed]
    """

    def __init__(self, old: Scope, new: Scope) -> None:
        self.old = old
        self.new = new
        self.not_compared: dict[NotCompared, None] = {}
        self._forms: tuple[dict[object, NormalizedSchema], dict[object, NormalizedSchema]] = ({}, {})
        self._pairs: dict[_Key, SchemaPair] = {}
        self._in_progress: set[_Key] = set()
        self._equal: set[_Key] = set()
        self._effects: dict[_Key, tuple[Effect, bool]] = {}
        self._depth = 0
        self._pair_count = 1

    def changes(self, old: Part, new: Part, *, direction: Direction = Direction.BOTH) -> Iterator[Change]:
        """Yield every change between two schemas in document order; each pair of places is reported once."""
        child_keys: dict[_Key, list[_Key]] = {}
        visited: set[tuple[_Key, bool]] = set()
        differing: set[_Key] = set()
        any_effect = False
        # By breadth, so that a pair that occurs several times is reported at its outermost place.
        nodes = [_Node((old,), (new,), "", old.pointer, new.pointer)]
        for node in nodes:
            old_node, new_node = _resolved(node.old), _resolved(node.new)
            key = _key(old_node, new_node, direction)
            if (key, node.informational) in visited or (key, False) in visited or key in self._equal:
                continue
            visited.add((key, node.informational))
            spend(5 + len(node.path) // CHARACTERS_PER_STEP)
            pair = self._pair(key, old_node, new_node, direction)
            for finding in pair.findings:
                any_effect = any_effect or (not node.informational and bool(_effect(finding)))
                node.changes.append(node.change(pair, finding))
            if pair.assumed:
                node.uncertain.append(node.change(pair, _UNCERTAIN))
            for reference in sorted(pair.unresolved):
                self.not_compared[NotCompared.reference(reference, node.new_pointer)] = None
            if pair.findings or pair.assumed or pair.unresolved:
                differing.add(key)
            child_keys[key] = []
            for child in pair.children:
                one, other = _resolved(child.old), _resolved(child.new)
                child_keys[key].append(_key(one, other, direction))
                old_pointer = one[0].pointer if one else locate(pair.old, node.old_pointer, child.tail)
                new_pointer = other[0].pointer if other else locate(pair.new, node.new_pointer, child.tail)
                informational = node.informational or child.informational
                path = _joined(node.path, child.step)
                node.below.append(_Node(one, other, path, old_pointer, new_pointer, informational))
            nodes += node.below
        self._remember_equal(child_keys, differing)
        uncertain: list[Change] = []
        pending = nodes[:1]
        while pending:  # in document order
            node = pending.pop()
            yield from node.changes
            uncertain += node.uncertain
            pending += reversed(node.below)
        if any_effect:
            yield from uncertain

    def _remember_equal(self, child_keys: dict[_Key, list[_Key]], differing: set[_Key]) -> None:
        """Mark the pairs below which nothing differs, so that later comparisons skip them."""
        above: dict[_Key, list[_Key]] = {}
        for key, below in child_keys.items():
            for child_key in below:
                above.setdefault(child_key, []).append(key)
        reached = set(differing)
        pending = list(differing)
        while pending:
            for key in above.get(pending.pop(), ()):
                if key not in reached:
                    reached.add(key)
                    pending.append(key)
        self._equal.update(child_keys.keys() - reached)
        for key in reached:
            pair = self._pairs[key]
            pair.children = [
                child for child, below in zip(pair.children, child_keys[key], strict=True) if below in reached
            ]

    def schemas_read(self) -> set[int]:
        """Return the ids of the schemas of the new document that were compared so far."""
        forms = self._forms[1].values()
        return {id(part.schema) for form in forms for part in (*form.parts, *form.merged_parts)}

    def normalize_old(self, node: SchemaSet) -> NormalizedSchema:
        """Return the normalized form of schemas of the old document."""
        return _cached(self._forms[0], node)

    def normalize_new(self, node: SchemaSet) -> NormalizedSchema:
        """Return the normalized form of schemas of the new document."""
        return _cached(self._forms[1], node)

    @contextmanager
    def limit_pairs(self, pairs: int) -> Iterator[bool]:
        """Limit the comparison of pairs of alternatives; see `Comparer.limit_pairs`."""
        before = self._pair_count
        self._pair_count *= max(1, pairs)
        try:
            yield self._pair_count <= (_MAX_NESTED_PAIRS if before > 1 else _MAX_PAIRS)
        finally:
            self._pair_count = before

    def effect(self, old: SchemaSet, new: SchemaSet, direction: Direction) -> tuple[Effect, bool]:
        """Return the effect of the change on the accepted data, and whether it is certain.

        The effect is uncertain if the schema contains itself, so that a part of the comparison is still in
        progress. The missing part is then reported at its own place.
        """
        old, new = _resolved(old), _resolved(new)
        start = _key(old, new, direction)
        if start in self._effects:
            return self._effects[start]
        visited: set[_Key] = set()
        pending = [(old, new)]
        effect, certain, uncertain = Effect.NONE, True, False
        while pending and effect is not Effect.CHANGES:
            old_node, new_node = (_resolved(node) for node in pending.pop())
            key = _key(old_node, new_node, direction)
            if key in visited or key in self._equal:
                continue
            visited.add(key)
            spend(3)
            if key in self._in_progress:
                certain = False
                continue
            pair = self._pair(key, old_node, new_node, direction)
            for finding in pair.findings:
                effect |= _effect(finding)
            effect = Effect.CHANGES if pair.unresolved else effect
            uncertain = uncertain or pair.assumed
            pending += [(child.old, child.new) for child in pair.children if not child.informational]
        if effect and uncertain:
            effect = Effect.CHANGES
        result = effect, certain or effect is Effect.CHANGES
        if result == (Effect.NONE, True):
            self._effects.update(dict.fromkeys(visited, result))  # the pairs below were visited, too
        if not self._in_progress or result[1]:
            self._effects[start] = result
        return result

    def _pair(self, key: _Key, old_node: SchemaSet, new_node: SchemaSet, direction: Direction) -> SchemaPair:
        known = self._pairs.get(key)
        if known is not None:
            return known
        spend(60)
        if self._depth >= _MAX_DEPTH:
            at = new_node[0].pointer if new_node else ""
            raise InvalidDocument(
                f"{at or 'the schema'}: alternatives are nested more than {_MAX_DEPTH} deep; flatten them",
                field=at,
            )
        old, new = self.normalize_old(old_node), self.normalize_new(new_node)
        if bool(old.groups) != bool(new.groups):
            # Only one side has alternatives: compare the forms before their alternatives were merged.
            old, new = (form if form.groups else form.unmerged or form for form in (old, new))
        pair = SchemaPair(
            comparer=self, direction=direction, old_node=old_node, new_node=new_node, old=old, new=new
        )
        self._in_progress.add(key)
        self._depth += 1
        try:
            if pair.unresolved:
                pass
            elif compare_wrapped(pair):
                compare_annotations(pair)
            else:
                for compare in _COMPARISONS:
                    compare(pair)
        finally:
            self._in_progress.discard(key)
            self._depth -= 1
        self._pairs[key] = pair
        return pair


def _effect(finding: Finding) -> Effect:
    return RULES[finding.rule].effect if finding.effect is None else finding.effect


def _resolved(node: SchemaSet) -> SchemaSet:
    return (node[0].target(),) if len(node) == 1 else node


def _cached(forms: dict[object, NormalizedSchema], node: SchemaSet) -> NormalizedSchema:
    node = _resolved(node)
    key = tuple(part.key for part in node)
    known = forms.get(key)
    if known is None:
        known = forms[key] = normalize(node)
    return known


def _key(old: SchemaSet, new: SchemaSet, direction: Direction) -> _Key:
    spend((len(old) + len(new)) // 4)
    return tuple(part.key for part in old), tuple(part.key for part in new), direction


def _joined(path: str, step: str) -> str:
    text = (path + step).strip() if not path or not step or step[0] in "[ " else f"{path}.{step}"
    # Schemas that refer to one another in a circle have places of thousands of characters.
    return (
        text
        if len(text) <= _MAX_PLACE_LENGTH
        else f"{text[: _MAX_PLACE_LENGTH // 2]}…{text[1 - _MAX_PLACE_LENGTH // 2 :]}"
    )
