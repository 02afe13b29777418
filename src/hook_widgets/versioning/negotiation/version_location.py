"""Locate the version in a request, and remove it from the request's target.

Paths are normalised for comparison as in RFC 3986 section 6.2.2: ``%61pi`` equals ``api``, and dot segments
are removed first, because a server behind this one may remove them too. Nothing else is normalised: letter
case and empty segments are significant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from urllib.parse import quote, unquote, unquote_plus

from hook_widgets.versioning.release import MAX_MAJOR


class VersionLocation(StrEnum):
    """A location of the version in a request."""

    PATH = "path"
    """``/api/v2/orders``"""
    HEADER = "header"
    """``Api-Version: 2``"""
    ACCEPT = "accept"
    """``Accept: application/vnd.example.v2+json``"""
    QUERY = "query"
    """``?version=2``"""


HEADER: Final = "Api-Version"
"""Usual name of the header; see `Api.header`."""

PARAMETER: Final = "version"
"""Usual name of the query parameter; see `Api.parameter`."""

_MAJOR: Final = re.compile(r"[1-9][0-9]*")
_DATE: Final = re.compile(r"[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}")
_ABSOLUTE: Final = re.compile(r"https?://[^/?#]*", re.IGNORECASE)
_ESCAPED: Final = re.compile(r"%([0-9A-Fa-f]{2})")
_DOT: Final = re.compile(r"%2e", re.IGNORECASE)
# Characters allowed in a path and a query (RFC 3986 sections 3.3 and 3.4).
_SAFE: Final = "!$&'()*+,;=:@/?%"
_CLEAN: Final = re.compile(r"(?>(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*)")
_STRAY_PERCENT: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")


@dataclass(frozen=True, slots=True)
class LocatedVersion:
    """The parts of a request target after the prefix.

    Attributes:
        version: the segment at the position of the version, such as ``"v2"``, decoded; None if the path
            names none.
        path: the rest of the path, unchanged: empty, or beginning with a slash.
        query: the query with its question mark, or empty.
    """

    version: str | None
    path: str
    query: str


def locate_version(target: str, prefix: str, *, in_path: bool = True) -> LocatedVersion | None:
    """Split a request target into its parts. Return None if it is not under the prefix.

    Of a target in absolute form (RFC 9112 section 3.2.2), the path is used. ``*`` and ``host:port`` have no
    path, so None is returned.

    Args:
        target: the target, as in the request line. Non-ASCII bytes, which are invalid there, should be
            decoded as UTF-8 with ``surrogateescape``.
        prefix: the prefix, such as ``"/api"``, or empty.
        in_path: True if paths name versions.

    >>> locate_version("/api/v2/orders?limit=5", "/api")
    LocatedVersion(version='v2', path='/orders', query='?limit=5')
    >>> locate_version("/apiary/v2", "/api") is None
    True
    """
    if not target.startswith("/"):
        absolute = _ABSOLUTE.match(target)
        if absolute is None:
            return None
        target = target[absolute.end() :]
    path, mark, query = target.partition("?")
    rest = _behind(prefix, without_dots(path or "/"))
    if rest is None:
        return None
    if in_path and rest:
        segment, slash, more = rest[1:].partition("/")
        decoded = unquote(segment) if "%" in segment else segment
        if is_attempt(decoded):
            return LocatedVersion(decoded, slash + more, mark + query)
    return LocatedVersion(None, rest, mark + query)


def major_of(text: str) -> int | None:
    """Parse the number of a version: ASCII digits, no sign, no leading zero. Return None if malformed.

    A number above the largest version becomes one that no version has. A date is the number of its digits.

    >>> major_of("2"), major_of("2022-11-28"), major_of("02"), major_of("+2"), major_of("٢")
    (2, 20221128, None, None, None)
    """
    if _DATE.fullmatch(text):
        return int(text.replace("-", ""))
    if not _MAJOR.fullmatch(text):
        return None
    return int(text) if len(text) <= len(str(MAX_MAJOR)) else MAX_MAJOR + 1


def is_attempt(text: str) -> bool:
    """Return True if a segment is meant as a version: a ``v``, and no letter before a number or the end.

    Malformed versions are rejected rather than treated as resource names: with a redirect to the latest
    version, ``/api/v02/orders`` would otherwise be served by a version that was not requested.

    >>> [is_attempt(text) for text in ("v2", "v02", "v+2", "v٢", "V2", "v", "v2beta", "videos", "v-cards")]
    [True, True, True, True, True, True, True, False, False]
    """
    if text[:1] not in ("v", "V"):
        return False
    for character in text[1:]:
        if character.isalnum():
            return character.isnumeric()
    return True


def in_header(values: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct versions in the values of the header.

    Values are split at commas, because servers and proxies join lines of the same name by commas (RFC 9110
    section 5.3).

    >>> in_header([" 2 ", "2, 3"])
    ('2', '3')
    """
    return tuple(dict.fromkeys(part.strip(" \t") for value in values for part in value.split(",")))


def in_query(query: str, parameter: str = PARAMETER) -> tuple[tuple[str, ...], str]:
    """Return the distinct values of a parameter in a query, and the query without that parameter.

    The query is parsed as ``application/x-www-form-urlencoded`` with ``&`` as separator; the remaining
    parameters are returned unchanged.

    >>> in_query("?limit=5&version=2&q=a%20b")
    (('2',), '?limit=5&q=a%20b')
    """
    if parameter not in query and "%" not in query:
        return (), query
    asked, others = [], []
    for piece in query[1:].split("&"):
        name, _, value = piece.partition("=")
        if unquote_plus(name) == parameter:
            asked.append(unquote_plus(value))
        else:
            others.append(piece)
    if not asked:
        return (), query
    return tuple(dict.fromkeys(asked)), f"?{'&'.join(others)}" if others else ""


def without_dots(path: str) -> str:
    """Remove dot segments from a path (RFC 3986 section 5.2.4), including escaped ones (``%2e``).

    >>> without_dots("/api/v2/../v1/./orders")
    '/api/v1/orders'
    """
    if "/." not in path and "/%2" not in path:
        return path
    resolved: list[str] = []
    segments = path.split("/")[1:]
    for i, segment in enumerate(segments):
        plain = _DOT.sub(".", segment)
        if plain not in (".", ".."):
            resolved.append(segment)
            continue
        if plain == ".." and resolved:
            resolved.pop()
        if i == len(segments) - 1:
            resolved.append("")  # a final dot segment leaves its slash
    return "/" + "/".join(resolved)


def clean(address: str) -> str:
    r"""Percent-encode characters that a URI must not contain, such as CR, LF, space, backslash and ``<``.

    >>> clean("/orders\r\nX: 1?q=%20é")
    '/orders%0D%0AX:%201?q=%20%C3%A9'
    """
    if _CLEAN.fullmatch(address):
        return address
    address = _STRAY_PERCENT.sub("%25", address)
    try:
        data = address.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        data = address.encode("utf-8", "replace")
    return quote(data, safe=_SAFE)


def _behind(prefix: str, path: str) -> str | None:
    """Return the path after the prefix: empty, or beginning with a slash; None if not under the prefix."""
    if path.startswith(prefix) and path[len(prefix) : len(prefix) + 1] in ("", "/"):
        return path[len(prefix) :]
    if "%" not in path:
        return None
    end = -1
    for _ in range(prefix.count("/") + 1):
        end = path.find("/", end + 1)
        if end < 0:
            end = len(path)
            break
    head = _ESCAPED.sub(_unreserved, path[:end])
    return path[end:] if head == prefix else None


def _unreserved(escaped: re.Match[str]) -> str:
    character = chr(int(escaped[1], 16))
    return character if character.isascii() and (character.isalnum() or character in "-._~") else escaped[0]
