"""Write a pytest file and its data from recorded requests."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final, TypeAlias

from hook_widgets.errors import CannotWrite, InvalidArgument, WebhookError
from hook_widgets.testing.recorded import INDEX
from hook_widgets.webhooks import registry
from hook_widgets.webhooks.delivery.receiver import Received
from hook_widgets.webhooks.headers import check_header
from hook_widgets.webhooks.recordings.archives.masking import masked_request
from hook_widgets.webhooks.recordings.exchange import (
    MAX_BYTES,
    MAX_EXCHANGES,
    Exchange,
    RecordedRequest,
    Recording,
)
from hook_widgets.webhooks.recordings.reading import read_recording
from hook_widgets.webhooks.recordings.recognition import event_of
from hook_widgets.webhooks.requests.provider import Provider
from hook_widgets.webhooks.requests.request import ReceivedRequest
from hook_widgets.webhooks.scheme import Event, Scheme
from hook_widgets.webhooks.verification.parsing.scheme_selection import choose_scheme

Request: TypeAlias = Received | Exchange | RecordedRequest | ReceivedRequest
Source: TypeAlias = str | bytes | os.PathLike[str] | Recording | Iterable[Request]
"""A recording: its text, its file, or requests such as `Receiver.deliveries`."""

_MAX_TOTAL: Final = 64 * 1024 * 1024  # bytes of all bodies
_CONNECTION: Final = frozenset({"connection", "content-length", "host", "transfer-encoding"})
_ALWAYS: Final = frozenset({"content-type", "user-agent"})
_MAX_NAME: Final = 60


@dataclass(frozen=True, slots=True)
class RecordedTests:
    """The files that `record_tests` has written.

    Attributes:
        path: the test module.
        folder: the folder with the bodies.
        count: the number of requests.
        notes: a sentence about each request, header or value that is left out.
    """

    path: Path
    folder: Path
    count: int
    notes: tuple[str, ...]


def record_tests(
    recording: Source,
    provider: str | Provider,
    folder: str | os.PathLike[str],
    *,
    name: str = "",
    secret_env: str = "WEBHOOK_SECRET",
) -> RecordedTests:
    """Write a pytest file that signs and sends recorded requests again at each run.

    Bodies are kept byte for byte. Content-Type, User-Agent and the provider's own headers are kept.
    Signatures, signed values such as timestamps, cookies and Authorization are not.

    Args:
        recording: `Receiver.deliveries`, a `Recording`, the path of a file as `Path`, or the text of a HAR,
            raw HTTP request or curl command.
        provider: the provider that sent the requests, or its id.
        folder: the folder of the tests, which exists.
        name: the name of the files: ``test_<name>.py`` and ``<name>/``; by default recorded_<provider>.
        secret_env: the name of the environment variable from which the tests read the secret.

    Raises:
        InvalidArgument: an argument is invalid, or no request can be sent again.
        UnknownName: there is no such provider.
        CannotWrite: a file exists or cannot be written; nothing is overwritten.
    """
    source = registry.provider(provider) if isinstance(provider, str) else provider
    stem = name or "recorded_" + re.sub(r"[^a-z0-9]+", "_", source.id.lower()).strip("_")
    for argument, text in (("name", stem), ("secret_env", secret_env)):
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,99}", text):
            raise InvalidArgument(f"{argument}= is not a plain name (not shown); use letters, digits and _")
    notes: list[str] = []
    bodies: list[bytes] = []
    rows: list[dict[str, object]] = []
    for number, request in enumerate(_requests(recording, notes), 1):
        try:
            row, body = _row(source, masked_request(request, source.id), notes, number)
        except WebhookError as error:
            notes.append(f"request {number} is left out: {error}")
            continue
        rows.append(
            {"name": f"{len(rows) + 1:04}-{row.pop('name')}", "body": f"{len(rows) + 1:04}.body", **row}
        )
        bodies.append(body)
        if len(rows) > MAX_EXCHANGES or sum(map(len, bodies)) > _MAX_TOTAL:
            raise InvalidArgument(
                f"there are more than {MAX_EXCHANGES:,} requests or {_MAX_TOTAL:,} bytes; record fewer"
            )
    if not rows:
        raise InvalidArgument("; ".join(["no request can be sent again", *notes[:3]]))
    index = json.dumps({"provider": source.id, "requests": rows}, indent=2) + "\n"
    module = (files(__package__) / "templates" / "recorded.py.txt").read_text(encoding="utf-8")
    module = module.replace("FOLDER_NAME", ascii(stem)).replace("VARIABLE_NAME", ascii(secret_env))
    home, path = Path(folder) / stem, Path(folder) / f"test_{stem}.py"
    _write(
        home,
        path,
        module,
        {INDEX: index.encode()} | {str(r["body"]): b for r, b in zip(rows, bodies, strict=True)},
    )
    return RecordedTests(path, home, len(rows), tuple(notes))


def _requests(recording: Source, notes: list[str]) -> Iterator[RecordedRequest]:
    if isinstance(recording, os.PathLike):
        path = Path(recording)
        try:
            with path.open("rb") as file:
                recording = file.read(MAX_BYTES + 1)
        except OSError as error:
            raise InvalidArgument(f"{path} cannot be read ({error.strerror}); give another file") from None
    if isinstance(recording, str | bytes):
        recording = read_recording(recording)
    if isinstance(recording, Recording):
        notes += recording.notes
        recording = recording.exchanges
    for item in recording:
        match item:
            case Received():
                if item.verdict.ok:
                    yield _of_received(item.request)
                else:
                    notes.append(f"a delivery is left out, because it did not verify: {item.verdict.detail}")
            case Exchange():
                yield item.request
            case ReceivedRequest():
                yield _of_received(item)
            case _:
                yield item


def _of_received(request: ReceivedRequest) -> RecordedRequest:
    return RecordedRequest(method=request.method, url=request.url, headers=request.headers, body=request.body)


def _row(
    source: Provider, request: RecordedRequest, notes: list[str], number: int
) -> tuple[dict[str, object], bytes]:
    """Return the data of a request and its body.

    Raises:
        WebhookError: it cannot be sent again.
    """
    if request.body is None:
        raise InvalidArgument("; ".join(request.notes) or "its body is unknown")
    scheme = choose_scheme(source, request.received())
    if (request.method or scheme.method).upper() != scheme.method:
        raise InvalidArgument(f"{source.title} sends {scheme.method}")
    event = event_of(source, request)
    headers = []
    names = _kept(source.event(event or None), scheme)
    for name, value in request.headers.multi_items():
        if name.lower() in names:
            try:
                check_header(name, value)
            except WebhookError as error:
                notes.append(f"request {number}: {error}")
                continue
            headers.append([name, value])
    draft = source.draft(
        event=event or None, scheme=scheme.name, headers=[(n, v) for n, v in headers], body=request.body
    )
    unsigned = dict.fromkeys(scheme.signature_names, "unsigned")
    draft.render_headers(unsigned)  # raises if the body lacks a value
    draft.jobs()
    body = draft.render_body(unsigned) if draft.signed_inside else request.body
    notes += (f"request {number}: {note}" for note in request.notes)
    text = re.sub(r"[^A-Za-z0-9._-]+", "-", event)[:_MAX_NAME] or "webhook"
    return {"name": text, "event": event, "scheme": scheme.name, "headers": headers}, body


def _kept(event: Event, scheme: Scheme) -> frozenset[str]:
    """Return the headers to keep, in lower case: none with a signature, a signed value or a time."""
    generated = scheme.signed | scheme.signature_names | {"timestamp"}
    own = frozenset(
        name.lower() for name in scheme.headers if not scheme.header_template(name).names & generated
    )
    carriers = {name.lower() for name in scheme.headers} - own
    return (own | {name.lower() for name in event.headers} | _ALWAYS) - carriers - _CONNECTION


def _write(home: Path, path: Path, module: str, files: dict[str, bytes]) -> None:
    try:
        if path.exists():
            raise FileExistsError(17, "it exists", str(path))
        home.mkdir()
        for name, data in files.items():
            (home / name).write_bytes(data)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(module)
    except OSError as error:
        raise CannotWrite(
            f"{error.filename or path} cannot be written ({error.strerror}); give another name=, or create "
            "the folder"
        ) from error
