"""Documents that differ in one member."""

from __future__ import annotations

import copy
from typing import Any


def with_member(document: dict[str, Any], pointer: str, value: Any = None) -> dict[str, Any]:
    """Return a document with the member at a JSON pointer removed, or with another value."""
    document = copy.deepcopy(document)
    *parents, name = [part.replace("~1", "/") for part in pointer.split("/")[1:]]
    place: Any = document
    for parent in parents:
        place = place[int(parent)] if isinstance(place, list) else place[parent]
    if value is None:
        del place[name]
    else:
        place[name] = value
    return document
