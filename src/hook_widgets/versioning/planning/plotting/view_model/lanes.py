"""Content of a picture for each version: bars, marks and a note."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, tzinfo
from enum import StrEnum
from math import inf
from typing import TypeAlias

from hook_widgets.versioning.api import Api
from hook_widgets.versioning.planning.date_formatting import (
    count_days,
    day,
    days_between,
    in_days,
    local,
    zone_of,
)
from hook_widgets.versioning.planning.plotting.view_model.scale import days
from hook_widgets.versioning.planning.timeline import LifecycleStep, TimelineRow, lifecycle_steps, timeline
from hook_widgets.versioning.release import Release, Status


class Outage(StrEnum):
    """A date of a version that is not a step of its lifecycle, and has a sign."""

    BROWNOUT = "brownout"

    @property
    def label(self) -> str:
        """Display name."""
        return self.value.capitalize()


SignKind: TypeAlias = LifecycleStep | Outage
"""Kinds of dates that have a sign."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A period in which a version has one status.

    Attributes:
        kind: status.
        begin: in days since 1970; minus infinity if it has no beginning.
        end: in days since 1970; infinity if no end is planned.
    """

    kind: Status
    begin: float
    end: float


@dataclass(frozen=True, slots=True)
class Mark:
    """A date on a lane.

    Attributes:
        step: kind of the date; None for the release.
        at: in days since 1970.
        text: the day, as text.
    """

    step: SignKind | None
    at: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """A version as it is drawn.

    Attributes:
        version: name.
        status: status at the time shown.
        note: days left, or the next event.
        bars: periods, in order of time.
        marks: dates, the most important ones first.
    """

    version: str
    status: Status
    note: str
    bars: tuple[Bar, ...]
    marks: tuple[Mark, ...]


def lanes(api: Api, at: datetime) -> tuple[Lane, ...]:
    """Return the versions of an API as they are drawn.

    >>> api = Api(releases=(Release(1),))
    >>> lanes(api, datetime.fromisoformat("2026-11-20T09:00Z"))[0].bars
    (Bar(kind=<Status.ACTIVE: 'active'>, begin=-inf, end=inf),)
    """
    zone = zone_of(api, at)
    drawn = []
    for release, row in zip(api.releases, timeline(api, at), strict=True):
        marks = []
        if release.released:
            marks.append(Mark(None, days(release.released), day(local(release.released, zone))))
        if release.lifecycle:
            due_marks = [
                Mark(step, days(due), day(local(due, zone)))
                for step, due in lifecycle_steps(release.lifecycle)
            ]
            announced, reminder, final, removed = due_marks
            outages = [
                Mark(Outage.BROWNOUT, days(each.starts), day(local(each.starts, zone)))
                for each in release.lifecycle.brownouts
            ]
            marks = [removed, announced, final, *marks, reminder, *outages]
        drawn.append(
            Lane(
                version=row.version,
                status=row.status,
                note=_note(row, at, zone),
                bars=_bars(release, days(at)),
                marks=tuple(marks),
            )
        )
    return tuple(drawn)


def _bars(release: Release, at: float) -> tuple[Bar, ...]:
    begin = days(release.released) if release.released else -inf
    served = Status.ACTIVE if release.stable else Status.PREVIEW
    bars = [Bar(Status.PLANNED, at, begin)] if begin > at else []
    if release.lifecycle is None:
        return (*bars, Bar(served, begin, inf))
    deprecated, removed = days(release.lifecycle.deprecated), days(release.lifecycle.sunset)
    bars += [
        Bar(served, begin, deprecated),
        Bar(Status.DEPRECATED, deprecated, removed),
        Bar(Status.REMOVED, removed, inf),
    ]
    return tuple(bar for bar in bars if bar.begin < bar.end)


def _note(row: TimelineRow, at: datetime, zone: tzinfo) -> str:
    if row.days_left is not None:
        return f"{count_days(row.days_left)} left" if row.days_left else "last day"
    if row.status is Status.REMOVED and row.removed:
        return f"on {day(row.removed)}"
    if row.status is Status.PLANNED and row.released:
        return in_days(days_between(at, row.released, zone))
    return row.note
