"""One delivery to a receiver, and what came back."""

from __future__ import annotations

import math
import os
import socket
import time
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final

from hook_widgets.errors import InvalidRequest, WebhookError
from hook_widgets.libraries import in_browser, needed
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.network.destination import Destination, Resolve, check, look_up
from hook_widgets.webhooks.request import WebhookRequest

if TYPE_CHECKING:
    import ssl

    from hook_widgets.webhooks.network.failures import DeliveryError
    from hook_widgets.webhooks.network.transport import Answer

NO_SOCKETS: Final = (
    "Python in a browser has no sockets, and a page may send such a request only to a server that allows it "
    "(CORS), which a receiver of webhooks does not. Run the curl command in a shell: it sends the same bytes."
)
"""What is said where Python runs in a browser."""

ANSWER_BEGINS: Final = "The answer begins with"
"""Behind this, at the end of a message, stand the receiver's own words, which may repeat a secret."""

SLOW_S: Final = 5.0
"""Seconds after which providers advise that an answer is late."""

_HINTS: Final = {
    400: "Client error: the receiver could not read the request. Its answer usually says why.",
    401: "Client error: the receiver did not accept the signature. Check that it holds the same secret, and "
    "both clocks; its answer may say why.",
    403: "Client error: the receiver did not accept the signature or the sender. Check that it holds the "
    "same secret, and whether it guards this path against forged forms (CSRF).",
    404: "Client error: nothing is at this path. Check the URL.",
    405: "Client error: nothing takes this method at this path. Check the URL.",
    413: "Client error: the body is too large for the receiver or a proxy before it.",
}


@dataclass(frozen=True, slots=True)
class Delivery:
    """What happened to one request.

    Attributes:
        status: the HTTP status, or None when no answer came.
        reason: the receiver's words beside the status; may be empty.
        headers: of the answer.
        body: of the answer, at most 1 MiB, with gzip or deflate undone.
        body_truncated: whether more was coming.
        body_length_seen: bytes of the body that were received, as they came over the network.
        elapsed_s: seconds from the look-up of the host to the end of the answer.
        sent_sha256: SHA-256 of the body bytes that went to the socket, in hex; None when the body did
            not go out whole.
        error: why there is no complete answer, or None.
    """

    status: int | None
    reason: str
    headers: Headers
    body: bytes = field(repr=False)
    body_truncated: bool
    body_length_seen: int
    elapsed_s: float
    sent_sha256: str | None
    error: DeliveryError | None

    @property
    def ok(self) -> bool:
        """Whether a provider would count it as delivered: a complete answer with a 2xx status."""
        return self.error is None and self.status is not None and 200 <= self.status < 300

    @property
    def slow(self) -> bool:
        """Whether it took longer than the 5 s within which providers advise to answer."""
        return self.elapsed_s > SLOW_S

    @property
    def text(self) -> str:
        """The body as text, in its own charset or UTF-8; what is no text becomes U+FFFD."""
        for parameter in self.headers.get("Content-Type", "").split(";")[1:]:
            name, _, charset = parameter.partition("=")
            if name.strip().lower() == "charset":
                try:
                    return self.body.decode(charset.strip(" \"'"), "replace")
                except (LookupError, ValueError):
                    break
        return self.body.decode("utf-8", "replace")

    @property
    def advice(self) -> str:
        """A sentence on what the outcome means to a provider, and what to do."""
        if self.status is None or self.error is not None:
            return "Not delivered: a provider would try again later."
        if 200 <= self.status < 300:
            return "Success: a provider would count this as delivered."
        if 300 <= self.status < 400:
            target = self.headers.get("Location")
            return "Redirect, shown and not followed: providers seldom follow one. " + (
                f"Send to its target: {target}" if target else "Send to the final URL."
            )
        if self.status == 429:
            return f"Too many requests: a provider would slow down and retry {self._retry_after()}."
        if self.status >= 500:
            return "Server error: retry advised, with growing pauses. Look into the receiver's log."
        return _HINTS.get(self.status, "Client error: usually not retried. Change request or receiver.")

    def _retry_after(self) -> str:
        """RFC 9110 section 10.2.3: seconds, or a date."""
        given = self.headers.get("Retry-After", "").strip()
        if not given:
            return "with growing pauses (the answer has no Retry-After)"
        return f"after {given} s" if given.isdecimal() else f"after {given}"


def send(
    request: WebhookRequest,
    *,
    timeout_s: float = 30.0,
    verify_tls: bool = True,
    ca: str | os.PathLike[str] | None = None,
    allow_hosts: Iterable[str] | None = None,
    resolve: Resolve = socket.getaddrinfo,
) -> Delivery:
    """Deliver a request once and report what came back.

    The receiver gets the request's headers in their order and case, Host before and Content-Length after
    them, and the body byte for byte. No header is added, no redirect is followed, no cookie is kept, and
    proxies set in the environment are not used: the request goes straight to the receiver.

    Args:
        request: a signed request.
        timeout_s: seconds until everything, from looking up the host to the last byte, has to be over.
        verify_tls: whether the receiver's certificate is checked.
        ca: path of a PEM file with the certificates to trust instead of the machine's own.
        allow_hosts: when given, only these hosts may be sent to; see
            `hook_widgets.webhooks.network.destination`.
        resolve: looks a host up like `socket.getaddrinfo`; asked once.

    Returns:
        A `Delivery`, also when nothing was reached: whatever happens on the network is its ``error``.

    Raises:
        DestinationRefused: the URL or an address of its host is not one to send to; nothing was sent.
        InvalidRequest: an argument or a header cannot be used, or Python runs in a browser; nothing was sent.
        WebhookError: the HTTP client is not installed; nothing was sent.

    >>> from hook_widgets.webhooks import Receiver, Secret, provider
    >>> with Receiver("generic", Secret("example")) as receiver:
    ...     send(provider("generic").draft(url=receiver.url).sign(Secret("example"))).status
    200
    """
    if in_browser():
        raise InvalidRequest(NO_SOCKETS)
    destination = check(request.url, allow_hosts=allow_hosts)
    headers = _headers(request, destination)
    if not 0 < timeout_s < math.inf:
        raise InvalidRequest("timeout_s is a number of seconds above 0, such as 30")
    tls = _tls(verify_tls=verify_tls, ca=ca) if destination.scheme == "https" else None
    needed("hook_widgets.webhooks.network.transport", "httpcore", "Sending", WebhookError)

    from hook_widgets.webhooks.network.failures import explain
    from hook_widgets.webhooks.network.transport import Answer, Closed, Line, NotHttp, exchange

    started = time.monotonic()
    line, answer, error = Line(timeout_s), Answer(), None
    try:
        addresses = line.in_time(partial(look_up, destination, resolve))
        exchange(
            answer,
            line,
            destination,
            addresses,
            method=request.method,
            headers=headers,
            body=request.body,
            tls=tls,
        )
    except (OSError, Closed, NotHttp) as failure:
        error = explain(failure, destination, line, timeout_s)
    return _delivery(answer, error, time.monotonic() - started)


def _headers(request: WebhookRequest, destination: Destination) -> list[tuple[str, str]]:
    """The request's headers with the two that HTTP needs."""
    pairs = list(request.headers.pairs)
    names = {name.lower() for name, _ in pairs}
    for name in ("Content-Length", "Transfer-Encoding"):
        if name.lower() in names:
            raise InvalidRequest(f"{name} is set when the request is sent; remove it from the headers")
    host = [] if "host" in names else [("Host", destination.authority)]
    return [*host, *pairs, ("Content-Length", str(len(request.body)))]


def _tls(*, verify_tls: bool, ca: str | os.PathLike[str] | None) -> ssl.SSLContext:
    import ssl

    import certifi

    if ca is None:
        context = ssl.create_default_context()
        # Some Python builds find no certificates of their own; a machine's own additions count as well.
        context.load_verify_locations(certifi.where())
    else:
        try:
            context = ssl.create_default_context(cafile=ca)
        except OSError as error:  # ssl.SSLError is one
            what = "holds no certificate" if isinstance(error, ssl.SSLError) else "cannot be read"
            raise InvalidRequest(
                f"Not sent: ca={os.fspath(ca)!r} {what}. Give a PEM file with the certificates to trust."
            ) from None
    if not verify_tls:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _delivery(answer: Answer, error: DeliveryError | None, elapsed_s: float) -> Delivery:
    from hook_widgets.webhooks.network.transport import BODY_LIMIT

    headers = Headers(answer.headers)
    body = _decoded(bytes(answer.body), headers.get("Content-Encoding", ""), BODY_LIMIT)
    return Delivery(
        status=answer.status,
        reason=answer.reason,
        headers=headers,
        body=body[:BODY_LIMIT],
        body_truncated=answer.truncated or len(body) > BODY_LIMIT,
        body_length_seen=len(answer.body),
        elapsed_s=elapsed_s,
        sent_sha256=answer.sent_sha256,
        error=error,
    )


def _decoded(body: bytes, coding: str, limit: int) -> bytes:
    """The body with gzip or deflate undone, to just over `limit` bytes; as it came when that fails."""
    if coding.strip().lower() not in ("gzip", "x-gzip", "deflate"):
        return body
    try:
        return zlib.decompressobj(wbits=zlib.MAX_WBITS | 32).decompress(body, limit + 1)  # 32: either header
    except zlib.error:
        return body
