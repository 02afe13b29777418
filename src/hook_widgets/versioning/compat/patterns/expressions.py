"""Parse regular expressions: the part of ECMA 262 that schemas need.

Backreferences and lookaround inside the expression need backtracking and are not supported. Constructs that
Python and ECMA 262 interpret differently are not supported either.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from hook_widgets.versioning.compat.budget import spend

_MAX_DEPTH = 30
_MAX_LENGTH = 5_000
"""The maximum length of a supported pattern, in characters."""
_ESCAPE = re.compile(
    r"\\(?:[dDwWsStnrfv]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|0(?![0-9])|[^A-Za-z0-9])", re.DOTALL
)
_CLASS = re.compile(r"\[\^?(?![\]^])(?:\\.|[^\]\\])*\]", re.DOTALL)
_COUNT = re.compile(r"\{([0-9]{1,6})(?:(,)([0-9]{1,6})?)?\}")
_GROUP = re.compile(r"\((?:\?:|\?P?<[A-Za-z_][A-Za-z0-9_]*>|(?!\?))")
_AHEAD = re.compile(r"\(\?[=!]")
_DOUBTFUL = re.compile(r"--|\\[bBpPcNuU](?![0-9a-fA-F]{4})")
_BARE = re.compile(r"(\\.)|([\[&~|])", re.DOTALL)
_BRACES = re.compile(r"\{(?:[0-9]{1,6},?[0-9]{0,6}|,[0-9]*)\}")


class UnsupportedPattern(Exception):
    """Raised for an expression that cannot be matched without backtracking; the text is the reason."""


@dataclass(frozen=True, slots=True)
class Character:
    """One character: a literal, or a class as a compiled pattern."""

    test: str | re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Start:
    """The start of the text."""


@dataclass(frozen=True, slots=True)
class End:
    """The end of the text."""


@dataclass(frozen=True, slots=True)
class Sequence:
    """Expressions one after the other."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Alternation:
    """Alternative expressions."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repetition:
    """A repeated expression; `maximum` None: without limit."""

    inner: Node
    minimum: int
    maximum: int | None


Node: TypeAlias = "Character | Start | End | Sequence | Alternation | Repetition"


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression and its lookaheads at the start: each positive (True) or negative (False)."""

    body: Node
    ahead: tuple[tuple[bool, Node], ...] = ()


def parse(pattern: str) -> Expression:
    """Parse a pattern.

    Raises:
        UnsupportedPattern: the pattern is invalid or not supported.

    >>> parse("ab*").body
    Sequence(nodes=(Character(test='a'), Repetition(inner=Character(test='b'), minimum=0, maximum=None)))
    """
    if len(pattern) > _MAX_LENGTH:
        raise UnsupportedPattern(f"it has more than {_MAX_LENGTH:,} characters")
    spend(5 * len(pattern))
    reader = _Reader(pattern)
    ahead = []
    if pattern.startswith("^"):
        reader.position = 1
        while match := _AHEAD.match(pattern, reader.position):
            reader.position = match.end()
            ahead.append((match[0] == "(?=", Sequence((Start(), reader.alternation(1)))))
            reader.close()
    if not ahead:
        reader.position = 0
    body = reader.alternation(0)
    if reader.position < len(pattern):
        raise UnsupportedPattern("a bracket closes nothing")
    if ahead:
        if isinstance(body, Alternation):
            raise UnsupportedPattern("it looks ahead in one of its alternatives")
        body = Sequence((Start(), body))
    return Expression(body, tuple(ahead))


class _Reader:
    """Parser of one pattern from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def alternation(self, depth: int) -> Node:
        if depth > _MAX_DEPTH:
            raise UnsupportedPattern(f"its groups are nested more than {_MAX_DEPTH} deep")
        alternatives = [self._sequence(depth)]
        while self._next("|"):
            alternatives.append(self._sequence(depth))
        return alternatives[0] if len(alternatives) == 1 else Alternation(tuple(alternatives))

    def close(self) -> None:
        if not self._next(")"):
            raise UnsupportedPattern("a bracket is not closed")

    def _next(self, character: str) -> bool:
        if not self.text.startswith(character, self.position):
            return False
        self.position += 1
        return True

    def _sequence(self, depth: int) -> Sequence:
        nodes: list[Node] = []
        while self.position < len(self.text) and self.text[self.position] not in "|)":
            nodes.append(self._repetition(self._atom(depth)))
        return Sequence(tuple(nodes))

    def _repetition(self, node: Node) -> Node:
        minimum, maximum = 1, None
        match = _COUNT.match(self.text, self.position)
        if match:
            minimum = int(match[1])
            maximum = minimum if match[2] is None else int(match[3]) if match[3] else None
            self.position = match.end()
        elif self._next("*"):
            minimum = 0
        elif self._next("?"):
            minimum, maximum = 0, 1
        elif not self._next("+"):
            return node
        if maximum is not None and maximum < minimum:
            raise UnsupportedPattern("it repeats something fewer times than it must")
        if isinstance(node, Start | End):
            raise UnsupportedPattern("it repeats the start or the end")
        self._next("?")  # a lazy quantifier changes the extent of a match, not its existence
        if self.text.startswith(("*", "+", "?"), self.position) or _COUNT.match(self.text, self.position):
            raise UnsupportedPattern("it repeats a repetition")
        return Repetition(node, minimum, maximum)

    def _atom(self, depth: int) -> Node:
        character = self.text[self.position]
        if character == "(":
            match = _GROUP.match(self.text, self.position)
            if not match:
                raise UnsupportedPattern("it looks ahead or behind, or has options")
            self.position = match.end()
            inside = self.alternation(depth + 1)
            self.close()
            return inside
        if character in "*+?":
            raise UnsupportedPattern("it repeats nothing")
        if character == "{" and _BRACES.match(self.text, self.position):
            raise UnsupportedPattern("its numbers in braces are read in more than one way")
        if character == "\\":
            return Character(
                self._test(_ESCAPE, "it refers back, or uses \\b or another class that is not run")
            )
        if character == "[":
            return Character(self._test(_CLASS, "its character classes are read in more than one way"))
        self.position += 1
        if character in "^$":
            return Start() if character == "^" else End()
        return Character(_compiled(character) if character == "." else character)

    def _test(self, form: re.Pattern[str], problem: str) -> re.Pattern[str]:
        match = form.match(self.text, self.position)
        if not match or _DOUBTFUL.search(match[0]):
            raise UnsupportedPattern(problem)
        self.position = match.end()
        return _compiled(match[0])


def _compiled(single: str) -> re.Pattern[str]:
    """Compile the pattern of one character.

    Characters that Python may read as set operations are escaped.
    """
    inside = _BARE.sub(lambda match: match[1] or "\\" + match[2], single[1:])
    spend(50 + len(single))
    try:
        return re.compile(single[:1] + inside)
    except re.error as error:
        raise UnsupportedPattern(f"of {single[:20]}: {error.msg}") from None
