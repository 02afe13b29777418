"""Times at which something changes, and the steps of a slider through them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Final

from hook_widgets.versioning.api import Api
from hook_widgets.versioning.dates.instants import in_zone, instant, latest
from hook_widgets.versioning.dates.months import add_months
from hook_widgets.versioning.planning.date_formatting import zone_of
from hook_widgets.versioning.planning.form_input.dates import default_time
from hook_widgets.versioning.planning.timeline import lifecycle_steps

NOW: Final = "now"
"""Title of the present time."""

_MAX_STEPS: Final = 120
_STRIDES: Final = (1, 3, 12, 60, 600)  # months
_FIRST_YEAR, _LAST_YEAR = 1970, 2199


@dataclass(frozen=True, slots=True)
class Stop:
    """A step of the slider.

    Attributes:
        at: time, in the zone of the API.
        title: event, such as ``"v1 removal"``; empty if nothing happens then.
    """

    at: datetime
    title: str


def milestones(api: Api, zone: tzinfo) -> tuple[Stop, ...]:
    """Return releases, announcements, reminders, brownouts, final notices and removals, in order of time.

    >>> from zoneinfo import ZoneInfo
    >>> from hook_widgets.versioning.release import Release
    >>> api = Api(releases=(Release(1), Release(2, datetime.fromisoformat("2026-03-01T00:00Z"))))
    >>> [(stop.title, str(stop.at.date())) for stop in milestones(api, ZoneInfo("UTC"))]
    [('v2 release', '2026-03-01')]
    """
    stops = []
    for release in api.releases:
        name = f"v{release.major}"
        if release.released:
            stops.append(Stop(in_zone(release.released, zone, "the release"), f"{name} release"))
        for step, moment in lifecycle_steps(release.lifecycle) if release.lifecycle else ():
            stops.append(Stop(in_zone(moment, zone, "the date"), f"{name} {step.label.lower()}"))
        for outage in release.lifecycle.brownouts if release.lifecycle else ():
            stops.append(Stop(in_zone(outage.starts, zone, "the brownout"), f"{name} brownout begins"))
            stops.append(Stop(in_zone(outage.ends, zone, "the brownout"), f"{name} brownout ends"))
    return tuple(sorted(stops, key=lambda stop: stop.at.timestamp()))


def around(api: Api, at: datetime) -> tuple[Stop | None, Stop | None]:
    """Return the last milestone before a time and the next one after it.

    The titles of several milestones at one time are joined.

    Raises:
        InvalidApi: the time has no zone.

    >>> from hook_widgets.versioning.release import Release
    >>> api = Api(releases=(Release(1), Release(2, datetime.fromisoformat("2026-03-01T00:00Z"))))
    >>> before, after = around(api, datetime.fromisoformat("2026-11-20T09:00Z"))
    >>> before.title, after
    ('v2 release', None)
    """
    now = instant(at, "the time of the question", field="at")
    stops = milestones(api, zone_of(api, at))
    earlier = [stop for stop in stops if instant(stop.at, "the milestone") < now]
    later = [stop for stop in stops if instant(stop.at, "the milestone") > now]
    return _joined(earlier, earlier[-1:]), _joined(later, later[:1])


def time_steps(api: Api, now: datetime) -> tuple[Stop, ...]:
    """Return the steps of a slider through time: milestones, the present, and beginnings of months between.

    Over many years, quarters, years or longer periods replace the months, which limits the number of steps.
    Months begin in the zone of `now`, the present time.

    Raises:
        InvalidApi: the present time has no zone.

    >>> from hook_widgets.versioning.release import Release
    >>> api = Api(releases=(Release(1), Release(2, datetime.fromisoformat("2026-03-15T00:00Z"))))
    >>> stops = time_steps(api, datetime.fromisoformat("2026-05-20T09:00Z"))
    >>> [f"{stop.at:%Y-%m-%d} {stop.title}".strip() for stop in stops]
    ['2026-03-01', '2026-03-15 v2 release', '2026-04-01', '2026-05-01', '2026-05-20 now', '2026-06-01']
    """
    instant(now, "the present time", field="at")
    zone = now.tzinfo
    assert zone is not None  # instant() has checked this
    known = [*milestones(api, zone), Stop(now, NOW)]
    by_time: dict[float, Stop] = {}
    taken = {stop.at.date() for stop in known}
    for stop in (*(month for month in _months(known, zone) if month.at.date() not in taken), *known):
        old = by_time.get(stop.at.timestamp())
        by_time[stop.at.timestamp()] = stop if old is None else _joined((old, stop), (old,)) or stop
    return tuple(by_time[time] for time in sorted(by_time))


def position(stops: Sequence[Stop], at: datetime) -> int:
    """Return the index of the last stop that is not after a time; 0 when all are.

    Args:
        stops: in order of time, such as the result of `time_steps`.
        at: the time, with its zone.

    >>> position((), datetime.fromisoformat("2026-05-20T09:00Z"))
    0
    """
    return max(0, bisect_right([stop.at.timestamp() for stop in stops], at.timestamp()) - 1)


def _joined(stops: Sequence[Stop], chosen: Sequence[Stop]) -> Stop | None:
    """Return the chosen stop with the titles of all stops at its time."""
    if not chosen:
        return None
    at = chosen[0].at
    titles = [stop.title for stop in stops if stop.title and stop.at.timestamp() == at.timestamp()]
    return Stop(at, NOW if NOW in titles else ", ".join(titles))


def _months(stops: Sequence[Stop], zone: tzinfo) -> Iterator[Stop]:
    """Yield beginnings of months, from the month of the first stop to the one after the last."""
    days = sorted(stop.at.replace(tzinfo=None) for stop in stops)
    first, last = days[0].replace(day=1), days[-1]
    span = (last.year - first.year) * 12 + last.month - first.month + 1
    stride = next((each for each in _STRIDES if span <= each * _MAX_STEPS), _STRIDES[-1])
    begin = datetime.combine(first.date(), default_time(zone, first.year))  # entered as a day alone
    for months in range(0, span + 1, stride):
        # Outside of these years no date can be entered.
        if _FIRST_YEAR <= first.year + (first.month - 1 + months) // 12 <= _LAST_YEAR:
            yield Stop(latest(add_months(begin, months), zone, "the month"), "")
