"""Undo what web pages and chat programs do to characters."""

from __future__ import annotations

import re
from typing import Final

from hook_widgets.webhooks.headers import Headers

# Zero-width and directional marks, the soft hyphen, and spaces other than that of ASCII.
_INVISIBLE: Final = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_WIDE_SPACE: Final = re.compile("[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_CURLY: Final = str.maketrans(dict.fromkeys("“”„‟", '"') | dict.fromkeys("‘’‚‛", "'"))
_ANY_CURLY: Final = re.compile("[“”„‟‘’‚‛]")
_LINE: Final = re.compile(r"\r\n|\r|\n")


def lines_of(text: str) -> list[str]:
    """Split a text at CR, LF and CRLF only, because values may contain the other ends of `str.splitlines`."""
    return _LINE.split(text)


def visible(text: str) -> str:
    """Return a text without invisible characters, and with ordinary spaces."""
    return text if text.isascii() else _WIDE_SPACE.sub(" ", _INVISIBLE.sub("", text))


def visible_headers(headers: Headers) -> tuple[Headers, list[str]]:
    """Return the headers without invisible characters, and the names of those that had some.

    No sender writes them: they come from the page or program that the text was copied from.
    """
    pairs = headers.multi_items()
    if all(text.isascii() for pair in pairs for text in pair):
        return headers, []
    clean = [(visible(name).strip(), visible(value).strip()) for name, value in pairs]
    changed = [new[0] for new, old in zip(clean, pairs, strict=True) if new != old]
    return (Headers(clean), changed) if changed else (headers, [])


def straight_quotes(text: str) -> str:
    """Return the text with straight quotes if it has only curly ones; else the text itself."""
    if '"' in text or not _ANY_CURLY.search(text):
        return text
    return text.translate(_CURLY)


def unquoted(text: str) -> str:
    """Return the text between a pair of quotes; a text without them as it is."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text
