"""Read what ``mitmdump --flow-detail 2`` and ``3`` print.

Bodies are formatted, with their values decoded; their length may tell how they were written. Only the first
request is read, because a value of its form may have line ends, and then anything as its next line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final
from urllib.parse import quote, quote_plus

from hook_widgets.webhooks._texts import encoded
from hook_widgets.webhooks.body.json_style import JsonStyle
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.recordings.exchange import RecordedRequest
from hook_widgets.webhooks.recordings.pasted.characters import lines_of
from hook_widgets.webhooks.recordings.pasted.raw_http import read_http

_FIRST: Final = re.compile(
    r"\[\d\d:\d\d:\d\d|Proxy server listening|HTTP\(S\) proxy|\S{1,80}:\d{1,5}: [A-Z]{3}"
)
_FLOW: Final = re.compile(r"\S{1,80}:\d{1,5}: ([A-Z]{3,20}) (https?://\S{1,4000})(?: HTTP/[0-9.]{1,3})?\s*")
_INDENT: Final = "    "
_CUT_OFF: Final = "(cut off)"
_MAX_CONTENT: Final = 1 << 18  # characters of a body that is written again
_STYLES: Final = (
    JsonStyle.COMPACT,
    JsonStyle.PYTHON,
    JsonStyle.COMPACT_ASCII,
    JsonStyle.PHP,
    JsonStyle.PHP_SLASHES,
    JsonStyle.RAILS,
    JsonStyle.GO,
    JsonStyle.INDENTED,
)


def read_mitmdump(text: str) -> RecordedRequest | None:
    """Read the first request that mitmdump shows; None if the text is not of that form."""
    lines = lines_of(text)
    if not _FIRST.match(lines[0]):
        return None
    starts = [index for index, line in enumerate(lines) if _FLOW.fullmatch(line)]
    if not starts:
        return None
    flow = _FLOW.fullmatch(lines[starts[0]])
    rows = lines[starts[0] + 1 :]
    blank = next((index for index, line in enumerate(rows) if not line.strip()), len(rows))
    fields = [line.removeprefix(_INDENT) for line in rows[:blank] if line.startswith(_INDENT)]
    if flow is None or not fields:
        return None
    request = read_http(encoded("\n".join([f":method: {flow[1]}", f":url: {flow[2]}", *fields])))
    content: list[str] = []
    for line in rows[blank + 1 :]:
        if line.strip() and not line.startswith(_INDENT):
            break
        content.append(line.removeprefix(_INDENT))
    body, notes = _body(request.headers, "\n".join(content).strip("\n"))
    if len(starts) > 1:
        notes.append("the requests after the first one were not read")
    return replace(request, body=body, notes=(*request.notes, *notes))


def _body(headers: Headers, text: str) -> tuple[bytes | None, list[str]]:
    """Return the body that is shown as a text, and notes."""
    length = headers.get("Content-Length", "")
    size = int(length) if length.isascii() and length.isdigit() and len(length) < 12 else None
    if not text and size != 0:
        return None, ["mitmdump shows bodies with --flow-detail 3"]
    if text.endswith(_CUT_OFF):
        text = text.removesuffix(_CUT_OFF).rstrip("\n")
        return encoded(text), ["the body is cut off; --flow-detail 4 shows all of it"]
    candidates = dict.fromkeys(_written(headers.get("Content-Type", ""), text))
    fitting = [body for body in candidates if len(body) == size]
    if not fitting:
        return next(iter(candidates)), [
            "mitmdump formats bodies, so this one is not what was sent, byte for byte"
        ]
    if fitting[0] == encoded(text):
        return fitting[0], []
    return fitting[0], ["mitmdump formats bodies; the one of the same content and length as sent was read"]


def _written(media_type: str, text: str) -> Iterator[bytes]:
    """Yield the content as senders write it, the likeliest first; as it is shown, if no other is likelier."""
    if len(text) <= _MAX_CONTENT:
        if "json" in media_type.lower() or text.startswith(("{", "[")):
            for style in _STYLES:
                try:
                    yield encoded(style.write(text))
                except (ValueError, RecursionError):
                    break
        elif "x-www-form-urlencoded" in media_type.lower():
            pairs = [line.partition(":") for line in text.split("\n")]
            fields = [(name, value.strip(" ")) for name, colon, value in pairs if colon]
            for quoted in (quote_plus, quote):
                yield "&".join(f"{quoted(name)}={quoted(value)}" for name, value in fields).encode()
    yield encoded(text)
    yield encoded(text.replace("\n", "\r\n"))
