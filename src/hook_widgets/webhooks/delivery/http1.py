"""One HTTP/1.1 exchange with a deadline, over a connection to an address that was checked before.

The HTTP client is `httpcore`, and only this module imports it. The network backend below it is implemented
here, because it guarantees three things: the socket connects to a checked address and no other, one deadline
limits the whole exchange, and progress is recorded.
"""

from __future__ import annotations

import hashlib
import math
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

import httpcore

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks._texts import decoded
from hook_widgets.webhooks.delivery.destination import PreparedRequest, SocketAddress

BODY_LIMIT = 1024 * 1024  # the largest response body to store, in bytes
_STATUS_LINE = b"HTTP/"
_CHUNK = 64 * 1024  # bytes written at once

T = TypeVar("T")


class Phase(StrEnum):
    """The stages of a delivery."""

    LOOKUP = "looking up the host"
    CONNECT = "connecting"
    TLS = "agreeing on encryption"
    SEND = "sending the request"
    WAIT = "waiting for the response"
    RESPONSE = "reading the response"


class NotHttp(Exception):
    """The response is not HTTP."""


class ConnectionClosed(Exception):
    """The receiver closed the connection before its response was complete."""


class Attempt:
    """The deadline and the progress of one delivery.

    Args:
        timeout_s: the deadline, in seconds from now.
    """

    def __init__(self, timeout_s: float) -> None:
        self._start = time.monotonic()
        self._end = self._start + timeout_s
        self.phase: Phase = Phase.LOOKUP
        self.bytes_sent: int = 0  # including the request line and headers
        self.first_bytes: bytes = b""  # the beginning of the response
        self.peer_closed: bool = False  # True if the receiver has closed its side of the connection
        self._connection: socket.socket | None = None

    def elapsed_s(self) -> float:
        """Return the seconds since the start."""
        return time.monotonic() - self._start

    def remaining_s(self) -> float:
        """Return the seconds until the deadline.

        Raises:
            TimeoutError: the deadline has passed.
        """
        remaining = self._end - time.monotonic()
        if remaining <= 0:
            raise TimeoutError
        return remaining

    def renew(self, timeout_s: float) -> None:
        """Set another deadline, in seconds from now."""
        self._end = time.monotonic() + timeout_s

    def hold(self, connection: socket.socket) -> None:
        """Let `abort` end this connection from now on."""
        self._connection = connection

    def abort(self) -> None:
        """End the connection, and every later step of the attempt; may be called from any thread."""
        self._end = -math.inf
        if self._connection is not None:
            with suppress(OSError):  # it is not connected
                # The method of an SSLSocket would first take its encryption from the thread that reads.
                socket.socket.shutdown(self._connection, socket.SHUT_RDWR)

    def note_waiting(self) -> None:
        """Record that the response is awaited, if none of it has arrived."""
        if self.phase is Phase.SEND:
            self.phase = Phase.WAIT

    def note_received(self, data: bytes) -> None:
        """Record bytes of the response; no bytes mean that the receiver closed its side.

        Raises:
            NotHttp: the response does not begin as HTTP does. The parser would wait for more bytes.
        """
        self.peer_closed = not data
        if not self.first_bytes:
            self.first_bytes = data[:64]
            if not _STATUS_LINE.startswith(data[:5]):
                raise NotHttp

    def run_with_deadline(self, work: Callable[[], T]) -> T:
        """Call a function that has no timeout of its own, such as a host lookup, and return its result.

        Exceptions of `work` are raised again.

        Raises:
            TimeoutError: the deadline has passed. `work` continues in its own thread; its result is dropped.
        """
        return in_thread(work, "lookup").result(self.remaining_s())


def in_thread(work: Callable[[], T], name: str) -> Future[T]:
    """Call a function in a thread of its own, and return its result to come."""
    result: Future[T] = Future()

    def run() -> None:
        try:
            result.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised again where the result is read
            result.set_exception(error)

    result.set_running_or_notify_cancel()  # or who waits no more could cancel it
    threading.Thread(target=run, name=f"hook_widgets-{name}", daemon=True).start()
    return result


@dataclass(kw_only=True)
class PartialResponse:
    """The part of a response received so far."""

    status: int | None = None
    reason: str = ""
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytearray = field(default_factory=bytearray)
    truncated: bool = False
    sent_sha256: str | None = None  # set when the whole request body has been written to the socket


def exchange(
    result: PartialResponse,
    attempt: Attempt,
    prepared: PreparedRequest,
    addresses: Sequence[SocketAddress],
) -> None:
    """Send one request and store the response in `result`, with a body just over `BODY_LIMIT` bytes at most.

    Raises:
        InvalidArgument: the method, URL or headers are not valid in HTTP; nothing was sent.
        NotHttp: the response is not HTTP.
        ConnectionClosed: the response is incomplete; `result` holds the part that was received.
        OSError: the network failed, or the deadline passed (TimeoutError).
    """
    with translated_errors(attempt):
        request = http_request(prepared, body_chunks(prepared.body, result))
        backend = _Backend(attempt, addresses)
        with (
            httpcore.HTTPConnection(
                request.url.origin, ssl_context=prepared.tls, network_backend=backend
            ) as connection,
            closing(connection.handle_request(request)) as response,
        ):
            store_head(response, result, attempt)
            for chunk in response.iter_stream():
                result.body += chunk
                if len(result.body) > BODY_LIMIT:
                    result.truncated = True
                    break


def http_request(prepared: PreparedRequest, content: Iterator[bytes]) -> httpcore.Request:
    """Return the request for `httpcore`, with `content` as its body."""
    destination = prepared.destination
    url = httpcore.URL(
        scheme=destination.scheme, host=destination.host, port=destination.port, target=destination.target
    )
    headers = [(name.encode(), value.encode()) for name, value in prepared.headers]
    return httpcore.Request(prepared.method, url, headers=headers, content=content)


def body_chunks(body: bytes, result: PartialResponse) -> Iterator[bytes]:
    """Yield a body in the pieces that are written at once, and set its hash when the last one was."""
    digest = hashlib.sha256()
    for start in range(0, len(body), _CHUNK):
        yield body[start : start + _CHUNK]
        digest.update(body[start : start + _CHUNK])  # reached only when it has been written to the socket
    result.sent_sha256 = digest.hexdigest()


def store_head(response: httpcore.Response, result: PartialResponse, attempt: Attempt) -> None:
    """Store status line and headers of a response, whose text may be Latin-1 (RFC 9110 section 5.5)."""
    attempt.phase = Phase.RESPONSE
    result.status = response.status
    result.reason = decoded(response.extensions["reason_phrase"])
    result.headers = [(decoded(name), decoded(value)) for name, value in response.headers]


@contextmanager
def translated_errors(attempt: Attempt) -> Iterator[None]:
    """Raise the errors of `httpcore` about the protocol as those that `exchange` documents."""
    try:
        yield
    except (httpcore.LocalProtocolError, UnicodeEncodeError) as error:
        raise InvalidArgument(f"the request cannot be written as HTTP: {error}") from None
    except httpcore.RemoteProtocolError as error:
        raise (ConnectionClosed if attempt.peer_closed else NotHttp)(str(error)) from None


def connect(attempt: Attempt, addresses: Sequence[SocketAddress]) -> socket.socket:
    """Connect to the first of these checked addresses that responds.

    Raises:
        OSError: none does, or the deadline passed (TimeoutError).
    """
    attempt.phase = Phase.CONNECT
    failure: OSError = OSError("no address")
    for index, (family, address) in enumerate(addresses):
        connection = socket.socket(family, socket.SOCK_STREAM)
        attempt.hold(connection)
        try:
            # An address that does not respond must not use up the time of the next one.
            connection.settimeout(attempt.remaining_s() / (len(addresses) - index))
            connection.connect(address)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            connection.close()
            failure = error
        else:
            attempt.phase = Phase.SEND
            return connection
    raise failure


def encrypt(attempt: Attempt, connection: socket.socket, context: ssl.SSLContext, host: str) -> ssl.SSLSocket:
    """Return the connection with TLS on it; close it on failure.

    Raises:
        OSError: the receiver does not agree, or the deadline passed (TimeoutError).
    """
    attempt.phase = Phase.TLS
    try:
        connection = encrypted = context.wrap_socket(
            connection, server_hostname=host.removesuffix("."), do_handshake_on_connect=False
        )
        attempt.hold(encrypted)
        encrypted.settimeout(attempt.remaining_s())
        encrypted.do_handshake()
    except BaseException:
        connection.close()
        raise
    attempt.phase = Phase.SEND
    return encrypted


class _Backend(httpcore.NetworkBackend):
    """A network backend that connects to the checked addresses, whatever host `httpcore` passes."""

    def __init__(self, attempt: Attempt, addresses: Sequence[SocketAddress]) -> None:
        self._attempt = attempt
        self._addresses = addresses

    def connect_tcp(
        self,
        host: str,  # noqa: ARG002 - resolved and checked before
        port: int,  # noqa: ARG002
        timeout: float | None = None,  # noqa: ARG002 - the attempt has the deadline
        local_address: str | None = None,  # noqa: ARG002
        socket_options: Any = None,  # noqa: ARG002
    ) -> httpcore.NetworkStream:
        return _Stream(self._attempt, connect(self._attempt, self._addresses))


class _Stream(httpcore.NetworkStream):
    """A socket on which every call has the remaining time as its timeout."""

    def __init__(self, attempt: Attempt, connection: socket.socket) -> None:
        self._attempt = attempt
        self._socket = connection

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        attempt = self._attempt
        attempt.note_waiting()
        self._socket.settimeout(attempt.remaining_s())
        data = self._socket.recv(max_bytes)
        attempt.note_received(data)
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        try:
            while buffer:
                self._socket.settimeout(self._attempt.remaining_s())
                count = self._socket.send(buffer)
                self._attempt.bytes_sent += count
                buffer = buffer[count:]
        except TimeoutError:
            raise
        except OSError as error:
            # A receiver may respond and close before it has read everything.
            # On this error httpcore reads the response.
            raise httpcore.WriteError(error) from error

    def close(self) -> None:
        self._socket.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002
    ) -> httpcore.NetworkStream:
        encrypted = encrypt(self._attempt, self._socket, ssl_context, server_hostname or "")
        return _Stream(self._attempt, encrypted)

    def get_extra_info(self, info: str) -> Any:  # noqa: ARG002 - httpcore needs no information for HTTP/1.1
        return None
