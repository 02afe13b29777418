"""Requests as loggers, sniffers, API clients and program code show them.

The form of each is that of its documentation or of public logs: Apache HttpClient's logging practices,
OkHttp's HttpLoggingInterceptor, Feign's Logger.Level.FULL, RequestDumpingHandler of Undertow,
RequestDumperFilter of Tomcat, UseHttpLogging of ASP.NET Core, ngrep(8), traefik/traefik#4041, the json-file
driver of docker, filter-log-events of CloudWatch Logs, WP_REST_Request::get_headers() of WordPress.
"""

from __future__ import annotations

import json
from urllib.parse import urlsplit

import pytest

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks import Headers
from hook_widgets.webhooks.recordings import RecordedRequest, read_recording
from tests.support.work import at_most_lines

SIG = "sha256=" + "ab" * 32
NAME = "X-Hub-Signature-256"
BODY = '{"action":"opened"}'
WIRE = 'DEBUG org.apache.http.wire - http-outgoing-0 >> "{}"'
LOGCAT = "01-04 18:01:13.586 2074-2317/com.example D/OkHttp: "
ASPNET = "info: Microsoft.AspNetCore.HttpLogging.HttpLoggingMiddleware"


def request_of(text: str) -> RecordedRequest:
    (exchange,) = read_recording(text).exchanges
    return exchange.request


def wire(*pieces: str) -> str:
    return "\n".join(WIRE.format(piece) for piece in pieces)


HEAD = ("POST /h HTTP/1.1[\\r][\\n]", "Host: x.example[\\r][\\n]", f"{NAME}: {SIG}[\\r][\\n]", "[\\r][\\n]")

#: with the body
WHOLE = {
    "HttpClient": wire(*HEAD, BODY) + '\nDEBUG wire - http-outgoing-0 << "HTTP/1.1 200 OK[\\r][\\n]"',
    "OkHttp": (
        f"--> POST https://x.example/h h2\nContent-Length: 19\n{NAME}: {SIG}\n\n{BODY}\n"
        "--> END POST (19-byte body)\n<-- 401 https://x.example/h (38ms)\nServer: y\n"
    ),
    "OkHttp on Android": "\n".join(
        LOGCAT + line
        for line in (
            "--> POST https://x.example/h",
            f"{NAME}: {SIG}",
            BODY,
            "--> END POST (19-byte body)",
        )
    ),
    "Feign": "\n".join(
        f"[Hook#send] {line}".rstrip()
        for line in (
            "---> POST https://x.example/h HTTP/1.1",
            f"{NAME}: {SIG}",
            "",
            BODY,
            "---> END HTTP (19-byte body)",
        )
    ),
    "ASP.NET Core": (
        f"{ASPNET}[1]\n      Request:\n      Protocol: HTTP/2\n      Method: POST\n      Scheme: https\n"
        f"      PathBase: \n      Path: /h\n      Host: x.example\n      {NAME}: {SIG}\n"
        f"{ASPNET}[3]\n      RequestBody: {BODY}\n{ASPNET}[2]\n      Response:\n      StatusCode: 401\n"
    ),
    "ngrep": (
        "T 192.0.2.1:43506 -> 192.0.2.2:80 [AP]\nPOST /h HTTP/1.1.\nHost: x.example.\n"
        f"{NAME}: {SIG}.\nContent-Length: 19.\n.\n{BODY}\n"
    ),
    "Tomcat, input buffer": (
        "DEBUG o.a.coyote.http11.Http11InputBuffer : Received [POST /h HTTP/1.1\nHost: x.example\n"
        f"{NAME}: {SIG}\nContent-Length: 19\n\n{BODY}]"
    ),
    "Net::HTTP of Ruby": (
        f'opening connection to x.example:443...\nopened\n<- "POST /h HTTP/1.1\\r\\n{NAME}: {SIG}\\r\\n'
        f'Host: x.example\\r\\n\\r\\n"\n<- {json.dumps(BODY)}\n-> "HTTP/1.1 200 OK\\r\\n"\n'
    ),
    "mail": f"> POST /h HTTP/1.1\n> Host: x.example\n> {NAME}: {SIG}\n>\n> {BODY}",
    "Jira": f"{{code:title=a}}\nPOST /h HTTP/1.1\nHost: x.example\n{NAME}: {SIG}\n\n{BODY}\n{{code}}",
    "Bruno": (
        "meta {\n  name: hook\n  seq: 1\n}\n\npost {\n  url: https://x.example/h\n  body: json\n}\n\n"
        f"headers {{\n  {NAME}: {SIG}\n  ~X-Unused: a\n}}\n\nbody:json {{\n  {BODY}\n}}\n"
    ),
    "Hoppscotch": json.dumps(
        {
            "endpoint": "https://x.example/h",
            "method": "POST",
            "headers": [{"key": NAME, "value": SIG, "active": True}],
            "body": {"contentType": "application/json", "body": BODY},
        }
    ),
    "Thunder Client": json.dumps(
        {
            "requests": [
                {
                    "name": "hook",
                    "url": "https://x.example/h",
                    "method": "POST",
                    "headers": [{"name": NAME, "value": SIG}],
                    "body": {"type": "json", "raw": BODY},
                }
            ]
        }
    ),
    "CloudWatch, events": json.dumps(
        {
            "events": [
                {"message": "START RequestId: 6f0e"},
                {
                    "message": "2026-09-01T12:00:00.000Z\t6f0e\tINFO\t"
                    + json.dumps(
                        {
                            "headers": {"host": "x.example", NAME.lower(): SIG},
                            "rawPath": "/h",
                            "requestContext": {"http": {"method": "POST"}},
                            "body": BODY,
                        }
                    )
                },
            ]
        }
    ),
    "Netlify": json.dumps(
        {
            "httpMethod": "POST",
            "headers": {"host": "x.example", NAME.lower(): SIG},
            "rawUrl": "https://x.example/h",
            "path": "/.netlify/functions/h",
            "body": BODY,
        }
    ),
}

#: without the body
HEADERS = {
    "Undertow": (
        "----------------------------REQUEST---------------------------\n               URI=/h\n"
        f" characterEncoding=null\n            header=accept=*/*\n            header={NAME}={SIG}\n"
        "            header=Host=x.example\n            method=POST\n       queryString=\n"
        "            scheme=https\n--------------------------RESPONSE--------------------------\n"
        "            header=Server=y\n            status=200\n"
    ),
    "Tomcat": "\n".join(
        f"http-nio-8080-exec-1 {line}"
        for line in (
            "START TIME        =01-Sep-2026 12:00:00",
            "        requestURI=/h",
            f"            header={NAME.lower()}={SIG}",
            "            header=host=x.example",
            "            method=POST",
            "       queryString=null",
            "------------------=--------------------------------------------",
            "            header=server=y",
        )
    ),
    "Insomnia 5": (
        "type: collection.insomnia.rest/5.0\nname: a\ncollection:\n  - url: https://x.example/h\n"
        "    method: POST\n    body:\n      text: '{}'\n    headers:\n"
        f"      - name: {NAME}\n        value: {SIG}\n"
    ),
    "actix-web": (
        "\nHttpRequest HTTP/1.1 POST:/h\n  headers:\n"
        f'    "host": "x.example"\n    "{NAME.lower()}": "{SIG}"\n'
    ),
    "docker": "\n".join(
        json.dumps({"log": f"{line}\n", "stream": "stdout", "time": "2026-09-01T12:00:00.1Z"})
        for line in ("POST /h HTTP/1.1", "Host: x.example", f"{NAME}: {SIG}")
    ),
    "Caddy": json.dumps(
        {
            "msg": "handled request",
            "request": {
                "method": "POST",
                "host": "x.example",
                "uri": "/h",
                "headers": {NAME: [SIG], "User-Agent": ["a"]},
            },
        }
    ),
    "Envoy's tap": json.dumps(
        {
            "http_buffered_trace": {
                "request": {
                    "headers": [
                        {"key": ":authority", "value": "x.example"},
                        {"key": ":path", "value": "/h"},
                        {"key": ":method", "value": "POST"},
                        {"key": NAME.lower(), "value": SIG},
                    ],
                    "body": {"truncated": False, "as_bytes": "e30="},
                }
            }
        }
    ),
    "Traefik": "begin ServeHttp on request  Request="
    + json.dumps(
        json.dumps(
            {"Method": "POST", "Header": {NAME: [SIG]}, "Host": "x.example", "RequestURI": "/h"},
            separators=(",", ":"),
        )
    ),
    "Go": (
        'url := "https://x.example/h"\nmethod := "POST"\nreq, err := http.NewRequest(method, url, payload)\n'
        f'req.Header.Add("{NAME}", "{SIG}")\n'
    ),
    "PHP": (
        "curl_setopt_array($curl, array(\n  CURLOPT_URL => 'https://x.example/h',\n"
        "  CURLOPT_CUSTOMREQUEST => 'POST',\n  CURLOPT_HTTPHEADER => array(\n"
        f"    '{NAME}: {SIG}',\n    'A: b'\n  ),\n));"
    ),
    "JavaScript": (
        f'const h = new Headers();\nh.append("A", "b");\nmyHeaders.append("{NAME}", "{SIG}");\n'
        'const o = {\n  method: "POST"\n};\nfetch("https://x.example/h", o);'
    ),
    "Clojure": (
        f'{{:headers {{"host" "x.example", "{NAME.lower()}" "{SIG}"}}, :uri "/h", :request-method :post, '
        ':body #object[org.eclipse.jetty.server.HttpInput 0x1 "x"], :scheme :https}'
    ),
    "Erlang": (
        f'#{{headers => #{{<<"host">> => <<"x.example">>,<<"{NAME.lower()}">> => <<"{SIG}">>}},'
        'method => <<"POST">>,path => <<"/h">>,pid => <0.1.0>,qs => <<>>}'
    ),
}

#: only the headers
NAMED = {
    "WordPress": (
        f"Array\n(\n    [x_hub_signature_256] => Array\n        (\n            [0] => {SIG}\n        )\n\n)\n"
    ),
    "Play": f"Map(Host -> ArrayBuffer(x), {NAME} -> ArrayBuffer({SIG}))",
    "a list of lines": json.dumps({"req": {"method": "POST", "headers": ["Host: x", f"{NAME}: {SIG}"]}}),
    "Zapier": json.dumps({"headers": {"http_x_hub_signature_256": SIG, "content_type": "a/b"}}),
    "Apache's error log": (  # PayPal-Python-SDK#166
        "[Thu Oct 13 17:58:14.34 2016] [:error] [pid 16469]    {'CONTENT_LENGTH': '2',\n"
        "[Thu Oct 13 17:58:14.35 2016] [:error] [pid 16469]     'HTTP_HOST': 'x',\n"
        f"[Thu Oct 13 17:58:14.36 2016] [:error] [pid 16469]     'HTTP_X_HUB_SIGNATURE_256': '{SIG}',\n"
        "[Thu Oct 13 17:58:14.37 2016] [:error] [pid 16469]     'wsgi.version': (1, 0)}"
    ),
    "Django's page": f"HTTP_HOST\t'x'\nHTTP_X_HUB_SIGNATURE_256\t'{SIG}'\nwsgi.version\t(1, 0)",
    "Symfony": (
        "Symfony\\Component\\HttpFoundation\\HeaderBag {#45 ▼\n  #headers: array:1 [▼\n"
        f'    "{NAME.lower()}" => array:1 [▼\n      0 => "{SIG}"\n    ]\n  ]\n  #cacheControl: []\n}}'
    ),
    "Haskell": (
        'Request {requestMethod = "POST", httpVersion = HTTP/1.1, requestHeaders = [("Host","x"),'
        f'("{NAME}","{SIG}")], isSecure = False, vault = <Vault>}}'
    ),
    "Java": (
        f'Request request = new Request.Builder()\n  .method("POST", body)\n  .addHeader("{NAME}", "{SIG}")\n'
    ),
    "Ruby": f'request = Net::HTTP::Post.new(url)\nrequest["{NAME}"] = "{SIG}"\n',
    "C#": f'var client = new HttpClient();\nrequest.Headers.Add("{NAME}", "{SIG}");',
    "Faraday, HttpClient's headers": "\n".join(
        f"DEBUG headers - http-outgoing-0 >> {line}"
        for line in ("POST /h HTTP/1.1", "A: b", f"{NAME}: {SIG}")
    ),
}


@pytest.mark.parametrize("form", [*WHOLE, *HEADERS, *NAMED])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_the_signature_is_read_once_and_as_it_is(form, ends):
    text = (WHOLE | HEADERS | NAMED)[form].replace("\n", ends)

    assert [SIG] == request_of(text).headers.get_list(NAME)


@pytest.mark.parametrize("form", [*WHOLE, *HEADERS])
def test_the_method_url_and_body_are_read(form):
    request = request_of((WHOLE | HEADERS)[form])

    assert ("POST", "x.example", "/h") == (request.method, *urlsplit(request.url)[1:3])
    assert request.body == BODY.encode() if form in WHOLE else not request.body


@pytest.mark.parametrize("name", ["Method", "Path", "url", "Server", "X-Unused", "name"])
def test_what_is_no_header_of_the_request_is_none(name):
    assert not any(name in request_of(text).headers for text in (WHOLE | HEADERS | NAMED).values())


# -- what cannot be read, and what a stranger wrote ---------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (wire(*HEAD, "{[0xc3][0xa9]}"), "bytes of the body as"),
        (HEADERS["Envoy's tap"], "as_bytes"),
        (HEADERS["Go"], "the body was not"),
        (HEADERS["Undertow"], "has no body"),
    ],
)
def test_a_body_that_is_not_read_is_said(text, note):
    request = request_of(text)

    assert request.body is None
    assert note in " ".join(request.notes)


PIECES = wire(*HEAD, '{"a":', "1}")  # a secret could be in two of them
WITHOUT_BLANK = [LOGCAT + line for line in ("--> POST https://x/h", f"{NAME}: {SIG}", "A-B: c")]


@pytest.mark.parametrize(
    "text",
    [
        PIECES,
        f'<- "POST /h HTTP/1.1\\r\\n{NAME}: {SIG}\\r\\n\\r\\n"\n<- "{{\\"a\\":"\n<- "1}}"',
        "\n".join([*WITHOUT_BLANK, LOGCAT + "--> END POST (6-byte body)"]),
        "{&quot;X-Hub-Signature-256&quot;: &quot;a&quot;}",
        "+------+\n| 0 1 2 |\n+--+---+\n|0000| 50 4f |",  # Netty's bytes
    ],
)
def test_what_cannot_be_distinguished_is_rejected(text):
    with pytest.raises(InvalidArgument):
        read_recording(text)


FORGED = f"{NAME}: forged"


@pytest.mark.parametrize(
    "body",
    [
        wire("POST /x HTTP/1.1[\\r][\\n]", f"{FORGED}[\\r][\\n]"),
        f"--> POST https://x.example/x\n{FORGED}\n--> END POST",
        f"---REQUEST---\n header={NAME}=forged",
        f"{ASPNET}[1]\n      Request:\n      {FORGED}",
        f"POST /x HTTP/1.1.\n{FORGED}.",
        f"post {{\n}}\nheaders {{\n  {FORGED}\n}}",
        f'x.headers.append("{NAME}", "forged")',
        f'CURLOPT_HTTPHEADER => array("{FORGED}")',
        f'{{"log":"{FORGED}\\n"}}',
        f"> {FORGED}",
        f"{{code}}\n{FORGED}",
    ],
)
@pytest.mark.parametrize("before", ["", "Listening on 0.0.0.0 80\n", "--> "])
def test_nothing_in_a_body_is_read_as_a_header(body, before):
    target = "https://x.example/h" if before == "--> " else "/h HTTP/1.1"
    text = f"{before}POST {target}\nHost: x.example\n{NAME}: {SIG}\n\n{body}\n"

    assert [SIG] == request_of(text).headers.get_list(NAME)


@pytest.mark.parametrize(
    "text",
    [
        "[x] [:error]  'X-A': 'b',\n[x] [:error]  'X-Gitlab-Token': \n[x] [:error]  'secret-token',",
        "{'X-A': 'b', 'X-Gitlab-Token': [x]\n[y] 'secret-token'}",
        '[X-A:"b", X-Gitlab-Token:"a",\n "secret-token"]',
    ],
)
def test_a_value_on_another_line_than_its_name_and_first_value_is_not_read(text):
    """The tab, which redacts credentials before a text is read, cannot tell that it is one of this name."""
    (exchange,) = read_recording(text).exchanges

    assert ("X-A", "b") in exchange.request.headers.multi_items()
    assert "secret" not in str(exchange.request.headers.multi_items())


@pytest.mark.parametrize(
    "before",
    [
        "",
        "1.1 " * 60 + "--> POST https://x/h\n",
        wire(*HEAD[:2]) + "\n",
        "---REQUEST---\n URI=/h\n",
        f"{ASPNET}[1]\n Request:\n",
        "POST /h HTTP/1.1.\nA-B: c.\n",
        "post {\n}\nheaders {\n",
        "> POST /h HTTP/1.1\n> A-B: c\n>\n",
        "07:18:04.1 IP a > b: length 9\n..POST /h HTTP/1.1\n",
        "mod_dumpio:  dumpio_in (data-HEAP): POST /h HTTP/1.1\\r\\n\n",
        "&{POST /h HTTP/1.1 1 1 map[A:[b]] ",
        "START RequestId: 8f50 Version: $LATEST\n",
    ],
)
@pytest.mark.parametrize(
    "piece",
    [
        "a" * 84 + "\n",
        "-",
        "1.",
        ' >> "',
        "x.headers.append('A-B', 'c');\n",
        '{"log":"a\\n"}\n',
        "  a: b\n",
        "] true ",
        "END RequestId: \n",
        "0:0:0.1 IP > : length 1\n",
    ],
)
def test_the_work_for_a_log_grows_as_its_length_at_most(before, piece):
    with at_most_lines(600_000):
        try:
            read_recording((before + piece * (30_000 // len(piece)))[:30_000])
        except InvalidArgument:
            return


def test_headers_from_text_reads_the_same():
    assert SIG == Headers.from_text(WHOLE["OkHttp"])[NAME]
