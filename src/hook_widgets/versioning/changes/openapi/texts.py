"""Values that travel as text, where 1 and "1" are the same: in addresses, queries, headers and cookies."""

from __future__ import annotations

from collections.abc import Mapping

from hook_widgets.versioning.changes.openapi.place import Place, child

_SCALARS = frozenset({"string", "number", "integer", "boolean", "null"})
_NUMBERS = frozenset({"number", "integer", "boolean"})
_WORDS = frozenset({"type", "title", "description", "default", "example", "examples", "deprecated"})
"""What a schema may say about a text without narrowing it."""
_DEEPEST = 8
"""Alternatives within alternatives; a reference can make them endless."""


def is_scalar(schema: Place, depth: int = 0) -> bool:
    """Whether a schema accepts single values only: no lists and no objects."""
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
            return all(is_scalar(place, depth + 1) for place in places)
    values = target.value.get("enum")
    return isinstance(values, list) and not any(isinstance(value, Mapping | list) for value in values)


def listed(old: Place, new: Place, located: str) -> Place | None:
    """The items of a new parameter that is a list, when single values that were sent before are such lists.

    In the style form with explode, ``?tag=a`` is written like a list of one.
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


def text_rule(old: Place, new: Place) -> str:
    """The rule for a change between text and numbers: every number is a text; empty for other changes."""
    before, after = (_kind(side) for side in (old, new))
    if before in _NUMBERS and after == "string":
        return "type-widened"
    if before == "string" and after in _NUMBERS:
        return "type-narrowed"
    return ""


def _kind(schema: Place) -> str:
    value = schema.followed().value
    if not isinstance(value, Mapping):
        return ""
    kind = value.get("type")
    if kind == "string" and not _WORDS.issuperset(value):
        return ""  # it has a form that numbers may not have
    return kind if isinstance(kind, str) else ""
