"""Requests as a command prints them."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from hook_widgets.webhooks import Draft, ReceivedRequest, WebhookRequest

SIGNATURE: Final = "<signature>"
"""The text in place of a signature in a dry run."""


def unsigned(draft: Draft) -> WebhookRequest:
    """Return a request with `SIGNATURE` in place of each signature and secret."""
    from hook_widgets.webhooks import WebhookRequest

    signed = dict.fromkeys(draft.scheme.signature_names, SIGNATURE)
    return WebhookRequest(
        method=draft.method,
        url=draft.url,
        headers=draft.render_headers(signed),
        body=draft.render_body(signed),
    )


def text_or_base64(name: str, raw: bytes) -> dict[str, str]:
    """Return a member with bytes as text, or one with them in Base64 if they are not UTF-8."""
    try:
        return {name: raw.decode()}
    except UnicodeDecodeError:
        return {f"{name}_base64": base64.b64encode(raw).decode()}


def as_json(request: WebhookRequest | ReceivedRequest) -> dict[str, Any]:
    """Return a request as a value for JSON."""
    return {
        "method": request.method,
        "url": request.url,
        "headers": [list(pair) for pair in request.headers.multi_items()],
        **text_or_base64("body", request.body),
    }


def as_http(request: WebhookRequest) -> bytes:
    """Return a request as the bytes of HTTP/1.1."""
    from urllib.parse import urlsplit

    parts = urlsplit(request.url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    lines = [f"{request.method} {target} HTTP/1.1", f"Host: {parts.netloc}"]
    lines += [f"{name}: {value}" for name, value in request.headers.multi_items()]
    lines += [f"Content-Length: {len(request.body)}", "", ""]
    return "\r\n".join(lines).encode("latin-1") + request.body
