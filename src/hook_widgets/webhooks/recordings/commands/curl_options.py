"""The options of curl, by their effect on a request.

The lists are data, in ``curl_options.toml`` in this package.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final


def option_names(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


_LISTS: Final[dict[str, Any]] = tomllib.loads(
    (files(__package__) / "curl_options.toml").read_text(encoding="utf-8")
)

SHORT: Final[Mapping[str, str]] = _LISTS["short"]
"""Long names of the options of one letter."""

READ: Final = option_names(_LISTS["read"])
"""Options with a value that change the request and are read."""

REJECTED: Final[Mapping[str, str]] = _LISTS["rejected"]
"""Options of which the request cannot be known, and the reason."""

UNKNOWN_HEADERS: Final[Mapping[str, str]] = _LISTS["unknown_headers"]
"""Flags that add a header whose value is not in the command."""

WITH_VALUE: Final = option_names(_LISTS["with_value"])
"""Options with a value that do not change the request."""

FLAGS: Final = option_names(_LISTS["flags"])
"""Flags that do not change the request, and four that are read: get, globoff, head and path-as-is."""
