"""Compare bounds of numbers, and lengths, patterns, formats and encodings of strings."""

from __future__ import annotations

import math
from fractions import Fraction

from hook_widgets.versioning.compat.budget import spend
from hook_widgets.versioning.compat.json_schema.normalized import (
    NUMBER_FORMATS,
    NUMBERS,
    Limit,
    NormalizedSchema,
    tighter,
)
from hook_widgets.versioning.compat.json_schema.pair import (
    SchemaPair,
    format_change,
    format_list,
    format_moved,
    format_value,
)
from hook_widgets.versioning.compat.patterns.spellings import spelling_key

_BITS = {"int32": 31, "int64": 63}
_WIDER = {"int32": "int64", "float": "double"}
"""Formats of OpenAPI that include one another: each value of the key is a value of the other format."""


def compare_numbers(pair: SchemaPair) -> None:
    """Compare bounds and ``multipleOf``, if both schemas accept numbers and have no fixed values."""
    if not pair.common & NUMBERS or _fixed(pair):
        return
    integers = "fraction" not in pair.common
    _limit(pair, "minimum", _tighten(pair.old.lower, integers, 1), _tighten(pair.new.lower, integers, 1))
    _limit(pair, "maximum", _tighten(pair.old.upper, integers, -1), _tighten(pair.new.upper, integers, -1))
    _multiples(pair)


def _fixed(pair: SchemaPair) -> bool:
    return pair.old.enum is not None or pair.new.enum is not None  # then values are compared one by one


def _tighten(limit: Limit | None, integers: bool, sign: int) -> Limit | None:  # noqa: FBT001 - a private helper
    """Convert a bound to the inclusive integer bound: among integers, more than 5 means at least 6."""
    if limit is None or not integers:
        return limit
    value, excluded = limit
    if excluded and value.denominator == 1:
        return value + sign, False
    return Fraction(math.ceil(value) if sign > 0 else math.floor(value)), False


def _limit(pair: SchemaPair, keyword: str, old: Limit | None, new: Limit | None) -> None:
    if old == new:
        return
    narrows = tighter(old, new, up=keyword == "minimum") == new
    looser, limit = (pair.old, new) if narrows else (pair.new, old)
    for text, bits in _BITS.items():
        end = Fraction(-(2**bits) if keyword == "minimum" else 2**bits - 1), False
        if text in looser.formats and limit and tighter(limit, end, up=keyword == "minimum") == end:
            return  # the format implies this limit
    exclusive, parts = "exclusive" + keyword.capitalize(), (pair.new if new else pair.old).parts
    written = any(isinstance(part.schema, dict) and exclusive in part.schema for part in parts)
    rule = "bounds-narrowed" if narrows else "bounds-widened"
    detail = format_change(keyword, _text(old), _text(new))
    pair.report(rule, detail, exclusive if written else keyword, removed=new is None)


def _text(limit: Limit | None) -> str | None:
    if limit is None:
        return None
    value = limit[0]
    number = str(value.numerator) if value.denominator == 1 else repr(float(value))
    return f"{number} (excluded)" if limit[1] else number


def _multiples(pair: SchemaPair) -> None:
    whole = frozenset({Fraction(1)} if "fraction" not in pair.common else ())
    old, new = _common_multiple(pair.old.multiples | whole), _common_multiple(pair.new.multiples | whole)
    narrows = new is not None and (old is None or (old / new).denominator != 1)
    widens = old is not None and (new is None or (new / old).denominator != 1)
    if narrows or widens:
        rule = f"multiple-of-{'changed' if narrows and widens else 'narrowed' if narrows else 'widened'}"
        detail = format_change("multipleOf", _steps(pair.old), _steps(pair.new))
        pair.report(rule, detail, "multipleOf", removed=not pair.new.multiples)


def _common_multiple(steps: frozenset[Fraction]) -> Fraction | None:
    """Return the number of which exactly those numbers are multiples that are multiples of all steps."""
    spend(4 * len(steps))
    numerators, denominators = ([step.numerator for step in steps], [step.denominator for step in steps])
    return Fraction(math.lcm(*numerators), math.gcd(*denominators)) if steps else None


def _steps(form: NormalizedSchema) -> str | None:
    return format_list([str(_text((step, False))) for step in sorted(form.multiples)]) or None


def compare_counts(pair: SchemaPair, kind: str, *keywords: str) -> None:
    """Compare the minimum and maximum count of a type."""
    for keyword in keywords if kind in pair.common else ():
        compare_count(pair, keyword, pair.old.counts.get(keyword), pair.new.counts.get(keyword))


def compare_count(pair: SchemaPair, keyword: str, old: int | None, new: int | None) -> None:
    """Compare one minimum or maximum count."""
    if old == new:
        return
    narrows = old is None or (new is not None and (new > old) == keyword.startswith("min"))
    looser, count = (pair.old, new) if narrows else (pair.new, old)
    if keyword == "minProperties" and count is not None and count <= len(looser.required):
        return  # the required fields are as many
    detail = format_change(keyword, None if old is None else str(old), None if new is None else str(new))
    pair.report("bounds-narrowed" if narrows else "bounds-widened", detail, keyword, removed=new is None)


def compare_texts(pair: SchemaPair) -> None:
    """Compare string constraints, and ``format`` for every type to which it may apply."""
    if _fixed(pair):
        return
    compare_counts(pair, "string", "minLength", "maxLength")
    if "string" in pair.common:
        _compare_patterns(pair)
        _encodings(pair)
    if pair.common & (NUMBERS | {"string"}):
        _formats(pair)


def _compare_patterns(pair: SchemaPair) -> None:
    """Compare patterns, except those that are only written in another way."""
    keys = [{spelling_key(text) for text in side.patterns} for side in (pair.old, pair.new)]
    old, new = (
        format_list([text for text in side.patterns if spelling_key(text) not in other], format_value)
        for side, other in ((pair.old, keys[1]), (pair.new, keys[0]))
    )
    if old or new:
        rule = "pattern-changed" if old and new else "pattern-removed" if old else "pattern-added"
        detail = format_change("pattern", old or None, new or None)
        pair.report(rule, detail, "pattern", removed=not new)


def _formats(pair: SchemaPair) -> None:
    old, new = (
        [text for text in side.formats if text not in other.formats and not _bounded(other, text)]
        for side, other in ((pair.old, pair.new), (pair.new, pair.old))
    )
    of_numbers = "string" not in pair.common and not NUMBER_FORMATS & {*old, *new}
    if (not old and not new) or (of_numbers and not (old and new)):
        return  # no difference, or a format of strings on a number
    wider = len(old) == len(new) == 1 and _WIDER.get(old[0]) == new[0]
    narrower = len(old) == len(new) == 1 and _WIDER.get(new[0]) == old[0]
    change = "widened" if wider or not new else "narrowed" if narrower or not old else "changed"
    detail = format_change("format", format_list(old) or None, format_list(new) or None)
    pair.report(f"format-{change}", detail, "format", removed=not new)


def _bounded(form: NormalizedSchema, text: str) -> bool:
    """Return True if a form admits only integers, within the range of a format."""
    if text not in _BITS or "fraction" in form.types or not form.lower or not form.upper:
        return False
    return -(1 << _BITS[text]) <= form.lower[0] and form.upper[0] < 1 << _BITS[text]


def _encodings(pair: SchemaPair) -> None:
    old, new = pair.old.encodings, pair.new.encodings
    for keyword in dict.fromkeys([*old, *new]):
        if old.get(keyword) == new.get(keyword):
            continue
        change = "added" if keyword not in old else "removed" if keyword not in new else "changed"
        detail = format_moved(keyword, old, new)
        pair.report(f"encoding-{change}", detail, keyword, removed=keyword not in new)
