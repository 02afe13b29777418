"""Send requests from a widget: one delivery at a time, with confirmation and a history."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from hook_widgets._optional import in_browser
from hook_widgets.errors import HookWidgetsError, WebhookError
from hook_widgets.webhooks.delivery import destination
from hook_widgets.webhooks.delivery.client import NO_SOCKETS, Delivery, headers_as_sent, send
from hook_widgets.webhooks.requests.request import WebhookRequest
from hook_widgets.webhooks.requests.response_check import ResponseCheck, read_response
from hook_widgets.webhooks.verdict import Reason, Verdict
from hook_widgets.widgets._rpc import Buffers, Deferred, Rpc, RpcError
from hook_widgets.widgets.generator import serialize as wire
from hook_widgets.widgets.generator.inputs import Inputs
from hook_widgets.widgets.generator.signing_broker import SigningBroker


@dataclass(frozen=True)
class Transport:
    """Options for sending, as in `hook_widgets.webhooks.send`."""

    timeout_s: float
    verify_tls: bool
    ca: str
    allow_hosts: tuple[str, ...] | None


@dataclass(frozen=True)
class _Outcome:
    """A delivery, with the parts of its response that take time to read."""

    delivery: Delivery
    text: str
    check: ResponseCheck | None


@dataclass(frozen=True)
class _Entry:
    """A delivery of the history."""

    inputs: Inputs
    request: WebhookRequest
    delivery: Delivery
    record: dict[str, Any]


class Deliveries:
    """The deliveries of one widget.

    Args:
        rpc: the conversation with the tabs.
        keys: signs the requests.
        transport: returns the options for sending; called for each delivery.
        parts: provider-specific fields fixed by the widget's author.
    """

    def __init__(
        self, rpc: Rpc, keys: SigningBroker, transport: Callable[[], Transport], parts: Mapping[str, str]
    ) -> None:
        self._rpc = rpc
        self._keys = keys
        self._transport = transport
        self._parts = parts
        self._under_way = False
        self._confirmed: set[str] = set()
        self._history: list[_Entry] = []

    @property
    def completed(self) -> tuple[Delivery, ...]:
        """Deliveries so far, oldest first."""
        return tuple(entry.delivery for entry in self._history)

    @property
    def requests(self) -> Sequence[WebhookRequest]:
        """Requests of these deliveries, oldest first."""
        return [entry.request for entry in self._history]

    @property
    def records(self) -> Sequence[dict[str, Any]]:
        """History in the form that the browser reads."""
        return [entry.record for entry in self._history]

    def start(self, current: Inputs, revision: str, args: Mapping[str, Any]) -> Deferred:
        """Sign and send the current inputs, or with ``again`` those of an earlier delivery.

        The request gets a new time and delivery id.

        Raises:
            RpcError: a delivery is in progress, the host needs confirmation, or Python runs in a browser.
            WebhookError: the inputs cannot be sent.
        """
        if self._under_way:
            raise RpcError("busy", "a delivery is under way; wait for its response")
        if in_browser():  # before signing in vain
            raise RpcError("no_sockets", NO_SOCKETS)
        inputs = self._earlier(args["again"]).inputs if args.get("again") is not None else current
        self._check(inputs.url, args.get("confirmed_host"))
        sent = revision if inputs == current else ""
        draft = inputs.draft({n: v for n, v in self._parts.items() if n in inputs.source().parts})
        later = Deferred()

        def failed(error: HookWidgetsError) -> None:
            self._under_way = False
            later.fail(error)

        def signed(request: WebhookRequest, _signatures: list[bytes]) -> None:
            self._rpc.run_in_executor(
                lambda: _attempt(request, self._transport()),
                lambda outcome: self._record(inputs, request, outcome, later, sent),
            )

        self._under_way = True
        self._keys.sign(draft, revision, signed, failed)
        return later

    def as_sent(self, args: Mapping[str, Any]) -> tuple[dict[str, Any], Buffers]:
        """Return the request of delivery ``n`` as it was sent, for Verify; its body is the buffer.

        Raises:
            RpcError: no such delivery, or its request contains the secret.
        """
        request = self._earlier(args.get("n")).request
        if request.draft is None or request.draft.reveals_secret:
            raise RpcError("secret_inside", "this request contains the secret, so it is not shown")
        headers = headers_as_sent(request).multi_items()
        value = {"url": request.url, "method": request.method, "headers": [list(pair) for pair in headers]}
        return value, [request.body]

    def _earlier(self, number: object) -> _Entry:
        if not isinstance(number, int) or not 0 < number <= len(self._history):
            raise RpcError("no_such_delivery", "that delivery is not in this widget's history")
        return self._history[number - 1]

    def _check(self, url: str, confirmed: object) -> None:
        place = destination.check(url, allow_hosts=self._transport().allow_hosts)
        if not destination.needs_confirmation(url) or place.name in self._confirmed:
            return
        if confirmed != place.name:
            text = f"This sends a signed request to {place.name}, which is not this machine."
            raise RpcError("confirm_host", text, host=place.name)
        self._confirmed.add(place.name)

    def _record(
        self,
        inputs: Inputs,
        request: WebhookRequest,
        outcome: _Outcome | HookWidgetsError,
        later: Deferred,
        revision: str,
    ) -> None:
        self._under_way = False
        if isinstance(outcome, HookWidgetsError):
            later.fail(outcome)
            return
        number, at = len(self._history) + 1, datetime.now(UTC)

        def finish(answer: Verdict | None) -> None:
            record = wire.delivery_wire(number, request, outcome.delivery, outcome.text, at, answer, revision)
            self._history.append(_Entry(inputs, request, outcome.delivery, record))
            self._rpc.notify("delivery", {"record": record})
            later.answer(record)

        check = outcome.check
        if check is None:
            finish(None)
        elif check.jobs:
            self._keys.match(check, finish, lambda error: finish(_unchecked(error)))
        else:
            finish(check.finish(()))


def _unchecked(error: HookWidgetsError) -> Verdict:
    """Return the verdict on a handshake response whose signature could not be checked."""
    return Verdict(
        ok=False, reason=Reason.RESPONSE_DIFFERS, detail=f"the response could not be checked: {error}"
    )


def _attempt(request: WebhookRequest, transport: Transport) -> _Outcome | HookWidgetsError:
    """Send, and read the response outside the widget's lock: the receiver chooses its size and form."""
    try:
        delivery = send(
            request,
            timeout_s=transport.timeout_s,
            verify_tls=transport.verify_tls,
            ca=transport.ca or None,
            allow_hosts=transport.allow_hosts,
        )
        draft = request.draft
        check = None if draft is None or draft.handshake is None else read_response(draft, delivery)
        return _Outcome(delivery, delivery.beginning(wire.BODY_SHOWN), check)
    except WebhookError as error:
        return error
    except Exception as error:  # noqa: BLE001  # shown in the widget, which must not stay busy forever
        return RpcError("internal", f"sending failed ({type(error).__name__}: {error}); please report it")
