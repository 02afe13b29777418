"""Choose the columns with time and duration of a log by their values; names only decide between equals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hook_widgets._access_logs.log_times import (
    CALENDAR_NS,
    UNITS_NS,
    NotATime,
    clock_ns,
    duration_ns,
    has_no_seconds,
    in_order,
    is_clock,
    is_date,
    joined_ns,
    order_of,
    time_ns,
    with_seconds,
)
from hook_widgets.errors import InvalidArrivals

TIME_NAMES: Final = (
    "time", "timestamp", "time_s", "ts", "t", "@timestamp", "datetime", "date", "time_local", "time_iso8601",
    "msec", "eventtime", "event_time",
)  # fmt: skip
"""Usual names of the column or key with the time."""

STATUS_NAMES: Final = {
    "status", "statuscode", "httpstatus", "httpstatuscode", "responsestatus", "responsecode", "scstatus",
    "elbstatuscode", "downstreamstatus", "edgeresponsestatus", "responsestatuscode", "httpcode",
    "responsecodesent", "resultcode", "returncode", "returnstatus", "rspcode",
}  # fmt: skip
"""Usual names of the column or key with the status of the response, as `plain_name` returns them."""

_NO_SEPARATORS: Final = dict.fromkeys(map(ord, "_- "))
_REQUEST_IDS: Final = {"auditid", "reqid", "requestid", "xrequestid"}
_REQUEST_ID_PATHS: Final = ("req.id", "request.id")  # Vault writes request and response
_LEVEL_NAMES: Final = {"level", "severity", "lvl", "loglevel", "levelname"}
_REQUEST_NAMES: Final = {
    "request", "httprequest", "requestline", "method", "requestmethod", "httpmethod", "uri", "requesturi",
    "requestpath", "path", "url", "requesturl", "target",
}  # fmt: skip
_BEGIN_NAMES: Final = (
    "startutc", "startlocal", "start_time", "starttime", "start", "begin", "request_creation_time",
    "requestreceivedtimestamp", "request_time_start", "received_at", "started_at", "edgestarttimestamp",
    "starteddatetime", "startedat", "receivedat",
)  # fmt: skip
_DURATION_NAMES: Final = {
    "request_time": "s", "reqtime": "s", "time-taken": "", "time_taken": "", "duration": "", "latency": "",
}  # fmt: skip
_MILLISECONDS: Final = re.compile(r"\.\d{3}")  # Go and nginx write so many digits; lograge has ms with two
_DURATION_ROOTS: Final = (
    "duration", "latency", "elapsed", "took", "response_time", "request_time", "time_taken", "total_time",
)  # fmt: skip
# Load balancers of Google Cloud: the timestamp is the begin (docs, "Global external Application Load Balancer
# logging and monitoring").
_BESIDE_BEGINS: Final = ("httpRequest.latency",)
_LOGRAGE: Final = {"controller", "action", "duration"}
_NGINX_SECONDS: Final = re.compile(r"\d{1,7}\.\d{3}")
_UNIT_SUFFIXES: Final = {"_ms": "ms", "_us": "us", "_ns": "ns", "_s": "s", "_seconds": "s", "_millis": "ms"}
_NEAR: Final = {
    "attributes", "context", "data", "event", "fields", "http", "httprequest", "json", "jsonpayload",
    "labels", "log", "message", "msg", "payload", "properties", "req", "request", "res", "response",
    "_source",
}  # fmt: skip
"""Keys of an object with what concerns the request itself; a duration elsewhere may be that of a session."""
# Times of something else that a request mentions, such as of a session, a user or a route.
_OF_OTHERS: Final = re.compile(r"creat|updat|modif|expir|issu|valid|last|first|birth")
BY_CLIENTS: Final = re.compile(r"agent|referr?er|ur[il]|path|query|request|cookie")
"""Part of the name of a value that a client writes, in lower case."""

_WRITTEN: Final = re.compile(r"header|query|param|\bargs\b|cookie|\bbody\b|\bform\b")
_SECONDS: Final = {"seconds", "sec", "secs", "tv_sec", "epochsecond"}
_FRACTIONS: Final = {
    **dict.fromkeys(("nanos", "nanoseconds", "nsec", "nsecs", "tv_nsec", "nanoofsecond"), 1),
    **dict.fromkeys(("micros", "microseconds", "usec", "usecs", "tv_usec"), 1000),
}  # in nanoseconds; beside seconds
_IN_BRACKETS: Final = re.compile(r" ?[(\[]([mun]?s)[)\]]")  # as in "Time (ms)"
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_DATE_PART: Final = re.compile(r"\d[-/.]\d")
_MAX_DEPTH: Final = 4
_MAX_KEYS: Final = 500
_LATEST_NS: Final = 4_102_444_800 * 10**9  # 2100: a number of an unknown column after it is no date
_EARLIEST_NS: Final = 946_684_800 * 10**9  # 2000

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns that are read.

    Attributes:
        time: name of the column of the time, or of the date.
        clock: name of the column of the time of day if there is a date, or empty.
        duration: name of the column of the duration, or empty if the time is that of the begin.
        unit: unit of durations without one.
        unit_ns: unit of times that are no dates.
        daily: True if times are those of a day without a date.
        minutes: True if times end with the minutes.
        fraction: name of the column of the nanoseconds or microseconds beside that of the seconds, or empty.
        order: ``"day"`` or ``"month"``: which one is first in dates such as ``10/13/2026``; else empty.
    """

    time: str
    clock: str = ""
    duration: str = ""
    unit: str = "s"
    order: str = ""
    fraction: str = ""
    unit_ns: int = 10**9
    daily: bool = False
    minutes: bool = False

    @property
    def is_plain(self) -> bool:
        """True if a time is the value in one column, as it is."""
        return not (self.clock or self.order or self.fraction or self.daily or self.minutes)

    def time_ns(self, record: Record) -> int:
        """Return the time of a record in nanoseconds.

        Raises:
            NotATime: it has none.
        """
        value = lookup(record, self.time)
        if value is None and self.time not in record:
            raise NotATime(f"there is no {self.time!r}")
        if self.minutes or self.order:
            value = self.ordered(value)
        if self.clock:
            return joined_ns(value, self.ordered(lookup(record, self.clock)))
        if self.daily:
            return clock_ns(value)
        if not self.fraction:
            return time_ns(value, self.unit_ns)
        unit_ns, fraction = _FRACTIONS[_last(self.fraction).strip("_")], str(lookup(record, self.fraction))
        return time_ns(value) + (int(fraction) * unit_ns if _is_whole(fraction, 10**9 // unit_ns) else 0)

    def ordered(self, value: object) -> object:
        """Return a value with seconds, and dates such as ``10/13/2026`` in the form of ISO 8601."""
        value = with_seconds(value) if self.minutes else value
        return in_order(value, self.order) if self.order else value

    def duration_ns(self, record: Record) -> int:
        """Return the duration of a record in nanoseconds; 0 if it has none."""
        return duration_ns(lookup(record, self.duration), self.unit)


def lookup(record: Record, name: str) -> Any:
    """Return a value by its name, which may be a path of keys such as ``"http.time"``; None if missing.

    Of a list with one value (the fields of Elasticsearch, the wrappers of OpenTelemetry) it is that value.
    """
    value = record.get(name)
    if value is not None or "." not in name or name in record:
        return value[0] if type(value) is list and len(value) == 1 else value
    head, _, rest = name.partition(".")
    inner = record.get(head)
    if type(inner) is list and len(inner) == 1:
        inner = inner[0]
    return lookup(inner, rest) if isinstance(inner, dict) else None


def flat(record: Record, prefix: str = "", depth: int = 1) -> Iterator[tuple[str, Any]]:
    """Yield the values of a record by their paths, to a limited depth."""
    for name, value in record.items():
        if isinstance(value, dict) and depth < _MAX_DEPTH:
            yield from flat(value, f"{prefix}{name}.", depth + 1)
        elif isinstance(value, list) and len(value) == 1:
            yield from flat({name: value[0]}, prefix, depth)
        elif not isinstance(value, dict | list):
            yield f"{prefix}{name}", value


def plain_name(path: str) -> str:
    """Return the last key of a path, in lower case and without separators.

    >>> plain_name("http.Status_Code"), plain_name("responseStatus.code")  # of Kubernetes' audit
    ('statuscode', 'responsestatus')
    """
    path = path.removesuffix(".code") if path.endswith("esponseStatus.code") else path
    return path.rpartition(".")[2].lower().translate(_NO_SEPARATORS)


def is_written(path: str) -> bool:
    """Return True for the path of what a client writes: in an object of headers, of the query or of a body.

    >>> is_written("request.headers.Status"), is_written("response.status")
    (True, False)
    """
    return any(map(_WRITTEN.search, _parents(path)))


def has_status(record: Record) -> bool:
    """Return True if a record has the status of a response."""
    return any(plain_name(path) in STATUS_NAMES and not is_written(path) for path, _ in flat(record))


def has_request(record: Record) -> bool:
    """Return True if a record has a part of a request, such as its method or the client's program."""
    names = _REQUEST_NAMES | {"useragent"}
    return any(plain_name(path) in names for path, _ in flat(record))


def request_id(records: Sequence[Record]) -> tuple[str, bool]:
    """Return the key of the request that a line is about, if requests have several lines; else empty.

    Returns:
        The key, and True if one line of most requests has the status (Fastify, the audit of Kubernetes).
    """
    paths = dict.fromkeys(path for record in records for path, _ in flat(record) if not is_written(path))
    for path in (path for path in paths if plain_name(path) in _REQUEST_IDS or path in _REQUEST_ID_PATHS):
        requests = [(lookup(record, path), has_status(record)) for record in records]
        ids = [request for request, _ in requests if request]
        different = len(set(map(str, ids)))
        if 1 < different <= len(ids) * 2 // 3:
            ended = {str(request) for request, status in requests if request and status}
            return path, 2 * len(ended) > different
    return "", False


def request_test(records: Sequence[Record]) -> Callable[[Record], bool] | None:
    """Return a function that is False for a message of a server beside requests; None if all are requests.

    A message has a level, and neither a status nor a request. Caddy also logs errors of requests.
    """
    if any(map(_is_access_of_caddy, records)):
        return _is_access_of_caddy
    if all(_LEVEL_NAMES.isdisjoint(map(plain_name, record)) for record in records):
        return None
    names = (name for record in records for name, value in record.items() if has_status({name: value}))
    status = next(names, None)
    return None if status is None else lambda record: status in record or not _is_message(record)


def _is_message(record: Record) -> bool:
    names = {plain_name(path) for path, _ in flat(record)}
    return not names.isdisjoint(_LEVEL_NAMES) and names.isdisjoint(_REQUEST_NAMES | STATUS_NAMES)


def _is_access_of_caddy(record: Record) -> bool:
    logger = record.get("logger")
    return type(logger) is str and logger.startswith("http.log.access")


@dataclass(frozen=True, slots=True)
class Choice:
    """The caller's choice of columns.

    Attributes:
        column: name of the column of the time, or None to choose by the values.
        duration: name of the column of the duration, ``""`` for none, or None to choose.
        unit: unit of durations without one, or None to choose.
    """

    column: str | None = None
    duration: str | None = None
    unit: str | None = None


def choose(records: Sequence[Record], choice: Choice, what: str) -> Columns | None:
    """Choose the columns by the values of some records.

    A begin wins over an end, a time of the calendar over a number of seconds, a usual name over another.

    Args:
        records: some records.
        choice: the caller's choice.
        what: what a column is called, for the error: ``"column"`` or ``"key"``.

    Returns:
        The columns, or None if no column has a time.

    Raises:
        InvalidArrivals: there are several equally good columns.
    """
    values: dict[str, list[Any]] = {}
    for record in records:
        for name, value in list(flat(record))[:_MAX_KEYS]:
            values.setdefault(name, []).append(value)
    minutes = {
        name
        for name, column in values.items()
        if all(map(has_no_seconds, column))
        # A time of day without seconds may be a duration elsewhere.
        and (_last(name) in TIME_NAMES or all(map(_DATE_PART.search, column)))
    }
    for name in minutes:
        values[name] = list(map(with_seconds, values[name]))
    orders = {name: order for name, column in values.items() if (order := order_of(column))}
    for name, order in orders.items():
        if order != "unknown":
            values[name] = [in_order(value, order) for value in values[name]]
    time, clock = (choice.column, "") if choice.column else _time_columns(values, what)
    if orders.get(time or next(iter(orders), "")) == "unknown":
        name = time or next(iter(orders))
        raise InvalidArrivals(
            f"the dates in {what} {name!r}, such as {values[name][0]!r}, may begin with the day or the "
            "month; write the year first, as in 2026-01-31"
        )
    if choice.column and any(map(is_date, values.get(time, ()))):  # a date needs its time of day
        clock = next((name for name, column in values.items() if _most(column, is_clock)), "")
    if not time:
        daily = (
            name for name, column in values.items() if _last(name) in TIME_NAMES and _most(column, is_clock)
        )
        time = next(daily, "")
        return Columns(time, daily=True, minutes=time in minutes) if time else None
    duration, unit = choice.duration or "", choice.unit or "s"
    dates = bool(clock) or any(at >= CALENDAR_NS for at in _times(values.get(time, ()), time))
    if choice.duration is None and dates and _last(time) not in _BEGIN_NAMES:
        duration, known_unit = _duration_column(values, time)
        unit = choice.unit or known_unit
    fraction = next((name for name in values if _is_fraction(name, time)), "")
    return Columns(
        time,
        clock,
        duration,
        unit,
        orders.get(time) or orders.get(clock, ""),
        fraction,
        UNITS_NS[_split_unit(time)[1]],
        minutes=not minutes.isdisjoint((time, clock)),
    )


def _time_columns(values: Mapping[str, list[Any]], what: str) -> tuple[str, str]:
    """Return the columns of the time, and of the time of day if it is another one; empty if there is none."""
    tiers: list[dict[str, list[int]]] = [{} for _ in range(5)]
    own = {name: column for name, column in values.items() if not (is_written(name) or _is_index(name))}
    for name, column in own.items():
        if not _NEAR.issuperset(_parents(name)) and _OF_OTHERS.search(_last(name)):
            continue
        times = [] if _most(column, is_date) else _times(column, name)
        if 2 * len(times) < len(column) or not times:
            continue
        known = _last(name) in TIME_NAMES or _split_unit(name)[0] in TIME_NAMES
        dates = min(times) >= CALENDAR_NS
        text = dates and isinstance(column[0], str) and not _is_number(column[0])
        if dates and _last(name) in _BEGIN_NAMES:
            tier = 0
        elif dates and known:
            tier = 1
        elif text:
            tier = 2
        elif known:
            tier = 3
        elif dates and all(_EARLIEST_NS <= at <= _LATEST_NS for at in times):
            tier = 4
        else:
            continue
        tiers[tier][name] = times
    pair = [
        next((name for name, column in values.items() if _most(column, test)), "")
        for test in (is_date, is_clock)
    ]
    if all(pair) and not tiers[0] and not tiers[1]:
        return pair[0], pair[1]
    candidates: dict[str, list[int]] = next((tier for tier in tiers if tier), {})
    if not candidates:
        return "", ""
    if pair[0] and candidates is tiers[3]:
        raise InvalidArrivals(
            f"{what} {pair[0]!r} has dates, and {next(iter(candidates))!r} numbers that may be times of day, "
            "seconds or durations; write them as in 13:55:36, or choose with column='...'"
        )
    if not _agree(list(candidates.values())):
        names = ", ".join(map(repr, list(candidates)[:5]))
        raise InvalidArrivals(f"several {what}s have times ({names}); choose one with column='...'")
    # Of those that say the same, the finest.
    time = max(
        candidates, key=lambda name: (any(at % 10**9 for at in candidates[name]), len(candidates[name]))
    )
    seconds = [at // 10**9 for at in candidates[time]]
    if candidates[time] == [second * 10**9 for second in seconds]:
        finer = tiers[4:] if candidates is tiers[0] else tiers  # a begin is none of the other names
        others = {name: times for tier in finer for name, times in tier.items() if name != time}
        for name, times in others.items():  # the same with fractions, as of Amazon API Gateway
            if any(at % 10**9 for at in times) and [at // 10**9 for at in times] == seconds:
                return name, ""
    return time, ""


def _agree(columns: list[list[int]]) -> bool:
    """Return True if columns have the same times, up to fractions of a second."""
    return len({len(column) for column in columns}) == 1 and all(
        max(times) - min(times) <= 10**9 for times in zip(*columns, strict=True)
    )


def _duration_column(values: Mapping[str, list[Any]], time: str) -> tuple[str, str]:
    """Return the column of the duration and its unit; empty if there is none, or if its unit is not sure."""
    for name, column in values.items():
        last = _CAMEL.sub("_", name.rpartition(".")[2]).lower()
        texts = [str(value) for value in column if value not in (None, "", "-")]
        if (
            name == time
            or (not _NEAR.issuperset(_parents(name)) and name.rpartition(".")[0] != time.rpartition(".")[0])
            or name in _BESIDE_BEGINS
            or "id.orig_h" in values  # Zeek has the begin of a connection
            or not texts
            or not all(duration_ns(text, "s") or _is_number(text) for text in texts)
        ):
            continue
        root, unit = _split_unit(name)
        if root != last and root in _DURATION_ROOTS:
            return name, unit
        is_caddy = any(_is_access_of_caddy({"logger": logger}) for logger in values.get("logger", ()))
        if last == "duration" and any("." in text for text in texts) and is_caddy:
            return name, "s"
        if name.rpartition(".")[2] == "responseTime" and not all(map(_NGINX_SECONDS.fullmatch, texts)):
            return name, "ms"  # pino-http and Fastify
        if last == "duration" and values.keys() >= _LOGRAGE:
            return name, "ms"
        if last not in _DURATION_NAMES:
            continue
        if (unit := _DURATION_NAMES[last]) and any("." in text for text in texts):
            return name, unit  # of nginx, which writes a fraction; content networks have whole milliseconds
        if not any(map(_is_number, texts)) or any(map(_MILLISECONDS.search, texts)):
            return name, "s"  # with a unit, or with a fraction as of Caddy and CloudFront
        if last == "time-taken":
            return name, "ms"  # whole numbers as of IIS
    return "", "s"


def _split_unit(name: str) -> tuple[str, str]:
    """Return the last key of a path without its unit, in lower case, and the unit; seconds if it has none.

    >>> _split_unit("event.timeMs"), _split_unit("Time (us)"), _split_unit("ts")
    (('time', 'ms'), ('time', 'us'), ('ts', 's'))
    """
    last = _CAMEL.sub("_", name.rpartition(".")[2]).lower()
    last = _IN_BRACKETS.sub(r"_\1", last)
    for suffix, unit in _UNIT_SUFFIXES.items():
        if last.endswith(suffix):
            return last.removesuffix(suffix).removesuffix("_in"), unit  # Vercel has timestampInMs
    return last, "s"


def _times(column: Sequence[Any], name: str) -> list[int]:
    times, unit_ns = [], UNITS_NS[_split_unit(name)[1]]
    for value in column:
        try:
            times.append(time_ns(value, unit_ns))
        except NotATime:
            continue
    return times


def _most(column: Sequence[Any], test: Callable[[object], bool]) -> bool:
    return 2 * sum(map(test, column)) > len(column)


def _is_number(value: object) -> bool:
    return str(value).replace(".", "", 1).replace("-", "", 1).isdecimal()


def _is_fraction(name: str, time: str) -> bool:
    """Return True for the fraction of seconds beside them, as of Protocol Buffers, Log4j or `timeval`."""
    beside = name.rpartition(".")[0] == time.rpartition(".")[0]
    return beside and _last(time).strip("_") in _SECONDS and _last(name).strip("_") in _FRACTIONS


def _is_whole(text: str, end: int) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10 and int(text) < end


def _is_index(name: str) -> bool:
    """Return True for a value in an object with those of a whole column, as pandas writes it."""
    return "." in name and _last(name).isdecimal()


def _parents(name: str) -> list[str]:
    """Return the keys of a path but the last, in lower case."""
    return name.lower().split(".")[:-1]


def _last(name: str) -> str:
    """Return the last key of a path, in lower case."""
    return name.rpartition(".")[2].lower()
