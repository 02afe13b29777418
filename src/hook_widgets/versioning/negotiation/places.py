"""Where a request names a version, and what the request is without it.

Paths are compared as RFC 3986 section 6.2.2 makes them equal: ``%61pi`` is ``api``, and dot segments are gone
before anything is read, because a server behind us may remove them too. Nothing else is made equal: letter
case counts, and so does an empty segment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from urllib.parse import quote, unquote, unquote_plus

from hook_widgets.versioning.release import MOST


class Place(StrEnum):
    """A place in which a request can name a version."""

    PATH = "path"
    """``/api/v2/orders``"""
    HEADER = "header"
    """``Api-Version: 2``"""
    ACCEPT = "accept"
    """``Accept: application/vnd.example.v2+json``"""
    QUERY = "query"
    """``?version=2``"""


HEADER: Final = "Api-Version"
PARAMETER: Final = "version"

_MAJOR: Final = re.compile(r"[1-9][0-9]*")
_ABSOLUTE: Final = re.compile(r"https?://[^/?#]*", re.IGNORECASE)
_ESCAPED: Final = re.compile(r"%([0-9A-Fa-f]{2})")
_DOT: Final = re.compile(r"%2e", re.IGNORECASE)
# What may stand in a path and a query (RFC 3986 sections 3.3 and 3.4).
_SAFE: Final = "!$&'()*+,;=:@/?%"
_CLEAN: Final = re.compile(r"(?>(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*)")
_STRAY_PERCENT: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")


@dataclass(frozen=True, slots=True)
class Spot:
    """What a target is behind the prefix.

    Attributes:
        version: what stands where the path names a version, such as ``"v2"``, decoded; None when nothing
            does.
        path: the rest of the path as it was written: empty, or from a slash on.
        query: from the question mark on, or empty.
    """

    version: str | None
    path: str
    query: str


def locate(target: str, prefix: str, *, in_path: bool = True) -> Spot | None:
    """Take a request target apart; None when it is not under the prefix.

    A target in absolute form (RFC 9112 section 3.2.2) counts by its path. ``*`` and ``host:port`` have none.

    Args:
        target: as in the request line. Bytes beyond ASCII, which no target should have, are best decoded as
            UTF-8 with ``surrogateescape``.
        prefix: such as ``"/api"``, or empty.
        in_path: whether the path names versions.

    >>> locate("/api/v2/orders?limit=5", "/api")
    Spot(version='v2', path='/orders', query='?limit=5')
    >>> locate("/apiary/v2", "/api") is None
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
            return Spot(decoded, slash + more, mark + query)
    return Spot(None, rest, mark + query)


def major_of(text: str) -> int | None:
    """The number of a version as every place writes it: ASCII digits, no sign, no leading zero.

    A number that is too long for any version becomes one that no version has.

    Args:
        text: what stands in the place of the number.

    >>> major_of("2"), major_of("02"), major_of("+2"), major_of("٢")
    (2, None, None, None)
    """
    if not _MAJOR.fullmatch(text):
        return None
    return int(text) if len(text) <= len(str(MOST)) else MOST + 1


def is_attempt(text: str) -> bool:
    """Whether somebody meant a version: a ``v``, and no letter before a number or the end.

    What only looks like one is refused rather than taken for the name of a resource: with a redirect to the
    latest version, ``/api/v02/orders`` would otherwise be served by a version that nobody asked for.

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
    """What the values of ``Api-Version`` ask for, each once.

    Servers and proxies join lines of one name by commas (RFC 9110 section 5.3), so a comma separates here.

    >>> in_header([" 2 ", "2, 3"])
    ('2', '3')
    """
    return tuple(dict.fromkeys(part.strip(" \t") for value in values for part in value.split(",")))


def in_query(query: str) -> tuple[tuple[str, ...], str]:
    """What ``version`` in a query asks for, each once; and the query without it.

    Read as forms are (``application/x-www-form-urlencoded``, separated by ``&``); what remains stays as it
    was written.

    >>> in_query("?limit=5&version=2&q=a%20b")
    (('2',), '?limit=5&q=a%20b')
    """
    if PARAMETER not in query and "%" not in query:
        return (), query
    asked, kept = [], []
    for piece in query[1:].split("&"):
        name, _, value = piece.partition("=")
        if unquote_plus(name) == PARAMETER:
            asked.append(unquote_plus(value))
        else:
            kept.append(piece)
    if not asked:
        return (), query
    return tuple(dict.fromkeys(asked)), f"?{'&'.join(kept)}" if kept else ""


def without_dots(path: str) -> str:
    """A path without its dot segments (RFC 3986 section 5.2.4), escaped ones (``%2e``) included.

    >>> without_dots("/api/v2/../v1/./orders")
    '/api/v1/orders'
    """
    if "/." not in path and "/%2" not in path:
        return path
    kept: list[str] = []
    segments = path.split("/")[1:]
    for i, segment in enumerate(segments):
        plain = _DOT.sub(".", segment)
        if plain not in (".", ".."):
            kept.append(segment)
            continue
        if plain == ".." and kept:
            kept.pop()
        if i == len(segments) - 1:
            kept.append("")  # the last one leaves its slash
    return "/" + "/".join(kept)


def clean(address: str) -> str:
    r"""A path and query with nothing in it that a URI may not hold: no CR, LF, space, backslash or ``<``.

    Args:
        address: a path with its query.

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
    """What follows the prefix: empty, or from a slash on; None when the path is elsewhere."""
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
