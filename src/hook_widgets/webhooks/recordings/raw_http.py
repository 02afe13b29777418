"""Read a raw HTTP/1.1 request, or lines of headers."""

from __future__ import annotations

import re
from typing import Final

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks.headers import Headers, is_token
from hook_widgets.webhooks.recordings.exchange import MAX_HEADERS, RecordedRequest
from hook_widgets.webhooks.recordings.urls import absolute

REQUEST_LINE: Final = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}) (\S+) HTTP/[0-9.]{1,5}")
_STATUS_LINE: Final = re.compile(r"HTTP/[0-9.]{1,5} [0-9]{3}(?: .*)?")
_BLANK: Final = re.compile(rb"\r?\n\r?\n")
_TOO_MANY: Final = f"the request has more than {MAX_HEADERS:,} headers; paste one request"
_CHUNK: Final = re.compile(rb"([0-9A-Fa-f]{1,8})[^\n\r]{0,200}\r\n")
_PSEUDO: Final = frozenset({":method", ":path", ":authority", ":scheme"})


def read_http(data: bytes) -> RecordedRequest:
    """Read a request, with the body after the blank line, or header lines only.

    Raises:
        InvalidArgument: a line is not a header.
    """
    data = data.lstrip(b"\r\n")
    if b"\n> " in b"\n" + data:
        return _head(_sent_lines(data), None)
    blank = _BLANK.search(data)
    head = _decoded(data[: blank.start()] if blank else data)
    lines = [line.removesuffix("\r") for line in head.split("\n")]
    body = data[blank.end() :] if blank else None
    if not REQUEST_LINE.fullmatch(lines[0].strip()) and not lines[0].startswith(":"):
        # Headers alone: blank lines between them count for nothing.
        return _head([line for line in _decoded(data).splitlines() if line.strip()], None)
    return _head(lines, body if body is not None else b"")


def _sent_lines(data: bytes) -> list[str]:
    """Return the lines that ``curl -v`` marks as sent."""
    lines = [line.rstrip("\r") for line in _decoded(data).split("\n")]
    return [line[2:] for line in lines if line.startswith("> ")]


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _head(lines: list[str], body: bytes | None) -> RecordedRequest:
    method = target = ""
    pairs: list[tuple[str, str]] = []
    pseudo: dict[str, str] = {}
    folded = 0
    for number, line in enumerate(lines, 1):
        if number == 1 and (request_line := REQUEST_LINE.fullmatch(line.strip())):
            method, target = request_line[1], request_line[2]
            continue
        if not line.strip() or REQUEST_LINE.fullmatch(line.strip()) or _STATUS_LINE.fullmatch(line.strip()):
            continue
        if line[:1] in " \t" and pairs and body is not None:
            folded += 1
            if folded > MAX_HEADERS:
                raise InvalidArgument(_TOO_MANY, field="headers")
            name, value = pairs[-1]
            pairs[-1] = (name, f"{value} {line.strip()}".strip())  # RFC 9112, section 5.2
            continue
        name, value = _field(line.strip(), number)
        if name in _PSEUDO:
            pseudo[name] = value
        else:
            pairs.append((name, value))
    if len(pairs) > MAX_HEADERS:
        raise InvalidArgument(_TOO_MANY, field="headers")
    headers = Headers(pairs)
    method = method or pseudo.get(":method", "")
    authority = pseudo.get(":authority", headers.get("Host", ""))
    url, notes = absolute(target or pseudo.get(":path", ""), authority, pseudo.get(":scheme", ""))
    if body is None:
        return RecordedRequest(method=method, url=url, headers=headers, notes=tuple(notes))
    body, more = _body(headers, body)
    return RecordedRequest(method=method, url=url, headers=headers, body=body, notes=(*notes, *more))


def _field(line: str, number: int) -> tuple[str, str]:
    start = 1 if line.startswith(":") else 0
    colon = line.find(":", start)
    name = line[:colon] if colon > 0 else ""
    if name not in _PSEUDO and not is_token(name):
        raise InvalidArgument(
            f"line {number} of the headers is not 'Name: value'; paste one header a line, or the whole "
            "request as raw HTTP, curl command, HAR or JSON",
            field="headers",
        )
    return name, line[colon + 1 :].strip()


def _body(headers: Headers, data: bytes) -> tuple[bytes, list[str]]:
    """Return the body of a request whose framing the paste may have changed, and notes."""
    notes: list[str] = []
    if "chunked" in headers.get("Transfer-Encoding", "").lower():
        decoded = _chunks(data if b"\r\n" in data else data.replace(b"\n", b"\r\n"))
        if decoded is None:
            notes.append("the chunks of the body cannot be joined, so it is given as it was pasted")
            return data, notes
        if b"\r\n" not in data:
            notes.append("line ends in the body may have been changed by the clipboard")
        return decoded, notes
    if (encoding := headers.get("Content-Encoding", "identity")) != "identity":
        notes.append(f"the body was sent with Content-Encoding {encoding[:40]}, which a text cannot contain")
    length = headers.get("Content-Length", "")
    if not (length.isascii() and length.isdigit() and len(length) < 12):
        if b"\n" in data:
            notes.append("there is no Content-Length, so line ends in the body may have been changed")
        return data, notes
    exact = _of_length(data, int(length))
    if exact is not None:
        if exact not in (data, data[: len(exact)]):
            notes.append("the body has LF for CRLF in this text, as its Content-Length shows")
        return exact, notes
    notes.append(
        f"the body has {len(data):,} bytes, but its Content-Length is {int(length):,}: it was changed or cut"
    )
    return data, notes


def _of_length(data: bytes, length: int) -> bytes | None:
    """Return the only plausible body of a length: as pasted, without line ends after it, or with CRLF."""
    for candidate in (data, data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")):
        if len(candidate) == length or (len(candidate) > length and not candidate[length:].strip(b"\r\n")):
            return candidate[:length]
    return None


def _chunks(data: bytes) -> bytes | None:
    pieces: list[bytes] = []
    at = 0
    while size := _CHUNK.match(data, at):
        length = int(size[1], 16)
        if length == 0:
            return b"".join(pieces)
        piece = data[size.end() : size.end() + length]
        at = size.end() + length
        if len(piece) != length or data[at : at + 2] != b"\r\n":
            return None
        pieces.append(piece)
        at += 2
    return None
