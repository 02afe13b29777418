"""Read a raw HTTP request, lines of headers, and what ``curl -v`` prints."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks._texts import decoded, encoded
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.recordings.exchange import MAX_HEADERS, RecordedRequest, length_note
from hook_widgets.webhooks.recordings.pasted.characters import lines_of, visible
from hook_widgets.webhooks.recordings.pasted.lines import is_field, is_name, normalized
from hook_widgets.webhooks.recordings.pasted.prefixed import assigned, unprefixed
from hook_widgets.webhooks.recordings.urls import absolute

REQUEST_LINE: Final = re.compile(  # an editor's file of requests has no version
    r"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}+(?= \S+ HTTP/)|GET|POST|PUT|PATCH|DELETE) "
    r"(\S+(?= HTTP/)|https?://\S+|/\S*)(?: HTTP/[0-9](?:\.[0-9])?)?"
)
_LATER_LINE: Final = re.compile(
    rb"(?:GET|POST|PUT|PATCH|DELETE) (?:\S{1,4000} HTTP/[0-9.]{1,5}|https?://\S{1,4000})\r?\n"
)
_STATUS_LINE: Final = re.compile(r"HTTP/[0-9.]{1,5} [0-9]{3}(?: .*)?")
_BLANK: Final = re.compile(rb"\r\n\r\n|\n\n|\r\r|\n\r\n|\n \r?\n")
_RESPONSE: Final = re.compile(rb"(?:\r?\n){1,3}HTTP/[0-9.]{1,5} [0-9]{3}[ \r\n]")
_TOO_MANY: Final = f"the request has more than {MAX_HEADERS:,} headers; paste one request"
_A_RESPONSE: Final = (
    "this is a response, as its status line says; give the request that was received, which begins as "
    "POST /path HTTP/1.1 or with its headers"
)
_MAX_LINES: Final = 10 * MAX_HEADERS  # with empty ones, and the lines of a log that are no headers
# A request line, or a header without anything before it.
_PLAIN: Final = re.compile(
    rb"[A-Z]{3,10} \S{1,4000} HTTP/|(?!Key:|Name:|Method: |[Hh]eader: ):?[A-Za-z][A-Za-z0-9-]{0,99}:"
)
# Two lines that begin with the same word and colon, as a logger writes before each.
_SAME_START: Final = re.compile(rb"([A-Za-z]{1,40}:)[^\n]{1,4000}\n\1")
# What requests_toolbelt of Python dumps: the request after <, the response after >.
_TOOLBELT: Final = re.compile(rb"< [A-Z]{3,10} \S{1,4000} HTTP/[0-9.]{1,5}\r?\n< ")
_MAX_NESTING: Final = 3  # prefixes in front of each line, such as of docker in front of HAProxy
_MAX_HEAD: Final = 100_000  # bytes before a body, which may have any number of lines
_QUOTED: Final = re.compile(rb"> [A-Z]{3,10} \S{1,4000} HTTP/[0-9.]{1,5}\r?\n>")
_MAX_TARGET: Final = 5_000  # bytes of a request line
_MARK: Final = b"###"  # before each request in a file of an editor
_CHUNK: Final = re.compile(rb"([0-9A-Fa-f]{1,8})[^\n\r]{0,200}\r\n")
_PSEUDO: Final = frozenset({":method", ":path", ":authority", ":scheme", ":protocol", ":url"})
_NOT_IN_LOG: Final = "curl -v does not show the body"


def read_http(data: bytes, nesting: int = 0) -> RecordedRequest:
    """Read a request, with the body after the blank line, or header lines only.

    Args:
        data: the text, in UTF-8 if it can be.
        nesting: how many prefixes of logs were taken from its lines.

    Raises:
        InvalidArgument: a line is not a header.
    """
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    if data.startswith(_MARK) and (following := data.find(b"\n" + _MARK)) >= 0:
        data = data[:following].rstrip(b"\r\n")
    if _TOOLBELT.match(data):
        dumped = data.partition(b"\n> HTTP/")[0].replace(b"\n< ", b"\n").removeprefix(b"< ")
        return read_http(dumped.removesuffix(b"\r"), nesting)
    if (quoted := _quoted(data)) is not None and nesting < _MAX_NESTING:
        return read_http(quoted, nesting + 1)
    sent = _sent_lines(data)
    if sent:
        lines, notes = sent
        body = _shown_body(data)
        return _head(lines, body, notes if body is None else notes[1:])
    if nesting < _MAX_NESTING and (not _PLAIN.match(data) or _SAME_START.match(data)):
        plain = _unprefixed(data, nesting)
        if plain is not None:
            return plain
    request = read_message(data)
    if request is not None:
        return request
    blank = _BLANK.search(data)
    lines = lines_of(decoded(data[: blank.start()] if blank else data))
    if visible(lines[0]).strip().startswith(":") and all(is_field(line) for line in lines[:2]):
        return _head(lines, data[blank.end() :] if blank else None, ())
    return _header_lines(data, blank)


def _shown_body(data: bytes) -> bytes | None:
    """Return the body that Insomnia's timeline shows, a bar before each line; None without one."""
    request = data.partition(b"\n< ")[0]  # a response may have tables
    lines = [line for line in decoded(request).split("\n") if line.startswith("| ")]
    return encoded("\n".join(line[2:].removesuffix("\r") for line in lines)) if lines else None


def read_message(data: bytes) -> RecordedRequest | None:
    """Read a request that begins with its request line, and its body; None if the first line is none.

    Raises:
        InvalidArgument: a line is not a header.
    """
    blank = _BLANK.search(data)
    lines = lines_of(decoded(data[: blank.start()] if blank else data))
    if REQUEST_LINE.fullmatch(visible(lines[0]).strip()):
        return _head(lines, data[blank.end() :] if blank else b"", ())
    return None


def _unprefixed(data: bytes, nesting: int) -> RecordedRequest | None:
    """Read lines that a log or page put something around; None if they are not of that form."""
    if data.count(b"\n") > _MAX_LINES:
        return None
    plain = unprefixed(lines_of(visible(decoded(data))))
    if plain is None:
        return None
    request = read_http(encoded("\n".join(plain.lines)), nesting + 1)
    return replace(request, notes=(*plain.notes, *request.notes))


def _from_request_line(data: bytes) -> RecordedRequest | None:
    """Read the request after other text, such as that of a server or sniffer; None if there is none."""
    for line in islice(_LATER_LINE.finditer(data, 0, _MAX_HEAD), _MAX_NESTING):
        following = data[line.end() : line.end() + 300].partition(b"\n")[0]
        if is_field(decoded(following)):
            indent = following[: len(following) - len(following.lstrip(b" \t"))]
            content = data[line.start() :].replace(b"\n" + indent, b"\n")
            if data[: line.start()].endswith(b"["):  # of Tomcat: Received [...]
                content = content.rstrip().removesuffix(b"]")
            request = read_message(content)
            if request is not None:
                return replace(request, notes=("the text before the request was left out", *request.notes))
    return None


def _header_lines(data: bytes, blank: re.Match[bytes] | None) -> RecordedRequest:
    """Read headers without a request line, in any form of lines; then perhaps a body."""
    text = decoded(data)
    if text.count("\n") + text.count("\r") > _MAX_LINES and (not blank or blank.start() > _MAX_HEAD):
        raise InvalidArgument(_TOO_MANY, field="headers")
    every = lines_of(text)
    if all(is_field(line) or not line.strip() for line in every):
        # Blank lines between headers alone count for nothing.
        return _head([line for line in every if line.strip()], None, ())
    visible_text = visible(text)
    if not visible_text.strip():
        raise InvalidArgument(
            "the text has only characters that cannot be seen; copy the request again", field="headers"
        )
    every = lines_of(visible_text)
    notes = ("characters that cannot be seen were removed",) if visible_text != text else ()
    if not all(is_field(line) or line[:1] in ("", " ", "\t") or not line.strip() for line in every):
        if blank and data[blank.end() :].lstrip()[:1] in (b"{", b"["):  # a sender's page, then a body
            named = normalized(lines_of(visible(decoded(data[: blank.start()]))))
            if named is not None and all(map(is_field, named.lines)):
                return _head(named.lines, data[blank.end() :], (*named.notes, *notes))
        form = assigned(every) or normalized(every)
        if form is not None:
            return _head(form.lines, None, (*form.notes, *notes))
        head = lines_of(visible(decoded(data[: blank.start()]))) if blank else []
        if blank and all(is_field(line) for line in head):
            return _head(head, data[blank.end() :], notes)
        if (request := _from_request_line(data)) is not None:
            return request
    if _STATUS_LINE.fullmatch(next(line for line in every if line.strip()).removeprefix("< ").strip()):
        raise InvalidArgument(_A_RESPONSE, field="headers")
    return _head([line for line in every if line.strip()], None, notes)


def _quoted(data: bytes) -> bytes | None:
    """Return a message without the mark that mail has before each line; None if it is not one with a body."""
    if not _QUOTED.match(data) or data.count(b"\n") > _MAX_LINES:
        return None
    lines = data.splitlines(keepends=True)
    if not all(line.startswith(b">") for line in lines):
        return None
    plain = b"".join(line[1:].removeprefix(b" ") for line in lines)
    blank = _BLANK.search(plain)
    following = plain[blank.end() :].lstrip()[:_MAX_TARGET].partition(b"\n")[0] if blank else b""
    return None if not following or REQUEST_LINE.fullmatch(decoded(following).strip()) else plain


def _sent_lines(data: bytes) -> tuple[list[str], tuple[str, ...]] | None:
    """Return the lines of the first request that ``curl -v`` marks as sent, and notes; None without any."""
    if not data.startswith(b">") and b"\n>" not in data and b"\r>" not in data:
        return None
    if _is_marked_body(data):
        return None
    marked = [line for line in lines_of(decoded(data)) if line.startswith(">")]
    lines = [line[1:].removeprefix(" ") for line in marked if line[1:2] in ("", " ", "\t")]
    if len(lines) < len(marked) or not any(is_field(line) for line in lines):
        return None
    starts = [i for i, line in enumerate(lines) if i and REQUEST_LINE.fullmatch(line.strip())]
    if not starts:
        return lines, (_NOT_IN_LOG,)
    notes = (_NOT_IN_LOG, f"curl sent {len(starts) + 1} requests; the first one was read")
    return lines[: starts[0]], notes


def _is_marked_body(data: bytes) -> bool:
    """Return True if all lines with a mark come after a request's own headers and a blank line."""
    blank = _BLANK.search(data, 0, _MAX_HEAD)
    if blank is None or data.startswith(b">"):
        return False
    lines = lines_of(decoded(data[: blank.start()]))
    first = next((n for n, line in enumerate(lines) if REQUEST_LINE.fullmatch(visible(line).strip())), -1)
    fields = lines[first + 1 :]
    is_request = len(fields) < len(lines) or any("-" in line.partition(":")[0] for line in fields)
    return is_request and all(map(is_field, fields))


def _head(lines: Sequence[str], body: bytes | None, notes: tuple[str, ...]) -> RecordedRequest:
    method = target = ""
    pairs: list[tuple[str, str]] = []
    pseudo: dict[str, str] = {}
    folded = 0
    if lines and lines[0].strip().lower() == "headers:":  # a key of YAML
        lines = lines[1:]
    indent = len(lines[0]) - len(lines[0].lstrip()) if lines else 0
    for number, line in enumerate(lines, 1):
        if number == 1 and (request_line := REQUEST_LINE.fullmatch(visible(line).strip())):
            method, target = request_line[1], request_line[2]
            continue
        if not line.strip() or REQUEST_LINE.fullmatch(line.strip()) or _STATUS_LINE.fullmatch(line.strip()):
            continue
        deeper = len(line) - len(line.lstrip(" \t")) > indent
        if deeper and pairs and (body is not None or not pairs[-1][1] or not is_field(line)):
            folded += 1
            if folded > MAX_HEADERS:
                raise InvalidArgument(_TOO_MANY, field="headers")
            name, value = pairs[-1]
            pairs[-1] = (name, f"{value} {line.strip()}".strip())  # RFC 9112, section 5.2
            continue
        name, value = _field(line.strip(), number)
        if name.lower() in _PSEUDO:
            pseudo[name.lower()] = value
        else:
            pairs.append((name, value))
        if len(pairs) > MAX_HEADERS:
            raise InvalidArgument(_TOO_MANY, field="headers")
    headers = Headers(pairs)
    method = method or pseudo.get(":method", "")
    authority = pseudo.get(":authority", headers.get("Host", ""))
    target = target or pseudo.get(":url", "") or pseudo.get(":path", "")
    url, more = absolute(target, authority, pseudo.get(":scheme", ""))
    if body is None:
        return RecordedRequest(method=method, url=url, headers=headers, notes=(*notes, *more))
    body, unsure = _body(headers, body)
    return RecordedRequest(method=method, url=url, headers=headers, body=body, notes=(*notes, *more, *unsure))


def _field(line: str, number: int) -> tuple[str, str]:
    colon = line.find(":", 1)
    name = visible(line[:colon]).strip() if colon > 0 else ""
    if name.lower() not in _PSEUDO and not is_name(name):
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
        content = _chunks(data if b"\r\n" in data else data.replace(b"\n", b"\r\n"))
        if content is None:
            notes.append("the chunks of the body cannot be joined, so it is given as it was pasted")
            return data, notes
        if b"\r\n" not in data:
            notes.append("line ends in the body may have been changed by the clipboard")
        return content, notes
    if (encoding := headers.get("Content-Encoding", "identity")) != "identity":
        notes.append(f"the body was sent with Content-Encoding {encoding[:40]}, which a text cannot contain")
    length = headers.get("Content-Length", "")
    known = length.isascii() and length.isdigit() and len(length) < 12
    if known and (exact := _of_length(data, int(length))) is not None:
        if exact not in (data, data[: len(exact)]):
            notes.append("the body has LF for CRLF in this text, as its Content-Length shows")
        return exact, notes
    if response := _RESPONSE.search(data):
        notes.append("the response after the body was not read")
        data = data[: response.start()]
    if known:
        notes.append(length_note(data, int(length)))
    elif not data.strip(b"\r\n"):
        data = b""
    elif b"\n" in data:
        notes.append("there is no Content-Length, so line ends in the body may have been changed")
    return data, notes


def _of_length(data: bytes, length: int) -> bytes | None:
    """Return the only plausible body of a length: as pasted, without line ends after it, or with CRLF."""
    for candidate in (data, data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")):
        rest = candidate[length:].strip()
        if len(candidate) >= length and (not rest or rest.startswith(b"HTTP/")):  # the response
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
