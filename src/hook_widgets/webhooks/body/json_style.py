"""Write JSON as the serializers of senders do: separators, escapes, order of the keys, and the end."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import cache
from typing import Any, Literal


class JsonStyle(StrEnum):
    """The serializer of a sender, by what it writes; numbers keep their spelling, except in ``node``.

    ``node`` is JSON.stringify of a value that JavaScript parsed or computed: numbers have JavaScript's
    spelling, and keys that are array indexes come first.
    ``compact`` is JSON.stringify or JSON.generate, and ``indented`` JSON.stringify with two spaces;
    ``python`` is json.dumps, ``python-sorted`` with sort_keys, and ``compact-ascii``
    json.dumps with compact separators; ``php`` is json_encode without flags, ``php-slashes``
    with JSON_UNESCAPED_SLASHES, ``php-unicode`` with JSON_UNESCAPED_UNICODE, ``php-unescaped`` with both, and
    ``laravel`` with the four JSON_HEX flags of Symfony's JsonResponse; ``go`` is json.Marshal, ``go-old``
    that of Go before 1.22, ``go-plain`` with SetEscapeHTML(false), ``go-indented`` MarshalIndent with two
    spaces, and ``go-line`` an Encoder, which ends in a newline; ``rails`` is to_json of Active Support;
    ``jackson`` is Jackson's generator of UTF-8, and
    ``jackson-ascii`` with ESCAPE_NON_ASCII; ``gson`` is Gson, and ``gson-plain`` without HTML escapes;
    ``dotnet`` is System.Text.Json; ``meta`` is what Facebook, Instagram and WhatsApp send.
    """

    NODE = "node"
    COMPACT = "compact"
    COMPACT_ASCII = "compact-ascii"
    INDENTED = "indented"
    PYTHON = "python"
    PYTHON_SORTED = "python-sorted"
    PHP = "php"
    PHP_SLASHES = "php-slashes"
    PHP_UNICODE = "php-unicode"
    PHP_UNESCAPED = "php-unescaped"
    LARAVEL = "laravel"
    GO = "go"
    GO_OLD = "go-old"
    GO_PLAIN = "go-plain"
    GO_INDENTED = "go-indented"
    GO_LINE = "go-line"
    RAILS = "rails"
    JACKSON = "jackson"
    JACKSON_ASCII = "jackson-ascii"
    GSON = "gson"
    GSON_PLAIN = "gson-plain"
    DOTNET = "dotnet"
    META = "meta"

    @property
    def label(self) -> str:
        """The name of the serializer for people, such as ``"PHP's json_encode"``."""
        return _RULES[self].title

    @property
    def spaced(self) -> tuple[str, str]:
        """The separators of members and of key and value on a single line."""
        return _RULES[self].comma, _RULES[self].colon

    def quote(self, text: str) -> str:
        r"""Return the text as it is inside a string, without the quotes.

        >>> JsonStyle.PHP.quote("É/1")
        '\\u00c9\\/1'
        """
        return text.translate(_escapes(self))

    def write(self, text: str) -> str:
        """Return a JSON text as this serializer writes it.

        Raises:
            ValueError: the text is not JSON.

        >>> JsonStyle.PYTHON_SORTED.write('{"b":1.50,"a":[]}')
        '{"a": [], "b": 1.50}'
        """
        value = json.loads(
            text, object_pairs_hook=_Object, parse_int=WrittenNumber, parse_float=WrittenNumber
        )
        rules = _RULES[self]
        return self._value(value, rules, "\n") + rules.end

    def _value(self, value: Any, rules: _Rules, line: str) -> str:
        inner = line + " " * rules.indent
        match value:
            case WrittenNumber():
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


class WrittenNumber(str):
    """A number as it was written."""

    __slots__ = ()


class _Object(list[tuple[str, Any]]):
    """The members of an object, in their order."""


@dataclass(frozen=True, kw_only=True)
class _Rules:
    r"""The habits of a serializer.

    Attributes:
        title: its name for people.
        comma: the separator of members or items.
        colon: the separator of a key and its value.
        indent: the number of spaces of each level; 0 for a single line.
        ascii: True if every character beyond ASCII is an escape.
        pairs: True if characters beyond U+FFFF are escapes.
        escaped: further characters that are written as ``\uXXXX``, and ``/`` as ``\/``.
        upper: the escapes that have upper-case digits: "all", those of "escaped", or none.
        long: control characters that have no short escape such as ``\b``.
        sorted: True if the members of an object are sorted by key.
        javascript: True if numbers and the order of keys are those of a value that JavaScript parsed.
        end: the text after the value.
    """

    title: str
    comma: str = ","
    colon: str = ":"
    indent: int = 0
    ascii: bool = False
    pairs: bool = False
    escaped: str = ""
    upper: Literal["", "escaped", "all"] = ""
    long: str = ""
    sorted: bool = False
    javascript: bool = False
    end: str = ""


class _Escapes(dict[int, str]):
    """The table for `str.translate` of one serializer, filled when a character is met first."""

    def __init__(self, rules: _Rules) -> None:
        self._rules = rules

    def __missing__(self, code: int) -> str:
        self[code] = text = self._written(chr(code), code)
        return text

    def _written(self, char: str, code: int) -> str:
        rules = self._rules
        if char == "/":
            return "\\/" if "/" in rules.escaped else "/"
        if char in rules.escaped or char in rules.long or 0xD800 <= code < 0xE000:
            return self._escape(code)
        if code < 0x80:
            short = _SHORT.get(char)
            return short or (char if code >= 0x20 else self._escape(code))
        if rules.ascii or (rules.pairs and code > 0xFFFF):
            units = char.encode("utf-16-be")
            return "".join(self._escape(int.from_bytes(units[n : n + 2])) for n in range(0, len(units), 2))
        return char

    def _escape(self, code: int) -> str:
        upper = self._rules.upper == "all" or (
            self._rules.upper == "escaped" and chr(code) in self._rules.escaped
        )
        return f"\\u{code:04X}" if upper else f"\\u{code:04x}"


@cache
def _escapes(style: JsonStyle) -> _Escapes:
    return _Escapes(_RULES[style])


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
_SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_LINES = "\u2028\u2029"
_HTML = "<>&" + _LINES
_PHP = "PHP's json_encode"
_GO = "Go's json.Marshal"
# Each row is what the program itself writes, see tests/webhooks/data/test_json_style.py; Meta's is from
# public reports, which agree on these four characters.
_RULES = {
    JsonStyle.NODE: _Rules(title="JSON.stringify of parsed values", javascript=True),
    JsonStyle.COMPACT: _Rules(title="JavaScript's JSON.stringify"),
    JsonStyle.COMPACT_ASCII: _Rules(title="Python's json.dumps without spaces", ascii=True, escaped="\x7f"),
    JsonStyle.INDENTED: _Rules(title="JSON.stringify with two spaces", colon=": ", indent=2),
    JsonStyle.PYTHON: _Rules(title="Python's json.dumps", comma=", ", colon=": ", ascii=True, escaped="\x7f"),
    JsonStyle.PYTHON_SORTED: _Rules(
        title="Python's json.dumps with sort_keys",
        comma=", ",
        colon=": ",
        ascii=True,
        escaped="\x7f",
        sorted=True,
    ),
    JsonStyle.PHP: _Rules(title=_PHP, ascii=True, escaped="/"),
    JsonStyle.PHP_SLASHES: _Rules(title=f"{_PHP} with JSON_UNESCAPED_SLASHES", ascii=True),
    JsonStyle.PHP_UNICODE: _Rules(title=f"{_PHP} with JSON_UNESCAPED_UNICODE", escaped="/" + _LINES),
    JsonStyle.PHP_UNESCAPED: _Rules(
        title=f"{_PHP} with JSON_UNESCAPED_SLASHES and JSON_UNESCAPED_UNICODE", escaped=_LINES
    ),
    JsonStyle.LARAVEL: _Rules(title="Laravel or Symfony", ascii=True, escaped="/<>&'\"", upper="escaped"),
    JsonStyle.GO: _Rules(title=_GO, escaped=_HTML),
    JsonStyle.GO_OLD: _Rules(title=f"{_GO} before Go 1.22", escaped=_HTML, long="\b\f"),
    JsonStyle.GO_PLAIN: _Rules(title="Go's encoder without HTML escapes", escaped=_LINES),
    JsonStyle.GO_INDENTED: _Rules(title="Go's json.MarshalIndent", colon=": ", indent=2, escaped=_HTML),
    JsonStyle.GO_LINE: _Rules(title="Go's json.Encoder", escaped=_HTML, end="\n"),
    JsonStyle.RAILS: _Rules(title="Rails' to_json", escaped=_HTML),
    JsonStyle.JACKSON: _Rules(title="Java's Jackson", pairs=True, upper="all"),
    JsonStyle.JACKSON_ASCII: _Rules(title="Jackson with ESCAPE_NON_ASCII", ascii=True, upper="all"),
    JsonStyle.GSON: _Rules(title="Java's Gson", escaped="<>&='" + _LINES),
    JsonStyle.GSON_PLAIN: _Rules(title="Gson without HTML escapes", escaped=_LINES),
    JsonStyle.DOTNET: _Rules(
        title=".NET's System.Text.Json", ascii=True, escaped="<>&'+`\"\x7f", upper="all"
    ),
    JsonStyle.META: _Rules(title="Meta's serializer", ascii=True, escaped="/<%@", upper="escaped"),
}
