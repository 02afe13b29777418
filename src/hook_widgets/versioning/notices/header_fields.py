"""Helpers shared by all notice fields: field lines and quoted strings (RFC 9110 section 5)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeVar

from hook_widgets.errors import InvalidNotice, VersioningError

QUOTED: Final = r'"(?>(?:[^"\\]++|\\.)*)"'
"""A quoted-string (RFC 9110 section 5.6.4) in a line without control characters; never backtracks."""

TOKEN: Final = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]++"
"""A token (RFC 9110 section 5.6.2)."""

CONTROL: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
"""A control character that no field line has."""

BETWEEN: Final = re.compile(r"(?>(?:[ \t]*+,)*)[ \t]*+")
"""The commas and spaces between the members of a list, of which some may be empty."""

MEMBER_END: Final = re.compile(r"[ \t]*+(?:,|$)")
"""The comma after a member of a list, or the end of the line."""

_T = TypeVar("_T")
_PAIR: Final = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED: Final = re.compile(r'(["\\])')


def lines_of(name: str, value: object) -> list[str]:
    """Return the field lines as a list of strings.

    Raises:
        InvalidNotice: not a string, or a control character such as a line break.

    >>> lines_of("Sunset", "Sun, 06 Nov 1994 08:49:37 GMT")
    ['Sun, 06 Nov 1994 08:49:37 GMT']
    """
    if isinstance(value, str):
        lines = [value]
    elif isinstance(value, Iterable) and not isinstance(value, bytes | bytearray):
        lines = list(value)
    else:
        raise _no_text(name, value)
    for line in lines:
        if not isinstance(line, str):
            raise _no_text(name, line)
        control = CONTROL.search(line)
        if control:
            raise invalid(
                name,
                f"has the control character {control.group()!r} at character {control.start() + 1}; "
                "pass the value of one field line, without line breaks",
            )
    return lines


def pairs_of(headers: object, *, error: type[VersioningError]) -> Iterator[tuple[str, str]]:
    """Yield the headers of a message as pairs of name and value.

    Bytes, as in ASGI, are rejected: they equal no name, so a field would be silently ignored.

    Args:
        headers: a mapping, or pairs if a name can occur more than once.
        error: the class to raise.

    Raises:
        VersioningError: (of the class `error`) not pairs of strings.

    >>> list(pairs_of({"Api-Version": "2"}, error=InvalidNotice))
    [('Api-Version', '2')]
    """
    pairs = headers.items() if isinstance(headers, Mapping) else headers
    if isinstance(pairs, str | bytes) or not isinstance(pairs, Iterable):
        raise _no_pairs(type(headers).__name__, error)
    for pair in pairs:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise _no_pairs(type(pair).__name__, error)
        name, value = pair
        if not isinstance(name, str) or not isinstance(value, str):
            raise _no_pairs(f"{type(name).__name__} and {type(value).__name__}", error)
        yield name, value


def only_line(name: str, value: object) -> str:
    """Return the value of a field that may occur only once.

    Raises:
        InvalidNotice: the field occurs more than once or not at all, or as for `lines_of`.

    >>> only_line("Deprecation", ["@1688169599"])
    '@1688169599'
    """
    lines = lines_of(name, value)
    if not lines:
        raise invalid(name, "is missing; read it only from a response that has it")
    if len(lines) > 1:
        raise invalid(name, f"is sent {len(lines)} times; it has one value, so send it once")
    return lines[0]


def quote(name: str, part: str, text: object) -> str:
    r"""Return the text as a quoted-string.

    Raises:
        InvalidNotice: not a string, or other characters.

    >>> print(quote("Warning", "the text", 'the "v1" API'))
    "the \"v1\" API"
    """
    if not isinstance(text, str):
        raise invalid(name, f"needs {part} as text, not {type(text).__name__}")
    for character in text:
        if not " " <= character <= "~":
            raise invalid(
                name, f"cannot carry {character!r} in {part}; use printable ASCII without line breaks"
            )
    return '"' + _ESCAPED.sub(r"\\\1", text) + '"'


def unquote(quoted: str) -> str:
    """Return the content of a quoted-string.

    >>> unquote('"a, b"')
    'a, b'
    """
    return _PAIR.sub(r"\1", quoted[1:-1])


def end_of(pattern: re.Pattern[str], line: str, at: int) -> int:
    """Return the index after a match of the pattern at an index, or that index without a match."""
    match = pattern.match(line, at)
    return match.end() if match else at


def strictly(members: Iterable[_T | InvalidNotice]) -> tuple[_T, ...]:
    """Return the members of a field, or raise the first error among them."""
    values: list[_T] = []
    for member in members:
        if isinstance(member, InvalidNotice):
            raise member
        values.append(member)
    return tuple(values)


def invalid(name: str, problem: str) -> InvalidNotice:
    """Create the error for a field, with its name and the problem."""
    return InvalidNotice(problem, field=name.lower(), subject=name)


def _no_pairs(kind: str, error: type[VersioningError]) -> VersioningError:
    # Names only the types, because a value may be a credential.
    return error(
        f"headers must be pairs of a name and a value, both text, not {kind}; decode bytes as ISO 8859-1",
        field="headers",
    )


def _no_text(name: str, value: object) -> InvalidNotice:
    return invalid(name, f"must be read from text, not {type(value).__name__}; decode it as ISO 8859-1")
