"""The work of an action, counted in lines of Python that run: no clock, and so the same on any machine.

Work inside C counts as one line: a regular expression, a slice, a search in a text. The size of the input,
for which the readers have limits, bounds it, unless an expression backtracks; see `never_backtracks`. Where
other work in C could grow faster than the input, a test also reads an input so large that it would not end.
"""

from __future__ import annotations

import contextlib
import re
import sys
import threading
from collections.abc import Callable, Iterator
from re import _constants, _parser  # type: ignore[attr-defined] # no other way to read an expression
from types import FrameType
from typing import Any, Final

_REPEATS: Final = (_constants.MAX_REPEAT, _constants.MIN_REPEAT)


class TooManyLines(AssertionError):
    """Raised where work exceeds its limit, so that work without end fails, too."""


class Work:
    """The lines of Python that ran in functions called by a block, and in the threads that it started.

    Attributes:
        lines: their number so far.
    """

    def __init__(self, limit: float) -> None:
        self.lines = 0
        self.limit = limit

    def check(self) -> None:
        """Raise `TooManyLines` above the limit."""
        if self.lines > self.limit:
            raise TooManyLines(f"more than {self.limit:,} lines of Python run")

    def _trace(self, _frame: FrameType, event: str, _argument: object) -> Any:
        if event == "line":
            self.lines += 1
            if self.lines > self.limit:
                self.check()
        return self._trace


@contextlib.contextmanager
def at_most_lines(limit: float = float("inf")) -> Iterator[Work]:
    """Fail if the work inside runs more lines of Python; yield the work, to be read after it."""
    work = Work(limit)
    before = sys.gettrace(), threading.gettrace()
    sys.settrace(work._trace)
    threading.settrace(work._trace)
    try:
        yield work
    finally:
        sys.settrace(before[0])
        threading.settrace(before[1])
    work.check()


def lines_run(action: Callable[[], object]) -> int:
    """Return the number of lines of Python that an action runs."""
    with at_most_lines() as work:
        action()
    return work.lines


def grows_linearly(action: Callable[[int], object], size: int, factor: int = 4) -> None:
    """Fail unless the work for an input of `factor` times the size is about as many times the work.

    Args:
        action: does the work for an input of a size.
        size: the small size; the action runs with it once before, as what is cached is no work.
        factor: the large size divided by the small one. A quarter more is allowed, for logarithms.
    """
    action(size)
    small = lines_run(lambda: action(size))
    with at_most_lines(1.25 * factor * small + 100):
        action(factor * size)


def never_backtracks(expression: re.Pattern[Any]) -> bool:
    """Return True if no repetition of an expression gives up what it has matched.

    Each one is possessive, or all that is in an atomic group, or takes a fixed number or at most one.
    """
    return _possessive(_parser.parse(expression.pattern, expression.flags))


def _possessive(part: Any, *, atomic: bool = False) -> bool:
    """Return True for a part of a parsed expression in which no repetition can be shortened."""
    if isinstance(part, _parser.SubPattern):
        return all(_possessive(item, atomic=atomic and len(part) == 1) for item in part)
    if isinstance(part, list | tuple):
        operation = part[0] if part else None
        if operation in _REPEATS and not atomic and part[1][0] < part[1][1] > 1:
            return False
        return all(_possessive(item, atomic=operation is _constants.ATOMIC_GROUP) for item in part)
    return True
