"""Find method, target and user agent of the requests in a log."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from typing import Any, Final
from urllib.parse import unquote

from hook_widgets._access_logs.log_clients import HTTP_METHOD, RecordFields, behind_tab, is_nameless
from hook_widgets._access_logs.log_columns import flat, is_written, plain_name
from hook_widgets._access_logs.log_own import QUOTED, first_own

_TARGET: Final = r'(?P<target>(?:/|https?://)[^\s"|]*)'
# HAProxy cuts a long line within the target; Apache writes a backslash before a quote, Hypercorn no "HTTP/".
_REQUEST: Final = re.compile(
    r'"(?P<method>[A-Z]{1,20}) '
    r'(?P<target>[/*][^\s"]*+(?:(?<=\\)"(?=\S{0,2000}+ HTTP/)[^\s"]*+)*+|'
    r'[a-z]{2,5}://[^\s"]*+|[^\s"]++(?=  ?HTTP/))'
    r'(?:  ?(?:HTTP/)?[0-9.]{1,3})?(?:"|\Z)'
)
# As Squid, morgan, Tornado and PHP write it; in columns with bars; Gin and Rails, with the target in quotes;
# Nginx Proxy Manager, with scheme and host before it.
_UNQUOTED: Final = re.compile(
    r"(?<![^\s|])(?P<method>GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)(?: https? \S{1,255})?"
    rf'(?: {{1,20}}"?| ?\| ?){_TARGET}'
)
_FIRST_WORD: Final = re.compile(r'"([A-Z]{1,20}|-)[ "]')  # of a request, in which there may be blanks
_LABELLED: Final = re.compile(  # F5 puts commas between its values
    r'(?<![^\s,])(?:path|uri|url|request_uri|RequestURI|request|http_uri|cs-uri-path)="?'
    r'(?P<target>(?:/|https?://)[^\s"|,]*+(?:,(?!http_)[^\s"|,]*+)*+)'
)
_LABELLED_METHOD: Final = re.compile(
    r'(?<![^\s,])(?:[mM]|requestM|requestm|httpM|http_m|cs-m)ethod="?([A-Z]{3,20})(?=[\s",]|\Z)'
)
# A host, the request and its status. What a server cannot read as a request it answers with one of the
# others, and behind it a client may have written a request.
_HOST: Final = re.compile(
    r'"[a-z\d.-]{1,255}(?::\d{1,5})?" (?="[A-Z]{3,20} [^"]{1,8000} HTTP/[\d.]{1,3}" '
    r"(?!400|408|414|431|50[15])[1-5]\d\d )"
)
_REQUEST_LINE: Final = re.compile(r"[A-Z]{1,20} (\S++)(?: HTTP/[0-9.]{1,3})?")
_ADDRESS: Final = re.compile(r"[0-9.]{7,15}|[0-9A-Fa-f:]{2,39}(?:,|\Z)")
_NO_AGENT: Final = ("-", "http://", "https://", "/")
_QUOTED_BEHIND: Final = 4  # texts behind the request, of which one is the user agent
_TIME_END: Final = re.compile(r"(?:[+-]\d{4}|:\d\d(?:[.,]\d{1,9})?|Z)\Z")
_LONGEST_TIME_END: Final = 12

_TARGETS: Final = (
    "requesturi", "uri", "requestpath", "clientrequesturi", "requesturl", "path", "url", "target", "original",
    "full", "rawpath", "csuri", "csuristem", "xenvoyoriginpath", "reqpath", "clientrequestpath", "request",
    "resource",
)  # fmt: skip
_REQUEST_LINES: Final = ("request", "httprequest", "requestline", "req", "message", "shortmessage")
_QUERIES: Final = ("csuriquery", "querystring", "querystr")
_AGENTS: Final = (
    "httpuseragent", "useragent", "requestuseragent", "clientrequestuseragent", "agent",
    "cs(useragent)", "original", "ua",
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
        inner = behind_tab(record) if "\t{" in record else None
        return _of_record(inner) if inner else _of_text(record)
    target, agent = _of_record(record)
    if not target and (inner := fields.inner(record)):
        return request_of(inner, fields)
    return target, agent


def method_of(record: Any, fields: RecordFields) -> str:
    """Return the method of a request; empty where the log does not have it. See `request_of`."""
    if isinstance(record, str):
        inner = behind_tab(record) if "\t{" in record else None
        return method_of(inner, fields) if inner else method_of_text(record)
    inner = None if (method := fields.method(record)) else fields.inner(record)
    return method_of(inner, fields) if inner else method


def method_of_text(line: str) -> str:
    """Return the method of a request in a line of text; empty where the line does not have it."""
    at = line.find('] "')
    # Most times end with a zone.
    zone = at > 4 and line[at - 4 : at].isdigit() and line[at - 5] in "+-"
    is_host = zone and not line[at + 3 : at + 4].isupper()  # no method, or one in small letters
    if begin := at + 2 if zone and not is_host else _behind_time(line):
        first = _FIRST_WORD.match(line, begin)
        return first[1] if first else ""
    request = _request_in(line)
    if request is None or request.re is not _LABELLED:
        return request["method"] if request else ""
    labelled = first_own(_LABELLED_METHOD, line)
    return labelled[1] if labelled else ""


def _behind_time(line: str) -> int:
    """Return where the text in quotes behind a time in brackets begins; 0 if there is none."""
    at = line.find('] "')
    while at >= 0 and not _TIME_END.search(line, max(0, at - _LONGEST_TIME_END), at):
        at = line.find('] "', at + 1)
    return _behind_host(line, at + 2) if at >= 0 else 0


def _behind_host(line: str, at: int) -> int:
    """Return where the request behind a host in quotes begins; the same place if there is none."""
    host = _HOST.match(line, at)
    return host.end() if host else at


def _request_in(line: str) -> re.Match[str] | None:
    """Return a match of the request in a line, with its target."""
    request, behind = _REQUEST.search(line), line.find('] "') + 2
    if request is not None and request.start() == behind:  # as in most
        return request
    if behind > 1 and (request is None or request.start() > behind):
        behind = _behind_time(line)
        if behind and (request is None or request.start() > behind):
            return None  # the server read no request, and a client wrote the one behind it
    if request is None or line[request.start() - 1 : request.start()].strip(" \t|"):  # or within a target
        return first_own(_UNQUOTED, line) or first_own(_LABELLED, line) or request
    return request


def _of_text(line: str) -> tuple[str, str]:
    request = _request_in(line)
    if request is None:
        return "", ""
    target, end = request[request.lastindex or 0], request.end()
    if request.re is not _REQUEST:
        if line[request.start("target") - 1] != '"':
            return target, ""
        end += 1  # behind the quote of a target alone
    behind = (match[0].strip('"') for match in islice(QUOTED.finditer(line, end), _QUOTED_BEHIND))
    agents = (text for text in behind if not text.startswith(_NO_AGENT) and not _ADDRESS.match(text))
    return target, next(agents, "")


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
        names: tuple[str, ...] = _REQUEST_LINES
        if is_nameless(record):  # a path is one of a request if there is a method, too
            names, has_method = tuple(values), any(map(HTTP_METHOD.fullmatch, values.values()))
            target = next((text for text in values.values() if has_method and text.startswith("/")), "")
        lines = (_REQUEST_LINE.fullmatch(values[name]) for name in names if name in values and not target)
        target = target or next((line[1] for line in lines if line), "")
    query = next((values[name] for name in _QUERIES if name in values), "")
    agent = next((values[name] for name in _AGENTS if name in values and values[name] != target), "")
    agent = agent if " " in agent else unquote(agent.replace("+", " "))  # IIS and CloudFront write no blanks
    return f"{target}?{query}" if target and query and "?" not in target else target, agent
