"""Read a CGI, WSGI, Rack or PHP environment.

Sources: RFC 3875 section 4.1 (CGI) and PEP 3333 (WSGI). Such an environment has no
letter case and no ``-`` in the names of headers, so names are given in the spelling of the known providers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import quote

from hook_widgets.webhooks import registry
from hook_widgets.webhooks.headers import Headers, is_token
from hook_widgets.webhooks.recordings.exchange import RecordedRequest
from hook_widgets.webhooks.recordings.urls import absolute

_WITHOUT_PREFIX: Final = {"CONTENT_TYPE": "Content-Type", "CONTENT_LENGTH": "Content-Length"}
_VARIABLES: Final = frozenset(
    {
        "REQUEST_METHOD",
        "PATH_INFO",
        "SCRIPT_NAME",
        "QUERY_STRING",
        "SERVER_PROTOCOL",
        "REQUEST_URI",
        "wsgi.input",
    }
)
_COMMON: Final = (
    "Content-Type",
    "Content-Length",
    "Content-MD5",
    "DNT",
    "ETag",
    "TE",
    "User-Agent",
    "WWW-Authenticate",
)
# Headers of one word, to tell a mapping of headers from a body; a name with a hyphen needs no list.
_WORDS: Final = frozenset(
    re.findall(
        r"\S+",
        """
        accept age allow authorization connection cookie date expect forwarded from host link location
        origin pragma priority range referer server te trailer upgrade vary via warning
        """,
    )
)


def is_environ(names: Iterable[str]) -> bool:
    """Return True if these are names of such an environment.

    It has no names with a hyphen, so that a single header of that form makes no environment of the others.
    """
    known = False
    for name in map(_without_redirect, names):
        if "-" in name:
            return False
        known = known or name in _VARIABLES or name in _WITHOUT_PREFIX or bool(_header_name(name))
    return known


def read_environ(pairs: Iterable[tuple[str, str]]) -> RecordedRequest:
    """Read the request of an environment; its body is not part of it."""
    variables = {_without_redirect(name): value for name, value in pairs}
    headers = []
    for name, value in variables.items():
        header = _WITHOUT_PREFIX.get(name) or _header_name(name)
        if header and (value or name not in _WITHOUT_PREFIX):
            headers.append((spelling(header), value))
    target, notes = _target(variables)
    authority = variables.get("HTTP_HOST") or _server(variables)
    scheme = (
        variables.get("wsgi.url_scheme")
        or variables.get("rack.url_scheme")
        or variables.get("REQUEST_SCHEME")
    )
    if not scheme and variables.get("HTTPS", "").lower() in ("on", "1"):
        scheme = "https"
    url, more = absolute(target, authority, scheme or "")
    if headers:
        notes.append(
            "the environment has no letter case in header names; they are spelled as providers send them"
        )
    notes.append("the environment does not contain the body")
    return RecordedRequest(
        method=variables.get("REQUEST_METHOD", ""), url=url, headers=Headers(headers), notes=(*notes, *more)
    )


def spelling(name: str) -> str:
    """Return a header name as the known providers write it, or else with capitals after each hyphen."""
    return _spellings().get(name.lower(), name.title() if name.isupper() else name)


def is_known(name: str) -> bool:
    """Return True for a header that a known provider sends, or that HTTP defines."""
    return name.lower() in _WORDS or name.lower() in _spellings()


@registry.per_registry
def _spellings(providers: tuple[registry.Provider, ...]) -> dict[str, str]:
    names = [name for p in providers for scheme in p.schemes for name in scheme.headers]
    return {name.lower(): name for name in (*names, *_COMMON)}


def _without_redirect(name: str) -> str:
    while name.startswith("REDIRECT_HTTP_"):  # Apache's, after an internal redirect
        name = name.removeprefix("REDIRECT_")
    return name


def _header_name(name: str) -> str:
    """Return the header of a variable such as ``HTTP_X_SIGNATURE``; an empty text if it is not one."""
    header = name.removeprefix("HTTP_").replace("_", "-")
    return header if name.startswith("HTTP_") and name.isupper() and is_token(header) else ""


def _server(variables: dict[str, str]) -> str:
    name, port = variables.get("SERVER_NAME", ""), variables.get("SERVER_PORT", "")
    return name if not name or port in ("", "80", "443") else f"{name}:{port}"


def _target(variables: dict[str, str]) -> tuple[str, list[str]]:
    for name in ("REQUEST_URI", "RAW_URI"):  # as they were received; not in WSGI's standard
        if variables.get(name):
            return variables[name], []
    if "PATH_INFO" not in variables and "SCRIPT_NAME" not in variables:
        return "", []
    path = variables.get("SCRIPT_NAME", "") + variables.get("PATH_INFO", "")
    try:
        raw = path.encode("latin-1")  # PEP 3333
    except UnicodeEncodeError:
        raw = path.encode("utf-8", "surrogatepass")
    encoded = quote(raw, safe="/!$&'()*+,;=:@-._~") or "/"
    notes = ["the environment has the path decoded; it was percent-encoded again"] if encoded != path else []
    query = variables.get("QUERY_STRING", "")
    return f"{encoded}?{query}" if query else encoded, notes
