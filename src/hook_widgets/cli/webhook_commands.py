"""Commands on single requests: list providers, sign, send, verify, diagnose, receive and record tests."""

from __future__ import annotations

import shlex
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hook_widgets.cli.inputs import (
    AllowHost,
    BodyFile,
    CaFile,
    EventName,
    ProviderName,
    SecretEnv,
    SecretFd,
    UrlText,
    matching_providers,
    read_bytes,
    signing_key,
    verifying_key,
)
from hook_widgets.cli.output import (
    ExitCode,
    Format,
    TableFormat,
    TableFormatOption,
    as_markdown,
    causes_of,
    print_json,
    print_rows,
    print_table,
    visible,
)
from hook_widgets.cli.requests import as_http, as_json, text_or_base64, unsigned
from hook_widgets.errors import InvalidArgument

if TYPE_CHECKING:
    from hook_widgets.webhooks import Draft, Received, ReceivedRequest, WebhookRequest

FormatOption = Annotated[Format, typer.Option("--format", help="The format of the result.")]
RecordingFile = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="A request: raw HTTP, a curl command, HAR, JSON or header lines; - for standard input.",
    ),
]
RecordingUrl = Annotated[
    str, typer.Option("--url", metavar="URL", help="The full URL, if the recording lacks it.")
]
_LOCAL_URL = "http://127.0.0.1:8000/webhooks"


class RequestFormat(StrEnum):
    """The format of a signed request."""

    HTTP = "http"
    JSON = "json"
    CURL = "curl"


def list_providers(
    name: Annotated[
        str,
        typer.Argument(
            metavar="[PROVIDER]", help="List the events of this one.", autocompletion=matching_providers
        ),
    ] = "",
    format_: TableFormatOption = TableFormat.TEXT,
) -> None:
    """List the providers, or the events of one."""
    from hook_widgets.webhooks import provider, providers

    if name:
        sender = provider(name)
        rows = [{"event": event.name, "title": event.title} for event in sender.events]
    else:
        rows = [
            {
                "id": each.id,
                "title": each.title,
                "signature": str(each.confidence.scheme),
                "headers": str(each.confidence.headers),
                "bodies": str(each.confidence.bodies),
            }
            for each in providers()
        ]
    print_rows(rows, format_)


def sign(
    name: ProviderName,
    event: EventName = "",
    url: Annotated[str, typer.Option("--url", help="The URL of the receiver.")] = _LOCAL_URL,
    body: BodyFile = "",
    secret_env: SecretEnv = "",
    secret_fd: SecretFd = None,
    format_: Annotated[
        RequestFormat,
        typer.Option(
            "--format", help="curl prints a command that signs when it runs; it needs --secret-env."
        ),
    ] = RequestFormat.HTTP,
) -> None:
    """Print a signed request."""
    draft = _draft(name, event, url, body)
    if format_ is RequestFormat.CURL:
        if not secret_env:
            raise InvalidArgument(
                "--format curl needs --secret-env NAME, the variable that the command reads"
            )
        typer.echo(draft.curl(secret_env=secret_env))
        return
    if draft.reveals_secret:
        raise InvalidArgument(
            f"a request of {draft.provider.title} contains the secret itself, which is not printed; "
            "send it with `send`, or use --format curl"
        )
    from hook_widgets.webhooks import provider

    request = draft.sign(signing_key(provider(name), secret_env, secret_fd))
    _print_request(request, as_object=format_ is RequestFormat.JSON)


def send_event(
    name: ProviderName,
    url: UrlText,
    event: EventName = "",
    body: BodyFile = "",
    secret_env: SecretEnv = "",
    secret_fd: SecretFd = None,
    allow_host: AllowHost = [],
    ca: CaFile = None,
    timeout_s: Annotated[
        float, typer.Option("--timeout", metavar="SECONDS", min=0.001, help="The time limit of the request.")
    ] = 30.0,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the request without its signature and send nothing.")
    ] = False,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Send one signed request and print the response."""
    draft = _draft(name, event, url, body)
    if dry_run:
        _print_request(unsigned(draft), as_object=format_ is Format.JSON)
        return
    from hook_widgets.receivers.reporting.redaction import Redactor
    from hook_widgets.webhooks import provider, send

    sender = provider(name)
    key = signing_key(sender, secret_env, secret_fd)
    delivery = send(draft.sign(key), timeout_s=timeout_s, allow_hosts=allow_host or None, ca=ca)
    error = delivery.error.cause if delivery.error else ""
    masked = Redactor(sender, key).mask  # a receiver may repeat a token
    if format_ is Format.JSON:
        print_json(
            {
                "provider": name,
                "event": draft.event,
                "url": url,
                "status": delivery.status,
                "elapsed_ms": round(delivery.elapsed_s * 1000, 1),
                "error": error,
                "body": masked(delivery.text),
            }
        )
    else:
        time = f"after {delivery.elapsed_s * 1000:.0f} ms"
        status = f"{delivery.status} {delivery.reason}".strip()
        outcome = f"{status} {time}" if delivery.error is None else f"no response {time}. {error}"
        typer.echo(f"{draft.event}: {visible(masked(outcome))}")
        if delivery.body:
            typer.echo(visible(masked(delivery.text)))
    if delivery.error is not None:
        raise typer.Exit(ExitCode.COULD_NOT_RUN)
    if not delivery.ok:
        raise typer.Exit(ExitCode.FINDINGS)


def verify_recording(
    name: ProviderName,
    file: RecordingFile,
    url: RecordingUrl = "",
    secret_env: SecretEnv = "",
    secret_fd: SecretFd = None,
    format_: TableFormatOption = TableFormat.TEXT,
) -> None:
    """Verify the requests of a recording."""
    from hook_widgets.webhooks import provider, verify

    requests = _recorded(file, url)
    sender = provider(name)
    key = verifying_key(sender, secret_env, secret_fd)
    verdicts = [verify(sender, request, key) for request in requests]
    if format_ is TableFormat.JSON:
        rows = [{"ok": v.ok, "reason": str(v.reason), "detail": v.detail} for v in verdicts]
        print_json({"provider": name, "requests": rows})
    elif format_ is TableFormat.MARKDOWN:
        cells = [(str(n), "genuine" if v.ok else "rejected", v.detail) for n, v in enumerate(verdicts, 1)]
        print_table(("request", "verdict", "detail"), cells, markdown=True)
    else:
        for verdict in verdicts:
            typer.echo(f"{'genuine' if verdict.ok else 'rejected'}: {visible(verdict.detail)}")
    if not all(verdict.ok for verdict in verdicts):
        raise typer.Exit(ExitCode.FINDINGS)


def diagnose_recording(
    name: ProviderName,
    file: RecordingFile,
    url: RecordingUrl = "",
    secret_env: SecretEnv = "",
    secret_fd: SecretFd = None,
    format_: TableFormatOption = TableFormat.TEXT,
) -> None:
    """Find out why a request does not verify. The result says what to change in the receiver."""
    from hook_widgets.webhooks import diagnose, provider

    request, *others = _recorded(file, url)
    if others:
        raise InvalidArgument(f"{file} has {len(others) + 1} requests; give one of them")
    sender = provider(name)
    diagnosis = diagnose(sender, request, verifying_key(sender, secret_env, secret_fd))
    if format_ is TableFormat.JSON:
        print_json(
            {
                "provider": name,
                "ok": diagnosis.verdict.ok,
                "reason": str(diagnosis.verdict.reason),
                "detail": diagnosis.verdict.detail,
                **causes_of(diagnosis),
            }
        )
    elif format_ is TableFormat.MARKDOWN:
        typer.echo(f"{as_markdown(diagnosis.verdict.detail)}\n")
        cells = [(finding.title, finding.change) for finding in (*diagnosis.findings, *diagnosis.hints)]
        print_table(("cause", "change"), cells, markdown=True)
    else:
        typer.echo(visible(str(diagnosis)))
    if not diagnosis.verdict.ok:
        raise typer.Exit(ExitCode.FINDINGS)


def receive(
    name: ProviderName,
    port: Annotated[
        int,
        typer.Option("--port", metavar="PORT", help="The port; 0 for a free one.", min=0, max=65535),
    ] = 0,
    tls: Annotated[bool, typer.Option("--tls", help="Serve HTTPS with a temporary certificate.")] = False,
    count: Annotated[
        int,
        typer.Option("--count", metavar="N", help="Stop after so many requests; 0 for no end.", min=0),
    ] = 0,
    secret_env: SecretEnv = "",
    secret_fd: SecretFd = None,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Receive requests and print whether each is genuine. It listens on 127.0.0.1 until Ctrl+C."""
    from hook_widgets.receivers.reporting.redaction import Redactor
    from hook_widgets.webhooks import Receiver, provider

    sender = provider(name)
    key = verifying_key(sender, secret_env, secret_fd)
    masked = Redactor(sender, key).mask
    arrived = threading.Semaphore(0)
    unwritable: list[OSError] = []  # as when the reader of a pipe has gone

    def show(delivery: Received) -> None:
        try:
            _print_received(delivery, format_, masked)
        except OSError as error:
            unwritable.append(error)
        arrived.release()

    with Receiver(sender, key, tls=tls, port=port, on_delivery=show) as receiver:
        typer.echo(f"listening at {receiver.url}", err=True)
        if receiver.ca:
            typer.echo(f"certificate: {receiver.ca}", err=True)
        try:
            remaining = count or sys.maxsize
            while remaining:
                arrived.acquire()
                if unwritable:
                    raise unwritable[0]
                remaining -= 1
        except KeyboardInterrupt:
            typer.echo("stopped", err=True)
    if not all(delivery.verdict.ok for delivery in receiver.deliveries):
        raise typer.Exit(ExitCode.FINDINGS)


def record(
    name: ProviderName,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="HAR, raw HTTP or a curl command; - for standard input.")
    ],
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of the tests.")],
    file_name: Annotated[
        str,
        typer.Option("--name", metavar="NAME", help="The name of the files; by default recorded_PROVIDER."),
    ] = "",
    secret_env: Annotated[
        str, typer.Option("--secret-env", metavar="NAME", help="The variable from which the tests read it.")
    ] = "WEBHOOK_SECRET",
) -> None:
    """Write a pytest file of recorded requests. Each run signs and sends them again."""
    from hook_widgets.testing import record_tests

    tests = record_tests(read_bytes(file), name, folder, name=file_name, secret_env=secret_env)
    for note in tests.notes:
        typer.echo(visible(note), err=True)
    typer.echo(f"{tests.path}: {tests.count} recorded request{'s' * (tests.count != 1)}")
    command = shlex.join(["pytest", "--webhook-url", "URL", str(tests.path)])
    typer.echo(f"hook-widgets: to run it, put the secret into {secret_env} and run: {command}", err=True)


def _print_received(delivery: Received, format_: Format, masked: Callable[[str], str]) -> None:
    verdict, request = delivery.verdict, delivery.request
    if format_ is Format.JSON:
        print_json(
            {
                "at": delivery.at.isoformat(),
                "ok": verdict.ok,
                "reason": str(verdict.reason),
                "detail": verdict.detail,
                **{name: masked(text) for name, text in text_or_base64("body", request.body).items()},
            }
        )
        return
    outcome = "genuine" if verdict.ok else "rejected"
    typer.echo(f"{delivery.at:%H:%M:%S} {outcome}: {visible(verdict.detail)}")
    typer.echo(visible(masked(request.body.decode("utf-8", "replace"))))


def _print_request(request: WebhookRequest, *, as_object: bool) -> None:
    if as_object:
        print_json(as_json(request))
    else:
        sys.stdout.buffer.write(as_http(request))
        sys.stdout.flush()


def _draft(name: str, event: str, url: str, body: str) -> Draft:
    from hook_widgets.webhooks import provider

    payload = read_bytes(body) if body else None
    return provider(name).draft(event=event or None, url=url, body=payload)


def _recorded(file: str, url: str) -> list[ReceivedRequest]:
    from hook_widgets.webhooks.recordings import read_recording

    recording = read_recording(read_bytes(file))
    for note in recording.notes:
        typer.echo(visible(note), err=True)
    requests = [exchange.request.received() for exchange in recording.exchanges]
    if not requests:
        raise InvalidArgument(f"{file} has no request")
    return [replace(request, url=url) for request in requests] if url else requests
