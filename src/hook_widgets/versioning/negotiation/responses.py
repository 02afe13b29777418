"""Build the responses of versioning itself: 308, and 400, 410 and 503 as problem documents (RFC 9457).

The problem type is ``about:blank``, which adds nothing to the status code (RFC 9457 section 4.2.1). Programs
should use the member ``code``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

HeaderPairs = tuple[tuple[str, str], ...]
"""Header names and values, in order."""

_TITLES: Final = {400: "Bad Request", 410: "Gone", 503: "Service Unavailable"}
_MAX_LENGTH: Final = 80


class ResponseCode(StrEnum):
    """Reason why versioning responds in place of the application."""

    UNVERSIONED = "unversioned"
    """308: the request names no version; redirected to the latest stable one."""
    INVALID = "invalid_version"
    """400: the value is not a version."""
    UNKNOWN = "unknown_version"
    """400: the version does not exist, is not released yet, or not available in that format."""
    AMBIGUOUS = "ambiguous_version"
    """400: one location names several versions."""
    NO_DEFAULT = "no_default_version"
    """400: the request names no version, and no stable one is available."""
    REMOVED = "version_removed"
    """410: the version has been removed."""
    BROWNOUT = "version_brownout"
    """503 or 410: a planned outage before the removal; the version comes back."""


@dataclass(frozen=True, slots=True)
class VersioningResponse:
    """A complete response, sent instead of the application's.

    Attributes:
        status: 308, 400, 410 or 503.
        headers: names and values, ASCII. ``Content-Length`` and ``Date`` are added by the server.
        body: a problem document, or empty.
        code: the reason.
    """

    status: int
    headers: HeaderPairs
    body: bytes
    code: ResponseCode


def redirect(location: str, *, headers: HeaderPairs = ()) -> VersioningResponse:
    """Return a 308 redirect to an address on the same host (RFC 9110 section 15.4.9).

    The latest version changes, and caches may store a 308 indefinitely. So caches must revalidate it each
    time (``no-cache``, RFC 9111 section 5.2.2.4).

    Args:
        location: an absolute path, with the query.
        headers: additional headers, such as ``Vary``.

    >>> redirect("/api/v2/orders").headers
    (('Location', '/api/v2/orders'), ('Cache-Control', 'no-cache'))
    """
    return VersioningResponse(
        308, (("Location", location), ("Cache-Control", "no-cache"), *headers), b"", ResponseCode.UNVERSIONED
    )


def bad_request(
    code: ResponseCode, detail: str, *, supported: Sequence[int], asked: str = "", headers: HeaderPairs = ()
) -> VersioningResponse:
    """Return a 400 response that lists the supported versions.

    Args:
        code: the reason.
        detail: problem and solution, as sentences.
        supported: the supported versions.
        asked: the value sent by the client; cut at 80 characters.
        headers: additional headers.

    >>> print(bad_request(ResponseCode.INVALID, "…", supported=[1, 2], asked="v02").body.decode())
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
        400, code, detail, headers, {"asked": asked[:_MAX_LENGTH], "supported_versions": list(supported)}
    )


def gone(detail: str, *, guide: str = "", current: str = "", headers: HeaderPairs = ()) -> VersioningResponse:
    """Return a 410 response for a removed version, with the migration guide and the current address.

    Args:
        detail: problem and solution, as sentences.
        guide: the URL of the migration guide; empty if there is none.
        current: the address of the same resource in the current version; empty if there is none.
        headers: additional headers, such as ``Sunset``.

    >>> gone("…", current="/api/v2/orders").code
    <ResponseCode.REMOVED: 'version_removed'>
    """
    return _problem(410, ResponseCode.REMOVED, detail, headers, _addresses(guide, current))


def brownout(
    status: int,
    detail: str,
    *,
    retry_after_s: int,
    guide: str = "",
    current: str = "",
    headers: HeaderPairs = (),
) -> VersioningResponse:
    """Return the response during a brownout: 503 with ``Retry-After``, or 410; other arguments as for `gone`.

    Caches may store a 410 (RFC 9110 section 15.1) and would extend the outage. So neither is stored
    (``no-store``, RFC 9111 section 5.2.2.5).

    >>> brownout(503, "…", retry_after_s=60).headers[1:]
    (('Retry-After', '60'), ('Cache-Control', 'no-store'))
    """
    retry = (("Retry-After", str(retry_after_s)),) if status == 503 else ()
    sent = (*retry, ("Cache-Control", "no-store"), *headers)
    return _problem(status, ResponseCode.BROWNOUT, detail, sent, _addresses(guide, current))


def quoted(asked: str) -> str:
    r"""Quote a value sent by a client for a sentence: on one line, and cut at 80 characters.

    >>> quoted("v2\r\n")
    "'v2\\r\\n'"
    """
    return repr(asked) if len(asked) <= _MAX_LENGTH else f"{asked[:_MAX_LENGTH]!r}…"


def _addresses(guide: str, current: str) -> dict[str, str]:
    members = {"migration_guide": guide, "current_version": current}
    return {name: address for name, address in members.items() if address}


def _problem(
    status: int, code: ResponseCode, detail: str, headers: HeaderPairs, members: Mapping[str, object]
) -> VersioningResponse:
    document = {
        "type": "about:blank",
        "title": _TITLES[status],
        "status": status,
        "detail": detail,
        "code": code,
        **members,
    }
    # A lone surrogate sent by a client cannot be encoded in UTF-8; it is replaced by a question mark.
    body = json.dumps(document, indent=2, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
    return VersioningResponse(status, (("Content-Type", "application/problem+json"), *headers), body, code)
