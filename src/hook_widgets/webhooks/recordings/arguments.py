"""Read the request that a caller passes as arguments.

The usual arguments need none of the other modules here, which are loaded for all other forms.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.recordings.exchange import Exchange, RecordedRequest, Recording
from hook_widgets.webhooks.requests.request import Receivable, ReceivedRequest, WebhookRequest

RequestLike: TypeAlias = Receivable | RecordedRequest | Exchange | Recording | Mapping[str, Any] | str | bytes
"""Everything that `verify` and `diagnose` take for a request."""

HeadersLike: TypeAlias = Mapping[Any, Any] | Iterable[Any]
"""Everything that they take for headers: mappings, pairs, objects with name and value, and text."""


class Received(NamedTuple):
    """A request that was read.

    Attributes:
        request: the request.
        notes: sentences about the form that was read, and what it does not tell; none for usual arguments.
    """

    request: ReceivedRequest
    notes: tuple[str, ...] = ()


def received_of(
    request: object = None,
    *,
    headers: object = None,
    body: object = None,
    url: str = "",
    method: str = "POST",
) -> Received:
    """Read a request from the arguments of `verify` and `diagnose`.

    Args:
        request: a request or any object with its attributes, a `RecordedRequest`, an event of AWS Lambda or a
            similar mapping, or the text of a request.
        headers: the headers in any form that `read_recording` reads, or as a framework has them.
        body: the raw body.
        url: the full URL; that of the request by default.
        method: the HTTP method, if the request does not tell it.

    Raises:
        InvalidArgument: the arguments do not form one request.
    """
    if request is not None:
        if headers is not None or body is not None:
            raise InvalidArgument("there are two requests; give either a request or headers= and body=")
        if isinstance(request, ReceivedRequest | WebhookRequest) and _is_usual(request):
            return Received(
                ReceivedRequest(request.headers, request.body, url or request.url, request.method)
            )
        recorded = _of_request(request)
        body = b"" if recorded.body is None else recorded.body
        return Received(
            ReceivedRequest(recorded.headers, body, url or recorded.url, recorded.method or method),
            recorded.notes,
        )
    if headers is None or (body is None and not isinstance(headers, str)):
        raise InvalidArgument("there is no request; give one, or its headers= and body=")
    if isinstance(body, bytes) and (plain := _plain(headers)) is not None:
        return Received(ReceivedRequest(plain, body, url, method))
    recorded = headers_argument(headers)
    if body is None:
        body = recorded.body
    elif recorded.body is not None:
        note = "body= was used, and not the body in the text of headers="
        recorded = replace(recorded, notes=(*recorded.notes, note))
    return Received(
        ReceivedRequest(recorded.headers, checked_body(body), url or recorded.url, recorded.method or method),
        recorded.notes,
    )


def headers_argument(argument: object) -> RecordedRequest:
    """Read headers, and what else the argument tells of the request.

    Raises:
        InvalidArgument: it has no headers.
    """
    plain = _plain(argument)
    if plain is not None:
        return RecordedRequest(headers=plain)
    from hook_widgets.webhooks.recordings import objects

    return objects.read_headers(argument)


def checked_body(body: object) -> bytes:
    """Return the raw body.

    Raises:
        InvalidArgument: it is not bytes.
    """
    if isinstance(body, bytes | bytearray | memoryview):
        return bytes(body)
    kind = "missing" if body is None else f"of type {type(body).__name__}"
    raise InvalidArgument(
        f"the body is {kind}; body= must be the raw bytes as received, before any parser (decode base64)"
    )


def _plain(argument: object) -> Headers | None:
    """Return the usual form of headers, a mapping or pairs of text.

    None for any other form, for a CGI environment, and for an object that has headers.
    """
    if isinstance(argument, list | tuple):
        if not all(isinstance(item, tuple | list) and len(item) == 2 for item in argument):
            return None
    elif not isinstance(argument, Mapping):
        return None
    headers = argument if isinstance(argument, Headers) else Headers(argument)
    if not all(isinstance(text, str) for pair in headers.multi_items() for text in pair):
        return None
    names = {name for name, _ in headers.multi_items()}
    if any("-" in name for name in names):
        return headers  # as almost all requests have, but no environment, and no object with headers
    if any(name.startswith(("HTTP_", "REQUEST_METHOD")) for name in names):
        return None
    return None if len(names) > 1 and names & {"headers", "multiValueHeaders", "httpMethod"} else headers


def _is_usual(request: ReceivedRequest | WebhookRequest) -> bool:
    headers: object = request.headers  # types are not checked when it runs
    return isinstance(headers, Headers) and _plain(headers) is not None


def _of_request(request: object) -> RecordedRequest:
    if isinstance(request, WebhookRequest | ReceivedRequest):
        recorded = headers_argument(request.headers)
        return replace(recorded, method=request.method, url=request.url, body=request.body)
    from hook_widgets.webhooks.recordings import objects

    return objects.read_request(request)
