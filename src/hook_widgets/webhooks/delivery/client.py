"""Deliver one request to a receiver and report the response."""

from __future__ import annotations

import json
import math
import os
import socket
import zlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

from hook_widgets._optional import in_browser, require
from hook_widgets.errors import InvalidArgument, WebhookError
from hook_widgets.webhooks._durations import seconds
from hook_widgets.webhooks.delivery.destination import (
    Destination,
    PreparedRequest,
    Resolver,
    check,
    resolve_addresses,
)
from hook_widgets.webhooks.headers import Headers, check_name, check_value, is_token
from hook_widgets.webhooks.requests.request import WebhookRequest

if TYPE_CHECKING:
    import ssl

    from hook_widgets.webhooks.delivery.errors import DeliveryError
    from hook_widgets.webhooks.delivery.http1 import Attempt, PartialResponse
    from hook_widgets.webhooks.scheme import Sender

NO_SOCKETS: Final = (
    "Python in a browser has no sockets, and a page may send such a request only to a server that allows it "
    "(CORS), which a webhook receiver does not; run the curl command in a shell, which sends the same bytes"
)
"""The error message if Python runs in a browser."""

SLOW_S: Final = 5.0
"""The longest response time that providers advise, in seconds; used where their own limit is not known."""

CHARSETS: Final = {
    "utf-8": "utf-8",
    "utf8": "utf-8",
    "iso-8859-1": "latin-1",
    "latin-1": "latin-1",
    "latin1": "latin-1",
    "iso-8859-15": "iso8859-15",
    "windows-1252": "cp1252",
    "cp1252": "cp1252",
    "utf-16": "utf-16",
    "utf-16le": "utf-16-le",
    "utf-16be": "utf-16-be",
}
"""Charsets that are decoded, and Python's codecs for them, all of which run in linear time.

The receiver chooses the charset, and other codecs of Python, such as punycode, take minutes for one body.
"""

_HINTS: Final = {
    400: "Rejected; often a signature mismatch. Check that the receiver holds the {key} and verifies the "
    "raw bytes of the body.",
    401: "Rejected; often a signature mismatch. Check that the receiver holds the {key}, and both clocks.",
    403: "Rejected; often a signature mismatch. Check that the receiver holds the {key}, and whether it "
    "guards this path against forged forms (CSRF).",
    404: "Client error: nothing is at this path. Check the URL.",
    405: "Client error: nothing takes this method at this path. Check the URL.",
    413: "Client error: the body is too large for the receiver or a proxy before it.",
}

# Receivers reject a wrong signature with one of these: Stripe's sample with 400, others with 401 or 403.
REJECTING_STATUSES: Final = frozenset({400, 401, 403})

_QUOTE_CHARACTERS: Final = 200
# RFC 9457 has "detail" and "title"; RFC 6749 "error_description".
_MESSAGES: Final = (
    "message", "detail", "error_description", "error_message", "msg", "reason", "error", "errors", "title"
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """The outcome of sending one request.

    Attributes:
        status: the HTTP status, or None if no response came.
        reason: the reason phrase of the response; may be empty.
        headers: the headers of the response.
        body: the body of the response, at most 1 MiB, with gzip or deflate decoded.
        body_truncated: True if the body was longer.
        body_length_seen: bytes of the body received from the network, before decoding.
        elapsed_s: seconds from the start of the host lookup to the end of the response, decoded.
        sent_sha256: SHA-256 of the body bytes written to the socket, in hex; None if the body was not sent
            completely.
        error: the reason why there is no complete response, or None.
        key_pair: True if the provider signs with a key pair, so that the receiver holds only a public key.
        within_s: the seconds that the provider waits for a response; None if that is not known.
    """

    status: int | None
    reason: str = ""
    headers: Headers = field(default_factory=Headers)
    body: bytes = field(default=b"", repr=False)
    body_truncated: bool = False
    body_length_seen: int = 0
    elapsed_s: float = 0.0
    sent_sha256: str | None = None
    error: DeliveryError | None = None
    key_pair: bool = False
    within_s: float | None = None

    @property
    def ok(self) -> bool:
        """True for a complete response with a 2xx status, however long it took; see `late`."""
        return self.error is None and self.status is not None and 200 <= self.status < 300

    @property
    def slow(self) -> bool:
        """True if it took longer than the provider waits; if that is not known, than the advised 5 s."""
        return self.elapsed_s > (self.within_s or SLOW_S)

    @property
    def late(self) -> bool:
        """True if it took longer than the provider is known to wait."""
        return self.within_s is not None and self.slow

    @property
    def rejected(self) -> bool:
        """True if the status is one with which receivers reject a signature: 400, 401 or 403."""
        return self.error is None and self.status in REJECTING_STATUSES

    @property
    def text(self) -> str:
        """The body as text, decoded in its charset if that is one of `CHARSETS`, else in UTF-8.

        Undecodable bytes become U+FFFD.
        """
        return self.beginning(len(self.body))

    def beginning(self, size: int) -> str:
        """Return the text of the first `size` bytes of the body, without a character cut in two at the end.

        Args:
            size: the number of bytes to decode.
        """
        text = self.body[:size].decode(self._codec, "replace")
        return text.removesuffix("\ufffd") if size < len(self.body) else text

    @property
    def _codec(self) -> str:
        for parameter in self.headers.get("Content-Type", "").split(";")[1:]:
            name, _, charset = parameter.partition("=")
            if name.strip().lower() == "charset":
                return CHARSETS.get(charset.strip(" \"'").lower(), "utf-8")
        return "utf-8"

    @property
    def advice(self) -> str:
        """The meaning of the outcome to a provider, and what to do; may quote headers of the response."""
        quoted = self._quoted_advice()
        return f"{self.outcome} {quoted}" if quoted else self.outcome

    @property
    def outcome(self) -> str:
        """The meaning of the outcome to a provider. It quotes nothing of the response."""
        if self.error is not None and self.error.code == "stopped":
            return "Not known: the delivery was stopped before a response came."
        if self.status is None or self.error is not None:
            return "Not delivered: a provider would try again later."
        if 200 <= self.status < 300 and self.late:
            return f"Too late: the provider waits {self.within_s:g} s and counts this as not delivered."
        if 200 <= self.status < 300:
            return "Success: a provider would count this as delivered."
        if 300 <= self.status < 400:
            return "Redirect, shown and not followed: providers seldom follow one. Send to the final URL."
        if self.status == 429:
            return "Too many requests: a provider would slow down and retry."
        if self.status >= 500:
            return "Server error: retry advised, with growing pauses. Look into the receiver's log."
        hint = _HINTS.get(self.status, "Client error: usually not retried. Change request or receiver.")
        return hint.format(key="matching public key" if self.key_pair else "same secret")

    def _quoted_advice(self) -> str:
        """Return the part of the advice that quotes the response's headers, or an empty text."""
        if self.status is None or self.error is not None:
            return ""
        if 300 <= self.status < 400 and (target := self.headers.get("Location")):
            return f"Its target: {target}"
        if self.status == 429:
            # RFC 9110 section 10.2.3: seconds or a date.
            value = self.headers.get("Retry-After", "").strip()
            if not value:
                return "The response has no Retry-After, so the pauses grow."
            return f"Retry-After: {value} s." if value.isdecimal() else f"Retry-After: {value}."
        return ""

    @property
    def excerpt(self) -> str:
        """The message in the body, or its beginning, in one line. It may repeat what was sent.

        In JSON it is a member such as ``message`` or ``detail``. Empty for JSON of numbers and truth values
        only, and for markup.
        """
        text = self.beginning(4 * _QUOTE_CHARACTERS)
        with suppress(ValueError, RecursionError):
            text = _message_of(json.loads(text), text)
        text = " ".join(text.split())
        if text.startswith("<"):
            return ""
        words = "".join(char if char.isprintable() else "\ufffd" for char in text)
        return words if len(words) <= _QUOTE_CHARACTERS else f"{words[: _QUOTE_CHARACTERS - 1]}…"


def _message_of(document: object, text: str) -> str:
    """Return the message in the JSON body of an error.

    Without one it is `text`, the whole body, or empty if the body has nothing but numbers and truth values.
    """
    if isinstance(document, list):
        document = document[0] if document else {}
    if not isinstance(document, dict):
        return document if isinstance(document, str) else ""
    for name in _MESSAGES:
        value = document.get(name)
        message = _message_of(value, "") if isinstance(value, dict | list) else value
        if isinstance(message, str) and message.strip():
            return message
    return text if any(isinstance(value, str | dict | list) for value in document.values()) else ""


def send(
    request: WebhookRequest,
    *,
    timeout_s: float | timedelta = 30.0,
    verify_tls: bool = True,
    ca: str | os.PathLike[str] | None = None,
    allow_hosts: Iterable[str] | None = None,
    resolve: Resolver = socket.getaddrinfo,
) -> Delivery:
    """Send a request once and report the outcome.

    The headers are sent in their order and case, with Host before and Content-Length after them, and the body
    byte for byte. No other header is added, redirects are not followed, cookies are not stored, and proxies
    set in the environment are not used: the request goes directly to the receiver.

    Args:
        request: a signed request.
        timeout_s: the time limit for the whole delivery, from the host lookup to decoding the response: in
            seconds, or a `timedelta`.
        verify_tls: if false, the receiver's certificate is not checked.
        ca: path of a PEM file with the certificates to trust instead of the system's.
        allow_hosts: the only hosts to allow, if set; see `hook_widgets.webhooks.delivery.destination`.
        resolve: a function like `socket.getaddrinfo` that resolves the host; called once.

    Returns:
        A `Delivery`, even if the receiver was not reached: network failures are reported in its ``error``.

    Raises:
        DestinationBlocked: the URL or an address of its host must not be sent to; nothing was sent.
        InvalidArgument: the method, a header or an argument is invalid, or Python runs in a browser; nothing
            was sent.
        WebhookError: the HTTP client is not installed; nothing was sent.

    >>> from hook_widgets.webhooks import Receiver, Secret, provider
    >>> with Receiver("generic", Secret("example")) as receiver:
    ...     send(provider("generic").draft(url=receiver.url).sign(Secret("example"))).status
    200
    """
    limit_s = seconds(timeout_s)
    prepared = _prepare(request, limit_s, verify_tls=verify_tls, ca=ca, allow_hosts=allow_hosts)
    from hook_widgets.webhooks.delivery.http1 import Attempt

    return _deliver(prepared, Attempt(limit_s), limit_s, resolve, provider=_provider_of(request))


async def asend(
    request: WebhookRequest,
    *,
    timeout_s: float | timedelta = 30.0,
    verify_tls: bool = True,
    ca: str | os.PathLike[str] | None = None,
    allow_hosts: Iterable[str] | None = None,
    resolve: Resolver = socket.getaddrinfo,
) -> Delivery:
    """Send a request as `send` does, without blocking the event loop.

    It sends in a thread of its own. A cancelled task closes the connection.

    Args:
        request: as for `send`.
        timeout_s: as for `send`.
        verify_tls: as for `send`.
        ca: as for `send`; the file is read before the first await.
        allow_hosts: as for `send`.
        resolve: as for `send`.

    Returns:
        A `Delivery`, as from `send`.

    Raises:
        DestinationBlocked: as for `send`.
        InvalidArgument: as for `send`.
        WebhookError: as for `send`.

    >>> import asyncio
    >>> from hook_widgets.webhooks import Receiver, Secret, provider
    >>> async def deliver() -> int | None:
    ...     async with Receiver("generic", Secret("example")) as receiver:
    ...         request = provider("generic").draft(url=receiver.url).sign(Secret("example"))
    ...         return (await asend(request)).status
    >>> asyncio.run(deliver())
    200
    """
    limit_s = seconds(timeout_s)
    prepared = _prepare(request, limit_s, verify_tls=verify_tls, ca=ca, allow_hosts=allow_hosts)
    import asyncio

    from hook_widgets.webhooks.delivery.http1 import Attempt, in_thread

    attempt = Attempt(limit_s)
    work = partial(_deliver, prepared, attempt, limit_s, resolve, provider=_provider_of(request))
    try:
        return await asyncio.wrap_future(in_thread(work, "delivery"))
    except asyncio.CancelledError:
        attempt.abort()
        raise


def _deliver(
    prepared: PreparedRequest,
    attempt: Attempt,
    timeout_s: float,
    resolve: Resolver,
    *,
    provider: Sender | None,
) -> Delivery:
    """Look up the host, send the request and return the outcome; raise as `send` does."""
    from hook_widgets.webhooks.delivery.errors import explain
    from hook_widgets.webhooks.delivery.http1 import ConnectionClosed, NotHttp, PartialResponse, exchange

    response, error = PartialResponse(), None
    try:
        find = partial(resolve_addresses, prepared.destination, resolve)
        exchange(response, attempt, prepared, attempt.run_with_deadline(find))
    except (OSError, ConnectionClosed, NotHttp) as failure:
        error = explain(failure, prepared.destination, attempt, timeout_s)
    return delivery_from(response, attempt, error, prepared.destination, timeout_s, provider=provider)


def headers_as_sent(request: WebhookRequest) -> Headers:
    """Return the headers that `send` writes for a request, with Host and Content-Length.

    Raises:
        DestinationBlocked: as for `send`.
        InvalidArgument: as for `send`.
    """
    return Headers(framed_headers(request, check(request.url)))


def _prepare(
    request: WebhookRequest,
    timeout_s: float,
    *,
    verify_tls: bool,
    ca: str | os.PathLike[str] | None,
    allow_hosts: Iterable[str] | None,
) -> PreparedRequest:
    """Check everything that can be checked before the network is used; raise as `send` does."""
    if in_browser():
        raise InvalidArgument(NO_SOCKETS)
    destination = check(request.url, allow_hosts=allow_hosts)
    headers = framed_headers(request, destination)
    if not 0 < timeout_s < math.inf:
        raise InvalidArgument("timeout_s must be a number of seconds above 0, such as 30")
    tls = tls_context(verify_tls=verify_tls, ca=ca) if destination.scheme == "https" else None
    require("hook_widgets.webhooks.delivery.http1", "httpcore", "sending", WebhookError)
    return PreparedRequest(
        destination=destination, method=request.method, headers=headers, body=request.body, tls=tls
    )


def delivery_from(
    response: PartialResponse,
    attempt: Attempt,
    error: DeliveryError | None,
    destination: Destination,
    timeout_s: float,
    *,
    provider: Sender | None = None,
) -> Delivery:
    """Return the outcome of an attempt, with the response decoded."""
    from hook_widgets.webhooks.delivery.errors import explain
    from hook_widgets.webhooks.delivery.http1 import BODY_LIMIT

    headers = Headers(response.headers)
    body = decoded(bytes(response.body), headers.get("Content-Encoding", ""), BODY_LIMIT)
    elapsed_s = attempt.elapsed_s()
    if error is None and elapsed_s > timeout_s:
        error = explain(TimeoutError(), destination, attempt, timeout_s)
    return Delivery(
        status=response.status,
        reason=response.reason,
        headers=headers,
        body=body[:BODY_LIMIT],
        body_truncated=response.truncated or len(body) > BODY_LIMIT,
        body_length_seen=len(response.body),
        elapsed_s=elapsed_s,
        sent_sha256=response.sent_sha256,
        error=error,
        key_pair=provider is not None and provider.key.type == "key-pair",
        within_s=provider.responses.within_s if provider else None,
    )


def _provider_of(request: WebhookRequest) -> Sender | None:
    return request.draft.provider if request.draft else None


def framed_headers(
    request: WebhookRequest, destination: Destination, *, chunked: bool = False
) -> list[tuple[str, str]]:
    """Return the request's headers, with Host and Content-Length, or Transfer-Encoding if chunked, added.

    Raises:
        InvalidArgument: the method or a header is not valid in HTTP.
    """
    if not is_token(request.method):
        raise InvalidArgument(f"{request.method!r} is not a method; use one such as POST")
    pairs = request.headers.multi_items()
    for name, value in pairs:
        check_name(name)
        check_value(name, value)
    names = {name.lower() for name, _ in pairs}
    for name in ("Content-Length", "Transfer-Encoding"):
        if name.lower() in names:
            raise InvalidArgument(f"{name} is set when the request is sent; remove it from the headers")
    host = [] if "host" in names else [("Host", destination.authority)]
    framing = ("Transfer-Encoding", "chunked") if chunked else ("Content-Length", str(len(request.body)))
    return [*host, *pairs, framing]


def tls_context(*, verify_tls: bool, ca: str | os.PathLike[str] | None) -> ssl.SSLContext:
    """Return the TLS settings for a connection.

    Raises:
        InvalidArgument: `ca` holds no certificate.
    """
    import ssl

    import certifi

    if ca is None:
        context = ssl.create_default_context()
        # Some Python builds find no system certificates; certificates added to the system are trusted too.
        context.load_verify_locations(certifi.where())
    else:
        try:
            context = ssl.create_default_context(cafile=ca)
        except OSError as error:  # ssl.SSLError is one
            problem = "contains no certificate" if isinstance(error, ssl.SSLError) else "cannot be read"
            raise InvalidArgument(
                f"ca={os.fspath(ca)!r} {problem}; give a PEM file with the certificates to trust"
            ) from None
    if not verify_tls:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def decoded(body: bytes, coding: str, limit: int) -> bytes:
    """Decode gzip or deflate to at most `limit` + 1 bytes; return the body unchanged if that fails."""
    if coding.strip().lower() not in ("gzip", "x-gzip", "deflate"):
        return body
    try:
        return zlib.decompressobj(wbits=zlib.MAX_WBITS | 32).decompress(body, limit + 1)  # 32: either header
    except zlib.error:
        return body
