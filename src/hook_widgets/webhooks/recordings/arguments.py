"""Read the request that a caller passes: as arguments, as the objects of frameworks, or as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.recordings.exchange import Exchange, RecordedRequest, Recording
from hook_widgets.webhooks.recordings.json_forms import BODIES, headers_of
from hook_widgets.webhooks.recordings.mappings import MAX_DEPTH, UNKNOWN, Pairs
from hook_widgets.webhooks.recordings.reading import read_recording, recording_of
from hook_widgets.webhooks.requests.request import ReceivedRequest, WebhookRequest

_MAX_VALUES: Final = 20_000  # values in a mapping or list, with those inside
_NO_BODY: Final = (
    "this has the headers of a request but not its body; give them as headers=, and the raw bytes as body="
)
_UNREAD: Final = (
    "headers= must be a mapping or pairs of names and values, a CGI environment, or the text of a request; "
    "check what you pass"
)


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
        return _of_request(request, url, method)
    if headers is None or (body is None and not isinstance(headers, str)):
        raise InvalidArgument("there is no request; give one, or its headers= and body=")
    recorded = headers_argument(headers)
    if body is None:
        body = recorded.body
    elif recorded.body is not None:
        recorded = _noted(recorded, "body= was used, and not the body in the text of headers=")
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
    if isinstance(argument, str):
        return _only(read_recording(argument))
    value = parsed(argument)
    if isinstance(value, list) and not value:
        return RecordedRequest()
    try:
        return _only(recording_of(value))
    except InvalidArgument:
        # Whoever passes headers= means headers, even without the name of one that is known.
        pairs = headers_of(value)
        if pairs is None:
            raise InvalidArgument(_UNREAD, field="headers") from None
        return RecordedRequest(headers=pairs[0], notes=tuple(pairs[1]))


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


def parsed(value: object) -> Any:
    """Convert an object of Python to the form that `read_mapping` returns.

    Raises:
        InvalidArgument: it is nested too deeply, or has too many values.
    """
    return _Converter().convert(value, 0)


class _Converter:
    def __init__(self) -> None:
        self._count = 0

    def convert(self, value: object, depth: int) -> Any:
        self._count += 1
        if depth > MAX_DEPTH or self._count > _MAX_VALUES:
            raise InvalidArgument(
                "the argument has too many values, or is nested too deeply; give one request", field="headers"
            )
        if value is None or isinstance(value, str | bool):
            return value
        if isinstance(value, bytes | bytearray):
            return value.decode("latin-1")
        if isinstance(value, int | float):
            return str(value)
        if (members := _members(value)) is not None:
            return Pairs((self._text(name), self._member(name, content, depth)) for name, content in members)
        if isinstance(value, list | tuple):
            return [self.convert(item, depth + 1) for item in value]
        if depth == 0 and isinstance(value, Iterable):  # pairs, such as werkzeug's headers or a generator
            return [self.convert(item, 1) for item in value]
        return UNKNOWN

    def _member(self, name: object, content: object, depth: int) -> Any:
        if isinstance(content, bytes) and name in BODIES:
            return content
        return self.convert(content, depth + 1)

    @staticmethod
    def _text(name: object) -> str:
        return name.decode("latin-1") if isinstance(name, bytes) else str(name)


def _members(value: object) -> Iterable[tuple[object, object]] | None:
    """Return the members of a mapping or of an object like one; None if it is none."""
    for method in ("multi_items", "items"):
        items = getattr(value, method, None)
        if callable(items) and not isinstance(value, type):
            return items()  # type: ignore[no-any-return]
    return None


def _plain(argument: object) -> Headers | None:
    """Return the usual form of headers, a mapping or pairs of text.

    None for any other form, for a CGI environment, and for an object that has headers.
    """
    if isinstance(argument, list | tuple):
        if not all(isinstance(item, tuple | list) and len(item) == 2 for item in argument):
            return None
    elif not isinstance(argument, Mapping):
        return None
    headers = Headers(argument)
    pairs: list[tuple[object, object]] = [*headers.multi_items()]
    cgi = hyphen = False
    for name, value in pairs:
        if not (isinstance(name, str) and isinstance(value, str)):
            return None
        hyphen = hyphen or "-" in name
        cgi = cgi or name.startswith(("HTTP_", "REQUEST_METHOD"))
    if cgi and not hyphen:
        return None
    if not hyphen and len(headers) > 1 and {"headers", "multiValueHeaders", "httpMethod"} & set(headers):
        return None
    return headers


def _of_request(request: object, url: str, method: str) -> Received:
    if isinstance(request, ReceivedRequest) and not url:
        return Received(request)
    if isinstance(request, WebhookRequest):
        return Received(ReceivedRequest(request.headers, request.body, url or request.url, request.method))
    if isinstance(request, Recording | Exchange | RecordedRequest):
        recorded = _only(request) if isinstance(request, Recording) else request
        recorded = recorded.request if isinstance(recorded, Exchange) else recorded
    elif isinstance(request, str | bytes):
        recorded = _with_body(_only(read_recording(request)))
    elif isinstance(request, Mapping | list | tuple):
        recorded = _with_body(_only(recording_of(parsed(request))))
    else:
        recorded = _of_object(request)
    return Received(
        ReceivedRequest(
            recorded.headers, recorded.body or b"", url or recorded.url, recorded.method or method
        ),
        recorded.notes,
    )


def _of_object(request: object) -> RecordedRequest:
    """Read the attributes of an object, such as the request of a framework or client."""
    headers = getattr(request, "headers", None)
    if headers is None:
        raise InvalidArgument(
            f"an object of type {type(request).__name__} has no headers; give headers= and body=",
            field="headers",
        )
    recorded = headers_argument(headers)
    body = getattr(request, "body", None)
    if body is None or callable(body):
        body = getattr(request, "content", None)
    if callable(body):
        body = None
    url, method = getattr(request, "url", ""), getattr(request, "method", "")
    return RecordedRequest(
        method=method if isinstance(method, str) else "",
        url=url if isinstance(url, str) else str(url or ""),
        headers=recorded.headers,
        body=checked_body(body),
        notes=recorded.notes,
    )


def _only(recording: Recording) -> RecordedRequest:
    if len(recording.exchanges) > 1:
        raise InvalidArgument(
            f"there are {len(recording.exchanges):,} requests; give one of them", field="headers"
        )
    request = recording.exchanges[0].request
    notes = (f"read from a {recording.format.value}", *recording.notes, *request.notes)
    return replace(request, notes=notes)


def _with_body(request: RecordedRequest) -> RecordedRequest:
    if request.body is None:
        raise InvalidArgument(_NO_BODY, field="body")
    return request


def _noted(request: RecordedRequest, note: str) -> RecordedRequest:
    return replace(request, notes=(*request.notes, note))
