"""Read the HTTP Archive format, HAR 1.2: http://www.softwareishard.com/blog/har-12-spec/."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote_plus

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks._texts import encoded
from hook_widgets.webhooks.body.locators import is_text
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.recordings.exchange import (
    MAX_EXCHANGES,
    Exchange,
    RecordedRequest,
    RecordedResponse,
)
from hook_widgets.webhooks.recordings.structures.json_forms import (
    body_of,
    from_base64,
    headers_of,
    moment,
    number,
    text_of,
)
from hook_widgets.webhooks.recordings.structures.mappings import Pairs


def entries_of(value: Any) -> list[Any] | None:
    """Return the entries of a HAR file, or of a part that was copied out of it; None if it is neither."""
    log = value.first("log") if isinstance(value, Pairs) else None
    if isinstance(log, Pairs) and isinstance(log.first("entries"), list):
        return log.first("entries")  # type: ignore[no-any-return]
    entries = [value] if isinstance(value, Pairs) else value
    if isinstance(entries, list) and entries and all(map(_is_entry, entries)):
        return entries
    if isinstance(value, Pairs) and isinstance(value.first("postData"), Pairs):
        return [Pairs([("request", value)])]
    return None


def _is_entry(entry: Any) -> bool:
    request = entry.first("request") if isinstance(entry, Pairs) else None
    return isinstance(request, Pairs) and isinstance(request.first("url"), str)


def read_har(entries: list[Any]) -> tuple[tuple[Exchange, ...], tuple[str, ...]]:
    """Return the exchanges of the entries of a HAR file, and notes on the entries that are left out.

    Raises:
        InvalidArgument: it has no entry that can be read.
    """
    exchanges = [exchange for entry in entries[:MAX_EXCHANGES] if (exchange := _exchange(entry)) is not None]
    notes = []
    if len(entries) > MAX_EXCHANGES:
        notes.append(f"only the first {MAX_EXCHANGES:,} of {len(entries):,} entries were read")
    if left_out := min(len(entries), MAX_EXCHANGES) - len(exchanges):
        notes.append(f"{left_out:,} entries have no request that can be read")
    if not exchanges:
        raise InvalidArgument("the HAR file has no entry with a request; record it again", field="headers")
    return tuple(exchanges), tuple(notes)


def _exchange(entry: Any) -> Exchange | None:
    if not _is_entry(entry):
        return None
    request = entry.first("request")
    read_headers, method = headers_of(request.first("headers") or []), request.first("method")
    if read_headers is None or not isinstance(method, str):
        return None
    headers, left_out = read_headers
    body, notes = _body(request, headers)
    milliseconds = number(entry.first("time"))
    return Exchange(
        request=RecordedRequest(
            method=method,
            url=request.first("url"),
            headers=_without_pseudo(headers),
            body=body,
            notes=(*left_out, *notes),
        ),
        response=_response(entry.first("response")),
        started=moment(entry.first("startedDateTime")),
        duration_s=None if milliseconds is None or milliseconds < 0 else milliseconds / 1000,
        provider=text_of(entry.first("_provider")),
        event=text_of(entry.first("_event")),
        error=text_of(entry.first("_error")),
    )


def _without_pseudo(headers: Headers) -> Headers:
    """Return the headers without those of HTTP/2 that stand for the request line (RFC 9113, section 8.3)."""
    return Headers((name, value) for name, value in headers.multi_items() if not name.startswith(":"))


def _body(request: Pairs, headers: Headers) -> tuple[bytes | None, list[str]]:
    data, size = request.first("postData"), number(request.first("bodySize"))
    length = int(size) if size is not None and size >= 0 else _length(headers)
    if not isinstance(data, Pairs):
        if request.first("body") is not None:  # a request of our own JSON, or of another tool
            return body_of(request)
        if length:
            return None, ["the file does not contain the body"]
        return b"", []
    text = data.first("text")
    if not isinstance(text, str) and text_of(data.first("mimeType")).startswith("multipart/"):
        return None, ["the body is multipart, and its bytes are not given"]
    if not isinstance(text, str):
        return _params(data.first("params"))
    if data.first("encoding", "_encoding") == "base64":
        return from_base64(text)
    return _of_text(text, length)


def _length(headers: Headers) -> int | None:
    length = headers.get("Content-Length", "")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 12 else None


def _of_text(text: str, length: int | None) -> tuple[bytes, list[str]]:
    """Return the bytes of a body that stands as text, whose charset the format does not tell."""
    body = encoded(text)
    if "\ufffd" in text:
        return body, ["the HAR file has replacement characters in the body, so some of its bytes are lost"]
    if text.isascii() and length in (None, len(body)):
        return body, []
    if length is None:
        return body, ["the HAR file does not tell the size of the body; its text is taken as UTF-8"]
    if length == len(body):
        return body, []
    # Some recorders write one character for each byte.
    if len(text) == length and max(text) <= "\xff":
        return text.encode("latin-1"), ["the HAR file has one character for each byte of the body"]
    crlf = encoded(text.replace("\r\n", "\n").replace("\n", "\r\n"))
    if len(crlf) == length:
        return crlf, ["the HAR file has LF for the CRLF of the body, as its size shows"]
    return body, [
        f"the body has {len(body):,} bytes in the HAR file, but {length:,} were sent: it was changed or cut"
    ]


def _params(params: Any) -> tuple[bytes | None, list[str]]:
    pairs = _pairs(params)
    if pairs is None:
        return None, ["the file does not contain the body"]
    body = "&".join(f"{quote_plus(name)}={quote_plus(value)}" for name, value in pairs).encode()
    return body, ["the HAR file has the parameters of the body but not its text; they were encoded again"]


def _pairs(params: Any) -> list[tuple[str, str]] | None:
    """Return the names and values of parameters; None if there are none, or one is a file."""
    if not isinstance(params, list) or not params:
        return None
    pairs = []
    for param in params:
        name = param.first("name") if isinstance(param, Pairs) else None
        if not isinstance(name, str) or param.first("fileName") is not None:
            return None
        pairs.append((name, text_of(param.first("value"))))
    return pairs if all(is_text(name + value) for name, value in pairs) else None


def _response(response: Any) -> RecordedResponse | None:
    status = number(response.first("status")) if isinstance(response, Pairs) else None
    if status is None or not 100 <= status < 1000:
        return None
    content = response.first("content")
    text = content.first("text") if isinstance(content, Pairs) else None
    body: bytes | None = None
    if isinstance(text, str):
        body = from_base64(text)[0] if content.first("encoding") == "base64" else encoded(text)
    elif isinstance(content, Pairs) and number(content.first("size")) == 0:
        body = b""
    headers, _ = headers_of(response.first("headers") or []) or (Headers(), [])
    return RecordedResponse(
        status=int(status),
        reason=text_of(response.first("statusText")),
        headers=_without_pseudo(headers),
        body=body,
    )
