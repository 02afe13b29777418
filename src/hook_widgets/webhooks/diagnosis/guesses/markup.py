"""Guess which XML was signed: the same document as another parser and writer would have written it.

Writers differ in the declaration, in white space between elements, in empty elements, and in escapes.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice

from hook_widgets.webhooks.diagnosis.causes import CauseRef
from hook_widgets.webhooks.diagnosis.guesses.forms import BodyGuess, as_form

_MAX_BYTES = 1 << 22  # of all documents that are written
_MAX_BODY = 1 << 16
_MAX_DEPTH = 64
_DECLARATION = re.compile(r"<\?xml [^<>]{0,200}\?>\s*")
_TOKEN = re.compile(r"<[^<>]*+>|[^<]++")
_EMPTY = re.compile(r"<([^\s<>/!?]++)((?:\s[^<>]*)?)></\1>")
_TAG = re.compile(r"<([^\s<>/!?]++)([^<>]*+)>")
_ATTRIBUTES = {
    '"': re.compile(r"=\s?'([^\"'<>]*)'"),
    "'": re.compile(r"=\s?\"([^\"'<>]*)\""),
}
_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6}|nbsp|quot|apos);")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_ENCODINGS = ('"UTF-8"', '"utf-8"', "'UTF-8'", "'utf-8'")
_LAYOUTS = {"compact": None, "2 spaces": "  ", "4 spaces": "    ", "tabs": "\t"}
_ESCAPES: tuple[Callable[[str], str], ...] = (
    lambda text: text.replace("&gt;", ">"),
    lambda text: text.replace(">", "&gt;"),
    lambda text: _REFERENCE.sub(lambda match: html.unescape(match[0]), text),
    lambda text: text.replace("'", "&apos;"),
    lambda text: text.replace("'", "&#39;"),
    lambda text: text.replace('"', "&quot;"),
    lambda text: text.replace('"', "&quot;").replace("'", "&apos;"),
    lambda text: _BEYOND_ASCII.sub(lambda match: f"&#{ord(match[0])};", text),
    lambda text: _BEYOND_ASCII.sub(lambda match: f"&#x{ord(match[0]):X};", text),
    lambda text: _BEYOND_ASCII.sub(lambda match: f"&#x{ord(match[0]):x};", text),
    lambda text: text.replace("\u00a0", "&nbsp;"),
)


def is_markup(body: bytes) -> bool:
    """Return True if a body begins as XML or HTML."""
    return body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


def documents(body: bytes) -> Iterator[BodyGuess]:
    """Yield the XML or HTML of a body in other spellings; nothing for other bodies."""
    if not is_markup(body) or len(body) > _MAX_BODY:
        return
    try:
        text = body.decode("utf-8-sig").strip()
    except UnicodeDecodeError:
        return
    yield from as_form(text)
    declaration = _DECLARATION.match(text)
    content = text[declaration.end() if declaration else 0 :]
    own = declaration[0] if declaration else ""
    if "".join(tokens := _TOKEN.findall(content)) != content:
        return
    count = _MAX_BYTES // (2 * len(body))
    unique: dict[bytes, tuple[CauseRef, ...]] = {}
    for causes, document in islice(_documents(own, content, tokens), count):
        raw = document.encode(errors="replace")
        for written in (raw, raw + b"\n"):
            unique.setdefault(written, causes)
    unique.pop(body, None)
    for written, causes in unique.items():
        yield causes, written


def _documents(own: str, content: str, tokens: list[str]) -> Iterator[tuple[tuple[CauseRef, ...], str]]:
    contents = [((), content), *_laid_out(content, tokens)]
    for causes, other in contents[1:]:
        yield causes, own + other
    for escape in _ESCAPES:
        escaped = "".join([token if token[0] == "<" else escape(token) for token in tokens])
        if escaped != content:
            yield (CauseRef("body-xml-escapes"),), own + escaped
    for causes, other in contents:
        for declaration in _declarations():
            if declaration != own:
                yield (CauseRef("body-xml-declaration"), *causes), declaration + other


def _declarations() -> Iterator[str]:
    yield ""
    for encoding in _ENCODINGS:
        quote = encoding[0]
        for rest in ("", f" standalone={quote}yes{quote}", f" standalone={quote}no{quote}"):
            for end in ("", "\n", "\r\n"):
                yield f"<?xml version={quote}1.0{quote} encoding={encoding}{rest}?>{end}"


def _laid_out(content: str, tokens: list[str]) -> Iterator[tuple[tuple[CauseRef, ...], str]]:
    """Yield the content with other empty elements, attributes and white space."""
    spelled: dict[str, tuple[CauseRef, ...]] = {content: ()}
    for empty in ("/>", " />", "></{}>"):
        closed = _TAG.sub(partial(_closed, empty), content)
        other = closed if "{}" in empty else _EMPTY.sub(rf"<\1\2{empty}", closed)
        spelled.setdefault(other, (CauseRef("body-xml-empty"),))
    for quote, attribute in _ATTRIBUTES.items():
        spelled.setdefault(attribute.sub(rf"={quote}\1{quote}", content), (CauseRef("body-xml-quotes"),))
    for text, causes in spelled.items():
        if causes:
            yield causes, text
        inner = [token for token in (tokens if not causes else _TOKEN.findall(text)) if token.strip()]
        for layout, indent in _LAYOUTS.items():
            written = "".join(inner) if indent is None else _indented(inner, indent)
            if written != text:
                yield (CauseRef("body-xml-layout", layout), *causes), written


def _closed(empty: str, tag: re.Match[str]) -> str:
    """Return an empty element in another form; other tags as they are."""
    name, rest = tag.groups()
    return f"<{name}{rest[:-1].rstrip()}{empty.format(name)}" if rest.endswith("/") else tag[0]


def _indented(tokens: list[str], indent: str) -> str:
    """Return tokens with each element on its own line, unless it has text."""
    out: list[str] = []
    depth, before = 0, ""
    for token in tokens:
        tag, closing = token[0] == "<", token.startswith("</")
        single = token.endswith("/>") or token[1:2] in ("?", "!")
        depth -= closing
        opened = before[:1] == "<" and before[1:2] not in ("/", "?", "!") and not before.endswith("/>")
        if tag and before[:1] == "<" and not (closing and opened):
            out.append("\n" + indent * min(depth, _MAX_DEPTH))
        out.append(token)
        depth += tag and not closing and not single
        before = token
    return "".join(out)
