"""Where a value stands inside a body: in JSON, in a form's parameter, or in JSON inside a form's field."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hook_widgets.errors import InvalidRequest
from hook_widgets.webhooks.text import forms, jsontext

_NAME = re.compile(rb';[ \t]*name="([^"]*)"', re.IGNORECASE)
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
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
        InvalidRequest: there is no such field, or it is there twice.
    """
    if not field:
        return Window(0, len(body), body)
    return _only(_parts(body, field), field) or form_window(body, field)


def form_window(body: bytes, name: str) -> Window:
    """The value of a parameter of a urlencoded body.

    Raises:
        InvalidRequest: there is no such parameter, or it is there twice.
    """
    found = _only(_parameters(body, name), name)
    if found is not None:
        return found
    raise InvalidRequest(
        f"the body has no form field {name!r}; keep it, or reset the body to the event's template",
        field="body",
    )


def parameter(body: bytes, name: str) -> str | None:
    """The decoded value of a parameter of a urlencoded body; None when it is not there.

    Raises:
        InvalidRequest: it is there twice, or the body is not UTF-8.
    """
    found = [value for key, value in forms.parse_form(body) if key == name]
    if len(found) > 1:
        raise _twice(name)
    return found[0] if found else None


def json_text(body: bytes, field: str) -> bytes:
    """The JSON text of a body; see `json_window`."""
    return json_window(body, field).text


def written(body: bytes, path: str) -> str | None:
    """The text of the JSON value at a path: a string decoded, anything else as written; None for nothing.

    Raises:
        InvalidJson: the body is not JSON.
        InvalidRequest: the string holds half of a surrogate pair, which has no bytes to sign.
    """
    place = jsontext.span(body, path)
    if place is None:
        return None
    raw = body[slice(*place)].decode()
    if raw == "null":
        return None
    text = str(json.loads(raw)) if raw.startswith('"') else raw
    if is_text(text):
        return text
    raise InvalidRequest(f"{path!r} holds half of a surrogate pair and has no bytes to sign", field="body")


def is_text(text: str) -> bool:
    """Whether a text can be written as UTF-8: half of a surrogate pair cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _parameters(body: bytes, name: str) -> Iterator[Window]:
    offset = 0
    for piece in body.split(b"&"):
        key, equals, value = piece.partition(b"=")
        if _decoded(key) == name.encode():
            start = offset + len(key) + len(equals)
            yield Window(start, start + len(value), _decoded(value), escaped=True)
        offset += len(piece) + 1


def _parts(body: bytes, name: str) -> Iterator[Window]:
    """The values of a field of a multipart body (RFC 7578), which begins with its boundary."""
    boundary = body.partition(b"\n")[0].rstrip()
    if not boundary.startswith(b"--"):
        return
    start = len(boundary)
    while start < len(body):
        following = body.find(b"\n" + boundary, start)
        stop = len(body) if following < 0 else following - (body[following - 1 : following] == b"\r")
        blank = _BLANK_LINE.search(body, start, stop)
        if blank is not None and name.encode() in _names(body[start : blank.start()]):
            yield Window(blank.end(), stop, body[blank.end() : stop])
        start = len(body) if following < 0 else following + 1 + len(boundary)


def _names(head: bytes) -> Iterator[bytes]:
    for line in head.splitlines():
        if line.lower().startswith(b"content-disposition:") and (found := _NAME.search(line)):
            yield found[1]


def _only(found: Iterator[Window], name: str) -> Window | None:
    first = next(found, None)
    if next(found, None) is not None:
        raise _twice(name)
    return first


def _twice(name: str) -> InvalidRequest:
    return InvalidRequest(
        f"the body has the form field {name!r} twice, and receivers differ in which one they take; keep one",
        field="body",
    )


def _joined(units: Sequence[bytes]) -> bytes:
    # one unit is one byte of the decoded text, so offsets of both can be told
    return b"".join(
        bytes.fromhex(unit[1:].decode()) if len(unit) == 3 else b" " if unit == b"+" else unit
        for unit in units
    )


def _decoded(text: bytes) -> bytes:
    return _joined(_UNIT.findall(text))
