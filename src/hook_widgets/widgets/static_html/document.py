"""Static HTML fallback of a widget, readable without a kernel, JavaScript or CSS.

A notebook keeps it beside the widget, for previews, exports and prints. It is a list of parts; the HTML of a
part consists of bare tags, so it passes every sanitizer. Optional end tags (HTML, 13.1.2.4) are omitted to
keep notebooks with many widgets small.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any, Final, Protocol
from urllib.parse import quote

#: Maximum size in bytes of HTML and plain text in a notebook's file: ten widgets add less than 50 KB.
LARGEST: Final = 4590
_FOR_PAGES: Final = re.compile(r"<title>[^<]*</title>| role=.img.")
_UNESCAPED: Final = " !$'()*+,-./:;<=>?@[]^_{|}~"  # unescaped characters of a data URI between double quotes
_SHORT: Final = 300  # characters
_BREAKS: Final = re.compile(r"\r\n?|\n")


class Part(Protocol):
    """One part of a static document."""

    def html(self) -> str:
        """Return the part as HTML."""
        ...


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence or two."""

    text: str

    def html(self) -> str:
        """Return a paragraph."""
        return f"<p>{text_of(self.text)}</p>"


@dataclass(frozen=True, slots=True)
class Items:
    """Sentences below a title."""

    title: str
    texts: tuple[str, ...]

    def html(self) -> str:
        """Return a list with its title."""
        return f"{_title(self.title)}<ul>{''.join(f'<li>{text_of(text)}' for text in self.texts)}</ul>"


@dataclass(frozen=True, slots=True)
class Facts:
    """Names with their values."""

    caption: str
    pairs: tuple[tuple[str, str], ...]

    def html(self) -> str:
        """Return a table whose rows have headings."""
        rows = "".join(_row(name, value) for name, value in self.pairs)
        return f"<table>{_caption(self.caption)}{rows}</table>"


@dataclass(frozen=True, slots=True)
class Table:
    """A table with column headings, and row headings in the first column."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def html(self) -> str:
        """Return a table with a head."""
        head = "".join(f"<th scope=col>{text_of(name)}" for name in self.columns)
        rows = "".join(_row(*row) for row in self.rows)
        return f"<table>{_caption(self.caption)}<thead><tr>{head}<tbody>{rows}</table>"


@dataclass(frozen=True, slots=True)
class Code:
    """Preformatted text to read or copy."""

    title: str
    text: str

    def html(self) -> str:
        """Return the text below its title."""
        return f"{_title(self.title)}<pre><code>{text_of(self.text)}</code></pre>"


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture.

    Attributes:
        alt: text alternative.
        light: SVG for a light background.
        dark: SVG for a dark background, or empty.
    """

    alt: str
    light: str
    dark: str = ""

    def html(self) -> str:
        """Return an image with a data URI: sanitizers remove SVG elements, and keep images."""
        if not self.dark:
            return f"<p>{self._image(self.light)}</p>"
        # No picture element: browsers do not select its source again when a dark page is printed.
        return f"<p>{self._image(self.light, ' class=light')}{self._image(self.dark, ' class=dark')}</p>"

    def _image(self, svg: str, attribute: str = "") -> str:
        return f"<img{attribute} src=\"{data_uri(svg)}\" alt='{_attribute(self.alt)}'>"


@dataclass(frozen=True, slots=True)
class StaticDocument:
    """The content of a widget as static HTML.

    Attributes:
        title: subject.
        status: main result, in one line.
        parts: other content, in reading order.
    """

    title: str
    status: str
    parts: tuple[Part, ...] = ()

    def body(self) -> str:
        """Return everything except the title."""
        return f"<p><b>{text_of(self.status)}</b>{''.join(part.html() for part in self.parts)}"

    def fragment(self) -> str:
        """Return the HTML fragment that a notebook keeps."""
        return f"<section><h3>{text_of(self.title)}</h3>{self.body()}</section>"


_ELSEWHERE: Final = Note("The rest is too long for a notebook; export_html(path) writes it.")


@dataclass(frozen=True, slots=True)
class Raw:
    """An argument whose `repr` is this text."""

    text: str

    def __repr__(self) -> str:
        return self.text


def fitting(documents: Iterable[StaticDocument], plain: str = "") -> str:
    """Return the first document that fits into a notebook, as HTML; if none does, a shortened one.

    Args:
        documents: from the most to the least detailed.
        plain: plain text that the notebook keeps beside it.
    """
    document, room = None, LARGEST - _size(plain)
    for document in documents:
        html = document.fragment()
        if _size(html) <= room:
            return html
    return (
        StaticDocument(cut(document.title), cut(document.status), (_ELSEWHERE,)).fragment()
        if document
        else ""
    )


def _size(text: str) -> int:
    """Return the size of a text in a notebook's file, in bytes."""
    return len(json.dumps(text, ensure_ascii=False).encode("utf-8", "replace"))


def cut(text: str) -> str:
    """Shorten a long text to its beginning."""
    return text if len(text) <= _SHORT else f"{text[:_SHORT]}…"


def text_of(text: str) -> str:
    """Convert text to HTML on one line: in a notebook's file a new line takes more bytes than a reference."""
    readable = text.encode("utf-8", "replace").decode()  # a tab may send an unpaired surrogate
    return _BREAKS.sub("&#10;", escape(readable, quote=False))


def data_uri(svg: str) -> str:
    """Convert an SVG document to a short data URI for an attribute in double quotes.

    Title and role, which only an inline SVG element needs, are left out: an image has its own alternative
    text.
    """
    short = _FOR_PAGES.sub("", svg)
    short = short if "'" in short else short.replace('"', "'")
    return f"data:image/svg+xml,{quote(short, safe=_UNESCAPED)}"


def call(name: str, first: Iterable[Any], named: Mapping[str, Any]) -> str:
    """Return the Python call that creates a widget: on one line, or with one line for each argument."""
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
