"""Strictly parse values and parameters of HTTP Structured Fields (RFC 9651), for all fields that have them.

Integers, Strings and Byte Sequences become Python values. Values of other types are validated and preserved
verbatim (`Other`), because unknown parameters are ignored but must be well formed. There are no Inner Lists.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from typing import Final

KEY: Final = re.compile(r"[a-z*][a-z0-9_\-.*]*+")
"""The name of a parameter."""

# Possessive where an attacker could make a repetition try again.
_BARE: Final = re.compile(
    r"""
    (?P<decimal> -?[0-9]{1,12}\.[0-9]{1,3} )
  | (?P<integer> -?[0-9]{1,15} )
  | "(?P<string> (?>(?: [\ !\#-\[\]-~]++ | \\["\\] )*) )"
  | (?P<token>   [A-Za-z*] [!\#$%&'*+\-.^_`|~:/0-9A-Za-z]*+ )
  | :(?P<bytes>  [A-Za-z0-9+/]*+ =*+ ):
  | (?P<boolean> \?[01] )
  | (?P<date>    @-?[0-9]{1,15} )
  | %"(?P<display> (?>(?: [\ !\#$&-~]++ | %[0-9a-f]{2} )*) )"
    """,
    re.VERBOSE,
)
_PARAMETER: Final = re.compile(rf"; *+({KEY.pattern})(=)?")
_ESCAPED: Final = re.compile(r"\\(.)")
_PERCENT: Final = re.compile(rb"%(..)")


@dataclass(frozen=True, slots=True)
class Other:
    """A well-formed value of a type that the fields do not use.

    Attributes:
        kind: ``"decimal"``, ``"token"``, ``"boolean"``, ``"date"`` or ``"display"``.
        text: the value, verbatim.
    """

    kind: str
    text: str


Bare = int | str | bytes | Other


class MalformedField(ValueError):
    """A text breaks the grammar at a character."""

    def __init__(self, text: str, at: int, expected: str) -> None:
        actual = repr(text[at : at + 12]) if at < len(text) else "the end"
        super().__init__(f"is malformed at character {at + 1}: expected {expected}, found {actual}")


def parse_parameters(text: str, at: int) -> tuple[dict[str, Bare], int]:
    """Parse the parameters that begin at an index; return also the index after them.

    Raises:
        MalformedField: a parameter is malformed.

    >>> parse_parameters("1; a=2;b", 1)
    ({'a': 2, 'b': Other(kind='boolean', text='?1')}, 8)
    """
    parameters: dict[str, Bare] = {}
    while text.startswith(";", at):
        match = _PARAMETER.match(text, at)
        if match is None:
            raise MalformedField(text, at + 1, "a parameter name in lower case")
        at = match.end()
        parameter: Bare = Other("boolean", "?1")  # a parameter without a value is true
        if match[2]:
            parameter, at = parse_bare(text, at, "the value of a parameter")
        parameters[match[1]] = parameter  # the last duplicate wins, at the position of the first
    return parameters, at


def parse_bare(text: str, at: int, expected: str = "a value") -> tuple[Bare, int]:
    """Parse the value that begins at an index; return also the index after it.

    Raises:
        MalformedField: there is no value, or its content cannot be decoded.

    >>> parse_bare('"a", 5', 0)
    ('a', 3)
    """
    match = _BARE.match(text, at)
    if match is None:
        raise MalformedField(text, at, expected)
    kind = str(match.lastgroup)
    raw = match[kind]
    if kind == "integer":
        return int(raw), match.end()
    if kind == "string":
        return _ESCAPED.sub(r"\1", raw), match.end()
    try:
        if kind == "bytes":
            # Missing padding and non-zero pad bits are allowed (RFC 9651 section 4.2.7).
            data = raw.rstrip("=")
            return base64.b64decode(data + "=" * (-len(data) % 4), validate=True), match.end()
        if kind == "display":
            _PERCENT.sub(lambda pair: bytes.fromhex(pair[1].decode()), raw.encode()).decode()
    except (binascii.Error, UnicodeDecodeError):
        expected = "base64 between the colons" if kind == "bytes" else "UTF-8 in the Display String"
        raise MalformedField(text, at, expected) from None
    return Other(kind, raw), match.end()
