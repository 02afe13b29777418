"""A strict RFC 8259 scanner over bytes, which reports problems and never re-serializes a value.

The scanner uses its own stack, so that deep nesting cannot exhaust Python's. JSON syntax is ASCII, so it
works on the bytes directly: every offset is a byte offset into the body that will be signed.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from hook_widgets.webhooks.body.json_diagnostics import MAX_DEPTH, Expect, Stop, explain, quoted

BOM = b"\xef\xbb\xbf"
MAX_PROBLEMS = 50
# The limit for each level while scanning, which leaves room for the error that ends the scan.
_MAX_PER_LEVEL = MAX_PROBLEMS - 1

# Atomic groups (?>...*) replace possessive groups (...)*+ and (...)++, which CPython before 3.11.5, as in
# Debian 12, handles wrongly (CPython issue 106052).
# The numbers of the groups; the `lastindex` of a match is one of these.
_STRING, _PLAIN, _NUMBER, _OPEN, _CLOSE, _COMMA, _COLON = range(1, 8)
# Values that need no further check: true, false, null and short integers.
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


class ProblemLevel(StrEnum):
    """The severity of a problem."""

    ERROR = "error"
    """Forbidden by RFC 8259, or of undefined meaning, so that parsers reject it or disagree."""
    WARNING = "warning"
    """Valid JSON that common parsers change, such as an integer that a double cannot represent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonProblem:
    """One problem in a body.

    Attributes:
        line: the line, from 1; LF, CRLF and a lone CR each end a line, as in editors.
        column: the column, from 1, in Unicode code points, so that most emoji count as one. A BOM is not
            counted.
        offset: the byte offset in the body, from 0.
        message: an English sentence: what is wrong and what to do.
        level: error or warning.
    """

    line: int
    column: int
    offset: int
    message: str
    level: ProblemLevel


@dataclass(frozen=True, slots=True)
class Scan:
    """The result of a scan.

    Attributes:
        problems: the problems in reading order, at most `MAX_PROBLEMS`, errors in preference to warnings.
        complete: True if the whole body follows the grammar, even if it has duplicate keys, lone surrogates
            or a BOM.
    """

    problems: tuple[JsonProblem, ...]
    complete: bool


def scan(body: bytes) -> Scan:
    """Scan a body to its end or to the first violation of the grammar; never raises."""
    return _Scanner(body).run()


class _Scanner:
    def __init__(self, body: bytes) -> None:
        self.body = body
        self.problems: list[JsonProblem] = []
        self.errors = self.warnings = 0

    def run(self) -> Scan:
        if self.body.startswith(BOM):
            self.report(
                0, "a byte order mark (U+FEFF) starts the body; remove it, because many readers reject it"
            )
        stop = self.walk()
        bad_byte = _first_bad_byte(self.body)
        if stop is not None:
            offset, message = explain(stop, self.describe)
            if bad_byte is None or bad_byte > max(offset, stop.at):
                bad_byte = None
                self.report(offset, message)
        if bad_byte is not None:
            self.problems = [problem for problem in self.problems if problem.offset < bad_byte]
            self.report(bad_byte, _encoding_message(self.body, bad_byte))
        return Scan(self.most_severe(), complete=stop is None and bad_byte is None)

    def walk(self) -> Stop | None:
        """Follow the grammar; return where it is violated, or None if the text is complete."""
        body, match = self.body, _TOKEN.match
        # Local names, because looking up an enum member for every token is slow.
        value, first_item, key, first_key = Expect.VALUE, Expect.FIRST_ITEM, Expect.KEY, Expect.FIRST_KEY
        colon, following = Expect.COLON, Expect.NEXT
        expect = value
        open_at: list[int] = []
        in_object = False
        keys: list[dict[bytes, int]] = []
        good = len(BOM) if body.startswith(BOM) else 0
        while (token := match(body, good)) is not None:
            kind = token.lastindex or 0
            start, end = token.span(kind)
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
                if self.warnings < _MAX_PER_LEVEL and (message := _number_warning(token[kind])):
                    self.report(start, message, level=ProblemLevel.WARNING)
                expect = following
            else:
                break
            good = end
        opener = open_at[-1] if open_at else None
        stop = Stop(body=body, good=good, expect=expect, opener=opener)
        done = expect is following and opener is None and stop.at == len(body)
        return None if done else stop

    def check_key(self, start: int, end: int, keys: dict[bytes, int]) -> None:
        if self.errors >= _MAX_PER_LEVEL:
            return
        name = self.body[start + 1 : end - 1]
        if b"\\" in name:
            self.check_surrogates(start, end)
            # Compare decoded keys, because a key has several spellings. This token is valid, so it decodes.
            key: str = json.loads(self.body[start:end].decode("utf-8", "replace"))
            name = key.encode("utf-8", "surrogatepass")
        first = keys.setdefault(name, start)
        if first != start:
            token = quoted(self.body[start + 1 : end - 1])
            self.report(
                start,
                f'the key "{token}" is already in this object, at {self.describe(first)}; '
                "remove or rename one, because readers disagree on which one counts",
            )

    def check_surrogates(self, start: int, end: int) -> None:
        for match in _PAIR_OR_ESCAPE.finditer(self.body, start, end):
            if match[1] and self.errors < _MAX_PER_LEVEL:
                self.report(
                    match.start(),
                    f"{match[1].decode()} is half of a surrogate pair and no character alone; "
                    "write both halves, or the character itself",
                )

    def report(self, offset: int, message: str, *, level: ProblemLevel = ProblemLevel.ERROR) -> None:
        if level is ProblemLevel.ERROR:
            self.errors += 1
        else:
            self.warnings += 1
        line, column = self.position(offset)
        self.problems.append(
            JsonProblem(line=line, column=column, offset=offset, message=message, level=level)
        )

    def most_severe(self) -> tuple[JsonProblem, ...]:
        surplus = len(self.problems) - MAX_PROBLEMS
        selected: list[JsonProblem] = []
        for problem in reversed(self.problems):
            if surplus > 0 and problem.level is ProblemLevel.WARNING:
                surplus -= 1
            else:
                selected.append(problem)
        return tuple(sorted(selected, key=lambda problem: problem.offset))

    @cached_property
    def line_starts(self) -> list[int]:
        first = len(BOM) if self.body.startswith(BOM) else 0
        return [first, *(line_end.end() for line_end in _LINE_END.finditer(self.body))]

    def position(self, offset: int) -> tuple[int, int]:
        line = max(bisect_right(self.line_starts, offset), 1)
        before = self.body[self.line_starts[line - 1] : offset]
        return line, len(before.decode("utf-8", "replace")) + 1

    def describe(self, offset: int) -> str:
        line, column = self.position(offset)
        return f"line {line}, column {column}"


def _first_bad_byte(body: bytes) -> int | None:
    try:
        body.decode()
    except UnicodeDecodeError as error:
        return error.start
    return None


def _encoding_message(body: bytes, offset: int) -> str:
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return (
            "the body is UTF-16; convert it to UTF-8, as JSON between systems must be (RFC 8259 section 8.1)"
        )
    return f"byte 0x{body[offset]:02X} is not valid UTF-8 here; save the body as UTF-8"


def _number_warning(token: bytes) -> str | None:
    """Return a warning if a parser that uses doubles changes this number (RFC 8259 section 6)."""
    exponent = b"e" in token or b"E" in token
    if len(token) < 16 and not exponent:
        return None
    if not exponent and b"." not in token:
        digits = token.lstrip(b"-")
        if len(digits) > 16 or int(digits) >= 2**53:
            return (
                "this integer is beyond 2^53 - 1; send it as a string, because JavaScript and others round it"
            )
        return None
    mantissa = token.lower().partition(b"e")[0]
    digits = mantissa.replace(b".", b"").strip(b"-0")
    value = float(token)
    if value in (float("inf"), float("-inf")):
        return "this number is too large for a double, so readers turn it into infinity or reject it"
    if value == 0 and digits:
        return "this number is too small for a double, so readers turn it into 0"
    if len(digits) > 17:
        return "this number has more than 17 significant digits, and readers that use doubles drop the rest"
    return None
