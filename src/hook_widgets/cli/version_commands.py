"""Commands on versions of an API."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Annotated

import typer

from hook_widgets.cli.inputs import read_bytes
from hook_widgets.cli.output import (
    ExitCode,
    TableFormat,
    TableFormatOption,
    as_markdown,
    changes_of,
    print_json,
    print_table,
    visible,
)
from hook_widgets.errors import InvalidArgument


def compare_documents(
    old: Annotated[
        Path, typer.Argument(metavar="OLD", exists=True, dir_okay=False, help="The document of the clients.")
    ],
    new: Annotated[
        Path, typer.Argument(metavar="NEW", exists=True, dir_okay=False, help="The document to publish.")
    ],
    direction: Annotated[
        str,
        typer.Option(
            "--direction", metavar="NAME", help="Who writes the data of a schema: request, response or both."
        ),
    ] = "both",
    format_: TableFormatOption = TableFormat.TEXT,
) -> None:
    """Compare two OpenAPI documents or JSON Schemas. A breaking change makes exit code 1."""
    from hook_widgets.versioning import compare
    from hook_widgets.versioning.compat import CHANGE_COLUMNS

    comparison = compare(old, new, direction=direction)
    if format_ is TableFormat.JSON:
        print_json(changes_of(comparison))
    elif format_ is TableFormat.MARKDOWN:
        typer.echo(f"{as_markdown(str(comparison).partition(chr(10))[0])}\n")
        print_table(CHANGE_COLUMNS, comparison.rows(), markdown=True)
    else:
        typer.echo(visible(str(comparison)))
    if comparison.needs_major:
        raise typer.Exit(ExitCode.FINDINGS)


def compare_with_commit(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", exists=True, dir_okay=False, help="The documents as they are now."),
    ],
    commit: Annotated[
        str,
        typer.Option(
            "--commit", metavar="COMMIT", help="The commit with the old documents, such as origin/main."
        ),
    ] = "HEAD",
) -> None:
    """Compare documents with those of a git commit. A new file has nothing to break.

    A breaking change makes exit code 1, so that it suits a hook before a commit.
    """
    from hook_widgets.versioning import compare

    broken = False
    for file in files:
        old = _committed(file, commit)
        if old is None:
            continue
        comparison = compare(old, read_bytes(str(file)))
        broken = broken or comparison.needs_major
        if comparison.changes or comparison.not_compared:
            typer.echo(visible(f"{file}: {comparison}"))
    if broken:
        raise typer.Exit(ExitCode.FINDINGS)


def _committed(file: Path, commit: str) -> bytes | None:
    """Return a file as a commit has it, or None if it is not in it.

    Raises:
        InvalidArgument: there is no such commit, no repository or no git.
    """
    if not _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}^{{commit}}"):
        raise InvalidArgument(f"--commit {commit!r} is no commit of this repository; give one, such as HEAD")
    path = f"{commit}:./{os.path.relpath(file)}"
    return _git("cat-file", "blob", path) if _git("cat-file", "-t", path) else None


def _git(*arguments: str) -> bytes | None:
    """Return what git prints, or None if it fails.

    Raises:
        InvalidArgument: git is not installed.
    """
    try:
        done = subprocess.run(["git", *arguments], capture_output=True, check=False)
    except OSError as error:
        raise InvalidArgument(f"git cannot be run ({error.strerror}); install it") from None
    return done.stdout if done.returncode == 0 else None
