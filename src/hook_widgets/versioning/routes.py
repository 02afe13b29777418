"""Check that authentication and rate limits of a route table are the same for every version.

Every version of an API is an additional entry point. All versions of a route must require the same
credentials, and count against the same limit by the same key; otherwise an old version bypasses the
protection, or a client doubles its quota by calling two versions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum

from hook_widgets._arguments import shown
from hook_widgets.errors import InvalidApi

ANONYMOUS = "none"
"""Value of `Route.authentication` for a route that is intentionally public."""

_METHOD = re.compile(r"[A-Z][A-Z-]*")
_VERSION = re.compile(r"v[1-9][0-9]{0,8}")
# A colon marks a parameter only at the beginning of a segment: "/orders:cancel" is a name.
_PARAMETER = re.compile(r"\{[^{}]*\}|<[^<>]*>|(?<=/):[A-Za-z_]\w*")
_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z0-9]+")


class RouteFaultKind(StrEnum):
    """Problems of a route."""

    UNVERSIONED = "unversioned"
    """The route is under the prefix, but its path names no version."""
    TWICE = "twice"
    """The route occurs twice with different protection, so that the order decides."""
    AUTHENTICATION_MISSING = "authentication-missing"
    """The route does not specify its authentication."""
    AUTHENTICATION_DIFFERS = "authentication-differs"
    """Another version of the route requires different credentials."""
    LIMIT_MISSING = "limit-missing"
    """The route has no rate limit."""
    LIMIT_DIFFERS = "limit-differs"
    """Another version of the route has a different limit."""
    KEY_MISSING = "key-missing"
    """The route has a limit, but no key by which requests are counted."""
    KEY_DIFFERS = "key-differs"
    """Another version of the route counts by a different key."""
    KEY_HAS_VERSION = "key-has-version"
    """The key includes the version, so each version has a separate quota."""


@dataclass(frozen=True, slots=True)
class Route:
    """A route of a service's route table.

    Attributes:
        method: the HTTP method, such as ``"GET"``.
        path: the path with its version, such as ``"/api/v2/orders/{id}"``.
        authentication: name of the required credentials, such as ``"api key"``; ``"none"`` for an
            intentionally public route; empty if not specified.
        limit: name of the rate limit, or the limit itself, such as ``"1000/hour"``.
        key: the key by which requests are counted, such as ``"api_key"``; several parts as
            ``"tenant api_key"``.
    """

    method: str
    path: str
    _: KW_ONLY
    authentication: str = ""
    limit: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class RouteFault:
    """A problem of a route table.

    Attributes:
        kind: the kind of problem.
        route: method and path of the route.
        detail: problem and solution, as sentences.
    """

    kind: RouteFaultKind
    route: str
    detail: str


def check_routes(routes: Iterable[Route], *, prefix: str = "/api") -> tuple[RouteFault, ...]:
    """Return the differences in protection between the versions of routes; empty if there are none.

    Two routes are versions of each other if method and resource are equal; names of path parameters are
    ignored. Routes outside `prefix` are not checked, but at least one must be under it. Each version is
    compared with the most recent one, because that is the one under maintenance.

    Args:
        routes: the routes, in any order.
        prefix: the prefix of the API, as in `Api.prefix`; empty for the root.

    Raises:
        InvalidApi: an item is not a route, or no route is under the prefix.

    >>> table = [Route("GET", "/api/v1/orders", authentication="none", limit="1000/hour", key="ip"),
    ...          Route("GET", "/api/v2/orders", authentication="api key", limit="1000/hour", key="api_key")]
    >>> for problem in check_routes(table):
    ...     print(problem.kind, problem.route)
    authentication-differs GET /api/v1/orders
    key-differs GET /api/v1/orders
    """
    base = _checked(prefix)
    if isinstance(routes, Route) or not isinstance(routes, Iterable):
        raise InvalidApi("routes must be a list of Route, such as [Route(…)]", field="routes")
    table: dict[tuple[str, str], dict[int, Route]] = {}
    faults: list[RouteFault] = []
    outside = ""
    for i, route in enumerate(routes):
        resource = _resource(route, base, f"routes.{i}")
        if resource is None:
            outside = outside or route.path
            continue
        version, rest = resource
        if not version:
            text = f"names no version; serve it as {base}/v1{rest}, or redirect it with 308"
            faults.append(RouteFault(RouteFaultKind.UNVERSIONED, _called(route), f"{_called(route)} {text}."))
            continue
        versions = table.setdefault((route.method, rest), {})
        other = versions.setdefault(version, route)
        if (other.authentication, other.limit, other.key) != (route.authentication, route.limit, route.key):
            text = f"{_called(route)} is in the table twice and protected in two ways. Leave one of them."
            faults.append(RouteFault(RouteFaultKind.TWICE, _called(route), text))
    if outside and not table and not faults:
        raise InvalidApi(
            f"no route is under {base!r}, so nothing would be checked; pass the prefix of {outside[:40]!r}",
            field="prefix",
        )
    for versions in table.values():
        faults += _compare_versions(versions)
    return tuple(faults)


def _checked(prefix: object) -> str:
    if not isinstance(prefix, str) or prefix[:1] not in ("", "/"):
        raise InvalidApi(
            f"the prefix is {shown(prefix)}; write it like '/api', or leave it empty", field="prefix"
        )
    return prefix.rstrip("/")


def _compare_versions(versions: Mapping[int, Route]) -> Iterator[RouteFault]:
    """Yield the faults of all versions of one route."""
    newest = versions[max(versions)]
    for _, route in sorted(versions.items()):
        yield from _missing(route)
        yield from _differing(route, newest)


def _missing(route: Route) -> Iterator[RouteFault]:
    name = _called(route)
    if not route.authentication:
        text = f"{name} does not say who may call it. Name the authentication, or write {ANONYMOUS!r}."
        yield RouteFault(RouteFaultKind.AUTHENTICATION_MISSING, name, text)
    if not route.limit:
        text = f"{name} has no rate limit. Count it against the limit of the whole API."
        yield RouteFault(RouteFaultKind.LIMIT_MISSING, name, text)
    elif not route.key:
        text = f"{name} is limited, and nothing says by what. Count by what the caller authenticates with."
        yield RouteFault(RouteFaultKind.KEY_MISSING, name, text)
    if _has_version(route.key):
        text = (
            f"{name} counts by {route.key!r}: each version is then a quota of its own. Leave the version out."
        )
        yield RouteFault(RouteFaultKind.KEY_HAS_VERSION, name, text)


def _differing(route: Route, newest: Route) -> Iterator[RouteFault]:
    for fault, verb, mine, theirs in (
        (RouteFaultKind.AUTHENTICATION_DIFFERS, "asks for", route.authentication, newest.authentication),
        (RouteFaultKind.LIMIT_DIFFERS, "counts against", route.limit, newest.limit),
        (RouteFaultKind.KEY_DIFFERS, "counts by", route.key, newest.key),
    ):
        if mine and theirs and _plain(mine) != _plain(theirs):
            text = f"{_called(route)} {verb} {mine!r}, {newest.path} {verb} {theirs!r}. Make them the same."
            yield RouteFault(fault, _called(route), text)


def _resource(route: Route, prefix: str, field: str) -> tuple[int, str] | None:
    """Return version (0 for none) and path below it; None for a route outside the prefix."""
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
