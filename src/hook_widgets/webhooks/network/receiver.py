"""A real receiver on this machine that verifies what arrives: for notebooks, examples and tests."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final

from hook_widgets.errors import HookWidgetsError, WebhookError
from hook_widgets.libraries import in_browser, needed
from hook_widgets.webhooks import catalog
from hook_widgets.webhooks.keypair import KeyPair, PublicKey
from hook_widgets.webhooks.provider import Provider
from hook_widgets.webhooks.request import ReceivedRequest
from hook_widgets.webhooks.secret import Secret
from hook_widgets.webhooks.verifying import Verdict, verify

if TYPE_CHECKING:
    from hook_widgets.webhooks.network.listening import Server


_NO_LISTENING: Final = (
    "Python in a browser cannot listen for requests. Check one with `verify(provider, request, secret)`, "
    'or run a receiver on a machine: `receiver_snippet(provider, "python")` writes its code.'
)


@dataclass(frozen=True, slots=True)
class Received:
    """One request that arrived.

    Attributes:
        request: as it came over the network.
        verdict: whether its signature is right, and why.
        at: when it arrived.
    """

    request: ReceivedRequest
    verdict: Verdict
    at: datetime


class Receiver:
    """An HTTP or HTTPS server on 127.0.0.1 that verifies every request.

    It answers 200 to a request that verifies, 401 to one whose signature or timestamp is wrong and 400
    to one without a readable signature, always with a little JSON that says why. It stops at the end of
    the ``with`` block, at `stop`, or when it is forgotten.

    Args:
        provider: a provider or its id.
        secret: what to verify with: the `Secret`, or the public key where the provider signs with a
            private one.
        tls: whether to serve HTTPS, with a certificate made for the occasion; give `ca` to the sender.
        now: the receiver's clock; the machine's when not given.

    Attributes:
        deliveries: what arrived, in order; a request is in it before it is answered.

    >>> secret = Secret("an example secret")
    >>> with Receiver("generic", secret) as receiver:
    ...     request = catalog.provider("generic").draft(url=receiver.url).sign(secret)
    >>> receiver.deliveries
    []
    """

    def __init__(
        self,
        provider: str | Provider,
        secret: Secret | KeyPair | PublicKey,
        *,
        tls: bool = False,
        now: Callable[[], datetime] | None = None,
    ) -> None:
        self.provider = catalog.provider(provider) if isinstance(provider, str) else provider
        self.deliveries: list[Received] = []
        self._judge = _judge(self.provider, secret, now or _now, self.deliveries)
        self._tls = tls
        self._server: Server | None = None

    def start(self) -> Receiver:
        """Begin to listen on a free port; what ``with`` calls.

        Raises:
            WebhookError: Python runs in a browser, or ``tls`` is asked for and cryptography is not installed.
        """
        if self._server is None:
            if in_browser():
                raise WebhookError(_NO_LISTENING)
            if self._tls:
                needed(
                    "hook_widgets.webhooks.certificate", "cryptography", "A receiver with TLS", WebhookError
                )
            from hook_widgets.webhooks.network.listening import Server

            self._server = Server(self._judge, tls=self._tls)
            self._finalizer = weakref.finalize(self, self._server.stop)
        return self

    def stop(self) -> None:
        """Stop listening, hang up, and wait until nothing runs any more. `deliveries` stay."""
        if self._server is not None:
            self._finalizer()
            self._server = None

    @property
    def url(self) -> str:
        """Where to send.

        Raises:
            HookWidgetsError: it is not running.
        """
        return f"{self._running().origin}/webhooks"

    @property
    def ca(self) -> Path | None:
        """The certificate to trust, for ``send(ca=...)``; None without TLS.

        Raises:
            HookWidgetsError: it is not running.
        """
        return self._running().certificate

    def _running(self) -> Server:
        if self._server is None:
            raise HookWidgetsError("the receiver is not running; use it in a with statement, or call start()")
        return self._server

    def __enter__(self) -> Receiver:
        return self.start()

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        state = self._server.origin if self._server else "stopped"
        return f"Receiver({self.provider.id}, {state}, {len(self.deliveries)} deliveries)"


def _judge(
    provider: Provider,
    secret: Secret | KeyPair | PublicKey,
    now: Callable[[], datetime],
    deliveries: list[Received],
) -> Callable[[ReceivedRequest], Verdict]:
    """Verifies and records. It does not know the `Receiver`, which can so be forgotten while it listens."""

    def judge(request: ReceivedRequest) -> Verdict:
        at = now()
        verdict = verify(provider, request, secret, now=at)
        deliveries.append(Received(request, verdict, at))
        return verdict

    return judge


def _now() -> datetime:
    return datetime.now(UTC)
