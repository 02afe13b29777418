"""Regular expressions of schemas, as far as Python reads them as ECMA 262 does."""

from __future__ import annotations

import re
from functools import lru_cache

EVERYTHING = frozenset({"", "^", "$", ".*", "^.*", ".*$", "^.*$", "^(?:.*)$", "^(.*)$"})
"""Patterns that people write for any text; that a dot is no line break is seldom meant."""


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str] | None:
    try:
        return re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return None


def matches(pattern: str, text: str) -> bool | None:
    """Whether a pattern of a schema matches somewhere in a text; None when Python cannot read the pattern.

    >>> matches("^x-", "x-internal"), matches("[", "[")
    (True, None)
    """
    compiled = _compiled(pattern)
    return None if compiled is None else compiled.search(text) is not None
