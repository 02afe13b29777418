"""Read columns with a delimiter, below a header or without one, and columns with blanks between them."""

from __future__ import annotations

import csv
import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Final, TypeAlias

from hook_widgets._access_logs.log_columns import TIME_NAMES, Choice, Columns, Record, choose
from hook_widgets._access_logs.log_rows import (
    FormWithColumns,
    Skip,
    aligned,
    has_time,
    ignore,
    no_time,
    rows_of,
)
from hook_widgets._access_logs.log_text import Line
from hook_widgets._access_logs.log_times import CALENDAR_NS, NotATime, is_date, time_ns
from hook_widgets.errors import InvalidArrivals

_DELIMITERS: Final = "\t;,|"
_MAX_QUOTED_LINES: Final = 20  # of one row of CSV
_MAX_BEFORE: Final = 10
_MAX_NAMES: Final = 2_000  # characters
_COMMA_FRACTION: Final = re.compile(r"(:\d{2}:\d{2}),(\d{3,9})(?=,|$)", re.ASCII)
_DECIMAL_COMMA: Final = re.compile(r"(?:(?<=;)|^)(\d{1,18}),(\d{1,18})(?=;|$)", re.ASCII)
_GAP: Final = re.compile(r" {2,}")
_NAME: Final = re.compile(r"[A-Za-z_@][\w.@()-]{0,60}")

# Of files without a header, with their delimiter: bunny.net ("Logging API v1"), Artifactory ("Artifactory Log
# Files"), CloudFront without its directives and its real-time logs ("Standard logging", "Real-time logs"),
# Vegeta ("encode"), and IIS ("Microsoft IIS Log File Format").
_NAMES_OF: Final = (
    (
        re.compile(r"(?:[A-Z]{3,12}|-)\|\d{3}\|\d{13}\|\d{1,18}\|\d{1,18}\|"),
        "|",
        """cache status timestamp bytes zone remote_ip referer url location user_agent request_id country""",
    ),
    (
        re.compile(r"[\dT:.Z+-]{20,35}\|[0-9a-f]{8,64}\|[\d.a-f:]{2,45}\|[^|]{1,200}\|[A-Z]{3,8}\|/"),
        "|",
        """timestamp trace_id remote_address username method request_url status request_length
        response_length elapsed_time user_agent""",
    ),
    (
        re.compile(
            r"\d{4}-\d\d-\d\d\t\d\d:\d\d:\d\d\t[A-Z]{3}[A-Z\d-]{1,8}\t\d{1,18}\t[\d.A-Fa-f:]{2,45}\t[A-Z]{3,8}\t"
        ),
        "\t",
        """date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer)
        cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol
        cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type
        cs-protocol-version fle-status fle-encrypted-fields c-port time-to-first-byte
        x-edge-detailed-result-type sc-content-type sc-content-len sc-range-start sc-range-end""",
    ),
    (
        re.compile(r"\d{10}\.\d{3}\t[\d.A-Fa-f:]{2,45}\t\d{1,9}\.\d{3}\t\d{3}\t\d{1,18}\t[A-Z]{3,8}\t"),
        "\t",
        """timestamp c-ip time-to-first-byte sc-status sc-bytes cs-method cs-protocol cs-host cs-uri-stem
        cs-bytes x-edge-location x-edge-request-id x-host-header time-taken cs-protocol-version c-ip-version
        cs(User-Agent) cs-referer cs-cookie cs-uri-query x-edge-response-result-type x-forwarded-for
        ssl-protocol ssl-cipher x-edge-result-type fle-encrypted-fields fle-status sc-content-type
        sc-content-len sc-range-start sc-range-end c-port x-edge-detailed-result-type c-country
        cs-accept-encoding cs-accept cache-behavior-path-pattern cs-headers cs-header-names cs-headers-count
        primary-distribution-id primary-distribution-dns-name origin-fbl origin-lbl asn""",
    ),
    (
        re.compile(r"\d{19},\d{1,3},\d{1,19},\d{1,19},\d{1,19},"),
        ",",
        """timestamp code latency bytes_out bytes_in error body attack seq method url headers""",
    ),
    (
        re.compile(r"[\d.A-Fa-f:]{2,45}, [^,]{1,200}, \d{1,2}/\d{1,2}/\d{4}, \d{1,2}:\d\d:\d\d, W3SVC\d"),
        ",",
        """c-ip cs-username date time s-sitename s-computername s-ip time-taken cs-bytes sc-bytes sc-status
        sc-win32-status cs-method cs-uri-stem cs-uri-query""",
    ),
)

Prepare: TypeAlias = Callable[[str], str] | None


class _Delimited(FormWithColumns):
    """Columns; their names are in the first line, and again where files with other columns were joined."""

    def __init__(
        self,
        header: Sequence[str],
        delimiter: str,
        columns: Columns,
        *,
        named: bool = True,
        prepare: Prepare = None,
        quote: str = '"',
    ) -> None:
        self.header, self.delimiter, self.quote = header, delimiter, quote
        self.take(columns)
        self.named, self.prepare = named, prepare
        self.before, self.comments = 0, False

    def records(self, lines: Iterable[Line], skip: Skip) -> Iterator[tuple[int, Record]]:
        header, last = self.header, self._last(self.header)
        title = self.columns.time if self.named else None
        lines = islice(lines, self.before + self.named, None)
        if self.comments:
            lines = (line for line in lines if not _is_comment(line[1]))
        for at, values in cells(_prepared(lines, self.prepare), self.delimiter, skip, self.quote):
            if title in values and not self._reads(header, values):
                header, last = unique(values), self._last(values)
            elif len(values) <= last:
                skip(at, f"the line ends before column {header[last]!r}")
            else:
                yield at, aligned(header, values)

    def _reads(self, header: Sequence[str], values: Sequence[str]) -> bool:
        return any(rows_of(self.columns, [(0, dict(zip(header, values, strict=False)))], ignore))

    def _last(self, header: Sequence[str]) -> int:
        return max(header.index(name) for name in (self.columns.time, self.columns.clock) if name in header)


def unique(titles: Sequence[str]) -> list[str]:
    """Return the names of columns, with a number behind a name that is there already."""
    counts, names = Counter[str](), list[str]()
    for title in titles:
        counts[title] += 1
        names.append(f"{title} ({counts[title]})" if counts[title] > 1 else title)
    return names


def _prepared(lines: Iterable[Line], prepare: Prepare) -> Iterable[Line]:
    """Return the lines as columns with a delimiter and decimal points."""
    return lines if prepare is None else ((at, prepare(line)) for at, line in lines)


def columns_below(sample: Sequence[Line], choice: Choice) -> FormWithColumns | None:
    """Return the form if a line names columns: the first, or one below comments, a title or ``sep=;``.

    Raises:
        InvalidArrivals: the first line names columns, of which none has times.
    """
    for form, delimiter, names in _NAMES_OF:
        lines = [line for line in sample if form.match(line[1])]
        if 2 * len(lines) <= len(sample):
            continue
        titles = names.split()
        records = [aligned(titles, row) for _, row in cells(lines, delimiter, ignore)]
        if known := choose(records, choice, what="column"):
            return _Delimited(titles, delimiter, known, named=False)
    begin = next((number for number, (_, line) in enumerate(sample) if not _is_comment(line)), 0)
    if begin and any(map(_is_date, re.split(f"[{_DELIMITERS}]", sample[begin][1][:_MAX_NAMES]))):
        begin -= 1  # the names are a comment
    fault, columns = None, None
    for before in dict.fromkeys((begin, _below_title(sample, begin))):
        try:
            columns = None if has_time(sample[before][1]) else _columns(sample[before:], choice)
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


def cells(
    lines: Iterable[Line], delimiter: str, skip: Skip, quote: str = '"'
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a file with columns, each with the number of its last line.

    A quote that does not end within some lines costs its line only.
    """
    following = iter(lines)
    ahead = deque[Line]()
    while line := ahead.popleft() if ahead else next(following, None):
        at, text = line
        if quote not in text or delimiter == "\t":
            values = text.split(delimiter)
            yield at, [value.strip() for value in values] if " " in text else values
            continue
        last, count = at, 0
        while text.count(quote) % 2 and count < _MAX_QUOTED_LINES:
            if count == len(ahead):
                ahead.extend(islice(following, 1))
            if count == len(ahead):
                break
            last, more = ahead[count]
            text, count = f"{text}\n{more}", count + 1
        try:
            if text.count(quote) % 2:
                raise csv.Error("a quote does not end")
            (row,) = csv.reader([text], delimiter=delimiter, quotechar=quote, skipinitialspace=True)
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
    quote = "'" if header.startswith("'") else '"'
    prepare = _preparation(sample, delimiter)
    rows = list(cells(_prepared(sample, prepare), delimiter, ignore, quote))
    titles = unique(rows[0][1]) if rows else []
    if not titles or not all(map(str.isprintable, titles)):
        return None
    if len(titles) == 1 and 2 * sum(len(row) > 1 for _, row in rows[1:]) > len(rows[1:]):
        return None  # a remark above lines with several columns
    records = [dict(zip(titles, row, strict=False)) for _, row in rows[1:]]
    if choice.column is None or choice.column in titles:
        columns = choose(records, choice, what="column")
        if any(map(_is_date, (columns.time, columns.clock) if columns else titles)):
            titles = [str(number) for number in range(1, len(titles) + 1)]
            columns = choose([dict(zip(titles, row, strict=False)) for _, row in rows], choice, what="column")
            return _Delimited(titles, delimiter, columns, named=False) if columns else None
        if columns is not None:
            return _Delimited(titles, delimiter, columns, prepare=prepare, quote=quote)
        if not records and any(title.lower() in TIME_NAMES for title in titles):
            return _Delimited(titles, delimiter, Columns(titles[0]))
    if any(has_time(line) for _, line in sample) or (len(titles) == 1 and choice.column is None):
        return None  # text, of which the first line is dirty
    raise no_time(sample, "column", titles, choice.column, records)


def _preparation(sample: Sequence[Line], delimiter: str) -> Prepare:
    """Return what makes points of decimal commas, or tabs of the blanks between columns; None for nothing."""
    header, *lines = (line for _, line in sample)
    if delimiter == ";":
        return partial(_DECIMAL_COMMA.sub, r"\1.\2")
    if delimiter == "," and all(
        line.count(",") == header.count(",") + 1 and _COMMA_FRACTION.search(line) for line in lines
    ):
        return partial(_COMMA_FRACTION.sub, r"\1.\2")
    if delimiter in header or not lines:
        return None
    for split in (_GAP.split, str.split):
        names = split(header.strip())
        if (
            len(names) > 1
            and all(map(_NAME.fullmatch, names))
            and any(name.lower() in TIME_NAMES for name in names)
            and all(len(split(line.strip())) == len(names) for line in lines)
        ):
            return partial(_tabbed, split)
    return None


def _tabbed(split: Callable[[str], list[str]], line: str) -> str:
    return "\t".join(split(line.strip()))


def _is_date(title: str) -> bool:
    """Return True if a name of a column is a date itself: the file has no header."""
    with suppress(NotATime):
        return time_ns(title) >= CALENDAR_NS
    return is_date(title)
