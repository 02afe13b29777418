"""Recognize the form of a log and read its lines: text, JSON, W3C extended, and columns with a header."""

from __future__ import annotations

import csv
import json
import re
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, Final

from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit.traffic.log_columns import (
    TIME_NAMES,
    Choice,
    Columns,
    Record,
    choose,
    flat,
    lookup,
)
from hook_widgets.ratelimit.traffic.log_text import Line
from hook_widgets.ratelimit.traffic.log_times import (
    CALENDAR_NS,
    HALF_DAY_NS,
    NGINX,
    NotATime,
    clock_ns,
    clock_of,
    duration_ns,
    find_ns,
    nginx_ns,
    syslog_month,
    syslog_ns,
    time_ns,
)

Row = tuple[int, int, int, Any]
"""Line number, time and duration in nanoseconds, and the record (or the line, in a log of text)."""

SAMPLE: Final = 50
"""Lines from which the form is recognized."""

HEAD: Final = 4 * SAMPLE
"""Lines at the beginning that may be needed for it, directives included."""

_DELIMITERS: Final = "\t;,|"
_MAX_QUOTED_LINES: Final = 20  # of one row of CSV
_MAX_BEFORE: Final = 10
_MAX_NAMES: Final = 2_000  # characters
_COMMA_FRACTION: Final = re.compile(r"(:\d{2}:\d{2}),(\d{3,9})(?=,|$)", re.ASCII)
_DECIMAL_COMMA: Final = re.compile(r"(?:(?<=;)|^)(\d{1,18}),(\d{1,18})(?=;|$)", re.ASCII)
_DECODER: Final = json.JSONDecoder(parse_float=str)  # `json.loads` with an option builds one for each line
_HEX_ESCAPE: Final = re.compile(r"(?<!\\)((?:\\\\)*+)\\x([0-9A-Fa-f]{2})")
# nginx writes $request_time with three digits, and the time at the end of the request.
_REQUEST_TIME: Final = re.compile(r"(?:^|\s)(?:rt=|request_time=)?(\d{1,7}\.\d{3})(?=\s|$)")
_NAMED_REQUEST_TIME: Final = re.compile(r"\b(?:rt|request_time)=\"?(\d{1,7}\.\d{3})\b")
# Squid writes milliseconds after the time of the end (logformat, "squid").
_SQUID: Final = re.compile(r"\s*\d{9,10}\.\d{3}\s+(\d{1,12})\s+\S+\s+[A-Z_]{1,60}/\d{3} ")

_JSON_BLANKS: Final = " \t\n\r,\x1e"  # also between values, of which each is a line
_CLF_LENGTH: Final = len("[10/Oct/2026:13:55:36 +0000]")

Skip = Callable[[int, str], None]


class Form(ABC):
    """A form of log files.

    Attributes:
        column: name of the column with the time; empty for text.
        duration: name of the column with the duration, which is subtracted; empty if there is none.
    """

    column = ""
    duration = ""

    @abstractmethod
    def rows(self, lines: Iterable[Line], skip: Skip) -> Iterator[Row]:
        """Yield the requests.

        Args:
            lines: the lines that are not empty.
            skip: called with number and reason of each line that cannot be read.
        """

    def times(self, lines: Iterable[Line], skip: Skip) -> Iterator[int]:
        """Yield the times of the requests in nanoseconds. See `rows`."""
        return (time for _, time, _, _ in self.rows(lines, skip))


def recognize(lines: Sequence[Line], choice: Choice) -> Form:
    """Return the form of a log.

    Args:
        lines: the first lines that are not empty, `HEAD` of them or more.
        choice: the columns or keys to read. In a log of text the duration ``"last"`` is the last field.

    Raises:
        InvalidArrivals: no column has a time, or several have.
    """
    sample = lines[:SAMPLE]
    if 2 * sum(line.lstrip().startswith("{") for _, line in sample) >= len(sample):
        return _Json(sample, choice)
    if any(line.startswith("#Fields:") for _, line in sample):
        return _Extended(lines, choice)
    behind = [_behind(line) for _, line in sample]
    if 2 * sum(isinstance(read_json(text), dict) for text in behind if text) > len(sample):
        with suppress(InvalidArrivals):
            return _Json([(0, text) for text in behind], choice, behind=True)
    if 2 * sum(bool(syslog_month(line)) and not _has_time(line) for _, line in sample) > len(sample):
        return _Syslog()
    if 2 * sum(bool(clock_of(line)) and not _has_time(line) for _, line in sample) > len(sample):
        return _Clock()
    columns = _columns_below(sample, choice)
    if columns is not None:
        return columns
    if choice.column is not None:
        raise InvalidArrivals(
            f"this is an access log, which has no columns; leave column={choice.column!r} out"
        )
    return _Text(sample, choice)


class _Text(Form):
    def __init__(self, sample: Sequence[Line], choice: Choice) -> None:
        self.unit, duration = choice.unit or "s", choice.duration
        self.find = _last_field if duration == "last" else _request_time
        nginx = [line for _, line in sample if NGINX.search(line)]
        if (
            duration is None
            and nginx
            and 10 * sum(bool(_request_time(line)) for line in nginx) >= 9 * len(nginx)
        ):
            duration = "request_time"
        elif duration is None and all(_SQUID.match(line) for _, line in sample):
            duration, self.unit, self.find = "elapsed", choice.unit or "ms", _squid_elapsed
        self.duration = duration or ""

    def rows(self, lines: Iterable[Line], skip: Skip) -> Iterator[Row]:
        for at, line in lines:
            begin = line.find("[")
            time = nginx_ns(line[begin : begin + _CLF_LENGTH])
            if time is None:
                try:
                    time = find_ns(line)
                except NotATime as error:
                    skip(at, str(error))
                    continue
            yield at, time, duration_ns(self.find(line), self.unit) if self.duration else 0, line


class _Syslog(Form):
    """Lines of which the times have no year: the years are some in which the dates exist, in order."""

    def rows(self, lines: Iterable[Line], skip: Skip) -> Iterator[Row]:
        months = [(at, line, syslog_month(line)) for at, line in lines]
        last = next((month for _, _, month in months if month), 1)
        leap = any("Feb 29" in line[:12] for _, line, month in months if month == 2)
        year = (2004 if last < 3 else 2003) if leap else 2001
        for at, line, month in months:
            turn = (last - month > 6) - (month - last > 6) if month else 0  # a late line may be of December
            try:
                yield at, syslog_ns(line, year + turn), 0, line
            except NotATime as error:
                skip(at, str(error))
            if turn >= 0 and month:
                year, last = year + turn, month


class _Clock(Form):
    """Lines with the time of day only: days follow each other, and the first begins at 0."""

    def rows(self, lines: Iterable[Line], skip: Skip) -> Iterator[Row]:
        return _in_days(self._clocks(lines, skip))

    def _clocks(self, lines: Iterable[Line], skip: Skip) -> Iterator[Row]:
        for at, line in lines:
            if match := clock_of(line):
                yield at, clock_ns(match[1]), 0, line
            else:
                skip(at, "there is no time")


class _Json(Form):
    def __init__(self, sample: Sequence[Line], choice: Choice, *, behind: bool = False) -> None:
        self.behind = behind
        records = [record for _, line in sample if isinstance(record := read_json(line), dict)]
        columns = choose(records, choice, what="key")
        names = [name for record in records[:1] for name, _ in flat(record)]
        if columns is None or not any(lookup(record, columns.time) is not None for record in records):
            raise _no_time(sample, "key", names, choice.column, records)
        self.columns, self.column, self.duration = columns, columns.time, columns.duration

    def rows(self, lines: Iterable[Line], skip: Skip) -> Iterator[Row]:
        return _rows(self.columns, self._records(lines, skip), skip)

    def _records(self, lines: Iterable[Line], skip: Skip) -> Iterator[tuple[int, Record]]:
        for at, line in lines:
            record = read_json(_behind(line) if self.behind else line)
            if isinstance(record, dict):
                yield at, record
            else:
                skip(at, "this is not JSON" if record is None else "this is no JSON object")


class _Extended(Form):
    """W3C extended log, also of CloudFront: directives name the columns, which may change."""

    def __init__(self, lines: Sequence[Line], choice: Choice) -> None:
        records = [record for _, record in self._records(lines[:HEAD], _ignore)]
        columns = choose(records, choice, what="column")
        if columns is None:
            raise _no_time(lines, "column", [name for record in records[:1] for name in record])
        self.columns, self.column, self.duration = columns, columns.time, columns.duration

    def rows(self, lines: Iterable[Line], skip: Skip) -> Iterator[Row]:
        return _rows(self.columns, self._records(lines, skip), skip)

    def _records(self, lines: Iterable[Line], skip: Skip) -> Iterator[tuple[int, Record]]:
        names: list[str] = []
        for at, line in lines:
            if line.startswith("#"):
                names = line.split()[1:] if line.startswith("#Fields:") else names
                continue
            values = line.split("\t") if "\t" in line else line.split()
            if len(values) < len(names):
                skip(at, f"the line ends before column {names[len(values)]!r}")
            else:
                yield at, dict(zip(names, values, strict=False))


class _Delimited(Form):
    """Columns; their names are in the first line, and again where files with other columns were joined."""

    def __init__(
        self,
        header: Sequence[str],
        delimiter: str,
        columns: Columns,
        *,
        named: bool = True,
        comma: re.Pattern[str] | None = None,
    ) -> None:
        self.header, self.delimiter, self.columns = header, delimiter, columns
        self.column, self.duration = columns.time, columns.duration
        self.named, self.comma = named, comma
        self.before, self.comments = 0, False

    def rows(self, lines: Iterable[Line], skip: Skip) -> Iterator[Row]:
        return _rows(self.columns, self._records(lines, skip), skip)

    def _records(self, lines: Iterable[Line], skip: Skip) -> Iterator[tuple[int, Record]]:
        header, last = self.header, self._last(self.header)
        title = self.columns.time if self.named else None
        lines = islice(lines, self.before + self.named, None)
        if self.comments:
            lines = (line for line in lines if not _is_comment(line[1]))
        for at, values in cells(_with_points(lines, self.comma), self.delimiter, skip):
            if title in values and not self._has_time(header, values):
                header, last = unique(values), self._last(values)
            elif len(values) <= last:
                skip(at, f"the line ends before column {header[last]!r}")
            else:
                yield at, dict(zip(header, values, strict=False))

    def _has_time(self, header: Sequence[str], values: Sequence[str]) -> bool:
        return any(_rows(self.columns, [(0, dict(zip(header, values, strict=False)))], _ignore))

    def _last(self, header: Sequence[str]) -> int:
        return max(header.index(name) for name in (self.columns.time, self.columns.clock) if name in header)


def unique(titles: Sequence[str]) -> list[str]:
    """Return the names of columns, with a number behind a name that is there already."""
    counts, names = Counter[str](), list[str]()
    for title in titles:
        counts[title] += 1
        names.append(f"{title} ({counts[title]})" if counts[title] > 1 else title)
    return names


def _with_points(lines: Iterable[Line], comma: re.Pattern[str] | None) -> Iterable[Line]:
    """Return the lines with points for the decimal commas of a pattern."""
    return lines if comma is None else ((at, comma.sub(r"\1.\2", line)) for at, line in lines)


def _columns_below(sample: Sequence[Line], choice: Choice) -> _Delimited | None:
    """Return the form if a line names columns: the first, or one below comments, a title or ``sep=;``.

    Raises:
        InvalidArrivals: the first line names columns, of which none has times.
    """
    begin = next((number for number, (_, line) in enumerate(sample) if not _is_comment(line)), 0)
    if begin and any(map(_is_date, re.split(f"[{_DELIMITERS}]", sample[begin][1][:_MAX_NAMES]))):
        begin -= 1  # the names are a comment
    fault, columns = None, None
    for before in dict.fromkeys((begin, _below_title(sample, begin))):
        try:
            columns = None if _has_time(sample[before][1]) else _columns(sample[before:], choice)
        except InvalidArrivals as error:
            fault = fault or error
        if columns is not None:
            columns.before, columns.comments = before, any(_is_comment(line) for _, line in sample)
            return columns
    if fault:
        raise fault
    return None


def _is_comment(line: str) -> bool:
    """Return True for a comment, the delimiter of Excel, or a rule in the table of a database's shell."""
    return line.startswith(("#", "sep=")) or not line.strip("-+|=: ")


def _below_title(sample: Sequence[Line], begin: int) -> int:
    """Return the index of the first line that has as many delimiters as most of the lines below."""
    for number, (_, line) in enumerate(sample[begin : begin + _MAX_BEFORE], begin):
        delimiter = max(_DELIMITERS, key=line.count)
        count = line.count(delimiter)
        rows = [row for _, row in sample[number + 1 :] if not _is_comment(row)]
        if count and 2 * sum(row.count(delimiter) == count for row in rows) > len(rows):
            return number
    return begin


def cells(lines: Iterable[Line], delimiter: str, skip: Skip) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a file with columns, each with the number of its last line.

    A quote that does not end within some lines costs its line only.
    """
    following = iter(lines)
    ahead = deque[Line]()
    while line := ahead.popleft() if ahead else next(following, None):
        at, text = line
        if '"' not in text or delimiter == "\t":
            values = text.split(delimiter)
            yield at, [value.strip() for value in values] if " " in text else values
            continue
        last, count = at, 0
        while text.count('"') % 2 and count < _MAX_QUOTED_LINES:
            if count == len(ahead):
                ahead.extend(islice(following, 1))
            if count == len(ahead):
                break
            last, more = ahead[count]
            text, count = f"{text}\n{more}", count + 1
        try:
            if text.count('"') % 2:
                raise csv.Error("a quote does not end")
            (row,) = csv.reader([text], delimiter=delimiter, skipinitialspace=True)
        except (csv.Error, ValueError) as error:
            skip(at, f"this is no CSV ({error})")
            continue
        for _ in range(count):
            ahead.popleft()
        yield last, [value.strip() for value in row]


def _columns(sample: Sequence[Line], choice: Choice) -> _Delimited | None:
    """Return the form if the first line names columns of which one has times.

    Raises:
        InvalidArrivals: it names columns, of which none has times.
    """
    header = sample[0][1]
    delimiter = max(_DELIMITERS, key=header.count)
    comma = _DECIMAL_COMMA if delimiter == ";" else None
    if delimiter == "," and all(
        line.count(",") == header.count(",") + 1 and _COMMA_FRACTION.search(line) for _, line in sample[1:]
    ):
        comma = _COMMA_FRACTION
    rows = list(cells(_with_points(sample, comma), delimiter, _ignore))
    titles = unique(rows[0][1]) if rows else []
    if not titles or not all(map(str.isprintable, titles)):
        return None
    records = [dict(zip(titles, row, strict=False)) for _, row in rows[1:]]
    if choice.column is None or choice.column in titles:
        columns = choose(records, choice, what="column")
        if columns is not None and _is_date(columns.time):
            titles = [str(number) for number in range(1, len(titles) + 1)]
            columns = choose([dict(zip(titles, row, strict=False)) for _, row in rows], choice, what="column")
            return _Delimited(titles, delimiter, columns, named=False) if columns else None
        if columns is not None:
            return _Delimited(titles, delimiter, columns, comma=comma)
        if not records and any(title.lower() in TIME_NAMES for title in titles):
            return _Delimited(titles, delimiter, Columns(titles[0]))
    if any(_has_time(line) for _, line in sample) or (len(titles) == 1 and choice.column is None):
        return None  # text, of which the first line is dirty
    raise _no_time(sample, "column", titles, choice.column, records)


def _is_date(title: str) -> bool:
    """Return True if a name of a column is a date itself: the file has no header."""
    with suppress(NotATime):
        return time_ns(title) >= CALENDAR_NS
    return False


def _no_time(
    lines: Sequence[Line],
    what: str,
    names: Sequence[str],
    column: str | None = None,
    records: Sequence[Record] = (),
) -> InvalidArrivals:
    at, line = lines[0]
    missing = f"no {what} {column!r}" if column else f"no {what} with a time"
    listed = ", ".join(names)[:200] or repr(line[:80])
    reason, named = "", next((name for name in names if name.lower() in TIME_NAMES), "")
    for value in (lookup(record, named) for record in records[:1] if named and not column):
        try:
            time_ns(value if isinstance(value, str) else 0)
        except NotATime as error:
            reason = f" ({error})"
    return InvalidArrivals(f"line {at}: there is {missing} among {listed}{reason}; name it: column='...'")


def _ignore(_at: int, _reason: str) -> None:
    """Ignore a line that cannot be read."""


def _in_days(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield rows with times of day as times from the first midnight on."""
    day, last = 0, 0
    for at, clock, span, record in rows:
        turn = (last - clock > HALF_DAY_NS) - (clock - last > HALF_DAY_NS and day > 0)  # or a late line
        yield at, (day + turn) * 2 * HALF_DAY_NS + clock, span, record
        if turn >= 0:
            day, last = day + turn, clock


def _rows(columns: Columns, records: Iterable[tuple[int, Record]], skip: Skip) -> Iterator[Row]:
    rows = _read_rows(columns, records, skip)
    return _in_days(rows) if columns.daily else rows


def _read_rows(columns: Columns, records: Iterable[tuple[int, Record]], skip: Skip) -> Iterator[Row]:
    for at, record in records:
        try:
            time = columns.time_ns(record)
        except NotATime as error:
            skip(at, str(error))
        else:
            yield at, time, columns.duration_ns(record) if columns.duration else 0, record


def read_json(line: str) -> Any:
    """Return a value of JSON, decimals as text; None if it is none. Escapes of nginx are read, too."""
    line = line.strip(_JSON_BLANKS)
    for text in (line, _HEX_ESCAPE.sub(r"\1\\u00\2", line) if "\\x" in line else ""):
        try:
            value, end = _DECODER.raw_decode(text) if text else (None, 0)
        except (ValueError, RecursionError):
            continue
        if end == len(text):
            return value
    return None


def _has_time(line: str) -> bool:
    try:
        find_ns(line)
    except NotATime:
        return False
    return True


def _behind(line: str) -> str:
    """Return the JSON at the end of a line, behind what syslog, a container or a log writes before it."""
    begin = line.find("{") if line.rstrip().endswith("}") else -1
    return line[begin:] if begin >= 0 else ""


def _squid_elapsed(line: str) -> str:
    match = _SQUID.match(line)
    return match[1] if match else ""


def _request_time(line: str) -> str:
    match = _REQUEST_TIME.search(line, line.rfind('"') + 1) or _NAMED_REQUEST_TIME.search(line)
    return match[1] if match else ""


def _last_field(line: str) -> str:
    return line.rstrip().rpartition(" ")[2].strip('"').rpartition("=")[2]
