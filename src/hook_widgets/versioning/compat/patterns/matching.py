"""Match the regular expressions of schemas without backtracking, or not at all.

A document may contain an expression whose search takes exponential time in a backtracking engine such as
`re`. So all expressions are matched by `automaton`. The matches of unsupported expressions are unknown.
"""

from __future__ import annotations

from functools import lru_cache

from hook_widgets.versioning.compat.budget import spend
from hook_widgets.versioning.compat.patterns.automaton import Automaton
from hook_widgets.versioning.compat.patterns.expressions import UnsupportedPattern, parse

EVERYTHING = frozenset({"", "^", "$", ".*", "^.*", ".*$", "^.*$", "^(?:.*)$", "^(.*)$"})
"""Patterns that people write for any text, although a dot matches no line break."""

_Searches = tuple[tuple[bool, Automaton], ...]


@lru_cache(maxsize=128)
def _searches(pattern: str) -> _Searches | str:
    """Compile a pattern to automata with their expected results, or return the reason it is not supported."""
    try:
        expression = parse(pattern)
        return (True, Automaton(expression.body)), *(
            (expected, Automaton(node)) for expected, node in expression.ahead
        )
    except UnsupportedPattern as error:
        return str(error)


def matches(pattern: str, text: str) -> bool | None:
    """Search for a schema's pattern anywhere in a text; return None if the pattern is not supported.

    >>> matches("^x-", "x-internal"), matches("(a+)+$", "a" * 99 + "!"), matches("(?<=a)b", "ab")
    (True, False, None)
    """
    spend(2)
    searches = _searches(pattern)
    if isinstance(searches, str):
        return None
    return all(automaton.search(text) is expected for expected, automaton in searches)


def unsupported_reason(pattern: str) -> str:
    r"""Return the reason a pattern is not supported; "" if it is supported.

    >>> unsupported_reason(r"(a)\1"), unsupported_reason("^[a-z]+$")
    ('it refers back, or uses \\b or another class that is not run', '')
    """
    searches = _searches(pattern)
    return searches if isinstance(searches, str) else ""
