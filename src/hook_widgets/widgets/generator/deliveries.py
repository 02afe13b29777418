"""Send requests from a widget: one delivery at a time or a few, with confirmation and a history."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from hook_widgets._optional import in_browser
from hook_widgets.errors import HookWidgetsError, WebhookError
from hook_widgets.webhooks.delivery import destination
from hook_widgets.webhooks.delivery.client import NO_SOCKETS, Delivery, asend
from hook_widgets.webhooks.delivery.wire import connect
from hook_widgets.webhooks.registry import Provider
from hook_widgets.webhooks.requests.request import WebhookRequest
from hook_widgets.webhooks.requests.response_check import ResponseCheck, read_response
from hook_widgets.webhooks.verdict import Reason, Verdict
from hook_widgets.widgets._rpc import Buffers, Deferred, Rpc, RpcError
from hook_widgets.widgets.generator import serialize as wire
from hook_widgets.widgets.generator.history import Entry, History, exchange_of
from hook_widgets.widgets.generator.in_progress import Cancellation, InProgress
from hook_widgets.widgets.generator.inputs import Inputs
from hook_widgets.widgets.generator.negative_tests import Variant, assessment_wire, variant_of
from hook_widgets.widgets.generator.released_tokens import (
    Release,
    delivery_without_tokens,
    request_without_token,
)
from hook_widgets.widgets.generator.signing_broker import SigningBroker

if TYPE_CHECKING:
    from hook_widgets.webhooks.delivery.http1_wire import Connection

MAX_AT_ONCE = 4
"""Deliveries under way at the same time, of those that a tab asks for ``beside`` others."""


@dataclass(frozen=True)
class Transport:
    """Options for sending, as in `hook_widgets.webhooks.send`."""

    timeout_s: float
    verify_tls: bool
    ca: str
    allow_hosts: tuple[str, ...] | None

    def send(
        self, request: WebhookRequest, cancellation: Cancellation, *, timeout_s: float | None = None
    ) -> Delivery:
        """Send a request with these options; by default with their time limit.

        Raises:
            CancelledError: it was cancelled; the connection is closed.
        """
        limit_s = self.timeout_s if timeout_s is None else timeout_s
        return cancellation.run(lambda: asend(request, timeout_s=limit_s, **self._places()))

    def connect(self, url: str, *, timeout_s: float) -> Connection:
        """Connect with these options, but another time limit."""
        return connect(url, timeout_s=timeout_s, **self._places())

    def _places(self) -> dict[str, Any]:
        return {"verify_tls": self.verify_tls, "ca": self.ca or None, "allow_hosts": self.allow_hosts}


@dataclass(frozen=True)
class _Outcome:
    """A delivery, with the parts of its response that take time to read."""

    delivery: Delivery
    text: str
    check: ResponseCheck | None


@dataclass(eq=False, repr=False)  # the parts may be tokens
class Deliveries:
    """The deliveries of one widget.

    Attributes:
        rpc: the conversation with the tabs.
        keys: signs the requests.
        transport: returns the options for sending; called for each delivery.
        parts: provider-specific fields fixed by the widget's author.
        history: the deliveries, and imported requests.
    """

    rpc: Rpc
    keys: SigningBroker
    transport: Callable[[], Transport]
    parts: Mapping[str, str]
    history: History
    _in_progress: dict[InProgress, Callable[[Any], None]] = field(default_factory=dict, init=False)
    _confirmed: set[str] = field(default_factory=set, init=False)

    @property
    def completed(self) -> tuple[Delivery, ...]:
        """Deliveries so far, oldest first."""
        return tuple(entry.delivery for entry in self.history.entries if entry.delivery)

    @property
    def requests(self) -> Sequence[WebhookRequest]:
        """Requests of these deliveries as they were signed, oldest first; none that has a fault."""
        return [e.request for e in self.history.entries if e.request and e.fault is None]

    @property
    def records(self) -> Sequence[dict[str, Any]]:
        """Deliveries, without imported requests, in the form that the browser reads."""
        return [entry.record for entry in self.history.entries if entry.delivery]

    def start(self, current: Inputs, revision: str, args: Mapping[str, Any]) -> Deferred:
        """Sign and send the current inputs, or with ``again`` those of an earlier delivery.

        The request gets a new time and delivery id. With ``fault``, the inputs of the valid delivery ``of``
        are sent with that fault. With ``beside``, up to `MAX_AT_ONCE` deliveries are under way at once.

        Raises:
            RpcError: a delivery is in progress, the host needs confirmation, or Python runs in a browser.
            WebhookError: the inputs cannot be sent.
        """
        room = MAX_AT_ONCE - sum(each.share for each in self._in_progress)
        if room < (1 if args.get("beside") is True else MAX_AT_ONCE):
            raise RpcError("busy", "a delivery is under way; wait for its response")
        if in_browser():  # before signing in vain
            raise RpcError("no_sockets", NO_SOCKETS)
        variant = variant_of(args, self.history)
        if variant is not None:
            inputs = variant.inputs
        else:
            inputs = self._earlier(args["again"]) if args.get("again") is not None else current
        place = destination.check(inputs.url, allow_hosts=self.transport().allow_hosts)
        sent = revision if inputs == current and variant is None else ""
        draft = variant.draft(self._fixed) if variant else inputs.draft(self._fixed(inputs.source()))
        ready = variant.unsigned(draft, self.keys.secret) if variant else None
        releases = ready is None and self.keys.must_release(draft)
        share = 1 if args.get("beside") is True and not releases else MAX_AT_ONCE
        if share > room:  # the tab asks about one token at a time
            raise RpcError("busy", "a delivery is under way; a token is sent alone")
        if not releases:  # else the question about the token names the host
            self._confirm(place, args.get("confirmed_host"))
        later, ticket = Deferred(), str(args.get("ticket") or "")
        progress = InProgress(ticket, share)

        def failed(error: HookWidgetsError) -> None:
            self._settle(progress, error)

        def signed(request: WebhookRequest, signatures: list[bytes]) -> None:
            if progress not in self._in_progress:
                return  # stopped
            try:
                complete = variant.finish(request) if variant else request
            except HookWidgetsError as error:  # this body or these headers cannot have the fault
                failed(error)
                return
            if releases:  # its user has agreed to this host
                self._confirmed.add(place.name)
            # After the delivery nothing here holds a released token.
            tokens = signatures if releases else []
            recorded = request_without_token(draft) if releases else complete
            self._in_progress[progress] = partial(self._record, inputs, recorded, later, sent, variant)
            progress.mark_sent()
            self.rpc.run_in_executor(
                lambda: _attempt(complete, self.transport(), progress, tokens),
                lambda outcome: self._settle(progress, outcome),
            )

        self._in_progress[progress] = later.fail
        if ready is not None:
            signed(ready, [])
        elif releases:
            release = Release(place.authority, ticket)
            self.keys.release(draft, release, signed, failed)
        else:
            self.keys.sign(draft, revision, signed, failed)
        return later

    def on_stop(self, args: Mapping[str, Any], _buffers: Buffers) -> dict[str, Any]:
        """Stop the delivery with this ``ticket``: its reply comes now, and a late response counts no more."""
        ticket = args.get("ticket")
        for progress in [each for each in self._in_progress if each.ticket and each.ticket == ticket]:
            progress.cancel()
            seconds = progress.sent_s
            not_sent = RpcError("stopped", "stopped before it was sent")
            self._settle(progress, not_sent if seconds is None else _stopped(seconds))
        return {}

    def _settle(self, progress: InProgress, outcome: _Outcome | HookWidgetsError) -> None:
        """End a delivery, unless it has ended."""
        settle = self._in_progress.pop(progress, None)
        if settle is not None:
            settle(outcome)

    def _fixed(self, source: Provider) -> dict[str, str]:
        return {name: value for name, value in self.parts.items() if name in source.parts}

    def _earlier(self, number: object) -> Inputs:
        inputs = self.history.entry(number).inputs
        if inputs is None:
            raise RpcError("imported", "an imported request is not sent; open it in the editor first")
        return inputs

    def _confirm(self, place: destination.Destination, confirmed: object) -> None:
        if place.is_loopback or place.name in self._confirmed:
            return
        if confirmed != place.name:
            text = f"This sends a signed request to {place.name}, which is not this machine."
            raise RpcError("confirm_host", text, host=place.name)
        self._confirmed.add(place.name)

    def _record(
        self,
        inputs: Inputs,
        request: WebhookRequest,
        later: Deferred,
        revision: str,
        variant: Variant | None,
        outcome: _Outcome | HookWidgetsError,
    ) -> None:
        if isinstance(outcome, HookWidgetsError):
            later.fail(outcome)
            return
        at = datetime.now(UTC)

        def finish(answer: Verdict | None) -> None:
            delivery, number = outcome.delivery, self.history.next_number
            record = wire.delivery_wire(number, request, delivery, outcome.text, at, answer, revision)
            record |= assessment_wire(delivery, variant)
            entry = Entry(
                record=record,
                exchange=exchange_of(request, delivery, at),
                inputs=inputs,
                request=request,
                delivery=delivery,
                fault=variant.fault if variant else None,
            )
            self.history.add(entry)
            later.answer(record)

        check = outcome.check
        if check is None:
            finish(None)
        elif check.jobs:
            self.keys.match(
                check.provider,
                check.jobs,
                lambda matches: finish(check.finish(matches)),
                lambda error: finish(_unchecked(error)),
            )
        else:
            finish(check.finish(()))


def _unchecked(error: HookWidgetsError) -> Verdict:
    """Return the verdict on a handshake response whose signature could not be checked."""
    return Verdict(
        ok=False, reason=Reason.RESPONSE_DIFFERS, detail=f"the response could not be checked: {error}"
    )


def _stopped(elapsed_s: float) -> _Outcome:
    """Return the outcome of a delivery whose response nobody waits for any more."""
    from hook_widgets.webhooks.delivery.errors import DeliveryError

    cause = f"Stopped after {elapsed_s:.1f} s; the receiver may have got the request."
    delivery = Delivery(status=None, elapsed_s=elapsed_s, error=DeliveryError("stopped", cause))
    return _Outcome(delivery, "", None)


def _attempt(
    request: WebhookRequest, transport: Transport, progress: InProgress, tokens: Sequence[bytes] = ()
) -> _Outcome | HookWidgetsError:
    """Send, and read the response outside the widget's lock: the receiver chooses its size and form.

    Nothing of the outcome repeats one of the `tokens`.
    """
    try:
        delivery = transport.send(request, progress)
        draft = request.draft
        if tokens and draft is not None:
            delivery = delivery_without_tokens(delivery, tokens, in_body=draft.signed_inside)
            return _Outcome(delivery, delivery.beginning(wire.BODY_SHOWN), None)
        check = None if draft is None or draft.handshake is None else read_response(draft, delivery)
        return _Outcome(delivery, delivery.beginning(wire.BODY_SHOWN), check)
    except asyncio.CancelledError:
        return RpcError("stopped", "the delivery was stopped")  # its outcome was recorded then
    except WebhookError as error:
        return error
    except Exception as error:  # noqa: BLE001  # shown in the widget, which must not stay busy forever
        detail = "" if tokens else f": {error}"  # a library may quote a header
        return RpcError("internal", f"sending failed ({type(error).__name__}{detail}); please report it")
