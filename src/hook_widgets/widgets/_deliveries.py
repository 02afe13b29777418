"""Sending from a widget: one delivery at a time, with confirmation and a history."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from hook_widgets.errors import HookWidgetsError, WebhookError
from hook_widgets.libraries import in_browser
from hook_widgets.webhooks.handshake import read_answer
from hook_widgets.webhooks.network import destination
from hook_widgets.webhooks.network.sending import NO_SOCKETS, Delivery, send
from hook_widgets.webhooks.request import WebhookRequest
from hook_widgets.webhooks.verdict import Reason, Verdict
from hook_widgets.widgets import _wire as wire
from hook_widgets.widgets._inputs import Inputs
from hook_widgets.widgets._keyholder import KeyHolder
from hook_widgets.widgets._rpc import Fault, Later, Rpc


@dataclass(frozen=True)
class Transport:
    """How to send: see `hook_widgets.webhooks.send` for the meaning of each."""

    timeout_s: float
    verify_tls: bool
    ca: str
    allow_hosts: tuple[str, ...] | None


class Deliveries:
    """The deliveries of one widget.

    Args:
        rpc: the conversation with the tabs.
        keys: who signs.
        transport: how to send, asked for at each delivery.
        parts: parts that the widget's author fixed.
    """

    def __init__(
        self, rpc: Rpc, keys: KeyHolder, transport: Callable[[], Transport], parts: Mapping[str, str]
    ) -> None:
        self._rpc = rpc
        self._keys = keys
        self._transport = transport
        self._parts = parts
        self._under_way = False
        self._confirmed: set[str] = set()
        self._history: list[tuple[Inputs, Delivery, dict[str, Any]]] = []

    @property
    def made(self) -> tuple[Delivery, ...]:
        """What was sent, oldest first."""
        return tuple(delivery for _, delivery, _ in self._history)

    @property
    def records(self) -> Sequence[dict[str, Any]]:
        """The history as the browser reads it."""
        return [record for _, _, record in self._history]

    def start(self, current: Inputs, revision: str, args: Mapping[str, Any]) -> Later:
        """Sign and send the current inputs, or with ``again`` those of an earlier delivery.

        The request gets its own time and delivery id.

        Raises:
            Fault: a delivery is under way, the host is to be confirmed first, or Python runs in a browser.
            WebhookError: the inputs cannot be sent.
        """
        if self._under_way:
            raise Fault("busy", "a delivery is under way; wait for its answer")
        if in_browser():  # before anything is signed for nothing
            raise Fault("no_sockets", NO_SOCKETS)
        inputs = self._earlier(args["again"]) if args.get("again") is not None else current
        self._check(inputs.url, args.get("confirmed_host"))
        draft = inputs.draft({n: v for n, v in self._parts.items() if n in inputs.source().parts})
        later = Later()

        def failed(error: HookWidgetsError) -> None:
            self._under_way = False
            later.fail(error)

        def signed(request: WebhookRequest, _signatures: list[bytes]) -> None:
            self._rpc.off_the_loop(
                lambda: _attempt(request, self._transport()),
                lambda outcome: self._record(inputs, request, outcome, later),
            )

        self._under_way = True
        self._keys.sign(draft, revision, signed, failed)
        return later

    def _earlier(self, number: object) -> Inputs:
        if not isinstance(number, int) or not 0 < number <= len(self._history):
            raise Fault("no_such_delivery", "that delivery is not in this widget's history")
        return self._history[number - 1][0]

    def _check(self, url: str, confirmed: object) -> None:
        place = destination.check(url, allow_hosts=self._transport().allow_hosts)
        if not destination.needs_confirmation(url) or place.name in self._confirmed:
            return
        if confirmed != place.name:
            text = f"This sends a signed request to {place.name}, which is not this machine."
            raise Fault("confirm_host", text, host=place.name)
        self._confirmed.add(place.name)

    def _record(
        self, inputs: Inputs, request: WebhookRequest, outcome: Delivery | HookWidgetsError, later: Later
    ) -> None:
        self._under_way = False
        if isinstance(outcome, HookWidgetsError):
            later.fail(outcome)
            return
        number, at = len(self._history) + 1, datetime.now(UTC)

        def finish(answer: Verdict | None) -> None:
            record = wire.delivery_wire(number, request, outcome, at, answer)
            self._history.append((inputs, outcome, record))
            self._rpc.notify("delivery", {"record": record})
            later.answer(record)

        if request.draft is None or request.draft.handshake is None:
            finish(None)
            return
        check = read_answer(request.draft, outcome)
        if check.jobs:
            self._keys.match(check, finish, lambda error: finish(_unchecked(error)))
        else:
            finish(check.conclude(()))


def _unchecked(error: HookWidgetsError) -> Verdict:
    """The answer to a handshake whose signature nobody could check."""
    return Verdict(ok=False, reason=Reason.ANSWER_DIFFERS, detail=f"the answer could not be checked: {error}")


def _attempt(request: WebhookRequest, how: Transport) -> Delivery | HookWidgetsError:
    try:
        return send(
            request,
            timeout_s=how.timeout_s,
            verify_tls=how.verify_tls,
            ca=how.ca or None,
            allow_hosts=how.allow_hosts,
        )
    except WebhookError as error:
        return error
    except Exception as error:  # noqa: BLE001  # shown in the widget, which must not stay busy for ever
        return Fault("internal", f"sending failed ({type(error).__name__}: {error}); please report it")
