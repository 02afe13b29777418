"""Read request times from a log of any common form, and spread those of whole seconds."""

from __future__ import annotations

import gzip
import random
import sys
import zlib
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from itertools import islice
from operator import attrgetter, gt, ne, sub
from os import PathLike
from pathlib import Path
from typing import Any, Final

from hook_widgets._access_logs.log_columns import Choice
from hook_widgets._access_logs.log_forms import HEAD, recognize
from hook_widgets._access_logs.log_text import Line, Lines, decoded, split_lines
from hook_widgets._access_logs.log_times import CALENDAR_NS, FORMS
from hook_widgets._access_logs.log_zones import unclear_zones
from hook_widgets._arguments import shown
from hook_widgets._optional import require
from hook_widgets.errors import InvalidArrivals, nearest
from hook_widgets.ratelimit.traffic.arrivals import Arrivals
from hook_widgets.ratelimit.traffic.log_fields import Fields
from hook_widgets.ratelimit.units import EPOCH, NS_PER_S, number

_MAX_BYTES: Final = 2**30  # an index of 32 bits, as in WebAssembly, holds it
_DAY_NS: Final = 86_400 * 10**9
MINUTE_NS: Final = 60 * 10**9
_MAX_LISTED: Final = 100  # skipped lines that are kept
_BATCH: Final = 64  # records that are kept at once: fewer than start a garbage collection


@dataclass(frozen=True, slots=True, kw_only=True)
class LogNotes:
    """Notes on the reading of a log: its lines, columns and resolution.

    Attributes:
        lines: lines that are not empty.
        skipped: number of lines that could not be read.
        skipped_lines: number and reason of the first hundred of them.
        column: name of the column or key of the time; empty in a log of text.
        duration: name of the column or field of the duration, which was subtracted from the time of the end;
            empty if there was none.
        whole_seconds: True if all times are whole seconds.
        spread: how the requests of a whole second were spread; empty if none was moved.
        whole_minutes: True if the times end with the minutes; requests are then spread over each minute.
        others: messages, and lines that were passed over because another line is about the same request.
        zones: names of time zones that count as UTC, because they have several offsets (IST) or none.
    """

    lines: int
    skipped: int = 0
    skipped_lines: tuple[tuple[int, str], ...] = ()
    column: str = ""
    duration: str = ""
    whole_seconds: bool = False
    spread: str = ""
    whole_minutes: bool = False
    others: int = 0
    zones: tuple[str, ...] = ()

    def __str__(self) -> str:
        notes = []
        if self.skipped:
            numbers = ", ".join(str(at) for at, _ in self.skipped_lines[:5])
            more = " ..." if self.skipped > 5 else ""
            notes.append(f"{self.skipped} of {self.lines} lines skipped ({numbers}{more})")
        if self.duration:
            notes.append(f"begins from the ends and {self.duration}")
        if self.spread:
            unit = "minutes" if self.whole_minutes else "seconds"
            notes.append(f"whole {unit} spread ({self.spread})")
        if self.others:
            lines = f"{self.others} of {self.lines} lines"
            notes.append(f"{lines} are messages, or about a request that another line counts")
        if self.zones:
            notes.append(f"{' and '.join(self.zones)} read as UTC")
        return ", ".join(notes)


class Origin(StrEnum):
    """Time 0 of a log with calendar times."""

    MIDNIGHT = "midnight"
    FIRST = "first"


@dataclass(frozen=True, slots=True, kw_only=True)
class LogPart:
    """The requests of a log, or of a part of it, in order. Times and durations are in nanoseconds.

    Attributes:
        path: the file.
        times_ns: the times, relative to the origin when the log has been read.
        durations_ns: the durations, if the times are those of the ends; else empty.
        columns: the fields of each request that were asked for, and the status.
        notes: notes on the reading of the file.
    """

    path: str | PathLike[str]
    times_ns: Sequence[int]
    durations_ns: Sequence[int]
    columns: Sequence[Sequence[str]]
    notes: LogNotes

    def arrivals(self) -> Arrivals:
        """Return the times and durations as traffic."""
        pattern = ", ".join(filter(None, (f"log {self.path}", str(self.notes))))
        return Arrivals(tuple(self.times_ns), pattern, self.notes, tuple(self.durations_ns))

    def between(self, begin: int, end: int) -> LogPart:
        """Return the requests from one index up to, excluding, another."""
        return self._with(lambda values: values[begin:end])

    def ordered(self, keys: Sequence[Any]) -> LogPart:
        """Return the requests in the order of their keys; most logs are in order."""
        if not any(map(gt, keys, islice(keys, 1, None))):
            return self
        order = sorted(range(len(keys)), key=keys.__getitem__)
        return self._with(lambda values: list(map(values.__getitem__, order)) if values else values)

    def joined(self, later: LogPart) -> LogPart:
        """Return these requests and those of a later file, which the notes are about."""
        whole = self.notes.whole_seconds and later.notes.whole_seconds
        return replace(
            later,
            notes=replace(later.notes, whole_seconds=whole),
            times_ns=[*self.times_ns, *later.times_ns],
            durations_ns=[*self.durations_ns, *later.durations_ns],
            columns=[[*ours, *theirs] for ours, theirs in zip(self.columns, later.columns, strict=True)],
        )

    def _with(self, change: Callable[[Sequence[Any]], Sequence[Any]]) -> LogPart:
        return replace(
            self,
            times_ns=change(self.times_ns),
            durations_ns=change(self.durations_ns),
            columns=[change(column) for column in self.columns],
        )


def read(
    paths: Iterable[str | PathLike[str]],
    *,
    column: str | None = None,
    origin: str | datetime = "midnight",
    spread: str = "none",
    seed: int = 0,
    duration: str | None = None,
    duration_unit: str | None = None,
    max_skipped: float = 0.5,
    fields: Sequence[str] | None = None,
    required: bool = False,
) -> Iterator[LogPart]:
    """Yield the requests of a log of one or several files, sorted, file by file.

    Where a file begins before the end of the one before it, such as in the middle of a second, the requests
    of both from there on are in the part of the later one. Times below 100 million seconds are not treated as
    dates, and are returned unchanged.

    Args:
        paths: the files.
        column: as for `hook_widgets.ratelimit.Arrivals.from_log`, as are those that follow.
        origin: time 0, of all files.
        spread: how requests of a whole second are spread.
        seed: seed of random times.
        duration: column or key of the duration.
        duration_unit: its unit.
        max_skipped: share of lines that cannot be read.
        fields: names of fields for `Fields`, to which the status is added; None for no columns.
        required: True if some request of each file must have each field.

    Raises:
        InvalidArrivals: a file cannot be read, has no times or not a field, or is not in its order; the
            message names the line.
    """
    _check_origin(origin)
    _check_member(Spread, spread, "spread")
    number(max_skipped, "max_skipped", error=InvalidArrivals)
    if duration_unit not in (None, "ns", "us", "ms", "s"):
        raise InvalidArrivals(f"duration_unit is {shown(duration_unit)}; choose from: ns, us, ms, s")
    choice, rng = Choice(column, duration, duration_unit), random.Random(seed)
    start, end = None, 0
    files = (partial(_read_file, path, choice, max_skipped, fields, required=required) for path in paths)
    by_end = _in_sequence(_not_empty(files), _end_keys)
    for part in _in_sequence((_with_begins(part, spread, rng) for part in by_end), attrgetter("times_ns")):
        if start is None:
            start = _start_of(part, origin)
        elif part.times_ns[0] < end:
            raise InvalidArrivals(
                f"{part.path} begins before the end of the file before it; sort the files, of one form"
            )
        end = part.times_ns[-1]
        yield replace(part, times_ns=[t - start for t in part.times_ns]) if start else part


class _NoRequest(Exception):
    """The reason for which a file has no request."""


def _not_empty(files: Iterable[Callable[[], LogPart]]) -> Iterator[LogPart]:
    """Yield the requests of files, of which some may be empty, such as one that was just begun."""
    reason, some = "", False
    for read_file in files:
        try:
            part = read_file()
        except _NoRequest as error:
            reason = str(error)
        else:
            some = True
            yield part
    if reason and not some:
        raise InvalidArrivals(reason)


def _end_keys(part: LogPart) -> Sequence[Any]:
    return list(zip(part.times_ns, part.durations_ns, strict=True)) if part.durations_ns else part.times_ns


def _in_sequence(parts: Iterable[LogPart], keys: Callable[[LogPart], Sequence[Any]]) -> Iterator[LogPart]:
    """Yield parts that do not overlap: each leaves to the next one what is not before its begin."""
    last: LogPart | None = None
    for part in parts:
        following = part
        if last is not None:
            count = len(last.times_ns)
            alike = bool(last.durations_ns) == bool(part.durations_ns)
            cut = bisect_left(last.times_ns, part.times_ns[0]) if alike else count
            if cut:
                yield last.between(0, cut)
            if cut < count:
                following = last.between(cut, count).joined(part)
                following = following.ordered(keys(following))
        last = following
    if last is not None:
        yield last


def _read_file(
    path: str | PathLike[str],
    choice: Choice,
    max_skipped: float,
    names: Sequence[str] | None,
    *,
    required: bool,
) -> LogPart:
    """Return the requests of a file in the order of the times that it has."""
    text = _text_of(path)
    lines, zones = split_lines(text), unclear_zones(text)
    del text
    head = list(islice(lines, HEAD))
    if not head:
        raise _NoRequest(f"{path} is empty; give a log with at least one request")
    try:
        form = recognize(head, choice)
    except InvalidArrivals as error:
        raise InvalidArrivals(f"{path}, {error}") from None
    skip = _Skips()
    ends, spans = list[int](), list[int]()
    fields = Fields(names or (), with_status=names is not None)
    if form.duration or names is not None:
        rows = form.rows(lines, skip)
        while batch := list(islice(rows, _BATCH)):
            _, batch_ends, batch_spans, records = zip(*batch, strict=True)
            ends += batch_ends
            spans += batch_spans
            fields.add(records)
    else:
        ends = sorted(form.times(lines, skip))
    part = LogPart(
        path=path,
        times_ns=ends,
        durations_ns=spans if form.duration else (),
        columns=fields.columns,
        notes=LogNotes(lines=len(lines)),
    )
    part = part.ordered(_end_keys(part))
    first, stop = of_one_kind(part.times_ns)
    if stop - first < len(ends):
        for at, time, _, _ in form.rows(lines, lambda _at, _reason: None):
            if (time < CALENDAR_NS) == (first > 0):
                skip(
                    at, f"the time is {'no date, but others are' if first else 'a date, but others are not'}"
                )
        part = part.between(first, stop)
        skip.listed.sort()
    _check_skipped(path, lines, skip, len(part.times_ns), max_skipped)
    if not part.times_ns:
        raise _NoRequest(f"{path} has a header and no request; give a log with at least one")
    for name in names or () if required else ():
        fields.values(name)  # raises an error if no request has it
    notes = LogNotes(
        lines=len(lines),
        skipped=skip.count,
        skipped_lines=tuple(skip.listed),
        column=form.column,
        duration=form.duration,
        whole_seconds=not any(map(NS_PER_S.__rmod__, part.times_ns)),
        whole_minutes=form.minutes,
        others=form.others,
        zones=zones,
    )
    return replace(part, notes=notes)


def _with_begins(part: LogPart, spread: str, rng: random.Random) -> LogPart:
    """Return the requests by their begins, after those of whole seconds have been spread."""
    unit_ns = MINUTE_NS if part.notes.whole_minutes else NS_PER_S
    times = part.times_ns
    if part.notes.whole_seconds:
        times = spread_seconds(times, spread, rng, unit_ns)
    notes = replace(part.notes, spread=str(spread) if any(map(ne, times, part.times_ns)) else "")
    if part.durations_ns:
        times = list(map(sub, times, part.durations_ns))
    return replace(part, times_ns=times, notes=notes).ordered(times)


def _start_of(part: LogPart, origin: str | datetime) -> int:
    """Return time 0 of a log in nanoseconds: of calendar times the origin; others may begin before it."""
    first = part.times_ns[0]
    return start_ns(origin, first) if part.times_ns[-1] >= CALENDAR_NS else min(first, 0)


def of_one_kind(times_ns: Sequence[int]) -> tuple[int, int]:
    """Return where sorted times that are all dates begin and end, or those that are none if they are more."""
    dates = bisect_left(times_ns, CALENDAR_NS)
    return (dates, len(times_ns)) if 2 * dates <= len(times_ns) else (0, dates)


class _Skips:
    """Count the lines that cannot be read, and keep the first with their reasons."""

    def __init__(self) -> None:
        self.count = 0
        self.listed: list[tuple[int, str]] = []

    def __call__(self, at: int, reason: str) -> None:
        self.count += 1
        if len(self.listed) < _MAX_LISTED:
            self.listed.append((at, reason))


def _check_skipped(
    path: str | PathLike[str], lines: list[Line] | Lines, skip: _Skips, requests: int, max_skipped: float
) -> None:
    if not skip.count or skip.count < max_skipped * (skip.count + requests):
        return
    at, reason = skip.listed[0]
    line = next(line for number, line in lines if number == at)
    share = "" if skip.count == 1 else f", as {skip.count} of {len(lines)} lines"
    raise InvalidArrivals(
        f"{path}, line {at}: {reason} in {shown(line[:200])}{share}; tried {FORMS}; name the column with "
        "column='...', or allow more with max_skipped="
    )


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
    if "\n" in str(path):
        raise InvalidArrivals(
            f"{shown(str(path))} is the text of a log; save it, and give the path of its file"
        )
    compression = ""
    faults: tuple[type[Exception], ...] = ()
    try:
        endless = Path(path).is_char_device()  # such as /dev/zero
        if not endless:
            with Path(path).open("rb") as file:
                compression, opener, faults = _compression(file.read(4))
            with opener(path, "rb") as log:
                data = log.read(_MAX_BYTES + 1)
    except InvalidArrivals:
        raise
    except faults:
        raise InvalidArrivals(f"{path} is a damaged {compression} file; compress the log again") from None
    except OSError as error:
        raise InvalidArrivals(f"{path} cannot be read: {error.strerror}; check the path") from None
    except ValueError:
        raise InvalidArrivals(f"{shown(str(path))} is no path; check it") from None
    if endless:
        raise InvalidArrivals(f"{path} is no file; check the path")
    if len(data) > _MAX_BYTES:
        raise InvalidArrivals(f"{path} has more than {_MAX_BYTES >> 30} GB; give a part of it")
    return decoded(data)


def _compression(mark: bytes) -> tuple[str, Callable[..., Any], tuple[type[Exception], ...]]:
    """Return the compression of a file, the function that opens it, and the errors of a damaged one.

    Args:
        mark: the first four bytes of the file.

    Raises:
        InvalidArrivals: the library for it is missing.
    """
    if mark[:2] == b"\x1f\x8b":
        return "gzip", gzip.open, (EOFError, zlib.error, gzip.BadGzipFile)
    # A frame, or one to be skipped, with which pzstd begins (RFC 8878, sections 3.1.1 and 3.1.2).
    if mark == b"\x28\xb5\x2f\xfd" or (mark[1:] == b"\x2a\x4d\x18" and mark[0] >> 4 == 5):
        module = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
        zstd = require(module, "backports.zstd", "a log compressed with zstd", InvalidArrivals)
        return "zstd", zstd.open, (EOFError, zstd.ZstdError)
    return "", open, ()


def spread_seconds(
    times_ns: Sequence[int], spread: str, rng: random.Random | None = None, unit_ns: int = NS_PER_S
) -> Sequence[int]:
    """Spread the requests of each second, or minute, of a log that has whole ones only. The order stays.

    Args:
        times_ns: sorted times.
        spread: one of `Spread`.
        rng: generator of random times; None if they are spread evenly.
        unit_ns: the unit of the times, a second or a minute.
    """
    if spread == Spread.NONE:
        return times_ns
    times = list[int]()
    for second, count in Counter(times_ns).items():
        if rng is None or spread == Spread.EVEN:
            times += (second + k * unit_ns // count for k in range(count))
        else:
            times += sorted(second + rng.randrange(unit_ns) for _ in range(count))
    return times


def start_ns(origin: str | datetime, first_ns: int) -> int:
    """Return the origin of times since 1970, in nanoseconds.

    Raises:
        InvalidArrivals: there is no such origin, or it is after the first time.
    """
    _check_origin(origin)
    if isinstance(origin, datetime):
        start = epoch_ns(origin, "origin")
        if start > first_ns:
            raise InvalidArrivals("is after the first request; give an earlier date", subject="origin")
        return start
    return first_ns if origin == Origin.FIRST else first_ns - first_ns % _DAY_NS


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
    return (moment - EPOCH) // timedelta(microseconds=1) * 1000 + int(getattr(moment, "nanosecond", 0))


def _check_origin(origin: str | datetime) -> None:
    if isinstance(origin, datetime):
        epoch_ns(origin, "origin")
    else:
        _check_member(Origin, origin, "origin")


def _check_member(kind: type[StrEnum], value: str, name: str) -> None:
    if value not in set(kind):
        hint = nearest(str(value), [known.value for known in kind])
        raise InvalidArrivals(f"{name} is {shown(value)}; {hint}")
