"""Write JSON as the serializers of senders do: separators, escapes, order of the keys, and the end."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any


class JsonStyle(StrEnum):
    """The serializer of a sender, by what it writes; numbers keep their spelling, except in ``node``.

    ``node`` is JSON.stringify of a value that JavaScript parsed or computed: numbers have JavaScript's
    spelling, and keys that are array indexes come first. ``compact`` is Jackson or JSON.generate, and
    ``indented`` JSON.stringify with two spaces; ``python`` is json.dumps, ``python-sorted`` with sort_keys,
    and ``compact-ascii`` with compact separators; ``php`` is json_encode without flags, and ``slashes``
    with JSON_UNESCAPED_UNICODE, or JSON.simple; ``go`` is json.Marshal, ``go-indented`` MarshalIndent with
    two spaces, and ``go-line`` an Encoder, which ends in a newline; ``rails`` is to_json of Active Support.
    """

    NODE = "node"
    COMPACT = "compact"
    COMPACT_ASCII = "compact-ascii"
    INDENTED = "indented"
    PYTHON = "python"
    PYTHON_SORTED = "python-sorted"
    PHP = "php"
    SLASHES = "slashes"
    GO = "go"
    GO_INDENTED = "go-indented"
    GO_LINE = "go-line"
    RAILS = "rails"

    def quote(self, text: str) -> str:
        r"""Return the text as it is inside a string, without the quotes.

        >>> JsonStyle.PHP.quote("É/1")
        '\\u00c9\\/1'
        """
        rules = _RULES[self]
        quoted = json.dumps(text, ensure_ascii=rules.ascii)[1:-1]
        for char in rules.escaped:  # none of them occurs in an escape
            quoted = quoted.replace(char, "\\/" if char == "/" else f"\\u{ord(char):04x}")
        return quoted

    def write(self, text: str) -> str:
        """Return a JSON text as this serializer writes it.

        Raises:
            ValueError: the text is not JSON.

        >>> JsonStyle.PYTHON_SORTED.write('{"b":1.50,"a":[]}')
        '{"a": [], "b": 1.50}'
        """
        value = json.loads(text, object_pairs_hook=_Object, parse_int=_Number, parse_float=_Number)
        rules = _RULES[self]
        return self._value(value, rules, "\n") + rules.end

    def _value(self, value: Any, rules: _Rules, line: str) -> str:
        inner = line + " " * rules.indent
        match value:
            case _Number():
                return _javascript_number(value) if rules.javascript else str(value)
            case str():
                return f'"{self.quote(value)}"'
            case _Object():
                pairs = sorted(value, key=lambda pair: pair[0]) if rules.sorted else value
                pairs = _javascript_order(value) if rules.javascript else pairs
                written = [
                    f'"{self.quote(key)}"{rules.colon}{self._value(item, rules, inner)}'
                    for key, item in pairs
                ]
                return _enclosed("{", written, "}", rules, line)
            case list():
                return _enclosed("[", [self._value(item, rules, inner) for item in value], "]", rules, line)
        return json.dumps(value)


class _Number(str):
    """A number as it was written."""

    __slots__ = ()


class _Object(list[tuple[str, Any]]):
    """The members of an object, in their order."""


@dataclass(frozen=True, kw_only=True)
class _Rules:
    comma: str = ","
    colon: str = ":"
    indent: int = 0
    ascii: bool = False
    escaped: str = ""
    sorted: bool = False
    javascript: bool = False
    end: str = ""


def _enclosed(opener: str, items: list[str], closer: str, rules: _Rules, line: str) -> str:
    if not items or not rules.indent:
        return opener + rules.comma.join(items) + closer
    inner = line + " " * rules.indent
    return opener + inner + (rules.comma + inner).join(items) + line + closer


def _javascript_number(text: str) -> str:
    """Return a number as JSON.stringify writes it (ECMA-262, Number::toString; null beyond its range)."""
    value = float(text)
    if not math.isfinite(value):
        return "null"
    if value == 0:
        return "0"  # also for -0
    shortest = repr(value)
    if 1e-6 <= abs(value) < 1e21:
        return format(Decimal(shortest), "f").removesuffix(".0")
    mantissa, _, exponent = shortest.partition("e")
    return f"{mantissa}e{int(exponent):+d}"


def _javascript_order(members: _Object) -> list[tuple[str, Any]]:
    """Return the members in the order of a JavaScript object: array indexes ascending, then the others."""
    last = dict(members)  # a repeated key has its first place and its last value
    indexes = sorted((key for key in last if _INDEX.fullmatch(key) and int(key) < 2**32 - 1), key=int)
    return [(key, last[key]) for key in dict.fromkeys([*indexes, *last])]


_INDEX = re.compile(r"0|[1-9][0-9]{0,9}")
_HTML = "<>&\u2028\u2029"
_RULES = {
    JsonStyle.NODE: _Rules(javascript=True),
    JsonStyle.COMPACT: _Rules(),
    JsonStyle.COMPACT_ASCII: _Rules(ascii=True),
    JsonStyle.INDENTED: _Rules(colon=": ", indent=2),
    JsonStyle.PYTHON: _Rules(comma=", ", colon=": ", ascii=True),
    JsonStyle.PYTHON_SORTED: _Rules(comma=", ", colon=": ", ascii=True, sorted=True),
    JsonStyle.PHP: _Rules(ascii=True, escaped="/"),
    JsonStyle.SLASHES: _Rules(escaped="/"),
    JsonStyle.GO: _Rules(escaped=_HTML),
    JsonStyle.GO_INDENTED: _Rules(colon=": ", indent=2, escaped=_HTML),
    JsonStyle.GO_LINE: _Rules(escaped=_HTML, end="\n"),
    JsonStyle.RAILS: _Rules(escaped=_HTML),
}
