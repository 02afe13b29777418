"""Test the guide's middlewares with applications that build addresses, at the root and mounted."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import unquote, unquote_to_bytes
from wsgiref.util import request_uri, setup_testing_defaults
from wsgiref.validate import validator

import pytest

from hook_widgets.versioning.negotiation import VersionedAsgi, VersionedWsgi
from tests.support.pages import blocks

PAGE = Path(__file__).parents[3] / "docs" / "howto" / "serve-versions.md"
MODULES = {block.file.removesuffix(".py"): block.text for block in blocks(PAGE) if block.file}
AT = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def guide(tmp_path, monkeypatch):
    """Load the modules of the guide."""
    for name, text in MODULES.items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield import_module
    for name in MODULES:
        sys.modules.pop(name, None)


def ask_wsgi(guide, target, mount, headers):
    """Return status, headers, and the path and address that the application receives."""
    inner: dict[str, str] = {}
    answered: list[Any] = []

    def app(environ, start_response):
        inner.update(path=environ["PATH_INFO"].encode("latin-1").decode(), address=request_uri(environ))
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [b""]

    api = replace(guide("orders_api").api, prefix=f"{mount}/api")
    versioned = VersionedWsgi(validator(app), api, now=lambda: AT)
    path, _, query = target.partition("?")
    environ = {"HTTP_HOST": "host", "SCRIPT_NAME": mount, "QUERY_STRING": query}
    environ["PATH_INFO"] = unquote_to_bytes(path.removeprefix(mount)).decode("latin-1")
    environ |= {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
    setup_testing_defaults(environ)

    def start_response(status, headers, *exc_info):
        answered.extend([status, headers])
        return bytes

    body = versioned(environ, start_response)
    list(body)
    getattr(body, "close", list)()
    return int(answered[0][:3]), {name.lower(): value for name, value in answered[1]}, inner


def ask_asgi(guide, target, mount, headers):
    """Do the same as `ask_wsgi`; ASGI paths include the mount, as in servers and Starlette."""
    inner: dict[str, str] = {}
    sent: list[Any] = []

    async def app(scope, receive, send):
        assert scope["path"] == unquote(scope["raw_path"].decode())
        assert scope["path"].startswith(scope["root_path"])
        query = "?" + scope["query_string"].decode() if scope["query_string"] else ""
        path, address = (
            scope["path"][len(scope["root_path"]) :],
            f"http://host{scope['raw_path'].decode()}{query}",
        )
        inner.update(path=path, address=address)
        await send({"type": "http.response.start", "status": 200})
        await send({"type": "http.response.body"})

    async def send(message):
        sent.append(message)

    api = replace(guide("orders_api").api, prefix=f"{mount}/api")
    versioned = VersionedAsgi(app, api, now=lambda: AT)
    raw, _, query = target.encode().partition(b"?")
    scope = {
        "type": "http",
        "method": "GET",
        "root_path": mount,
        "path": unquote(raw.decode()),
        "raw_path": raw,
    }
    pairs = [(name.lower().encode(), value.encode()) for name, value in headers.items()]

    async def receive():
        return {"type": "http.disconnect"}

    asyncio.run(versioned({**scope, "query_string": query, "headers": pairs}, receive, send))
    return (
        sent[0]["status"],
        {name.decode(): value.decode() for name, value in sent[0].get("headers", ())},
        inner,
    )


both = pytest.mark.parametrize("ask", [ask_wsgi, ask_asgi])
mounts = pytest.mark.parametrize("mount", ["", "/shop"])


@both
@mounts
@pytest.mark.parametrize(
    ("target", "headers", "path", "address"),
    [
        ("/api/v2/orders?limit=5", {}, "/orders", "/api/v2/orders?limit=5"),
        ("/api/v2/caf%C3%A9%20x", {}, "/café x", "/api/v2/caf%C3%A9%20x"),
        ("/api/orders", {"Api-Version": "2"}, "/orders", "/api/v2/orders"),
        ("/api/orders?version=2&a=b", {}, "/orders", "/api/v2/orders?a=b"),
        ("/api/v2", {}, "/", "/api/v2/"),
    ],
)
def test_the_addresses_that_an_application_builds_stay_in_its_version(
    guide, ask, mount, target, headers, path, address
):
    status, _, inner = ask(guide, mount + target, mount, headers)

    assert (200, path, f"http://host{mount}{address}") == (status, inner["path"], inner["address"])


@both
@mounts
def test_the_ways_out_of_a_version_lead_below_the_mount(guide, ask, mount):
    moved = ask(guide, f"{mount}/api/orders", mount, {})
    gone = ask(guide, f"{mount}/api/v1/orders", mount, {})

    assert (308, f"{mount}/api/v3/orders") == (moved[0], moved[1]["location"])
    assert (410, True) == (gone[0], f"<{mount}/api/v3/orders>" in gone[1]["link"])


@both
@mounts
def test_what_is_not_below_the_prefix_passes_untouched(guide, ask, mount):
    status, headers, inner = ask(guide, f"{mount}/health", mount, {})

    assert (200, "/health", f"http://host{mount}/health") == (status, inner["path"], inner["address"])
    assert "api-version" not in headers
