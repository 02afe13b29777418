"""Formats of results, and the exit codes."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from enum import IntEnum, StrEnum
from typing import Any, Final

import typer

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


class ReportFormat(StrEnum):
    """The format of a report."""

    TEXT = "text"
    JSON = "json"
    JUNIT = "junit"
    MARKDOWN = "markdown"


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


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


def visible(text: str) -> str:
    """Return a text without control characters, which could change what a terminal shows.

    >>> visible("paid" + chr(27) + "[2J")
    'paid�[2J'
    """
    return "".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in text)


def as_markdown(text: str) -> str:
    """Return a text as it is shown in a line of Markdown."""
    from hook_widgets.receivers.rendering import escape_markdown

    return escape_markdown(visible(text))


def complain(error: Exception) -> None:
    """Print an error to standard error."""
    typer.echo(f"hook-widgets: {visible(str(error))}", err=True)
