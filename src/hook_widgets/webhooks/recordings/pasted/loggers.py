"""Read requests that servers, clients and sniffers log on several lines, each in a form of its own.

Sources: the wire log of Apache HttpClient, HttpLoggingInterceptor of OkHttp and the logger of Feign,
RequestDumpingHandler of Undertow and RequestDumperFilter of Tomcat, HttpLoggingMiddleware of ASP.NET Core,
``ngrep -W byline``, tcpdump, mod_dumpio of Apache, files of Bruno, collections of Insomnia 5, and the debug
form of actix-web's HttpRequest.

The first lines of the text tell the form, because a later one may belong to a body, which a stranger wrote.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile
from typing import Final

from hook_widgets.webhooks._texts import encoded
from hook_widgets.webhooks.recordings.escapes import ansi_c
from hook_widgets.webhooks.recordings.exchange import RecordedRequest
from hook_widgets.webhooks.recordings.pasted.characters import lines_of, unquoted
from hook_widgets.webhooks.recordings.pasted.lines import is_field
from hook_widgets.webhooks.recordings.pasted.prefixed import assigned
from hook_widgets.webhooks.recordings.pasted.raw_http import read_http

_MAX_LINES: Final = 20_000
_MAX_PREFIX: Final = 300  # characters of a logger before each line
_METHODS: Final = "GET|POST|PUT|PATCH|DELETE"
_REQUEST: Final = re.compile(rf"(?:{_METHODS}) \S{{1,4000}} HTTP/[0-9](?:\.[0-9])?")
_HEX_BYTE: Final = re.compile(r"\[0x[0-9a-f]{1,2}\]")
_DIGITS: Final = re.compile(r"\d[\d.,:]*")
_SENT: Final = re.compile(
    rf"-{{2,3}}> ({_METHODS}) (https?://\S{{1,4000}})(?: (?:h2|h3|[Hh][Tt][Tt][Pp]/[0-9.]{{1,3}}))?"
    r"(?: \([\w-]{1,40} body\))?\s*"
)
_SENT_END: Final = re.compile(r"-{2,3}> END \w{3,10}(?: \((\d{1,9})-byte body\))?\s*")
_DUMPED: Final = re.compile(r"(?:[^\s=]{1,100} )?\s*(header|method|requestURI|URI|queryString|scheme)=(.*)")
_DUMPED_END: Final = re.compile(r".{0,100}?-{10,60}(?:=|RESPONSE)-{10,60}.{0,100}")
_PSEUDO: Final = {
    "method": ":method", "URI": ":path", "requestURI": ":path", "scheme": ":scheme",
    "Method": ":method", "Path": ":path", "Scheme": ":scheme",
}  # fmt: skip
_ASPNET: Final = frozenset(
    {"Request", "Protocol", "Method", "Scheme", "PathBase", "Path", "QueryString", "Headers"}
)
_PADDING: Final = " " * 6  # of .NET before each line of a message
_LEVEL: Final = re.compile(r"(?:trce|dbug|info|warn|fail|crit): .*")
_BLOCK: Final = re.compile(r"(?P<indent>[ \t]*)headers:?[ \t]*(?P<brace>\{)?[ \t]*")
_YAML_HEADER: Final = re.compile(r"\s+(?:- name|value): ")
_PACKET: Final = re.compile(
    r"(?:\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d\.\d{1,9} (?:\S{1,20} {1,3}(?:In|Out|B|M|P) {1,3})?"
    r"(?:IP6? (?:(\S{1,100} > \S{1,100}): .{0,1000}?length (\d{1,9}))?|ARP)"
)
_PAYLOAD: Final = re.compile(rf"(\s*)(?:[^\n]{{0,300}}\.)?({_REQUEST.pattern})\s*")
_HEX_ROW: Final = re.compile(r"\s+0x[0-9a-f]{4}: ")
_DUMPIO: Final = re.compile(r".{0,300}?mod_dumpio: {1,3}dumpio_(in|out)(?: \([a-z]{4}-[A-Z]{1,12}\): (.*))?")
_DUMPIO_SIZE: Final = re.compile(r"\d{1,12} bytes")
_MEMBER: Final = re.compile(r"(method|url): ['\"]?([^\s'\"]{1,4000})['\"]?")


def read_logged(text: str) -> RecordedRequest | None:
    """Read the request of a log; None if the text has none of these forms.

    Raises:
        InvalidArgument: a header cannot be read.
    """
    if text.count("\n") > _MAX_LINES:
        return None
    lines = lines_of(text)
    forms: tuple[Callable[[Sequence[str]], RecordedRequest | None], ...]
    forms = (_wire, _sent, _dumped, _aspnet, _ngrep, _tcpdump, _dumpio, _block)
    return next((request for form in forms if (request := form(lines)) is not None), None)


def _request(head: Sequence[str], body: Sequence[str] | None, note: str) -> RecordedRequest:
    """Read the lines of a request and of its body; None as `body` if it is unknown."""
    text = "\n".join((*head, "", *(body or ())))
    request = read_http(encoded(text))
    return replace(request, body=None if body is None else request.body, notes=(note, *request.notes))


def _wire(lines: Sequence[str]) -> RecordedRequest | None:
    """Read the bytes that Apache HttpClient sent, a line of them in quotes on each line of the log."""
    pieces: list[str] = []
    for line in lines if ">> " in lines[0][:_MAX_PREFIX] else ():
        start = line.find('>> "', 0, _MAX_PREFIX)
        if start < 0 and pieces and ('<< "' in line[:_MAX_PREFIX] or ">> " not in line[:_MAX_PREFIX]):
            break
        if start >= 0 and line.rstrip().endswith('"'):
            pieces.append(line.rstrip()[start + 4 : -1])
    bare = [piece.removesuffix("[\\n]").removesuffix("[\\r]") for piece in pieces]
    # A body that was written in pieces has no line end between them.
    if not bare or not _REQUEST.fullmatch(bare[0]) or not all(p.endswith("[\\n]") for p in pieces[:-1]):
        return None
    end = bare.index("") if "" in bare else len(bare)
    shown = not any(map(_HEX_BYTE.search, bare))
    note = "the log of HttpClient was read" if shown else "the log has bytes of the body as [0x..]"
    return _request(bare[:end], bare[end + 1 :] if shown else None, note)


def _sent(lines: Sequence[str]) -> RecordedRequest | None:
    """Read what OkHttp and Feign log between arrows."""
    start = lines[0].find("--> ", 0, _MAX_PREFIX)
    start -= start > 0 and lines[0][start - 1] == "-"
    match = _SENT.fullmatch(lines[0], start) if start >= 0 else None
    if match is None:
        return None
    before = lines[0][:start].rstrip()
    blank = lines[0][len(before) : start]
    # No text between two runs of digits begins with what a run may contain, so nothing is tried twice.
    prefix = re.compile(r"\d[\d.,:]*".join(map(re.escape, _DIGITS.split(before))))
    rows: list[str] = []
    size = 0
    for line in lines[1:]:
        bare = line[before_line.end() :].removeprefix(blank) if (before_line := prefix.match(line)) else line
        if (end := _SENT_END.fullmatch(bare)) or bare.startswith("<--"):
            size = int(end[1] or 0) if end else 0
            break
        rows.append(bare)
    head = list(takewhile(is_field, rows))
    rest = rows[len(head) :]
    if rest[:1] == [""]:
        body: Sequence[str] | None = rest[1:] if size or any(rest[1:]) else None
    else:
        body = rest
        if len(encoded("\n".join(rest))) != size:
            return None  # without the blank line, a line of the body could be taken for a header
    request = [f"{match[1]} {match[2]} HTTP/1.1", *head]
    return _request(request, body or None, "the log of a client was read")


def _dumped(lines: Sequence[str]) -> RecordedRequest | None:
    """Read what Undertow and Tomcat dump: ``header=name=value`` on a line of its own."""
    if not any("REQUEST-" in line or "START TIME" in line for line in lines[:3]):
        return None
    pairs = [
        (match[1], match[2].strip())
        for line in takewhile(lambda line: not _DUMPED_END.fullmatch(line), lines)
        if (match := _DUMPED.fullmatch(line))
    ]
    headers = [value.replace("=", ": ", 1) for name, value in pairs if name == "header"]
    fields = dict(reversed(pairs))
    query = fields.pop("queryString", "").removeprefix("?")
    if query not in ("", "null"):
        path = next((name for name in ("URI", "requestURI") if name in fields), "")
        fields[path] = f"{fields.get(path, '')}?{query}"
    pseudo = [f"{_PSEUDO[name]}: {value}" for name, value in fields.items() if name in _PSEUDO and value]
    if not headers or not all(map(is_field, headers)):
        return None
    return _request([*pseudo, *headers], None, "the dump of a server was read, which has no body")


def _aspnet(lines: Sequence[str]) -> RecordedRequest | None:
    """Read what HttpLoggingMiddleware of ASP.NET Core logs."""
    rows = [line.strip() for line in lines]
    if "HttpLogging" not in rows[0] or rows[1:2] != ["Request:"]:
        return None
    rows = rows[1:]
    head = list(takewhile(lambda row: is_field(row) and not _LEVEL.fullmatch(row), rows))
    titles = list(takewhile(lambda row: row.partition(":")[0] in _ASPNET, head))
    fields = {name: value.strip() for name, _, value in (row.partition(":") for row in titles)}
    fields["Path"] = f"{fields.get('PathBase', '')}{fields.get('Path', '')}{fields.get('QueryString', '')}"
    pseudo = [f"{_PSEUDO[name]}: {value}" for name, value in fields.items() if name in _PSEUDO and value]
    after = takewhile(lambda line: not _LEVEL.fullmatch(line), lines[2 + len(head) :])
    shown = [line.removeprefix(_PADDING) for line in after]
    body = None
    if shown and shown[0].startswith("RequestBody: "):
        body = [shown[0].removeprefix("RequestBody: "), *shown[1:]]
    return _request([*pseudo, *head[len(titles) :]], body, "the log of ASP.NET Core was read")


def _ngrep(lines: Sequence[str]) -> RecordedRequest | None:
    """Read what ``ngrep -W byline`` shows: a dot for each CR, and for other bytes that are not printed."""
    start = next((n for n, line in enumerate(lines[:4]) if line.endswith(".") and _REQUEST.match(line)), -1)
    if start < 0 or not _REQUEST.fullmatch(lines[start][:-1]):
        return None
    head = list(takewhile(lambda line: line.endswith(".") and line != ".", lines[start:]))
    rest = lines[start + len(head) :]
    if rest[:1] not in ([], ["."], [""]):
        return None
    note = "the dot of ngrep at the end of each header was left out; it also shows dots for other bytes"
    return _request([line[:-1] for line in head], rest[1:] or None, note)


def _tcpdump(lines: Sequence[str]) -> RecordedRequest | None:
    """Read the first request that tcpdump shows with ``-A`` or ``-v``, and a body in a packet of its own."""
    starts = [n for n, line in enumerate(lines) if _PACKET.match(line)]
    if not starts or starts[0] > 2:
        return None
    packets = [lines[begin:end] for begin, end in pairwise((*starts, len(lines)))]
    for number, packet in enumerate(packets):
        at = next((n for n, line in enumerate(packet[1:], 1) if _PAYLOAD.fullmatch(line)), 0)
        match = _PAYLOAD.fullmatch(packet[at])
        if not at or match is None:
            continue
        shown = takewhile(lambda line: not _HEX_ROW.match(line), packet[at + 1 :])
        rows = [line.removeprefix(match[1]) for line in shown]
        head = list(takewhile(is_field, rows))
        body = "\n".join(rows[len(head) + 1 :]).strip("\n").removesuffix("[!http]")
        sender = _PACKET.match(packet[0])
        for following in packets[number + 1 :] if not body and not match[1] else ():
            other = _PACKET.match(following[0])
            if other and sender and other[1] == sender[1] and int(other[2] or 0):
                body = "\n".join(following[1:]).strip("\n")[-int(other[2]) :]
                break
        note = (
            "the first request in the text of tcpdump was read; it has a dot for each byte that is not ASCII"
        )
        return _request([match[2], *head], body.split("\n") if body else None, note)
    return None


def _dumpio(lines: Sequence[str]) -> RecordedRequest | None:
    """Read the bytes that mod_dumpio of Apache logs, as far as the response."""
    matches = [match for line in lines if (match := _DUMPIO.match(line))]
    if not _DUMPIO.match(lines[0]):
        return None
    received = takewhile(lambda match: match[1] == "in", matches)
    pieces = [match[2] for match in received if match[2] and not _DUMPIO_SIZE.fullmatch(match[2])]
    # The tab replaces a token up to the end of its line, with the line end that is shown.
    head = [piece.removesuffix("\\r\\n") + "\\r\\n" for piece in takewhile("\\r\\n".__ne__, pieces)]
    request = read_http(b"".join(map(ansi_c, [*head, *pieces[len(head) :]])))
    return replace(request, notes=("the log of mod_dumpio was read", *request.notes))


def _block(lines: Sequence[str]) -> RecordedRequest | None:
    """Read headers on lines below ``headers``, as Bruno, Insomnia and actix-web write them."""
    first = next((line for line in lines if line.strip()), "")
    actix = first.startswith("HttpRequest HTTP/")
    bruno = re.fullmatch(rf"(?:meta|{_METHODS.lower()}) \{{\s*", first) is not None
    if not (actix or bruno or first.startswith("type: collection.insomnia.rest/")):
        return None
    at = next((n for n, line in enumerate(lines) if _BLOCK.fullmatch(line)), len(lines))
    indent = len(lines[at]) - len(lines[at].lstrip()) if at < len(lines) else 0
    rows = list(takewhile(lambda row: len(row) - len(row.lstrip()) > indent, lines[at + 1 :]))
    if first.startswith("type: "):
        rows = [row for row in rows if _YAML_HEADER.match(row)]
    named = assigned(rows)
    fields = [row.strip() for row in rows if not row.strip().startswith("~")]  # Bruno's mark of an unused one
    pairs = [
        (unquoted(name.strip()), unquoted(value.strip()))
        for name, _, value in (f.partition(": ") for f in fields)
    ]
    headers = named.lines if named else [f"{name}: {value}" for name, value in pairs]
    pseudo = [f":{name}: {value}" for name, value in reversed(_request_members(lines[:at], first))]
    body = None
    if bruno and (begin := next((n for n, line in enumerate(lines) if line.startswith("body:")), 0)):
        body = [line.removeprefix("  ") for line in takewhile(lambda line: line != "}", lines[begin + 1 :])]
    if not headers or not all(map(is_field, headers)):
        return None
    note = "the headers in the file were read" + ("" if body else ", not its body")
    return _request([*pseudo, *headers], body, note)


def _request_members(lines: Sequence[str], first: str) -> list[tuple[str, str]]:
    """Return the first method and URL before the headers of a file."""
    members: dict[str, str] = {}
    if first.startswith("HttpRequest "):
        members["method"], _, members["path"] = first.split()[2].partition(":")
    for line in lines:
        if (match := _MEMBER.fullmatch(line.strip().removeprefix("- "))) is not None:
            members.setdefault(match[1], match[2])
        elif method := re.fullmatch(rf"({_METHODS.lower()}) \{{\s*", line):
            members.setdefault("method", method[1].upper())
    return list(members.items())
