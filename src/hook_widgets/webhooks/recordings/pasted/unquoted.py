"""Read maps that are printed without quotes: Go's ``map[...]``, Java's ``{name=[...]}``, PHP's ``print_r``.

Nothing marks the end of a value in them, so each reader looks for the next name, and a note says so.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from hook_widgets.webhooks.recordings.exchange import MAX_HEADERS
from hook_widgets.webhooks.recordings.structures.mappings import Pairs

_NAME: Final = r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}"
_GO_LISTS: Final = re.compile(rf"(?<=[ \[])({_NAME}):\[")
_GO_TEXTS: Final = re.compile(rf"(?<=[ \[])({_NAME}):")
_GO_FIELD: Final = re.compile(r"(?<=[ {])(Method|URL|Host|RequestURI):([^\s}]*)")
_GO_VALUES: Final = re.compile(r"&?\{([A-Z]{3,10}) (\S{1,4000}) HTTP/[0-9.]{1,3} \d \d map\[")  # of %v
_GO_HOST: Final = re.compile(r"\] (?:true|false) (\S{0,300}) map\[")
_MAX_FIELDS: Final = 5_000  # characters after the headers
_JAVA_LISTS: Final = re.compile(rf"(?<=[ {{])({_NAME})=\[")
_JAVA_TEXTS: Final = re.compile(rf"(?<=[ {{])({_NAME})=")
_OPENING: Final = re.compile(r"(?:[A-Z]\w{0,40} ?)?[{\[(](?=[A-Za-z])")
_CLOSERS: Final = {"{": "}", "[": "]", "(": ")"}
_COLLECTIONS: Final = tuple((f"{name}(", ")") for name in ("ArrayBuffer", "List", "Vector"))  # of Scala
_ANY_HASHABLE: Final = re.compile(r"AnyHashable\(\"([^\"\n]{1,256})\"\)")
_PRINT_R: Final = re.compile(r"\s*\[([^\]\n]{1,256})\] =>(?: (.*))?", re.DOTALL)


class Unquoted(NamedTuple):
    """A map that was read.

    Attributes:
        members: the members as a mapping; those of a request have ``headers``.
        notes: sentences about what the form does not tell.
    """

    members: Pairs
    notes: tuple[str, ...]


def read_unquoted(text: str) -> Unquoted | None:
    """Read a map without quotes; None if the text is none of the known ones."""
    return _go_request(text) or _go_map(text) or _java_map(text) or _print_r(text) or _other_map(text)


def _go_request(text: str) -> Unquoted | None:
    if values := _GO_VALUES.match(text):
        start, end = values.end() - len("map["), text.find("]] ") + 1
        host = _GO_HOST.search(text, end, end + _MAX_FIELDS)
        fields = {"Method": values[1], "URL": values[2], "Host": host[1] if host else ""}
    elif text.startswith(("&{Method:", "{Method:")):
        start, end = text.find("map["), text.find("] Body:")
        fields = dict(_GO_FIELD.findall(text[:start] + text[end:]))
    else:
        return None
    headers = _go_map(text[start : end + 1])
    if headers is None:
        return None
    members = Pairs(
        [
            ("method", fields.get("Method", "")),
            ("url", fields.get("RequestURI") or fields.get("URL", "")),
            (
                "headers",
                Pairs([*([("Host", fields["Host"])] if fields.get("Host") else []), *headers.members]),
            ),
        ]
    )
    return Unquoted(members, headers.notes)


def _go_map(text: str) -> Unquoted | None:
    if not (text.startswith("map[") and text.endswith("]")):
        return None
    note = "Go prints no quotes: a value with spaces may be several values of the header"
    return _split(text[:-1], _GO_LISTS, "]", " ", note) or _split(text[:-1], _GO_TEXTS, "", " ", note)


def _java_map(text: str) -> Unquoted | None:
    at = text.find("{ {") if text.startswith("java.net.http.HttpHeaders@") else -1
    if at >= 0 and text.endswith("} }"):
        text = text[at + 2 : -2]
    if not (text.startswith("{") and text.endswith("}")) or text[1:2] in ('"', "'", " ", "\n"):
        return None
    note = "Java prints no quotes: several values of a header are joined with a comma"
    return _split(text[:-1], _JAVA_LISTS, "]", ", ", note) or _split(text[:-1], _JAVA_TEXTS, "", ", ", note)


def _other_map(text: str) -> Unquoted | None:
    """Read the maps of Dart, Scala, Swift and Kotlin."""
    text = _ANY_HASHABLE.sub(r"\1", text)
    opening = _OPENING.match(text)
    if opening is None or not text.endswith(_CLOSERS[opening[0][-1]]):
        return None
    note = "there are no quotes: several values of a header are joined with a comma"
    for mark in (": ", " -> ") if opening[0][-1] == "(" else ("=", ": "):
        for opener, closer in (("[", "]"), *_COLLECTIONS, ("", "")):
            names = re.compile(rf"(?<=[ {{\[(])({_NAME}){re.escape(mark + opener)}(?![\"'])")
            unquoted = _split(text[:-1], names, closer, ", ", note, begin=opening.end())
            if unquoted is not None:
                return unquoted
    return None


def _split(
    text: str, names: re.Pattern[str], closer: str, separator: str, note: str, *, begin: int = 0
) -> Unquoted | None:
    """Split a map at the names that follow the separator after the end of a value."""
    begin = begin or (4 if text.startswith("map[") else 1)
    starts: list[re.Match[str]] = []
    for name in names.finditer(text):
        first = not starts and name.start() == begin
        if first or (starts and text.endswith(closer + separator, starts[-1].end(), name.start())):
            starts.append(name)
        if len(starts) > MAX_HEADERS + 1:
            return None
    if not starts:
        return None
    members = Pairs()
    for name, following in zip(starts, [*starts[1:], None], strict=True):
        end = len(text) if following is None else following.start() - len(separator)
        value = text[name.end() : end]
        if not value.endswith(closer):
            return None
        members.append((name[1], value.removesuffix(closer)))
    unclear = any(separator.strip() in value if separator.strip() else " " in value for _, value in members)
    return Unquoted(members, (note,) if unclear else ())


def _print_r(text: str) -> Unquoted | None:
    """Read PHP's ``print_r``: one member a line, nested arrays indented."""
    lines = text.split("\n")
    first = next((line for line in lines if line.strip() not in ("", "Array", "(")), "")
    if not _PRINT_R.fullmatch(first.rstrip("\r")):
        return None
    members = Pairs()
    open_list: list[str] | None = None
    depth = 0
    for line in (line.rstrip("\r") for line in lines):
        bare = line.strip()
        if bare == "(":
            depth += 1
        elif bare == ")":
            depth -= 1
            open_list = open_list if depth > 1 else None
        elif bare not in ("", "Array"):
            member = _PRINT_R.fullmatch(line[-len(line.lstrip()) - 1 :])
            if not member or len(members) > 2 * MAX_HEADERS:
                return None
            name, value = member[1].strip("'\""), (member[2] or "").strip()
            if open_list is not None:
                open_list.append(value)
            elif value == "Array":
                open_list = []
                members.append((name, open_list))
            else:
                members.append((name, value))
    return Unquoted(members, ())
