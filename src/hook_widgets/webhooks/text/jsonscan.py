"""A strict RFC 8259 scanner over bytes: it finds tokens and problems and never rewrites a value.

The scanner keeps its own stack, so no nesting exhausts Python's. JSON's syntax is ASCII, so it reads the
bytes as they are: every offset is a byte offset into the body that will be signed.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from hook_widgets.webhooks.text.jsonfaults import MAX_DEPTH, Expect, Stop, explain, quoted

BOM = b"\xef\xbb\xbf"
MAX_PROBLEMS = 50
# Kept of each level while scanning: one place stays free for the error that ends the scan.
_ROOM = MAX_PROBLEMS - 1

# A group that gives nothing back is written (?>...*): CPython before 3.11.5, as in Debian 12, misjudges
# (...)*+ and (...)++ (its issue 106052).
# The groups in their order; a match's `lastindex` is one of these.
_STRING, _PLAIN, _NUMBER, _OPEN, _CLOSE, _COMMA, _COLON = range(1, 8)
# Values that need no second look: true, false, null and short integers.
_PLAIN_VALUE = rb"(?: true | false | null | -?+ (?: 0 | [1-9][0-9]{0,14}+ ) ) (?![0-9A-Za-z_$.+-])"
_TOKEN = re.compile(
    rb"""[ \t\n\r]*+ (?:
      ( "(?> (?: [^"\\\x00-\x1f]++ | \\(?: ["\\/bfnrt] | u[0-9A-Fa-f]{4} ) )* )" )
    | ( %b )
    | ( -?+(?:0|[1-9][0-9]*+) (?> (?:\.[0-9]++)? (?:[eE][+-]?+[0-9]++)? ) (?![0-9A-Za-z_.+-]) )
    | ([{[]) | ([}\]]) | (,) | (:) )"""
    % _PLAIN_VALUE,
    re.VERBOSE,
)
_MORE_PLAIN_ITEMS = re.compile(rb"(?> (?: [ \t\n\r]*+ , [ \t\n\r]*+ %b )+ )" % _PLAIN_VALUE, re.VERBOSE)
_CLOSABLE = (Expect.NEXT, Expect.FIRST_KEY, Expect.FIRST_ITEM)
_PAIR_OR_ESCAPE = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\."
)
_LINE_END = re.compile(rb"\r\n?|\n")


class Level(StrEnum):
    """How bad a problem is."""

    ERROR = "error"
    """RFC 8259 forbids it, or leaves open what it means, so that readers refuse it or differ."""
    WARNING = "warning"
    """Valid JSON that common readers change, such as an integer a double cannot hold."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong in a body.

    Attributes:
        line: from 1; LF, CRLF and a lone CR each end a line, as in editors.
        column: from 1, counted in characters (Unicode code points, so an emoji is one); a BOM is not counted.
        offset: byte offset in the body, from 0.
        message: what is wrong and what to do, for a person.
        level: error or warning.
    """

    line: int
    column: int
    offset: int
    message: str
    level: Level


@dataclass(frozen=True, slots=True)
class Scan:
    """What a scan found.

    Attributes:
        problems: in reading order, `MAX_PROBLEMS` at most; errors are kept before warnings.
        complete: True when the whole body follows the grammar. Duplicate keys, lone surrogates and a BOM
            are errors that leave it so.
    """

    problems: tuple[Problem, ...]
    complete: bool


def scan(body: bytes) -> Scan:
    """Reads a body to its end or to its first violation of the grammar; never raises, whatever the bytes."""
    return _Scanner(body).run()


class _Scanner:
    def __init__(self, body: bytes) -> None:
        self.body = body
        self.found: list[Problem] = []
        self.errors = self.warnings = 0

    def run(self) -> Scan:
        if self.body.startswith(BOM):
            self.report(0, "A byte order mark (U+FEFF) starts the body: remove it, many readers refuse it.")
        stop = self.walk()
        bad_byte = _first_bad_byte(self.body)
        if stop is not None:
            offset, message = explain(stop, self.where)
            if bad_byte is None or bad_byte > max(offset, stop.at):
                bad_byte = None
                self.report(offset, message)
        if bad_byte is not None:
            self.found = [problem for problem in self.found if problem.offset < bad_byte]
            self.report(bad_byte, _encoding_message(self.body, bad_byte))
        return Scan(self.worst(), complete=stop is None and bad_byte is None)

    def walk(self) -> Stop | None:
        """Walks the grammar; the place where it ends, or None when the text is complete."""
        body, match = self.body, _TOKEN.match
        # Local names: an attribute of an enum is slow to look up a million times.
        value, first_item, key, first_key = Expect.VALUE, Expect.FIRST_ITEM, Expect.KEY, Expect.FIRST_KEY
        colon, following = Expect.COLON, Expect.NEXT
        expect = value
        open_at: list[int] = []
        in_object = False
        keys: list[dict[bytes, int]] = []
        good = len(BOM) if body.startswith(BOM) else 0
        while (found := match(body, good)) is not None:
            kind = found.lastindex or 0
            start, end = found.span(kind)
            if kind == _CLOSE:
                # "[" and "]", "{" and "}" are two apart in ASCII.
                if not open_at or body[start] != body[open_at[-1]] + 2 or expect not in _CLOSABLE:
                    break
                open_at.pop()
                if in_object:
                    keys.pop()
                in_object = bool(open_at) and body[open_at[-1]] == 0x7B
                expect = following
            elif expect is following:
                if kind != _COMMA or not open_at:
                    break
                expect = key if in_object else value
            elif expect is colon:
                if kind != _COLON:
                    break
                expect = value
            elif expect is key or expect is first_key:
                if kind != _STRING:
                    break
                self.check_key(start, end, keys[-1])
                expect = colon
            elif kind == _OPEN:
                if len(open_at) == MAX_DEPTH:
                    break
                open_at.append(start)
                in_object = body[start] == 0x7B
                if in_object:
                    keys.append({})
                expect = first_key if in_object else first_item
            elif kind == _PLAIN:
                if open_at and not in_object and (more := _MORE_PLAIN_ITEMS.match(body, end)):
                    end = more.end()
                expect = following
            elif kind == _STRING:
                if body.find(b"\\u", start, end) >= 0:
                    self.check_surrogates(start, end)
                expect = following
            elif kind == _NUMBER:
                if self.warnings < _ROOM and (message := _number_warning(found[kind])):
                    self.report(start, message, level=Level.WARNING)
                expect = following
            else:
                break
            good = end
        opener = open_at[-1] if open_at else None
        stop = Stop(body=body, good=good, expect=expect, opener=opener)
        done = expect is following and opener is None and stop.at == len(body)
        return None if done else stop

    def check_key(self, start: int, end: int, seen: dict[bytes, int]) -> None:
        if self.errors >= _ROOM:
            return
        name = self.body[start + 1 : end - 1]
        if b"\\" in name:
            self.check_surrogates(start, end)
            # Two spellings of one key are one key. The decoder only ever sees a token that scanned.
            key: str = json.loads(self.body[start:end].decode("utf-8", "replace"))
            name = key.encode("utf-8", "surrogatepass")
        first = seen.setdefault(name, start)
        if first != start:
            token = quoted(self.body[start + 1 : end - 1])
            self.report(
                start,
                f'The key "{token}" is already in this object, at {self.where(first)}: '
                "readers disagree on which one counts, so remove or rename one.",
            )

    def check_surrogates(self, start: int, end: int) -> None:
        for found in _PAIR_OR_ESCAPE.finditer(self.body, start, end):
            if found[1] and self.errors < _ROOM:
                self.report(
                    found.start(),
                    f"{found[1].decode()} is half of a surrogate pair and no character alone: "
                    "write both halves, or the character itself.",
                )

    def report(self, offset: int, message: str, *, level: Level = Level.ERROR) -> None:
        if level is Level.ERROR:
            self.errors += 1
        else:
            self.warnings += 1
        self.found.append(Problem(*self.place(offset), offset, message, level))

    def worst(self) -> tuple[Problem, ...]:
        surplus = len(self.found) - MAX_PROBLEMS
        kept: list[Problem] = []
        for problem in reversed(self.found):
            if surplus > 0 and problem.level is Level.WARNING:
                surplus -= 1
            else:
                kept.append(problem)
        return tuple(sorted(kept, key=lambda problem: problem.offset))

    @cached_property
    def line_starts(self) -> list[int]:
        first = len(BOM) if self.body.startswith(BOM) else 0
        return [first, *(found.end() for found in _LINE_END.finditer(self.body))]

    def place(self, offset: int) -> tuple[int, int]:
        line = max(bisect_right(self.line_starts, offset), 1)
        before = self.body[self.line_starts[line - 1] : offset]
        return line, len(before.decode("utf-8", "replace")) + 1

    def where(self, offset: int) -> str:
        line, column = self.place(offset)
        return f"line {line}, column {column}"


def _first_bad_byte(body: bytes) -> int | None:
    try:
        body.decode()
    except UnicodeDecodeError as error:
        return error.start
    return None


def _encoding_message(body: bytes, offset: int) -> str:
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "The body is UTF-16: JSON between systems must be UTF-8 (RFC 8259 section 8.1), convert it."
    return f"Byte 0x{body[offset]:02X} is not valid UTF-8 here: save the body as UTF-8."


def _number_warning(token: bytes) -> str | None:
    """What a reader that keeps numbers as doubles does to this one (RFC 8259 section 6)."""
    exponent = b"e" in token or b"E" in token
    if len(token) < 16 and not exponent:
        return None
    if not exponent and b"." not in token:
        digits = token.lstrip(b"-")
        if len(digits) > 16 or int(digits) >= 2**53:
            return "This integer is beyond 2^53 - 1: JavaScript and others round it, so send it as a string."
        return None
    mantissa = token.lower().partition(b"e")[0]
    digits = mantissa.replace(b".", b"").strip(b"-0")
    value = float(token)
    if value in (float("inf"), float("-inf")):
        return "This number is too large for a double: readers turn it into infinity or refuse it."
    if value == 0 and digits:
        return "This number is too small for a double: readers turn it into 0."
    if len(digits) > 17:
        return "This number has more than 17 significant digits: readers that use doubles drop the rest."
    return None
