"""Raw requests, printed headers and environments, checked with the programs that write them."""

from __future__ import annotations

import http.client
import json
import shutil
import socket
import subprocess
import threading
from collections.abc import Callable
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest
from werkzeug.datastructures import EnvironHeaders
from werkzeug.datastructures import Headers as WerkzeugHeaders
from werkzeug.serving import make_server as make_werkzeug_server

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks import verify
from hook_widgets.webhooks.recordings import RecordedRequest, Recording, read_recording

BODY = b'{"id": 1}\r\n'


def request_of(text: str | bytes) -> RecordedRequest:
    (exchange,) = read_recording(text).exchanges
    return exchange.request


class Quiet(WSGIRequestHandler):
    def log_message(self, *args: Any) -> None:
        """Say nothing."""


def environ_of(make: Callable[[Any], Any]) -> dict[str, Any]:
    """The environment that a real server gives to its program, of one request."""
    results: list[dict[str, Any]] = []

    def program(environ: dict[str, Any], start: Any) -> list[bytes]:
        results.append(dict(environ))
        start("204 No Content", [])
        return []

    server = make(program)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
        headers = {
            "Stripe-Signature": "t=1,v1=00",
            "X-GitHub-Event": "ping",
            "X-Other-ID": "a b",
            "Content-Type": "a/b",
        }
        connection.request("POST", "/hooks/caf%C3%A9%20x?a=%20b", body=b"{}", headers=headers)
        connection.getresponse().read()
        connection.close()
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    return results[0]


SERVERS: dict[str, Callable[[Any], Any]] = {
    "wsgiref": lambda program: make_server("127.0.0.1", 0, program, handler_class=Quiet),
    "werkzeug": lambda program: make_werkzeug_server("127.0.0.1", 0, program),
}


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("written", [repr, str, lambda environ: json.dumps(environ, default=str)])
def test_the_environment_of_a_real_server_is_read(server, written):
    environ = environ_of(SERVERS[server])
    recording = read_recording(written(environ))
    assert recording.format == "CGI or WSGI environment"
    request = recording.exchanges[0].request
    assert request.method == "POST"
    assert request.url == f"http://{environ['HTTP_HOST']}/hooks/caf%C3%A9%20x?a=%20b"
    named = {name: value for name, value in request.headers.multi_items() if name != "Host"}
    expected = {
        "Stripe-Signature": "t=1,v1=00",
        "X-GitHub-Event": "ping",
        "X-Other-Id": "a b",
        "Content-Type": "a/b",
    }
    assert {name: named[name] for name in expected} == expected
    assert request.body is None
    assert any("letter case" in note for note in request.notes)
    assert any("body" in note for note in request.notes)


def test_variables_of_a_shell_and_of_php_are_read():
    text = "REQUEST_METHOD=POST\nexport HTTP_X_HUB_SIGNATURE_256='sha256=00'\nPATH=/bin"
    request = request_of(text)
    assert request.headers.multi_items() == [("X-Hub-Signature-256", "sha256=00")]
    php = "Array\n(\n    [HTTP_X_HUB_SIGNATURE_256] => sha256=00\n    [REQUEST_URI] => /a?b\n)\n"
    assert request_of(php).headers == request.headers
    assert request_of(php).url == "/a?b"
    assert request_of("REDIRECT_HTTP_AUTHORIZATION=Basic eA==").headers["Authorization"] == "Basic eA=="


PAIRS = [("Host", "a.example"), ("X-Quote", 'it\'s "q" \\ é'), ("X-Twice", "1"), ("X-Twice", "2")]


@pytest.mark.parametrize(
    "printed",
    [
        repr(PAIRS),
        repr([(name.encode(), value.encode("latin-1")) for name, value in PAIRS[:1]] + PAIRS[1:]),
        str(tuple(PAIRS)),
        repr(WerkzeugHeaders(PAIRS)),
        f"<Headers({PAIRS!r})>",
        f"MultiDict({PAIRS!r})",
        json.dumps(PAIRS),
        json.dumps([{"name": name, "value": value} for name, value in PAIRS]),
        json.dumps({"Host": "a.example", "X-Quote": PAIRS[1][1], "X-Twice": ["1", "2"]}),
        repr({"Host": "a.example", "X-Quote": PAIRS[1][1], "X-Twice": ["1", "2"]}),
    ],
)
def test_printed_headers_are_read_in_order_with_repeated_names(printed):
    assert request_of(printed).headers.multi_items() == PAIRS


def test_printed_headers_of_an_environment_are_read():
    headers = EnvironHeaders({"HTTP_X_HUB_SIGNATURE": "sha1=00", "CONTENT_TYPE": "a/b"})
    assert dict(request_of(repr(headers)).headers) == dict(headers)


def test_headers_that_node_prints_are_read():
    node = shutil.which("node")
    assert node
    values = {
        "host": "a.example",
        "content-type": "a/b",
        "x-quote": 'it\'s "q" \\ \u00e9\u0001',
        "set-cookie": ["a", "b"],
    }
    script = f"console.log({json.dumps(values)}); console.log(new Headers({{a: 'b', 'c-d': 'e'}}))"
    done = subprocess.run([node, "-e", script], capture_output=True, text=True, check=True)
    first, second = done.stdout.split("Headers ")
    assert dict(request_of(first).headers) | {"set-cookie": ["a", "b"]} == values
    assert dict(request_of(second).headers) == {"a": "b", "c-d": "e"}


def test_a_raw_request_is_what_a_server_got(monkeypatch):
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    with listener:
        connection.request("PUT", "/x?y=1", body=BODY, headers={"X-Signature": "00"})
        peer, _ = listener.accept()
        raw = b""
        while not raw.endswith(BODY):
            raw += peer.recv(65_536)
        peer.close()
    connection.close()
    request = request_of(raw)
    assert (request.method, request.url) == ("PUT", f"http://127.0.0.1:{port}/x?y=1")
    assert request.body == BODY
    assert request.headers["X-Signature"] == "00"
    # The clipboard makes LF of CRLF; the length shows what it was.
    pasted = request_of(raw.decode().replace("\r\n", "\n"))
    assert pasted.body == BODY
    assert any("CRLF" in note for note in pasted.notes)
    # Two bytes more at the end are those of the clipboard.
    assert request_of(raw + b"\r\n").body == BODY


@pytest.mark.parametrize(
    ("text", "body", "note"),
    [
        ("POST / HTTP/1.1\nContent-Length: 9\n\n{}", b"{}", "changed or cut"),
        ("POST / HTTP/1.1\nA: b\n\na\nb", b"a\nb", "line ends"),
        ("POST / HTTP/1.1\nContent-Encoding: gzip\nContent-Length: 2\n\n{}", b"{}", "gzip"),
        ("POST / HTTP/1.1\nTransfer-Encoding: chunked\n\n2\nab\n3;x=y\ncde\n0\n\n", b"abcde", "line ends"),
        ("POST / HTTP/1.1\nTransfer-Encoding: chunked\n\n9\nab\n0\n", b"9\nab\n0\n", "chunks"),
        ("POST /x HTTP/1.1\nA: b\n\n", b"", "host"),
        ("POST /x HTTP/1.1\nHost: a.example\n\n", b"", "https is assumed"),
    ],
)
def test_what_a_pasted_request_cannot_tell_has_a_note(text, body, note):
    request = request_of(text)
    assert request.body == body
    assert any(note in said for said in request.notes)


def test_the_chunks_of_a_file_are_joined():
    raw = b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na\r\n\r\n0\r\n\r\n"
    assert request_of(raw).body == b"a\r\n"


def test_lines_that_curl_v_marks_and_pseudo_headers_are_read():
    verbose = "* Connected\n> POST /x HTTP/1.1\n> Host: localhost:1\n> A: b\n>\n< HTTP/1.1 200 OK\n< C: d\n"
    request = request_of(verbose)
    assert (request.method, request.url) == ("POST", "http://localhost:1/x")
    assert request.headers.multi_items() == [("Host", "localhost:1"), ("A", "b")]
    assert request.body is None
    request = request_of(":method: POST\n:authority: a.example\n:path: /x\n:scheme: https\na: b\n\n{}")
    assert (request.method, request.url, request.body) == ("POST", "https://a.example/x", b"{}")


def test_header_lines_are_read_as_before():
    recording = read_recording("Stripe-Signature: t=1,v1=00\n\nContent-Type:a/b\n")
    assert recording.format == "list of headers"
    assert recording.exchanges[0].request.headers.multi_items() == [
        ("Stripe-Signature", "t=1,v1=00"),
        ("Content-Type", "a/b"),
    ]


def test_events_of_cloud_functions_are_read():
    event = {
        "version": "2.0",
        "rawPath": "/x",
        "rawQueryString": "a=b",
        "headers": {"Host": "a.example", "X-Signature": "00"},
        "requestContext": {"http": {"method": "POST"}},
        "body": "eyJpZCI6IDF9DQo=",
        "isBase64Encoded": True,
    }
    request = request_of(json.dumps(event))
    assert (request.method, request.url, request.body) == ("POST", "https://a.example/x?a=b", BODY)
    event |= {"body": '{"é": 1}', "isBase64Encoded": False}
    assert request_of(repr(event)).body == '{"é": 1}'.encode()
    assert request_of(json.dumps(event | {"body": {"a": 1}})).body is None
    assert request_of(json.dumps(event | {"body": "%%", "isBase64Encoded": True})).body is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "hello",
        "{}",
        "[]",
        "[1]",
        '{"a b": "c"}',
        "{'a': 'b'",
        "42",
        "null",
        "GET",
        "a=b",
        "{'a': f(}",
        '{"log": {}}',
    ],
)
def test_a_text_of_no_known_format_is_rejected_in_one_sentence(text):
    with pytest.raises(InvalidArgument, match=";") as caught:
        read_recording(text)
    assert caught.value.field in ("headers", "")


def test_a_recorded_request_verifies():
    from hook_widgets.webhooks import Secret, provider

    secret = Secret("an example secret")
    signed = provider("github").draft(url="https://a.example/x").sign(secret)
    lines = "\n".join(f"{name}: {value}" for name, value in signed.headers.multi_items())
    text = (
        f"POST /x HTTP/1.1\nHost: a.example\nContent-Length: {len(signed.body)}\n{lines}\n\n".encode()
        + signed.body
    )
    recording: Recording = read_recording(text)
    assert verify("github", recording.exchanges[0].request.received(), secret).ok


# nock/nock, README, "Recording": rawHeaders are those of the response
NOCK: dict[str, Any] = {
    "scope": "https://api.example.com:443",
    "method": "POST",
    "path": "/in",
    "body": "{}",
    "status": 200,
    "response": {"ok": True},
    "rawHeaders": ["Content-Type", "application/json", "X-RateLimit-Limit", "60"],
}


def test_the_headers_of_a_response_are_none_of_a_request():
    with pytest.raises(InvalidArgument, match="those of the response, as nock records them"):
        read_recording(json.dumps([NOCK]))


def test_the_request_headers_that_nock_records_are_read():
    recorded = NOCK | {"reqheaders": {"x-hub-signature-256": "sha256=00", "host": "api.example.com"}}

    (exchange,) = read_recording(json.dumps([recorded])).exchanges

    assert ["x-hub-signature-256", "host"] == list(exchange.request.headers)
    assert ("POST", "https://api.example.com/in", b"{}") == (
        exchange.request.method,
        exchange.request.url,
        exchange.request.body,
    )


def test_the_url_that_wiremock_was_called_with_is_read():  # wiremock.org, "Verifying": GET /__admin/requests
    request = {
        "url": "/in",
        "absoluteUrl": "http://hooks.example.com/in",
        "method": "POST",
        "headers": {"X-Hub-Signature-256": "sha256=00"},
        "body": "{}",
    }
    logged = {"requests": [{"id": "1", "request": request, "responseDefinition": {"status": 200}}]}

    (exchange,) = read_recording(json.dumps(logged)).exchanges

    assert ("http://hooks.example.com/in", b"{}") == (exchange.request.url, exchange.request.body)
