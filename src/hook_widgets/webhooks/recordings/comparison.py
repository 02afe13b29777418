"""Compare two exchanges, as unified diffs."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hook_widgets.errors import WebhookError
from hook_widgets.webhooks.body import json_edit
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.recordings.exchange import Exchange, RecordedResponse

CONTEXT: Final = 3  # unchanged lines around a change
_MAX_LINES: Final = 2_000  # lines that differ at both ends; comparing more takes too long
_LONG: Final = 160  # characters of a line of JSON above which it is formatted
_NO_NEWLINE: Final = "\\ No newline at end of body"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The differences between two exchanges, as the lines of unified diffs; no lines if there are none.

    Attributes:
        headers: method, URL and headers of the requests.
        body: the bodies of the requests.
        response: status, headers and bodies of the responses.
        notes: sentences about the comparison.
    """

    headers: tuple[str, ...]
    body: tuple[str, ...]
    response: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def same(self) -> bool:
        """True if nothing differs."""
        return not (self.headers or self.body or self.response)


def compare(before: Exchange, after: Exchange, *, context: int = CONTEXT) -> Comparison:
    r"""Compare two exchanges line by line.

    Bodies that are JSON in long lines are formatted first, which a note says.

    Args:
        before: the first exchange.
        after: the second one.
        context: the number of unchanged lines around each change.

    >>> from hook_widgets.webhooks.recordings import read_recording
    >>> one, two = (read_recording(f"X-Event: {name}").exchanges[0] for name in ("paid", "refunded"))
    >>> print(*compare(one, two).headers, sep="\n")
    @@ -1 +1 @@
    -X-Event: paid
    +X-Event: refunded
    """
    notes: list[str] = []
    a, b = before.request, after.request
    return Comparison(
        headers=_diff(
            [*_line(f"{a.method} {a.url}"), *_headers(a.headers)],
            [*_line(f"{b.method} {b.url}"), *_headers(b.headers)],
            context,
            notes,
        ),
        body=_bodies(a.body, b.body, context, notes),
        response=_responses(before.response, after.response, context, notes),
        notes=tuple(dict.fromkeys(notes)),
    )


def _line(text: str) -> list[str]:
    return [text.strip()] if text.strip() else []


def _headers(headers: Headers) -> list[str]:
    return [f"{name}: {value}" for name, value in headers.multi_items()]


def _responses(
    before: RecordedResponse | None, after: RecordedResponse | None, context: int, notes: list[str]
) -> tuple[str, ...]:
    heads = [
        ["(no response)"]
        if response is None
        else [f"HTTP {response.status} {response.reason}".rstrip(), *_headers(response.headers)]
        for response in (before, after)
    ]
    bodies = [None if response is None else response.body for response in (before, after)]
    texts = _texts(bodies[0], bodies[1], notes)
    return _diff([*heads[0], "", *texts[0]], [*heads[1], "", *texts[1]], context, notes)


def _bodies(before: bytes | None, after: bytes | None, context: int, notes: list[str]) -> tuple[str, ...]:
    if before == after:
        return ()
    first, second = _texts(before, after, notes)
    if first == second:
        notes.append("the bodies differ in white space only")
    return _diff(first, second, context, notes)


def _texts(before: bytes | None, after: bytes | None, notes: list[str]) -> tuple[list[str], list[str]]:
    bodies = [before or b"", after or b""]
    if before != after and any(len(line) > _LONG for body in bodies for line in body.split(b"\n")):
        try:
            bodies = [json_edit.format_json(body) if body else body for body in bodies]
            notes.append("the bodies are formatted for the comparison")
        except WebhookError:  # not JSON, and compared as it is
            notes.append("the bodies have long lines and are not JSON, so they are compared as they are")
    texts = []
    for body, original in zip(bodies, (before, after), strict=True):
        texts.append(["(unknown body)"] if original is None else list(_lines(body)))
    return texts[0], texts[1]


def _lines(body: bytes) -> Iterator[str]:
    """Yield the lines of a body, with visible carriage returns."""
    if not body:
        return
    try:
        text = body.decode()
    except UnicodeDecodeError:
        yield f"({len(body):,} bytes that are not text, SHA-256 {hashlib.sha256(body).hexdigest()})"
        return
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    for line in lines:
        yield line.replace("\r", "␍")
    if not text.endswith("\n"):
        yield _NO_NEWLINE


def _diff(before: Sequence[str], after: Sequence[str], context: int, notes: list[str]) -> tuple[str, ...]:
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    if max(len(before), len(after)) - start - end > _MAX_LINES:
        notes.append(f"more than {_MAX_LINES:,} lines differ, so they are not aligned")
        shared = slice(max(0, start - context), start)
        removed, added = before[start : len(before) - end], after[start : len(after) - end]
        head = f"@@ -{_range(shared, removed)} +{_range(shared, added)} @@"
        return (head, *_marked(" ", before[shared]), *_marked("-", removed), *_marked("+", added))
    # Lines far from a difference are left out, because the time grows with the square of the lines.
    first, last = max(0, start - context), max(0, end - context)
    a, b = before[first : len(before) - last], after[first : len(after) - last]
    lines = list(difflib.unified_diff(a, b, n=context, lineterm=""))[2:]
    return tuple(_shifted(line, first) for line in lines)


def _range(shared: slice, lines: Sequence[str]) -> str:
    return f"{shared.start + 1},{shared.stop - shared.start + len(lines)}"


def _marked(mark: str, lines: Sequence[str]) -> list[str]:
    return [mark + line for line in lines]


def _shifted(line: str, offset: int) -> str:
    """Return a line of a diff with the numbers of the complete texts."""
    if not line.startswith("@@") or offset == 0:
        return line
    ranges = []
    for part in line.split(" ")[1:3]:
        number, comma, length = part[1:].partition(",")
        ranges.append(f"{part[0]}{int(number) + offset}{comma}{length}")
    return f"@@ {' '.join(ranges)} @@"
