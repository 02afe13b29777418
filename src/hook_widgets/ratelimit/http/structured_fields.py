"""Build and strictly parse Lists of HTTP Structured Fields (RFC 9651), as far as rate limit fields use them.

Integers, Strings and Byte Sequences become Python values. Values of other types are validated and preserved
verbatim (`Other`), because unknown parameters are ignored but must be well formed.
Inner Lists are rejected, because no rate limit field contains them.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from hook_widgets.errors import InvalidHeader

MAX_INTEGER = 999_999_999_999_999
"""The largest Integer of a Structured Field (RFC 9651 section 3.3.1)."""

_BARE = re.compile(
    r"""
    (?P<decimal> -?[0-9]{1,12}\.[0-9]{1,3} )
  | (?P<integer> -?[0-9]{1,15} )
  | "(?P<string> (?: [\ !\#-\[\]-~] | \\["\\] )* )"
  | (?P<token>   [A-Za-z*] [!\#$%&'*+\-.^_`|~:/0-9A-Za-z]* )
  | :(?P<bytes>  [A-Za-z0-9+/]* =* ):
  | (?P<boolean> \?[01] )
  | (?P<date>    @-?[0-9]{1,15} )
  | %"(?P<display> (?: [\ !\#$&-~] | %[0-9a-f]{2} )* )"
    """,
    re.VERBOSE,
)
_KEY = re.compile(r"[a-z*][a-z0-9_\-.*]*")
_SPACES = re.compile(r" *")
_COMMA = re.compile(r"[ \t]*,[ \t]*")
_STRING = re.compile(r"[ -~]*")


@dataclass(frozen=True, slots=True)
class Other:
    """A well-formed value of a type that no rate limit parameter uses.

    Attributes:
        kind: ``"decimal"``, ``"token"``, ``"boolean"``, ``"date"`` or ``"display"``.
        text: the value, verbatim.
    """

    kind: str
    text: str


Bare = int | str | bytes | Other


@dataclass(frozen=True, slots=True)
class Item:
    """One member of a List: a value and its parameters, in order."""

    value: Bare
    parameters: Mapping[str, Bare] = field(default_factory=lambda: MappingProxyType({}))


def parse_list(name: str, lines: str | Iterable[str]) -> tuple[Item, ...]:
    """Parse a List (RFC 9651 section 4.2.1).

    Args:
        name: the field's name, for error messages.
        lines: the field's value, or one string per occurrence of the field.

    Raises:
        InvalidHeader: the value is malformed; the message names the character position.

    >>> parse_list("RateLimit", '"default";r=50;t=30')[0].parameters["r"]
    50
    """
    all_lines = [lines] if isinstance(lines, str) else list(lines)
    if not all(isinstance(line, str) for line in all_lines):
        raise InvalidHeader(f"{name}: pass the field's value as text")
    text = ", ".join(all_lines).strip(" ")
    items: list[Item] = []
    at = 0
    while at < len(text):
        item, at = _parse_item(name, text, at)
        items.append(item)
        if at == len(text):
            break
        comma = _COMMA.match(text, at)
        if comma is None:
            raise _malformed(name, text, at, "a comma or the end")
        at = comma.end()
        if at == len(text):
            raise _malformed(name, text, at, "one more member after the last comma")
    return tuple(items)


def build_list(name: str, items: Iterable[Item]) -> str:
    """Serialize a List (RFC 9651 section 4.1.1).

    Raises:
        InvalidHeader: there are no members (omit the field then), or a value cannot be serialized.

    >>> build_list("RateLimit", [Item("default", {"r": 50, "t": 30})])
    '"default";r=50;t=30'
    """
    members = [_serialize_item(name, item) for item in items]
    if not members:
        raise InvalidHeader(f"{name} has no members; leave the field out")
    return ", ".join(members)


def _parse_item(name: str, text: str, at: int) -> tuple[Item, int]:
    value, at = _parse_bare(name, text, at)
    parameters: dict[str, Bare] = {}
    while text.startswith(";", at):
        spaces = _SPACES.match(text, at + 1)
        key = _KEY.match(text, spaces.end() if spaces else at + 1)
        if key is None:
            raise _malformed(name, text, at + 1, "a parameter name in lower case")
        at = key.end()
        parameter: Bare = Other("boolean", "?1")  # a parameter without a value is true
        if text.startswith("=", at):
            parameter, at = _parse_bare(name, text, at + 1)
        parameters[key.group()] = parameter  # the last duplicate wins, at the position of the first
    return Item(value, MappingProxyType(parameters)), at


def _parse_bare(name: str, text: str, at: int) -> tuple[Bare, int]:
    match = _BARE.match(text, at)
    if match is None:
        raise _malformed(name, text, at, "a value")
    kind = str(match.lastgroup)
    raw = match[kind]
    if kind == "integer":
        return int(raw), match.end()
    if kind == "string":
        return re.sub(r"\\(.)", r"\1", raw), match.end()
    try:
        if kind == "bytes":
            # Missing padding and non-zero pad bits are allowed (RFC 9651 section 4.2.7).
            data = raw.rstrip("=")
            return base64.b64decode(data + "=" * (-len(data) % 4), validate=True), match.end()
        if kind == "display":
            re.sub(rb"%(..)", lambda pair: bytes.fromhex(pair[1].decode()), raw.encode()).decode()
    except (binascii.Error, UnicodeDecodeError):
        expected = "base64 between the colons" if kind == "bytes" else "UTF-8 in the Display String"
        raise _malformed(name, text, at, expected) from None
    return Other(kind, raw), match.end()


def _serialize_item(name: str, item: Item) -> str:
    parts = [_serialize_bare(name, item.value)]
    for key, value in item.parameters.items():
        if not _KEY.fullmatch(key):
            raise InvalidHeader(f"{name}: {key!r} is no parameter name; use lower-case letters and digits")
        parts.append(f"{key}={_serialize_bare(name, value)}")
    return ";".join(parts)


def _serialize_bare(name: str, value: Bare) -> str:
    if isinstance(value, str) and _STRING.fullmatch(value):
        return '"' + re.sub(r'(["\\])', r"\\\1", value) + '"'
    if isinstance(value, bytes):
        return f":{base64.b64encode(value).decode()}:"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MAX_INTEGER:
        return str(value)
    raise InvalidHeader(
        f"{name} cannot carry {value!r}; use plain ASCII text, bytes, or a whole number of at most 15 digits"
    )


def _malformed(name: str, text: str, at: int, expected: str) -> InvalidHeader:
    actual = repr(text[at : at + 12]) if at < len(text) else "the end"
    return InvalidHeader(f"{name} is malformed at character {at + 1}: expected {expected}, found {actual}")
