"""The commands, and the exit code of each outcome."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from hook_widgets import __version__
from hook_widgets.cli import (
    check_commands,
    limit_commands,
    mcp_command,
    version_commands,
    webhook_commands,
)
from hook_widgets.cli.output import ExitCode, complain
from hook_widgets.errors import (
    HookWidgetsError,
    InvalidArgument,
    InvalidSecret,
    LimitModelError,
    UnknownName,
    UnreadableMessage,
    VersioningError,
)

_WRONG_USE = (
    InvalidArgument,
    InvalidSecret,
    LimitModelError,
    UnknownName,
    UnreadableMessage,
    VersioningError,
)

# Local variables in a traceback could show a secret.
app: typer.Typer = typer.Typer(
    name="hook-widgets",
    help="Send, verify and diagnose webhooks, check a receiver, plan rate limits, compare API versions. "
    "Exit codes: 0 right, 1 findings, 2 wrong use, 3 could not run.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    pretty_exceptions_show_locals=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
limits: typer.Typer = typer.Typer(help="Plan and simulate rate limits.", no_args_is_help=True)
versions: typer.Typer = typer.Typer(help="Compare versions of an API.", no_args_is_help=True)
app.add_typer(limits, name="limits")
app.add_typer(versions, name="versions")

app.command("providers")(webhook_commands.list_providers)
app.command("sign")(webhook_commands.sign)
app.command("send")(webhook_commands.send_event)
app.command("verify")(webhook_commands.verify_recording)
app.command("diagnose")(webhook_commands.diagnose_recording)
app.command("receive")(webhook_commands.receive)
app.command("record-tests")(webhook_commands.record)
app.command("check")(check_commands.check)
app.command("why-rejected")(check_commands.explain_rejection)
app.command("mcp")(mcp_command.serve)
limits.command("plan")(limit_commands.plan)
limits.command("simulate")(limit_commands.simulate)
versions.command("compare")(version_commands.compare_documents)
versions.command("changed")(version_commands.compare_with_commit)


def _show_version(show: bool) -> None:
    if show:
        typer.echo(f"hook-widgets {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    del version  # the callback has shown it


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Args:
        arguments: the arguments; by default those of the process.
    """
    try:
        app(None if arguments is None else list(arguments), prog_name="hook-widgets")
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # as of `| head -1`; click exits with 1
            return ExitCode.COULD_NOT_RUN
        return int(end.code or 0)
    except _WRONG_USE as error:
        complain(error)
        return ExitCode.WRONG_USE
    except (HookWidgetsError, OSError) as error:
        complain(error)
        return ExitCode.COULD_NOT_RUN
    return ExitCode.RIGHT


def run() -> None:
    """Run the command of the process and end it."""
    with Path(os.devnull).open("w", encoding="utf-8") as nothing:  # where a shell has closed a stream (>&-)
        sys.stdout = sys.stdout or nothing
        sys.stderr = sys.stderr or nothing
        code = main()
    sys.exit(code)
