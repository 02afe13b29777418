"""The HTTP server of a `LocalServer`: sockets and threads."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from pathlib import Path
from socketserver import TCPServer
from tempfile import TemporaryDirectory
from typing import Any, Final

from hook_widgets.webhooks.delivery import server_connection
from hook_widgets.webhooks.delivery.server_connection import ServerConnection, Verifier

_RESPONSE_S: Final = 1.0


class Server(TCPServer):
    """A server on 127.0.0.1, with one thread for each connection, which runs until `stop`.

    Args:
        verifier: decides about each request.
        tls: if true, serve HTTPS with a new self-signed certificate.
        explain: if true, a rejection tells its reason.
        port: the port; 0 for a free one.
    """

    request_queue_size = 128
    allow_reuse_address = True
    server_address: tuple[str, int]

    def __init__(self, verifier: Verifier, *, tls: bool, explain: bool, port: int = 0) -> None:
        self._verifier = verifier
        self._explain = explain
        self.certificate: Path | None = None
        self._context: ssl.SSLContext | None = None
        self._folder = TemporaryDirectory(prefix="hook_widgets-") if tls else None
        if self._folder is not None:
            from hook_widgets.webhooks.keys.certificate import create_localhost_certificate

            self.certificate, self._context = create_localhost_certificate(Path(self._folder.name))
        self._open: dict[socket.socket, threading.Thread] = {}
        self._lock = threading.Lock()
        super().__init__(("127.0.0.1", port), ServerConnection)  # type: ignore[arg-type]  # only `_serve` uses it
        self.origin: str = f"{'https' if tls else 'http'}://127.0.0.1:{self.server_address[1]}"
        self._loop = threading.Thread(
            target=self.serve_forever,
            kwargs={"poll_interval": 0.02},
            name="hook_widgets-receiver",
            daemon=True,
        )
        self._loop.start()

    def stop(self) -> None:
        """Stop listening, close all connections, wait for the threads, and remove the certificate.

        A request that was read gets its response, unless the sender does not take it within a second.
        """
        self.shutdown()
        self._loop.join()
        self.server_close()
        with self._lock:
            connections = list(self._open.items())
        for connection, _ in connections:
            _shut_down(connection, socket.SHUT_RD)
        for connection, thread in connections:
            thread.join(_RESPONSE_S)
            _shut_down(connection, socket.SHUT_RDWR)
            thread.join()
        if self._folder is not None:
            self._folder.cleanup()

    def get_request(self) -> tuple[socket.socket, Any]:
        """Accept a connection. A TLS handshake is left to its thread, so that it cannot block the server."""
        connection, address = super().get_request()
        if self._context is not None:
            connection = self._context.wrap_socket(
                connection, server_side=True, do_handshake_on_connect=False
            )
        return connection, address

    def process_request(self, request: Any, client_address: Any) -> None:  # noqa: ARG002 - the base class names it
        """Serve a connection in its own thread."""
        thread = threading.Thread(
            target=self._serve, args=(request,), name="hook_widgets-request", daemon=True
        )
        with self._lock:
            self._open[request] = thread
        thread.start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            connection.settimeout(server_connection.READ_TIMEOUT_S)
            if isinstance(connection, ssl.SSLSocket):
                connection.do_handshake()
            tls = self._context is not None
            ServerConnection(connection, self._verifier, tls=tls, explain=self._explain).serve()
        except OSError:
            pass  # the sender closed the connection, is too slow, or does not trust the certificate
        finally:
            with self._lock:
                del self._open[connection]
            self.shutdown_request(connection)


def _shut_down(connection: socket.socket, how: int) -> None:
    with contextlib.suppress(OSError):  # already closed
        socket.socket.shutdown(connection, how)  # below TLS; wakes a thread blocked in a read
