"""Find the version of a logged request under the names and in the forms that other conventions use.

What is sent under such a name may mean something else, as ``?v=7`` does for a cached file. So only a version
that the API has is found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple
from urllib.parse import parse_qsl

from hook_widgets.versioning.api import Api
from hook_widgets.versioning.negotiation.accept import parse_accept
from hook_widgets.versioning.negotiation.responses import HeaderPairs
from hook_widgets.versioning.negotiation.version_location import VersionLocation, locate_version

_HEADERS: Final = frozenset(
    {"accept-version", "anthropic-version", "notion-version", "square-version", "stripe-version"}
    | {"x-accept-version", "x-ms-version", "x-version"}
)
_PARAMETERS: Final = frozenset({"api-version", "api_version", "apiversion", "version", "ver", "v"})
# A number with minor parts, or a date, also with a name behind it, such as 2024-06-20.acacia.
_NUMBER: Final = re.compile(r"([1-9][0-9]{0,8})((?:\.[0-9]{1,9}){0,2})")
_DATE: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:\.[a-z]{1,40})?")


class NamedVersion(NamedTuple):
    """A version that a request names in its own way.

    Attributes:
        major: the version.
        minor: True if it has minor parts, such as 1.2.
        name: the name, such as ``"?v"`` or ``"x-api-version"``; empty if the API has the same.
    """

    major: int
    minor: bool
    name: str


class _Named(NamedTuple):
    text: str
    name: str = ""


def is_version_header(name: str, own: str = "") -> bool:
    """Return True if requests name versions in a header of this name, in lower case, or in the API's own.

    >>> [is_version_header(name) for name in ("x-github-api-version", "accept-version", "mime-version")]
    [True, True, False]
    """
    return name == own or name.endswith("api-version") or name in _HEADERS


def find_version(api: Api, target: str, headers: HeaderPairs, *, strict: bool = False) -> NamedVersion | None:
    """Return the version of the first location that names one which the API has; None if none does.

    Args:
        api: the API.
        target: path and query.
        headers: the headers that the log has.
        strict: True to look no further than the first location that names any.

    >>> from hook_widgets.versioning.release import Release
    >>> dated = Api(releases=(Release(1), Release(20240620)))
    >>> find_version(dated, "/api/orders?v=1.2", ())
    NamedVersion(major=1, minor=True, name='?v')
    >>> find_version(dated, "/api/orders", (("stripe-version", "2024-06-20.acacia"),)).major
    20240620
    """
    for location in api.precedence:
        named = list(_named(api, location, target, headers))
        for text, name in named:
            plain = text.strip().lower().removeprefix("v")
            number = _NUMBER.fullmatch(plain)
            dated = None if number else _DATE.fullmatch(plain)
            major = int(number[1] if number else "".join(dated.groups()) if dated else 0)
            if major in api.majors:
                return NamedVersion(major, bool(number and number[2]), name)
        if named and strict:
            break
    return None


def _named(api: Api, location: VersionLocation, target: str, headers: HeaderPairs) -> Iterator[_Named]:
    """Yield what may be a version at a location, that under the API's own name first."""
    located = locate_version(target, api.prefix, in_path=location is VersionLocation.PATH)
    if located is None:
        return
    if location is VersionLocation.PATH:
        if located.version is not None and located.version.startswith("v"):
            yield _Named(located.version)
    elif location is VersionLocation.HEADER:
        header = api.header.lower()
        for name, value in _own_first(headers, header):
            if is_version_header(name, header):
                yield _Named(value, "" if name == header else name)
    elif location is VersionLocation.QUERY:
        parameter = api.parameter.lower()
        for name, value in _own_first(parse_qsl(located.query[1:], errors="replace"), parameter):
            if name == parameter or name in _PARAMETERS:
                yield _Named(value, "" if name == parameter else f"?{name}")
    else:
        vendor = f"vnd.{api.vendor.lower()}"
        for member in parse_accept(",".join(value for name, value in headers if name.lower() == "accept")):
            if isinstance(member, str) or member.type != "application":
                continue
            tree, _, suffix = member.subtype.rpartition("+")
            if tree.startswith(f"{vendor}.v") and suffix == "json":
                yield _Named(tree.removeprefix(f"{vendor}."))
            elif suffix == "json":
                own = api.media_parameter.lower()
                for name, value in _own_first(member.parameters, own):
                    if name == own or name in _PARAMETERS:
                        yield _Named(value, "" if name == own else f"Accept with {name}")


def _own_first(pairs: Iterable[tuple[str, str]], own: str) -> list[tuple[str, str]]:
    """Return pairs with their names in lower case, those of the API's own name first."""
    return sorted(((name.lower(), value) for name, value in pairs), key=lambda pair: pair[0] != own)
