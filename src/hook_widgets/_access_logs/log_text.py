"""Split the bytes of a log into lines: encodings, odd characters, and JSON that is not in lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from hook_widgets._access_logs.log_columns import Choice, choose, has_request
from hook_widgets.errors import InvalidArrivals

_MAX_WRAPPERS: Final = 4  # of objects around a list
_SAMPLE: Final = 50  # entries in which a time is looked for
_BLOCK: Final = 1 << 14  # characters that are split at once
# Byte order marks of files that were joined, what a crash or a truncated log that is still written leaves
# before the next line, and the colors and cursor movements of a terminal.
_ODD: Final = ("\ufeff", "\0", "\x1b")
_ODD_TEXT: Final = re.compile(r"\ufeff|\0+|\x1b\[[0-9;?]{0,20}[A-Za-z]")
_BLANKS: Final = ("\u00a0", "\u202f")  # of spreadsheets and browsers, within a time
_BETWEEN: Final = re.compile(r"[\s,\x1e]*+")  # between values of JSON; RFC 7464 begins each with a separator
_DECODER: Final = json.JSONDecoder(parse_float=str)

_UNPACK: Final = "; unpack it first"
_EXPORT: Final = "; export CSV or JSON lines from it"
_MARKS: Final = {
    b"\x1f\x8b": f"compressed (gzip){_UNPACK}",
    b"\x28\xb5\x2f\xfd": f"compressed (zstd){_UNPACK}",
    b"PK\x03\x04": f"a ZIP archive{_UNPACK}",
    b"BZh": f"compressed (bzip2){_UNPACK}",
    b"\xfd7zXZ": f"compressed (xz){_UNPACK}",
    b"PAR1": f"a Parquet file{_EXPORT}",
    b"SQLite format 3": f"a database{_EXPORT}",
    b"\xd4\xc3\xb2\xa1": f"a recording of packets{_EXPORT}",
    b"\n\r\r\n": f"a recording of packets{_EXPORT}",
}

Line = tuple[int, str]
"""Line number, from 1, and text of a line."""


class Lines:
    """The numbered lines of a text that are not empty; each iteration splits it, a block at a time."""

    def __init__(self, text: str) -> None:
        self._text, self._count = text, 0

    def __iter__(self) -> Iterator[Line]:
        begin, at, count = 0, 1, 0
        while begin < len(self._text):
            end = self._text.find("\n", begin + _BLOCK)
            block = self._text[begin : end if end >= 0 else None].split("\n")
            lines = [(at, line) for at, line in enumerate(block, at) if line and not line.isspace()]
            yield from lines
            count += len(lines)
            at += len(block)
            begin = end + 1 if end >= 0 else len(self._text)
        self._count = count

    def __len__(self) -> int:
        """Return the number of lines, known after an iteration."""
        return self._count


def split_lines(text: str) -> list[Line] | Lines:
    """Return the lines that are not empty. They end with CR, LF or both, and with nothing else."""
    if any(odd in text for odd in _ODD):
        text = _ODD_TEXT.sub("", text)
    if not text.isascii():
        for blank in _BLANKS:
            text = text.replace(blank, " ")
    if (entries := _json_entries(text)) is not None:
        return list(enumerate(entries, 1))
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Lines(text)


def decoded(data: bytes) -> str:
    """Return the text of a log. One odd byte is no reason to lose a line: times are ASCII.

    Raises:
        InvalidArrivals: it is a file of another kind.
    """
    if problem := other_kind(data):
        raise InvalidArrivals(problem)
    return data.decode("utf-16" if is_utf_16(data) else "utf-8-sig", "replace")


def other_kind(data: bytes) -> str:
    """Return what a file is that is no text, and what to do; empty for text."""
    return next((f"the file is {kind}" for mark, kind in _MARKS.items() if data.startswith(mark)), "")


def is_utf_16(data: bytes) -> bool:
    """Return True if a text begins with the byte order mark of UTF-16."""
    return data[:2] in (b"\xff\xfe", b"\xfe\xff")


def _json_entries(text: str) -> list[str] | None:
    """Return the entries of a file that is JSON, but not in lines: each then counts as one.

    It is one value, a record, a list or an object around one (HAR, CloudTrail), or several of which one has
    several lines, or does not end with its line. None if the file is anything else.
    """
    at = _end(_BETWEEN, text, 0)
    if text[at : at + 1] not in ("[", "{"):
        return None
    values = list[Any]()
    try:
        while at < len(text):
            value, end = _DECODER.raw_decode(text, at)
            values.append(value)
            if _entries(values[0], _MAX_WRAPPERS) is None and not isinstance(values[0], dict):
                return None
            begin, at = at, _end(_BETWEEN, text, end)
            if len(values) == 1 and at < len(text) and _is_line(text, begin, end, at):
                return None
    except (ValueError, RecursionError):
        if not values:
            return None
    one = len(values) == 1 and at == len(text) and not _is_record(values[0])
    entries = _entries(values[0], _MAX_WRAPPERS) if one else values
    if entries is None:
        return None
    with suppress(RecursionError):
        return [*map(json.dumps, entries), *([text[at:]] if at < len(text) else ())]
    return None


def _is_record(value: Any) -> bool:
    """Return True for one record; its lists are of something else, such as headers."""
    if not isinstance(value, dict) or _have_times(_entries(value, 1) or ()):
        return False
    own = _without_lists(value, _MAX_WRAPPERS)
    return _have_times([own]) and (has_request(own) or _entries(value, _MAX_WRAPPERS) is None)


def _without_lists(record: Mapping[str, Any], depth: int) -> dict[str, Any]:
    return {
        name: _without_lists(value, depth - 1) if isinstance(value, dict) else value
        for name, value in record.items()
        if depth and not isinstance(value, list)
    }


def _have_times(records: Sequence[Any]) -> bool:
    try:
        return choose(records[:_SAMPLE], Choice(), what="key") is not None
    except InvalidArrivals:  # several, or in an order that is not known
        return True


def _is_line(text: str, begin: int, end: int, following: int) -> bool:
    """Return True if a value of JSON is in one line, and the next value in another."""
    return "\n" not in text[begin:end] and "\n" in text[end:following]


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


def _entries(value: Any, depth: int) -> list[Any] | None:
    """Return the objects of a list, or of the nearest list with objects that an object has; None without."""
    if isinstance(value, list):
        return [entry for entry in value if isinstance(entry, dict)] or None
    if not isinstance(value, dict) or not depth:
        return None
    if isinstance(entries := value.get("entries"), list):  # of HAR, beside its pages
        return _entries(entries, depth)
    for deep in (False, True):
        kind = dict if deep else list
        lists = [
            entries
            for member in value.values()
            if isinstance(member, kind) and (entries := _entries(member, depth - 1))
        ]
        if lists:
            return lists[0] if len(lists) == 1 else None
    return None
