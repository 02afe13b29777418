"""Records of several lines: which requests, times, clients and statuses are read."""

from __future__ import annotations

import json

import pytest

from hook_widgets._access_logs import log_records
from hook_widgets.ratelimit import Arrivals
from hook_widgets.ratelimit.traffic.logged import describe_log

# learn.microsoft.com, "Logging in .NET": the console writes the message below the category.
ASP_NET = """\
{0}info: Microsoft.AspNetCore.Hosting.Diagnostics[1]
      Request starting HTTP/1.1 GET http://localhost:5000/ - - -
{1}info: Microsoft.AspNetCore.Hosting.Diagnostics[2]
      Request finished HTTP/1.1 GET http://localhost:5000/ - 200 - text/plain;+charset=utf-8 500.0000ms
{2}info: Microsoft.AspNetCore.Routing.EndpointMiddleware[0]
      Executing endpoint 'HTTP: GET /x'
{3}info: Microsoft.AspNetCore.Hosting.Diagnostics[2]
      Request finished HTTP/1.1 GET http://localhost:5000/x - 429 0 - 250.0000ms
"""
# dotnet/aspnetcore#10102: before 3.0 without the address.
ASP_NET_2 = """\
2026-10-10 13:55:36 info: Microsoft.AspNetCore.Hosting.Diagnostics[2]
      Request finished in 31.180400000000002ms 200
2026-10-10 13:55:38 info: Microsoft.AspNetCore.Hosting.Diagnostics[2]
      Request finished in 1.6021ms 429 text/html
"""
# learn.microsoft.com, "HTTP logging in ASP.NET Core"
HTTP_LOGGING = """\
2026-10-10 13:55:35 info: Microsoft.AspNetCore.HttpLogging.HttpLoggingMiddleware[1]
      Request:
      Protocol: HTTP/2
      Path: /
      StatusCode: 500
2026-10-10 13:55:36 info: Microsoft.AspNetCore.HttpLogging.HttpLoggingMiddleware[2]
      Response:
      StatusCode: 200
      Content-Type: text/plain; charset=utf-8
2026-10-10 13:55:37 info: Microsoft.AspNetCore.HttpLogging.HttpLoggingMiddleware[1]
      Request:
      Path: /b
2026-10-10 13:55:38 info: Microsoft.AspNetCore.HttpLogging.HttpLoggingMiddleware[2]
      Response:
      StatusCode: 429
"""
# guides.rubyonrails.org, "Debugging Rails Applications"
RAILS = """\
Started GET "/posts" for 192.0.2.7 at 2026-10-10 13:55:36 +0000
Processing by PostsController#index as HTML
  Post Load (0.2ms)  SELECT "posts".* FROM "posts"
Completed 200 OK in 12ms (Views: 10.1ms | ActiveRecord: 0.2ms)


Started GET "/posts/9" for 192.0.2.7 at 2026-10-10 13:55:38 +0000
Processing by PostsController#show as HTML
Completed 429 Too Many Requests in 3ms (ActiveRecord: 0.1ms)
"""
TAGGED = """\
I, [2026-10-10T13:55:36.000 #7]  INFO -- : [a1] Started GET "/a" for 192.0.2.7 at 2026-10-10 13:55:36 +0000
I, [2026-10-10T13:55:36.010 #7]  INFO -- : [a1] Processing by PostsController#index as HTML
I, [2026-10-10T13:55:38.000 #7]  INFO -- : [a2] Started GET "/x" for 192.0.2.7 at 2026-10-10 13:55:38 +0000
I, [2026-10-10T13:55:38.050 #7]  INFO -- : [a2] Completed 429 Too Many Requests in 8ms
I, [2026-10-10T13:55:38.060 #7]  INFO -- : [a1] Completed 200 OK in 2060ms
"""
RAILS_IN_SYSLOG = """\
Oct 10 13:55:36 web rails[7]: Started GET "/posts" for 192.0.2.7 at 2026-10-10 13:55:36 +0000
Oct 10 13:55:36 web rails[7]: Completed 200 OK in 12ms
Oct 10 13:55:38 web rails[7]: Started GET "/posts" for 192.0.2.7 at 2026-10-10 13:55:38 +0000
Oct 10 13:55:38 web rails[7]: Completed 429 Too Many Requests in 12ms
"""
# hexdocs.pm, "Phoenix.Logger"
PHOENIX = """\
13:55:36.000 request_id=F1 [info] GET /
13:55:36.100 request_id=F1 [info] Sent 200 in 99ms
13:55:38.000 request_id=F2 [info] GET /
13:55:38.050 request_id=F2 [info] Sent 429 in 49ms
"""
# github.com/pinojs/pino-pretty, README; with Fastify, also on a single line
PINO = """\
[13:55:36.000] INFO (7): incoming request
    reqId: "req-1"
    req: {
      "method": "GET",
      "url": "/",
      "remoteAddress": "192.0.2.7",
      "remotePort": 50000
    }
[13:55:36.010] INFO (7): request completed
    reqId: "req-1"
    res: {
      "statusCode": 200
    }
    responseTime: 9.5
[13:55:38.000] INFO (7): incoming request
    reqId: "req-2"
    req: {
      "method": "GET",
      "url": "/",
      "remoteAddress": "192.0.2.7"
    }
[13:55:38.010] INFO (7): request completed
    reqId: "req-2"
    res: {
      "statusCode": 429
    }
    responseTime: 8.5
"""
# docs.aws.amazon.com, "Set up CloudWatch logging for REST APIs in API Gateway": an execution log
EXECUTION = """\
2026-10-10T13:55:35.900Z (a1) Extended Request Id: OM2EJG
2026-10-10T13:55:36.000Z (a1) HTTP Method: GET, Resource Path: /pets
2026-10-10T13:55:36.003Z (a1) Method request headers: {User-Agent=curl, X-Forwarded-For=192.0.2.7}
2026-10-10T13:55:36.400Z (a1) Method completed with status: 200
2026-10-10T13:55:38.000Z (a2) HTTP Method: GET, Resource Path: /pets
2026-10-10T13:55:38.400Z (a2) Method completed with status: 429
"""
# docs.spring.io, "Spring MVC", logging of org.springframework.web at DEBUG
SPRING = """\
2026-10-10T13:55:36.000Z DEBUG 7 --- [nio-8080-exec-1] o.s.web.servlet.DispatcherServlet : GET "/a"
2026-10-10T13:55:36.010Z DEBUG 7 --- [nio-8080-exec-1] o.s.web.servlet.DispatcherServlet : Completed 200 OK
2026-10-10T13:55:38.000Z DEBUG 7 --- [nio-8080-exec-2] o.s.web.servlet.DispatcherServlet : GET "/a"
2026-10-10T13:55:38.010Z DEBUG 7 --- [nio-8080-exec-2] o.s.web.servlet.DispatcherServlet : Completed 429 x
"""
# docs.gunicorn.org: both logs in one file, with a traceback
GUNICORN = """\
[2026-10-10 13:55:30 +0000] [1] [INFO] Starting gunicorn 22.0.0
192.0.2.7 - - [10/Oct/2026:13:55:36 +0000] "GET / HTTP/1.1" 200 12 "-" "curl/8"
192.0.2.7 - - [10/Oct/2026:13:55:38 +0000] "GET / HTTP/1.1" 429 12 "-" "curl/8"
[2026-10-10 13:55:39 +0000] [7] [ERROR] Error handling request /
Traceback (most recent call last):
  File "/usr/lib/python3/gunicorn/workers/sync.py", line 136, in handle
ValueError: 2026-10-10 13:55:39
"""
CLIENT = {"192.0.2.7": 2}


@pytest.mark.parametrize(
    ("text", "seconds", "ips", "skipped"),
    [
        pytest.param(
            ASP_NET.format(*(f"2026-10-10T13:55:{s}Z " for s in ("36", "36.5", "38", "38.25"))),
            2,
            {},
            0,
            id="ASP.NET",
        ),
        pytest.param(
            ASP_NET.format(*(f"[13:55:{s}] " for s in (36, 36, 38, 38))), 2, {}, 0, id="ASP.NET, time of day"
        ),
        pytest.param(ASP_NET_2, 2, {}, 0, id="ASP.NET before 3.0"),
        pytest.param(HTTP_LOGGING, 2, {}, 0, id="HTTP logging of ASP.NET"),
        pytest.param(RAILS, 2, CLIENT, 0, id="Rails"),
        pytest.param(TAGGED, 2, CLIENT, 0, id="Rails with tags, two at once"),
        pytest.param(RAILS_IN_SYSLOG, 2, CLIENT, 0, id="Rails in syslog"),
        pytest.param(PHOENIX, 2, {}, 0, id="Phoenix"),
        pytest.param(PINO, 2, CLIENT, 0, id="pino-pretty"),
        pytest.param(EXECUTION, 2, {}, 0, id="API Gateway, execution log"),
        pytest.param(SPRING, 2, {}, 0, id="Spring"),
        pytest.param(GUNICORN, 2, CLIENT, 2, id="gunicorn"),
    ],
)
def test_records_of_several_lines_are_read(text, seconds, ips, skipped, tmp_path):
    path = tmp_path / "requests.log"
    path.write_text(text)
    arrivals = Arrivals.from_log(path, origin="first", max_skipped=0.6)
    traffic = describe_log(text.encode())

    assert arrivals.log is not None
    assert 2 == len(arrivals.times_s)
    assert seconds == arrivals.times_s[1] - arrivals.times_s[0]
    assert ({"200": 1, "429": 1}, ips, skipped) == (traffic.statuses, traffic.ips, traffic.skipped)
    assert len(text.split("\n")) - 1 - text.count("\n\n\n") * 2 == 2 + arrivals.log.others + skipped


def test_a_pretty_record_on_one_line_is_read():
    line = '[13:55:3{}.000] INFO (7): request completed {{"res":{{"statusCode":429}},"responseTime":1}}\n'

    assert {"429": 2} == describe_log((line.format(6) + line.format(7)).encode()).statuses


def test_no_status_is_known_of_requests_that_cannot_be_distinguished():
    begin, end = RAILS.splitlines()[0], "Completed {} OK in 12ms"
    lines = [begin, begin, end.format(200), begin, end.format(429), end.format(200), begin, end.format(404)]
    traffic = describe_log("\n".join(lines).encode())

    assert (4, {"404": 1}) == (traffic.requests, traffic.statuses)


def test_requests_that_never_end_are_read_in_their_order(monkeypatch, tmp_path):
    monkeypatch.setattr(log_records, "_MAX_RUNNING", 3)
    lines = [f"00:{minute:02}:00.000 id=F{minute} [info] GET /" for minute in range(0, 50, 5)]
    path = tmp_path / "requests.log"
    path.write_text("\n".join([*lines, "23:00:00.000 id=F1 [info] GET /"]))

    assert (*range(0, 3000, 300), 82_800) == Arrivals.from_log(path, origin="midnight").times_s


@pytest.mark.parametrize(
    ("text", "status", "client"),
    [
        # bunny.net, "Logging API v1": cache status, status, ...
        (
            "MISS|429|1507167062421|412|390|192.0.2.7|-|https://a/b|WA|curl|322b688b|DE\n",
            {"429": 2},
            CLIENT,
        ),
        # jfrog.com, "Artifactory Log Files", the request log
        (
            "2026-10-10T13:55:36.277Z|31627ed4a292c0e6|192.0.2.7|a|GET|/api/system/ping|429|-1|0|4|x\n",
            {"429": 2},
            CLIENT,
        ),
        # Values with blanks, unquoted: those before and behind what a client writes are sure.
        (
            (
                "#Fields: date time cs-uri-stem c-ip cs(User-Agent) sc-status\n"
                "2026-10-10 13:55:36 /a b 192.0.2.7 curl 8 429\n"
            ),
            {"429": 2},
            {},
        ),
        # docs.konghq.com, "HTTP Log": the addresses of the upstream are no client's.
        (
            (
                '{"started_at":1791640536000,"client_ip":"192.0.2.7","response":{"status":429},'
                '"tries":[{"ip":"10.0.0.8"}]}\n'
            ),
            {"429": 2},
            CLIENT,
        ),
    ],
)
def test_columns_without_names_and_values_with_blanks(text, status, client):
    traffic = describe_log((text + text.splitlines()[-1]).encode())

    assert (2, status, client) == (traffic.requests, traffic.statuses, traffic.ips)


# Lines of public issues, each with other values in the second: what clients and statuses they have.
SERILOG = "[17:20:2{} INF] HTTP GET /{} responded {} in 2.4465 ms\n"


@pytest.mark.parametrize(
    ("line", "client"),
    [
        pytest.param(
            "[2020-05-05T14:51:03-04:00] ||  STATUS: {} ||  HOST:  a || 192.0.2.7 --> 10.0.0.9\n",
            CLIENT,
            id="goaccess#1756",
        ),
        pytest.param(
            "0.002 2 192.0.2.7 - - [15/Jun/2017:00:00:13 +0000] POST /x?y=1 HTTP/1.1 {} 37 https://a/ curl\n",
            CLIENT,
            id="goaccess#815",
        ),
        pytest.param(
            'Nov  3 00:02:37 h cd: [03/Nov/2017:00:02:37 +0000] a (192.0.2.7) "GET / HTTP/1.1" ({}) 32 "-"\n',
            CLIENT,
            id="goaccess#937",
        ),
        pytest.param(
            '({}) | [24/Feb/2020:06:25:05 +0300] | 192.0.2.7 | Time: 3.057 | Request: "GET / HTTP/1.1"\n',
            CLIENT,
            id="goaccess#1681",
        ),
        pytest.param(
            "2017-09-19T00:00:04+08:00|192.0.2.7|192.168.0.85:8080|GET /a?n=%E4 HTTP/1.0|{}|0.026|686|-\n",
            CLIENT,
            id="goaccess#888",
        ),
        pytest.param(
            '192.0.2.7 - - [31/Mar/2016:03:10:51 +0530] "GET /a HTTP/1.1" control.example {} 39 "-" "-"\n',
            CLIENT,
            id="goaccess#394",
        ),
        pytest.param(
            '192.0.2.7,172.39.5.169 - - [21/Jul/2019:03:01:27 +0000] "GET /q HTTP/1.0" {} 11450 "-" "x"\n',
            CLIENT,
            id="influxdata/docs#2359",
        ),
        pytest.param(
            '{{"timestamp":"2020-05-13T22:03:44.187Z","status_code":"{}","downstream_remote":"192.0.2.7:39849"}}\n',
            CLIENT,
            id="nitishm/engarde#8",
        ),
        pytest.param(
            '{{"ts":1743003163.1,"request":{{"remote_ip":"router tls:a","headers":{{"X-Forwarded-For":'
            '["192.0.2.7, 10.0.0.1"]}}}},"status":{}}}\n',
            CLIENT,
            id="goaccess#2814",
        ),
        pytest.param(
            '{{"unixtime":"1700000000","client_ip":"192.0.2.7","request_time":"12","return_code":"{}"}}\n',
            CLIENT,
            id="alibabacloud.com, DCDN real-time logs",
        ),
        pytest.param(
            '2026/06/18 19:34:27.024\tINFO\thttp.log.access\tx\t{{"remote_ip": "192.0.2.7", "status": {}}}\n',
            CLIENT,
            id="mholt/caddy-ratelimit#103",
        ),
        pytest.param(
            'ACCESS [2024-01-15T10:30:00.123Z] "GET / HTTP/1.1" {} - 0 12 5 4 "192.0.2.7" "c" "1" "a" "b"\n',
            CLIENT,
            id="Ambassador",
        ),
        pytest.param(
            "0|app  | 2026-10-10T13:55:36.000Z GET /a {} 12.345 ms - 12\n",
            {},
            id="morgan dev and tiny, by pm2",
        ),
        pytest.param("2026-10-10T13:55:36Z [INFO] HTTP GET / responded {} in 12.5 ms\n", {}, id="Serilog"),
    ],
)
def test_lines_of_public_issues_have_a_client_and_a_status(line, client):
    traffic = describe_log((line.format(200) + line.format(429)).encode())

    assert (2, {"200": 1, "429": 1}, client) == (traffic.requests, traffic.statuses, traffic.ips)


# grafana.com/docs/k6, "CSV" and "JSON": a row for each metric of each request, and for users and data.
K6_CSV = "metric_name,timestamp,metric_value,check,error,error_code,method,name,status\n" + "".join(
    f"{metric},17916405{second:02d},1.5,,,,GET,http://a,{status}\n"
    for second, status in ((36, 200), (38, 429))
    for metric in ("http_reqs", "http_req_duration", "http_req_waiting", "vus")
)
K6_JSON = "".join(
    json.dumps(
        {"type": kind, "metric": metric, "data": {"time": f"2026-10-10T13:55:{second}Z", "tags": tags}}
    )
    + "\n"
    for second, tags in ((36, {"status": "200"}), (38, {"status": "429"}))
    for kind, metric in (("Metric", "http_reqs"), ("Point", "http_reqs"), ("Point", "http_req_duration"))
)
# docs.aws.amazon.com, "Log and monitor Python Lambda functions": three lines of the platform, and its own.
LAMBDA = "".join(
    f"2026-10-10T13:55:{second}.000Z START RequestId: {request} Version: $LATEST\n"
    f"2026-10-10T13:55:{second}.100Z [INFO] {request} begin\n"
    f"2026-10-10T13:55:{second}.200Z END RequestId: {request}\n"
    f"2026-10-10T13:55:{second}.200Z REPORT RequestId: {request}\tDuration: 200.00 ms\tMemory Size: 128 MB\n"
    for second, request in (
        (36, "8f507cfc-f7b1-4697-b07a-ac58fc914c95"),
        (38, "f507cfc8-f7b1-4697-b07a-ac58fc914c95"),
    )
)


@pytest.mark.parametrize(
    ("text", "statuses"),
    [
        pytest.param(K6_CSV, {"200": 1, "429": 1}, id="k6, CSV"),
        pytest.param(K6_JSON, {"200": 1, "429": 1}, id="k6, JSON"),
        pytest.param(LAMBDA, {}, id="Lambda"),
    ],
)
def test_of_several_lines_about_a_request_one_counts(text, statuses, tmp_path):
    path = tmp_path / "results"
    path.write_text(text)
    arrivals, traffic = Arrivals.from_log(path, origin="first"), describe_log(text.encode())

    assert [0, 2] == list(arrivals.times_s)
    assert (2, statuses) == (traffic.requests, traffic.statuses)


def test_a_path_that_serilog_decodes_is_no_status():
    written = 'x responded 429 in 1.0 ms" responded 429 in 1.0 ms'
    text = SERILOG.format(1, "a", 404) + SERILOG.format(2, written, 404) + "[17:20:23 INF] Now listening\n"
    traffic = describe_log(text.encode())

    assert (2, {"404": 2}) == (traffic.requests, traffic.statuses)


def test_whole_milliseconds_of_a_content_network_are_no_seconds(tmp_path):
    """Tencent Cloud and Alibaba Cloud document request_time in ms; nginx writes seconds with three digits."""
    path = tmp_path / "requests.log"
    path.write_text('{"time":1700000000,"request_time":120}\n{"time":1700000002,"request_time":8}\n')

    assert (0.0, 2.0) == Arrivals.from_log(path, origin="first").times_s


def test_records_with_the_same_keys_may_have_a_status_below_them():
    """elastisys/welkin#249: Request and Response of ASP.NET differ in an object only."""
    record = '{{"Timestamp":"2021-11-25T16:24:4{}Z","EventId":{},"State":{{{}}}}}\n'
    text = record.format(2, 1, '"Path":"/"') + record.format(3, 2, '"StatusCode":429')

    assert {"429": 1} == describe_log(text.encode()).statuses
