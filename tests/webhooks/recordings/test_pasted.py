"""Requests as browsers, tools and languages print them, which is what people paste.

Go, Ruby 3.1, PHP 8.2, Java, Perl and Node 20 themselves printed the texts that have their name.
"""

from __future__ import annotations

import base64
import json

import pytest

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks import Headers
from hook_widgets.webhooks.recordings import RecordedRequest, read_recording

SIG = "sha256=" + "ab" * 32
NAME = "X-Hub-Signature-256"
BODY = '{"action":"opened"}'


def request_of(text: str | bytes) -> RecordedRequest:
    (exchange,) = read_recording(text).exchanges
    return exchange.request


def notes_of(text: str) -> str:
    recording = read_recording(text)
    return " ".join((*recording.notes, *recording.exchanges[0].request.notes))


LINES = {
    "HTTP/2 pseudo headers": f":method: POST\n:path: /h\nx-hub-signature-256: {SIG}",
    "pseudo headers after others": f"x-hub-signature-256: {SIG}\n:method: POST\n:path: /h",
    "curl -v": (
        "*   Trying 127.0.0.1:9...\n* Connected to x\n} [5 bytes data]\n* using HTTP/2\n> POST /h HTTP/2\n"
        f"> Host: x.example\n> {NAME}: {SIG}\n> Content-Length: 19\n>\n}} [19 bytes data]\n"
        "* upload completely sent off: 19 bytes\n< HTTP/2 200\n< content-type: text/plain\n<\nok"
    ),
    "curl -v, the request only": f"> POST /h HTTP/2\n> Host: x\n> {NAME}: {SIG}\n>",
    "curl --trace-ascii": (
        f"== Info: Connected\n=> Send header, 175 bytes (0xaf)\n0000: POST /h HTTP/1.1\n"
        f"0012: Host: x.example\n0026: {NAME}: {SIG}\n0070: \n=> Send data, 19 bytes (0x13)\n0000: {BODY}\n"
        "<= Recv header, 17 bytes (0x11)\n0000: HTTP/1.1 200 OK"
    ),
    "Chrome": f"x-hub-signature-256\n{SIG}\ncontent-type\napplication/json",
    "Chrome, names with a colon": f"{NAME}:\n{SIG}\nContent-Type:\napplication/json",
    "Chrome, HTTP/2": f":authority\nx.example\n:method\nPOST\n:path\n/h\n:scheme\nhttps\n{NAME}\n{SIG}",
    "Chrome, HTTP/2 with a colon": (
        f":authority:\nx.example\n:method:\nPOST\n:path:\n/h\n:scheme:\nhttps\n{NAME}:\n{SIG}"
    ),
    "Chrome, the whole panel": (
        "General\nRequest URL\nhttps://x.example/h\nRequest Method\nPOST\nStatus Code\n200 OK\n"
        f"Remote Address\n127.0.0.1:443\nRequest Headers\nview source\nx-hub-signature-256\n{SIG}"
    ),
    "key of YAML": f"headers:\n  {NAME}: {SIG}\n  Host: x",
    "Chrome, view source": f"Request Headers\nview parsed\nPOST /h HTTP/1.1\nHost: x\n{NAME}: {SIG}",
    "empty lines between": f"x-hub-signature-256\n\n{SIG}\n\ncontent-type\n\napplication/json",
    "tabs": f"Host\tx\n{NAME}\t{SIG}",
    "a Markdown table": f"| Header | Value |\n|---|---|\n| Host | x |\n| {NAME} | {SIG} |",
    "PowerShell": f"{'Key':20}Value\n{'---':20}-----\n{'Host':20}x\n{NAME} {SIG}",
    ".NET": f"[Host, x]\n[{NAME}, {SIG}]",
    "a list": f"- Host: x\n- {NAME}: {SIG}",
    "numbers": f"1. Host: x\n2. {NAME}: {SIG}",
    "a fence": f"```http\nPOST /h HTTP/1.1\nHost: x\n{NAME}: {SIG}\n```",
    "bold names": f"**Host:** x\n**{NAME}:** `{SIG}`",
    "code spans": f"- `Host: x`\n- `{NAME}: {SIG}`",
    "options of curl": f"-H 'Host: x' \\\n-H '{NAME}: {SIG}'",
    "docker compose": f"web-1  | POST /h HTTP/1.1\nweb-1  | Host: x\nweb-1  | {NAME}: {SIG}\nweb-1  |",
    "kubectl": f"2026-09-01T12:00:00.1Z Host: x\n2026-09-01T12:00:00.2Z {NAME}: {SIG}",
    "HAProxy, debug": (
        "00000000:fe.clireq[0008:ffffffff]: POST /h HTTP/1.1\n00000000:fe.clihdr[0008:ffffffff]: host: x\n"
        f"00000000:fe.clihdr[0008:ffffffff]: {NAME.lower()}: {SIG}\n"
        "00000000:be.srvrep[0008:0009]: HTTP/1.1 200 OK"
    ),
    "nginx, debug": (
        '2026/09/01 12:00:00 [debug] 7#7: *1 http request line: "POST /h HTTP/1.1"\n'
        "2026/09/01 12:00:00 [debug] 7#7: *1 http process request header line\n"
        '2026/09/01 12:00:00 [debug] 7#7: *1 http header: "Host: x"\n'
        f'2026/09/01 12:00:00 [debug] 7#7: *1 http header: "{NAME}: {SIG}"'
    ),
    "Apache, trace4": (
        "[Tue Sep 01 12:00:00.1 2026] [http:trace4] [pid 7] http_request.c(420): Headers received:\n"
        "[Tue Sep 01 12:00:00.1 2026] [http:trace4] [pid 7]   Host: x\n"
        f"[Tue Sep 01 12:00:00.1 2026] [http:trace4] [pid 7]   {NAME}: {SIG}"
    ),
    "curl -v, streams of HTTP/2": f"* [HTTP/2] [1] [:method: POST]\n* [HTTP/2] [1] [{NAME.lower()}: {SIG}]",
    "assignments": f'[headers]\nhost = "x"\n{NAME.lower()} = "{SIG}"',
    "CSV": f'name,value\nHost,x\n{NAME},"{SIG}"',
    "a list of YAML": f"- name: host\n  value: x\n- name: {NAME.lower()}\n  value: {SIG}",
    ".NET, a request": (
        "Method: POST, RequestUri: 'https://x/h', Version: 1.1, Content: <null>, Headers:\n{\n  Host: x\n"
        f"  {NAME}: {SIG}\n}}"
    ),
    "a folded value": f"Host: x\n{NAME}:\n  {SIG}",
    "indented": f"    Host: x\n    {NAME}: {SIG}\n",
    "Symfony": f"Host:                x\r\n{NAME}: {SIG}\r\n",
    "CR alone": f"Host: x\r{NAME}: {SIG}\r",
    "Wireshark": (
        "Hypertext Transfer Protocol\n    POST /h HTTP/1.1\\r\\n\n    Host: x.example\\r\\n\n"
        f"    {NAME}: {SIG}\\r\\n\n    \\r\\n\n    [Full request URI: http://x.example/h]"
    ),
    "a byte order mark": f"\ufeff{NAME}: {SIG}",
    "syslog": f"Sep  1 12:00:00 host app[12]: Host: x\nSep  1 12:00:00 host app[12]: {NAME}: {SIG}",
    "journald": "\n".join(
        f"2026-09-01T12:00:00+0000 host app[12]: {line}" for line in ("Host: x", f"{NAME}: {SIG}")
    ),
    "Heroku": f"Sep 01 12:00:00 app web.1: Host: x\nSep 01 12:00:00 app web.1: {NAME}: {SIG}",
    "Heroku's drain": "\n".join(
        f"2026-09-01T12:00:00.1+00:00 app[web.1]: {line}" for line in ("Host: x", f"{NAME}: {SIG}")
    ),
    **{
        f"a logger: {before}": f"{before}Host: x\n{before.replace('123', '98')}{NAME}: {SIG}\n"
        for before in (
            "INFO:root:",
            "[INFO] ",
            "INFO ",
            "[12:00:00 INF] ",
            "12:00:00.123 [info] ",
            "2026-09-01 12:00:00,123 - hook - INFO - ",
            "2026-09-01 12:00:00,123 INFO  [main] c.e.Hook - ",
            "12:00:00.123 [http-nio-8080-exec-1] INFO  com.example.Hook -- ",
            "2026-09-01 12:00:00.123|INFO|Hook|",
            "I, [2026-09-01T12:00:00.123456 #123]  INFO -- : ",
            "2026-09-01T12:00:00.123Z\tINFO\thook/main.go:12\t",
            "2026-09-01T12:00:00.123Z c6af9ac6-7b61-11e6-9a41-93e8deadbeef INFO ",
            "Sep  1 12:00:00 host app: ",
        )
    },
    "Go's log": f"2026/09/01 12:00:00 Host = [x]\n2026/09/01 12:00:00 {NAME} = [{SIG}]",
    "Go, %q": f'Header["Host"] = ["x"]\nHeader["{NAME}"] = ["{SIG}"]',
    "pytest": f"E       Host: x\nE       {NAME}: {SIG}",
    "Envoy": (
        "[2026-09-01 12:00:00.000][7][debug][http] [C1][S2] request headers complete (end_stream=false):\n"
        f"':authority', 'x.example'\n':path', '/h'\n':method', 'POST'\n'{NAME.lower()}', '{SIG}'"
    ),
    "C#, pairs": f"Key: Host, Value: x\nKey: {NAME}, Value: {SIG}",
    "Java, servlet": f"Header Name: host, Value: x\nHeader Name: {NAME.lower()}, Value: {SIG}",
    "Java, servlet, with =": f"Header: host = x\nHeader: {NAME.lower()} = {SIG}",
    "arrows": f"Host => x\n{NAME} => {SIG}",
    "thin arrows": f"Host -> x\n{NAME} -> {SIG}",
    "C#, names without a space": f"HeaderName: Host, HeaderValue: x\nHeaderName: {NAME}, HeaderValue: {SIG}",
    "Java, servlet, with a hyphen": f"Header Name - host, Value - x\nHeader Name - {NAME}, Value - {SIG}",
    "Postman's console, titles": (
        f"Request Headers\nHost: x\n{NAME}: {SIG}\n\nRequest Body\n{BODY}\n\nResponse Headers\nDate: x"
    ),
    "API Gateway's log": (
        "(c6af9ac6) Method request path: {}\n(c6af9ac6) Method request query string: {x=1}\n"
        f"(c6af9ac6) Method request headers: {{Host=x, {NAME}={SIG}}}\n(c6af9ac6) Method request body: {{}}"
    ),
    "Azure's log": (
        "[2026-09-01T12:00:00Z] Executing 'Functions.hook' (Id=1)\n"
        f'[2026-09-01T12:00:00Z] headers: {{"host": "x", "{NAME}": "{SIG}"}}'
    ),
    "Rust, hyper": (
        'Request { method: POST, uri: /h?x=1, version: HTTP/1.1, headers: {"host": "x", '
        f'"{NAME.lower()}": "{SIG}"}}, body: Body(Streaming) }}'
    ),
    "GitHub's page": f"Request URL: https://x.example/h\nRequest method: POST\nAccept: */*\n{NAME}: {SIG}",
    "Wireshark, explained": (
        "Hypertext Transfer Protocol\n    POST /h HTTP/1.1\\r\\n\n        Request Method: POST\n"
        f"        Request URI: /h\n        Request Version: HTTP/1.1\n    {NAME}: {SIG}\\r\\n\n    \\r\\n\n"
        "    File Data: 30 bytes"
    ),
    "Wireshark, HTTP/2": (
        "HyperText Transfer Protocol 2\n    Stream: HEADERS\n        Header: :method: POST\n"
        f"        Header: {NAME.lower()}: {SIG}"
    ),
    "tcpdump -A": (
        "12:00:00.0 IP 192.0.2.1.5 > 192.0.2.2.80: Flags [P.]: HTTP: POST /h HTTP/1.1\n"
        f"E..4..@.@...P....POST /h HTTP/1.1\nHost: x\n{NAME}: {SIG}\n"
    ),
    "Netty": f"DefaultHttpRequest(a: success, version: HTTP/1.1)\nPOST /h HTTP/1.1\nHost: x\n{NAME}: {SIG}",
    "mitmdump": f"192.0.2.1:5: POST https://x/h HTTP/2.0\n    host: x\n    {NAME.lower()}: {SIG}\n",
    "variables with colons": f"HTTP_HOST: x\nHTTP_X_HUB_SIGNATURE_256: {SIG}\nREQUEST_METHOD: POST",
    "quoted lines": f'"Host": "x",\n"{NAME}": "{SIG}",',
    "lines of an object": f"  host: 'x',\n  'x-hub-signature-256': '{SIG}'",
}
PRINTED = {
    "JSON": json.dumps({NAME: SIG}),
    "smee.io": json.dumps(
        {NAME.lower(): SIG, "body": {"a": 1}, "query": {}, "timestamp": 1_788_264_000_000, "host": "x"}
    ),
    "Dart": f"{{host: [x], {NAME.lower()}: [{SIG}]}}",
    "Scala, a map": f"Map(host -> x, {NAME.lower()} -> {SIG})",
    "Scala, a list": f"List(Host: x, {NAME}: {SIG})",
    "Swift": f'[AnyHashable("Host"): x, AnyHashable("{NAME}"): {SIG}]',
    "Ktor": f"Headers [host=[x], {NAME.lower()}=[{SIG}]]",
    "Clojure, keywords": f'{{:host "x", :{NAME.lower()} "{SIG}"}}',
    "Lua": f'{{ ["host"] = "x", ["{NAME.lower()}"] = "{SIG}" }}',
    "Laravel's dd": (
        'array:2 [▼\n  "host" => array:1 [▼\n    0 => "x"\n  ]\n'
        f'  "{NAME.lower()}" => array:1 [▼\n    0 => "{SIG}"\n  ]\n]'
    ),
    "curl for cmd.exe": (
        f'curl ^"https://x/h^" ^\n  -H ^"{NAME.lower()}: {SIG}^" ^\n  --data-raw ^"^{{^\\^"a^\\^":1^}}^"'
    ),
    "JSON with lists": json.dumps({NAME: [SIG], "Content-Length": 19}),
    "JSON inside JSON": json.dumps(json.dumps({NAME: SIG})),
    "JSON objects": json.dumps([{"name": "Host", "value": "x"}, {"name": NAME, "value": SIG}]),
    "JSON objects with key": json.dumps([{"key": NAME, "value": SIG}]),
    "Firefox": json.dumps(
        {
            "Request Headers (522 B)": {
                "headers": [{"name": "Host", "value": "x"}, {"name": NAME, "value": SIG}]
            }
        }
    ),
    "rawHeaders": json.dumps(["Host", "x.example", NAME, SIG]),
    "rawHeaders of Node": f"[\n  'Host',\n  'x.example',\n  '{NAME}',\n  '{SIG}'\n]",
    "Node": f"{{\n  host: 'x.example',\n  'x-hub-signature-256': '{SIG}',\n  n: 1\n}}",
    "Node without a prototype": f"[Object: null prototype] {{ host: 'x', 'x-hub-signature-256': '{SIG}' }}",
    "Node Headers": f"Headers {{ host: 'x', 'x-hub-signature-256': '{SIG}' }}",
    "Node Map": f"Map(2) {{ 'host' => 'x', 'x-hub-signature-256' => '{SIG}' }}",
    "Node HeadersList": (
        "HeadersList {\n  cookies: null,\n  [Symbol(headers map)]: Map(1) {\n    'x-hub-signature-256' => "
        f"{{ name: 'x-hub-signature-256', value: '{SIG}' }}\n  }},\n  [Symbol(headers map sorted)]: null\n}}"
    ),
    "Python": repr({NAME: SIG, "Content-Length": 19}),
    "Python bytes": repr([(b"host", b"x"), (NAME.lower().encode(), SIG.encode())]),
    "Python pprint": f"{{'User-Agent': 'a b '\n               'c',\n '{NAME}': '{SIG}'}}",
    "aiohttp": f"<CIMultiDictProxy('Host': 'x', '{NAME}': '{SIG}')>",
    "Starlette": f"Headers(raw=[(b'host', b'x'), (b'x-hub-signature-256', b'{SIG}')])",
    "werkzeug": f"EnvironHeaders([('Host', 'x'), ('{NAME}', '{SIG}')])",
    "Django": (
        f"{{'REQUEST_METHOD': 'POST', 'HTTP_X_HUB_SIGNATURE_256': '{SIG}', 'wsgi.errors': <_io.TextIOWrapper "
        "name='<stderr>' mode='w' encoding='utf-8'>, 'wsgi.version': (1, 0)}"
    ),
    "Go": f"map[Content-Type:[application/json; charset=utf-8] {NAME}:[{SIG}] X-Twice:[1, a:[b] 2]]",
    "Go %#v": (
        f'http.Header{{"Content-Length":[]string{{"19"}}, "{NAME}":[]string{{"{SIG}"}}, '
        '"X-Twice":[]string{"1", "2 \\"q\\""}}'
    ),
    "Go %q": f'map["Content-Type":["application/json"] "{NAME}":["{SIG}"] "X-Twice":["1" "2 \\"q\\""]]',
    "Go map[string]string": f"map[Content-Length:19 {NAME}:{SIG}]",
    "Ruby": (
        f'{{"HTTP_HOST"=>"x", "HTTP_X_HUB_SIGNATURE_256"=>"{SIG}", "rack.input"=>#<IO:<STDIN>>, "puma"=>nil, '
        ':a=>1, "r"=>1..2, "m"=>/a"b/, "c"=>String, "s"=>:"a b", "proc"=>#<Proc:0x00007fb2bd61b170 -e:1>}'
    ),
    "Ruby 3.4": f'{{"HTTP_HOST" => "x", "HTTP_X_HUB_SIGNATURE_256" => "{SIG}", x: 1}}',
    "PHP print_r": (
        f"Array\n(\n    [Host] => x\n    [{NAME}] => {SIG}\n    [argv] => Array\n        (\n"
        "            [0] => a\n        )\n\n    [n] => \n)\n"
    ),
    "PHP print_r of lists": (
        "Array\n(\n    [host] => Array\n        (\n            [0] => x\n        )\n"
        f"\n    [x-hub-signature-256] => Array\n        (\n            [0] => {SIG}\n        )\n\n)\n"
    ),
    "PHP var_export": (
        f"array (\n  'HTTP_X_HUB_SIGNATURE_256' => '{SIG}',\n  'argv' => \n  array (\n    0 => 'a',\n  ),\n"
        "  't' => 1.5,\n  'n' => NULL,\n  'b' => true,\n)"
    ),
    "PHP var_dump": (
        'array(3) {\n  ["Host"]=>\n  array(1) {\n    [0]=>\n    string(1) "x"\n  }\n  ["X-Quote"]=>\n'
        f'  string(10) "it\'s \\ "x""\n  ["{NAME}"]=>\n  string(71) "{SIG}"\n}}'
    ),
    "Laravel": (
        'array:2 [\n  "host" => array:1 [\n    0 => "x"\n  ]\n'
        f'  "{NAME}" => array:1 [\n    0 => "{SIG}"\n  ]\n]'
    ),
    "Java": f"{{host=[x.example], accept=[a/b, c/d, e], x-hub-signature-256=[{SIG}]}}",
    "Java HttpHeaders": (
        f"java.net.http.HttpHeaders@be050c40 {{ {{accept=[a/b, c/d], x-hub-signature-256=[{SIG}]}} }}"
    ),
    "Java map of texts": f"{{host=x.example, x-hub-signature-256={SIG}, accept=*/*}}",
    "Spring": f'[host:"x.example", x-hub-signature-256:"{SIG}", accept:"a/b", "c/d"]',
    "Elixir": f'[{{"host", "x"}}, {{"x-hub-signature-256", "{SIG}"}}]',
    "Erlang": f'[{{<<"host">>,<<"x">>}},{{<<"x-hub-signature-256">>,<<"{SIG}">>}}]',
    "Perl": (
        "$VAR1 = {\n          'a' => [\n                   1\n                 ],\n"
        f"          '{NAME}' => '{SIG}'\n        }};"
    ),
    "Rust": f'{{"host": "x", "x-hub-signature-256": "{SIG}"}}',
    "Node, a request": (
        "IncomingMessage {\n  _events: { end: [Function: onEnd] },\n  rawHeaders: [\n    'Host',\n    'x',\n"
        f"    '{NAME}',\n    '{SIG}'\n  ],\n  url: '/h',\n  method: 'POST'\n}}"
    ),
    "Elixir, a connection": (
        '%Plug.Conn{adapter: {Plug.Cowboy.Conn, :...}, method: "POST", '
        f'req_headers: [{{"host", "x"}}, {{"{NAME.lower()}", "{SIG}"}}], request_path: "/h"}}'
    ),
    "OpenTelemetry": json.dumps(
        {"attributes": {"http.method": "POST", f"http.request.header.{NAME.lower()}": [SIG]}}
    ),
    "nginx, JSON": json.dumps(
        {"request": "POST /h HTTP/1.1", "http_x_hub_signature_256": SIG, "http_host": "x"}
    ),
    "Vercel": json.dumps({"proxy": {"path": "/h"}, "requestHeaders": {"host": "x", NAME.lower(): SIG}}),
    "slog, text": f'time=2026-09-01T12:00:00Z msg=hook headers="map[Content-Type:[a/b] {NAME}:[{SIG}]]"',
    "structlog": f"2026-09-01T12:00:00Z [info  ] hook  headers={{'a': 'x', '{NAME}': '{SIG}'}} body=b'{{}}'",
    "a label": f"headers: {{'{NAME}': '{SIG}'}}",
    "a log": f"2026-11-27 12:00:00,000 INFO hooks headers={{'{NAME}': '{SIG}'}}",
    "a log of Go": f"2026/11/27 12:00:00 headers: map[Host:[x] {NAME}:[{SIG}]]",
    "an assignment": f"const headers = {{'{NAME}': '{SIG}'}};",
    "curly quotes": f"{{“Host”: “x”, “{NAME}”: “{SIG}”}}",
}


def test_docker_in_front_of_the_lines_of_a_proxy():
    """The lines of a log of HAProxy in docker, as in public reports."""
    lines = ["fe.clireq[0012:ffffffff]: POST /h HTTP/1.1", f"fe.clihdr[0012:ffffffff]: {NAME}: {SIG}"]
    request = request_of("\n".join(f"haproxy_1          | 00000016:{line}" for line in lines))

    assert ("POST", SIG) == (request.method, request.headers.get(NAME))


def test_the_body_of_a_command_for_windows_is_the_body_that_was_sent():
    """Chrome's *Copy as cURL (cmd)*: a caret escapes, and a line end of the body is written as two."""
    text = 'curl ^"https://x/h^" ^\n  -H ^"X-A: 100^%^" ^\n  --data-raw ^"^{^\\^"a^\\^":^\n\n1^}^"'

    assert b'{"a":\n1}' == request_of(text).body


def test_the_body_after_prefixed_headers_is_read():
    text = "\n".join(f"web-1  | {line}" for line in ("POST /h HTTP/1.1", f"{NAME}: {SIG}", "", BODY))
    request = request_of(text)

    assert (BODY.encode(), "POST", SIG) == (request.body, request.method, request.headers.get(NAME))


def test_what_smee_sends_is_headers_and_a_parsed_body():
    text = json.dumps({NAME.lower(): SIG, "body": {"a": 1}, "query": {}, "timestamp": 1, "host": "x"})

    assert (None, SIG) == (request_of(text).body, request_of(text).headers.get(NAME))
    assert "parsed JSON, so its bytes are unknown" in notes_of(text)


@pytest.mark.parametrize("form", [*LINES, *PRINTED])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_the_signature_is_read_from_every_form(form, ends):
    text = (LINES | PRINTED)[form].replace("\r\n", "\n").replace("\n", ends)

    assert [SIG] == request_of(text).headers.get_list(NAME)
    assert SIG == Headers.from_text(text)[NAME]


WHOLE = {
    "LF": f"POST /h HTTP/1.1\nHost: x.example\n{NAME}: {SIG}\nContent-Length: 19\n\n{BODY}",
    "CRLF": f"POST /h HTTP/1.1\r\nHost: x.example\r\n{NAME}: {SIG}\r\nContent-Length: 19\r\n\r\n{BODY}",
    "HTTP/2": f"POST /h HTTP/2\nhost: x.example\nx-hub-signature-256: {SIG}\n\n{BODY}",
    "pseudo headers": f":method: POST\n:authority: x.example\n:path: /h\n{NAME}: {SIG}\n\n{BODY}",
    "with the response": (
        f"POST /h HTTP/1.1\nHost: x.example\n{NAME}: {SIG}\n\n{BODY}\n\nHTTP/1.1 200 OK\nServer: y\n"
    ),
    "bytes of Python": repr(f"POST /h HTTP/1.1\r\nHost: x.example\r\n{NAME}: {SIG}\r\n\r\n{BODY}".encode()),
    "http.client": (
        f"send: b'POST /h HTTP/1.1\\r\\nHost: x.example\\r\\n{NAME}: {SIG}\\r\\n\\r\\n'\n"
        f"send: b'{BODY}'\nreply: 'HTTP/1.1 200 OK\\r\\n'\nheader: Server: y"
    ),
    "nc": f"Listening on 0.0.0.0 80\nPOST /h HTTP/1.1\nHost: x.example\n{NAME}: {SIG}\n\n{BODY}",
    "an editor's file": f"### hook\nPOST https://x.example/h\n{NAME}: {SIG}\n\n{BODY}",
    "an editor's file that goes on": (
        f"### hook\nPOST https://x.example/h\n{NAME}: {SIG}\n\n{BODY}\n\n###\nGET https://x.example/\n"
    ),
    "GitHub's page with the payload": (
        f"Request URL: https://x.example/h\nRequest method: POST\nAccept: */*\n{NAME}: {SIG}\n\n{BODY}"
    ),
    "an editor's file, without a title": f"POST https://x.example/h\n{NAME}: {SIG}\n\n{BODY}",
    "Wireshark, a stream": (
        f"POST /h HTTP/1.1\r\nHost: x.example\r\n{NAME}: {SIG}\r\nContent-Length: 19\r\n\r\n{BODY}"
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    ),
    "HTTPie -v": (
        f"POST /h HTTP/1.1\nContent-Length: 19\nHost: x.example\n{NAME}: {SIG}\n\n{BODY}"
        "\n\n\nHTTP/1.1 200 OK\n\nok"
    ),
    "Postman's console": f"POST /h HTTP/1.1\nHost: x.example\n{NAME}: {SIG}\nContent-Length: 19\n \n{BODY}\n",
    "CloudWatch": "2026-09-01T12:00:00.000Z\t6f0e\tINFO\t"
    + json.dumps(
        {
            "rawPath": "/h",
            "headers": {"host": "x.example", NAME.lower(): SIG},
            "requestContext": {"http": {"method": "POST"}},
            "body": BODY,
        }
    ),
    "CloudWatch, a message": json.dumps(
        {
            "@message": json.dumps(
                {"method": "POST", "url": "https://x.example/h", "headers": {NAME: SIG}, "body": BODY}
            )
        }
    ),
    "ngrok": json.dumps(
        {
            "requests": [
                {
                    "id": "1",
                    "request": {
                        "method": "POST",
                        "headers": {"Host": ["x.example"], NAME: [SIG]},
                        "uri": "/h",
                        "raw": base64.b64encode(
                            f"POST /h HTTP/1.1\r\nHost: x\r\n\r\n{BODY}".encode()
                        ).decode(),
                    },
                    "response": {"headers": {"Content-Type": ["a/b"]}},
                }
            ]
        }
    ),
    "WireMock": json.dumps(
        {
            "requests": [
                {
                    "request": {
                        "url": "https://x.example/h",
                        "method": "POST",
                        "headers": {NAME: SIG},
                        "body": BODY,
                    }
                }
            ]
        }
    ),
    "Insomnia": json.dumps(
        {
            "resources": [
                {"_type": "workspace"},
                {
                    "method": "POST",
                    "url": "https://x.example/h",
                    "headers": [{"name": NAME, "value": SIG}],
                    "body": {"mimeType": "application/json", "text": BODY},
                },
            ]
        }
    ),
    "Sentry": json.dumps(
        {
            "request": {
                "method": "POST",
                "url": "https://x.example/h",
                "headers": [["Host", "x"], [NAME, SIG]],
                "data": BODY,
            }
        }
    ),
    "axios": (
        f"axios({{ method: 'POST', url: 'https://x.example/h', headers: {{ '{NAME}': '{SIG}' }}, "
        f"data: '{BODY}' }})"
    ),
    "webhook.site, CSV": (
        '"uuid","method","url","headers","content"\n"1","POST","https://x.example/h","'
        + json.dumps({NAME.lower(): [SIG]}).replace('"', '""')
        + '","'
        + BODY.replace('"', '""')
        + '"\n'
    ),
    "one line": f"POST /h HTTP/1.1\\r\\nHost: x.example\\r\\n{NAME}: {SIG}\\r\\n\\r\\n{BODY}",
    "curl": f"curl https://x.example/h -H '{NAME}: {SIG}' --data-raw '{BODY}'",
    "curl, curly quotes": f"curl https://x.example/h -H ‘{NAME}: {SIG}’ --data-raw ‘{{}}’",
    "HAR entry": json.dumps(
        {
            "request": {
                "method": "POST",
                "url": "https://x.example/h",
                "headers": [{"name": NAME, "value": SIG}],
                "postData": {"text": BODY},
            }
        }
    ),
    "HAR request": json.dumps(
        {
            "method": "POST",
            "url": "https://x.example/h",
            "headers": [{"name": NAME, "value": SIG}],
            "postData": {"text": BODY},
        }
    ),
    "fetch": (
        f'await fetch("https://x.example/h", {{\n  "headers": {{\n    "{NAME.lower()}": "{SIG}"\n  }},\n'
        f'  "body": {json.dumps(BODY)},\n  "method": "POST"\n}});'
    ),
    "Postman": json.dumps(
        {
            "info": {"name": "a"},
            "item": [
                {
                    "name": "folder",
                    "item": [
                        {
                            "request": {
                                "method": "POST",
                                "header": [{"key": NAME, "value": SIG}],
                                "body": {"mode": "raw", "raw": BODY},
                                "url": {"raw": "https://x.example/h"},
                            }
                        }
                    ],
                }
            ],
        }
    ),
    "API Gateway v1": json.dumps(
        {
            "resource": "/h",
            "path": "/h",
            "httpMethod": "POST",
            "headers": None,
            "multiValueHeaders": {"Host": ["x.example"], NAME: [SIG]},
            "body": BODY,
            "isBase64Encoded": False,
        }
    ),
    "API Gateway v2, printed by Node": (
        f"{{\n  version: '2.0',\n  rawPath: '/h',\n  headers: {{ host: 'x.example', '{NAME}': '{SIG}' }},\n"
        "  requestContext: { http: { method: 'POST', path: '/h' } },\n"
        "  body: 'eyJhY3Rpb24iOiJvcGVuZWQifQ==',\n  isBase64Encoded: true\n}"
    ),
    "load balancer": json.dumps(
        {
            "requestContext": {"elb": {"targetGroupArn": "a"}},
            "httpMethod": "POST",
            "path": "/h",
            "multiValueHeaders": {"host": ["x.example"], NAME: [SIG]},
            "body": "eyJhY3Rpb24iOiJvcGVuZWQifQ==",
            "isBase64Encoded": True,
        }
    ),
    "CloudFront": json.dumps(
        {
            "Records": [
                {
                    "cf": {
                        "request": {
                            "method": "POST",
                            "uri": "/h",
                            "querystring": "",
                            "headers": {
                                "host": [{"key": "Host", "value": "x.example"}],
                                NAME.lower(): [{"key": NAME, "value": SIG}],
                            },
                            "body": {"encoding": "base64", "data": "eyJhY3Rpb24iOiJvcGVuZWQifQ=="},
                        }
                    }
                }
            ]
        }
    ),
    "a log with the request inside": json.dumps(
        {
            "level": 30,
            "req": {
                "method": "POST",
                "url": "https://x.example/h",
                "headers": {NAME: SIG},
                "body": BODY,
            },
        }
    ),
    "Insomnia's timeline": (
        "* Preparing request to https://x.example/h\n* Using libcurl/8.7.1\n\n> POST /h HTTP/1.1\n"
        f"> Host: x.example\n> {NAME}: {SIG}\n\n| {BODY}\n\n* We are completely uploaded and fine\n\n"
        "< HTTP/1.1 401 Unauthorized\n< Date: x\n"
    ),
    "Python, requests_toolbelt": (
        f"< POST /h HTTP/1.1\r\n< Host: x.example\r\n< {NAME}: {SIG}\r\n< \r\n< {BODY}\r\n"
        "> HTTP/1.1 200 OK\r\n> Content-Type: text/plain\r\n> \r\nok"
    ),
    "Postman's console, expanded": (
        'POST https://x.example/h: {\n  "Network": {"Addresses": {}},\n  "Request Headers": '
        f'{{"host": "x.example", "{NAME.lower()}": "{SIG}"}},\n  "Request Body": {json.dumps(BODY)},\n'
        '  "Response Headers": {"date": "x"},\n  "Response Body": "no"\n}'
    ),
    "Charles": json.dumps(
        [
            {
                "status": "COMPLETE",
                "method": "POST",
                "scheme": "https",
                "host": "x.example",
                "path": "/h",
                "request": {
                    "sizes": {"body": 19},
                    "header": {
                        "firstLine": "POST /h HTTP/1.1",
                        "headers": [{"name": "Host", "value": "x.example"}, {"name": NAME, "value": SIG}],
                    },
                    "body": {"text": BODY, "charset": "UTF-8"},
                },
                "response": {"status": 200, "header": {"headers": []}},
            }
        ]
    ),
    "Spring": (
        "2026-09-01 12:00:00.000 DEBUG 1 --- [nio-8080-exec-1] CommonsRequestLoggingFilter : After request "
        f'[POST /h, client=127.0.0.1, headers=[host:"x.example", {NAME.lower()}:"{SIG}"], payload={BODY}]'
    ),
    "CloudWatch, exported": '"timestamp","message"\n"1788264000000","{}"'.format(
        json.dumps(
            {
                "rawPath": "/h",
                "headers": {"host": "x.example", NAME.lower(): SIG},
                "requestContext": {"http": {"method": "POST"}},
                "body": BODY,
            }
        ).replace('"', '""')
    ),
    "webhook.site": json.dumps(
        {
            "uuid": "1",
            "method": "POST",
            "url": "https://x.example/h",
            "headers": {NAME: [SIG]},
            "content": BODY,
        }
    ),
}


@pytest.mark.parametrize("form", WHOLE)
def test_a_whole_request_is_read_with_method_url_and_body(form):
    request = request_of(WHOLE[form])

    body = "{}" if form == "curl, curly quotes" else BODY
    expected = ("POST", "https://x.example/h", body.encode(), SIG)
    assert expected == (request.method, request.url, request.body, request.headers[NAME])


@pytest.mark.parametrize(
    "value",
    [
        {"message": {"headers": {"message-id": "<1>", "to": "a@b"}}},  # of a mail, in the body of a webhook
        {"data": {"response": {"headers": {"content-type": "a/b"}}}},
        {"data": {"user-name": "a"}},
        {"a": [{"b": [{"c": {}}] * 50}] * 50},
    ],
)
def test_headers_that_are_not_those_of_a_request_are_not_read(value):
    with pytest.raises(InvalidArgument):
        read_recording(json.dumps(value))


def test_what_was_read_inside_an_object_is_said():
    text = json.dumps({"data": [{"a": 1}, {"http": {"headers": {"Host": "x", NAME: SIG}, "body": BODY}}]})

    assert "only the member data.1.http was read" in notes_of(text)


def test_the_objects_that_firefox_copies_are_one_request():
    text = (
        '{"POST":{"scheme":"https","host":"x.example","filename":"/h","query":{"a":"b c"}}}\n\n'
        '{"Status":"200OK"}\n\n{"Response Headers (20 B)":{"headers":[{"name":"server","value":"y"}]}}\n\n'
        f'{{"Request Headers (522 B)":{{"headers":[{{"name":"{NAME}","value":"{SIG}"}}]}}}}'
    )
    request = request_of(text)

    assert ("POST", "https://x.example/h?a=b+c") == (request.method, request.url)
    assert [(NAME, SIG)] == request.headers.multi_items()


def test_the_request_of_go_is_read_with_its_address():
    text = (
        "&{Method:POST URL:/h?a=b Proto:HTTP/1.1 ProtoMajor:1 ProtoMinor:1 Header:map[Content-Type:[a/b] "
        f'{NAME}:[{SIG}] X-Twice:[1, a:[b] 2 "q"]] Body:{{Reader:0xc000058140}} '
        "GetBody:<nil> ContentLength:2 TransferEncoding:[] Close:false Host:x.example Form:map[] "
        "PostForm:map[] MultipartForm:<nil> Trailer:map[] "
        "RemoteAddr:192.0.2.1:1234 RequestURI:/h?a=b TLS:<nil> Cancel:<nil> Response:<nil> ctx:<nil>}"
    )
    request = request_of(text)

    assert ("POST", "https://x.example/h?a=b", None) == (request.method, request.url, request.body)
    assert '1, a:[b] 2 "q"' == request.headers["X-Twice"]
    assert "several values" in notes_of(text)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (f"x-hub-signature-256\n{SIG}", "lines of their own"),
        (f"{NAME}: {SIG}\u200b", "cannot be seen were removed from X-Hub-Signature-256"),
        (f"{NAME}\t{SIG}\u200b\nHost\tx", "cannot be seen"),
        (f"headers: {{'{NAME}': '{SIG}'}}", "the first 9 characters"),
        (f"{{“{NAME}”: “{SIG}”}}", "curly quotes"),
        (json.dumps({NAME: SIG, "X-Null": None}), "X-Null"),
        (json.dumps({"level": 30, "req": {"headers": {NAME: SIG}}}), "only the member req"),
        (f"{{'{NAME}': '{SIG}'}}\n{{'action': 'opened'}}", "only the first value"),
        (f"> POST / HTTP/1.1\n> {NAME}: {SIG}\n>", "does not show the body"),
        (
            f"> GET / HTTP/1.1\n> {NAME}: {SIG}\n>\n< HTTP/1.1 302\n> GET /b HTTP/1.1\n> A: b\n>",
            "2 requests",
        ),
        (WHOLE["with the response"], "the response"),
        (f"{{host=[x], x-hub-signature-256=[{SIG}], accept=[a, b]}}", "no quotes"),
        (f"HTTP_X_HUB_SIGNATURE_256={SIG}", "does not contain the body"),
    ],
)
def test_what_was_read_in_an_unusual_way_or_not_at_all_is_said(text, note):
    assert note in notes_of(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (BODY, "rather a body"),
        ("{'action': 'opened', 'number': 1}", "rather a body"),
        (
            '{"signature": {"token": "a-b"}, "event-data": {"message": {"headers": {"a-b": "c"}}}}',
            "not a request",
        ),
        (json.dumps({"httpMethod": "POST", "path": "/h", "headers": None, "body": BODY}), "cannot be read"),
        (json.dumps({"headers": "see below", "version": "2.0"}), "cannot be read"),
        ("{ headers: [Object], body: '{}' }", "cannot be read"),
        ('curl ^"https://x.example^" -H ^"A: b^"', "Windows"),
        ('Started POST "/h" for 127.0.0.1\n  Parameters: {"action"=>"opened"}', "Rails"),
        ("hello\nworld", "line 1"),
        ("payload=%7B%22a%22%3A1%7D", "line 1"),
        (f"{NAME}: {SIG}\nnonsense\nHost: x", "line 2"),
        ("<html><body>a: b</body></html>", "line 1"),
    ],
)
def test_what_is_no_request_is_never_read_as_headers(text, reason):
    with pytest.raises(InvalidArgument, match=reason):
        read_recording(text)


def test_headers_before_a_body_without_a_request_line_are_distinguished_from_it():
    text = f"Host: x\n{NAME}: {SIG}\n\n{BODY}"

    assert BODY.encode() == request_of(text).body
    assert [("Host", "x"), (NAME, SIG)] == Headers.from_text(text).multi_items()


def test_the_headers_of_several_requests_are_not_mixed():
    text = json.dumps([{"request": {"method": "POST", "url": f"https://x/{n}", "headers": []}} for n in "ab"])

    with pytest.raises(InvalidArgument, match="2 requests"):
        Headers.from_text(text)


def test_a_line_separator_of_unicode_ends_no_line():
    assert "a\x0bb\x85c" == request_of("X-A: a\x0bb\x85c\nX-B: d").headers["X-A"]


@pytest.mark.parametrize(
    "line", ['X-Data: {"user-id": "1"}', 'Link: {"user-id": "1"}', "X-A: [('a-b', 'c')]"]
)
def test_a_header_whose_value_is_a_mapping_is_that_header(line):
    name, value = line.split(": ", 1)

    assert [(name, value)] == request_of(line).headers.multi_items()


def test_bars_in_a_response_are_no_body_of_the_request():
    shown = f"> POST /h HTTP/1.1\n> {NAME}: {SIG}\n>\n< HTTP/1.1 200 OK\n<\n| a | b |\n| - | - |\n"
    (exchange,) = read_recording(shown).exchanges
    assert exchange.request.body is None


def test_two_lines_of_words_are_no_name_and_value():
    with pytest.raises(InvalidArgument, match="line 1"):
        read_recording("hello\nworld")
