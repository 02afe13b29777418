"""Take headers out of the lines of a log, a chat or a page, each with a mark, a prefix or quotes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

from hook_widgets.webhooks.recordings.pasted.characters import unquoted
from hook_widgets.webhooks.recordings.pasted.lines import Lines, is_field

_FENCE: Final = re.compile(r"\s*(?:(?:```|~~~)[\w+-]{0,20}|\{(?:code|noformat)(?::[^{}\n]{0,60})?\})\s*")
_REQUEST: Final = re.compile(r"[A-Z]{3,10} \S{1,2000} HTTP/[0-9.]{1,3}")
# Logs, of which other lines are left out. The first two name the line of the request in another way.
_LOGS: Final = tuple(
    re.compile(form)
    for form in (
        r".{0,300}?http (?:header|request line): \"(.*)\"\s*",  # nginx, debug
        r"[0-9a-f]{7,8}:[\w.-]{1,100}\.cli(?:hdr|req)\[[0-9a-f:]{1,20}\]: (.*)",  # HAProxy
        r"(?:\[[^\[\]]{0,200}\] ){1,6} {2,}(\S.*)",  # Apache, trace4
        r"(?:\[[ 0-9.]{1,20}\] )?recv \(stream_id=\d{1,10}\) (.*)",  # nghttp
        r"(?:\* )?\[HTTP/[23]\] \[\d{1,10}\] \[(.*)\]",  # curl -v, HTTP/2
        r"(?:\* )?\[?h2h?3?\]? \[(.*)\]",
        r"\s*Header: (:?\S{1,256}: .*)",  # Wireshark, HTTP/2
    )
)
# Marks of each line of a text.
_MARKS: Final = tuple(
    re.compile(form)
    for form in (
        r"[\w.-]{1,100} +\| ?(.*)",  # docker compose logs
        (  # kubectl logs, Go's log, syslog, journald, Heroku
            r"(?:\d{4}[-/]\d\d[-/]\d\d[T ]|[A-Z][a-z]{2} [ \d]?\d )\d\d:\d\d:\d\d(?:[.,]\d{1,9})?"
            r"(?:Z|[+-]\d\d:?\d\d)?"
            r"(?: (?:[\w.-]{1,100} [\w./-]{1,100}(?:\[\d{1,10}\])?|[\w.-]{1,100}\[[\w.-]{1,100}\]):(?= ))?"
            r" ?(.*)"
        ),
        r"E {3,}(.*)",  # pytest
        r"\s*\d{1,4}[.)] (.*)",
        r"\s*(?:[-*•] )?`(.*)`,?",
        r"\s*(?:-H|--header)[ =]'(.*)' ?\\?",
        r"\s*(?:-H|--header)[ =]\"(.*)\" ?\\?",
    )
)
# What a logger writes before each header: the text before the first name that a colon and a space follow.
_LOGGED: Final = re.compile(r"(?<![\w-])([A-Za-z][A-Za-z0-9-]{0,100}): ")
_MAX_LOGGED: Final = 300  # characters
_DIGITS: Final = re.compile(r"\d[\d.,:]*")
_BOLD: Final = re.compile(r"\s*(?:[-*•] )?(\*\*|__)([^*\s:]{1,256})(?::\1|\1:)\s*(.*)")
_DOTNET: Final = re.compile(r"Method: (\S{1,40}), RequestUri: '([^'\n]{0,4000})'.{0,2000}Headers:\s*")
_OBJECT: Final = re.compile(r"\s*- name: (.*)")
_OBJECT_VALUE: Final = re.compile(r"\s+value: (.*)")
_ASSIGNED: Final = re.compile(r"\s*(?:\w{1,40}\[)?[\"']?([^\s\"'=\[\]]{1,256})[\"']?\]?\s*(?:=>?|->)\s*(.*)")
_CSV: Final = re.compile(r"[\"']?([^\s,\"']{1,256})[\"']?\s*,\s*(.*)")
_LABELLED: Final = re.compile(  # of C# and Java
    r"(?:Header ?)?(?:Key|Name)\s?[:=-]\s?([^\s,]{1,256}),?\s(?:Header ?)?Value\s?[:=-]\s?(.*)", re.IGNORECASE
)
_HEADER: Final = re.compile(r"Header: ([^\s=]{1,256}) ?= ?(.*)", re.IGNORECASE)


def unprefixed(lines: Sequence[str]) -> Lines | None:
    """Return the lines without what a log or page put around each; None if there is nothing around them."""
    rows = [line for line in lines if not _FENCE.fullmatch(line)]
    if len(rows) < len(lines):
        return Lines(rows, ("the fences around the text were left out",))
    rows = [line for line in lines if line.strip()]
    for form in _LOGS:
        matches = [match[1] for line in rows if (match := form.fullmatch(line))]
        if matches and all(is_field(line) or _REQUEST.fullmatch(line.strip()) for line in matches):
            left_out = len(rows) - len(matches)
            note = "the text before each header was left out"
            return Lines(matches, (note, f"{left_out} other lines were not read") if left_out else (note,))
    if (logged := _logged(rows)) is not None:
        return logged
    for form in _MARKS:
        matches = [match[1] for line in lines if (match := form.fullmatch(line))]
        heads = [match for match in matches if match.strip()]
        is_request = bool(heads and _REQUEST.fullmatch(heads[0].strip()))
        is_fields = bool(heads) and all(is_field(n) or _ASSIGNED.fullmatch(n) for n in (heads[0], heads[-1]))
        if len(matches) >= len(rows) and (is_request or is_fields):
            return Lines(matches, ("the text before each line was left out",))
    bold = [match for line in rows if (match := _BOLD.fullmatch(line))]
    if bold and len(bold) == len(rows):
        return Lines([f"{match[2]}: {match[3].strip('` ')}" for match in bold])
    labelled = bool(rows) and (_LABELLED.fullmatch(rows[0]) or _HEADER.fullmatch(rows[0]))
    return assigned(rows) if labelled else _dotnet(rows)


def _logged(rows: Sequence[str]) -> Lines | None:
    """Return the lines after the prefix that a logger wrote before each; digits in it may differ."""
    first = next((row for row in rows[:2] if _LOGGED.search(row, 1, _MAX_LOGGED)), "")
    for name in islice(_LOGGED.finditer(first, 1, _MAX_LOGGED), 3):
        if re.search("[\"'`]", first[: name.start()]):
            continue  # quotes are around each header, not only before it
        # No text between two runs of digits begins with what a run may contain, so nothing is tried twice.
        before = r"\d[\d.,:]*".join(map(re.escape, _DIGITS.split(first[: name.start()])))
        matches = [match[1] for row in rows if (match := re.fullmatch(f"{before}(\\S.*)", row))]
        if len(matches) < len(rows) or len(rows) < 2:
            continue
        names = {line.partition(":")[0] for line in matches if is_field(line)}
        others = [line for line in matches if not is_field(line)]
        plausible = len(names) > 1 and any("-" in each for each in names)
        if plausible and all(_REQUEST.fullmatch(line) for line in others):
            return Lines(matches, ("the text before each line was left out",))
    return None


def assigned(lines: Sequence[str]) -> Lines | None:
    """Return lines of ``name = value``, ``name,value``, or ``- name: ...`` and ``value: ...`` as headers."""
    rows = [line for line in lines if line.strip() and not re.fullmatch(r"\s*\[[\w.-]{1,100}\]\s*", line)]
    names = [match[1] for line in rows[::2] if (match := _OBJECT.fullmatch(line))]
    values = [match[1] for line in rows[1::2] if (match := _OBJECT_VALUE.fullmatch(line))]
    if rows and len(names) == len(values) and 2 * len(names) == len(rows):
        return _named(zip(names, values, strict=True))
    for form in (_LABELLED, _HEADER, _ASSIGNED, _CSV):
        pairs = [(match[1], match[2]) for line in rows if (match := form.fullmatch(line))]
        title = len(rows) > 2 and not form.fullmatch(rows[0])  # such as the line of Envoy's log before them
        if pairs and len(pairs) == len(rows) - title:
            return _named(pair for pair in pairs if pair[0].lower() not in ("name", "header"))
    return None


def _named(pairs: Iterable[tuple[str, str]]) -> Lines | None:
    lines = [f"{_bare(name)}: {_bare(value)}" for name, value in pairs]
    # Any two words could be a name and a value, so one name has a hyphen.
    plausible = any("-" in line.partition(":")[0] for line in lines)
    return Lines(lines) if plausible and all(map(is_field, lines)) else None


def _bare(text: str) -> str:
    bare = text.strip().rstrip(",;").strip()
    return unquoted(bare[1:-1] if bare[:1] == "[" and bare[-1:] == "]" else bare)  # Go's list of one value


def _dotnet(rows: Sequence[str]) -> Lines | None:
    """Read what HttpRequestMessage of .NET writes."""
    request = _DOTNET.fullmatch(rows[0]) if rows else None
    if request is None:
        return None
    fields = [line.strip() for line in rows[1:] if line.strip() not in ("{", "}")]
    return Lines([f":method: {request[1]}", f":url: {request[2]}", *fields])
