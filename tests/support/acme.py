"""A provider that no catalogue has, written for one test, and what is signed and received for it."""

from __future__ import annotations

import hmac
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hook_widgets.webhooks import ReceivedRequest, Secret, WebhookRequest
from hook_widgets.webhooks.registry import read_provider
from hook_widgets.webhooks.requests.provider import Provider

NOW = datetime(2026, 9, 30, 12, 0, tzinfo=UTC)
KEY, OLD = Secret("a secret of a test"), Secret("the secret before it")
URL = "https://hooks.example.test/in"

_HEAD = """
id = "acme"
kind = "payment"
title = "Acme"
confidence = "docs"
docs = ["https://acme.example/webhooks"]
events = [ { name = "paid", category = "order"%s } ]

[key]
type = "secret"
title = "Key"
example = { alphabet = "hex", length = 32 }
%s
"""

#: Its signatures are elements of one header.
LISTED = """
[[schemes]]
name = "v1"
sources = ["x"]
timestamp = "s"
tolerance_s = 300
rotation = "list"
headers = { "Acme-Signature" = { value = "t={timestamp},v1={signature}", list = "," } }
signatures = [ { algorithm = "hmac-sha256", message = "{timestamp}.{body}", encoding = "hex" } ]
"""

#: Each signature has a header of its own.
OWN_HEADER = """
[[schemes]]
name = "v1"
sources = ["x"]
rotation = { header = "Acme-Signature-{n}" }
headers = { "Acme-Signature-1" = "{signature}" }
signatures = [ { algorithm = "hmac-sha256", message = "{body}", encoding = "base64" } ]
"""

#: The signature is that of a JSON Web Token.
TOKEN = """
[[schemes]]
name = "jwt"
sources = ["x"]
timestamp = "s"
tolerance_s = 60
headers = { "Authorization" = "Bearer {token}.{signature}" }
signatures = [ { algorithm = "hmac-sha256", message = "{token}", encoding = "base64url" } ]

[schemes.fields.token.jwt]
header = { alg = "HS256", typ = "JWT" }
claims = { iss = "acme", iat = { number = "{timestamp}" }, exp = { number = "{timestamp}", plus_s = 60 }, body = "{body_sha256}", url = "{url}" }
"""  # noqa: E501 - an inline table is one line


def acme_in(
    folder: Path, schemes: str, body: bytes = b'{"n": 1}', *, key: str = "", event: str = ""
) -> Provider:
    """The provider with these schemes and this body; `key` and `event` are more lines of theirs."""
    (folder / "events").mkdir(parents=True, exist_ok=True)
    (folder / "events" / "paid.json").write_bytes(body)
    (folder / "provider.toml").write_text(_HEAD % (event, key) + schemes, encoding="utf-8")
    return read_provider(folder)


def mac(key: Secret, message: bytes, algorithm: str = "sha256") -> bytes:
    """HMAC by the standard library alone."""
    return hmac.new(key.reveal().encode(), message, algorithm).digest()


def seen(request: WebhookRequest, **other: Any) -> ReceivedRequest:
    """The request as a receiver sees it, with these parts changed on the way."""
    parts = {"headers": request.headers, "body": request.body, "url": request.url, "method": request.method}
    return ReceivedRequest(**parts | other)
