"""Base classes of the forms of log files, and the error of a log without times."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from operator import itemgetter
from typing import Any, Final

from hook_widgets._access_logs.log_columns import BY_CLIENTS, TIME_NAMES, Columns, Record, lookup
from hook_widgets._access_logs.log_text import Line
from hook_widgets._access_logs.log_times import HALF_DAY_NS, NotATime, calendar_ns, find_ns, time_ns
from hook_widgets.errors import InvalidArrivals

Row = tuple[int, int, int, Any]
"""Line number, time and duration in nanoseconds, and the record (or the line, in a log of text)."""

Skip = Callable[[int, str], None]

# The column of the metric, and all that tell the results of k6 as CSV and as JSON from other logs
# (grafana.com/docs/k6, "CSV" and "JSON").
_K6: Final = (("metric_name", {"metric_name", "metric_value"}), ("metric", {"metric", "type", "data"}))


class Form(ABC):
    """A form of log files.

    Attributes:
        column: name of the column with the time; empty for text.
        duration: name of the column with the duration, which is subtracted; empty if there is none.
        minutes: True if times end with the minutes.
        others: number of messages, and of lines that another line about the same request counts.
    """

    column: str = ""
    duration: str = ""
    minutes: bool = False
    others: int = 0

    def read_as(self, column: str, duration: str, *, minutes: bool = False) -> None:
        """Set what is read."""
        self.column, self.duration, self.minutes = column, duration, minutes

    @abstractmethod
    def rows(self, lines: Iterable[Line], skip: Skip) -> Iterator[Row]:
        """Yield the requests.

        Args:
            lines: the lines that are not empty.
            skip: called with number and reason of each line that cannot be read.
        """

    def times(self, lines: Iterable[Line], skip: Skip) -> Iterator[int]:
        """Yield the times of the requests in nanoseconds. See `rows`."""
        return map(itemgetter(1), self.rows(lines, skip))


class FormWithColumns(Form):
    """A form whose records have named values.

    Attributes:
        columns: the columns that are read.
    """

    columns: Columns

    def take(self, columns: Columns) -> None:
        """Read the requests in some columns."""
        self.columns = columns
        self.read_as(columns.time, columns.duration, minutes=columns.minutes)

    def rows(self, lines: Iterable[Line], skip: Skip) -> Iterator[Row]:
        """Yield the requests. See `Form.rows`."""
        records = self.records(lines, skip)
        first = list(islice(records, 1))
        metric = next((name for name, of_k6 in _K6 if first and of_k6 <= first[0][1].keys()), "")
        records = chain(first, records)
        return rows_of(self.columns, self._counted(records, metric) if metric else records, skip)

    def _counted(self, records: Iterable[tuple[int, Record]], metric: str) -> Iterator[tuple[int, Record]]:
        """Yield the results of k6 that count a request; the others are about the same requests."""
        for at, record in records:
            if record.get(metric) == "http_reqs" and record.get("type") != "Metric":
                yield at, record
            else:
                self.others += 1

    @abstractmethod
    def records(self, lines: Iterable[Line], skip: Skip) -> Iterator[tuple[int, Record]]:
        """Yield the records with their line numbers. See `rows`."""


def aligned(names: Sequence[str], values: Sequence[str]) -> dict[str, str]:
    """Return the values of a line by their names.

    Of a line with more values than names, only those are sure that are before and behind what a client
    writes, as no other value has a delimiter in it.

    >>> aligned(["time", "uri", "status"], ["13:55:36", "/a", "b", "404"])
    {'time': '13:55:36', 'status': '404'}
    """
    surplus = len(values) - len(names)
    written = [at for at, name in enumerate(names) if BY_CLIENTS.search(name.lower())] if surplus > 0 else []
    if not written or not any(values[len(names) :]):
        return dict(zip(names, values, strict=False))
    behind = zip(names[written[-1] + 1 :], values[written[-1] + 1 + surplus :], strict=False)
    return dict(zip(names[: written[0]], values, strict=False)) | dict(behind)


def in_days(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield rows with times of day as times from the first midnight on."""
    day, last = 0, 0
    for at, clock, span, record in rows:
        turn = (last - clock > HALF_DAY_NS) - (clock - last > HALF_DAY_NS and day > 0)  # or a late line
        yield at, (day + turn) * 2 * HALF_DAY_NS + clock, span, record
        if turn >= 0:
            day, last = day + turn, clock


def rows_of(columns: Columns, records: Iterable[tuple[int, Record]], skip: Skip) -> Iterator[Row]:
    """Yield the rows of records in some columns."""
    rows = _read_rows(columns, records, skip)
    return in_days(rows) if columns.daily else rows


def _read_rows(columns: Columns, records: Iterable[tuple[int, Record]], skip: Skip) -> Iterator[Row]:
    name, is_plain = columns.time, columns.is_plain
    for at, record in records:
        value = record.get(name) if is_plain else None
        try:
            if type(value) is str and value[10:11] == "T":
                time = calendar_ns(value.strip())
            else:
                time = columns.time_ns(record)
        except NotATime as error:
            skip(at, str(error))
        else:
            yield at, time, columns.duration_ns(record) if columns.duration else 0, record


def no_time(
    lines: Sequence[Line],
    what: str,
    names: Sequence[str],
    column: str | None = None,
    records: Sequence[Record] = (),
) -> InvalidArrivals:
    """Return the error of a log without times.

    Args:
        lines: the lines.
        what: what a column is called: ``"column"`` or ``"key"``.
        names: those that there are.
        column: the one that was asked for.
        records: some records, to say why a time cannot be read.
    """
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


def ignore(_at: int, _reason: str) -> None:
    """Ignore a line that cannot be read."""


def has_time(line: str) -> bool:
    """Return True if a time can be found in a line of text."""
    try:
        find_ns(line)
    except NotATime:
        return False
    return True
