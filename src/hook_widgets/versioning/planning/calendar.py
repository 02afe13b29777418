"""Export the dates and brownouts of deprecated versions as an iCalendar file (RFC 5545).

Each date is an instant in UTC, as in the ``Deprecation`` and ``Sunset`` headers: every calendar application
shows it in the zone of its reader, and none has to understand a VTIMEZONE or guess a zone's rules two years
ahead. The description has the date in the API's own zone.

An event without an end is an instant (RFC 5545 section 3.6.1), but applications show it as a day, an hour or
not at all. So each event ends a quarter of an hour later and blocks no time (TRANSPARENT).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from datetime import MAXYEAR, UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final
from uuid import UUID, uuid5

from hook_widgets._arguments import shown
from hook_widgets._optional import require
from hook_widgets.errors import InvalidApi
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.brownouts import Brownout, BrownoutResponse
from hook_widgets.versioning.dates.instants import instant
from hook_widgets.versioning.planning.announcement import Announcement, announcements
from hook_widgets.versioning.planning.date_formatting import in_full, local, zone_of
from hook_widgets.versioning.planning.timeline import LifecycleStep

if TYPE_CHECKING:
    from icalendar import Event

ALARMS: Final = (timedelta(days=30), timedelta(days=7))
"""Times before a removal at which a calendar shows an alarm."""

BROWNOUT_ALARM: Final = timedelta(days=1)
"""Time before a brownout at which a calendar shows an alarm."""

_PRODUCT: Final = "-//hook_widgets//API versions//EN"
_NAMESPACE: Final = UUID("6f1c0b52-6ce0-5b0f-9a8f-0d2c5d7c1e41")  # our own namespace; it must never change
_LENGTH: Final = timedelta(minutes=15)
_FIRST: Final = datetime(2026, 1, 1, tzinfo=UTC)
# Steps of a revision number in a minute, for dates up to so many days ahead. They are enough until 2046.
_STEPS: Final = 200
_MAX_DAYS: Final = 10_000
_MINUTE: Final = timedelta(minutes=1)
_SECOND: Final = timedelta(seconds=1)
_SUMMARIES: Final = {
    LifecycleStep.ANNOUNCEMENT: "announce the deprecation",
    LifecycleStep.REMINDER: "send the reminder",
    LifecycleStep.FINAL_NOTICE: "send the final notice",
    LifecycleStep.REMOVAL: "removed (requests now return 410 Gone)",
}


def calendar(api: Api, *, at: datetime, majors: Iterable[int] | None = None) -> bytes:
    """Build a calendar file with four events and the brownouts of each deprecated version, with alarms.

    The events keep their UIDs, and their SEQUENCE grows: importing a later file moves them and duplicates
    none. Those of brownouts are numbered in order of time.

    Args:
        api: the API.
        at: creation time of the file, with its zone; of two files with the same event the later one counts.
        majors: versions to include; None for all that are deprecated or will be.

    Raises:
        InvalidApi: no such version, none that is deprecated, the time has no zone, or the package icalendar
            is missing.

    >>> from hook_widgets.versioning.deprecation_schedule import lifecycle
    >>> from hook_widgets.versioning.release import Release
    >>> dates = lifecycle(datetime.fromisoformat("2026-06-01T00:00Z"))
    >>> api = Api(name="Orders API", releases=(Release(1, lifecycle=dates), Release(2)))
    >>> file = calendar(api, at=datetime.fromisoformat("2026-11-20T09:00Z"))
    >>> file.count(b"BEGIN:VEVENT"), file.count(b"BEGIN:VALARM"), b"DTSTART:20271201T000000Z" in file
    (4, 2, True)
    """
    stamp = instant(at, "the time of the calendar", field="at").replace(microsecond=0)
    selected = api.majors if majors is None else _unique(majors)
    notices = [(major, text) for major in selected for text in announcements(api, major)]
    if not notices:
        raise InvalidApi(
            "no version is deprecated, so there are no dates for a calendar; give one a deprecation",
            field="versions",
        )
    require("icalendar", "icalendar", "a calendar file", InvalidApi)
    from icalendar import Calendar, vText

    file = Calendar()
    file.add("prodid", _PRODUCT)
    file.add("version", "2.0")
    # The library does not know the type of these two properties and would not escape a plain text.
    name = vText(f"{_line(api.name)}: versions")
    file.add("name", name)  # RFC 7986
    file.add("x-wr-calname", name)  # for applications older than RFC 7986
    for major, text in notices:
        file.add_component(_step(api, major, text, stamp))
    for major in dict.fromkeys(major for major, _ in notices):
        dates = api.release(major).lifecycle
        for k, outage in enumerate(dates.brownouts if dates else (), 1):
            file.add_component(_outage(api, major, k, outage, stamp))
    return bytes(file.to_ical())


def _unique(majors: object) -> tuple[int, ...]:
    if isinstance(majors, str) or not isinstance(majors, Iterable):
        raise InvalidApi(
            f"majors must be the numbers of versions, such as "
            f"[{shown(majors) if isinstance(majors, int) else 1}]",
            field="majors",
        )
    return tuple(dict.fromkeys(majors))


def _step(api: Api, major: int, text: Announcement, stamp: datetime) -> Event:
    """Return the event of a notice to the users of a version."""
    step, name = text.step, f"{_line(api.name)} v{major}"
    begin = instant(text.due, f"the {step.label.lower()} of v{major}").replace(microsecond=0)
    if begin.year == MAXYEAR:
        raise InvalidApi(
            f"v{major} has dates in the year {MAXYEAR}, which calendars cannot end; use earlier ones"
        )
    event = _event([api.name, major, step.value], step.label, begin, begin + _LENGTH, stamp)
    event.add("summary", f"{name}: {_SUMMARIES[step]}")
    event.add("description", _description(api, major, text))
    if guide := _guide(api, major, text):
        event.add("url", guide)
    for before in ALARMS if step is LifecycleStep.REMOVAL else ():
        _add_alarm(event, before, f"{name} will be removed in {before.days} days")
    return event


def _outage(api: Api, major: int, k: int, outage: Brownout, stamp: datetime) -> Event:
    """Return the event of a brownout."""
    name = f"{_line(api.name)} v{major}"
    zone = zone_of(api, outage.starts)
    status = 503 if api.brownout_response is BrownoutResponse.UNAVAILABLE else 410
    begin, end = (instant(moment, "the brownout") for moment in (outage.starts, outage.ends))
    # An end with a fraction of a second, which iCalendar cannot express, is rounded up.
    end = end.replace(microsecond=0) + _SECOND * (end.microsecond > 0)
    event = _event([api.name, major, "brownout", k], "Brownout", begin.replace(microsecond=0), end, stamp)
    event.add("summary", f"{name}: brownout (requests return {status})")
    starts, ends = (in_full(local(moment, zone)) for moment in (outage.starts, outage.ends))
    event.add("description", f"{name} is out of service from {starts}\nto {ends}.")
    _add_alarm(event, BROWNOUT_ALARM, f"{name} has a brownout in {BROWNOUT_ALARM.days} day")
    return event


def _event(identity: list[object], category: str, begin: datetime, end: datetime, stamp: datetime) -> Event:
    """Return an event with the UID of its identity."""
    from icalendar import Event

    event = Event()
    event.add("uid", str(uuid5(_NAMESPACE, json.dumps(identity))))
    event.add("dtstamp", stamp)
    event.add("last-modified", stamp)
    event.add("sequence", _sequence(stamp, begin))
    event.add("dtstart", begin)
    event.add("dtend", end)
    event.add("categories", ["API version", category])
    event.add("transp", "TRANSPARENT")
    return event


def _add_alarm(event: Event, before: timedelta, text: str) -> None:
    from icalendar import Alarm

    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("trigger", -before)
    alarm.add("description", text)
    event.add_component(alarm)


def _sequence(stamp: datetime, begin: datetime) -> int:
    """Return a revision number (RFC 5545 section 3.8.7.4) that grows without a memory of earlier files.

    It grows with each minute in which a file is made, so that applications take the later file, also if a
    date was moved to an earlier one. Within the minute it grows if the date moves later, by a twentieth of
    its distance at least.
    """
    minutes = max(0, (stamp - _FIRST) // _MINUTE)
    days = max(0.0, (begin - _FIRST - minutes * _MINUTE) / timedelta(days=1))
    step = min(int(_STEPS * math.log1p(days) / math.log1p(_MAX_DAYS)), _STEPS - 1)
    return min(minutes * _STEPS + step, 2**31 - 1)


def _description(api: Api, major: int, text: Announcement) -> str:
    lines = [
        f"{text.title}.",
        *(f"{t.step.label}: {in_full(t.due)}" for t in announcements(api, major)),
    ]
    if guide := _guide(api, major, text):
        lines.append(f"Migration guide: {guide}")
    return "\n".join(lines)


def _guide(api: Api, major: int, text: Announcement) -> str:
    new = api.successor(major, text.due)
    return api.guide(major, new) if new is not None else ""


def _line(text: str) -> str:
    return " ".join(text.split())
