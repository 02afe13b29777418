"""Checks of arguments that any caller may get wrong, and their text in messages."""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Number, Real
from typing import Any, Final

from hook_widgets.errors import HookWidgetsError

_MAX_SIZE: Final = 100_000


def shown(value: object) -> str:
    """Format any value for a message, truncated to 40 characters.

    >>> shown(0.5), shown("x"), shown(10**5000)
    ('0.5', "'x'", 'a number of thousands of digits')
    """
    try:
        text = str(value) if isinstance(value, Number) else repr(value)
    except ValueError:  # str() rejects integers of thousands of digits, also inside of a list
        text = "a number of thousands of digits"
    return text if len(text) <= 40 else f"{text[:40]}…"


def several(values: Iterable[Any], name: str, error: type[HookWidgetsError]) -> Iterable[Any]:
    """Return values that are several things; raise an error for one thing, and for a text.

    Args:
        values: the argument.
        name: its name, for the message.
        error: the error.

    Raises:
        HookWidgetsError: (`error`) the argument is one thing.
    """
    try:
        if isinstance(values, str | bytes):
            raise TypeError
        iter(values)
    except TypeError:
        raise error(
            f"{name} is {shown(values)}, but several are needed; give a list, such as [...]"
        ) from None
    return values


def finite(size: float, name: str, error: type[HookWidgetsError], *, least: float = 0.0) -> float:
    """Return a size, which is a number above the least and at most 100,000, in inches, pixels or dpi.

    Args:
        size: the argument.
        name: its name, for the message.
        error: the error.
        least: the number that it must be above.

    Raises:
        HookWidgetsError: (`error`) it is not.
    """
    if not _is_size(size, least):
        above = "" if least == -math.inf else f" above {least:g},"
        raise error(f"{name} is {shown(size)}; give a number{above} of at most {_MAX_SIZE:,}")
    return size


def _is_size(value: object, least: float) -> bool:
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    try:
        return least < float(value) <= _MAX_SIZE
    except OverflowError:
        return False
