"""Explain JSON syntax errors to the author of the text.

`json_scanner` finds where the grammar is violated; this module examines the text around it and names the
mistake and its correction. The position reported is the one to edit: a missing comma belongs directly after
the previous value, a trailing comma is at the comma itself.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

MAX_DEPTH = 512
"""The maximum nesting depth of objects and arrays. RFC 8259 section 9 permits such a limit."""

_SPACE = re.compile(rb"[ \t\n\r]*")
_STRING_START = re.compile(rb'"(?>(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*)')
_NUMBER_LIKE = re.compile(rb"[-+]?[.0-9][0-9A-Za-z_.+-]*|[-+]")
_WORD = re.compile(rb"[-+]?[A-Za-z_$\x80-\xff][A-Za-z0-9_$.+\x80-\xff-]*")
_CURLY_QUOTES = "\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb"
_SHORT_ESCAPES = {8: r"\b", 9: r"\t", 12: r"\f"}
_CONTAINERS = {0x7B: "object", 0x5B: "array"}


class Expect(Enum):
    """The tokens that the grammar allows next."""

    VALUE = auto()
    FIRST_ITEM = auto()
    """A value, or the end of the array."""
    KEY = auto()
    FIRST_KEY = auto()
    """A key, or the end of the object."""
    COLON = auto()
    NEXT = auto()
    """A comma or the end of the innermost object or array; at the top level, the end of the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """The position at which scanning stopped.

    Attributes:
        body: the whole text.
        good: the end of the last valid token; 0, or 3 after a BOM, if there is none.
        expect: the tokens that the grammar allows here.
        opener: the offset of the innermost open bracket, None at the top level.
    """

    body: bytes
    good: int
    expect: Expect
    opener: int | None

    @property
    def before(self) -> bytes:
        """The last byte of the last valid token; empty, or that of the BOM, if there is none."""
        return self.body[max(self.good - 1, 0) : self.good]

    @property
    def at(self) -> int:
        """The offset of the first invalid byte, or the end of the body if the text is incomplete."""
        space = _SPACE.match(self.body, self.good)
        return space.end() if space else self.good


def quoted(token: bytes, *, limit: int = 40) -> str:
    """Return a part of the body for a message: shortened, with invisible characters escaped."""
    text = token[: 4 * limit + 4].decode("utf-8", "replace")
    escaped = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
    return escaped if len(escaped) <= limit else escaped[:limit] + "…"


def explain(stop: Stop, describe: Callable[[int], str]) -> tuple[int, str]:
    """Return the byte offset to edit and an explanation of the error."""
    if stop.at == len(stop.body):
        return stop.at, _ended(stop, describe)
    if general := _invalid_anywhere(stop.body, stop.at):
        return stop.at, general
    if stop.expect is Expect.NEXT:
        return _after_value(stop, describe)
    if stop.expect is Expect.COLON:
        return _after_key(stop)
    if stop.before == b"," and stop.opener is not None and stop.body[stop.at] == stop.body[stop.opener] + 2:
        kind = _CONTAINERS[stop.body[stop.opener]]
        last = "member" if kind == "object" else "item"
        return stop.good - 1, f"JSON allows no comma after the last {last} of an {kind}; remove this one"
    if stop.body[stop.at : stop.at + 1] == b'"':
        return _string(stop.body, stop.at)
    if stop.expect in (Expect.KEY, Expect.FIRST_KEY):
        return stop.at, _key(stop, describe)
    return _value(stop, describe)


def _ended(stop: Stop, describe: Callable[[int], str]) -> str:
    if stop.opener is None:
        return "the body is empty; write a JSON value, such as {}"
    opener = stop.body[stop.opener]
    return (
        f"the text ends inside the {_CONTAINERS[opener]} opened at {describe(stop.opener)}; "
        f"complete it and close it with {chr(opener + 2)}"
    )


def _invalid_anywhere(body: bytes, at: int) -> str | None:
    """Explain comments, and spaces and control characters that JSON forbids (RFC 8259 section 2)."""
    if body.startswith((b"//", b"/*", b"#", b"<!--"), at):
        return "JSON has no comments; remove this one"
    char = _char(body, at)
    if char == "\ufeff":
        return "a byte order mark (U+FEFF) stands in the middle of the text; remove it"
    if char.isspace() or unicodedata.category(char) in ("Cc", "Cf"):
        name = unicodedata.name(char, "a control character").lower()
        return f"U+{ord(char):04X} ({name}) is not white space in JSON; remove it or use a plain space"
    return None


def _after_value(stop: Stop, describe: Callable[[int], str]) -> tuple[int, str]:
    body, at = stop.body, stop.at
    if stop.opener is None:
        return at, "the JSON value ends before this; remove the rest, or put all values into one array [ ]"
    kind = _CONTAINERS[body[stop.opener]]
    byte = body[at : at + 1]
    if byte in (b"]", b"}"):
        return at, _mismatch(stop, describe)
    if byte == b";":
        return at, "a semicolon separates nothing in JSON; write a comma here"
    if byte == b":" and kind == "array":
        return at, "an array holds values without keys; use { } for keys, or a comma instead of this colon"
    if byte == b":":
        return at, "a value stands before this colon; write a comma here, then a key and its colon"
    if stop.before == b'"' and at == stop.good and _WORD.match(body, at):
        return (
            at,
            r"a comma is missing here; add it or, if the quote before it belongs to the text, write it as \"",
        )
    return stop.good, f"a comma is missing here, between two {'members' if kind == 'object' else 'items'}"


def _after_key(stop: Stop) -> tuple[int, str]:
    byte = stop.body[stop.at : stop.at + 1]
    if byte in (b",", b"}", b"]"):
        return stop.good, "this key has no value; add a colon and a value"
    if byte == b"=":
        return stop.at, "JSON has no equals sign; write a colon here"
    return stop.good, "a colon is missing here, between the key and its value"


def _key(stop: Stop, describe: Callable[[int], str]) -> str:
    body, at = stop.body, stop.at
    byte = body[at : at + 1]
    if byte == b",":
        return "a member is missing before this comma; add it or remove the comma"
    if byte == b":":
        return "a key is missing before this colon; add one in double quotes"
    if byte == b"]":
        return _mismatch(stop, describe)
    if byte in (b"{", b"["):
        return f"a key must be a string in double quotes, not an {_CONTAINERS[body[at]]}; add one before it"
    if (quotes := _other_quotes(body, at)) is not None:
        return quotes
    if word := _WORD.match(body, at) or _NUMBER_LIKE.match(body, at):
        return f'a key needs double quotes; write "{quoted(word[0])}"'
    return _unexpected(body, at)


def _value(stop: Stop, describe: Callable[[int], str]) -> tuple[int, str]:
    body, at = stop.body, stop.at
    byte = body[at : at + 1]
    if stop.before == b":" and byte in (b",", b"]", b"}"):
        return stop.good, "a value is missing here, after the colon"
    if byte in (b"]", b"}"):
        return at, _mismatch(stop, describe)
    if byte == b",":
        return at, "a value is missing before this comma; add it or remove the comma"
    if byte == b":":
        return at, "a value was expected here; remove this colon"
    if byte in (b"{", b"["):
        return (
            at,
            f"objects and arrays are nested over {MAX_DEPTH} deep here; flatten them, as readers reject that",
        )
    if (quotes := _other_quotes(body, at)) is not None:
        return at, quotes
    if word := _WORD.match(body, at):
        return at, _word(word[0])
    if number := _NUMBER_LIKE.match(body, at):
        return at, _number(number[0])
    return at, _unexpected(body, at)


def _mismatch(stop: Stop, describe: Callable[[int], str]) -> str:
    closer = chr(stop.body[stop.at])
    if stop.opener is None:
        return f"nothing is open that this {closer} could close; remove it"
    opener = stop.body[stop.opener]
    return (
        f"this {closer} does not close the {_CONTAINERS[opener]} opened at {describe(stop.opener)}; "
        f"that one needs {chr(opener + 2)}"
    )


def _other_quotes(body: bytes, at: int) -> str | None:
    char = _char(body, at)
    if char in ("'", "`"):
        name = "single quotes" if char == "'" else "backquotes"
        return f'JSON has no {name}; put the text in double quotes, "…"'
    if char in _CURLY_QUOTES:
        return f'{char} (U+{ord(char):04X}) is a typographic quote; use straight double quotes, "'
    return None


def _word(token: bytes) -> str:
    word = quoted(token)
    plain = word.lstrip("+-")
    if plain in ("NaN", "Infinity"):
        return f"{word} is not a JSON number; use null, or the text in double quotes"
    if plain == "undefined":
        return "undefined is not JSON; use null, or leave the member out"
    if plain in ("None", "nil"):
        return f"{word} is not JSON; write null"
    if plain.lower() in ("true", "false", "null"):
        return f"{word} is not JSON; write {plain.lower()}, all lower case and nothing attached"
    return f'text needs double quotes; write "{word}"'


def _number(token: bytes) -> str:
    number = quoted(token)
    unsigned = token.lstrip(b"+-")
    if token.startswith(b"+"):
        return f"{number}: a JSON number has no plus sign in front; remove the sign"
    if not unsigned:
        return "a minus sign needs a digit right behind it"
    if unsigned[:2].lower() in (b"0x", b"0o", b"0b"):
        return f"{number}: JSON numbers are decimal; write it in decimal, or as text in double quotes"
    if re.match(rb"0[0-9]", unsigned):
        return f"{number}: a JSON number has no leading zero; remove it, or quote the whole as text"
    if unsigned.startswith(b"."):
        return f"{number}: a digit must stand before the decimal point; write 0 there"
    if re.match(rb"[0-9]+\.(?![0-9])", unsigned):
        return f"{number}: a digit must follow the decimal point; add 0, or remove the point"
    if re.fullmatch(rb"[0-9]+(\.[0-9]+)?[eE][+-]?", unsigned):
        return f"{number}: digits are missing in the exponent; add them"
    return f"{number} is not a number; correct it, or put it in double quotes as text"


def _string(body: bytes, at: int) -> tuple[int, str]:
    """Explain the error in the string that starts at `at`."""
    start = _STRING_START.match(body, at)
    fault = start.end() if start else at
    if body[fault:] in (b"", b"\\"):
        return at, 'this string is never closed; add " at its end'
    byte = body[fault]
    if byte in (0x0A, 0x0D):
        return fault, r'the line ends inside a string; close it with ", or write the line break as \n'
    if byte < 0x20:
        escape = _SHORT_ESCAPES.get(byte, f"\\u{byte:04x}")
        return fault, f"control character U+{byte:04X} stands raw in a string; write it as {escape}"
    escaped = _char(body, fault + 1)
    if escaped in ("\n", "\r"):
        return fault, r"a backslash cannot continue a JSON string on the next line; write the break as \n"
    if escaped == "u":
        return fault, r"\u needs exactly four hexadecimal digits after it, as in \u00e9"
    if escaped == "x":
        return fault, r"\x is not a JSON escape; write \u00 and the two digits, as in \u00e9"
    if escaped == "'":
        return fault, r"\' is not a JSON escape; write a single quote without backslash"
    return fault, f"\\{quoted(escaped.encode())} is not a JSON escape; to mean a backslash, write two, \\\\"


def _unexpected(body: bytes, at: int) -> str:
    return f"{_char(body, at)} cannot stand here; remove it, or put text in double quotes"


def _char(body: bytes, at: int) -> str:
    """Return the character that starts at `at`, empty at the end of the body."""
    return body[at : at + 4].decode("utf-8", "replace")[:1]
