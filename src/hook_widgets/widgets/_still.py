"""The still form of a widget: what is read where no kernel, no script and no style sheet is.

A notebook keeps it beside the widget, for previews, exports and prints. It is a list of parts; a part knows
its HTML, which needs nothing but the tags themselves and so outlives every sanitizer. End tags that HTML lets
one leave out (13.1.2.4) are left out: ten widgets shall stay small in a notebook.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any, Final, Protocol
from urllib.parse import quote

#: so many bytes may still form and plain text take in a notebook's file: ten widgets add less than 50 KB
LARGEST: Final = 4590
_FOR_PAGES: Final = re.compile(r"<title>[^<]*</title>| role=.img.")
_KEPT: Final = " !$'()*+,-./:;<=>?@[]^_{|}~"  # what a data URI between double quotes may hold as it is
_SHORT: Final = 300  # characters
_BREAKS: Final = re.compile(r"\r\n?|\n")


class Part(Protocol):
    """One part of a still form."""

    def html(self) -> str:
        """The part as HTML."""
        ...


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence or two."""

    text: str

    def html(self) -> str:
        """A paragraph."""
        return f"<p>{text_of(self.text)}</p>"


@dataclass(frozen=True, slots=True)
class Items:
    """Sentences below a title."""

    title: str
    texts: tuple[str, ...]

    def html(self) -> str:
        """A list with its title."""
        return f"{_title(self.title)}<ul>{''.join(f'<li>{text_of(text)}' for text in self.texts)}</ul>"


@dataclass(frozen=True, slots=True)
class Facts:
    """Names and what stands for each."""

    caption: str
    pairs: tuple[tuple[str, str], ...]

    def html(self) -> str:
        """A table whose rows have headings."""
        rows = "".join(_row(name, value) for name, value in self.pairs)
        return f"<table>{_caption(self.caption)}{rows}</table>"


@dataclass(frozen=True, slots=True)
class Table:
    """A table with headings for its columns, and for its rows in the first of them."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def html(self) -> str:
        """A table with a head."""
        head = "".join(f"<th scope=col>{text_of(name)}" for name in self.columns)
        rows = "".join(_row(*row) for row in self.rows)
        return f"<table>{_caption(self.caption)}<thead><tr>{head}<tbody>{rows}</table>"


@dataclass(frozen=True, slots=True)
class Code:
    """Text that is read or copied as it is."""

    title: str
    text: str

    def html(self) -> str:
        """The text below its title."""
        return f"{_title(self.title)}<pre><code>{text_of(self.text)}</code></pre>"


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture.

    Attributes:
        alt: what it shows, in words.
        light: SVG on a light ground.
        dark: the same on a dark ground, or nothing.
    """

    alt: str
    light: str
    dark: str = ""

    def html(self) -> str:
        """An image that carries its own data: sanitizers take SVG elements away, and leave images."""
        if not self.dark:
            return f"<p>{self._image(self.light)}</p>"
        # No picture element: browsers do not choose anew when a dark page is printed.
        return f"<p>{self._image(self.light, ' class=light')}{self._image(self.dark, ' class=dark')}</p>"

    def _image(self, svg: str, attribute: str = "") -> str:
        return f"<img{attribute} src=\"{data_uri(svg)}\" alt='{_attribute(self.alt)}'>"


@dataclass(frozen=True, slots=True)
class Still:
    """What a widget shows, to be read.

    Attributes:
        title: what it is about.
        status: what comes of it, in a line.
        parts: the rest, in reading order.
    """

    title: str
    status: str
    parts: tuple[Part, ...] = ()

    def body(self) -> str:
        """All but the title."""
        return f"<p><b>{text_of(self.status)}</b>{''.join(part.html() for part in self.parts)}"

    def fragment(self) -> str:
        """The part of a page that a notebook keeps."""
        return f"<section><h3>{text_of(self.title)}</h3>{self.body()}</section>"


_ELSEWHERE: Final = Note("The rest is too long for a notebook; export_html(path) writes it.")


@dataclass(frozen=True, slots=True)
class Raw:
    """An argument that is written as it is."""

    text: str

    def __repr__(self) -> str:
        return self.text


def fitting(stills: Iterable[Still], plain: str = "") -> str:
    """The first of these that is small enough for a notebook, as HTML; if none is, words cut short.

    Args:
        stills: from the one that tells most to the one that tells least.
        plain: the text that the notebook keeps beside it.
    """
    still, room = None, LARGEST - _size(plain)
    for still in stills:
        made = still.fragment()
        if _size(made) <= room:
            return made
    return Still(cut(still.title), cut(still.status), (_ELSEWHERE,)).fragment() if still else ""


def _size(text: str) -> int:
    """So many bytes it takes in a notebook's file."""
    return len(json.dumps(text, ensure_ascii=False).encode("utf-8", "replace"))


def cut(text: str) -> str:
    """A long text's beginning."""
    return text if len(text) <= _SHORT else f"{text[:_SHORT]}…"


def text_of(text: str) -> str:
    """Text as HTML on one line: a notebook's file takes more for the start of a line than for a reference."""
    readable = text.encode("utf-8", "replace").decode()  # a tab may send half of a surrogate pair
    return _BREAKS.sub("&#10;", escape(readable, quote=False))


def data_uri(svg: str) -> str:
    """An SVG document as a short address for an attribute in double quotes.

    What is only for an SVG element that stands in a page (its title and role) is left out: an image has its
    own alternative text.
    """
    short = _FOR_PAGES.sub("", svg)
    short = short if "'" in short else short.replace('"', "'")
    return f"data:image/svg+xml,{quote(short, safe=_KEPT)}"


def call(name: str, first: Iterable[Any], named: Mapping[str, Any]) -> str:
    """A call in Python that makes a widget: on one line, or one line for each argument."""
    arguments = [*map(repr, first), *(f"{key}={value!r}" for key, value in named.items())]
    line = f"{name}({', '.join(arguments)})"
    if len(line) <= 100:
        return line
    return "\n".join([f"{name}(", *(f"    {argument}," for argument in arguments), ")"])


def _row(heading: str, *cells: str) -> str:
    return f"<tr><th scope=row>{text_of(heading)}{''.join(f'<td>{text_of(cell)}' for cell in cells)}"


def _caption(text: str) -> str:
    return f"<caption>{text_of(text)}"


def _title(text: str) -> str:
    return f"<h4>{text_of(text)}</h4>"


def _attribute(text: str) -> str:
    return escape(" ".join(text.encode("utf-8", "replace").decode().split()))
