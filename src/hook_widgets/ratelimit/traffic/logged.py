"""Describe the traffic in a log by a mean rate and a burst; lines that cannot be read are skipped."""

from __future__ import annotations

import csv
import json
import re
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit.traffic import access_log
from hook_widgets.ratelimit.units import NS_PER_S

_STRETCHES_S: Final = (1, 2, 5, 10, 20, 30, 60)  # in which a burst is looked for

_MAX_LINE: Final = 20_000  # characters; a longer line is skipped
_MAX_TRIED: Final = 200  # lines at the beginning, of which one must be readable
_TIME_BUDGET_S: Final = 20.0
_LINES_BETWEEN_CHECKS: Final = 2_000
_CLF_CLIENT: Final = re.compile(r"\s*(\S{1,200}) \S{1,200} (\S{1,200}) \[")
_IP_NAMES: Final = ("ip", "client_ip", "remote_addr", "remote_ip", "remoteip", "clientip", "client", "host")
_USER_NAMES: Final = ("user", "user_id", "userid", "username", "remote_user")
_MARKS: Final = {
    b"\x1f\x8b": "the file is compressed (gzip); unpack it first",
    b"PK\x03\x04": "the file is a ZIP archive; unpack it first",
    b"\xff\xfe": "the file is UTF-16; save the log as UTF-8",
    b"\xfe\xff": "the file is UTF-16; save the log as UTF-8",
}

Request = tuple[int, str, str]
"""Time in nanoseconds, IP address and user of a request; empty where the line does not say one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedTraffic:
    """The traffic in a log. Rates and excess are counted in whole seconds.

    Attributes:
        requests: lines that were read.
        skipped: lines that could not be read.
        span_s: seconds from the first request to the last, both included.
        peak: the most requests in one second.
        burst: requests above the mean in the stretch of up to a minute that has most of them; of the
            shortest stretch that has nine tenths of that.
        burst_s: length of that stretch; 0 without a burst.
        burst_begin_s: seconds from the first request to that stretch.
        ips: number of requests of each IP address.
        users: number of requests of each user.
        whole_seconds: True if all times are whole seconds.
    """

    requests: int
    skipped: int
    span_s: int
    peak: int
    burst: int
    burst_s: int
    burst_begin_s: int
    ips: Counter[str]
    users: Counter[str]
    whole_seconds: bool

    @property
    def mean_per_s(self) -> Fraction:
        """Mean requests per second."""
        return Fraction(self.requests, self.span_s)


def describe_log(data: bytes, *, budget_s: float = _TIME_BUDGET_S) -> LoggedTraffic:
    """Describe the traffic in an access log (common or combined), a CSV file with a header, or JSON lines.

    Args:
        data: the log, UTF-8.
        budget_s: give up after so many seconds.

    Raises:
        InvalidArrivals: it is no such log, has fewer than two requests, or takes too long.
    """
    text = _text_of(data)
    requests, skipped = [], 0
    ends = time.monotonic() + budget_s
    for number, request in enumerate(_requests(text), 1):
        if request is None:
            skipped += 1
        else:
            requests.append(request)
        if not number % _LINES_BETWEEN_CHECKS and time.monotonic() > ends:
            raise InvalidArrivals(f"the log takes longer than {budget_s:g} s to read; load a part of it")
        if number == _MAX_TRIED and not requests:
            break
    if len(requests) < 2:
        raise InvalidArrivals(
            "there are no two lines with a time such as [10/Oct/2026:13:55:36 +0000]; load an access log, a "
            "CSV file with a header, or JSON lines"
        )
    times = sorted(time_ns for time_ns, _, _ in requests)
    seconds = Counter(time_ns // NS_PER_S - times[0] // NS_PER_S for time_ns in times)
    span_s = times[-1] // NS_PER_S - times[0] // NS_PER_S + 1
    burst, burst_begin_s, burst_s = _burst(seconds, span_s)
    return LoggedTraffic(
        requests=len(requests),
        skipped=skipped,
        span_s=span_s,
        peak=max(seconds.values()),
        burst=burst,
        burst_s=burst_s,
        burst_begin_s=burst_begin_s,
        ips=Counter(ip for _, ip, _ in requests if ip),
        users=Counter(user for _, _, user in requests if user),
        whole_seconds=not any(time_ns % NS_PER_S for time_ns in times),
    )


def _text_of(data: bytes) -> str:
    for mark, problem in _MARKS.items():
        if data.startswith(mark):
            raise InvalidArrivals(problem)
    if b"\0" in data:
        raise InvalidArrivals("the file is not text; load an access log, CSV or JSON lines")
    # One odd byte in the name of a browser is no reason to lose a log: times are ASCII.
    return data.decode("utf-8-sig", "replace")


def _requests(text: str) -> Iterator[Request | None]:
    """Yield the request of each line that is not empty, None for a line that cannot be read."""
    lines = [line for line in text.split("\n") if line and not line.isspace()]
    first = next((line for line in lines if len(line) <= _MAX_LINE), "")
    by_line = _csv_reader(first) or (_json_request if first.lstrip().startswith("{") else _clf_request)
    skip = 1 if by_line not in (_json_request, _clf_request) else 0
    for line in lines[skip:]:
        try:
            yield by_line(line) if len(line) <= _MAX_LINE else None
        except (InvalidArrivals, ValueError, RecursionError, csv.Error):
            yield None


def _clf_request(line: str) -> Request:
    (time_ns,) = access_log._access_times("log", [(1, line)], None)
    client = _CLF_CLIENT.match(line)
    return (time_ns, *_named(client[1], client[2])) if client else (time_ns, "", "")


def _json_request(line: str) -> Request:
    (time_ns,) = access_log._json_times("log", [(1, line)], None)
    record: dict[str, Any] = {str(name).lower(): value for name, value in json.loads(line).items()}
    return (time_ns, *_named(_first(record, _IP_NAMES), _first(record, _USER_NAMES)))


def _csv_reader(header: str) -> Callable[[str], Request] | None:
    """Return the reader of the lines below a header; None if this is none."""
    if access_log._CLF.search(header) or header.lstrip().startswith("{"):
        return None
    names = [name.strip().lower() for row in csv.reader([header.rstrip("\r")]) for name in row]
    column = next((names.index(name) for name in access_log.TIME_NAMES if name in names), None)
    if column is None:
        return None

    def read(line: str) -> Request:
        (row,) = csv.reader([line.rstrip("\r")])
        record = dict(zip(names, row, strict=False))
        time_ns = access_log._time_ns(row[column] if column < len(row) else "", "log", 1)
        return (time_ns, *_named(_first(record, _IP_NAMES), _first(record, _USER_NAMES)))

    return read


def _first(record: dict[str, Any], names: Sequence[str]) -> str:
    value = next((record[name] for name in names if name in record), "")
    return str(value)[:200] if isinstance(value, str | int) else ""


def _named(ip: str, user: str) -> tuple[str, str]:
    return "" if ip == "-" else ip, "" if user == "-" else user


def _burst(seconds: Counter[int], span_s: int) -> tuple[int, int, int]:
    """Return the requests above the mean, begin and length of the shortest stretch with most of them."""
    total = seconds.total()
    excesses = [_largest_excess(seconds, total, span_s, longest_s) for longest_s in _STRETCHES_S]
    largest = excesses[-1][0]
    excess, begin_s, length_s = next(each for each in excesses if each[0] * 10 >= largest * 9)
    return round(Fraction(excess, span_s)), begin_s, length_s


def _largest_excess(seconds: Counter[int], total: int, span_s: int, longest_s: int) -> tuple[int, int, int]:
    """Return the largest excess over the mean in a stretch, times the span, with its begin and length."""
    before, best = 0, (0, 0, 0)
    starts: deque[tuple[int, int]] = deque()  # the lowest sum first, times the span
    for second in sorted(seconds):
        start = before * span_s - total * second
        while starts and starts[-1][0] >= start:
            starts.pop()
        starts.append((start, second))
        while starts[0][1] <= second - longest_s:
            starts.popleft()
        before += seconds[second]
        excess = before * span_s - total * (second + 1) - starts[0][0]
        if excess > best[0]:
            best = (excess, starts[0][1], second + 1 - starts[0][1])
    return best
