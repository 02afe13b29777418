"""Build and parse the ``Warning`` field; code 299 is a notice shown in logs of old clients (RFC 7234, 5.5).

The field is obsolete since RFC 9111 section 5.5: send it only in addition to ``Deprecation``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from hook_widgets.errors import InvalidNotice, excerpt
from hook_widgets.versioning.notices.header_fields import (
    BETWEEN,
    MEMBER_END,
    QUOTED,
    end_of,
    invalid,
    lines_of,
    quote,
    strictly,
    unquote,
)
from hook_widgets.versioning.notices.httpdate import build_http_date, parse_http_date

NAME: Final = "Warning"
CODE: Final = 299
"""Miscellaneous persistent warning (RFC 7234 section 5.5.7)."""

_AGENT: Final = re.compile(r"[!#-+\--~]++")
_START: Final = re.compile(r"([0-9]{3}) ++([!#-+\--~]++) ++")
_QUOTED: Final = re.compile(QUOTED)
_DATE: Final = re.compile(r' ++"([^"]*+)"')
_NEXT: Final = re.compile(r",[ \t]*+(?=[0-9]{3} )")


@dataclass(frozen=True, slots=True)
class HttpWarning:
    """One warning.

    Attributes:
        code: three digits; 299 for a persistent warning without a code of its own.
        agent: the sender: a host with or without port, or a name; ``-`` if unspecified.
        text: the text.
        date: the date in UTC, the same as the ``Date`` field of the response; None if absent.
    """

    code: int
    agent: str
    text: str
    date: datetime | None = None


def build_warning(text: str, *, date: datetime | None = None, agent: str = "-") -> str:
    """Return the field's value with the code 299.

    Args:
        text: the text, printable ASCII.
        date: the time of the response, the same as in its ``Date`` field; recipients drop a warning with a
            different date (RFC 7234 section 5.5).
        agent: the sender: a host with or without port, or a token.

    Raises:
        InvalidNotice: the text is empty or has other characters, or the date has no zone.

    >>> from datetime import UTC
    >>> print(build_warning("v1 is deprecated", date=datetime(2026, 11, 11, 11, 11, 11, tzinfo=UTC)))
    299 - "v1 is deprecated" "Wed, 11 Nov 2026 11:11:11 GMT"
    """
    quoted = quote(NAME, "its text", text)
    if not text.strip():
        raise invalid(NAME, "needs a text; say what is deprecated")
    if not _AGENT.fullmatch(agent):
        raise invalid(NAME, f"cannot have the agent {excerpt(agent)}; use a host name, a token or '-'")
    dated = "" if date is None else f' "{build_http_date(date, name=NAME)}"'
    return f"{CODE} {agent} {quoted}{dated}"


def parse_warnings(value: str | Iterable[str], *, now: datetime | None = None) -> tuple[HttpWarning, ...]:
    """Parse the warnings of the field, with any code. An empty value has none.

    Args:
        value: the field's value, or one string for each field line.
        now: the current time, for two-digit years, as in
            `hook_widgets.versioning.notices.read_http_date`.

    Raises:
        InvalidNotice: a warning is malformed; the message names the position or the problem.

    >>> parse_warnings('299 - "v1 is deprecated", 110 cache:80 "Response is stale"')[1].agent
    'cache:80'
    """
    return strictly(read_warnings(value, now=now))


def read_warnings(
    value: str | Iterable[str], *, now: datetime | None = None
) -> Iterator[HttpWarning | InvalidNotice]:
    """Yield each warning, or an error in its place: a malformed one does not hide those after it.

    Args:
        value: the field's value, or one string for each field line.
        now: the current time, as in `parse_warnings`.

    Raises:
        InvalidNotice: not a string, or control characters.

    >>> [type(one).__name__ for one in read_warnings('299 "v1", 299 - "v2"')]
    ['InvalidNotice', 'HttpWarning']
    """
    for line in lines_of(NAME, value):
        at = end_of(BETWEEN, line, 0)
        while at < len(line):
            start = _START.match(line, at)
            text = _QUOTED.match(line, start.end()) if start else None
            if start is None or text is None:
                yield _malformed(line, at if start is None else start.end())
                opened = start is not None and line.startswith('"', start.end())
                following = None if opened else _NEXT.search(line, at)
                at = following.end() if following else len(line)
                continue
            date = _DATE.match(line, text.end())
            end = date.end() if date else text.end()
            if MEMBER_END.match(line, end) is None:
                yield _malformed(line, end)
                following = _NEXT.search(line, end)
                at = following.end() if following else len(line)
                continue
            try:
                moment = parse_http_date(date[1], now=now, name=NAME) if date else None
                yield HttpWarning(int(start[1]), start[2], unquote(text.group()), moment)
            except InvalidNotice as problem:
                yield problem
            at = end_of(BETWEEN, line, end)


def _malformed(line: str, at: int) -> InvalidNotice:
    actual = excerpt(line[at : at + 12]) if at < len(line) else "the end"
    return invalid(
        NAME, f'is malformed at character {at + 1}, at {actual}; it must be like 299 - "text" "date"'
    )
