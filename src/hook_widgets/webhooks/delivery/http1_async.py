"""The exchange of `http1` for event loops, with the same guarantees."""

from __future__ import annotations

import os
import socket
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from typing import Any

import anyio
import anyio.abc
import httpcore
from anyio.streams.tls import TLSStream

from hook_widgets.webhooks.delivery.destination import PreparedRequest, SocketAddress
from hook_widgets.webhooks.delivery.http1 import (
    BODY_LIMIT,
    Attempt,
    PartialResponse,
    Phase,
    body_chunks,
    http_request,
    store_head,
    translated_errors,
)


async def exchange(
    result: PartialResponse, attempt: Attempt, prepared: PreparedRequest, addresses: Sequence[SocketAddress]
) -> None:
    """Send one request and store the response, as `http1.exchange` does; the caller sets the deadline.

    Raises:
        InvalidArgument: as for `http1.exchange`.
        NotHttp: as for `http1.exchange`.
        ConnectionClosed: as for `http1.exchange`.
        OSError: the network failed.
    """

    async def chunks() -> AsyncIterator[bytes]:
        for chunk in body_chunks(prepared.body, result):
            yield chunk

    with translated_errors(attempt):
        request = http_request(prepared, chunks())
        backend = _Backend(attempt, addresses)
        async with httpcore.AsyncHTTPConnection(
            request.url.origin, ssl_context=prepared.tls, network_backend=backend
        ) as connection:
            response = await connection.handle_async_request(request)
            async with aclosing(response):
                store_head(response, result, attempt)
                async for chunk in response.aiter_stream():
                    result.body += chunk
                    if len(result.body) > BODY_LIMIT:
                        result.truncated = True
                        break


class _Backend(httpcore.AsyncNetworkBackend):
    """A network backend that connects to the checked addresses, whatever host `httpcore` passes."""

    def __init__(self, attempt: Attempt, addresses: Sequence[SocketAddress]) -> None:
        self._attempt = attempt
        self._addresses = addresses

    async def connect_tcp(
        self,
        host: str,  # noqa: ARG002 - resolved and checked before
        port: int,  # noqa: ARG002
        timeout: float | None = None,  # noqa: ARG002 - the attempt has the deadline
        local_address: str | None = None,  # noqa: ARG002
        socket_options: Any = None,  # noqa: ARG002
    ) -> httpcore.AsyncNetworkStream:
        attempt = self._attempt
        attempt.phase = Phase.CONNECT
        failure: OSError = OSError("no address")
        for index, (family, address) in enumerate(self._addresses):
            connection = socket.socket(family, socket.SOCK_STREAM)
            try:
                # An address that does not respond must not use up the time of the next one.
                with anyio.fail_after(attempt.remaining_s() / (len(self._addresses) - index)):
                    await _connect(connection, address)
            except OSError as error:
                connection.close()
                failure = error
            except BaseException:
                connection.close()
                raise
            else:
                attempt.phase = Phase.SEND
                return _Stream(attempt, _SocketStream(connection))
        raise failure


class _SocketStream(anyio.abc.ByteStream):
    """A non-blocking socket that can be read after a write failed.

    A receiver may respond, or explain itself in a TLS alert, and close before it has read everything. anyio's
    own streams discard that response, so a failed write is recorded here and not raised.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self.write_error: OSError | None = None

    async def receive(self, max_bytes: int = 65536) -> bytes:
        while True:
            await anyio.wait_readable(self._socket)
            try:
                data = self._socket.recv(max_bytes)
            except BlockingIOError:
                continue
            if not data:
                raise anyio.EndOfStream
            return data

    async def send(self, item: bytes) -> None:
        unsent = memoryview(item)
        while unsent and self.write_error is None:
            await anyio.wait_writable(self._socket)
            try:
                unsent = unsent[self._socket.send(unsent) :]
            except BlockingIOError:
                continue
            except OSError as error:
                self.write_error = error

    async def send_eof(self) -> None:
        self._socket.shutdown(socket.SHUT_WR)

    async def aclose(self) -> None:
        self._socket.close()


async def _connect(connection: socket.socket, address: tuple[Any, ...]) -> None:
    connection.settimeout(0)
    try:
        connection.connect(address)
    except BlockingIOError:
        await anyio.wait_writable(connection)
        if code := connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            raise OSError(code, os.strerror(code)) from None
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


class _Stream(httpcore.AsyncNetworkStream):
    """A connection that records its progress."""

    def __init__(
        self, attempt: Attempt, connection: _SocketStream, encrypted: TLSStream | None = None
    ) -> None:
        self._attempt = attempt
        self._connection = connection
        self._stream: anyio.abc.ByteStream = encrypted or connection

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        self._attempt.note_waiting()
        try:
            data = await self._stream.receive(max_bytes)
        except anyio.EndOfStream:
            data = b""
        except anyio.BrokenResourceError as error:
            raise _network_error(error) from error
        self._attempt.note_received(data)
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        await self._stream.send(buffer)
        if self._connection.write_error is not None:
            raise httpcore.WriteError(self._connection.write_error)  # httpcore then reads the response
        self._attempt.bytes_sent += len(buffer)

    async def aclose(self) -> None:
        await self._connection.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002
    ) -> httpcore.AsyncNetworkStream:
        self._attempt.phase = Phase.TLS
        name = (server_hostname or "").removesuffix(".")
        try:
            encrypted = await TLSStream.wrap(
                self._connection,
                server_side=False,
                hostname=name,
                ssl_context=ssl_context,
                standard_compatible=False,
            )
        except BaseException as error:
            await self.aclose()
            if isinstance(error, anyio.EndOfStream):
                raise ssl.SSLEOFError(ssl.SSL_ERROR_EOF, "the receiver closed the connection") from error
            if isinstance(error, anyio.BrokenResourceError):
                raise _network_error(error) from error
            raise
        self._attempt.phase = Phase.SEND
        return _Stream(self._attempt, self._connection, encrypted)

    def get_extra_info(self, info: str) -> Any:  # noqa: ARG002 - httpcore needs no information for HTTP/1.1
        return None


def _network_error(error: anyio.BrokenResourceError) -> OSError:
    """Return the operating system's error behind one of anyio."""
    cause = error.__cause__
    return cause if isinstance(cause, OSError) else ConnectionResetError("the connection broke")
