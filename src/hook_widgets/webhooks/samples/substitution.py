"""Find texts inside a body, and replace them without re-serializing the rest.

A text may be in a JSON string, escaped in several ways, in JSON inside such a string, in a URL inside such a
string, percent-encoded, in a form field, or in JSON inside a form field or a part of a multipart body. Each
encoding is a layer: it is decoded for the search, and new values are encoded in the layer's own style.
"""

from __future__ import annotations

import json
import re
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Any, Protocol
from urllib.parse import quote

from hook_widgets.webhooks.body import json_edit
from hook_widgets.webhooks.body.json_style import JsonStyle

Write = Callable[[str], str]


@dataclass(frozen=True, kw_only=True)
class Place:
    """The place of a parameter's value in a text.

    Attributes:
        start: the index of the first character.
        end: the index after the last character.
        name: the name of the parameter.
        write: encodes a new value for this place.
        number: True if it is a JSON number, so that the new value must be one.
    """

    start: int
    end: int
    name: str
    write: Write
    number: bool = False


class Find(Protocol):
    """A search for values in plain text, or in the text of a JSON number."""

    def __call__(self, text: str, *, number: bool = False) -> Iterable[Place]:
        """Return the places in that text."""


@dataclass(frozen=True)
class Layer:
    """An encoded section of a text.

    Attributes:
        start: the index of its first character.
        units: the encoded and the plain form of each character.
        spell: encodes a character that the section did not contain before.
    """

    start: int
    units: Sequence[tuple[str, str]]
    spell: Write

    @cached_property
    def text(self) -> str:
        """The decoded text."""
        return _plain(self.units)

    @cached_property
    def _ends(self) -> list[int]:
        return [0, *accumulate(len(raw) for raw, _ in self.units)]

    def lift(self, place: Place) -> Place:
        """Convert a place in the decoded text to a place in the surrounding text."""
        ends = self._ends
        # A character that was at this place before keeps its encoding.
        known = {plain: raw for raw, plain in self.units[place.start : place.end]}

        def write(value: str) -> str:
            text = place.write(value)
            spelled = {c: known[c] if c in known else self.spell(c) for c in set(text)}
            return "".join(map(spelled.__getitem__, text))

        return replace(
            place, start=self.start + ends[place.start], end=self.start + ends[place.end], write=write
        )


@dataclass(frozen=True)
class Document:
    """A section of a body that is parsed as one: the whole body, a form field, or a part of a multipart body.

    Attributes:
        text: the decoded text.
        lift: converts a place in it to a place in the body.
        data: the decoded JSON; None if it is not an object or array.
        style: the serializer that wrote it; None if it is not known.
    """

    text: str
    lift: Callable[[Place], Place]
    data: Any = None
    style: JsonStyle | None = None

    @classmethod
    def of(cls, text: str, lift: Callable[[Place], Place], style: JsonStyle | None = None) -> Document:
        """Return the document with that text."""
        return cls(text, lift, _json(text), style)

    def places(self, find: Find) -> Iterator[Place]:
        """Yield the places of all search results in the body."""
        places = (
            _in_json(self.text, find, self.style) if self.data is not None else _in_string(self.text, find)
        )
        yield from map(self.lift, places)

    def value(self, path: str) -> str | int | float | None:
        """Return the text or number at a dotted path; None if there is neither."""
        value = self.data
        for step in path.split("."):
            if isinstance(value, dict) and step in value:
                value = value[step]
            elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
                value = value[int(step)]
            else:
                return None
        return value if isinstance(value, str | int | float) and not isinstance(value, bool) else None

    def place(self, path: str, name: str) -> tuple[str, Place]:
        """Return the decoded text at a path, and its place in the body."""
        raw = self.text.encode("utf-8", "surrogateescape")
        span = json_edit.span(raw, path) or (0, 0)
        start, end = (len(raw[:offset].decode("utf-8", "surrogateescape")) for offset in span)
        token = self.text[start:end]
        if not token.startswith('"'):
            return token, self.lift(Place(start=start, end=end, name=name, write=str, number=True))
        layer = Layer(start + 1, _json_units(token[1:-1]), _speller(self.text, self.style))
        content = Place(start=0, end=len(layer.units), name=name, write=str)
        return layer.text, self.lift(layer.lift(content))


def documents(body: str, style: JsonStyle | None = None) -> list[Document]:
    """Split a body into its documents.

    Args:
        body: the text of the body.
        style: the serializer that wrote it, if it is JSON and not a form; None if it is not known.
    """
    document = Document.of(body, lambda place: place, style)
    if document.data is not None:
        return [document]
    if body.startswith("--") and (parts := [_shifted(body, *part.span(1)) for part in _PART.finditer(body)]):
        return parts
    if _FORM.fullmatch(body):
        return [_decoded(field[1], field.start(1)) for field in _VALUE.finditer(body)]
    return [document]


def replaced(body: str, places: Iterable[Place], value: Callable[[Place], str | None]) -> str:
    """Replace the values at these places; of two that overlap, the first in order counts."""
    disjoint: list[Place] = []  # by start and end, so that only neighbors can overlap
    for place in places:
        at = bisect(disjoint, (place.start, place.end), key=lambda other: (other.start, other.end))
        if all(
            place.end <= other.start or other.end <= place.start
            for other in disjoint[max(at - 1, 0) : at + 1]
        ):
            disjoint.insert(at, place)
    pieces, done = [], 0
    for place in disjoint:
        new = value(place)
        if new is not None:
            pieces += [body[done : place.start], place.write(new)]
            done = place.end
    return "".join((*pieces, body[done:]))


_REMEMBERED = 1024  # characters
_PART = re.compile(r"\r?\n\r?\n(.*?)(?=\r?\n--)", re.DOTALL)
_FORM = re.compile(r"[^=&\s{}<>]+=[^&\s<>]*(?:&[^=&\s]+=[^&\s]*)*")
_VALUE = re.compile(r"(?<==)([^&]*)")
_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"(\s*:)?|-?[0-9][0-9.eE+-]*', re.DOTALL)
_JSON_UNIT = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|.", re.DOTALL
)
_ESCAPED = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)")
_PERCENT_RUN = re.compile(r"(?:%[0-9A-Fa-f]{2})+|.", re.DOTALL)
_PERCENT = re.compile(r"%[0-9A-Fa-f]{2}")
_URL = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


def _json(text: str) -> Any:
    if text.lstrip("\ufeff \t\r\n")[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text.lstrip("\ufeff"))
    except ValueError:
        return None


def _shifted(body: str, start: int, end: int) -> Document:
    def lift(place: Place) -> Place:
        return replace(place, start=start + place.start, end=start + place.end)

    return Document.of(body[start:end], lift)


def _decoded(value: str, start: int) -> Document:
    layer = Layer(start, _percent_units(value, plus=True), _percent_speller(value, plus=True))
    return Document.of(layer.text, layer.lift)


def _in_json(text: str, find: Find, style: JsonStyle | None = None) -> Iterator[Place]:
    """Yield the places in the values of a JSON text, not in its keys."""
    speller = _speller(text, style)
    for token in _TOKEN.finditer(text):
        if token[1] is None:
            for place in find(token[0], number=True):
                yield replace(place, start=token.start(), end=token.end(), number=True)
        elif token[2] is None:
            units = _json_units(token[1]) if "\\" in token[1] else None
            inner_text = token[1] if units is None else _plain(units)
            inner_places = list(_in_string(inner_text, find))
            if inner_places:
                layer = Layer(token.start(1), units or _same(token[1]), speller)
                yield from map(layer.lift, inner_places)


def _in_string(text: str, find: Find) -> Iterable[Place]:
    if _json(text) is not None:
        return list(_in_json(text, find))
    encoded = _PERCENT.search(text) is not None
    if not encoded and not _URL.match(text):
        return find(text)
    units = _percent_units(text, plus=False) if encoded else None
    places = list(find(text if units is None else _plain(units)))
    if not places:
        return []
    layer = Layer(0, units or _same(text), _percent_speller(text, plus=False))
    return map(layer.lift, places)


def _same(text: str) -> list[tuple[str, str]]:
    """Return the units of a section without an encoded character."""
    return list(zip(text, text, strict=True))


def _plain(units: Sequence[tuple[str, str]]) -> str:
    return "".join(plain for _, plain in units)


def _json_units(text: str) -> list[tuple[str, str]]:
    return [
        (raw, json.loads(f'"{raw}"', strict=False) if raw[0] == "\\" else raw)
        for raw in _JSON_UNIT.findall(text)
    ]


def _speller(text: str, style: JsonStyle | None) -> Write:
    return _json_speller(text) if style is None else style.quote


def _json_speller(text: str) -> Write:
    """Return a function that encodes a character as the writer of this JSON does, with the same escapes."""
    escapes: dict[str, str] = {json.loads(f'"{raw}"'): raw for raw in _ESCAPED.findall(text)}
    ascii_only = text.isascii() and any(not plain.isascii() for plain in escapes)

    @lru_cache(_REMEMBERED)
    def spell(char: str) -> str:
        if char in escapes:
            return escapes[char]
        return json.dumps(char, ensure_ascii=ascii_only)[1:-1]

    return spell


def _percent_units(text: str, *, plus: bool) -> list[tuple[str, str]]:
    units: list[tuple[str, str]] = []
    for run in _PERCENT_RUN.findall(text):
        if run[0] != "%" or len(run) == 1:
            units.append((run, " " if plus and run == "+" else run))
            continue
        raw = bytes.fromhex(run.replace("%", ""))
        try:
            plain = raw.decode()
        except UnicodeDecodeError:
            units += [(char, char) for char in run]  # not text: left as it is
            continue
        ends = [0]
        for char in plain:
            ends.append(ends[-1] + 3 * len(char.encode()))
        units += [(run[ends[i] : ends[i + 1]], char) for i, char in enumerate(plain)]
    return units


def _percent_speller(text: str, *, plus: bool) -> Write:
    lower = any(hexadecimal.islower() for hexadecimal in _PERCENT.findall(text))

    @lru_cache(_REMEMBERED)
    def spell(char: str) -> str:
        if plus and char == " " and "%20" not in text:
            return "+"
        encoded = quote(char, safe="")
        return encoded.lower() if lower and encoded != char else encoded

    return spell
