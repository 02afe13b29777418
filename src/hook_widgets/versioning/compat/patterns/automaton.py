"""Match regular expressions without backtracking, in time bounded by text length times pattern size.

A pattern is compiled to a nondeterministic automaton, whose states are simulated in parallel (K. Thompson,
"Regular Expression Search Algorithm", CACM 11(6), 1968). Character classes such as ``[a-z]`` are matched by
`re`, one character at a time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from hook_widgets.versioning.compat.budget import spend
from hook_widgets.versioning.compat.patterns.expressions import (
    Alternation,
    Character,
    End,
    Node,
    Repetition,
    Sequence,
    Start,
    UnsupportedPattern,
)

_MAX_STATES = 5_000
"""The maximum size of an automaton; larger expressions are not supported."""
_MAX_REMEMBERED = 10_000
"""The maximum number of states in the transition cache of one automaton."""

_States = frozenset[int]


@dataclass(slots=True)
class _State:
    """A state with either one transition on a character or transitions without input (epsilon).

    `assertion` is the condition of the latter: ``"start"`` or ``"end"`` of the text.
    """

    test: str | re.Pattern[str] | None = None
    after: int = 0
    epsilon: list[int] = field(default_factory=list)
    assertion: str = ""


class Automaton:
    """An automaton that searches for an expression anywhere in a text.

    >>> from hook_widgets.versioning.compat.patterns.expressions import parse
    >>> [Automaton(parse("^(a+)+$").body).search(text) for text in ("a" * 40, "a" * 40 + "!")]
    [True, False]

    Raises:
        UnsupportedPattern: the expression is too large.
    """

    def __init__(self, node: Node) -> None:
        if _size(node) > _MAX_STATES:
            raise UnsupportedPattern(f"it stands for more than {_MAX_STATES:,} characters and choices")
        self._states = [_State()]  # the accepting state
        self._first = self._build(node, 0)
        self._moves: dict[tuple[_States, str, bool], _States] = {}
        self._remembered = 0
        spend(5 * len(self._states))

    def search(self, text: str) -> bool:
        """Return True if the expression matches anywhere in the text."""
        spend(len(text) // 4)
        current = self._closure({self._first}, start=True, end=not text)
        last = len(text) - 1
        for index, character in enumerate(text):
            if 0 in current:
                return True
            key = current, character, index == last
            after = self._moves.get(key)
            current = self._step(*key) if after is None else after
        return 0 in current

    def _step(self, states: _States, character: str, last: bool) -> _States:  # noqa: FBT001 - a private helper
        targets = {self._first}
        for number in states:
            state = self._states[number]
            if state.test is not None and (
                state.test == character if isinstance(state.test, str) else state.test.fullmatch(character)
            ):
                targets.add(state.after)
        after = self._closure(targets, start=False, end=last)
        spend(len(states))
        self._remembered += len(states) + len(after)
        if self._remembered > _MAX_REMEMBERED:
            self._moves.clear()
            self._remembered = len(states) + len(after)
        self._moves[states, character, last] = after
        return after

    def _closure(self, states: set[int], *, start: bool, end: bool) -> _States:
        """Return these states and all that are reachable from them without input."""
        pending = list(states)
        while pending:
            state = self._states[pending.pop()]
            if (state.assertion == "start" and not start) or (state.assertion == "end" and not end):
                continue
            for number in state.epsilon:
                if number not in states:
                    states.add(number)
                    pending.append(number)
        spend(len(states))
        return frozenset(states)

    def _add(self, state: _State) -> int:
        self._states.append(state)
        return len(self._states) - 1

    def _build(self, node: Node, after: int) -> int:
        """Add the states of an expression followed by the state `after`, and return its first state."""
        match node:
            case Character(test):
                return self._add(_State(test=test, after=after))
            case Start():
                return self._add(_State(epsilon=[after], assertion="start"))
            case End():
                return self._add(_State(epsilon=[after], assertion="end"))
            case Sequence(nodes):
                for inner_node in reversed(nodes):
                    after = self._build(inner_node, after)
                return after
            case Alternation(nodes):
                return self._add(_State(epsilon=[self._build(inner_node, after) for inner_node in nodes]))
            case Repetition(inner, minimum, maximum):
                return self._repeated(inner, minimum, maximum, after)

    def _repeated(self, inner: Node, minimum: int, maximum: int | None, after: int) -> int:
        first = after
        if maximum is None:
            first = self._add(_State(epsilon=[after]))
            self._states[first].epsilon.append(self._build(inner, first))
        else:
            for _ in range(maximum - minimum):
                first = self._add(_State(epsilon=[self._build(inner, first), after]))
        for _ in range(minimum):
            first = self._build(inner, first)
        return first


def _size(node: Node) -> int:
    """Return an upper bound of the number of states of an expression."""
    match node:
        case Sequence(nodes) | Alternation(nodes):
            return 1 + sum(_size(inner_node) for inner_node in nodes)
        case Repetition(inner, minimum, maximum):
            return (1 + _size(inner)) * max(
                1, minimum if maximum is None else maximum, minimum + (maximum is None)
            )
        case _:
            return 1
