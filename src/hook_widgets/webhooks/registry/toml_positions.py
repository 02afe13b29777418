"""Find the lines of the values of a TOML text, which `tomllib` does not report."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Sequence

Path = tuple[str | int, ...]
"""Keys and array indexes from the top of the text to a value."""

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_STRING = re.compile(
    "|".join(
        (
            r'"""(?:\\.|(?!""").)*"{3,5}',
            r"'''(?:(?!''').)*'{3,5}",
            r'"(?:\\.|[^"\\])*"',
            r"'[^']*'",
        )
    ),
    re.DOTALL,
)
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^,\]}#\r\n]*")  # a number, a boolean, a time
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)")
_ESCAPES = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r"}


class TomlLines:
    r"""The lines of the values of a text that `tomllib` has parsed without an error.

    >>> TomlLines("[key]\ntype = 1\n[[events]]\n[[events]]\nname = 2").of(("events", 1, "name"))
    5
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self._newlines = [m.start() for m in re.finditer("\n", text)]
        self._lines: dict[Path, int] = {}
        self._tables: dict[Path, int] = {}  # path of an array of tables to the number of its tables
        self._document()

    @property
    def paths(self) -> frozenset[Path]:
        """The paths of all values in the text."""
        return frozenset(self._lines)

    def of(self, path: Sequence[str | int]) -> int | None:
        """Return the line of a value, from 1; of its table if it is missing, and None at the top."""
        for length in range(len(path), 0, -1):
            line = self._lines.get(tuple(path[:length]))
            if line is not None:
                return line
        return None

    # -- grammar of TOML 1.0, as far as positions need it ------------------------------------------

    def _document(self) -> None:
        table: Path = ()
        while self._peek():
            if self._peek() == "[":
                table = self._header()
            else:
                self._pair(table)

    def _header(self) -> Path:
        start = self._position
        self._position += 1
        is_array = self._text.startswith("[", self._position)
        self._position += is_array
        keys = self._keys()
        self._position += 1 + is_array
        path: Path = ()
        for key in keys[:-1]:
            path = self._note((*path, key), start)
            if path in self._tables:  # the last of these tables
                path = (*path, self._tables[path] - 1)
        path = self._note((*path, keys[-1]), start)
        if is_array:
            self._tables[path] = self._tables.get(path, 0) + 1
            path = self._note((*path, self._tables[path] - 1), start)
        return path

    def _pair(self, table: Path) -> None:
        start, path = self._position, table
        for key in self._keys():
            path = self._note((*path, key), start)
        self._position += 1  # =
        self._value(path)

    def _keys(self) -> list[str]:
        keys = [self._key()]
        while self._peek() == ".":
            self._position += 1
            keys.append(self._key())
        return keys

    def _key(self) -> str:
        if self._peek() in ('"', "'"):
            raw = self._take(_STRING)
            return _ESCAPE.sub(_unescaped, raw[1:-1]) if raw[0] == '"' else raw[1:-1]
        return self._take(_BARE_KEY)

    def _value(self, path: Path) -> None:
        match self._peek():
            case "[":
                self._position += 1
                number = 0
                while self._peek() != "]":
                    self._value(self._note((*path, number), self._position))
                    number += 1
                    self._position += self._peek() == ","
                self._position += 1
            case "{":
                self._position += 1
                while self._peek() != "}":
                    self._pair(path)
                    self._position += self._peek() == ","
                self._position += 1
            case '"' | "'":
                self._take(_STRING)
            case _:
                self._take(_SCALAR)

    def _peek(self) -> str:
        """Return the next character that is neither white space nor part of a comment."""
        self._take(_BLANK)
        return self._text[self._position : self._position + 1]

    def _take(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._position)
        if not match or (not match[0] and pattern is not _BLANK):
            raise ValueError(f"not TOML at character {self._position}")
        self._position = match.end()
        return match[0]

    def _note(self, path: Path, start: int) -> Path:
        self._lines.setdefault(path, bisect(self._newlines, start - 1) + 1)
        return path


def _unescaped(match: re.Match[str]) -> str:
    code = match[1]
    return chr(int(code[1:], 16)) if len(code) > 1 else _ESCAPES.get(code, code)
