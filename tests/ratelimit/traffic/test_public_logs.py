"""Logs from the tests of other log readers, which say what is in them."""

from __future__ import annotations

import json

import pytest

from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit.traffic import access_log

# crowdsecurity/hub, .tests/aws-cloudfront-logs: two requests; logstash-patterns-core, aws_spec.rb
CLOUDFRONT = (
    "2024-03-12\t15:22:28\tCDG50-P2\t703\t1.2.3.4\tGET\td6rcaj0q1hys9.cloudfront.net\t/testseb\t400\t-\t"
    "curl/7.81.0\tquery_param=42\t-\tError\t375WZmnR4hhhnlZKNn0D\thub-cdn.crowdsec.net\thttps\t62\t0.113\t-\tTLSv1.3\t"
    "TLS_AES_128_GCM_SHA256\tError\tHTTP/2.0\t-\t-\t51754\t0.113\tError\ttext/plain;%20charset=utf-8\t20\t-\t-\n"
)
# aws-solutions/centralized-logging-with-opensearch, portal/src/assets/js/const.ts: the order of the fields
REAL_TIME = (
    "1710256948.25{}\t1.2.3.4\t0.113\t400\t703\tGET\thttps\td6rcaj0q1hys9.cloudfront.net\t/testseb\t62\t"
    "CDG50-P2\t375WZmnR4hhhnlZKNn0D\thub-cdn.crowdsec.net\t0.250\tHTTP/2.0\tIPv4\tcurl/7.81.0\t-\t-\tquery_param=42\n"
)
# tsenart/vegeta, README.md, "encode": the timestamp is the begin (lib/attack.go)
VEGETA = "1710256948{}0000000,400,113000000,0,5,400 Bad Request,aGk=,,0,GET,http://localhost/testseb,QQ==\n"
# SEKOIA-IO/intake-formats, Microsoft/microsoft-iis
IIS = "::1, -, 11/20/2023, 15:44:03, W3SVC1, IIS-server, ::1, 2000, 769, 143, 304, 0, GET, /, -,\n"


@pytest.mark.parametrize(
    ("text", "requests"),
    [
        pytest.param(
            CLOUDFRONT * 2,
            [("2024-03-12T15:22:27.887000", "1.2.3.4", "400", "GET", "/testseb?query_param=42")] * 2,
            id="CloudFront",
        ),
        pytest.param(
            REAL_TIME.format(0) + REAL_TIME.format(5),
            [
                ("2024-03-12T15:22:28", "1.2.3.4", "400", "GET", "/testseb?query_param=42"),
                ("2024-03-12T15:22:28.005000", "1.2.3.4", "400", "GET", "/testseb?query_param=42"),
            ],
            id="CloudFront in real time",
        ),
        pytest.param(
            VEGETA.format("00") + VEGETA.format("01"),
            [
                ("2024-03-12T15:22:28", "", "400", "GET", "http://localhost/testseb"),
                ("2024-03-12T15:22:28.010000", "", "400", "GET", "http://localhost/testseb"),
            ],
            id="Vegeta",
        ),
        pytest.param(IIS * 2, [("2023-11-20T15:44:01", "::1", "304", "GET", "/")] * 2, id="IIS"),
        pytest.param(
            "2024-03-12\t15:22:28\t/a\n2024-03-12\t15:22:29\t/b\n",
            [("2024-03-12T15:22:28", "", "", "", ""), ("2024-03-12T15:22:29", "", "", "", "")],
            id="date and time",
        ),
    ],
)
def test_columns_without_a_header_lose_no_request(read, text, requests):
    assert requests == read(text)


# crowdsecurity/hub, .tests/nginx-proxy-manager-logs and .tests/npmplus-logs
NPM = (
    '[24/Jan/2022:16:51:0{} +0000] {}- GET http openresty.local "/sdfdsf" [Client 1.2.3.4] [Length 192] '
    '[Gzip 3.10] [Sent-to openresty] "Mozilla/5.0 (X11; Linux x86_64)" "-"\n'
)
NPM_PLUS = (
    '[10/Feb/2024:21:23:32 +0100] mx.example.org 192.168.1.100 0.227 "REPORT /SOGo/dav/ HTTP/2.0" 207 125 4\n'
)
# logstash-patterns-core, spec/patterns/haproxy_spec.rb: a line that is cut
HAPROXY = (
    "Jul 31 22:20:22 lb haproxy[1190]: 203.0.113.54:59968 [31/Jul/2017:22:20:22.447] lb default/i8 "
    '135/0/1/19/156 200 1015 - - --VR 8/8/0/0/0 0/0 "GET /path/to/request/that'
)
# logstash-patterns-core, spec/patterns/rails3_spec.rb
RAILS = 'Started POST "/api/v3/internal/allowed" for 127.0.0.1 at 2015-08-05 11:37:01 +0200\n'
# crowdsecurity/hub, .tests/zoraxy-http-logs
ZORAXY = (
    "2025/05/01 12:01:50 [2025-05-01 12:01:50.912318] [router:host-http] [origin:private.co.uk] "
    "[client: 192.168.1.1] [useragent: python-requests/2.32.3] GET /.git/config 404\n"
)
# crowdsecurity/hub, .tests/nextcloud-whitelist
TWO_BLANKS = (
    '192.168.1.1 - - [06/Aug/2024:21:01:59 +0200] "PUT /apps/mail/flags  HTTP/2.0" 403 39 "-" "Mozilla/5.0"\n'
)


@pytest.mark.parametrize(
    ("text", "requests"),
    [
        pytest.param(
            NPM.format(2, "- 404 404 ") + NPM.format(3, "444 "),
            [
                ("2022-01-24T16:51:02", "1.2.3.4", "404", "GET", "/sdfdsf"),
                ("2022-01-24T16:51:03", "1.2.3.4", "444", "GET", "/sdfdsf"),
            ],
            id="Nginx Proxy Manager",
        ),
        pytest.param(
            NPM_PLUS, [("2024-02-10T20:23:32", "192.168.1.100", "207", "REPORT", "/SOGo/dav/")], id="NPMplus"
        ),
        pytest.param(
            HAPROXY,
            [("2017-07-31T22:20:22.447000", "203.0.113.54", "200", "GET", "/path/to/request/that")],
            id="HAProxy",
        ),
        pytest.param(
            RAILS, [("2015-08-05T09:37:01", "127.0.0.1", "", "POST", "/api/v3/internal/allowed")], id="Rails"
        ),
        pytest.param(
            ZORAXY, [("2025-05-01T12:01:50.912318", "192.168.1.1", "404", "GET", "/.git/config")], id="Zoraxy"
        ),
        pytest.param(
            TWO_BLANKS,
            [("2024-08-06T19:01:59", "192.168.1.1", "403", "PUT", "/apps/mail/flags")],
            id="two blanks",
        ),
        pytest.param(  # ltsv.org, "Labels Recommended", with nginx: the time is the end, reqtime in seconds
            "time:[28/Feb/2013:12:00:00 +0900]\thost:192.0.2.7\treq:GET /a?b=[1] HTTP/1.1\tstatus:200"
            "\tsize:777\treferer:-\tua:Opera/12.0\treqtime:0.250\n",
            [("2013-02-28T02:59:59.750000", "192.0.2.7", "200", "GET", "/a?b=[1]")],
            id="LTSV",
        ),
        pytest.param(  # fluent/fluentd, test/plugin/test_parser_labeled_tsv.rb
            "time:2013/02/28 12:00:00\thost:192.168.0.1\treq_id:111\n",
            [("2013-02-28T12:00:00", "192.168.0.1", "", "", "")],
            id="LTSV without a request",
        ),
        pytest.param(  # fluent/fluentd, test/plugin/test_parser_apache2.rb
            r'192.168.0.1 - - [28/Feb/2013:12:00:00 +0900] "GET /\" HTTP/1.1" 200 777 "referer \\ \"" "a \""'
            "\n",
            [("2013-02-28T03:00:00", "192.168.0.1", "200", "GET", '/\\"')],
            id="a quote in the target",
        ),
        pytest.param(  # vectordotdev/vrl, src/stdlib/parse_json.rs
            '{"datetime":"14/Sep/2020:11:45:41 -0400","host":"157.130.216.193","method":"PUT",'
            '"request":"/expedite/convergence","status":301}\n',
            [("2020-09-14T15:45:41", "157.130.216.193", "301", "PUT", "/expedite/convergence")],
            id="a target without a method",
        ),
        pytest.param(  # SEKOIA-IO/intake-formats, NGINX/nginx
            '{"remote_addr":"1.2.3.4","time_local":"02/Jun/2020:13:07:18 +0200",'
            '"request":"DELETE /blobstore/document.tgz HTTP/1.1","status":"204"}\n',
            [("2020-06-02T11:07:18", "1.2.3.4", "204", "DELETE", "/blobstore/document.tgz")],
            id="nginx, JSON",
        ),
        pytest.param(  # crowdsecurity/hub, .tests/envoy-logs: the default of Envoy Gateway
            '{":authority":"www.example.com","downstream_remote_address":"10.0.0.12:59292","duration":11,"method":"GET",'
            '"protocol":"HTTP/2","response_code":200,"start_time":"2025-12-31T16:37:40.479Z",'
            '"x-envoy-origin-path":"/assets/image.webp","x-forwarded-for":"10.0.0.12"}\n',
            [("2025-12-31T16:37:40.479000", "10.0.0.12", "200", "GET", "/assets/image.webp")],
            id="Envoy Gateway",
        ),
        pytest.param(  # crowdsecurity/hub, .tests/traefik_json
            '{"ClientAddr":"172.17.0.1:39496","ClientHost":"172.17.0.1","DownstreamStatus":200,"RequestHost":'
            '"test.docker.localhost","RequestMethod":"GET","RequestPath":"/594VAEoi.save","ServiceURL":{"Scheme":"http",'
            '"Host":"172.17.0.3:80","Path":"","RawPath":""},"StartUTC":"2021-12-08T14:02:43.587782192Z"}\n',
            [("2021-12-08T14:02:43.587782", "172.17.0.1", "200", "GET", "/594VAEoi.save")],
            id="Traefik",
        ),
    ],
)
def test_the_fields_of_a_request_are_read(read, text, requests):
    assert requests == read(text)


# vectordotdev/vrl, src/stdlib/parse_aws_alb_log.rs
BALANCED = (
    "https 2021-03-16T20:20:00.135052Z app/awseb-AWSEB-1MVD8OW91UMOH/a32a5528b8fdaa6b "
    "2601:6bbc:c529:9dad:6bbc:c529:9dad:6bbc:50599 fd6d:6bbc:c529:6::face:ed83:f46:80 0.001 0.052 0.000 200 "
    '200 589 2084 "POST https://test.domain.com:443/api/deposits HTTP/1.1" "Mozilla/5.0" ECDHE TLSv1.2 a\n'
)
# crowdsecurity/hub, .tests/navidrome-logs
LOGFMT = (
    'time="2025-01-30T05:07:37Z" level=warning msg="HTTP: POST http://example.com/auth/login" '
    'elapsedTime="792.538µs" httpStatus=401 remoteAddr=192.168.1.1 requestId=a userAgent="Mozilla/5.0"\n'
)


@pytest.mark.parametrize(
    ("line", "client"),
    [
        (BALANCED, "2601:6bbc:c529:9dad:6bbc:c529:9dad:6bbc"),
        # elastic/elastic-package, test/packages/parallel/nginx, test-nginx.log: X-Forwarded-For
        (
            '10.0.0.2, 10.0.0.1, 127.0.0.1 - - [07/Dec/2016:11:05:07 +0100] "GET /ocelot HTTP/1.1" 200 571\n',
            "10.0.0.2",
        ),
        # SEKOIA-IO/intake-formats, Apache/apache
        (
            '1.2.3.4 (-) - - [01/Oct/2024:08:22:45 +0000] "POST /App/tests HTTP/1.1" 200 377 "-" "a"\n',
            "1.2.3.4",
        ),
        # vectordotdev/vrl, src/stdlib/parse_apache_log.rs
        (
            "[01/Mar/2021:12:00:19 +0000] [ab:alert] [pid 4803:tid 3814] [client 147.159.108.175:24259] x\n",
            "147.159.108.175",
        ),
        (LOGFMT, "192.168.1.1"),
        # SEKOIA-IO/intake-formats, Azure/azure-files
        (
            '{"time":"2023-12-01T17:55:31.469Z","callerIpAddress":"1.2.3.4:58046","statusCode":202}\n',
            "1.2.3.4",
        ),
    ],
)
def test_the_client_of_a_request_is_read(read, line, client):
    ((_, ip, *_),) = read(line)
    assert client == ip


def test_a_status_may_have_a_long_name(read):
    assert [("2025-01-30T05:07:37", "192.168.1.1", "401", "", "")] == read(LOGFMT)


# netdata/go.d.plugin, modules/squidlog/testdata/access.log: the time is the end, behind it the response time
SQUID = """\
Unmatched! The rat the cat the dog chased killed ate the malt!
1576177221.686     3976 203.0.113.1 NONE/000 13564 GET cache_object://localhost/c - HIER_NONE/- model/plain
1576177221.686     4052 203.0.113.2 NONE/400 17349 HEAD cache_object://localhost/c - HIER_NONE/- text/plain
"""


def test_a_line_that_is_no_request_hides_no_duration(read):
    assert ["2019-12-12T19:00:17.634000", "2019-12-12T19:00:17.710000"] == [time for time, *_ in read(SQUID)]


# tstack/lnav, test/logfile_caddy_log.0: both logs of Caddy, of which one line is a request
CADDY = """\
caddy  | {"level":"info","ts":1761019822.3153872,"msg":"GOMEMLIMIT is updated","previous":9223372036854775807}
caddy  | {"level":"info","ts":1761019822.316192,"logger":"admin","msg":"admin endpoint started"}
caddy  | {"level":"warn","ts":1761019822.316328,"logger":"http","msg":"HTTP/2 skipped","addr":":80"}
caddy  | {"level":"info","ts":1761019828.6153953,"logger":"http.log.access","msg":"handled request",\
"request":{"remote_ip":"172.18.0.1","client_ip":"172.18.0.1","method":"GET","uri":"/"},"duration":0.000395,"status":200}
caddy  | {"level":"info","ts":1761019831.8273869,"msg":"shutting down apps","signal":"SIGTERM"}
"""
# caddyserver.com, "log" (directive): an error is logged beside the request
CADDY_ERROR = """\
{"level":"error","ts":1761019828.5,"logger":"http.log.error","msg":"dial tcp: refused","request":\
{"client_ip":"172.18.0.1","method":"GET","uri":"/"},"duration":0.0003,"status":502,"err_id":"a"}
{"level":"error","ts":1761019828.6153953,"logger":"http.log.access","msg":"handled request","request":\
{"client_ip":"172.18.0.1","method":"GET","uri":"/"},"duration":0.000395,"status":502}
"""
# doc.traefik.io, "Logs": Traefik writes its messages and its requests to the standard output
TRAEFIK = """\
{"level":"info","version":"2.11","time":"2021-12-08T14:02:40Z","message":"Traefik version 2.11 built"}
{"ClientHost":"172.17.0.1","DownstreamStatus":200,"RequestMethod":"GET","RequestPath":"/594VAEoi.save",\
"StartUTC":"2021-12-08T14:02:43.587Z","level":"info","msg":"","time":"2021-12-08T14:02:43Z"}
"""
# crowdsecurity/hub, .tests/haproxy-logs: two of these are no requests
HANDSHAKE = """\
117.136.40.129:14853 [14/Jan/2015:12:48:57.127] https-in~ x/n 170/0/0/3/173 200 739 - - --NN 0/0/0/0/0 0/0 \
"GET /x HTTP/1.1"
192.168.1.4:50033 [28/Feb/2025:02:43:10.123] frontend/backend: SSL handshake failure (error:0A0000C1:SSL)
192.168.1.4:50035 [28/Feb/2025:02:43:12.345] frontend/backend: Stopped a TLSv1 heartbeat attack (CVE)
"""


@pytest.mark.parametrize(
    ("text", "request_"),
    [
        pytest.param(CADDY, ("2025-10-21T04:10:28.615000", "172.18.0.1", "200", "GET", "/"), id="Caddy"),
        pytest.param(
            CADDY_ERROR, ("2025-10-21T04:10:28.615000", "172.18.0.1", "502", "GET", "/"), id="error"
        ),
        pytest.param(
            TRAEFIK,
            ("2021-12-08T14:02:43.587000", "172.17.0.1", "200", "GET", "/594VAEoi.save"),
            id="Traefik",
        ),
        pytest.param(
            HANDSHAKE, ("2015-01-14T12:48:57.127000", "117.136.40.129", "200", "GET", "/x"), id="HAProxy"
        ),
    ],
)
def test_messages_beside_requests_are_none(read, text, request_):
    assert [request_] == read(text)


# tstack/lnav, test/logfile_otel_collector.jsonl: several records in a line
OTEL = """\
{"resourceLogs":[{"resource":{"attributes":[]},"scopeLogs":[{"scope":{"name":"com.example.payment"},"logRecords":[\
{"timeUnixNano":"1700000000000000000","severityText":"INFO","body":{"stringValue":"Processing"}},\
{"timeUnixNano":"1700000001000000000","severityText":"WARN","body":{"stringValue":"Slow"}}]}]}]}
{"resourceLogs":[{"scopeLogs":[{"scope":{},"logRecords":[{"timeUnixNano":"1700000010000000000",\
"observedTimeUnixNano":"1700000010100000000","body":{"stringValue":"Production deployment complete"}}]}]}]}
"""
# opentelemetry.io, "Semantic conventions for HTTP": the names of the attributes
OTEL_HTTP = """\
{"resourceLogs": [{"scopeLogs": [{"logRecords": [{
  "timeUnixNano": "1544712660300000000", "observedTimeUnixNano": "1544712660900000000",
  "severityText": "INFO", "attributes": [
    {"key": "client.address", "value": {"stringValue": "192.0.2.7"}},
    {"key": "http.request.method", "value": {"stringValue": "GET"}},
    {"key": "http.response.status_code", "value": {"intValue": "429"}},
    {"key": "url.path", "value": {"stringValue": "/a"}}]},
  {"timeUnixNano": "1544712661300000000", "severityText": "INFO", "body": {"stringValue": "no request"}}]}]}]}
"""


def test_each_record_in_a_list_of_opentelemetry_counts(read):
    seconds = [time.removeprefix("2023-11-14T22:13:") for time, *_ in read(OTEL)]

    assert ["20", "21", "30"] == seconds
    assert [("2018-12-13T14:51:00.300000", "192.0.2.7", "429", "GET", "/a")] == read(OTEL_HTTP)


# docs.aws.amazon.com/waf, "Log examples"; its headers are a list
WAF = {
    "timestamp": 1576280412771, "terminatingRuleId": "STMTest_SQLi_XSS", "action": "BLOCK",
    "ruleGroupList": [], "responseCodeSent": None,
    "httpRequest": {
        "clientIp": "1.1.1.1", "country": "AU",
        "headers": [{"name": "Host", "value": "localhost:1989"}, {"name": "User-Agent", "value": "curl"}],
        "uri": "/myUri", "args": "", "httpVersion": "HTTP/1.1", "httpMethod": "GET", "requestId": "rid",
    },
}  # fmt: skip
# SEKOIA-IO/intake-formats, Kubernetes/audit-log/tests/event_spec_volumes.json: the pod has times, too
AUDIT = {
    "kind": "Event", "verb": "create", "level": "RequestResponse", "stage": "ResponseComplete",
    "user": {"username": "minikube-user", "groups": ["system:masters"]}, "sourceIPs": ["1.2.3.4"],
    "requestURI": "/api/v1/namespaces/default/pods",
    "responseObject": {"status": {"conditions": [{"lastTransitionTime": "2025-06-01T08:00:00Z"}] * 3}},
    "responseStatus": {"code": 201, "metadata": {}}, "stageTimestamp": "2025-06-01T09:30:01.500000Z",
    "requestReceivedTimestamp": "2025-06-01T09:30:01.250000Z",
}  # fmt: skip
# techdocs.akamai.com/datastream2, "Log format": reqTimeSec is the time when the edge server accepted it
DATASTREAM = {
    "version": 1, "streamId": "12345", "reqTimeSec": "1573840000.250", "cliIP": "128.147.28.68",
    "statusCode": "206", "reqMethod": "GET", "reqPath": "/path1/file.ext", "queryStr": "cmd=ls",
    "turnAroundTimeMSec": "11",
}  # fmt: skip


@pytest.mark.parametrize("indent", [None, 2], ids=["a line", "lines"])
@pytest.mark.parametrize(
    ("record", "request_"),
    [
        pytest.param(WAF, ("2019-12-13T23:40:12.771000", "1.1.1.1", "", "GET", "/myUri"), id="AWS WAF"),
        pytest.param(
            AUDIT,
            ("2025-06-01T09:30:01.250000", "1.2.3.4", "201", "", "/api/v1/namespaces/default/pods"),
            id="Kubernetes",
        ),
        pytest.param(
            DATASTREAM,
            ("2019-11-15T17:46:40.250000", "128.147.28.68", "206", "GET", "/path1/file.ext?cmd=ls"),
            id="DataStream",
        ),
    ],
)
def test_one_record_of_json_is_one_request(read, record, request_, indent):
    assert [request_] == read(json.dumps(record, indent=indent))


def test_a_list_in_an_object_without_a_request_has_the_records(read):
    wrapped = {
        "exported": "2026-10-10T14:00:00Z",
        "path": "/logs",
        "logs": [{"time": "2026-10-10T13:55:36Z"}],
    }

    assert [("2026-10-10T13:55:36", "", "", "", "")] == read(json.dumps(wrapped))


def test_an_object_is_no_client(tmp_path):
    path = tmp_path / "audit.log"
    path.write_text(json.dumps(AUDIT))
    (part,) = access_log.read([path], fields=("user",))

    assert ["minikube-user"] == part.columns[0]


def test_a_column_in_an_object_is_no_time(tmp_path):
    """pandas.pydata.org, "DataFrame.to_json": without orient="records" each column is one object."""
    path = tmp_path / "frame.json"
    path.write_text('{"time":{"0":1790000000000,"1":1790000001000},"ip":{"0":"192.0.2.7","1":"192.0.2.8"}}')

    with pytest.raises(InvalidArrivals, match=r"no key with a time among time\.0, time\.1"):
        list(access_log.read([path]))


@pytest.mark.parametrize(
    ("line", "request_"),
    [
        pytest.param(  # docs.imperva.com, "Example logs": Cloud WAF
            "CEF:0|Incapsula|SIEMintegration|1|1|Normal|0| fileId=3412341160002518171 "
            "sourceServiceName=site123.abcd.info requestClientApplication=Mozilla/5.0 src=12.12.12.12 "
            "cpt=443 requestMethod=GET request=/main.css cn1=200 xff=44.44.44.44 start=1453290121336\n",
            ("2016-01-20T11:42:01.336000", "12.12.12.12", "", "GET", "/main.css"),
            id="CEF",
        ),
        pytest.param(  # ibm.com/docs, "LEEF event components"
            "Jan 18 11:07:53 host LEEF:2.0|Lancope|StealthWatch|1.0|41|^|src=192.0.2.7^dst=172.50.123.1^sev=5"
            "^srcPort=81^devTime=Jan 18 2026 11:07:53\n",
            ("2026-01-18T11:07:53", "192.0.2.7", "", "", ""),
            id="LEEF",
        ),
    ],
)
def test_the_source_of_an_event_is_the_client(read, line, request_):
    assert [request_] == read(line)


def test_a_text_in_quotes_is_no_target(read):
    """SEKOIA-IO/intake-formats, Umbrella/umbrella-proxy: the type of an identity."""
    line = '"2025-01-09 12:41:41","","1.2.3.4","","3.4.5.6","ALLOWED","https://test.com/test.js","AD Users"\n'

    assert "" == read(line)[0][-1]


# GoogleCloudPlatform/ops-agent, transformation_test/testdata/logging_processor-iis_access/input.log: the
# default fields of IIS, of which the address before the method is the server's
IIS_TAIL = (
    "2022-03-10 17:26:30 10.0.0.5 GET /iisstart.png - 80 - 203.0.113.9 "
    "Mozilla/5.0+(Windows+NT+10.0;+WOW64) http://localhost/ 200 0 0 18\n"
)
# learn.microsoft.com, "W3C Logging": all fields of IIS 6
IIS_6 = (
    "2022-03-10 17:26:30 W3SVC1 WEB01 10.0.0.5 GET /a q=1 443 DOM\\ada 2001:db8::7 HTTP/1.1 curl/8 - - "
    "www.example.com 429 0 0 100 200 18\n"
)
# GoogleCloudPlatform/ops-agent, transformation_test/testdata/logging_processor-couchdb/input.log
COUCHDB = (
    "[notice] 2021-12-02T23:36:42.555157Z nonode@nohost <0.17165.1> a5f585a0d3 localhost:5984 127.0.0.1 "
    "otelu PUT /oteld 201 ok 16\n"
)
COUCHDB_STARTED = (
    "[info] 2022-01-12T16:52:56.998128Z nonode@nohost <0.216.0> -------- Apache CouchDB has started.\n"
)


@pytest.mark.parametrize(
    ("text", "requests"),
    [
        pytest.param(
            IIS_TAIL * 2,
            [("2022-03-10T17:26:30", "203.0.113.9", "200", "GET", "/iisstart.png")] * 2,
            id="IIS without its header",
        ),
        pytest.param(
            IIS_6, [("2022-03-10T17:26:30", "2001:db8::7", "429", "GET", "/a")], id="IIS 6 without its header"
        ),
        pytest.param(
            f"#Software: Microsoft Internet Information Services\n#Date: 2022-04-11 12:53:50\n{IIS_TAIL}",
            [("2022-03-10T17:26:30", "203.0.113.9", "200", "GET", "/iisstart.png")],
            id="IIS with a part of its header",
        ),
        pytest.param(
            COUCHDB + COUCHDB_STARTED,
            [("2021-12-02T23:36:42.555157", "127.0.0.1", "201", "PUT", "/oteld")],
            id="CouchDB",
        ),
        pytest.param(  # Songmu/axslogparser, axslogparser_test.go
            '10.0.0.11\t-\t-\t[11/Jun/2017:05:56:04 +0900]\t"GET / HTTP/1.1"\t200\t741\n',
            [("2017-06-10T20:56:04", "10.0.0.11", "200", "GET", "/")],
            id="tabs",
        ),
        pytest.param(  # DataDog/integrations-extras, f5-distributed-cloud
            '{"time":"2024-07-15T09:58:23.696Z","method":"GET","req_path":"/","rsp_code":"503","src_ip":"10.0.0.1"}',
            [("2024-07-15T09:58:23.696000", "10.0.0.1", "503", "GET", "/")],
            id="F5 Distributed Cloud",
        ),
        pytest.param(  # DataDog/integrations-extras, jfrog_platform_self_hosted
            '{"log_timestamp":"2023-07-21T17:48:08.350Z","remote_address":"10.0.0.1","request_method":"GET",'
            '"request_url":"/api/v1/system/readiness","return_status":"200"}',
            [("2023-07-21T17:48:08.350000", "10.0.0.1", "200", "GET", "/api/v1/system/readiness")],
            id="JFrog",
        ),
        pytest.param(  # ossec/ossec-hids, contrib/ossec-testing/tests/cpanel.ini: the time of cPanel
            '46.118.10.79 - paul [11/08/2016:09:35:43 -0000] "GET /cpsess1/a HTTP/1.1" 200 0 "-" "-" 2087\n',
            [("2016-11-08T09:35:43", "46.118.10.79", "200", "GET", "/cpsess1/a")],
            id="cPanel",
        ),
        pytest.param(  # docs.haproxy.org, "HTTP log format": the port is behind the address, without brackets
            HAPROXY.replace("203.0.113.54:59968", "2001:db8::7:59968")
            + "\n"
            + HAPROXY.replace("203.0.113.54:59968", "2001:db8::7:5996"),
            [("2017-07-31T22:20:22.447000", "2001:db8::7", "200", "GET", "/path/to/request/that")] * 2,
            id="HAProxy, IPv6",
        ),
        pytest.param(  # satyrius/gonx, example/access.log, with another address
            '2001:db8::7:5996 [10/Sep/2015:17:57:59 +0000] "GET /t HTTP/1.1" 200 363\n',
            [("2015-09-10T17:57:59", "2001:db8::7:5996", "200", "GET", "/t")],
            id="IPv6 without a port",
        ),
        pytest.param(  # ossec/ossec-hids, contrib/ossec-testing/tests/apache.ini: Apache 2.4 adds the port
            "[Thu Feb 02 01:44:27.699327 2017] [access_compat:error] [pid 7934] [client ::1:50058] AH01797\n",
            [("2017-02-02T01:44:27.699327", "::1", "", "", "")],
            id="a port behind IPv6",
        ),
        pytest.param(  # grafana/alloy, syslogparser/testdata/octetcount-singleline.txt (RFC 6587)
            "88 <86>Apr 28 11:53:46 doas: catap ran command ls / as root from /home/catap/src/go-syslog\n",
            [("2001-04-28T11:53:46", "", "", "", "")],
            id="syslog with its length",
        ),
    ],
)
def test_lines_of_servers_have_client_and_status(read, text, requests):
    assert requests == read(text)


@pytest.mark.parametrize(
    ("line", "request_"),
    [
        pytest.param(
            "2026-10-10 13:55:36\treason=Allowed\tserverip=192.168.0.1\trequestmethod=CONNECT\t"
            "useragent=x ClientIP=9.9.9.9\tClientIP=192.168.0.38\tstatus=200\turl=http://www.example.com/a\n",
            ("2026-10-10T13:55:36", "192.168.0.38", "200", "CONNECT", "http://www.example.com/a"),
            id="Zscaler",
        ),
        pytest.param(
            "<134>2026-10-10 13:55:36 web1,f5_irule=Splunk-HSL-iRule-HTTP,src_ip=10.111.30.21,vip=10.1.1.160,"
            'http_method=GET,http_host=example.com:443,http_uri=/a.png,http_user_agent="x src_ip=9.9.9.9",'
            "http_status=200\n",
            ("2026-10-10T13:55:36", "10.111.30.21", "200", "GET", "/a.png"),
            id="F5",
        ),
        pytest.param(
            "<134> 2026-10-10T13:55:36.123Z web1 bluecoat[0]: SPLV5.1 c-ip=192.0.0.6 cs-host=gg.hhh.iii.com "
            'cs-method=GET cs-uri-path=/Sample/a.crt cs-User-Agent="x c-ip=9.9.9.9" sc-status=200 '
            "s-ip=10.0.0.6\n",
            ("2026-10-10T13:55:36.123000", "192.0.0.6", "200", "GET", "/Sample/a.crt"),
            id="Symantec",
        ),
    ],
)
def test_named_values_of_proxies_are_read(read, line, request_):
    """splunk/splunk-connect-for-syslog, tests/test_{zscaler_proxy,f5_bigip,symantec_proxy}.py."""
    assert [request_] == read(line * 2)[:1]


def test_json_that_ends_early_is_named(tmp_path):
    """nielsbasjes/logparser, JsonLogFormatTest.java: a format without its last brace."""
    path = tmp_path / "access.log"
    path.write_text('{"@timestamp":"2015-11-25T15:24:45 +0100","mod_log":{"last_request_status":"403"}\n' * 2)

    with pytest.raises(InvalidArrivals, match=r"line 1 is not JSON: Expecting ',' delimiter"):
        list(access_log.read([path]))
