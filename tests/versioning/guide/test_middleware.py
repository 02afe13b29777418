"""Test the guide's middlewares in real servers: same responses from uvicorn (ASGI) and waitress (WSGI)."""

from __future__ import annotations

import http.client
import json
import socket
from pathlib import Path

import pytest

from tests.support.pages import Reader, blocks

PAGE = Path(__file__).parents[3] / "docs" / "howto" / "serve-versions.md"
SERVERS = {
    "asgi": "uvicorn orders_asgi:app --port 8000",
    "wsgi": "waitress-serve --listen=127.0.0.1:8000 bare_wsgi:app",
}
# The guide puts a limit in front of the WSGI application; here the two are compared without it.
BARE = """
from orders_wsgi import api, clock, orders
from hook_widgets.versioning.negotiation import VersionedWsgi
app = VersionedWsgi(orders, api, now=clock)
"""
# What the server itself says.
OWN = {"date", "server", "connection", "transfer-encoding", "content-length"}

# `date -ud 2026-03-02T09:00Z +%s` and `date -ud 2024-09-02T08:00Z +%s`; the removals are eighteen calendar
# months later, at ten o'clock in Berlin (RFC 9745 section 2.1, RFC 8594 section 3).
DEPRECATED = {
    "api-version": "2",
    "deprecation": "@1772442000",
    "sunset": "Thu, 02 Sep 2027 08:00:00 GMT",
}
REMOVED = {
    "api-version": "1",
    "deprecation": "@1725264000",
    "sunset": "Mon, 02 Mar 2026 09:00:00 GMT",
}
JSON = {"content-type": "application/json"}
PROBLEM = {"content-type": "application/problem+json"}


def links(old, resource):
    guide = f'<https://docs.example.com/orders/v{old}-to-v3>; rel="deprecation"; type="text/html"'
    return {"link": f'{guide}, </api/v3{resource}>; rel="successor-version"'}


def current(**more):
    return JSON | {"api-version": "3"} | more


@pytest.fixture(scope="module", params=SERVERS)
def port(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    for block in blocks(PAGE):
        if block.file:
            (folder / block.file).write_text(block.text, encoding="utf-8")
    (folder / "bare_wsgi.py").write_text(BARE, encoding="utf-8")
    reader = Reader(folder)
    reader.serve(SERVERS[request.param])
    yield reader.port
    reader.close()


def ask(port, target, method="GET", headers=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request(method, target, headers={"Accept": "*/*"} | (headers or {}))
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    fields = {name.lower(): value for name, value in answer.getheaders() if name.lower() not in OWN}
    return answer.status, fields, body


@pytest.mark.parametrize(
    ("target", "headers", "version", "path", "fields"),
    [
        ("/api/v3/orders", {}, 3, "/orders", current()),
        ("/api/v3/orders?limit=5&sort=a%20b", {}, 3, "/orders", current()),
        ("/api/v3/orders/a%20b", {}, 3, "/orders/a b", current()),
        ("/api/v2/orders", {}, 2, "/orders", JSON | DEPRECATED | links(2, "/orders")),
        (
            "/api/orders",
            {"Api-Version": "2"},
            2,
            "/orders",
            JSON | DEPRECATED | links(2, "/orders") | {"vary": "Api-Version"},
        ),
        (
            "/api/orders",
            {"Accept": "application/vnd.example.v2+json;q=0.4, application/vnd.example.v3+json"},
            3,
            "/orders",
            current(vary="Api-Version, Accept"),
        ),
        ("/api/orders?version=3", {}, 3, "/orders", current(vary="Api-Version, Accept")),
        ("/api/v3/orders", {"Api-Version": "2"}, 3, "/orders", current()),
        ("/health", {}, None, "/health", JSON),
    ],
)
def test_a_version_is_served_with_exactly_its_headers(port, target, headers, version, path, fields):
    status, got, body = ask(port, target, headers=headers)

    assert (200, fields) == (status, got)
    asked = json.loads(body)
    assert {"version": version, "path": path} == {name: asked[name] for name in ("version", "path")}


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_a_removed_version_is_gone_with_the_way_out(port, method):
    status, fields, body = ask(port, "/api/v1/orders/17?full=1", method)

    assert (410, PROBLEM | REMOVED | links(1, "/orders/17?full=1")) == (status, fields)
    document = json.loads(body)
    assert "version_removed" == document["code"]
    assert "https://docs.example.com/orders/v1-to-v3" == document["migration_guide"]
    assert "https://api.example.com/api/v3/orders/17?full=1" == document["current_version"]
    assert "Orders API version 1 was removed on 2026-03-02." in document["detail"]


@pytest.mark.parametrize(
    ("target", "headers"),
    [
        ("/api/v9/orders", {}),
        ("/api/v0/orders", {}),
        ("/api/v02/orders", {}),
        ("/api/orders?version=two", {}),
        ("/api/v3/orders", {"Api-Version": "two"}),
        ("/api/orders", {"Accept": "application/vnd.example.v9+json"}),
    ],
)
def test_an_invalid_version_is_answered_with_the_supported_ones(port, target, headers):
    status, fields, body = ask(port, target, headers=headers)

    assert (400, "application/problem+json") == (status, fields["content-type"])
    assert [2, 3] == json.loads(body)["supported_versions"]


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_path_without_a_version_leads_to_the_latest_stable_one(port, method):
    status, fields, body = ask(port, "/api/orders?limit=5", method)

    location = {"location": "/api/v3/orders?limit=5"}
    assert (308, location | {"cache-control": "no-cache", "vary": "Api-Version, Accept"}) == (status, fields)
    assert b"" == body


def test_head_is_answered_without_a_body(port):
    status, fields, body = ask(port, "/api/v1/orders", "HEAD")

    assert (410, PROBLEM | REMOVED | links(1, "/orders"), b"") == (status, fields, body)


def test_bytes_that_a_client_should_have_escaped_are_escaped_in_the_address(port):
    with socket.create_connection(("127.0.0.1", port), timeout=30) as raw:
        raw.sendall(b"GET /api/caf\xc3\xa9 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        answer = b"".join(iter(lambda: raw.recv(65536), b""))

    status, fields = answer.split(b" ", 2)[1], answer.lower()
    assert status == b"400" or b"location: /api/v3/caf%c3%a9\r\n" in fields


@pytest.mark.parametrize(
    "evil", ["/api//evil.example/x", "/api/%2F%2Fevil.example", "/api/\\evil.example", "//evil.example"]
)
def test_no_redirect_leaves_the_host(port, evil):
    status, fields, _ = ask(port, evil)

    assert status != 308 or fields["location"].startswith("/api/v3/")
