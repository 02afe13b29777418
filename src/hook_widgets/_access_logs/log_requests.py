"""Find target and user agent of the requests in a log."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from typing import Any, Final
from urllib.parse import unquote

from hook_widgets._access_logs.log_clients import RecordFields
from hook_widgets._access_logs.log_columns import flat, is_written, plain_name
from hook_widgets._access_logs.log_own import QUOTED, first_own

_METHOD: Final = r"(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)"
_TARGET: Final = r'((?:/|https?://)[^\s"|]*)'
_REQUEST: Final = re.compile(r'"[A-Z]{1,20} ([^\s"]++)(?: HTTP/[0-9.]{1,3})?"')
# As Squid, morgan, Tornado and PHP write it; in columns with bars; Gin and Rails, with the target in quotes.
_UNQUOTED: Final = re.compile(rf'(?<![^\s|]){_METHOD}(?: {{1,20}}"?| ?\| ?){_TARGET}')
_LABELLED: Final = re.compile(rf'(?<![^\s,])(?:path|uri|url|request_uri)="?{_TARGET}')
_REQUEST_LINE: Final = re.compile(r"[A-Z]{1,20} (\S++)(?: HTTP/[0-9.]{1,3})?")
_ADDRESS: Final = re.compile(r"[0-9.]{7,15}|[0-9A-Fa-f:]{2,39}(?:,|\Z)")
_NO_AGENT: Final = ("-", "http://", "https://", "/")
_QUOTED_BEHIND: Final = 4  # texts behind the request, of which one is the user agent

_TARGETS: Final = (
    "requesturi", "uri", "requestpath", "clientrequesturi", "requesturl", "path", "url", "target", "original",
    "rawpath", "csuri", "csuristem",
)  # fmt: skip
_REQUEST_LINES: Final = ("request", "httprequest", "requestline", "message", "shortmessage")
_QUERIES: Final = ("csuriquery", "querystring")
_AGENTS: Final = (
    "httpuseragent", "useragent", "requestuseragent", "clientrequestuseragent", "agent",
    "cs(useragent)", "original",
)  # fmt: skip
_OTHERS: Final = {"log", "file", "upstream", "response", "kubernetes", "container"}
"""Keys of objects with other paths, as that of the log file."""


def request_of(record: Any, fields: RecordFields) -> tuple[str, str]:
    """Return target and user agent of a request; empty where the log does not have them.

    Args:
        record: a record or line of `hook_widgets._access_logs.log_forms`.
        fields: finds a line inside of a record.
    """
    if isinstance(record, str):
        return _of_text(record)
    target, agent = _of_record(record)
    if not target and (inner := fields.inner(record)):
        return request_of(inner, fields)
    return target, agent


def _of_text(line: str) -> tuple[str, str]:
    request, behind_time = _REQUEST.search(line), line.find('] "') + 2
    if behind_time > 1 and (request is None or request.start() > behind_time):
        return "", ""  # the server read no request, and a client wrote the one behind it
    if request is None or line[request.start() - 1 : request.start()].strip(" \t|"):  # or within a target
        other = first_own(_UNQUOTED, line) or first_own(_LABELLED, line)
        if other is not None:
            return other[1], ""
    if request is None:
        return "", ""
    behind = (match[0].strip('"') for match in islice(QUOTED.finditer(line, request.end()), _QUOTED_BEHIND))
    agents = (text for text in behind if not text.startswith(_NO_AGENT) and not _ADDRESS.match(text))
    return request[1], next(agents, "")


def _of_record(record: Mapping[str, Any]) -> tuple[str, str]:
    values: dict[str, str] = {}
    for path, value in flat(record):
        name = plain_name(path)
        if not isinstance(value, str) or value in ("", "-") or (is_written(path) and name not in _AGENTS):
            continue
        if _OTHERS.isdisjoint(path.lower().split(".")):
            values.setdefault(name, value)
    targets = (values[name] for name in _TARGETS if name in values)
    target = next((text for text in targets if text.startswith(("/", "http://", "https://"))), "")
    if not target:
        lines = (_REQUEST_LINE.fullmatch(values[name]) for name in _REQUEST_LINES if name in values)
        target = next((line[1] for line in lines if line), "")
    query = next((values[name] for name in _QUERIES if name in values), "")
    agent = next((values[name] for name in _AGENTS if name in values and values[name] != target), "")
    agent = agent if " " in agent else unquote(agent.replace("+", " "))  # IIS and CloudFront write no blanks
    return f"{target}?{query}" if target and query and "?" not in target else target, agent
