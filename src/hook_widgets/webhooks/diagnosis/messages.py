"""What may have been signed in place of a base string: parts missing, joined or ordered in another way."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hook_widgets.webhooks.diagnosis.causes import Mention
from hook_widgets.webhooks.text.template import Field, Template

MessageGuess = tuple[tuple[Mention, ...], Template]
"""Causes, and the base string's template if they are what happened."""

_SEPARATORS = ("", ".", ":", "\n", "|", "&", " ", ",", "-")


def messages(template: Template, *, timestamps: bool) -> Iterator[MessageGuess]:
    """Base strings that differ in one way, the likeliest first. The same may come more than once.

    Args:
        template: the provider's own.
        timestamps: whether the request names a time although none is signed; it is the field ``timestamp``.
    """
    usual = described(template)
    segments = template.segments
    names = template.order
    if len(names) > 1:
        for name in dict.fromkeys(names):
            yield _one(_missing(name), _joined(_dropped(segments, name)), usual)
        yield _one("message-body-only", Template("{body}"), usual)
        for separator in _SEPARATORS:
            yield _one("message-separator", _joined(_separated(segments, separator)), usual)
        yield _one("message-order", _joined(tuple(reversed(segments))), usual)
    elif names == ("body",):
        if timestamps:
            for separator in (".", ":", ""):
                yield _one("message-with-timestamp", Template(f"{{timestamp}}{separator}{{body}}"), usual)
        yield _one("message-with-url", Template("{url}{body}"), usual)
    if segments and isinstance(segments[0], str) and names:
        yield _one("message-without-label", _joined(segments[1:]), usual)
    if "body" in names:
        hashed = tuple(Field("body_sha256") if s == Field("body") else s for s in segments)
        yield _one("message-body-hash", _joined(hashed), usual)


def described(template: Template) -> str:
    """A template as people read it: ``<timestamp>.<body>``."""
    return re.sub(r"\{(\w+)\}", r"<\1>", template.text)


def _one(cause: str, template: Template, detail: str) -> MessageGuess:
    return (Mention(cause, detail),), template


def _missing(name: str) -> str:
    if name in ("timestamp", "body", "method"):
        return f"message-without-{name}"
    if name.startswith(("url", "path", "host", "query")):
        return "message-without-url"
    return "message-without-id" if re.search(r"id$|delivery|token|nonce", name) else "message-without-field"


def _dropped(segments: tuple[str | Field, ...], name: str) -> tuple[str | Field, ...]:
    """Without the field and the separator that goes with it."""
    place = segments.index(Field(name))
    after = segments[place + 1 : place + 2]
    if after and isinstance(after[0], str):
        return segments[:place] + segments[place + 2 :]
    before = segments[place - 1 : place] if place else ()
    if before and isinstance(before[0], str):
        return segments[: place - 1] + segments[place + 1 :]
    return segments[:place] + segments[place + 1 :]


def _separated(segments: tuple[str | Field, ...], separator: str) -> tuple[str | Field, ...]:
    """With another text between two fields; fixed text at the ends stays."""
    out: list[str | Field] = []
    for place, segment in enumerate(segments):
        inner = 0 < place < len(segments) - 1
        if isinstance(segment, str) and inner:
            out.append(separator)
        else:
            if place and isinstance(segment, Field) and isinstance(segments[place - 1], Field):
                out.append(separator)
            out.append(segment)
    return tuple(out)


def _joined(segments: tuple[str | Field, ...]) -> Template:
    return Template("".join(f"{{{s.name}}}" if isinstance(s, Field) else s for s in segments))
