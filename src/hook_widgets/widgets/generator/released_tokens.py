"""Remove a token that a tab released for one delivery from everything that is kept of that delivery."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote, quote_plus

from hook_widgets.webhooks.delivery.client import Delivery
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.requests.request import Draft, WebhookRequest
from hook_widgets.widgets.generator import serialize as wire

# A shorter text occurs by chance, so that a response cannot be searched for it.
_MIN_SEARCHED = 6


@dataclass(frozen=True)
class Release:
    """The delivery for which a tab is asked to release the token.

    Attributes:
        host: the receiver, as the question names it.
        ticket: text by which a tab knows that it started this delivery.
    """

    host: str
    ticket: str


def request_without_token(draft: Draft) -> WebhookRequest:
    """Return the request of a draft with dots for its token."""
    dots = wire.masked(draft)
    return WebhookRequest(
        method=draft.method,
        url=draft.url,
        headers=draft.render_headers(dots),
        body=draft.render_body(dots),
        draft=draft,
    )


def delivery_without_tokens(delivery: Delivery, tokens: Sequence[bytes], *, in_body: bool) -> Delivery:
    """Return a delivery whose response does not repeat a token, plain or in a common encoding.

    A part of the response that still shows a token after it was replaced is left out.

    Args:
        delivery: the outcome of sending.
        tokens: the tokens that the request carried.
        in_body: True if the body carried one; then its hash would allow guesses of the token.
    """
    forms = sorted({form for token in tokens for form in _forms(token)}, key=len, reverse=True)
    if any(len(token) < _MIN_SEARCHED for token in tokens):
        delivery = replace(delivery, reason="", headers=Headers(()), body=b"")
    body = delivery.body
    for form in forms:
        body = body.replace(form.encode("utf-8", "surrogateescape"), wire.MASK.encode())
    headers = Headers(
        (_without(name, forms), _without(value, forms)) for name, value in delivery.headers.multi_items()
    )
    error = delivery.error
    clean = replace(
        delivery,
        reason=_without(delivery.reason, forms),
        headers=headers,
        body=body,
        sent_sha256=None if in_body else delivery.sent_sha256,
        error=None if error is None else replace(error, excerpt=""),
    )
    # The charset of the response decides which text is read.
    return replace(clean, body=b"") if any(form in clean.text for form in forms) else clean


def _without(text: str, forms: Sequence[str]) -> str:
    for form in forms:
        text = text.replace(form, wire.MASK)
    return text


def _forms(token: bytes) -> Iterator[str]:
    """Yield the token as it may be written in a response."""
    text = token.decode("utf-8", "surrogateescape")
    yield from (text, text.strip(), html.escape(text), json.dumps(text, ensure_ascii=False)[1:-1])
    yield from (json.dumps(text)[1:-1], repr(text)[1:-1])
    for kind in (quote, quote_plus):
        yield kind(token, safe="")
        yield kind(token, safe="").replace("%2F", "/")
    yield from (token.hex(), token.hex().upper())
    # Base64 of a longer text shows the token in one of three alignments (RFC 4648 section 4).
    for before in range(3):
        coded = base64.b64encode(bytes(before) + token).decode()
        start = -(-before * 8 // 6)
        end = (before + len(token)) * 8 // 6
        yield coded[start:end]
        yield coded[start:end].translate(str.maketrans("+/", "-_"))
