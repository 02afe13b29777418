"""The history: request and response of each delivery, imported requests, comparison and export."""

from __future__ import annotations

import base64
import hashlib
import json
from datetime import UTC, datetime, timedelta

import pytest

from hook_widgets.webhooks import Receiver, Secret, provider
from hook_widgets.webhooks.recordings import read_recording
from hook_widgets.webhooks.recordings.exchange import MAX_BYTES
from hook_widgets.widgets.generator import history, importing
from hook_widgets.widgets.generator.widget import WebhookGenerator
from tests.support import har
from tests.support.wire import Wire, answer
from tests.widgets.fake_tab import CANARY, FakeTab

TOKEN = "glpat-not-a-real-token-0123"


def tab_of(url: str, name: str = "stripe", **more) -> FakeTab:
    return FakeTab(WebhookGenerator(name, url=url, **more), secret=None if "secret" in more else CANARY)


def buffers_of(tab: FakeTab) -> list[bytes]:
    """The buffers of the newest reply."""
    return [*tab.replies.values()][-1][1]


def import_text(tab: FakeTab, to: str, text: str | bytes) -> dict:
    data = text.encode() if isinstance(text, str) else text
    return tab.ask("import", data, to=to)


@pytest.mark.parametrize("name", ["stripe", "github", "mailgun", "twilio"])
def test_an_entry_has_the_request_and_the_response_as_they_were_on_the_wire(name):
    response = b"HTTP/1.1 200 Fine\r\nX-Answer: 1\r\nContent-Length: 3"
    with Wire(answer(response, b"\xffok")) as receiver:
        tab = tab_of(receiver.url, name, headers={"X-Mine": "1"})
        record = tab.ask("send")["value"]
        value = tab.ask("exchange", n=1)["value"]
    body, answered = buffers_of(tab)
    [received] = receiver.requests
    assert [list(pair) for pair in received.headers] == value["headers"]
    assert (received.body, b"\xffok") == (body, answered)
    assert (value["method"], value["url"]) == ("POST", receiver.url)
    assert ["X-Answer", "1"] in value["response_headers"]
    if name == "github":  # which signs the body alone
        assert value["base_strings"][0]["sha256"] == hashlib.sha256(received.body).hexdigest()
    assert value["base_strings"]
    assert value["duration_s"] == record["elapsed_s"] > 0
    assert value["started"][:16] <= record["at"][:16]
    assert "body" not in record  # a message to every tab stays small
    assert len(json.dumps(record)) < 4_000


def test_the_messages_of_a_delivery_do_not_grow_with_the_request():
    with Wire() as receiver:
        tab = tab_of(receiver.url, "generic", body=b'{"a": "' + b"x" * 500_000 + b'"}')
        tab.ask("send")
    record = next(content["record"] for content, _ in tab.noted if content.get("op") == "delivery")
    assert len(json.dumps(record)) < 4_000


def test_a_token_of_the_kernel_is_in_no_entry_command_or_export():
    response = f"HTTP/1.1 401 No\r\nX-Echo: {TOKEN}\r\nContent-Length: {len(TOKEN)}".encode()
    with Wire(answer(response, TOKEN.encode())) as receiver:
        tab = tab_of(receiver.url, "gitlab-token", secret=Secret(TOKEN))
        tab.ask("send")
    assert TOKEN in str(receiver.requests[0].headers)  # the control
    before = len(tab.replies)
    for op, more in (
        ("exchange", {"n": 1}),
        ("past_curl", {"n": 1}),
        ("export", {"form": "har"}),
        ("export", {"form": "json"}),
        ("compare", {"a": 1, "b": 1, "all": True}),
        ("as_sent", {"n": 1}),
    ):
        tab.ask(op, **more)
    replies = str([*tab.replies.values()][before:])
    for form in (TOKEN, base64.b64encode(TOKEN.encode()).decode(), TOKEN.encode().hex()):
        assert form not in replies
    assert "WEBHOOK_SECRET" in replies


@pytest.mark.parametrize("name", ["auth0", "figma", "alertmanager", "azure-devops", "telegram"])
def test_no_form_of_a_token_is_in_an_export(name):
    with Wire() as receiver:
        tab = tab_of(receiver.url, name, secret=Secret(TOKEN))
        tab.ask("send")
        tab.ask("exchange", n=1)
        shown = str(tab.replies)
        tab.ask("export", form="har")
    sent = receiver.requests[0].head + receiver.requests[0].body
    encoded = base64.b64encode(TOKEN.encode()).decode()
    assert (
        TOKEN in str(sent)
        or encoded[:20] in str(sent)
        or base64.b64encode(b":" + TOKEN.encode()).decode() in str(sent)
    )
    assert TOKEN not in shown
    assert TOKEN not in str(tab.replies)


def test_clear_forgets_everything_and_numbers_go_on():
    with Wire() as receiver:
        tab = tab_of(receiver.url)
        tab.ask("send")
        tab.ask("clear")
        assert tab.widget.deliveries == ()
        assert tab.ask("history")["value"] == {"deliveries": []}
        assert tab.ask("exchange", n=1)["error"]["code"] == "no_such_delivery"
        assert tab.ask("send", again=1)["error"]["code"] == "no_such_delivery"
        assert tab.ask("send")["value"]["n"] == 2
    assert any(content.get("op") == "cleared" for content, _ in tab.noted)


def test_the_oldest_entries_give_way(monkeypatch):
    monkeypatch.setattr(history, "MAX_ENTRIES", 3)
    tab = tab_of("http://127.0.0.1:1/")
    entries = [{"request": {"method": "POST", "url": f"https://a.example/{i}"}} for i in range(5)]
    value = import_text(tab, "history", json.dumps({"log": {"entries": entries}}))["value"]
    assert value["numbers"] == [3, 4, 5]
    assert [record["url"][-1] for record in tab.ask("history")["value"]["deliveries"]] == ["2", "3", "4"]


def test_two_deliveries_are_compared():
    with Wire() as receiver:
        tab = tab_of(receiver.url, "generic", body=b'{\n"a": 1,\n"b": 2\n}\n')
        tab.ask("send")
        tab.edit(body=b'{\n"a": 1,\n"b": 3\n}\n')
        tab.ask("send")
    value = tab.ask("compare", a=1, b=2)["value"]
    assert [line for line in value["body"] if line[0] in "+-"] == ['-"b": 2', '+"b": 3']
    assert any(line.startswith("-webhook-signature") or "ignature" in line for line in value["headers"])


@pytest.mark.parametrize(
    ("name", "changes", "clock", "explanation"),
    # Signed parts: https://docs.stripe.com/webhooks/signature, https://www.twilio.com/docs/usage/security
    [
        ("stripe", {}, None, "The signatures differ because the keys do: no signed part differs."),
        ("stripe", {"body": b"{}"}, None, "The signatures differ because signed parts do: body."),
        ("stripe", {}, 90, "The signatures differ because signed parts do: timestamp."),
        ("stripe", {"body": b"{}"}, 90, "The signatures differ because signed parts do: timestamp and body."),
        (
            "stripe",
            {"query": "?a=1"},
            None,
            "The signatures differ because the keys do: no signed part differs.",
        ),
        ("twilio", {"query": "?a=1"}, 90, "The signatures differ because signed parts do: URL."),
        ("twilio", {"body": b"a=1"}, None, "The signatures differ because signed parts do: body."),
        ("twilio", {}, 90, "The signatures differ because the keys do: no signed part differs."),
    ],
)
def test_the_difference_of_two_signatures_is_explained(name, changes, clock, explanation):
    at = datetime(2026, 11, 23, 12, tzinfo=UTC)
    edits = {name: value for name, value in changes.items() if name != "query"}
    with Wire() as receiver:
        tab = tab_of(receiver.url, name, clock=at)
        tab.ask("send")
        assert tab.ask("compare", a=1, b=1)["value"]["signature"] == ""
        tab.edit(url=receiver.url + changes.get("query", ""), **edits)
        if clock:
            tab.edit(clock={"mode": "fixed", "at": (at + timedelta(seconds=clock)).isoformat()})
        if "keys" in explanation:
            tab.secret = "whsec_another"
        tab.ask("send")
    assert tab.ask("compare", a=1, b=2)["value"]["signature"] == explanation


def test_an_export_is_har_and_comes_back_through_import():
    with Receiver("github", Secret(CANARY)) as receiver:
        tab = tab_of(receiver.url, "github", event="push")
        assert tab.ask("send")["value"]["status"] == 200
    tab.ask("export", form="har")
    [text] = buffers_of(tab)
    har.check(json.loads(text))
    assert CANARY not in text.decode()
    other = tab_of("http://127.0.0.1:1/")
    value = import_text(other, "history", text)["value"]
    assert (value["format"], value["count"], value["provider"], value["event"]) == (
        "HAR",
        1,
        "github",
        "push",
    )
    [record] = other.ask("history")["value"]["deliveries"]
    assert record["imported"]
    assert (record["status"], record["provider"]) == (200, "github")
    sent = other.ask("as_sent", n=record["n"])["value"]
    assert buffers_of(other) == [receiver.deliveries[0].request.body]
    verdict = other.ask(
        "verify",
        receiver.deliveries[0].request.body,
        provider="github",
        headers_text="\n".join(f"{name}: {value}" for name, value in sent["headers"]),
        url=sent["url"],
    )
    assert verdict["value"]["ok"]
    assert other.widget.deliveries == ()  # nothing was sent
    assert other.ask("send", again=record["n"])["error"]["code"] == "imported"


def test_the_command_of_an_entry_sends_the_same_bytes():
    with Wire() as receiver:
        tab = tab_of(receiver.url, "github")
        tab.ask("send")
        text = tab.ask("past_curl", n=1)["value"]["text"]
        value = import_text(tab, "history", text)["value"]
        again = tab.ask("past_curl", n=value["numbers"][0])["value"]["text"]
    sent = receiver.requests[0]
    for command in (text, again):
        [exchange] = read_recording(command).exchanges
        assert exchange.request.body == sent.body
        assert exchange.request.headers["X-Hub-Signature-256"] == dict(sent.headers)["X-Hub-Signature-256"]


def test_a_request_without_its_body_or_host_makes_no_command():
    tab = tab_of("http://127.0.0.1:1/")
    [n] = import_text(tab, "history", "curl https://a.example/ -d @file")["value"]["numbers"]
    assert tab.ask("past_curl", n=n)["error"]["code"] == "no_body"
    [n] = import_text(tab, "history", "POST /x HTTP/1.1\nA: b\n\nc")["value"]["numbers"]
    assert tab.ask("past_curl", n=n)["error"]["code"] == "no_url"


def test_an_entry_is_opened_in_the_editor():
    with Wire() as receiver:
        tab = tab_of(receiver.url, "github", event="push", headers={"X-Mine": "1"})
        tab.edit(body=b'{"edited": true}')
        tab.ask("send")
        tab.edit(provider="stripe", event="", url="http://127.0.0.1:9/", body=b"{}", headers=[])
        tab.ask("open", n=1)
    widget = tab.widget
    assert (widget.provider, widget.event, widget.url) == ("github", "push", receiver.url)
    assert widget.body == b'{"edited": true}'
    assert widget.headers == [["X-Mine", "1"]]
    assert widget.draft is not None


@pytest.mark.parametrize(
    ("status", "rejected"), [(200, False), (400, True), (401, True), (403, True), (404, False), (500, False)]
)
def test_an_imported_request_that_its_receiver_rejected_is_marked_as_one_to_verify(status, rejected):
    with Wire(answer(f"HTTP/1.1 {status} X\r\nContent-Length: 0".encode(), b"")) as receiver:
        tab = tab_of(receiver.url)
        assert tab.ask("send")["value"]["verifiable"] is rejected
    tab.ask("export", form="har")
    [text] = buffers_of(tab)
    other = tab_of("http://127.0.0.1:1/")
    import_text(other, "history", text)
    [record] = other.ask("history")["value"]["deliveries"]

    assert record["verifiable"] is rejected


def test_an_imported_request_fills_the_editor():
    signed = (
        provider("github")
        .draft(event="issues.opened", url="https://a.example/hook")
        .sign(Secret("another secret"))
    )
    text = signed.curl().rstrip() + " \\\n  -H 'X-Mine: 1'"
    tab = tab_of("http://127.0.0.1:1/")
    value = import_text(tab, "editor", text)["value"]
    widget = tab.widget
    assert (value["format"], value["provider"]) == ("curl command", "github")
    assert (widget.provider, widget.event, widget.url) == (
        "github",
        "issues.opened",
        "https://a.example/hook",
    )
    assert widget.body == signed.body
    assert widget.headers == [["X-Mine", "1"]]
    assert tab.ask("history")["value"] == {"deliveries": []}


def test_a_locked_input_is_not_changed():
    tab = tab_of("http://127.0.0.1:1/", locked=["url"])
    reply = import_text(tab, "editor", "curl https://a.example/ -d '{}'")
    assert reply["error"]["code"] == "locked"
    assert tab.widget.url == "http://127.0.0.1:1/"
    with Wire() as receiver:
        other = tab_of(receiver.url, locked=["url"])
        other.ask("send")
        assert other.ask("open", n=1)["ok"]


def test_fields_of_verify_get_the_first_request_and_notes():
    tab = tab_of("http://127.0.0.1:1/")
    value = import_text(tab, "verify", "HTTP_STRIPE_SIGNATURE=t=1,v1=00\nREQUEST_METHOD=PUT")["value"]
    assert value["headers"] == [["Stripe-Signature", "t=1,v1=00"]]
    assert (value["method"], value["provider"], value["body_known"]) == ("PUT", "stripe", False)
    assert any("body" in note for note in value["notes"])
    assert buffers_of(tab) == [b""]


@pytest.mark.parametrize("text", [b"", b"hello", b"\xff" * 100, b"[" * 100_000, b" " * (MAX_BYTES + 1)])
@pytest.mark.parametrize("to", ["history", "editor", "verify", "nowhere"])
def test_a_text_that_is_no_recording_is_an_error_and_changes_nothing(text, to):
    tab = tab_of("http://127.0.0.1:1/")
    before = (tab.widget.body, tab.widget.provider)
    assert import_text(tab, to, text)["error"]["code"] == "invalid_argument"
    assert (tab.widget.body, tab.widget.provider) == before
    assert tab.ask("history")["value"] == {"deliveries": []}


@pytest.mark.parametrize("n", [None, "1", 0, -1, 99, 1.5, True, [1], {"a": 1}])
def test_another_number_is_an_error(n):
    tab = tab_of("http://127.0.0.1:1/")
    for op in ("exchange", "past_curl", "open", "as_sent"):
        assert tab.ask(op, n=n)["error"]["code"] == "no_such_delivery"
    assert tab.ask("compare", a=n, b=n)["error"]["code"] == "no_such_delivery"


def searched(tab: FakeTab, text: object) -> list[int]:
    """The numbers of the entries that contain this text."""
    return tab.ask("search", text=text)["value"]["matches"]


def test_headers_and_bodies_of_requests_and_responses_are_searched():
    with Wire(
        answer(b"HTTP/1.1 200 Fine\r\nX-Answer: Blue\r\nContent-Length: 11", b"out of Milk")
    ) as receiver:
        tab = tab_of(receiver.url, "github", headers={"X-Mine": "Sardine"})
        tab.ask("send")
        tab.widget.body = b'{"fish": "Herring"}'
        tab.ask("send")

    assert [1, 2] == searched(tab, "")
    assert [2] == searched(tab, "herring")
    assert [1, 2] == searched(tab, "x-mine: sardine")
    assert [1, 2] == searched(tab, "x-answer blue")
    assert [2] == searched(tab, "MILK herring")
    assert [1] == searched(tab, "#1")
    assert [] == searched(tab, "herring shark")
    assert [1, 2] == searched(tab, None)


def test_a_token_cannot_be_searched_for():
    with Wire(answer(b"HTTP/1.1 401 No\r\nContent-Length: 26", TOKEN[:26].encode())) as receiver:
        tab = FakeTab(WebhookGenerator("gitlab-token", url=receiver.url), secret=TOKEN[:26])
        tab.agrees = True
        tab.ask("send", ticket="t")

    assert [1] == searched(tab, "gitlab")
    assert [] == searched(tab, TOKEN[:26])
    assert [] == searched(tab, TOKEN[:8])


@pytest.mark.parametrize("name", ["read_recording", "recording_wire"])
def test_an_import_that_fails_unexpectedly_is_answered_and_quotes_nothing(tab, monkeypatch, name):
    def failing(pasted: object) -> None:
        raise ValueError(f"invalid literal: {pasted!r}")

    monkeypatch.setattr(importing, name, failing)
    reply = import_text(tab, "verify", f"POST /x HTTP/1.1\nAuthorization: {CANARY}\n\n")

    text = "the kernel could not do this (ValueError); please report it"
    assert {"code": "internal", "text": text} == reply["error"]
