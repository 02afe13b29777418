"""What a picture says of each version, before anything is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from math import inf

from hook_widgets.versioning.api import Api
from hook_widgets.versioning.planning.datewords import count_days, day, local, zone_of
from hook_widgets.versioning.planning.scene.scale import days
from hook_widgets.versioning.planning.timeline import Row, Step, steps, timeline
from hook_widgets.versioning.release import Release, Status


@dataclass(frozen=True, slots=True)
class Bar:
    """A stretch of time in which a version is one thing.

    Attributes:
        kind: what it is.
        begin: in days since 1970; minus infinity when it has always been so.
        end: in days since 1970; infinity when nothing is planned to end it.
    """

    kind: Status
    begin: float
    end: float


@dataclass(frozen=True, slots=True)
class Mark:
    """A date on a lane.

    Attributes:
        step: what happens; None for the release.
        at: in days since 1970.
        text: the day.
    """

    step: Step | None
    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Lane:
    """A version as it is drawn.

    Attributes:
        version: its name.
        status: what it is at the time of the question.
        note: how long it is left, or what comes next.
        bars: in the order of time.
        marks: those that matter most first.
    """

    version: str
    status: Status
    note: str
    bars: tuple[Bar, ...]
    marks: tuple[Mark, ...]


def lanes(api: Api, at: datetime) -> tuple[Lane, ...]:
    """The versions of an API as they are drawn.

    Args:
        api: the API.
        at: the time of the question.

    >>> api = Api(releases=(Release(1),))
    >>> lanes(api, datetime.fromisoformat("2026-11-20T09:00Z"))[0].bars
    (Bar(kind=<Status.ACTIVE: 'active'>, begin=-inf, end=inf),)
    """
    zone = zone_of(api, at)
    found = []
    for release, row in zip(api.releases, timeline(api, at), strict=True):
        marks = []
        if release.released:
            marks.append(Mark(None, days(release.released), day(local(release.released, zone))))
        if release.lifecycle:
            told = [Mark(step, days(due), day(local(due, zone))) for step, due in steps(release.lifecycle)]
            announced, reminder, final, removed = told
            marks = [removed, announced, final, *marks, reminder]
        found.append(Lane(row.version, row.status, _note(row), _bars(release, days(at)), tuple(marks)))
    return tuple(found)


def _bars(release: Release, at: float) -> tuple[Bar, ...]:
    begin = days(release.released) if release.released else -inf
    served = Status.ACTIVE if release.stable else Status.PREVIEW
    bars = [Bar(Status.PLANNED, at, begin)] if begin > at else []
    if release.lifecycle is None:
        return (*bars, Bar(served, begin, inf))
    told, gone = days(release.lifecycle.deprecated), days(release.lifecycle.sunset)
    bars += [Bar(served, begin, told), Bar(Status.DEPRECATED, told, gone), Bar(Status.REMOVED, gone, inf)]
    return tuple(bar for bar in bars if bar.begin < bar.end)


def _note(row: Row) -> str:
    if row.days_left is not None:
        return f"{count_days(row.days_left)} left" if row.days_left else "last day"
    if row.status is Status.REMOVED and row.removed:
        return f"on {day(row.removed)}"
    return row.note.removeprefix("release ")
