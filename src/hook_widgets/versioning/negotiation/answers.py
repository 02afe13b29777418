"""The answers that versioning gives itself: 308, 400 and 410, the latter two as problem documents (RFC 9457).

The problem type is ``about:blank``, which means no more than the status code does (RFC 9457 section 4.2.1). A
program goes by the member ``code``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

Headers = tuple[tuple[str, str], ...]
"""Names and values in order."""

_TITLES: Final = {400: "Bad Request", 410: "Gone"}
_LONGEST: Final = 80


class Code(StrEnum):
    """Why versioning answers in place of the application."""

    UNVERSIONED = "unversioned"
    """308: nothing names a version; go to the latest stable one."""
    INVALID = "invalid_version"
    """400: what stands in the place of a version is none."""
    UNKNOWN = "unknown_version"
    """400: there is no such version, or not yet, or not in that format."""
    AMBIGUOUS = "ambiguous_version"
    """400: one place names several versions."""
    NO_DEFAULT = "no_default_version"
    """400: nothing names a version, and no stable one is left to choose."""
    REMOVED = "version_removed"
    """410: the version existed until its sunset."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole response; nothing of the application is needed.

    Attributes:
        status: 308, 400 or 410.
        headers: names and values, ASCII. ``Content-Length`` and ``Date`` are left to the server.
        body: a problem document, or empty.
        code: why.
    """

    status: int
    headers: Headers
    body: bytes
    code: Code


def moved(location: str, *, headers: Headers = ()) -> Answer:
    """308 to an address on the same host (RFC 9110 section 15.4.9).

    What is latest changes, and a 308 may be cached for as long as a cache likes. So this one is asked for
    again each time (``no-cache``, RFC 9111 section 5.2.2.4).

    Args:
        location: an absolute path, with the query.
        headers: what else to send, such as ``Vary``.

    >>> moved("/api/v2/orders").headers
    (('Location', '/api/v2/orders'), ('Cache-Control', 'no-cache'))
    """
    return Answer(
        308, (("Location", location), ("Cache-Control", "no-cache"), *headers), b"", Code.UNVERSIONED
    )


def refused(
    code: Code, detail: str, *, supported: Sequence[int], asked: str = "", headers: Headers = ()
) -> Answer:
    """400, naming the versions there are.

    Args:
        code: why.
        detail: what is wrong and what to do, as sentences.
        supported: the numbers to choose from.
        asked: what the client wrote; cut at 80 characters.
        headers: what else to send.

    >>> print(refused(Code.INVALID, "…", supported=[1, 2], asked="v02").body.decode())
    {
      "type": "about:blank",
      "title": "Bad Request",
      "status": 400,
      "detail": "…",
      "code": "invalid_version",
      "asked": "v02",
      "supported_versions": [
        1,
        2
      ]
    }
    <BLANKLINE>
    """
    return _problem(
        400, code, detail, headers, {"asked": asked[:_LONGEST], "supported_versions": list(supported)}
    )


def gone(detail: str, *, guide: str = "", current: str = "", headers: Headers = ()) -> Answer:
    """410 after the sunset, with the way out.

    Args:
        detail: what happened and what to do, as sentences.
        guide: the URL of the migration guide; empty when there is none.
        current: the address of the same resource in the current version; empty when there is none.
        headers: what else to send, such as ``Sunset``.

    >>> gone("…", current="/api/v2/orders").code
    <Code.REMOVED: 'version_removed'>
    """
    members = {"migration_guide": guide, "current_version": current}
    told = {name: value for name, value in members.items() if value}
    return _problem(410, Code.REMOVED, detail, headers, told)


def quoted(asked: str) -> str:
    r"""What a client wrote, for a sentence: in quotes, on one line and not longer than one.

    >>> quoted("v2\r\n")
    "'v2\\r\\n'"
    """
    return repr(asked) if len(asked) <= _LONGEST else f"{asked[:_LONGEST]!r}…"


def _problem(status: int, code: Code, detail: str, headers: Headers, members: Mapping[str, object]) -> Answer:
    document = {
        "type": "about:blank",
        "title": _TITLES[status],
        "status": status,
        "detail": detail,
        "code": code,
        **members,
    }
    # A client can send what no UTF-8 holds (half of a surrogate pair); it comes back as a question mark.
    body = json.dumps(document, indent=2, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
    return Answer(status, (("Content-Type", "application/problem+json"), *headers), body, code)
