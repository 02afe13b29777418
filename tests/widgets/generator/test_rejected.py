"""A delivery that its receiver rejects: the request as it was sent, for Verify."""

from __future__ import annotations

import pytest

from hook_widgets.webhooks import Receiver, Secret
from hook_widgets.widgets.generator.widget import WebhookGenerator
from tests.support.wire import Wire, answer
from tests.widgets.fake_tab import CANARY, FakeTab

TOKEN = "glpat-not-a-real-token-0123"
REASON = "No signatures found matching the expected signature for payload"


def rejecting(status: int = 400) -> Wire:
    return Wire(
        answer(b"HTTP/1.1 %d Rejected\r\nContent-Length: %d" % (status, len(REASON)), REASON.encode())
    )


@pytest.mark.parametrize("status", [400, 401, 403])
@pytest.mark.parametrize("name", ["stripe", "github", "mailgun"])  # Mailgun's signature is inside the body
def test_a_rejected_request_is_given_to_verify_byte_for_byte(name: str, status: int):
    with rejecting(status) as receiver:
        tab = FakeTab(WebhookGenerator(name, url=receiver.url, headers={"X-Mine": "1"}), secret=CANARY)
        record = tab.ask("send")["value"]
        tab.edit(body=b"{}", url="http://127.0.0.1:9/other")  # what is shown now is another request
        reply = tab.ask("as_sent", n=1)
    [received] = receiver.requests
    _, [body] = tab.replies["tab-2"]

    assert record["advice"].startswith("Rejected; often a signature mismatch.")
    assert (REASON, True) == (record["quote"], record["verifiable"])
    assert [list(pair) for pair in received.headers] == reply["value"]["headers"]
    assert received.body == body
    assert (receiver.url, "POST") == (reply["value"]["url"], reply["value"]["method"])


@pytest.mark.parametrize("status", [200, 404, 429, 500])
def test_another_status_is_no_reason_to_verify(status: int):
    with rejecting(status) as receiver:
        tab = FakeTab(WebhookGenerator("stripe", url=receiver.url), secret=CANARY)
        record = tab.ask("send")["value"]

    assert ("", False) == (record["quote"], record["verifiable"])


def test_a_request_with_the_kernels_token_is_not_given_to_the_browser():
    with rejecting(401) as receiver:
        tab = FakeTab(WebhookGenerator("gitlab-token", url=receiver.url, secret=Secret(TOKEN)))
        record = tab.ask("send")["value"]
        reply = tab.ask("as_sent", n=1)

    assert TOKEN in str(receiver.requests[0].headers)
    assert not record["verifiable"]
    assert "secret_inside" == reply["error"]["code"]
    assert TOKEN not in str(tab.replies)


@pytest.mark.parametrize("n", [0, 2, -1, "1", None, 1.0])
def test_only_a_delivery_of_the_history_has_a_request(n: object):
    with rejecting() as receiver:
        tab = FakeTab(WebhookGenerator("stripe", url=receiver.url), secret=CANARY)
        tab.ask("send")

        assert "no_such_delivery" == tab.ask("as_sent", n=n)["error"]["code"]


def test_the_body_of_an_earlier_delivery_is_known_to_the_diagnosis():
    with Receiver("stripe", Secret("whsec_another_secret")) as receiver:
        tab = FakeTab(WebhookGenerator("stripe", url=receiver.url, body=b'{"a": 1}'), secret=CANARY)
        tab.ask("send")
        headers = tab.ask("as_sent", n=1)["value"]["headers"]
        tab.edit(body=b"{}")
        text = "\n".join(f"{name}: {value}" for name, value in headers)
        report = tab.ask("diagnose", b'{"a": 2}', provider="stripe", headers_text=text)["value"]

    assert "first difference at byte 17: received ‘2}’, sent ‘1}’" in report["difference"]
