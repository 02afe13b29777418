"""``Warning: 299``, a notice that logs of old clients show (RFC 7234 section 5.5).

The field is obsolete since RFC 9111 section 5.5: send it only beside ``Deprecation``, never instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from hook_widgets.errors import InvalidNotice
from hook_widgets.versioning.notices.fieldlines import QUOTED, excerpt, invalid, lines_of, quote, unquote
from hook_widgets.versioning.notices.httpdate import build_http_date, parse_http_date

NAME: Final = "Warning"
CODE: Final = 299
"""Miscellaneous persistent warning (RFC 7234 section 5.5.7)."""

_AGENT: Final = re.compile(r"[!#-+\--~]++")
_BETWEEN: Final = re.compile(r"(?>(?:[ \t]*+,)*)[ \t]*+")
_START: Final = re.compile(r"([0-9]{3}) ++([!#-+\--~]++) ++")
_QUOTED: Final = re.compile(QUOTED)
_DATE: Final = re.compile(r' ++"([^"]*+)"')
_COMMA: Final = re.compile(r"[ \t]*+(?:,|$)")
_NEXT: Final = re.compile(r",[ \t]*+(?=[0-9]{3} )")


@dataclass(frozen=True, slots=True)
class HttpWarning:
    """One warning.

    Attributes:
        code: three digits; 299 for what lasts and has no code of its own.
        agent: who warns: a host with or without port, or a name; ``-`` for nobody in particular.
        text: what it says.
        date: in UTC, the same as the ``Date`` field of the answer; None when it is not told.
    """

    code: int
    agent: str
    text: str
    date: datetime | None = None


def build_warning(text: str, *, date: datetime | None = None, agent: str = "-") -> str:
    """The field's value with the code 299.

    Args:
        text: what to say; printable ASCII.
        date: the time of the answer, the same as in its ``Date`` field; recipients drop a warning with
            another one (RFC 7234 section 5.5).
        agent: who warns: a host with or without port, or a token.

    Raises:
        InvalidNotice: no text, text that the field cannot carry, or a date without a zone.

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
    """The warnings of the field, of any code. An empty value has none.

    Args:
        value: the field's value, or one text for each time the field occurs.
        now: the time of reading, for a year of two digits as in
            `hook_widgets.versioning.notices.httpdate.read_http_date`.

    Raises:
        InvalidNotice: one of the warnings is malformed; says at which character, or what is wrong with it.

    >>> parse_warnings('299 - "v1 is deprecated", 110 cache:80 "Response is stale"')[1].agent
    'cache:80'
    """
    found = []
    for warning in read_warnings(value, now=now):
        if isinstance(warning, InvalidNotice):
            raise warning
        found.append(warning)
    return tuple(found)


def read_warnings(
    value: str | Iterable[str], *, now: datetime | None = None
) -> Iterator[HttpWarning | InvalidNotice]:
    """Each warning, or what is wrong with it: a malformed one does not hide those after it.

    Args:
        value: the field's value, or one text for each time the field occurs.
        now: the time of reading, as in `parse_warnings`.

    Raises:
        InvalidNotice: not text, or with control characters.

    >>> [type(one).__name__ for one in read_warnings('299 "v1", 299 - "v2"')]
    ['InvalidNotice', 'HttpWarning']
    """
    for line in lines_of(NAME, value):
        at = _past(_BETWEEN, line, 0)
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
            if _COMMA.match(line, end) is None:
                yield _malformed(line, end)
                following = _NEXT.search(line, end)
                at = following.end() if following else len(line)
                continue
            try:
                moment = parse_http_date(date[1], now=now, name=NAME) if date else None
                yield HttpWarning(int(start[1]), start[2], unquote(text.group()), moment)
            except InvalidNotice as problem:
                yield problem
            at = _past(_BETWEEN, line, end)


def _malformed(line: str, at: int) -> InvalidNotice:
    found = excerpt(line[at : at + 12]) if at < len(line) else "the end"
    return invalid(
        NAME, f'is malformed at character {at + 1}, at {found}; it must be like 299 - "text" "date"'
    )


def _past(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at
