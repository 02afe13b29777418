"""Statistics of a body, and display of text with all invisible characters made visible."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

_BOM = b"\xef\xbb\xbf"
_MARKS = {" ": "·", "\n": "⏎\n", "\r": "␍", "\t": "⇥", "\x7f": "␡"}
# Printable according to `str.isprintable`, yet invisible: fillers, joiners and variation selectors.
_INVISIBLE = frozenset(
    map(
        chr,
        (
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
            *range(0x180B, 0x1810),
            *range(0xFE00, 0xFE10),
            *range(0xE0100, 0xE01F0),
        ),
    )
)


class LineEnds(StrEnum):
    """Line endings of a body. A lone CR counts as mixed."""

    NONE = "none"
    LF = "lf"
    CRLF = "crlf"
    MIXED = "mixed"


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyFacts:
    """Statistics of a body that show whether two bodies consist of the same bytes.

    Attributes:
        length: the length in bytes.
        sha256: the SHA-256 hash in hexadecimal.
        bom: True if the body starts with the UTF-8 byte order mark.
        line_ends: the line endings.
        trailing_newline: True if the last byte is LF or CR.
        utf8: True if the whole body is valid UTF-8.
    """

    length: int
    sha256: str
    bom: bool
    line_ends: LineEnds
    trailing_newline: bool
    utf8: bool


def body_facts(body: bytes) -> BodyFacts:
    r"""Return the statistics of a body.

    >>> body_facts(b"[]\r\n").line_ends
    <LineEnds.CRLF: 'crlf'>
    """
    return BodyFacts(
        length=len(body),
        sha256=hashlib.sha256(body).hexdigest(),
        bom=body.startswith(_BOM),
        line_ends=_line_ends(body),
        trailing_newline=body.endswith((b"\n", b"\r")),
        utf8=is_utf8(body),
    )


def visible(text: str | bytes, *, limit: int = 4000) -> tuple[str, bool]:
    r"""Return the text with every blank, control and invisible character made visible.

    A space becomes ``·``, a tab ``⇥``, CR ``␍``, a line feed ``⏎`` and a real line break, other ASCII
    controls their Unicode control pictures. Any other invisible character (NBSP, BOM, zero-width and
    bidirectional marks) becomes ``⟨U+00A0⟩``, an undecodable byte ``⟨0xFF⟩``. One of these marks in the text
    itself is also written as its code point, so that different texts never look alike.

    Args:
        text: the text; bytes are decoded as UTF-8. U+DC80 to U+DCFF in a `str` represent bytes, as in
            Python's ``surrogateescape``.
        limit: the maximum length of the result in characters; a ``⟨…⟩`` is never cut in two.

    Returns:
        The text to show, and True if it was cut.

    >>> visible(b"v0: 1\n")
    ('v0:·1⏎\n', False)
    """
    if isinstance(text, bytes):
        # Enough bytes for the limit; a character split by this cut lies beyond the limit.
        text = text[: 4 * limit + 4].decode("utf-8", "surrogateescape")
    marks: list[str] = []
    remaining = limit
    for char in text:
        mark = _mark(char)
        remaining -= len(mark)
        if remaining < 0:
            return "".join(marks), True
        marks.append(mark)
    return "".join(marks), False


@lru_cache(maxsize=1024)
def _mark(char: str) -> str:
    if char in _MARKS:
        return _MARKS[char]
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    if 0xDC80 <= code <= 0xDCFF:
        return f"⟨0x{code - 0xDC00:02X}⟩"
    is_mark = char in "·⏎⇥␡⟨" or 0x2400 <= code < 0x2420
    if is_mark or char in _INVISIBLE or not char.isprintable():
        return f"⟨U+{code:04X}⟩"
    return char


def _line_ends(body: bytes) -> LineEnds:
    crlf = body.count(b"\r\n")
    lone_lf = body.count(b"\n") - crlf
    lone_cr = body.count(b"\r") - crlf
    if lone_cr or (crlf and lone_lf):
        return LineEnds.MIXED
    if crlf:
        return LineEnds.CRLF
    return LineEnds.LF if lone_lf else LineEnds.NONE


def is_utf8(body: bytes) -> bool:
    """Return True if a body is text in UTF-8."""
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True
