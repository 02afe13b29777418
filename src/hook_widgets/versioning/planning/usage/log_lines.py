"""Read the lines of an access log: in common or combined format, as JSON objects, or in any other form.

A log is written by strangers: whatever a client sent is in it. So every expression here takes linear time,
and the length of a line is limited.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, Final

from hook_widgets._access_logs.log_clients import RecordFields
from hook_widgets._access_logs.log_columns import Choice
from hook_widgets._access_logs.log_forms import HEAD, recognize
from hook_widgets._access_logs.log_requests import request_of
from hook_widgets._access_logs.log_rows import ignore
from hook_widgets._access_logs.log_times import CALENDAR_NS
from hook_widgets.errors import InvalidArrivals
from hook_widgets.versioning.dates.months import MONTHS
from hook_widgets.versioning.planning.usage.version_names import is_version_header

MAX_LINE: Final = 16_384
"""Longer lines are not read; servers limit a request line to about half of it."""

_MONTHS: Final = {name[:3]: f"{number:02}" for number, name in enumerate(MONTHS, 1)}
_QUOTED: Final = r'"((?>[^"\\]++|\\.)*+)"'
# What syslog writes before a line (RFC 3164 section 4.1, or with a time of RFC 3339), docker compose, and
# Kubernetes.
_PREFIX: Final = re.compile(
    r"(?:<\d{1,3}>)?(?:[A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2}|\d{4}-\d{2}-\d{2}T\S{8,30}) \S++ [^\s:]++: "
    r"|\S++ ++\| |\d{4}-\d{2}-\d{2}T\S{8,30} (?:std(?:out|err) F )?(?=\{|\S++ \S++ [^\[]*+\[\d)"
)
# The virtual host of Apache's vhost_combined is skipped. A user may contain spaces.
_LINE: Final = re.compile(
    r"(?:[^\s:]++:[0-9]++ )?(\S++) \S++ ([^\[]*+)\[(\d{2})/([A-Z][a-z]{2})/(\d{4}):(\d{2}:\d{2}:\d{2}) "
    rf"([+-]\d{{4}})\] {_QUOTED}(?: \S++ \S++(?: {_QUOTED} {_QUOTED})?)?"
)
_ESCAPED: Final = re.compile(r'\\(?:x([0-9A-Fa-f]{2})|(["\\]))')
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_METHOD: Final = re.compile(r"[A-Z]{1,20}")
_CALENDAR_S: Final = 10**8  # a number is a date in seconds from here on (March 1973)
_MILLISECONDS_S: Final = 10**11  # and one in milliseconds from here on

# Names of members in lower case, as nginx, Caddy, Traefik, Envoy and cloud load balancers write them.
_TIMES: Final = (
    "time",
    "timestamp",
    "@timestamp",
    "ts",
    "time_iso8601",
    "time_local",
    "starttime",
    "start_time",
)
_CLIENTS: Final = (
    "client_ip",
    "clientip",
    "remote_addr",
    "remote_ip",
    "clienthost",
    "client",
    "ip",
    "remote_host",
)
_USERS: Final = ("remote_user", "user_id", "clientusername", "user")
_TARGETS: Final = ("request_uri", "uri", "requestpath", "path", "url", "target")
_METHODS: Final = ("request_method", "method", "requestmethod")
_AGENTS: Final = ("http_user_agent", "user_agent", "request_user-agent", "useragent", "user-agent", "agent")
# What logs write before the name of a request's header.
_OF_HEADER: Final = re.compile(r"(?:(?:http|request|req)[_.-])?(?:headers?[_.-])?")


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedRequest:
    """A request, as far as a line of a log has it.

    Attributes:
        time: time of the request.
        client: address of the client.
        user: name of the user; empty if the log has none.
        agent: user agent; empty if the log has none.
        target: path and query.
        headers: ``Accept`` and those that name versions, in lower case, if the log has them.
    """

    time: datetime
    client: str
    user: str
    agent: str
    target: str
    headers: tuple[tuple[str, str], ...] = ()


class UnreadableLine(ValueError):
    """A line that is no request; the message says why."""


def read_line(line: str, header: str = "") -> LoggedRequest:
    """Read a line of a log.

    Args:
        line: the line.
        header: name of a header that names versions, in lower case, beside the usual ones.

    Raises:
        UnreadableLine: the line is no request in a known format.

    >>> line = '203.0.113.9 - ann [21/Nov/2026:09:30:00 +0100] "GET /api/v1/ HTTP/1.1" 200 12 "-" "curl/8.5"'
    >>> request = read_line(line)
    >>> request.client, request.user, request.target, request.agent, request.time.hour
    ('203.0.113.9', 'ann', '/api/v1/', 'curl/8.5', 9)
    """
    if len(line) > MAX_LINE:
        raise UnreadableLine(f"longer than {MAX_LINE:,} characters")
    prefix = _PREFIX.match(line)
    line = line[prefix.end() :] if prefix else line
    return _from_json(line, header) if line.startswith("{") else _from_text(line)


def read_others(lines: Sequence[tuple[int, str]]) -> Iterator[tuple[int, LoggedRequest | str]]:
    """Yield the requests in lines of other forms, such as of HAProxy, Envoy and load balancers.

    For a line that is no request, the reason is yielded instead, and an empty text for the names of columns.

    A time without a zone is in UTC.

    >>> line = '[2026-11-21T09:30:00.000Z] "GET /api/v1/ HTTP/2" 200 - 0 1 2 1 "203.0.113.9" "curl/8.5"'
    >>> [(number, request.client, request.agent) for number, request in read_others([(1, line)])]
    [(1, '203.0.113.9', 'curl/8.5')]
    >>> list(read_others([(1, '[21/Nov/2026 09:30:00] "GET /api/v1/ HTTP/1.1" 200 12')]))
    [(1, 'the line has no client')]
    """
    if not lines:
        return
    try:
        form = recognize(lines[:HEAD], Choice())
    except InvalidArrivals:
        return
    if form.column and "{" not in lines[0][1]:
        yield lines[0][0], ""  # the names of the columns
    fields = RecordFields()
    for number, time_ns, span_ns, record in form.rows(lines, ignore):
        with suppress(OverflowError):
            target, agent = request_of(record, fields)
            client, user = fields.client(record)
            if not target or not client or time_ns < CALENDAR_NS:
                missing = "request" if not target else "client" if not client else "date"
                yield number, f"the line has no {missing}"
                continue
            time = _EPOCH + timedelta(microseconds=(time_ns - span_ns) // 1000)
            agent = _unescaped(agent) if isinstance(record, str) else agent
            yield number, LoggedRequest(time=time, client=client, user=user, agent=agent, target=target)


def _from_text(line: str) -> LoggedRequest:
    match = _LINE.match(line)
    if match is None:
        raise UnreadableLine("neither common or combined log format nor a JSON object")
    client, user, day, month, year, clock, zone, request, _, agent = match.groups()
    if client[-1] == "," or " - " in f" {user.strip()}":  # several addresses, or a host before the client
        client, user = RecordFields().client(line)
    time = _moment(f"{year}-{_MONTHS.get(month, '')}-{day}T{clock}{zone}")
    return LoggedRequest(
        time=time,
        client=client,
        user=_text(user.strip()),
        agent=_text(_unescaped(agent or "")),
        target=_target_of(_unescaped(request)),
    )


def _from_json(line: str, header: str) -> LoggedRequest:
    try:
        record: Any = json.loads(line)
    except (ValueError, RecursionError):
        raise UnreadableLine("not a JSON object") from None
    members = {name.lower(): value for name, value in record.items()}
    request = members.get("request")
    if isinstance(request, dict):  # Caddy
        members |= {name.lower(): value for name, value in request.items()}
    headers = members.get("headers")
    lower = {name.lower(): value for name, value in headers.items()} if isinstance(headers, dict) else {}
    members |= {name: lower[name] for name in _AGENTS if name in lower}
    target = _first(members, _TARGETS)
    if isinstance(request, str) and request:
        target = _target_of(request)
    elif not target or not _METHOD.fullmatch(_first(members, _METHODS) or "GET"):
        raise UnreadableLine("no request: no member such as request, request_uri or uri")
    client = _first(members, _CLIENTS)
    if not client:
        raise UnreadableLine("no client: no member such as remote_addr or client_ip")
    return LoggedRequest(
        time=_json_time(next((members[name] for name in _TIMES if members.get(name)), None)),
        client=client.partition(",")[0],
        user=_text(_first(members, _USERS)),
        agent=_text(_first(members, _AGENTS)),
        target=target,
        headers=tuple(_version_headers(members | lower, header)),
    )


def _version_headers(members: Mapping[str, Any], header: str) -> Iterator[tuple[str, str]]:
    """Yield the headers that can name a version."""
    for member in members:
        name = _header_name(member)
        is_read = name == "accept" or is_version_header(name, header)
        if is_read and _text(value := _first(members, (member,))):
            yield name, value


@lru_cache(maxsize=1024)  # all lines have the same members
def _header_name(member: str) -> str:
    return _OF_HEADER.sub("", member, count=1).replace("_", "-")


def _first(members: Mapping[str, Any], names: tuple[str, ...]) -> str:
    """Return the first member that is a text, or a list of one."""
    for name in names:
        value = members.get(name)
        if isinstance(value, list) and value:
            value = value[0]
        if isinstance(value, str) and value:
            return value
    return ""


def _target_of(request: str) -> str:
    """Return the target of a request line."""
    parts = request.split(" ")
    if len(parts) not in (2, 3) or not _METHOD.fullmatch(parts[0]) or not parts[1]:
        raise UnreadableLine("the request line is not METHOD TARGET VERSION")
    return parts[1]


def _json_time(value: object) -> datetime:
    if isinstance(value, str) and not value.replace(".", "", 1).isdecimal():
        local = re.fullmatch(r"(\d{2})/([A-Z][a-z]{2})/(\d{4}):(\S{8}) ([+-]\d{4})", value)
        if local and local[2] in _MONTHS:
            return _moment(f"{local[3]}-{_MONTHS[local[2]]}-{local[1]}T{local[4]}{local[5]}")
        return _moment(value)
    try:
        seconds = float(value) if isinstance(value, str | int | float) else 0.0
        if seconds >= _MILLISECONDS_S:
            seconds /= 1000
        if seconds < _CALENDAR_S:
            raise UnreadableLine("no time: no member such as time or timestamp with a date")
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, OSError, ValueError) as error:
        if isinstance(error, UnreadableLine):
            raise
        raise UnreadableLine("the time is not a date") from None


def _moment(iso: str) -> datetime:
    try:
        moment = datetime.fromisoformat(iso)
    except ValueError:
        raise UnreadableLine("the time is not a date") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)) if match[1] else match[2], text)


def _text(value: str) -> str:
    """Return a field's text; empty for the dash of an absent one."""
    return "" if value == "-" else value
