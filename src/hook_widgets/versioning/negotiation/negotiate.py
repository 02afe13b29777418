"""Decide which version serves a request, or which response is sent instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from hook_widgets.errors import InvalidApi
from hook_widgets.versioning.dates.instants import instant
from hook_widgets.versioning.negotiation.accept import wanted
from hook_widgets.versioning.negotiation.responses import (
    Answer,
    Code,
    Headers,
    bad_request,
    gone,
    quoted,
    redirect,
)
from hook_widgets.versioning.negotiation.version_location import (
    HEADER,
    PARAMETER,
    Place,
    in_header,
    in_query,
    locate,
    major_of,
)
from hook_widgets.versioning.notices.header_fields import pairs_of
from hook_widgets.versioning.release import Status

if TYPE_CHECKING:
    from hook_widgets.versioning.api import Api

_FIELDS: Final = {Place.HEADER: HEADER, Place.ACCEPT: "Accept"}
_SUBJECTS: Final = {
    Place.PATH: "The path",
    Place.HEADER: "The Api-Version header",
    Place.ACCEPT: "The Accept header",
    Place.QUERY: "The version query parameter",
}


@dataclass(frozen=True, slots=True)
class Served:
    """A request to be served by the application.

    Attributes:
        major: the version to serve.
        place: where the request names it; None if it is the default.
        target: path and query without the version, as in the application's own routes.
        headers: headers to add to the application's response: the version, the notices of a deprecated one,
            and ``Vary`` if the version was chosen by headers.
        overridden: places that name another version and are ignored.
    """

    major: int
    place: Place | None
    target: str
    headers: Headers
    overridden: tuple[tuple[Place, int], ...] = ()


class _Rejected(Exception):
    """A place that does not name an available version."""

    def __init__(self, code: Code, place: Place, asked: str) -> None:
        self.code, self.place, self.asked = code, place, asked


def negotiate(
    api: Api, target: str, headers: Mapping[str, str] | Iterable[tuple[str, str]] = (), *, at: datetime
) -> Served | Answer | None:
    """Negotiate the version. See `hook_widgets.versioning.api.Api.negotiate`."""
    now = instant(at, "the time of the request", field="at")
    if not isinstance(target, str):
        raise InvalidApi(
            f"the target must be text, not {type(target).__name__}; decode bytes as UTF-8 (surrogateescape)",
            field="target",
        )
    located = locate(target, api.prefix, in_path=Place.PATH in api.precedence)
    if located is None:
        return None
    versions, accepts = _read(headers)
    query = located.query
    excluded: tuple[int, ...] = ()
    named: list[tuple[Place, int]] = []
    try:
        for place in api.precedence:
            major = None
            if place is Place.PATH:
                if located.version is not None:
                    major = _one(api, place, (located.version,), now)
            elif place is Place.HEADER:
                if versions:
                    major = _one(api, place, in_header(versions), now)
            elif place is Place.QUERY:
                if query:
                    asked, query = in_query(query)
                    major = _one(api, place, asked, now) if asked else None
            elif accepts:
                major, excluded = _accepted(api, ",".join(accepts), now)
            if major is not None:
                named.append((place, major))
    except _Rejected as rejection:
        return _bad_request(api, rejection, now)
    if not named:
        return _unnamed(api, located.path, query, excluded, now)
    place, major = named[0]
    rest = (located.path or "/") + query
    response_headers = (*api.headers(major, now, target=rest), *_vary(api.precedence, place))
    if api.status(major, now) is Status.REMOVED:
        return _removed(api, major, rest, response_headers, now)
    overridden = tuple(other for other in named[1:] if other[1] != major) if len(named) > 1 else ()
    return Served(major, place, rest, response_headers, overridden)


def _read(headers: Mapping[str, str] | Iterable[tuple[str, str]]) -> tuple[list[str], list[str]]:
    """Return the values of ``Api-Version`` and of ``Accept``."""
    versions: list[str] = []
    accepts: list[str] = []
    for name, value in pairs_of(headers, error=InvalidApi):
        if len(name) == 11 and name.lower() == "api-version":
            versions.append(value)
        elif len(name) == 6 and name.lower() == "accept":
            accepts.append(value)
    return versions, accepts


def _one(api: Api, place: Place, asked: tuple[str, ...], now: datetime) -> int:
    """Return the only version that a place names."""
    majors = set()
    for text in asked:
        number = text
        if place is Place.PATH:
            number = text[1:] if text[0] == "v" else ""
        major = major_of(number)
        if major is None:
            raise _Rejected(Code.INVALID, place, text)
        majors.add(major)
    if len(majors) > 1:
        raise _Rejected(Code.AMBIGUOUS, place, ", ".join(asked))
    if not _exists(api, major := majors.pop(), now):
        raise _Rejected(Code.UNKNOWN, place, asked[0])
    return major


def _accepted(api: Api, value: str, now: datetime) -> tuple[int | None, tuple[int, ...]]:
    """Return the existing version that ``Accept`` prefers, and the versions that it excludes."""
    accepted = wanted(value, api.vendor.lower())
    if accepted.fault:
        raise _Rejected(Code.INVALID, Place.ACCEPT, accepted.fault)
    existing = [major for major in accepted.majors if _exists(api, major, now)]
    for major in existing:
        if api.status(major, now) is not Status.REMOVED:
            return major, accepted.excluded
    if existing:
        return existing[0], accepted.excluded
    if accepted.majors or accepted.strange:
        raise _Rejected(Code.UNKNOWN, Place.ACCEPT, accepted.strange or accepted.written[0])
    return None, accepted.excluded


def _exists(api: Api, major: int, now: datetime) -> bool:
    """Return True if the version exists or existed; a planned one counts as unknown."""
    return major in api.majors and api.status(major, now) is not Status.PLANNED


def _unnamed(api: Api, path: str, query: str, excluded: tuple[int, ...], now: datetime) -> Served | Answer:
    """Serve the latest stable version, or redirect to it, because the request names none."""
    vary = _vary(api.precedence, None)
    major = api.default(now, excluded=excluded)
    if major is None:
        stable = api.default(now) is not None
        why = (
            "the Accept header excludes every stable version" if stable else "no stable version is available"
        )
        supported = api.supported(now)
        advice = f" Name one explicitly. {_supported(supported)}" if supported else ""
        detail = f"The request does not name a version, and {why}.{advice}"
        return bad_request(Code.NO_DEFAULT, detail, supported=supported, headers=vary)
    if api.redirect_unversioned and Place.PATH in api.precedence:
        return redirect(api.path(major, path + query), headers=vary)
    rest = (path or "/") + query
    return Served(major, None, rest, (*api.headers(major, now, target=rest), *vary))


def _removed(api: Api, major: int, rest: str, headers: Headers, now: datetime) -> Answer:
    lifecycle = api.release(major).lifecycle
    since = f" on {lifecycle.sunset.date()}" if lifecycle else ""
    sentences = [f"{api.name} version {major} was removed{since}."]
    current = api.default(now)
    address = guide = ""
    if current is not None:
        address = api.base_url + api.path(current, rest)
        guide = api.guide(major, current)
        # If addresses cannot name a version, current_version equals the address of the removed version.
        named = {Place.PATH, Place.QUERY}.intersection(api.precedence)
        example = "" if named else f" (send {_example(api, api.precedence[0], current)})"
        where = f"current_version{' and migration_guide' if guide else ''}"
        sentences.append(f"Use version {current} instead{example}; see {where}.")
    return gone(" ".join(sentences), guide=guide, current=address, headers=headers)


def _bad_request(api: Api, rejection: _Rejected, now: datetime) -> Answer:
    place, subject, asked = rejection.place, _SUBJECTS[rejection.place], quoted(rejection.asked)
    supported = api.supported(now)
    current = api.default(now) or (supported or api.majors)[-1]
    example = _example(api, place, current)
    sentences = {
        Code.INVALID: f"{subject} contains {asked}, which is not a valid version. "
        f"Use a whole number without a sign or leading zeros, as in {example}",
        Code.UNKNOWN: f"{subject} requests version {asked}, which does not exist. Use {example} instead",
        Code.AMBIGUOUS: f"{subject} names several versions: {asked}. Name only one, as in {example}",
    }
    return bad_request(
        rejection.code,
        f"{sentences[rejection.code]}. {_supported(supported)}",
        supported=supported,
        asked=rejection.asked,
        headers=_vary(api.precedence, place),
    )


def _supported(majors: tuple[int, ...]) -> str:
    numbers = ", ".join(map(str, majors))
    return f"Supported versions: {numbers}." if numbers else "No version is currently supported."


def _example(api: Api, place: Place, major: int) -> str:
    """Return an example of a request that names a version at a place."""
    return {
        Place.PATH: f"{api.prefix}/v{major}/",
        Place.HEADER: f"{HEADER}: {major}",
        Place.ACCEPT: f"Accept: application/vnd.{api.vendor}.v{major}+json",
        Place.QUERY: f"?{PARAMETER}={major}",
    }[place]


@lru_cache(maxsize=128)
def _vary(precedence: tuple[Place, ...], decided: Place | None) -> Headers:
    """Return ``Vary`` (RFC 9110 section 12.5.5) with the headers that were read to decide the version."""
    read = precedence if decided is None else precedence[: precedence.index(decided) + 1]
    names = ", ".join(_FIELDS[place] for place in read if place in _FIELDS)
    return (("Vary", names),) if names else ()
