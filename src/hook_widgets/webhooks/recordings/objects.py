"""Read the objects that frameworks and functions get as a request or as its headers, and texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks.recordings.arguments import checked_body, headers_argument
from hook_widgets.webhooks.recordings.exchange import (
    Exchange,
    RecordedRequest,
    Recording,
    RecordingFormat,
)
from hook_widgets.webhooks.recordings.reading import read_recording, recording_of
from hook_widgets.webhooks.recordings.structures.json_forms import BODIES, headers_of
from hook_widgets.webhooks.recordings.structures.mappings import MAX_DEPTH, UNKNOWN, Pairs

_MAX_VALUES: Final = 20_000  # values in a mapping or list, with those inside
_NO_BODY: Final = (
    "this has the headers of a request but not its body{note}; give them as headers=, and the raw "
    "bytes as body="
)
_UNREAD: Final = (
    "headers= must be a mapping or pairs of names and values, a CGI environment, or the text of a request; "
    "check what you pass"
)


def read_headers(argument: object) -> RecordedRequest:
    """Read headers in another form than the usual one, and what else the argument tells of the request.

    Raises:
        InvalidArgument: it has no headers.
    """
    if isinstance(argument, str):
        return _only(read_recording(argument))
    value = parsed(argument)
    if isinstance(value, list) and not value:
        return RecordedRequest()
    try:
        return _only(recording_of(value))
    except InvalidArgument:
        # Whoever passes headers= means headers, also without known names and with names that HTTP rejects.
        pairs = headers_of(value, any_name=True)
        if pairs is None:
            raise InvalidArgument(_UNREAD, field="headers") from None
        return RecordedRequest(headers=pairs[0], notes=tuple(pairs[1]))


def read_request(request: object) -> RecordedRequest:
    """Read a request: a recording, a text, an event or similar mapping, or an object with attributes.

    Raises:
        InvalidArgument: it is not one request with headers and body.
    """
    if isinstance(request, Recording):
        return _only(request)
    if isinstance(request, Exchange):
        return request.request
    if isinstance(request, RecordedRequest):
        return request
    if isinstance(request, str | bytes):
        return _with_body(_only(read_recording(request)))
    if isinstance(request, Mapping | list | tuple):
        return _with_body(_only(recording_of(parsed(request))))
    return _of_object(request)


def parsed(value: object) -> Any:
    """Convert an object of Python to the form that `read_mapping` returns.

    Raises:
        InvalidArgument: it is nested too deeply, has too many values, or a name that is no text.
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
        if isinstance(name, bytes):
            return name.decode("latin-1")
        if not isinstance(name, str):
            raise InvalidArgument(f"{name!r:.40} is no name; give names of headers as text", field="headers")
        return name


def _members(value: object) -> Iterable[tuple[object, object]] | None:
    """Return the members of a mapping or of an object like one; None if it is none."""
    for method in ("multi_items", "items"):
        items = getattr(value, method, None)
        if callable(items) and not isinstance(value, type):
            return items()  # type: ignore[no-any-return]
    return None


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
    notes = (*recording.notes, *request.notes)
    if notes or recording.format is not RecordingFormat.LINES:
        notes = (f"read as {recording.format.value}", *notes)
    return replace(request, notes=notes)


def _with_body(request: RecordedRequest) -> RecordedRequest:
    if request.body is None:
        note = f" ({request.notes[-1]})" if request.notes else ""
        raise InvalidArgument(_NO_BODY.format(note=note), field="body")
    return request
