"""Logs of gateways and of frameworks' loggers, from their documentation and issues."""

from __future__ import annotations

import json

import pytest

# TykTechnologies/tyk, pull request 6354: logrus writes no year; and tyk-docs, "API request access logs"
TYK = (
    'time="Sep 04 08:0{}:18" level=info APIID=c062396cb62d4e9a5ee37adaf85b9e4c APIKey=00000000 '
    'ClientIP=127.0.0.1 ClientRemoteAddr="127.0.0.1:53506" Host="localhost:8080" Method=GET Proto=HTTP/1.1 '
    "RequestURI=/httpbin/get StatusCode={} TotalLatency=381 UserAgent=curl/8.1.2 prefix=access-log\n"
)
TYK_5_8 = (
    'time="Jan 29 08:27:09" level=info api_id=b1a41c9a client_ip="::1" host="localhost:8080" latency'
    "_total=62 "
    'method=GET path=/httpbin/get prefix=access-log protocol=HTTP/1.1 remote_addr="[::1]:63251" status=200\n'
)
# caddyserver.com, "log" (directive), "console": ts, level, logger and message with tabs between them
CADDY = (
    "2022/02/08 11:08:0{}.123\tINFO\thttp.log.access.log0\thandled request\t"
    '{{"request": {{"remote_ip": "192.0.2.7", "proto": "HTTP/2.0", "method": "GET", "host": "a", "ur'
    'i": "/a"}}, '
    '"duration": 0.5, "size": 1, "status": 429, "resp_headers": {{"Date": ["Tue, 08 Feb 2022 01:00:0'
    '0 GMT"]}}}}\n'
)
CADDY_MESSAGE = (
    '2022/02/08 11:08:04.000\tINFO\tserver running\n2022/02/08 11:08:04.1\tINFO\ttls\tx\t{"a": 1}\n'
)
# pkg.go.dev/go.uber.org/zap, NewDevelopmentConfig
ZAP = (
    "2022-02-08T11:08:05.123+0100\tINFO\tserver/main.go:42\trequest\t"
    '{"method": "GET", "path": "/a", "status": 429, "ip": "192.0.2.7"}\n'
)
# control-theory/gonzo, pull request 70: the command line of Vercel
VERCEL = [
    {
        "level": "error",
        "rowId": "1758639354881",
        "source": "edge-function",
        "timestampInMs": 1758639354881 + at,
        "requestMethod": "GET",
        "requestPath": "/api/noise",
        "responseStatusCode": 429,
    }
    for at in (0, 500)
]
# linkerd.io, "HTTP Access Logging"
LINKERD = {
    "client.addr": "10.42.0.70:32996",
    "client.id": "traffic.booksapp",
    "host": "webapp:7000",
    "method": "GET",
    "processing_ns": "39826",
    "status": 429,
    "timestamp": "2022-08-23T20:33:42.321746212Z",
    "total_ns": "14441135",
    "uri": "http://webapp:7000/",
}


@pytest.mark.parametrize(
    ("text", "requests"),
    [
        pytest.param(
            TYK.format(4, 200) + TYK.format(8, 401),
            [
                ("2001-09-04T08:04:18", "127.0.0.1", "200", "GET", "/httpbin/get"),
                ("2001-09-04T08:08:18", "127.0.0.1", "401", "GET", "/httpbin/get"),
            ],
            id="Tyk",
        ),
        pytest.param(TYK_5_8, [("2001-01-29T08:27:09", "::1", "200", "GET", "/httpbin/get")], id="Tyk 5.8"),
        pytest.param(ZAP, [("2022-02-08T10:08:05.123000", "192.0.2.7", "429", "GET", "/a")], id="zap"),
        pytest.param(
            "\n".join(map(json.dumps, VERCEL)),
            [
                ("2025-09-23T14:55:54.881000", "", "429", "GET", "/api/noise"),
                ("2025-09-23T14:55:55.381000", "", "429", "GET", "/api/noise"),
            ],
            id="Vercel",
        ),
        pytest.param(
            json.dumps(LINKERD),
            [("2022-08-23T20:33:42.321746", "10.42.0.70", "429", "GET", "http://webapp:7000/")],
            id="Linkerd",
        ),
        pytest.param(  # allinurl/goaccess#1066: the host before the request
            '127.0.0.1 - - [2019-07-31T06:33:06+00:00] "localhost" "GET /health.php HTTP/1.1" 200 5 "-" '
            '"curl/7.35.0" 0.038\n',
            [("2019-07-31T06:33:06", "127.0.0.1", "200", "GET", "/health.php")],
            id="host before the request",
        ),
        pytest.param(  # allinurl/goaccess#1723: $upstream_cache_status before the status
            '2020-03-22T04:27:07+07:00 10.1.71.26 "GET /a.php HTTP/1.1" - 301 0.000 520 162 "-" "M/5.0" "-"\n'
            '2020-03-22T04:27:08+07:00 10.1.71.26 "GET /b.php HTTP/1.1" HIT 200 0.000 520 162 "-" "M'
            '/5.0" "-"\n',
            [
                ("2020-03-21T21:27:07", "10.1.71.26", "301", "GET", "/a.php"),
                ("2020-03-21T21:27:08", "10.1.71.26", "200", "GET", "/b.php"),
            ],
            id="status of the cache",
        ),
        pytest.param(  # pgjones/hypercorn, docs/how_to_guides/logging.rst: the version without HTTP/
            "[2022-02-08 11:08:05 +0000] [1] [INFO] 192.0.2.7:1234 - - [08/Feb/2022:11:08:05 +0000] "
            '"GET /a 1.1" '
            '200 12 "-" "curl"\n',
            [("2022-02-08T11:08:05", "192.0.2.7", "200", "GET", "/a")],
            id="Hypercorn",
        ),
        pytest.param(  # docs.aiohttp.org, "Logging", and docs.python.org, logging.basicConfig
            'INFO:aiohttp.access:192.0.2.7 [08/Feb/2022:11:08:05 +0000] "GET /a HTTP/1.1" 200 165 "-'
            '" "curl"\n',
            [("2022-02-08T11:08:05", "192.0.2.7", "200", "GET", "/a")],
            id="aiohttp",
        ),
        pytest.param(
            'INFO:werkzeug:192.0.2.7 - - [08/Feb/2022 11:08:05] "GET /a HTTP/1.1" 429 -\n',
            [("2022-02-08T11:08:05", "192.0.2.7", "429", "GET", "/a")],
            id="Werkzeug",
        ),
        pytest.param(  # nginx.org, ngx_http_log_module: $msec|$remote_addr|$request_method|$uri|$status
            "1645000085.123|192.0.2.7|GET|/a|200\n1645000086.123|192.0.2.7|GET|/b|429\n",
            [
                ("2022-02-16T08:28:05.123000", "192.0.2.7", "200", "GET", "/a"),
                ("2022-02-16T08:28:06.123000", "192.0.2.7", "429", "GET", "/b"),
            ],
            id="bars",
        ),
        pytest.param(  # allinurl/goaccess#1298: columns of Tomcat behind a load balancer, without names
            "2018-11-06\t00:06:02\t200\tGET /in.html HTTP/1.1\tELB-HealthChecker/1.0\t-\t-\t2\n"
            "2018-11-06\t00:06:49\t302\tGET /index.html HTTP/1.1\tMozilla/5.0 (Windows NT 6.1)\t-\t5"
            "2.78.209.113\t-\n",
            [
                ("2018-11-06T00:06:02", "", "200", "GET", "/in.html"),
                ("2018-11-06T00:06:49", "52.78.209.113", "302", "GET", "/index.html"),
            ],
            id="columns without names",
        ),
        pytest.param(  # nginx.org, ngx_http_log_module: $time_local, $remote_addr, $request and $status
            "26/Jul/2022:10:00:00 +0000\t192.0.2.7\tGET /a HTTP/1.1\t429\t0.250\n",
            [("2022-07-26T10:00:00", "192.0.2.7", "429", "GET", "/a")],
            id="tabs",
        ),
        pytest.param(  # cloud.google.com, google.appengine.logging.v1.RequestLog
            '{"protoPayload":{"startTime":"2022-07-26T10:00:01.123Z","endTime":"2022-07-26T10:00:01.'
            '623Z","ip":'
            '"192.0.2.7","method":"GET","resource":"/x","status":429},"timestamp":"2022-07-26T10:00:'
            '01.123Z"}\n',
            [("2022-07-26T10:00:01.123000", "192.0.2.7", "429", "GET", "/x")],
            id="App Engine",
        ),
        pytest.param(  # elastic.co, ECS, url.full
            '{"@timestamp":"2022-02-08T11:08:05.123Z","http":{"request":{"method":"GET"},"response"'
            ':{"status_code":'
            '429}},"url":{"full":"https://a/x"},"client":{"ip":"192.0.2.7"}}\n',
            [("2022-02-08T11:08:05.123000", "192.0.2.7", "429", "GET", "https://a/x")],
            id="whole address",
        ),
    ],
)
def test_the_fields_of_a_request_are_read(read, text, requests):
    rows = read(text)
    assert requests == [row[: len(requests[0])] for row in rows]


def test_the_console_of_caddy_has_the_same_requests_as_its_json(read_with_notes):
    rows, notes = read_with_notes(CADDY_MESSAGE + CADDY.format(5) + CADDY.format(6))
    assert [
        ("2022-02-08T11:08:04.623000", "192.0.2.7", "429", "GET", "/a"),
        ("2022-02-08T11:08:05.623000", "192.0.2.7", "429", "GET", "/a"),
    ] == rows
    assert (notes.duration, notes.skipped, notes.others) == ("duration", 0, 2)


@pytest.mark.parametrize(
    ("text", "begin"),
    [
        # gin-gonic/gin, logger.go: the time is taken behind the handlers
        ('[GIN] 2022/02/08 - 11:08:05 | 429 |    1.5s |   192.0.2.7 | GET      "/b"\n', "03.500000"),
        # roidrage/lograge, README.md: duration in milliseconds
        (
            (
                "I, [2022-02-08T11:08:05.500000 #1]  INFO -- : method=GET path=/a format=html controller"
                "=AController "
                "action=show status=200 duration=500.00 view=40.43 db=15.26\n"
            ),
            "05",
        ),
        (
            (
                '{"method":"GET","path":"/a","controller":"AController","action":"show","status":200,"du'
                'ration":500.25,'
                '"@timestamp":"2022-02-08T11:08:05.500Z"}\n'
            ),
            "04.999750",
        ),
        # rack/rack, lib/rack/common_logger.rb: seconds with four decimals, at the end
        ('192.0.2.7 - - [08/Feb/2022:11:08:05 +0000] "GET /a HTTP/1.1" 200 - 0.5000\n', "04.500000"),
    ],
)
def test_the_begin_is_before_the_end_by_the_duration(read, text, begin):
    rows = read(text)
    assert [f"2022-02-08T11:08:{begin}"] == [row[0] for row in rows]


def test_what_a_client_writes_is_no_request_behind_a_host(read):
    """nginx answers 400 to what it cannot read, and the client chooses its program."""
    line = '192.0.2.7 - - [08/Feb/2022:11:08:05 +0000] "a.example" "GET /forged HTTP/1.1" 400 5\n'
    rows = read(line)
    assert [("2022-02-08T11:08:05", "192.0.2.7", "400", "", "")] == rows
