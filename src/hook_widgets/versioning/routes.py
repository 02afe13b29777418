"""The check over a route table: authentication and rate limits apply to every version, with the same key.

A new version of an API is a new way in. Each version of a route must ask for the same credentials, count
against the same limit, and count by the same key: else the old version is the open window of the house, or a
client doubles its quota by calling two versions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from hook_widgets.errors import InvalidApi

ANONYMOUS = "none"
"""What `Route.authentication` says of a route that anybody may call, on purpose."""

_METHOD = re.compile(r"[A-Z][A-Z-]*")
_VERSION = re.compile(r"v[1-9][0-9]{0,8}")
# A colon begins a parameter only where a segment begins: "/orders:cancel" is a name.
_PARAMETER = re.compile(r"\{[^{}]*\}|<[^<>]*>|(?<=/):[A-Za-z_]\w*")
_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z0-9]+")


class Fault(StrEnum):
    """What can be wrong with a route."""

    UNVERSIONED = "unversioned"
    """It lies under the prefix, and its path names no version."""
    TWICE = "twice"
    """The table has it twice, protected in two ways: which one counts depends on the order."""
    AUTHENTICATION_MISSING = "authentication-missing"
    """Nothing says who may call it."""
    AUTHENTICATION_DIFFERS = "authentication-differs"
    """Another version of it asks for other credentials."""
    LIMIT_MISSING = "limit-missing"
    """It has no rate limit."""
    LIMIT_DIFFERS = "limit-differs"
    """Another version of it has another limit."""
    KEY_MISSING = "key-missing"
    """It has a limit, and nothing says by what requests are counted."""
    KEY_DIFFERS = "key-differs"
    """Another version of it counts by another key."""
    KEY_HAS_VERSION = "key-has-version"
    """The version is part of its key: each version is then a quota of its own."""


@dataclass(frozen=True, slots=True)
class Route:
    """One line of a service's route table.

    Attributes:
        method: the HTTP method, such as ``"GET"``.
        path: the path with its version, such as ``"/api/v2/orders/{id}"``.
        authentication: the name of what a caller must present, such as ``"api key"``; ``"none"`` for a route
            that anybody may call on purpose; empty when nobody said.
        limit: the name of the limit that it counts against, or the limit itself, such as ``"1000/hour"``.
        key: what requests are counted by, such as ``"api_key"``; several parts as ``"tenant api_key"``.
    """

    method: str
    path: str
    authentication: str = ""
    limit: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class RouteFault:
    """One thing that is wrong with a route table.

    Attributes:
        fault: the kind.
        route: the method and the path at fault.
        detail: what is wrong and what to do, in a sentence.
    """

    fault: Fault
    route: str
    detail: str


def check_routes(routes: Iterable[Route], *, prefix: str = "/api") -> tuple[RouteFault, ...]:
    """What is wrong with the protection of a route table; empty when every version is protected alike.

    Two routes are versions of each other when method and resource are the same; the names of path parameters
    do not count. Routes outside of `prefix` are not looked at, but one at least has to be inside: else
    nothing would be checked, and nothing found. Each version is compared with the most recent one, because
    that is the one that people maintain.

    Args:
        routes: the lines of the table, in any order.
        prefix: where the API lies, as `Api.prefix` says it; empty when at the root.

    Raises:
        InvalidApi: a line is no route, or none is under the prefix.

    >>> table = [Route("GET", "/api/v1/orders", authentication="none", limit="1000/hour", key="ip"),
    ...          Route("GET", "/api/v2/orders", authentication="api key", limit="1000/hour", key="api_key")]
    >>> for found in check_routes(table):
    ...     print(found.fault, found.route)
    authentication-differs GET /api/v1/orders
    key-differs GET /api/v1/orders
    """
    base = _checked(prefix)
    if isinstance(routes, Route) or not isinstance(routes, Iterable):
        raise InvalidApi("routes must be a list of Route, such as [Route(…)]", field="routes")
    table: dict[tuple[str, str], dict[int, Route]] = {}
    found: list[RouteFault] = []
    outside = ""
    for i, route in enumerate(routes):
        resource = _resource(route, base, f"routes.{i}")
        if resource is None:
            outside = outside or route.path
            continue
        version, rest = resource
        if not version:
            text = f"names no version; serve it as {base}/v1{rest}, or redirect it with 308"
            found.append(RouteFault(Fault.UNVERSIONED, _called(route), f"{_called(route)} {text}."))
            continue
        versions = table.setdefault((route.method, rest), {})
        other = versions.setdefault(version, route)
        if (other.authentication, other.limit, other.key) != (route.authentication, route.limit, route.key):
            text = f"{_called(route)} is in the table twice and protected in two ways. Leave one of them."
            found.append(RouteFault(Fault.TWICE, _called(route), text))
    if outside and not table and not found:
        raise InvalidApi(
            f"no route is under {base!r}, so nothing would be checked; pass the prefix of {outside[:40]!r}",
            field="prefix",
        )
    for versions in table.values():
        found += _of_one(versions)
    return tuple(found)


def _checked(prefix: object) -> str:
    if not isinstance(prefix, str) or prefix[:1] not in ("", "/"):
        raise InvalidApi(
            f"the prefix is {repr(prefix)[:40]}; write it like '/api', or leave it empty", field="prefix"
        )
    return prefix.rstrip("/")


def _of_one(versions: Mapping[int, Route]) -> Iterator[RouteFault]:
    """The faults of one route in its versions."""
    newest = versions[max(versions)]
    for _, route in sorted(versions.items()):
        yield from _missing(route)
        yield from _differing(route, newest)


def _missing(route: Route) -> Iterator[RouteFault]:
    name = _called(route)
    if not route.authentication:
        text = f"{name} does not say who may call it. Name the authentication, or write {ANONYMOUS!r}."
        yield RouteFault(Fault.AUTHENTICATION_MISSING, name, text)
    if not route.limit:
        text = f"{name} has no rate limit. Count it against the limit of the whole API."
        yield RouteFault(Fault.LIMIT_MISSING, name, text)
    elif not route.key:
        text = f"{name} is limited, and nothing says by what. Count by what the caller authenticates with."
        yield RouteFault(Fault.KEY_MISSING, name, text)
    if _has_version(route.key):
        text = (
            f"{name} counts by {route.key!r}: each version is then a quota of its own. Leave the version out."
        )
        yield RouteFault(Fault.KEY_HAS_VERSION, name, text)


def _differing(route: Route, newest: Route) -> Iterator[RouteFault]:
    for fault, what, mine, theirs in (
        (Fault.AUTHENTICATION_DIFFERS, "asks for", route.authentication, newest.authentication),
        (Fault.LIMIT_DIFFERS, "counts against", route.limit, newest.limit),
        (Fault.KEY_DIFFERS, "counts by", route.key, newest.key),
    ):
        if mine and theirs and _plain(mine) != _plain(theirs):
            text = f"{_called(route)} {what} {mine!r}, {newest.path} {what} {theirs!r}. Make them the same."
            yield RouteFault(fault, _called(route), text)


def _resource(route: Route, prefix: str, field: str) -> tuple[int, str] | None:
    """The version (0 for none) and the path below it, or None for a route that is not of the API."""
    if not isinstance(route, Route):
        raise InvalidApi(f"{field} is {type(route).__name__}; write Route(method, path, …)", field=field)
    for name in ("method", "path", "authentication", "limit", "key"):
        if not isinstance(getattr(route, name), str):
            kind = type(getattr(route, name)).__name__
            raise InvalidApi(f"the {name} of {field} must be text, not {kind}", field=f"{field}.{name}")
    if not _METHOD.fullmatch(route.method):
        raise InvalidApi(
            f"{route.method!r} is no HTTP method; write one such as GET", field=f"{field}.method"
        )
    if not route.path.startswith("/"):
        raise InvalidApi(
            f"the path {route.path[:40]!r} does not begin with a slash; write all of it, as clients do",
            field=f"{field}.path",
        )
    if route.path != prefix and not route.path.startswith(f"{prefix}/"):
        return None
    first, slash, rest = route.path[len(prefix) + 1 :].partition("/")
    if _VERSION.fullmatch(first):
        return int(first[1:]), _PARAMETER.sub("{}", slash + rest)
    return 0, route.path[len(prefix) :]


def _called(route: Route) -> str:
    return f"{route.method} {route.path}"


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _has_version(key: str) -> bool:
    return any(word.casefold() == "version" or _VERSION.fullmatch(word) for word in _WORD.findall(key))
