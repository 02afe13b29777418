"""Split a text into headers as a program printed them, and the body that it printed after them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Final

from hook_widgets.webhooks._texts import encoded
from hook_widgets.webhooks.recordings.escapes import ansi_c, literal
from hook_widgets.webhooks.recordings.exchange import Recording, RecordingFormat

_LABEL: Final = re.compile(
    r"(?<![\w.-])(?:(?:raw|request)[ _-]?)?(?:body|payload)[\"']?\s{0,4}(?:=>|->|[:=])\s{0,4}(?=\S)",
    re.IGNORECASE,
)
_LINE: Final = re.compile(r"\n(?=[{\[<]|[bB]['\"]|[\"'][{\[])")  # before one that begins as a value
_BYTES: Final = re.compile(  # a literal of Python
    r"[bB](?:'(?>(?:[^'\\]++|\\.)*)'|\"(?>(?:[^\"\\]++|\\.)*)\")", re.DOTALL
)
_FORM: Final = re.compile(r"[\w.%*+\[\]-]{1,200}=[^\s\"'<>{}]*")
_MAX_LABELS: Final = 3
_FORMATS: Final = (
    RecordingFormat.EVENT,
    RecordingFormat.ENVIRON,
    RecordingFormat.MAPPING,
    RecordingFormat.LINES,
)
_NOTE: Final = "what follows the headers was read as the body"


def parts(text: str) -> Iterator[tuple[str, bytes]]:
    """Yield the text before what may be the body, and the bytes of that body, which ends with the text."""
    lines = [(match.start(), match.start()) for match in islice(_LINE.finditer(f"\n{text}"), 2)]
    lower = text.lower()
    named = "body" in lower or "payload" in lower  # found much faster than a label
    labels = [match.span() for match in islice(_LABEL.finditer(text), _MAX_LABELS)] if named else []
    for start, end in sorted({*lines, *labels}):
        head = text[:start].rstrip(" \t\r\n,;|")
        if head and (body := _body(text[end:].strip(), labelled=end > start)):
            yield head, body


def lacks_body(recording: Recording) -> bool:
    """Return True for the headers of one request, without a body; what follows a command is its response."""
    return recording.format in _FORMATS and [e.request.body for e in recording.exchanges] == [None]


def with_body(recording: Recording, body: bytes) -> Recording:
    """Return the recording of one request with its body, and a note on that."""
    (exchange,) = recording.exchanges
    request = replace(exchange.request, body=body, notes=(*exchange.request.notes, _NOTE))
    return replace(recording, exchanges=(replace(exchange, request=request),))


def _body(text: str, *, labelled: bool) -> bytes | None:
    """Return the body that a text is as a whole; None if it is none, or if more follows."""
    try:
        if text[:1] in "{[":
            return encoded(text) if json.loads(text) else None
        if text[:1] == '"':
            inner = json.loads(text)
            return encoded(inner) if isinstance(inner, str) else None
    except (ValueError, RecursionError):
        return None
    if _BYTES.fullmatch(text):
        return ansi_c(text[2:-1])
    if text[:1] == "'" == text[-1:] and len(text) > 1:
        return encoded(literal(text[1:-1]))
    is_whole = (text[:1] == "<" and text[-1:] == ">") or (labelled and _FORM.fullmatch(text))
    return encoded(text) if is_whole else None
