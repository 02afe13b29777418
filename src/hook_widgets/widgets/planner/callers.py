"""Tables for a tab: the calls in an access log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from datetime import date
from typing import Any, Final

from hook_widgets.versioning.planning.form_input import FormInput
from hook_widgets.versioning.planning.timeline import TimelineTable
from hook_widgets.versioning.planning.usage.counting import Usage, count_calls
from hook_widgets.versioning.planning.usage.tables import (
    callers,
    summary,
    title_of,
    usage_csv,
    usage_markdown,
)
from hook_widgets.versioning.planning.usage.trend import trends

_MAX_ROWS: Final = 100
_COLUMNS: Final = ("Client", "User", "User agent", "First day", "Last day", "Calls")


def count_log(log: bytes, form: FormInput) -> tuple[dict[str, Any], list[bytes]]:
    """Return the tables of a log for a tab, with its CSV and its Markdown.

    Raises:
        InvalidDocument: the log cannot be read.
    """
    usage = count_calls(log, form.api, zone=form.zone)
    value = {
        "summary": summary(usage),
        "trends": list(trends(usage, form.api, form.at, form.zone)),
        "samples": [f"Line {each.number}: {each.reason}: {each.text}" for each in usage.samples],
        "tables": [asdict(table) for table in _tables(usage)],
    }
    return value, [
        usage_csv(usage).encode("utf-8", "replace"),
        usage_markdown(usage).encode("utf-8", "replace"),
    ]


def _tables(usage: Usage) -> Iterator[TimelineTable]:
    listed = callers(usage.counts)
    if not listed:
        return
    yield _by_day(usage, list(listed))
    for version, rows in listed.items():
        total, rest = sum(caller.calls for caller in rows), len(rows) - _MAX_ROWS
        caption = f"{title_of(version)}: {total:,} call{'s' * (total != 1)}"
        caption += f", the {_MAX_ROWS} most active of {len(rows):,} clients" if rest > 0 else ""
        yield TimelineTable(
            caption,
            _COLUMNS,
            tuple(
                (
                    *(text or "–" for text in caller.client),
                    str(caller.first),
                    str(caller.last),
                    f"{caller.calls:,}",
                )
                for caller in rows[:_MAX_ROWS]
            ),
        )


def _by_day(usage: Usage, versions: list[str]) -> TimelineTable:
    calls: Counter[tuple[date, str]] = Counter()
    for count in usage.counts:
        calls[count.day, count.version] += count.calls
    days = sorted({day for day, _ in calls}, reverse=True)
    rows = tuple(
        (str(day), *(f"{calls[day, version]:,}" for version in versions)) for day in days[:_MAX_ROWS]
    )
    caption = "Calls by day" + (
        f", the last {_MAX_ROWS} of {len(days):,} days" if len(days) > _MAX_ROWS else ""
    )
    return TimelineTable(caption, ("Day", *map(title_of, versions)), rows)
