"""Start and stop a server on this machine; sockets are loaded when it starts."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Self

from hook_widgets._optional import in_browser, require
from hook_widgets.errors import HookWidgetsError, InvalidArgument

if TYPE_CHECKING:
    from hook_widgets.webhooks.delivery.responses import ReceiverResponse
    from hook_widgets.webhooks.delivery.server import Server
    from hook_widgets.webhooks.requests.request import ReceivedRequest
    from hook_widgets.webhooks.verification.verify import Verdict


class LocalServer:
    """An HTTP or HTTPS server on 127.0.0.1.

    It stops at the end of the ``with`` or ``async with`` block, when `stop` is called, or when it is garbage
    collected.
    """

    def __init__(
        self,
        respond: Callable[[ReceivedRequest], Verdict | ReceiverResponse],
        noun: str,
        error: type[HookWidgetsError],
        in_browser_instead: str,
        *,
        lacks_signature: Callable[[ReceivedRequest], bool] = lambda _: False,
        tls: bool,
        explain: bool,
        port: int,
    ) -> None:
        """Prepare a server that does not listen yet.

        Args:
            respond: returns the response to each request; holds no reference to this object.
            noun: the name of this server in error messages.
            error: raised if the server cannot run here.
            in_browser_instead: what to do if Python runs in a browser, for the message.
            lacks_signature: returns True if the headers of a large request, without its body, lack what is
                needed; it is then not read.
            tls: if true, serve HTTPS with a temporary certificate.
            explain: if true, a rejection tells its reason as JSON.
            port: the port to listen on; 0 for a free one.
        """
        self._respond = respond
        self._lacks_signature = lacks_signature
        self._noun = noun
        self._error = error
        self._in_browser_instead = in_browser_instead
        self._tls = tls
        self._explain = explain
        self._port = port
        self._server: Server | None = None

    def start(self) -> Self:
        """Start to listen. Called by the ``with`` statement.

        Raises:
            InvalidArgument: the port is no port, or is in use.
            HookWidgetsError: Python runs in a browser, h11 is not installed, or ``tls`` is true and
                cryptography is not installed.
        """
        if self._server is None:
            if in_browser():
                raise self._error(
                    f"Python in a browser cannot listen for requests; {self._in_browser_instead}"
                )
            if self._tls:
                certificate = "hook_widgets.webhooks.keys.certificate"
                require(certificate, "cryptography", f"a {self._noun} with TLS", self._error)
            server = require("hook_widgets.webhooks.delivery.server", "h11", f"a {self._noun}", self._error)
            verifier = server.Verifier(self._respond, self._lacks_signature)
            try:
                running: Server = server.Server(
                    verifier, tls=self._tls, explain=self._explain, port=self._port
                )
            except (OSError, OverflowError) as error:
                why = getattr(error, "strerror", None) or "ports are 0 to 65535"
                raise InvalidArgument(
                    f"port {self._port} cannot be used: {why}; give 0 for a free one"
                ) from None
            self._server = running
            self._finalizer = weakref.finalize(self, running.stop)
        return self

    def stop(self) -> None:
        """Stop listening, close all connections, and wait for the threads."""
        if self._server is not None:
            self._finalizer()
            self._server = None

    @property
    def ca(self) -> Path | None:
        """The certificate to trust; None without TLS.

        Raises:
            HookWidgetsError: the server is not running.
        """
        return self._running().certificate

    def _running(self) -> Server:
        if self._server is None:
            raise HookWidgetsError(
                f"the {self._noun} is not running; use it in a with statement, or call start()"
            )
        return self._server

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    async def __aenter__(self) -> Self:
        return self.start()

    async def __aexit__(self, *_: object) -> None:
        import asyncio

        # Stopping waits for threads; a cancelled task must not leave the server running.
        await asyncio.shield(asyncio.to_thread(self.stop))
