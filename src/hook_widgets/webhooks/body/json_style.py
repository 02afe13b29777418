"""Write JSON as the serializers of senders do: separators, escapes, order of the keys, and the end."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class JsonStyle(StrEnum):
    """The serializer of a sender, by what it writes; numbers keep their spelling.

    ``compact`` is JSON.stringify, Jackson or JSON.generate, and ``indented`` JSON.stringify with two spaces;
    ``python`` is json.dumps, ``python-sorted`` with sort_keys, and ``compact-ascii`` with compact separators;
    ``php`` is json_encode without flags; ``go`` is json.Marshal, ``go-indented`` MarshalIndent with two
    spaces, and ``go-line`` an Encoder, which ends in a newline; ``rails`` is to_json of Active Support.
    """

    COMPACT = "compact"
    COMPACT_ASCII = "compact-ascii"
    INDENTED = "indented"
    PYTHON = "python"
    PYTHON_SORTED = "python-sorted"
    PHP = "php"
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
                return str(value)
            case str():
                return f'"{self.quote(value)}"'
            case _Object():
                pairs = sorted(value, key=lambda pair: pair[0]) if rules.sorted else value
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
    end: str = ""


def _enclosed(opener: str, items: list[str], closer: str, rules: _Rules, line: str) -> str:
    if not items or not rules.indent:
        return opener + rules.comma.join(items) + closer
    inner = line + " " * rules.indent
    return opener + inner + (rules.comma + inner).join(items) + line + closer


_HTML = "<>&\u2028\u2029"
_RULES = {
    JsonStyle.COMPACT: _Rules(),
    JsonStyle.COMPACT_ASCII: _Rules(ascii=True),
    JsonStyle.INDENTED: _Rules(colon=": ", indent=2),
    JsonStyle.PYTHON: _Rules(comma=", ", colon=": ", ascii=True),
    JsonStyle.PYTHON_SORTED: _Rules(comma=", ", colon=": ", ascii=True, sorted=True),
    JsonStyle.PHP: _Rules(ascii=True, escaped="/"),
    JsonStyle.GO: _Rules(escaped=_HTML),
    JsonStyle.GO_INDENTED: _Rules(colon=": ", indent=2, escaped=_HTML),
    JsonStyle.GO_LINE: _Rules(escaped=_HTML, end="\n"),
    JsonStyle.RAILS: _Rules(escaped=_HTML),
}
