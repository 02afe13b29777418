"""Describe the traffic in a log by a mean rate and a burst; lines that cannot be read are skipped."""

from __future__ import annotations

import re
import time
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from ipaddress import ip_address
from itertools import chain, islice
from typing import Any, Final

from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit.traffic import access_log
from hook_widgets.ratelimit.traffic.log_columns import STATUS_NAMES, Choice, flat, lookup, plain_name
from hook_widgets.ratelimit.traffic.log_forms import read_json, recognize
from hook_widgets.ratelimit.traffic.log_text import decoded, split_lines
from hook_widgets.ratelimit.traffic.log_times import FORMS
from hook_widgets.ratelimit.traffic.log_zones import unclear_zones
from hook_widgets.ratelimit.units import NS_PER_S

_MAX_KEYS: Final = 200
_STRETCHES_S: Final = (1, 2, 5, 10, 20, 30, 60)  # in which a burst is looked for

_MAX_LINE: Final = 20_000  # characters; a longer line is skipped
_MAX_TRIED: Final = 200  # lines at the beginning, of which one must be readable
_TIME_BUDGET_S: Final = 20.0
_LINES_BETWEEN_CHECKS: Final = 2_000
_CLF_CLIENT: Final = re.compile(r"\s*((?!\[\d{4}-)\S{1,200}) \S{1,200} (\S{1,200}) \[")
_CLF_LATER: Final = re.compile(r"(?<!\S)((?!- )\S{1,200}) - (\S{1,200}) \[\d{2}/")
_IP: Final = r"((?:\d{1,3}\.){3}\d{1,3}|\[?[0-9A-Fa-f:]{2,40}(?:\d{1,3}\.){0,3}\d{0,3}\]?)(?::\d{1,5})?"
_ADDRESS: Final = re.compile(_IP)
_LABELLED_IP: Final = re.compile(rf"(?:\bclient[:=]? ?|\bfwd=\"){_IP}(?![\w.:])")
_IN_TEXT: Final = re.compile(r"(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})(?::\d{1,5})?(?=[\s\])])")
_QUOTED_IP: Final = re.compile(rf'"{_IP}(?:,[^"]{{0,200}})?"')
_SYSLOG_HEAD: Final = re.compile(r"(?:<\d{1,3}>)?[A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \S{1,255} ")
_TEXT_NAMES: Final = ("log", "message", "msg")  # of a line inside of JSON, such as of docker
_IP_NAMES: Final = (
    "ip", "clientip", "remoteaddr", "remoteip", "client", "host", "cip", "clienthost", "remoteaddress",
    "clientaddr", "clientaddress", "cliip", "sourceips", "sourceip", "srcip", "sourceipaddress", "ipaddress",
    "downstreamremoteaddress", "xforwardedfor", "origh",
)  # fmt: skip
# Behind the request of a common log; else behind the timers of HAProxy or an Application Load Balancer, or
# the result of Squid.
_STATUS: Final = re.compile(r'" (?<!\\" )([1-5]\d\d)(?=\s|$)')  # a literal first: the search jumps to it
_STATUS_ELSEWHERE: Final = re.compile(
    r" (?:(?:-?\d{1,9}/){4}\+?\d{1,9} |(?:(?:-1|\d{1,9}\.\d{1,9}) ){3}|[A-Z_]{1,60}/|\(HTTP/\d(?:\.\d)? |"
    r"(?:http_?)?status(?:_?code)?[=:])([1-5]\d\d)(?=[\s)]|$)"
)
_CODE: Final = re.compile(r"[1-5]\d\d")
_USER_NAMES: Final = ("user", "userid", "username", "remoteuser", "csusername")
_MARKS: Final = {
    b"\x1f\x8b": "the file is compressed (gzip); unpack it first",
    b"\x28\xb5\x2f\xfd": "the file is compressed (zstd); unpack it first",
    b"\xff\xfe": "the file is UTF-16; save the log as UTF-8",
    b"\xfe\xff": "the file is UTF-16; save the log as UTF-8",
}

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
    times = tuple(time_ns for time_ns, _, _, _ in requests)
    if minutes:
        times, _, _ = access_log.spread_seconds(times, "even", unit_ns=access_log.MINUTE_NS)
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
    for mark, problem in _MARKS.items():
        if data.startswith(mark):
            raise InvalidArrivals(problem)
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


class RecordFields:
    """Find client and status of each record. The keys are looked for once in records of the same form."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], tuple[str, str, str, str]] = {}

    def client(self, record: Any) -> tuple[str, str]:
        """Return the IP address and the user of a request."""
        if isinstance(record, str):
            return _client_of_text(record)
        ip_path, user_path, text_path, _ = self._paths_of(record)
        ip, user = (_text(lookup(record, path)) if path else "" for path in (ip_path, user_path))
        if text_path and not ip and not user:
            return self.client(_inner(record, text_path))
        ip = ip.partition(",")[0].strip()
        return _ip(ip) or ip, user

    def status(self, record: Any) -> str:
        """Return the status of the response, three digits; an empty text if there is none."""
        if not isinstance(record, str):
            _, _, text_path, status_path = self._paths_of(record)
            status = _text(lookup(record, status_path)) if status_path else ""
            if _CODE.fullmatch(status):
                return status
            return self.status(_inner(record, text_path)) if text_path else ""
        match = _STATUS.search(record) or _STATUS_ELSEWHERE.search(record)
        return match[1] if match else ""

    def _paths_of(self, record: Mapping[str, Any]) -> tuple[str, str, str, str]:
        keys = tuple(record)
        paths = self._known.get(keys)
        if paths is None:
            paths = _paths(record)
            if len(self._known) < _MAX_KEYS:
                self._known[keys] = paths
        return paths


def _paths(record: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """Return the paths of IP address, user, a line inside of JSON, and status; empty without one."""
    paths: dict[str, str] = {}
    values = {str(name): value for name, value in record.items() if isinstance(value, list)}
    for path, value in chain(islice(flat(record), _MAX_KEYS), values.items()):
        if "." not in path or _text(value):
            name = plain_name(path)
            paths[name] = path if "." not in path else paths.get(name, path)
    ips = [paths[name] for name in _IP_NAMES if name in paths]
    address = next((path for path in ips if _ip(_text(lookup(record, path)))), "")
    if not address:
        address = next((path for path in ips if "." not in path), "")
    codes = [path for name, path in paths.items() if name in STATUS_NAMES]
    return (
        address,
        next((paths[name] for name in _USER_NAMES if name in paths), ""),
        next((paths[name] for name in _TEXT_NAMES if name in paths), ""),
        next((path for path in codes if _CODE.fullmatch(_text(lookup(record, path)))), ""),
    )


def _inner(record: Mapping[str, Any], path: str) -> Any:
    """Return the line inside of a record, which may be a record itself (Docker)."""
    text = lookup(record, path)
    inner = read_json(text) if isinstance(text, str) and text.startswith("{") else None
    return inner if isinstance(inner, dict) and path not in inner else _text(text)


def _text(value: Any) -> str:
    """Return a value as a text: the first one of a list, and none of ``-``."""
    if isinstance(value, list) and value:
        value = value[0]
    return str(value)[:2_000] if isinstance(value, (str, int)) and value != "-" else ""


def _client_of_text(line: str) -> tuple[str, str]:
    """Return the client before the time of a common log, else the address that is marked, or the first."""
    clf = _CLF_CLIENT.match(line) or (_CLF_LATER.search(line) if " - " in line else None)
    if clf:
        return _named(clf[1], clf[2])
    labelled = _LABELLED_IP.search(line) if "client" in line or "fwd=" in line else None
    if labelled:
        return _ip(labelled[1]), ""
    end = line.find('"')
    end = end if end >= 0 else len(line)
    for match in _IN_TEXT.finditer(line, 0, end) if line.count(".", 0, end) > 2 else ():
        begin = match.start()
        if begin == 0 or line[begin - 1] in " \t[(@":
            head = _SYSLOG_HEAD.match(line)
            if head is None or begin >= head.end():  # before it is the host that wrote the line
                return _ip(match[1]), ""
    quoted = _QUOTED_IP.search(line, end)  # X-Forwarded-For of Envoy
    return _ip(quoted[1]) if quoted else "", ""


@lru_cache(maxsize=4096)
def _ip(text: str) -> str:
    """Return an IP address without its port; an empty text if it is none."""
    match = _ADDRESS.fullmatch(text)
    try:
        return str(ip_address(match[1].strip("[]"))) if match else ""
    except ValueError:
        return ""


def _named(ip: str, user: str) -> tuple[str, str]:
    return "" if ip == "-" else _ip(ip) or ip, "" if user == "-" else user


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
