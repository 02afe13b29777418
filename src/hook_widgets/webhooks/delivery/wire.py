"""Write requests byte by byte: chunked, slowly, several on one connection, malformed on purpose.

`send` writes each request in one way. Here the caller decides what is written, and when. The destination is
checked as for `send`, and connections go to the checked addresses only.
"""

from __future__ import annotations

import math
import os
import socket
from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING, Literal, NamedTuple

from hook_widgets._optional import in_browser, require
from hook_widgets.errors import InvalidArgument, WebhookError
from hook_widgets.webhooks._durations import seconds
from hook_widgets.webhooks.delivery.client import NO_SOCKETS, framed_headers, tls_context
from hook_widgets.webhooks.delivery.destination import Resolver, check
from hook_widgets.webhooks.requests.request import WebhookRequest

if TYPE_CHECKING:
    from hook_widgets.webhooks.delivery.http1_wire import Connection


class EncodedRequest(NamedTuple):
    """The bytes of a request. They may hold a token, so its representation shows only their number.

    Attributes:
        head: the request line and headers, with the empty line after them.
        body: the body; with the framing of chunks if it is chunked.
    """

    head: bytes
    body: bytes

    def __repr__(self) -> str:
        return f"EncodedRequest({len(self.head)} + {len(self.body)} bytes)"


def encode_request(
    request: WebhookRequest, *, chunk_bytes: int | None = None, http_version: Literal["1.0", "1.1"] = "1.1"
) -> EncodedRequest:
    r"""Return the bytes of a request, to be written on a connection of `connect`.

    The headers keep their order and case, with Host before them and Content-Length or Transfer-Encoding after
    them.

    Args:
        request: a signed request.
        chunk_bytes: if set, the body has chunks of this size and no Content-Length.
        http_version: the version of HTTP; 1.0 has no chunks.

    Raises:
        DestinationBlocked: as for `send`.
        InvalidArgument: the method, a header or an argument is invalid.
        WebhookError: the HTTP client is not installed.

    >>> from hook_widgets.webhooks import Headers
    >>> url = "http://127.0.0.1:8000/hooks"
    >>> request = WebhookRequest(method="POST", url=url, headers=Headers(), body=b"{}")
    >>> encode_request(request, chunk_bytes=1).body
    b'1\r\n{\r\n1\r\n}\r\n0\r\n\r\n'
    """
    if http_version not in ("1.0", "1.1"):
        raise InvalidArgument(f"http_version={http_version!r} is not supported; give '1.0' or '1.1'")
    if chunk_bytes is not None and (chunk_bytes < 1 or http_version == "1.0"):
        raise InvalidArgument("chunk_bytes= must be 1 or more, and HTTP/1.0 has no chunks; leave it out")
    destination = check(request.url)
    headers = framed_headers(request, destination, chunked=chunk_bytes is not None)
    wire = require(
        "hook_widgets.webhooks.delivery.http1_wire", "httpcore", "encoding a request", WebhookError
    )
    return EncodedRequest(*wire.encode(request, destination, headers, chunk_bytes, http_version))


def connect(
    url: str,
    *,
    timeout_s: float | timedelta = 10.0,
    verify_tls: bool = True,
    ca: str | os.PathLike[str] | None = None,
    allow_hosts: Iterable[str] | None = None,
    resolve: Resolver = socket.getaddrinfo,
) -> Connection:
    """Return a connection to a receiver, to be used in a ``with`` statement.

    Args:
        url: the URL of the receiver.
        timeout_s: the time limit for each step, which are connecting, one `Connection.write` and one
            `Connection.read`: in seconds, or a `timedelta`.
        verify_tls: as for `send`.
        ca: as for `send`.
        allow_hosts: as for `send`.
        resolve: as for `send`.

    Raises:
        DestinationBlocked: the URL must not be sent to.
        InvalidArgument: an argument is invalid, or Python runs in a browser.
        WebhookError: the HTTP client is not installed.

    >>> from hook_widgets.webhooks import Receiver, Secret, provider
    >>> secret = Secret("an example secret")
    >>> with Receiver("generic", secret) as receiver, connect(receiver.url) as connection:
    ...     for _ in range(2):  # two requests on one connection
    ...         request = provider("generic").draft(url=receiver.url).sign(secret)
    ...         head, body = encode_request(request, chunk_bytes=100)
    ...         _ = connection.write(head + body)
    ...         print(connection.read().status)
    200
    200
    """
    if in_browser():
        raise InvalidArgument(NO_SOCKETS)
    destination = check(url, allow_hosts=allow_hosts)
    limit_s = seconds(timeout_s)
    if not 0 < limit_s < math.inf:
        raise InvalidArgument("timeout_s must be a number of seconds above 0, such as 10")
    tls = tls_context(verify_tls=verify_tls, ca=ca) if destination.scheme == "https" else None
    wire = require("hook_widgets.webhooks.delivery.http1_wire", "httpcore", "a connection", WebhookError)
    connection: Connection = wire.Connection(destination, limit_s, tls, resolve)
    return connection
