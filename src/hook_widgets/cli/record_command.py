"""The command that makes tests of recorded requests."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hook_widgets.cli.inputs import ProviderName, read_bytes
from hook_widgets.cli.output import visible

RecordingFile = Annotated[
    str, typer.Argument(metavar="FILE", help="HAR, raw HTTP or a curl command; - for standard input.")
]


def record(
    name: ProviderName,
    file: RecordingFile,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of the tests.")],
    file_name: Annotated[
        str, typer.Option("--name", help="The name of the files; by default recorded_PROVIDER.")
    ] = "",
    secret_env: Annotated[
        str, typer.Option("--secret-env", metavar="NAME", help="The variable from which the tests read it.")
    ] = "WEBHOOK_SECRET",
) -> None:
    """Write a pytest file that signs and sends recorded requests again at each run."""
    from hook_widgets.testing import record_tests

    tests = record_tests(read_bytes(file), name, folder, name=file_name, secret_env=secret_env)
    for note in tests.notes:
        typer.echo(visible(note), err=True)
    typer.echo(f"{tests.path}: {tests.count} recorded requests")
