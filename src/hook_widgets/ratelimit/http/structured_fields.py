"""Build and strictly parse Lists of HTTP Structured Fields (RFC 9651), as far as rate limit fields use them.

Inner Lists are rejected, because no rate limit field contains them.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from hook_widgets._structured_fields import KEY, Bare, MalformedField, parse_bare, parse_parameters
from hook_widgets.errors import InvalidHeader

MAX_INTEGER = 999_999_999_999_999
"""The largest Integer of a Structured Field (RFC 9651 section 3.3.1)."""

MAX_MEMBERS = 1024
"""The members of a List that every parser must support (RFC 9651 section 3.1)."""

_WHITE_SPACE = re.compile(r"[ \t]*+")
_COMMA = re.compile(r"[ \t]*,[ \t]*")
_STRING = re.compile(r"[ -~]*")


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
    value: Any = lines
    all_lines = list(value) if isinstance(value, Iterable) and not isinstance(value, str) else [value]
    if not all(isinstance(line, str) for line in all_lines):
        raise InvalidHeader(f"{name}: pass the field's value as text")
    text = ", ".join(all_lines).strip(" ")
    try:
        return tuple(_parse_items(text))
    except MalformedField as error:
        raise InvalidHeader(f"{name} {error}") from None


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


def _parse_items(text: str) -> Iterator[Item]:
    at = members = 0
    while at < len(text):
        if (members := members + 1) > MAX_MEMBERS:
            raise MalformedField(text, at, f"at most {MAX_MEMBERS} members")
        value, at = parse_bare(text, at)
        parameters, at = parse_parameters(text, at)
        yield Item(value, MappingProxyType(parameters))
        if _WHITE_SPACE.fullmatch(text, at):
            return
        comma = _COMMA.match(text, at)
        if comma is None:
            raise MalformedField(text, at, "a comma or the end")
        at = comma.end()
        if at == len(text):
            raise MalformedField(text, at, "one more member after the last comma")


def _serialize_item(name: str, item: Item) -> str:
    parts = [_serialize_bare(name, item.value)]
    for key, value in item.parameters.items():
        if not KEY.fullmatch(key):
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
