"""A token that the tab releases for one delivery: asked for by name of the host, and nowhere afterwards."""

from __future__ import annotations

import base64
import html
import json
import threading
import urllib.parse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from hook_widgets.webhooks import Receiver, Secret
from hook_widgets.widgets.generator.widget import WebhookGenerator
from tests.widgets.fake_tab import FakeTab

#: how a receiver may write what it received
ECHOES: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "json": lambda text: json.dumps({"token": text.decode("latin-1")}).encode(),
    "json as UTF-8": lambda text: json.dumps(text.decode("latin-1"), ensure_ascii=False).encode("latin-1"),
    "html": lambda text: html.escape(text.decode("latin-1")).encode("latin-1"),
    "repr": lambda text: repr(text.decode("latin-1")).encode("latin-1"),
    "url": lambda text: urllib.parse.quote(text).encode(),
    "form": lambda text: urllib.parse.urlencode({"token": text}).encode(),
    "hex": lambda text: text.hex().encode(),
    "base64": base64.b64encode,
    "base64 after one byte": lambda text: base64.b64encode(b":" + text),
    "base64 after two bytes": lambda text: base64.urlsafe_b64encode(b"x:" + text + b"more"),
}


def opened(url: str, *, secret: str = "glpat-canary4f8a2c71") -> FakeTab:
    tab = FakeTab(WebhookGenerator("gitlab-token", url=url), secret=secret)
    tab.agrees = True
    return tab


def everything(tab: FakeTab) -> str:
    """Return all that the kernel sent to the tab, saved, and hands to a cell."""
    widget = tab.widget
    deliveries = [(d, d.headers, d.body) for d in widget.deliveries]
    requests = [(r.url, r.headers.multi_items(), r.body) for r in widget._deliveries.requests]
    texts = (tab.noted, tab.replies, tab.jobs, widget.get_state(), deliveries, requests, widget._request)
    return repr(texts)


def test_a_released_token_arrives_and_is_nowhere_afterwards():
    with Receiver("gitlab-token", Secret("glpat-canary4f8a2c71")) as receiver:
        tab = opened(receiver.url)
        first = tab.ask("send", ticket="t-1")["value"]
        tab.ask("send", ticket="t-2", again=first["n"])

        assert [True, True] == [delivery.verdict.ok for delivery in receiver.deliveries]
    assert (200, 2) == (first["status"], len(tab.widget.deliveries))
    assert "canary" not in everything(tab)


def test_the_history_has_a_released_token_in_no_entry_command_comparison_or_export():
    with echoing(ECHOES["plain"]) as url:
        tab = opened(url)
        statuses = [tab.ask("send", ticket=ticket)["value"]["status"] for ticket in ("t-1", "t-2")]
    asked = {
        "exchange": tab.ask("exchange", n=1),
        "curl": tab.ask("past_curl", n=1),
        "HAR": tab.ask("export", form="har"),
        "JSON": tab.ask("export", form="json"),
        "comparison": tab.ask("compare", a=1, b=2, all=True),
        "editor": tab.ask("as_sent", n=1),
    }

    assert [403, 403] == statuses
    # A request that is shown without its token cannot be opened as it was sent.
    assert ["editor"] == [name for name, reply in asked.items() if reply.get("error")]
    assert "canary" not in everything(tab)


def test_each_delivery_asks_anew_and_the_question_names_host_and_ticket():
    tab = opened("http://hooks.example.com:8080/in")
    tab.agrees = False
    for ticket in ("t-1", "t-2"):
        assert "declined" == tab.ask("send", ticket=ticket)["error"]["code"]

    releases = [job["args"] for job, _ in tab.jobs if job["op"] == "release"]
    assert [("hooks.example.com:8080", "t-1"), ("hooks.example.com:8080", "t-2")] == [
        (args["host"], args["ticket"]) for args in releases
    ]
    assert () == tab.widget.deliveries


def test_a_host_that_is_not_allowed_is_rejected_before_anybody_is_asked():
    tab = FakeTab(WebhookGenerator("gitlab-token", url="http://127.0.0.1:9/", allow_hosts=["example.com"]))

    assert "rejected" == tab.ask("send", ticket="t")["error"]["code"]
    assert [] == tab.jobs


class Echo(BaseHTTPRequestHandler):
    """Repeats the token in the body, in a header and in the reason phrase."""

    write: Callable[[bytes], bytes]

    def do_POST(self) -> None:
        token = self.headers["X-Gitlab-Token"].encode("latin-1")
        body = b"got " + type(self).write(token)
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(403, token.decode("latin-1"))
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Echo", type(self).write(token).decode("latin-1"))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: object) -> None:
        """Print nothing."""


@contextmanager
def echoing(write: Callable[[bytes], bytes]) -> Iterator[str]:
    """Serve `Echo` on loopback and give its URL."""
    handler = type("Handler", (Echo,), {"write": staticmethod(write)})
    server = HTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("name", ECHOES)
def test_a_response_that_repeats_the_token_shows_dots(name: str):
    token = 'glpat-ca+na/ry"4f<8a&2c71'
    with echoing(ECHOES[name]) as url:
        tab = opened(url, secret=token)
        record = tab.ask("send", ticket="t")["value"]

    coded = ECHOES[name](token.encode()).decode("latin-1")
    assert 403 == record["status"]
    assert record["body_text"].startswith("got ")
    for secret in (token, coded, coded[4:-6], "ca+na/ry"):
        assert secret not in everything(tab)
        assert repr(secret)[1:-1] not in everything(tab)


def test_of_a_token_that_is_too_short_to_be_searched_for_nothing_of_the_response_is_kept():
    with echoing(bytes) as url:
        record = opened(url, secret="abc").ask("send", ticket="t")

    value = record["value"]
    assert (403, "", "", []) == (value["status"], value["reason"], value["body_text"], value["headers"])
