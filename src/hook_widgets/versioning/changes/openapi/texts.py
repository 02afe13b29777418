"""Values that travel as text, where 1 and "1" are the same: in addresses, queries, headers and cookies."""

from __future__ import annotations

from collections.abc import Mapping

from hook_widgets.versioning.changes.openapi.place import Place, child

_SCALARS = frozenset({"string", "number", "integer", "boolean", "null"})
_NUMBERS = frozenset({"number", "integer", "boolean"})
_WORDS = frozenset({"type", "title", "description", "default", "example", "examples", "deprecated"})
"""What a schema may say about a text without narrowing it."""
TYPE_RULES = frozenset({"type-changed", "type-narrowed", "type-widened"})
"""The rules that `text_rule` judges again."""
_DEEPEST = 8
"""Alternatives within alternatives; a reference can make them endless."""


def is_scalar(schema: Place, *, depth: int = 0) -> bool:
    """Whether a schema accepts single values only: no lists and no objects.

    Args:
        schema: the schema.
        depth: how many alternatives it is in.

    >>> from hook_widgets.versioning.changes.openapi.place import Root
    >>> is_scalar(Place({"oneOf": [{"type": "string"}, {"type": "integer"}]}, "", Root({}, "old", "3.1", {})))
    True
    """
    target = schema.followed()
    if not isinstance(target.value, Mapping) or depth == _DEEPEST:
        return False
    kinds = target.value.get("type")
    if kinds is not None:
        named = kinds if isinstance(kinds, list) else [kinds]
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


def listed(old: Place, new: Place, located: str) -> Place | None:
    """The items of a new parameter that is a list, when single values that were sent before are such lists.

    In the style form with explode, ``?tag=a`` is written like a list of one.

    >>> from hook_widgets.versioning.changes.openapi.place import Root
    >>> root = Root({}, "old", "3.1", {})
    >>> old = Place({"type": "string"}, "", root)
    >>> new = Place({"schema": {"type": "array", "items": {"type": "string"}}}, "", root)
    >>> listed(old, new, "query").pointer
    '/schema/items'
    """
    schema = new.at("schema").followed()
    if located not in ("query", "cookie") or not is_scalar(old) or not isinstance(schema.value, Mapping):
        return None
    kinds = schema.value.get("type")
    named = kinds if isinstance(kinds, list) else [kinds]
    least, most = schema.value.get("minItems", 0), schema.value.get("maxItems", 1)
    if (
        "array" not in named
        or (new.text("style") or "form") != "form"
        or not new.flag("explode", default=True)
    ):
        return None
    if not (isinstance(least, int) and isinstance(most, int) and least <= 1 <= most):
        return None
    return schema.at("items")


def text_rule(rule: str, old: Place, new: Place) -> str:
    """The rule for a change of type where all values are texts: every number is one.

    Args:
        rule: the rule for values that have types.
        old: the old schema.
        new: the new schema.

    Returns:
        Another rule, the same one, or nothing when the same texts are accepted.

    >>> from hook_widgets.versioning.changes.openapi.place import Root
    >>> root = Root({}, "old", "3.1", {})
    >>> text_rule("type-changed", Place({"type": "integer"}, "", root), Place({"type": "string"}, "", root))
    'type-widened'
    """
    before, after = (_kinds(side) for side in (old, new))
    if "string" in before and "string" in after:
        return ""
    if before and before <= _NUMBERS and "string" in after:
        return "type-widened"
    if after and after <= _NUMBERS and "string" in before:
        return "type-narrowed"
    return rule


def _kinds(schema: Place) -> set[str]:
    """The types of a schema without null; none when it says more about its texts."""
    value = schema.followed().value
    if not isinstance(value, Mapping):
        return set()
    kinds = value.get("type")
    named = {kind for kind in (kinds if isinstance(kinds, list) else [kinds]) if isinstance(kind, str)} - {
        "null"
    }
    return set() if "string" in named and not _WORDS.issuperset(value) else named
