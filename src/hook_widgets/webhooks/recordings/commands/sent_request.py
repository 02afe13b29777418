"""Build the request that a program sends for a URL, headers and a body that a command states."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import urlsplit

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks.headers import Headers, is_token
from hook_widgets.webhooks.recordings.exchange import RecordedRequest

FORM: Final = "application/x-www-form-urlencoded"
"""The media type of a body that programs send as a form, which is their default."""


def sent_request(
    method: str,
    url: str,
    headers: Sequence[tuple[str, str | None]],
    body: bytes | None,
    *,
    defaults: Mapping[str, str],
    notes: Sequence[str],
) -> RecordedRequest:
    """Return the request.

    Args:
        method: the HTTP method; empty if unknown.
        url: the URL with its scheme.
        headers: the headers that the command states; None as a value for one that the program leaves out.
        body: the body; None if it is not in the command.
        defaults: headers that the program adds where the command states none of that name.
        notes: sentences about what could not be recovered.

    Raises:
        InvalidArgument: the method, the URL or the name of a header is not valid.
    """
    try:
        parts = urlsplit(url.partition("#")[0])
    except ValueError:
        raise InvalidArgument(
            "the URL of the command is not valid; copy the whole command", field="url"
        ) from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InvalidArgument(f"{url[:80]!r} is no URL of HTTP; check the command", field="url")
    if method and not is_token(method):
        raise InvalidArgument(f"{method[:40]!r} is no method; check the command", field="headers")
    for name, _ in headers:
        if not is_token(name):
            raise InvalidArgument(f"{name[:40]!r} is no name of a header; check the command", field="headers")
    host = parts.netloc.rpartition("@")[2]
    stated = {name.lower() for name, _ in headers}
    first = [pair for pair in ({"Host": host} | dict(defaults)).items() if pair[0].lower() not in stated]
    length = [("Content-Length", str(len(body)))] if body and "content-length" not in stated else []
    return RecordedRequest(
        method=method,
        url=parts._replace(netloc=host, path=parts.path or "/").geturl(),
        headers=Headers([*first, *((name, value) for name, value in headers if value is not None), *length]),
        body=body,
        notes=tuple(dict.fromkeys(notes)),
    )


def basic(pair: bytes) -> str:
    """Return the value of Authorization for a user and a password (RFC 7617)."""
    return f"Basic {base64.b64encode(pair).decode()}"


def with_query(url: str, query: str) -> str:
    """Return a URL with more parameters at the end of its query."""
    if not query:
        return url
    base, hash_mark, fragment = url.partition("#")
    joined = "" if base.endswith(("?", "&")) else "&" if "?" in base else "?"
    return f"{base}{joined}{query}{hash_mark}{fragment}"
