"""The HTTP layer of the reference, on the standard library: chunks, limits, keep-alive, slow senders."""

from __future__ import annotations

import sys
import threading
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, Final


@dataclass
class Request:
    """A request as received, with header names in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    raw_names: tuple[str, ...] = ()
    version: str = "HTTP/1.1"


@dataclass
class Response:
    """The response to it."""

    status: int
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)


class TooLarge(Exception):
    """The body is larger than the limit."""


class TooSlow(Exception):
    """The body comes in pieces that are too small."""


_MAX_SMALL_PIECES: Final = 3
"""In a row: of 25 MB a few pieces are small by chance."""


class Body:
    """The body of a request, which is not read yet."""

    def __init__(self, handler: BaseHTTPRequestHandler, min_piece_bytes: int) -> None:
        self._file: Any = handler.rfile
        self._min_piece_bytes = min_piece_bytes
        self.chunked = "chunked" in handler.headers.get("Transfer-Encoding", "").lower()
        self.length = int(handler.headers.get("Content-Length", "0"))

    def exactly(self, size: int, limit_bytes: float) -> bytes:
        if size > limit_bytes:
            raise TooLarge
        body = bytearray()
        small = 0
        while missing := size - len(body):
            piece = self._file.read1(missing)
            if not piece:
                raise ConnectionError
            body += piece
            small = small + 1 if len(piece) < self._min_piece_bytes <= missing else 0
            if small == _MAX_SMALL_PIECES:
                raise TooSlow
        return bytes(body)

    def chunks(self, limit_bytes: float) -> bytes:
        body = b""
        while size := int(self._line(), 16):
            body += self.exactly(size, limit_bytes - len(body))
            self._line()
        self._line()
        return body

    def _line(self) -> bytes:
        line: bytes = self._file.readline()
        if not line.endswith(b"\n"):
            raise ConnectionError
        return line


class HttpReceiver(ABC):
    """The part of a receiver that decides about the connection; each step is a method."""

    path = "/hooks"
    limit_bytes = 5_000_000
    min_piece_bytes = 64
    """Slow senders are known by the size of their pieces, which the load of the machine does not change."""
    busy_s: ClassVar = 0.0
    """Seconds of work that are counted, not spent, of all receivers of a class."""
    sender_timeout_s = 60.0
    """Seconds for which a sender waits for a response."""
    closes_silently = False
    connections: set[BaseHTTPRequestHandler]
    """The connections that are open."""

    def value(self, text: str) -> str:
        """The value of a header without the spaces around it."""
        return text.strip()

    def read(self, body: Body) -> bytes:
        """The body, chunked or with a length."""
        return body.chunks(self.limit_bytes) if body.chunked else body.exactly(body.length, self.limit_bytes)

    def broken_off(self) -> None:  # noqa: B027 - most receivers do nothing then
        """The sender hung up within the body."""

    def expect(self, handler: BaseHTTPRequestHandler) -> bool:
        """Ask for a body that is held back."""
        handler.send_response_only(100)
        handler.end_headers()
        return True

    @abstractmethod
    def respond(self, request: Request) -> Response:
        """Return the response to a request that was read."""


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    receiver: HttpReceiver

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exc_info()[1], ConnectionError):  # some checks hang up
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def setup(self) -> None:
        super().setup()
        self.server.receiver.connections.add(self)

    def finish(self) -> None:
        self.server.receiver.connections.discard(self)
        super().finish()

    def do_POST(self) -> None:
        receiver = self.server.receiver
        try:
            body = receiver.read(Body(self, receiver.min_piece_bytes))
        except TooLarge:
            return self._say(Response(413), close=True)
        except TooSlow:
            return self._say(Response(408), close=True)
        except ConnectionError:
            receiver.broken_off()
            self.close_connection = True
            return None
        headers = {name.lower(): receiver.value(value) for name, value in self.headers.items()}
        request = Request(
            self.command, self.path, headers, body, tuple(self.headers.keys()), self.request_version
        )
        try:
            response = receiver.respond(request)
        except Exception:  # noqa: BLE001 - as a framework does
            response = Response(500)
        return self._say(response)

    do_GET = do_POST  # noqa: N815 - the base class names it
    do_HEAD = do_POST  # noqa: N815

    def handle_expect_100(self) -> bool:
        return self.server.receiver.expect(self)

    def _say(self, response: Response, *, close: bool = False) -> None:
        self.send_response_only(response.status)
        for name, value in response.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(response.body)))
        if close:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(response.body)
        if self.server.receiver.closes_silently:
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


class Serving:
    """Serves a receiver on a free port of this machine."""

    def __init__(self, receiver: HttpReceiver) -> None:
        self.receiver = receiver
        self.receiver.connections = set()

    def __enter__(self) -> str:
        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.receiver = self.receiver
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02})
        self.thread.start()
        return f"http://127.0.0.1:{self.server.server_address[1]}{self.receiver.path}"

    def __exit__(self, *error: object) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()
