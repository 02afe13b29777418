"""Nothing that a client writes is read as the time, duration, client, user or status of a request."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any, cast

import pytest

from hook_widgets._access_logs.log_own import own
from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit import Arrivals, Chunk
from hook_widgets.ratelimit.traffic.logged import describe_log
from tests.support.work import grows_linearly

# {0} is the second, {1} what a client writes: without blanks in addresses, with blanks in quotes.
ADDRESSES = {
    "common log": '192.0.2.7 - - [10/Oct/2026:13:55:{0} +0000] "GET /{1} HTTP/1.1" 404 9 "-" "curl" rt=0.500',
    "no status": '192.0.2.7 - - [10/Oct/2026:13:55:{0} +0000] "GET /{1} HTTP/1.1" - 9 "-" "curl"',
    "no quotes": "[10/Oct/2026:13:55:{0} +0000] 192.0.2.7 GET /{1} 404 9",
    "milliseconds": "2026-10-10T13:55:{0}Z INFO 192.0.2.7 GET /{1} took 3 ms",
    "logfmt": "time=2026-10-10T13:55:{0}Z method=GET path=/{1} status=404 remote_addr=192.0.2.7",
    "logfmt, address first": "path=/{1} time=2026-10-10T13:55:{0}Z status=404 client_ip=192.0.2.7",
    "lograge": "I, [2026-10-10T13:55:{0}.000000 #7]  INFO -- : method=GET path=/{1} status=404 view=58.33",
    "HAProxy": (
        "192.0.2.7:4001 [10/Oct/2026:13:55:{0}.000] www~ a/n1 0/0/1/12/13 404 5 - - ---- 2/2/0/0/0 0/0 "
        '{{{1}|curl}} "GET / HTTP/1.1"'
    ),
    "Envoy": '[2026-10-10T13:55:{0}.000Z] "GET /{1} HTTP/2" 404 - 0 1 2 1 "192.0.2.7" "c" "x" "a" "10.0.0.9"',
    "Application Load Balancer": (
        "https 2026-10-10T13:55:{0}.186641Z app/lb/50 192.0.2.7:2 10.0.0.1:80 0.086 0.048 0.037 404 200 0 57 "
        '"GET https://{1}:443/{1} HTTP/1.1" "curl" x TLSv1.2 arn:aws:x "Root=1" "{1}" "arn" 1 '
        '2026-10-10T13:55:{0}.100000Z "forward" "-" "-" "10.0.0.1:80" "200" "-" "-"'
    ),
    "Gin": '[GIN] 2026/10/10 - 13:55:{0} | 404 |     123.4µs |     192.0.2.7 | GET      "/{1}"',
    "Squid": "17916405{0}.000 12 192.0.2.7 TCP_MISS/404 4 GET http://{1}/{1} {1} HIER_NONE/- -",
    "Tornado": "[W 261010 13:55:{0}.25 web:2348] 404 GET /{1} (192.0.2.7) 1.23ms",
    "Nginx Proxy Manager": (
        '[10/Oct/2026:13:55:{0} +0000] - 404 404 - GET https {1} "/" [Client 192.0.2.7] [Length 9] "curl" "-"'
    ),
    "Sanic": (
        "[2026-10-10 13:55:{0} +0000] - (sanic.access)[INFO][192.0.2.7:35412]: GET http://{1}/{1}  404 0"
    ),
    "ASP.NET": "2026-10-10 13:55:{0} [INF] Request finished HTTP/1.1 GET http://{1}/{1} - 404 0 - 90.2057ms",
    "PHP": "[Sat Oct 10 13:55:{0} 2026] 192.0.2.7:50227 [404]: GET /{1} - No such file or directory",
    "Amazon S3": (
        "79a5 bucket [10/Oct/2026:13:55:{0} +0000] 192.0.2.7 79a5 3E57 REST.GET.OBJECT {1} "
        '"GET /{1} HTTP/1.1" 404 - 113 - 7 - "-" "curl" -'
    ),
    "Gitea": "2026/10/10 13:55:{0} [I] router: completed GET /{1} for 192.0.2.7:52693, 404 x in 15.9ms @ x",
    "uWSGI": (
        "[pid: 7|app: 0] 192.0.2.7 () {{40 vars in 616 bytes}} [Sat Oct 10 13:55:{0} 2026] GET /{1} => "
        "generated 9 bytes in 2 msecs (HTTP/1.1 404) 2 headers"
    ),
    "Apache's errors": (
        "[Sat Oct 10 13:55:{0}.000000 2026] [core:error] [pid 7] [client 192.0.2.7:4] no file: /{1}"
    ),
    "morgan": "2026-10-10T13:55:{0}Z GET /{1} 404 12.345 ms - 9",
    "bars": "2026-10-10T13:55:{0}+08:00|192.0.2.7|a|GET /{1} HTTP/1.0|404|0.026|{1}|10.0.0.8:80|0.024",
    "commas": "2026-10-10 13:55:{0} method=GET,path=/{1},status=404,remote_addr=192.0.2.7",
    "the host": "[2026-10-10T13:55:{0}Z] || STATUS: 404 || HOST:  {1} || 192.0.2.7 --> 10.0.0.8",
    "LTSV": "time:[10/Oct/2026:13:55:{0} +0000]\thost:192.0.2.7\treq:GET /{1} HTTP/1.1\tstatus:404\tua:{1}",
    "CEF": "2026-10-10T13:55:{0}Z h CEF:0|a|b|1|7|GET|0|request=/{1} src=192.0.2.7 requestMethod=GET",
    "a request without quotes": "[10/Oct/2026:13:55:{0} +0000] 192.0.2.7 GET /{1} HTTP/1.1 404 0 http://{1}/",
}
QUOTES = {
    "user agent": '192.0.2.7 - - [10/Oct/2026:13:55:{0} +0000] "GET /" 404 9 "{1}" "{1}" rt=0.500 x="-"',
    "no status": '192.0.2.7 - - [10/Oct/2026:13:55:{0} +0000] "GET / HTTP/1.1" - 9 "{1}" "{1}"',
    "logfmt": 'time="2026-10-10T13:55:{0}Z" remote=192.0.2.7 path="/{1}" agent="{1}" status=404',
    "Envoy": '[2026-10-10T13:55:{0}.000Z] "GET / HTTP/2" 404 - 0 1 2 1 "192.0.2.7" "{1}" "x" "{1}" "a:80"',
    "Elastic Load Balancing": (
        "2026-10-10T13:55:{0}.000000Z my-lb 192.0.2.7:2 10.0.0.1:80 0.000073 0.001048 0.000057 404 500 0 2 "
        '"GET http://a/ HTTP/1.1" "{1}" - -'
    ),
    "Heroku": (
        '2026-10-10T13:55:{0}.750+00:00 heroku[router]: at=info method=GET path="/" host=a fwd="192.0.2.7" '
        'id="{1}" dyno=web.1 connect=1ms service=500ms status=404 bytes=13'
    ),
    "Docker's registry": (
        'time="2026-10-10T13:55:{0}Z" level=info msg="response completed" http.request.host="{1}" '
        'http.request.remoteaddr="192.0.2.7:64508" http.request.useragent="{1}" http.response.status=404'
    ),
    "Fastly": '<134>2026-10-10T13:55:{0}Z cache-fra1 a[1]: 192.0.2.7 "{1}" "{1}" GET /a 404',
    "errors of nginx": (
        "2026/10/10 13:55:{0} [error] 7#7: *1 limiting requests, client: 192.0.2.7, server: x, "
        'request: "GET / HTTP/1.1", host: "{1}", referrer: "{1}"'
    ),
    "parentheses": (
        '[10/Oct/2026:13:55:{0} +0000] a.example (192.0.2.7) "GET / HTTP/1.1" (404) 321 "-" "{1}" "-"'
    ),
}
TOKENS = [
    "status=429", "x,status=429", "?status=429", "status:429", "[rsp_st:429]", "http_status=429",
    "http.response.status=429", "[cip:6.6.6.6]", "client=6.6.6.6", "x,client=6.6.6.6", "remote_addr=6.6.6.6",
    "(6.6.6.6)", "[6.6.6.6]", "@6.6.6.6", "6.6.6.6", "|6.6.6.6|", "rt=9.000", "request_time=9.000",
    "service=9ms", "latency=9ms", "[429]:GET", "2020-01-01T00:00:00Z", "time=2020-01-01T00:00:00Z",
    "?since=2026-10-10T13:00:00Z", "ts=1577836800.000", "0/0/0/0/0", "[error]", "a,6.6.6.6", "[::6]",
    "CEF:0|src=6.6.6.6", "request=/b",
]  # fmt: skip
TIMES_IN_ADDRESSES = ["[01/Jan/2020:00:00:00+0000]", "[2020-01-01T00:00:00Z]"]
TEXTS = [
    *TOKENS, *TIMES_IN_ADDRESSES,
    " status=429 ", " 429 ", "client: 6.6.6.6", " client=6.6.6.6 ", "] 429 GET /", "| 429 |", " | 6.6.6.6 | ",
    r"\" 429 1 \"", r"\" status=429 \"", r"\\", " for 6.6.6.6:1, 429 x", " from 6.6.6.6:1 - 429 ",
    " TCP_DENIED/429 ", " (HTTP/1.1 429)", " 0/0/0/0/0 429 ", " 0.1 0.1 0.1 429 ", " [429]: GET /",
    " - 429 429 - GET https a", "[Client 6.6.6.6]", " (6.6.6.6) ", "6.6.6.6, 7.7.7.7",
    " [01/Jan/2020:00:00:00 +0000] ", " 2020-01-01 00:00:00 ", " rt=9.000 ", " connect=1ms service=9ms",
    " GET /a 429 1.000 ms - 5", " WARN: ", " - a [10/", "6.6.6.6 - - [10/Oct/2026:13:55:01 +0000]",
]  # fmt: skip


def described(form: str, written: str, tmp_path):
    lines = [form.format(second, "a") for second in range(36, 42)]
    text = "\n".join([*lines[:3], form.format(39, written), *lines[3:]]) + "\n"
    path = tmp_path / "requests.log"
    path.write_text(text)
    traffic = describe_log(text.encode())
    arrivals = Arrivals.from_log(path, origin="first", spread="none")
    return arrivals.times_s, traffic.ips, traffic.users, traffic.statuses, traffic.skipped


@pytest.mark.parametrize("form", ADDRESSES.values(), ids=ADDRESSES.keys())
def test_an_address_is_no_other_field(form, tmp_path):
    expected = described(form, "b", tmp_path)
    times = [] if form == ADDRESSES["the host"] else TIMES_IN_ADDRESSES  # no host has a slash

    assert dict.fromkeys(TOKENS + times, expected) == {
        written: described(form, written, tmp_path) for written in TOKENS + times
    }


@pytest.mark.parametrize("form", QUOTES.values(), ids=QUOTES.keys())
def test_a_text_in_quotes_is_no_other_field(form, tmp_path):
    expected = described(form, "b", tmp_path)

    assert dict.fromkeys(TEXTS, expected) == {
        written: described(form, written, tmp_path) for written in TEXTS
    }


@pytest.mark.parametrize("form", (ADDRESSES | QUOTES).values(), ids=(ADDRESSES | QUOTES).keys())
def test_a_client_is_the_same_for_a_limit_per_client(form, tmp_path):
    """A limit for each IP address counted the first word of a line in any form but the common one."""
    path = tmp_path / "requests.log"
    path.write_text("\n".join(form.format(second, "a") for second in range(36, 42)) + "\n")
    traffic = describe_log(path.read_bytes())

    for name, counts in {"ip": traffic.ips, "status": traffic.statuses}.items():
        if counts:
            assert counts == Counter[Any](cast("list[str]", Chunk.from_log(path, [name]).clients[name]))
        else:
            with pytest.raises(InvalidArrivals, match=f"no request has a field '{name}'"):
                Chunk.from_log(path, [name])


@pytest.mark.parametrize("written", [r"\" 429 9", r"\\\" 429 9", "] 429 9", "x [ y"])
def test_the_fields_of_a_common_log_are_distinguished(written, tmp_path):
    path = tmp_path / "requests.log"
    path.write_text(
        f'192.0.2.7 - {written} [10/Oct/2026:13:55:36 +0000] "GET /{written} HTTP/1.1" 404 9 "-" "-"\n'
    )
    chunk = Chunk.from_log(path, ["ip", "method", "status"])

    assert {"ip": ["192.0.2.7"], "method": ["GET"], "status": ["404"]} == chunk.clients


def test_an_address_in_the_name_of_a_user_is_no_client():
    line = 'a.example:443 192.0.2.7 - a 6.6.6.6 [10/Oct/2026:13:55:36 +0000] "GET / HTTP/1.1" 404 9\n'

    assert {"192.0.2.7": 2} == describe_log((line * 2).encode()).ips


def test_a_status_behind_a_name_is_no_user():
    line = '192.0.2.7 - status=429 [10/Oct/2026:13:55:36 +0000] "GET / HTTP/1.1" 404 9 "-" "-"\n'

    assert {"404": 2} == describe_log((line * 2).encode()).statuses


# Caddy, Kong and pino write the headers of a request as an object.
OBJECTS = {
    "Caddy": lambda second, written: {
        "ts": 1791640536.25 + second,
        "logger": "http.log.access",
        "request": {"remote_ip": "192.0.2.7", "uri": "/", "headers": written},
        "duration": 0.5,
        "status": 404,
    },
    "Kong": lambda second, written: {
        "request": {"headers": written, "querystring": written},
        "response": {"status": 404},
        "client_ip": "192.0.2.7",
        "started_at": 1791640536000 + 1000 * second,
    },
    "pino": lambda second, written: {
        "req": {"headers": written, "query": written, "params": written, "remoteAddress": "192.0.2.7"},
        "res": {"statusCode": 404},
        "time": 1791640536000 + 1000 * second,
    },
}
WRITTEN = {
    "Status": "429", "Client-Ip": "6.6.6.6", "Ip": "6.6.6.6", "User": "eve", "Start": "2020-01-01T00:00:00Z",
    "Started-At": "2020-01-01T00:00:00Z", "Timestamp": "2020-01-01T00:00:00Z", "X-Request-Id": "1",
    "Message": '6.6.6.6 - - [10/Oct/2026:13:55:36 +0000] "GET / HTTP/1.1" 429 5',
}  # fmt: skip


@pytest.mark.parametrize("of_lists", [False, True], ids=["texts", "lists"])
@pytest.mark.parametrize("record", OBJECTS.values(), ids=OBJECTS.keys())
def test_a_header_or_a_query_is_no_other_field(record, of_lists, tmp_path):
    def read(header: str, text: str):
        written = {header: [text] if of_lists else text} if header else {}
        records = [record(second, written if second < 4 else {}) for second in range(6)]
        path = tmp_path / "requests.log"
        path.write_text("".join(json.dumps(each) + "\n" for each in records))
        traffic = describe_log(path.read_bytes())
        return Arrivals.from_log(path, origin="first").times_s, traffic.ips, traffic.users, traffic.statuses

    expected = read("", "")

    assert ((0.0, 1.0, 2.0, 3.0, 4.0, 5.0), {"192.0.2.7": 6}, {}, {"404": 6}) == expected
    assert dict.fromkeys(WRITTEN, expected) == {name: read(name, text) for name, text in WRITTEN.items()}


@pytest.mark.parametrize("text", ['"a', "{a", "/a", "status=429,", "?", '\\"', "a ", "{}", '""', "Host: a "])
def test_text_of_clients_is_distinguished_in_linear_time(text):
    grows_linearly(lambda size: list(own(re.finditer("a|=", text * size), text * size)), 5_000)
