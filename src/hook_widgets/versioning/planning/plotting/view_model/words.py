"""Text description of a picture, for readers who do not see it."""

from __future__ import annotations

from datetime import datetime

from hook_widgets.versioning.api import Api
from hook_widgets.versioning.planning.date_formatting import day, local, zone_name, zone_of
from hook_widgets.versioning.planning.timeline import TimelineRow, timeline
from hook_widgets.versioning.release import Status


def describe_timeline(api: Api, at: datetime) -> str:
    """Describe the content of the picture as of `at`, as its text alternative.

    >>> from hook_widgets.versioning.release import Release
    >>> api = Api(name="Orders API", releases=(Release(1),))
    >>> describe_timeline(api, datetime.fromisoformat("2026-11-20T09:00Z"))
    'Versions of Orders API as of 20 Nov 2026 (UTC). v1: active, always there.'
    """
    zone = zone_of(api, at)
    name = " ".join(api.name.split())
    sentences = [_sentence(row) for row in timeline(api, at)]
    return f"Versions of {name} as of {day(local(at, zone))} ({zone_name(zone)}). {' '.join(sentences)}"


def _sentence(row: TimelineRow) -> str:
    if row.released is None:
        parts = ["always there"]
    else:
        parts = [
            f"release {day(row.released)}" if row.status is Status.PLANNED else f"since {day(row.released)}"
        ]
    named = (
        ("announcement", row.deprecated),
        ("reminder", row.reminder),
        ("final notice", row.final_notice),
        ("removal", row.removed),
    )
    parts += [f"{name} {day(moment)}" for name, moment in named if moment]
    if row.brownouts:
        parts.append(f"brownouts {', '.join(day(starts) for starts, _ in row.brownouts)}")
    if row.days_left is not None:
        parts.append(f"{row.days_left:,} days left")
    return f"{row.version}: {row.status.value}, {', '.join(parts)}."
