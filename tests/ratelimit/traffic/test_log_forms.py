"""Logs as servers write them: each form, dirty lines, and begins from ends and durations."""

from __future__ import annotations

import gzip
import json
import random

import pytest

from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit import (
    Arrivals,
    Chunk,
    Concurrency,
    SlidingLog,
    TokenBucket,
    rejected_bounds,
    simulate,
)
from hook_widgets.ratelimit.reporting.measured import inputs_of_log
from hook_widgets.ratelimit.traffic.logged import describe_log
from tests.support.work import at_most_lines

CLF = '192.0.2.7 - - [10/Oct/2026:13:55:3{} +0000] "GET / HTTP/1.1" 200 9 "-" "agent{}"\n'
QUOTED = CLF.format(6, "").strip().replace('"', '""')
HAPROXY = (
    "Oct 10 13:55:36 e haproxy[7]: 192.0.2.1:4001 [10/Oct/2026:13:55:36.{}] www~ a/n1 0/0/1/12/13 200 5 - - "
    '---- 2/2/0/0/0 0/0 "GET / HTTP/1.1"\n'
)
# docs.aws.amazon.com, "Access log entries": field 2 is the end, request_creation_time the begin.
ALB = (
    "https 2026-10-10T13:55:4{}.186641Z app/lb/50dc6c495c0c9188 192.0.2.1:2817 10.0.0.1:80 0.086 0.048 0.037 "
    '200 200 0 57 "GET https://example.com:443/?from=2020-01-01T00:00:00Z HTTP/1.1" "curl/7.46.0" '
    'ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:x "Root=1-58337281" "example.com" "arn:aws:acm" 1 '
    '2026-10-10T13:55:3{}.364000Z "authenticate,forward" "-" "-" "10.0.0.1:80" "200" "-" "-"\n'
)
CADDY = (
    '{{"level":"info","ts":1791640536.{},"logger":"http.log.access","msg":"handled request","request":'
    '{{"remote_ip":"192.0.2.7","method":"GET","uri":"/"}},"duration":{},"size":10,"status":200}}\n'
)
ISTIO = (
    '[2026-10-10T13:55:36.409Z] "GET /status/418 HTTP/1.1" 418 - via_upstream - "-" 0 135 4 4 "{}" "curl/7" '
    '"84961386" "httpbin:8000" "127.0.0.1:80" inbound|8000|| 127.0.0.1:41854 10.44.1.27:80 192.0.2.7:37652 '
    "outbound_.8000_._.httpbin default\n"
)
TRAEFIK = (
    '{{"ClientHost":"192.0.2.7","Duration":{},"DownstreamStatus":200,"StartUTC":"2026-10-10T13:55:36.{}Z",'
    '"StartLocal":"2026-10-10T13:55:36.{}Z","level":"info","msg":"","time":"2026-10-10T13:55:39Z"}}\n'
)


@pytest.fixture
def log(tmp_path):
    def write(text: str | bytes):
        path = tmp_path / "requests.log"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def times(path, **options):
    return Arrivals.from_log(path, origin="first", **options).times_s


FORMS: dict[str, str | bytes] = {
    "HAProxy, without a zone": HAPROXY.format("000") + HAPROXY.format("250"),
    "common with a fraction": (
        '192.0.2.7 - - [10/Oct/2026:13:55:36.000000 +0000] "GET /" 200 1\n'
        '192.0.2.7 - - [10/Oct/2026:13:55:36.250000 +0000] "GET /" 200 1\n'
    ),
    "Envoy": (
        '[2026-10-10T13:55:36.000Z] "GET / HTTP/2" 200 - 0 1 2 1\n'
        '[2026-10-10T13:55:36.250Z] "GET / HTTP/2" 200 - 0 1 2 1\n'
    ),
    "Application Load Balancer": ALB.format(8, 6).replace("36.364", "36.114") + ALB.format(1, 6),
    "Caddy, JSON with ends and durations": CADDY.format("5", "0.5") + CADDY.format("75", "0.5"),
    "Traefik, JSON with begins": TRAEFIK.format(3, "000", "000") + TRAEFIK.format(9, "250", "250"),
    "nginx error": (
        "2026/10/10 13:55:36.000 [error] 7#7: *1 limiting requests\n"
        "2026/10/10 13:55:36.250 [error] 7#7: *2 limiting requests\n"
    ),
    "Apache error": (
        "[Sat Oct 10 13:55:36.000000 2026] [core:error] [pid 7] x\n"
        "[Sat Oct 10 13:55:36.250000 2026] [core:error] [pid 7] x\n"
    ),
    "W3C extended, spaces": (
        "#Software: x\n#Fields: date time cs-uri\n2026-10-10 13:55:36.000 /a\n"
        "#Fields: time date cs-uri\n13:55:36.250 2026-10-10 /a\n"
    ),
    "CloudFront, tabs and ends": (
        "#Version: 1.0\n#Fields: date time x-edge-location time-taken\n"
        "2026-10-10\t13:55:36.3\tFRA2 C1\t0.300\n2026-10-10\t13:55:36.5\tFRA2 C1\t0.250\n"
    ),
    "semicolons": 'path;when\n"/a;b";2026-10-10T13:55:36Z\n/x;2026-10-10T13:55:36.250Z\n',
    "tabs with a quote": 'path\ttime\n"\t2026-10-10T13:55:36Z\n/x\t2026-10-10 13:55:36,250\n',
    "a quote that does not end": (
        'time,agent\n2026-10-10T13:55:36Z,"a\n2026-10-10T13:55:36Z,b\n2026-10-10T13:55:36.25Z,c\n'
    ),
    "date and time in two columns": ("date,time,path\n2026-10-10,13:55:36,/\n2026-10-10,13:55:36.25,/\n"),
    "without a header": "2026-10-10T13:55:36Z,/a\n2026-10-10T13:55:36.25Z,/a\n",
    "nested keys": (
        '{"http": {"request": {"seen": "2026-10-10T13:55:36Z"}}, "took": 3}\n'
        '{"http": {"request": {"seen": "2026-10-10T13:55:36.25Z"}}, "took": 4}\n'
    ),
    "time_local in JSON": (
        '{"time_local": "26/Jun/2023:14:24:53.00 +0800"}\n{"time_local": "26/Jun/2023:14:24:53.25 +0800"}\n'
    ),
    "a list of JSON": '[\n  {"time": "2026-10-10T13:55:36Z"},\n  {"time": "2026-10-10T13:55:36.25Z"}\n]\n',
    "HAR": (
        '{"log": {"version": "1.2", "creator": {"name": "x"}, "entries": ['
        '{"startedDateTime": "2026-10-10T15:55:36.000+02:00", "time": 7.5},'
        '{"startedDateTime": "2026-10-10T15:55:36.250+02:00", "time": 900.5}]}}'
    ),
    "CloudTrail, one object": (
        '{"Records": [{"eventTime": "2026-10-10T13:55:36Z"}, {"eventTime": "2026-10-10T13:55:36.25Z"}]}\n'
    ),
    "logfmt with quotes": (
        'level=info time="2026-10-10T13:55:36Z" msg="GET /"\n'
        'level=info time="2026-10-10T13:55:36.25Z" msg="GET /"\n'
    ),
    "logfmt with seconds": "level=info ts=1791640536.00 msg=GET\nlevel=info ts=1791640536.25 msg=GET\n",
    "day.month.year": "zeit;status\n10.11.2026 13:55:36,000;200\n10.11.2026 13:55:36,250;200\n",
    "month/day/year": "time,status\n10/13/2026 13:55:36.000,200\n10/13/2026 13:55:36.250,200\n",
    "day/month/year": "time,status\n13/10/2026 13:55:36.000,200\n13/10/2026 13:55:36.250,200\n",
    "twelve hours": (
        '"TimeGenerated [UTC]",Status\n"10/11/2026, 12:00:00.000 AM",200\n"10/11/2026, 12:00:00.250 AM",200\n'
    ),
    "twelve hours across noon": ("Date,Time\n2026-10-10,11:59:59.750 AM\n2026-10-10,12:00:00.000 PM\n"),
    "JavaScript": (
        "at\nSat Oct 10 2026 15:55:36.00 GMT+0200 (Central European Summer Time)\n"
        "Sat Oct 10 2026 13:55:36.25 GMT+0000 (Coordinated Universal Time)\n"
    ),
    "hours from Greenwich": (
        "2026-10-10 15:55:36.00 GMT+2 GET /a\n2026-10-10 19:25:36.25 UTC+05:30 GET /a\n"
    ),
    "Django": '[10/Oct/2026 13:55:36.00] "GET /" 200 1\n[10/Oct/2026 13:55:36.25] "GET /" 200 1\n',
    "Gin": (
        '[GIN] 2026/10/10 - 13:55:36.00 | 200 | 1ms | 192.0.2.7 | GET "/"\n'
        '[GIN] 2026/10/10 - 13:55:36.25 | 200 | 1ms | 192.0.2.7 | GET "/"\n'
    ),
    "Tomcat": "10-Oct-2026 13:55:36.000 INFO [main] x\n10-Oct-2026 13:55:36.250 INFO [main] x\n",
    "Kibana": '"@timestamp",ip\n"Oct 10, 2026 @ 13:55:36.000",a\n"Oct 10, 2026 @ 13:55:36.250",a\n',
    "syslog without a year": "<34>Oct  1 13:55:36.000 web app: a\n<34>Oct  1 13:55:36.250 web app: b\n",
    "JSON behind syslog": (
        'Oct 10 13:55:37 web nginx: {"msec": "1791640536.000", "status": 200}\n'
        'Oct 10 13:55:37 web nginx: {"msec": "1791640536.250", "status": 200}\n'
    ),
    "JSON behind a container": (
        '2026-10-10T13:55:38Z stdout F {"time": "2026-10-10T13:55:36Z"}\n'
        '2026-10-10T13:55:39Z stdout F {"time": "2026-10-10T13:55:36.25Z"}\n'
    ),
    "console of Caddy": (
        '2026/10/10 13:55:36.000\tinfo\thandled\t{"status": 200}\n'
        '2026/10/10 13:55:36.250\tinfo\thandled\t{"status": 200}\n'
    ),
    # docs.aws.amazon.com, "Variables for access logging for API Gateway": one moment in two columns.
    "API Gateway": (
        '{"requestTime":"10/Oct/2026:13:55:36 +0000","requestTimeEpoch":1791640536000}\n'
        '{"requestTime":"10/Oct/2026:13:55:36 +0000","requestTimeEpoch":1791640536250}\n'
    ),
    "milliseconds": '{"time": 1791640536000}\n{"time": 1791640536250}\n',
    "microseconds": "ts\n1791640536000000\n1791640536250000\n",
    "CR only": "time\r1791640536\r1791640536.25\r",
    "PostgreSQL, hours of the zone": (
        "created_at,status\n2026-10-10 13:55:36+00,200\n2026-10-10 15:55:36.25+02,200\n"
    ),
    "PostgreSQL, in text": '2026-10-10 13:55:36+00 "GET /"\n2026-10-10 15:55:36.25+02 "GET /"\n',
    "java.time": (
        "at,status\n2026-10-10T15:55:36+02:00[Europe/Berlin],200\n2026-10-10T13:55:36.25Z[UTC],200\n"
    ),
    "time.Time of Go": (
        "at,status\n2026-10-10 15:55:36 +0200 CEST m=+0.012,200\n2026-10-10 13:55:36.25 +0000 UTC,200\n"
    ),
    "date of a shell": "at;s\nSat Oct 10 13:55:36 UTC 2026;1\nSat Oct 10 13:55:36.25 GMT 2026;1\n",
    "tshark": (
        '"frame.time","ip.src"\n"Oct 10, 2026 13:55:36.000000000 UTC",a\n"Oct 10, 2026 13:55:36.250 UTC",a\n'
    ),
    "the United States": (
        'At,Status\n"Oct 10, 2026, 1:55:36.00\u202fPM",200\n"Oct 10, 2026, 1:55:36.25 p.m.",200\n'
    ),
    "twelve hours in text": "2026-10-10 12:59:59.75 PM GET /\n2026-10-10 1:00:00 PM GET /\n",
    "months in capitals": "AT,S\n10-OCT-2026 13:55:36,1\n10-OCT-2026 13:55:36.25,1\n",
    "numbers without zeros": "at,s\n2026-9-1 3:55:36,1\n2026-9-1 3:55:36.25,1\n",
    "lower case": "at,s\n2026-10-10t13:55:36z,1\n2026-10-10t13:55:36.25z,1\n",
    "the end of a day": "at,s\n2026-10-10T24:00:00Z,1\n2026-10-11T00:00:00.25Z,1\n",
    "a date of .NET": '{"at":"\\/Date(1791640536000)\\/"}\n{"at":"\\/Date(1791640536250+0200)\\/"}\n',
    "Morgan, date of the web": (
        '::1 - - [Sat, 10 Oct 2026 13:55:36 GMT] "GET /" 200 1\n'
        '::1 - - [Sat, 10 Oct 2026 13:55:36.25 GMT] "GET /" 200 1\n'
    ),
    "Fastly, a time in quotes": (
        '192.0.2.7 "Sat, 10 Oct 2026 13:55:36 GMT" - "GET /" 200\n'
        '192.0.2.7 "Sat, 10 Oct 2026 13:55:36.25 GMT" - "GET /" 200\n'
    ),
    "colors of a terminal": (
        "\x1b[2m2026-10-10T13:55:36.00Z\x1b[0m \x1b[32m INFO\x1b[0m a\n"
        "\x1b[2m2026-10-10T13:55:36.25Z\x1b[0m \x1b[32m INFO\x1b[0m a\n"
    ),
    "a file that was cut while it was written": (
        "\0" * 5000 + CLF.format("6.00", "") + CLF.format("6.25", "\0")
    ),
    "JSON over several lines": '{\n  "time": 1791640536\n}\n{\n  "time": 1791640536.25\n}\n',
    "JSON without lines": '{"time": 1791640536}{"time": 1791640536.25}',
    "JSON with commas": '{"time": 1791640536},\n{"time": 1791640536.25},\n',
    "JSON with separators of records": '\x1e{"time": 1791640536}\n\x1e{"time": 1791640536.25}\n',
    "Elasticsearch, hits": (
        '{"took": 3, "_shards": {"total": 1}, "hits": {"total": {"value": 2}, "hits": ['
        '{"_source": {"@timestamp": "2026-10-10T13:55:36.000Z"}},'
        '{"_source": {"@timestamp": "2026-10-10T13:55:36.250Z"}}]}}'
    ),
    "comments in columns": (
        "# exported\n# of today, by a, b\ntime,x\n1791640536,1\n# a pause\n1791640536.25,2\n"
    ),
    "a delimiter of Excel": "sep=;\ntime;x;y\n1791640536;1;2\n1791640536.25;1;2\n",
    "a title": "Report: requests\nPeriod: October\n\ntime,x\n1791640536,1\n1791640536.25,2\n",
    "the shell of PostgreSQL": (
        "        at         | x \n-------------------+---\n"
        " 2026-10-10 13:55:36+00 | 1\n 2026-10-10 13:55:36.25+00 | 2\n(2 rows)\n"
    ),
    "the shell of MySQL": (
        "+------------+---+\n| at | x |\n+------------+---+\n"
        "| 2026-10-10 13:55:36 | 1 |\n| 2026-10-10 13:55:36.25 | 2 |\n+------------+---+\n"
    ),
    # httpd.apache.org, "ab": starttime in whole seconds, and the same in microseconds.
    "ab": (
        "starttime\tseconds\tctime\n"
        "Sat Oct 10 13:55:36 2026\t1791640536000000\t1\nSat Oct 10 13:55:36 2026\t1791640536250000\t2\n"
    ),
    "decimal commas": "zeit;x\n1791640536,00;1\n1791640536,25;2\n",
    "UTF-16 without a byte order mark": "time\n1791640536\n1791640536.25\n".encode("utf-16-le"),
    # github.com/fail2ban/fail2ban and github.com/tstack/lnav have such lines in their tests.
    "a colon behind": "2026-10-10 13:55:36.000: (http_auth.c.875) a\n2026-10-10T13:55:36.250Z:INFO: b\n",
    "colons before": "Main::INFO::2026-10-10 13:55:36,000::a\nMain::INFO::2026-10-10 13:55:36,250::b\n",
    "points in the date": "2026.10.10 13:55:36.000 LOG3[1:2]: a\n2026.10.10 13:55:36.250 LOG3[1:2]: b\n",
    "klog": (
        'I1010 13:55:36.000000       1 httplog.go:132] "HTTP" verb="GET"\n'
        'I1010 13:55:36.250000      12 httplog.go:132] "HTTP" verb="GET"\n'
    ),
    "Tornado": (
        "[I 261010 13:55:36.00 web:2348] 200 GET / (127.0.0.1) 1.23ms\n"
        "[W 261010 13:55:36.25 web:2348] 404 GET / (127.0.0.1) 1.23ms\n"
    ),
    "Log4j": "10 Oct 2026 13:55:36,000 INFO [main] a\n10 Oct 2026 13:55:36,250 INFO [main] b\n",
    "Redis": "1:M 10 Oct 2026 13:55:36.000 * a\n1:M 10 Oct 2026 13:55:36.250 # b\n",
    "java.util.logging": "Oct 10, 2026 1:55:36.00 PM a.B c\nOct 10, 2026 1:55:36.25 PM a.B c\n",
    "Cisco": "Oct 10 2026 13:55:36.000 fw : %ASA-6-1: a\nOct 10 2026 13:55:36.250 fw : %ASA-6-1: b\n",
    "seconds in brackets": "[1791640536.00] nsd[7]: a\n[1791640536.25] nsd[7]: b\n",
    "Oracle": ("AT,S\n10-OCT-26 01.55.36.000000 PM +00:00,1\n10-OCT-26 03.55.36.250000000 PM +02:00,1\n"),
    "the name of a zone only": "at,s\n2026-10-10 13:55:36 CEST,1\n2026-10-10 13:55:36.25 CEST,1\n",
    "mail": 'at,s\n"Sat, 3 Oct 2026 13:55:36 +0000",1\n"Sat, 3 Oct 2026 14:55:36.25 +0100",1\n',
    "quotes in W3C extended": (
        "#Fields: date time c-ip cs(User-Agent) sc-status time-taken\n"
        '"2026-10-10" "13:55:36.000" "192.0.2.7" "Mozilla/5.0 (X11; Linux)" "200" "0"\n'
        '2026-10-10 13:55:36.750 192.0.2.7 "Mozilla/5.0 (X11; Linux)" 200 500\n'
    ),
    "Zeek": (
        "#separator \\x09\n#path\tconn\n#fields\tts\tid.orig_h\tduration\n#types\ttime\taddr\tinterval\n"
        "1791640536.000000\t192.0.2.7\t7.513432\n1791640536.250000\t192.0.2.7\t0.513432\n"
    ),
    "single quotes": "'time','x'\n'2026-10-10 13:55:36','it''s, 1'\n'2026-10-10 13:55:36.25','2'\n",
    "columns by blanks": (
        "time                    status\n2026-10-10 13:55:36     200\n2026-10-10 13:55:36.25  404\n"
    ),
    "columns by one blank": "ip time\n192.0.2.7 1791640536\n192.0.2.7 1791640536.25\n",
    "values in lists": (
        '{"fields":{"@timestamp":["2026-10-10T13:55:36.000Z"]}}\n'
        '{"fields":{"@timestamp":["2026-10-10T13:55:36.250Z"]}}\n'
    ),
    "the cursor of a terminal": (
        "\x1b[2Kweb-1  | 192.0.2.7 - - [10/Oct/2026 13:55:36.00] GET\n"
        "\x1b[2Kweb-1  | 192.0.2.7 - - [10/Oct/2026 13:55:36.25] GET\n"
    ),
    "UTF-16": "time\n1791640536\n1791640536.25\n".encode("utf-16"),
    "gzip": gzip.compress(b"time\n1791640536\n1791640536.25\n"),
}


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS.keys())
def test_every_form_of_a_log_is_read(log, text):
    assert (0.0, 0.25) == times(log(text))


@pytest.mark.parametrize("name", ["HAProxy, without a zone", "Traefik, JSON with begins", "semicolons"])
def test_the_widget_reads_the_same_forms(name):
    traffic = describe_log(str(FORMS[name]).encode())

    assert (2, 0) == (traffic.requests, traffic.skipped)


@pytest.mark.parametrize("character", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1e"])
def test_only_cr_and_lf_end_a_line(log, character):
    text = CLF.format(6, "") + CLF.format(7, character) + CLF.format(8, "")
    json = '{"time":1,"ua":"a"}\n{"time":2,"ua":"a%sb"}\n' % (character if character > "\x1f" else "\\n")

    assert (0.0, 1.0, 2.0) == times(log(text))
    assert (1.0, 2.0) == times(log(json))
    assert 3 == describe_log(text.encode()).requests


def test_nanoseconds_of_iso_text_are_kept(log):
    text = '{"time":"2026-10-10T13:55:36.000000000Z"}\n{"time":"2026-10-10T13:55:36.250000999Z"}\n'

    assert 250_000_999 == Arrivals.from_log(log(text), origin="first").times_ns[1]


@pytest.mark.parametrize(
    ("text", "expected", "skipped"),
    [
        (CLF.format(6, "") + CLF.format(7, "@") + CLF.format(8, ""), (0.0, 1.0, 2.0), ()),
        (CLF.format(6, "") + CLF.format(7, "") + CLF.format(8, "")[:20], (0.0, 1.0), (3,)),
        ("cut at the begin\n" + CLF.format(6, "") + "\n" + CLF.format(8, ""), (0.0, 2.0), (1,)),
        (
            CLF.format(6, "") + CLF.format(7, "").replace("10/Oct", "31/Feb") + CLF.format(8, ""),
            (0.0, 2.0),
            (2,),
        ),
        ('{"time":1}\n{"time":2,"ua":"F\\xFAtbol"}\n{"time":3}\n', (1.0, 2.0, 3.0), ()),
        ('{"time":1}\n{"time":2,"u\n{"time":3}\n', (1.0, 3.0), (2,)),
        ('{\n"time":1\n}\n{\n"time":3\n}\n{\n"ti', (1.0, 3.0), (3,)),
        ('[\n{"time":1},\n{"time":3},\n{"time":4},\n{"tim', (1.0, 3.0, 4.0), (1, 5)),
        ("time,a\n1,x\nsoon,x\n\n3,x\n4\n", (1.0, 3.0, 4.0), (3,)),
    ],
)
def test_a_dirty_line_costs_that_line_only_and_is_reported(log, text, expected, skipped):
    arrivals = Arrivals.from_log(log(text.encode().replace(b"@", b"\xff")), origin="first")

    assert expected == arrivals.times_s
    assert arrivals.log is not None
    assert (len(skipped), skipped) == (
        arrivals.log.skipped,
        tuple(at for at, _ in arrivals.log.skipped_lines),
    )
    assert bool(skipped) == ("lines skipped" in arrivals.pattern)


def test_the_share_of_skipped_lines_is_an_argument(log):
    path = log("time\n1\n2\nsoon\n3\n")

    assert (1.0, 2.0, 3.0) == times(path)
    with pytest.raises(InvalidArrivals, match="line 4: 'soon' is no time in 'soon'; tried 10/Oct/2026"):
        times(path, max_skipped=0)
    with pytest.raises(InvalidArrivals, match="line 4"):
        times(path, max_skipped=0.25)
    assert (1.0,) == times(log("time\nx\ny\n1\n"), column="time", max_skipped=0.9)


@pytest.mark.parametrize(
    "text",
    [
        '{"@timestamp":"2026-10-10T13:55:36Z","time":0.012}\n{"@timestamp":"2026-10-10T13:55:46Z","time":0.013}\n',
        '{"time":5,"sent":"2026-10-10T13:55:36Z"}\n{"time":4,"sent":"2026-10-10T13:55:46Z"}\n',
        "time,when,n\n0.1,10/Oct/2026:13:55:36 +0000,1791640536\n0.2,10/Oct/2026:13:55:46 +0000,1791640536\n",
        "t,ts\n0.1,1791640536\n0.2,1791640546\n",
    ],
)
def test_a_column_is_chosen_by_its_values(log, text):
    assert (0.0, 10.0) == times(log(text))


def test_of_columns_that_say_the_same_the_finest_is_read(log):
    text = "time_iso8601,msec\n2026-10-10T13:55:36Z,1791640536.000\n2026-10-10T13:55:36Z,1791640536.250\n"

    assert (0.0, 0.25) == times(log(text))


def test_a_date_in_the_headers_of_a_response_is_no_other_time(log):  # goaccess#2387, Caddy
    text = "".join(
        f'{{"ts":{1791640536 + at},"resp_headers":{{"Date":["Sat, 10 Oct 2026 13:00:00 GMT"]}}}}\n'
        for at in (0, 10)
    )

    assert (0.0, 10.0) == times(log(text))


def test_two_columns_that_say_different_things_are_not_guessed(log):
    text = "time,ts\n2026-10-10T13:55:36Z,1791640000\n2026-10-10T13:55:37Z,1791640009\n"

    with pytest.raises(InvalidArrivals, match=r"several columns have times \('time', 'ts'\); choose one"):
        times(log(text))
    assert (0.0, 9.0) == times(log(text), column="ts")


def test_a_date_that_may_begin_with_day_or_month_is_not_guessed(log):
    text = "status,when\n200,01/02/2026 13:55:36\n200,03/02/2026 13:55:36\n"

    with pytest.raises(
        InvalidArrivals, match=r"column 'when', such as '01/02/2026 13:55:36', may begin with"
    ):
        times(log(text))
    day_s = 86_400.0  # 2 January, 13 February and 2 March
    assert (0.0, 42 * day_s, 59 * day_s) == times(log(text + "200,02/13/2026 13:55:36\n"))


ENDS = '192.0.2.7 - - [10/Oct/2026:13:56:06 +0000] "GET / HTTP/1.1" 200 9 "-" "agent" {}\n'


def test_the_time_is_the_begin_where_a_log_has_ends_and_durations(log):
    """Three requests that took 30 s and two short ones ended in the same second."""
    path = log("".join(ENDS.format(duration) for duration in ["30.000"] * 3 + ["0.005"] * 2))
    admitted = [
        sum(simulate(SlidingLog(3, 10), Arrivals.from_log(path, duration=name, spread="none")).admitted)
        for name in (None, "")
    ]

    assert [5, 3] == admitted
    assert "begins from the ends and request_time" in Arrivals.from_log(path).pattern


@pytest.mark.parametrize("seed", range(5))
def test_a_concurrency_limit_takes_the_durations_of_the_log(log, seed):
    dice = random.Random(seed)
    spans_ms = [(begin, dice.choice([1, 40, 900, 2500])) for begin in sorted(dice.sample(range(9_000), 60))]
    in_flight: list[int] = []
    expected = []
    for begin, span in spans_ms:
        in_flight = [end for end in in_flight if end > begin]
        expected.append(len(in_flight) < 3)
        in_flight += [begin + span] * expected[-1]
    by_end = sorted(spans_ms, key=sum)
    rows = "".join(f"{1791640536 + (begin + span) / 1000:.3f},{span}\n" for begin, span in by_end)
    path = log("time,latency_ms\n" + rows)
    arrivals = Arrivals.from_log(path)

    assert expected == simulate(Concurrency(3), arrivals).admitted
    assert {True, False} == set(expected)
    assert expected == simulate(Concurrency(3), Chunk.from_log(path).arrivals).admitted
    assert expected[:20] == simulate(Concurrency(3), arrivals[:20]).admitted
    assert simulate(Concurrency(3), arrivals, service_s="1 s").admitted != expected


def test_merged_logs_keep_their_durations():
    one, other = Arrivals((0, 5), durations_ns=(9, 2)), Arrivals((3,), durations_ns=(1,))

    assert Arrivals((0, 3, 5), durations_ns=(9, 1, 2)) == one + other
    assert () == (one + Arrivals((3,))).durations_ns
    with pytest.raises(InvalidArrivals, match="durations and times differ in number"):
        Arrivals((0, 5), durations_ns=(9,))
    with pytest.raises(InvalidArrivals, match="give service_s"):
        simulate(Concurrency(3), one + Arrivals((3,)))


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (ENDS.format("1.000") + ENDS.format("0.500"), {}),
        (ENDS.format("rt=1.000 x") + ENDS.format("rt=0.500 x"), {}),
        (ENDS.format("1000000") + ENDS.format("500000"), {"duration": "last", "duration_unit": "us"}),
        (ENDS.format("1s") + ENDS.format("500ms"), {"duration": "last"}),
        ("time,request_time\n1791640536,1.000\n1791640536,0.500\n", {}),
        ("time,latency_ms\n1791640536,1000\n1791640536,500\n", {}),
        ("time,durationMs\n1791640536,1000\n1791640536,500\n", {}),
        ("time,d\n1791640536,1\n1791640536,0.5\n", {"duration": "d"}),
        ('{"ts":1791640536.0,"duration":"1s"}\n{"ts":1791640536.0,"duration":"500ms"}\n', {}),
        # squid-cache.org, logformat: "squid" begins with the time of the end, and milliseconds.
        (
            "".join(
                f"1791640536.000 {ms:6} 192.0.2.7 TCP_MISS/200 4 GET / - HIER_DIRECT/192.0.2.9 -\n"
                for ms in (1000, 500)
            ),
            {},
        ),
        ('{"time":1791640536000,"responseTime":1000}\n{"time":1791640536000,"responseTime":500}\n', {}),
        # learn.microsoft.com, "Monitor Azure Front Door": the time of delivery, and TimeTaken in seconds
        (
            "".join(
                f'{{"properties":{{"clientIp":"192.0.2.7","timeTaken":"{took}"}},'
                '"time":"2026-10-10T13:55:36.6479719Z"}\n'
                for took in ("1.000", "0.500")
            ),
            {},
        ),
        (CADDY.format("5", "1.5") + CADDY.format("5", "1.0"), {}),
        ("#Fields: date time time-taken\n2026-10-10 13:55:36 1000\n2026-10-10 13:55:36 500\n", {}),
    ],
)
def test_durations_are_subtracted_in_their_unit(log, text, options):
    assert (0.0, 0.5) == times(log(text), spread="none", **options)


@pytest.mark.parametrize(
    "text",
    [
        '{"ts":1791640536.0,"duration":7}\n{"ts":1791640536.5,"duration":900}\n',
        # lograge has milliseconds with two decimals, Serilog's Elapsed with four.
        '{"@timestamp":"2026-10-10T13:55:36Z","duration":58.33}\n{"@timestamp":"2026-10-10T13:55:36.5Z","duration":9.1}\n',
        '{"@t":"2026-10-10T13:55:36Z","Elapsed":37.1234}\n{"@t":"2026-10-10T13:55:36.5Z","Elapsed":9.1001}\n',
        # docs.cloud.google.com: the timestamp of a load balancer is the time when the request is received.
        "".join(
            f'{{"httpRequest":{{"latency":"7.5s"}},"timestamp":"2026-10-10T13:55:36.{fraction}Z"}}\n'
            for fraction in (0, 5)
        ),
        '{"start_time":"2026-10-10T13:55:36Z","duration_ms":7}\n{"start_time":"2026-10-10T13:55:36.5Z","duration_ms":9}\n',
    ],
)
def test_durations_of_an_unknown_unit_or_of_begins_are_not_subtracted(log, text):
    assert (0.0, 0.5) == times(log(text))


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (["Dec 31", "Jan  1"], 1),
        (["Feb 28", "Mar  1"], 1),
        (["Feb 28", "Feb 29", "Mar  1"], 2),
        (["Dec 31", "Jan  1", "Dec 31", "Jan  1", "Feb 29"], 60),
    ],
)
def test_the_years_of_syslog_are_some_in_which_its_dates_follow_each_other(log, days, expected):
    seconds = times(log("".join(f"{day} 13:55:36 web app: x\n" for day in days)), max_skipped=0)

    assert expected * 86_400.0 == seconds[-1]
    assert len(days) == len(seconds)


@pytest.mark.parametrize(
    "line",
    ["{} [info] GET /", "[{}] GET /", "{} | 200 | 1.2ms | 192.0.2.7 | GET | / |", "{} [main] INFO c.E - x"],
)
def test_times_of_day_follow_each_other_over_midnight(log, line):
    clocks = ("23:59:59.000", "00:00:00.500", "23:59:59.900", "00:00:01")
    seconds = times(log("".join(line.format(clock) + "\n" for clock in clocks)))

    assert (86_399.0, 86_399.9, 86_400.5, 86_401.0) == seconds
    assert seconds == times(log("x,time\n" + "".join(f"1,{clock}\n" for clock in clocks)))
    assert seconds == times(log("".join(f'{{"time":"{clock}"}}\n' for clock in clocks)))


@pytest.mark.parametrize(
    "lines",
    [
        ["Jan 4 21:51:05 host a[1]: x", "Jan 4 21:51:07 host a[1]: x"],
        ["[Jan 18 17:39:50] NOTICE[1]: x", "[Jan 18 17:39:52] NOTICE[1]: x"],
        ["130324  0:04:00 [Warning] x", "130324  0:04:02 [Warning] x"],
        ["2015-10-07  8:25:38 1398 [Warning] x", "2015-10-07  8:25:40 1398 [Warning] x"],
    ],
)
def test_times_with_blanks_for_zeros_are_read(log, lines):
    """The lines are those of github.com/fail2ban/fail2ban, whose tests state their times."""
    first, second = times(log("\n".join(lines)), max_skipped=0)

    assert 2.0 == second - first


# docs.aws.amazon.com, "Access logs for your Network Load Balancer": the end, and the begin behind all.
NLB = 'tls 2.0 {} net/lb/c6e77e28c25b2234 g3d4b5e8bb8464cd 192.0.2.1:2817 10.0.0.1:80 5 2 98 246 "h2" {}\n'


def test_a_connection_of_days_counts_at_its_begin(log):
    text = NLB.format("2024-10-25T17:33:59", "2024-10-22T19:16:57")
    text += NLB.format("2024-10-25T17:34:59", "2024-10-22T19:17:07")

    assert (0.0, 10.0) == times(log(text))


FASTIFY = (
    '{{"time":179164053{},"reqId":"req-{}","req":{{"url":"/","remoteAddress":"192.0.2.7"}},'
    '"msg":"incoming request"}}\n'
    '{{"time":179164053{},"reqId":"req-{}","res":{{"statusCode":429}},"responseTime":{},'
    '"msg":"request completed"}}\n'
)
LAMBDA = '{{"time":"2026-10-10T13:55:36.{}Z","requestId":"{}","message":"{}"}}\n'
STAGE = (
    '{{"auditID":"{}","stage":"{}","sourceIPs":["192.0.2.7"],'
    '"requestReceivedTimestamp":"2026-10-10T13:55:36.{}Z","stageTimestamp":"2026-10-10T13:55:38Z"}}\n'
)
RAILS = "I, [2026-10-10T13:55:36.{}0000 #7]  INFO -- : [{}] {}\n"
SANIC = "[2026-10-10 13:55:{} +0000] - (sanic.access)[INFO][192.0.2.7:35412]: GET http://a/  200 0\n"
TOWER = "2026-10-10T13:55:{}Z DEBUG request{{method=GET uri=/ version=HTTP/1.1}}: tower_http::trace::{}\n"
REGISTRY = (
    'time="2026-10-10T13:55:{}Z" level=info msg="response completed" http.request.host="127.0.0.1:5000" '
    'http.request.remoteaddr="192.0.2.7:64508" http.request.uri="/v2/" http.response.status={}\n'
)
VAULT = (
    '{{"time":"2026-10-10T13:55:36.{}Z","type":"{}","request":{{"id":"{}","remote_address":"192.0.2.7"}}}}\n'
)
DRAIN = (
    '255 <158>1 2026-10-10T13:55:36.750+00:00 host heroku router - at=info method=GET path="/" '
    'fwd="192.0.2.7" dyno=web.1 connect=1ms service={}ms status=200 bytes=828\n'
)
HEROKU = (
    '2026-10-10T13:55:36.750+00:00 heroku[router]: at=info method=GET path="/" fwd="192.0.2.7" '
    "dyno=web.1 connect=1ms service={}ms status=200 bytes=13\n"
)


@pytest.mark.parametrize(
    ("text", "others"),
    [
        # kubernetes.io, "Auditing": RequestReceived, ResponseStarted and ResponseComplete of one request
        (
            STAGE.format("a", "RequestReceived", "00")
            + STAGE.format("b", "RequestReceived", "25")
            + STAGE.format("a", "ResponseComplete", "00")
            + STAGE.format("b", "ResponseComplete", "25"),
            2,
        ),
        (
            # fastify.dev, "Logging": pino-http writes the begin and the end of each request
            FASTIFY.format("6000", 1, "6100", 1, 100) + FASTIFY.format("6250", 2, "6260", 2, 10),
            2,
        ),
        (
            LAMBDA.format("00", "a", "begin")
            + LAMBDA.format("10", "a", "end")
            + LAMBDA.format("25", "b", "begin")
            + LAMBDA.format("30", "b", "end"),
            2,
        ),
        (
            RAILS.format("00", "a", 'Started GET "/" for 192.0.2.7 at 2026-10-10 13:55:36 +0000')
            + RAILS.format("10", "a", "Processing by A#b as HTML")
            + RAILS.format("20", "a", "Completed 200 OK in 99ms")
            + RAILS.format("25", "b", 'Started GET "/" for 192.0.2.7 at 2026-10-10 13:55:36 +0000'),
            2,
        ),
        # hexdocs.pm, "Phoenix.Logger"
        (
            (
                "13:55:36.000 id=F1 [info] GET /\n13:55:36.100 id=F1 [info] Sent 200 in 99ms\n"
                "13:55:36.250 id=F2 [info] GET /\n13:55:36.300 id=F2 [info] Sent 200 in 49ms\n"
            ),
            2,
        ),
        (
            "[2026-10-10 13:55:36 +0000] [7] [INFO] Starting worker [7]\n"
            + SANIC.format("36.000")
            + "[2026-10-10 13:55:36 +0000] [7] [INFO] KeepAlive Timeout. Closing connection.\n"
            + SANIC.format("36.250"),
            2,
        ),
        (
            TOWER.format("36.100", "on_request: started processing request")
            + TOWER.format("36.110", "on_response: finished processing request latency=10 ms status=200")
            + TOWER.format("36.300", "on_request: started processing request")
            + TOWER.format("36.360", "on_response: finished processing request latency=10 ms status=503"),
            2,
        ),
        (
            (
                "[13:55:36.000 INF] Request starting HTTP/1.1 GET http://a/ - null null\n"
                "[13:55:36.000 INF] Request finished HTTP/1.1 GET http://a/ - 200 null text/plain 144.3ms\n"
                "[13:55:36.100 INF] Executing endpoint 'HTTP: GET /'\n"
                "[13:55:36.250 INF] Request finished HTTP/1.1 GET http://a/b - 404 0 null 4.3ms\n"
            ),
            2,
        ),
        (
            (
                "2026-10-10 13:55:36.000 [INFO] 192.0.2.7:50226 Accepted\n"
                "2026-10-10 13:55:36.000 [INFO] 192.0.2.7:50226 [200]: GET /\n"
                "2026-10-10 13:55:36.100 [INFO] 192.0.2.7:50226 Closing\n"
                "2026-10-10 13:55:36.250 [INFO] 192.0.2.7:50227 [404]: GET /x - No such file or directory\n"
            ),
            2,
        ),
        # the registry of Docker, in both of its logs
        (
            REGISTRY.format("36.000", 200)
            + '192.0.2.7 - - [10/Oct/2026:13:55:36 +0000] "GET /v2/ HTTP/1.1" 200 20 "" "curl"\n'
            + REGISTRY.format("36.100", 200).replace("response completed", "authorized request")
            + REGISTRY.format("36.250", 404).replace("completed", "completed with error"),
            2,
        ),
        # Vault, "Audit devices": the request and the response
        (
            VAULT.format("00", "request", "a")
            + VAULT.format("10", "response", "a")
            + VAULT.format("25", "request", "b")
            + VAULT.format("30", "response", "b"),
            2,
        ),
        # devcenter.heroku.com, "HTTP Routing", as a log drain receives it
        (
            DRAIN.format(500)
            + "154 <190>1 2026-10-10T13:55:37+00:00 host app web.1 - x\n"
            + DRAIN.format(250),
            1,
        ),
        # devcenter.heroku.com, "HTTP Routing": service in ms; the time is that of the end
        (HEROKU.format(500) + "2026-10-10T13:55:37+00:00 app[web.1]: x\n" + HEROKU.format(250), 1),
    ],
)
def test_a_request_with_several_lines_counts_once(log, text, others):
    arrivals = Arrivals.from_log(log(text), origin="first", max_skipped=0)

    assert 0.25 == arrivals.times_s[-1] - arrivals.times_s[0]
    assert arrivals.log is not None
    assert others == arrivals.log.others
    assert (
        f"{others} of {others + 2} lines are messages, or about a request that another line counts"
        in arrivals.pattern
    )
    assert 2 == describe_log(text.encode()).requests


@pytest.mark.parametrize(
    "written",
    [
        "heroku[router]: ",
        " heroku router - ",
        'time="a" level=info msg="response completed',
        r"Started GET \"/",
        " [info] GET /",
        "(sanic.access)[",
        "tower_http::trace::on_response: finished ",
        "Request finished HTTP/1.1",
        "] 192.0.2.9:1 [200]: GET /",
    ],
)
@pytest.mark.parametrize(
    "line",
    [
        CLF,
        '[2026-10-10T13:55:3{}.000Z] "GET / HTTP/2" 200 - 0 1 2 1 "192.0.2.7" "{}" "x"\n',
        '192.0.2.7 - {1} [10/Oct/2026:13:55:3{0} +0000] "GET / HTTP/1.1" 401 9\n',
        '192.0.2.7:4 [10/Oct/2026:13:55:3{}.000] w a/n 0/0/1/2/3 200 5 - - ---- {{{}}} "GET / HTTP/1.1"\n',
    ],
    ids=["user agent", "Envoy", "user", "HAProxy"],
)
def test_what_a_client_writes_removes_no_other_request(log, line, written):
    text = line.format(6, "curl") * 5 + line.format(7, written) + line.format(8, "curl") * 5

    assert 11 == len(times(log(text)))


@pytest.mark.parametrize(
    ("others", "requests"),
    [
        (  # gunicorn with both of its logs in one file
            [
                "[2026-10-10 13:55:30 +0000] [1] [INFO] Listening at: http://0.0.0.0:8000 (1)",
                "[2026-10-10 13:55:30 +0000] [7] [INFO] Booting worker with pid: 7",
                "[2026-10-10 13:59:30 +0000] [7] [CRITICAL] WORKER TIMEOUT (pid:7)",
            ],
            ['192.0.2.7 - - [10/Oct/2026:13:55:36 +0000] "GET / HTTP/1.1" 200 12 "-" "curl"'],
        ),
        (  # thunderbird/appointment#1767
            [
                "2026-10-10 13:55:35.246 | TRACE:    192.0.2.7:62066 - HTTP connection made",
                "2026-10-10 13:55:35.250 | TRACE:    192.0.2.7:62066 - ASGI [2] Completed",
            ],
            ['2026-10-10 13:55:36.250 | INFO:     192.0.2.7:62066 - "GET /info HTTP/1.1" 200 OK'],
        ),
        (
            # Docker joins both logs of nginx
            ['2026/10/10 13:55:35 [error] 7#7: *1 x, client: 192.0.2.7, request: "GET / HTTP/1.1"'],
            ['192.0.2.7 - - [10/Oct/2026:13:55:36 +0000] "GET / HTTP/1.1" 502 12 "-" "curl"'],
        ),
        (
            ["2026/10/10 13:55:35 [notice] 7#7: signal process started"],
            ['2026/10/10 13:55:36 [error] 7#7: *1 denied, client: 192.0.2.7, request: "GET / HTTP/1.1"'],
        ),
    ],
)
def test_a_message_among_requests_is_no_request(others, requests):
    """A request that no server could read has no method, and counts."""
    unread = r'192.0.2.7 - - [10/Oct/2026:13:55:36 +0000] "\x16\x03" 400 166 "-" "-"'
    lines = [*others, *requests * 3, unread]
    traffic = describe_log("\n".join(lines).encode())

    assert (4, 1) == (traffic.requests, traffic.span_s)


def test_client_and_status_may_be_in_different_lines_of_a_request():
    text = '{"time":1791640530000,"msg":"Server listening"}\n'
    text += FASTIFY.format("6000", 1, "6100", 1, 100) + FASTIFY.format("6250", 2, "6260", 2, 10)
    audit = (
        '{"auditID":"%s","responseStatus":{"code":403},"requestReceivedTimestamp":"2026-10-10T13:55:36Z"}\n'
    )
    traffic = describe_log(text.encode())

    assert (2, {"429": 2}, {"192.0.2.7": 2}) == (traffic.requests, traffic.statuses, traffic.ips)
    assert {"403": 2} == describe_log((audit % "a" + audit % "b").encode()).statuses


def test_the_path_of_a_request_is_no_duration(log):
    text = (HEROKU.format(500) + HEROKU.format(250)).replace('path="/"', 'path="/?service=9ms"')

    assert (500_000_000, 250_000_000) == Arrivals.from_log(log(text)).durations_ns


def test_a_request_without_its_last_line_counts(log):
    text = FASTIFY.format("6000", 1, "6100", 1, 100) + FASTIFY.format("6250", 2, "6260", 2, 10)
    begun = FASTIFY.format("6500", 3, "6600", 3, 100).splitlines()[0]

    assert (0.0, 0.25, 0.5) == times(log(text + begun))
    unknown = text.replace("responseTime", "duration")  # in no unit
    assert (0.0, 0.25) == times(log(unknown))


def test_lines_with_a_request_each_all_count(log):
    """One identifier of a client that came back is no sign of a log with several lines for each request."""
    text = "".join(f'{{"time":{at},"request_id":"{name}"}}\n' for at, name in enumerate("abcda"))

    assert (0.0, 1.0, 2.0, 3.0, 4.0) == times(log(text))


@pytest.mark.parametrize(
    "minute",
    ["2026-10-10 13:{}", "2026-10-10T13:{}Z", "10/13/2026 1:{} PM", "10-Oct-2026 13:{}", "13.10.2026 13:{}"],
)
def test_times_without_seconds_are_spread_over_the_minute(log, minute):
    """A spreadsheet shows and writes no seconds."""
    text = "Time,Status\n" + "".join(f"{minute.format(at)},200\n" for at in ("55", "55", "55", "55", "56"))
    arrivals = Arrivals.from_log(log(text), origin="first")

    assert (0.0, 15.0, 30.0, 45.0, 60.0) == arrivals.times_s
    assert "whole minutes spread (even)" in arrivals.pattern
    assert (0.0, 0.0, 0.0, 0.0, 60.0) == times(log(text), spread="none")
    traffic = describe_log(text.encode())
    assert (5, 61, 1, True) == (traffic.requests, traffic.span_s, traffic.peak, traffic.whole_minutes)


@pytest.mark.parametrize(
    ("head", "line", "zones"),
    [
        ("time,status\n", "2026-10-13 13:55:36 {},200\n", ("IST",)),
        ("", '{{"time": "2026-10-13T13:55:36.250 {}", "status": 200}}\n', ("IST",)),
        ("", "Tue Oct 13 13:55:36 {} 2026 GET /a 200\n", ("IST",)),
        ("", "2026-10-13 13:55:36.123 {} [4711] LOG:  duration: 1 ms\n", ("IST",)),  # PostgreSQL
        ("time\tmethod\n", "Oct 13, 2026 1:55:36 PM {}\tGET\n", ("IST",)),
        ("", "2026-10-13 13:55:36 +0530 {} GET /a\n", ()),  # Go: the offset is there
        ("", "2026-10-13 13:55:36 INFO {} GET /a\n", ()),
    ],
)
def test_a_zone_that_counts_as_utc_is_reported(log, head, line, zones):
    text = head + line.format("IST") * 3
    notes, traffic = Arrivals.from_log(log(text), origin="first").log, describe_log(text.encode())

    assert notes is not None
    assert zones == notes.zones == traffic.zones
    assert bool(zones) == ("IST read as UTC" in str(notes))
    assert bool(zones) == ("Times in IST count as UTC" in " ".join(inputs_of_log(traffic).sentences))
    for name in ("CST", "EST", "CEST", "UTC", "GMT"):  # RFC 5322, and one offset only
        assert () == describe_log((head + line.format(name) * 3).encode()).zones


@pytest.mark.parametrize(
    ("head", "line", "zones"),
    [
        ("time,x\n", "2026-10-13 13:55:36 XYZ,1\n", ("XYZ",)),
        ("", "2026-10-13 13:55:36 Europe/Berlin something\n", ("Europe/Berlin",)),
        ("", "2026-10-13 13:55:36 XYZ something\n", ()),  # a word, as far as is known
        ("", "2026-10-13 13:55:36 ERROR\n", ()),
    ],
)
def test_an_unknown_name_is_reported_where_it_ends_the_time(head, line, zones):
    assert zones == describe_log((head + line * 2).encode()).zones


def test_a_zone_of_the_other_half_of_the_year_is_reported():
    summer, winter = ("2026-{}-13 13:55:36 {} x\n".format(*each) for each in (("07", "IDT"), ("11", "IST")))

    assert ("IST",) == describe_log(f"{summer * 2_000}{winter * 1_000}{summer * 2_000}".encode()).zones


def test_a_zone_that_stands_in_the_middle_of_a_log_alone_is_reported():
    """A server was started again with another zone, or logs were joined."""
    without, named = "2026-10-13 13:55:36 GET /a 200\n", "2026-10-13 13:55:36 IST GET /a 200\n"

    assert ("IST",) == describe_log(f"{without * 3_000}{named * 50}{without * 3_000}".encode()).zones
    assert () == describe_log(("2026-10-13 13:55:36 ERRORS of something\n" * 5_000).encode()).zones


def test_date_and_time_without_seconds_may_be_two_columns(log):
    text = "date,time\n2026-10-10,13:55\n2026-10-10,13:57\n"

    assert (0.0, 120.0) == times(log(text))
    assert (50_100.0, 50_220.0) == times(log(text.replace("2026-10-10,", "x,").replace("date", "y")))


def test_a_time_without_seconds_among_others_is_skipped(log):
    arrivals = Arrivals.from_log(
        log("time,x\n2026-10-10 13:55:07,1\n2026-10-10 13:56,1\n2026-10-10 13:57:00,1\n")
    )

    assert arrivals.log is not None
    assert ((3, "'2026-10-10 13:56' has no seconds"),) == arrivals.log.skipped_lines


def test_a_duration_is_no_time_of_day(log):
    with pytest.raises(InvalidArrivals, match="there is no column with a time among x, elapsed"):
        times(log("x,elapsed\n1,00:00:12\n2,00:00:13\n"))
    with pytest.raises(InvalidArrivals, match="there is no column with a time among date, elapsed"):
        times(log("date,elapsed\n2026-10-10,00:12\n2026-10-10,00:13\n"))


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("2026-W41-6T13:55:36Z", "is no time"),
        ("2026-10-10 13", "is no time"),
    ],
)
def test_the_reason_why_a_column_has_no_time_is_reported(log, value, reason):
    with pytest.raises(InvalidArrivals, match=f"time, x .'[0-9TWZ:/ -]+' {reason}.; name it"):
        times(log(f"time,x\n{value},1\n"))


@pytest.mark.parametrize(
    "text",
    [
        CLF.format(6, "") + CLF.format(7, ""),
        ("example.com:443 " + CLF).format(6, "") * 2,
        ("Oct 10 13:55:36 192.0.2.99 nginx: " + CLF).format(6, "") * 2,
        HAPROXY.format("000").replace("192.0.2.1:", "192.0.2.7:") * 2,
        ALB.format(8, 6).replace("192.0.2.1:", "192.0.2.7:") * 2,
        CADDY.format("5", "0.5") * 2,
        TRAEFIK.format(3, "000", "000") * 2,
        '{"time":"2026-10-10T13:55:36Z","sourceIPs":["192.0.2.7","192.0.2.8"]}\n' * 2,
        '{"start_time":"2026-10-10T13:55:36Z","downstream_remote_address":"192.0.2.7:4444"}\n' * 2,
        '{"timestamp":"2026-10-10T13:55:36Z","host":"api","httpRequest":{"remoteIp":"192.0.2.7"}}\n' * 2,
        '{"log":"192.0.2.7 - - [10/Oct/2026:13:55:36 +0000] GET","time":"2026-10-10T13:55:36Z"}\n' * 2,
        "2026/10/10 13:55:36 [error] 7#7: *1 limiting requests, client: 192.0.2.7, server: x\n" * 2,
        HAPROXY.format("000")
        .replace("Oct 10 13:55:36 e haproxy[7]:", "<134>1 2026-10-10T13:55:36Z e h 7 - -")
        .replace("192.0.2.1:", "192.0.2.7:")
        * 2,
        '[2026-10-10T13:55:36.000Z] "GET / HTTP/2" 200 - 0 1 2 1 "192.0.2.7, 10.0.0.1" "curl" "x"\n' * 2,
        ("[2026-10-10 13:55:36 +0000] [7] [INFO] " + CLF).format(6, "").replace("192.0.2.7", "192.0.2.7:50")
        * 2,
        '{"reqTimeSec":"1791640536.617","cliIP":"192.0.2.7","statusCode":"200"}\n' * 2,
        "Time Stamp, Client IP\n" + "2026-10-10T13:55:36Z, 192.0.2.7\n" * 2,
        "[I 261010 13:55:36 web:2348] 200 GET / (192.0.2.7) 1.23ms\n" * 2,
        "[I 2026-10-10 13:55:36.000 ServerApp] 302 GET / (@192.0.2.7) 0.61ms\n" * 2,
        "#fields\tts\tid.orig_h\n" + "1791640536.0\t192.0.2.7\n" * 2,
        "#Fields: date time c-ip\n" + '"2026-10-10" "13:55:36" "192.0.2.7"\n' * 2,
        "'time','ip'\n" + "'2026-10-10 13:55:36','192.0.2.7'\n" * 2,
        '{"log":"{\\"remote_addr\\":\\"192.0.2.7\\"}\\n","time":"2026-10-10T13:55:36Z"}\n' * 2,
        # goaccess#1430, #1109 and apisix#1482: log_format of nginx with names
        "[10/Oct/2026:13:55:36 +0000] upstream_addr=10.0.0.9:80 remote_addr=192.0.2.7 status=200\n" * 2,
        "remote=192.0.2.7 x_forwarded_for=198.51.100.9 [10/Oct/2026:13:55:36 +0000] status=204\n" * 2,
        "[rsp_st:200][cip:192.0.2.7][uip:10.0.0.9:80][vip:10.0.0.8][10/Oct/2026:13:55:36 +0800]\n" * 2,
        CLF.format(6, "").replace("192.0.2.7", "::ffff:192.0.2.7") * 2,  # of Node.js
        # Nginx Proxy Manager
        (
            '[10/Oct/2026:13:55:36 +0000] - 200 200 - GET https a.example "/" [Client 192.0.2.7] [Length 9] '
            '[Gzip -] [Sent-to 10.0.0.1] "curl" "-"\n'
        )
        * 2,
        # the router of Cloud Foundry
        (
            "2026-10-10T13:55:36.74+0000 [RTR/3] OUT a.example - [2026-10-10T13:55:36.722911143Z] "
            '"GET / HTTP/2.0" 200 0 9 "-" "curl" "10.0.0.8:26678" "10.0.0.9:61225" '
            'x_forwarded_for:"192.0.2.7, 10.0.0.8" response_time:0.0255\n'
        )
        * 2,
        # Gitea, also with the times of docker before it
        (
            "2026/10/10 13:55:36 HTTPRequest [I] router: completed GET / for 192.0.2.7:45192, "
            "200 OK in 1.5ms @ web/home.go:32(web.Home)\n"
        )
        * 2,
        (
            "2026-10-10T13:55:36.290779720Z gitea 2026/10/10 13:55:36 HTTPRequest [I] router: completed "
            "GET / for 192.0.2.7:45192, 200 OK in 1.5ms\n"
        )
        * 2,
        '2026/10/10 13:55:36 [h/a-1] "GET http://a/ HTTP/1.1" from 192.0.2.7:50 - 200 12B in 12.3µs\n' * 2,
        # CSV of Grafana, Splunk, Datadog and CloudWatch, with lines of another log in it
        (
            "Date,Time,Line,tsNs,id\n"
            + f'2026-10-10T13:55:36Z,1791640536000,"{QUOTED}",1791640536000000000,1_a\n' * 2
        ),
        '"_raw","_time",host\n' + f'"{QUOTED}","2026-10-10T13:55:36.000+0000",web1\n' * 2,
        "Date,Host,Service,Content\n" + f'"2026-10-10T13:55:36Z",i-1,web,"{QUOTED}"\n' * 2,
        "@timestamp,@message\n" + f'2026-10-10 13:55:36.000,"{QUOTED}"\n' * 2,
        # Grafana's text, below a remark
        'Total bytes processed: "1.2 GB"\n\n'
        + ("1791640536000\t2026-10-10T13:55:36Z\t" + CLF.format(6, "")) * 2,
        # bunny.net, "Log format": columns without names
        "HIT|200|1791640536421|412|390|192.0.2.7|-|https://a.example/a.zip|WA|curl|6ce2|DE\n" * 2,
        # Artifactory and Bitbucket: bars between the fields
        "2026-10-10T13:55:36.277Z|31627ed4a292c0e6|192.0.2.7|a|GET|/api/system/ping|200|-1|0|4|x\n" * 2,
        '192.0.2.7,10.0.0.1 | https | o@1ABCx835 | a | 2026-10-10 13:55:36,123 | "GET / HTTP/1.1" |\n' * 2,
        # the audits of MinIO and of Elasticsearch, whose keys have points in them
        '{"time":"2026-10-10T13:55:36Z","api":{"statusCode":200},"remotehost":"192.0.2.7"}\n' * 2,
        '{"timestamp":"2026-10-10T13:55:36,949+0200","origin.address":"192.0.2.7:49966"}\n' * 2,
        # the Elastic Common Schema: addresses of other machines before that of the client
        (
            '{"@timestamp":"2026-10-10T13:55:36Z","destination":{"ip":"10.0.0.9"},"host":{"ip":["10.0.0.8"]},'
            '"source":{"ip":"192.0.2.7"}}\n'
        )
        * 2,
        # Microsoft Exchange: commas below #Fields
        "#Fields: DateTime,UserAgent,ClientIpAddress\n" + '2026-10-10T13:55:36.130Z,"a, b",192.0.2.7\n' * 2,
        # istio.io, "Getting Envoy's Access Logs": the upstream, then the client at the end
        ISTIO.format("-") * 2,
        ISTIO.format("192.0.2.7, 10.0.0.1").replace("192.0.2.7:37652", "10.0.0.1:37652") * 2,
    ],
)
def test_the_client_of_each_form_is_known(text):
    assert {"192.0.2.7": 2} == dict(describe_log(text.encode()).ips)


def test_gin_writes_an_address_of_ipv6_between_bars():
    line = '[GIN] 2026/10/10 - 13:55:36 | 200 |         833ns |             ::1 | GET      "/x | 6.6.6.6 |"\n'

    assert {"::1": 2} == dict(describe_log((line * 2).encode()).ips)


@pytest.mark.parametrize("name", ["user_agent", "http_referer", "url", "request_uri", "http_cookie"])
def test_what_a_client_writes_is_no_line_of_another_log(name):
    line = json.dumps({"time": "2026-10-10T13:55:36Z", name: '6.6.6.6 - x [10/Oct/2026:13:55:36] "GET'})

    assert {} == dict(describe_log(f"{line}\n{line}\n".encode()).ips)


def test_the_host_of_a_site_is_no_client():
    text = "TimeUTC,requestPath,responseStatusCode,host\n" + "2026-10-10 13:55:36,/a,200,a.example\n" * 2

    assert {} == dict(describe_log(text.encode()).ips)


@pytest.mark.parametrize(
    "written",
    [
        "status=200",
        "x,status=200",
        "status:200",
        "remote=6.6.6.6",
        "client 6.6.6.6",
        r"\" status=200 \"",
        "[Client 6.6.6.6]",
        r"x_forwarded_for:\"6.6.6.6\"",
        " from 6.6.6.6:5 - 200 ",
        " for 6.6.6.6:5, 200 OK",
        "| 6.6.6.6 |",
        "] 200 GET /",
        "] - 200 200 - GET https a",
        " [200]: GET /",
        "(sanic.access)[INFO][6.6.6.6:5]: GET /  200 5",
        " Request finished HTTP/1.1 GET / - 200 - ",
    ],
)
@pytest.mark.parametrize(
    "line",
    [
        '192.0.2.7 - - [10/Oct/2026:13:55:36 +0000] "GET / HTTP/1.1" 429 9 "-" "{}"\n',
        '[10/Oct/2026:13:55:36 +0000] "GET / HTTP/1.1" 429 9 "a {} b" client=192.0.2.7\n',
        '[10/Oct/2026:13:55:36 +0000] "GET /?a,{} HTTP/1.1" 429 9 remote_addr=192.0.2.7\n',
    ],
    ids=["user agent", "before the client", "URL"],
)
def test_what_a_client_writes_is_neither_its_status_nor_its_address(line, written):
    described = describe_log((line.format(written) * 2).encode())

    assert ({"429": 2}, {"192.0.2.7": 2}) == (described.statuses, described.ips)


def test_the_upstream_of_envoy_is_no_client():
    line = '[2026-10-10T13:55:36.000Z] "GET / HTTP/2" 200 - 0 1 2 1 "-" "curl" "x" "10.0.0.8" "10.0.0.9:80"\n'

    assert {} == dict(describe_log((line * 2).encode()).ips)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (CLF.format(6, ""), "200"),
        (
            'remote=192.0.2.7 [10/Oct/2026:13:55:36 +0000] status=429 request="GET / HTTP/1.1" 246 "-"\n',
            "429",
        ),
        ("[rsp_st:429][ups_st:200][cip:192.0.2.7][10/Oct/2026:18:41:14 +0800][req_id:cf7c]\n", "429"),
        ('[GIN] 2026/10/10 - 13:55:36 | 429 |     123.4µs |     192.0.2.7 | GET      "/ping"\n', "429"),
        (HAPROXY.format("000"), "200"),
        (ALB.format(8, 6), "200"),
        ("1791640536.000 12 192.0.2.7 TCP_DENIED/429 4 GET / - HIER_NONE/- -\n", "429"),
        ('{"ts":1791640536.25,"status":429}\n', "429"),
        ('{"time":"2026-10-10T13:55:36Z","DownstreamStatus":503,"OriginStatus":200}\n', "503"),
        ('{"time":"2026-10-10T13:55:36Z","status":"ok","res":{"statusCode":429}}\n', "429"),
        ('{"log":"192.0.2.7 - - [x] \\"GET /\\" 429 5","time":"2026-10-10T13:55:36Z"}\n', "429"),
        ("time,http_status\n2026-10-10T13:55:36Z,429\n", "429"),
        ("time,Status Code\n2026-10-10T13:55:36Z,429\n", "429"),
        (
            '{"time":"2026-10-10T13:55:36Z","properties":{"httpStatusCode":"429","httpStatusDetails":"200"}}\n',
            "429",
        ),
        ('{"log":"{\\"status\\":429}\\n","time":"2026-10-10T13:55:36Z"}\n', "429"),
        ('2026-10-10T13:55:36Z heroku[router]: at=info method=GET path="/" status=429 bytes=13\n', "429"),
        (
            "[pid: 7] 192.0.2.7 () [Sat Oct 10 13:55:36 2026] GET / => 9 bytes in 2 msecs (HTTP/1.1 429) 2\n",
            "429",
        ),
        (
            '[10/Oct/2026:13:55:36 +0000] HIT 200 429 - GET https a.example "/" [Client 192.0.2.7]\n',
            "429",
        ),
        (
            '[10/Oct/2026:13:55:36 +0000] - - 429 - GET https a.example "/" [Client 192.0.2.7] [Length 9]\n',
            "429",
        ),
        ("[2026-10-10 13:55:36 +0000] - (sanic.access)[INFO][192.0.2.7:4]: GET http://a/  429 51\n", "429"),
        ("[I 261010 13:55:36 web:2239] 429 GET / (192.0.2.7) 12.30ms\n", "429"),
        ("[Sat Oct 10 13:55:36 2026] 192.0.2.7:50227 [429]: GET /favicon.ico\n", "429"),
        ("2026-10-10 13:55:36 [INF] Request finished HTTP/1.1 GET http://a/ - 429 0 - 90.2057ms\n", "429"),
        (
            "2026-10-10 13:55:36 [INF] Request finished HTTP/1.1 GET http://a/ - - - 429 0 - 90.2057ms\n",
            "429",
        ),
        ('<134>2026-10-10T13:55:36Z cache-fra1 a[1]: 192.0.2.7 "-" "-" GET /a 429\n', "429"),
        ("2026/10/10 13:55:36 [I] router: completed GET / for [::1]:52693, 429 Too Many in 15.9ms\n", "429"),
        (
            '2026/10/10 13:55:36 [h/a-1] "GET http://a/ HTTP/1.1" from 192.0.2.7:50 - 429 12B in 12.3µs\n',
            "429",
        ),
        (
            (
                "2026/10/10 13:55:36.123\tINFO\thttp.log.access.log0\thandled request\t"
                '{"request": {"remote_ip": "192.0.2.7", "uri": "/"}, "duration": 0.5, "status": 429}\n'
            ),
            "429",
        ),
        ('{"timestamp":1791640536000,"httpRequest":{"clientIp":"1.2.3.4"},"responseCodeSent":429}\n', "429"),
        ('{"attack":"","seq":0,"code":429,"timestamp":"2026-10-10T13:55:36Z","latency":123456}\n', "429"),
        ("timestamp [UTC],success,resultCode,duration\n2026-10-10T13:55:36Z,False,429,12.3\n", "429"),
        (REGISTRY.format("36", 429), "429"),
        ("#Fields: date time sc-status sc-substatus\n2026-10-10 13:55:36 429 0\n", "429"),
        ('#Fields: date time cs(Cookie) sc-status\n2026-10-10 13:55:36 "a=b; c=d" 429\n', "429"),
        ("time ip status\n1791640536 192.0.2.7 429\n", "429"),
    ],
)
def test_the_status_of_each_form_is_known(log, text, status):
    lines = text.splitlines(keepends=True)

    assert {status: 2} == describe_log("".join([*lines, lines[-1]]).encode()).statuses
    assert {status: 1} == Chunk.from_log(log(text)).statuses


@pytest.mark.parametrize(
    "text",
    [
        '192.0.2.1 - - [10/Oct/2026:13:55:36 +0000] "GET /?a=\\" 429 HTTP/1.1" - 5\n',
        '{"time":"2026-10-10T13:55:36Z","status":"firing","bytes":429}\n',
        "2026-10-10T13:55:36Z INFO took 429 ms\n",
        "2026-10-10T13:55:36Z INFO GET /a 429\n",  # milliseconds, for all that is known
        '2026-10-10T13:55:36Z 192.0.2.7 GET /?a={"status":429}\n',
        "time,status\n1,1429\n",
    ],
)
def test_another_number_is_no_status(text):
    assert {} == describe_log((text + text.splitlines()[-1]).encode()).statuses


def test_a_time_or_a_version_is_no_client():
    text = '2026-10-10 13:55:36,000 INFO app: GET / "Chrome/1.2.3.4"\n2026-10-10 13:55:36,250 INFO app: x\n'

    assert {} == dict(describe_log(text.encode()).ips)


def test_an_even_load_in_whole_seconds_is_not_taken_for_bursts(log):
    """Ten a second, evenly, against a bucket of 5 with 10 a second: nothing is rejected."""
    path = log("".join(CLF.format(second, "") * 10 for second in range(10)))
    rejected = [
        sum(not admitted for admitted in simulate(TokenBucket(5, "10/s"), arrivals).admitted)
        for arrivals in (Arrivals.from_log(path), Arrivals.from_log(path, spread="none"))
    ]

    assert [0, 50] == rejected
    assert "whole seconds spread (even)" in Arrivals.from_log(path).pattern


def test_what_a_limit_rejects_of_whole_seconds_is_bounded(log):
    whole = "".join(CLF.format(second, "") * 10 for second in range(10))
    finer = "time\n" + "".join(f"{second / 10}\n" for second in range(100))

    assert (0, 0.5) == rejected_bounds(TokenBucket(5, "10/s"), log(whole))
    assert (0, 0) == rejected_bounds(TokenBucket(5, "10/s"), log(finer))


@pytest.mark.parametrize(
    "line",
    [
        '"' + '\\"' * 100_000,
        '"\\' * 100_000,
        "[" * 300_000,
        "2026-10-10" * 30_000,
        "\\x" * 100_000,
        "1." * 100_000,
        '""' * 100_000,
        "2026-10-10 12:12 AM " * 5_000,
        "[Sat, 10 Oct 2026 " * 5_000,
        " heroku router - service=" * 10_000,
        " HTTP GET / responded 429 in " * 10_000,
        "/2026-10-10T13:55:36Z?" * 10_000,
        " status=429/{" * 20_000,
    ],
)
def test_a_hostile_line_costs_no_work(log, line):
    with at_most_lines(10 * len(line) + 20_000):
        assert (0.0, 2.0) == times(log(CLF.format(6, "") + line + "\n" + CLF.format(8, "")))
        assert (1.0, 2.0) == times(log('{"time": 1}\n{' + line + '\n{"time": 2}\n'))
