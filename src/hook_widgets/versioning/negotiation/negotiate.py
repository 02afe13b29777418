"""Decide which version serves a request, or which response is sent instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from hook_widgets.errors import InvalidApi
from hook_widgets.versioning.brownouts import Brownout, BrownoutResponse
from hook_widgets.versioning.dates.instants import instant
from hook_widgets.versioning.negotiation.accept import accepted_versions
from hook_widgets.versioning.negotiation.responses import (
    HeaderPairs,
    ResponseCode,
    VersioningResponse,
    bad_request,
    brownout,
    gone,
    quoted,
    redirect,
)
from hook_widgets.versioning.negotiation.version_location import (
    VersionLocation,
    in_header,
    in_query,
    locate_version,
    major_of,
)
from hook_widgets.versioning.notices.header_fields import pairs_of
from hook_widgets.versioning.release import Status

if TYPE_CHECKING:
    from hook_widgets.versioning.api import Api


@dataclass(frozen=True, slots=True, kw_only=True)
class Routed:
    """A request that the application serves, with its version.

    Attributes:
        major: the version to serve.
        location: where the request names it; None if it is the default.
        target: path and query without the version, as in the application's own routes.
        headers: headers to add to the application's response: the version, the notices of a deprecated one,
            and ``Vary`` if the version was chosen by headers.
        overridden: locations that name another version and are ignored.
    """

    major: int
    location: VersionLocation | None
    target: str
    headers: HeaderPairs
    overridden: tuple[tuple[VersionLocation, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """Outcome of a negotiation: a version to serve or a response to send; neither for an unversioned request.

    Attributes:
        route: the version to serve; None if the application must not serve the request.
        response: the response to send in place of the application's; None if there is none.
    """

    route: Routed | None = None
    response: VersioningResponse | None = None


class _Rejected(Exception):
    """A location that does not name an available version."""

    def __init__(self, code: ResponseCode, location: VersionLocation, asked: str) -> None:
        self.code, self.location, self.asked = code, location, asked


def negotiate(
    api: Api, target: str, headers: Mapping[str, str] | Iterable[tuple[str, str]] = (), *, at: datetime
) -> Decision:
    """Negotiate the version. See `Api.negotiate`."""
    now = instant(at, "the time of the request", field="at")
    if not isinstance(target, str):
        raise InvalidApi(
            f"the target must be text, not {type(target).__name__}; decode bytes as UTF-8 (surrogateescape)",
            field="target",
        )
    located = locate_version(target, api.prefix, in_path=VersionLocation.PATH in api.precedence)
    if located is None:
        return Decision()
    versions, accepts = _read(headers, api.header.lower())
    query = located.query
    excluded: tuple[int, ...] = ()
    named: list[tuple[VersionLocation, int]] = []
    try:
        for location in api.precedence:
            major = None
            if location is VersionLocation.PATH:
                if located.version is not None:
                    major = _one(api, location, (located.version,), now)
            elif location is VersionLocation.HEADER:
                if versions:
                    major = _one(api, location, in_header(versions), now)
            elif location is VersionLocation.QUERY:
                if query:
                    asked, query = in_query(query, api.parameter)
                    major = _one(api, location, asked, now) if asked else None
            elif accepts:
                major, excluded = _accepted(api, ",".join(accepts), now)
            if major is not None:
                named.append((location, major))
    except _Rejected as rejection:
        return Decision(response=_bad_request(api, rejection, now))
    if not named:
        return _unnamed(api, located.path, query, excluded, now)
    location, major = named[0]
    rest = (located.path or "/") + query
    response_headers = (*api.headers(major, now, target=rest), *_vary(api, location))
    if api.status(major, now) is Status.REMOVED:
        return Decision(response=_removed(api, major, rest, response_headers, now))
    if outage := api.brownout(major, now):
        return Decision(response=_in_brownout(api, major, outage, rest, response_headers, now))
    overridden = tuple(other for other in named[1:] if other[1] != major) if len(named) > 1 else ()
    return Decision(
        Routed(major=major, location=location, target=rest, headers=response_headers, overridden=overridden)
    )


def _read(headers: Mapping[str, str] | Iterable[tuple[str, str]], header: str) -> tuple[list[str], list[str]]:
    """Return the values of the header that names versions, and of ``Accept``."""
    versions: list[str] = []
    accepts: list[str] = []
    for name, value in pairs_of(headers, error=InvalidApi):
        if len(name) == len(header) and name.lower() == header:
            versions.append(value)
        elif len(name) == 6 and name.lower() == "accept":
            accepts.append(value)
    return versions, accepts


def _one(api: Api, location: VersionLocation, asked: tuple[str, ...], now: datetime) -> int:
    """Return the only version that a location names."""
    majors = set()
    for text in asked:
        number = text
        if location is VersionLocation.PATH:
            number = text[1:] if text[0] == "v" else ""
        major = major_of(number)
        if major is None:
            raise _Rejected(ResponseCode.INVALID, location, text)
        majors.add(major)
    if len(majors) > 1:
        raise _Rejected(ResponseCode.AMBIGUOUS, location, ", ".join(asked))
    if not _exists(api, major := majors.pop(), now):
        raise _Rejected(ResponseCode.UNKNOWN, location, asked[0])
    return major


def _accepted(api: Api, value: str, now: datetime) -> tuple[int | None, tuple[int, ...]]:
    """Return the existing version that ``Accept`` prefers, and the versions that it excludes."""
    accepted = accepted_versions(value, api.vendor.lower(), api.media_parameter.lower())
    if accepted.malformed:
        raise _Rejected(ResponseCode.INVALID, VersionLocation.ACCEPT, accepted.malformed)
    existing = [major for major in accepted.majors if _exists(api, major, now)]
    for major in existing:
        if api.status(major, now) is not Status.REMOVED and api.brownout(major, now) is None:
            return major, accepted.excluded
    if existing:
        return existing[0], accepted.excluded
    if accepted.majors or accepted.other_format:
        raise _Rejected(
            ResponseCode.UNKNOWN, VersionLocation.ACCEPT, accepted.other_format or accepted.ranges[0]
        )
    return None, accepted.excluded


def _exists(api: Api, major: int, now: datetime) -> bool:
    """Return True if the version exists or existed; a planned one counts as unknown."""
    return major in api.majors and api.status(major, now) is not Status.PLANNED


def _unnamed(api: Api, path: str, query: str, excluded: tuple[int, ...], now: datetime) -> Decision:
    """Serve the latest stable version, or redirect to it, because the request names none."""
    vary = _vary(api, None)
    major = api.default(now, excluded=excluded)
    if major is None:
        stable = api.default(now) is not None
        why = (
            "the Accept header excludes every stable version" if stable else "no stable version is available"
        )
        supported = api.supported(now)
        advice = f" Name one explicitly. {_supported(supported)}" if supported else ""
        detail = f"The request does not name a version, and {why}.{advice}"
        return Decision(
            response=bad_request(ResponseCode.NO_DEFAULT, detail, supported=supported, headers=vary)
        )
    if api.redirect_unversioned and VersionLocation.PATH in api.precedence:
        return Decision(response=redirect(api.path(major, path + query), headers=vary))
    rest = (path or "/") + query
    headers = (*api.headers(major, now, target=rest), *vary)
    if outage := api.brownout(major, now):
        return Decision(response=_in_brownout(api, major, outage, rest, headers, now))
    return Decision(Routed(major=major, location=None, target=rest, headers=headers))


def _removed(api: Api, major: int, rest: str, headers: HeaderPairs, now: datetime) -> VersioningResponse:
    lifecycle = api.release(major).lifecycle
    since = f" on {lifecycle.sunset.date()}" if lifecycle else ""
    advice, address, guide = _migration(api, major, rest, now)
    detail = " ".join([f"{api.name} version {major} was removed{since}.", *advice])
    return gone(detail, guide=guide, current=address, headers=headers)


def _in_brownout(
    api: Api, major: int, outage: Brownout, rest: str, headers: HeaderPairs, now: datetime
) -> VersioningResponse:
    lifecycle = api.release(major).lifecycle
    assert lifecycle is not None  # only a lifecycle has brownouts
    advice, address, guide = _migration(api, major, rest, now)
    end = instant(outage.ends, "the brownout")
    problem = f"{api.name} version {major} is out of service until {outage.ends.isoformat(' ', 'minutes')}"
    reason = f"a planned brownout before its removal on {lifecycle.sunset.date()}"
    return brownout(
        503 if api.brownout_response is BrownoutResponse.UNAVAILABLE else 410,
        " ".join([f"{problem}: {reason}.", *advice]),
        retry_after_s=-((now - end) // timedelta(seconds=1)),  # rounded up: not a moment too early
        guide=guide,
        current=address,
        headers=headers,
    )


def _migration(api: Api, major: int, rest: str, now: datetime) -> tuple[list[str], str, str]:
    """Return what users of a version should do, with the current address and the guide."""
    current = api.default(now)
    address = guide = ""
    sentences = []
    if current is not None and current != major:
        address = api.base_url + api.path(current, rest)
        guide = api.guide(major, current)
        # If addresses cannot name a version, current_version equals the address of the removed version.
        named = {VersionLocation.PATH, VersionLocation.QUERY}.intersection(api.precedence)
        example = "" if named else f" (send {_example(api, api.precedence[0], current)})"
        where = f"current_version{' and migration_guide' if guide else ''}"
        sentences.append(f"Use version {current} instead{example}; see {where}.")
    return sentences, address, guide


def _bad_request(api: Api, rejection: _Rejected, now: datetime) -> VersioningResponse:
    location, asked = rejection.location, quoted(rejection.asked)
    subject = {
        VersionLocation.PATH: "The path",
        VersionLocation.HEADER: f"The {api.header} header",
        VersionLocation.ACCEPT: "The Accept header",
        VersionLocation.QUERY: f"The {api.parameter} query parameter",
    }[location]
    supported = api.supported(now)
    current = api.default(now) or (supported or api.majors)[-1]
    example = _example(api, location, current)
    sentences = {
        ResponseCode.INVALID: f"{subject} contains {asked}, which is not a valid version. "
        f"Use a whole number without a sign or leading zeros, as in {example}",
        ResponseCode.UNKNOWN: f"{subject} requests version {asked}, which does not exist. "
        f"Use {example} instead",
        ResponseCode.AMBIGUOUS: f"{subject} names several versions: {asked}. Name only one, as in {example}",
    }
    return bad_request(
        rejection.code,
        f"{sentences[rejection.code]}. {_supported(supported)}",
        supported=supported,
        asked=rejection.asked,
        headers=_vary(api, location),
    )


def _supported(majors: tuple[int, ...]) -> str:
    numbers = ", ".join(map(str, majors))
    return f"Supported versions: {numbers}." if numbers else "No version is currently supported."


def _example(api: Api, location: VersionLocation, major: int) -> str:
    """Return an example of a request that names a version at a location."""
    return {
        VersionLocation.PATH: f"{api.prefix}/v{major}/",
        VersionLocation.HEADER: f"{api.header}: {major}",
        VersionLocation.ACCEPT: f"Accept: application/vnd.{api.vendor}.v{major}+json",
        VersionLocation.QUERY: f"?{api.parameter}={major}",
    }[location]


def _vary(api: Api, decided: VersionLocation | None) -> HeaderPairs:
    """Return ``Vary`` (RFC 9110 section 12.5.5) with the headers that were read to decide the version."""
    return _vary_on(api.precedence, api.header, decided)


@lru_cache(maxsize=128)
def _vary_on(
    precedence: tuple[VersionLocation, ...], header: str, decided: VersionLocation | None
) -> HeaderPairs:
    read = precedence if decided is None else precedence[: precedence.index(decided) + 1]
    fields = {VersionLocation.HEADER: header, VersionLocation.ACCEPT: "Accept"}
    names = ", ".join(fields[location] for location in read if location in fields)
    return (("Vary", names),) if names else ()
