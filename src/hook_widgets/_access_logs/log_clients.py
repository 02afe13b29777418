"""Find client, status and method of the requests in a log."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from ipaddress import ip_address
from itertools import chain, islice
from typing import Any, Final

from hook_widgets._access_logs.log_columns import (
    BY_CLIENTS,
    STATUS_NAMES,
    flat,
    is_written,
    lookup,
    plain_name,
)
from hook_widgets._access_logs.log_forms import read_json
from hook_widgets._access_logs.log_own import CLF_TIME, first_own, own

_MAX_KEYS: Final = 200
_MAX_TRIED: Final = 20
_LOGGER: Final = re.compile(r"[A-Z]{4,8}:[\w.]{1,60}:")  # by default in Python
_CLF_CLIENT: Final = re.compile(
    rf'(?:{_LOGGER.pattern})?\s*((?!\[?\d{{4}}[-/]|\[\d\d/)[^\s"]{{1,200}}) [^\s"]{{1,200}} '
    r'([^\s"]{1,200}) \['
)
_CLF_NAMES: Final = re.compile(r'([\d.:A-Fa-f]{3,45}) - ([^"\[]{1,200}) \[\d{2}/')  # with blanks in a name
# Maybe of several addresses, as of X-Forwarded-For.
_CLF_LATER: Final = re.compile(
    r'(?<!\S)((?!- |\()(?:[\d.:A-Fa-f]{3,45}+, ){0,9}+[^\s"]{1,200}+) - ([^\s"]{1,200}) \[\d{2}/'
)
_IP: Final = r"((?:\d{1,3}\.){3}\d{1,3}|\[?[0-9A-Fa-f:]{2,40}(?:\d{1,3}\.){0,3}\d{0,3}\]?)(?::\d{1,5})?"
_ADDRESS: Final = re.compile(_IP)
_LABELLED_IP: Final = re.compile(
    r"(?:\b[Cc]lient(?:_?ip|_addr)?(?:[:=]? ?|=\")|(?<=\t)ClientIP=|(?<=,)src_ip=|(?<= )c-ip=|"
    r"^time=\"[^\"]{5,40}\" level=[a-z]{1,8} (?:\w{1,40}=\S{0,200} ){0,9}?ClientIP=|"  # Tyk
    r"\bfwd=\"|\bx_forwarded_for:\"|"
    rf"\b(?:remote(?:_?[Aa]ddr|_ip)?|cip)[:=]\"?){_IP}(?![\w.:])"
)
# Elastic Load Balancing: an address of IPv6 has no brackets around it, and behind it is the port.
_BALANCED: Final = re.compile(
    r"(?:[a-z0-9]{2,5} )?\d{4}-\d\d-\d\dT[\d:.]{8,20}Z \S{1,300} ([\dA-Fa-f]{0,4}:[\dA-Fa-f:]{1,39}):\d{1,5} "
)
# IIS without the names of its fields: the address of the server is before the method.
_IIS: Final = re.compile(
    r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (?:\S{1,200} ){1,3}[A-Z]{3,7} /\S{0,4000} \S{1,4000} \d{1,5} \S{1,200} "
    rf"{_IP} \S.{{0,8000}}? ([1-5]\d\d) \d{{1,3}} \d{{1,10}}(?: \d{{1,12}}){{0,3}}\s*$"
)
_HAPROXY_TIME: Final = re.compile(r"\[\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d\.\d{3}\]")
_SQUID: Final = re.compile(rf"\d{{10}}\.\d{{3}}\s+\d{{1,12}} {_IP} ")
# ArcSight's Common Event Format, which escapes an equals sign in a value, and LEEF of QRadar.
_EVENT: Final = re.compile(r'[^"/={[|]{0,300}?\b(?:CEF|LEEF):\d')
_SOURCE: Final = re.compile(rf"(?<=[ |\t^])src={_IP}(?![\w.:])")
_LABELS: Final = (
    "client",
    "[Client ",
    "fwd=",
    "x_forwarded_for:",
    "remote",
    "cip:",
    "ClientIP=",
    "src_ip=",
    "c-ip=",
)
# Gitea, chi and Rails; and Gin, with addresses of IPv6, too.
_FOR: Final = re.compile(rf" (?:for|from) {_IP}(?:(?:,| -) ([1-5]\d\d) | at \d{{4}}-\d\d-\d\d )")
_PIPED: Final = re.compile(rf"\| {{0,40}}{_IP}(?= {{0,40}}\|)")
# Envoy: X-Forwarded-For behind four numbers; with Istio, the remote address is the last but two.
_ENVOY: Final = re.compile(
    r'" \d{1,3} \S+ (?:\S+ \S+ "[^"]*" )?\d{1,18} \d{1,18} (?:\d{1,18}|-) (?:\d{1,18}|-) "([^"]*)" "(.*)'
)
_ISTIO: Final = re.compile(rf'" \S+ \S+ \S+ {_IP} \S+ \S+$')
_IN_TEXT: Final = re.compile(r"(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})(?::\d{1,5})?(?=[\s\])]|,\d|$)")
_SYSLOG_HEAD: Final = re.compile(
    r"(?:(?:\d{1,6} )?<\d{1,3}>)?[A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \S{1,255} "
)
# Of a line inside of JSON or CSV: of docker, CloudWatch, Grafana, Splunk and Datadog.
_TEXT_NAMES: Final = ("log", "message", "msg", "@message", "line", "raw", "content")
_IP_NAMES: Final = (
    "ip", "clientip", "remoteaddr", "remoteip", "client", "host", "cip", "clienthost", "remoteaddress",
    "clientaddr", "clientaddress", "cliip", "sourceips", "sourceip", "srcip", "sourceipaddress", "ipaddress",
    "downstreamremoteaddress", "downstreamremote", "xforwardedfor", "origh", "remotehost",
    "clientipaddress", "requesteripaddress", "calleripaddress", "address", "addr",
)  # fmt: skip
_FORWARDED: Final = "xforwardedfor"  # the last of these names: a client may write it, and a proxy its address
_NO_CLIENTS: Final = {"host", "address", "addr"}  # unless they are addresses of IP
# Keys of an object about another machine, as of the Elastic Common Schema and Kong.
_OTHER_ENDS: Final = {
    "agent", "cloud", "container", "dest", "destination", "host", "kubernetes", "node", "observer", "server",
    "serviceurl", "tries", "upstream",
}  # fmt: skip
# Behind the request of a common log; else behind the timers of HAProxy or an Application Load Balancer, or
# the result of Squid.
_STATUS: Final = re.compile(r'" ([1-5]\d\d)(?=\s|$)')  # a literal first: the search jumps to it
_STATUS_BEHIND_QUOTES: Final = re.compile(r'(?:[^"]*+"(?:[^"\\]++|\\.)*+")+? ([1-5]\d\d)(?=\s|$)')
# The same, and sure: a request behind a blank, its status, and bytes.
_STATUS_OF_COMMON: Final = re.compile(
    r'[^"]*+(?<!=)"[A-Z]{3,7} (?:[^"\\]++|\\.)*+" ([1-5]\d\d) (?:\d{1,18}|-)(?=\s|$)'
)
_STATUS_ELSEWHERE: Final = re.compile(
    r" (?:(?:-?\d{1,9}/){4}\+?\d{1,9} |(?:(?:-1|\d{1,9}\.\d{1,20}) ){3}|[A-Z_]{1,60}/|\(HTTP/\d(?:\.\d)? |"
    r"\| )([1-5]\d\d)(?=[\s)]|$)|\[rsp_st:([1-5]\d\d)\]"
)
# Of the servers of PHP and Tornado, Nginx Proxy Manager, Zoraxy, Sanic, ASP.NET, Fastly, CouchDB; of formats
# of nginx and Apache without quotes, with bars or parentheses, or the host behind the request; of morgan.
_STATUS_OF_SERVERS: Final = re.compile(
    r" \[([1-5]\d\d)\]: [A-Z]{3,7} /|\] ([1-5]\d\d) [A-Z]{3,7} /|"
    r"\] (?:(?:[A-Z]{1,12}|-) (?:-|\d{3}) )?([1-5]\d\d) - [A-Z]{3,7} https? |"
    r"\(sanic\.access\)\[[A-Z]{1,9}\]\[[^\]]{0,60}\]: [A-Z]{3,7} \S{1,2000}  ([1-5]\d\d) |"
    r"\bRequest finished HTTP/\S{1,5} [A-Z]{3,7} \S{1,2000} (?:- ){1,3}([1-5]\d\d) |"
    r"\bRequest finished in \d{1,9}(?:\.\d{1,20})?ms ([1-5]\d\d)(?=\s|$)|"
    r"\n\s{1,20}StatusCode: ([1-5]\d\d)(?=\n|$)|"
    r"[ |\t][A-Z]{3,7} \S{1,2000} HTTP/\d(?:\.\d)?[ |\t]([1-5]\d\d)[ |\t](?:\d|-)|^\(([1-5]\d\d)\) \||"
    r"\bSTATUS: ([1-5]\d\d)(?=\s)|(?<=\") \(([1-5]\d\d)\)(?=\s)|"
    r"(?<=\") (?:-|[A-Z]{3,11}) ([1-5]\d\d) \d{1,9}\.\d{3}(?=\s)|"
    r"(?<=\") [^\s\"\d]\S{0,252} ([1-5]\d\d) (?:\d{1,18}|-) \"|"
    r"(?<=[\"\]]) [A-Z]{3,7} /\S{0,2000} ([1-5]\d\d)$|"
    r"(?<!\S)[A-Z]{3,7} /\S{0,2000} ([1-5]\d\d) (?:\d{1,9}\.\d{3} ms - (?:\d|-)|[a-z]{2,10} \d{1,12}$)"
)
_OF_SERVERS: Final = ("]", '" ', "Request finished ", " HTTP/", " ms - ")
# Serilog decodes the path of a request, in which there may then be anything; but it is before the status.
_STATUS_AT_END: Final = re.compile(r" responded ([1-5]\d\d) in \d{1,9}(?:\.\d{1,9})? ms$")
_LABELLED_STATUS: Final = re.compile(
    r"tatus(?:(?<=[ \t,]status)|(?<=[ \t,]http_status)|(?<=[ \t]httpStatus)|(?<=[ \t]Status)|"
    r"(?<=[ \t]sc-status)|(?<=[ \t]http\.response\.status))(?:_?[Cc]ode)?[=:]\"?([1-5]\d\d)(?=[\s\",;]|$)"
)
# A whole line in which this and the form of a client above are known to match: what is before the time, and
# the status. It has no backslash, no status with a name, and not the time at the end that Serilog writes.
_COMMON: Final = re.compile(
    r'^([^ ]*+ [^ ]*+ [^ ]*+ \[)[^"]*+(?<!=)"[A-Z]{3,7} [^"]*+" ([1-5]\d\d) (?:\d{1,18}|-)(?=\s|$)'
    r".*(?<! ms)$",
    re.MULTILINE,
)
_CODE: Final = re.compile(r"[1-5]\d\d")
HTTP_METHOD: Final = re.compile(r"(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)(?= /|\Z)")
"""The begin of a request line, or a method alone."""
_METHOD: Final = re.compile(r"[A-Z]{1,20}(?= |\Z)")
_METHOD_NAMES: Final = (
    "requestmethod", "method", "httpmethod", "csmethod", "clientrequestmethod", "reqmethod", "meth",
    "verb",
    "request", "httprequest", "requestline", "req",
)  # fmt: skip
_USER_NAMES: Final = ("user", "userid", "username", "remoteuser", "csusername")


COMMON_FIELDS: Final = ("ip", "user", "status")
"""Names of the fields that `common_fields` returns."""


def common_fields(lines: Sequence[str], clients: dict[str, Any]) -> tuple[Sequence[str], ...] | None:
    """Return IP address, user and status of each line as `RecordFields` does, in a fifth of the time.

    Args:
        lines: lines of text.
        clients: keeps the clients of former calls.

    Returns:
        A sequence for each; None unless all lines have the common form.
    """
    text = "\n".join(lines)
    labelled = "status" in text and _LABELLED_STATUS.search(text)
    if labelled or "\\" in text or text.count("\n") >= len(lines):
        return None
    parts = _COMMON.findall(text)
    if len(parts) < len(lines):
        return None
    heads, statuses = zip(*parts, strict=True)
    for head in set(heads).difference(clients):
        clf = _CLF_CLIENT.match(head)
        clients[head] = clf and _named(clf[1], clf[2])
    people = list(map(clients.__getitem__, heads))
    return None if None in people else (*zip(*people, strict=True), statuses)


class RecordFields:
    """Find client, status and method of each record. Their keys are looked for once for each form."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], tuple[str, str, str, str, str]] = {}
        self._tried = Counter[tuple[str, ...]]()

    def client(self, record: Any) -> tuple[str, str]:
        """Return the IP address and the user of a request."""
        if isinstance(record, str):
            if clf := _CLF_CLIENT.match(record):
                return _named(clf[1], clf[2])
            if logger := _LOGGER.match(record):
                record = record[logger.end() :]
            inner = behind_tab(record) if "\t{" in record else None
            return self.client(inner) if inner else _client_of_text(record)
        ip_path, user_path, text_path, _, _ = self._paths_of(record)
        ip, user = (_text(lookup(record, path)) if path else "" for path in (ip_path, user_path))
        if text_path and not ip and not user:
            return self.client(_inner(record, text_path))
        return _ip(_first_of(ip)) or _first_of(ip), user

    def status(self, record: Any) -> str:
        """Return the status of the response, three digits; an empty text if there is none."""
        if not isinstance(record, str):
            _, _, text_path, status_path, _ = self._paths_of(record)
            value = lookup(record, status_path) if status_path else ""
            if type(value) is int and 100 <= value < 600:
                return str(value)
            status = _text(value)
            if _CODE.fullmatch(status):
                return status
            return self.status(_inner(record, text_path)) if text_path else ""
        at_end = _STATUS_AT_END.search(record) if record.endswith(" ms") else None
        if not at_end and "status" not in record and (common := _STATUS_OF_COMMON.match(record)):
            return common[1]
        if served := _of_iis(record):
            return served[2]
        match = (
            at_end
            or _labelled_status(record)
            or _status_behind_quotes(record)
            or first_own(_STATUS_ELSEWHERE, record)
            or (_may_be_of_server(record) and first_own(_STATUS_OF_SERVERS, record))
        )
        if match:
            return next(filter(None, match.groups()), "")
        if (" for " in record or " from " in record) and (served := first_own(_FOR, record)):
            return served[2] or ""
        inner = record.replace('"\t', '" ') if '"\t' in record else behind_tab(record)
        return self.status(inner) if inner else ""

    def method(self, record: Mapping[str, Any]) -> str:
        """Return the method of a request in a record; an empty text if no key has it."""
        path = self._paths_of(record)[4]
        match = _METHOD.match(_text(lookup(record, path))) if path else None
        return match[0] if match else ""

    def inner(self, record: Mapping[str, Any]) -> Any:
        """Return the line inside of a record, or the record inside; an empty text if there is none."""
        text_path = self._paths_of(record)[2]
        return _inner(record, text_path) if text_path else ""

    def _paths_of(self, record: Mapping[str, Any]) -> tuple[str, str, str, str, str]:
        keys = tuple(record)
        paths = self._known.get(keys)
        if paths is None or not ((paths[0] and paths[3]) or self._tried[keys] >= _MAX_TRIED):
            self._tried[keys] += 1  # the first record with these keys may be one without client or status
            known, paths = paths, _paths(record)
            if known and known[3]:
                paths = (paths[0], *known[1:])
            if len(self._known) < _MAX_KEYS:
                self._known[keys] = paths
        return paths


def _paths(record: Mapping[str, Any]) -> tuple[str, str, str, str, str]:
    """Return the paths of IP address, user, a line inside of JSON, status and method; empty without one."""
    paths: dict[str, str] = {}
    values = {str(name): value for name, value in record.items() if isinstance(value, list)}
    for path, value in chain(islice(flat(record), _MAX_KEYS), values.items()):
        if is_written(path) and plain_name(path) != _FORWARDED:
            continue
        if "." not in path or (_text(value) and _OTHER_ENDS.isdisjoint(path.lower().split(".")[:-1])):
            name = plain_name(path)
            paths[name] = path if "." not in path else paths.get(name, path)
    ips = [paths[name] for name in _IP_NAMES if name in paths]
    address = next((path for path in ips if _ip(_first_of(_text(lookup(record, path))))), "")
    nameless = is_nameless(record)
    if not address and nameless:
        address = next((name for name, value in record.items() if _ip(_text(value))), "")
    if not address:
        address = next((path for path in ips if "." not in path and plain_name(path) not in _NO_CLIENTS), "")
    text = next((paths[name] for name in _TEXT_NAMES if name in paths), "")
    if not text:
        others = (path for name, path in paths.items() if not BY_CLIENTS.search(name))
        text = next((path for path in others if _CLF_CLIENT.match(_text(lookup(record, path)))), "")
    codes = [path for name, path in paths.items() if name in STATUS_NAMES]
    codes += [paths["code"]] if "code" in paths else []  # Vegeta
    methods = [paths[name] for name in _METHOD_NAMES if name in paths]
    if nameless:
        codes = [path for path in record if _CODE.fullmatch(_text(record[path]))]
        codes = codes if len(codes) == 1 else []  # else one may be a number of bytes
        methods = [path for path in record if HTTP_METHOD.match(_text(record[path]))]
    return (
        address,
        next((paths[name] for name in _USER_NAMES if name in paths), ""),
        text,
        next((path for path in codes if _CODE.fullmatch(_text(lookup(record, path)))), ""),
        next((path for path in methods if _METHOD.match(_text(lookup(record, path)))), ""),
    )


def is_nameless(record: Mapping[str, Any]) -> bool:
    """Return True for a row of columns without names."""
    return all(map(str.isdecimal, record))


def _inner(record: Mapping[str, Any], path: str) -> Any:
    """Return the line inside of a record, which may be a record itself (Docker)."""
    text = lookup(record, path)
    inner = read_json(text) if isinstance(text, str) and text.startswith("{") else None
    return inner if isinstance(inner, dict) and path not in inner else _text(text)


def behind_tab(line: str) -> dict[str, Any] | None:
    """Return the JSON of Caddy's console, behind a tab, which no client can write into an address."""
    _, tab, text = line.partition("\t{")
    inner = read_json("{" + text) if tab and text.endswith("}") else None
    return inner if isinstance(inner, dict) else None


def _text(value: Any) -> str:
    """Return a value as a text: the first one of a list, and none of ``-``."""
    if isinstance(value, list) and value:
        value = value[0]
    return str(value)[:2_000] if isinstance(value, (str, int)) and value != "-" else ""


def _client_of_text(line: str) -> tuple[str, str]:
    """Return the client behind the beginning of a line, else the address that is marked, or the first."""
    clf = _CLF_NAMES.match(line)
    if clf is None and (ip := _before_time(line)):
        return ip, ""
    if clf := clf or (first_own(_CLF_LATER, line) if " - " in line else None):
        return _named(clf[1], clf[2])
    if line[10:11] == "." and (squid := _SQUID.match(line)):
        return _ip(squid[1]), ""
    if served := _of_iis(line):
        return _ip(served[1]), ""
    if "T" in line[10:20] and (balanced := _BALANCED.match(line)):
        return _ip(balanced[1]), ""
    if "EF:" in line and _EVENT.match(line) and (source := first_own(_SOURCE, line)):
        return _ip(source[1]), ""
    labelled = first_own(_LABELLED_IP, line) if any(map(line.__contains__, _LABELS)) else None
    if labelled:
        return _ip(labelled[1]), ""
    named = first_own(_FOR, line) if " for " in line or " from " in line else None
    if named:
        return _ip(named[1]), ""
    if line.startswith(("[", "ACCESS [")) and (envoy := _ENVOY.search(line)):
        remote = None if envoy[1] != "-" else _ISTIO.search(envoy[2])
        return _ip(remote[1] if remote else envoy[1].partition(",")[0].strip()), ""
    end = line.find('"')
    end = end if end >= 0 else len(line)
    piped = (_ip(match[1]) for match in own(_PIPED.finditer(line, 0, end), line)) if "|" in line else ()
    if ip := next(filter(None, piped), ""):
        return ip, ""
    for match in own(_IN_TEXT.finditer(line, 0, end), line) if line.count(".", 0, end) > 2 else ():
        begin = match.start()
        if begin == 0 or line[begin - 1] in " \t[(@":
            head = _SYSLOG_HEAD.match(line)
            if head is None or begin >= head.end():  # before it is the host that wrote the line
                return _ip(match[1]), ""
    return "", ""


def _of_iis(line: str) -> re.Match[str] | None:
    """Return a match of a line that ends with a number, as those of IIS do."""
    return _IIS.match(line) if line[10:11] == " " and line.rstrip()[-1:].isdecimal() else None


def _before_time(line: str) -> str:
    """Return the address with a port before a time in brackets (HAProxy). No name of a user has a colon."""
    at = line.find(" [")
    if at < 0 or not CLF_TIME.match(line, at + 1) or '"' in (before := line[:at]) or "{" in before:
        return ""
    address = before.rpartition(" ")[2]
    host, colon, _ = address.rpartition(":")
    return _ip(host if _HAPROXY_TIME.match(line, at + 1) else address) if colon else ""


def _may_be_of_server(line: str) -> bool:
    """Return False for most lines without a status, much faster than a search for one."""
    return any(map(line.__contains__, _OF_SERVERS))


def _labelled_status(line: str) -> re.Match[str] | None:
    """Return a status with its name, or one of a known form that is before it, or that of a common log."""
    labelled = first_own(_LABELLED_STATUS, line)
    if labelled is None:
        return None
    others = filter(None, (first_own(_STATUS_ELSEWHERE, line), first_own(_STATUS_OF_SERVERS, line)))
    first = min((labelled, *others), key=re.Match.start)
    return _STATUS_OF_COMMON.match(line) or first if first is labelled else first


def _status_behind_quotes(line: str) -> re.Match[str] | None:
    match = _STATUS.search(line)
    if match is None:
        return None
    at = match.start()
    if line.count('"', 0, at) % 2 and line.find("\\", 0, at) < 0:
        return match
    return _STATUS_BEHIND_QUOTES.match(line)  # or the first is an opening quote


@lru_cache(maxsize=4096)
def _ip(text: str) -> str:
    """Return an IP address without its port; an empty text if it is none."""
    match = _ADDRESS.fullmatch(text)
    host = match[1].strip("[]") if match else ""
    try:
        address = ip_address(host) if match else None
    except ValueError:
        head, _, port = host.rpartition(":")  # behind an IPv6 address without brackets
        return _ip(head) if ":" in head and len(port) == 5 and port.isdecimal() else ""
    mapped = getattr(address, "ipv4_mapped", None)  # an IPv4 address as a socket of both kinds writes it
    return str(mapped or address or "")


def _first_of(addresses: str) -> str:
    """Return the first of some addresses with commas between them."""
    return addresses.partition(",")[0].strip()


def _named(ip: str, user: str) -> tuple[str, str]:
    address = (
        (ip.replace(".", "").isdecimal() and ip) or _ip(ip) or (_ip(_first_of(ip)) if "," in ip else "") or ip
    )
    return "" if ip == "-" else address, "" if user == "-" else user
