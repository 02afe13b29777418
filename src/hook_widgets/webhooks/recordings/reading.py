"""Recognise the format of a recording, and read it: the one reader of everything that people paste."""

from __future__ import annotations

import contextlib
import csv
import io
import re
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, Final

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks._texts import decoded, encoded
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.recordings import unread
from hook_widgets.webhooks.recordings.archives import har
from hook_widgets.webhooks.recordings.archives.burp import read_burp
from hook_widgets.webhooks.recordings.commands.curl_command import read_curl
from hook_widgets.webhooks.recordings.commands.powershell import COMMAND, read_powershell
from hook_widgets.webhooks.recordings.commands.program_code import read_code
from hook_widgets.webhooks.recordings.commands.shell_programs import read_program
from hook_widgets.webhooks.recordings.escapes import literal
from hook_widgets.webhooks.recordings.exchange import (
    MAX_BYTES,
    MAX_HEADERS,
    Exchange,
    RecordedRequest,
    Recording,
    RecordingFormat,
)
from hook_widgets.webhooks.recordings.pasted import apart
from hook_widgets.webhooks.recordings.pasted.characters import (
    lines_of,
    straight_quotes,
    unquoted,
    visible,
    visible_headers,
)
from hook_widgets.webhooks.recordings.pasted.curl_trace import read_trace
from hook_widgets.webhooks.recordings.pasted.lines import is_field
from hook_widgets.webhooks.recordings.pasted.loggers import read_logged
from hook_widgets.webhooks.recordings.pasted.mitmdump import read_mitmdump
from hook_widgets.webhooks.recordings.pasted.raw_http import REQUEST_LINE, read_http
from hook_widgets.webhooks.recordings.pasted.unquoted import read_unquoted
from hook_widgets.webhooks.recordings.structures import json_forms
from hook_widgets.webhooks.recordings.structures.environ import is_environ, is_known, read_environ
from hook_widgets.webhooks.recordings.structures.mappings import NotAMapping, Pairs, read_mapping, read_value

_CURL: Final = re.compile(r"(?:[$%>#] *)?(?:[\w./-]*/)?curl(?:\.exe)?[\s\\]|(?:printf|echo) ", re.IGNORECASE)
_CURL_LATER: Final = re.compile(r"^[^\n]{0,200}\bcurl\s+(?:-|https?:|'|\")", re.MULTILINE)
_PROGRAM: Final = re.compile(
    r"(?:[$%>#] *)?(?:[\w./-]*/)?(?:wget|xhs?|https?)(?:[ \t]|\\\r?\n)+(?:[^\s:]|:\d{0,5}/|:\d{1,5}(?!\S))"
)
_PIPED: Final = re.compile(r"\|[ \t\\\r\n]{0,100}(?:https?|xhs?)[ \t\\]")
_CMD_CURL: Final = re.compile(r"curl(?:\.exe)? [^\n]{1,4000}\^\r?\n", re.IGNORECASE)
_CMD_ESCAPE: Final = re.compile(r"\^(\r?\n\r?\n|\r?\n|.)")
_OF_BASH: Final = re.compile(r"[$`]")  # two signs that cmd.exe does not know
_PLATFORM: Final = re.compile(  # of AWS Lambda
    r"^(?:\S{1,100}\s){0,2}(?:INIT_START|START|END|REPORT) (?:RequestId|Runtime Version): .*", re.MULTILINE
)
_VARIABLE: Final = re.compile(r"(?:export |declare -x )?([A-Za-z_][A-Za-z0-9_.]*) *[=:\t] *(.*)")
_MAPPING_START: Final = re.compile(
    r"[\[{(<%@#]|array\s|(?:await |new |return ){0,3}[A-Za-z_][\w.]{0,100}"
    r"(?:\(\d{1,9}\)|:\d{1,9}|@[0-9a-f]{1,16})?\s?[({\[]"
)
_LOGGED_MEMBER: Final = re.compile(  # of Apache's error log
    r"(?:\[[^\[\]\n]{1,100}\] ){1,6} {0,40}"
    r"(\{?['\"][\w.-]{1,100}['\"]: ?(?:'[^'\n]{0,8000}'|\"[^\"\n]{0,8000}\"|[^'\"\n]{0,200}?),?\}?)\s{0,9}"
)
_LITERAL: Final = re.compile(r"[bBrRuU]{0,2}['\"]")
_GAP: Final = re.compile(r"[\s,;]*")
_OPENER: Final = re.compile(
    r"map\[|[\[{(<]|\b[A-Z]\w{0,40}(?=[({])|\"(?=\{\\)|\b\w{1,40}\.(?:get|post|put|patch|delete)(?=\()"
)
_MAX_HEAD: Final = 20_000  # characters before a command of PowerShell
_MAX_LABEL: Final = 300  # characters before a mapping
_MAX_LABELS: Final = 3
_MAX_NESTING: Final = 3  # texts inside quoted texts
_COLUMNS: Final = re.compile(r"[\w\"@, ]{1,1000},\"?(?:headers|@?message)\"?[,\r\n]", re.IGNORECASE)
_SEND: Final = re.compile(r"^(?:send: (?=b)|<- (?=\"))(b?['\"].*)$", re.MULTILINE)
_SPRING: Final = re.compile(
    r"(?<![^\s\[])([A-Z]{3,10}) ([^\s,\]]{1,4000}),(?: [^\n]{0,1000}?,)? headers=(?=\[)"
)
_CALL: Final = re.compile(r"([A-Z]{3,10}) (https?://\S{1,4000}?):?\s{0,9}")
_HEADERS_LABEL: Final = re.compile(
    r"^[^\n]{0,300}?\b(?:request)?headers[\"']?\s?[:=]\s?(?=[\[{(]|map\[|array:\d{1,4} \[)",
    re.MULTILINE | re.IGNORECASE,
)
_FORMATS: Final = {
    "event": RecordingFormat.EVENT,
    "environ": RecordingFormat.ENVIRON,
    "headers": RecordingFormat.MAPPING,
}


def read_recording(text: str | bytes) -> Recording:
    r'''Read requests from a text, whichever of the known formats it has.

    The formats are HAR, cassettes of VCR in JSON, a raw HTTP request, a curl command for bash and what
    ``curl -v`` and ``--trace`` print, JSON with headers and body, headers as JSON or as programs print them,
    an event of AWS Lambda, a CGI or WSGI environment, and header lines, also as tables and on alternating
    lines. A body may follow printed headers, also behind ``body:``. It is recovered byte for byte; where that
    is impossible, a note of the request says why.
    Nothing is run or sent, and no file is opened.

    Args:
        text: the text, or the bytes of a file, which keep the line ends of a raw request.

    Raises:
        InvalidArgument: the text has none of the formats, is too long, or its request cannot be known.

    >>> recording = read_recording("""curl https://example.com/hook -H 'X-Event: paid' -d '{"id": 1}'""")
    >>> recording.exchanges[0].request.body
    b'{"id": 1}'
    >>> read_recording("HTTP_STRIPE_SIGNATURE=t=1,v1=00").exchanges[0].request.headers
    Headers([('Stripe-Signature', 't=1,v1=00')])
    '''
    data = text if isinstance(text, bytes) else encoded(text)
    if len(data) > MAX_BYTES:
        raise InvalidArgument(
            f"the text has {len(data):,} bytes, more than {MAX_BYTES:,}; leave out what is not needed",
            field="headers",
        )
    whole = decoded(data) if isinstance(text, bytes) else text
    try:
        recording = _read(whole, data, 0)
    except InvalidArgument:
        split = _apart(whole)
        if split is None:
            raise
        recording = split
    else:
        if apart.lacks_body(recording):
            recording = _apart(whole) or recording
    return replace(recording, exchanges=tuple(map(_visible, recording.exchanges)))


def read_headers(text: str) -> Headers:
    """Read only the headers of the one request in a text; see `read_recording` for what else the text tells.

    Raises:
        InvalidArgument: the text has no headers, or more than one request.
    """
    if not text.strip():
        return Headers()
    recording = read_recording(text)
    if len(recording.exchanges) > 1:
        raise InvalidArgument(
            f"the text has {len(recording.exchanges):,} requests; read it with read_recording, or paste one",
            field="headers",
        )
    return recording.exchanges[0].request.headers


def _visible(exchange: Exchange) -> Exchange:
    request = exchange.request
    headers, changed = visible_headers(request.headers)
    if not changed:
        return exchange
    note = f"characters that cannot be seen were removed from {', '.join(changed[:5])}"
    return replace(exchange, request=replace(request, headers=headers, notes=(*request.notes, note)))


def _apart(text: str) -> Recording | None:
    """Read headers as a program printed them, and the body that it printed after them; None without one."""
    for head, body in apart.parts(text):
        with contextlib.suppress(InvalidArgument):
            recording = _read(head, encoded(head), 0)
            if apart.lacks_body(recording):
                return apart.with_body(recording, body)
    return None


def _read(text: str, data: bytes, nesting: int) -> Recording:
    stripped = text.strip().strip("\ufeff\u200b").strip()
    if not stripped:
        raise InvalidArgument("the text is empty; paste a request", field="headers")
    first = lines_of(stripped[:4_000])[0]
    if REQUEST_LINE.fullmatch(visible(first).strip()):
        return _http(data)
    straight = straight_quotes(stripped)
    if _CMD_CURL.match(straight):
        unescaped = _OF_BASH.sub(r"\\\g<0>", _CMD_ESCAPE.sub(_without_caret, straight))
        return _noted(_one(RecordingFormat.CURL, read_curl(unescaped)), "read as a command for cmd.exe")
    note = "" if straight == stripped else "curly quotes were read as straight ones"
    if COMMAND.search(straight[:_MAX_HEAD]) and straight[0] not in "[{(<":
        return _noted(_one(RecordingFormat.COMMAND, read_powershell(straight)), note)
    if _PROGRAM.match(straight) or (
        straight.startswith(("printf ", "echo ", "cat <<")) and _PIPED.search(straight)
    ):
        return _noted(_one(RecordingFormat.COMMAND, read_program(straight)), note)
    if _CURL.match(straight) or (straight[0] not in "[{(<" and _is_curl(straight)):
        return _noted(_one(RecordingFormat.CURL, read_curl(straight)), note)
    unread.check(straight)
    for attempt in (
        _function_log,
        _dumped,
        _sent,
        _spring,
        _json,
        _unquoted,
        _code,
        _logged_members,
        _mapping,
        _table,
        _variables,
        _quoted_lines,
        _escaped,
        _labelled,
    ):
        if (recording := attempt(straight, nesting)) is not None:
            return _noted(recording, note)
    try:
        return _http(data)
    except InvalidArgument:
        unread.require_json(straight)
        raise


def _without_caret(match: re.Match[str]) -> str:
    """Return what cmd.exe makes of a caret: a line end of the text is written as two."""
    line_ends = match[1].count("\n")
    return ("", " ", "\n")[line_ends] if line_ends else match[1]


def _http(data: bytes) -> Recording:
    request = read_http(data)
    if request.body is not None or request.method:
        return _one(RecordingFormat.HTTP, request)
    strange = not any("-" in name or is_known(name) for name in request.headers)
    note = "none of these names is that of a known header" if strange else ""
    return _noted(_one(RecordingFormat.LINES, request), note)


def _noted(recording: Recording, note: str) -> Recording:
    return replace(recording, notes=(*recording.notes, note)) if note else recording


def _is_curl(text: str) -> bool:
    first = text.partition("\n")[0].strip()
    return (
        ":" not in first.split(" ")[0]
        and not REQUEST_LINE.fullmatch(first)
        and bool(_CURL_LATER.search(text))
    )


def _one(kind: RecordingFormat, request: RecordedRequest) -> Recording:
    if len(request.headers.multi_items()) > MAX_HEADERS:
        raise InvalidArgument(
            f"there are more than {MAX_HEADERS:,} headers; paste one request", field="headers"
        )
    return Recording(format=kind, exchanges=(Exchange(request=request),))


def recording_of(value: Any, nesting: int = 0) -> Recording:
    """Read a value that was parsed: a mapping or list, or a text inside quotes.

    Raises:
        InvalidArgument: it describes no request.
    """
    if isinstance(value, str) and nesting < _MAX_NESTING:
        inner = _read(value, encoded(value), nesting + 1)
        return _noted(inner, "" if nesting else "the text was inside quotes")
    if (inner_text := json_forms.logged([value])) is not None and nesting < _MAX_NESTING:
        return _read(inner_text, encoded(inner_text), nesting + 1)
    unread.check_value(value)
    value, path = json_forms.unwrapped(value)
    note = f"only the member {path} was read" if path else ""
    if (entries := har.entries_of(value)) is not None:
        exchanges, notes = har.read_har(entries)
        return _noted(Recording(format=RecordingFormat.HAR, exchanges=exchanges, notes=notes), note)
    request, kind = json_forms.request_of(value)
    return _noted(_one(_FORMATS[kind], request), note)


def _json(text: str, nesting: int) -> Recording | None:
    if text[0] not in '[{"':
        return None
    try:
        value = json_forms.load(text)
    except ValueError:
        return None
    return recording_of(value, nesting)


def _mapping(text: str, nesting: int, *, complete: bool = False) -> Recording | None:
    """Read the printed form of a mapping; if `complete`, no text may follow it."""
    if not _MAPPING_START.match(text) and not _LITERAL.match(text):
        return None
    values: list[Any] = []
    at = 0
    try:
        while at < len(text) and len(values) < MAX_HEADERS:
            value, end = read_value(text, at)
            values.append(value)
            at = _GAP.match(text, end).end()  # type: ignore[union-attr]
    except NotAMapping:
        if not values or not _has_members(values[0]):
            return None
    if at == len(text) and nesting < _MAX_NESTING and (inner := json_forms.logged(values)) is not None:
        return _read(inner, encoded(inner), nesting + 1)
    unread = at < len(text) or (len(values) > 1 and not json_forms.is_panel(values))
    if unread and (complete or not _has_members(values[0])):
        return None
    recording = recording_of(json_forms.joined(values), nesting)
    return (
        _noted(recording, "only the first value was read; the text after it was not") if unread else recording
    )


def _has_members(value: Any) -> bool:
    """Return True for a mapping, and for a list of pairs."""
    pairs = (
        isinstance(value, list) and value and all(isinstance(item, list) and len(item) == 2 for item in value)
    )
    return isinstance(value, Pairs) or bool(pairs)


def _unquoted(text: str, nesting: int) -> Recording | None:
    members = read_unquoted(text.rstrip(";").rstrip())
    if members is None:
        return None
    recording = recording_of(members.members, nesting)
    return replace(recording, notes=(*recording.notes, *members.notes))


def _table(text: str, nesting: int) -> Recording | None:
    """Read the first request of a table in CSV with a column of headers or of messages of a log."""
    if not _COLUMNS.match(text):
        return None
    with contextlib.suppress(ValueError, csv.Error):
        row = next(csv.DictReader(io.StringIO(text)), {})
        members = [(str(name).lower(), cell) for name, cell in row.items() if isinstance(cell, str)]
        message = next((cell for name, cell in members if name in ("message", "@message")), "")
        if message and nesting < _MAX_NESTING:
            return _read(message, encoded(message), nesting + 1)
        value = Pairs((name, json_forms.load(cell) if name == "headers" else cell) for name, cell in members)
        return recording_of(value, nesting)
    return None


def _variables(text: str, _: int) -> Recording | None:
    """Read one variable a line, as ``env`` writes them."""
    pairs = []
    meta = text.partition("\nMETA:\n")[2].partition("\n\n")[0]  # of Django's mail
    for line in map(str.strip, lines_of((meta or text).replace("\t\n", "\t"))):  # and of its page
        if match := _VARIABLE.fullmatch(line):
            pairs.append((match[1], unquoted(match[2].strip())))
        elif line:
            return None
    if not is_environ(name for name, _ in pairs):
        return None
    return _one(RecordingFormat.ENVIRON, read_environ(pairs))


def _logged_members(text: str, nesting: int) -> Recording | None:
    """Read a printed mapping of which a server's log has one member a line, each behind its own prefix.

    A member is whole on its line: what a line break parts from its name would not be known as its value.
    """
    lines = [line for line in lines_of(text) if line.strip()] if _LOGGED_MEMBER.match(text) else []
    members = [match[1] for line in lines if (match := _LOGGED_MEMBER.fullmatch(line))]
    if not members or len(members) < len(lines) or nesting >= _MAX_NESTING:
        return None
    rest = "\n".join(members)
    return _noted(_read(rest, encoded(rest), nesting + 1), "the text before each line was left out")


def _quoted_lines(text: str, nesting: int) -> Recording | None:
    """Read the members of an object that were copied without its braces."""
    first = lines_of(text[:4_000])[0].rstrip()
    if text[0] not in "'\"" and not first.endswith(("',", '",')):
        return None
    try:
        return recording_of(read_mapping("{" + text + "}"), nesting)
    except NotAMapping:
        return None


def _escaped(text: str, nesting: int) -> Recording | None:
    r"""Read a request in one line, with ``\r\n`` for its line ends."""
    if "\n" in text or "\\n" not in text:
        return None
    first, _, rest = text.partition("\\n")
    if not REQUEST_LINE.fullmatch(first.removesuffix("\\r")) and not (is_field(first) and is_field(rest)):
        return None
    if nesting >= _MAX_NESTING:
        return None
    lines = literal(text)
    recording = _read(lines, encoded(lines), nesting + 1)
    return _noted(recording, r"\n was read as the end of a line")


def _function_log(text: str, nesting: int) -> Recording | None:
    if nesting or not _PLATFORM.match(text):
        return None
    rest = _PLATFORM.sub("", text)
    return _noted(_read(rest, encoded(rest), 1), "the lines of AWS Lambda itself were not read")


def _dumped(text: str, nesting: int) -> Recording | None:
    """Read what a program shows of the requests that pass it; inside another text it is not looked for."""
    if nesting:
        return None
    if requests := read_burp(text):
        exchanges = tuple(Exchange(request=request) for request in requests)
        return Recording(format=RecordingFormat.HTTP, exchanges=exchanges)
    request = read_trace(text) or read_mitmdump(text) or read_logged(text)
    return None if request is None else _one(RecordingFormat.HTTP, request)


def _sent(text: str, _: int) -> Recording | None:
    """Read what http.client of Python and Net::HTTP of Ruby print for debugging."""
    if not text.startswith(("send: ", '<- "', "opening connection to ")):
        return None
    pieces: list[bytes] = []
    for match in _SEND.finditer(text):
        try:
            piece = read_mapping(match[1])
        except NotAMapping:
            return None
        if not isinstance(piece, str) or (pieces and not pieces[-1].endswith(b"\n")):
            return None  # a body in pieces
        pieces.append(piece.encode("utf-8" if "\\u" in match[1] else "latin-1", "replace"))
    return _http(b"".join(pieces)) if pieces else None


def _labelled(text: str, nesting: int) -> Recording | None:
    """Read a mapping behind the text of a log or of an assignment, which is left out."""
    first = lines_of(text[:_MAX_LABEL])[0]
    name = first.partition(":")[0]
    if is_field(first) and ("-" in name or is_known(name)):
        return None  # a header with JSON as its value
    openers = [match.start() for match in _OPENER.finditer(first)]
    for start in [at for at in openers if at > 0][:_MAX_LABELS]:
        named = text[:start].endswith("headers=")  # so other values may follow
        if (recording := _behind(text, start, len(text), nesting, complete=not named)) is not None:
            return recording
    for label in islice(_HEADERS_LABEL.finditer(text, 0, _MAX_HEAD), _MAX_LABELS):
        end = text.find("\n", label.end())
        for until in (end, len(text)) if end >= 0 else (len(text),):
            recording = _behind(text, label.end(), until, nesting, complete=False)
            if recording is not None:
                return recording
    return None


def _behind(text: str, start: int, end: int, nesting: int, *, complete: bool) -> Recording | None:
    rest = text[start:end].rstrip(";, \t\r\n")
    for candidate in dict.fromkeys((rest, rest.removesuffix(")"), rest.removesuffix('"'))):
        for attempt in (_json, _unquoted, partial(_mapping, complete=complete)):
            try:
                recording = attempt(candidate, nesting)
            except InvalidArgument:
                continue
            if recording is not None:
                note = f"the first {start} characters, before the headers, were not read"
                return _noted(_called(recording, text[:start]), note)
    return None


def _code(text: str, _: int) -> Recording | None:
    request = read_code(text)
    return None if request is None else _one(RecordingFormat.COMMAND, request)


def _called(recording: Recording, before: str) -> Recording:
    """Take the method and URL from the text before a request, as Postman's console writes them."""
    match = _CALL.fullmatch(before) if recording.exchanges else None
    if match is None:
        return recording
    exchange, *others = recording.exchanges
    request = exchange.request
    request = replace(request, method=request.method or match[1], url=request.url or match[2])
    return replace(recording, exchanges=(replace(exchange, request=request), *others))


def _spring(text: str, nesting: int) -> Recording | None:
    """Read a line of Spring's CommonsRequestLoggingFilter."""
    log = _SPRING.search(text, 0, _MAX_HEAD)
    if log is None:
        return None
    try:
        headers, end = read_value(text, log.end())
    except NotAMapping:
        return None
    members = Pairs([("method", log[1]), ("url", log[2]), ("headers", headers)])
    payload = text[end:].strip()
    if payload.startswith(", payload=") and payload.endswith("]"):
        members.append(("body", payload.removeprefix(", payload=")[:-1]))
    return recording_of(members, nesting)
