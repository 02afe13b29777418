"""Read JSON that describes a request: headers, an event of a cloud function, or an export of this package."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks.headers import Headers, is_token
from hook_widgets.webhooks.recordings.environ import is_environ, read_environ
from hook_widgets.webhooks.recordings.exchange import MAX_HEADERS, RecordedRequest
from hook_widgets.webhooks.recordings.mappings import Pairs
from hook_widgets.webhooks.recordings.urls import absolute

_NO_HEADERS: Final = (
    "this is not a request and not a list of headers; paste headers, raw HTTP, a curl command or HAR"
)


def load(text: str) -> Any:
    """Parse JSON, with the members of objects as `Pairs`.

    Raises:
        ValueError: it is not JSON, or nested too deeply.
    """
    try:
        return json.loads(text, object_pairs_hook=Pairs, parse_int=str, parse_float=str, parse_constant=str)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def headers_of(value: Any) -> Headers | None:
    """Return the headers of a mapping or list; None if it is not one of headers.

    A value may be a text, a number or a list of texts. A list has pairs, or objects with name and value.
    """
    pairs: list[tuple[str, str]] = []
    if isinstance(value, Pairs):
        members: Iterable[tuple[Any, Any]] = value
    elif isinstance(value, list) and all(map(_is_pair, value)):
        members = [_pair(item) for item in value]
    else:
        return None
    for name, content in members:
        texts = content if isinstance(content, list) and not isinstance(content, Pairs) else [content]
        if not isinstance(name, str) or not is_token(name.removeprefix(":")):
            return None
        pairs.extend((name, text) for text in texts if isinstance(text, str))
    if len(pairs) > MAX_HEADERS:
        raise InvalidArgument(
            f"there are more than {MAX_HEADERS:,} headers; paste one request", field="headers"
        )
    return Headers(pairs)


def _is_pair(item: Any) -> bool:
    if isinstance(item, Pairs):
        return isinstance(item.first("name", "key"), str)
    return isinstance(item, list) and len(item) == 2 and isinstance(item[0], str)


def _pair(item: Any) -> tuple[str, Any]:
    if isinstance(item, Pairs):
        return item.first("name", "key"), item.first("value")
    return item[0], item[1]


def request_of(value: Any) -> tuple[RecordedRequest, str]:
    """Return the request that a mapping or list describes, and the kind of description.

    The kind is ``"event"`` for an object with ``headers``, else ``"environ"`` or ``"headers"``.

    Raises:
        InvalidArgument: it describes none.
    """
    inner = value.first("headers", "multiValueHeaders") if isinstance(value, Pairs) else None
    if inner is not None and not isinstance(inner, str) and (headers := headers_of(inner)) is not None:
        return _event(value, headers), "event"
    if isinstance(value, Pairs) and is_environ(name for name, _ in value):
        return read_environ((name, text) for name, text in value if isinstance(text, str)), "environ"
    found_headers = headers_of(value)
    if found_headers is None or not found_headers.multi_items():
        raise InvalidArgument(_NO_HEADERS, field="headers")
    return RecordedRequest(headers=found_headers), "headers"


def _event(event: Pairs, headers: Headers) -> RecordedRequest:
    """Read an object with headers: an export, an event of AWS Lambda or Google Cloud, a scope of ASGI."""
    context = event.first("requestContext")
    http = context.first("http") if isinstance(context, Pairs) else None
    method = _text(event.first("method", "httpMethod")) or (
        _text(http.first("method")) if isinstance(http, Pairs) else ""
    )
    target = _text(event.first("url", "rawPath", "path", "requestPath"))
    query = _text(event.first("rawQueryString", "query_string"))
    if query and "?" not in target:
        target = f"{target}?{query}"
    url, notes = absolute(target, headers.get("Host", ""))
    body, more = _body_of(event)
    return RecordedRequest(method=method, url=url, headers=headers, body=body, notes=(*notes, *more))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _body_of(event: Pairs) -> tuple[bytes | None, list[str]]:
    body = event.first("body", "rawBody", "body_base64")
    if isinstance(body, Pairs | list):
        return None, ["the body is given as parsed JSON, so its bytes are unknown"]
    if not isinstance(body, str):
        return None, ["the body is not given"]
    encoded = event.first("isBase64Encoded") is True or event.first("body_base64") is body
    if encoded or event.first("bodyEncoding", "encoding") == "base64":
        return from_base64(body)
    return text_bytes(body), []


def from_base64(text: str) -> tuple[bytes | None, list[str]]:
    """Decode base64; None and a note if it is not valid."""
    try:
        return base64.b64decode(text, validate=True), []
    except (binascii.Error, ValueError):
        return None, ["the base64 of the body is damaged"]


def text_bytes(text: str) -> bytes:
    """Return the UTF-8 of a text that may contain half a surrogate pair, which JSON can write."""
    return text.encode("utf-8", "surrogatepass")


def moment(value: Any) -> datetime | None:
    """Return a time in ISO 8601, with its zone; None if it is not one."""
    try:
        at = datetime.fromisoformat(value) if isinstance(value, str) and len(value) < 60 else None
    except ValueError:
        return None
    return at if at is not None and at.tzinfo is not None else None


def number(value: Any) -> float | None:
    """Return a number of JSON as it was loaded, if it is finite; None if it is not one."""
    if not isinstance(value, str) or len(value) > 40:
        return None
    try:
        result = float(value)
    except ValueError:
        return None
    return result if abs(result) < 1e15 else None
