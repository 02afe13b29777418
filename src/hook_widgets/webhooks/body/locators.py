"""Locate values inside a body: in JSON, in a form parameter, or in JSON inside a form field."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NoReturn
from urllib.parse import unquote_to_bytes

from hook_widgets.errors import UnreadableMessage
from hook_widgets.webhooks.body import forms, json_edit
from hook_widgets.webhooks.body.json_diagnostics import MAX_DEPTH
from hook_widgets.webhooks.body.json_style import WrittenNumber

_NAME = re.compile(rb';[ \t]*name="([^"]*)"', re.IGNORECASE)
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_UNIT = re.compile(rb"%[0-9A-Fa-f]{2}|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Window:
    """A span of the body and its decoded text.

    Attributes:
        start: the byte offset of its beginning.
        end: the byte offset of its end.
        text: the decoded text.
        escaped: True if it is percent-encoded.
    """

    start: int
    end: int
    text: bytes
    escaped: bool = False

    def raw_span(self, body: bytes, start: int, end: int) -> tuple[int, int]:
        """Return the byte offsets in the body of a span of the decoded text."""
        if not self.escaped:
            return self.start + start, self.start + end
        offsets = [0]
        for unit in _UNIT.finditer(body[self.start : self.end]):
            offsets.append(offsets[-1] + len(unit[0]))
        return self.start + offsets[start], self.start + offsets[end]


def json_window(body: bytes, field: str) -> Window:
    """Locate the JSON of a body: the body itself, or the value of that form field (urlencoded or multipart).

    Raises:
        UnreadableMessage: the field is missing or occurs twice.
    """
    if not field:
        return Window(0, len(body), body)
    return _only(_parts(body, field), field) or form_window(body, field)


def form_window(body: bytes, name: str) -> Window:
    """Locate the value of a parameter of a urlencoded body.

    Raises:
        UnreadableMessage: the parameter is missing or occurs twice.
    """
    window = _only(_parameters(body, name), name)
    if window is not None:
        return window
    raise UnreadableMessage(
        f"the body has no form field {name!r}; keep it, or reset the body to the event's template",
        field="body",
    )


def parameter(body: bytes, name: str) -> str | None:
    """Return the decoded value of a parameter of a urlencoded body; None if it is missing.

    Raises:
        UnreadableMessage: the parameter occurs twice, or the body is not UTF-8.
    """
    values = [value for key, value in forms.parse_form(body) if key == name]
    if len(values) > 1:
        raise _duplicate_field(name)
    return values[0] if values else None


def json_text(body: bytes, field: str) -> bytes:
    """Return the JSON text of a body; see `json_window`."""
    return json_window(body, field).text


def written(body: bytes, path: str) -> str | None:
    """Return the text of the JSON value at a path: a string decoded, another value as it is written.

    None if the value is null or missing.

    Raises:
        InvalidJson: the body is not JSON.
        UnreadableMessage: the string contains half of a surrogate pair, which has no bytes to sign.
    """
    offsets = json_edit.span(body, path)
    if offsets is None:
        return None
    raw = body[slice(*offsets)].decode()
    if raw == "null":
        return None
    text = str(json.loads(raw)) if raw.startswith('"') else raw
    if is_text(text):
        return text
    raise UnreadableMessage(f"{path!r} holds half of a surrogate pair and has no bytes to sign", field="body")


def scalars(body: bytes, paths: Iterable[str]) -> list[tuple[bool, str]] | None:
    """Return for each path if its value is a string, and the text that `written` returns.

    This is faster than `written`, and returns None for all that only `written` can tell: a body
    that is not JSON or may be nested too deep, and values that are missing, in an array or no text or number.
    """
    if body.count(b"{") + body.count(b"[") > MAX_DEPTH:
        return None
    try:
        value = json.loads(
            body.decode("utf-8-sig"),
            parse_int=WrittenNumber,
            parse_float=WrittenNumber,
            parse_constant=_reject,
        )
    except (ValueError, RecursionError):
        return None
    texts: list[tuple[bool, str]] = []
    for path in paths:
        member = value
        for name in path.split("."):
            member = member.get(name) if isinstance(member, dict) else None
        if not isinstance(member, str):
            return None
        texts.append((not isinstance(member, WrittenNumber), str(member)))
    return texts


def _reject(constant: str) -> NoReturn:
    raise ValueError(constant)  # NaN and the infinities are no JSON


def is_text(text: str) -> bool:
    """Return True if a text can be encoded as UTF-8, which half of a surrogate pair cannot."""
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
    """Locate the values of a field of a multipart body (RFC 7578), which begins with its boundary."""
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
        if line.lower().startswith(b"content-disposition:") and (match := _NAME.search(line)):
            yield match[1]


def _only(windows: Iterator[Window], name: str) -> Window | None:
    first = next(windows, None)
    if next(windows, None) is not None:
        raise _duplicate_field(name)
    return first


def _duplicate_field(name: str) -> UnreadableMessage:
    return UnreadableMessage(
        f"the body has the form field {name!r} twice, and receivers differ in which one they take; keep one",
        field="body",
    )


def _decoded(text: bytes) -> bytes:
    return unquote_to_bytes(text.replace(b"+", b" "))
