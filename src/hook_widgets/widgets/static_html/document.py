"""Static HTML fallback of a widget, readable without a kernel, JavaScript or CSS.

A notebook keeps it beside the widget, for previews, exports and prints. It is a list of parts, as data;
templates/parts.html has their HTML.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from urllib.parse import quote

if TYPE_CHECKING:
    from jinja2 import Environment

#: Maximum size in bytes of HTML and plain text in a notebook's file: ten widgets add less than 50 KB.
LARGEST: Final = 4590
_FOR_PAGES: Final = re.compile(r"<title>[^<]*</title>| role=.img.")
_UNESCAPED: Final = " !$'()*+,-./:;<=>?@[]^_{|}~"  # unescaped characters of a data URI between double quotes
_SHORT: Final = 300  # characters
_BREAKS: Final = re.compile(r"\r\n?|\n")


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence or two."""

    text: str


@dataclass(frozen=True, slots=True)
class Items:
    """Sentences below a title."""

    title: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table with row headings in the first column, and column headings if `columns` has any."""

    caption: str
    rows: tuple[tuple[str, ...], ...]
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Code:
    """Preformatted text to read or copy."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """SVG for a light background and, unless empty, for a dark one, with the text alternative."""

    alt: str
    light: str
    dark: str = ""


@dataclass(frozen=True, slots=True)
class Download:
    """A file to save from a page; unlike copied text, its bytes stay unchanged."""

    name: str
    data: bytes

    @property
    def base64(self) -> str:
        """The bytes for a data URI."""
        return b64encode(self.data).decode()


Part: TypeAlias = Note | Items | Table | Code | Picture | Download


@dataclass(frozen=True, slots=True)
class StaticDocument:
    """The content of a widget as static HTML."""

    title: str
    status: str
    parts: tuple[Part, ...] = ()

    def fragment(self) -> str:
        """Return the HTML fragment that a notebook keeps, on one line.

        In a notebook's file a new line takes more bytes than a reference.
        """
        return _BREAKS.sub("&#10;", render("fragment.html", document=self))


_ELSEWHERE: Final = Note("The rest is too long for a notebook; export_html(path) writes it.")


@dataclass(frozen=True, slots=True)
class Raw:
    """An argument whose `repr` is this text."""

    text: str

    def __repr__(self) -> str:
        return self.text


def render(template: str, **values: Any) -> str:
    """Render a template; an unpaired surrogate, which a tab may send, becomes a question mark."""
    return _templates().get_template(template).render(values).encode("utf-8", "replace").decode()


@cache
def _templates() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    def text(value: str) -> Markup:
        """Escape the content of an element: between tags, quotes need no reference of five bytes."""
        return Markup(escape(value, quote=False))

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {"text": text, "data_uri": lambda svg: Markup(data_uri(svg))}
    return environment


def fitting(documents: Iterable[StaticDocument], plain: str = "") -> str:
    """Return the first document that fits into a notebook, as HTML; if none does, a shortened one."""
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
