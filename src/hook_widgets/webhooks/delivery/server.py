"""The HTTP server used by `hook_widgets.webhooks.delivery.receiver`."""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import threading
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from hook_widgets.errors import WebhookError
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.requests.request import ReceivedRequest
from hook_widgets.webhooks.verification.verify import Reason, Verdict

BODY_LIMIT: Final = 25 * 1024 * 1024  # bytes; GitHub's limit, the largest that a provider documents
READ_TIMEOUT_S: Final = 10.0
"""Seconds to wait for the next bytes from a sender."""

_UNREADABLE: Final = (Reason.MISSING_HEADER, Reason.MALFORMED_HEADER, Reason.MALFORMED_BODY)

Verifier = Callable[[ReceivedRequest], Verdict]


class Server(HTTPServer):
    """A server on a free port of 127.0.0.1, with one thread for each connection, which runs until `stop`.

    Args:
        verifier: the function that verifies each request.
        tls: if true, serve HTTPS with a new self-signed certificate.
    """

    request_queue_size = 128
    server_address: tuple[str, int]
    server_name: str
    server_port: int

    def __init__(self, verifier: Verifier, *, tls: bool) -> None:
        self.verifier = verifier
        self.certificate: Path | None = None
        self._context: ssl.SSLContext | None = None
        self._folder = TemporaryDirectory(prefix="hook_widgets-") if tls else None
        if self._folder is not None:
            from hook_widgets.webhooks.keys.certificate import create_localhost_certificate

            self.certificate, self._context = create_localhost_certificate(Path(self._folder.name))
        self._open: dict[socket.socket, threading.Thread] = {}
        self._lock = threading.Lock()
        super().__init__(("127.0.0.1", 0), _Handler)
        self.origin: str = f"{'https' if tls else 'http'}://127.0.0.1:{self.server_port}"
        self._loop = threading.Thread(
            target=self.serve_forever,
            kwargs={"poll_interval": 0.02},
            name="hook_widgets-receiver",
            daemon=True,
        )
        self._loop.start()

    def stop(self) -> None:
        """Stop listening, close all connections, wait for the threads, and remove the certificate."""
        self.shutdown()
        self._loop.join()
        self.server_close()
        with self._lock:
            connections = list(self._open.items())
        for connection, thread in connections:
            _shut_down(connection)
            thread.join()
        if self._folder is not None:
            self._folder.cleanup()

    def server_bind(self) -> None:
        """Bind the socket, without the DNS lookup of this machine's name that the base class makes."""
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()[:2]
        self.server_name, self.server_port = self.server_address

    def get_request(self) -> tuple[socket.socket, Any]:
        """Accept a connection. A TLS handshake is left to its thread, so that it cannot block the server."""
        connection, address = super().get_request()
        if self._context is not None:
            connection = self._context.wrap_socket(
                connection, server_side=True, do_handshake_on_connect=False
            )
        return connection, address

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a connection in its own thread."""
        thread = threading.Thread(
            target=self._serve, args=(request, client_address), name="hook_widgets-request", daemon=True
        )
        with self._lock:
            self._open[request] = thread
        thread.start()

    def _serve(self, connection: socket.socket, address: Any) -> None:
        try:
            self.finish_request(connection, address)
        except OSError:
            pass  # the sender closed the connection, is too slow, or does not trust the certificate
        finally:
            with self._lock:
                del self._open[connection]
            self.shutdown_request(connection)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = READ_TIMEOUT_S
    server: Server

    def setup(self) -> None:
        super().setup()
        if isinstance(self.request, ssl.SSLSocket):
            self.request.do_handshake()

    def handle(self) -> None:
        self.handle_one_request()  # one per connection

    def do_POST(self) -> None:
        body = self._body()
        if body is None:
            return
        try:
            verdict = self.server.verifier(self._request(body))
        except WebhookError as error:
            self._respond(
                HTTPStatus.INTERNAL_SERVER_ERROR, received=False, reason="receiver", detail=str(error)
            )
            return
        status = HTTPStatus.OK
        if not verdict.ok:
            status = HTTPStatus.BAD_REQUEST if verdict.reason in _UNREADABLE else HTTPStatus.UNAUTHORIZED
        self._respond(status, received=verdict.ok, reason=verdict.reason, detail=verdict.detail)

    do_GET = do_PUT = do_PATCH = do_DELETE = do_POST  # noqa: N815 - http.server finds them by name

    def _request(self, body: bytes) -> ReceivedRequest:
        target = self.requestline.split()[1]  # self.path collapses a double slash at its start
        origin = f"{'https' if self.server.certificate else 'http'}://{self.headers.get('Host', '')}"
        headers = Headers((name, str(value)) for name, value in self.headers.items())
        return ReceivedRequest(
            headers, body, origin + target if target.startswith("/") else target, self.command
        )

    def _body(self) -> bytes | None:
        if "Transfer-Encoding" in self.headers:
            self._respond(
                HTTPStatus.LENGTH_REQUIRED,
                received=False,
                reason="no_length",
                detail="send the body with a Content-Length; this receiver does not read chunked bodies",
            )
            return None
        text = self.headers.get("Content-Length", "0")
        if not text.isdecimal():
            self._respond(
                HTTPStatus.BAD_REQUEST,
                received=False,
                reason="bad_length",
                detail="Content-Length is no number",
            )
            return None
        length = int(text)
        if length > BODY_LIMIT:
            while length > 0 and (piece := self.rfile.read(min(length, 65536))):
                length -= len(
                    piece
                )  # unread bytes would cause a reset, which hides the response from the sender
            self._respond(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                received=False,
                reason="too_large",
                detail=f"the body is larger than {BODY_LIMIT} bytes",
            )
            return None
        body = self.rfile.read(length)
        if len(body) < length:
            raise ConnectionResetError("the sender hung up in the middle of the body")
        return body

    def _respond(self, status: HTTPStatus, **details: object) -> None:
        data = json.dumps(details).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(data)

    def version_string(self) -> str:
        return "hook_widgets"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name in the base class
        pass


def _shut_down(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):  # already closed
        socket.socket.shutdown(connection, socket.SHUT_RDWR)  # below TLS; wakes a thread blocked in a read
