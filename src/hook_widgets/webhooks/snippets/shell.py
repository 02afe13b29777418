"""Writing words of bash that arrive byte for byte, and stay readable.

Data goes through the builtin ``printf``: a builtin has no limit on the length of its arguments, and no
process list shows them.
"""

from __future__ import annotations

import base64
import gzip
import re
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hook_widgets.webhooks.text import forms

# Keeps its meaning between double quotes: ASCII without " $ ` \ and !.
_PLAIN = re.compile(r"[ #%-\[\]-_a-~]*")
_LINE = 480  # characters of base64
_WORTH_PACKING = 512  # bytes; of fewer, compressing saves little and hides what is there
# What is percent-encoded holds no backslash of its own.
_UNESCAPED = "printf '%b' \"$({} | sed 's/+/ /g; s/%/\\\\x/g')\""
_WORTH_READING = 64  # bytes; fewer are shorter to write than where they stand


@dataclass(frozen=True, slots=True)
class Variable:
    """Something that a variable of the shell holds when the text runs."""

    name: str


Piece = bytes | Variable
"""A part of a word: bytes known now, or a variable."""


@dataclass(frozen=True, slots=True)
class File:
    """A file that is there when the text runs.

    Attributes:
        name: its path.
        data: what it holds.
    """

    name: str
    data: bytes

    def read(self, piece: bytes) -> str | None:
        """A command that writes this part of the file, or this value of a form in it.

        None when the file has no such part, or too short a one.
        """
        if piece == self.data:
            return f"cat < {quote(self.name)}"
        if len(piece) <= _WORTH_READING:
            return None
        if found := self._part(piece):
            return found
        value = self._part(forms.encode_text(piece.decode()).encode()) if _is_text(piece) else None
        return value and _UNESCAPED.format(value)

    def _part(self, piece: bytes) -> str | None:
        start = self.data.find(piece)
        if start < 0:
            return None
        # head first: tail reads to the end of what it gets, and a pipe that breaks would stop the text.
        return f"head -c {start + len(piece)} < {quote(self.name)} | tail -c {len(piece)}"


def quote(text: str) -> str:
    r"""`text` as one word.

    Visible characters and line feeds stand between single quotes. Whatever a terminal, a clipboard or an
    eye could change or miss (carriage returns, tabs, control and format characters, unusual spaces) is
    written as an escape.

    >>> print(quote("it's 5 $"))
    'it'\''s 5 $'
    >>> print(quote("tab\tand return\r"))
    'tab'$'\t''and return'$'\r'
    """
    hidden = "".join(char for char in set(text) if _hides(char))
    if not hidden:
        return _single(text)
    runs = re.split(f"([{re.escape(hidden)}]+)", text)  # visible and hidden runs by turns
    return "".join(_escaped(run) if i % 2 else _single(run) for i, run in enumerate(runs) if run)


def word(pieces: Iterable[Piece]) -> str:
    """Text and variables as one word.

    >>> print(word([b"t=", Variable("timestamp"), b",v1=", Variable("signature")]))
    "t=${timestamp},v1=${signature}"
    """
    known = _joined(pieces)
    if not any(isinstance(piece, Variable) for piece in known):
        return quote(b"".join(piece for piece in known if isinstance(piece, bytes)).decode())
    if all(_PLAIN.fullmatch(piece.decode()) for piece in known if isinstance(piece, bytes)):
        inside = (f"${{{p.name}}}" if isinstance(p, Variable) else p.decode() for p in known)
        return f'"{"".join(inside)}"'
    return "".join(f'"${{{p.name}}}"' if isinstance(p, Variable) else quote(p.decode()) for p in known)


def write(pieces: Iterable[Piece], *, packed: bool = False, file: File | None = None) -> str:
    """A command that writes these bytes and variables to its standard output.

    Args:
        pieces: what to write.
        packed: whether long bytes stand in it compressed; it needs gzip then.
        file: where bytes are read from that it holds.

    >>> print(write([b'{"id":"evt_test"}']))
    printf '%s' '{"id":"evt_test"}'
    """
    known = _joined(pieces)
    commands = {}
    for i, piece in enumerate(known):
        if isinstance(piece, Variable):
            continue
        if file is not None and (read := file.read(piece)):
            commands[i] = read
        elif packed and len(piece) > _WORTH_PACKING:
            commands[i] = f"{_write_binary(gzip.compress(piece, mtime=0), _LINE)} | gzip -d"
        elif not _is_text(piece):
            commands[i] = _write_binary(piece)
    if not commands:
        return f"printf '%s' {word(known)}"
    return group([commands.get(i) or f"printf '%s' {word([piece])}" for i, piece in enumerate(known)])


def group(commands: Sequence[str]) -> str:
    """Commands one after the other, as one command whose output can be piped."""
    if not commands:
        return "true"
    return commands[0] if len(commands) == 1 else f"{{ {'; '.join(commands)}; }}"


def _write_binary(data: bytes, line: int = sys.maxsize) -> str:
    # No word of bash holds a NUL, and what is not UTF-8 does not survive a clipboard.
    text = base64.b64encode(data).decode()
    lines = "\n".join(text[i : i + line] for i in range(0, len(text), line))
    return f"printf '%s' '{lines}' | base64 --decode"


def _joined(pieces: Iterable[Piece]) -> list[Piece]:
    """The same pieces with neighbouring bytes made one."""
    found: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, bytes) and found and isinstance(found[-1], bytes):
            found[-1] += piece
        else:
            found.append(piece)
    return found


def _is_text(data: bytes) -> bool:
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False


def _hides(char: str) -> bool:
    if " " <= char <= "~" or char == "\n":
        return False
    return unicodedata.category(char) in ("Cc", "Cf", "Cn", "Co", "Zl", "Zp", "Zs")


def _single(run: str) -> str:
    return "'" + run.replace("'", "'\\''") + "'"


def _escaped(run: str) -> str:
    short = {"\r": "\\r", "\t": "\\t"}
    return (
        "$'"
        + "".join(short.get(char) or "".join(f"\\x{byte:02x}" for byte in char.encode()) for char in run)
        + "'"
    )
