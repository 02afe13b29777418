"""The work budget of a comparison, counted in steps so that the same documents always end alike.

A step is about a microsecond on an ordinary computer. Every operation that can take more than linear time in
the size of the documents spends steps. Outside a comparison, nothing is counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from hook_widgets.errors import InvalidDocument

MINIMUM_STEPS = 6_000_000
"""The number of steps for a pair of small documents."""
STEPS_PER_BYTE = 6
"""The number of steps for each byte of the longer document, if that exceeds `MINIMUM_STEPS`."""
CHARACTERS_PER_STEP = 16
"""Building a string costs one step for this many characters."""


class Budget:
    """The number of steps that one comparison may take.

    Args:
        limit: the maximum number of steps; None: computed from `MINIMUM_STEPS` and `allow`.
    """

    __slots__ = ("adaptive", "left", "limit")

    def __init__(self, limit: int | None = None) -> None:
        self.adaptive: bool = limit is None
        self.limit: int = MINIMUM_STEPS if limit is None else limit
        self.left: int = self.limit


_current: ContextVar[Budget | None] = ContextVar("budget", default=None)


@contextmanager
def use_budget(budget: Budget) -> Iterator[None]:
    """Count the work inside the block against a budget."""
    token = _current.set(budget)
    try:
        yield
    finally:
        _current.reset(token)


def spend(steps: int) -> None:
    """Spend steps of the running comparison, if there is one.

    Raises:
        InvalidDocument: the budget is exhausted.

    >>> with use_budget(Budget(5)):
    ...     spend(6)
    Traceback (most recent call last):
    hook_widgets.errors.InvalidDocument: the comparison takes more than 5 steps of work; compare the parts \
of the documents one by one
    """
    budget = _current.get()
    if budget is None:
        return
    budget.left -= steps
    if budget.left < 0:
        raise InvalidDocument(
            f"the comparison takes more than {budget.limit:,} steps of work; compare the parts of the "
            "documents one by one",
            field="budget",
        )


def charge_text(text: str) -> str:
    """Spend steps for a newly built string, by its length, and return the string.

    >>> charge_text("/properties/total")
    '/properties/total'
    """
    spend(len(text) // CHARACTERS_PER_STEP)
    return text


def allow(size: int) -> None:
    """Raise the limit of the running comparison for a document of this many bytes, unless it is fixed."""
    budget = _current.get()
    if budget is not None and budget.adaptive:
        more = max(0, size * STEPS_PER_BYTE - budget.limit)
        budget.limit += more
        budget.left += more
