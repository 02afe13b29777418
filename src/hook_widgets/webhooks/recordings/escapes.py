"""Decode the backslash escapes of quoted texts: those of bash's ``$'...'`` and those of string literals."""

from __future__ import annotations

import re
from typing import Final

from hook_widgets.webhooks._texts import encoded

_ESCAPE: Final = re.compile(
    r"\\(?:x(?P<hex>[0-9A-Fa-f]{1,2})|(?P<octal>[0-7]{1,3})|u(?P<u>[0-9A-Fa-f]{1,4})|U(?P<U>[0-9A-Fa-f]{1,8})"
    r"|u\{(?P<brace>[0-9A-Fa-f]{1,8})\}|c(?P<control>.)|(?P<other>.))",
    re.DOTALL,
)
_SHORT: Final = {
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "?": "?",
}
_PAIR: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def ansi_c(text: str) -> bytes:
    r"""Return the bytes of the text between ``$'`` and ``'`` in bash, in a UTF-8 locale.

    ``\x`` and octal escapes are bytes, ``\u`` and ``\U`` are characters. A NUL ends the text, because a word
    of a command cannot contain one.

    >>> ansi_c(r"a\n\x41é")
    b'a\nA\xc3\xa9'
    """
    parts: list[bytes] = []
    at = 0
    for escape in _ESCAPE.finditer(text):
        parts.append(encoded(text[at : escape.start()]))
        parts.append(_ansi_c(escape))
        at = escape.end()
    parts.append(encoded(text[at:]))
    return b"".join(parts).partition(b"\0")[0]


def _ansi_c(escape: re.Match[str]) -> bytes:
    if escape["hex"]:
        return bytes([int(escape["hex"], 16)])
    if escape["octal"]:
        return bytes([int(escape["octal"], 8) & 255])
    if code := escape["u"] or escape["U"]:
        return encoded(_character(int(code, 16))) or escape[0].encode()
    if escape["control"]:
        return bytes([ord(escape["control"][0]) & 31]) if escape["control"].isascii() else encoded(escape[0])
    other = escape["other"] or ""
    return _SHORT[other].encode() if other in _SHORT else encoded(escape[0])


def literal(text: str) -> str:
    r"""Return the text of a string literal of Python, JavaScript, Ruby or PHP, given without its quotes.

    >>> literal(r"it\'s\u00e9")
    "it'sé"
    """
    if "\\" not in text:
        return text
    return _PAIR.sub(_joined, _ESCAPE.sub(_unescaped, text))


def _joined(pair: re.Match[str]) -> str:
    return pair[0].encode("utf-16", "surrogatepass").decode("utf-16")


def _unescaped(escape: re.Match[str]) -> str:
    code = escape["hex"] or escape["u"] or escape["U"] or escape["brace"]
    if code:
        return _character(int(code, 16)) or escape[0]
    if escape["octal"]:
        return chr(int(escape["octal"], 8))
    other = escape["other"] or ""
    if other == "\n":  # a line that goes on
        return ""
    return _SHORT.get(other, other if other == "/" else escape[0])


def _character(code: int) -> str:
    return chr(code) if code <= 0x10FFFF else ""
