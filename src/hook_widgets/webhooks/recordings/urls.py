"""Build the URL of a recorded request from its parts."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

_LOCAL: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})


def absolute(target: str, authority: str, scheme: str = "") -> tuple[str, list[str]]:
    """Return the URL of a request, and notes on what was assumed.

    Args:
        target: path and query, or a complete URL.
        authority: host and port; empty if unknown.
        scheme: the scheme; empty if unknown.
    """
    if not target or "://" in target.partition("?")[0] or target == "*":
        return target, []
    if not authority:
        return target, ["the host of the URL is unknown"]
    if scheme:
        return f"{scheme}://{authority}{target}", []
    scheme = "http" if _host(authority) in _LOCAL else "https"
    return f"{scheme}://{authority}{target}", [f"{scheme} is assumed; a request does not tell its scheme"]


def _host(authority: str) -> str:
    try:
        name = urlsplit(f"//{authority}").hostname or ""
    except ValueError:
        return ""
    return f"[{name}]" if ":" in name else name
