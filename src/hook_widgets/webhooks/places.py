"""Where a value stands inside a body: in JSON, in a form's parameter, or in JSON inside a form's field."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from hook_widgets.errors import InvalidRequest
from hook_widgets.webhooks import jsontext

# The head of one part of a multipart body (RFC 7578): its boundary, its headers, an empty line.
_PART = (
    rb"--[^\r\n]*\r?\n(?:[^\r\n]+\r?\n)*?"
    rb'content-disposition:[^\r\n]*\bname="%s"[^\r\n]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n'
)
_UNIT = re.compile(rb"%[0-9A-Fa-f]{2}|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of the body and the text it stands for.

    Attributes:
        start: where it begins, as a byte offset.
        end: where it ends.
        text: what it says, decoded.
        escaped: whether it is percent-encoded.
    """

    start: int
    end: int
    text: bytes
    escaped: bool = False

    def raw_span(self, body: bytes, start: int, end: int) -> tuple[int, int]:
        """Where a span of the decoded text stands in the body."""
        if not self.escaped:
            return self.start + start, self.start + end
        offsets = [0]
        for unit in _UNIT.finditer(body[self.start : self.end]):
            offsets.append(offsets[-1] + len(unit[0]))
        return self.start + offsets[start], self.start + offsets[end]


def json_window(body: bytes, field: str) -> Window:
    """The JSON of a body: the body itself, or the value of that form field (urlencoded or multipart).

    Raises:
        InvalidRequest: there is no such field.
    """
    if not field:
        return Window(0, len(body), body)
    part = re.search(_PART % re.escape(field.encode()), body, re.IGNORECASE)
    if part is not None:
        end = re.compile(rb"\r?\n--").search(body, part.end())
        stop = end.start() if end else len(body)
        return Window(part.end(), stop, body[part.end() : stop])
    return form_window(body, field)


def form_window(body: bytes, name: str) -> Window:
    """The value of a parameter of a urlencoded body.

    Raises:
        InvalidRequest: there is no such parameter.
    """
    offset = 0
    for piece in body.split(b"&"):
        key, equals, value = piece.partition(b"=")
        if _decoded(key) == name.encode():
            start = offset + len(key) + len(equals)
            return Window(start, start + len(value), _decoded(value), escaped=True)
        offset += len(piece) + 1
    raise InvalidRequest(
        f"the body has no form field {name!r}; keep it, or reset the body to the event's template",
        field="body",
    )


def json_text(body: bytes, field: str) -> bytes:
    """The JSON text of a body; see `json_window`."""
    return json_window(body, field).text


def written(body: bytes, path: str) -> str | None:
    """The text of the JSON value at a path: a string decoded, anything else as written; None for nothing.

    Raises:
        InvalidJson: the body is not JSON.
    """
    place = jsontext.span(body, path)
    if place is None:
        return None
    raw = body[slice(*place)].decode()
    if raw == "null":
        return None
    return str(json.loads(raw)) if raw.startswith('"') else raw


def _joined(units: Sequence[bytes]) -> bytes:
    # one unit is one byte of the decoded text, so offsets of both can be told
    return b"".join(
        bytes.fromhex(unit[1:].decode()) if len(unit) == 3 else b" " if unit == b"+" else unit
        for unit in units
    )


def _decoded(text: bytes) -> bytes:
    return _joined(_UNIT.findall(text))
