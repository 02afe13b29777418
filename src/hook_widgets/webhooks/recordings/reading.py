"""Recognise the format of a recording, and read it."""

from __future__ import annotations

import re
from typing import Final

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks.recordings import har, json_forms
from hook_widgets.webhooks.recordings.curl_command import read_curl
from hook_widgets.webhooks.recordings.environ import is_environ, read_environ
from hook_widgets.webhooks.recordings.exchange import (
    MAX_BYTES,
    MAX_HEADERS,
    Exchange,
    RecordedRequest,
    Recording,
    RecordingFormat,
)
from hook_widgets.webhooks.recordings.mappings import NotAMapping, read_mapping
from hook_widgets.webhooks.recordings.raw_http import REQUEST_LINE, read_http

_CURL: Final = re.compile(r"(?:[$%>#] *)?(?:[\w./-]*/)?curl(?:\.exe)?[\s\\]|(?:printf|echo) ", re.IGNORECASE)
_CURL_LATER: Final = re.compile(r"^[^\n]{0,200}\bcurl\s+(?:-|https?:|'|\")", re.MULTILINE)
_VARIABLE: Final = re.compile(r"(?:export |declare -x )?([A-Za-z_][A-Za-z0-9_.]*) *= *(.*)")
_PHP_VARIABLE: Final = re.compile(r"\[['\"]?([\w.-]+)['\"]?\] *=> *(.*)")
_MAPPING_START: Final = re.compile(r"[\[{(<]|[A-Za-z_][\w.]*\s?[({]")


def read_recording(text: str | bytes) -> Recording:
    r'''Read requests from a text, whichever of the known formats it has.

    The formats are HAR 1.2, a raw HTTP/1.1 request, a curl command for bash, JSON with headers and body, a
    JSON object or list of headers, the printed dict of a web framework, a CGI or WSGI environment, and header
    lines. A body is recovered byte for byte; where that is impossible, a note of the request says why.
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
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    if len(data) > MAX_BYTES:
        raise InvalidArgument(
            f"the text has {len(data):,} bytes, more than {MAX_BYTES:,}; leave out what is not needed",
            field="headers",
        )
    decoded = _decoded(data) if isinstance(text, bytes) else text
    stripped = decoded.strip().removeprefix("\ufeff")
    if not stripped:
        raise InvalidArgument("the text is empty; paste a request", field="headers")
    if _CURL.match(stripped) or (stripped[0] not in "[{(<" and _is_curl(stripped)):
        return _one(RecordingFormat.CURL, read_curl(stripped))
    first = stripped.partition("\n")[0].strip()
    if not REQUEST_LINE.fullmatch(first):
        for attempt in (_json, _mapping, _variables):
            if (recording := attempt(stripped)) is not None:
                return recording
    request = read_http(data)
    return _one(
        RecordingFormat.LINES if request.body is None and not request.method else RecordingFormat.HTTP,
        request,
    )


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


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


_KINDS: Final = {
    "event": RecordingFormat.EVENT,
    "environ": RecordingFormat.ENVIRON,
    "headers": RecordingFormat.MAPPING,
}


def _json(text: str) -> Recording | None:
    if text[0] not in "[{":
        return None
    try:
        value = json_forms.load(text)
    except ValueError:
        return None
    if har.is_har(value):
        exchanges, notes = har.read_har(value)
        return Recording(format=RecordingFormat.HAR, exchanges=exchanges, notes=notes)
    request, kind = json_forms.request_of(value)
    return _one(_KINDS[kind], request)


def _mapping(text: str) -> Recording | None:
    text = text.rstrip(";").rstrip()
    if not _MAPPING_START.match(text):
        return None
    try:
        value = read_mapping(text)
    except NotAMapping:
        return None
    request, kind = json_forms.request_of(value)
    return _one(_KINDS[kind], request)


def _variables(text: str) -> Recording | None:
    """Read one variable a line, as ``env`` and PHP's ``print_r`` write them."""
    pairs = []
    for line in text.splitlines():
        match = _VARIABLE.fullmatch(line.strip()) or _PHP_VARIABLE.fullmatch(line.strip())
        if match:
            pairs.append((match[1], _unquoted(match[2].strip())))
        elif line.strip() not in ("", "Array", "(", ")"):
            return None
    if not is_environ(name for name, _ in pairs):
        return None
    return _one(RecordingFormat.ENVIRON, read_environ(pairs))


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"" else value
