"""Trend of the calls of a version, from the log to its removal."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, timedelta, tzinfo
from typing import Final

from hook_widgets.versioning.api import Api
from hook_widgets.versioning.planning.usage.counting import Usage
from hook_widgets.versioning.release import Status

_MIN_DAYS: Final = 4  # fewer show no trend


def trends(usage: Usage, api: Api, at: datetime, zone: tzinfo) -> Iterator[str]:
    """Yield a sentence on each version that will be removed: how its calls change, and what is left then.

    The log is cut into halves of whole days; the line through the means of both is drawn to the removal.
    """
    days = sorted({count.day for count in usage.counts})
    for release in api.releases if days else ():
        removed = release.lifecycle and release.lifecycle.sunset.astimezone(zone).date()
        if removed and api.status(release.major, at) is not Status.REMOVED:
            yield _sentence(f"v{release.major}", usage, days[0], days[-1], removed)


def _sentence(version: str, usage: Usage, first: date, last: date, removed: date) -> str:
    calls: Counter[date] = Counter()
    for count in usage.of(version):
        calls[count.day] += count.calls
    if not calls:
        return f"{version}: no calls in this log; removal on {removed}."
    half = ((last - first).days + 1) // 2
    if 2 * half < _MIN_DAYS:
        return f"{version}: removal on {removed}; a log of {_MIN_DAYS} days or more shows a trend."
    before, after = (
        sum(number for day, number in calls.items() if begin <= (last - day).days < begin + half) / half
        for begin in (half, 0)
    )
    halves = f"{_short(after)} calls a day in the last {half} days, {_short(before)} in the {half} before"
    start = f"{version}: {halves}; at this pace"
    a_day = (after - before) / half
    center = last - timedelta(days=half // 2)
    left = after + a_day * max(0, (removed - center).days)
    if left <= 0:
        none = center + timedelta(days=math.ceil(after / -a_day))
        return f"{start} none are left on {none}, before the removal on {removed}."
    return f"{start} {_short(left)} a day are left at the removal on {removed}."


def _short(calls: float) -> str:
    return f"{calls:,.0f}" if calls >= 10 or calls == round(calls) else f"{calls:.1f}"
