"""Tell the text of a server in a line of a log from that of a client: in quotes, braces and addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

QUOTED: Final = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)')
"""A text in quotes. One that does not end goes to the end of the line, so that no search begins inside."""

CLF_TIME: Final = re.compile(r"\[\d{2}/[A-Z][a-z]{2}/\d{4}:")
"""The beginning of a time in the common log format."""

# HAProxy writes captured headers in braces.
_WRITTEN: Final = re.compile(rf'{QUOTED.pattern}|\{{[^{{}}"]*+\}}')
_BLANKS: Final = " \t"
_MAX_BLANKS: Final = 8  # between a name and its value
# Before the name of a host that a client asks for, and before a key in Amazon S3.
_BEFORE_WRITTEN: Final = (" http", " https", "host:", "Host:", "HOST:", ".OBJECT")
_WRITTEN_MARKS: Final = ('"', "{")  # of what a client may have written
_MARKS: Final = (*_WRITTEN_MARKS, "/", "?", *_BEFORE_WRITTEN)  # the same, and of addresses


def own(matches: Iterable[re.Match[str]], line: str) -> Iterator[re.Match[str]]:
    """Yield the matches that begin where no client writes: not in quotes or braces, nor within an address.

    The matches are given from left to right.
    """
    regions = region = None
    for match in outside_addresses(matches, line):
        at = match.start()
        if regions is None:
            regions = _WRITTEN.finditer(line)
            region = next(regions, None)
        while region is not None and region.end() <= at:
            region = next(regions, None)
        if region is None or region.start() >= at:
            yield match


def first_own(pattern: re.Pattern[str], line: str) -> re.Match[str] | None:
    """Return the first match of a pattern where no client writes. See `own`."""
    match = pattern.search(line)
    if match is None or _is_at_head(line, match.start()):
        return match
    return next(own(pattern.finditer(line), line), None)


def _is_at_head(line: str, at: int) -> bool:
    """Return True for a place before all that a client may have written, or behind a blank before quotes."""
    marks = _WRITTEN_MARKS if line[at : at + 1] in _BLANKS else _MARKS  # no address goes on behind a blank
    return not any(map(line[:at].__contains__, marks))


def outside_addresses(matches: Iterable[re.Match[str]], line: str) -> Iterator[re.Match[str]]:
    """Yield the matches that do not begin within an address.

    An address is what stands without a blank behind a slash or a question mark, or the name of a host.
    """
    begin, in_address = 0, False
    for match in matches:
        at = match.start()
        if not at or line[at : at + 1] in _BLANKS:
            begin = at
            yield match
            continue
        blank = max(line.rfind(" ", begin, at), line.rfind("\t", begin, at))
        word, name = max(begin, blank + 1), max(0, blank)
        while name > word - _MAX_BLANKS and line[name - 1 : name] == " ":
            name -= 1
        in_address = (
            (in_address and blank < 0)
            or line.find("/", word, at) >= 0
            or line.find("?", word, at) >= 0
            or line.endswith(_BEFORE_WRITTEN, 0, name)
        )
        begin = at
        if not in_address:
            yield match
