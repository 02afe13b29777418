"""Requests as bytes, and a connection on which they are written and responses read, by h11."""

from __future__ import annotations

import math
import selectors
import socket
import ssl
from datetime import timedelta
from functools import partial
from typing import Final

import h11

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks._durations import seconds
from hook_widgets.webhooks._texts import decoded
from hook_widgets.webhooks.delivery.client import Delivery, delivery_from
from hook_widgets.webhooks.delivery.destination import Destination, Resolver, resolve_addresses
from hook_widgets.webhooks.delivery.errors import explain
from hook_widgets.webhooks.delivery.http1 import (
    BODY_LIMIT,
    Attempt,
    ConnectionClosed,
    NotHttp,
    PartialResponse,
    Phase,
    connect,
    encrypt,
)
from hook_widgets.webhooks.headers import is_token
from hook_widgets.webhooks.requests.request import WebhookRequest

HEAD_LIMIT: Final = 64 * 1024
"""The largest status line with headers, or line before a chunk, that is read, in bytes."""

_MAX_INTERIM: Final = 20  # responses with 1xx before a final one
_PIECE: Final = 64 * 1024  # bytes written or read at once


def encode(
    request: WebhookRequest,
    destination: Destination,
    headers: list[tuple[str, str]],
    chunk_bytes: int | None,
    http_version: str,
) -> tuple[bytes, bytes]:
    """Return head and body of a request; see `hook_widgets.webhooks.delivery.wire.encode_request`.

    Raises:
        InvalidArgument: the request is not valid in HTTP.
    """
    http = h11.Connection(h11.CLIENT)
    size = chunk_bytes or max(len(request.body), 1)
    pieces = [request.body[start : start + size] for start in range(0, len(request.body), size)]
    try:
        head = _sent(
            http,
            h11.Request(
                method=request.method,
                target=destination.target,
                headers=[(name.encode(), value.encode()) for name, value in headers],
            ),
        )
        body = b"".join(_sent(http, h11.Data(data=piece)) for piece in pieces)
        end = _sent(http, h11.EndOfMessage())
    except (h11.LocalProtocolError, UnicodeEncodeError) as error:
        raise InvalidArgument(f"the request cannot be written as HTTP: {error}") from None
    if http_version != "1.1":  # the only one that h11 writes
        head = head.replace(b"HTTP/1.1\r\n", f"HTTP/{http_version}\r\n".encode(), 1)
    return head, body + end


class Connection:
    """A connection to a receiver, on which the caller decides what is written, and when.

    Returned by `connect`. The host is looked up and checked, and the connection made, when the ``with`` block
    begins; a blocked address raises `DestinationBlocked` there. Failures of the network raise nothing: `read`
    reports them.

    Args:
        destination: the checked destination.
        timeout_s: the time limit for each step, in seconds.
        tls: the TLS settings; None for ``http``.
        resolve: resolves the host; called once.

    Attributes:
        reusable: False if the receiver closes the connection after the last response, and has said so: by
            ``Connection: close`` or HTTP/1.0.
    """

    def __init__(
        self, destination: Destination, timeout_s: float, tls: ssl.SSLContext | None, resolve: Resolver
    ) -> None:
        self._destination = destination
        self._timeout_s = timeout_s
        self._tls = tls
        self._resolve = resolve
        self._attempt = Attempt(timeout_s)
        self._socket: socket.socket | None = None
        self._failure: Exception = ConnectionClosed()  # why there is no socket
        self.reusable: bool = True
        self._idle = False  # True after a response, until something is written
        self._http: h11.Connection | None = None  # reads the response that is not complete
        self._response = PartialResponse()
        self._received = b""  # bytes after the last complete response

    def __enter__(self) -> Connection:
        self._attempt = attempt = Attempt(self._timeout_s)
        try:
            find = partial(resolve_addresses, self._destination, self._resolve)
            self._socket = connect(attempt, attempt.run_with_deadline(find))
            if self._tls is not None:
                self._socket = encrypt(attempt, self._socket, self._tls, self._destination.host)
        except OSError as failure:
            self.close()
            self._failure = failure
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "closed" if self._socket is None else "open"
        return f"Connection({self._destination.authority}, {state})"

    def close(self) -> None:
        """Hang up, whatever was written and read."""
        if self._socket is not None:
            self._socket.close()
            self._socket, self._failure = None, ConnectionClosed()

    def write(self, data: bytes, *, until_response: bool = False) -> int:
        """Write bytes, and return how many the network took.

        They are fewer than all if the receiver hangs up, or does not read them in time.

        Args:
            data: the bytes, such as those of `encode_request` or a part of them.
            until_response: if true, stop as soon as a response begins or the receiver hangs up.
        """
        if self._socket is None:
            return 0
        if self._idle:
            self._attempt, self._idle = Attempt(self._timeout_s), False
        attempt = self._attempt
        attempt.phase = Phase.SEND
        attempt.renew(self._timeout_s)
        events = selectors.EVENT_WRITE | (selectors.EVENT_READ if until_response else 0)
        written = 0
        try:
            while written < len(data):
                if self._ready(events, attempt.remaining_s()) & selectors.EVENT_READ:
                    break
                self._socket.settimeout(attempt.remaining_s())
                count = self._socket.send(data[written : written + _PIECE])
                written += count
                attempt.bytes_sent += count
        except OSError:
            pass  # a receiver may respond and close before it has read everything; `read` tells
        return written

    def responded(self, *, within_s: float = 0.0) -> bool:
        """Return True if the receiver has sent something that was not read, or has hung up.

        Args:
            within_s: seconds to wait for it.
        """
        return (
            self._socket is None
            or bool(self._received)
            or bool(self._ready(selectors.EVENT_READ, max(within_s, 0.0)))
        )

    def read(
        self, *, method: str = "POST", interim: bool = False, timeout_s: float | timedelta | None = None
    ) -> Delivery:
        """Read the next response. After a timeout, another call continues with the same one.

        Args:
            method: the method of the request, because the response to HEAD has no body.
            interim: if true, a response with a status of 1xx counts, such as ``100 Continue``.
            timeout_s: the time limit for this call; by default that of the connection.

        Returns:
            The outcome. Its ``elapsed_s`` begins with the connection, or with the first write after the last
            response; its ``sent_sha256`` is None.

        Raises:
            InvalidArgument: an argument is invalid.
        """
        if not is_token(method):
            raise InvalidArgument(f"{method!r} is not a method; use one such as POST")
        limit_s = self._timeout_s if timeout_s is None else seconds(timeout_s)
        attempt, response, error = self._attempt, self._response, None
        attempt.renew(limit_s)
        try:
            if self._socket is None:
                raise self._failure
            self._read_into(response, method, interim=interim)
            self._response = PartialResponse()
        except (OSError, ConnectionClosed, NotHttp) as failure:
            error = explain(failure, self._destination, attempt, limit_s)
            if not isinstance(failure, TimeoutError):
                self.close()
        return delivery_from(response, attempt, error, self._destination, math.inf)

    def _read_into(self, response: PartialResponse, method: str, *, interim: bool) -> None:
        """Read until a response is complete or its body too long; raise as `http1.exchange` does."""
        http = self._http = self._http or self._reader(method)
        interims = 0
        try:
            while True:
                event = http.next_event()
                match event:
                    case h11.InformationalResponse():
                        interims += 1
                        if interims > _MAX_INTERIM:
                            raise NotHttp
                        if interim:
                            _store_head(response, event)
                            return
                    case h11.Response():
                        self._attempt.phase = Phase.RESPONSE
                        _store_head(response, event)
                    case h11.Data():
                        response.body += event.data
                        if len(response.body) > BODY_LIMIT:
                            response.truncated = True
                            self.close()
                            return
                    case h11.EndOfMessage():
                        self._received, _ = http.trailing_data
                        self.reusable = http.their_state is h11.DONE
                        self._http, self._idle = None, True
                        return
                    case _:
                        http.receive_data(self._receive())
        except h11.RemoteProtocolError as error:
            raise (ConnectionClosed if self._attempt.peer_closed else NotHttp)(str(error)) from None

    def _reader(self, method: str) -> h11.Connection:
        """Return what reads the response to a request of this method."""
        http = h11.Connection(h11.CLIENT, max_incomplete_event_size=HEAD_LIMIT)
        http.send(h11.Request(method=method, target="/", headers=[("Host", "receiver")]))
        http.send(h11.EndOfMessage())
        if self._received:
            http.receive_data(self._received)
            self._received = b""
        return http

    def _receive(self) -> bytes:
        assert self._socket is not None
        attempt = self._attempt
        attempt.note_waiting()
        self._socket.settimeout(attempt.remaining_s())
        data = self._socket.recv(_PIECE)
        attempt.note_received(data)
        return data

    def _ready(self, events: int, within_s: float) -> int:
        """Return for which of these events the socket is ready, as soon as it is for one."""
        assert self._socket is not None
        if (
            events & selectors.EVENT_READ
            and isinstance(self._socket, ssl.SSLSocket)
            and self._socket.pending()
        ):
            return selectors.EVENT_READ
        with selectors.DefaultSelector() as selector:
            selector.register(self._socket, events)
            ready = 0
            for _, event in selector.select(within_s):
                ready |= event
        return ready


def _sent(http: h11.Connection, event: h11.Request | h11.Data | h11.EndOfMessage) -> bytes:
    return http.send(event) or b""


def _store_head(response: PartialResponse, event: h11.InformationalResponse | h11.Response) -> None:
    response.status = event.status_code
    response.reason = decoded(bytes(event.reason))
    response.headers = [(decoded(name), decoded(value)) for name, value in event.headers.raw_items()]
