"""Count the calls of each version by client and day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, tzinfo
from functools import lru_cache, partial
from os import PathLike
from pathlib import Path
from typing import Final

from hook_widgets._access_logs.log_text import is_utf_16, other_kind
from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.negotiation.responses import HeaderPairs, ResponseCode
from hook_widgets.versioning.planning.usage.log_lines import (
    MAX_LINE,
    LoggedRequest,
    UnreadableLine,
    read_line,
    read_others,
)
from hook_widgets.versioning.planning.usage.version_names import find_version
from hook_widgets.versioning.release import Release

MAX_LOG_BYTES: Final = 20_000_000
"""The largest log that is counted; larger ones are rejected, never cut."""

MAX_LINES: Final = 1_000_000
"""The largest number of lines that are counted."""

MAX_GROUPS: Final = 20_000
"""The largest number of rows; calls of further clients are counted together."""

OTHERS: Final = "other clients"
"""Client of the calls that are counted together."""

UNNAMED: Final = "none"
"""Version of the calls that name none in what the log has."""

UNKNOWN: Final = "unknown"
"""Version of the calls that name one which the API does not have."""

_ANY_TIME: Final = datetime(2000, 1, 1, tzinfo=UTC)
_MAX_SAMPLES: Final = 5
_SAMPLE_LENGTH: Final = 160
_FEWER: Final = "count the days one by one, or only lines with the version, as in grep /v1/ access.log"
_MAX_TEXT: Final = 200  # of a client, a user or a user agent
_MAX_CACHED: Final = 20_000
_NO_VERSION: Final = (ResponseCode.UNVERSIONED, ResponseCode.NO_DEFAULT)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCount:
    """Calls of one version by one client on one day.

    Attributes:
        version: such as ``"v1"``; ``"none"`` if the request names none, ``"unknown"`` if the API does not
            have the one that it names.
        client: address of the client.
        user: name of the user; empty if the log has none.
        agent: user agent; empty if the log has none.
        day: the day.
        calls: number of calls.
    """

    version: str
    client: str
    user: str
    agent: str
    day: date
    calls: int


@dataclass(frozen=True, slots=True)
class SkippedLine:
    """A line that could not be read.

    Attributes:
        number: number of the line, from 1.
        reason: why, in a few words.
        text: beginning of the line.
    """

    number: int
    reason: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Calls of an API by version, client and day.

    Attributes:
        counts: calls, in the order of versions, of days, and of their number (the largest first).
        lines: number of lines that are not empty.
        outside: number of requests that are not under the prefix of the API.
        skipped: number of lines that could not be read.
        samples: the first of them.
        prefix: the prefix of the API.
        minor: number of calls that name a minor version, such as v1.2; they count for its major version, v1.
        other_names: names other than the API's own under which calls named their version, such as ``"?v"``.
    """

    counts: tuple[CallCount, ...]
    lines: int
    outside: int
    skipped: int
    samples: tuple[SkippedLine, ...]
    prefix: str
    minor: int = 0
    other_names: tuple[str, ...] = ()

    @property
    def calls(self) -> int:
        """Number of calls of the API."""
        return sum(count.calls for count in self.counts)

    def of(self, version: str) -> tuple[CallCount, ...]:
        """Return the calls of one version, such as ``"v1"``."""
        return tuple(count for count in self.counts if count.version == version)


def count_calls(
    log: str | bytes | PathLike[str] | Iterable[str], api: Api, *, zone: tzinfo | None = None
) -> Usage:
    """Count the calls of each version of an API in an access log.

    The log is in common or combined format, has a JSON object on each line, or is of HAProxy, Envoy, a load
    balancer of AWS, CloudFront, IIS or any other server with a known form. The version of a request is
    found as `Api.negotiate` finds it, in the locations of `Api.precedence`; of the headers, only those that
    the log has can be read. A version of the API is also found under other usual names, such as
    ``X-API-Version``, ``?v=1`` and ``application/json;v=1.0``. All versions count, also planned and removed
    ones; versions are major ones, so that ``v1.2`` counts for ``v1``. A date, such as ``2024-06-20``, is the
    version 20240620.

    Args:
        log: text, bytes in UTF-8, the path of a file, or lines.
        api: the API.
        zone: zone of the days; None: the one in which the log writes each time.

    Raises:
        InvalidDocument: the log cannot be read, or has more than 20 MB or a million lines; `field` is
            ``"log"``.

    >>> line = '203.0.113.9 - - [21/Nov/2026:09:30:00 +0100] "GET /api/v1/orders HTTP/1.1" 200 12'
    >>> usage = count_calls([line, line], Api(releases=(Release(1), Release(2))))
    >>> [(count.version, count.client, str(count.day), count.calls) for count in usage.counts]
    [('v1', '203.0.113.9', '2026-11-21', 2)]
    """
    # Every version is served for ever: the question is which one a request names, not what it would get.
    served = replace(api, releases=tuple(Release(release.major) for release in api.releases))
    version_of = lru_cache(_MAX_CACHED)(partial(_version, served))  # the same target is decided once
    groups: Counter[tuple[str, str, str, str, date]] = Counter()
    outside = minor = 0
    other_names: set[str] = set()
    unread: dict[int, str] = {}
    lines = dict(_numbered(log))
    for number, request in _requests(lines, unread, api.header.lower()):
        try:
            day = (request.time.astimezone(zone) if zone else request.time).date()
        except OverflowError:
            unread[number] = "the time is not a date"
            continue
        version, has_minor, name = version_of(request.target, request.headers)
        if version is None:
            outside += 1
            continue
        minor += has_minor
        if name:
            other_names.add(name)
        group = (
            version,
            request.client[:_MAX_TEXT],
            request.user[:_MAX_TEXT],
            request.agent[:_MAX_TEXT],
            day,
        )
        if group not in groups and len(groups) >= MAX_GROUPS:
            group = (version, OTHERS, "", "", day)
        groups[group] += 1
    counts = [
        CallCount(version=version, client=client, user=user, agent=agent, day=day, calls=calls)
        for (version, client, user, agent, day), calls in groups.items()
    ]
    counts.sort(key=lambda count: (_rank(count.version), count.day, -count.calls, count.client, count.agent))
    return Usage(
        counts=tuple(counts),
        lines=len(lines),
        outside=outside,
        skipped=len(unread),
        samples=tuple(
            SkippedLine(number, unread[number], lines[number][:_SAMPLE_LENGTH])
            for number in sorted(unread)[:_MAX_SAMPLES]
        ),
        prefix=api.prefix,
        minor=minor,
        other_names=tuple(sorted(other_names)),
    )


def _numbered(log: object) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not empty with their numbers."""
    for number, line in enumerate(_lines(log), 1):
        if number > MAX_LINES:
            raise _unusable(f"the log has more than {MAX_LINES:,} lines; {_FEWER}")
        if plain := line.strip():
            yield number, plain


def _requests(
    lines: Mapping[int, str], unread: dict[int, str], version_header: str
) -> Iterator[tuple[int, LoggedRequest]]:
    """Yield the requests with the numbers of their lines, and keep the reasons of lines that are none."""
    for number, line in lines.items():
        try:
            request = read_line(line, version_header)
        except UnreadableLine as error:
            unread[number] = str(error)
        else:
            yield number, request
    before, header = len(unread), 0
    others = [(number, lines[number]) for number in unread if len(lines[number]) <= MAX_LINE]
    for number, read in read_others(others):
        if isinstance(read, LoggedRequest):
            del unread[number]
            yield number, read
        elif read:
            unread[number] = read
        else:
            header = number
    if len(unread) < before:
        for number in [number for number in unread if number == header or lines[number].startswith("#")]:
            del unread[number]  # a directive, such as of IIS and CloudFront


def _version(api: Api, target: str, headers: HeaderPairs) -> tuple[str | None, bool, str]:
    """Return the version that a request names; None if it is elsewhere.

    Also return True if it has a minor number, and the name under which it is if that is not the API's own.
    """
    version, code = _named(api, target, headers)
    if version == UNNAMED or code is ResponseCode.INVALID:
        other = find_version(api, target, headers, strict=code is ResponseCode.INVALID)
        if other is not None:
            return f"v{other.major}", other.minor, other.name
    return version, False, ""


def _named(api: Api, target: str, headers: HeaderPairs) -> tuple[str | None, ResponseCode | None]:
    decision = api.negotiate(target, headers, at=_ANY_TIME)
    if decision.route is not None:
        return UNNAMED if decision.route.location is None else f"v{decision.route.major}", None
    if decision.response is None:
        return None, None
    return UNNAMED if decision.response.code in _NO_VERSION else UNKNOWN, decision.response.code


def _rank(version: str) -> tuple[int, int]:
    """Return the place of a version in a list: the oldest first, then calls without a version."""
    if version in (UNNAMED, UNKNOWN):
        return (1 if version == UNNAMED else 2, 0)
    return (0, int(version[1:]))


def _lines(log: object) -> Iterator[str]:
    if isinstance(log, PathLike):
        log = _read(Path(log))
    if isinstance(log, bytes | bytearray):
        _check_size(len(log))
        data = bytes(log)
        if problem := other_kind(data):
            raise _unusable(problem)
        # Bytes that are not UTF-8 are a client's: they must not make the other lines unreadable.
        log = data.decode("utf-16" if is_utf_16(data) else "utf-8-sig", "backslashreplace")
    if isinstance(log, str):
        _check_size(len(log))
        # Not splitlines: a client may send other line separators, such as U+2028, in its user agent.
        yield from log.replace("\r\n", "\n").split("\n")
        return
    if not isinstance(log, Iterable):
        raise _unusable(
            f"the log must be text, bytes, a path or lines, not {type(log).__name__}; pass one of them"
        )
    size = 0
    for line in log:
        if not isinstance(line, str):
            raise _unusable(f"a line of the log must be text, not {type(line).__name__}; decode it as UTF-8")
        size += len(line)
        _check_size(size)
        yield line


def _read(path: Path) -> bytes:
    try:
        if not path.is_file():  # also no device, such as /dev/zero, which never ends
            raise _unusable(f"{path} is no file; check the path")
        _check_size(path.stat().st_size)
        return path.read_bytes()
    except OSError as error:
        raise _unusable(f"{path} cannot be read: {error.strerror}; check the path") from None


def _check_size(size: int) -> None:
    if size > MAX_LOG_BYTES:
        raise _unusable(f"the log has more than {MAX_LOG_BYTES // 1_000_000} MB; {_FEWER}")


def _unusable(problem: str) -> InvalidDocument:
    return InvalidDocument(problem, field="log")
