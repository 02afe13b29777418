"""Describe the traffic in a log by a mean rate and a burst; lines that cannot be read are skipped."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from hook_widgets._access_logs.log_clients import RecordFields
from hook_widgets._access_logs.log_columns import Choice
from hook_widgets._access_logs.log_forms import recognize
from hook_widgets._access_logs.log_text import decoded, is_utf_16, split_lines
from hook_widgets._access_logs.log_times import FORMS
from hook_widgets._access_logs.log_zones import unclear_zones
from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit.traffic import access_log
from hook_widgets.ratelimit.units import NS_PER_S

_STRETCHES_S: Final = (1, 2, 5, 10, 20, 30, 60)  # in which a burst is looked for

_MAX_LINE: Final = 20_000  # characters; a longer line is skipped
_MAX_TRIED: Final = 200  # lines at the beginning, of which one must be readable
_TIME_BUDGET_S: Final = 20.0
_LINES_BETWEEN_CHECKS: Final = 2_000

Request = tuple[int, str, str, str]
"""Time in nanoseconds, IP address, user and status of a request; empty where the line does not say one."""


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
        statuses: number of requests of each status, as text, such as ``"429"``.
        whole_seconds: True if all times are whole seconds.
        whole_minutes: True if the times end with the minutes; requests are then spread over each minute.
        zones: names of time zones that count as UTC, because they have several offsets (IST) or none.
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
    statuses: Counter[str]
    whole_seconds: bool
    whole_minutes: bool = False
    zones: tuple[str, ...] = ()

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
    requests, skipped, minutes = _read(text, time.monotonic() + budget_s, budget_s)
    requests.sort()
    first, stop = access_log.of_one_kind([time_ns for time_ns, _, _, _ in requests])
    skipped, requests = skipped + len(requests) - (stop - first), requests[first:stop]
    if len(requests) < 2:
        if b"\0" in data:
            raise InvalidArrivals("the file is not text; load an access log, CSV or JSON lines")
        raise InvalidArrivals(
            f"there are no two lines with a time; tried {FORMS}; load an access log, a CSV file with a "
            "header, or JSON lines"
        )
    times: Sequence[int] = [time_ns for time_ns, _, _, _ in requests]
    if minutes:
        times = access_log.spread_seconds(times, "even", unit_ns=access_log.MINUTE_NS)
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
        ips=Counter(ip for _, ip, _, _ in requests if ip),
        users=Counter(user for _, _, user, _ in requests if user),
        statuses=Counter(status for _, _, _, status in requests if status),
        whole_seconds=not any(time_ns % NS_PER_S for time_ns in times),
        whole_minutes=minutes,
        zones=unclear_zones(text),
    )


def _text_of(data: bytes) -> str:
    if is_utf_16(data):
        raise InvalidArrivals("the file is UTF-16; save the log as UTF-8")
    return decoded(data)


class _Stopped(Exception):
    """The beginning of the file is no log."""


def _read(text: str, ends: float, budget_s: float) -> tuple[list[Request], int, bool]:
    """Return the requests, the number of lines that cannot be read, and True for times without seconds."""
    lines = split_lines(text)
    short = [line for line in lines if len(line[1]) <= _MAX_LINE]
    requests, skipped, number, fields = list[Request](), len(lines) - len(short), 0, RecordFields()
    form = None

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
            requests.append((time_ns - span_ns, *fields.client(record), fields.status(record)))
            check()
    except _Stopped:
        pass
    return requests, skipped, form is not None and form.minutes


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
    starts: deque[tuple[int, int]] = deque()  # excess times the span, and second; rising
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
