"""Rebuild a request from the bytes that ``curl --trace`` and ``--trace-ascii`` show.

Every line of the trace has its offset before it, so no line of a body is taken for another part of it.
The tab joins the pieces in the same way to look for credentials (`js/src/vault/redaction/dumps.ts`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Final

from hook_widgets.webhooks.recordings.exchange import RecordedRequest
from hook_widgets.webhooks.recordings.pasted.characters import lines_of
from hook_widgets.webhooks.recordings.pasted.raw_http import read_message

_PREFIX: Final = r"(?:\d\d:\d\d:\d\d\.\d{1,9} )?(?:\[[\w-]{1,40}\] )?"  # --trace-time, --trace-ids
_FIRST: Final = re.compile(rf"{_PREFIX}(?:== Info:|=> Send |<= Recv )|Warning: --trace|Note: ")
_SENT: Final = re.compile(
    rf"{_PREFIX}=> Send (header|data), (\d{{1,9}}) bytes \(0x[0-9a-f]{{1,8}}\)[ \t]*", re.ASCII
)
_ROW: Final = re.compile(r"([0-9a-f]{4,8}):(?: (.*))?")
_DIGITS: Final = re.compile(r"[0-9a-f]{2}")
_HEX_BYTES: Final = 16  # of a line with hex digits
_TEXT_BYTES: Final = 64  # of a line without
_LINE_END: Final = 2  # bytes that --trace-ascii does not show
_CHANGED: Final = "the trace was changed or cut, so the body may not be the one that was sent"


@dataclass(slots=True)
class _Section:
    """The bytes that curl sent at once.

    Attributes:
        kind: ``header`` or ``data``.
        size: the number of bytes.
        rows: the offset of each line, and the text after it.
    """

    kind: str
    size: int
    rows: list[tuple[int, str]] = field(default_factory=list)

    def has_digits(self) -> bool:
        """Return True if the first line has hex digits for bytes; no request line begins with them."""
        words = _words(self.rows[0][1], min(_HEX_BYTES, self.size)) if self.rows else []
        return bool(words) and all(map(_DIGITS.fullmatch, words))

    def from_digits(self) -> bytes:
        pieces: list[str] = []
        for offset, text in self.rows:
            count = max(0, min(_HEX_BYTES, self.size - offset))
            pieces += filter(_DIGITS.fullmatch, _words(text, count))
        return bytes.fromhex("".join(pieces))

    def from_text(self) -> bytes:
        """Return the bytes; a line that ends before the next offset had a line end, or lost its blanks."""
        pieces: list[str] = []
        ends = [offset for offset, _ in self.rows[1:]] + [self.size]
        for (offset, text), end in zip(self.rows, ends, strict=False):
            lost = end - offset - len(text)
            if not 0 <= lost <= _TEXT_BYTES:  # someone wrote another text here
                is_cut = len(text) < _TEXT_BYTES and (end < self.size or self.kind == "header")
                lost = _LINE_END if is_cut else 0
            pieces.append(text + (" " * (lost - _LINE_END) + "\r\n" if lost >= _LINE_END else " " * lost))
        return "".join(pieces).encode("latin-1", "replace")


def _words(text: str, count: int) -> list[str]:
    return [word for word in text.split(" ") if word][:count]


def read_trace(text: str) -> RecordedRequest | None:
    """Read the first request of a trace of curl; None if the text is none."""
    lines = lines_of(text)
    if not _FIRST.match(lines[0]):
        return None
    sections = _sections(lines)
    if not sections:
        return None
    digits = sections[0].has_digits()
    requests: list[list[tuple[_Section, bytes]]] = []
    for section in sections:
        data = section.from_digits() if digits else section.from_text()
        is_first = section.kind == "header" and b" HTTP/" in data.partition(b"\r\n")[0]
        if is_first or not requests:
            requests.append([])
        requests[-1].append((section, data))
    tunnelled = [parts for parts in requests if not parts[0][1].startswith(b"CONNECT ")]
    first, *others = tunnelled or requests
    head = b"".join(data for section, data in first if section.kind == "header").rstrip()
    body = b"".join(data for section, data in first if section.kind == "data")
    request = read_message(head + b"\r\n\r\n" + body)
    if request is None:
        return None
    notes = [f"curl sent {len(others) + 1} requests; the first one was read"] if others else []
    if any(len(data) != section.size for section, data in first):
        notes.append(_CHANGED)
    dots = body.count(b".")
    if dots and not digits:
        notes.append(
            f"--trace-ascii shows a dot for every byte that is no printable ASCII, and the body has {dots:,} "
            "dots; --trace shows the bytes"
        )
    return replace(request, notes=(*notes, *request.notes))


def _sections(lines: list[str]) -> list[_Section]:
    """Return what curl sent, without what it received and said."""
    sections: list[_Section] = []
    is_open = False
    for line in lines:
        if sent := _SENT.fullmatch(line):
            sections.append(_Section(sent[1], int(sent[2])))
            is_open = True
        elif is_open and (row := _ROW.fullmatch(line)):
            sections[-1].rows.append((int(row[1], 16), row[2] or ""))
        else:
            is_open = False
    return sections
