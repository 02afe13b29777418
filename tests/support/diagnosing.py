"""Requests that do not verify, each with one thing wrong that is known, for the tests of the diagnosis."""

from __future__ import annotations

import hashlib
import hmac
import json
from datetime import UTC, datetime
from functools import cache

from hook_widgets.webhooks import Draft, Headers, KeyPair, ReceivedRequest, Secret, WebhookRequest, provider
from hook_widgets.webhooks.diagnosis import Diagnosis, Investigation, Limits, diagnose, investigate

#: When the requests are made, and received.
AT = datetime(2026, 9, 1, 12, 0, 0, tzinfo=UTC)
URL = "https://hooks.example.com/in?b=2&a=x%20y"

#: What is in most bodies here: something for every habit of an encoder to differ in.
DATA = {
    "type": "invoice.paid",
    "id": 6,
    "name": "Ada Løvelace",
    "link": "https://example.com/a?b=1&c=<2>",
    "items": [{"sku": "T-1", "price": 12.5}, {}],
    "ratio": 1.0,
}


#: The body of the requests below that are signed or carried in another way.
BODY = b'{"type":"invoice.paid","created":1788000000}'
#: When they are made, as most providers write it.
STAMP = str(int(AT.timestamp())).encode()


def compact(data: object = DATA, **options: object) -> bytes:
    """JSON as JavaScript writes it, apart from numbers."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False, **options).encode()  # type: ignore[arg-type]


def key_of(name: str) -> Secret | KeyPair:
    """A credential of a provider, always the same for a shared secret."""
    known = provider(name)
    if known.key.type == "key-pair":
        return known.example_secret()
    example = known.key.example
    text = {"base64": "QWRhIExvdmVsYWNlJ3MgZmlyc3QgcHJvZ3JhbSE=", "hex": "c0ffee00" * 8}.get(
        example.alphabet, "AnalyticalEngine1843NoteG"
    )
    return Secret(example.prefix + text)


def signed(name: str, body: bytes | None = None, *, key: Secret | KeyPair, url: str = URL) -> WebhookRequest:
    """A request as the provider sends it."""
    return provider(name).draft(body=body, at=AT, url=url).sign(key)


def received(
    request: WebhookRequest,
    *,
    body: bytes | None = None,
    headers: Headers | None = None,
    url: str | None = None,
) -> ReceivedRequest:
    """The request as a receiver sees it, with these things changed on the way."""
    return ReceivedRequest(
        request.headers if headers is None else headers,
        request.body if body is None else body,
        request.url if url is None else url,
        request.method,
    )


def causes(
    name: str | None, request: ReceivedRequest, key: object, *, now: datetime = AT, **more: object
) -> tuple[str, ...]:
    """The causes that a diagnosis names."""
    return names(diagnose(name, request, key, now=now, **more))  # type: ignore[arg-type]


def names(diagnosed: Diagnosis) -> tuple[str, ...]:
    """The causes of a diagnosis."""
    return tuple(finding.cause for finding in diagnosed.findings)


def replaced(headers: Headers, old: str, new: str) -> Headers:
    """The headers with a text replaced wherever it stands; it has to stand somewhere."""
    assert any(old in value for value in headers.values())
    return Headers([(name, value.replace(old, new)) for name, value in headers.multi_items()])


def asked(name: str, request: ReceivedRequest, *, limits: Limits | None = None) -> Investigation:
    """The questions about a request."""
    diagnosed = investigate(name, request, now=AT, limits=limits)
    assert isinstance(diagnosed, Investigation)
    return diagnosed


def draft_of(request: WebhookRequest) -> Draft:
    """Return the draft that the request was signed from."""
    assert request.draft is not None
    return request.draft


def secret_of(name: str) -> Secret:
    """A provider's shared secret, always the same."""
    key = key_of(name)
    assert isinstance(key, Secret)
    return key


def signature_text(request: WebhookRequest) -> str:
    """The text of the signature that receivers check."""
    scheme = draft_of(request).scheme
    first = scheme.signatures[0]
    for header, shapes in scheme.header_shapes.items():
        separator = getattr(scheme.headers[header], "list", None)
        value = request.headers.get(header, "")
        for element in value.split(separator) if separator else [value]:
            for shape in shapes:
                match = shape.match(element.strip())
                if match and first.name in match:
                    return match[first.name]
    raise AssertionError("no header carries the signature")


def mac(key: bytes, message: bytes, digest: str | None = "sha256") -> bytes:
    """HMAC by the standard library alone."""
    return hmac.new(key, message, getattr(hashlib, digest or "")).digest()


@cache
def usual(name: str) -> WebhookRequest:
    """The provider's request with `BODY`."""
    return signed(name, BODY, key=key_of(name))


def key_bytes(name: str) -> bytes:
    """The provider's shared secret as the key of its HMAC."""
    return secret_of(name).key_bytes(provider(name).key.spec)


def message_of(name: str) -> bytes:
    """Return the signed message of the default request."""
    return draft_of(usual(name)).jobs()[0].message


def carrying(name: str, text: str) -> ReceivedRequest:
    """The usual request with this text in the place of its signature."""
    request = usual(name)
    return received(request, headers=replaced(request.headers, signature_text(request), text))
