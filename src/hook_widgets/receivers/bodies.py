"""Bodies of JSON with additions, and the same content in other bytes. Everything else stays byte for byte."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Final

from hook_widgets.errors import InvalidJson
from hook_widgets.receivers.context import Context, Variant
from hook_widgets.receivers.outcome import NotApplicable, NotDecided
from hook_widgets.webhooks.body import json_edit

NEW_FIELD: Final = b'"hook_widgets_new":"a new field"'
_NUMBER: Final = re.compile(rb"([:\[,]\s*)(\d+)(?=\s*[,}\]])")
_LETTER: Final = re.compile(rb'(:\s*")([a-z])')
_DIGIT: Final = re.compile(rb"[0-9]")


def with_members(body: bytes, members: bytes) -> bytes:
    """Return a JSON object with these members before its own.

    >>> with_members(b'{"a": 1}', b'"b":2')
    b'{"b":2,"a": 1}'
    """
    start = body.index(b"{") + 1
    comma = b"" if body[start:].lstrip().startswith(b"}") else b","
    return body[:start] + members + comma + body[start:]


def with_value(body: bytes, path: str, value: bytes) -> bytes:
    """Return JSON with another value at a path.

    Raises:
        NotApplicable: the body has no such path, or is no JSON.
    """
    try:
        span = json_edit.span(body, path)
    except InvalidJson as error:
        raise NotApplicable(str(error)) from None
    if span is None:
        raise NotApplicable(f"the body of this event has no {path}")
    return body[: span[0]] + value + body[span[1] :]


def added(context: Context, members: dict[str, bytes]) -> Iterator[Variant]:
    """Yield signed requests with these members in their JSON, if a plain new field is accepted.

    Raises:
        NotApplicable: the body is no JSON object.
        NotDecided: no new field is accepted.
    """
    context.require_json_object()
    if not context.takes_new_fields:
        context.ensure_good()
        body = with_members(context.json_object(), NEW_FIELD)
        control = context.send("a new field", context.signed(body=body).request())
        if not control.accepted:
            raise NotDecided(f"any new field is rejected ({control.outcome}); see D8", control)
        context.takes_new_fields = True
    yield from extended(context, members)


def extended(context: Context, members: dict[str, bytes]) -> Iterator[Variant]:
    """Yield signed requests with these members in their JSON, which must be an object."""
    for label, text in members.items():
        yield label, context.signed(body=with_members(context.json_object(), text)).request()


def changed_byte(body: bytes) -> bytes:
    """Return the body with another digit, or another last byte if it has none."""
    digits = list(_DIGIT.finditer(body))
    if not digits:
        return body[:-1] + bytes([body[-1] ^ 1]) if body else b"x"
    at = digits[len(digits) // 2].start()
    return body[:at] + str((int(body[at : at + 1]) + 1) % 10).encode() + body[at + 1 :]


def with_invalid_byte(body: bytes) -> bytes:
    """Return JSON with a byte that is no UTF-8 in its first text."""
    return _LETTER.sub(lambda match: match[1] + b"\xff" + match[2], body, count=1)


def respelled(body: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield JSON with the same content in other bytes; nothing if the body is no JSON."""
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        return
    dump: Callable[..., str] = json.dumps
    spellings = {
        "no spaces": dump(content, separators=(",", ":"), ensure_ascii=False).encode(),
        "other spaces": dump(content, indent=3, ensure_ascii=False).encode(),
        "another order of keys": dump(_reversed(content), separators=(",", ":"), ensure_ascii=False).encode(),
        "1.0 for 1": _NUMBER.sub(rb"\g<1>\g<2>.0", body, count=1),
        "an escaped letter": _LETTER.sub(
            lambda match: match[1] + f"\\u{match[2][0]:04x}".encode(), body, count=1
        ),
    }
    yield from ((label, text) for label, text in spellings.items() if text != body)


def _reversed(content: object) -> object:
    return dict(reversed(content.items())) if isinstance(content, dict) else content
