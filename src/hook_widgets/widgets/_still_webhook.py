"""The still form of the webhook generator: a request without its signature, and the command that signs it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from hook_widgets.errors import WebhookError
from hook_widgets.webhooks.network.sending import ANSWER_BEGINS
from hook_widgets.webhooks.request import Draft
from hook_widgets.webhooks.text.bodyfacts import body_facts
from hook_widgets.widgets import _still_credentials as credentials
from hook_widgets.widgets._inputs import Inputs
from hook_widgets.widgets._signer import Signer
from hook_widgets.widgets._still import Code, Facts, Items, Note, Part, Raw, Still, Table, call
from hook_widgets.widgets._still_payload import Download, file_name, is_sample, to_be_saved

_ALGORITHMS: Final = {"token": "the secret itself, which is not kept here"}
_LONG_ARGUMENT: Final = 120  # bytes of a body that still fit into a line
_LINES: Final = (24, 12, 5)  # of a body whose beginning is shown
_LINE: Final = 80  # characters
_LONGER: Final = Note(
    "The command that signs and sends is too long for a notebook; export_html(path) writes it."
)


@dataclass(frozen=True, slots=True)
class Webhook:
    """What there is to tell of a generator.

    Attributes:
        inputs: what was chosen, without credentials.
        draft: the request they stand for, or why there is none.
        signer: who signs.
        python: the lines that make the same widget.
        left_out: the names of the credentials that were taken out of all this.
        sent: what was sent, as `hook_widgets.widgets._wire.delivery_wire` writes it.
    """

    inputs: Inputs
    draft: Draft | WebhookError
    signer: Signer
    python: str
    left_out: Sequence[str] = ()
    sent: Sequence[Mapping[str, Any]] = ()

    def stills(self) -> Iterator[Still]:
        """From the form that tells most to the one that tells least."""
        if isinstance(self.draft, WebhookError):
            status = f"The inputs cannot be used at the moment: {self.draft}"
            yield Still(self._title(), status, (*self._left_out(), self._made()))
            return
        draft, left_out = self.draft, self._left_out()
        facts, headers, made = self._facts(draft), _headers(draft), self._made()
        yield self._still(draft, facts, headers, self._command(draft, packed=False), *left_out, made)
        packed = self._command(draft, packed=True)
        of_file = to_be_saved(self.inputs), self._command(draft, packed=True, file=file_name(draft.payload))
        for lines in _LINES:
            yield self._still(draft, facts, headers, _beginning(draft, lines), packed, *left_out, made)
        yield self._still(draft, facts, headers, _beginning(draft, _LINES[-1]), packed, *left_out)
        yield self._still(draft, facts, headers, packed, *left_out)
        yield self._still(draft, facts, packed, *left_out)
        for lines in _LINES:
            yield self._still(draft, facts, headers, *of_file, _beginning(draft, lines), *left_out, made)
        yield self._still(draft, facts, headers, *of_file, *left_out, made)
        yield self._still(draft, facts, headers, *of_file, *left_out)
        yield self._still(draft, facts, *of_file, *left_out)
        for lines in _LINES:
            yield self._still(draft, facts, headers, _beginning(draft, lines), _LONGER, *left_out, made)

    def whole(self) -> Still:
        """Everything, for a page of its own."""
        if isinstance(self.draft, WebhookError):
            said = next(self.stills())
            return replace(said, parts=(*_deliveries(self.sent), *said.parts))
        draft = self.draft
        source, utf8 = draft.provider, body_facts(self.inputs.body).utf8
        unconfirmed = [Items("Not confirmed in a published source", source.unconfirmed)]
        return self._still(
            draft,
            *_deliveries(self.sent),
            self._facts(draft),
            _headers(draft),
            Code("Payload" if utf8 else "Payload, with a mark for each byte that is no UTF-8", _body(draft)),
            Download(file_name(draft.payload), draft.payload),
            self._command(draft, packed=True),
            *self._left_out(),
            self._made(),
            *(unconfirmed if source.unconfirmed else []),
        )

    def _title(self) -> str:
        provider = self.draft.provider.title if isinstance(self.draft, Draft) else self.inputs.provider
        return f"{provider} webhook: {self.inputs.event}"

    def _still(self, draft: Draft, *parts: Part) -> Still:
        return Still(self._title(), f"{draft.method} {draft.url}", parts)

    def _facts(self, draft: Draft) -> Facts:
        body = body_facts(self.inputs.body)
        signed = [
            (f"{{{s.name}}}", _ALGORITHMS.get(s.algorithm, f"{s.algorithm} of {s.message}, in {s.encoding}"))
            for s in draft.scheme.signatures
        ]
        at = draft.at.isoformat(timespec="seconds")
        at += "" if draft.fixed_time else "; the command has its own"
        told = ("Signed", self.signer.words), ("Time", at)
        return Facts("Request", (*signed, *told, ("Body", f"{body.length:,} bytes, SHA-256 {body.sha256}")))

    def _made(self) -> Code:
        return Code("In Python", self.python)

    def _command(self, draft: Draft, *, packed: bool, file: str | None = None) -> Part:
        try:
            text = draft.curl(secret_env=self.signer.env, packed=packed, body_file=file)
        except WebhookError as error:  # a scheme that no shell can sign
            return Note(f"There is no command for the shell: {error}")
        return Code(f"Sign and send in a shell, with the secret in ${self.signer.env}", text)

    def _left_out(self) -> Sequence[Part]:
        return [Note(credentials.told(self.left_out))] if self.left_out else []


def python_of(inputs: Inputs, options: dict[str, Any]) -> str:
    """The lines that make the same generator.

    Args:
        inputs: what was chosen.
        options: the arguments that are no inputs, and not what they usually are.
    """
    named: dict[str, Any] = {"url": inputs.url}
    if not is_sample(inputs):
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


def _deliveries(sent: Sequence[Mapping[str, Any]]) -> Iterator[Table]:
    """What came of each delivery; without the receiver's own words, which may repeat a token."""
    if sent:
        columns = ("Time", "Event", "Sent to", "Answer", "Took", "What it means")
        yield Table("Sent from here", columns, tuple(map(_delivery, sent)))


def _delivery(record: Mapping[str, Any]) -> tuple[str, ...]:
    status, error, advice = record["status"], record["error"], record["advice"]
    if status is not None and (300 <= status < 400 or status == 429):
        advice = advice.partition(":")[0]  # behind it stands what the receiver's headers say
    answer = error["text"].partition(f" {ANSWER_BEGINS} ")[0] if error else str(status)
    url = credentials.url(record["url"])
    return record["at"], record["event"], url, answer, f"{record['elapsed_s']:.3f} s", advice


def _headers(draft: Draft) -> Table:
    """The headers, with the names of signatures in their places."""
    waiting = {name: f"{{{name}}}" for name in draft.scheme.signature_names}
    return Table("Headers", ("Name", "Value"), draft.render_headers(waiting).pairs)


def _beginning(draft: Draft, lines: int) -> Code:
    """The body, or of a longer one so many lines."""
    text = _body(draft)
    shown = "\n".join(text.splitlines()[:lines])[: lines * _LINE]
    if len(shown) >= len(text.rstrip()):
        return Code("Payload", text)
    return Code("The payload begins", f"{shown}…")


def _body(draft: Draft) -> str:
    waiting = {name: f"{{{name}}}" for name in draft.scheme.signature_names}
    return draft.render_body(waiting).decode("utf-8", "replace")
