"""A transport that passes requests to receivers of this process: same bytes, same HTTP layer, no sockets."""

from __future__ import annotations

from collections.abc import Mapping
from http.client import HTTPResponse
from io import BytesIO
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

from hook_widgets.receivers import Transport
from hook_widgets.webhooks import Delivery, Headers, WebhookRequest
from hook_widgets.webhooks.delivery import encode_request
from tests.receiver_checks.http_layer import Handler, HttpReceiver


class _InMemory(Handler):
    def __init__(self, receiver: HttpReceiver, data: bytes) -> None:
        self.server: Any = SimpleNamespace(receiver=receiver)
        self.rfile: Any = BytesIO(data)
        self.wfile: Any = BytesIO()
        self.handle_one_request()


def in_memory(receivers: Mapping[str, HttpReceiver]) -> Transport:
    """Return a transport; `receivers` are by the authority of their URLs."""

    def deliver(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        receiver = receivers[urlsplit(request.url).netloc]
        start_s = receiver.busy_s
        written = _InMemory(receiver, b"".join(encode_request(request))).wfile.getvalue()
        response = HTTPResponse(SimpleNamespace(makefile=lambda _: BytesIO(written)), method=request.method)  # type: ignore[arg-type]
        response.begin()
        body = response.read()
        return Delivery(
            status=response.status,
            reason=response.reason,
            headers=Headers(response.getheaders()),
            body=body,
            body_length_seen=len(body),
            elapsed_s=receiver.busy_s - start_s,
        )

    return deliver
