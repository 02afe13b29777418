"""Read JSON that describes a request: headers, an event of a cloud function, or an export of this package."""

from __future__ import annotations

import base64
import binascii
import contextlib
import json
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any, Final
from urllib.parse import quote_plus

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks._texts import encoded
from hook_widgets.webhooks.body.locators import is_text
from hook_widgets.webhooks.headers import Headers, is_token
from hook_widgets.webhooks.recordings.exchange import MAX_HEADERS, RecordedRequest, length_note
from hook_widgets.webhooks.recordings.structures.cassettes import cassette
from hook_widgets.webhooks.recordings.structures.environ import (
    is_environ,
    is_known,
    read_environ,
    spelling,
)
from hook_widgets.webhooks.recordings.structures.mappings import Bare, Pairs
from hook_widgets.webhooks.recordings.structures.postman import collection, is_disabled
from hook_widgets.webhooks.recordings.urls import absolute

_NO_HEADERS: Final = (
    "this is not a request and not a list of headers; paste headers, raw HTTP, a curl command or HAR"
)
_A_BODY: Final = (
    "none of these names is a header, so this is rather a body; give the headers, and the body by itself"
)
_UNREAD_HEADERS: Final = (
    "the headers in this object cannot be read; they must be names and values, or objects with name and value"
)
_NOCK: Final = (
    "these headers are those of the response, as nock records them; record with enable_reqheaders_recording, "
    "or paste the request"
)
_EVENT: Final = frozenset({"headers", "multiValueHeaders", "httpMethod", "isBase64Encoded", "requestContext"})
BODIES: Final = (
    "rawBody", "raw_body", "bodyRaw", "body_raw", "body", "request_body", "body_base64", "content", "data",
    "Request Body", "payload",
)  # fmt: skip
"""Names of the body in an object with headers, a raw one first."""


def load(text: str) -> Any:
    """Parse JSON, with the members of objects as `Pairs`.

    Raises:
        ValueError: it is not JSON, or nested too deeply.
    """
    try:
        return json.loads(text, object_pairs_hook=Pairs, parse_int=str, parse_float=str, parse_constant=str)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def headers_of(value: Any, *, any_name: bool = False) -> tuple[Headers, list[str]] | None:
    """Return the headers of a mapping or list, and notes on values that are no text; None if it has none.

    A value may be a text, a number or a list of texts. A list has pairs, objects with name and value, or
    names and values in turn, as ``rawHeaders`` in Node. A name that HTTP does not allow
    means that these are no headers, unless ``any_name`` is set.
    """
    members = _members(value)
    if members is None:
        return None
    pairs: list[tuple[str, str]] = []
    empty: list[str] = []
    for name, content in members:
        if not isinstance(name, str) or not (any_name or is_token(name.removeprefix(":"))):
            return None
        texts = _texts(content)
        if texts is None:
            return None
        if not texts:
            empty.append(name)
        pairs.extend((name, text) for text in texts)
        if len(pairs) + len(empty) > MAX_HEADERS:
            raise InvalidArgument(
                f"there are more than {MAX_HEADERS:,} headers; paste one request", field="headers"
            )
    notes = [f"left out, because the value is no text: {', '.join(empty[:5])}"] if empty else []
    return Headers(pairs), notes


def _members(value: Any) -> Iterable[tuple[Any, Any]] | None:
    if isinstance(value, Pairs):
        return value
    if not isinstance(value, list):
        return None
    if all(map(_is_pair, value)):
        return (_pair(item) for item in value if not is_disabled(item))
    lines = [item.partition(": ") for item in value if isinstance(item, str)]
    if len(lines) == len(value) and all(colon and is_token(name) for name, colon, _ in lines):
        return [(name, text) for name, _, text in lines]
    if len(value) > 2 and len(value) % 2 == 0 and all(isinstance(item, str) for item in value):
        return zip(value[::2], value[1::2], strict=True)
    return None


def _is_pair(item: Any) -> bool:
    if isinstance(item, Pairs):
        named = isinstance(item.first("name", "key", "Name", "Key"), str)
        return named and any(name in ("value", "Value") for name, _ in item)
    return isinstance(item, list) and len(item) == 2 and isinstance(item[0], str)


def _pair(item: Any) -> tuple[str, Any]:
    if isinstance(item, Pairs):
        return item.first("name", "key", "Name", "Key"), item.first("value", "Value")
    return item[0], item[1]


def _texts(content: Any) -> list[str] | None:
    """Return the texts of a header's value; None for an object, which no header has."""
    if isinstance(content, Pairs):
        if content and all(name.isdigit() for name, _ in content):  # a list of PHP
            content = [item for _, item in content]
        elif (inner := content.first("value")) is not None:  # Node's HeadersList
            content = [inner]
        else:
            return None
    texts: list[str] = []
    for item in content if isinstance(content, list) else [content]:
        if isinstance(item, str):
            texts.append(item)
        elif isinstance(item, Bare) and item.text.isdigit():
            texts.append(item.text)
        elif isinstance(item, Pairs) and isinstance(item.first("value"), str):  # CloudFront's event
            texts.append(item.first("value"))
        elif isinstance(item, list):
            return None
    return texts


def request_of(value: Any) -> tuple[RecordedRequest, str]:
    """Return the request that a mapping or list describes, and the kind of description.

    The kind is ``"event"`` for an object with ``headers``, else ``"environ"`` or ``"headers"``.

    Raises:
        InvalidArgument: it describes none.
    """
    if isinstance(value, Pairs):
        if any(name.startswith("http") for name, _ in value):
            value = Pairs((_plain_name(name), member) for name, member in value)
        for inner in (
            value.first("multiValueHeaders"),
            value.first(*_HEADERS),
        ):
            if isinstance(inner, list) and inner and (headers := headers_of(inner)) is not None:
                return _event(value, *(_hyphenated(*headers) or headers)), "event"
        names = [name for name, _ in value]
        if (among := _body_among_headers(value)) is not None:
            return among, "event"
        if is_environ(names):
            environ = read_environ((name, text) for name, text in value if isinstance(text, str))
            return replace(environ, body=body_of(value)[0]), "environ"
        if _EVENT.intersection(names):
            raise InvalidArgument(_UNREAD_HEADERS, field="headers")
    headers = headers_of(value)
    if headers is None or not headers[0].multi_items():
        raise InvalidArgument(_NO_HEADERS, field="headers")
    if not any("-" in name or name.startswith(":") for name in headers[0]) and not all(
        map(is_known, headers[0])
    ):
        headers = _hyphenated(*headers) or headers
        if not any("-" in name for name in headers[0]):
            raise InvalidArgument(_A_BODY, field="headers")
    return with_pseudo(RecordedRequest(headers=headers[0], notes=tuple(headers[1]))), "headers"


def _plain_name(name: str) -> str:
    """Return the name of a header in an attribute of OpenTelemetry, or of a variable of nginx as in CGI."""
    name = name.removeprefix("http.request.header.")
    return name.upper() if name.startswith("http_") and name not in _HEADERS else name


def _hyphenated(headers: Headers, notes: list[str]) -> tuple[Headers, list[str]] | None:
    """Return headers whose names have ``_`` for ``-``, as of WordPress and Zapier; None if they have not."""
    pairs = [(name.removeprefix("http_").replace("_", "-"), value) for name, value in headers.multi_items()]
    if any("-" in name for name in headers) or not any("-" in name and is_known(name) for name, _ in pairs):
        return None
    note = "the names of the headers have _ for -; they are spelled as providers send them"
    return Headers((spelling(name), value) for name, value in pairs), [*notes, note]


def _body_among_headers(value: Pairs) -> RecordedRequest | None:
    """Read an object with the headers, and among them the parsed body, as of smee.io."""
    rest = Pairs(member for member in value if member[0] not in _AMONG_HEADERS)
    if not isinstance(value.first("body"), list) or not any("-" in name for name, _ in rest):
        return None
    headers = headers_of(rest)
    return None if headers is None else _event(value, *headers)


_AMONG_HEADERS: Final = ("body", "query", "timestamp")
_HEADERS: Final = (
    "headers", "header", "[Symbol(headers map)]", "requestHeaders", "request_headers", "req_headers",
    "http_headers", "reqheaders", "rawHeaders", "Request Headers", "Header",
)  # fmt: skip
_RESPONSES: Final = ("response", "res", "Response")
_MAX_INNER: Final = 500  # values in which the request is looked for
_MAX_LINE: Final = 8_000  # bytes of a request line
_MAX_LIST: Final = 20
_PANEL: Final = "Request Headers ("  # followed by their size


def joined(values: list[Any]) -> Any:
    """Return the value that describes the request: the objects of Firefox as one, else the first value."""
    if not is_panel(values):
        return values[0]
    members = Pairs()
    for value in values:
        for name, content in value:
            if name.startswith(_PANEL):
                members += content
            elif isinstance(content, Pairs) and isinstance(content.first("filename"), str):
                query = content.first("query")
                url = f"{content.first('scheme')}://{content.first('host')}{content.first('filename')}"
                members += [("method", name), ("url", url)]
                if isinstance(query, Pairs):
                    members.append(("queryStringParameters", query))
    return members


def logged(values: list[Any]) -> str | None:
    """Return the text in the lines of docker's log file, or a message with headers of a cloud's log."""
    members = [value.first("log") for value in values if isinstance(value, Pairs)]
    lines = [line for line in members if isinstance(line, str)]
    if lines and len(lines) == len(values) and all(line.endswith("\n") for line in lines[:-1]):
        return "".join(lines)
    events = values[0].first("events") if isinstance(values[0], Pairs) else values[0]
    entries = [event for event in events if isinstance(event, Pairs)] if isinstance(events, list) else []
    messages = [text_of(entry.first("message", "textPayload")) for entry in entries]
    return next((text for text in messages if "headers" in text.lower()), None)


def is_panel(values: list[Any]) -> bool:
    """Return True for the objects that Firefox copies from its panel of headers."""
    return all(isinstance(value, Pairs) for value in values) and any(
        name.startswith(_PANEL) and isinstance(content, Pairs) for value in values for name, content in value
    )


def unwrapped(value: Any) -> tuple[Any, str]:
    """Return the request inside an object of a log or tool, and the path to it; or else the value and "".

    A collection of Postman and a cassette become the entries of a HAR file.
    """
    if isinstance(value, Pairs) and is_panel([value]):
        return joined([value]), ""
    waiting: deque[tuple[tuple[str, ...], Any]] = deque([((), value)])
    for _ in range(_MAX_INNER):
        if not waiting:
            break
        path, inner = waiting.popleft()
        if type(inner) is list and inner and not _is_pair(inner[0]):
            if len(inner) == 1:
                waiting.append((path, inner[0]))
            elif path:
                waiting.extend(((*path, str(n)), item) for n, item in enumerate(inner[:_MAX_LIST]))
        if isinstance(inner, str) and path and inner[:1] == "{" and '"headers"' in inner:
            with contextlib.suppress(ValueError):
                waiting.append((path, load(inner)))
        if not isinstance(inner, Pairs):
            continue
        if log := collection(inner.first("item")) or cassette(inner):
            return log, ""
        request = inner.first("request")
        if isinstance(inner.first("log"), Pairs) or (isinstance(request, Pairs) and _of_har(request)):
            return inner, ".".join(path)  # HAR, or an entry of it
        if not path and not _EVENT.isdisjoint(name for name, _ in inner):
            return inner, ""
        if any("-" in name for name, _ in inner):  # headers, or nothing
            return (inner, ".".join(path)) if path and _has_headers(inner) else (value, "")
        names = {name for name, _ in inner}
        if {"scope", "rawHeaders", "response"} <= names and "reqheaders" not in names:
            raise InvalidArgument(_NOCK, field="headers")
        if _has_headers(inner.first(*_HEADERS)):
            return inner, ".".join(path)
        if isinstance(request, Pairs) and isinstance(head := request.first("header"), Pairs):  # Charles
            return Pairs([*inner, ("headers", head.first("headers")), ("body", request.first("body"))]), ""
        waiting.extend(((*path, name), member) for name, member in inner if name not in _RESPONSES)
    return value, ""


def _of_har(request: Pairs) -> bool:
    headers = request.first("headers")
    return type(headers) is list and all(
        isinstance(header, Pairs) and isinstance(header.first("name"), str) for header in headers
    )


def _has_headers(value: Any) -> bool:
    """Return True for headers of a request, which are not those of a mail or response."""
    headers = headers_of(value)
    if headers is None or "subject" in headers[0] or "to" in headers[0]:
        return False
    return any(name.lower() == "host" or ("-" in name and is_known(_plain_name(name))) for name in headers[0])


def with_pseudo(request: RecordedRequest) -> RecordedRequest:
    """Move the pseudo headers of HTTP/2 (RFC 9113, section 8.3.1) to the method and URL."""
    pairs = request.headers.multi_items()
    pseudo = {name.lower(): value for name, value in pairs if name.startswith(":")}
    if not pseudo:
        return request
    headers = Headers((name, value) for name, value in pairs if not name.startswith(":"))
    authority = pseudo.get(":authority", "") or headers.get("Host", "")
    url, notes = absolute(pseudo.get(":path", ""), authority, pseudo.get(":scheme", ""))
    return RecordedRequest(
        method=request.method or pseudo.get(":method", ""),
        url=request.url or url,
        headers=headers,
        body=request.body,
        notes=(*request.notes, *(() if request.url else notes)),
    )


def _event(event: Pairs, headers: Headers, notes: list[str]) -> RecordedRequest:
    """Read an object with headers: an export, an event of AWS Lambda or Google Cloud, a scope of ASGI."""
    cookies = event.first("cookies")
    if _is_texts(cookies) and "Cookie" not in headers:  # of an HTTP API
        headers = Headers([*headers.multi_items(), ("Cookie", "; ".join(cookies))])
    context = event.first("requestContext")
    context = context if isinstance(context, Pairs) else Pairs()
    http = context.first("http")
    method = event.first("method", "httpMethod", "Method", "request-method")
    if isinstance(method, Bare):  # Clojure's keyword
        method = method.text.lstrip(":")
    method = text_of(method) or (text_of(http.first("method")) if isinstance(http, Pairs) else "")
    method = method.upper() if method.islower() else method  # as of axios
    # API Gateway's path has no stage, but the sender called the one of the context, which has.
    target = text_of(
        event.first("raw_url", "rawUrl", "absoluteUrl", "url", "rawPath", "raw_path")
    ) or text_of(context.first("path"))
    target = target or text_of(event.first("path", "requestPath", "uri", "endpoint", "RequestURI"))
    url_parts = event.first("url")
    if isinstance(url_parts, Pairs):  # Postman's
        target = text_of(url_parts.first("raw"))
    query = text_of(event.first("rawQueryString", "query_string", "querystring"))
    if not query:
        query, more = _query(event, escaped=context.first("elb") is not None)
        notes += more if query and "?" not in target else []
    if query and "?" not in target:
        target = f"{target}?{query}"
    host = (
        headers.get("Host", "")
        or text_of(context.first("domainName"))
        or text_of(event.first("host", "Host"))
    )
    url, more = absolute(target, host, text_of(event.first("scheme")))
    body, unread = body_of(event)
    length = headers.get("Content-Length", "")
    known = length.isascii() and length.isdigit() and len(length) < 12
    if body is not None and known and len(body) != int(length):
        plain = from_base64(body.decode("latin-1"))[0]
        if plain is not None and len(plain) == int(length):
            body = plain
            unread.append("the body was read as base64, as its Content-Length shows")
        else:
            unread.append(length_note(body, int(length)))
    status = number(event.first("statusCode", "status", "status_code"))
    if not (method or target) and status is not None and 100 <= status < 600:
        unread.append("it has a status, so this is rather a response; give the request")
    return with_pseudo(
        RecordedRequest(method=method, url=url, headers=headers, body=body, notes=(*notes, *more, *unread))
    )


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, str) for item in value)


def _query(event: Pairs, *, escaped: bool) -> tuple[str, list[str]]:
    """Join the query of an event from its parameters, which a load balancer leaves encoded."""
    parameters = event.first("multiValueQueryStringParameters")
    if not isinstance(parameters, Pairs):
        parameters = event.first("queryStringParameters", "query_string_parameters")
    if not isinstance(parameters, Pairs):
        return "", []
    pairs = [(name, text) for name, content in parameters for text in _texts(content) or ()]
    if not all(is_text(name + text) for name, text in pairs):
        return "", []
    quoted = (lambda text: text) if escaped else quote_plus
    query = "&".join(f"{quoted(name)}={quoted(text)}" for name, text in pairs)
    return query, ["the event has the parameters of the query but not its text; they were joined again"]


def text_of(value: Any) -> str:
    """Return a text as it is, and an empty one for any other value."""
    return value if isinstance(value, str) else ""


def body_of(event: Pairs) -> tuple[bytes | None, list[str]]:
    """Return the body of an object with headers; None if its bytes are unknown, and notes on that."""
    name, body = next(_bodies(event), ("", None))
    if isinstance(body, bytes):
        return body, []
    flag = event.first("isBase64Encoded", "is_base64_encoded")
    if body is None:
        body = event.first("body")
        if body is None and flag is not None:  # AWS leaves an empty body out
            return b"", []
        if isinstance(body, Pairs) and isinstance(body.first("as_bytes"), str):  # Envoy's tap
            return None, ["the body is given as base64 in as_bytes, which is not read"]
        if any(isinstance(event.first(name), list) for name in BODIES):
            return None, ["the body is given as parsed JSON, so its bytes are unknown; give the raw body"]
        return None, ["the body is not given"]
    if isinstance(flag, Bare):
        flag = flag.text.lower() == "true"
    if flag is True or name == "body_base64" or event.first("bodyEncoding", "encoding") == "base64":
        return _whole(event, *from_base64(body))
    return _whole(event, encoded(body), [])


def _whole(event: Pairs, body: bytes | None, notes: list[str]) -> tuple[bytes | None, list[str]]:
    member = event.first("body")
    if isinstance(member, Pairs) and member.first("inputTruncated") is True:
        notes = [*notes, "the body is cut off, as CloudFront says"]
    return body, notes


def _bodies(event: Pairs) -> Iterator[tuple[str, str | bytes]]:
    """Yield the texts of an object that may be its body, a raw one first."""
    for name in BODIES:
        content = event.first(name)
        if isinstance(content, str | bytes):
            yield name, content
        elif isinstance(content, Pairs) and (data := _bytes_of_buffer(content)) is not None:
            yield name, data
        elif name == "body" and isinstance(content, Pairs):
            if isinstance(content.first("$content"), str):  # Power Automate
                yield "body_base64", content.first("$content")
            # Postman, CloudFront, Insomnia, MockServer, Hoppscotch
            for inner in ("raw", "data", "text", "string", "body"):
                if isinstance(content.first(inner), str):
                    yield (
                        ("body_base64" if content.first("encoding") == "base64" else name),
                        content.first(inner),
                    )
    if isinstance(raw := event.first("raw"), str):  # the whole request, of ngrok
        with contextlib.suppress(binascii.Error):
            head, blank, body = base64.b64decode(raw, validate=True).partition(b"\r\n\r\n")
            if blank and b"HTTP/" in head[:_MAX_LINE]:
                yield "raw", body
    data = event.first("postData")  # a request of HAR
    if isinstance(data, Pairs) and isinstance(data.first("text"), str):
        yield "postData", data.first("text")


def _bytes_of_buffer(value: Pairs) -> bytes | None:
    """Return the bytes of ``{"type": "Buffer", "data": [123, …]}``, as Node.js writes a Buffer in JSON."""
    data = value.first("data")
    if value.first("type") != "Buffer" or not isinstance(data, list):
        return None
    with contextlib.suppress(TypeError, ValueError):
        return bytes(int(str(getattr(number, "text", number))) for number in data)
    return None


def from_base64(text: str) -> tuple[bytes | None, list[str]]:
    """Decode base64; None and a note if it is not valid."""
    try:
        return base64.b64decode(text, validate=True), []
    except (binascii.Error, ValueError):
        return None, ["the base64 of the body is damaged"]


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
