"""Read request times from a log: access log (common, combined), CSV with a header, JSON lines."""

from __future__ import annotations

import csv
import gzip
import json
import random
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from fractions import Fraction
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any, Final

from hook_widgets.errors import InvalidArrivals, nearest
from hook_widgets.ratelimit.units import NS_PER_S, nanoseconds, number, shown

TIME_NAMES: Final = ("time", "timestamp", "time_s", "ts", "t", "@timestamp", "datetime", "date")
"""Usual names of the column or key with the time, in order of preference."""

_MONTHS: Final = "JanFebMarAprMayJunJulAugSepOctNovDec"  # the same in every locale
_CLF: Final = re.compile(
    r"\[(?P<day>\d{2})/(?P<month>[A-Z][a-z]{2})/(?P<year>\d{4}):"
    r"(?P<clock>\d{2}:\d{2}:\d{2}) (?P<zone>[+-]\d{4})\]"
)
_CLF_LENGTH: Final = len("[10/Oct/2026:13:55:36 +0000]")
_SECONDS: Final = re.compile(r"\s*[+-]?[\d.]+(?:[eE][+-]?\d+)?\s*")
_CALENDAR_S: Final = 10**8  # seconds since 1970 are a date from here on (March 1973)
_MILLISECONDS_S: Final = 10**11  # and a date in milliseconds from here on
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MAX_BYTES: Final = 2**30  # an index of 32 bits, as in WebAssembly, holds it
_DAY_NS: Final = 86_400 * 10**9

Line = tuple[int, str]
"""Line number, from 1, and text of a line."""


class Origin(StrEnum):
    """Time 0 of a log with calendar times."""

    MIDNIGHT = "midnight"
    FIRST = "first"


def read(
    path: str | PathLike[str], *, column: str | None = None, origin: str = "midnight"
) -> tuple[int, ...]:
    """Return the times of a log in nanoseconds, sorted, relative to the origin.

    Times below 100 million seconds are not treated as dates, and are returned unchanged.

    Raises:
        InvalidArrivals: the file cannot be read, or has no times; the message names the line.
    """
    _check_origin(origin)
    text = _text_of(path)
    lines = [(i, line) for i, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise InvalidArrivals(f"{path} is empty; give a log with at least one request")
    times = sorted(_kind(lines[0][1])(str(path), lines, column))
    if not times:
        raise InvalidArrivals(f"{path} has a header and no request; give a log with at least one")
    first = times[0]
    return tuple(times) if first < _CALENDAR_S * 10**9 else since(origin, times, first)


class Spread(StrEnum):
    """Times within a second of requests that a log has in whole seconds only."""

    EVEN = "even"
    """At equal intervals, the first at its begin."""
    RANDOM = "random"
    """At random, from a seed."""
    NONE = "none"
    """All at its begin: the worst case."""


def _text_of(path: str | PathLike[str]) -> str:
    """Return the text of a log, which may be compressed."""
    try:
        endless = Path(path).is_char_device()  # such as /dev/zero
        if not endless:
            with Path(path).open("rb") as file:
                zipped = file.read(2) == b"\x1f\x8b"
            with gzip.open(path) if zipped else Path(path).open("rb") as log:
                data = log.read(_MAX_BYTES + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise InvalidArrivals(f"{path} is a damaged gzip file; compress the log again") from None
    except OSError as error:
        raise InvalidArrivals(f"{path} cannot be read: {error.strerror}; check the path") from None
    except ValueError:
        raise InvalidArrivals(f"{shown(str(path))} is no path; check it") from None
    if endless:
        raise InvalidArrivals(f"{path} is no file; check the path")
    if len(data) > _MAX_BYTES:
        raise InvalidArrivals(f"{path} has more than {_MAX_BYTES >> 30} GB; give a part of it")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InvalidArrivals(f"{path}, line {line}: this is not UTF-8; save the log as UTF-8") from None


def spread_seconds(times_ns: tuple[int, ...], spread: str, seed: int = 0) -> tuple[tuple[int, ...], bool]:
    """Spread the requests of each second if all times are whole seconds. The order stays.

    Args:
        times_ns: sorted times.
        spread: one of `Spread`.
        seed: seed of random times.

    Returns:
        The times, and whether any was moved.

    Raises:
        InvalidArrivals: there is no such spread.
    """
    if spread not in set(Spread):
        raise InvalidArrivals(
            f"spread is {shown(spread)}; {nearest(str(spread), [known.value for known in Spread])}"
        )
    if spread == Spread.NONE or any(map(NS_PER_S.__rmod__, times_ns)):
        return times_ns, False
    rng, times = random.Random(seed), list[int]()
    for second, count in Counter(times_ns).items():
        if spread == Spread.EVEN:
            times += (second + k * NS_PER_S // count for k in range(count))
        else:
            times += sorted(second + rng.randrange(NS_PER_S) for _ in range(count))
    return tuple(times), tuple(times) != times_ns


def since(origin: str, epochs_ns: Iterable[int], first_ns: int) -> tuple[int, ...]:
    """Return times since 1970 relative to the origin, in nanoseconds.

    Raises:
        InvalidArrivals: there is no such origin.
    """
    _check_origin(origin)
    start = first_ns if origin == Origin.FIRST else first_ns - first_ns % _DAY_NS
    return tuple(t - start for t in epochs_ns)


def epoch_ns(moment: Any, name: str) -> int:
    """Return the nanoseconds since 1970 of a date with a time zone.

    Raises:
        InvalidArrivals: it is no date, or has no time zone.
    """
    if not isinstance(moment, datetime):
        raise InvalidArrivals(f"is {shown(moment)}; give a datetime with a time zone", subject=name)
    if moment.tzinfo is None or moment.utcoffset() is None:
        raise InvalidArrivals(
            f"is {shown(moment)}, without a time zone; give aware dates, such as datetime.now(UTC) or, "
            'in pandas, index.tz_localize("UTC")',
            subject=name,
        )
    # A Timestamp of pandas is a datetime that also counts nanoseconds.
    return (moment - _EPOCH) // timedelta(microseconds=1) * 1000 + int(getattr(moment, "nanosecond", 0))


def _check_origin(origin: str) -> None:
    if origin not in set(Origin):
        raise InvalidArrivals(
            f"origin is {shown(origin)}; {nearest(str(origin), [known.value for known in Origin])}"
        )


def _kind(first_line: str) -> Callable[[str, list[Line], str | None], Iterator[int]]:
    if first_line.lstrip().startswith("{"):
        return _json_times
    return _access_times if _CLF.search(first_line) else _csv_times


def _access_times(path: str, lines: Iterable[Line], column: str | None) -> Iterator[int]:
    if column is not None:
        raise InvalidArrivals(f"{path} is an access log, which has no columns; leave column out")
    second, time_ns = "", 0  # those of the line before, which most lines share
    for at, line in lines:
        begin = line.find("[")
        if line[begin : begin + _CLF_LENGTH] != second:
            match = _CLF.search(line)
            if match is None:
                raise _error(path, at, "there is no time such as [10/Oct/2026:13:55:36 +0000]")
            month = _MONTHS.find(match["month"]) // 3 + 1
            iso = f"{match['year']}-{month:02}-{match['day']}T{match['clock']}{match['zone']}"
            second, time_ns = match[0], _calendar_ns(iso, path, at)
        yield time_ns


def _csv_times(path: str, lines: list[Line], column: str | None) -> Iterator[int]:
    rows = _rows(path, lines)
    header = [name.strip() for _, row in islice(rows, 1) for name in row]
    name = column or next((known for known in TIME_NAMES if known in map(str.lower, header)), None)
    indexes = [
        i for i, title in enumerate(header) if title == column or (not column and title.lower() == name)
    ]
    if not indexes:
        missing = f"no column {column!r}" if column else "no column with a time"
        raise _error(
            path, lines[0][0], f"there is {missing} among {', '.join(header)[:200]}; name it: column='...'"
        )
    for at, row in rows:
        if len(row) <= indexes[0]:
            raise _error(path, at, f"the line ends before column {header[indexes[0]]!r}")
        yield _time_ns(row[indexes[0]], path, at)


def _rows(path: str, lines: list[Line]) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of CSV, each with the number of its last line."""
    rows = csv.reader(line for _, line in lines)
    try:
        for row in rows:
            yield lines[rows.line_num - 1][0], row
    except csv.Error as error:
        raise _error(path, lines[rows.line_num - 1][0], f"this is no CSV ({error}); check quotes") from None


def _json_times(path: str, lines: Iterable[Line], column: str | None) -> Iterator[int]:
    for at, line in lines:
        try:
            record: Any = json.loads(line, parse_float=str)  # keep decimals exact
        except (ValueError, RecursionError):
            raise _error(path, at, "this is not JSON; put one object on every line") from None
        if not isinstance(record, dict):
            raise _error(path, at, "this is no JSON object")
        name = column or next((known for known in TIME_NAMES if known in record), None)
        if name not in record:
            missing = f"no key {column!r}" if column else "no key with a time"
            raise _error(path, at, f"there is {missing}; name it: column='...'")
        yield _time_ns(record[name], path, at)


def _time_ns(value: object, path: str, at: int) -> int:
    """Convert seconds, as a number or text, or ISO 8601 text, to nanoseconds."""
    if isinstance(value, str) and not _SECONDS.fullmatch(value):
        return _calendar_ns(value.strip(), path, at)
    try:
        seconds = number(value, "the time", error=InvalidArrivals)  # type: ignore[arg-type]
    except InvalidArrivals as error:
        raise InvalidArrivals(f"{path}, line {at}: {error}") from None
    if seconds >= _MILLISECONDS_S:
        raise _error(
            path, at, f"{shown(value)} is no date in seconds but perhaps in milliseconds; divide by 1000"
        )
    return nanoseconds(seconds)


def _calendar_ns(iso: str, path: str, at: int) -> int:
    try:
        moment = datetime.fromisoformat(iso)
    except ValueError:
        raise _error(path, at, f"{shown(iso)} is no time; write seconds, or ISO 8601 text") from None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return int(Fraction((aware - _EPOCH) // timedelta(microseconds=1)) * 1000)


def _error(path: str, at: int, text: str) -> InvalidArrivals:
    return InvalidArrivals(f"{path}, line {at}: {text}")
