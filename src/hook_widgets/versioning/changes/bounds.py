"""Bounds of numbers; lengths, patterns, formats and encodings of texts."""

from __future__ import annotations

import math
from fractions import Fraction

from hook_widgets.versioning.changes.forms import NUMBERS, Form, Limit, tighter
from hook_widgets.versioning.changes.pair import Pair, listed, moved, shown

_WIDER = {"int32": "int64", "float": "double"}
"""Formats of OpenAPI that include one another: each value of the first is one of the second."""


def compare_numbers(pair: Pair) -> None:
    """Compare the bounds and ``multipleOf``, where both schemas accept numbers and not only fixed ones."""
    if not pair.common & NUMBERS or _fixed(pair):
        return
    whole = "fraction" not in pair.common
    _limit(pair, "minimum", _sharp(pair.old.lower, whole, 1), _sharp(pair.new.lower, whole, 1))
    _limit(pair, "maximum", _sharp(pair.old.upper, whole, -1), _sharp(pair.new.upper, whole, -1))
    _multiples(pair)


def _fixed(pair: Pair) -> bool:
    # Fixed values are compared one by one, with the bounds taken into account.
    return pair.old.enum is not None or pair.new.enum is not None


def _sharp(limit: Limit | None, whole: bool, up: int) -> Limit | None:  # noqa: FBT001 - a private helper
    """Among whole numbers, more than 5 means at least 6."""
    if limit is None or not whole:
        return limit
    value, excluded = limit
    if excluded and value.denominator == 1:
        return value + up, False
    return Fraction(math.ceil(value) if up > 0 else math.floor(value)), False


def _limit(pair: Pair, word: str, old: Limit | None, new: Limit | None) -> None:
    if old == new:
        return
    narrows = tighter(old, new, up=word == "minimum") == new
    exclusive = "exclusive" + word.capitalize()
    tail = exclusive if _written(pair.new if new else pair.old, exclusive) else word
    rule = "bounds-narrowed" if narrows else "bounds-widened"
    pair.tell(rule, moved(word, _text(old), _text(new)), tail, gone=new is None)


def _written(form: Form, word: str) -> bool:
    return any(isinstance(part.schema, dict) and word in part.schema for part in form.parts)


def _text(limit: Limit | None) -> str | None:
    if limit is None:
        return None
    value = limit[0]
    number = str(value.numerator) if value.denominator == 1 else repr(float(value))
    return f"{number} (excluded)" if limit[1] else number


def _multiples(pair: Pair) -> None:
    old, new = pair.old.multiples, pair.new.multiples
    if "fraction" not in pair.common:
        old, new = old | {Fraction(1)}, new | {Fraction(1)}
    narrows = not all(any((had / step).denominator == 1 for had in old) for step in new)
    widens = not all(any((has / step).denominator == 1 for has in new) for step in old)
    rule = {
        (True, False): "multiple-of-narrowed",
        (False, True): "multiple-of-widened",
        (True, True): "multiple-of-changed",
    }.get((narrows, widens))
    if rule:
        detail = moved("multipleOf", _steps(pair.old), _steps(pair.new))
        pair.tell(rule, detail, "multipleOf", gone=not pair.new.multiples)


def _steps(form: Form) -> str | None:
    return listed([str(_text((step, False))) for step in sorted(form.multiples)]) if form.multiples else None


def compare_counts(pair: Pair, kind: str, least: str, most: str) -> None:
    """Compare two counting keywords of a type."""
    if kind not in pair.common:
        return
    for word in (least, most):
        old, new = pair.old.counts.get(word), pair.new.counts.get(word)
        if old == new:
            continue
        narrows = old is None or (new is not None and (new > old if word == least else new < old))
        detail = moved(word, None if old is None else str(old), None if new is None else str(new))
        pair.tell("bounds-narrowed" if narrows else "bounds-widened", detail, word, gone=new is None)


def compare_texts(pair: Pair) -> None:
    """Compare what is demanded of texts; ``format`` goes for every type that it can be about."""
    if _fixed(pair):
        return
    compare_counts(pair, "string", "minLength", "maxLength")
    if "string" in pair.common:
        _several(pair, "pattern", pair.old.patterns, pair.new.patterns)
        _encodings(pair)
    if pair.common & (NUMBERS | {"string"}):
        _formats(pair)


def _several(pair: Pair, word: str, old: tuple[str, ...], new: tuple[str, ...]) -> None:
    gone, come = [text for text in old if text not in new], [text for text in new if text not in old]
    if gone and come:
        detail = moved(word, listed([shown(text) for text in gone]), listed([shown(text) for text in come]))
        pair.tell(f"{word}-changed", detail, word)
    elif come:
        pair.tell(f"{word}-added", moved(word, None, listed([shown(text) for text in come])), word)
    elif gone:
        pair.tell(
            f"{word}-removed", moved(word, listed([shown(text) for text in gone]), None), word, gone=True
        )


def _formats(pair: Pair) -> None:
    old = tuple(text for text in pair.old.formats if text not in pair.new.formats)
    new = tuple(text for text in pair.new.formats if text not in pair.old.formats)
    if not old and not new:
        return
    wider = len(old) == len(new) == 1 and _WIDER.get(old[0]) == new[0]
    narrower = len(old) == len(new) == 1 and _WIDER.get(new[0]) == old[0]
    if wider or not new:
        rule = "format-widened"
    else:
        rule = "format-narrowed" if narrower or not old else "format-changed"
    detail = moved("format", listed(list(old)) if old else None, listed(list(new)) if new else None)
    pair.tell(rule, detail, "format", gone=not new)


def _encodings(pair: Pair) -> None:
    old, new = pair.old.encodings, pair.new.encodings
    for word in dict.fromkeys([*old, *new]):
        if old.get(word) == new.get(word):
            continue
        change = "added" if word not in old else "removed" if word not in new else "changed"
        before, after = (shown(side[word]) if word in side else None for side in (old, new))
        pair.tell(f"encoding-{change}", moved(word, before, after), word, gone=word not in new)
