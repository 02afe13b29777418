"""One HTTP/1.1 exchange over a connection that keeps one deadline, to an address that was judged before.

The HTTP client is `httpcore`, and this is the only module that imports it. It speaks the protocol; the
connection below it is ours, because three promises are kept there: the socket goes to a judged address
and to no other, everything together ends at one deadline, and it is known how far things got.
"""

from __future__ import annotations

import hashlib
import queue
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

import httpcore

from hook_widgets.errors import InvalidRequest
from hook_widgets.webhooks.network.destination import Destination, SocketAddress

BODY_LIMIT = 1024 * 1024  # bytes of an answer's body that are kept
_STATUS_LINE = b"HTTP/"
_PIECE = 64 * 1024  # bytes written at once

T = TypeVar("T")


class Phase(StrEnum):
    """How far a delivery got."""

    LOOKUP = "looking up the host"
    CONNECT = "connecting"
    TLS = "agreeing on encryption"
    SEND = "sending the request"
    WAIT = "waiting for the answer"
    ANSWER = "reading the answer"


class NotHttp(Exception):
    """What came back is not HTTP."""


class Closed(Exception):
    """The receiver ended the connection before its answer was complete."""


class Line:
    """One delivery under way: its deadline, how far it got, and what went which way.

    Args:
        timeout_s: seconds from now until everything has to be over.
    """

    def __init__(self, timeout_s: float) -> None:
        self._end = time.monotonic() + timeout_s
        self.phase = Phase.LOOKUP
        self.sent = 0  # bytes, head included
        self.first = b""  # the first bytes of the answer
        self.ended = False  # the receiver has closed its side

    def left(self) -> float:
        """Seconds until the deadline.

        Raises:
            TimeoutError: it has passed.
        """
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def in_time(self, work: Callable[[], T]) -> T:
        """What `work` returns or raises; for work without a time-out of its own, such as a name look-up.

        Raises:
            TimeoutError: it takes too long. It is left behind on a thread of its own.
        """
        results: queue.SimpleQueue[Callable[[], T]] = queue.SimpleQueue()

        def run() -> None:
            try:
                result = work()
            except BaseException as error:  # noqa: BLE001 - raised again by whoever waits
                results.put(_raiser(error))
            else:
                results.put(lambda: result)

        threading.Thread(target=run, name="hook_widgets-lookup", daemon=True).start()
        try:
            outcome = results.get(timeout=self.left())
        except queue.Empty:
            raise TimeoutError from None
        return outcome()


@dataclass
class Answer:
    """What came back, as far as it came."""

    status: int | None = None
    reason: str = ""
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytearray = field(default_factory=bytearray)
    truncated: bool = False
    sent_sha256: str | None = None  # set when the whole body has been handed to the socket


def exchange(
    answer: Answer,
    line: Line,
    destination: Destination,
    addresses: Sequence[SocketAddress],
    *,
    method: str,
    headers: Sequence[tuple[str, str]],
    body: bytes,
    tls: ssl.SSLContext | None,
) -> None:
    """Send one request and fill `answer` with what comes back, to just over `BODY_LIMIT` bytes of body.

    Raises:
        InvalidRequest: method, URL or headers cannot be written as HTTP; nothing was sent.
        NotHttp: the answer is not HTTP.
        Closed: the answer broke off; `answer` holds what came before.
        OSError: the network failed, or the deadline passed (TimeoutError).
    """
    url = httpcore.URL(
        scheme=destination.scheme, host=destination.host, port=destination.port, target=destination.target
    )

    def pieces() -> Iterator[bytes]:
        digest = hashlib.sha256()
        for start in range(0, len(body), _PIECE):
            piece = body[start : start + _PIECE]
            yield piece
            digest.update(piece)  # reached only when the piece has been handed to the socket
        answer.sent_sha256 = digest.hexdigest()

    try:
        request = httpcore.Request(
            method, url, headers=[(n.encode(), v.encode()) for n, v in headers], content=pieces()
        )
        backend = _Backend(line, addresses)
        with httpcore.HTTPConnection(url.origin, ssl_context=tls, network_backend=backend) as connection:
            response = connection.handle_request(request)
            with closing(response):
                line.phase = Phase.ANSWER
                answer.status = response.status
                answer.reason = _text(response.extensions["reason_phrase"])
                answer.headers = [(_text(name), _text(value)) for name, value in response.headers]
                for piece in response.iter_stream():
                    answer.body += piece
                    if len(answer.body) > BODY_LIMIT:
                        answer.truncated = True
                        break
    except (httpcore.LocalProtocolError, UnicodeEncodeError) as error:
        raise InvalidRequest(f"Not sent: the request cannot be written as HTTP: {error}.") from None
    except httpcore.RemoteProtocolError as error:
        raise (Closed if line.ended else NotHttp)(str(error)) from None


class _Backend(httpcore.NetworkBackend):
    """Connects to judged addresses, whatever name `httpcore` asks for."""

    def __init__(self, line: Line, addresses: Sequence[SocketAddress]) -> None:
        self._line = line
        self._addresses = addresses

    def connect_tcp(
        self,
        host: str,  # noqa: ARG002 - looked up and judged before
        port: int,  # noqa: ARG002
        timeout: float | None = None,  # noqa: ARG002 - the line has the deadline
        local_address: str | None = None,  # noqa: ARG002
        socket_options: Any = None,  # noqa: ARG002
    ) -> httpcore.NetworkStream:
        line = self._line
        line.phase = Phase.CONNECT
        failure: OSError = OSError("no address")
        for tried, (family, address) in enumerate(self._addresses):
            connection = socket.socket(family, socket.SOCK_STREAM)
            try:
                # An address that swallows packets must not use up the time of the next one.
                connection.settimeout(line.left() / (len(self._addresses) - tried))
                connection.connect(address)
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            except OSError as error:
                connection.close()
                failure = error
            else:
                line.phase = Phase.SEND
                return _Stream(line, connection)
        raise failure


class _Stream(httpcore.NetworkStream):
    """A socket on which every call has only the time that is left."""

    def __init__(self, line: Line, connection: socket.socket) -> None:
        self._line = line
        self._socket = connection

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        line = self._line
        if line.phase is Phase.SEND:
            line.phase = Phase.WAIT
        self._socket.settimeout(line.left())
        data = self._socket.recv(max_bytes)
        line.ended = not data
        if not line.first:
            line.first = data[:64]
            if not _STATUS_LINE.startswith(data[:5]):
                raise NotHttp  # at once: a parser may wait for more
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        try:
            while buffer:
                self._socket.settimeout(self._line.left())
                count = self._socket.send(buffer)
                self._line.sent += count
                buffer = buffer[count:]
        except TimeoutError:
            raise
        except OSError as error:
            # A receiver may answer and hang up before it has read everything: httpcore then reads the answer.
            raise httpcore.WriteError(error) from error

    def close(self) -> None:
        self._socket.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002
    ) -> httpcore.NetworkStream:
        self._line.phase = Phase.TLS
        try:
            self._socket.settimeout(self._line.left())
            name = (server_hostname or "").removesuffix(".")
            encrypted = ssl_context.wrap_socket(self._socket, server_hostname=name)
        except BaseException:
            self._socket.close()
            raise
        self._line.phase = Phase.SEND
        return _Stream(self._line, encrypted)

    def get_extra_info(self, info: str) -> Any:  # noqa: ARG002 - nothing to tell httpcore: HTTP/1.1 only
        return None


def _raiser(error: BaseException) -> Callable[[], Any]:
    def fail() -> Any:
        raise error

    return fail


def _text(raw: bytes) -> str:
    """Header text as UTF-8 where it is that, and byte by byte otherwise (RFC 9110 section 5.5)."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")
