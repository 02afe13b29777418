"""Write bash words that are readable and preserve every byte.

Data is written with the builtin ``printf``: the arguments of a builtin have no length limit and do not appear
in the process list.
"""

from __future__ import annotations

import base64
import gzip
import re
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hook_widgets.webhooks.body import forms

# Characters that are literal between double quotes: ASCII without " $ ` \ and !.
_PLAIN = re.compile(r"[ #%-\[\]-_a-~]*")
_LINE_LENGTH = 480  # characters of base64
_MIN_PACKED = 512  # bytes; compressing fewer saves little and makes them unreadable
# Percent-encoded text contains no backslash.
_PERCENT_DECODE = "printf '%b' \"$({} | sed 's/+/ /g; s/%/\\\\x/g')\""
_MAX_INLINE = 64  # bytes; the command to read so few from a file is longer than the bytes themselves


@dataclass(frozen=True, slots=True)
class Variable:
    """A shell variable that has its value when the command runs."""

    name: str


Piece = bytes | Variable
"""A part of a word: bytes known now, or a variable."""


@dataclass(frozen=True, slots=True)
class File:
    """A file that exists when the command runs."""

    name: str
    data: bytes

    def read(self, piece: bytes) -> str | None:
        """Return a command that writes this part of the file, or this value of a form in the file.

        None if the file has no such part, or if the part is too short.
        """
        if piece == self.data:
            return f"cat < {quote(self.name)}"
        if len(piece) <= _MAX_INLINE:
            return None
        if command := self._part(piece):
            return command
        encoded = self._part(forms.encode_text(piece.decode()).encode()) if _is_text(piece) else None
        return encoded and _PERCENT_DECODE.format(encoded)

    def _part(self, piece: bytes) -> str | None:
        start = self.data.find(piece)
        if start < 0:
            return None
        # head comes first, because tail reads its whole input: a broken pipe would stop the script.
        return f"head -c {start + len(piece)} < {quote(self.name)} | tail -c {len(piece)}"


def quote(text: str) -> str:
    r"""Quote `text` as one word.

    Visible characters and line feeds are put between single quotes. Characters that a terminal or clipboard
    could change or a reader could miss (carriage returns, tabs, control and format characters, unusual
    spaces) are escaped.

    >>> print(quote("it's 5 $"))
    'it'\''s 5 $'
    >>> print(quote("tab\tand return\r"))
    'tab'$'\t''and return'$'\r'
    """
    hidden = "".join(char for char in set(text) if _is_hidden(char))
    if not hidden:
        return _single_quoted(text)
    runs = re.split(f"([{re.escape(hidden)}]+)", text)  # alternating visible and hidden runs
    return "".join(_escaped(run) if i % 2 else _single_quoted(run) for i, run in enumerate(runs) if run)


def word(pieces: Iterable[Piece]) -> str:
    """Write text and variables as one word.

    >>> print(word([b"t=", Variable("timestamp"), b",v1=", Variable("signature")]))
    "t=${timestamp},v1=${signature}"
    """
    parts = _merge(pieces)
    if not any(isinstance(part, Variable) for part in parts):
        return quote(b"".join(part for part in parts if isinstance(part, bytes)).decode())
    if all(_PLAIN.fullmatch(part.decode()) for part in parts if isinstance(part, bytes)):
        inner = (f"${{{p.name}}}" if isinstance(p, Variable) else p.decode() for p in parts)
        return f'"{"".join(inner)}"'
    return "".join(f'"${{{p.name}}}"' if isinstance(p, Variable) else quote(p.decode()) for p in parts)


def write(pieces: Iterable[Piece], *, compress: bool = False, file: File | None = None) -> str:
    """Return a command that writes these bytes and variables to its standard output.

    Args:
        pieces: the bytes and variables to write.
        compress: if true, long bytes are compressed; the command then requires gzip.
        file: a file to read bytes from that it contains.

    >>> print(write([b'{"id":"evt_test"}']))
    printf '%s' '{"id":"evt_test"}'
    """
    parts = _merge(pieces)
    commands = {}
    for i, part in enumerate(parts):
        if isinstance(part, Variable):
            continue
        if file is not None and (read := file.read(part)):
            commands[i] = read
        elif compress and len(part) > _MIN_PACKED:
            commands[i] = f"{_write_binary(gzip.compress(part, mtime=0), _LINE_LENGTH)} | gzip -d"
        elif not _is_text(part):
            commands[i] = _write_binary(part)
    if not commands:
        return f"printf '%s' {word(parts)}"
    return group([commands.get(i) or f"printf '%s' {word([part])}" for i, part in enumerate(parts)])


def group(commands: Sequence[str]) -> str:
    """Combine commands into one command that runs them in order and whose output can be piped."""
    if not commands:
        return "true"
    return commands[0] if len(commands) == 1 else f"{{ {'; '.join(commands)}; }}"


def _write_binary(data: bytes, line_length: int = sys.maxsize) -> str:
    # A bash word cannot contain NUL, and bytes that are not UTF-8 do not survive a clipboard.
    text = base64.b64encode(data).decode()
    lines = "\n".join(text[i : i + line_length] for i in range(0, len(text), line_length))
    return f"printf '%s' '{lines}' | base64 --decode"


def _merge(pieces: Iterable[Piece]) -> list[Piece]:
    """Return the pieces with adjacent bytes joined."""
    merged: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, bytes) and merged and isinstance(merged[-1], bytes):
            merged[-1] += piece
        else:
            merged.append(piece)
    return merged


def _is_text(data: bytes) -> bool:
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False


def _is_hidden(char: str) -> bool:
    if " " <= char <= "~" or char == "\n":
        return False
    return unicodedata.category(char) in ("Cc", "Cf", "Cn", "Co", "Zl", "Zp", "Zs")


def _single_quoted(run: str) -> str:
    return "'" + run.replace("'", "'\\''") + "'"


def _escaped(run: str) -> str:
    short = {"\r": "\\r", "\t": "\\t"}
    return (
        "$'"
        + "".join(short.get(char) or "".join(f"\\x{byte:02x}" for byte in char.encode()) for char in run)
        + "'"
    )
