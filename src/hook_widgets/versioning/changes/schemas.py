"""Two schemas: every difference, each judged by a rule.

Both are read into what they demand (`forms`), and what each keyword of the new one demands is compared with
what the old one demanded. Whatever is not shown to be implied counts as narrower, so that "nothing breaking"
can be relied on: for requests every value that the old schema accepts is accepted by the new one, for
responses the other way round. The exceptions are those of the rules themselves: a field that is added, or
allowed, is never called breaking, though a strict validator with the old schema may refuse it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.changes.alternatives import compare_wrapped
from hook_widgets.versioning.changes.arrays import compare_arrays
from hook_widgets.versioning.changes.bounds import compare_numbers, compare_texts
from hook_widgets.versioning.changes.change import Change, Direction
from hook_widgets.versioning.changes.composition import compare_composition
from hook_widgets.versioning.changes.forms import Form, Node
from hook_widgets.versioning.changes.notes import compare_notes
from hook_widgets.versioning.changes.objects import compare_objects
from hook_widgets.versioning.changes.pair import Finding, Pair, place
from hook_widgets.versioning.changes.reading import form_of
from hook_widgets.versioning.changes.refs import Part, Scope
from hook_widgets.versioning.changes.rules import SCHEMA_RULES, Effect, table
from hook_widgets.versioning.changes.values import compare_values

_RULES = table(SCHEMA_RULES)
_Key = tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...], Direction]
_DEEPEST = 40
"""Alternatives within alternatives, beyond which nobody could read the schema either."""
_COMPARISONS: tuple[Callable[[Pair], None], ...] = (
    compare_values,
    compare_numbers,
    compare_texts,
    compare_objects,
    compare_arrays,
    compare_composition,
    compare_notes,
)


_Waiting = tuple[Node, Node, str, str, str, bool]
_DOUBT = Finding("undecided", "A condition about the schema itself may be narrower or wider now.")


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a pair stands."""

    direction: Direction
    where: str
    path: str
    old_pointer: str
    new_pointer: str
    mute: bool

    def change(self, pair: Pair, finding: Finding) -> Change:
        """A finding as it is told."""
        rule = _RULES[finding.rule]
        form, pointer = (pair.old, self.old_pointer) if finding.gone else (pair.new, self.new_pointer)
        where = ", ".join(part for part in (self.where, _joined(self.path, finding.step)) if part)
        pointer = place(form, pointer, finding.tail)
        return Change(
            rule.id, rule.breaks_in(self.direction) and not self.mute, pointer, where, finding.detail
        )


class SchemaDiff:
    """Compares schemas of one old and one new document; holds what it found, so that nothing is done twice.

    Args:
        old: the old document.
        new: the new document.

    >>> old = Scope({"type": "object", "properties": {"total": {"type": "integer"}}})
    >>> new = Scope({"type": "object", "properties": {"total": {"type": "string"}}})
    >>> for change in SchemaDiff(old, new).changes(old.root, new.root, direction=Direction.RESPONSE):
    ...     print(change)
    breaking: total: The type was integer and is now string. [type-changed]
    """

    def __init__(self, old: Scope, new: Scope) -> None:
        self.old = old
        self.new = new
        self._forms: tuple[dict[object, Form], dict[object, Form]] = ({}, {})
        self._pairs: dict[_Key, Pair] = {}
        self._busy: set[_Key] = set()
        self._silent: set[_Key] = set()
        self._effects: dict[_Key, tuple[Effect, bool]] = {}
        self._depth = 0

    def changes(
        self, old: Part, new: Part, *, direction: Direction = Direction.BOTH, where: str = ""
    ) -> Iterator[Change]:
        """Every difference between two schemas, in their order; each pair of places is told once.

        Args:
            old: the schema in the old document.
            new: the schema in the new document.
            direction: who writes the data.
            where: the place of the schema in words, such as ``"GET /orders, response 200"``.

        Raises:
            InvalidDocument: a schema cannot be read, or a reference leads nowhere.
        """
        seen: dict[_Key, list[_Key]] = {}
        visited: set[tuple[_Key, bool]] = set()
        loud: set[_Key] = set()
        doubtful: list[Change] = []
        real = False
        waiting: list[_Waiting] = [((old,), (new,), "", old.pointer, new.pointer, False)]
        while waiting:
            old_node, new_node, path, old_pointer, new_pointer, mute = waiting.pop()
            old_node, new_node = _targets(old_node), _targets(new_node)
            key = _key(old_node, new_node, direction)
            if (key, mute) in visited or (key, False) in visited or key in self._silent:
                continue
            visited.add((key, mute))
            pair = self._pair(key, old_node, new_node, direction)
            place_ = _Place(direction, where, path, old_pointer, new_pointer, mute)
            for finding in pair.findings:
                real = real or (not mute and bool(_effect(finding)))
                yield place_.change(pair, finding)
            if pair.assumed:
                doubtful.append(place_.change(pair, _DOUBT))
            if pair.findings or pair.assumed:
                loud.add(key)
            below = [(_targets(child.old), _targets(child.new), child) for child in pair.children]
            seen[key] = [_key(one, other, direction) for one, other, _ in below]
            waiting += [
                (
                    one,
                    other,
                    _joined(path, child.step),
                    one[0].pointer if one else place(pair.old, old_pointer, child.tail),
                    other[0].pointer if other else place(pair.new, new_pointer, child.tail),
                    mute or child.mute,
                )
                for one, other, child in reversed(below)
            ]
        self._hush(seen, loud)
        if real:
            yield from doubtful

    def _hush(self, seen: dict[_Key, list[_Key]], loud: set[_Key]) -> None:
        """Remember the pairs below which nothing differs, so that nobody walks through them again."""
        above: dict[_Key, list[_Key]] = {}
        for key, below in seen.items():
            for each in below:
                above.setdefault(each, []).append(key)
        heard = set(loud)
        waiting = list(loud)
        while waiting:
            for key in above.get(waiting.pop(), ()):
                if key not in heard:
                    heard.add(key)
                    waiting.append(key)
        self._silent.update(seen.keys() - heard)
        for key in heard:
            pair = self._pairs[key]
            kept = [child for child, below in zip(pair.children, seen[key], strict=True) if below in heard]
            pair.children = kept

    def old_form(self, node: Node) -> Form:
        """What the schemas of the old document demand."""
        return _remembered(self._forms[0], node)

    def new_form(self, node: Node) -> Form:
        """What the schemas of the new document demand."""
        return _remembered(self._forms[1], node)

    def effect(self, old: Node, new: Node, direction: Direction) -> tuple[Effect, bool]:
        """What the change does to the accepted data.

        The second value is False when a part of the answer is still being worked out: the schema contains
        itself. What is missing is then told at that place.
        """
        old, new = _targets(old), _targets(new)
        start = _key(old, new, direction)
        if start in self._effects:
            return self._effects[start]
        seen: set[_Key] = set()
        waiting = [(old, new)]
        found, certain, doubtful = Effect.NONE, True, False
        while waiting and found is not Effect.CHANGES:
            old_node, new_node = (_targets(node) for node in waiting.pop())
            key = _key(old_node, new_node, direction)
            if key in seen or key in self._silent:
                continue
            seen.add(key)
            if key in self._busy:
                certain = False
                continue
            pair = self._pair(key, old_node, new_node, direction)
            for finding in pair.findings:
                found |= _effect(finding)
            doubtful = doubtful or pair.assumed
            waiting += [(child.old, child.new) for child in pair.children if not child.mute]
        if found and doubtful:
            found = Effect.CHANGES
        answer = found, certain or found is Effect.CHANGES
        if not self._busy or answer[1]:
            self._effects[start] = answer
        return answer

    def _pair(self, key: _Key, old_node: Node, new_node: Node, direction: Direction) -> Pair:
        known = self._pairs.get(key)
        if known is not None:
            return known
        if self._depth >= _DEEPEST:
            at = new_node[0].pointer if new_node else ""
            raise InvalidDocument(
                f"{at or 'the schema'}: alternatives are nested more than {_DEEPEST} deep; flatten them",
                field=at,
            )
        old, new = self.old_form(old_node), self.new_form(new_node)
        if bool(old.groups) != bool(new.groups):
            # Alternatives beside alternatives: then those that could be written without are wanted too.
            old, new = (old if old.groups else old.apart or old), (new if new.groups else new.apart or new)
        pair = Pair(self, direction, old_node, new_node, old, new)
        self._busy.add(key)
        self._depth += 1
        try:
            if compare_wrapped(pair):
                compare_notes(pair)
            else:
                for compare in _COMPARISONS:
                    compare(pair)
        finally:
            self._busy.discard(key)
            self._depth -= 1
        self._pairs[key] = pair
        return pair


def compare_schemas(
    old: Scope, new: Scope, *, direction: Direction = Direction.BOTH, where: str = ""
) -> Iterator[Change]:
    """Every difference between two documents that are schemas.

    Raises:
        InvalidDocument: a schema cannot be read, or a reference leads nowhere.

    >>> found = compare_schemas(Scope({"type": "string"}), Scope({"type": "string", "maxLength": 5}))
    >>> [change.rule for change in found]
    ['bounds-narrowed']
    """
    yield from SchemaDiff(old, new).changes(old.root, new.root, direction=direction, where=where)


def _effect(finding: Finding) -> Effect:
    return _RULES[finding.rule].effect if finding.effect is None else finding.effect


def _targets(node: Node) -> Node:
    return (node[0].target(),) if len(node) == 1 else node


def _remembered(forms: dict[object, Form], node: Node) -> Form:
    node = _targets(node)
    key = tuple(part.key for part in node)
    known = forms.get(key)
    if known is None:
        known = forms[key] = form_of(node)
    return known


def _key(old: Node, new: Node, direction: Direction) -> _Key:
    return tuple(part.key for part in old), tuple(part.key for part in new), direction


def _joined(path: str, step: str) -> str:
    if not path or not step or step[0] in "[ ":
        return (path + step).strip()
    return f"{path}.{step}"
