"""The template language of the provider data: text with ``{field}`` placeholders.

A template works in both directions: `Template.render` produces a header or a base string, and
`Template.match` parses a received header.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from hook_widgets.errors import CatalogError, UnknownName, nearest

_FIELD = re.compile(r"\{([a-z][a-z0-9_]*)\}")


@dataclass(frozen=True, slots=True)
class Field:
    """One ``{name}`` of a template."""

    name: str


@dataclass(frozen=True)
class Template:
    """Text with ``{field}`` placeholders; a brace outside a field is an error.

    Attributes:
        text: the text.
        verbatim: whether braces are literal text, as in a header that the user typed.

    >>> Template("v0:{timestamp}:{body}").render({"timestamp": "17", "body": b"hi"})
    b'v0:17:hi'
    >>> Template("t={timestamp}").match("t=17")
    {'timestamp': '17'}
    """

    text: str
    verbatim: bool = False

    def __post_init__(self) -> None:
        if self.verbatim:
            return
        rest = _FIELD.sub("", self.text)
        if "{" in rest or "}" in rest:
            raise CatalogError(
                f"template {self.text!r} has a brace outside a field; write fields as {{lower_case}}"
            )

    @cached_property
    def segments(self) -> tuple[str | Field, ...]:
        """Literal text and fields, in order."""
        if self.verbatim:
            return (self.text,)
        parts = _FIELD.split(self.text)
        segments = (Field(part) if i % 2 else part for i, part in enumerate(parts))
        return tuple(s for s in segments if s != "")

    @property
    def described(self) -> str:
        """The text in a form for people: ``<timestamp>.<body>``."""
        return _FIELD.sub(r"<\1>", self.text)

    @cached_property
    def literal(self) -> str:
        """The text outside its fields."""
        return "".join(s for s in self.segments if isinstance(s, str))

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The fields in order, repetitions included."""
        return tuple(s.name for s in self.segments if isinstance(s, Field))

    @cached_property
    def format(self) -> bytes:
        """The text as a ``%b`` format for its fields, with which each value is copied only once."""
        pieces = [b"%b" if isinstance(s, Field) else s.encode().replace(b"%", b"%%") for s in self.segments]
        return b"".join(pieces)

    @cached_property
    def names(self) -> frozenset[str]:
        """The distinct fields."""
        return frozenset(self.order)

    @cached_property
    def _between(self) -> tuple[str, ...]:
        """The literal texts before, between and after the fields: one more than there are fields."""
        return (self.text,) if self.verbatim else tuple(_FIELD.split(self.text)[::2])

    def render(self, fields: Mapping[str, bytes | str]) -> bytes:
        """Return the text with the values of its fields, as UTF-8; bytes values are inserted unchanged.

        Raises:
            UnknownName: a field has no value.
        """
        pieces = self.pieces(fields)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def pieces(self, fields: Mapping[str, bytes | str]) -> tuple[bytes, ...]:
        """Return the text rendered with these fields in pieces, so that a long body is not copied.

        Raises:
            UnknownName: a field has no value.
        """
        value = self._value
        return tuple([s.encode() if isinstance(s, str) else value(s.name, fields) for s in self.segments])

    def _value(self, name: str, fields: Mapping[str, bytes | str]) -> bytes:
        try:
            value = fields[name]
        except KeyError:
            hint = nearest(name, fields)
            raise UnknownName(f"template {self.text!r} needs {{{name}}}; {hint}") from None
        return value if isinstance(value, bytes) else value.encode()

    def match(self, text: str) -> dict[str, str] | None:
        """Return the values of the fields if the whole of `text` matches the template, else None.

        If there are several matches, earlier fields are as long as possible. The time is linear in the length
        of the text even for hostile input, unlike a regular expression, which would backtrack.
        """
        first, *between = self._between
        if not between:
            return {} if text == first else None
        last = between.pop()
        start, end = len(first), len(text) - len(last)
        if end < start or not text.startswith(first) or not text.endswith(last):
            return None
        values: list[str] = []
        for literal in reversed(between):
            at = text.rfind(literal, start, end)
            if at < 0:
                return None
            values.append(text[at + len(literal) : end])
            end = at
        values.append(text[start:end])
        fields: dict[str, str] = {}
        for name, value in zip(self.order, reversed(values), strict=True):
            if fields.setdefault(name, value) != value:
                return None
        return fields
