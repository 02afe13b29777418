"""Commands that check a receiver."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Annotated

import typer

from hook_widgets.cli.inputs import (
    AllowHost,
    CaFile,
    EventName,
    ProviderName,
    SecretEnv,
    SecretFd,
    UrlText,
    signing_key,
)
from hook_widgets.cli.output import (
    ExitCode,
    ReportFormat,
    TableFormat,
    TableFormatOption,
    as_markdown,
    print_rows,
    print_table,
    visible,
)
from hook_widgets.cli.setup_options import (
    Advance,
    FailNext,
    History,
    OtherSecretEnv,
    OwnerNames,
    PartEnv,
    PreviousSecretEnv,
    RetiredSecretEnv,
    State,
    UnconfiguredUrl,
    command_function,
    history_function,
    part_variables,
    secrets_setup,
)
from hook_widgets.errors import InvalidArgument

if TYPE_CHECKING:
    from hook_widgets.receivers import Check, Progress, Rejection, Report, Status
    from hook_widgets.webhooks import Delivery, Provider, WebhookRequest

_FILE_FORMATS = {".json": ReportFormat.JSON, ".xml": ReportFormat.JUNIT, ".md": ReportFormat.MARKDOWN}
_ENDED = {"accepted": ExitCode.RIGHT, "not_decided": ExitCode.COULD_NOT_RUN}


def _matching_checks(incomplete: str) -> list[str]:
    """Return the ids of checks that complete a word of the shell."""
    from hook_widgets.receivers import catalogue

    return [name for name in catalogue() if name.startswith(incomplete)]


class Suite(StrEnum):
    """The suites of checks."""

    STANDARD = "standard"
    FULL = "full"


def check(
    name: ProviderName,
    url: UrlText,
    suite: Annotated[
        Suite, typer.Option("--suite", help="full also checks load and hygiene.")
    ] = Suite.STANDARD,
    only: Annotated[
        list[str],
        typer.Option(
            "--only",
            metavar="ID",
            help="An id such as B3 or an area such as B; may be repeated.",
            autocompletion=_matching_checks,
        ),
    ] = [],
    skip: Annotated[
        list[str],
        typer.Option(
            "--skip",
            metavar="ID",
            help="An id or area to leave out; may be repeated.",
            autocompletion=_matching_checks,
        ),
    ] = [],
    oracle: Annotated[
        str,
        typer.Option(
            "--oracle",
            metavar="URL|COMMAND",
            help="A URL or shell command that prints how often the work was done.",
        ),
    ] = "",
    settle_s: Annotated[
        float,
        typer.Option("--settle", metavar="SECONDS", min=0.0, help="The wait for work after a response."),
    ] = 0.1,
    event: EventName = "",
    allow_host: AllowHost = [],
    ca: CaFile = None,
    allow_load: Annotated[
        bool,
        typer.Option("--allow-load", help="Send what looks like an attack to another machine, too."),
    ] = False,
    budget_s: Annotated[
        float, typer.Option("--budget", metavar="SECONDS", min=0.001, help="The time limit of the run.")
    ] = 120.0,
    secret_env: SecretEnv = "",
    secret_fd: SecretFd = None,
    other_secret_env: OtherSecretEnv = "",
    previous_secret_env: PreviousSecretEnv = "",
    retired_secret_env: RetiredSecretEnv = "",
    part_env: PartEnv = [],
    unconfigured_url: UnconfiguredUrl = "",
    fail_next: FailNext = "",
    advance: Advance = "",
    history: History = "",
    state: State = "",
    report_files: Annotated[
        list[Path],
        typer.Option(
            "--report",
            metavar="FILE",
            help="Also write the report to FILE: .json, .xml (JUnit) or .md; may be repeated.",
        ),
    ] = [],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="List the checks and requests of the run and send nothing.")
    ] = False,
    format_: Annotated[
        ReportFormat, typer.Option("--format", help="The format of the result.")
    ] = ReportFormat.TEXT,
) -> None:
    """Check what a receiver accepts, rejects and responds. A check that fails makes exit code 1."""
    from hook_widgets.receivers import check_receiver
    from hook_widgets.receivers.runner import select_checks
    from hook_widgets.webhooks import provider

    unknown = [file.name for file in report_files if file.suffix not in _FILE_FORMATS]
    if unknown:
        raise InvalidArgument(f"--report {unknown[0]} names no format; end it in .json, .xml or .md")
    if absent := [file.name for file in report_files if not file.parent.is_dir()]:
        raise InvalidArgument(
            f"--report {absent[0]} is in a folder that does not exist; make the folder first"
        )
    sender = provider(name)
    if dry_run:
        _print_checks(sender, url, select_checks(suite.value, only or None, skip), event or None, format_)
        return
    setup = replace(
        secrets_setup(
            sender,
            OwnerNames(
                other_secret_env=other_secret_env,
                previous_secret_env=previous_secret_env,
                retired_secret_env=retired_secret_env,
                part_env=part_variables(part_env),
                unconfigured_url=unconfigured_url,
            ),
        ),
        fail_next=command_function(fail_next, "--fail-next"),
        advance_s=command_function(advance, "--advance"),
        history=history_function(history),
        state=command_function(state, "--state"),
    )
    with _progress() as show, _interruptible() as stop:
        report = check_receiver(
            sender,
            url,
            signing_key(sender, secret_env, secret_fd),
            suite=suite.value,
            only=only or None,
            skip=skip,
            oracle=oracle or None,
            event=event or None,
            setup=setup,
            allow_hosts=allow_host or None,
            allow_load=allow_load,
            ca=ca,
            budget_s=budget_s,
            settle_s=settle_s,
            on_progress=show,
            stop=stop,
        )
    if format_ is ReportFormat.TEXT:
        _print_report(report)
    else:
        typer.echo(_render(report, format_))
    if report.stopped:
        typer.echo(f"hook-widgets: the run ended early: {visible(report.stopped)}", err=True)
    elif report.unverified and not report.score.failed:
        ids = ", ".join(result.id for result in report.unverified)
        typer.echo(f"hook-widgets: it is not known whether forgeries are rejected: {ids}", err=True)
    if any(result.id == "A1" for result in report.findings):
        typer.echo(
            "hook-widgets: `hook-widgets why-rejected` finds out why it rejects good requests", err=True
        )
    for file in report_files:
        file.write_text(_render(report, _FILE_FORMATS[file.suffix]), encoding="utf-8")
    if report.score.failed:
        raise typer.Exit(ExitCode.FINDINGS)
    if not report.ok:
        raise typer.Exit(ExitCode.COULD_NOT_RUN)


def explain_rejection(
    name: ProviderName,
    url: UrlText,
    event: EventName = "",
    allow_host: AllowHost = [],
    ca: CaFile = None,
    secret_env: SecretEnv = "",
    secret_fd: SecretFd = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="List the requests of a whole search and send nothing.")
    ] = False,
    format_: TableFormatOption = TableFormat.TEXT,
) -> None:
    """Find out why a receiver rejects good requests. It sends at most 15 requests and needs no log."""
    from hook_widgets.receivers import why_rejected
    from hook_widgets.webhooks import provider

    sender = provider(name)
    rejection = why_rejected(
        sender,
        url,
        signing_key(sender, secret_env, secret_fd),
        event=event or None,
        allow_hosts=allow_host or None,
        ca=ca,
        transport=_reject if dry_run else None,
    )
    if dry_run:
        print_table(("request",), [(each.title,) for each in rejection.probes])
        return
    if format_ is TableFormat.JSON:
        typer.echo(rejection.to_json())
    else:
        _print_rejection(rejection, markdown=format_ is TableFormat.MARKDOWN)
    code = _ENDED.get(str(rejection.conclusion), ExitCode.FINDINGS)
    if code:
        raise typer.Exit(code)


def _render(report: Report, format_: ReportFormat) -> str:
    match format_:
        case ReportFormat.JUNIT:
            return report.to_junit()
        case ReportFormat.MARKDOWN:
            return report.to_markdown()
        case _:
            return report.to_json()


def _reject(request: WebhookRequest, *, timeout_s: float) -> Delivery:
    """Reject a request without sending it, so that every request of a search is made."""
    from hook_widgets.webhooks import Delivery

    del request, timeout_s
    return Delivery(status=401)


def _print_checks(
    sender: Provider, url: str, checks: Sequence[Check], event: str | None, format_: ReportFormat
) -> None:
    from hook_widgets.receivers.runner import planned_requests, requests_text
    from hook_widgets.webhooks.delivery import destination

    if format_ is ReportFormat.JUNIT:
        raise InvalidArgument("a dry run has no results for --format junit; give text, json or markdown")
    rows = [
        {
            "id": row.id,
            "severity": str(row.severity),
            "title": row.title,
            "requests": "; ".join(labels),
        }
        for row, labels in zip(checks, planned_requests(sender, url, checks, event), strict=True)
    ]
    print_rows(rows, format_)
    total = f"{requests_text(checks)}, to {destination.check(url).authority}"
    typer.echo(f"hook-widgets: the run sends {total}", err=True)


def _print_rejection(rejection: Rejection, *, markdown: bool) -> None:
    line = as_markdown if markdown else visible
    cause = rejection.cause
    if cause is None:
        typer.echo(line(rejection.reason))
        return
    typer.echo(line(f"{cause.title}{f' ({cause.detail})' if cause.detail else ''}."))
    typer.echo(line(cause.evidence))
    typer.echo(line(cause.fix.change) if markdown else cause.fix.text)
    if markdown:
        typer.echo("")
        print_table(("framework", "change"), cause.fix.frameworks, markdown=True)


def _print_report(report: Report) -> None:
    from hook_widgets.receivers import Status
    from hook_widgets.receivers.check_catalogue import source_url

    print_table(
        ("check", "status", "observed"),
        [(f"{each.id} {each.title}", _words(each.status), each.observed) for each in report.checks],
    )
    shown = set()
    for finding in report.findings:
        typer.echo(f"\n{finding.id} {finding.title}: {finding.status} ({finding.severity})")
        change = finding.fix.change if finding.fix in shown else finding.fix.text
        shown.add(finding.fix)
        typer.echo(indent(f"{finding.why}\n{change}", "  "))
        typer.echo(visible(f"  {', '.join(source_url(source) or source for source in finding.sources)}"))
    score = report.score
    counts = ", ".join(f"{getattr(score, status)} {_words(status)}" for status in Status)
    typer.echo(f"\n{counts}; {report.requests} requests in {report.elapsed_s:.1f} s")


def _words(status: Status) -> str:
    return str(status).replace("_", " ")


@contextmanager
def _interruptible() -> Iterator[Callable[[], bool]]:
    """End a run at the first Ctrl-C, so that what it knows is printed; a second one ends the program."""
    pressed = False

    def press(*_: object) -> None:
        nonlocal pressed
        pressed = True
        signal.signal(signal.SIGINT, before)

    if threading.current_thread() is not threading.main_thread():  # which alone gets signals
        yield lambda: False
        return
    before = signal.signal(signal.SIGINT, press)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _progress() -> Iterator[Callable[[Progress], None] | None]:
    """Show a bar in a terminal, on standard error."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("checking")
        yield lambda step: bar.update(task, total=step.total, completed=step.done)
