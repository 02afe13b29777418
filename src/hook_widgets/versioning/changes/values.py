"""Types and fixed values."""

from __future__ import annotations

from fractions import Fraction

from hook_widgets.versioning.changes.forms import ANY, NUMBERS, TYPES, Form, type_of
from hook_widgets.versioning.changes.pair import Pair, listed, shown
from hook_widgets.versioning.changes.patterns import matches

_NULL = frozenset({"null"})


def compare_values(pair: Pair) -> None:
    """Compare types, ``enum`` and ``const``; sets which types are common to both."""
    old, new = pair.old, pair.new
    had, has = old.effective(), new.effective()
    pair.common = had & has
    listed_both = old.enum is not None and new.enum is not None
    if not (listed_both and had & has):
        _types(pair, had, has)
    if old.enum is not None or new.enum is not None:
        _enums(pair)


def _types(pair: Pair, had: frozenset[str], has: frozenset[str]) -> None:
    lost, gained = had - has, has - had
    if not lost and not gained:
        return
    plain_lost, plain_gained = lost - _NULL, gained - _NULL
    if plain_lost and plain_gained:
        rule = "type-changed"
    elif plain_lost and (has - _NULL or not has or "null" in had):
        rule = "type-narrowed"
    elif plain_gained and (had - _NULL or not had or "null" in has):
        rule = "type-widened"
    elif plain_lost or plain_gained:
        rule = "type-changed"
    else:
        rule = ""
    if rule:
        pair.tell(rule, f"The type was {said(had)} and is now {said(has)}.", "type")
    if rule and ANY in (had, has):
        return  # null is one of the types that came or went
    if "null" in lost and (rule != "type-narrowed" or has):
        pair.tell("null-removed", "The value could be null and no longer can.", "type")
    if "null" in gained and (rule != "type-widened" or had):
        pair.tell("null-added", "The value can now be null.", "type")


def said(types: frozenset[str]) -> str:
    """Types as a schema names them.

    >>> said(frozenset({"integer", "fraction", "null"}))
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


def _enums(pair: Pair) -> None:
    old, new = _allowed(pair.old), _allowed(pair.new)
    if old is None and new is not None:
        pair.tell("enum-added", f"Only these values are accepted now: {_values(new)}.", "enum")
        strange = {key: value for key, value in new.items() if admits(pair.old, value) is False}
        if strange and pair.common:
            pair.tell("enum-value-added", f"Newly accepted: {_values(strange)}.", "enum")
        return
    if new is None and old is not None:
        pair.tell(
            "enum-removed", f"No longer only these values are accepted: {_values(old)}.", "enum", gone=True
        )
        lost = {key: value for key, value in old.items() if admits(pair.new, value) is False}
        if lost and pair.common:
            pair.tell("enum-value-removed", f"No longer accepted: {_values(lost)}.", "enum", gone=True)
        return
    if old is None or new is None or not pair.common:
        return
    lost = {key: value for key, value in old.items() if key not in new}
    gained = {key: value for key, value in new.items() if key not in old}
    if "null" in lost:
        del lost["null"]
        pair.tell("null-removed", "The value could be null and no longer can.", "enum")
    if "null" in gained:
        del gained["null"]
        pair.tell("null-added", "The value can now be null.", "enum")
    if lost:
        pair.tell("enum-value-removed", f"No longer accepted: {_values(lost)}.", "enum", gone=True)
    if gained:
        pair.tell("enum-value-added", f"Newly accepted: {_values(gained)}.", "enum")


def _allowed(form: Form) -> dict[str, object] | None:
    """The fixed values that the other keywords let through as well."""
    if form.enum is None:
        return None
    return {key: value for key, value in form.enum.items() if admits(form, value) is not False}


def _values(values: dict[str, object]) -> str:
    return listed([shown(value) for value in values.values()]) if values else "none"


def admits(form: Form, value: object) -> bool | None:
    """Whether a form lets a value through, by its types, numbers and texts; None: not by these alone."""
    kind = type_of(value)
    if kind not in form.types:
        return False
    if isinstance(value, str):
        counts = form.counts
        if not counts.get("minLength", 0) <= len(value) <= counts.get("maxLength", len(value)):
            return False
        return all(matches(pattern, value) is not False for pattern in form.patterns)
    if isinstance(value, int | float) and not isinstance(value, bool):
        number = Fraction(value) if isinstance(value, int) else Fraction(repr(value))
        lower, upper = form.lower, form.upper
        if lower and (number < lower[0] or (lower[1] and number == lower[0])):
            return False
        if upper and (number > upper[0] or (upper[1] and number == upper[0])):
            return False
        return all((number / step).denominator == 1 for step in form.multiples)
    return None if kind in ("array", "object") else True
