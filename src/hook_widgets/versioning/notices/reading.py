"""Read all notices of a response's headers: deprecation date, removal date, links and warnings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final, TypeVar

from hook_widgets.errors import InvalidNotice
from hook_widgets.versioning.dates.instants import instant
from hook_widgets.versioning.notices.deprecation import parse_deprecation
from hook_widgets.versioning.notices.header_fields import pairs_of
from hook_widgets.versioning.notices.httpdate import read_any_date, read_http_date
from hook_widgets.versioning.notices.links import Link, read_links
from hook_widgets.versioning.notices.sunset import read_sunset
from hook_widgets.versioning.notices.warning_header import HttpWarning, read_warnings
from hook_widgets.versioning.release import Status

_DAY = timedelta(days=1)
_DRAFT_DATE: Final = re.compile(r'\bdate="([^"]{1,100}+)"')
_NAMES: Final = ("deprecation", "sunset")
_OTHER_NOTICE: Final = re.compile(r"deprecat|sunset|retire|end-?of-?life")
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Notices:
    """The notices of one response.

    Attributes:
        deprecated: the time of the deprecation, in UTC; may be in the future.
        deprecated_at_unknown_time: True if the resource is deprecated, and no date since when can be read.
        unreadable: names of the fields that are present and cannot be read; also those that no standard
            defines, such as ``x-api-deprecated``.
        sunset: the time from which the resource may be unavailable, in UTC. A hint, not a promise (RFC 8594
            section 3).
        links: all links, with any relation.
        warnings: all warnings, with any code.
        problems: problems of the fields, as sentences.
    """

    deprecated: datetime | None = None
    deprecated_at_unknown_time: bool = False
    unreadable: tuple[str, ...] = ()
    sunset: datetime | None = None
    links: tuple[Link, ...] = ()
    warnings: tuple[HttpWarning, ...] = ()
    problems: tuple[str, ...] = ()

    def targets(self, relation: str) -> tuple[str, ...]:
        """Return the targets of links with this relation type, except those about other resources (anchors).

        Args:
            relation: the relation type, such as ``"deprecation"``, ``"sunset"`` or ``"successor-version"``.

        >>> read_notices({"Link": '</v2/orders>; rel="successor-version"'}).targets("successor-version")
        ('/v2/orders',)
        """
        return tuple(link.target for link in self.links if link.has(relation) and link.get("anchor") is None)

    def status(self, at: datetime) -> Status:
        """Return ``ACTIVE``, ``DEPRECATED``, or ``REMOVED`` from the sunset on, even if a response came.

        Args:
            at: the time, with its zone.

        Raises:
            InvalidApi: the time has no zone.
        """
        now = instant(at, "the time of the question", field="at")
        if self.sunset is not None and now >= self.sunset:
            return Status.REMOVED
        if self.deprecated_at_unknown_time or (self.deprecated is not None and now >= self.deprecated):
            return Status.DEPRECATED
        return Status.ACTIVE

    def days_left(self, at: datetime) -> int | None:
        """Return the whole days until the sunset, 0 on the last day and afterwards; None without a sunset.

        Args:
            at: the time, with its zone.

        Raises:
            InvalidApi: the time has no zone.

        >>> from datetime import UTC
        >>> notices = read_notices({"Sunset": "Wed, 11 Nov 2026 11:11:11 GMT"})
        >>> notices.days_left(datetime(2026, 11, 1, tzinfo=UTC))
        10
        """
        now = instant(at, "the time of the question", field="at")
        return None if self.sunset is None else max(0, (self.sunset - now) // _DAY)

    def describe(self, at: datetime) -> str:
        """Describe the state in words.

        Args:
            at: the time, with its zone.

        Raises:
            InvalidApi: the time has no zone.

        >>> from datetime import UTC
        >>> notices = read_notices({"Deprecation": "@1688169599", "Sunset": "Wed, 11 Nov 2026 11:11:11 GMT"})
        >>> print(notices.describe(datetime(2026, 11, 1, tzinfo=UTC)))
        Deprecated since 2023-06-30 23:59 UTC. To be removed at 2026-11-11 11:11 UTC, in 10 days.
        """
        now = instant(at, "the time of the question", field="at")
        sentences = []
        if self.deprecated is not None:
            since = "Deprecated since" if now >= self.deprecated else "To be deprecated at"
            sentences.append(f"{since} {_shown(self.deprecated)}.")
        elif self.deprecated_at_unknown_time:
            sentences.append("Deprecated; the headers do not say since when.")
        if self.sunset is not None and now >= self.sunset:
            sentences.append(f"Was to be removed at {_shown(self.sunset)}: it may be gone at any time.")
        elif self.sunset is not None:
            sentences.append(f"To be removed at {_shown(self.sunset)}, {_in(self.days_left(at) or 0)}.")
        sentences += [f"{name} is sent but cannot be read." for name in self.unreadable]
        if not sentences:
            sentences += [f"A warning says: {each.text[:200]}" for each in self.warnings if each.code == 299]
        if not sentences:
            sentences.append("Neither deprecated nor to be removed, as far as the headers tell.")
        if self.problems:
            sentences.append(f"Problems in the headers: {len(self.problems)}.")
        return " ".join(sentences)


def read_notices(
    headers: Mapping[str, str] | Iterable[tuple[str, str]], *, now: datetime | None = None
) -> Notices:
    """Read the notices in a response's headers. A malformed one is listed in `problems` and hides no other.

    A date in another form than that of its field (an HTTP-date, RFC 3339, seconds since 1970) is listed there
    too, but still used. Any Deprecation but ``false`` means deprecated, as in the drafts of RFC 9745.

    Args:
        headers: names, in any case, with values: a mapping, or pairs if a name can occur more than once.
        now: the current time. Required only for dates of the old form with a two-digit year.

    Raises:
        InvalidNotice: the headers are not pairs of strings, or `now` has no zone.

    >>> read_notices([("deprecation", "true"), ("Sunset", "Wed, 11 Nov 2026 11:11:11 GMT")]).sunset.year
    2026
    """
    if now is not None:
        instant(now, "now", field="now", error=InvalidNotice)
    lines = _lines(headers)
    problems: list[str] = []
    deprecated, at_unknown_time = _deprecated(lines, now, problems)
    removed = _sunset(lines, now, problems)
    if deprecated is not None and removed is not None and removed < deprecated:
        problems.append(
            f"Sunset ({_shown(removed)}) is earlier than Deprecation ({_shown(deprecated)}), which RFC 9745 "
            "section 4 forbids; ask the provider which one is right"
        )
    is_true = at_unknown_time and lines["deprecation"][0].strip().lower() in ("true", "?1")
    unreadable = ["Deprecation"] if at_unknown_time and not is_true else []
    unreadable += ["Sunset"] if "sunset" in lines and removed is None else []
    unreadable += [name for name in lines if name not in _NAMES and _OTHER_NOTICE.search(name)]
    links = tuple(_valid(read_links, lines.get("link", []), problems))
    warnings = _warnings(lines, now, problems)
    return Notices(
        deprecated_at_unknown_time=at_unknown_time,
        unreadable=tuple(unreadable),
        deprecated=deprecated,
        sunset=removed,
        links=links,
        warnings=warnings,
        problems=tuple(problems),
    )


def _deprecated(
    lines: dict[str, list[str]], now: datetime | None, problems: list[str]
) -> tuple[datetime | None, bool]:
    """Return the date of the deprecation, and True if there is one without a date that can be read."""
    if "deprecation" not in lines:
        return None, False
    try:
        return parse_deprecation(lines["deprecation"]), False
    except InvalidNotice as problem:
        problems.append(str(problem))
    text = lines["deprecation"][0].strip().lower()
    date = _earliest(lines["deprecation"], now)
    return date, date is None and text not in ("false", "?0", "0", "no", "")


def _earliest(values: list[str], now: datetime | None) -> datetime | None:
    """Return the earliest date in any form, also ``date="..."`` of the first drafts; None without."""
    texts = [draft[1] if (draft := _DRAFT_DATE.search(value)) else value for value in values]
    return min(filter(None, (read_any_date(text, now=now) for text in texts)), default=None)


def _sunset(lines: dict[str, list[str]], now: datetime | None, problems: list[str]) -> datetime | None:
    if "sunset" not in lines:
        return None
    try:
        moment, fault = read_sunset(lines["sunset"], now=now)
    except InvalidNotice as problem:
        problems.append(str(problem))
        return _earliest(lines["sunset"], now)
    if fault:
        problems.append(f"Sunset {fault}")
    return moment


def _warnings(
    lines: dict[str, list[str]], now: datetime | None, problems: list[str]
) -> tuple[HttpWarning, ...]:
    dates = lines.get("date", [])
    warnings = []
    for warning in _valid(partial(read_warnings, now=now), lines.get("warning", []), problems):
        if warning.date is not None and _other_date(warning.date, dates, now):
            # RFC 7234 section 5.5: a cache stored a warning of another response.
            problems.append(
                f"Warning is of {_shown(warning.date)}, but the response is of {dates[0][:40]!r}; it "
                "is left out, as RFC 7234 section 5.5 requires"
            )
        else:
            warnings.append(warning)
    return tuple(warnings)


def _valid(
    read: Callable[[str], Iterable[_T | InvalidNotice]], lines: list[str], problems: list[str]
) -> Iterator[_T]:
    """Yield the valid members of a field, and note the problems of the others."""
    for line in lines:
        try:
            for member in read(line):
                if isinstance(member, InvalidNotice):
                    problems.append(str(member))
                else:
                    yield member
        except InvalidNotice as problem:
            problems.append(str(problem))


def _other_date(date: datetime, dates: list[str], now: datetime | None) -> bool:
    if len(dates) != 1:
        return False
    try:
        return read_http_date(dates[0].strip(" \t"), now=now)[0] != date
    except InvalidNotice:
        return False


def _lines(headers: Mapping[str, str] | Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    lines: dict[str, list[str]] = {}
    for name, value in pairs_of(headers, error=InvalidNotice):
        lines.setdefault(name.lower(), []).append(value)
    return lines


def _shown(moment: datetime) -> str:
    return f"{moment.replace(tzinfo=None).isoformat(' ', 'minutes')} UTC"


def _in(days: int) -> str:
    if days == 0:
        return "in less than a day"
    return "in 1 day" if days == 1 else f"in {days} days"
