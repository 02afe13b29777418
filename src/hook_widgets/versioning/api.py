"""The `Api` record, with which a user describes the versions and conventions of an API."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final, TypeAlias

from hook_widgets._arguments import shown as shown_value
from hook_widgets.errors import InvalidApi
from hook_widgets.versioning import conventions
from hook_widgets.versioning.brownouts import Brownout, BrownoutResponse
from hook_widgets.versioning.dates.instants import instant, shown
from hook_widgets.versioning.negotiation.negotiate import Decision
from hook_widgets.versioning.negotiation.negotiate import negotiate as decide
from hook_widgets.versioning.negotiation.responses import HeaderPairs
from hook_widgets.versioning.negotiation.version_location import (
    HEADER,
    PARAMETER,
    VersionLocation,
    clean,
    in_query,
    without_dots,
)
from hook_widgets.versioning.notices.brownout import NAME as BROWNOUT_HEADER
from hook_widgets.versioning.notices.brownout import build_brownouts
from hook_widgets.versioning.notices.deprecation import build_deprecation
from hook_widgets.versioning.notices.links import Link, build_links
from hook_widgets.versioning.notices.sunset import build_sunset
from hook_widgets.versioning.notices.warning_header import build_warning
from hook_widgets.versioning.release import HeadersBegin, Release, Status

_Era: TypeAlias = tuple[datetime, Status]
_Outage: TypeAlias = tuple[datetime, datetime, Brownout]
_ANNOUNCED: Final = (Status.DEPRECATED, Status.REMOVED)
_BEGINNING: Final = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """An API, its versions, and the locations of the version in a request.

    Attributes:
        name: name for sentences, such as ``"Orders API"``.
        releases: the versions, sorted by number; at least one is stable.
        prefix: the part of the path before the version, as clients write it, such as ``"/api"``; may be
            empty.
        vendor: the vendor in ``application/vnd.<vendor>.v2+json``: a facet of a media type's name (RFC 6838
            section 3.2), or several separated by dots.
        header: name of the request's header that names a version, and of the response's with its number.
        parameter: name of the query parameter that names a version.
        media_parameter: name of the parameter of ``application/json`` in ``Accept`` that also names a
            version, such as ``"v"`` for ``application/json;v=1.0``; empty for none.
        base_url: scheme and host, such as ``"https://api.example.com"``, for addresses in texts and in 410
            responses; if empty, addresses begin with the path.
        migration_guide: a URL, in which ``{old}`` and ``{new}`` are replaced by the versions.
        precedence: the locations in which a request can name a version; the first that names one decides.
            Other locations are not read.
        redirect_unversioned: True to respond 308 to requests that name no version; False to serve the latest
            stable version. Without `VersionLocation.PATH` in `precedence` there are no redirects.
        headers_begin: when responses begin to carry the headers of a planned deprecation: with its
            announcement, or at once.
        warn: True to also send the obsolete ``Warning: 299`` with a deprecated version.
        brownout_response: response to requests during a brownout: 503 with ``Retry-After``, or 410.
        majors: the version numbers.

    Raises:
        InvalidApi: an attribute is invalid; `field` names it, or is ``"versions.<i>.<attribute>"`` with the
            index of the release as passed, from 0.

    >>> api = Api(releases=(Release(1), Release(2), Release(3, stable=False)))
    >>> api.latest_stable(datetime.fromisoformat("2026-11-20T09:00Z"))
    2
    """

    name: str = "API"
    releases: tuple[Release, ...]
    prefix: str = "/api"
    vendor: str = "example"
    header: str = HEADER
    parameter: str = PARAMETER
    media_parameter: str = ""
    base_url: str = ""
    migration_guide: str = ""
    precedence: tuple[VersionLocation, ...] = (
        VersionLocation.PATH,
        VersionLocation.HEADER,
        VersionLocation.ACCEPT,
        VersionLocation.QUERY,
    )
    redirect_unversioned: bool = True
    headers_begin: HeadersBegin = HeadersBegin.ANNOUNCEMENT
    warn: bool = False
    brownout_response: BrownoutResponse = BrownoutResponse.UNAVAILABLE
    majors: tuple[int, ...] = field(init=False, repr=False, compare=False)
    _by_major: Mapping[int, Release] = field(init=False, repr=False, compare=False)
    _eras: Mapping[int, tuple[_Era, ...]] = field(init=False, repr=False, compare=False)
    _notices: Mapping[int, HeaderPairs] = field(init=False, repr=False, compare=False)
    _brownouts: Mapping[int, tuple[_Outage, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        conventions.check_name(self.name)
        releases = conventions.check_releases(self.releases)
        conventions.check_prefix(self.prefix)
        conventions.check_vendor(self.vendor)
        conventions.check_names(self.header, self.parameter, self.media_parameter)
        conventions.check_base_url(self.base_url)
        conventions.check_guide(self.migration_guide)
        for name in ("redirect_unversioned", "warn"):
            if not isinstance(getattr(self, name), bool):
                raise InvalidApi(f"{name} must be True or False", field=name)
        for name, kinds in (("headers_begin", HeadersBegin), ("brownout_response", BrownoutResponse)):
            _set(self, name, conventions.check_choice(kinds, getattr(self, name), name))
        _set(self, "base_url", self.base_url.rstrip("/"))
        _set(self, "precedence", conventions.check_precedence(self.precedence))
        _set(self, "releases", releases)
        _set(self, "majors", tuple(release.major for release in releases))
        # Plain dicts, because a mappingproxy can be neither pickled nor copied; they are never modified.
        _set(self, "_by_major", {release.major: release for release in releases})
        _set(self, "_eras", {release.major: _eras(release) for release in releases})
        _set(self, "_notices", {each.major: _notices(each, self.header, warn=self.warn) for each in releases})
        _set(self, "_brownouts", {release.major: _outages(release) for release in releases})

    def release(self, major: int) -> Release:
        """Return the version with this number.

        Args:
            major: the version number.

        Raises:
            InvalidApi: there is no such version.
        """
        release = self._by_major.get(major) if type(major) is int else None  # True and 2.0 are valid keys too
        if release is None:
            known = ", ".join(map(str, self.majors))
            raise InvalidApi(
                f"there is no version {shown_value(major)}; choose from {known}", field="version"
            )
        return release

    def status(self, major: int, at: datetime) -> Status:
        """Return the status of a version at a time.

        Args:
            major: the version number.
            at: the time, with its zone.

        Raises:
            InvalidApi: no such version, or the time has no zone.
        """
        now = instant(at, "the time of the question", field="at")
        eras = self._eras[self.release(major).major]
        for start, status in eras:
            if now >= start:
                return status
        return eras[-1][1]

    def brownout(self, major: int, at: datetime) -> Brownout | None:
        """Return the planned outage in which a version is at a time; None if it is in none.

        Args:
            major: the version number.
            at: the time, with its zone.

        Raises:
            InvalidApi: no such version, or the time has no zone.
        """
        outages = self._brownouts[self.release(major).major]
        now = instant(at, "the time of the question", field="at")
        return next((outage for begin, end, outage in outages if begin <= now < end), None)

    def supported(self, at: datetime) -> tuple[int, ...]:
        """Return the versions that are served at a time: active, preview and deprecated ones.

        A version in a brownout is among them, because it comes back.

        Raises:
            InvalidApi: the time has no zone.
        """
        unserved = (Status.PLANNED, Status.REMOVED)
        return tuple(major for major in self.majors if self.status(major, at) not in unserved)

    def default(self, at: datetime, *, excluded: Iterable[int] = ()) -> int | None:
        """Return the latest stable version, preferably not deprecated; None if no stable version is served.

        Args:
            at: the time, with its zone.
            excluded: versions to skip.

        Raises:
            InvalidApi: the time has no zone.

        >>> api = Api(releases=(Release(1), Release(2)))
        >>> api.default(datetime.fromisoformat("2026-11-20T09:00Z"), excluded=[2])
        1
        """
        deprecated = None
        for release in reversed(self.releases):
            if not release.stable or release.major in excluded:
                continue
            status = self.status(release.major, at)
            if status is Status.ACTIVE:
                return release.major
            if status is Status.DEPRECATED and deprecated is None:
                deprecated = release.major
        return deprecated

    def latest_stable(self, at: datetime) -> int:
        """Return the version that serves requests which name none.

        Args:
            at: the time, with its zone.

        Raises:
            InvalidApi: the time has no zone, or no stable version is served then.
        """
        major = self.default(at)
        if major is None:
            raise InvalidApi(
                f"no stable version is served at {shown(at)}; release one, or move a removal",
                field="versions",
            )
        return major

    def successor(self, major: int, at: datetime) -> int | None:
        """Return the version to which users of a version should migrate: the latest stable one.

        None if the version is itself the latest, or newer.

        Args:
            major: the version in use.
            at: the time, with its zone.

        Raises:
            InvalidApi: no such version, or the time has no zone.
        """
        self.release(major)
        latest = self.default(at)
        return latest if latest is not None and latest > major else None

    def base_path(self, major: int) -> str:
        """Return the path of a version before the application's own paths, without a trailing slash.

        A middleware removes it and passes it on (``SCRIPT_NAME`` in WSGI, ``root_path`` in ASGI), so that
        redirects and links of the application stay in the same version.

        Args:
            major: the version.

        Raises:
            InvalidApi: no such version.

        >>> Api(releases=(Release(2),)).base_path(2)
        '/api/v2'
        """
        self.release(major)
        return f"{self.prefix}/v{major}" if VersionLocation.PATH in self.precedence else self.prefix

    def path(self, major: int, target: str = "") -> str:
        """Return the address of a resource in a version, without the host: ASCII, beginning with one slash.

        The version is in the path if `precedence` includes `VersionLocation.PATH`, otherwise in the query if
        it includes `VersionLocation.QUERY`; otherwise the address is the same for all versions.

        Args:
            major: the version.
            target: path and query as in `Routed.target`: empty, or beginning with a slash or question mark.

        Raises:
            InvalidApi: no such version, or an invalid target.

        >>> Api(releases=(Release(2),)).path(2, "/orders?limit=5")
        '/api/v2/orders?limit=5'
        """
        base = self.base_path(major)
        _check_target(target)
        path, mark, query = target.partition("?")
        query = mark + query
        path = without_dots(path) if path else ""
        if VersionLocation.QUERY in self.precedence:
            query = in_query(query, self.parameter)[1]
        path = base + path or "/"
        if VersionLocation.QUERY in self.precedence and VersionLocation.PATH not in self.precedence:
            query = f"{query}{'&' if query else '?'}{self.parameter}={major}"
        # Two slashes at the start would mean a host; a leading "/." prevents that (RFC 3986, 3.3).
        return ("/." if path.startswith("//") else "") + clean(path + query)

    def guide(self, old: int, new: int) -> str:
        """Return the URL of the migration guide from one version to another; empty if there is none.

        >>> Api(releases=(Release(1),), migration_guide="https://example.com/v{old}-to-v{new}").guide(1, 2)
        'https://example.com/v1-to-v2'
        """
        return self.migration_guide.replace("{old}", str(old)).replace("{new}", str(new))

    def headers(self, major: int, at: datetime, *, target: str = "") -> HeaderPairs:
        """Return the headers for responses of a version at a time: its number, and notices of a deprecation.

        `header` is always included. ``Deprecation`` (RFC 9745), ``Sunset`` (RFC 8594), ``Link`` (RFC
        8288) and, with `warn`, ``Warning`` are included from the announcement or, with
        `HeadersBegin.AT_ONCE`, as soon as the version has a lifecycle. A removed version keeps them for its
        410 responses; a planned version has none at all. ``Api-Brownout`` lists the brownouts that have not
        ended.

        Args:
            major: the version.
            at: the time, with its zone.
            target: path and query of the resource, for the link to its successor.

        Raises:
            InvalidApi: no such version, the time has no zone, or `path` rejects the target.

        >>> Api(releases=(Release(1),)).headers(1, datetime.fromisoformat("2026-11-20T09:00Z"))
        (('Api-Version', '1'),)
        """
        status = self.status(major, at)
        if status is Status.PLANNED:
            return ()
        notices = self._notices[major]
        if self._by_major[major].lifecycle is None:
            return notices
        if self.headers_begin is HeadersBegin.ANNOUNCEMENT and status not in _ANNOUNCED:
            return notices[:1]
        now = instant(at, "the time of the question", field="at")
        if ahead := [(begin, end) for begin, end, _ in self._brownouts[major] if now < end]:
            notices = (*notices, (BROWNOUT_HEADER, build_brownouts(ahead)))
        successor = self.successor(major, at)
        links = []
        if self.migration_guide and (successor is not None or "{new}" not in self.migration_guide):
            links.append(_guide_link(self.guide(major, successor or major)))
        if successor is not None:
            links.append(build_links([Link(self.path(successor, target), "successor-version")]))
        return (*notices, ("Link", ", ".join(links))) if links else notices

    def negotiate(
        self, target: str, headers: Mapping[str, str] | Iterable[tuple[str, str]] = (), *, at: datetime
    ) -> Decision:
        """Decide which version serves a request.

        The first location in `precedence` that names a version decides. An invalid version in any location is
        never ignored: the response is 400, even if another location would have decided.

        Args:
            target: path and query as in the request line, percent-encoded.
            headers: names in any letter case, and values: pairs, or a mapping. Only `header` and ``Accept``
                are read.
            at: the time of the request, with its zone.

        Returns:
            A decision with the version to serve, or with the response to send in place of the application's;
            with neither if the target is not under the prefix, so that the application serves it unchanged.

        Raises:
            InvalidApi: the time has no zone, or target or headers are not strings. No string from a client
                raises.

        >>> api = Api(releases=(Release(1), Release(2)))
        >>> at = datetime.fromisoformat("2026-11-20T09:00Z")
        >>> api.negotiate("/api/v1/orders?limit=5", at=at).route.target
        '/orders?limit=5'
        >>> api.negotiate("/api/orders", [("Api-Version", "1")], at=at).route.major
        1
        >>> dict(api.negotiate("/api/orders", at=at).response.headers)["Location"]
        '/api/v2/orders'
        >>> api.negotiate("/health", at=at)
        Decision(route=None, response=None)
        """
        return decide(self, target, headers, at=at)


def _set(api: Api, name: str, value: object) -> None:
    object.__setattr__(api, name, value)


def _check_target(target: object) -> None:
    if not isinstance(target, str) or target[:1] not in ("", "/", "?"):
        raise InvalidApi(
            f"the target is {shown_value(target)}; write path and query, such as '/orders?limit=5'",
            field="target",
        )


def _eras(release: Release) -> tuple[_Era, ...]:
    """Return the start of each status, the last first. Computed once, because every request needs it."""
    moments = [] if release.released is None else [release.released]
    if release.lifecycle is not None:
        moments += [release.lifecycle.deprecated, release.lifecycle.sunset]
    starts = {_BEGINNING, *(instant(moment, "the date") for moment in moments)}
    return tuple((start, release.status(start)) for start in sorted(starts, reverse=True))


def _outages(release: Release) -> tuple[_Outage, ...]:
    """Return the brownouts with their times in UTC. Computed once, because every request needs them."""
    outages = release.lifecycle.brownouts if release.lifecycle else ()
    return tuple(
        (instant(each.starts, "the brownout"), instant(each.ends, "the brownout"), each) for each in outages
    )


@lru_cache(maxsize=64)
def _guide_link(url: str) -> str:
    return build_links([Link(url, "deprecation", (("type", "text/html"),))])


def _notices(release: Release, header: str, *, warn: bool) -> HeaderPairs:
    """Return all headers except the links, which depend on time and target."""
    headers = [(header, str(release.major))]
    if release.lifecycle is not None:
        headers.append(("Deprecation", build_deprecation(release.lifecycle.deprecated)))
        headers.append(("Sunset", build_sunset(release.lifecycle.sunset)))
        if warn:
            start, end = release.lifecycle.deprecated.date(), release.lifecycle.sunset.date()
            text = f"Version {release.major} is deprecated as of {start} and removed as of {end}"
            headers.append(("Warning", build_warning(text)))
    return tuple(headers)
