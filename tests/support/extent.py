"""The extent of a run of the tests: `make test`, or `make test-long`.

``HOOK_WIDGETS_TESTS=long`` means every provider where otherwise one of each shape is tested
(tests/support/shapes.py), every scene where otherwise one of each kind is drawn, and more examples of each
property, other ones each time. Without it each test runs with less, except those that are marked as ``long``:
they build a whole environment.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Final, TypeVar

LONG: Final = os.environ.get("HOOK_WIDGETS_TESTS") == "long"

_T = TypeVar("_T")


def extent(short: _T, long: _T) -> _T:
    """Return what belongs to the extent of this run."""
    return long if LONG else short


def in_turn(
    names: Sequence[str], cases: Sequence[tuple[Any, ...]], *, each: int = 2
) -> list[tuple[Any, ...]]:
    """Return each case with so many of the names, which take turns; in a long run with all of them."""
    each = extent(each, len(names))
    return [(names[(i * each + j) % len(names)], *case) for i, case in enumerate(cases) for j in range(each)]


def some(cases: Sequence[_T], most: int = 4) -> Sequence[_T]:
    """Return at most so many of the cases, spread over all of them; in a long run each of them."""
    if LONG or len(cases) <= most:
        return cases
    return [cases[i * len(cases) // most] for i in range(most)]
