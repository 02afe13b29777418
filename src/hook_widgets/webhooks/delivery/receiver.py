"""A local HTTP receiver that verifies requests, for notebooks, examples and tests."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final

from hook_widgets._optional import in_browser, require
from hook_widgets.errors import HookWidgetsError, WebhookError
from hook_widgets.webhooks import registry
from hook_widgets.webhooks.keys.key_pair import KeyPair, PublicKey
from hook_widgets.webhooks.keys.secret import Secret
from hook_widgets.webhooks.requests.provider import Provider
from hook_widgets.webhooks.requests.request import ReceivedRequest
from hook_widgets.webhooks.verification.verify import Verdict, verify

if TYPE_CHECKING:
    from hook_widgets.webhooks.delivery.server import Server


_NO_SERVER: Final = (
    "Python in a browser cannot listen for requests; check one with `verify(provider, request, secret)`, "
    'or run on a machine the receiver that `receiver_snippet(provider, "python")` writes'
)


@dataclass(frozen=True, slots=True)
class Received:
    """A request that a `Receiver` got.

    Attributes:
        request: the request as received from the network.
        verdict: the result of the verification.
        at: the time of arrival.
    """

    request: ReceivedRequest
    verdict: Verdict
    at: datetime


class Receiver:
    """An HTTP or HTTPS server on 127.0.0.1 that verifies every request.

    It responds with 200 to a genuine request, with 401 if the signature or timestamp is wrong, and with 400
    if there is no readable signature, always with a short JSON explanation. It stops at the end of the
    ``with`` or ``async with`` block, when `stop` is called, or when it is garbage collected.

    Args:
        provider: a provider or its id.
        secret: the key to verify with: a `Secret`, or the public key if the provider signs with a private
            one.
        tls: if true, serve HTTPS with a temporary certificate; pass `ca` to the sender.
        now: the receiver's clock; by default the system clock.

    Attributes:
        deliveries: the requests received, in order. Each is appended before its response is sent.

    >>> secret = Secret("an example secret")
    >>> with Receiver("generic", secret) as receiver:
    ...     request = registry.provider("generic").draft(url=receiver.url).sign(secret)
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
        self.provider: Provider = registry.provider(provider) if isinstance(provider, str) else provider
        self.deliveries: list[Received] = []
        self._verifier = _verifier(self.provider, secret, now or _now, self.deliveries)
        self._tls = tls
        self._server: Server | None = None

    def start(self) -> Receiver:
        """Start to listen on a free port. Called by the ``with`` statement.

        Raises:
            WebhookError: Python runs in a browser, or ``tls`` is true and cryptography is not installed.
        """
        if self._server is None:
            if in_browser():
                raise WebhookError(_NO_SERVER)
            if self._tls:
                require(
                    "hook_widgets.webhooks.keys.certificate",
                    "cryptography",
                    "a receiver with TLS",
                    WebhookError,
                )
            from hook_widgets.webhooks.delivery.server import Server

            self._server = Server(self._verifier, tls=self._tls)
            self._finalizer = weakref.finalize(self, self._server.stop)
        return self

    def stop(self) -> None:
        """Stop listening, close all connections, and wait for the threads. `deliveries` are kept."""
        if self._server is not None:
            self._finalizer()
            self._server = None

    @property
    def url(self) -> str:
        """The URL to send to.

        Raises:
            HookWidgetsError: the receiver is not running.
        """
        return f"{self._running().origin}/webhooks"

    @property
    def ca(self) -> Path | None:
        """The certificate to trust, for ``send(ca=...)``; None without TLS.

        Raises:
            HookWidgetsError: the receiver is not running.
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

    async def __aenter__(self) -> Receiver:
        return self.start()

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        import anyio

        # Stopping waits for threads; a cancelled task must not leave the server running.
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(self.stop)

    def __repr__(self) -> str:
        state = self._server.origin if self._server else "stopped"
        return f"Receiver({self.provider.id}, {state}, {len(self.deliveries)} deliveries)"


def _verifier(
    provider: Provider,
    secret: Secret | KeyPair | PublicKey,
    now: Callable[[], datetime],
    deliveries: list[Received],
) -> Callable[[ReceivedRequest], Verdict]:
    """Return a function that verifies and records a request.

    It holds no reference to the `Receiver`, which can therefore be garbage collected while it listens.
    """

    def verify_and_record(request: ReceivedRequest) -> Verdict:
        at = now()
        verdict = verify(provider, request, secret, now=at)
        deliveries.append(Received(request, verdict, at))
        return verdict

    return verify_and_record


def _now() -> datetime:
    return datetime.now(UTC)
