"""A local HTTP receiver that verifies requests, for notebooks, examples and tests."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from hook_widgets.errors import WebhookError
from hook_widgets.webhooks import registry
from hook_widgets.webhooks.delivery.client import decoded
from hook_widgets.webhooks.delivery.local_server import LocalServer
from hook_widgets.webhooks.keys.key_pair import KeyPair, PublicKey
from hook_widgets.webhooks.keys.secret import Secret
from hook_widgets.webhooks.requests.provider import Provider
from hook_widgets.webhooks.requests.request import ReceivedRequest
from hook_widgets.webhooks.verification.verify import Reason, Verdict, inspect, verify

if TYPE_CHECKING:
    from hook_widgets.webhooks.delivery.responses import ReceiverResponse

_DECODED_LIMIT: Final = 25 * 1024 * 1024  # bytes of a body after decompression

_log = logging.getLogger(__name__)

_NO_SERVER: Final = (
    "check one with `verify(provider, request, secret)`, "
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


class Receiver(LocalServer):
    """An HTTP or HTTPS server on 127.0.0.1 that verifies every request.

    It responds with 200 to a genuine request and with 401 to any other. It responds to a handshake as the
    provider expects it; one with a response of its own is no delivery. It stops at the end of the ``with`` or
    ``async with`` block, when `stop` is called, or when it is garbage collected.

    Args:
        provider: a provider or its id.
        secret: the key to verify with: a `Secret`, or the public key if the provider signs with a private
            one.
        tls: if true, serve HTTPS with a temporary certificate; pass `ca` to the sender.
        now: the receiver's clock; by default the system clock.
        explain: if true, a rejection tells its reason as JSON, and its status is 400 if there is no readable
            signature. For tests and notebooks: it tells a stranger how to do better.
        on_delivery: called with each recorded request before the response is sent, in a thread of the
            server. An exception that it raises is logged and does not change the response.
        port: the port to listen on; 0 for a free one.

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
        explain: bool = False,
        on_delivery: Callable[[Received], None] | None = None,
        port: int = 0,
    ) -> None:
        self.provider: Provider = registry.provider(provider) if isinstance(provider, str) else provider
        self.deliveries: list[Received] = []
        bare = self.provider.responses.bare and not explain
        super().__init__(
            _verifier(
                self.provider,
                secret,
                now or partial(datetime.now, UTC),
                self.deliveries,
                on_delivery,
                bare=bare,
            ),
            "receiver",
            WebhookError,
            _NO_SERVER,
            lacks_signature=partial(_lacks, self.provider),
            tls=tls,
            explain=explain,
            port=port,
        )

    @property
    def url(self) -> str:
        """The URL to send to.

        Raises:
            HookWidgetsError: the receiver is not running.
        """
        return f"{self._running().origin}/webhooks"

    def __repr__(self) -> str:
        state = self._server.origin if self._server else "stopped"
        return f"Receiver({self.provider.id}, {state}, {len(self.deliveries)} deliveries)"


def _verifier(
    provider: Provider,
    secret: Secret | KeyPair | PublicKey,
    now: Callable[[], datetime],
    deliveries: list[Received],
    on_delivery: Callable[[Received], None] | None,
    *,
    bare: bool,
) -> Callable[[ReceivedRequest], Verdict | ReceiverResponse]:
    """Return a function that verifies and records a request.

    It holds no reference to the `Receiver`, which can therefore be garbage collected while it listens.
    """

    def verify_and_record(request: ReceivedRequest) -> Verdict | ReceiverResponse:
        at = now()
        verdict = verify(provider, _as_signed(provider, request), secret, now=at)
        if provider.handshakes:
            from hook_widgets.webhooks.delivery.responses import handshake_response

            response = handshake_response(provider, request, secret, genuine=verdict.ok)
            if response is not None:
                return response
        received = Received(request, verdict, at)
        deliveries.append(received)
        if on_delivery is not None:
            try:
                on_delivery(received)
            except Exception:  # noqa: BLE001  # of the caller's function; the sender gets its response
                _log.exception("on_delivery failed")
        if bare:
            from hook_widgets.webhooks.delivery.responses import ReceiverResponse

            return ReceiverResponse(200 if verdict.ok else 401, {}, b"")
        return verdict

    return verify_and_record


def _lacks(provider: Provider, request: ReceivedRequest) -> bool:
    """Return True if the headers of a request lack what its verification needs."""
    inspection = inspect(provider, request)
    return isinstance(inspection, Verdict) and inspection.reason is Reason.MISSING_HEADER


def _as_signed(provider: Provider, request: ReceivedRequest) -> ReceivedRequest:
    """Return a request with the body that was signed: decompressed, if the provider signs before that."""
    coding = request.headers.get("Content-Encoding", "").strip().lower()
    if coding != "gzip" or not provider.responses.signs_before_gzip:
        return request
    return replace(request, body=decoded(request.body, coding, _DECODED_LIMIT))
