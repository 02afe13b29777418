"""Calls by version, client and day, from access logs that strangers have written into."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections import Counter
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from hook_widgets._access_logs.log_text import other_kind
from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.deprecation_schedule import lifecycle
from hook_widgets.versioning.negotiation.version_location import VersionLocation
from hook_widgets.versioning.planning.usage import counting
from hook_widgets.versioning.planning.usage.counting import OTHERS, UNKNOWN, UNNAMED, Usage, count_calls
from hook_widgets.versioning.planning.usage.log_lines import MAX_LINE, UnreadableLine, read_line
from hook_widgets.versioning.planning.usage.tables import callers, summary, usage_csv, usage_markdown
from hook_widgets.versioning.planning.usage.trend import trends
from hook_widgets.versioning.release import Release

# v1 was removed in 2025, v3 is planned for 2030: both can still be, or already be, called.
API = Api(
    releases=(
        Release(1, lifecycle=lifecycle(datetime(2023, 6, 1, 10, tzinfo=UTC))),
        Release(2),
        Release(3, datetime(2030, 6, 1, tzinfo=UTC)),
    )
)
# The examples of the Apache HTTP Server documentation ("Log Files": common and combined log format).
COMMON = '127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326'
COMBINED = f'{COMMON} "http://www.example.com/start.html" "Mozilla/4.08 [en] (Win98; I ;Nav)"'
# The example of Caddy's documentation ("How Logging Works"), shortened.
CADDY: dict[str, Any] = {
    "level": "info",
    "ts": 1646861401.5241024,
    "logger": "http.log.access",
    "msg": "handled request",
    "request": {
        "remote_ip": "127.0.0.1",
        "remote_port": "41342",
        "client_ip": "127.0.0.1",
        "proto": "HTTP/2.0",
        "method": "GET",
        "host": "localhost",
        "uri": "/",
        "headers": {"User-Agent": ["curl/7.82.0"], "Accept": ["*/*"]},
    },
    "user_id": "",
    "status": 200,
}


def line(
    target: str = "/api/v1/orders", *, client: str = "203.0.113.9", agent: str = "curl/8.5", **more: str
) -> str:
    time = more.get("time", "21/Nov/2026:23:30:00 +0100")
    return f'{client} - {more.get("user", "-")} [{time}] "GET {target} HTTP/1.1" 200 12 "-" "{agent}"'


def rows(usage: Usage) -> list[tuple[str, str, str, int]]:
    return [(count.version, count.client, str(count.day), count.calls) for count in usage.counts]


def test_apaches_examples_are_read():
    common, combined = read_line(COMMON), read_line(COMBINED)

    assert ("127.0.0.1", "frank", "/apache_pb.gif", "") == (
        common.client, common.user, common.target, common.agent
    )  # fmt: skip
    assert datetime(2000, 10, 10, 20, 55, 36, tzinfo=UTC) == common.time
    assert "Mozilla/4.08 [en] (Win98; I ;Nav)" == combined.agent


@pytest.mark.parametrize(
    "prefix",
    [
        "<190>Oct 10 13:55:36 web1 nginx: ",  # nginx.org/en/docs/syslog.html; RFC 3164 section 4.1
        "Oct  1 13:55:36 web1 apache[1234]: ",
        "2000-10-10T13:55:36.123456-07:00 web1 nginx: ",  # rsyslog, RSYSLOG_FileFormat
        "web-1  | ",  # docker compose logs
        "2000-10-10T20:55:36.123456789Z ",  # kubectl logs --timestamps
        "2000-10-10T20:55:36.123456789Z stdout F ",  # kubernetes.io, "CRI log format"
    ],
)
def test_what_a_log_shipper_writes_before_a_line_is_no_client(prefix: str):
    assert read_line(COMBINED) == read_line(prefix + COMBINED)
    assert read_line(json.dumps(CADDY)) == read_line(prefix + json.dumps(CADDY))


def test_caddys_example_is_read():
    request = read_line(json.dumps(CADDY))

    assert ("127.0.0.1", "", "/", "curl/7.82.0") == (
        request.client,
        request.user,
        request.target,
        request.agent,
    )
    assert datetime(2022, 3, 9, 21, 30, 1, tzinfo=UTC) == request.time.replace(microsecond=0)
    assert (("accept", "*/*"),) == request.headers


def test_a_header_of_a_client_is_no_client_time_or_path():
    written = {
        "Remote_addr": ["6.6.6.6"],
        "Client": ["6.6.6.6"],
        "Time": ["2020-01-01T00:00:00Z"],
        "Uri": ["/x"],
    }
    headers = CADDY["request"]["headers"] | written
    record = CADDY | {"request": CADDY["request"] | {"headers": headers}}

    assert read_line(json.dumps(CADDY)) == read_line(json.dumps(record))


@pytest.mark.parametrize(
    ("record", "time"),
    [
        # nginx: log_format json escape=json with its own names of variables
        (
            {"time_local": "21/Nov/2026:23:30:00 +0100", "remote_addr": "::1", "request": "GET /a HTTP/1.1"},
            22,
        ),
        ({"time_iso8601": "2026-11-21T22:30:00+00:00", "remote_addr": "::1", "request_uri": "/a"}, 22),
        # Traefik: JSON access log
        ({"StartUTC": "x", "time": "2026-11-21T22:30:00Z", "ClientHost": "::1", "RequestPath": "/a"}, 22),
        ({"timestamp": 1795300200000, "ip": "::1", "path": "/a", "method": "POST"}, 22),
    ],
)
def test_json_logs_are_read(record: dict[str, Any], time: int):
    request = read_line(json.dumps(record))

    assert ("::1", "/a") == (request.client, request.target)
    assert (date(2026, 11, 21), time) == (
        request.time.astimezone(UTC).date(),
        request.time.astimezone(UTC).hour,
    )


def test_escaped_texts_and_odd_fields_are_read():
    nginx = read_line(line(agent=r"\x22quoted\x22 \\x"))
    apache = read_line(f"orders.example.com:443 {line(user='ann smith', agent=chr(92) + chr(34))}")

    assert '"quoted" \\x' == nginx.agent
    assert ("203.0.113.9", "ann smith", '"') == (apache.client, apache.user, apache.agent)
    assert "::1" == read_line(line(client="::1")).client


def test_calls_are_counted_by_version_client_and_day_in_the_zone_of_the_log():
    log = "\n".join(
        [
            line(),
            line(),
            line(client="198.51.100.7"),
            line(time="22/Nov/2026:00:30:00 +0100"),
            line("/api/v2/orders?limit=5"),
            line("/api/v3/orders"),
            "",
            line("/api/orders"),
            line("/api/v9/orders"),
            line("/health"),
            "GET /api/v1/orders",
        ]
    )
    usage = count_calls(log, API)

    assert [
        ("v1", "203.0.113.9", "2026-11-21", 2),
        ("v1", "198.51.100.7", "2026-11-21", 1),
        ("v1", "203.0.113.9", "2026-11-22", 1),
        ("v2", "203.0.113.9", "2026-11-21", 1),
        ("v3", "203.0.113.9", "2026-11-21", 1),
        (UNNAMED, "203.0.113.9", "2026-11-21", 1),
        (UNKNOWN, "203.0.113.9", "2026-11-21", 1),
    ] == rows(usage)
    assert (10, 1, 1, 8) == (usage.lines, usage.outside, usage.skipped, usage.calls)
    assert (11, "GET /api/v1/orders") == (usage.samples[0].number, usage.samples[0].text)
    assert "neither common or combined" in usage.samples[0].reason


def test_days_are_those_of_a_zone():
    assert ["2026-11-22"] == [
        day for _, _, day, _ in rows(count_calls(line(), API, zone=ZoneInfo("Asia/Tokyo")))
    ]


def test_the_version_is_found_where_the_api_has_it():
    record = {"time": 1795300200, "ip": "::1", "uri": "/api/orders?version=1", "http_api_version": "2"}
    log = json.dumps(record)
    query_first = Api(releases=API.releases, precedence=(VersionLocation.QUERY, VersionLocation.HEADER))
    accept = record | {"uri": "/api/orders", "http_accept": "application/vnd.example.v1+json"}
    accept.pop("http_api_version")

    assert ["v2"] == [count.version for count in count_calls(log, API).counts]
    assert ["v1"] == [count.version for count in count_calls(log, query_first).counts]
    assert ["v1"] == [count.version for count in count_calls(json.dumps(accept), API).counts]
    assert [UNNAMED] == [count.version for count in count_calls(line("/api/v1/orders"), query_first).counts]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["1", "2", "3"]),
            st.sampled_from(["192.0.2.1", "192.0.2.2", "2001:db8::1"]),
            st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1)),  # noqa: DTZ001
        ),
        max_size=60,
    )
)
def test_the_counts_are_those_of_a_counter(requests):
    log = [
        line(f"/api/v{major}/x", client=client, time=time.strftime("%d/%b/%Y:%H:%M:%S +0000"))
        for major, client, time in requests
    ]
    expected = Counter((f"v{major}", client, time.date()) for major, client, time in requests)
    usage = count_calls(log, API)

    assert expected == {(c.version, c.client, c.day): c.calls for c in usage.counts}
    assert (
        len(requests)
        == usage.calls
        == sum(caller.calls for rows in callers(usage.counts).values() for caller in rows)
    )


@given(
    st.text(max_size=300)
    | st.text('"\\[]{}: -/+.0159GETHPapiv', max_size=300).map(lambda text: line() + text)
)
def test_no_line_raises_anything(text):
    usage = count_calls(text, API)

    assert usage.lines == usage.calls + usage.outside + usage.skipped
    assert usage_csv(usage)
    assert usage_markdown(usage)


@given(st.binary(max_size=300))
def test_no_bytes_raise_anything_but_that_they_are_another_kind_of_file(data):
    if other_kind(data):
        with pytest.raises(InvalidDocument, match="the file is "):
            count_calls(data, API)
    else:
        assert count_calls(data, API).lines >= 0


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (gzip.compress(line().encode()), "the file is compressed (gzip); unpack it first"),
        (b"\x28\xb5\x2f\xfd" + b"x" * 9, "the file is compressed (zstd); unpack it first"),
        (b"PK\x03\x04" + b"x" * 9, "the file is a ZIP archive; unpack it first"),
    ],
)
def test_a_file_that_is_no_text_is_named(data, problem, tmp_path: Path):
    path = tmp_path / "access.log.gz"
    path.write_bytes(data)
    for log in (data, path):
        with pytest.raises(InvalidDocument) as error:
            count_calls(log, API)
        assert (problem, "log") == (str(error.value), error.value.field)


def test_a_line_that_is_too_long_is_tried_in_no_other_form(monkeypatch):
    """A search for each of many forms of a line of 2 MB took 5 s."""
    tried: list[int] = []

    def read_others(lines):
        tried.extend(number for number, _ in lines)
        return ()

    monkeypatch.setattr(counting, "read_others", read_others)
    usage = count_calls(f"{'a' * (MAX_LINE + 1)}\nb", API)

    assert ([2], 2) == (tried, usage.skipped)
    assert usage.samples[0].reason.startswith("longer than")


def test_a_log_in_utf_16_is_read():
    """As PowerShell 5 writes one with >."""
    assert 2 == count_calls(f"{line()}\n{line()}\n".encode("utf-16"), API).calls


def test_a_user_agent_is_no_request():
    requests = ['"-" 400 0 "-" "GET /api/v1/ HTTP/1.1"', r'"\x16\x03" 400 0 "GET /api/v1/" "-"']
    usage = count_calls([f"1.1.1.1 - - [21/Nov/2026:09:30:00 +0100] {request}" for request in requests], API)

    assert (0, 2) == (usage.calls, usage.skipped)


def test_a_line_without_client_or_request_says_so():
    lines = [
        '[21/Nov/2026 09:30:00] "GET /api/v1/ HTTP/1.1" 200 12',
        "2026-11-21T09:30:00Z 203.0.113.9 begin",
    ]

    assert [
        "the line has no client",
        "the line has no request",
    ] == [sample.reason for sample in count_calls(lines, API).samples]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            '1.1.1.1 - - [21/Nov/2026:09:30:00 +0100] "-" 400 0',
            "the request line is not METHOD TARGET VERSION",
        ),
        (r'1.1.1.1 - - [21/Nov/2026:09:30:00 +0100] "\x16\x03\x01" 400 0', "the request line"),
        (line(time="31/Feb/2026:09:30:00 +0100"), "the time is not a date"),
        (line(time="21/Xxx/2026:09:30:00 +0100"), "the time is not a date"),
        ('{"time": 5', "not a JSON object"),
        ("{" + '"a":[' * 9000, f"longer than {MAX_LINE:,} characters"),
        ("{" + '"a":{' * 3000, "not a JSON object"),
        ('{"time": 1795300200, "uri": "/api/v1"}', "no client"),
        ('{"time": 1795300200, "ip": "::1"}', "no request"),
        ('{"time": 5, "ip": "::1", "uri": "/"}', "no time"),
        ('{"time": 1e999, "ip": "::1", "uri": "/"}', "the time is not a date"),
        ('{"time": NaN, "ip": "::1", "uri": "/"}', "the time is not a date"),
        ('{"time": "today", "ip": "::1", "uri": "/"}', "the time is not a date"),
        ('{"time": {"a": 1}, "ip": "::1", "uri": "/"}', "no time"),
    ],
)
def test_a_line_that_is_no_request_is_skipped_with_a_reason(text, reason):
    with pytest.raises(UnreadableLine, match=reason):
        read_line(text)
    assert 1 == count_calls(text, API).skipped


def test_times_at_the_ends_of_the_calendar_are_skipped_or_counted():
    late = line(time="31/Dec/9999:23:59:59 -1400")

    assert 1 == count_calls(late, API).calls
    assert 1 == count_calls(late, API, zone=ZoneInfo("UTC")).skipped


def test_a_client_cannot_break_a_line_into_two():
    usage = count_calls(line(agent="a\u2028b\x0bc\x1cd"), API)

    assert (1, 0) == (usage.lines, usage.skipped)


def test_bytes_that_are_not_utf_8_hide_no_other_line():
    log = line(agent="\xff").encode("latin-1") + b"\n" + line().encode() + b"\r\n"

    assert 2 == count_calls(b"\xef\xbb\xbf" + log, API).calls


def test_clients_beyond_the_limit_are_counted_together(monkeypatch):
    monkeypatch.setattr(counting, "MAX_GROUPS", 3)
    usage = count_calls([line(client=f"192.0.2.{k}") for k in range(9)], API)

    assert {OTHERS: 6, "192.0.2.0": 1} == {
        c.client: c.calls for c in usage.counts if c.client in (OTHERS, "192.0.2.0")
    }
    assert 9 == usage.calls


def test_a_log_that_is_too_large_is_rejected_before_it_is_counted(monkeypatch, tmp_path: Path):
    monkeypatch.setattr(counting, "MAX_LOG_BYTES", 1000)
    path = tmp_path / "access.log"
    path.write_text(line() * 20)
    for log in (line() * 20, (line() * 20).encode(), path, [line()] * 20):
        with pytest.raises(InvalidDocument, match="count the days one by one") as error:
            count_calls(log, API)
        assert "log" == error.value.field
    monkeypatch.setattr(counting, "MAX_LINES", 3)
    with pytest.raises(InvalidDocument, match="more than 3 lines"):
        count_calls("\n\n\n\n", API)


@pytest.mark.parametrize("log", [5, None, [b"x"], Path("/dev/zero"), Path("missing.log")])
def test_what_is_no_log_is_rejected(log):
    with pytest.raises(InvalidDocument, match="; "):
        count_calls(log, API)


def test_a_file_is_read(tmp_path: Path):
    path = tmp_path / "access.log"
    path.write_text(line() + "\n")

    assert [("v1", "203.0.113.9", "2026-11-21", 1)] == rows(count_calls(path, API))


def test_a_spreadsheet_runs_nothing_that_a_client_sent():
    agents = ['=HYPERLINK(""evil"")', "+1", "-1", "@SUM(A1)", "\tx", "plain"]
    usage = count_calls(
        [json.dumps({"time": 1795300200, "ip": "::1", "uri": "/api/v1", "agent": a}) for a in agents], API
    )
    cells = [row["User agent"] for row in csv.DictReader(io.StringIO(usage_csv(usage)))]

    assert sorted(cells) == sorted([f"'{agent}" for agent in agents[:5]] + ["plain"])


@pytest.mark.parametrize(
    "nasty", ["<img src=x onerror=alert(1)>", "a|b", "[x](javascript:alert(1))", "`a`", "**a**"]
)
def test_markdown_shows_what_a_client_sent_as_text(nasty):
    record = {"time": 1795300200, "ip": "192.0.2.1", "uri": "/api/v1", "agent": nasty}
    text = usage_markdown(count_calls(json.dumps(record), API))
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)
    cells = [t.children or [] for t in tokens if t.type == "inline"]
    (agent,) = [cell for cell in cells if "".join(part.content for part in cell) == nasty]

    assert {"text", "text_special"} >= {part.type for part in agent}


# Forms of the manuals: docs.haproxy.org, "HTTP log format"; envoyproxy.io, "Access logging";
# docs.aws.amazon.com, "Access log entries" and "Standard logging"; learn.microsoft.com, "W3C Logging".
OTHER_FORMS = {
    "HAProxy": (
        "Nov 21 09:30:00 lb haproxy[14389]: 203.0.113.9:33317 [21/Nov/2026:09:30:00.655] http-in static/srv1 "
        '10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {1wt.eu} {} "GET /api/v1/orders HTTP/1.1"\n'
    ),
    "Envoy": (
        '[2026-11-21T09:30:00.310Z] "POST /api/v1/locations HTTP/2" 204 - 154 0 226 100 "203.0.113.9" '
        '"nsq2http/1.0" "cc21d9b0" "locations" "tcp://10.0.2.1:80"\n'
    ),
    "Application Load Balancer": (
        "http 2026-11-21T09:30:00.186641Z app/my-lb/50dc6c495c0c9188 203.0.113.9:2817 10.0.0.1:80 "
        '0.000 0.001 0.000 200 200 34 366 "GET http://www.example.com:80/api/v1/orders?page=2 HTTP/1.1" '
        '"curl/7.46.0" - - arn:aws:x "Root=1-58337262" "-" "-" 0 2026-11-21T09:30:00.184000Z "forward" '
        '"-" "-" "10.0.0.1:80" "200" "-" "-"\n'
    ),
    "CloudFront": (
        "#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem "
        "sc-status cs(Referer) cs(User-Agent) cs-uri-query\n2026-11-21\t09:30:00\tLAX1\t2390\t203.0.113.9\t"
        "GET\td1.net\t/api/v1/orders\t200\t-\tMozilla/5.0%20(Windows)\tpage=2\n"
    ),
    "IIS": (
        "#Software: Microsoft Internet Information Services 10.0\n#Fields: date time s-ip cs-method "
        "cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) sc-status\n2026-11-21 09:30:00 "
        "10.0.0.5 GET /api/v1/orders - 443 - 203.0.113.9 Mozilla/5.0+(Windows) 200\n"
    ),
}
# Forms of more manuals: docs.docker.com, "JSON File logging driver"; github.com/gin-gonic/gin;
# wiki.squid-cache.org, "LogFormat"; cloud.google.com, "HttpRequest"; learn.microsoft.com, "Access log" of
# Application Gateway; developers.cloudflare.com, "HTTP requests"; docs.konghq.com, "HTTP Log"; elastic.co,
# "ECS fields"; devcenter.heroku.com, "HTTP Routing"; guides.rubyonrails.org.
OTHER_FORMS |= {
    "Docker": (
        r'{"log":"203.0.113.9 - - [21/Nov/2026:09:30:00 +0000] \"GET /api/v1/ HTTP/1.1\" 200 6 '
        r'\"-\" \"curl/8\"\n","stream":"stdout","time":"2026-11-21T09:30:00.5Z"}'
        "\n"
    ),
    "Gin": '[GIN] 2026/11/21 - 09:30:00 | 200 |    1.2ms |     203.0.113.9 | GET      "/api/v1/orders"\n',
    "Squid": "1795253400.000 150 203.0.113.9 TCP_MISS/200 12 GET http://a.example/api/v1/ - HIER_NONE/- -\n",
    "Google Cloud": (
        "timestamp,httpRequest.requestUrl,httpRequest.remoteIp,httpRequest.userAgent\n"
        "2026-11-21T09:30:00Z,https://a.example/api/v1/,203.0.113.9,curl/8\n"
    ),
    "Application Gateway": (
        '{"timeStamp":"2026-11-21T09:30:00Z","category":"ApplicationGatewayAccessLog","properties":'
        '{"clientIP":"203.0.113.9","requestUri":"/api/v1/","requestQuery":"a=1","userAgent":"curl/8"}}\n'
    ),
    "Cloudflare": (
        '{"ClientIP":"203.0.113.9","ClientRequestURI":"/api/v1/?a=1","ClientRequestUserAgent":"curl/8",'
        '"EdgeStartTimestamp":"2026-11-21T09:30:00Z","EdgeResponseStatus":200}\n'
    ),
    "Kong": (
        '{"request":{"uri":"/api/v1/","headers":{"user-agent":"curl/8","path":"/api/v2/"}},'
        '"client_ip":"203.0.113.9","started_at":1795253400000}\n'
    ),
    "Elastic": (
        '{"@timestamp":"2026-11-21T09:30:00Z","log":{"file":{"path":"/api/v2/access.log"}},"source":'
        '{"address":"203.0.113.9"},"url":{"path":"/api/v1/"},"user_agent":{"original":"curl/8"}}\n'
    ),
    "Heroku": (
        '2026-11-21T09:30:00+00:00 heroku[router]: at=info method=GET path="/api/v1/" host=a '
        'fwd="203.0.113.9" dyno=web.1 connect=1ms service=18ms status=200 bytes=13\n'
    ),
    "Rails": (
        'I, [2026-11-21T09:30:00.000000 #7]  INFO -- : [a] Started GET "/api/v1/" for 203.0.113.9 at '
        "2026-11-21 09:30:00 +0000\n"
    ),
    "a quote in the path": '2026-11-21T09:30:00Z INFO 203.0.113.9 GET /api/v1/"GET /api/v2/" took 3 ms\n',
}
AGENTS = dict.fromkeys(OTHER_FORMS, "") | {
    **dict.fromkeys(
        ("Docker", "Google Cloud", "Application Gateway", "Cloudflare", "Kong", "Elastic"), "curl/8"
    ),
    "Envoy": "nsq2http/1.0",
    "Application Load Balancer": "curl/7.46.0",
    "CloudFront": "Mozilla/5.0 (Windows)",
    "IIS": "Mozilla/5.0 (Windows)",
}


@pytest.mark.parametrize("name", OTHER_FORMS)
def test_logs_of_other_forms_are_counted(name):
    log = OTHER_FORMS[name]
    usage = count_calls(log + log.splitlines()[-1] + "\nnoise\n", Api(releases=(Release(1), Release(2))))

    (count,) = usage.counts
    assert ("v1", "203.0.113.9", AGENTS[name], date(2026, 11, 21), 2) == (
        count.version, count.client, count.agent, count.day, count.calls
    )  # fmt: skip
    assert (1, "noise") == (usage.skipped, usage.samples[0].text)


@pytest.mark.parametrize(
    ("target", "headers", "version"),
    [
        ("/api/v1.2/orders", {}, "v1"),
        ("/api/v2.0", {}, "v2"),
        ("/api/v1.2.3/orders/v9.9", {}, "v1"),
        ("/api/orders?version=1.2&page=1.5", {}, "v1"),
        ("/api/orders", {"http_api_version": "2.1"}, "v2"),
        ("/api/orders", {"http_accept": "application/vnd.example.v2.1+json"}, "v2"),
        ("/api/v9.1/orders", {}, UNKNOWN),
        ("/api/v1.2beta/orders", {}, UNKNOWN),
        ("/api/v1./orders", {}, UNKNOWN),
        ("/api/v02.1/orders", {}, UNKNOWN),
    ],
)
def test_a_minor_version_counts_for_its_major_version(target, headers, version):
    api = Api(releases=(Release(1), Release(2)), vendor="example", precedence=tuple(VersionLocation))
    record = {"time": "2026-11-21T09:30:00Z", "remote_addr": "192.0.2.1", "request_uri": target, **headers}
    usage = count_calls([json.dumps(record)], api)

    assert ([version], version != UNKNOWN) == ([count.version for count in usage.counts], bool(usage.minor))
    assert (version != UNKNOWN) == ("1 call named a minor version, such as v1.2" in summary(usage))


DATED = Api(releases=(Release(1), Release(2), Release(20240620)))


def logged(target: str, members: dict[str, object]) -> Usage:
    record = {"time": "2026-11-21T09:30:00Z", "remote_addr": "192.0.2.1", "request_uri": target, **members}
    return count_calls(json.dumps(record), DATED)


@pytest.mark.parametrize(
    ("query", "members", "version", "name"),
    [
        ("v=1", {}, "v1", "?v"),
        ("v=v2", {}, "v2", "?v"),
        ("ver=2.0", {}, "v2", "?ver"),
        ("api_version=1", {}, "v1", "?api_version"),
        ("apiVersion=1", {}, "v1", "?apiversion"),
        ("api-version=2024-06-20", {}, "v20240620", "?api-version"),
        ("version=2024-06-20", {}, "v20240620", ""),
        ("", {"http_x_api_version": "1"}, "v1", "x-api-version"),
        ("", {"request_X-Api-Version": "1"}, "v1", "x-api-version"),
        ("", {"http_stripe_version": "2024-06-20.acacia"}, "v20240620", "stripe-version"),
        ("", {"headers": {"X-GitHub-Api-Version": "2024-06-20"}}, "v20240620", "x-github-api-version"),
        ("", {"req.headers.notion-version": "2024-06-20"}, "v20240620", "notion-version"),
        ("", {"http_accept_version": "2.1"}, "v2", "accept-version"),
        ("", {"http_api_version": "v2"}, "v2", ""),
        ("", {"http_accept": "application/json;v=1.0"}, "v1", "Accept with v"),
        ("", {"http_accept": "text/html, application/vnd.x+json;version=2"}, "v2", "Accept with version"),
        ("", {"http_accept": "application/vnd.example+json; version=2"}, "v2", "Accept with version"),
    ],
)
def test_a_version_is_found_under_the_names_of_other_conventions(query, members, version, name):
    """Stripe, GitHub and Notion send dates; Asp.Versioning reads ?api-version and ;v=1.0."""
    usage = logged(f"/api/orders?{query}", members)

    assert [version] == [count.version for count in usage.counts]
    assert ((name,) if name else ()) == usage.other_names
    assert bool(name) == (f"found under other names: {name}." in summary(usage))


def test_the_names_of_the_api_are_not_other_names():
    record = {"time": 1795300200, "ip": "::1", "uri": "/api/orders", "http_x_rev": "2"}
    by_query = {**record, "uri": "/api/orders?rev=1.2", "http_x_rev": "-"}
    by_type = {**record, "http_x_rev": "-", "http_accept": "application/json;ver=2.1"}
    api = replace(DATED, header="X-Rev", parameter="rev", media_parameter="ver")
    usage = count_calls("\n".join(map(json.dumps, (record, by_query, by_type))), api)

    assert (["v1", "v2"], ()) == ([count.version for count in usage.counts], usage.other_names)


@pytest.mark.parametrize(
    ("target", "members", "version"),
    [
        ("/api/orders?v=17", {}, UNNAMED),
        ("/api/orders?v=1beta", {}, UNNAMED),
        ("/api/orders?v=2024-06-21", {}, UNNAMED),
        (
            "/api/orders?page=1",
            {"sec-websocket-version": "1", "mime-version": "1.0", "version": "1"},
            UNNAMED,
        ),
        ("/api/orders", {"http_accept": "application/json;q=1, image/png;v=1"}, UNNAMED),
        ("/api/orders", {"http_x_api_version": "-"}, UNNAMED),
        ("/api/orders?version=17&v=1", {}, UNKNOWN),
        ("/api/v02/orders?v=1", {}, UNKNOWN),
        ("/api/v1/orders?v=2", {"http_x_api_version": "2"}, "v1"),
        ("/api/orders?v=2&version=1", {}, "v1"),
    ],
)
def test_another_convention_neither_overrides_the_apis_own_nor_names_a_version_that_is_none(
    target, members, version
):
    usage = logged(target, members)

    assert ([version], ()) == ([count.version for count in usage.counts], usage.other_names)


def test_the_summary_says_what_was_not_counted():
    usage = count_calls([line(), line("/health"), "x", "y"], API)

    said = "1 call in 4 lines. 1 request is not under the path prefix /api. 2 lines could not be read."
    assert said == summary(usage)


V1 = Api(
    releases=(
        Release(
            1,
            lifecycle=lifecycle(
                datetime(2026, 1, 1, 10, tzinfo=UTC), sunset=datetime(2027, 3, 1, 10, tzinfo=UTC)
            ),
        ),
        Release(2),
    )
)


def counted_days(*calls: int) -> Usage:
    """The usage of v1 on so many days from the first of October 2026."""
    lines = [
        f'192.0.2.1 - - [{day:02}/Oct/2026:12:00:00 +0000] "GET /api/v1/orders HTTP/1.1" 200 1'
        for day, number in enumerate(calls, 1)
        for _ in range(number)
    ]
    return count_calls("\n".join(lines).encode(), V1, zone=UTC)


@pytest.mark.parametrize(
    ("calls", "start", "end"),
    [
        # Means of 40 and 20 around the 2nd and the 5th, so 20/3 less a day: none after 3 more days.
        (
            (50, 40, 30, 25, 20, 15),
            "v1: 20 calls a day in the last 3 days, 40 in the 3 before",
            "none are left on 2026-10-08, before the removal on 2027-03-01.",
        ),
        # A tenth of a call less a day, from the 15th of October on 137 days: 20 - 13.7.
        (
            (*[21] * 10, *[20] * 10),
            "v1: 20 calls a day in the last 10 days, 21 in the 10 before",
            "6.3 a day are left at the removal on 2027-03-01.",
        ),
        ((1, 2, 3), "v1: removal on 2027-03-01", "a log of 4 days or more shows a trend."),
    ],
)
def test_the_trend_goes_on_to_the_removal(calls: tuple[int, ...], start: str, end: str):
    (sentence,) = trends(counted_days(*calls), V1, datetime(2026, 11, 1, tzinfo=UTC), UTC)

    assert [start, end] == sentence.replace("at this pace ", "").split("; ")


def test_a_removed_version_has_no_trend():
    assert [] == list(trends(counted_days(9, 8, 7, 6), V1, datetime(2027, 4, 1, tzinfo=UTC), UTC))


# crowdsecurity/hub, .tests/nginx_http-logs, bunkerweb-logs, caddy-logs and traefik_json;
# elastic/elastic-package, test-nginx.log; netdata/go.d.plugin, modules/weblog/parser_test.go
@pytest.mark.parametrize(
    ("line", "client", "user"),
    [
        (
            'www.example.net 192.168.1.1 - ann [08/Jun/2020:08:04:43 +0000] "GET /api/v1/ HTTP/1.1" 200 8',
            "192.168.1.1",
            "ann",
        ),
        (
            'example.com 127.0.0.1 - abc123 - [29/Sep/2021:14:11:34 +0200] "GET /api/v1/ HTTP/1.1" 200 0',
            "127.0.0.1",
            "",
        ),
        (
            '10.0.0.2, 10.0.0.1, 127.0.0.1 - - [07/Dec/2016:11:05:07 +0100] "GET /api/v1/ HTTP/1.1" 200 5',
            "10.0.0.2",
            "",
        ),
        (
            'a.example.com 80 88.191.254.20 - - [22/Mar/2009:09:30:31 +0100] "GET /api/v1/ HTTP/1.0" 200 8',
            "88.191.254.20",
            "",
        ),
        (
            '{"ts":1693840791.75,"request":{"remote_ip":"172.17.0.1","client_ip":"127.0.0.1","uri":"/api/v1/"}}',
            "127.0.0.1",
            "",
        ),
        (
            '{"ClientHost":"192.168.1.100,10.0.0.50","RequestPath":"/api/v1/","time":"2025-11-28T09:21:55Z"}',
            "192.168.1.100",
            "",
        ),
    ],
)
def test_a_host_or_a_proxy_is_no_client(line: str, client: str, user: str):
    request = read_line(line)

    assert (client, user, "/api/v1/") == (request.client, request.user, request.target)
