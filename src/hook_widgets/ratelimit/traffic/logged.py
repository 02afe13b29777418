"""Describe the traffic in a log by a mean rate and a burst; lines that cannot be read are skipped."""

from __future__ import annotations

import re
import time
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit.traffic import access_log
from hook_widgets.ratelimit.traffic.log_columns import Choice
from hook_widgets.ratelimit.traffic.log_forms import recognize
from hook_widgets.ratelimit.traffic.log_times import FORMS
from hook_widgets.ratelimit.units import NS_PER_S

_STRETCHES_S: Final = (1, 2, 5, 10, 20, 30, 60)  # in which a burst is looked for

_MAX_LINE: Final = 20_000  # characters; a longer line is skipped
_MAX_TRIED: Final = 200  # lines at the beginning, of which one must be readable
_TIME_BUDGET_S: Final = 20.0
_LINES_BETWEEN_CHECKS: Final = 2_000
_CLF_CLIENT: Final = re.compile(r"\s*(\S{1,200}) \S{1,200} (\S{1,200}) \[")
_IP_NAMES: Final = (
    "ip",
    "client_ip",
    "remote_addr",
    "remote_ip",
    "remoteip",
    "clientip",
    "client",
    "host",
    "c-ip",
)
_USER_NAMES: Final = ("user", "user_id", "userid", "username", "remote_user", "cs-username")
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
    requests, skipped = _read(_text_of(data), time.monotonic() + budget_s, budget_s)
    if len(requests) < 2:
        raise InvalidArrivals(
            f"there are no two lines with a time; tried {FORMS}; load an access log, a CSV file with a "
            "header, or JSON lines"
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
    return access_log.decoded(data)


class _Stopped(Exception):
    """The beginning of the file is no log."""


def _read(text: str, ends: float, budget_s: float) -> tuple[list[Request], int]:
    """Return the requests, and the number of lines that cannot be read."""
    lines = access_log.split_lines(text)
    short = [line for line in lines if len(line[1]) <= _MAX_LINE]
    requests, skipped, number = list[Request](), len(lines) - len(short), 0

    def check() -> None:
        nonlocal number
        number += 1
        if not number % _LINES_BETWEEN_CHECKS and time.monotonic() > ends:
            raise InvalidArrivals(f"the log takes longer than {budget_s:g} s to read; load a part of it")
        if number == _MAX_TRIED and not requests:
            raise _Stopped

    def skip(_at: int, _reason: str) -> None:
        nonlocal skipped
        skipped += 1
        check()

    try:
        form = recognize(short, Choice()) if short else None
        for _, time_ns, span_ns, record in form.rows(short, skip) if form else ():
            requests.append((time_ns - span_ns, *_client(record)))
            check()
    except _Stopped:
        pass
    return requests, skipped


def _client(record: Any) -> tuple[str, str]:
    """Return the IP address and the user of a request."""
    if isinstance(record, str):
        client = _CLF_CLIENT.match(record)
        return _named(client[1], client[2]) if client else ("", "")
    fields = {str(name).lower(): value for name, value in record.items()}
    return _named(_first(fields, _IP_NAMES), _first(fields, _USER_NAMES))


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
