"""Formats of results, and the exit codes."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

if TYPE_CHECKING:
    from hook_widgets.versioning.compat import Comparison
    from hook_widgets.webhooks import Diagnosis

_WIDTH: Final = 200  # characters of a table in a file or pipe


class ExitCode(IntEnum):
    """The exit codes of all commands."""

    RIGHT = 0
    FINDINGS = 1
    WRONG_USE = 2
    COULD_NOT_RUN = 3


class Format(StrEnum):
    """The format of a request or response."""

    TEXT = "text"
    JSON = "json"


class TableFormat(StrEnum):
    """The format of a table or of a few sentences."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


TableFormatOption = Annotated[TableFormat, typer.Option("--format", help="The format of the result.")]


class ReportFormat(StrEnum):
    """The format of a report."""

    TEXT = "text"
    JSON = "json"
    JUNIT = "junit"
    MARKDOWN = "markdown"


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def print_rows(rows: Sequence[Mapping[str, str]], format_: StrEnum) -> None:
    """Print rows that have the same keys: as JSON, or as a table with the keys on top."""
    if format_ == TableFormat.JSON:
        print_json(rows)
    else:
        cells = [list(row.values()) for row in rows]
        print_table(list(rows[0]), cells, markdown=format_ == TableFormat.MARKDOWN)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, markdown: bool = False) -> None:
    """Print a table."""
    if markdown:
        lines = [" | ".join(as_markdown(cell) for cell in cells) for cells in (columns, *rows)]
        lines.insert(1, " | ".join("---" for _ in columns))
        for line in lines:
            typer.echo(f"| {line} |")
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(Text(visible(cell)) for cell in row))  # a Text has no markup
    Console(width=None if sys.stdout.isatty() else _WIDTH).print(table)


def causes_of(diagnosis: Diagnosis) -> dict[str, Any]:
    """Return what a diagnosis found, as a value for JSON."""
    return {
        "findings": [
            {"title": each.title, "change": each.change, "frameworks": dict(each.frameworks)}
            for each in diagnosis.findings
        ],
        "hints": [{"title": each.title, "change": each.change} for each in diagnosis.hints],
        "excluded": list(diagnosis.excluded),
        "not_excluded": list(diagnosis.not_excluded),
    }


def changes_of(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison of two documents as a value for JSON."""
    return {
        "breaking": comparison.needs_major,
        "changes": [asdict(change) for change in comparison.changes],
        "not_compared": [asdict(each) for each in comparison.not_compared],
    }


def visible(text: str) -> str:
    """Return a text without control characters, which could change what a terminal shows.

    >>> visible("paid" + chr(27) + "[2J")
    'paid�[2J'
    """
    return "".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in text)


def as_markdown(text: str) -> str:
    """Return a text as it is shown in a line of Markdown."""
    from hook_widgets.receivers.reporting.rendering import escape_markdown

    return escape_markdown(visible(text))


def complain(error: Exception) -> None:
    """Print an error to standard error."""
    typer.echo(f"hook-widgets: {visible(str(error))}", err=True)
