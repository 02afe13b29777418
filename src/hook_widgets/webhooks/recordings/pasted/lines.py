"""Bring pasted lines into the form ``Name: value``: tables, alternating lines, logs of curl and the like.

Each function takes the lines of a text, and returns lines of that form and notes; or None if the lines have
another form. The lines are read as headers after that, so nothing here needs to know the headers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from hook_widgets.webhooks.headers import is_token

_BRACKETED: Final = re.compile(r"\[([^\s,\[\]]{1,256}), (.*)\],?")
_BULLET: Final = re.compile(r"[-•] (.*)")
_LETTER: Final = re.compile(":?[A-Za-z]")
_COLUMNS: Final = re.compile(r"(\S{1,256})(?: {2,}|\t+)(\S.*)")
_RULED_COLUMNS: Final = re.compile(
    r"(\S{1,256})[ \t]+(\S.*)"
)  # PowerShell has one space after the longest name
_WIRESHARK: Final = re.compile(r"\s+(.*?)\\r\\n")
_MAX_OTHERS: Final = 12  # lines of Wireshark that explain those of the request
_NO_NAME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d|\d\d?|0x[0-9a-f]+")  # of a time, and of a hex dump
_TITLES: Final = frozenset(
    {
        "general",
        "headers",
        "key value",
        "header value",
        "name value",
        "request headers",
        "raw",
        "view source",
        "view parsed",
        "view url encoded",
        "provisional headers are shown",
        "hypertext transfer protocol",
    }
)
_ENDS: Final = frozenset(
    {"response headers", "query string parameters", "form data", "request payload", "payload", "request body"}
)
# Lines of Chrome's panel that are no headers, with what they stand for.
_PANEL: Final = {
    "request url": ":url",
    "request method": ":method",
    "status code": "",
    "remote address": "",
    "referrer policy": "",
}


class Lines(NamedTuple):
    """Lines of headers.

    Attributes:
        lines: the lines, ``Name: value`` each; pseudo headers for method and URL.
        notes: sentences about what was left out.
    """

    lines: list[str]
    notes: tuple[str, ...] = ()


def normalized(lines: Sequence[str]) -> Lines | None:
    """Return the lines as ``Name: value``; None if they have no form that is known."""
    lines = [line for line in lines if line.strip()]
    for form in _FORMS:
        if (result := form(lines)) is not None:
            return result
    return None


def is_field(line: str) -> bool:
    """Return True for a line of the form ``Name: value``."""
    name, colon, _ = line.strip().removeprefix(":").partition(":")
    return bool(colon) and is_name(name)


def is_name(name: str) -> bool:
    """Return True for the name of a header; the time of a log is none."""
    return is_token(name) and not _NO_NAME.fullmatch(name)


def _titled(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """Leave out the titles of a panel, and everything after the request's headers."""
    rest: list[str] = []
    notes: list[str] = []
    for line in lines:
        title = re.sub(r"[\s|:]+", " ", line[:80]).strip().lower()
        if title in _ENDS or title.startswith("response headers ("):
            if not rest:
                continue  # the response is above the request, as in Firefox
            notes.append(f"the text from {line.strip()[:40]!r} on was not read")
            break
        if title not in _TITLES and not title.startswith("request headers ("):
            rest.append(line)
    return rest, notes


def _wireshark(lines: Sequence[str]) -> Lines | None:
    shown = [match[1] for line in lines if (match := _WIRESHARK.fullmatch(line))]
    others = [line for line in lines if not _WIRESHARK.fullmatch(line) and not line.strip().startswith("[")]
    if not shown or len(others) > _MAX_OTHERS or any(is_field(line) for line in others):
        return None
    return Lines([line for line in shown if line])


def _table(lines: Sequence[str]) -> Lines | None:
    """Read columns that are separated by tabs, bars or several spaces."""
    lines, notes = _titled(lines)
    rows = [line for line in lines if line.strip(" \t|:+=-")]
    columns = _COLUMNS if len(rows) == len(lines) else _RULED_COLUMNS
    out: list[str] = []
    for line in rows:
        bare = line.strip()
        if bare.startswith("|"):
            name, bar, value = bare[1:].removesuffix("|").partition("|")
            cells = (name.strip(), value.strip()) if bar else None
        else:
            match = columns.fullmatch(bare)
            cells = (match[1], match[2]) if match else None
        if cells is None or not is_token(cells[0].removesuffix(":").removeprefix(":")):
            return None
        out.append(f"{cells[0].removesuffix(':')}: {cells[1]}")
    return Lines(out, tuple(notes)) if _plausible(out) else None


def _bulleted(lines: Sequence[str]) -> Lines | None:
    matches = [_BULLET.fullmatch(line.strip()) for line in lines]
    return Lines([match[1] for match in matches if match]) if lines and all(matches) else None


def _bracketed(lines: Sequence[str]) -> Lines | None:
    """Read the pairs of .NET, ``[name, value]``."""
    matches = [_BRACKETED.fullmatch(line.strip()) for line in lines]
    return (
        Lines([f"{match[1]}: {match[2]}" for match in matches if match]) if lines and all(matches) else None
    )


def _alternating(lines: Sequence[str]) -> Lines | None:
    """Read a name and its value on two lines, as the panels of browsers give them to the clipboard."""
    lines, notes = _titled(lines)
    if len(lines) < 2 or len(lines) % 2:
        return None
    out: list[str] = []
    for name, value in zip(lines[::2], lines[1::2], strict=True):
        label = name.strip().removesuffix(":")
        panel = _PANEL.get(label.lower())
        # A rule of a table and its rows are tokens, too.
        if panel is None and not (is_token(label.removeprefix(":")) and _LETTER.match(label)):
            return None
        if panel != "":
            out.append(f"{panel or label}: {value.strip()}")
    if not _plausible(out):
        return None
    return Lines(out, ("names and values are on lines of their own", *notes))


def _plausible(lines: Sequence[str]) -> bool:
    """Return True if a name has a hyphen or is a pseudo header: any two words could be a name and a value."""
    return any(line.startswith(":") or "-" in line.partition(":")[0] for line in lines)


def _sectioned(lines: Sequence[str]) -> Lines | None:
    """Read header lines among the titles of a panel, and after the URL and method."""
    rest, notes = _titled(lines)
    named = [(line.partition(":"), line) for line in rest]
    panel = [(_PANEL.get(name.strip().lower()), value, line) for (name, _, value), line in named]
    out = [line if label is None else f"{label}:{value}" for label, value, line in panel if label != ""]
    return Lines(out, tuple(notes)) if rest and out != list(lines) else None


_FORMS: Final[tuple[Callable[[Sequence[str]], Lines | None], ...]] = (
    _wireshark,
    _bulleted,
    _bracketed,
    _alternating,
    _table,
    _sectioned,
)
