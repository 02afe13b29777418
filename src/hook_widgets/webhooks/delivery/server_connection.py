"""One connection to the local receiver: HTTP/1.1 by h11, with budgets on time and size."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import formatdate
from http import HTTPStatus
from typing import Final

import h11

from hook_widgets.errors import WebhookError
from hook_widgets.webhooks.delivery.responses import ReceiverResponse
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.requests.request import ReceivedRequest
from hook_widgets.webhooks.verification.verify import Reason, Verdict

HEAD_LIMIT: Final = 512 * 1024  # bytes; a thousand RSA signatures in a header need 350 KB
BODY_LIMIT: Final = 25 * 1024 * 1024  # bytes; GitHub's limit, the largest that a provider documents
UNSIGNED_LIMIT: Final = 1024 * 1024
"""The size of a body, in bytes, above which a request without a signature is rejected before it is read."""
READ_TIMEOUT_S: Final = 10.0
"""Seconds to wait for the next bytes from a sender."""
REQUEST_TIMEOUT_S: Final = 20.0
"""Seconds from the first byte of a request to its last."""

_LINGER_S: Final = 5.0
_LINGER_BYTES: Final = 4 * BODY_LIMIT
_METHODS: Final = frozenset({"DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"})
_UNREADABLE: Final = (Reason.MISSING_HEADER, Reason.MALFORMED_HEADER, Reason.MALFORMED_BODY)


@dataclass(frozen=True, slots=True)
class Verifier:
    """The decisions about requests.

    Attributes:
        verify: verifies and records a request.
        lacks_signature: returns True if the headers of a request, without its body, lack what is needed.
    """

    verify: Callable[[ReceivedRequest], Verdict | ReceiverResponse]
    lacks_signature: Callable[[ReceivedRequest], bool]


class _Rejected(Exception):
    """The request is not read to its end."""

    def __init__(self, status: HTTPStatus, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.status, self.reason, self.detail = status, reason, detail


class _HungUp(Exception):
    """The sender closed the connection within a request."""


class ServerConnection:
    """Serves the requests of one connection, one after the other.

    Args:
        connection: the socket, whose TLS handshake is done.
        verifier: decides about each request.
        tls: True if the requests come by HTTPS.
        explain: True if a rejection tells its reason.
    """

    def __init__(self, connection: socket.socket, verifier: Verifier, *, tls: bool, explain: bool) -> None:
        self._socket = connection
        self._verifier = verifier
        self._scheme = "https" if tls else "http"
        self._explain = explain
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_LIMIT)
        self._deadline_s: float | None = None

    def serve(self) -> None:
        """Serve requests until one side closes the connection.

        Raises:
            OSError: the sender broke the connection or is too slow.
        """
        try:
            while self._serve_one():
                self._http.start_next_cycle()
                self._deadline_s = None
        except _HungUp:
            pass
        except h11.RemoteProtocolError as error:
            self._refuse(HTTPStatus(error.error_status_hint), "bad_request", str(error))
        except _Rejected as rejected:
            self._refuse(rejected.status, rejected.reason, rejected.detail)

    def _serve_one(self) -> bool:
        """Serve one request; True if another may follow."""
        event = self._next()
        if not isinstance(event, h11.Request):
            return False  # the sender closed the connection
        method = event.method.decode("ascii")
        if method not in _METHODS:
            raise _Rejected(HTTPStatus.NOT_IMPLEMENTED, "bad_method", f"the method {method!r} is not known")
        request = self._request(event, method, self._body(event, method))
        status, content = self._verified(request)
        self._respond(status, content, head=method == "HEAD")
        return self._http.our_state is h11.DONE and self._http.their_state is h11.DONE

    def _verified(self, request: ReceivedRequest) -> tuple[HTTPStatus, dict[str, object] | ReceiverResponse]:
        """Return the response; without ``explain`` each rejection has the same one."""
        try:
            verdict = self._verifier.verify(request)
        except WebhookError as error:
            status, reason, detail, received = HTTPStatus.INTERNAL_SERVER_ERROR, "receiver", str(error), False
        else:
            if isinstance(verdict, ReceiverResponse):
                return HTTPStatus(verdict.status), verdict
            reason, detail, received = verdict.reason, verdict.detail, verdict.ok
            status = HTTPStatus.OK if received else HTTPStatus.UNAUTHORIZED
            if self._explain and verdict.reason in _UNREADABLE:
                status = HTTPStatus.BAD_REQUEST
        if not self._explain:
            return status, {"received": received}
        return status, {"received": received, "reason": reason, "detail": detail}

    def _body(self, request: h11.Request, method: str) -> bytes:
        known = False  # True once the headers of a large request are known to have a signature
        announced = next((int(value) for name, value in request.headers if name == b"content-length"), 0)
        if announced > BODY_LIMIT:
            raise _too_large()
        if announced > UNSIGNED_LIMIT:
            known = self._check_signed(request, method)
        if self._http.they_are_waiting_for_100_continue:
            self._send(h11.InformationalResponse(status_code=100, headers=[], reason=b"Continue"))
        body = bytearray()
        while isinstance(event := self._next(), h11.Data):
            body += event.data
            if len(body) > BODY_LIMIT:
                raise _too_large()
            if len(body) > UNSIGNED_LIMIT and not known:
                known = self._check_signed(request, method)
        return bytes(body)

    def _check_signed(self, request: h11.Request, method: str) -> bool:
        """Return True if the headers have what the verification needs, else raise."""
        if self._verifier.lacks_signature(self._request(request, method, b"")):
            detail = "a large request without a signature is not read"
            raise _Rejected(HTTPStatus.UNAUTHORIZED, Reason.MISSING_HEADER, detail)
        return True

    def _next(self) -> h11.Event:
        """Return the next event of the sender, within the budget of time."""
        while (event := self._http.next_event()) is h11.NEED_DATA:
            data = self._receive()
            if not data and (self._http.their_state is not h11.IDLE or self._http.trailing_data[0]):
                raise _HungUp
            self._http.receive_data(data)
        assert isinstance(event, h11.Event)  # a paused connection ends before the next event is asked for
        return event

    def _receive(self) -> bytes:
        remaining_s = READ_TIMEOUT_S
        if self._deadline_s is not None:
            remaining_s = min(remaining_s, self._deadline_s - time.monotonic())
        try:
            if remaining_s <= 0:
                raise TimeoutError
            self._socket.settimeout(remaining_s)
            data = self._socket.recv(65536)
        except TimeoutError:
            if self._deadline_s is None:
                raise  # nothing was asked for
            detail = "the request did not arrive in time"
            raise _Rejected(HTTPStatus.REQUEST_TIMEOUT, "too_slow", detail) from None
        if self._deadline_s is None:
            self._deadline_s = time.monotonic() + REQUEST_TIMEOUT_S
        return data

    def _request(self, event: h11.Request, method: str, body: bytes) -> ReceivedRequest:
        headers = Headers(
            (name.decode("ascii"), value.decode("latin-1")) for name, value in event.headers.raw_items()
        )
        target = event.target.decode("latin-1")
        url = f"{self._scheme}://{headers.get('Host', '')}{target}" if target.startswith("/") else target
        return ReceivedRequest(headers, body, url, method)

    def _respond(
        self,
        status: HTTPStatus,
        content: Mapping[str, object] | ReceiverResponse,
        *,
        head: bool = False,
        close: bool = False,
    ) -> None:
        if not isinstance(content, ReceiverResponse):
            data = json.dumps(dict(content)).encode()
            content = ReceiverResponse(status, {"Content-Type": "application/json"}, data)
        data = content.body
        length = [] if status is HTTPStatus.NO_CONTENT else [("Content-Length", str(len(data)))]
        headers = [
            ("Server", "hook_widgets"),
            ("Date", formatdate(usegmt=True)),
            *content.headers.items(),
            *length,
            *([("Connection", "close")] if close else []),
        ]
        response = h11.Response(status_code=status, headers=headers, reason=status.phrase.encode())
        # In one piece: a second small one would wait for the acknowledgement of the first (40 ms).
        self._send(response, *([] if head else [h11.Data(data=data)]), h11.EndOfMessage())

    def _refuse(self, status: HTTPStatus, reason: str, detail: str) -> None:
        """Respond to a request that is not read to its end, and close the connection."""
        if self._http.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            return
        self._respond(status, {"received": False, "reason": reason, "detail": detail}, close=True)
        # Unread bytes would cause a reset, which hides the response from the sender.
        socket.socket.shutdown(self._socket, socket.SHUT_WR)
        ends_s, unread = time.monotonic() + _LINGER_S, _LINGER_BYTES
        while unread > 0 and (remaining_s := ends_s - time.monotonic()) > 0:
            self._socket.settimeout(remaining_s)
            data = self._socket.recv(65536)
            if not data:
                return
            unread -= len(data)

    def _send(self, *events: h11.InformationalResponse | h11.Response | h11.Data | h11.EndOfMessage) -> None:
        self._socket.settimeout(READ_TIMEOUT_S)
        self._socket.sendall(b"".join(self._http.send(event) or b"" for event in events))


def _too_large() -> _Rejected:
    detail = f"the body is larger than {BODY_LIMIT} bytes"
    return _Rejected(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large", detail)
