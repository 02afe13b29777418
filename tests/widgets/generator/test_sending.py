"""Sending from the generator: what is delivered, what is refused, and what the answer says."""

from __future__ import annotations

import hmac
import json
import threading
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from hook_widgets.webhooks import Delivery, Receiver, Secret, provider
from hook_widgets.widgets.generator import serialize as wire
from hook_widgets.widgets.generator.widget import WebhookGenerator
from tests.widgets.fake_tab import CANARY, FakeTab


def test_typing_does_not_change_a_delivery_id_and_sending_does():
    with Receiver("github", Secret(CANARY)) as receiver:
        tab = FakeTab(WebhookGenerator("github", url=receiver.url), secret=CANARY)
        tab.edit(body=b"{}")
        first = tab.widget.request.headers["X-GitHub-Delivery"]
        tab.edit(body=b"[]")
        second = tab.widget.request.headers["X-GitHub-Delivery"]
        tab.ask("send")

        assert first == second
        assert first != receiver.deliveries[0].request.headers["X-GitHub-Delivery"]


def test_sending_delivers_the_signed_bytes_and_records_what_came_back():
    with Receiver("stripe", Secret(CANARY)) as receiver:
        tab = FakeTab(WebhookGenerator("stripe", url=receiver.url), secret=CANARY)
        tab.edit(body=b'{"caf\xc3\xa9": "\\u00e9"}\r\n')
        reply = tab.ask("send")["value"]

        assert (200, "ok", True) == (reply["status"], reply["level"], reply["equal_to_payload"])
        assert b'{"caf\xc3\xa9": "\\u00e9"}\r\n' == receiver.deliveries[0].request.body
        assert receiver.deliveries[0].verdict.ok
        assert reply == tab.last("delivery")["record"]

        again = tab.ask("send", again=1)["value"]

        assert (2, 200) == (again["n"], again["status"])
        assert [tab.widget.revision] * 2 == [reply["revision"], again["revision"]]
        tab.edit(body=b"{}")
        assert "" == tab.ask("send", again=1)["value"]["revision"]
        assert 3 == len(tab.widget.deliveries)


def test_a_new_preview_leaves_out_the_history_which_a_tab_asks_for_once():
    with Receiver("stripe", Secret(CANARY)) as receiver:
        tab = FakeTab(WebhookGenerator("stripe", url=receiver.url), secret=CANARY)
        for _ in range(20):
            tab.ask("send")
        records = [note["record"] for note in tab.notes if note["op"] == "delivery"]
        tab.noted.clear()
        tab.jobs.clear()

        assert {} == tab.ask("preview")["value"]
        assert ["draft", "signed"] == [note["op"] for note in tab.notes]
        assert ["sign"] == [job["op"] for job, _ in tab.jobs]
        assert {"deliveries": records} == tab.ask("history")["value"]
        assert 20 == len(records)


def test_a_send_without_a_secret_says_so_when_a_tab_reports_it():
    tab = FakeTab(WebhookGenerator("stripe"))
    tab.say({"id": "tab-send", "op": "send", "args": {}})
    job, _ = tab.jobs[-1]

    assert "send" == job["args"]["purpose"]
    assert "busy" == tab.ask("send")["error"]["code"]

    tab.say({"re": job["id"], "ok": False, "error": {"code": "bad_key", "text": "character 3 is not hex"}})

    assert "character 3 is not hex" == tab.replies["tab-send"][0]["error"]["text"]
    assert "busy" != tab.ask("preview").get("error", {}).get("code")


def test_another_host_is_confirmed_by_name_before_anything_is_sent(tab):
    tab.edit(url="https://hooks.example.test/in")
    fault = tab.ask("send")["error"]

    assert ("confirm_host", "hooks.example.test") == (fault["code"], fault["host"])
    assert "confirm_host" == tab.ask("send", confirmed_host="other.example.test")["error"]["code"]


@pytest.mark.parametrize("url", ["http://169.254.169.254/latest", "http://[fe80::1]/"])
def test_metadata_and_link_local_addresses_are_rejected(tab, url):
    tab.edit(url=url)

    assert "rejected" == tab.ask("send")["error"]["code"]


def test_allowed_hosts_are_checked_in_the_kernel():
    tab = FakeTab(WebhookGenerator("stripe", allow_hosts=["hooks.example.test"]), secret=CANARY)

    assert "rejected" == tab.ask("send")["error"]["code"]


def _answering(key: bytes) -> HTTPServer:
    """A receiver on loopback that answers Zoom's endpoint validation by its documentation, with this key."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            token = body["payload"]["plainToken"]
            mac = hmac.new(key, token.encode(), "sha256").hexdigest()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({"plainToken": token, "encryptedToken": mac}).encode())

        def log_message(self, *_: object) -> None:
            """Nothing on the terminal."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


@pytest.mark.parametrize(("key", "ok"), [(CANARY, True), ("another", False)])
def test_the_answer_to_a_handshake_is_checked_by_whoever_holds_the_secret(key, ok):
    server = _answering(key.encode())
    widget = WebhookGenerator(
        "zoom", "url_validation", url=f"http://127.0.0.1:{server.server_port}/", clock="now"
    )
    try:
        record = FakeTab(widget, secret=CANARY).ask("send")["value"]
    finally:
        server.shutdown()
        server.server_close()

    assert (200, ok) == (record["status"], record["answer"]["ok"])
    assert CANARY not in json.dumps(record)


def test_the_answer_to_an_ordinary_event_is_not_checked():
    with Receiver("stripe", Secret(CANARY)) as receiver:
        record = FakeTab(WebhookGenerator("stripe", url=receiver.url), secret=CANARY).ask("send")["value"]

    assert record["answer"] is None


@pytest.mark.parametrize(("name", "elapsed_s", "level"), [("discord", 3.1, "bad"), ("woocommerce", 59, "ok")])
def test_a_delivery_is_late_after_the_limit_of_its_provider(name: str, elapsed_s: float, level: str):
    known = provider(name)
    request = known.draft(url="http://127.0.0.1:8000/").sign(known.example_secret())
    delivery = Delivery(status=200, elapsed_s=elapsed_s, within_s=known.responses.within_s)

    record = wire.delivery_wire(1, request, delivery, "", datetime.now(UTC), None, "")

    assert (level, known.title) == (record["level"], record["title"])
    assert known.responses.within_s == record["within_s"] == wire.provider_wire(known)["within_s"]
