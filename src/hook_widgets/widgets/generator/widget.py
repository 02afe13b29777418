"""WebhookGenerator: choose a provider and an event, edit, sign in the browser, send and verify."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import traitlets as t

from hook_widgets.errors import HookWidgetsError, UnknownKeyword, WebhookError, nearest
from hook_widgets.webhooks import registry
from hook_widgets.webhooks._durations import seconds
from hook_widgets.webhooks.body import forms, json_edit
from hook_widgets.webhooks.codegen import languages, receiver_snippet
from hook_widgets.webhooks.delivery.client import Delivery
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.keys.key_pair import KeyPair
from hook_widgets.webhooks.keys.secret import Secret
from hook_widgets.webhooks.requests.request import Draft, WebhookRequest
from hook_widgets.webhooks.scheme.fields import sha256_hex
from hook_widgets.widgets._base import HookWidget, bundle, front_end
from hook_widgets.widgets._rpc import Buffers, Deferred, Rpc, RpcError, error_wire
from hook_widgets.widgets.generator import checks, importing
from hook_widgets.widgets.generator import serialize as wire
from hook_widgets.widgets.generator.deliveries import Deliveries, Transport
from hook_widgets.widgets.generator.diagnosis import on_diagnose, on_verify
from hook_widgets.widgets.generator.history import History
from hook_widgets.widgets.generator.inputs import CheckedInputs, EventBodies, Inputs, clock_of, moment_of
from hook_widgets.widgets.generator.signing_broker import SigningBroker
from hook_widgets.widgets.static_html import redaction as credentials
from hook_widgets.widgets.static_html.document import StaticDocument
from hook_widgets.widgets.static_html.signer_info import SignerInfo
from hook_widgets.widgets.static_html.webhook import Webhook, constructor_options, python_of

if TYPE_CHECKING:
    from hook_widgets.receivers import Oracle, Report, Setup

_PARTS = ("editor.js", "panels.js", "vault.js", "curves.js")
_TIMEOUT_S = 30.0


class WebhookGenerator(CheckedInputs):
    """Build, sign, send and verify a provider's webhooks.

    The secret is typed into the browser and stays in that tab: the kernel sends the base strings and receives
    signatures. Only a secret passed as an argument is used in the kernel, and it never goes to the browser.

    Args:
        provider: a provider's id, such as ``"stripe"``.
        event: one of its events; the first by default.
        url: URL of the receiver.
        body: body to send; the event's sample by default.
        headers: your own headers.
        clock: ``"now"``, a datetime with time zone, or a timedelta from now.
        scheme: one of the provider's schemes; the event's scheme by default.
        parts: the provider's own fields, such as a delivery id; new for each request by default.
        secret: key to sign with in the kernel, such as ``Secret.from_env("NAME")``.
        locked: names of inputs that the browser may not change.
        allow_hosts: the only hosts to which requests may be sent (see `hook_widgets.webhooks.send`).
        verify_tls: whether certificates are checked.
        ca: path of a PEM file with the trusted authorities, on the kernel's machine.
        timeout_s: maximum duration of a delivery, in seconds or as a `timedelta`.
        oracle: count of what the receiver did, for Check (see `hook_widgets.receivers.check_receiver`).
        setup: what only the owner of the receiver can give, for Check.

    Raises:
        UnknownName: no such provider, event or scheme.
        UnknownKeyword: an argument that does not exist.
        InvalidArgument: URL, headers, clock or body is invalid.

    Warns:
        UserWarning: the provider sends JSON, and `body` is not valid JSON; it is sent as typed.
    """

    _esm = front_end("generator.js")
    _css = front_end("generator.css")

    provider: t.Unicode[str, str | bytes] = t.Unicode().tag(sync=True)
    event: t.Unicode[str, str | bytes] = t.Unicode().tag(sync=True)
    scheme: t.Unicode[str, str | bytes] = t.Unicode().tag(sync=True)
    url: t.Unicode[str, str | bytes] = t.Unicode().tag(sync=True)
    body: t.Bytes = t.Bytes().tag(sync=True, from_json=lambda sent, _widget: _exact(sent))
    headers: t.List[list[str]] = t.List(t.List(t.Unicode(), minlen=2, maxlen=2)).tag(sync=True)
    clock: t.Dict[str, Any] = t.Dict().tag(sync=True)
    verify_tls: t.Bool[bool, bool | int] = t.Bool(default_value=True).tag(sync=True)
    ca: t.Unicode[str, str | bytes] = t.Unicode().tag(sync=True)
    revision: t.Unicode[str, str | bytes] = t.Unicode("kernel:0").tag(sync=True)
    signer: t.Enum[str] = t.Enum(["browser", "kernel"], "browser").tag(sync=True)
    signer_label: t.Unicode[str, str | bytes] = t.Unicode().tag(sync=True)

    lockable: Sequence[str] = (*CheckedInputs.input_names, "secret", "verify_tls", "ca")
    kernel_only: frozenset[str] = HookWidget.kernel_only | {"signer", "signer_label"}

    def __init__(
        self,
        provider: str = "stripe",
        event: str | None = None,
        *,
        url: str = registry.DEFAULT_URL,
        body: bytes | str | None = None,
        headers: Mapping[str, str] | Iterable[tuple[str, str]] = (),
        clock: str | datetime | timedelta = "now",
        scheme: str = "",
        parts: Mapping[str, str] | None = None,
        secret: Secret | KeyPair | None = None,
        locked: Sequence[str] = (),
        allow_hosts: Sequence[str] | None = None,
        verify_tls: bool = True,
        ca: str = "",
        timeout_s: float | timedelta = _TIMEOUT_S,
        oracle: Oracle | None = None,
        setup: Setup | None = None,
        **unknown: Any,
    ) -> None:
        if unknown:
            name = next(iter(unknown))
            known = (*(type(self).__init__.__kwdefaults__ or ()), "provider", "event")
            raise UnknownKeyword(f"WebhookGenerator has no argument {name!r}; {nearest(name, known)}")
        source = registry.provider(provider)
        chosen = source.event(event)
        first = source.draft(
            event=chosen.name,
            url=url,
            body=body,
            headers=headers,
            at=moment_of(clock_of(clock)),
            scheme=scheme or None,
            parts=parts,
        )
        self._fixed_parts = dict(parts or {})
        self._parts: Mapping[str, str] = {}
        self._kernel_edits = 0
        self._varied: set[str] = set()  # SHA-256 of each varied sample body
        self._varied_headers: list[list[str]] = []  # headers of the last variation
        self._composed: tuple[Inputs, str] | None = None
        self._bodies = EventBodies()
        self._selected: dict[str, str] = {}  # event last selected, by provider
        self._payload_wire = lru_cache(maxsize=1)(wire.payload_wire)  # most changes keep the body
        self._draft: Draft | None = None
        self._draft_error: WebhookError | None = None
        self._request: WebhookRequest | None = None
        self._signatures: list[bytes] = []
        if secret is not None:
            first.sign(secret)  # rejects a key of the wrong kind here, not later
        self._signer = SignerInfo.of(secret)
        text = body.encode() if isinstance(body, str) else body
        if text is not None and (error := wire.json_error(first, text)):
            warning = f"the JSON of the body has an error at {error}; it is sent as typed"
            warnings.warn(warning, stacklevel=2)
        super().__init__(
            provider=source.id,
            event=chosen.name,
            scheme=scheme,
            url=url,
            body=source.template(chosen.name) if text is None else bytes(text),
            headers=[list(pair) for pair in Headers(headers).multi_items()],
            clock=clock_of(clock),
            verify_tls=verify_tls,
            ca=ca,
            signer="browser" if secret is None else "kernel",
            signer_label=self._signer.label,
            locked=locked,
        )
        self._shown = (self.provider, self.event)
        self._rpc = Rpc(self, {}, self._lock)
        self._keys = SigningBroker(self._rpc, secret)
        limit_s = seconds(timeout_s)
        self._constructor_options = constructor_options(
            self._signer,
            allow_hosts,
            parts,
            None if limit_s == _TIMEOUT_S else limit_s,
            named=[name for name, value in {"oracle": oracle, "setup": setup}.items() if value is not None],
        )
        hosts = None if allow_hosts is None else tuple(allow_hosts)
        self._deliveries = Deliveries(
            self._rpc,
            self._keys,
            lambda: Transport(limit_s, self.verify_tls, self.ca, hosts),
            self._fixed_parts,
            History(self._rpc),
        )
        self._checks = checks.Checks(
            self._rpc,
            self._keys,
            self._deliveries.transport,
            self._subject,
            oracle,
            setup,
            self._deliveries.history,
        )
        self._importer = importing.Importer(
            self._rpc, self._deliveries.history, self._set_inputs, lambda: (self.provider, self.event)
        )
        self._rpc.operations = {
            "catalog": self._on_catalog,
            "provider": lambda args, _buffers: {
                "provider": wire.provider_wire(registry.provider(str(args.get("id"))))
            },
            "chunk": self._on_chunk,
            **self._deliveries.history.operations,
            **self._checks.operations,
            "open": lambda args, _buffers: self._importer.on_open(args),
            "import": lambda args, buffers: self._importer.on_import(args, *buffers[:1]),
            "preview": self._on_preview,
            "ping": lambda _args, _buffers: {},
            "format": lambda _args, _buffers: self._rewrite(json_edit.format_json(self.body)),
            "minify": lambda _args, _buffers: self._rewrite(json_edit.minify_json(self.body)),
            "reset": lambda _args, _buffers: self._rewrite(self._inputs().source().template(self.event), {}),
            "set_form": self._on_set_form,
            "curl": self._on_curl,
            "send": self._on_send,
            "send_stop": self._deliveries.on_stop,
            "verify": lambda args, buffers: on_verify(args, buffers, self.provider, self._keys),
            "diagnose": self._on_diagnose,
            "randomize": self._on_randomize,
            "receiver": self._on_receiver,
        }
        self.on_msg(self._rpc.receive)
        self.observe(self._on_input, [*self.input_names, "revision"])
        self._compose()
        self._by_code = True

    # -- results for code ------------------------------------------------------------------------

    @property
    def draft(self) -> Draft | None:
        """The current request, unsigned; None while an input is invalid."""
        return self._draft

    @property
    def request(self) -> WebhookRequest | None:
        """The current request, signed; None until its signature has arrived."""
        return self._request

    @property
    def deliveries(self) -> tuple[Delivery, ...]:
        """Deliveries of this widget, oldest first."""
        return self._deliveries.completed

    @property
    def report(self) -> Report | None:
        """The report of the last checks of this widget; None before the first run has ended."""
        return self._checks.report

    def close(self) -> None:
        """Close the widget; a run of checks ends."""
        if hasattr(self, "_checks"):  # a widget with invalid arguments is closed, too
            self._checks.stop()
        super().close()

    def __repr__(self) -> str:
        return f"WebhookGenerator({self.provider!r}, {self.event!r}, url={credentials.url(self.url)!r})"

    # -- inputs to draft to signature -----------------------------------------------------------

    def _inputs(self) -> Inputs:
        return Inputs(
            provider=self.provider,
            event=self.event,
            scheme=self.scheme,
            url=self.url,
            body=self.body,
            headers=tuple((name, value) for name, value in self.headers),
            clock=tuple(sorted(self.clock.items())),
        )

    def _subject(self) -> checks.Subject:
        inputs = self._inputs()
        return checks.Subject(inputs=inputs, edited=self._is_edited(inputs), locked=self.locked)

    def _on_input(self, change: t.Bunch) -> None:
        with self._lock:
            now = (self._inputs(), self.revision)
            if self._composed is None or now == self._composed:
                return
            if (self.provider, self.event) != self._shown:
                self._change_event()
            elif change.name != "revision" and self.revision == self._composed[1]:
                self._stamp()  # set from Python: gets a new revision
            else:
                self._compose()

    def _change_event(self) -> None:
        """Show another event's body; an edited body and a provider's event are kept until their return."""
        old, same_body = self._shown, self._composed is not None and self.body == self._composed[0].body
        if same_body:
            self._bodies.remember(*old, self.body)
        try:
            source = registry.provider(self.provider)
            event = self.event
            if source.id != old[0]:
                self._selected[old[0]] = old[1]
                event = importing.fitting_event(source, event, self._selected.get(source.id, ""))
            body = self._bodies.body(source, event)
        except WebhookError:
            self._shown = (self.provider, self.event)
            self._compose()
            return
        self._shown = (source.id, event)
        with self.hold_sync(), self.hold_trait_notifications():
            self.set_trait("event", event)
            self.set_trait("scheme", self.scheme if source.id == old[0] else "")
            self._vary_headers({})
            if same_body and "body" not in self.locked:
                self.body = body
            self._stamp()

    def _stamp(self) -> None:
        self._kernel_edits += 1
        self.revision = f"kernel:{self._kernel_edits}"

    def _rewrite(self, body: bytes, varied: Mapping[str, str] | None = None) -> dict[str, Any]:
        """Change the body on request of the browser, and the headers that contain a varied value."""
        if "body" in self.locked:
            raise RpcError("locked", "the payload is locked in this runbook")
        with self.hold_sync(), self.hold_trait_notifications():
            self.body = body
            if varied is not None:
                self._vary_headers(varied)
            self._stamp()
        return {}

    def _vary_headers(self, varied: Mapping[str, str]) -> None:
        if "headers" in self.locked:
            return
        new = [list(pair) for pair in varied.items()]
        self.set_trait("headers", [pair for pair in self.headers if pair not in self._varied_headers] + new)
        self._varied_headers = new

    def _compose(self) -> None:
        """Draft the request for the inputs, notify the tabs, and have it signed."""
        inputs, revision = self._inputs(), self.revision
        self._composed = (inputs, revision)
        self._draft = self._request = self._draft_error = None
        self._signatures = []
        self._keys.cancel_preview()
        kind = wire.media_kind({}, inputs.body)
        message: dict[str, Any] = {"revision": revision, "error": None}
        try:
            draft = self._draft = inputs.draft(self._parts_for(inputs.source()))
            self._parts = draft.parts
            kind = wire.draft_kind(draft, inputs.body)
            message |= wire.draft_wire(draft)
        except WebhookError as error:
            self._draft, self._draft_error = None, error
            message["error"] = error_wire(error)
        message |= self._payload_wire(inputs.body, kind) | {"edited": self._is_edited(inputs)}
        self._shown_draft = message
        self._rpc.notify("draft", message)
        if self._draft is not None:
            self._keys.preview(self._draft, revision, self._show_signed, self._show_key_error)

    def _is_edited(self, inputs: Inputs) -> bool:
        """Return True if the body is neither the sample nor a variation of it."""
        return not inputs.is_sample and sha256_hex(inputs.body) not in self._varied

    def _parts_for(self, source: registry.Provider) -> dict[str, str]:
        """Return fixed parts and those of the last draft, so that typing does not change a delivery id."""
        known = {**self._parts, **self._fixed_parts}
        return {name: known[name] for name in source.parts if name in known}

    def _show_signed(self, request: WebhookRequest, signatures: list[bytes]) -> None:
        if request.draft is None or request.draft is not self._draft:
            return
        self._request, self._signatures = request, signatures
        body = {"revision": self.revision, **wire.signed_wire(request.draft, request, signatures)}
        inside = [wire.signed_body(request.draft, request)] if body["body_note"] else []
        self._rpc.notify("signed", body, inside)

    def _show_key_error(self, error: HookWidgetsError) -> None:
        """Report that the kernel's key does not fit the provider; a tab reports on its own key."""
        if not isinstance(error, RpcError):
            self._rpc.notify("draft", self._shown_draft | {"error": error_wire(error)})

    # -- static HTML ------------------------------------------------------------------------------

    def _documents(self) -> Iterator[StaticDocument]:
        return self._webhook().documents()

    def _full_document(self) -> StaticDocument:
        return self._webhook().full_document()

    def _webhook(self) -> Webhook:
        inputs, left_out = credentials.without(self._inputs())
        fixed, more_left_out = credentials.parts(self._fixed_parts)
        parts = {} if self._draft is None else self._draft.parts
        try:
            draft: Draft | WebhookError = self._draft_error or inputs.draft(
                {name: fixed.get(name, value) for name, value in parts.items()}
            )
        except WebhookError as error:
            draft = error
        changed = {name: getattr(self, name) for name in ("verify_tls", "ca", "locked")}
        defaults: dict[str, Any] = {"verify_tls": True, "ca": "", "locked": []}
        more = {name: value for name, value in changed.items() if value != defaults[name]}
        python = python_of(inputs, self._constructor_options | more)
        names = (*left_out, *more_left_out)
        return Webhook(
            inputs=inputs,
            draft=draft,
            signer=self._signer,
            python=python,
            left_out=names,
            sent=self._deliveries.records,
            checked=self._checks.score_line,
        )

    # -- requests of the browser ------------------------------------------------------------------

    def _on_catalog(self, _args: Mapping[str, Any], _buffers: Buffers) -> dict[str, Any]:
        return {
            "providers": [wire.listed_wire(source) for source in registry.providers()],
            "languages": [{"id": name, "title": title} for name, title in languages()],
            "problems": [list(problem) for problem in registry.problems()],
            "credentials": wire.credentials_wire(registry.providers()),
        }

    def _on_chunk(self, args: Mapping[str, Any], _buffers: Buffers) -> tuple[dict[str, Any], Buffers]:
        name = args.get("name")
        if name not in _PARTS:
            raise RpcError("unknown_chunk", "there is no such part of the front end; reload the page")
        return {}, [bundle(str(name)).encode()]

    def _set_inputs(self, values: Mapping[str, Any]) -> None:
        """Set inputs to those of another request; its body is no edit of the event's."""
        changed = {name: value for name, value in values.items() if getattr(self, name) != value}
        importing.check_locked(changed, self.locked)
        self._shown = (values["provider"], values["event"])
        self._varied_headers = []
        with self.hold_sync(), self.hold_trait_notifications():
            for name, value in changed.items():
                self.set_trait(name, value)
            self._stamp()

    def _on_preview(self, _args: Mapping[str, Any], _buffers: Buffers) -> dict[str, Any]:
        self._compose()
        return {}

    def _on_set_form(self, args: Mapping[str, Any], _buffers: Buffers) -> dict[str, Any]:
        params = args.get("params")
        if not isinstance(params, list) or not all(
            isinstance(p, list) and len(p) == 2 and all(isinstance(x, str) for x in p) for p in params
        ):
            raise RpcError("bad_params", "form parameters must be pairs of name and value")
        return self._rewrite(forms.encode_form([(name, value) for name, value in params]))

    def _on_randomize(self, args: Mapping[str, Any], _buffers: Buffers) -> dict[str, Any]:
        seed, values = args.get("seed"), args.get("values")
        if not (seed is None or isinstance(seed, int)) or not isinstance(values, Mapping):
            raise RpcError(
                "bad_values", "a seed must be a whole number, and values must be text by parameter"
            )
        source = self._inputs().source()
        # Typed values stay in the form when the event changes; not every body has every parameter.
        names = {variable.name for variable in source.variation(self.event).variables}
        fixed = {name: str(value) for name, value in values.items() if value and name in names}
        sample = source.sample(self.event, seed=seed, values=fixed)
        self._varied.add(sha256_hex(sample.body))
        self._rewrite(sample.body, sample.headers)
        return {"values": sample.values}

    def _on_receiver(self, args: Mapping[str, Any], _buffers: Buffers) -> dict[str, Any]:
        source = self._inputs().source()
        scheme = self.scheme or source.event(self.event).scheme or None
        return {"text": receiver_snippet(source, str(args.get("language")), scheme=scheme)}

    def _on_curl(self, args: Mapping[str, Any], _buffers: Buffers) -> dict[str, Any]:
        if args.get("form") == "env":
            if self._draft is None:
                raise RpcError("not_ready", "correct the inputs first; there is no request to show yet")
            return {"text": self._draft.curl(secret_env=str(args.get("secret_env", "")))}
        if self._request is None:
            raise RpcError("not_signed", "type the secret first; this form of curl carries the signature")
        if self._draft is not None and self._draft.reveals_secret:
            raise RpcError(
                "secret_inside", "this form of curl would show the secret; take it from a variable"
            )
        return {"text": self._request.curl()}

    def _on_send(self, args: Mapping[str, Any], _buffers: Buffers) -> Deferred:
        inputs = self._bodies.inputs_of(args, self._inputs(), self.locked, self._varied_headers)
        return self._deliveries.start(inputs, self.revision if inputs == self._inputs() else "", args)

    def _on_diagnose(self, args: Mapping[str, Any], buffers: Buffers) -> Mapping[str, Any] | Deferred:
        current = [self._request] if self._request else []
        return on_diagnose(args, buffers, self._keys, [*current, *reversed(self._deliveries.requests)])


def _exact(sent: object) -> object:
    """Convert the memoryview of a browser's message to bytes; the trait rejects anything else."""
    return bytes(sent) if isinstance(sent, memoryview) else sent
