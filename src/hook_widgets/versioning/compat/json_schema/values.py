"""Compare types and fixed values."""

from __future__ import annotations

import math
from fractions import Fraction

from hook_widgets.versioning.compat.budget import spend
from hook_widgets.versioning.compat.json_schema.normalization import canonical
from hook_widgets.versioning.compat.json_schema.normalized import (
    ANY,
    NUMBERS,
    TYPES,
    NormalizedSchema,
    type_of,
)
from hook_widgets.versioning.compat.json_schema.pair import SchemaPair, format_list, format_value
from hook_widgets.versioning.compat.patterns.matching import matches, unsupported_reason

_NULL = frozenset({"null"})
_MAX_VALUES = 100
"""The maximum distance of two bounds between which all integers are compared like listed values."""


def compare_values(pair: SchemaPair) -> None:
    """Compare types, ``enum`` and ``const``, and set the types that both schemas share."""
    old, new = pair.old, pair.new
    old_types, new_types = old.effective(), new.effective()
    pair.common = old_types & new_types
    if "fraction" in old_types ^ new_types:  # multiples of a whole number are integers
        old_types, new_types = (
            types - {"fraction"} if any(step.denominator == 1 for step in form.multiples) else types
            for form, types in ((old, old_types), (new, new_types))
        )
    listed_both = old.enum is not None and new.enum is not None
    if not (listed_both and old_types & new_types):
        _types(pair, old_types, new_types)
    if pair.common and (old.enum is not None or new.enum is not None):
        _enums(pair)
        _report_unsupported(pair)


def _types(pair: SchemaPair, old_types: frozenset[str], new_types: frozenset[str]) -> None:
    lost, gained = old_types - new_types, new_types - old_types
    if not lost and not gained:
        return
    plain_lost, plain_gained = lost - _NULL, gained - _NULL
    narrows = not plain_gained and (new_types - _NULL or not new_types or "null" in old_types)
    widens = not plain_lost and (old_types - _NULL or not old_types or "null" in new_types)
    rule = ""
    if plain_lost or plain_gained:
        rule = "type-narrowed" if narrows else "type-widened" if widens else "type-changed"
        pair.report(rule, f"The type was {type_names(old_types)} and is now {type_names(new_types)}.", "type")
    # Else null is one of the added or removed types.
    if "null" in lost and rule in ("", "type-widened"):
        pair.report("null-removed", "The value could be null and no longer can.", "type")
    if "null" in gained and rule in ("", "type-narrowed"):
        pair.report("null-added", "The value can now be null.", "type")


def type_names(types: frozenset[str]) -> str:
    """Format types with the names that a schema uses.

    >>> type_names(frozenset({"integer", "fraction", "null"}))
    'null or number'
    """
    if not types:
        return "nothing at all"
    if types == ANY:
        return "anything"
    names = ["number" if name == "integer" and types >= NUMBERS else name for name in TYPES if name in types]
    if "fraction" in names:
        names = [name for name in names if name != "fraction"] if types >= NUMBERS else names
    return " or ".join(names)


def _enums(pair: SchemaPair) -> None:
    old, new = _allowed(pair.old), _allowed(pair.new)
    lost: dict[str, object] = {}
    gained: dict[str, object] = {}
    if old is None and new is not None:
        pair.report("enum-added", f"Only these values are accepted now: {_values(new)}.", "enum")
        gained = {key: value for key, value in new.items() if admits(pair.old, value) is False}
    elif new is None and old is not None:
        detail = f"No longer only these values are accepted: {_values(old)}."
        pair.report("enum-removed", detail, "enum", removed=True)
        lost = {key: value for key, value in old.items() if admits(pair.new, value) is False}
    elif old is not None and new is not None:
        lost = {key: value for key, value in old.items() if key not in new}
        gained = {key: value for key, value in new.items() if key not in old}
        if "null" in lost:
            del lost["null"]
            pair.report("null-removed", "The value could be null and no longer can.", "enum")
        if "null" in gained:
            del gained["null"]
            pair.report("null-added", "The value can now be null.", "enum")
    if lost:
        pair.report("enum-value-removed", f"No longer accepted: {_values(lost)}.", "enum", removed=True)
    if gained:
        pair.report("enum-value-added", f"Newly accepted: {_values(gained)}.", "enum")


def _report_unsupported(pair: SchemaPair) -> None:
    """Report patterns of one side only for which it is unknown which fixed values they match."""
    values = [*(pair.old.enum or {}).values(), *(pair.new.enum or {}).values()]
    if not any(isinstance(value, str) for value in values):
        return
    for form, other in ((pair.old, pair.new), (pair.new, pair.old)):
        for pattern in form.patterns:
            if pattern not in other.patterns and (reason := unsupported_reason(pattern)):
                detail = (
                    f"Which values the pattern {format_value(pattern)} lets through is not decided: {reason}."
                )
                pair.report("undecided", detail, "pattern", removed=form is pair.old)


def _allowed(form: NormalizedSchema) -> dict[str, object] | None:
    """Return the fixed values that the other keywords accept as well; all values if the types have few."""
    if form.enum is None:
        return _all_values(form)
    return {key: value for key, value in form.enum.items() if admits(form, value) is not False}


def _all_values(form: NormalizedSchema) -> dict[str, object] | None:
    values: list[object] = [None, True, False]
    if form.types & {"fraction", "string", "array", "object"} or not form.types:
        return None
    if "integer" in form.types:
        if not form.lower or not form.upper or form.upper[0] - form.lower[0] > _MAX_VALUES:
            return None
        values += range(math.ceil(form.lower[0]), math.floor(form.upper[0]) + 1)
    return {canonical(value): value for value in values if admits(form, value) is not False}


def _values(values: dict[str, object]) -> str:
    return format_list(list(values.values()), format_value) if values else "none"


def admits(form: NormalizedSchema, value: object) -> bool | None:
    """Return whether a form accepts a value by its types, numbers and strings; None if these do not decide.

    The result is also None if a pattern is not supported.
    """
    spend(2 + len(form.multiples))
    kind = type_of(value)
    if kind not in form.types:
        return False
    if isinstance(value, str):
        counts = form.counts
        if not counts.get("minLength", 0) <= len(value) <= counts.get("maxLength", len(value)):
            return False
        results = {matches(pattern, value) for pattern in form.patterns}
        return False if False in results else None if None in results else True
    if isinstance(value, int | float) and not isinstance(value, bool):
        number = Fraction(value) if isinstance(value, int) else Fraction(repr(value))
        lower, upper = form.lower, form.upper
        if lower and (number < lower[0] or (lower[1] and number == lower[0])):
            return False
        if upper and (number > upper[0] or (upper[1] and number == upper[0])):
            return False
        return all((number / step).denominator == 1 for step in form.multiples)
    return None if kind in ("array", "object") else True
