"""Recognize patterns that are spellings of one: other groups, character classes and counts."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from functools import lru_cache
from typing import Final, TypeAlias

from hook_widgets.versioning.compat.patterns.expressions import (
    Alternation,
    Character,
    Node,
    Repetition,
    Sequence,
    UnsupportedPattern,
    parse,
)

_ITEM: Final = re.compile(r"\\(.)|(.)", re.DOTALL)
_DIGITS: Final = ((48, 57),)
_CLASSES: Final = {"d": _DIGITS, "w": (*_DIGITS, (65, 90), (95, 95), (97, 122))}  # ECMA 262: ASCII only
_CONTROLS: Final = {"n": 10, "r": 13, "t": 9, "f": 12, "v": 11, "0": 0}

_Ranges: TypeAlias = tuple[tuple[int, int], ...]


@lru_cache(maxsize=256)
def spelling_key(pattern: str) -> Hashable:
    r"""Return a key that is equal for two spellings of one pattern; the pattern if it is not supported.

    >>> spelling_key(r"^(?:\d|[a-f])+$") == spelling_key("^([0-9a-f]{1,})$")
    True
    """
    try:
        expression = parse(pattern)
    except UnsupportedPattern:
        return pattern
    return _key(expression.body), tuple((positive, _key(node)) for positive, node in expression.ahead)


def _key(node: Node) -> Hashable:
    match node:
        case Sequence():
            keys = tuple(_flat(node))
            return keys[0] if len(keys) == 1 else ("sequence", keys)
        case Alternation(nodes=nodes):
            alternatives = [_key(inner) for inner in nodes]
            ranges = [each[1] for each in alternatives if isinstance(each, tuple) and each[0] == "class"]
            if len(ranges) == len(alternatives):
                return "class", _merged([pair for each in ranges for pair in each])
            return "alternation", frozenset(alternatives)
        case Repetition(inner=inner, minimum=minimum, maximum=maximum):
            return _key(inner) if minimum == maximum == 1 else ("repetition", _key(inner), minimum, maximum)
        case Character(test=test):
            if isinstance(test, str):
                return "class", ((ord(test), ord(test)),)
            ranges_of_class = _ranges(test.pattern)
            return ("text", test.pattern) if ranges_of_class is None else ("class", ranges_of_class)
        case _:
            return type(node).__name__


def _flat(sequence: Sequence) -> Iterator[Hashable]:
    for node in sequence.nodes:
        yield from _flat(node) if isinstance(node, Sequence) else (_key(node),)


def _ranges(text: str) -> _Ranges | None:
    """Return the characters of a class that excludes none; None if it is written with other escapes."""
    if text.startswith("[^") or text == ".":
        return None
    items: list[_Ranges] = []
    dashes: list[int] = []
    for match in _ITEM.finditer(text[1:-1] if text.startswith("[") else text):
        escaped, plain = match.groups()
        if escaped in _CLASSES:
            items.append(_CLASSES[escaped])
        elif escaped is not None and escaped.isalnum() and escaped not in _CONTROLS:
            return None
        else:
            if plain == "-":
                dashes.append(len(items))
            code = _CONTROLS[escaped] if escaped in _CONTROLS else ord(escaped or plain)
            items.append(((code, code),))
    for at in reversed(dashes):
        if 0 < at < len(items) - 1:
            before, after = items[at - 1], items[at + 1]
            if before[0][0] != before[-1][1] or after[0][0] != after[-1][1] or before[0][0] > after[0][0]:
                return None
            items[at - 1 : at + 2] = [((before[0][0], after[0][0]),)]
    return _merged([pair for item in items for pair in item])


def _merged(pairs: list[tuple[int, int]]) -> _Ranges:
    merged: list[tuple[int, int]] = []
    for low, high in sorted(pairs):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(high, merged[-1][1])
        else:
            merged.append((low, high))
    return tuple(merged)
