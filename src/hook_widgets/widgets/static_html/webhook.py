"""Static HTML of the webhook generator: the request without its signature, and the command to sign it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from hook_widgets.errors import WebhookError
from hook_widgets.webhooks.body.stats import body_facts
from hook_widgets.webhooks.requests.request import Draft
from hook_widgets.widgets.generator.inputs import Inputs
from hook_widgets.widgets.static_html import redaction as credentials
from hook_widgets.widgets.static_html.document import (
    Code,
    Download,
    Items,
    Note,
    Part,
    Raw,
    StaticDocument,
    Table,
    call,
)
from hook_widgets.widgets.static_html.signer_info import SignerInfo

_ALGORITHMS: Final = {"token": "the secret itself, which is not kept here"}
_LONG_ARGUMENT: Final = 120  # maximum bytes of a body that is written in the call itself
_LINES, _BEGINNING = 5, 300  # lines and characters of the beginning of a body
_COMMAND_ELSEWHERE = Note(
    "The command for the shell is too long for a notebook; export_html(path) writes it, with the payload."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """The content of a generator's static HTML.

    Attributes:
        inputs: inputs without credentials.
        draft: draft of the request, or the error that prevents it.
        signer: description of the signing key.
        python: Python code that creates the same widget.
        left_out: names of the credentials that were removed.
        sent: deliveries, in the form of `hook_widgets.widgets.generator.serialize.delivery_wire`.
        checked: the score of the last checks of the receiver, or empty; no text of the receiver.
    """

    inputs: Inputs
    draft: Draft | WebhookError
    signer: SignerInfo
    python: str
    left_out: Sequence[str] = ()
    sent: Sequence[Mapping[str, Any]] = ()
    checked: str = ""

    def documents(self) -> Iterator[StaticDocument]:
        """Yield documents: with the body, compressed, in a file; without headers; without the command."""
        if isinstance(self.draft, WebhookError):
            status = f"The inputs cannot be used at the moment: {self.draft}"
            yield StaticDocument(self._title(), status, (*self._notes(), self._code()))
            return
        draft, notes = self.draft, self._notes()
        facts, headers, whole = self._facts(draft), _headers(draft), self._command(draft, compress=False)
        yield self._document(draft, facts, headers, whole, *notes, self._code())
        yield self._document(draft, facts, headers, self._command(draft, compress=True), *notes)
        of_file = to_be_saved(self.inputs), self._command(draft, compress=True, file=file_name(draft.payload))
        yield self._document(draft, facts, headers, *of_file, _beginning(draft), *notes)
        yield self._document(draft, facts, *of_file, *notes)
        yield self._document(draft, facts, headers, _COMMAND_ELSEWHERE, *notes)

    def full_document(self) -> StaticDocument:
        """Return the whole content, for a page of its own."""
        if isinstance(self.draft, WebhookError):
            document = next(self.documents())
            return replace(document, parts=(*_deliveries(self.sent), *document.parts))
        draft = self.draft
        source, utf8 = self.inputs.source(), body_facts(self.inputs.body).utf8
        unconfirmed = [Items("Not confirmed in a published source", source.unconfirmed)]
        return self._document(
            draft,
            *_deliveries(self.sent),
            self._facts(draft),
            _headers(draft),
            Code("Payload" if utf8 else "Payload, with a mark for each byte that is no UTF-8", _body(draft)),
            Download(file_name(draft.payload), draft.payload),
            self._command(draft, compress=True),
            *self._notes(),
            self._code(),
            *(unconfirmed if source.unconfirmed else []),
        )

    def _title(self) -> str:
        provider = self.draft.provider.title if isinstance(self.draft, Draft) else self.inputs.provider
        return f"{provider} webhook: {self.inputs.event}"

    def _document(self, draft: Draft, *parts: Part) -> StaticDocument:
        return StaticDocument(self._title(), f"{draft.method} {draft.url}", parts)

    def _facts(self, draft: Draft) -> Table:
        body = body_facts(self.inputs.body)
        signed = [
            (f"{{{s.name}}}", _ALGORITHMS.get(s.algorithm, f"{s.algorithm} of {s.message}, in {s.encoding}"))
            for s in draft.scheme.signatures
        ]
        at = draft.at.isoformat(timespec="seconds")
        at += "" if draft.fixed_time else "; the command has its own"
        context = ("Signed", self.signer.words), ("Time", at)
        return Table(
            "Request", (*signed, *context, ("Body", f"{body.length:,} bytes, SHA-256 {body.sha256}"))
        )

    def _code(self) -> Code:
        return Code("In Python", self.python)

    def _command(self, draft: Draft, *, compress: bool, file: str | None = None) -> Code | Note:
        try:
            text = draft.curl(secret_env=self.signer.env, compress=compress, body_file=file)
        except WebhookError as error:  # no shell command can sign this scheme
            return Note(f"There is no command for the shell: {error}")
        return Code(f"Sign and send in a shell, with the secret in ${self.signer.env}", text)

    def _notes(self) -> Sequence[Part]:
        texts = (self.checked, credentials.note(self.left_out) if self.left_out else "")
        return [Note(text) for text in texts if text]


def python_of(inputs: Inputs, options: dict[str, Any]) -> str:
    """Return Python code that creates the same generator.

    Args:
        inputs: the inputs.
        options: non-default arguments other than inputs.
    """
    named: dict[str, Any] = {"url": inputs.url}
    if not inputs.is_sample:
        long = len(inputs.body) > _LONG_ARGUMENT
        named["body"] = Raw(f"open({file_name(inputs.body)!r}, 'rb').read()") if long else inputs.body
    if inputs.headers:
        pairs = dict(inputs.headers)
        named["headers"] = pairs if len(pairs) == len(inputs.headers) else list(inputs.headers)
    clock = dict(inputs.clock)
    if clock.get("mode") == "fixed":
        named["clock"] = Raw(f"datetime.fromisoformat({clock.get('at')!r})")
    elif clock.get("mode") == "offset":
        named["clock"] = Raw(f"timedelta(seconds={clock.get('offset_s')!r})")
    if inputs.scheme:
        named["scheme"] = inputs.scheme
    return call("WebhookGenerator", (inputs.provider, inputs.event), named | options)


def constructor_options(
    signer: SignerInfo,
    allow_hosts: Sequence[str] | None,
    parts: Mapping[str, str] | None,
    timeout_s: float | None,
    *,
    named: Iterable[str],
) -> dict[str, Any]:
    """Return the non-default constructor options other than inputs (never the secret).

    Args:
        signer: description of the signing key.
        allow_hosts: the only hosts to which requests may be sent.
        parts: fixed parts.
        timeout_s: the maximum duration of a delivery; None for the default.
        named: options that are shown by their names alone, as they may contain a credential.
    """
    options = {
        "secret": signer.python,
        "allow_hosts": None if allow_hosts is None else list(allow_hosts),
        "parts": credentials.parts(parts)[0] if parts else None,
        "timeout_s": timeout_s,
    }
    return {name: value for name, value in options.items() if value is not None} | {
        name: Raw(name) for name in named
    }


def _deliveries(sent: Sequence[Mapping[str, Any]]) -> Iterator[Table]:
    """Yield a table of the deliveries, without texts of the receiver, which may repeat a token."""
    if sent:
        columns = ("Time", "Event", "Sent to", "Response", "Took", "What it means")
        yield Table("Sent from here", tuple(map(_delivery, sent)), columns)


def _delivery(record: Mapping[str, Any]) -> tuple[str, ...]:
    error, url = record["error"], credentials.url(record["url"])
    response = error["cause"] if error else str(record["status"])
    elapsed = f"{record['elapsed_s']:.3f} s"
    event, meaning = record["event"], record["outcome"]
    if record["fault"]:
        event, meaning = f"{event}, {record['fault'].lower()}", record["assessment"]["text"]
    return record["at"], event, url, response, elapsed, meaning


def _headers(draft: Draft) -> Table:
    """Return the headers, with the names of the signatures as placeholders."""
    waiting = {name: f"{{{name}}}" for name in draft.scheme.signature_names}
    return Table("Headers", tuple(draft.render_headers(waiting).multi_items()), ("Name", "Value"))


def _beginning(draft: Draft) -> Code:
    """Return the body, or the first lines of a long one."""
    text = _body(draft)
    shown = "\n".join(text.splitlines()[:_LINES])[:_BEGINNING]
    if len(shown) >= len(text.rstrip()):
        return Code("Payload", text)
    return Code("The payload begins", f"{shown}…")


def _body(draft: Draft) -> str:
    waiting = {name: f"{{{name}}}" for name in draft.scheme.signature_names}
    return draft.render_body(waiting).decode("utf-8", "replace")


def file_name(body: bytes) -> str:
    """Return the name for a file with this payload."""
    return "payload.json" if body.lstrip()[:1] in (b"{", b"[") else "payload.txt"


def to_be_saved(inputs: Inputs) -> Part:
    """Explain how to get the file of a payload that is not included."""
    name = file_name(inputs.body)
    if not inputs.is_sample:
        return Note(
            f"The payload is too long for a notebook. The command reads it from {name}; "
            "export_html(path) writes a page to save that from."
        )
    return Code(
        f"Save the payload first, as {name}, in Python",
        "from pathlib import Path\n"
        "from hook_widgets.webhooks import provider\n"
        f"Path({name!r}).write_bytes(provider({inputs.provider!r}).template({inputs.event!r}))",
    )
