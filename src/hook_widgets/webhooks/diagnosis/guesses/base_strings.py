"""Guess which other base string was signed: parts missing, joined or ordered in another way."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hook_widgets.webhooks.body.template import Field, Template
from hook_widgets.webhooks.diagnosis.causes import CauseRef, one

MessageGuess = tuple[tuple[CauseRef, ...], Template]
"""Causes, and the template of the base string that they lead to."""

_ESCAPED = re.compile(r"\\([\\:])")
_SEPARATORS = ("", ".", ":", "\n", "|", "&", " ", ",", "-")


def messages(template: Template, *, timestamps: bool) -> Iterator[MessageGuess]:
    """Yield base strings that differ in one way, the likeliest first. The same may be yielded again.

    Args:
        template: the provider's own template.
        timestamps: True if the request has a time that is not signed; guesses use it as field ``timestamp``.
    """
    expected = template.described
    segments = template.segments
    names = template.order
    if len(names) > 1:
        for name in dict.fromkeys(names):
            yield one(_missing(name), _joined(_dropped(segments, name)), expected)
        yield one("message-body-only", Template("{body}"), expected)
        for separator in _SEPARATORS:
            yield one("message-separator", _joined(_separated(segments, separator)), expected)
        yield one("message-order", _joined(tuple(reversed(segments))), expected)
    elif names == ("body",):
        if timestamps:
            for separator in (".", ":", ""):
                yield one("message-with-timestamp", Template(f"{{timestamp}}{separator}{{body}}"), expected)
        yield one("message-with-url", Template("{url}{body}"), expected)
    if segments and isinstance(segments[0], str) and names:
        yield one("message-without-label", _joined(segments[1:]), expected)
    if "body" in names:
        hashed = tuple(Field("body_sha256") if s == Field("body") else s for s in segments)
        yield one("message-body-hash", _joined(hashed), expected)


def spellings(template: Template, text: str) -> Iterator[tuple[str, str]]:
    """Yield other spellings of a signed field, each with its cause."""
    yield "message-field-lower", text.lower()
    yield "message-field-upper", text.upper()
    if ":" in template.segments:
        yield "message-field-escaped", text.replace("\\", "\\\\").replace(":", "\\:")
        yield "message-field-unescaped", _ESCAPED.sub(r"\1", text)


def _missing(name: str) -> str:
    if name in ("timestamp", "body", "method"):
        return f"message-without-{name}"
    if name.startswith(("url", "path", "host", "query")):
        return "message-without-url"
    return "message-without-id" if re.search(r"id$|delivery|token|nonce", name) else "message-without-field"


def _dropped(segments: tuple[str | Field, ...], name: str) -> tuple[str | Field, ...]:
    """Remove the field and the separator that belongs to it."""
    index = segments.index(Field(name))
    after = segments[index + 1 : index + 2]
    if after and isinstance(after[0], str):
        return segments[:index] + segments[index + 2 :]
    before = segments[index - 1 : index] if index else ()
    if before and isinstance(before[0], str):
        return segments[: index - 1] + segments[index + 1 :]
    return segments[:index] + segments[index + 1 :]


def _separated(segments: tuple[str | Field, ...], separator: str) -> tuple[str | Field, ...]:
    """Replace the text between two fields; fixed text at the ends stays."""
    out: list[str | Field] = []
    for index, segment in enumerate(segments):
        inner = 0 < index < len(segments) - 1
        if isinstance(segment, str) and inner:
            out.append(separator)
        else:
            if index and isinstance(segment, Field) and isinstance(segments[index - 1], Field):
                out.append(separator)
            out.append(segment)
    return tuple(out)


def _joined(segments: tuple[str | Field, ...]) -> Template:
    return Template("".join(f"{{{s.name}}}" if isinstance(s, Field) else s for s in segments))
