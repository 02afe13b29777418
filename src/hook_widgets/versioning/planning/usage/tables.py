"""Write the calls of each version for people: a table for each version, Markdown, and CSV.

User agents are written by strangers, so Markdown is escaped, and a cell that a spreadsheet would take for a
formula gets an apostrophe in front.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from io import StringIO
from typing import Final

from hook_widgets.versioning.planning.announcement import escaped
from hook_widgets.versioning.planning.usage.counting import UNKNOWN, UNNAMED, CallCount, Usage

USAGE_COLUMNS: Final = ("Version", "Client", "User", "User agent", "Day", "Calls")
"""Column headings of `usage_csv`."""

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_TITLES: Final = {UNNAMED: "No version named", UNKNOWN: "Unknown version"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Calls of one version by one client (its address, user and user agent) on all days."""

    client: tuple[str, str, str]
    first: date
    last: date
    calls: int


def callers(counts: Iterable[CallCount]) -> dict[str, list[Caller]]:
    """Sum up the days of each client, by version in their order; the most active clients first."""
    groups: dict[str, dict[tuple[str, str, str], list[CallCount]]] = {}
    for count in counts:
        clients = groups.setdefault(count.version, {})
        clients.setdefault((count.client, count.user, count.agent), []).append(count)
    return {
        version: sorted(
            (
                Caller(
                    client=client,
                    first=min(count.day for count in group),
                    last=max(count.day for count in group),
                    calls=sum(count.calls for count in group),
                )
                for client, group in clients.items()
            ),
            key=lambda caller: (-caller.calls, caller.client),
        )
        for version, clients in groups.items()
    }


def title_of(version: str) -> str:
    """Return the display name of a version in the log.

    >>> title_of("v1"), title_of("none")
    ('v1', 'No version named')
    """
    return _TITLES.get(version, version)


def usage_csv(usage: Usage) -> str:
    """Format the calls as comma-separated values (RFC 4180), a row for each version, client and day.

    Args:
        usage: the result of `count_calls`.
    """
    file = StringIO()
    rows = csv.writer(file)
    rows.writerow(USAGE_COLUMNS)
    for count in usage.counts:
        texts = (_inert(text) for text in (count.client, count.user, count.agent))
        rows.writerow([title_of(count.version), *texts, count.day.isoformat(), count.calls])
    return file.getvalue()


def usage_markdown(usage: Usage) -> str:
    """Format the calls as Markdown: a table of clients for each version.

    Args:
        usage: the result of `count_calls`.
    """
    parts = [f"# Calls by version\n\n{summary(usage)}"]
    for version, rows in callers(usage.counts).items():
        table = [
            "| Client | User | User agent | First day | Last day | Calls |",
            "| --- | --- | --- | --- | --- | ---: |",
        ]
        table += [
            f"| {' | '.join(map(escaped, row.client))} | {row.first} | {row.last} | {row.calls:,} |"
            for row in rows
        ]
        total = sum(row.calls for row in rows)
        parts.append(f"## {title_of(version)}: {_count(total, 'call')}\n\n" + "\n".join(table))
    return "\n\n".join(parts) + "\n"


def summary(usage: Usage) -> str:
    """Describe what was counted and what was not, in a sentence or two.

    >>> summary(Usage(counts=(), lines=3, outside=2, skipped=1, samples=(), prefix="/api"))
    '0 calls in 3 lines. 2 requests are not under the path prefix /api. 1 line could not be read.'
    """
    texts = [f"{_count(usage.calls, 'call')} in {_count(usage.lines, 'line')}."]
    if usage.outside:
        verb = "is" if usage.outside == 1 else "are"
        texts.append(
            f"{_count(usage.outside, 'request')} {verb} not under the path prefix {usage.prefix or '/'}."
        )
    if usage.minor:
        texts.append(
            f"{_count(usage.minor, 'call')} named a minor version, such as v1.2; only the major one counts."
        )
    if usage.other_names:
        texts.append(f"Versions were also found under other names: {', '.join(usage.other_names)}.")
    if usage.skipped:
        texts.append(f"{_count(usage.skipped, 'line')} could not be read.")
    return " ".join(texts)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * (number != 1)}"


def _inert(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text
