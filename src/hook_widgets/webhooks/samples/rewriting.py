"""Where a text stands inside a body, and putting another there without writing the rest anew.

A text may stand in a JSON string, escaped in several ways, in JSON inside such a string, in a URL inside such
a string, percent-encoded, in a form field, or in JSON inside a form field or a part of a multipart body. Each
is a layer: it is decoded to look inside, and what is found there is written back in the layer's own manner.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, Protocol
from urllib.parse import quote

from hook_widgets.webhooks.text import jsontext

Write = Callable[[str], str]


@dataclass(frozen=True)
class Place:
    """Where something stands in a text.

    Attributes:
        start: first character.
        end: one past the last.
        name: what it is that stands there.
        write: how a new value is written there.
        number: whether it is a JSON number, so that the new value must be one.
    """

    start: int
    end: int
    name: str
    write: Write
    number: bool = False


class Find(Protocol):
    """Finds what is looked for in plain text, or in what is a JSON number."""

    def __call__(self, text: str, *, number: bool = False) -> Iterable[Place]:
        """The places in that text."""


@dataclass(frozen=True)
class Layer:
    """An encoded stretch of a text.

    Attributes:
        start: where it begins.
        units: the encoded and the plain form of each character.
        spell: how a character that did not stand there before is encoded.
    """

    start: int
    units: Sequence[tuple[str, str]]
    spell: Write

    @cached_property
    def text(self) -> str:
        """What it says."""
        return _plain(self.units)

    @cached_property
    def _ends(self) -> list[int]:
        return [0, *accumulate(len(raw) for raw, _ in self.units)]

    def lift(self, place: Place) -> Place:
        """A place in what it says as a place in the text around it."""
        ends = self._ends
        # a character is written as it was at this place, if it was there
        known = {plain: raw for raw, plain in self.units[place.start : place.end]}

        def write(value: str) -> str:
            return "".join(known[c] if c in known else self.spell(c) for c in place.write(value))

        return Place(
            self.start + ends[place.start], self.start + ends[place.end], place.name, write, place.number
        )


@dataclass(frozen=True)
class Document:
    """A stretch of a body that is read as one: all of it, a form field, or a part of a multipart body.

    Attributes:
        text: what it says.
        lift: a place in it as a place in the body.
        data: the decoded JSON; None when it is no object or array.
    """

    text: str
    lift: Callable[[Place], Place]
    data: Any = None

    @classmethod
    def of(cls, text: str, lift: Callable[[Place], Place]) -> Document:
        """The document with that text."""
        return cls(text, lift, _json(text))

    def places(self, find: Find) -> Iterator[Place]:
        """All places of what is looked for, in the body."""
        found = _in_json(self.text, find) if self.data is not None else _in_string(self.text, find)
        yield from map(self.lift, found)

    def value(self, path: str) -> str | int | float | None:
        """The text or number at a dotted path; None when there is neither."""
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
        """The text at a path, decoded, and its place in the body."""
        raw = self.text.encode("utf-8", "surrogateescape")
        span = jsontext.span(raw, path) or (0, 0)
        start, end = (len(raw[:offset].decode("utf-8", "surrogateescape")) for offset in span)
        token = self.text[start:end]
        if not token.startswith('"'):
            return token, self.lift(Place(start, end, name, str, number=True))
        layer = Layer(start + 1, _json_units(token[1:-1]), _json_speller(self.text))
        whole = Place(0, len(layer.units), name, str)
        return layer.text, self.lift(layer.lift(whole))


def documents(body: str) -> list[Document]:
    """The documents that a body consists of."""
    whole = Document.of(body, lambda place: place)
    if whole.data is not None:
        return [whole]
    if body.startswith("--") and (parts := [_shifted(body, *part.span(1)) for part in _PART.finditer(body)]):
        return parts
    if _FORM.fullmatch(body):
        return [_decoded(field[1], field.start(1)) for field in _VALUE.finditer(body)]
    return [whole]


def replaced(body: str, places: Iterable[Place], value: Callable[[Place], str | None]) -> str:
    """The body with new values at these places; where two overlap the one that is named first counts."""
    taken: list[Place] = []
    for place in places:
        if all(place.end <= other.start or other.end <= place.start for other in taken):
            taken.append(place)
    pieces, done = [], 0
    for place in sorted(taken, key=lambda place: place.start):
        new = value(place)
        if new is not None:
            pieces += [body[done : place.start], place.write(new)]
            done = place.end
    return "".join((*pieces, body[done:]))


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
        return Place(start + place.start, start + place.end, place.name, place.write, place.number)

    return Document.of(body[start:end], lift)


def _decoded(value: str, start: int) -> Document:
    layer = Layer(start, _percent_units(value, plus=True), _percent_speller(value, plus=True))
    return Document.of(layer.text, layer.lift)


def _in_json(text: str, find: Find) -> Iterator[Place]:
    """Places in the values of a JSON text; its keys stay."""
    speller = _json_speller(text)
    for token in _TOKEN.finditer(text):
        if token[1] is None:
            for found in find(token[0], number=True):
                yield Place(token.start(), token.end(), found.name, found.write, number=True)
        elif token[2] is None:
            units = _json_units(token[1]) if "\\" in token[1] else None
            text_inside = token[1] if units is None else _plain(units)
            found_inside = list(_in_string(text_inside, find))
            if found_inside:
                layer = Layer(token.start(1), units or [(char, char) for char in token[1]], speller)
                yield from map(layer.lift, found_inside)


def _in_string(text: str, find: Find) -> Iterable[Place]:
    if _json(text) is not None:
        return list(_in_json(text, find))
    if not _PERCENT.search(text) and not _URL.match(text):
        return find(text)
    units = _percent_units(text, plus=False)
    found = list(find(_plain(units)))
    return map(Layer(0, units, _percent_speller(text, plus=False)).lift, found) if found else []


def _plain(units: Sequence[tuple[str, str]]) -> str:
    return "".join(plain for _, plain in units)


def _json_units(text: str) -> list[tuple[str, str]]:
    return [
        (raw, json.loads(f'"{raw}"', strict=False) if raw[0] == "\\" else raw)
        for raw in _JSON_UNIT.findall(text)
    ]


def _json_speller(text: str) -> Write:
    """How the writer of this JSON spells a character: with the escapes that stand in it."""
    escapes: dict[str, str] = {json.loads(f'"{raw}"'): raw for raw in _ESCAPED.findall(text)}
    ascii_only = text.isascii() and any(not plain.isascii() for plain in escapes)

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
            units += [(char, char) for char in run]  # no text: it stays as it is
            continue
        ends = [0]
        for char in plain:
            ends.append(ends[-1] + 3 * len(char.encode()))
        units += [(run[ends[i] : ends[i + 1]], char) for i, char in enumerate(plain)]
    return units


def _percent_speller(text: str, *, plus: bool) -> Write:
    lower = any(hexadecimal.islower() for hexadecimal in _PERCENT.findall(text))

    def spell(char: str) -> str:
        if plus and char == " " and "%20" not in text:
            return "+"
        encoded = quote(char, safe="")
        return encoded.lower() if lower and encoded != char else encoded

    return spell
