"""Which version a request gets, or what it gets instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from hook_widgets.errors import InvalidApi
from hook_widgets.versioning.moments import instant
from hook_widgets.versioning.negotiation.accept import wanted
from hook_widgets.versioning.negotiation.answers import Answer, Code, Headers, gone, moved, quoted, refused
from hook_widgets.versioning.negotiation.places import (
    HEADER,
    PARAMETER,
    Place,
    in_header,
    in_query,
    locate,
    major_of,
)
from hook_widgets.versioning.notices.fieldlines import pairs_of
from hook_widgets.versioning.release import Status

if TYPE_CHECKING:
    from hook_widgets.versioning.api import Api

_FIELDS: Final = {Place.HEADER: HEADER, Place.ACCEPT: "Accept"}
_SUBJECTS: Final = {
    Place.PATH: "The path",
    Place.HEADER: "The header Api-Version",
    Place.ACCEPT: "The header Accept",
    Place.QUERY: "The query parameter version",
}


@dataclass(frozen=True, slots=True)
class Served:
    """A request for the application.

    Attributes:
        major: the version to serve.
        place: where the request names it; None when it is the default.
        target: path and query without the version, as the application's own routes know them.
        headers: what the response carries besides what the application sends: the version, the notices of a
            deprecated one, and ``Vary`` when headers had a part in the choice.
        overridden: places that name another version and do not count.
    """

    major: int
    place: Place | None
    target: str
    headers: Headers
    overridden: tuple[tuple[Place, int], ...] = ()


class _Refused(Exception):
    """One place names no version that can be had."""

    def __init__(self, code: Code, place: Place, asked: str) -> None:
        self.code, self.place, self.asked = code, place, asked


def negotiate(
    api: Api, target: str, headers: Mapping[str, str] | Iterable[tuple[str, str]] = (), *, at: datetime
) -> Served | Answer | None:
    """The decision; `hook_widgets.versioning.api.Api.negotiate` describes it."""
    now = instant(at, "the time of the request", field="at")
    if not isinstance(target, str):
        raise InvalidApi(
            f"the target must be text, not {type(target).__name__}; decode bytes as UTF-8 (surrogateescape)",
            field="target",
        )
    spot = locate(target, api.prefix, in_path=Place.PATH in api.precedence)
    if spot is None:
        return None
    versions, accepts = _read(headers)
    query = spot.query
    excluded: tuple[int, ...] = ()
    named: list[tuple[Place, int]] = []
    try:
        for place in api.precedence:
            major = None
            if place is Place.PATH:
                if spot.version is not None:
                    major = _one(api, place, (spot.version,), now)
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
    except _Refused as refusal:
        return _refusal(api, refusal, now)
    if not named:
        return _unnamed(api, spot.path, query, excluded, now)
    place, major = named[0]
    rest = (spot.path or "/") + query
    told = (*api.headers(major, now, target=rest), *_vary(api.precedence, place))
    if api.status(major, now) is Status.REMOVED:
        return _removed(api, major, rest, told, now)
    overridden = tuple(other for other in named[1:] if other[1] != major) if len(named) > 1 else ()
    return Served(major, place, rest, told, overridden)


def _read(headers: Mapping[str, str] | Iterable[tuple[str, str]]) -> tuple[list[str], list[str]]:
    """The values of ``Api-Version`` and of ``Accept``."""
    versions: list[str] = []
    accepts: list[str] = []
    for name, value in pairs_of(headers, error=InvalidApi):
        if len(name) == 11 and name.lower() == "api-version":
            versions.append(value)
        elif len(name) == 6 and name.lower() == "accept":
            accepts.append(value)
    return versions, accepts


def _one(api: Api, place: Place, asked: tuple[str, ...], now: datetime) -> int:
    """The one version that a place names."""
    majors = set()
    for text in asked:
        number = text
        if place is Place.PATH:
            number = text[1:] if text[0] == "v" else ""
        major = major_of(number)
        if major is None:
            raise _Refused(Code.INVALID, place, text)
        majors.add(major)
    if len(majors) > 1:
        raise _Refused(Code.AMBIGUOUS, place, ", ".join(asked))
    if not _exists(api, major := majors.pop(), now):
        raise _Refused(Code.UNKNOWN, place, asked[0])
    return major


def _accepted(api: Api, value: str, now: datetime) -> tuple[int | None, tuple[int, ...]]:
    """The version that ``Accept`` wants most among those there are, and the ones it excludes."""
    found = wanted(value, api.vendor.lower())
    if found.fault:
        raise _Refused(Code.INVALID, Place.ACCEPT, found.fault)
    existing = [major for major in found.majors if _exists(api, major, now)]
    for major in existing:
        if api.status(major, now) is not Status.REMOVED:
            return major, found.excluded
    if existing:
        return existing[0], found.excluded
    if found.majors or found.strange:
        raise _Refused(Code.UNKNOWN, Place.ACCEPT, found.strange or found.written[0])
    return None, found.excluded


def _exists(api: Api, major: int, now: datetime) -> bool:
    """Whether there is such a version or has been; one that is still planned is unknown."""
    return major in api.majors and api.status(major, now) is not Status.PLANNED


def _unnamed(api: Api, path: str, query: str, excluded: tuple[int, ...], now: datetime) -> Served | Answer:
    """Nothing names a version: the latest stable one, or a redirect to it."""
    vary = _vary(api.precedence, None)
    major = api.default(now, excluded=excluded)
    if major is None:
        stable = api.default(now) is not None
        why = "the header Accept excludes every stable one" if stable else "no version is stable now"
        supported = api.supported(now)
        advice = f" Name one. {_supported(supported)}" if supported else ""
        detail = f"Nothing names a version, and {why}.{advice}"
        return refused(Code.NO_DEFAULT, detail, supported=supported, headers=vary)
    if api.redirect_unversioned and Place.PATH in api.precedence:
        return moved(api.path(major, path + query), headers=vary)
    rest = (path or "/") + query
    return Served(major, None, rest, (*api.headers(major, now, target=rest), *vary))


def _removed(api: Api, major: int, rest: str, told: Headers, now: datetime) -> Answer:
    lifecycle = api.release(major).lifecycle
    since = f" on {lifecycle.sunset.date()}" if lifecycle else ""
    sentences = [f"Version {major} of {api.name} was removed{since}."]
    current = api.default(now)
    address = guide = ""
    if current is not None:
        address = api.base_url + api.path(current, rest)
        guide = api.guide(major, current)
        # Where no address can name a version, the one in current_version was the removed one's too.
        named = {Place.PATH, Place.QUERY}.intersection(api.precedence)
        header = "" if named else f" ({_example(api, api.precedence[0], current)})"
        where = f"current_version{' and migration_guide' if guide else ''}"
        sentences.append(f"Use version {current}{header}: see {where}.")
    return gone(" ".join(sentences), guide=guide, current=address, headers=told)


def _refusal(api: Api, refusal: _Refused, now: datetime) -> Answer:
    place, subject, asked = refusal.place, _SUBJECTS[refusal.place], quoted(refusal.asked)
    supported = api.supported(now)
    current = api.default(now) or (supported or api.majors)[-1]
    example = _example(api, place, current)
    sentences = {
        Code.INVALID: f"{subject} says {asked}, which names no version. "
        f"Write a whole number without sign or leading zero, as in {example}",
        Code.UNKNOWN: f"{subject} asks for {asked}, which does not exist. Write {example}",
        Code.AMBIGUOUS: f"{subject} names several versions: {asked}. Name one, as in {example}",
    }
    return refused(
        refusal.code,
        f"{sentences[refusal.code]}. {_supported(supported)}",
        supported=supported,
        asked=refusal.asked,
        headers=_vary(api.precedence, place),
    )


def _supported(majors: tuple[int, ...]) -> str:
    numbers = ", ".join(map(str, majors))
    return f"Supported versions: {numbers}." if numbers else "No version is supported now."


def _example(api: Api, place: Place, major: int) -> str:
    """How a request names a version there."""
    return {
        Place.PATH: f"{api.prefix}/v{major}/",
        Place.HEADER: f"{HEADER}: {major}",
        Place.ACCEPT: f"Accept: application/vnd.{api.vendor}.v{major}+json",
        Place.QUERY: f"?{PARAMETER}={major}",
    }[place]


@lru_cache(maxsize=128)
def _vary(precedence: tuple[Place, ...], decided: Place | None) -> Headers:
    """The headers that had a part in the choice (RFC 9110 section 12.5.5): those up to where it was made."""
    read = precedence if decided is None else precedence[: precedence.index(decided) + 1]
    names = ", ".join(_FIELDS[place] for place in read if place in _FIELDS)
    return (("Vary", names),) if names else ()
