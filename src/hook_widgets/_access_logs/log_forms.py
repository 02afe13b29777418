"""Recognize the form of a log and read its lines: text, JSON, W3C extended, and columns with a header."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from typing import Any, Final

from hook_widgets._access_logs.log_columns import (
    Choice,
    Record,
    choose,
    flat,
    has_status,
    lookup,
    request_id,
    request_test,
)
from hook_widgets._access_logs.log_otel import is_list_of_logs, log_records
from hook_widgets._access_logs.log_own import CLF_TIME, first_own
from hook_widgets._access_logs.log_records import (
    console_json,
    has_records,
    pretty_json,
    records,
    with_status,
)
from hook_widgets._access_logs.log_rows import (
    Form,
    FormWithColumns,
    Row,
    Skip,
    aligned,
    has_time,
    ignore,
    in_days,
    no_time,
)
from hook_widgets._access_logs.log_table import columns_below
from hook_widgets._access_logs.log_text import Line
from hook_widgets._access_logs.log_times import (
    NGINX,
    NotATime,
    clock_ns,
    clock_of,
    duration_ns,
    find_ns,
    nginx_ns,
    syslog_month,
    syslog_ns,
)
from hook_widgets.errors import InvalidArrivals

SAMPLE: Final = 50
"""Lines from which the form is recognized."""

HEAD: Final = 4 * SAMPLE
"""Lines at the beginning that may be needed for it, directives included."""

_DECODER: Final = json.JSONDecoder(parse_float=str)  # `json.loads` with an option builds one for each line
_HEX_ESCAPE: Final = re.compile(r"(?<!\\)((?:\\\\)*+)\\x([0-9A-Fa-f]{2})")
# nginx writes $request_time with three digits, and the time at the end of the request.
_REQUEST_TIME: Final = re.compile(r"(?:^|\s)(?:rt=|request_time=)?(\d{1,7}\.\d{3})(?=\s|$)")
# The common logger of Rack has four, behind status and bytes, and the time of the end, too.
_RACK_TIME: Final = re.compile(r" [1-5]\d\d (?:\d{1,18}|-) (\d{1,7}\.\d{4})\s*$")
_NAMED_REQUEST_TIME: Final = re.compile(r"\b(?:rt|request_time)=\"?(\d{1,7}\.\d{3})\b")
# The name of the duration, what is in each line, how to find it in milliseconds, and the time is that of the
# end: Tower, Squid ("squid" of logformat), the router of Heroku (Dev Center, "HTTP Routing"), ASP.NET,
# Serilog, Gin, and lograge.
_ELAPSED: Final = (
    (
        "latency",
        "",
        re.compile(r"\btower_http::trace::on_response: finished .{0,40}\blatency=(\d{1,9}) ms\b"),
    ),
    ("elapsed", "", re.compile(r"\s*\d{9,10}\.\d{3}\s+(\d{1,12})\s+\S+\s+[A-Z_]{1,60}/\d{3} ")),
    ("service", "", re.compile(r"\bconnect=\d{1,9}ms service=(\d{1,9})ms\b")),
    ("elapsed", "Request finished HTTP/", re.compile(r" (\d{1,9}\.\d{1,4})ms$")),
    ("elapsed", " responded ", re.compile(r" in (\d{1,9}\.\d{1,4}) ms$")),
    ("latency", "[GIN] ", re.compile(r" \| {1,20}(\d{1,9}(?:\.\d{1,9})?(?:[nµm]?s)) \|")),
    ("duration", " controller=", re.compile(r" status=\d{3} duration=(\d{1,9}\.\d{1,2})(?=\s|$)")),
)
# Of several lines about a request, the one that counts it, and what finds the status in the last if it is
# another: of the router of Heroku (also as a log drain receives it), Rails, Phoenix, Sanic, Tower, ASP.NET
# (its diagnostics and HTTP logging), Serilog, the server of PHP, Docker's registry, the execution log of
# Amazon API Gateway, Spring, and AWS Lambda.
_OF_A_REQUEST: Final = {
    re.compile(mark): re.compile(end) if end else None
    for mark, end in (
        (r"\bheroku(?:\[router\]:| router -) ", ""),
        (r"\bStarted [A-Z]{3,7} \"", r"\bCompleted ([1-5]\d\d) "),
        (r"\[info\] {1,2}[A-Z]{3,7} /", r"\[info\] {1,2}Sent ([1-5]\d\d) in "),
        (r"\(sanic\.access\)\[", ""),
        (r"\btower_http::trace::on_response: finished ", ""),
        (r"\bRequest finished (?:HTTP/|in )", ""),
        (r"(?<=[A-Z]\] )HTTP [A-Z]{3,7} /", ""),
        (r"\] \S{3,45}:\d{1,5} \[\d{3}\]: [A-Z]{3,7} /", ""),
        (r"(?:\S{1,60} {1,9}\| )?time=\"[^\"]{1,40}\" level=[a-z]{1,8} msg=\"response completed", ""),
        (r"HttpLogging\S{0,40}\[\d{1,2}\]\s{1,20}(?:Request and )?Response:\n", ""),
        (r"(?<=\) )HTTP Method: [A-Z]{3,7}, ", r"(?<=\) )Method completed with status: ([1-5]\d\d)$"),
        (r"\bSTART RequestId: [0-9a-f-]{36} Version: ", ""),
        (
            r"\[[a-z]{4,9}\] \S{20,40} \S{1,99}@\S{1,99} <[\d.]{5,30}> [0-9a-f]{10} \S+ \S+ \S+ [A-Z]{3,7} /",
            "",
        ),
        (r"\bDispatcherServlet {1,40}: [A-Z]{3,7} \"", r"\bDispatcherServlet {1,40}: Completed ([1-5]\d\d) "),
    )
}
# Beside requests, a line with a level and without a request is a message of a server.
_REQUEST: Final = re.compile(r'"[A-Z]{3,7} [^"]{1,2000} HTTP/\d')
_LEVEL: Final = re.compile(
    r"[\[|\s](?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)(?=[\]|:\s])|"
    r"\[(?:debug|info|notice|warn|error|crit|alert|emerg)\]|"
    r"(?<=\d\]) \S{1,100}/\S{1,100}: [A-Z]"  # HAProxy, of a connection without a request
)
_NGINX_ERROR: Final = re.compile(
    r"(?<!\S)\d{4}/\d{2}/\d{2} \d{2}:\d{2}:\d{2} \[[a-z]{3,6}\] \d{1,9}#\d{1,9}: "
)
_FIELDS: Final = ("#Fields:", "#fields\t")  # W3C and Zeek
_DIRECTIVES: Final = ("#Software:", "#Version:", "#Date:", "#Start-Date:", "#End-Date:", "#Remark:")

_JSON_BLANKS: Final = " \t\n\r,\x1e"  # also between values, of which each is a line
_LABELLED: Final = re.compile(r"[A-Za-z][\w.-]{0,60}+:[^\t]*+(?:\t[A-Za-z][\w.-]{0,60}+:[^\t]*+)++\s*+")
_CLF_LENGTH: Final = len("[10/Oct/2026:13:55:36 +0000]")


def recognize(lines: Sequence[Line], choice: Choice) -> Form:
    """Return the form of a log.

    Args:
        lines: the first lines that are not empty, `HEAD` of them or more.
        choice: the columns or keys to read. In a log of text the duration ``"last"`` is the last field.

    Raises:
        InvalidArrivals: no column has a time, or several have.
    """
    sample = lines[:SAMPLE]
    if has_records(sample):
        with suppress(InvalidArrivals):
            return _Records(lines, choice)
    if 2 * sum(line.lstrip().startswith("{") for _, line in sample) >= len(sample):
        return _Json(sample, choice)
    if any(line.startswith(_FIELDS) for _, line in sample):
        return _Extended(lines, choice)
    for extract in (pretty_json, console_json):
        whole = [(at, text) for at, line in sample if (text := extract(line))]
        if 2 * len(whole) > len(sample):
            return _Json(whole, choice, extract=extract)
    behind = [_behind(line) for _, line in sample]
    if 2 * sum(isinstance(read_json(text), dict) for text in behind if text) > len(sample):
        with suppress(InvalidArrivals):
            return _Json([(0, text) for text in behind], choice, extract=_behind)
    if 2 * sum(bool(syslog_month(line)) and not has_time(line) for _, line in sample) > len(sample):
        return _Syslog(sample)
    if 2 * sum(bool(clock_of(line)) and not has_time(line) for _, line in sample) > len(sample):
        return _Clock(sample)
    if 2 * sum(_LABELLED.fullmatch(line) is not None for _, line in sample) > len(sample):
        with suppress(InvalidArrivals):
            return _Labelled(sample, choice)
    columns = columns_below(sample, choice)
    if columns is not None:
        return columns
    if choice.column is not None:
        raise InvalidArrivals(
            f"this is an access log, which has no columns; leave column={choice.column!r} out"
        )
    return _Text(sample, choice)


class _Records(Form):
    """Records of which each has several lines, all but the first indented."""

    def __init__(self, lines: Sequence[Line], choice: Choice) -> None:
        sample = list(records(lines[:HEAD], lambda _count: None))[:SAMPLE]
        self.form = recognize(sample, choice)
        if isinstance(self.form, _OfText) and self.form.counted is None:
            raise InvalidArrivals("no request is in several lines")
        self.read_as(self.form.column, self.form.duration, minutes=self.form.minutes)

    def rows(self, lines: Iterable[Line], skip: Skip) -> Iterator[Row]:
        self.below = 0
        for row in self.form.rows(records(lines, self._pass_over), skip):
            self.others = self.below + self.form.others
            yield row
        self.others = self.below + self.form.others

    def _pass_over(self, count: int) -> None:
        self.below += count


class _OfText(Form):
    """Lines of text, without messages; of several lines about a request one counts."""

    def __init__(self, sample: Sequence[Line]) -> None:
        common, errors = (
            sum(form.search(line) is not None for _, line in sample) for form in (NGINX, _NGINX_ERROR)
        )
        marked = {mark: sum(_marked(mark, line) is not None for _, line in sample) for mark in _OF_A_REQUEST}
        self.counted = next((mark for mark, count in marked.items() if 2 * count > common), None)
        self.access = any(_REQUEST.search(line) for _, line in sample)
        self.common = 0 < common >= errors  # the access log of nginx, maybe with its error log
        rest = [line for _, line in sample if not NGINX.search(line) and not _LEVEL.search(line)]
        # A line in another form is the end of a message, such as the error below a traceback of Python.
        self.only_common = common > sum(map(has_time, rest)) and not any(map(_REQUEST.search, rest))

    def requests(self, lines: Iterable[Line]) -> Iterable[Line]:
        """Return the lines of which each counts a request."""
        self.others = 0
        if self.counted is None:
            return lines
        if (ends := _OF_A_REQUEST[self.counted]) is not None:
            return with_status(lines, partial(_marked, self.counted), ends, self.pass_over)
        return self._counted(lines, partial(_marked, self.counted))

    def without_messages(self, lines: Iterable[Line]) -> Iterable[Line]:
        """Return the lines of which each counts a request, without messages of a server."""
        requests = self.requests(lines)
        return self._counted(requests, self.is_request) if self.access and self.counted is None else requests

    def is_request(self, line: str) -> bool:
        """Return False for a message of a server; of nginx's two logs, the access log has the requests."""
        if self.common and _NGINX_ERROR.match(line):
            return False
        return " HTTP/" in line or not _LEVEL.search(line)

    def pass_over(self, count: int) -> None:
        """Count messages, and lines about a request that another line counts."""
        self.others += count

    def _counted(self, lines: Iterable[Line], counts: Callable[[str], object]) -> Iterator[Line]:
        for at, line in lines:
            if counts(line):
                yield at, line
            else:
                self.others += 1


def _marked(mark: re.Pattern[str], line: str) -> re.Match[str] | None:
    """Return a match of a mark where no client writes: not in quotes, nor in a common log."""
    end = line.find('"') + 1 or len(line)
    match = mark.match(line) or mark.search(line, 0, end)
    return match if match is not None and first_own(CLF_TIME, line) is None else None


class _Text(_OfText):
    def __init__(self, sample: Sequence[Line], choice: Choice) -> None:
        super().__init__(sample)
        self.unit, self.duration = choice.unit or "s", choice.duration or ""
        self.find = _last_field if choice.duration == "last" else _request_time
        texts = [line for _, line in self.requests(sample)]
        nginx = list(filter(NGINX.search, texts))
        # Where the time is before all that is in quotes, no client writes a time before it.
        self.time_first = all(
            (time := NGINX.search(line)) and '"' not in line[: time.start()] for line in texts
        )
        if choice.duration is not None:
            return
        if nginx and 10 * sum(map(bool, map(_request_time, nginx))) >= 9 * len(nginx):
            self.duration = "request_time"
        texts = list(filter(has_time, texts))
        for name, literal, pattern in _ELAPSED:
            if texts and all(literal in text and pattern.search(text) for text in texts):
                self.duration, self.unit, self.find = name, choice.unit or "ms", partial(_group, pattern)

    def rows(self, lines: Iterable[Line], skip: Skip) -> Iterator[Row]:
        messages, timed, first = self.access and self.counted is None, bool(self.duration), self.time_first
        for at, line in self.requests(lines):
            begin = line.find("[") if first else line.find("[", 0, line.find('"'))
            time = nginx_ns(line[begin : begin + _CLF_LENGTH])
            if time is None:  # no line of nginx or Apache, of which most logs are
                if line.startswith(_DIRECTIVES) or (messages and not self.is_request(line)):
                    self.others += 1
                    continue
                try:
                    time = find_ns(line)
                except NotATime as error:
                    skip(at, str(error))
                    continue
                if messages and self.only_common and " HTTP/" not in line:
                    self.others += 1
                    continue
            yield at, time, duration_ns(self.find(line), self.unit) if timed else 0, line


class _Syslog(_OfText):
    """Lines of which the times have no year: the years are some in which the dates exist, in order."""

    def rows(self, lines: Iterable[Line], skip: Skip) -> Iterator[Row]:
        months = [(at, line, syslog_month(line)) for at, line in self.without_messages(lines)]
        last = next((month for _, _, month in months if month), 1)
        leap = any("Feb 29" in line[:12] or line[1:5] == "0229" for _, line, month in months if month == 2)
        year = (2004 if last < 3 else 2003) if leap else 2001
        for at, line, month in months:
            turn = (last - month > 6) - (month - last > 6) if month else 0  # a late line may be of December
            try:
                yield at, syslog_ns(line, year + turn), 0, line
            except NotATime as error:
                skip(at, str(error))
            if turn >= 0 and month:
                year, last = year + turn, month


class _Clock(_OfText):
    """Lines with the time of day only: days follow each other, and the first begins at 0."""

    def rows(self, lines: Iterable[Line], skip: Skip) -> Iterator[Row]:
        return in_days(self._clocks(lines, skip))

    def _clocks(self, lines: Iterable[Line], skip: Skip) -> Iterator[Row]:
        for at, line in self.without_messages(lines):
            if match := clock_of(line):
                yield at, clock_ns(match[1]), 0, line
            else:
                skip(at, "there is no time")


class _Json(FormWithColumns):
    def __init__(
        self, sample: Sequence[Line], choice: Choice, *, extract: Callable[[str], str] | None = None
    ) -> None:
        self.extract = extract
        records = [record for _, line in sample if isinstance(record := read_json(line), dict)]
        self.lists = any(map(is_list_of_logs, records))
        if self.lists:
            records = list(islice(chain.from_iterable(map(log_records, records)), HEAD))
        columns = choose(records, choice, what="key")
        self.id, self.ended = request_id(records)
        self.is_request = None if self.id else request_test(records)
        names = [name for record in records[:1] for name, _ in flat(record)]
        if columns is None or not any(lookup(record, columns.time) is not None for record in records):
            if not records:
                raise _not_json(*sample[0])
            raise no_time(sample, "key", names, choice.column, records)
        self.take(columns)

    def records(self, lines: Iterable[Line], skip: Skip) -> Iterator[tuple[int, Record]]:
        records = self._objects(lines, skip)
        return self._requests(records) if self.id else records

    def _objects(self, lines: Iterable[Line], skip: Skip) -> Iterator[tuple[int, Record]]:
        self.others, is_request = 0, self.is_request
        for at, line in lines:
            record = read_json(self.extract(line) if self.extract else line)
            if isinstance(record, dict):
                if self.lists:
                    yield from self._listed(at, record)
                elif is_request is None or is_request(record):
                    yield at, record
                else:
                    self.others += 1
            else:
                skip(at, "this is not JSON" if record is None else "this is no JSON object")

    def _listed(self, at: int, logs: Record) -> Iterator[tuple[int, Record]]:
        for record in log_records(logs):
            if self.is_request is None or self.is_request(record):
                yield at, record
            else:
                self.others += 1

    def _requests(self, records: Iterable[tuple[int, Record]]) -> Iterator[tuple[int, Record]]:
        """Yield a record for each request: the first, or those before the status and with it as one."""
        self.others, counted, begun = 0, set[str](), dict[str, tuple[int, Record]]()
        for at, record in records:
            request = str(lookup(record, self.id) or "")
            if not request or request in counted or request in begun:
                self.others += 1
            if not request or request in counted:
                continue
            first = begun.pop(request, (at, {}))[1]
            whole = (
                {**first, **record} if self.duration else {**record, **first}
            )  # else the time of the begin
            if self.ended and not has_status(record):
                begun[request] = at, whole
            else:
                counted.add(request)
                yield at, whole
        yield from begun.values()


class _Extended(FormWithColumns):
    """W3C extended log, also of CloudFront and Zeek: directives name the columns, which may change."""

    def __init__(self, lines: Sequence[Line], choice: Choice) -> None:
        records = [record for _, record in self.records(lines[:HEAD], ignore)]
        columns = choose(records, choice, what="column")
        if columns is None:
            raise no_time(lines, "column", [name for record in records[:1] for name in record])
        self.take(columns)

    def records(self, lines: Iterable[Line], skip: Skip) -> Iterator[tuple[int, Record]]:
        names: list[str] = []
        commas = False  # Microsoft Exchange
        for at, line in lines:
            if line.startswith("#"):
                if line.startswith(_FIELDS):
                    names = line.split()[1:]
                    commas = len(names) == 1 and "," in names[0]
                    names = names[0].split(",") if commas else names
                continue
            values = line.split("," if commas else "\t") if commas or "\t" in line else line.split()
            if '"' in line:
                values = _unquoted(values, line, len(names), "," if commas else " ")
            if len(values) < len(names):
                skip(at, f"the line ends before column {names[len(values)]!r}")
            else:
                yield at, aligned(names, values)


class _Labelled(FormWithColumns):
    """Labeled tab-separated values (ltsv.org): each value has its name before it."""

    def __init__(self, sample: Sequence[Line], choice: Choice) -> None:
        records = [record for _, record in self.records(sample, ignore)]
        columns = choose(records, choice, what="column")
        if columns is None:
            raise no_time(sample, "column", [name for record in records[:1] for name in record])
        self.take(columns)

    def records(self, lines: Iterable[Line], skip: Skip) -> Iterator[tuple[int, Record]]:
        for at, line in lines:
            cells = [cell.partition(":") for cell in line.rstrip().split("\t")]
            if all(colon for _, colon, _ in cells):
                yield at, {name: value for name, _, value in reversed(cells)}  # the first of a name
            else:
                skip(at, "a value has no label")


def _unquoted(values: list[str], line: str, count: int, delimiter: str) -> list[str]:
    """Return the values of a line without their quotes, in which there may be delimiters."""
    if len(values) != count:
        with suppress(csv.Error):
            (row,) = csv.reader([line.strip()], delimiter=delimiter, skipinitialspace=True)
            values = row if len(row) == count else values
    return [value.strip('"') for value in values]


def read_json(line: str) -> Any:
    """Return a value of JSON, decimals as text; None if it is none. Escapes of nginx are read, too."""
    text = line.strip(_JSON_BLANKS)
    try:
        value, end = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        escaped = _HEX_ESCAPE.sub(r"\1\\u00\2", text) if "\\x" in text else text
        return read_json(escaped) if escaped != text else None
    return value if end == len(text) else None


def _not_json(at: int, line: str) -> InvalidArrivals:
    """Return the error of a line that begins as JSON."""
    try:
        json.loads(line)
    except json.JSONDecodeError as error:
        return InvalidArrivals(f"line {at} is not JSON: {error.msg} at column {error.colno}; give it whole")
    except (RecursionError, ValueError):
        pass
    return InvalidArrivals(f"line {at} is no JSON that can be read; give JSON lines, or one JSON array")


def _behind(line: str) -> str:
    """Return the JSON at the end of a line, behind what syslog, a container or a log writes before it."""
    begin = line.find("{") if line.rstrip().endswith("}") else -1
    return line[begin:] if begin >= 0 else ""


def _group(pattern: re.Pattern[str], line: str) -> str:
    match = first_own(pattern, line)
    return match[1] if match else ""


def _request_time(line: str) -> str:
    quote = line.rfind('"') + 1
    match = _REQUEST_TIME.search(line, quote) or _RACK_TIME.search(line, quote)
    match = match or first_own(_NAMED_REQUEST_TIME, line)
    return match[1] if match else ""


def _last_field(line: str) -> str:
    return line.rstrip().rpartition(" ")[2].strip('"').rpartition("=")[2]
