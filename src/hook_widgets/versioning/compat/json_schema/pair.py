"""Pairs of one old and one new schema: findings, and pairs of subschemas to compare next."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Protocol

from hook_widgets.versioning.compat.budget import charge_text, spend
from hook_widgets.versioning.compat.change import Direction
from hook_widgets.versioning.compat.documents.references import escape
from hook_widgets.versioning.compat.json_schema.normalized import NormalizedSchema, SchemaSet
from hook_widgets.versioning.compat.rules import Effect


class Comparer(Protocol):
    """Comparison services that the keyword comparisons use."""

    def normalize_old(self, node: SchemaSet) -> NormalizedSchema:
        """Return the normalized form of schemas of the old document."""

    def normalize_new(self, node: SchemaSet) -> NormalizedSchema:
        """Return the normalized form of schemas of the new document."""

    def effect(self, old: SchemaSet, new: SchemaSet, direction: Direction) -> tuple[Effect, bool]:
        """Return the effect of the change on the accepted data, and whether it is certain."""

    def limit_pairs(self, pairs: int) -> AbstractContextManager[bool]:
        """Return True if this many pairs of alternatives may all be compared.

        Otherwise only a few of them are selected.

        Inside the block the numbers multiply, because nested alternatives are compared for each outer pair.
        """


@dataclass(frozen=True, slots=True)
class Finding:
    """A difference at one place.

    Attributes:
        rule: the id of its rule.
        detail: the sentence that describes it.
        step: the place below this one, in words.
        tail: steps of the JSON pointer below this schema.
        pointer: the whole JSON pointer, if it does not lead through this schema.
        removed: True if the pointer is one of the old document.
        effect: the effect on the accepted data, if it is known more precisely than by the rule.
    """

    rule: str
    detail: str
    step: str = ""
    tail: tuple[str, ...] = ()
    pointer: str = ""
    removed: bool = False
    effect: Effect | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """A pair of subschemas; each change in it is a change of the parent.

    Changes of an `informational` child never break clients: data in this direction does not contain it.
    """

    step: str
    old: SchemaSet
    new: SchemaSet
    tail: tuple[str, ...]
    informational: bool = False


@dataclass(slots=True, kw_only=True)
class SchemaPair:
    """Two schemas and the findings about them.

    `assumed` is True if the equality of some subschemas was assumed because they contain this pair.
    """

    comparer: Comparer
    direction: Direction
    old_node: SchemaSet
    new_node: SchemaSet
    old: NormalizedSchema
    new: NormalizedSchema
    common: frozenset[str] = frozenset()
    findings: list[Finding] = field(default_factory=list)
    children: list[Child] = field(default_factory=list)
    assumed: bool = False

    @property
    def unresolved(self) -> frozenset[str]:
        """The references that only one side has and whose targets are unknown; then nothing is compared."""
        return self.old.unresolved ^ self.new.unresolved

    def report(
        self,
        rule: str,
        detail: str,
        *tail: str,
        pointer: str = "",
        step: str = "",
        removed: bool = False,
        effect: Effect | None = None,
    ) -> None:
        """Add a finding."""
        self.findings.append(Finding(rule, detail, step, tail, pointer, removed, effect))

    def conditional(self, condition: str, old: SchemaSet, new: SchemaSet, *tail: str) -> None:
        """Compare two schemas that apply only under a condition.

        Their fields are not fields of the parent.
        """
        effect, certain = self.comparer.effect(old, new, self.direction)
        if not certain:
            self.add_child(f" ({condition})", old, new, *tail)
        elif effect is Effect.NARROWS:
            self.report("constraint-added", f"More is demanded {condition}.", *tail)
        elif effect is Effect.WIDENS:
            self.report("constraint-removed", f"Less is demanded {condition}.", *tail, removed=not new)
        elif effect:
            self.report("undecided", f"Something else is demanded {condition}.", *tail)

    def added_or_removed(self, keyword: str, noun: str, *, old: object, new: object) -> bool:
        """Report a condition that only one side has, and return True if one or no side has it."""
        if new and not old:
            self.report("constraint-added", f"{noun} was added.", keyword)
        elif old and not new:
            self.report("constraint-removed", f"{noun} was removed.", keyword, removed=True)
        return not (old and new)

    def add_child(
        self, step: str, old: SchemaSet, new: SchemaSet, *tail: str, informational: bool = False
    ) -> None:
        """Add a pair of subschemas to compare."""
        if old or new:
            self.children.append(Child(step=step, old=old, new=new, tail=tail, informational=informational))

    def alike(self, old: SchemaSet, new: SchemaSet) -> bool:
        """Return whether two subschemas accept the same data, as far as is known so far."""
        return self.comparer.effect(old, new, self.direction)[0] is Effect.NONE

    def equal(self, old: SchemaSet, new: SchemaSet) -> bool:
        """Return whether two subschemas accept the same data.

        If they contain this pair itself, equality is assumed, and reported as undecided if anything else
        changed.
        """
        effect, certain = self.comparer.effect(old, new, self.direction)
        self.assumed = self.assumed or (effect is Effect.NONE and not certain)
        return effect is Effect.NONE

    def effect(self, old: SchemaSet, new: SchemaSet) -> Effect:
        """Return the effect of a change of subschemas; ``CHANGES`` if it is not certain."""
        effect, certain = self.comparer.effect(old, new, self.direction)
        return effect if certain else Effect.CHANGES


_EQUIVALENT = {
    "additionalProperties": "unevaluatedProperties",
    "enum": "const",
    "dependentRequired": "dependencies",
    "dependentSchemas": "dependencies",
}
"""Equivalent keywords."""


def locate(form: NormalizedSchema, pointer: str, tail: tuple[str, ...]) -> str:
    """Return the JSON pointer of a keyword, in the merged schema that contains it."""
    spend(2 + (len(form.parts) + len(form.merged_parts)) // 4)
    for part in (*form.parts, *form.merged_parts):
        value: object = part.schema
        for step in tail:
            if isinstance(value, list) and step.isdigit() and int(step) < len(value):
                value = value[int(step)]
            elif isinstance(value, dict) and step in value:
                value = value[step]
            else:
                break
        else:
            return charge_text(part.pointer + "".join(f"/{escape(step)}" for step in tail))
    if tail and tail[0] in _EQUIVALENT:
        return locate(form, pointer, (_EQUIVALENT[tail[0]], *tail[1:]))
    return locate(form, pointer, tail[:-1]) if tail else pointer


def format_value(value: object) -> str:
    """Format a JSON value for a sentence, cut to a readable length.

    >>> format_value({"a": None}), format_value("x" * 99)[-4:]
    ('{"a": null}', 'xxx…')
    """
    text = charge_text(json.dumps(value, ensure_ascii=False, default=str))
    return text if len(text) <= 60 else text[:59] + "…"


def format_change(keyword: str, old: str | None, new: str | None) -> str:
    """Format the change of a keyword as a sentence; None means not set.

    >>> format_change("maximum", "5", None)
    'maximum was 5 and is no longer set.'
    """
    if old is None:
        return f"{keyword} is now {new} and was not set."
    if new is None:
        return f"{keyword} was {old} and is no longer set."
    return f"{keyword} was {old} and is now {new}."


def format_moved(keyword: str, old: Mapping[str, object], new: Mapping[str, object]) -> str:
    """Format the change of a keyword that one of two schemas may lack."""
    before, after = (format_value(side[keyword]) if keyword in side else None for side in (old, new))
    return format_change(keyword, before, after)


def format_list(values: Sequence[object], formatter: Callable[[object], str] = str) -> str:
    """Format values as an enumeration, cut after the first seven if there are more than eight.

    >>> format_list(["a", "b", "c"])
    'a, b and c'
    """
    words = [formatter(value) for value in (values if len(values) <= 8 else values[:7])]
    if len(words) < len(values):
        return f"{', '.join(words)} and {len(values) - 7} more"
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
