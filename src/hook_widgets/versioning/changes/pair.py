"""One schema of the old document beside one of the new: what is told of both, and what is looked at next."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Protocol

from hook_widgets.versioning.changes.change import Direction
from hook_widgets.versioning.changes.forms import Form, Node
from hook_widgets.versioning.changes.refs import escape
from hook_widgets.versioning.changes.rules import Effect


class Judge(Protocol):
    """What the parts of the comparison ask of the whole."""

    def old_form(self, node: Node) -> Form:
        """What the schemas of the old document demand."""

    def new_form(self, node: Node) -> Form:
        """What the schemas of the new document demand."""

    def effect(self, old: Node, new: Node, direction: Direction) -> tuple[Effect, bool]:
        """What the change from one to the other does to the accepted data, and whether that is certain."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A difference at this very place.

    Attributes:
        rule: the id of its rule.
        detail: the sentence.
        step: the place below this one, in words.
        tail: steps of the JSON pointer below this schema.
        gone: the pointer is one of the old document.
        effect: what it does to the accepted data, where that is known better than by the rule.
    """

    rule: str
    detail: str
    step: str = ""
    tail: tuple[str, ...] = ()
    gone: bool = False
    effect: Effect | None = None


@dataclass(frozen=True, slots=True)
class Child:
    """A pair below this one: what holds for it holds for the whole.

    A `mute` one is told without breaking anybody: the data that goes this way does not have it.
    """

    step: str
    old: Node
    new: Node
    tail: tuple[str, ...]
    mute: bool = False


@dataclass(slots=True)
class Pair:
    """Two schemas and what was found about them."""

    judge: Judge
    direction: Direction
    old_node: Node
    new_node: Node
    old: Form
    new: Form
    common: frozenset[str] = frozenset()
    findings: list[Finding] = field(default_factory=list)
    children: list[Child] = field(default_factory=list)
    assumed: bool = False

    def tell(
        self,
        rule: str,
        detail: str,
        *tail: str,
        step: str = "",
        gone: bool = False,
        effect: Effect | None = None,
    ) -> None:
        """Note a difference."""
        self.findings.append(Finding(rule, detail, step, tail, gone, effect))

    def conditional(self, what: str, old: Node, new: Node, *tail: str) -> None:
        """Compare two schemas that count only under a condition: their fields are no fields of the whole."""
        found, certain = self.judge.effect(old, new, self.direction)
        if not certain:
            self.below(f" ({what})", old, new, *tail)
        elif found is Effect.NARROWS:
            self.tell("constraint-added", f"More is demanded {what}.", *tail)
        elif found is Effect.WIDENS:
            self.tell("constraint-removed", f"Less is demanded {what}.", *tail, gone=not new)
        elif found:
            self.tell("undecided", f"Something else is demanded {what}.", *tail)

    def below(self, step: str, old: Node, new: Node, *tail: str, mute: bool = False) -> None:
        """Look at two schemas below these."""
        if old or new:
            self.children.append(Child(step, old, new, tail, mute))

    def alike(self, old: Node, new: Node) -> bool:
        """Whether two schemas below accept the same data, as far as it is known by now."""
        return self.judge.effect(old, new, self.direction)[0] is Effect.NONE

    def equal(self, old: Node, new: Node) -> bool:
        """Whether two schemas below accept the same data.

        Where they contain these very schemas that is assumed, and told as undecided if something else has
        changed.
        """
        found, certain = self.judge.effect(old, new, self.direction)
        self.assumed = self.assumed or (found is Effect.NONE and not certain)
        return found is Effect.NONE

    def effect(self, old: Node, new: Node) -> Effect:
        """What a change below does to the accepted data; CHANGES where it is not certain."""
        found, certain = self.judge.effect(old, new, self.direction)
        return found if certain else Effect.CHANGES


_ALSO = {
    "additionalProperties": "unevaluatedProperties",
    "enum": "const",
    "dependentRequired": "dependencies",
    "dependentSchemas": "dependencies",
}
"""Other words that say the same."""


def place(form: Form, pointer: str, tail: tuple[str, ...]) -> str:
    """The JSON pointer of a keyword: in whichever of the merged schemas it stands."""
    for part in (*form.parts, *form.aside):
        value: object = part.schema
        for step in tail:
            if isinstance(value, list) and step.isdigit() and int(step) < len(value):
                value = value[int(step)]
            elif isinstance(value, dict) and step in value:
                value = value[step]
            else:
                break
        else:
            return part.pointer + "".join(f"/{escape(step)}" for step in tail)
    if tail and tail[0] in _ALSO:
        return place(form, pointer, (_ALSO[tail[0]], *tail[1:]))
    return place(form, pointer, tail[:-1]) if tail else pointer


def shown(value: object) -> str:
    """A JSON value as it is said in a sentence, cut to a readable length.

    >>> shown({"a": None}), shown("x" * 99)[-4:]
    ('{"a": null}', 'xxx…')
    """
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:59] + "…"


def moved(word: str, old: str | None, new: str | None) -> str:
    """What happened to a keyword, as a sentence; None stands for not set.

    >>> moved("maximum", "5", None)
    'maximum was 5 and is no longer set.'
    """
    if old is None:
        return f"{word} is now {new} and was not set."
    if new is None:
        return f"{word} was {old} and is no longer set."
    return f"{word} was {old} and is now {new}."


def listed(values: list[str]) -> str:
    """Some words in a row, the first of them when there are many.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    if len(values) > 8:
        return f"{', '.join(values[:7])} and {len(values) - 7} more"
    return " and ".join([", ".join(values[:-1]), values[-1]] if len(values) > 1 else values)
