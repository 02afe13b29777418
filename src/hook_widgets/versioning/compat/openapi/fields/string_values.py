"""Values sent as text, where 1 and "1" are the same: in paths, queries, headers and cookies."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from hook_widgets.versioning.compat.openapi.document.located import Place, child

_SCALARS = frozenset({"string", "number", "integer", "boolean", "null"})
_NUMBERS = frozenset({"number", "integer", "boolean"})
_WORDS = frozenset({"type", "title", "description", "default", "example", "examples", "deprecated"})
"""Keywords that do not constrain a string."""
_ENUMERATED = _WORDS | {"enum", "format"}
_NUMERALS = {"integer": "-?(?:0|[1-9][0-9]*)", "number": r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?"}
TYPE_RULES = frozenset({"type-changed", "type-narrowed", "type-widened"})
"""The rules that `text_rule` replaces."""
_MAX_DEPTH = 8
"""The maximum nesting of alternatives, which references can make endless."""


def is_scalar(schema: Place, *, depth: int = 0) -> bool:
    """Return True if a schema accepts only single values, no arrays or objects.

    >>> from hook_widgets.versioning.compat.openapi.document.located import Root
    >>> is_scalar(Place({"oneOf": [{"type": "string"}, {"type": "integer"}]}, "", Root({}, "old", "3.1", {})))
    True
    """
    target = schema.followed()
    if not isinstance(target.value, Mapping) or depth == _MAX_DEPTH:
        return False
    if target.value.get("type") is not None:
        named = _named(target.value)
        return bool(named) and all(isinstance(kind, str) and kind in _SCALARS for kind in named)
    for word in ("oneOf", "anyOf"):
        branches = target.value.get(word)
        if isinstance(branches, list) and branches:
            places = (
                Place(branch, child(child(target.pointer, word), str(index)), target.root)
                for index, branch in enumerate(branches)
            )
            return all(is_scalar(place, depth=depth + 1) for place in places)
    values = target.value.get("enum")
    return isinstance(values, list) and not any(isinstance(value, Mapping | list) for value in values)


def list_items(old: Place, new: Place, location: str) -> Place | None:
    """Return the item schema if a parameter became a list that accepts the old single values.

    In the style ``form`` with ``explode``, ``?tag=a`` is also a list of one item. Else the result is None.

    >>> from hook_widgets.versioning.compat.openapi.document.located import Root
    >>> root = Root({}, "old", "3.1", {})
    >>> old = Place({"type": "string"}, "", root)
    >>> new = Place({"schema": {"type": "array", "items": {"type": "string"}}}, "", root)
    >>> list_items(old, new, "query").pointer
    '/schema/items'
    """
    schema = new.at("schema").followed()
    if location not in ("query", "cookie") or not is_scalar(old) or not isinstance(schema.value, Mapping):
        return None
    least, most = schema.value.get("minItems", 0), schema.value.get("maxItems", 1)
    exploded = (new.text("style") or "form") == "form" and new.flag("explode", default=True)
    takes_one = isinstance(least, int) and isinstance(most, int) and least <= 1 <= most
    return schema.at("items") if "array" in _named(schema.value) and exploded and takes_one else None


def text_rule(rule: str, old: Place, new: Place) -> str:
    """Return the rule for a type change of a value sent as text, where every number is also a string.

    Returns:
        The replaced or unchanged rule; an empty string if the same texts are accepted.

    >>> from hook_widgets.versioning.compat.openapi.document.located import Root
    >>> root = Root({}, "old", "3.1", {})
    >>> text_rule("type-changed", Place({"type": "integer"}, "", root), Place({"type": "string"}, "", root))
    'type-widened'
    """
    texts_before, texts_after = (_texts(side) for side in (old, new))
    if texts_before and texts_after:
        if texts_before == texts_after:
            return ""
        if texts_before < texts_after or texts_after < texts_before:
            return "type-widened" if texts_before < texts_after else "type-narrowed"
        return rule
    if texts_before and _takes(new, texts_before):
        return "type-widened"
    if texts_after and _takes(old, texts_after):
        return "type-narrowed"
    before, after = (_kinds(side) for side in (old, new))
    if "string" in before and "string" in after:
        return ""
    if before and before <= _NUMBERS and "string" in after:
        return "type-widened"
    if after and after <= _NUMBERS and "string" in before:
        return "type-narrowed"
    return rule


def _texts(schema: Place) -> set[str]:
    """Return the texts of a schema with an enumeration, or of true and false; empty if it has others."""
    value = schema.followed().value
    if not isinstance(value, Mapping):
        return set()
    values = value.get("enum", [True, False] if value.get("type") == "boolean" else None)
    if not isinstance(values, list) or not _ENUMERATED.issuperset(value):
        return set()
    return {each if isinstance(each, str) else json.dumps(each) for each in values}


def _takes(schema: Place, texts: set[str]) -> bool:
    """Return True if a schema is one of all numbers or integers, and all texts are such numbers."""
    value = schema.followed().value
    if not isinstance(value, Mapping) or not _WORDS.issuperset(value):
        return False
    pattern = _NUMERALS.get(str(value.get("type")))
    return pattern is not None and all(map(re.compile(pattern).fullmatch, texts))


def _kinds(schema: Place) -> set[str]:
    """Return the types of a schema without null; an empty set if it constrains strings further."""
    value = schema.followed().value
    if not isinstance(value, Mapping):
        return set()
    named = {kind for kind in _named(value) if isinstance(kind, str)} - {"null"}
    return set() if "string" in named and not _WORDS.issuperset(value) else named


def _named(schema: Mapping[str, object]) -> list[object]:
    kinds = schema.get("type")
    return kinds if isinstance(kinds, list) else [kinds]
