"""Table of an API's versions at a given time, for people and as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, tzinfo
from enum import StrEnum
from io import StringIO
from typing import Final

from hook_widgets._arguments import several, shown
from hook_widgets.errors import VersioningError
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.brownouts import BrownoutResponse
from hook_widgets.versioning.deprecation_schedule import Lifecycle
from hook_widgets.versioning.planning.date_formatting import (
    days_between,
    in_days,
    local,
    span,
    weekday,
    zone_name,
    zone_of,
)
from hook_widgets.versioning.release import HeadersBegin, Release, Status


class LifecycleStep(StrEnum):
    """The four dates on which the users of a version are notified, in order."""

    ANNOUNCEMENT = "announcement"
    REMINDER = "reminder"
    FINAL_NOTICE = "final_notice"
    REMOVAL = "removal"

    @property
    def label(self) -> str:
        """Display name."""
        return self.value.replace("_", " ").capitalize()


def lifecycle_steps(lifecycle: Lifecycle) -> tuple[tuple[LifecycleStep, datetime], ...]:
    """Return the four dates of a lifecycle with their names.

    >>> from hook_widgets.versioning.deprecation_schedule import lifecycle
    >>> dates = lifecycle(datetime.fromisoformat("2026-07-01T09:00Z"))
    >>> [(step.label, moment.month) for step, moment in lifecycle_steps(dates)]
    [('Announcement', 7), ('Reminder', 1), ('Final notice', 7), ('Removal', 1)]
    """
    dates = (lifecycle.deprecated, lifecycle.reminder, lifecycle.final_notice, lifecycle.sunset)
    return tuple(zip(LifecycleStep, dates, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineRow:
    """One version at a given time; dates are in the zone of the API.

    Attributes:
        version: name, such as ``"v2"``.
        major: major version number.
        status: status at that time.
        released: date of the release; None when it has always been there.
        deprecated: date of the announcement; this and the next three are None when it is not deprecated.
        reminder: date of the reminder to its users.
        final_notice: date of the last notice to its users.
        removed: date of the removal.
        days_left: midnights until the removal, 0 on its day; None without a removal or after it.
        note: next event, in a few words; may be empty.
        headers_early: True if responses carry the headers of a deprecation that is not announced yet.
        brownouts: beginnings and ends of its planned outages, in order of time.
        in_brownout: True if it is out of service at that time.
    """

    version: str
    major: int
    status: Status
    released: datetime | None
    deprecated: datetime | None
    reminder: datetime | None
    final_notice: datetime | None
    removed: datetime | None
    days_left: int | None
    note: str
    headers_early: bool = False
    brownouts: tuple[tuple[datetime, datetime], ...] = ()
    in_brownout: bool = False

    @property
    def dates(self) -> tuple[datetime | None, ...]:
        """The five dates, in order."""
        return self.released, self.deprecated, self.reminder, self.final_notice, self.removed

    @property
    def summary(self) -> str:
        """Status and next event in a few words, such as ``"deprecated, reminder in 41 days"``."""
        if self.status is Status.REMOVED:
            return self.note  # says already that the version is removed
        early = "headers already sent" if self.headers_early else ""
        return ", ".join(filter(None, (self.status.value, self.note, early)))


@dataclass(frozen=True, slots=True)
class TimelineTable:
    """A table of texts.

    Attributes:
        caption: description of the table.
        columns: column headings.
        rows: cell texts.
    """

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def timeline(api: Api, at: datetime) -> tuple[TimelineRow, ...]:
    """Return the status of each version at this time, in the order of their numbers.

    Args:
        api: the API.
        at: the time, with its zone.

    Raises:
        InvalidApi: the time has no zone.

    >>> from hook_widgets.versioning.release import Release
    >>> rows = timeline(Api(releases=(Release(1), Release(2))), datetime.fromisoformat("2026-11-20T09:00Z"))
    >>> [(row.version, row.status.value, row.note) for row in rows]
    [('v1', 'active', ''), ('v2', 'active', 'current')]
    """
    zone = zone_of(api, at)
    return tuple(_row(api, release, at, zone) for release in api.releases)


TIMELINE_COLUMNS: Final = (
    "Version", "Status", "Released", "Deprecated", "Reminder", "Final notice", "Removed", "Days left", "Note",
)  # fmt: skip
"""Column headings of the table. If a version has brownouts, `BROWNOUTS_COLUMN` follows them."""

BROWNOUTS_COLUMN: Final = "Brownouts"
"""Column heading of the planned outages."""


def timeline_table(rows: Iterable[TimelineRow]) -> TimelineTable:
    """Format the rows as a table of texts.

    Args:
        rows: the result of `timeline`.

    Raises:
        VersioningError: they are something else.

    >>> from hook_widgets.versioning.release import Release
    >>> api = Api(releases=(Release(1, datetime.fromisoformat("2024-05-01T00:00Z")),))
    >>> timeline_table(timeline(api, datetime.fromisoformat("2026-11-20T09:00Z"))).rows[0][:4]
    ('v1', 'active', 'Wed 1 May 2024', '–')
    """
    listed = _rows(rows)
    zones = dict.fromkeys(zone_name(date.tzinfo) for row in listed for date in row.dates if date)
    caption = f"Versions and their dates{f', in {zone}' if (zone := ', '.join(zones)) else ''}"
    if not any(row.brownouts for row in listed):
        return TimelineTable(caption, TIMELINE_COLUMNS, tuple(map(_cells, listed)))
    cells = ((*_cells(row), "; ".join(span(*each) for each in row.brownouts) or "–") for row in listed)
    return TimelineTable(caption, (*TIMELINE_COLUMNS, BROWNOUTS_COLUMN), tuple(cells))


def timeline_csv(rows: Iterable[TimelineRow]) -> str:
    """Format the rows as comma-separated values (RFC 4180), with dates and periods as in ISO 8601.

    Args:
        rows: the result of `timeline`.

    Raises:
        VersioningError: they are something else.

    >>> from hook_widgets.versioning.release import Release
    >>> api = Api(releases=(Release(1, datetime.fromisoformat("2024-05-01T00:00Z")),))
    >>> timeline_csv(timeline(api, datetime.fromisoformat("2026-11-20T09:00Z"))).splitlines()[1]
    'v1,active,2024-05-01T00:00:00+00:00,,,,,,current'
    """
    file = StringIO()
    lines = csv.writer(file)
    listed = _rows(rows)
    outages = any(row.brownouts for row in listed)
    lines.writerow([*TIMELINE_COLUMNS, *[BROWNOUTS_COLUMN] * outages])
    for row in listed:
        dates = [date.isoformat() if date else "" for date in row.dates]
        left = "" if row.days_left is None else row.days_left
        periods = " ".join(f"{starts.isoformat()}/{ends.isoformat()}" for starts, ends in row.brownouts)
        lines.writerow([row.version, row.status.value, *dates, left, row.note, *[periods] * outages])
    return file.getvalue()


def _row(api: Api, release: Release, at: datetime, zone: tzinfo) -> TimelineRow:
    status, dates = release.status(at), release.lifecycle
    due: dict[LifecycleStep, datetime] = {}
    left = None
    if dates is not None:
        due = {step: local(moment, zone) for step, moment in lifecycle_steps(dates)}
        left = None if status is Status.REMOVED else days_between(at, dates.sunset, zone)
    return TimelineRow(
        version=f"v{release.major}",
        major=release.major,
        status=status,
        released=release.released and local(release.released, zone),
        deprecated=due.get(LifecycleStep.ANNOUNCEMENT),
        reminder=due.get(LifecycleStep.REMINDER),
        final_notice=due.get(LifecycleStep.FINAL_NOTICE),
        removed=due.get(LifecycleStep.REMOVAL),
        days_left=left,
        note=_note(api, release, status, at, zone),
        headers_early=(
            dates is not None
            and api.headers_begin is HeadersBegin.AT_ONCE
            and status in (Status.ACTIVE, Status.PREVIEW)
        ),
        brownouts=tuple(
            (local(each.starts, zone), local(each.ends, zone)) for each in (dates.brownouts if dates else ())
        ),
        in_brownout=api.brownout(release.major, at) is not None,
    )


def _note(api: Api, release: Release, status: Status, at: datetime, zone: tzinfo) -> str:
    """Describe the next event."""

    def due(moment: datetime) -> str:
        return in_days(days_between(at, moment, zone))

    if status is Status.PLANNED and release.released:
        return f"release {due(release.released)}"
    if outage := api.brownout(release.major, at):
        status_code = 503 if api.brownout_response is BrownoutResponse.UNAVAILABLE else 410
        return f"brownout until {weekday(local(outage.ends, zone))}, requests return {status_code}"
    if release.lifecycle:
        events = [(step.label.lower(), moment) for step, moment in lifecycle_steps(release.lifecycle)]
        events += [("brownout", outage.starts) for outage in release.lifecycle.brownouts]
        for name, moment in sorted(events, key=lambda event: event[1].timestamp()):
            if at.timestamp() < moment.timestamp():
                return f"{name} {due(moment)}"
        return f"removed {due(release.lifecycle.sunset)}, requests return 410"
    if status is Status.PREVIEW:
        return "only on request"
    return "current" if release.major == api.default(at) else ""


def _rows(rows: Iterable[TimelineRow]) -> list[TimelineRow]:
    listed = list(several(rows, "rows", VersioningError))
    for row in listed:
        if not isinstance(row, TimelineRow):
            raise VersioningError(f"{shown(row)} is no row; give the result of timeline")
    return listed


def _cells(row: TimelineRow) -> tuple[str, ...]:
    dates = [weekday(date) if date else "–" for date in row.dates]
    if row.released is None:
        dates[0] = "always available"
    left = "–" if row.days_left is None else f"{row.days_left:,}"
    return (row.version, row.status.value, *dates, left, row.note or "–")
