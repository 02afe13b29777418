"""Check the receiver from a widget: one run at a time, in a thread, with results as they come."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from hook_widgets import receivers
from hook_widgets._optional import in_browser
from hook_widgets.errors import HookWidgetsError
from hook_widgets.webhooks.delivery import destination
from hook_widgets.webhooks.delivery.client import NO_SOCKETS, Delivery
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.registry import Provider
from hook_widgets.webhooks.requests.request import Draft, WebhookRequest
from hook_widgets.widgets._rpc import Buffers, Deferred, Handler, Rpc, RpcError, error_wire
from hook_widgets.widgets.generator import check_wire as wire
from hook_widgets.widgets.generator.check_wire import Repetition, carries, command, entry_of, lacks
from hook_widgets.widgets.generator.deliveries import Transport
from hook_widgets.widgets.generator.history import History
from hook_widgets.widgets.generator.in_progress import Cancellation
from hook_widgets.widgets.generator.inputs import Inputs
from hook_widgets.widgets.generator.signing_broker import SigningBroker

if TYPE_CHECKING:
    from hook_widgets.receivers import Oracle, Progress, Rejection, Report, Setup
    from hook_widgets.widgets.generator.tab_signer import Allowance, TabSigner


_T = TypeVar("_T")

_BUDGET_S = 600.0  # a run may wait for the limit of the vault, and can be stopped at any time


@dataclass(frozen=True, kw_only=True)
class Subject:
    """The receiver to check, and the requests to begin with.

    Attributes:
        inputs: the inputs of the widget.
        edited: True if the body is neither the sample nor a variation of it; then good requests have it.
        locked: names of the inputs that the author has locked.
    """

    inputs: Inputs
    edited: bool
    locked: Sequence[str]


@dataclass(eq=False, repr=False)  # the command or URL of an oracle may have a credential
class Checks:
    """The checks of one widget.

    Attributes:
        rpc: the conversation with the tabs.
        keys: the holder of the key.
        transport: returns the options for sending; called for each run.
        subject: returns what to check now.
        oracle: the oracle that was set in Python.
        setup: what the owner of the receiver gave in Python.
        history: gets the requests that decide checks.
        report: the report of the last checks; None before the first run has ended.
    """

    rpc: Rpc
    keys: SigningBroker
    transport: Callable[[], Transport]
    subject: Callable[[], Subject]
    oracle: Oracle | None
    setup: Setup | None
    history: History
    report: Report | None = field(default=None, init=False)
    _stop: Cancellation | None = field(default=None, init=False)  # of the run under way
    _allowance: Allowance | None = field(default=None, init=False)
    _repetition: dict[str, Any] = field(default_factory=dict, init=False)
    _rows: dict[str, dict[str, Any]] = field(default_factory=dict, init=False)
    _begun: dict[str, Any] = field(default_factory=dict, init=False)
    _ended: dict[str, Any] = field(default_factory=dict, init=False)

    def stop(self) -> None:
        """End the run under way, if there is one."""
        if self._stop is not None:
            self._stop.cancel()

    @property
    def score_line(self) -> str:
        """The score of the report in a sentence, for readers without a kernel; empty without a report."""
        return "" if self.report is None else wire.score_line(self.report)

    # -- requests of the browser ------------------------------------------------------------------

    @property
    def operations(self) -> dict[str, Handler]:
        """The handlers of the browser's requests."""
        return {
            "checks": self.on_catalogue,
            "check": self.on_run,
            "why": self.on_why,
            "check_stop": self.on_stop,
            "check_export": self.on_export,
        }

    def on_catalogue(self, _args: Mapping[str, Any], _buffers: Buffers) -> dict[str, Any]:
        """Return the checks, and the run under way or the last one."""
        return {
            **wire.catalogue_wire(),
            "oracle_set": self.oracle is not None,
            "running": bool(self._begun) and not self._ended,
            "begun": self._begun or None,
            "ended": self._ended or None,
            "rows": list(self._rows.values()),
        }

    def on_stop(self, _args: Mapping[str, Any], _buffers: Buffers) -> dict[str, Any]:
        """End the run now; the request in progress is cancelled."""
        self.stop()
        return {}

    def on_export(self, args: Mapping[str, Any], _buffers: Buffers) -> tuple[dict[str, Any], Buffers]:
        """Return the report as a file of the given ``form``."""
        if self.report is None:
            raise RpcError("no_report", "there is no report yet; run the checks first")
        value, text = wire.export(self.report, args.get("form"))
        return value, [text.encode("utf-8", "backslashreplace")]

    def on_run(self, args: Mapping[str, Any], _buffers: Buffers) -> Deferred:
        """Start a run; the reply comes at its end.

        Raises:
            RpcError: a run is under way, the host needs confirmation, or the key cannot be used.
            HookWidgetsError: the inputs cannot be sent.
        """
        if self._stop is not None:
            raise RpcError("busy", "a run is under way; stop it first")
        if in_browser():
            raise RpcError("no_sockets", NO_SOCKETS)
        subject, transport = self.subject(), self.transport()
        inputs = subject.inputs
        source, draft = inputs.source(), inputs.draft({})
        suite, only = wire.selection(args)
        roles = wire.roles_of_tab(args.get("others"))
        oracle = wire.oracle_of_tab(
            args.get("oracle"), locked="url" in subject.locked, allow_hosts=transport.allow_hosts
        )
        if oracle is not None and self.oracle is not None:
            raise RpcError("bad_oracle", "the oracle is set in Python; leave the field empty")
        self._check_signer(source, draft)
        place = destination.check(inputs.url, allow_hosts=transport.allow_hosts)
        if not place.is_loopback:
            from hook_widgets.receivers.runner import requests_text, select_checks

            requests = requests_text(select_checks(suite, only, ()))
            text = f"This sends {requests}, to {place.name}, which is not this machine."
            _confirm(place, text, agreed=args.get("confirmed_url") == inputs.url)
        fixed_body = subject.edited or "body" in subject.locked
        extra = _extra_headers(source, inputs)
        complete = _with_headers(place, extra)
        stop = Cancellation()
        return self._start(
            source,
            stop,
            {
                **_options(inputs, transport, place, complete, stop),
                "url": inputs.url,
                "suite": suite,
                "only": only,
                "body": inputs.body if fixed_body else None,
                "oracle": oracle or self.oracle,
                "connect": None if extra else transport.connect,
            },
            Repetition(
                command=command(source.id, inputs, place, suite=suite, only=only, oracle=oracle, roles=roles),
                lacks=lacks(inputs, transport, fixed_body=fixed_body, python=self._python()),
                roles=roles,
                complete=complete,
                copies=self.keys.key is None or not any(s.reveals_secret for s in source.schemes),
            ),
        )

    def on_why(self, args: Mapping[str, Any], _buffers: Buffers) -> Deferred:
        """Find out why the receiver rejected delivery ``n``; the reply comes at the end.

        Raises:
            RpcError: a run is under way, nobody agreed to the probes, or the key cannot be used.
            HookWidgetsError: the inputs cannot be sent.
        """
        if self._stop is not None:
            raise RpcError("busy", "a run is under way; stop it first")
        transport, inputs = self.transport(), self.history.entry(args.get("n")).inputs
        if inputs is None:
            raise RpcError("imported", "an imported request is not sent; open it in the editor first")
        source = inputs.source()
        self._check_signer(source, inputs.draft({}))
        place = destination.check(inputs.url, allow_hosts=transport.allow_hosts)
        requests = f"up to 15 signed requests to {place.name}"
        text = f"This sends {requests}, which may process the one that it accepts."
        _confirm(place, text, agreed=args.get("confirmed_host") == place.name)  # the delivery fixes the URL
        later, stop = Deferred(), Cancellation()
        signer = self.keys.key or self._tab_signers(source, stop)()
        complete = _with_headers(place, _extra_headers(source, inputs))
        options = _options(inputs, transport, place, complete, stop) | {"body": inputs.body}

        def work() -> Rejection:
            return receivers.why_rejected(source, inputs.url, signer, **options)

        def finish(outcome: Rejection | HookWidgetsError) -> None:
            self._stop = None
            if isinstance(outcome, HookWidgetsError):
                later.fail(outcome)
            else:
                later.answer(wire.rejection_wire(outcome, in_tab=self.keys.key is None))

        self._stop = stop
        self.rpc.run_in_executor(lambda: _attempt(work), finish)
        return later

    def _python(self) -> list[str]:
        """Return the names of what was given in Python."""
        options = {"oracle": self.oracle, "setup": self.setup}
        return [name for name, value in options.items() if value is not None]

    def _check_signer(self, source: Provider, draft: Draft) -> None:
        event_scheme = source.scheme(source.event(draft.event).scheme)
        if draft.scheme.name != event_scheme.name:
            raise RpcError(
                "other_scheme", f"the checks sign with the event's own scheme; choose {event_scheme.name}"
            )
        if self.keys.must_release(draft):
            raise RpcError(
                "secret_stays",
                "this provider sends the secret itself, and a run would need it in the kernel; check this "
                "receiver in Python, or give the widget secret=Secret.from_env(...)",
            )

    # -- a run ------------------------------------------------------------------------------------

    def _tab_signers(self, source: Provider, stop: Cancellation) -> Callable[..., TabSigner]:
        """Return a function that makes a signer of a run, for a ``role`` or the provider's secret."""
        # It loads the engine of the checks, which sending does not need.
        from hook_widgets.widgets.generator.tab_signer import Allowance, TabSigner

        on_loop = self.rpc.on_loop()
        self._allowance = self._allowance or Allowance()
        return partial(
            TabSigner,
            source,
            self.keys,
            on_loop,
            self._allowance,
            stopped=lambda: stop.cancelled,
            waits=lambda wait_s: on_loop(lambda: self.rpc.notify("check_waits", {"seconds": wait_s})),
        )

    def _start(
        self, source: Provider, stop: Cancellation, options: dict[str, Any], repetition: Repetition
    ) -> Deferred:
        later, on_loop = Deferred(), self.rpc.on_loop()
        waiting = self._tab_signers(source, stop)
        signer = self.keys.key or waiting()
        setup = self.setup or receivers.Setup()
        own = setup.keys()
        others = {role: waiting(role=role) for role in repetition.roles if role not in own}
        setup = replace(setup, **others)  # type: ignore[arg-type]

        def row(progress: Progress) -> None:
            on_loop(lambda: self._show(progress, source.id, options["event"], repetition))

        def work() -> Report:
            return receivers.check_receiver(
                source,
                secret=signer,
                budget_s=_BUDGET_S,
                setup=setup,
                on_progress=row,
                **options,
            )

        self._stop = stop
        self._begin(source, options, repetition)
        self.rpc.run_in_executor(lambda: _attempt(work), lambda outcome: self._finish(outcome, later))
        return later

    def _begin(self, source: Provider, options: Mapping[str, Any], repetition: Repetition) -> None:
        same = (source.id, options["url"], options["suite"])
        only: Sequence[str] = options["only"] or []
        keeps = len(only) == 1 and only[0] in self._rows and self._begun.get("of") == list(same)
        if not keeps:
            self.report, self._rows = None, {}
            self.history.checked.clear()
            self._repetition = {"command": repetition.command, "lacks": list(repetition.lacks)}
        self._begun = {"of": list(same), "keeps": keeps, "only": options["only"], **self._repetition}
        self._ended = {}
        self.rpc.notify("check_begin", {"begun": self._begun})

    def _show(self, progress: Progress, provider: str, event: str, repetition: Repetition) -> None:
        name, exchange = progress.result.id, progress.exchange if repetition.copies else None
        tokens = self.setup.parts.values() if self.setup else ()
        if exchange is not None and carries(exchange.request, tokens):
            exchange = None
        self.history.checked.pop(name, None)
        sent = ""
        if exchange is not None:
            entry = self.history.checked[name] = entry_of(
                replace(exchange, request=repetition.complete(exchange.request)), provider, event
            )
            sent = f"{entry.exchange.started:%Y-%m-%dT%H:%M:%S}+00:00"
        row = wire.result_wire(progress.result, sent=sent)
        self._rows[name] = row
        self.rpc.notify("check_row", {"done": progress.done, "total": progress.total, "row": row})

    def _finish(self, outcome: Report | HookWidgetsError, later: Deferred) -> None:
        self._stop = None
        ended = {"stopped": "", "elapsed_s": 0.0, "requests": 0, "error": ""}
        if isinstance(outcome, HookWidgetsError):
            ended["error"] = error_wire(outcome)["text"]
        else:
            self.report = outcome if self.report is None else _merged(self.report, outcome)
            ended |= {name: getattr(outcome, name) for name in ("stopped", "elapsed_s", "requests")}
        self._ended = ended
        self.rpc.notify("check_end", {"ended": ended})
        if isinstance(outcome, HookWidgetsError):
            later.fail(outcome)
        else:
            later.answer({})


def _confirm(place: destination.Destination, text: str, *, agreed: bool) -> None:
    """Ask for consent to requests to a host, unless the browser's request has it."""
    if not agreed:
        raise RpcError("confirm_host", text, host=place.name)


def _options(
    inputs: Inputs,
    transport: Transport,
    place: destination.Destination,
    complete: Callable[[WebhookRequest], WebhookRequest],
    stop: Cancellation,
) -> dict[str, Any]:
    """Return the options that checks and probes have in common: each request is sent after `complete`."""
    # It loads the engine of the checks, which sending does not need.
    from hook_widgets.receivers.sending import RunEnded

    def deliver(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        try:
            return transport.send(complete(request), stop, timeout_s=timeout_s)
        except asyncio.CancelledError:
            raise RunEnded("it was stopped") from None

    return {
        "event": inputs.event,
        "allow_hosts": (place.name,) if transport.allow_hosts is None else transport.allow_hosts,
        "transport": deliver,
        "timeout_s": transport.timeout_s,
        "stop": lambda: stop.cancelled,
    }


def _attempt(work: Callable[[], _T]) -> _T | HookWidgetsError:
    """Do the work of a run outside the widget's lock: the receiver chooses how long it takes."""
    from hook_widgets.receivers.outcome import NotApplicable, NotDecided
    from hook_widgets.receivers.sending import RunEnded

    try:
        return work()
    except HookWidgetsError as error:
        return error
    except (RunEnded, NotDecided, NotApplicable) as reason:  # before the first request
        return RpcError("not_started", str(reason))
    except Exception as error:  # noqa: BLE001  # shown in the widget, which must not stay busy forever
        return RpcError("internal", f"the run failed ({type(error).__name__}); please report it")


def _merged(report: Report, newer: Report) -> Report:
    """Return the report with the newer results in place of the same checks."""
    results = {result.id: result for result in newer.checks}
    return replace(report, checks=tuple(results.get(result.id, result) for result in report.checks))


def _extra_headers(source: Provider, inputs: Inputs) -> list[tuple[str, str]]:
    """Return the user's headers, except those with the name of a provider's header."""
    provided = {name.lower() for name, _ in source.draft(event=inputs.event).header_templates}
    return [pair for pair in inputs.headers if pair[0].lower() not in provided]


def _with_headers(
    place: destination.Destination, extra: Sequence[tuple[str, str]]
) -> Callable[[WebhookRequest], WebhookRequest]:
    """Return a function that adds the user's headers to a request to the receiver, and to no other."""

    def complete(request: WebhookRequest) -> WebhookRequest:
        if not extra or destination.check(request.url).authority != place.authority:
            return request
        return replace(request, headers=Headers([*request.headers.multi_items(), *extra]))

    return complete
